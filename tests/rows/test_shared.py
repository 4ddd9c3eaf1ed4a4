"""Rows s1–s6 of the checklist: what every run keeps to, whatever its models say."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections import Counter
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from deep_research.components.researcher import RESEARCHER_TOOLS, LoopProgress, run_tools
from deep_research.engine.chat import chat
from deep_research.sources.ledger import Ledger
from deep_research_offline.wire.faults import Call, Fault
from tests.running import (
    QUESTION,
    TOPICS,
    SteppingClock,
    context_of,
    delegate,
    run,
    wire,
)
from tests.scripted import Script, last_tool_results

HEAVY = "langgraph langchain langchain_core langchain_openai openai tavily rich tenacity httpx"


# s1 ------------------------------------------------------------------------------------------------


def _python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)


def test_s1_importing_loads_nothing_heavy_and_reads_no_key() -> None:
    code = f"""
import os, socket, sys
def refuse(*_, **__): raise AssertionError("network")
socket.socket.connect = socket.getaddrinfo = refuse
class Watched(dict):
    def __getitem__(self, name):
        assert "KEY" not in name, name
        return super().__getitem__(name)
    def get(self, name, default=None):
        assert "KEY" not in name, name
        return super().get(name, default)
os.environ = Watched(os.environ)
import deep_research
dir(deep_research)
print([name for name in {HEAVY.split()} if name in sys.modules])
"""
    result = _python(code)
    assert (result.returncode, result.stdout.strip()) == (0, "[]"), result.stderr


def test_s1_every_graph_compiles_and_draws_without_a_key() -> None:
    code = """
import socket
def refuse(*_, **__): raise AssertionError("network")
socket.socket.connect = socket.getaddrinfo = refuse
from deep_research.systems import SYSTEMS
for system in SYSTEMS.values():
    print(system.name, len(system.module().graph.get_graph(xray=True).draw_mermaid()) > 200)
