"""The two decisions of a round on one topic: is it enough, and what to ask next with which tool and why.

Both see what planning found and what is noted; the second one also which topics are in other hands, and
which were refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, Field

from .context import Context
from .errors import ModelError
from .guard import fence
from .ledger import Ledger
from .models import chat, structured
from .note_taker import shown, word_count
from .prompting import evidence, system_prompt
from .researcher import Progress
from .state import Gap, Source
from .topic_blocks import Proposal, Refusal, ToolTrace, TopicBlock
from .topic_tools import Phase, offer


class Sufficiency(BaseModel):
    """Whether what is noted of a topic is enough to write about it."""

    sufficient: bool = Field(description="Whether the notes suffice.")
    reason: str = Field(description="Why, in a sentence; if they do not suffice, what is missing.")


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


async def judge(work: Work, ctx: Context) -> Sufficiency:
    """Decision one: is it enough? Before anything is noted, and where no model can tell, it is not."""
    from langchain_core.messages import HumanMessage

    if not work.noted:
        return Sufficiency(sufficient=False, reason="Nothing is noted yet.")
    told = f"Topic: {fence(work.task.text)}\n\n{known(work, ctx)}"
    messages = [system_prompt("sufficiency", ctx), HumanMessage(told)]
    try:
        return await structured("researcher", messages, Sufficiency, ctx)
    except ModelError as error:
        return Sufficiency(sufficient=False, reason=f"This could not be judged: {error}")


async def ask(work: Work, verdict: Sufficiency, phase: Phase, rounds_left: int, ctx: Context) -> Any:
    """Decision two: what to ask with which tool; an assistant message."""
    from langchain_core.messages import HumanMessage

    prompt = system_prompt(
        "topic_researcher", ctx, rounds_left=rounds_left, min_score=f"{ctx.settings.queue.min_score:g}"
    )
    around = f"{known(work, ctx)}\n\n{_surroundings(work, verdict)}".strip()
    told = [prompt, HumanMessage(around), HumanMessage(fence(work.task.text)), *work.messages]
    return await chat("researcher", told, ctx, tools=offer(phase, ctx))


def _surroundings(work: Work, verdict: Sufficiency) -> str:
    """What is in other hands, what was refused, and what is missing."""
    others = [block for block in work.task.known if block.block_id != work.block.block_id]
    lines = ["In other hands:", *(f"- {fence(block.sub_topic)}" for block in others)] if others else []
    refused = [*work.task.refused, *work.refusals]
    lines += ["Suggested and refused:"] if refused else []
    lines += [f"- {fence(one.title)}: {fence(one.reason)}" for one in refused]
    return "\n".join([*lines, f"Noted so far: {fence(verdict.reason)}"])


def known(work: Work, ctx: Context) -> str:
    """What planning found and what is noted, under its sources.

    Where it is too much for a prompt, the newest notes are kept.
    """
    left, kept = ctx.settings.queue.shown_notes_words, list[str]()
    for trace in reversed([trace for trace in work.noted if trace.summary]):
        left -= word_count(trace.summary)
        if left < 0 and kept:
            ctx.emit("budget", role="researcher", text="older notes left out", cut=[trace.tool_id])
            break
        kept.insert(0, trace.summary)
    notes = shown("\n".join(kept), [*work.task.given, *work.ledger.sources])
    return "\n\n".join(filter(None, (evidence(work.task.given, ctx), notes)))
