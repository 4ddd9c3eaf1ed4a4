"""One topic of the queue: rounds of two decisions, a call of a tool, and a note.

In each round the model first decides whether what is noted suffices, then what to ask with which tool and
why; both decisions are kept with the block, with their reasons. `fixed` does all rounds whatever the model
says; `flexible` stops when it says that it is enough, but only after a tool has brought something. What goes
wrong costs this topic only: it becomes a typed gap, and what was noted before stays.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Any

from pydantic import Field

from .citation_ids import display_id
from .context import Context
from .errors import BudgetExceeded
from .ledger import Ledger
from .note_taker import take_note
from .prompting import evidence
from .researcher import Loop, run_tools
from .state import Finding, Gap, Record, Source
from .text import shorten
from .tools import THINK, Tool, ToolCall, answer, read_calls
from .topic_blocks import Decision, DecisionKind, Proposal, Refusal, ToolTrace, TopicBlock, screen
from .topic_decisions import TopicTask, Work, ask, judge, known
from .topic_tools import PROPOSE, Phase, phase_of, tools_for

CALLS_PER_ROUND = 3
"""Calls of tools that one round may make."""
_NO_CAP = 1_000_000
_NOTED = "Noted above."
_REFERENCE = re.compile(r'<source id="([^"]+)" reading="([^"]*)"/>')


class TopicResult(Record):
    """What a block hands back. It is what a checkpoint keeps of it."""

    block: TopicBlock
    findings: list[Finding] = Field(default_factory=list)
    sources: list[Source] = Field(default_factory=list)
    gaps: list[Gap] = Field(default_factory=list)
    proposals: list[Proposal] = Field(default_factory=list)


async def research_topic(task: TopicTask, ctx: Context) -> TopicResult:
    """All rounds of one block, tried again as often as the settings allow if it fails."""
    block, ledger = task.block, Ledger(ctx.branch)
    while True:
        block.move("researching", _now(ctx))
        work = Work(task, ledger)
        gap = await _contained(work, ctx)
        work.gaps += [gap] if gap else []
        block.move("completed" if work.noted or gap is None else "failed", _now(ctx))
        tried = block.metadata.get("retries", 0)
        if block.status == "completed" or tried >= ctx.settings.queue.max_block_retries:
            return _result(work, ctx)
        if gap is not None and gap.kind == "budget":  # it would only be reached again
            return _result(work, ctx)
        block.move("pending", _now(ctx))


def _result(work: Work, ctx: Context) -> TopicResult:
    """What the block hands back; having found nothing is a gap too."""
    if not work.noted and not work.gaps:
        work.gaps.append(ctx.gap("no_results", "no_source", query=ctx.topic))
    return TopicResult(
        block=work.block,
        findings=[_finding(work)] if work.noted else [],
        sources=work.ledger.sources,
        gaps=work.gaps,
        proposals=work.proposals,
    )


async def _contained(work: Work, ctx: Context) -> Gap | None:
    """The rounds, or the gap that ended them early."""
    limit = ctx.settings.branch_timeout
    try:
        async with asyncio.timeout(limit):
            await _rounds(work, ctx)
    except TimeoutError:
        return ctx.gap("timeout", "topic_late", about=ctx.topic, seconds=limit)
    except BudgetExceeded as error:
        work.block.ended = "limit"
        return ctx.failure("limit_reached", error)
    except Exception as error:
        return ctx.failure("topic_failed", error, about=ctx.topic)
    return None


async def _rounds(work: Work, ctx: Context) -> None:
    """Round after round, until the last one or, if that is allowed, until it is enough."""
    chosen, block = ctx.settings.queue, work.block
    block.ended = "limit"
    for iteration in range(1, chosen.max_iterations + 1):
        ctx.budget.reserve(ctx.branch, "compressor", {"model_calls": 1})
        phase = phase_of(iteration, chosen.max_iterations)
        may_stop = chosen.iteration_mode == "flexible" and bool(work.noted)
        verdict = await judge(work, ctx)
        enough = "yes" if verdict.sufficient else "no"
        _record(work, iteration, phase, "sufficient", enough, verdict.reason, ctx)
        if verdict.sufficient and may_stop:
            block.ended = "enough"
            return
        message = await ask(work, verdict, phase, chosen.max_iterations - iteration + 1, ctx)
        if not _asks(message):
            if may_stop:
                _record(work, iteration, phase, "ask", "nothing", _why(message), ctx)
                block.ended = "no_tool_call"
                return
            message = _with_a_query(message, work, tools_for(phase, ctx))
        block.iteration_count = iteration
        await carry_out(work, message, iteration, phase, ctx)


def _asks(message: Any) -> bool:
    """Whether a message asks anything of a tool besides thinking and proposing."""
    quiet = (THINK.name, PROPOSE.name)
    return bool(message.invalid_tool_calls) or any(c["name"] not in quiet for c in message.tool_calls)


def _with_a_query(message: Any, work: Work, tools: Sequence[Tool]) -> Any:
    """The message, with a query for a model that has none: what was not asked yet of topic and question."""
    block = work.block
    texts = [block.sub_topic, f"{block.sub_topic} {block.overview}".strip(), work.task.question]
    queries = [shorten(text, 300) for text in texts]
    asked = [trace.query for trace in block.tool_traces]
    query = next((query for query in queries if query not in asked), queries[len(asked) % len(queries)])
    call = {"name": tools[0].name, "args": {"queries": [query]}, "id": f"query-{len(asked) + 1}"}
    return message.model_copy(update={"tool_calls": [*message.tool_calls, call]})


async def carry_out(work: Work, message: Any, iteration: int, phase: Phase, ctx: Context) -> None:
    """Make the calls of a message, note what they brought, and take down what it proposes."""
    others = [call for call in message.tool_calls if call["name"] != PROPOSE.name]
    calls = message.model_copy(update={"tool_calls": others})
    done = work.progress.tool_calls + CALLS_PER_ROUND
    tools = [*tools_for(phase, ctx), THINK]
    loop = Loop(tools, turns=_NO_CAP, calls=done, searches=done)
    answers, gaps = await run_tools(calls, work.progress, work.ledger, ctx, loop, work.task.given)
    work.gaps += gaps
    why = _why(message)
    traces = [
        _trace(work, call, told, iteration, phase, why, ctx)
        for call, told in zip(read_calls(calls, tools), answers, strict=True)
        if call.name != THINK.name
    ]
    await _note(work, [trace for trace in traces if trace.source_ids], ctx)
    work.messages += [message, *answers, *_propose(work, message, ctx)]


def _trace(
    work: Work, call: ToolCall, told: Any, iteration: int, phase: Phase, why: str, ctx: Context
) -> ToolTrace:
    """Keep a call with its decision; in the conversation only the note of its answer is shown."""
    ids = list(dict.fromkeys(name for name, _ in _REFERENCE.findall(told.content)))
    query = _asked(call)
    _record(work, iteration, phase, "ask", f"{call.name}: {query}", why, ctx)
    trace = ToolTrace(
        tool_id=f"{ctx.branch}.{len(work.block.tool_traces) + 1}",
        citation_id=display_id(ids[0]) if ids else "",
        tool_type=call.name,
        query=query,
        timestamp=_now(ctx),
        source_ids=ids,
        error="" if ids else told.content,
    )
    work.block.tool_traces.append(trace)
    if ids:
        told.content = _NOTED
    return trace


async def _note(work: Work, traces: Sequence[ToolTrace], ctx: Context) -> None:
    """A note of each answer; the whole answer is kept aside."""
    found = [[s for s in work.ledger.sources if s.id in trace.source_ids] for trace in traces]
    before = known(work, ctx)
    lines = {line for trace in work.noted for line in trace.summary.splitlines()}
    jobs = [
        take_note(work.task.text, trace.query, sources, ctx, before, lines)
        for trace, sources in zip(traces, found, strict=True)
    ]
    for trace, sources, note in zip(traces, found, await ctx.gather(jobs), strict=True):
        if isinstance(note, BaseException):
            raise note
        trace.summary = note.text
        trace.raw_answer = ctx.store.pages.put(evidence(sources, ctx))
        if note.cut:
            work.block.metadata.setdefault("cut", {})[trace.tool_id] = note.cut


def _propose(work: Work, message: Any, ctx: Context) -> list[Any]:
    """Answer the proposals of a message: refused at once, with the reason, or kept until their turn comes."""
    own = message.model_copy(
        update={
            "tool_calls": [call for call in message.tool_calls if call["name"] == PROPOSE.name],
            "invalid_tool_calls": [],
        }
    )
    told = []
    for call in read_calls(own, [PROPOSE]):
        told.append(answer(call, f"Error: {call.problem}" if call.problem else _heard(work, call, ctx)))
    return told


def _heard(work: Work, call: ToolCall, ctx: Context) -> str:
    """What a proposal's author is told."""
    proposal = Proposal(**call.arguments.model_dump(), parent=work.block.block_id)
    known = [*(b.sub_topic for b in work.task.known), *(p.title for p in work.proposals)]
    depth = work.block.metadata["depth"] + 1
    reason = screen(proposal, known, depth, ctx.settings.queue)
    ctx.emit("call", role="researcher", tool=PROPOSE.name, text=proposal.title, refused=reason)
    if not reason:
        work.proposals.append(proposal)
        return "Taken down. It is decided when its turn comes."
    work.refusals.append(Refusal(title=proposal.title, parent=proposal.parent, reason=reason))
    return f"Refused: {reason}."


