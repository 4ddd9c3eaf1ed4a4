"""Rows o3–o6, o9–o11 and o13: the supervisor, its parallel researchers, and the settings behind them."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deep_research.core.errors import UsageError
from deep_research.engine.providers import SearchHit
from deep_research.engine.trace import Event
from deep_research.runs import aresearch
from deep_research.runs.environment import build_environment
from deep_research.settings import load_settings
from deep_research.settings.parts import SearchSettings
from deep_research.systems.open_deep_research.graph import graph
from deep_research_offline.wire.faults import Call
from tests.running import QUESTION, TOPICS, environment_of, page, run, settings_of, small_web, wire
from tests.scripted import Script

GULL, HERON, SKUA = TOPICS


def topic(text: str) -> tuple[str, dict[str, str]]:
    return ("ConductResearch", {"research_topic": text})


def think(text: str) -> tuple[str, dict[str, str]]:
    return ("think", {"reflection": text})


COMPLETE = ("ResearchComplete", {})


def told(request: dict[str, Any]) -> list[str]:
    """What the tool calls of a request's conversation were answered, in the order of the calls, one each."""
    calls = [call["id"] for m in request["messages"] for call in m.get("tool_calls") or []]
    answers = [(m["tool_call_id"], m["content"]) for m in request["messages"] if m["role"] == "tool"]
    assert sorted(calls) == sorted(name for name, _ in answers)
    return [dict(answers)[call] for call in calls]


def topics_of(script: Script) -> list[str]:
    """The topics that researchers were really given, each once."""
    return list(dict.fromkeys(request["messages"][1]["content"] for request in script.requests["researcher"]))


async def test_o3_the_supervisor_decides_and_only_its_tool_node_acts():
    script = Script(supervisor=([topic(GULL)], [COMPLETE]))
    await run(script)
    tools = {tool["function"]["name"] for tool in script.requests["supervisor"][0]["tools"]}
    assert tools == {"ConductResearch", "ResearchComplete", "think"}
    drawn = graph.get_graph()
    assert {edge.target for edge in drawn.edges if edge.source == "supervisor"} == {
        "supervisor_tools",
        "write_report",
    }
    assert "research" in {edge.target for edge in drawn.edges if edge.source == "supervisor_tools"}


async def test_o3_a_thought_beside_a_delegation_is_answered_recorded_and_costs_no_search():
    events: list[Event] = []
    script = Script(supervisor=([think("PONDERING"), topic(GULL)], [think("ENOUGH")], [COMPLETE]))
    report = await run(script, options={"on_event": events.append})
    second = script.requests["supervisor"][1]
    assert told(second)[0] == "Noted."
    assert "Gull lighthouse" in told(second)[1]
    assert [e.text for e in events if e.tool == "think"] == ["PONDERING", "ENOUGH"]
    assert report.usage.searches == 1
    assert report.status == "complete"


async def test_o3_a_thought_never_becomes_a_finding():
    script = Script(
        supervisor=([think("PONDERING"), topic(GULL)], [COMPLETE]),
        researcher=([think("MUSING"), ("search", {"queries": [GULL]})], [COMPLETE]),
    )
    report = await run(script)
    assert len(script.requests["writer"]) == len(script.requests["compressor"]) == 1
    assert "PONDERING" not in script.prompts("writer")[0] + report.markdown
    assert "MUSING" not in script.prompts("compressor")[0] + script.prompts("writer")[0] + report.markdown


async def test_o3_a_topic_that_was_given_out_before_is_not_researched_twice():
    script = Script(supervisor=([topic(GULL), topic(GULL)], [COMPLETE]))
    await run(script)
    answers = told(script.requests["supervisor"][1])
    assert "delegated before" in answers[1]
    assert len(script.requests["compressor"]) == 1


async def test_o3_topics_are_asked_for_as_disjoint_self_contained_paragraphs_without_abbreviations():
    script = Script()
    await run(script)
    request = script.requests["supervisor"][0]
    prompt = " ".join(request["messages"][0]["content"].split())
    rules = (
        "Think before each delegation",
        "Think again after each delegation",
        "A single fact, a list or a ranking is work for one",
        "A comparison takes one researcher",
        "a paragraph that stands on its own",
        "Spell out abbreviations",
        "Let no two topics overlap",
    )
    assert [rule for rule in rules if rule not in prompt] == []
    (tool,) = (t["function"] for t in request["tools"] if t["function"]["name"] == "ConductResearch")
    asked_for = tool["parameters"]["properties"]["research_topic"]["description"]
    assert "one self-contained topic, a paragraph, with every name spelled out" in asked_for


