"""The run context: what nodes and components get besides the state (LangGraph's `context_schema`).

Nothing in here knows whether it runs offline. A `Context` belongs to one branch; `on` gives the same run's
context for another one.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from .budget import Budget
from .clock import Clock
from .gaps import Said, gap_of, kind_of, why_of
from .settings import Settings
from .state import Gap, GapKind
from .store import RunStore
from .tracing import Event, EventType, Recorder

if TYPE_CHECKING:
    from .knowledge import Knowledge
    from .models import Models
    from .tools.pages import PageOpener
    from .tools.search import SearchProvider

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


@dataclass(frozen=True)
class Context:
    """One run as seen from one branch."""

    run_id: str
    settings: Settings
    clock: Clock
    models: Models
    search: SearchProvider | None
    budget: Budget
    store: RunStore
    trace: Recorder
    shared: Shared
    sink: Callable[[Event], None] = lambda event: None
    branch: str = "0"
    topic: str = ""
    said: str = ""
    """The user's own words: the question and the turns before it."""
    knowledge: Knowledge | None = None
    pages: PageOpener | None = None

    def on(self, branch: str, topic: str = "") -> Context:
        """This run, seen from another branch."""
        return replace(self, branch=branch, topic=topic)

    async def gather(self, jobs: Sequence[Coroutine[Any, Any, T]]) -> list[T | BaseException]:
        """Run independent jobs side by side; results (or errors) come back in the order given."""
        return await self.trace.gather(self.branch, jobs)

    def emit(self, type: EventType, *, role: str = "", tool: str = "", text: str = "", **data: Any) -> None:
        """Report progress to whoever watches the run."""
        event = Event(
            type=type,
            run_id=self.run_id,
            role=role,
            topic=self.topic,
            tool=tool,
            text=text,
            data=data,
            at=self.clock.now(),
        )
        try:
            self.sink(event)
        except Exception:  # who watches a run must not be able to break it
            _LOG.debug("the watcher of run %s failed on %s", self.run_id, type, exc_info=True)

    def gap(self, kind: GapKind, said: Said, topic: str | None = None, /, **fields: str | int | float) -> Gap:
        """A typed gap of this branch, reported as progress too; `said` is its sentence in `gaps.toml`."""
        gap = gap_of(kind, said, self.topic if topic is None else topic, self.branch, **fields)
        self.emit("gap", text=gap.message, kind=kind)
        return gap

    def failure(
        self, said: Said, error: BaseException, topic: str | None = None, /, **fields: str | int | float
    ) -> Gap:
        """The gap that an error leaves: of kind `budget` where a limit was reached, else `branch_failed`."""
        why = why_of(error)
        return self.gap(kind_of(why), said, topic, **fields, **why)
