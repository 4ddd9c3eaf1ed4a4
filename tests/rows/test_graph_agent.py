"""Rows g1–g7, g10–g12, g14 and g15: the graph agent's fixed graph, its loops and its approval."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from deep_research.core.errors import BudgetExceeded
from deep_research.core.records import Finding
from deep_research.engine.providers import SearchHit
from deep_research.engine.trace import Event
from deep_research.evaluation.fingerprint import fingerprint
from deep_research.report import Report
from deep_research.runs import aresearch, aresume
from deep_research.settings import load_settings
from deep_research.settings.parts import SearchSettings
from deep_research.systems.graph_agent.graph import build_graph, graph
from deep_research.systems.graph_agent.visits import check_visits
from deep_research.systems.shared.approval import read_decision
from deep_research.systems.shared.reflexion import next_question
from deep_research.text.source_ids import SOURCE_ID
from deep_research_offline.wire.faults import Call, Fault
from tests.running import (
    QUESTION,
    TOPICS,
    context_of,
    environment_of,
    page,
    run,
    settings_of,
    small_web,
    stops,
    wire,
)
from tests.scripted import Script, sources_in

PLAN = list(TOPICS)
WANTED = {
    "__start__": {"parse_request"},
    "parse_request": {"ask_topic", "bootstrap_research"},
    "ask_topic": {"bootstrap_research"},
    "bootstrap_research": {"plan", "knowledge_lookup"},
    "plan": {"research_each_question"},
    "knowledge_lookup": {"research_each_question"},
    "research_each_question": {"research_one_question", "combine_findings"},  # the second: an empty plan
    "research_one_question": {"combine_findings"},
    "combine_findings": {"vet_sources"},
    "vet_sources": {"critique"},
    "critique": {"reflexion_gate"},
    "reflexion_gate": {"research_each_question", "synthesize"},
    "synthesize": {"verify_sources"},
    "verify_sources": {"approve"},
    "approve": {"end_accepted", "end_rejected", "incorporate_feedback"},
    "incorporate_feedback": {"research_each_question"},
    "end_accepted": {"__end__"},
    "end_rejected": {"__end__"},
}


async def agent(script: Any = None, question: str = QUESTION, *, answer: Any = None, **more: Any) -> Report:
    """A run of the graph agent with its published revisions; `answer` is asked whatever the graph asks."""
    options = {"answer": answer, **more.pop("options", {})}
    return await run(script, question, system="graph_agent", options=options, **{"preset": "auto", **more})


def weak(*numbers: int, of: int = 3, missing: str = "Look at the island's own register.") -> dict[str, Any]:
    """A review in which these questions are not answered."""
    return {
        f"question_{n}": {"verdict": "insufficient", "missing": missing}
        if n in numbers
        else {"verdict": "sufficient", "missing": ""}
        for n in range(1, of + 1)
    }


def look(request: dict[str, Any]) -> Any:
    """A researcher that searches once for its question, and for nothing of what else it is told."""
    if not _is_new(request):
        return [("ResearchComplete", {})]
    return [("search", {"queries": [request["messages"][-1]["content"].split("\n")[0]]})]


def tasks(script: Script) -> list[str]:
    """What each branch was told, in order of the branches, once each."""
    told = [request["messages"][-1]["content"] for request in script.requests["researcher"]]
    first = [
        text for text, request in zip(told, script.requests["researcher"], strict=True) if _is_new(request)
    ]
    return sorted(first, key=lambda text: next((PLAN.index(p) for p in PLAN if text.startswith(p)), 9))


def _is_new(request: Mapping[str, Any]) -> bool:
    return all(message["role"] != "tool" for message in request["messages"])


# g1, g2 ----------------------------------------------------------------------------------------------


def test_g1_all_seventeen_nodes_and_their_edges() -> None:
    drawn = graph.get_graph()
    edges: dict[str, set[str]] = {}
    for edge in drawn.edges:
        edges.setdefault(edge.source, set()).add(edge.target)
    assert len(drawn.nodes) == 17 + 2
    assert edges == WANTED


async def test_g1_the_researcher_inside_the_map_shows_in_the_picture() -> None:
    inner = graph.get_graph(xray=True).nodes
    assert {"research_one_question:researcher", "research_one_question:compress"} <= set(inner)


@pytest.mark.parametrize(
    ("request_", "useless", "topic"),
    [
        ("Please do some deep research for me", "hello", "The lighthouses of Ormsund"),
        ("请帮我研究一下", "你好", "海鸥灯塔"),
        ("調べてください", "こんにちは", "カモメ灯台の高さ"),
    ],
)
async def test_g2_without_a_topic_it_asks_validates_and_asks_again(
    request_: str, useless: str, topic: str
) -> None:
    asked: list[str] = []
    replies = iter((useless, topic))

    def answer(question: str) -> str:
        asked.append(question)
        return next(replies)

    script = Script()
    report = await agent(script, request_, answer=answer, approval="off")
    assert len(asked) == 2 and useless in asked[1]
    assert report.status == "complete" or "Gull" not in topic
    assert topic in script.prompts("planner")[0] and topic in script.prompts("writer")[0]


async def test_g2_a_request_with_a_topic_is_not_asked_about() -> None:
    report = await agent(answer=lambda question: pytest.fail(question), approval="off")
    assert report.status == "complete"


async def test_g2_nobody_to_ask_means_input_needed_and_useless_answers_end_the_run() -> None:
    assert (await agent(question="hello")).status == "needs_input"
    report = await agent(question="Please research something", answer=lambda question: "hi")
    assert report.status == "failed" and "no topic" in report.errors[0]


# g3, g4 ----------------------------------------------------------------------------------------------


async def test_g3_plan_and_look_up_run_in_one_step_write_apart_and_join_once() -> None:
    order: list[str] = []
    together = asyncio.Barrier(2)

    async def met(name: str, update: dict[str, Any]) -> dict[str, Any]:
        async with asyncio.timeout(30):
            await together.wait()
        order.append(name)
        return update

    async def plan(state: Any, runtime: Any) -> dict[str, Any]:
        return await met("plan", {"plan": PLAN})

    async def look_up(state: Any, runtime: Any) -> dict[str, Any]:
        return await met("look_up", {"knowledge": []})

    compiled = build_graph(plan=plan, look_up=look_up)
    chosen = settings_of(system="graph_agent", approval="off")
    ctx = environment_of(wire(Script()), chosen).context(chosen)
    given = {"question": QUESTION, "history": [{"role": "user", "content": QUESTION}]}
    state = await compiled.ainvoke(given, context=ctx)
    assert sorted(order) == ["look_up", "plan"]
    assert state["visits"]["research_each_question"] == 1
    assert [one["number"] for one in state["passes"]] == [1, 2, 3]


def plans(*questions: str) -> dict[str, Any]:
    return {"questions": list(questions)}


async def test_g4_a_question_with_one_part_has_a_plan_of_one_question() -> None:
    script = Script(planner=plans(PLAN[0]), critic=weak(of=1))
    report = await agent(script)
    assert report.status == "complete" and [text.split("\n")[0] for text in tasks(script)] == PLAN[:1]


async def test_g4_a_plan_that_does_not_fit_is_sent_back_once_with_the_reason() -> None:
    script = Script(planner=(plans(PLAN[0], PLAN[1], PLAN[0].upper()), plans(*PLAN)))
    report = await agent(script, graph__min_questions=3)
    assert report.status == "complete"
    assert "it has 2 different questions, and 3 to 5 are wanted" in script.prompts("planner")[1]
    assert len(script.requests["planner"]) == 2


@pytest.mark.parametrize("bad", [plans("One lighthouse?"), "no"])
async def test_g4_a_second_plan_that_does_not_fit_stops_the_run_with_a_reason(bad: Any) -> None:
    script = Script(planner=bad)
    report = await agent(script, graph__min_questions=3)
    assert report.status == "partial" and report.cited  # the words of what the first look has brought
    assert "There is no plan" in report.errors[0] and "There is no plan" in report.markdown
    assert not script.requests["researcher"]


async def test_g4_a_second_plan_that_is_too_long_is_cut_in_its_order() -> None:
    script = Script(planner=plans(*PLAN, "Where is the lighthouse?"))
    report = await agent(script, graph__max_questions=3)
    assert report.status == "complete" and len(script.requests["planner"]) == 2
    assert [text.split("\n")[0] for text in tasks(script)] == PLAN[:3]


async def test_g4_the_number_of_questions_is_a_setting() -> None:
    report = await agent(Script(planner=plans(PLAN[0])), graph__min_questions=1, graph__max_questions=1)
    assert report.status == "complete"


# g5, g6 ----------------------------------------------------------------------------------------------


PLACES = ("north", "south", "east", "west", "inland")


class Crowd:
    """A search that answers questions when so many are asked at once, the later ones sooner."""

    name = "crowd"

    def __init__(self, expected: int) -> None:
        self.now = self.peak = 0
        self.expected, self.full = expected, asyncio.Event()

    async def search(self, query: str, settings: SearchSettings) -> list[SearchHit]:
        self.now += 1
        self.peak = max(self.peak, self.now)
        if self.now == self.expected:
            self.full.set()
        place = query.split()[-1]
        if place in PLACES:
            async with asyncio.timeout(30):
                await self.full.wait()
            for _ in range(100 - 20 * PLACES.index(place)):
                await asyncio.sleep(0)
        self.now -= 1
        return [SearchHit(query, f"{query} is known.", url=f"https://a.example/{query.split()[-1]}")]


@pytest.mark.parametrize("cap", [1, 2, 3])
async def test_g5_one_branch_per_question_at_most_so_many_at_once_results_in_input_order(cap: int) -> None:
    questions = [f"Lighthouse {place}" for place in PLACES]
    script, crowd = Script(planner=plans(*questions), researcher=look), Crowd(cap)
    chosen = settings_of(system="graph_agent", graph__max_concurrent_questions=cap, concurrency=8)
    world = replace(environment_of(wire(script), chosen), search=crowd)
    report = await aresearch(QUESTION, settings=chosen, environment=world, keep=False)
    assert crowd.peak == cap
    shown = script.prompts("writer")[0]
    assert [shown.index(f'topic="{question}"') for question in questions] == sorted(
        shown.index(f'topic="{question}"') for question in questions
    )
    assert [source.id for source in report.sources if source.number] == [f"S{n}.1" for n in range(1, 6)]


async def test_g5_an_empty_plan_still_reaches_the_join() -> None:
    async def nothing(state: Any, runtime: Any) -> dict[str, Any]:
        return {"plan": []}

    chosen = settings_of(system="graph_agent")
    ctx = environment_of(wire(Script()), chosen).context(chosen)
    given = {"question": QUESTION, "history": [{"role": "user", "content": QUESTION}]}
    state = await build_graph(plan=nothing).ainvoke(given, context=ctx)
    assert state["visits"]["combine_findings"] == 1 and state["combined"] == {}
    assert "No evidence was found" in state["draft"]


async def test_g6_the_finding_of_each_branch_is_in_the_combined_document_and_the_writers_prompt() -> None:
    def compress(request: dict[str, Any]) -> str:
        bird = request["messages"][1]["content"].split()[1]
        return f"FOUND-{bird} [{sources_in(request)[-1]}]."

    script = Script(compressor=compress)
    await agent(script)
    for bird in ("Gull", "Heron", "Skua"):
        assert f"FOUND-{bird}" in script.prompts("critic")[0]
        assert f"FOUND-{bird}" in script.prompts("writer")[0]


async def test_s3_a_failing_branch_is_a_gap_and_its_siblings_reach_the_report() -> None:
    def research(request: dict[str, Any]) -> Any:
        if request["messages"][1]["content"].startswith(PLAN[1]):
            return [("search", {"queries": ["xyzzy"]})]
        return look(request)

    report = await agent(Script(researcher=research), graph__max_revisions=0)
    assert report.status == "partial"
    assert f"No source was found for “{PLAN[1]}”." in report.markdown
    assert {s.title for s in report.cited} >= {"Gull lighthouse", "Skua lighthouse"}


# g7, g12 ---------------------------------------------------------------------------------------------


async def test_g7_only_searchers_have_tools_and_no_tool_can_grade() -> None:
    script = Script()
    await agent(script)
    given = {
        role: {tool["function"]["name"] for request in requests for tool in request.get("tools") or []}
        for role, requests in script.requests.items()
    }
    assert given.pop("researcher") == {"search", "think", "ResearchComplete"}
    assert {"planner", "vetter", "critic", "writer", "compressor", "brief_writer"} <= given.keys()
    assert set().union(*given.values()) == set()


async def test_g12_citations_that_bear_on_a_question_in_equal_citations_out() -> None:
    def compress(request: dict[str, Any]) -> str:
        first, *others = sources_in(request)
        told = "\n".join(f"A lighthouse height is known [{one}]." for one in others)
        return f"{told}\nIt rained [{first}]."

    text = "# Report\n\nThe Gull is tall [S1.1]. So it is said [S0.1, S9.9]."
    script = Script(writer=text, compressor=compress)
    report = await agent(script)
    told = script.prompts("writer")[0].splitlines()
    found = {line.split("[")[1].split("]")[0] for line in told if "known [" in line}
    cited = {source.id for source in report.cited}
    assert cited - {"S0.1", "S1.1"} == found - {"S0.1", "S1.1"} and len(found) > 3
    assert "## Further evidence" in report.markdown and "It rained" not in report.markdown
    whole = await agent(Script())
    assert "## Further evidence" not in whole.markdown


# g10, g11 --------------------------------------------------------------------------------------------


async def test_g10_the_critic_sees_plan_findings_and_tiers_and_judges_every_question() -> None:
    script = Script()
    await agent(script)
    (shown,) = script.prompts("critic")
    for wanted in (*PLAN, "Something is known [S1.", "unverified (nothing is known about"):
        assert wanted in shown
    schema = script.requests["critic"][0]["response_format"]["json_schema"]["schema"]
    assert schema["required"] == ["question_1", "question_2", "question_3"]


async def test_g10_a_critique_that_cannot_be_read_is_asked_again_and_then_marked_unreviewed() -> None:
    script = Script(critic=("All good, PASS!", weak()))
    assert (await agent(script)).gaps == []
    assert len(script.requests["critic"]) == 2
    shown: list[str] = []
    script = Script(critic="All good, PASS!")
    report = await agent(script, answer=lambda question: shown.append(question) or "accept")
    assert [gap.kind for gap in report.gaps] == ["unreviewed"]
    assert "The findings were not reviewed" in report.markdown and "not reviewed" in shown[0]
    assert len(script.requests["critic"]) == 3 and len(script.requests["compressor"]) == 3


async def test_g10_a_question_without_a_finding_is_weak_whatever_the_critic_says() -> None:
    script = Script(planner=plans(PLAN[0], PLAN[1], "Xyzzy plugh?"), researcher=look)
    await agent(script)
    again = [text for text in tasks(script) if "A reviewer of what was found before" in text]
    assert [text.split("\n")[0] for text in again] == ["Xyzzy plugh?"]


async def test_g11_only_weak_questions_come_again_with_the_critique_and_findings_are_kept() -> None:
    def research(request: dict[str, Any]) -> Any:
        topic = request["messages"][1]["content"]
        if any(message["role"] == "tool" for message in request["messages"]):
            return [("ResearchComplete", {})]
        return [("search", {"queries": ["terns island" if "reviewer" in topic else topic.split("\n")[0]]})]

    script = Script(critic=(weak(2), weak()), researcher=research)
    report = await agent(script, search__results=1)
    told = [text for text in tasks(script) if "A reviewer of what was found" in text]
    assert [text.split("\n")[0].endswith("Look at the island's own register.") for text in told] == [True]
    assert f"It goes back to this question: {PLAN[1]}" in told[0]
    assert len(script.requests["compressor"]) == 4
    once = await agent(Script(researcher=research), search__results=1)
    titles, before = ({source.title for source in r.cited} for r in (report, once))
    assert titles == before | {"Terns"} != before
    assert all(title in script.prompts("writer")[0] for title in titles)


@pytest.mark.parametrize("most", [0, 1, 2])
async def test_g11_at_most_the_set_number_of_revisions(most: int) -> None:
    places = iter(range(99))

    def research(request: dict[str, Any]) -> Any:
        if any(message["role"] == "tool" for message in request["messages"]):
            return [("ResearchComplete", {})]
        return [("search", {"queries": [f"lighthouse {next(places)}"]})]

    web = small_web(
        *(page(f"n.example/{n}", f"Lighthouse {n}", f"Lighthouse {n} stands.") for n in range(40))
    )
    registers = iter(weak(1, missing=f"Look at register {n}.") for n in range(9))
    script = Script(critic=lambda request: next(registers), researcher=research)
    report = await agent(provider=wire(script, web=web), search__results=1, graph__max_revisions=most)
    assert len(script.requests["critic"]) == most + 1
    assert [gap.kind for gap in report.gaps] == ["unanswered"]
    assert f"is not settled: Look at register {most}." in report.markdown


def test_g11_a_further_pass_asks_for_what_is_missing_and_never_the_same_again() -> None:
    question = "Which cabins, fares and pets does Gull Lines have?"
    found = Finding(branch="1", topic=question, text="- Gull Lines: fares from 9 crowns [S1.1]")
    assert next_question(question, "How many cabins are there?", found, [question]) == (
        "Gull Lines: How many cabins are there?"
    )
    for missing in (f"Not answered yet: {question}", "Gull Lines: cabins, pets"):
        assert next_question(question, missing, found, [question]) == "Gull Lines: cabins, pets?"
    asked = [question, "Gull Lines: cabins, pets?"]
    assert next_question(question, "Nothing was found.", found, asked) == ""
    assert next_question(question, "", None, asked) == question  # it failed, or found nothing


def test_g11_a_further_pass_follows_a_name_that_was_found_and_leaves_the_one_asked_about() -> None:
    question = "Who built the flagship of Gull Lines?"
    found = Finding(branch="1", topic=question, text="- The flagship of Gull Lines is the Osprey [S1.1]")
    assert next_question(question, "Osprey built", found, [question]) == "Osprey built?"


async def test_g11_chains_close_where_a_revision_asks_for_what_the_findings_lead_to() -> None:
    settings = {"limits.max_searches": 1, "system": "graph_agent"}
    asked = "What is the birthplace of the present managing director of Jidrebru Aerial Company?"
    reports = [
        await aresearch(asked, settings=settings | {"graph.max_revisions": n}, keep=False) for n in (0, 2)
    ]
    assert [report.status for report in reports] == ["partial", "complete"]
    assert ["born" in report.markdown for report in reports] == [False, True]


@pytest.mark.parametrize(
    ("question", "missing", "asked_next"),
    [
        ("ferries and piers of Gull Island: origins", "Costs", "ferries and piers of Gull Island: Costs"),
        ("鸥岛的渡轮和码头：由来", "费用", "鸥岛的渡轮和码头: 费用"),
        ("Compare: cabins of Gull Island and Heron Island", "Prices", "Gull Island Heron Island: Prices"),
    ],
)
def test_g11_a_further_pass_stays_with_the_matter_that_the_question_names_before_a_colon(
    question: str, missing: str, asked_next: str
) -> None:
    text = "- Gull Island and Heron Island have ferries and a pier. 鸥岛有渡轮和码头。 [S1.1]"
    found = Finding(branch="1", topic=question, text=text)
    assert next_question(question, missing, found, [question]) == asked_next


def test_g11_and_d6_what_did_not_pay_is_off_by_default_and_as_published_with_the_preset_auto() -> None:
    presets = ("medium", "auto")
    chosen = {name: load_settings({"system": "graph_agent", "preset": name}) for name in presets}
    assert (chosen["medium"].graph.max_revisions, chosen["auto"].graph.max_revisions) == (0, 2)
    rounds = {name: load_settings({"system": "deep_researcher", "preset": name}) for name in presets}
    assert (rounds["medium"].deep.max_loops, rounds["auto"].deep.max_loops) == (1, 2)


async def test_g11_it_stops_when_nothing_improves() -> None:
    script = Script(critic=weak(1))  # the same search brings the same sources each time
    await agent(script, graph__max_revisions=9)
    assert len(script.requests["critic"]) == 2


# g14, g15 --------------------------------------------------------------------------------------------


async def test_g14_the_reviewer_sees_everything_and_rejects() -> None:
    shown: list[str] = []

    def dead(call: Call) -> Fault | None:
        return Fault(status=404) if call.path.endswith("ormsund.example/gull") else None

    script = Script(critic=(weak(2, missing="The year."), weak(2, missing="The year.")))
    report = await agent(
        provider=wire(script, faults=dead), answer=lambda question: shown.append(question) or "Reject."
    )
    assert (report.status, report.exit_status) == ("rejected", 5)
    for part in ("# Report", "Who stands behind the sources", "The year.", "Revisions used: 1"):
        assert part in shown[0]
    broken = shown[0].split("Links that did not open:\n")[1].split("\n\n")[0]
    assert re.fullmatch(r"- \[\d\] https://ormsund\.example/gull: HTTP 404", broken)
    assert "This is known" in report.markdown and report.cited  # the draft is kept


@pytest.mark.parametrize(
    ("reply", "decision"),
    [
        ("Yes.", "accept"),
        (" OK! ", "accept"),
        ("接受。", "accept"),
        ("No", "reject"),
        ("却下", "reject"),
        ("Yes, but add who built them.", "feedback"),
        ("OK if the lamps are added", "feedback"),
        ("No word on the lamps?", "feedback"),
        ("Not yet", "feedback"),
        ("", "feedback"),
    ],
)
def test_g14_only_a_bare_yes_or_no_decides(reply: str, decision: str) -> None:
    assert read_decision(reply) == decision


async def test_g14_free_text_starts_another_pass_over_all_questions_with_findings_kept() -> None:
    script = Script()
    replies = iter(("Add who built them.", "accept"))
    report = await agent(script, answer=lambda question: next(replies))
    again = [text for text in tasks(script) if "Add who built them." in text]
    assert [text.split("\n")[0] for text in again] == PLAN
    assert len(script.requests["writer"]) == 2 and report.status == "complete"
    assert len(script.requests["compressor"]) == 6


async def test_g14_the_writer_of_the_next_draft_is_told_the_remark() -> None:
    script, replies = Script(), iter(("Add who built them.", "accept"))
    await agent(script, answer=lambda question: next(replies))
    first, second = (str(request) for request in script.requests["writer"])
    assert "Add who built them." not in first and "Add who built them." in second


async def test_g14_human_passes_are_capped_and_the_last_remark_is_named() -> None:
    script, asked = Script(), list[str]()
    report = await agent(
        script,
        answer=lambda question: asked.append(question) or f"More, {len(asked)}",
        graph__max_feedback_passes=1,
    )
    assert len(asked) == 2 and "no pass is left" in asked[1]
    assert [gap.message for gap in report.gaps] == ["No pass was left for this remark: More, 2"]


async def test_g14_the_pause_survives_a_restart_and_repeats_nothing(tmp_path: Path) -> None:
    settings = settings_of(system="graph_agent", approval="wait")
    provider = wire(Script())
    world = environment_of(provider, settings)
    paused = await aresearch(QUESTION, settings=settings, environment=world, out=tmp_path)
    assert paused.status == "needs_input" and "Accept this report?" in paused.asked
    assert "This is known" in paused.markdown
    offline = load_settings({"system": "graph_agent", "approval": "wait"})
    first = await aresearch("How many mooring masts does Port Brudoji have?", settings=offline, out=tmp_path)
    calls = first.usage.model_calls + first.usage.searches
    for reply, status in (("no", "rejected"), ("accept", "rejected")):  # decided is decided
        final = await aresume(first.run_id, out=tmp_path, answer=lambda question, reply=reply: reply)
        assert (final.status, final.usage.model_calls + final.usage.searches) == (status, calls)


async def test_g14_unattended_the_default_is_to_accept_and_it_is_said() -> None:
    events: list[Event] = []
    report = await agent(options={"on_event": events.append})
    (asked,) = [event for event in events if event.type == "interrupt"]
    assert "Accept this report?" in asked.text and "[1]" in asked.text
    assert not re.search(SOURCE_ID, asked.text), "a person is shown numbers and addresses, no ids"
    assert report.status == "complete" and report.asked == ""


async def test_g15_a_node_that_is_visited_too_often_ends_the_run_with_what_it_has() -> None:
    script = Script()
    report = await agent(
        script, answer=lambda question: "Again.", graph__max_node_visits=7, graph__max_feedback_passes=9
    )
    assert "visits of the node" in report.errors[0] and "(7)" in report.errors[0]
    assert report.status == "partial" and report.cited


def test_g15_a_node_runs_exactly_as_often_as_it_may() -> None:
    ctx = context_of(graph__max_node_visits=2)
    check_visits("plan", 2, ctx)
    with pytest.raises(BudgetExceeded, match=r"node 'plan' \(2\)"):
        check_visits("plan", 3, ctx)


async def test_g15_the_map_is_capped_at_three_under_four_calls_in_flight() -> None:
    settings = load_settings({"system": "graph_agent"})
    assert (settings.graph.max_concurrent_questions, settings.concurrency) == (3, 4)
    assert settings.graph.max_node_visits == 40
    provider = wire(Script(researcher=many), latency_ms=3)
    provider.crowd = 4
    await agent(provider=provider, concurrency=4)
    assert provider.peak == 4


def many(request: dict[str, Any]) -> Any:
    if any(message["role"] == "tool" for message in request["messages"]):
        return [("ResearchComplete", {})]
    return [("search", {"queries": [f"{request['messages'][1]['content'][:9]} {n}" for n in range(3)]})]


@pytest.mark.parametrize("concurrency", [1, 8])
async def test_the_same_bytes_at_any_concurrency(concurrency: int) -> None:
    question = "Which airship is longer, the Quilelsa or the Casmaji?"
    one = await aresearch(question, settings={"system": "graph_agent"}, keep=False)
    other = await aresearch(
        question, settings={"system": "graph_agent", "concurrency": concurrency}, keep=False
    )
    assert fingerprint(one) == fingerprint(other) and one.status == "complete"


async def test_a_budget_that_is_used_up_leaves_a_partial_report() -> None:
    report = await aresearch(
        "Which airship is longer, the Quilelsa or the Casmaji?",
        settings={"system": "graph_agent", "budget.model_calls": 9, "budget.searches": 3},
        keep=False,
    )
    assert report.status == "partial" and report.cited
    assert report.usage.model_calls <= 9 and report.usage.searches <= 3


async def test_s4_without_a_source_there_is_no_report_and_nobody_is_asked() -> None:
    report = await agent(
        Script(researcher=[("search", {"queries": ["xyzzy"]})], planner=plans("Xyzzy?", "Plugh?", "Quux?")),
        "Xyzzy plugh?",
        answer=lambda question: pytest.fail(question),
    )
    assert report.status == "no_evidence"


# Going on, and beginning again -------------------------------------------------------------------------


CAPPED = {"budget.model_calls": 16, "budget.searches": 5, "budget.sources": 9}
COMPARISON = "Which airship is longer, the Quilelsa or the Casmaji?"


async def stopped_at(place: int, settings: dict[str, Any], out: Path) -> None:
    """Cancel a run at its n-th event."""
    seen = itertools.count(1)

    def watch(event: Event) -> None:
        if next(seen) == place:
            job.cancel()

    job = asyncio.create_task(aresearch(COMPARISON, settings=settings, out=out, on_event=watch))
    with contextlib.suppress(asyncio.CancelledError):
        await job


@pytest.mark.parametrize("caps", [{}, CAPPED], ids=["free", "capped"])
async def test_a_run_stopped_anywhere_goes_on_and_sends_no_logged_call_again(
    caps: dict[str, Any], tmp_path: Path
) -> None:
    settings, events = {"system": "graph_agent", "preset": "quick", **caps}, list[Event]()
    calm = await aresearch(COMPARISON, settings=settings, out=tmp_path / "calm", on_event=events.append)
    for place in stops(events, 3):
        out = tmp_path / str(place)
        await stopped_at(place, settings, out)
        (folder,) = out.iterdir()
        resumed = await aresume(folder.name, out=out)
        assert fingerprint(resumed) == fingerprint(calm), place
        assert (resumed.usage.model_calls, resumed.usage.searches) == (
            calm.usage.model_calls,
            calm.usage.searches,
        )


async def test_s6_a_second_question_on_the_thread_sees_nothing_of_the_first() -> None:
    chosen = settings_of(system="graph_agent", approval="off")
    compiled = build_graph(checkpointer=InMemorySaver())
    states = []
    for bird, script in (
        ("Gull", Script(critic=weak(1))),
        ("Terns", Script(planner=plans("Terns?", "Island?", "Breed?"))),
    ):
        question = f"What of the {bird} of Ormsund?"
        ctx = environment_of(wire(script), chosen).context(chosen)
        given = {"question": question, "history": [{"role": "user", "content": question}]}
        config = {"configurable": {"thread_id": "one"}}
        states.append(await compiled.ainvoke(given, config, context=ctx))
        told = "\n".join("\n".join(script.prompts(role)) for role in script.requests)
        assert "reviewer" not in "\n".join(tasks(script)) or bird == "Gull"
    assert "What of the Gull" not in told
    assert [one["branch"] for one in states[1]["passes"]] == ["1", "2", "3"]
    assert states[1]["revisions"] == 0 and states[1]["visits"]["plan"] == 1
    assert len(states[1]["findings"]) <= 3