"""
    result = _python(code)
    assert result.returncode == 0, result.stderr
    assert "open_deep_research True" in result.stdout and "False" not in result.stdout


# s2 ------------------------------------------------------------------------------------------------


def broken_history(messages: list[dict[str, Any]]) -> str:
    """What an endpoint would refuse: a call without its one answer right after it, or one to no call."""
    waiting: Counter[str] = Counter()
    for message in messages:
        if message["role"] == "tool":
            waiting[message["tool_call_id"]] -= 1
            if waiting[message["tool_call_id"]] < 0:
                return f"an answer to no call: {message}"
            continue
        if +waiting:
            return f"calls without an answer: {dict(+waiting)}"
        waiting = Counter(call["id"] for call in message.get("tool_calls") or [])
    return f"calls without an answer: {dict(+waiting)}" if +waiting else ""


class Strict(Script):
    """A script that keeps every request whose history an endpoint would refuse."""

    def __init__(self, **answers: Any) -> None:
        super().__init__(**answers)
        self.refused: list[str] = []

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        if problem := broken_history(request["messages"]):
            self.refused.append(problem)
        return super().__call__(request)


NAMES = st.sampled_from(["search", "think", "ConductResearch", "ResearchComplete", "browse", "", "s" * 70])
GOOD = st.fixed_dictionaries(
    {},
    optional={
        "queries": st.lists(st.sampled_from([*TOPICS, "terns", " "]), max_size=4),
        "reflection": st.just("thinking"),
        "research_topic": st.sampled_from([*TOPICS, "terns", ""]),
        "other": st.none(),
    },
)
BAD = st.sampled_from(
    ["{", "[]", "null", '"text"', '{"queries": "one"}', '{"queries": [1]}', '{"a": }', "{}"]
)
TURN = st.one_of(
    st.lists(st.tuples(NAMES, GOOD | BAD), min_size=1, max_size=7), st.sampled_from(["Some prose.", ""])
)


@settings(max_examples=8, suppress_health_check=list(HealthCheck))
@given(
    supervisor=st.lists(TURN, min_size=1, max_size=4).map(tuple),
    researcher=st.lists(TURN, min_size=1, max_size=6).map(tuple),
    calls=st.sampled_from([None, 7, 12]),
)
def test_s2_any_model_output_leaves_every_history_valid(
    supervisor: Any, researcher: Any, calls: int | None
) -> None:
    script = Strict(supervisor=supervisor, researcher=researcher)
    limits = {"limits__max_researcher_iterations": 2, "limits__max_react_tool_calls": 3}
    budget = {"budget__model_calls": calls, "budget__searches": 3} if calls else {}
    report = asyncio.run(run(script, **limits, **budget))
    assert script.refused == []
    assert report.status in ("complete", "partial", "no_evidence"), report.errors


@settings(max_examples=60)
@given(turn=st.lists(st.tuples(NAMES, GOOD | BAD), max_size=7))
def test_s2_every_call_of_a_message_gets_its_one_answer(turn: list[tuple[str, Any]]) -> None:
    script = Script(researcher=turn or "")
    ctx = context_of(script)

    async def one_round() -> list[dict[str, Any]]:
        message = await chat("researcher", [HumanMessage("Go on.")], ctx, tools=RESEARCHER_TOOLS)
        answers, _ = await run_tools(message, LoopProgress(), Ledger("1"), ctx)
        await chat("researcher", [HumanMessage("Go on."), message, *answers], ctx)
        return script.requests["researcher"][-1]["messages"]

    assert broken_history(asyncio.run(one_round())) == ""


async def test_s2_each_bad_call_is_told_what_is_wrong() -> None:
    first = [
        ("browse", {}),
        ("search", "{broken"),
        ("search", {"queries": "not a list"}),
        ("search", {}),
        ("search", {"queries": ["Gull lighthouse"]}),
    ]
    script = Strict(researcher=(first, [("ResearchComplete", {})]))
    await run(script)
    answers = last_tool_results(script.requests["researcher"][1])
    ids = [m["tool_call_id"] for m in script.requests["researcher"][1]["messages"] if m["role"] == "tool"]
    told = dict(zip(ids, answers, strict=True))
    assert len(told) == 5 and script.refused == []
    assert "There is no tool 'browse'" in told["call-0-0"]
    assert "not valid JSON" in told["call-0-1"]
    assert "Bad arguments for 'search': queries" in told["call-0-2"]
    assert "Bad arguments for 'search': queries" in told["call-0-3"]
    assert "<source id=" in told["call-0-4"]


async def test_s2_a_failing_search_and_one_over_the_budget_are_answered() -> None:
    two = [("search", {"queries": ["Gull lighthouse"]}), ("search", {"queries": ["Heron lighthouse"]})]
    calls = [{"name": name, "args": args, "id": f"c{n}"} for n, (name, args) in enumerate(two)]
    message = AIMessage("", tool_calls=calls)

    ctx = context_of(budget__searches=1)
    told, gaps = await run_tools(message, LoopProgress(), Ledger("1"), ctx)
    assert [answer.tool_call_id for answer in told] == ["c0", "c1"]
    assert "<source id=" in told[0].content
    assert told[1].content == "Not done: The budget's limit on searches (1) is reached."
    assert [gap.kind for gap in gaps] == ["budget"]

    ctx = context_of(provider=wire(Script(), faults=[Fault("status", 400, path="/search")]))
    told, gaps = await run_tools(message, LoopProgress(), Ledger("1"), ctx)
    assert told[0].content.startswith("Error: The search failed") and "<source id=" in told[1].content
    assert [gap.kind for gap in gaps] == ["branch_failed"]


# s3, s4 --------------------------------------------------------------------------------------------


def _asks_about(name: str) -> Any:
    """Strikes the model calls of the researcher whose topic holds a name."""

    def choose(call: Call) -> bool:
        if call.path != "/v1/chat/completions":
            return False
        body = json.loads(call.body)
        return body["model"] == "offline:researcher" and name in body["messages"][1]["content"]

    return choose


async def _one_bad_branch(fault: Fault, **more: Any) -> Any:
    bad = _asks_about("Heron")
    provider = wire(Script(supervisor=delegate(*TOPICS)), faults=lambda call: fault if bad(call) else None)
    return await run(provider=provider, retries=0, **more)


def _siblings_survive(report: Any) -> None:
    cited = " ".join(source.title for source in report.cited)
    assert "Gull lighthouse" in cited and "Skua lighthouse" in cited
    assert report.status == "partial" and report.errors == []


async def test_s3_a_branch_that_raises_is_a_gap_and_siblings_survive() -> None:
    report = await _one_bad_branch(Fault("status", 400))
    _siblings_survive(report)
    assert (report.gaps[0].kind, report.gaps[0].topic, report.gaps[0].branch) == (
        "branch_failed",
        TOPICS[1],
        "2",
    )
    assert all(gap.branch == "2" for gap in report.gaps)
    assert "## What could not be found" in report.markdown and TOPICS[1] in report.markdown


async def test_s3_a_branch_that_times_out_is_a_gap_and_siblings_survive() -> None:
    report = await _one_bad_branch(Fault("timeout"))
    _siblings_survive(report)
    assert report.gaps[0].topic == TOPICS[1] and "timed out" in report.gaps[0].message
    assert "timed out" in report.markdown


async def test_s3_a_branch_over_its_time_is_a_timeout_gap() -> None:
    report = await run(provider=wire(Script(), latency_ms=30), branch_timeout=0.02)
    assert report.gaps[0].kind == "timeout" and "took longer than 0.02 s" in report.markdown


async def test_s3_a_branch_resumed_much_later_has_its_whole_time_again() -> None:
    from langgraph.checkpoint.memory import InMemorySaver

    from deep_research.systems.open_deep_research.graph import build_graph

    graph, config = build_graph(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "one"}}
    asked = {"question": QUESTION, "history": [{"role": "user", "content": QUESTION}]}
    sitting: list[asyncio.Task[Any]] = []

    def stop(event: Any) -> None:
        if (event.type, event.tool) == ("started", "search"):
            sitting[0].cancel()

    first = context_of(Script(supervisor=delegate(TOPICS[0])), sink=stop)
    sitting.append(asyncio.create_task(graph.ainvoke(asked, config, context=first)))
    await asyncio.wait(sitting)
    assert sitting[0].cancelled()
    clock = SteppingClock(elapsed=3600)
    state = await graph.ainvoke(None, config, context=context_of(Script(), clock=clock))
    assert state["gaps"] == [] and len(state["findings"]) == 1


async def test_s3_a_branch_that_finds_nothing_is_a_gap_and_siblings_survive() -> None:
    topics = (TOPICS[0], "zzyzx qwfpgj", TOPICS[2])
    report = await run(Script(supervisor=delegate(*topics)))
    _siblings_survive(report)
    assert [(gap.kind, gap.topic) for gap in report.gaps] == [("no_results", topics[1])]
    assert "No source was found for “zzyzx qwfpgj”" in report.markdown


async def test_s3_a_branch_that_fails_before_it_finds_anything_is_one_gap() -> None:
    def search(call: Call) -> Fault | None:
        return Fault("status", 400) if call.path == "/search" and b"Heron" in call.body else None

    report = await run(provider=wire(Script(supervisor=delegate(*TOPICS)), faults=search))
    assert [(gap.kind, gap.topic) for gap in report.gaps] == [("branch_failed", TOPICS[1])]


async def test_s4_no_sources_means_no_evidence_and_the_writer_is_not_asked() -> None:
    script = Script(
        supervisor=delegate("zzyzx qwfpgj"), writer="The lighthouse is 90 metres tall, as everybody knows."
    )
    report = await run(script, "What is the zzyzx qwfpgj?")
    assert report.status == "no_evidence" and report.sources == [] and report.claims == []
    assert script.requests["writer"] == []
    assert "No evidence was found" in report.markdown


async def test_s4_a_report_that_cites_nothing_retrieved_is_no_evidence() -> None:
    report = await run(Script(writer="From memory: it is 90 metres tall [S9.9]."))
    assert report.status == "no_evidence"
    assert [(gone.number, gone.reason) for gone in report.removed] == [("S9.9", "id_not_in_ledger")]
    assert "[S9.9]" not in report.markdown


# s5, s6 --------------------------------------------------------------------------------------------


def findings_in(prompt: str) -> str:
    """The findings of a writer's prompt."""
    return "\n".join(re.findall(r"<findings .*?</findings>", prompt, re.DOTALL))


