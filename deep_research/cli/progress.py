"""Live progress on stderr: who is researching what, searches, tokens, elapsed time.

On a terminal a small table is redrawn in place; elsewhere each event that matters is one line. Both keep a
`Tally` of the run's events.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from deep_research.text.language import counted

from .terminal import clip, tell

if TYPE_CHECKING:
    from deep_research.engine.trace import Event


_ROWS = 8
"""Workers that are shown in the smallest terminal."""
_LAST = ("compressor", "writer")
"""The roles whose answer ends the work on a topic."""
_LONGEST = 300
"""Columns of a cell at most; the table cuts it to what the terminal has room for."""


@dataclass
class Worker:
    """One role, or one researched topic: what it did last."""

    name: str
    doing: str = ""
    searches: int = 0
    done: bool = False
    """Whether it has brought its last piece of work, as far as anybody can tell."""


@dataclass
class Tally:
    """What the events of a run add up to. Workers are in order of their last activity, latest last."""

    run_id: str = ""
    model_calls: int = 0
    searches: int = 0
    sources: int = 0
    tokens: int = 0
    cost: float = 0.0
    written: int = 0
    workers: dict[str, Worker] = field(default_factory=dict)
    note: str = ""

    def count(self, event: Event) -> None:
        """Add one event."""
        self.run_id = event.run_id
        if event.type == "call" and event.tool == "model":
            self.model_calls += 1
        elif event.type == "call" and event.tool in ("search", "fetch"):
            self.searches += 1
        elif event.type == "source":
            self.sources += 1
        elif event.type == "token":
            self.written += len(event.text) - event.data.get("retract", 0)
        elif event.type in ("gap", "budget"):
            self.note = event.text
        elif event.type == "done":
            for worker in self.workers.values():
                worker.done = True
        if event.type == "call":
            self.tokens += int(event.data.get("tokens", 0))
            self.cost += float(event.data.get("cost", 0))
        if event.role:
            self._see(event)

    def _see(self, event: Event) -> None:
        key = event.topic or event.role
        worker = self.workers.pop(key, None) or Worker(key.replace("_", " "))
        self.workers[key] = worker
        worker.searches += event.type == "call" and event.tool == "search"
        doing = _doing(event, self.written)
        worker.doing = doing or worker.doing
        worker.done = (
            event.type == "call" and event.tool == "model" and (event.role in _LAST or not event.topic)
        )

    def figures(self) -> str:
        """One line of totals."""
        return (
            f"{counted(self.model_calls, 'model call')}, {counted(self.searches, 'search', 'searches')}, "
            f"{counted(self.sources, 'source')}, {self.tokens:,} tokens"
            f"{f', ${self.cost:.2f}' if self.cost else ''}"
        )


def _doing(event: Event, written: int) -> str:
    """What a worker is at, in a few words."""
    if event.type == "token":
        return f"writing, {written:,} characters"
    if event.type == "retry":
        return event.text
    if event.tool == "search" and event.text:
        return f"search: {event.text}"
    if event.tool == "think":
        return f"thinks: {event.text}"
    state = {"started": "at work", "call": "has answered"}.get(event.type)
    return f"{event.role.replace('_', ' ')} {state}" if state and event.tool == "model" else ""


class Silent:
    """Shows nothing, but keeps the tally; the base of those that show something."""

    def __init__(self) -> None:
        self.tally = Tally()

    def __call__(self, event: Event) -> None:
        self.tally.count(event)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """While this lasts the terminal belongs to somebody else."""
        yield

    def stop(self) -> None:
        """Show nothing more; may be called twice."""


class Lines(Silent):
    """One short line for each event that matters."""

    def __init__(self) -> None:
        super().__init__()
        self._began = time.monotonic()
        self._known: set[str] = set()

    def __call__(self, event: Event) -> None:
        super().__call__(event)
        line = self._line(event)
        if line:
            tell(f"{time.monotonic() - self._began:6.1f}s  {clip(line, 110)}")

    def _line(self, event: Event) -> str:
        if event.type == "retry":
            return f"retry: {event.text}"
        if event.type in ("gap", "budget"):
            return self._once(f"{event.type}: {event.text}")
        if event.type != "started":
            return ""
        if not event.role:
            return f"run {event.run_id}"
        if event.tool == "search":
            return self._once(f"search: {event.text}")
        if not event.topic:
            return self._once(event.role.replace("_", " "))
        return self._once(f"{'write' if event.role == 'writer' else 'research'}: {event.topic}")

    def _once(self, line: str) -> str:
        """The line, or nothing where it was shown before."""
        known = line in self._known
        self._known.add(line)
        return "" if known else line


class Screen(Silent):
    """A table that is redrawn in place while the run goes on."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.live import Live

        super().__init__()
        self._began = time.monotonic()
        self._console = Console(file=sys.stderr, emoji=False, markup=False, highlight=False)
        self._live = Live(
            get_renderable=self._table, console=self._console, refresh_per_second=8, transient=True,
            redirect_stdout=False, redirect_stderr=False,
        )  # fmt: skip
        self._live.start()

    @contextmanager
    def paused(self) -> Iterator[None]:
        self._live.stop()
        try:
            yield
        finally:
            self._live.start()

    def stop(self) -> None:
        if self._live.is_started:
            self._live.stop()
            self._console.print(self._rows(len(self.tally.workers)))

    def _rows(self, most: int) -> Any:
        """The latest workers; those that are done with a tick."""
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid(padding=(0, 2), expand=True)
        grid.add_column(ratio=2, no_wrap=True, overflow="ellipsis")
        grid.add_column(ratio=3, no_wrap=True, overflow="ellipsis", style="dim")
        grid.add_column(justify="right", no_wrap=True)
        for worker in list(self.tally.workers.values())[-most:]:
            found = f"searches: {worker.searches}" if worker.searches else ""
            name = clip(f"{'✓' if worker.done else '·'} {worker.name}", _LONGEST)
            grid.add_row(Text(name), Text("" if worker.done else clip(worker.doing, _LONGEST)), found)
        return grid

    def _table(self) -> Any:
        from rich.console import Group
        from rich.spinner import Spinner
        from rich.text import Text

        grid = self._rows(max(_ROWS, self._console.height - 4))
        elapsed = time.monotonic() - self._began
        head = Spinner(
            "dots", Text(f"{elapsed:5.1f}s  {self.tally.figures()}", no_wrap=True, overflow="ellipsis")
        )
        note = [Text(clip(self.tally.note, _LONGEST), style="yellow", no_wrap=True, overflow="ellipsis")]
        return Group(head, grid, *(note if self.tally.note else []))


def start_progress(quiet: bool) -> Silent:
    """The kind of progress that suits stderr."""
    if quiet:
        return Silent()
    smart = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    return Screen() if smart else Lines()
