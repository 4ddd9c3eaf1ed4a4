"""Calls that a model writes as text are read, whatever other model's way it has learnt; echoes are none."""

from __future__ import annotations

import json

import pytest

from deep_research.engine.tools import CONDUCT_RESEARCH, RESEARCH_COMPLETE, SEARCH, THINK
from deep_research.engine.written_calls import written_calls
from tests.running import run
from tests.scripted import Script

TOOLS = [tool.spec() for tool in (SEARCH, CONDUCT_RESEARCH, THINK, RESEARCH_COMPLETE)]
WANTED = [("search", {"queries": ["Gull height"]})]
WAYS = [
    '```json\n{"name": "search", "arguments": {"queries": ["Gull height"]}}\n```',
    '<tool_call>\n{{"name": "search", "arguments": {{"queries": ["Gull height"]}}}}\n</tool_call>',
    '<tool_call>{{"name": "search", "arguments": {"queries": ["Gull height"]}}}</tool_call>',
    '{"tool": "search", "parameters": {"queries": "Gull height"}}',
    '{"function": {"name": "functions.Search", "arguments": "{\\"queries\\": [\\"Gull height\\"]}"}}',
    '{"tool_calls": [{"function": {"name": "search", "arguments": {"queries": ["Gull height"]}}}]}',
    '{"search": {"queries": ["Gull height"]}}',
    'I search.\n\n{"queries": ["Gull height"]}',
    '<function=search><parameter=queries>["Gull height"]</parameter></function>',
    '<invoke name="search"><parameter name="queries">["Gull height"]</parameter></invoke>',
    "<search queries='[\"Gull height\"]' />",
    "<search><queries>Gull height</queries></search>",
    'search({"queries": ["Gull height"]})',
    'search(queries=["Gull height"])',
]


@pytest.mark.parametrize("text", WAYS)
def test_a_call_written_as_text_is_read(text: str):
    assert [(call["name"], call["args"]) for call in written_calls(text, TOOLS)] == WANTED


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(TOOLS[0]), json.dumps(TOOLS[0]["function"]),
        json.dumps(TOOLS[0]["function"]["parameters"]), "The search found nothing.", '{"height": 41}', "",
    ],
)  # fmt: skip
def test_an_echo_of_the_tool_and_plain_words_are_no_call(text: str):
    assert written_calls(text, TOOLS) == []


async def test_a_decision_that_is_cut_is_asked_for_again_and_never_continued():
    script = Script(researcher=(("I will think about this at length", "length"), [WANTED[0]], "Enough."))
    report = await run(script, system="shallow_researcher")
    again = script.requests["researcher"][1]["messages"]
    assert "much shorter" in again[-1]["content"] and again[-2]["role"] == "user"
    assert report.usage.searches == 1


async def test_a_model_that_only_ends_is_made_to_search_and_the_report_says_so():
    script = Script(researcher=[("ResearchComplete", {})])
    report = await run(script, "How tall is the Gull lighthouse?")
    assert report.usage.searches and any("by itself" in gap.message for gap in report.gaps)
    assert "by itself" in report.markdown


async def test_queries_and_topics_that_are_ids_are_refused():
    script = Script(researcher=([("search", {"queries": ["S1.3", "[2]"]})], [WANTED[0]], "Enough."))
    report = await run(script, system="shallow_researcher")
    assert report.usage.searches == 1 and "no query has words" in script.prompts("researcher")[1]


async def test_a_tool_whose_name_is_written_in_another_way_is_called():
    script = Script(
        supervisor=(
            [("conduct_research", {"research_topic": "Gull lighthouse"})],
            [("researchComplete", {})],
        ),
        researcher=([("functions.Search", {"queries": ["Gull height"]})], [("research-complete", {})]),
    )
    report = await run(script, "How tall is the Gull lighthouse?")
    assert report.usage.searches == 1 and not report.gaps


@pytest.mark.parametrize("name", ["search<|channel|>json", "search.exec"])
async def test_a_tool_into_whose_name_a_template_has_leaked_is_called_in_every_design(name: str):
    script = Script(researcher=([(name, {"queries": ["Gull height"]})], [("ResearchComplete", {})]))
    report = await run(script, "How tall is the Gull lighthouse?")
    assert report.usage.searches == 1 and not report.gaps


async def test_a_supervisor_that_never_calls_a_known_tool_does_not_cost_the_research():
    script = Script(supervisor=[("browse", {"page": "Gull"})])
    report = await run(script, "How tall is the Gull lighthouse?")
    assert report.usage.searches > 0 and report.sources


async def test_a_topic_whose_researcher_knows_no_tool_is_searched_for_all_the_same():
    script = Script(researcher=[("browse", {"page": "Gull"})])
    report = await run(script, "How tall is the Gull lighthouse?", system="topic_queue")
    assert report.sources and "no_source" not in [gap.said for gap in report.gaps]