async def test_s5_no_reflection_error_or_notice_is_in_the_findings() -> None:
    turns = (
        [
            ("think", {"reflection": "PRIVATE-THOUGHT about [S1.1]"}),
            ("browse", {}),
            ("search", {"queries": ["Gull lighthouse", "REFUSED-QUERY"]}),
        ],
        [("search", {"queries": ["Heron lighthouse"]}), ("search", {"queries": ["Skua lighthouse"]})],
        [("ResearchComplete", {})],
    )
    decide = (
        [
            ("think", {"reflection": "SUPERVISOR-THOUGHT"}),
            *(("ConductResearch", {"research_topic": f"{topic}"}) for topic in TOPICS),
        ],
        [("ResearchComplete", {})],
    )
    bad = Fault("status", 400)
    script = Script(researcher=lambda request: turns[min(_turn(request), 2)], supervisor=decide)
    provider = wire(script, faults=lambda call: bad if b"REFUSED-QUERY" in call.body[:200] else None)
    report = await run(provider=provider, limits__max_searches=2, limits__max_concurrent_research_units=2)
    writer = findings_in(script.prompts("writer")[0])
    assert "Something is known [S1.1]." in writer
    compressor = "\n".join(script.prompts("compressor"))
    for noise in ("THOUGHT", "Not done", "Error:", "There is no tool", "at most 2 topics", "REFUSED-QUERY"):
        assert noise not in writer, noise
        assert noise not in compressor, noise
        assert noise == "REFUSED-QUERY" or noise not in report.markdown, noise


