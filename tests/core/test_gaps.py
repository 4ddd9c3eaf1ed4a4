"""What gaps say: one table of sentences, in the language of the report."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest

from deep_research.core.errors import BudgetExceeded
from deep_research.core.gaps import WORDS_FILE, GapSentence, cause_of, gap_of, sentence_of
from deep_research.core.records import Gap
from deep_research.core.words import read
from deep_research.engine.budget import BUDGET_KINDS
from deep_research.text.language import CJK
from deep_research_offline.wire.faults import Fault
from tests.running import TOPICS, delegate, run, wire
from tests.scripted import Script

QUESTIONS = {"zh": "奥姆松的灯塔有多高？", "ja": "オルムスンの灯台の高さはどれくらいですか。"}
QUOTED = re.compile(r"“[^”]*”|「[^」]*」|<[^>]*>")
LISTED = re.compile(r"^\d+\. .*$", re.MULTILINE)
ENGLISH = re.compile(r"(?:[A-Za-z]{2,}[ ,:.]+){2}[A-Za-z]{2,}")


def test_every_gap_and_every_limit_has_its_sentence() -> None:
    table = read(WORDS_FILE)
    assert set(table["gaps"]["en"]) == set(get_args(GapSentence))
    assert set(table["limits"]["en"]) == {*BUDGET_KINDS, "seconds", "visits"}


def test_quotes_in_a_quote_are_those_for_inside() -> None:
    told = gap_of("no_results", "no_source", "search", query="“How many” 「塔」")
    assert told.message == "No source was found for “‘How many’ 『塔』”."


def cites(request: dict[str, Any]) -> str:
    """A writer or compressor that says nothing of its own but what it cites, in no language."""
    told = "\n".join(str(message["content"]) for message in request["messages"][1:])
    return "\n".join(f"41 [{name}]." for name in dict.fromkeys(re.findall(r"S\d+\.\d+", told))) or "0"


def no_search(call: Any) -> Fault | None:
    return Fault(status=400) if call.path.startswith("/search") else None


def no_writer(call: Any) -> Fault | None:
    return Fault(status=400) if b'"offline:writer"' in call.body else None


FAILURES: dict[str, tuple[str, dict[str, Any], Any, dict[str, Any]]] = {
    "a search fails": ("search_failed", {}, no_search, {}),
    "the first look fails": ("first_look_failed", {"system": "graph_agent"}, no_search, {}),
    "no calls are left": ("limit_reached", {"system": "deep_researcher", "budget__model_calls": 4}, None, {}),
    "sources are full": ("sources_full", {"budget__sources": 1}, None, {"supervisor": delegate(*TOPICS)}),
    "the writer fails": ("template", {}, no_writer, {}),
    "the answer is empty": ("template", {}, None, {"writer": ""}),
    "nothing is reviewed": ("findings_unreviewed", {"system": "graph_agent"}, None, {"critic": "no object"}),
    "a section is missing": ("section_empty", {"output__sections": ["Costs"]}, None, {}),
    "no plan can be made": ("no_model_plan", {"system": "topic_queue", "budget__model_calls": 1}, None, {}),
}


def test_a_gap_of_a_newer_version_says_its_message() -> None:
    gap = Gap(kind="budget", topic="x", message="As it was told.", said="of_a_newer_version")
    assert sentence_of(gap, "ja") == "As it was told."


def test_a_limit_is_told_in_full_figures() -> None:
    error = BudgetExceeded("tokens", 1_234_567)
    assert "1,234,567" in str(error)
    assert "1,234,567" in sentence_of(gap_of("budget", "limit_reached", "x", **cause_of(error)), "zh")


@pytest.mark.parametrize("language", QUESTIONS)
@pytest.mark.parametrize("failure", FAILURES)
async def test_a_report_names_what_is_missing_in_its_own_language(failure: str, language: str) -> None:
    said, settings, faults, answers = FAILURES[failure]
    script = Script(**{"compressor": cites, "writer": cites, **answers})
    provider = wire(script, faults=faults)

    report = await run(
        script, QUESTIONS[language], provider=provider, **{"system": "open_deep_research", **settings}
    )

    assert said in [gap.said for gap in report.gaps]
    text = LISTED.sub("", QUOTED.sub("", report.markdown))
    assert not ENGLISH.search(text), text
    assert not any(CJK.search(QUOTED.sub("", gap.message)) for gap in report.gaps)
