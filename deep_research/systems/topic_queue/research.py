"""One topic of the queue: rounds of two decisions, a call of a tool, and a note.

In each round the model first decides whether what is noted suffices, then what to ask with which tool and
why; both decisions are kept with the block, with their reasons. `flexible` stops when it says that it is
enough, but only after a tool has brought something; `fixed` goes on. A topic also ends when
`queue.idle_rounds` rounds in a row have brought nothing new and no other tool is to come; with 0, `fixed`
does all rounds whatever the model says, as published. What goes wrong costs this topic only: it becomes a
typed gap, and what was noted before stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from deep_research.components.researcher import FORCED, LoopLimits, run_tools
from deep_research.core.records import Finding, Gap, Record, Source
from deep_research.engine.branches import gap_instead_of_error
from deep_research.engine.context import Context
from deep_research.engine.evidence import evidence_text, sources_in_answer
from deep_research.engine.tools import RESEARCH_COMPLETE, THINK, Tool, ToolCall, read_calls, tool_answer
from deep_research.sources.citations import display_id
from deep_research.sources.ledger import Ledger
from deep_research.text.language import shorten

from .blocks import DecisionKind, IterationDecision, Proposal, Refusal, ToolTrace, TopicBlock, screen_proposal
from .decisions import (
    PROPOSE,
    STARTERS,
    TopicTask,
    Work,
    judge_sufficiency,
    known_so_far,
    next_request,
    phase_of,
    tools_for,
)
from .files import now_text
from .notes import new_lines, take_note

CALLS_PER_ROUND = 3
"""Calls of tools that one round may make."""
_QUIET = (THINK.name, PROPOSE.name, RESEARCH_COMPLETE.name)
_NO_CAP = 1_000_000
_NOTED = "Noted above, under {}."


class BlockResult(Record):
    """What a block hands back. It is what a checkpoint keeps of it."""

    block: TopicBlock
    findings: list[Finding] = Field(default_factory=list)
    sources: list[Source] = Field(default_factory=list)
    gaps: list[Gap] = Field(default_factory=list)
    proposals: list[Proposal] = Field(default_factory=list)


async def research_topic(task: TopicTask, ctx: Context) -> BlockResult:
    """All rounds of one block, tried again as often as the settings allow if it fails."""
    block, ledger = task.block, Ledger(ctx.branch)
    while True:
        block.move("researching", now_text(ctx))
        work = Work(task, ledger)
        gap = await gap_instead_of_error(_rounds(work, ctx), ctx.settings.branch_timeout, ctx)
        work.gaps += [gap] if gap else []
        block.move("completed" if work.noted or gap is None else "failed", now_text(ctx))
        tried = block.metadata.get("retries", 0)
        if block.status == "completed" or tried >= ctx.settings.queue.max_block_retries:
            return _result(work, ctx)
        if gap is not None and gap.kind == "budget":  # it would only be reached again
            return _result(work, ctx)
        block.move("pending", now_text(ctx))


def _result(work: Work, ctx: Context) -> BlockResult:
    """What the block hands back; having found nothing is a gap too."""
    if not work.noted and not work.gaps:
        work.gaps.append(ctx.gap("no_results", "no_source", query=ctx.topic))
    return BlockResult(
        block=work.block, findings=[_finding(work)] if work.noted else [], sources=work.ledger.sources,
        gaps=work.gaps, proposals=work.proposals,
    )  # fmt: skip


async def _rounds(work: Work, ctx: Context) -> None:
    """Round after round, until the last one or, if that is allowed, until it is enough."""
    chosen, block = ctx.settings.queue, work.block
    block.ended, idle = "limit", 0
    for iteration in range(1, chosen.max_iterations + 1):
        ctx.budget.reserve(ctx.branch, "compressor", {"model_calls": 1})
        phase = phase_of(iteration, chosen.max_iterations)
        may_stop = bool(work.noted) and (chosen.iteration_mode == "flexible" or chosen.idle_rounds > 0)
        verdict = await judge_sufficiency(work, ctx)
        enough = "yes" if verdict.sufficient else "no"
        _record(work, iteration, "sufficient", enough, verdict.reason, ctx)
        if verdict.sufficient and may_stop and chosen.iteration_mode == "flexible":
            block.ended = "enough"
            return
        message = await next_request(work, verdict, phase, chosen.max_iterations - iteration + 1, ctx)
        if may_stop and not _asks(message):
            _record(work, iteration, "ask", "nothing", _why(message), ctx)
            block.ended = "no_tool_call"
            return
        tools = tools_for(phase, ctx)
        if not (_asks(message) and (work.noted or _can_ask(message, tools))):
            message = _with_a_query(message, work, tools)
        block.iteration_count = iteration
        before = len(_lines(work))
        await carry_out_request(work, message, iteration, ctx)
        if iteration == chosen.max_iterations and not (work.noted or work.progress.searches):
            unasked = message.model_copy(update={"tool_calls": [], "invalid_tool_calls": [], "content": ""})
            await carry_out_request(work, _with_a_query(unasked, work, tools), iteration, ctx)
        idle = 0 if len(_lines(work)) > before or not work.noted else idle + 1
        if 0 < chosen.idle_rounds <= idle and not _tools_to_come(iteration, ctx):
            block.ended = "nothing_new"
            return


def _tools_to_come(iteration: int, ctx: Context) -> set[str]:
    """Tools to search with that only a later round is offered."""
    rounds = ctx.settings.queue.max_iterations
    offered = [{t.name for t in tools_for(phase_of(n, rounds), ctx)} & STARTERS for n in range(1, rounds + 1)]
    return set[str]().union(*offered[iteration:]).difference(*offered[:iteration])


def _lines(work: Work) -> list[str]:
    """What is noted of a topic, each line once."""
    return new_lines(line for trace in work.noted for line in trace.summary.splitlines())


def _asks(message: Any) -> bool:
    """Whether a message asks anything of a tool besides thinking, proposing and ending."""
    return bool(message.invalid_tool_calls) or any(c["name"] not in _QUIET for c in message.tool_calls)


def _can_ask(message: Any, tools: Sequence[Tool]) -> bool:
    """Whether one of the calls of a message can be carried out, unlike those of tools that nobody has."""
    calls = read_calls(message, [*tools, THINK, PROPOSE])
    return any(not call.problem and call.name not in _QUIET for call in calls)


def _with_a_query(message: Any, work: Work, tools: Sequence[Tool]) -> Any:
    """The message, with a query for a model that has none: what was not asked yet of topic and question."""
    block = work.block
    texts = [block.sub_topic, f"{block.sub_topic} {block.overview}".strip(), work.task.question]
    queries = [shorten(text, 300) for text in texts]
    asked = [trace.query for trace in block.tool_traces]
    query = next((query for query in queries if query not in asked), queries[len(asked) % len(queries)])
    call = {
        "name": tools[0].name,
        "args": {"queries": [query]},
        "id": f"query-{len(asked) + 1}" if work.progress.searches else FORCED,
    }
    return message.model_copy(update={"tool_calls": [*message.tool_calls, call]})


async def carry_out_request(work: Work, message: Any, iteration: int, ctx: Context) -> None:
    """Make the calls of a message, note what they brought, and take down what it proposes."""
    others = [call for call in message.tool_calls if call["name"] != PROPOSE.name]
    calls = message.model_copy(update={"tool_calls": others})
    done = work.progress.tool_calls + CALLS_PER_ROUND
    tools = [*tools_for(phase_of(iteration, ctx.settings.queue.max_iterations), ctx), THINK]
    loop = LoopLimits(tools, turns=_NO_CAP, calls=done, searches=done)
    answers, gaps = await run_tools(calls, work.progress, work.ledger, ctx, loop, work.task.given)
    work.gaps += gaps
    why = _why(message)
    traces = [
        _trace(work, call, told, iteration, why, ctx)
        for call, told in zip(read_calls(calls, tools), answers, strict=True)
        if call.name != THINK.name
    ]
    await _note(work, [trace for trace in traces if trace.source_ids], ctx)
    work.messages += [message, *map(_without_results, answers), *_propose(work, message, ctx)]


def _without_results(told: Any) -> Any:
    """An answer as the conversation keeps it: which sources it brought; what they say is in the notes."""
    named = _NOTED.format(", ".join(f'"{name}"' for name in sources_in_answer(told)))
    return told.model_copy(update={"content": named, "artifact": None}) if told.artifact else told


def _trace(work: Work, call: ToolCall, told: Any, iteration: int, why: str, ctx: Context) -> ToolTrace:
    """Keep a call with its decision and the sources of its answer."""
    ids = sources_in_answer(told)
    query = _asked(call)
    _record(work, iteration, "ask", f"{call.name}: {query}", why, ctx)
    trace = ToolTrace(
        tool_id=f"{ctx.branch}.{len(work.block.tool_traces) + 1}",
        citation_id=display_id(ids[0]) if ids else "", tool_type=call.name, query=query,
        timestamp=now_text(ctx), source_ids=ids, error="" if ids else told.content,
    )  # fmt: skip
    work.block.tool_traces.append(trace)
    return trace


async def _note(work: Work, traces: Sequence[ToolTrace], ctx: Context) -> None:
    """A note of each answer; the whole answer is kept aside."""
    found = [[s for s in work.ledger.sources if s.id in trace.source_ids] for trace in traces]
    before = known_so_far(work, ctx)
    jobs = [
        take_note(work.task.text, trace.query, sources, ctx, before, _lines(work))
        for trace, sources in zip(traces, found, strict=True)
    ]
    for trace, sources, note in zip(traces, found, await ctx.gather(jobs), strict=True):
        if isinstance(note, BaseException):
            raise note
        trace.summary = note.text
        trace.raw_answer = ctx.store.pages.put(evidence_text(sources, ctx))
        if note.cut:
            work.block.metadata.setdefault("cut", {})[trace.tool_id] = note.cut


def _propose(work: Work, message: Any, ctx: Context) -> list[Any]:
    """Answer the proposals of a message: refused at once, with the reason, or kept until their turn comes."""
    calls = [call for call in message.tool_calls if call["name"] == PROPOSE.name]
    own = message.model_copy(update={"tool_calls": calls, "invalid_tool_calls": []})
    return [
        tool_answer(call, f"Error: {call.problem}" if call.problem else _heard(work, call, ctx))
        for call in read_calls(own, [PROPOSE])
    ]


def _heard(work: Work, call: ToolCall, ctx: Context) -> str:
    """What a proposal's author is told."""
    proposal = Proposal(**call.arguments.model_dump(), parent=work.block.block_id)
    known = [*(b.sub_topic for b in work.task.known), *(p.title for p in work.proposals)]
    depth = work.block.metadata["depth"] + 1
    reason = screen_proposal(proposal, known, depth, ctx.settings.queue)
    ctx.emit("call", role="researcher", tool=PROPOSE.name, text=proposal.title, refused=reason)
    if not reason:
        work.proposals.append(proposal)
        return "Taken down. It is decided when its turn comes."
    work.block.refused.append(Refusal(title=proposal.title, parent=proposal.parent, reason=reason))
    return f"Refused: {reason}."


def _record(work: Work, iteration: int, kind: DecisionKind, choice: str, reason: str, ctx: Context) -> None:
    """Keep a decision with its reason, and report it."""
    phase = phase_of(iteration, ctx.settings.queue.max_iterations)
    decision = IterationDecision(iteration=iteration, phase=phase, kind=kind, choice=choice, reason=reason)
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
    """The notes of a block as one finding."""
    return Finding(
        branch=work.block.branch, topic=work.block.sub_topic, text="\n".join(_lines(work)),
        source_ids=list(dict.fromkeys(name for trace in work.noted for name in trace.source_ids)),
        queries=[trace.query for trace in work.block.tool_traces], ended=work.block.ended or "limit",
    )  # fmt: skip