def _turn(request: dict[str, Any]) -> int:
    return sum(message["role"] == "assistant" for message in request["messages"])


async def test_s6_an_earlier_question_leaves_nothing_behind() -> None:
    first = await run(Script(supervisor=delegate("Gull lighthouse height")))
    history = [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": first.markdown}]
    script = Script(supervisor=delegate("terns island"), compressor="Terns breed there [S1.1].")
    second = await run(script, "And the terns?", options={"history": history})
    assert script.prompts("supervisor")[0].count("41 metres") == 0
    assert [source.title for source in second.cited] == ["Terns"]
    assert second.usage.searches == 1 and second.gaps == []


async def test_s6_two_questions_on_one_thread_of_the_graph_do_not_mix() -> None:
    from langgraph.checkpoint.memory import InMemorySaver

    from deep_research.systems.open_deep_research.graph import build_graph

    graph = build_graph(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "one"}}
    states = []
    for question, topic in (("How tall is Gull?", "Gull lighthouse"), ("Do terns breed?", "terns island")):
        asked = {"question": question, "history": [{"role": "user", "content": question}]}
        script = Script(supervisor=delegate(topic))
        states.append(await graph.ainvoke(asked, config, context=context_of(script)))
        assert len(script.requests["supervisor"]) == 2
    assert [finding.topic for finding in states[1]["findings"]] == ["terns island"]
    assert states[1]["topics"] == ["terns island"] and states[1]["rounds"] == 2
    assert all("Gull" not in source.title or "terns" in source.query for source in states[1]["sources"])


async def test_s6_nothing_is_duplicated_between_a_researcher_and_the_run() -> None:
    from deep_research.systems.open_deep_research.graph import build_graph

    turns = (
        [("search", {"queries": ["Gull", "zzyzx"]})],
        [("search", {"queries": ["Heron"]})],
        [("ResearchComplete", {})],
    )
    script = Script(supervisor=delegate(*TOPICS), researcher=lambda request: turns[min(_turn(request), 2)])
    asked = {"question": QUESTION, "history": [{"role": "user", "content": QUESTION}]}
    state = await build_graph().ainvoke(asked, context=context_of(script))
    assert [finding.branch for finding in sorted(state["findings"], key=lambda f: f.branch)] == [
        "1",
        "2",
        "3",
    ]
    keys = [source.key for source in state["sources"]]
    assert len(keys) == len(set(keys))
    told = [message.tool_call_id for message in state["supervisor_messages"] if message.type == "tool"]
    assert len(told) == len(set(told)) == 4
    for request in script.requests["researcher"]:
        contents = last_tool_results(request)
        assert len(contents) == len(set(contents))
