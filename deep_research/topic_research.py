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
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, Field

from .citation_ids import display_id
from .context import Context
from .errors import BudgetExceeded, ModelError
from .guard import fence
from .ledger import Ledger
from .models import chat, structured
from .note_taker import shown, take_note, word_count
from .prompting import evidence, system_prompt
from .researcher import Loop, Progress, or_search, run_tools
from .state import Finding, Gap, Record, Source
from .text import shorten
from .tools import THINK, ToolCall, answer, read_calls
from .topic_blocks import Decision, DecisionKind, Proposal, Refusal, ToolTrace, TopicBlock, screen
from .topic_tools import PROPOSE, Phase, offer, phase_of, tools_for

CALLS_PER_ROUND = 3
"""Calls of tools that one round may make."""
_NO_CAP = 1_000_000
_NOTED = "Noted above."
_REFERENCE = re.compile(r'<source id="([^"]+)" reading="([^"]*)"/>')


class Sufficiency(BaseModel):
    """Whether what is noted of a topic is enough to write about it."""

    sufficient: bool = Field(description="Whether the notes suffice.")
    reason: str = Field(description="Why, in a sentence; if they do not suffice, what is missing.")


class TopicResult(Record):
    """What a block hands back. It is what a checkpoint keeps of it."""

    block: TopicBlock
    findings: list[Finding] = Field(default_factory=list)
    sources: list[Source] = Field(default_factory=list)
    gaps: list[Gap] = Field(default_factory=list)
    proposals: list[Proposal] = Field(default_factory=list)


@dataclass
class TopicTask:
    """What a block starts with. `known` and `refused` are as much of the queue as it may know."""

    block: TopicBlock
    question: str
    known: Sequence[TopicBlock] = ()
    refused: Sequence[Refusal] = ()
    given: Sequence[Source] = ()

    @property
    def text(self) -> str:
        """The topic, its overview, and the question that it is part of."""
        said = [self.block.sub_topic, self.block.overview]
        return f"{'. '.join(filter(None, said))}\n\nOne topic of a larger question: “{self.question}”"


@dataclass
class _Work:
    """A block in the making."""

    task: TopicTask
    ledger: Ledger
    progress: Progress = field(default_factory=Progress)
    messages: list[Any] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)

    @property
    def block(self) -> TopicBlock:
        return self.task.block

    @property
    def noted(self) -> list[ToolTrace]:
        """The calls that brought something, oldest first."""
        return [trace for trace in self.block.tool_traces if trace.source_ids]


async def research_topic(task: TopicTask, ctx: Context) -> TopicResult:
    """All rounds of one block, tried again as often as the settings allow if it fails."""
    block, given = task.block, task.given
    work = _Work(task, Ledger(ctx.branch))
    for _ in range(1 + ctx.settings.queue.max_block_retries):
        block.move("researching", _now(ctx))
        work = _Work(task, Ledger(ctx.branch, work.ledger.sources), gaps=[])
        gap = await _contained(work, ctx)
        if gap is None or gap.kind == "budget" or work.noted:
            work.gaps += [gap] if gap else []
            block.move("completed" if work.noted or gap is None else "failed", _now(ctx))
            break
        work.gaps.append(gap)
        block.move("failed", _now(ctx))
        if block.metadata.get("retries", 0) < ctx.settings.queue.max_block_retries:
            block.move("pending", _now(ctx))
    if not work.noted and not work.gaps:
        work.gaps.append(ctx.gap("no_results", f"No source was found for “{ctx.topic}”."))
    findings = [_finding(work)] if work.noted else []
    known = {source.id for source in given}
    sources = [source for source in work.ledger.sources if source.id not in known]
    return TopicResult(
        block=block, findings=findings, sources=sources, gaps=work.gaps, proposals=work.proposals
    )


async def _contained(work: _Work, ctx: Context) -> Gap | None:
    """The rounds, or the gap that ended them early."""
    limit = ctx.settings.branch_timeout
    try:
        async with asyncio.timeout(limit):
            await _rounds(work, ctx)
    except TimeoutError:
        return ctx.gap("timeout", f"Research on “{ctx.topic}” took longer than {limit:g} s.")
    except BudgetExceeded as error:
        work.block.ended = "limit"
        return ctx.gap("budget", str(error))
    except Exception as error:
        return ctx.gap("branch_failed", f"Research on “{ctx.topic}” failed: {error or type(error).__name__}")
    return None


async def _rounds(work: _Work, ctx: Context) -> None:
    chosen, block = ctx.settings.queue, work.block
    flexible = chosen.iteration_mode == "flexible"
    block.ended = "limit"
    for iteration in range(1, chosen.max_iterations + 1):
        ctx.budget.reserve(ctx.branch, "compressor", {"model_calls": 1})
        phase = phase_of(iteration, chosen.max_iterations)
        verdict = await judge(work, ctx)
        _record(
            work, iteration, phase, "sufficient", "yes" if verdict.sufficient else "no", verdict.reason, ctx
        )
        if verdict.sufficient and flexible and work.noted:
            block.ended = "enough"
            return
        message = await ask(work, verdict, phase, chosen.max_iterations - iteration + 1, ctx)
        if not _asks(message):
            if flexible and work.noted:
                _record(work, iteration, phase, "ask", "nothing", _why(message), ctx)
                block.ended = "no_tool_call"
                return
            message = or_search(message, _unasked(work), tools_for(phase, ctx)[0])
        block.iteration_count = iteration
        await carry_out(work, message, iteration, phase, ctx)