async def test_o4_research_and_complete_in_one_message_runs_the_research():
    script = Script(supervisor=([topic(GULL), COMPLETE], [COMPLETE]))
    report = await run(script)
    assert topics_of(script) == [GULL]
    assert report.status == "complete"
    assert len(report.cited) > 0


@pytest.mark.parametrize("limit", [1, 2])
async def test_o5_the_first_topics_run_and_the_rest_are_told_why_and_may_come_again(limit: int):
    wanted = [GULL, HERON, SKUA]
    script = Script(supervisor=([topic(t) for t in wanted], [topic(t) for t in wanted[limit:]], [COMPLETE]))
    await run(script, limits__max_concurrent_research_units=limit)
    answers = told(script.requests["supervisor"][1])
    assert [answer.startswith("Not done") for answer in answers] == [i >= limit for i in range(3)]
    assert f"at most {limit} topics" in answers[limit]
    assert topics_of(script)[: 2 * limit] == wanted[: 2 * limit]
    assert "delegated before" not in str(told(script.requests["supervisor"][2]))


def test_o6_researchers_show_in_the_drawn_graph():
    inner = graph.get_graph(xray=True)
    for node in ("research:researcher", "research:researcher_tools", "research:compress"):
        assert node in inner.nodes
    edges = {(edge.source, edge.target) for edge in inner.edges}
    assert ("supervisor_tools", "research:__start__") in edges
    assert ("research:researcher", "research:researcher_tools") in edges
    assert ("research:compress", "collect_findings") in edges


async def test_o6_each_branch_has_checkpoints_of_its_own(tmp_path: Path):
    script = Script(supervisor=([topic(GULL), topic(HERON)], [COMPLETE]))
    report = await run(script, options={"keep": True, "out": tmp_path})
    with sqlite3.connect(tmp_path / report.run_id / "checkpoints.sqlite") as database:
        rows = database.execute("SELECT checkpoint_ns, count(*) FROM checkpoints GROUP BY checkpoint_ns")
        steps = {name: count for name, count in rows if name.startswith("research:")}
    assert len(steps) == 2
    assert all(count >= 5 for count in steps.values())  # input, two rounds of two nodes, compress


async def test_o6_a_researcher_sees_its_own_topic_only():
    script = Script(supervisor=([topic(GULL), topic(HERON)], [COMPLETE]))
    await run(script, search__results=1)
    for role in ("researcher", "compressor"):
        for prompt in script.prompts(role):
            assert ("Gull" in prompt) != ("Heron" in prompt)
            assert QUESTION not in prompt


async def test_o6_researchers_run_side_by_side():
    class Meeting:
        """A search that answers nobody before both researchers have asked."""

        name = "meeting"
        barrier = asyncio.Barrier(2)

        async def search(self, query: str, settings: SearchSettings) -> list[SearchHit]:
            async with asyncio.timeout(30):
                await self.barrier.wait()
            return [
                SearchHit(
                    query, "At Ormsund it is 41 metres tall.", url=f"https://{query.split()[0]}.example/"
                )
            ]

    script = Script(supervisor=([topic(GULL), topic(HERON)], [COMPLETE]))
    chosen = settings_of()
    outside = replace(environment_of(wire(script), chosen), search=Meeting())
    report = await aresearch(QUESTION, settings=chosen, environment=outside, keep=False)
    assert report.gaps == []
    assert [source.id for source in report.cited] == ["S1.1", "S2.1"]


async def test_o10_each_model_slot_and_each_role_is_configurable():
    slots = {f"models.{slot}": f"offline:{slot}" for slot in ("decide", "summarize", "compress", "write")}
    settings = load_settings({**slots, "models.clarifier": "offline:own", "limits.summarize_above": 0})
    script = Script()
    await aresearch(
        QUESTION, settings=settings, environment=environment_of(wire(script), settings), keep=False
    )
    used = {role: {request["model"] for request in requests} for role, requests in script.requests.items()}
    assert used == {
        "clarifier": {"offline:own"},
        "brief_writer": {"offline:decide"},
        "supervisor": {"offline:decide"},
        "researcher": {"offline:decide"},
        "summarizer": {"offline:summarize"},
        "compressor": {"offline:compress"},
        "writer": {"offline:write"},
    }


