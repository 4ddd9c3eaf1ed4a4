"""A newcomer's question about the real world is met before the run; samples never are."""

from __future__ import annotations

import json

import pytest

from deep_research.cli.notice import foreign_notice, unknown_words
from deep_research.index import Index
from deep_research.offline.handlers import OfflineProvider
from deep_research.offline.web import build_web, domains

from .conftest import Command

REAL_WORLD = [
    "What is the capital of France?",
    "Who is the CEO of OpenAI?",
    "How does photosynthesis work?",
    "tesla vs byd market share",
    "Compare LangGraph and CrewAI for multi-agent systems",
    "法国的首都是什么？",
    "人工智能监管的最新进展",
    "日本の首都はどこですか。",
    "電気自動車の市場シェアを比較してください",
]


def index_of(seed: int, domain: str) -> Index:
    return OfflineProvider(web=build_web(seed, 150, domain)).tavily.index()


@pytest.mark.parametrize("domain", domains())
@pytest.mark.parametrize("seed", [0, 1])
def test_no_sample_question_is_foreign(seed: int, domain: str) -> None:
    web, index = build_web(seed, 150, domain), index_of(seed, domain)
    assert not [q.text for q in web.questions if foreign_notice(q.text, web, index)]


def test_own_wording_about_things_of_the_web_is_not_foreign() -> None:
    index = index_of(0, "airships")
    answerable = [q for q in build_web().questions if q.facts]
    foreign = [q.text for q in answerable if unknown_words(q.text, index)]  # as if they were no samples
    assert len(foreign) <= len(answerable) / 50


@pytest.mark.parametrize("question", REAL_WORLD)
def test_a_question_about_the_real_world_is_stopped_at_once(command: Command, question: str) -> None:
    done = command("ask", question, "--json")
    assert (done.status, done.out) == (2, "")
    assert done.err.count("deep-research ask '") == 4  # three samples, and the way to one's own documents
    assert "--docs FOLDER" in done.err and "OPENAI_API_KEY" in done.err and "--yes" in done.err


def test_yes_runs_anyway(command: Command) -> None:
    done = command("ask", "What is the capital of France?", "--yes", "--json")
    assert done.status == 3
    assert json.loads(done.out)["question"] == "What is the capital of France?"


def test_samples_are_offered_in_the_language_of_the_question(command: Command) -> None:
    assert "飞艇" in command("ask", "法国的首都是什么？").err