def _asks(message: Any) -> bool:
    """Whether a message asks anything of a tool besides thinking and proposing."""
    quiet = (THINK.name, PROPOSE.name)
    return bool(message.invalid_tool_calls) or any(c["name"] not in quiet for c in message.tool_calls)


def _unasked(work: _Work) -> str:
    """A query for a model that has none: of topic, overview and question what was not asked yet."""
    block = work.block
    texts = [
        t for t in (block.sub_topic, f"{block.sub_topic} {block.overview}", work.task.question) if t.strip()
    ]
    asked = {trace.query for trace in block.tool_traces}
    return next((t for t in texts if shorten(t, 300) not in asked), texts[len(asked) % len(texts)])


async def judge(work: _Work, ctx: Context) -> Sufficiency:
    """Decision one: is it enough? Before anything is noted, and where no model can tell, it is not."""
    from langchain_core.messages import HumanMessage

    if not work.noted:
        return Sufficiency(sufficient=False, reason="Nothing is noted yet.")
    told = f"Topic: {fence(work.task.text)}\n\n{_notes(work, ctx)}"
    messages = [system_prompt("sufficiency", ctx), HumanMessage(told)]
    try:
        return await structured("researcher", messages, Sufficiency, ctx)
    except ModelError as error:
        return Sufficiency(sufficient=False, reason=f"This could not be judged: {error}")


async def ask(work: _Work, verdict: Sufficiency, phase: Phase, rounds_left: int, ctx: Context) -> Any:
    """Decision two: what to ask with which tool; an assistant message."""
    from langchain_core.messages import HumanMessage

    prompt = system_prompt(
        "topic_researcher", ctx, rounds_left=rounds_left, min_score=f"{ctx.settings.queue.min_score:g}"
    )
    given = [HumanMessage(evidence(work.task.given, ctx))] if work.task.given else []
    around = f"{_notes(work, ctx)}\n\n{_surroundings(work, verdict)}".strip()
    told = [prompt, *given, HumanMessage(around), HumanMessage(fence(work.task.text)), *work.messages]
    return await chat("researcher", told, ctx, tools=offer(phase, ctx))


def _surroundings(work: _Work, verdict: Sufficiency) -> str:
    """What is in other hands, what was refused, and what is missing."""
    others = [block for block in work.task.known if block.block_id != work.block.block_id]
    lines = ["In other hands:", *(f"- {fence(block.sub_topic)}" for block in others)] if others else []
    refused = [*work.task.refused, *work.refusals]
    lines += ["Suggested and refused:"] if refused else []
    lines += [f"- {fence(one.title)}: {fence(one.reason)}" for one in refused]
    return "\n".join([*lines, f"Noted so far: {fence(verdict.reason)}"])


def _notes(work: _Work, ctx: Context) -> str:
    """What is noted, under its sources; where it is too much for a prompt, the newest notes are kept."""
    left, kept = ctx.settings.queue.shown_notes_words, list[str]()
    for trace in reversed([trace for trace in work.noted if trace.summary]):
        left -= word_count(trace.summary)
        if left < 0 and kept:
            ctx.emit("budget", role="researcher", text="older notes left out", cut=[trace.tool_id])
            break
        kept.insert(0, trace.summary)
    return shown("\n".join(dict.fromkeys("\n".join(kept).splitlines())), work.ledger.sources)


async def carry_out(work: _Work, message: Any, iteration: int, phase: Phase, ctx: Context) -> None:
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
    work: _Work, call: ToolCall, told: Any, iteration: int, phase: Phase, why: str, ctx: Context
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


async def _note(work: _Work, traces: Sequence[ToolTrace], ctx: Context) -> None:
    """A note of each answer; the whole answer is kept aside."""
    found = [[s for s in work.ledger.sources if s.id in trace.source_ids] for trace in traces]
    before = _notes(work, ctx)
    jobs = [
        take_note(work.task.text, trace.query, sources, ctx, before)
        for trace, sources in zip(traces, found, strict=True)
    ]
    for trace, sources, note in zip(traces, found, await ctx.gather(jobs), strict=True):
        if isinstance(note, BaseException):
            raise note
        trace.summary = note.text
        trace.raw_answer = ctx.store.pages.put(evidence(sources, ctx))
        if note.cut:
            work.block.metadata.setdefault("cut", {})[trace.tool_id] = note.cut


def _propose(work: _Work, message: Any, ctx: Context) -> list[Any]:
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


def _heard(work: _Work, call: ToolCall, ctx: Context) -> str:
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
    work: _Work, iteration: int, phase: Phase, kind: DecisionKind, choice: str, reason: str, ctx: Context
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
    return " ".join(filter(None, [*thoughts, str(message.text).strip()])) or "No reason was given."


def _finding(work: _Work) -> Finding:
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