def test_o11_the_search_provider_is_a_setting(tmp_path: Path):
    (tmp_path / "note.md").write_text("# A note\n\nThe Gull lighthouse is 41 metres tall.\n")
    offline = build_environment(load_settings({"search.providers": ["offline"]}))
    documents = build_environment(load_settings({"search.docs": str(tmp_path)}))
    live = {"search.providers": ["tavily"], "models.model": "openai:gpt-5-mini"}
    tavily = build_environment(load_settings(live), {"TAVILY_API_KEY": "k", "OPENAI_API_KEY": "k"})
    assert [e.search.name for e in (offline, documents, tavily)] == ["offline", "documents", "tavily"]


@pytest.mark.parametrize("providers", [["none"], []])
async def test_o11_without_any_search_the_run_refuses_to_start_and_says_why(providers: list[str]):
    with pytest.raises(UsageError, match=r"could only write from memory.*docs=.PATH., or search=.offline."):
        await aresearch(QUESTION, settings={"search.providers": providers})


async def test_o11_an_unknown_provider_is_refused_with_the_known_ones():
    with pytest.raises(UsageError, match=r"'bing'.*offline, tavily, arxiv, documents, none"):
        await aresearch(QUESTION, settings={"search.providers": ["bing"]})


def test_o13_every_published_limit_is_a_setting_with_its_default():
    settings = load_settings()
    assert settings.preset == "medium"
    assert settings.limits.max_researcher_iterations == 6
    assert settings.limits.max_concurrent_research_units == 5
    assert settings.limits.max_react_tool_calls == 10
    assert settings.limits.max_structured_output_retries == 3
    assert settings.limits.max_content_length == 50_000
    assert settings.output_tokens.decide == 10_000
    assert settings.output_tokens.summarize == 8_192
    assert settings.output_tokens.compress == 8_192
    assert settings.output_tokens.write == 10_000
    assert settings.search.results == 5
    assert settings.search.topic == "general"
    assert settings.search.raw_content is True


@pytest.mark.parametrize("subject", ["general", "news", "finance"])
async def test_o13_search_settings_reach_the_wire(subject: str):
    bodies: list[dict[str, Any]] = []

    def read(call: Call) -> None:
        if call.path == "/search":
            bodies.append(json.loads(call.body))

    await run(provider=wire(Script(), faults=read), search__topic=subject)
    assert len(bodies) == 1
    assert bodies[0]["max_results"] == 5
    assert bodies[0]["topic"] == subject
    assert bodies[0]["include_raw_content"] == "markdown"


async def test_o13_output_limits_reach_the_wire_per_role():
    script = Script()
    limits = {"decide": 1_000, "summarize": 2_000, "compress": 3_000, "write": 4_000}
    chosen = {f"output_tokens__{slot}": limit for slot, limit in limits.items()}
    await run(script, limits__summarize_above=0, **chosen)
    longest = {
        role: {r.get("max_tokens") or r.get("max_completion_tokens") for r in requests}
        for role, requests in script.requests.items()
    }
    assert longest["supervisor"] == longest["researcher"] == longest["clarifier"] == {1_000}
    assert (longest["summarizer"], longest["compressor"], longest["writer"]) == ({2_000}, {3_000}, {4_000})


async def test_o13_rounds_are_limited_to_the_stated_number():
    script = Script(supervisor=lambda request: [topic(f"Lighthouses {len(request['messages'])}")])
    report = await run(script, limits__max_researcher_iterations=3)
    assert len(script.requests["supervisor"]) == 3
    assert report.status == "complete"


async def test_o13_no_more_of_a_page_is_read_than_the_content_limit():
    image = "![a lamp](data:image/png;base64," + "iVBORw0KGgo" * 500 + ")"
    text = f"{image} Ormsund lighthouses opening line. " + "word " * 2_000 + "LASTWORD"
    provider = wire(
        script := Script(), web=small_web(page("long.example/page", "Lighthouses of Ormsund", text))
    )
    report = await run(provider=provider, limits__max_content_length=600, limits__summarize_above=100_000)
    assert "characters left out: Lighthouses of Ormsund 9,449" in report.markdown
    shown = script.prompts("compressor")[0]
    assert "opening line" in shown
    assert "LASTWORD" not in shown
    assert shown.count("word ") < 130


async def test_o9_a_draft_of_headings_alone_is_no_report_and_what_was_found_is_kept() -> None:
    report = await run(Script(writer="# The answer\n\n## Evidence\n"))
    assert report.status == "partial" and report.claims
    assert any("told nothing" in gap.message for gap in report.gaps)
