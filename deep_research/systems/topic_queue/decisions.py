"""The decisions of a round on one topic: is it enough, what to ask next, with which tool, and why.

Both decisions see what planning found and what the notes hold; the second one also sees which topics others
cover, and which proposals were refused.

The phase of a round decides which tools the model is offered: early rounds look into what is at hand (notes,
documents, labelled items), middle ones search outside (web and papers), late ones close gaps with everything.
A tool of another phase, one that is switched off, or one with nothing behind it is not offered. A phase
without any tool takes the next one's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, Field

from deep_research.components.researcher import LoopProgress
from deep_research.core.errors import ModelError
from deep_research.core.extras import is_installed
from deep_research.core.records import Gap, Source
from deep_research.engine.chat import chat
from deep_research.engine.context import Context
from deep_research.engine.evidence import evidence_text
from deep_research.engine.prompting import system_prompt, user_message
from deep_research.engine.structured import structured
from deep_research.engine.tools import (
    CALCULATE,
    LOOK_UP_ITEM,
    SEARCH,
    SEARCH_DOCUMENTS,
    SEARCH_KNOWLEDGE,
    SEARCH_PAPERS,
    THINK,
    Arguments,
    Tool,
)
from deep_research.sources.ledger import Ledger, canonical_key
from deep_research.text.fence import fence

from .blocks import Proposal, Refusal, ToolTrace, TopicBlock
from .notes import note_by_source, note_words


class Sufficiency(BaseModel):
    """Whether the notes on a topic are enough to write about it."""

    sufficient: bool = Field(description="Whether the notes are enough.")
    reason: str = Field(
        description="The reason, in one sentence. If the notes are not enough, what is missing."
    )


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
        title, overview = self.block.sub_topic, self.block.overview
        between = " " if title.endswith(("?", "？", "。")) else ". "
        topic = between.join(filter(None, (title, overview)))
        return f"{topic}\n\nOne topic of a larger question: “{self.question}”"


@dataclass
class Work:
    """A block in the making: its conversation, its sources, and what it proposes."""

    task: TopicTask
    ledger: Ledger
    progress: LoopProgress = field(default_factory=LoopProgress)
    messages: list[Any] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)

    @property
    def block(self) -> TopicBlock:
        return self.task.block

    @property
    def given(self) -> list[Source]:
        """What planning found, without the pages that were found here again: nothing is shown twice."""
        own = {canonical_key(source) for source in self.ledger.sources}
        return [source for source in self.task.given if canonical_key(source) not in own]

    @property
    def noted(self) -> list[ToolTrace]:
        """The calls that brought something, oldest first."""
        return [trace for trace in self.block.tool_traces if trace.source_ids]


async def judge_sufficiency(work: Work, ctx: Context) -> Sufficiency:
    """Decision one: is it enough? Before anything is noted, and where no model can tell, it is not."""
    if not work.noted:
        return Sufficiency(sufficient=False, reason="Nothing is noted yet.")
    told = f"Topic: {fence(work.task.text)}\n\n{known_so_far(work, ctx)}"
    messages = [system_prompt("sufficiency", ctx), user_message(told)]
    try:
        return await structured("researcher", messages, Sufficiency, ctx)
    except ModelError as error:
        return Sufficiency(sufficient=False, reason=f"This could not be judged: {error}")


async def next_request(work: Work, verdict: Sufficiency, phase: Phase, rounds_left: int, ctx: Context) -> Any:
    """Decision two: what to ask with which tool; an assistant message."""
    prompt = system_prompt(
        "topic_researcher", ctx, rounds_left=rounds_left, min_score=f"{ctx.settings.queue.min_score:g}"
    )
    around = f"{known_so_far(work, ctx)}\n\n{_surroundings(work, verdict)}".strip()
    told = [prompt, user_message(around), user_message(fence(work.task.text)), *work.messages]
    return await chat("researcher", told, ctx, tools=[*tools_for(phase, ctx), THINK, PROPOSE])


def _surroundings(work: Work, verdict: Sufficiency) -> str:
    """What other topics cover, what was refused, and what is missing."""
    others = [block for block in work.task.known if block.block_id != work.block.block_id]
    lines = ["Covered by other topics:"] if others else []
    lines += [f"- {fence(block.sub_topic)}" for block in others]
    refused = [*work.task.refused, *work.block.refused]
    lines += ["Proposed and refused:"] if refused else []
    lines += [f"- {fence(one.title)}: {fence(one.reason)}" for one in refused]
    return "\n".join([*lines, f"Noted so far: {fence(verdict.reason)}"])


def known_so_far(work: Work, ctx: Context) -> str:
    """What planning found and what is noted, under its sources.

    Where it is too much for a prompt, the newest notes are kept.
    """
    left, kept = ctx.settings.queue.shown_notes_words, list[str]()
    for trace in reversed([trace for trace in work.noted if trace.summary]):
        left -= note_words(trace.summary)
        if left < 0 and kept:
            ctx.emit("budget", role="researcher", text="older notes left out", cut=[trace.tool_id])
            break
        kept.insert(0, trace.summary)
    notes = note_by_source("\n".join(kept), [*work.task.given, *work.ledger.sources])
    return "\n\n".join(filter(None, (evidence_text(work.given, ctx), notes)))


Phase = Literal["early", "middle", "late"]

_PHASES: dict[Phase, tuple[Tool, ...]] = {
    "early": (SEARCH_KNOWLEDGE, SEARCH_DOCUMENTS, LOOK_UP_ITEM),
    "middle": (SEARCH, SEARCH_PAPERS, CALCULATE),
    "late": (SEARCH, SEARCH_PAPERS, SEARCH_KNOWLEDGE, SEARCH_DOCUMENTS, LOOK_UP_ITEM, CALCULATE),
}
STARTERS = {tool.name for tool in (SEARCH, SEARCH_PAPERS, SEARCH_KNOWLEDGE, SEARCH_DOCUMENTS)}
"""Tools that need nothing to start from: a phase is only one with such a tool."""


class ProposeArguments(Arguments):
    title: str = Field(description="A short title that stands on its own.")
    overview: str = Field("", description="What to find out, in one or two sentences.")
    score: Any = Field(0, description="From 0 to 1: how much the answer would lack without this topic.")
    because: str = Field("", description="The note that led to this topic.")


PROPOSE = Tool(
    "propose_another",
    "Propose a topic that came up here, that the whole question needs, and that no other topic covers.",
    ProposeArguments,
)


def phase_of(iteration: int, rounds: int) -> Phase:
    """The phase of a round: the first third is early and the last third late; a single round is late."""
    third = max(rounds // 3, 1)
    if iteration > rounds - third:
        return "late"
    return "early" if iteration <= third else "middle"


def tools_for(phase: Phase, ctx: Context) -> list[Tool]:
    """What a model may ask with in this phase."""
    able, phases = tools_available(ctx), dict(_PHASES)
    if ctx.settings.search.source_order == "external_first":
        phases |= {"early": _PHASES["middle"], "middle": _PHASES["early"]}
    order: tuple[Phase, ...] = ("early", "middle", "late")
    for one in order[order.index(phase) :]:
        tools = [able[tool.name] for tool in phases[one] if tool.name in able]
        if any(tool.name in STARTERS for tool in tools):
            return tools
    return [tool for tool in able.values() if tool.name in STARTERS]


def tools_available(ctx: Context) -> dict[str, Tool]:
    """All tools of a run by name: there is something behind them, and no setting leaves them out."""
    chosen, names = ctx.settings.queue, ctx.settings.tools.get("researcher")
    able = {tool.name: tool for tool in ctx.offer.tools}
    if ctx.knowledge is not None:
        able[SEARCH_KNOWLEDGE.name] = SEARCH_KNOWLEDGE
    if is_installed("pydantic_monty"):
        able[CALCULATE.name] = CALCULATE
    able[LOOK_UP_ITEM.name] = LOOK_UP_ITEM
    wanted = {
        SEARCH.name: chosen.use_web,
        SEARCH_PAPERS.name: chosen.use_papers,
        SEARCH_KNOWLEDGE.name: chosen.use_knowledge,
        SEARCH_DOCUMENTS.name: chosen.use_knowledge,
        LOOK_UP_ITEM.name: chosen.use_items,
        CALCULATE.name: chosen.use_code,
    }
    return {n: tool for n, tool in able.items() if wanted.get(n, True) and (names is None or n in names)}
