"""Rows o1, o2, o3 and o9 with the offline model: what it asks, briefs, delegates and writes, kind by kind."""

from __future__ import annotations

import re

import pytest

from deep_research.components.brief_writer import write_brief
from deep_research.components.clarifier import clarify
from deep_research.components.supervisor import supervise
from deep_research.engine.trace import Event
from deep_research.prompts import render
from deep_research.runs import aresearch
from deep_research_offline.model import complete
from tests.running import context_of, page, run, small_web, wire


def user(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def offline(**settings: object):
    return context_of(provider=wire(complete), **settings)


async def test_o1_an_unknown_abbreviation_is_asked_about_unless_the_glossary_has_it():
    question = user("How many towers does AUM run?")
    asked = await clarify(question, offline())
    assert asked.need_clarification
    assert "AUM" in asked.question
    for glossary in (
        {"AUM": "Maritime Authority"},
        {"AUM": "Authority"} | {f"T{n}": "x" * 50 for n in range(90)},
    ):
        assert not (await clarify(question, offline(scope__glossary=glossary))).need_clarification


async def test_o1_a_clear_request_is_acknowledged_with_its_scope():
    answer = await clarify(user("How tall was the Gull lighthouse in 1902?"), offline())
    assert not answer.need_clarification
    for detail in ("Gull lighthouse", "1902"):
        assert detail in answer.verification


KINDS = {
    "products and travel": ("What is the price of a ferry ticket to Gull Rock?", "official pages"),
    "academic": ("Which paper measured the light of the Gull tower?", "original paper"),
    "people": ("Who is the keeper of the Gull tower?", "their own page"),
    "otherwise": ("How tall is the Gull tower?", "in the language of my question"),
}


@pytest.mark.parametrize("kind", KINDS)
async def test_o2_source_guidance_follows_the_kind_of_question(kind: str):
    question, guidance = KINDS[kind]
    brief = await write_brief(user(question), offline())
    assert guidance in brief
    assert not [other for _, other in KINDS.values() if other != guidance and other in brief]


@pytest.mark.parametrize("language", ["en", "zh", "ja"])
async def test_o2_the_guidance_is_in_the_prompt_of_every_language(language: str):
    prompt = render("brief_writer", language, date="2041-05-06", scope_notes="(none)")
    kinds = {
        "en": ("official pages", "original paper", "their own page", "language of the question"),
        "zh": ("官方", "原始论文", "本人", "语言"),
        "ja": ("公式", "元の論文", "本人", "言語"),
    }
    assert [word for word in kinds[language] if word not in prompt] == []


async def test_o2_every_stated_detail_is_kept_and_none_is_invented():
    question = "How tall were the Gull and the “Old Heron” in 1902, in metres, without modern towers?"
    brief = await write_brief(user(question), offline())
    for detail in ("Gull", "“Old Heron”", "1902", "in metres", "without modern towers"):
        assert detail in brief
    assert set(re.findall(r"\d+", brief)) == {"1902"}


@pytest.mark.parametrize(
    ("question", "first_person", "left_open"),
    [
        ("How tall is the Gull tower?", "I want", "open"),
        ("海鸥灯塔有多高？", "我想", "未定"),
        ("カモメ灯台の高さは何メートルですか。", "私は", "限定せず"),
    ],
)
async def test_o2_first_person_in_the_users_language_with_the_unstated_left_open(
    question: str, first_person: str, left_open: str
):
    brief = await write_brief(user(question), offline())
    assert brief.startswith(first_person)
    assert left_open in brief


@pytest.mark.parametrize(
    ("question", "researchers"),
    [
        ("How tall is the Gull lighthouse?", 1),
        ("List the lighthouses of Ormsund.", 1),
        ("Which three lighthouses of Ormsund are the tallest?", 1),
        ("Which is taller, the Gull lighthouse or the Heron lighthouse?", 2),
        ("Compare the Gull, the Heron and the Skua by height.", 3),
    ],
)
async def test_o3_one_researcher_for_a_fact_list_or_ranking_and_one_per_compared_item(
    question: str, researchers: int
):
    ctx = offline()
    message = await supervise(await write_brief(user(question), ctx), [], ctx)
    topics = [c["args"]["research_topic"] for c in message.tool_calls if c["name"] == "ConductResearch"]
    assert len(topics) == len(set(topics)) == researchers
    assert all(question in topic and len(topic) > 200 for topic in topics)
    assert message.tool_calls[0]["name"] == "think"


async def test_o3_it_thinks_before_and_after_a_delegation():
    events: list[Event] = []
    await aresearch("How many mooring masts does Port Brudoji have?", keep=False, on_event=events.append)
    steps = [
        "think" if event.tool == "think" else "search"
        for event in events
        if event.type == "call"
        and (event.tool == "search" or (event.role, event.tool) == ("supervisor", "think"))
    ]
    assert steps[0] == steps[-1] == "think"
    assert "search" in steps


async def test_o9_the_report_speaks_of_the_subject_only_and_its_shape_follows_the_question():
    single = await aresearch("How many mooring masts does Port Brudoji have?", keep=False)
    body = single.markdown.partition("## Sources")[0]
    assert "24" in body.splitlines()[2]
    both = await aresearch("Which airship is longer, the Quilelsa or the Casmaji?", keep=False)
    assert "161 m" in both.markdown
    assert "184 m" in both.markdown
    for report in (single, both):
        assert report.markdown.startswith("# ")
        assert "\n## " in report.markdown
        written = report.markdown.partition("## How this report was checked")[0]
        assert not re.search(r"\b(this report|as an AI|I (?:searched|found|will))\b", written)


@pytest.mark.parametrize(
    ("question", "last", "letters"),
    [
        (
            "How tall is the Gull lighthouse?",
            ["## Sources", "## How this report was checked"],
            "[A-Za-z]",
        ),
        ("苍鹭灯塔的高度是多少？", ["## 来源", "## 本报告的核对情况"], "[\u4e00-\u9fff]"),
        (
            "カモメ灯台の高さは何メートルですか。",
            ["## 出典", "## この報告の照合結果"],
            "[\u3040-\u30ff\u4e00-\u9fff]",
        ),
    ],
)
async def test_s13_headings_and_source_list_are_in_the_language_of_the_question(
    question: str, last: list[str], letters: str
):
    heron = page("zh.example/cang", "苍鹭灯塔", "苍鹭灯塔的高度为28米，建于1911年。", "zh")
    kamome = page("ja.example/kamome", "カモメ灯台", "カモメ灯台の高さは41メートルです。", "ja")
    report = await run(question=question, provider=wire(complete, web=small_web(heron, kamome)))
    headings = re.findall(r"^##? .+$", report.markdown, re.MULTILINE)
    assert len(headings) >= 3
    assert all(re.search(letters, line) for line in headings)
    assert headings[-2:] == last