def _record(
    work: Work, iteration: int, phase: Phase, kind: DecisionKind, choice: str, reason: str, ctx: Context
) -> None:
    """Keep a decision with its reason, and report it."""
    decision = Decision(iteration=iteration, phase=phase, kind=kind, choice=choice, reason=reason)
    work.block.decisions.append(decision)
    ctx.emit("call", role="researcher", tool="decision", text=choice, **decision.model_dump())


def _asked(call: ToolCall) -> str:
    """What a call asks, in words: its queries, or its first text."""
    given = call.arguments.model_dump() if call.arguments is not None else {}
    texts = given.get("queries") or [value for value in given.values() if isinstance(value, str)][:1]
    return "; ".join(texts)


def _why(message: Any) -> str:
    """Why a message asks what it asks: its reflection, or what it says beside its calls."""
    thoughts = [str(call["args"].get("reflection", "")) for call in message.tool_calls]
    return shorten(" ".join([*thoughts, str(message.text)]), 300) or "No reason was given."


def _finding(work: Work) -> Finding:
    """The notes of a block as one finding, each line once."""
    lines = dict.fromkeys(line for trace in work.noted for line in trace.summary.splitlines() if line.strip())
    return Finding(
        branch=work.block.branch,
        topic=work.block.sub_topic,
        text="\n".join(lines),
        source_ids=list(dict.fromkeys(name for trace in work.noted for name in trace.source_ids)),
        queries=[trace.query for trace in work.block.tool_traces],
        ended=work.block.ended or "limit",
    )


def _now(ctx: Context) -> str:
    return ctx.clock.now().isoformat(timespec="seconds")
