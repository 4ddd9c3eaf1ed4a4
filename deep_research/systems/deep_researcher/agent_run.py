"""One run of an agent: all that it works with besides its model.

A graph that an agent library assembles holds the agent's messages and files. Everything else (instructions,
tools, sources, limits) is in an `AgentRun`, which is that graph's run context: so one assembled agent serves
all runs and branches. A message's calls of our own tools are carried out together and in order, whichever of
them the library starts first: ids of sources never depend on scheduling.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from deep_research.components.researcher import (
    LoopLimits,
    LoopProgress,
    force_search_if_idle,
    loop_in_phase,
    run_tools,
)
from deep_research.components.supervisor import Assignment, delegate
from deep_research.core.records import Ended, Gap, Source
from deep_research.engine.context import Context
from deep_research.engine.evidence import with_source_texts
from deep_research.engine.tools import Tool, ToolCall, tool_answer
from deep_research.sources.ledger import Ledger


@dataclass
class AgentRun(ABC):
    """What every agent's run has.

    `kept` are texts that a summary of the conversation must not lose: the plan, the open gaps.
    """

    ctx: Context
    instructions: Any
    tools: Sequence[Tool]
    most_turns: int
    kept: Sequence[str] = ()
    turns: int = 0
    ended: Ended | None = None
    _asked: str = ""
    _answers: asyncio.Task[list[Any]] | None = None

    def next_turn(self) -> bool:
        """Whether the agent may speak once more; counts the turn."""
        if self.ended is None and self.turns >= self.most_turns:
            self.ended = "limit"
        self.turns += self.ended is None
        return self.ended is None

    def amended(self, message: Any) -> Any:
        """A model's message, changed where this kind of work wants it."""
        return message

    def sources(self) -> list[Source]:
        """What has been found so far."""
        return []

    async def answer(self, message: Any, call_id: str) -> Any:
        """The answer to one call of a message; all of its calls are carried out with the first one."""
        if self._answers is None or self._asked != message.id:
            self._asked = message.id
            self._answers = asyncio.create_task(self.carry_out(self._own(message)))
        answers = await self._answers
        return next(one for one in answers if one.tool_call_id == call_id)

    def _own(self, message: Any) -> Any:
        """The message with calls of this run's tools only; the library's tools answer for themselves."""
        names = {tool.name for tool in self.tools}
        calls = [call for call in message.tool_calls if call["name"] in names]
        return message.model_copy(update={"tool_calls": calls})

    @abstractmethod
    async def carry_out(self, message: Any) -> list[Any]:
        """Do what a message's calls ask for; one tool message per call, in order."""


@dataclass
class SearchRun(AgentRun):
    """The run of an agent that searches: its topic, its limits, and the register of what it found."""

    topic: str = ""
    loop: LoopLimits = field(default_factory=lambda: LoopLimits((), 1, 1, 1))
    ledger: Ledger = field(default_factory=lambda: Ledger("0"))
    progress: LoopProgress = field(default_factory=LoopProgress)
    gaps: list[Gap] = field(default_factory=list)
    said: list[Any] = field(default_factory=list)
    _results: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tools = self._in_phase().tools

    def _in_phase(self) -> LoopLimits:
        """The loop as it is now: where sources have an order, with the tools of one side."""
        return loop_in_phase(self.loop, self.progress.phase, self.ctx)

    def amended(self, message: Any) -> Any:
        """The message; one without a call, where there is more to be searched, becomes a search."""
        message = force_search_if_idle(message, self.topic, bool(self.said), self.progress, self._in_phase())
        self.said.append(message)
        return message

    def sources(self) -> list[Source]:
        return self.ledger.sources

    async def carry_out(self, message: Any) -> list[Any]:
        """Search, read and count; the answers hold the texts of the sources, each text once."""
        answers, gaps = await run_tools(message, self.progress, self.ledger, self.ctx, self._in_phase())
        self.tools = self._in_phase().tools
        self.gaps += gaps
        self.ended = self.progress.ended
        self._results += answers
        return with_source_texts(self._results, self.ledger.sources, self.ctx)[-len(answers) :]


@dataclass
class DelegationRun(AgentRun):
    """The run of an agent that hands out topics; it ends with its first decision.

    `done` are topics researched before, `started` is how many researchers there were.
    """

    brief: str = ""
    done: Sequence[str] = ()
    started: int = 0
    assignments: list[Assignment] = field(default_factory=list)

    async def carry_out(self, message: Any) -> list[Any]:
        """Note the topics; the researchers start when the agent has ended."""
        decision = delegate(message, self.brief, self.done, self.started, self.ctx, role="orchestrator")
        self.assignments = decision.assignments
        self.ended = decision.ended or ("done" if decision.assignments else None)
        begun = [
            tool_answer(ToolCall(one.call_id, "", None), f"Researcher {one.branch} works on it.")
            for one in decision.assignments
        ]
        return [*decision.answers, *begun]
