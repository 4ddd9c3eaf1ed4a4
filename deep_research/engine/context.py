"""The run context: what nodes and components get besides the state (LangGraph's `context_schema`).

Nothing in here knows whether it runs offline. A `Context` belongs to one branch; `on` gives the same run's
context for another one.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from deep_research.core.clock import Clock
from deep_research.core.errors import UsageError
from deep_research.core.forms import topic_title
from deep_research.core.gaps import GapSentence, cause_of, gap_of, kind_of_cause
from deep_research.core.records import Gap, GapKind
from deep_research.settings import Settings
from deep_research.text.language import report_language

from .budget import Budget
from .clients import Models
from .offer import Offer
from .providers import Notes, PageOpener, SearchProvider
from .store import RunStore
from .trace import Event, EventType, Recorder

T = TypeVar("T")
_LOG = logging.getLogger(__name__)


@dataclass
class Shared:
    """What all branches of one run hold together."""

    slots: asyncio.Semaphore
    started: float
    branch_started: dict[str, float] = field(default_factory=dict)
    """When each branch began in this sitting, in seconds of the clock; its time limit counts from here."""
    occurrences: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    in_flight: dict[tuple[str, str], asyncio.Future[Any]] = field(default_factory=dict)
    peak_in_flight: int = 0
    now_in_flight: int = 0
    gates: dict[str, asyncio.Semaphore] = field(default_factory=dict)

    def gate(self, name: str, most: int) -> asyncio.Semaphore:
        """What lets at most so many branches of one kind work at a time, over the whole run."""
        return self.gates.setdefault(name, asyncio.Semaphore(most))


def check_start(state: Mapping[str, Any], context: Any) -> None:
    """Raise `UsageError` where a graph was started without what every design needs."""
    if not isinstance(context, Context):
        raise UsageError(
            "This graph was started without its context.",
            "Give one: graph.ainvoke(input, context=build_environment(settings).context(settings)).",
        )
    if not (state.get("question") and state.get("history")):
        example = '{"question": "…", "history": [{"role": "user", "content": "…"}]}'
        raise UsageError("This graph was started without a question and a history.", f"Its input: {example}")


@dataclass(frozen=True)
class Context:
    """One run as seen from one branch."""

    run_id: str
    settings: Settings
    clock: Clock
    models: Models
    search: SearchProvider
    budget: Budget
    store: RunStore
    trace: Recorder
    shared: Shared
    offer: Offer
    """What the run can search, worked out once."""
    sink: Callable[[Event], None]
    branch: str = "0"
    topic: str = ""
    question: str = ""
    """What the run is to answer."""
    said: str = ""
    """The user's own words: the question and the turns before it."""
    knowledge: Notes | None = None
    pages: PageOpener | None = None

    @property
    def language(self) -> str:
        """The language of the report: the one that the settings name, or the question's."""
        return report_language(self.question, self.settings.language)

    def on(self, branch: str, topic: str = "") -> Context:
        """This run, seen from another branch; its readers know the topic by a title."""
        return replace(self, branch=branch, topic=topic_title(topic, self.question) if topic else "")

    def about(self, question: str) -> Context:
        """This run with another question: a component called alone answers in that question's language."""
        return self if question == self.question else replace(self, question=question)

    def elapsed(self) -> float:
        """Seconds of the run's clock since the run began."""
        return round(self.clock.seconds() - self.shared.started, 6)

    async def gather(self, jobs: Sequence[Coroutine[Any, Any, T]]) -> list[T | BaseException]:
        """Run independent jobs side by side; results (or errors) come back in the order given."""
        return await self.trace.gather(self.branch, jobs)

    def emit(self, type: EventType, *, role: str = "", tool: str = "", text: str = "", **data: Any) -> None:
        """Report progress to whoever watches the run."""
        event = Event(
            type=type, run_id=self.run_id, role=role, topic=self.topic, tool=tool, text=text, data=data,
            at=self.clock.now(),
        )  # fmt: skip
        try:
            self.sink(event)
        except Exception:  # who watches a run must not be able to break it
            _LOG.debug("the watcher of run %s failed on %s", self.run_id, type, exc_info=True)

    def gap(
        self, kind: GapKind, said: GapSentence, topic: str | None = None, /, **fields: str | int | float
    ) -> Gap:
        """A typed gap of this branch, reported as progress too; `said` is its sentence in `gaps.toml`."""
        gap = gap_of(kind, said, self.topic if topic is None else topic, self.branch, **fields)
        self.emit("gap", text=gap.message, kind=kind)
        return gap

    def failure(
        self, said: GapSentence, error: BaseException, topic: str | None = None, /, **fields: str | float
    ) -> Gap:
        """The gap that an error leaves: of kind `budget` where a limit was reached, else `branch_failed`."""
        why = cause_of(error)
        return self.gap(kind_of_cause(why), said, topic, **fields, **why)
