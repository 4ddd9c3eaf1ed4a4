"""Rows s8–s11 of the checklist: what happens when a call fails, does not fit, is cut, or gives no object."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import BaseModel, Field

from deep_research.components.compressor import compress
from deep_research.components.researcher import LoopProgress, run_tools
from deep_research.core.clock import FrozenClock
from deep_research.core.errors import ModelError, SearchError, StructuredOutputError
from deep_research.engine import calls
from deep_research.engine.calls import Reply
from deep_research.engine.chat import chat
from deep_research.engine.fitting import CUT, fit_messages, message_tokens
from deep_research.engine.store import CallRow
from deep_research.engine.structured import structured
from deep_research.report import trace_of
from deep_research.sources.ledger import Ledger
from deep_research.sources.search import search
from deep_research_offline.wire.faults import Call, Fault
from tests.running import DAY, TOPICS, context_of, delegate, page, run, small_web, wire
from tests.scripted import Script

CHAT, SEARCH = "/v1/chat/completions", "/search"
TEMPORARY = {
    "busy": Fault("status", 429, path="/"),
    "overloaded": Fault("status", 503, path="/"),
    "broken": Fault("status", 500, path="/"),
    "no answer": Fault("timeout", path="/"),
    "nobody there": Fault("refused", path="/"),
    "cut line": Fault("truncated", path="/"),
    "slow line": Fault("slow", path="/"),
}


def _ctx(faults: Any, clock: FrozenClock | None = None, **more: Any) -> Any:
    clock = clock or FrozenClock(DAY)
    return context_of(provider=wire(Script(writer="Fine."), faults=faults), clock=clock, **more)


async def _ask(kind: str, ctx: Any) -> Any:
    if kind == "search":
        return await search("Gull lighthouse", "researcher", ctx)
    return (await chat("writer", [HumanMessage("Write.")], ctx, stream=kind == "stream")).text


# s8 ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["chat", "stream", "search"])
@pytest.mark.parametrize("fault", TEMPORARY.values(), ids=TEMPORARY)
async def test_s8_what_is_temporary_is_tried_again_with_growing_waits(fault: Fault, kind: str) -> None:
    clock = FrozenClock(DAY)
    ctx = _ctx([fault, fault, fault], clock)
    answer = await _ask(kind, ctx)
    assert answer == "Fine." or answer[0].title.startswith("Gull")
    assert clock.slept == [1, 2, 4]
    assert [row.status for row in ctx.store.calls] == ["ok"]


@pytest.mark.parametrize("kind", ["chat", "stream", "search"])
async def test_s8_retry_after_is_obeyed_up_to_a_minute(kind: str) -> None:
    clock = FrozenClock(DAY)
    faults = [Fault("status", 429, retry_after=seconds) for seconds in (7, 0.5, 600)]
    await _ask(kind, _ctx(faults, clock))
    assert clock.slept == [7, 0.5, 60]


@pytest.mark.parametrize("kind", ["chat", "stream", "search"])
@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
async def test_s8_a_permanent_error_is_an_error_at_once(kind: str, status: int) -> None:
    clock = FrozenClock(DAY)
    ctx = _ctx([Fault("status", status)], clock)
    with pytest.raises(SearchError if kind == "search" else ModelError):
        await _ask(kind, ctx)
    assert clock.slept == [] and [row.status for row in ctx.store.calls] == ["failed"]


@pytest.mark.parametrize("kind", ["chat", "search"])
async def test_s8_when_the_tries_are_used_up_it_is_an_error(kind: str) -> None:
    clock = FrozenClock(DAY)
    ctx = _ctx(lambda call: Fault("status", 503), clock, retries=2)
    with pytest.raises(SearchError if kind == "search" else ModelError, match=r"\(503\)"):
        await _ask(kind, ctx)
    assert clock.slept == [1, 2]


async def test_s8_a_call_that_takes_too_long_is_tried_again() -> None:
    clock = FrozenClock(DAY)
    ctx = context_of(provider=wire(Script(), latency_ms=60_000), clock=clock, call_timeout=0.02, retries=1)
    with pytest.raises(ModelError, match="timed out"):
        await _ask("chat", ctx)
    assert clock.slept == [1]


@pytest.mark.parametrize("kind", ["malformed", "empty", "unfinished"])
async def test_s8_an_unreadable_answer_is_a_typed_error_never_an_empty_result(kind: Any) -> None:
    for what, family in (("chat", ModelError), ("search", SearchError)):
        with pytest.raises(family):
            await _ask(what, _ctx(lambda call: Fault(kind), retries=0))


async def test_s8_cancelling_a_call_cancels_those_who_wait_for_it_too() -> None:
    ctx, started = context_of(), asyncio.Event()

    async def hang() -> Reply:
        started.set()
        await asyncio.Event().wait()
        raise AssertionError("unreachable")

    call = calls.Call("search", "researcher", {"query": "Gull"}, hang, shared=True)
    jobs = [asyncio.create_task(calls.perform(call, ctx.on(branch))) for branch in ("1", "2")]
    await started.wait()
    for job in jobs:
        job.cancel()
    done, going_on = await asyncio.wait(jobs, timeout=30)
    for job in going_on:
        job.cancel()
    assert done == set(jobs) and all(job.cancelled() for job in jobs)


def test_a_simulated_trace_does_not_show_which_branch_came_first_to_send_a_shared_call() -> None:
    def row(name: str, *after: str, kind: str = "model", status: str = "ok") -> CallRow:
        key = "shared" if kind == "search" else name
        return CallRow(name, [*after], kind, "researcher", name[0], "", 0, key, {}, {}, status=status)

    before = [row("1#1"), row("1#2", "1#1"), row("2#1")]
    by_1 = [row("1#3", "1#2", kind="search"), row("2#2", "2#1", "1#3", kind="search", status="reused")]
    by_2 = [row("2#2", "2#1", kind="search"), row("1#3", "1#2", "2#2", kind="search", status="reused")]
    behind = [row("1#4", "1#3"), row("2#3", "2#2")]
    traces = [trace_of([*before, *shared, *behind], True, 4) for shared in (by_1, by_2)]
    assert traces[0] == traces[1]
    assert {line.id: line.status for line in traces[0] if line.kind == "search"} == {
        "2#2": "ok",
        "1#3": "reused",
    }


async def test_s8_a_run_survives_one_fault_on_every_call_with_the_same_bytes() -> None:
    kinds = list(TEMPORARY.values())

    def each_once(call: Call) -> Fault | None:
        return kinds[len(call.body) % len(kinds)] if call.attempt == 1 else None

    calm = await run(Script(supervisor=delegate(*TOPICS)))
    stormy = await run(provider=wire(Script(supervisor=delegate(*TOPICS)), faults=each_once))
    assert (stormy.markdown, stormy.gaps, stormy.status) == (calm.markdown, [], "complete")


async def test_s8_a_failed_search_is_a_gap_and_never_a_finding() -> None:
    script = Script()
    refused = lambda call: Fault("status", 400) if call.path == SEARCH else None  # noqa: E731
    report = await run(provider=wire(script, faults=refused))
    assert report.status == "no_evidence" and report.sources == []
    assert "branch_failed" in {gap.kind for gap in report.gaps}
    assert script.requests["compressor"] == script.requests["writer"] == []


# s9 ---------------------------------------------------------------------------------------------------


def block(source: str, text: str) -> str:
    return f'<source id="{source}" title="T">\n{text}\n</source>'


def history(texts: list[str]) -> list[dict[str, Any]]:
    """An instruction, a task, and a search result per text."""
    start = [{"role": "system", "content": "Instructions. " * 20}, {"role": "user", "content": "The topic."}]
    answers = [
        {"role": "tool", "tool_call_id": f"c{n}", "content": "Results:\n" + block(f"S1.{n}", text)}
        for n, text in enumerate(texts)
    ]
    return start + answers


@pytest.mark.parametrize("letter", ["word ", "灯塔", "灯台は"])
def test_s9_oldest_outputs_shrink_first_and_the_newest_stays(letter: str) -> None:
    messages = history([letter * (6_000 // len(letter))] * 4)
    total = sum(map(message_tokens, messages))
    fitted, cut = fit_messages(messages, int(total * 0.62))
    assert sum(map(message_tokens, fitted)) <= total * 0.62
    assert cut == ["S1.0", "S1.1"]
    assert fitted[:2] == messages[:2] and fitted[4:] == messages[4:]
    assert all(f'<source id="S1.{n}" title="T">' in fitted[2 + n]["content"] for n in range(4))


def test_s9_the_newest_stays_whole_even_when_all_others_must_shrink_to_nothing() -> None:
    messages = history(["word " * 1_200] * 6)
    limit = message_tokens(messages[-1]) + sum(map(message_tokens, messages[:2])) + 400
    fitted, cut = fit_messages(messages, limit)
    assert fitted[-1] == messages[-1] and fitted[:2] == messages[:2]
    assert cut == [f"S1.{n}" for n in range(5)]


def test_s9_findings_of_old_rounds_shrink_before_the_brief_and_the_newest() -> None:
    results = [
        {"role": "tool", "tool_call_id": f"c{n}", "content": f"Finding {n}. " + "It is so. " * 800}
        for n in range(4)
    ]
    start = [
        {"role": "system", "content": "Instructions."},
        {"role": "user", "content": "The brief. " * 900},
    ]
    fitted, cut = fit_messages([*start, *results], sum(map(message_tokens, [*start, *results])) // 2)
    assert fitted[:2] == start and fitted[-1] == results[-1]
    assert CUT in fitted[2]["content"] and cut


@settings(max_examples=60)
@given(
    texts=st.lists(st.text("ab 灯。\n", max_size=3_000), max_size=6),
    limit=st.integers(600, 4_000),
)
def test_s9_a_fitted_prompt_is_within_the_limit_and_complete(texts: list[str], limit: int) -> None:
    messages = history(texts)
    before = json.dumps(messages)
    fitted, cut = fit_messages(messages, limit)
    assert sum(map(message_tokens, fitted)) <= limit
    assert json.dumps(messages) == before and len(fitted) == len(messages)
    assert bool(cut) == (fitted != messages)


def test_s9_chinese_text_counts_a_token_per_character() -> None:
    fitted, cut = fit_messages(history(["灯塔高四十一米。" * 400] * 4), 4_000)
    assert cut and sum(str(message["content"]).count("灯") * 8 for message in fitted) <= 4_000


async def test_s9_what_was_cut_is_recorded_and_no_call_is_larger_than_the_window() -> None:
    long = page("ormsund.example/long", "Gull archive", "The Gull lighthouse archive. " * 800)
    events: list[Any] = []
    script = Script(supervisor=delegate("Gull lighthouse archive"))
    report = await run(
        provider=wire(script, web=small_web(long)),
        options={"on_event": events.append},
        limits__summarize_above=50_000,
        context_window=6_000,  # less than the longest answers that are allowed
    )
    assert report.status == "complete"
    cuts = [event for event in events if event.type == "budget" and "shortened to fit" in event.text]
    assert cuts and all(event.role and event.data["cut"] for event in cuts)
    for role in ("researcher", "compressor"):
        for request in script.requests[role]:
            size = sum(message_tokens(message) for message in request["messages"])
            assert size + request["max_completion_tokens"] <= 6_000


@pytest.mark.parametrize(("refusals", "is_answered"), [(2, True), (9, False)])
async def test_s9_an_endpoint_with_a_smaller_window_than_was_assumed_is_sent_less(
    refusals: int, is_answered: bool
) -> None:
    script = Script(writer="Fine.")
    ctx = context_of(provider=wire(script, faults=[Fault("too_long")] * refusals))
    asked = chat("writer", [HumanMessage("Write."), HumanMessage(WORDS)], ctx)
    if is_answered:
        assert (await asked).text == "Fine."
        (request,) = script.requests["writer"]
        assert 0.4 < message_tokens(request["messages"][1]) / message_tokens({"content": WORDS}) < 0.6
    else:
        with pytest.raises(ModelError, match="exceeds the context"):
            await asked


WORDS = "word " * 4_000


@pytest.mark.parametrize(("refused", "remembered"), [([1], False), ([1, 3], True)])
async def test_s9_a_size_that_nobody_names_holds_for_one_request_until_it_is_refused_again(
    refused: list[int], remembered: bool
) -> None:
    script = Script(writer="Fine.")
    faults = [Fault("too_long") if place in refused else None for place in range(1, max(refused) + 2)]
    ctx = context_of(provider=wire(script, faults=faults))
    for number in range(len(refused) + 1):
        await chat("writer", [HumanMessage(f"Write {number}."), HumanMessage(WORDS)], ctx)
    *shrunk, last = [message_tokens(request["messages"][1]) for request in script.requests["writer"]]
    whole = message_tokens({"content": WORDS})
    assert all(0.6 * whole < size < 0.8 * whole for size in shrunk)
    assert last == pytest.approx(shrunk[-1], rel=0.02) if remembered else last == whole


# s10 --------------------------------------------------------------------------------------------------


async def test_s10_a_report_cut_by_the_length_limit_is_continued() -> None:
    parts = (("# Report\n\nGull is tall [S1.", "length"), ("1]. Heron is not [S1", "length"), ".2].")
    script = Script(writer=lambda request: parts[sum(m["role"] == "assistant" for m in request["messages"])])
    report = await run(script, verifier__mode="off")
    assert report.markdown.startswith("# Report\n\nGull is tall [1]. Heron is not [2].\n")
    assert len(script.requests["writer"]) == 3 and report.removed == []


async def test_s10_an_object_cut_by_the_length_limit_is_asked_for_again() -> None:
    cut = ('{"research_brief": "I want to know how tall the lighthouses are, and', "length")
    script = Script(brief_writer=lambda r: cut if len(script.requests["brief_writer"]) < 2 else WHOLE)
    await run(script)
    assert len(script.requests["brief_writer"]) == 2
    brief = script.requests["supervisor"][0]["messages"][1]["content"]
    assert brief.startswith(WHOLE["research_brief"]) and "and" not in brief


WHOLE = {"research_brief": "I want to know how tall the lighthouses are."}


async def test_s10_paragraphs_stay_apart_where_a_cut_text_is_continued() -> None:
    script = Script(writer=(("\n\nPara one.\n\n", "length"), "## Next\n\nPara two.\n"))
    message = await chat("writer", [HumanMessage("Write.")], context_of(script))
    assert message.text == "Para one.\n\n## Next\n\nPara two."


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("<think>One. Two.</think>\nThe end.", "The end."),
        ("A <think>closed</think> thought.", "A  thought."),
        ("Tags such as <think> are model talk.", "Tags such as <think> are model talk."),
        (" <thinking>never closed", ""),
    ],
)
async def test_s10_only_a_models_thinking_is_taken_out_never_the_rest_of_a_text(text: str, kept: str) -> None:
    message = await chat("writer", [HumanMessage("Write.")], context_of(Script(writer=text)))
    assert message.text == kept


async def test_s10_no_source_is_lost_when_the_finding_stays_cut() -> None:
    ctx = context_of(Script(compressor=lambda request: ("Gull is 41 metres tall [S1.1]. And", "length")))
    progress, ledger = LoopProgress(), Ledger("1")
    call = {"name": "search", "args": {"queries": ["lighthouse tall"]}, "id": "c"}
    await run_tools(AIMessage("", tool_calls=[call]), progress, ledger, ctx)
    assert len(ledger) >= 3
    finding = await compress("Gull", ledger.sources, [], progress.queries, "done", ctx)
    assert finding.source_ids == [source.id for source in ledger.sources]
    for source in ledger.sources:
        assert f"[{source.id}]" in finding.text


# s11 --------------------------------------------------------------------------------------------------


class Reading(BaseModel):
    """A height."""

    name: str = Field(description="Of what.")
    metres: int = Field(description="How tall.")


GULL = {"name": "Gull", "metres": 41}
FAULTY_TEXTS = {
    "fence": '```json\n{"name": "Gull", "metres": 41}\n```',
    "prose around": 'Sure! Here it is: {"name": "Gull", "metres": 41}. Anything else?',
    "trailing comma": '{"name": "Gull", "metres": 41,}',
    "single quotes": "{'name': 'Gull', 'metres': 41}",
    "thinking first": '<think>{"name": "Heron", "metres": 1}</think>{"name": "Gull", "metres": 41}',
    "braces in prose": 'The set {x} is empty. ```json\n{"name": "Gull", "metres": 41}\n```',
}


def _way(request: dict[str, Any]) -> str:
    return "schema" if "response_format" in request else "tool" if request.get("tools") else "text"


def _endpoint(*refuses: str) -> Any:
    """Strikes with 400 the requests that ask in a way this endpoint does not know."""
    return lambda call: Fault("status", 400) if _way(json.loads(call.body)) in refuses else None


async def _get(answer: Any, *refuses: str, **settings: Any) -> tuple[Any, list[str]]:
    script = Script(clarifier=answer)
    ctx = context_of(provider=wire(script, faults=_endpoint(*refuses)), **settings)
    value = await structured("clarifier", [HumanMessage("How tall?")], Reading, ctx)
    again = await structured("clarifier", [HumanMessage("How tall, again?")], Reading, ctx)
    assert again == value
    return value, [_way(request) for request in script.requests["clarifier"]]


async def test_s11_native_schema_comes_first() -> None:
    assert await _get(GULL) == (Reading(**GULL), ["schema", "schema"])


async def test_s11_an_endpoint_without_schemas_is_asked_by_tool_call_and_remembered() -> None:
    assert await _get([("Reading", GULL)], "schema") == (Reading(**GULL), ["tool", "tool"])


@pytest.mark.parametrize("text", FAULTY_TEXTS.values(), ids=FAULTY_TEXTS)
async def test_s11_an_endpoint_without_tools_is_asked_for_json_in_text(text: str) -> None:
    assert await _get(text, "schema", "tool") == (Reading(**GULL), ["text", "text"])


async def test_s11_a_bad_object_is_repaired_in_one_turn_that_names_the_fault() -> None:
    script = Script(clarifier=({"name": "Gull", "metres": "very"}, GULL))
    value = await structured("clarifier", [HumanMessage("How tall?")], Reading, context_of(script))
    assert value == Reading(**GULL)
    assert "metres" in script.requests["clarifier"][1]["messages"][-1]["content"]


@pytest.mark.parametrize("answer", ["I would rather chat.", "", {"name": "Gull"}, "[1, 2]", "{}"])
async def test_s11_no_object_after_the_tries_is_a_typed_error(answer: Any) -> None:
    script = Script(clarifier=answer)
    with pytest.raises(StructuredOutputError, match="The clarifier gave no valid Reading"):
        ctx = context_of(script, limits__max_structured_output_retries=2)
        await structured("clarifier", [HumanMessage("How tall?")], Reading, ctx)
    assert len(script.requests["clarifier"]) == 2


async def test_s11_an_error_that_is_not_about_the_way_of_asking_climbs_no_ladder() -> None:
    script = Script(clarifier=GULL)
    ctx = context_of(provider=wire(script, faults=[Fault("status", 401)]))
    with pytest.raises(ModelError, match="key is wrong"):
        await structured("clarifier", [HumanMessage("How tall?")], Reading, ctx)
    assert script.requests["clarifier"] == []


async def test_s11_a_small_model_that_answers_in_prose_completes_a_run() -> None:
    def prose(request: dict[str, Any]) -> str:
        import re

        ids = re.findall(r"\bS\d+\.\d+\b", "\n".join(str(m.get("content")) for m in request["messages"][1:]))
        return " ".join(f"The lighthouse is tall [{i}]." for i in dict.fromkeys(ids)) or "I will gladly help!"

    roles = ("clarifier", "brief_writer", "supervisor", "researcher", "summarizer", "compressor", "writer")
    script = Script(**dict.fromkeys(roles, prose))

    def no_tools(call: Call) -> Fault | None:
        roles = {message["role"] for message in json.loads(call.body).get("messages", [])}
        return Fault("status", 400) if "tool" in roles else _endpoint("schema", "tool")(call)

    report = await run(provider=wire(script, faults=no_tools))
    assert report.status in ("complete", "partial") and report.errors == []
    assert len(report.cited) >= 3
