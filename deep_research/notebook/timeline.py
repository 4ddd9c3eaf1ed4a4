"""When each call of a trace ran, what it waited for, and in which lane it is shown. Plain data, no drawing.

Simulated times make every call last 0.2 s: it starts when the calls that it came after (`after`) have ended
and, under a limit on calls in flight, when one of those ends. So they show the shape of the run and not the
speed of a machine. A result that one branch took over from another is no call and is left out.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from deep_research.engine.trace import TraceLine, schedule, simulated_seconds
from deep_research.report import Report

Trace = Report | Sequence[TraceLine]
_SOON = 1e-9


@dataclass(frozen=True)
class Bar:
    """One call: `ready` when all its `needs` had ended, at work from `start` to `end` (seconds)."""

    line: TraceLine
    needs: tuple[str, ...]
    ready: float
    start: float
    end: float

    @property
    def waited(self) -> float:
        """Seconds that it was held back by the limit on calls in flight."""
        return max(0.0, self.start - self.ready)


@dataclass(frozen=True)
class Lane:
    """A row of calls that do not overlap; only the first row of a branch has a title."""

    title: str
    bars: list[Bar]


@dataclass(frozen=True)
class Timeline:
    """The lanes from top to bottom. `unlimited` are the simulated seconds without a limit on calls."""

    lanes: list[Lane]
    unlimited: float
    limit: int | None

    @property
    def bars(self) -> list[Bar]:
        """All calls, lane by lane."""
        return [bar for lane in self.lanes for bar in lane.bars]

    @property
    def end(self) -> float:
        """When the last call ends."""
        return max((bar.end for bar in self.bars), default=0.0)

    @property
    def waited(self) -> float:
        """Seconds that all calls together were held back by the limit."""
        return sum(bar.waited for bar in self.bars)

    @property
    def most_at_once(self) -> int:
        """The most calls that were under way at one time."""
        moments = [(bar.start, 1) for bar in self.bars] + [(bar.end - _SOON, -1) for bar in self.bars]
        running = most = 0
        for _, change in sorted(moments):
            running += change
            most = max(most, running)
        return most

    def longest_path(self) -> list[str]:
        """The calls that decided when the last one ended, first to last."""
        bars = {bar.line.id: bar for bar in self.bars}
        path: list[str] = []
        call = max(bars.values(), key=lambda bar: (bar.end, bar.line.id), default=None)
        while call is not None:
            path.append(call.line.id)
            call = latest_need(call, bars)
        return path[::-1]


def latest_need(bar: Bar, bars: dict[str, Bar]) -> Bar | None:
    """Of the calls that a call came after, the one that ended last."""
    needs = (bars[need] for need in bar.needs if need in bars)
    return max(needs, key=lambda need: (need.end, need.line.id), default=None)


def who(line: TraceLine) -> str:
    """The role of a model call, or the kind of any other call."""
    return line.role if line.kind == "model" else line.kind


def timeline(trace: Trace, limit: int | None = None) -> Timeline:
    """Lay a trace out in time; the limit of a report is the one that its run had."""
    lines = list(trace.trace if isinstance(trace, Report) else trace)
    if limit is None and isinstance(trace, Report):
        limit = trace.settings.concurrency
    times = schedule(lines, limit)
    known = {line.id: line for line in lines}
    bars = [_bar(line, times, known) for line in lines if line.status != "reused" and line.id in times]
    return Timeline(_lanes(bars), simulated_seconds(lines), limit)


def _bar(line: TraceLine, times: dict[str, tuple[float, float]], known: dict[str, TraceLine]) -> Bar:
    start, end = times[line.id]
    needs = _needs_of(line, known)
    ready = max((times[need][1] for need in needs if need in times), default=0.0)
    return Bar(line, needs, min(ready, start), start, end)


def _needs_of(line: TraceLine, known: dict[str, TraceLine]) -> tuple[str, ...]:
    """The calls that a call came after; in place of a result that was taken over, what led to that."""
    needs: list[str] = []
    for need in line.after:
        taken_over = need in known and known[need].status == "reused"
        needs += _needs_of(known[need], known) if taken_over else [need]
    return tuple(dict.fromkeys(needs))


def _lanes(bars: Sequence[Bar]) -> list[Lane]:
    """Branches in order: the main one, the topics, and last the parts of what is written from them."""
    branches = sorted({bar.line.branch for bar in bars}, key=lambda b: (b.startswith("0."), branch_order(b)))
    lanes: list[Lane] = []
    for branch in branches:
        lanes += _packed(branch_title(branch), [bar for bar in bars if bar.line.branch == branch])
    return lanes


def _packed(title: str, bars: Sequence[Bar]) -> list[Lane]:
    """Those calls in as few rows as they need so that no call, nor its waiting, covers another."""
    rows: list[list[Bar]] = []
    for bar in sorted(bars, key=lambda bar: (bar.start, bar.line.id)):
        free = next((row for row in rows if row[-1].end <= bar.ready + _SOON), None)
        if free is None:
            rows.append([bar])
        else:
            free.append(bar)
    return [Lane(title if place == 0 else "", row) for place, row in enumerate(rows)]


def branch_order(branch: str) -> list[tuple[int, str]]:
    """Sort key of a branch: 10 after 9, 1.2 after 1, names after numbers."""
    return [(int(part), "") if part.isdigit() else (sys.maxsize, part) for part in branch.split(".")]


def branch_title(branch: str) -> str:
    """What a branch is called: the main one, a part of it (0.1, 0.2 …), or the topic with its number."""
    whole, _, part = branch.partition(".")
    if whole == "0":
        return f"part {part}" if part else "main"
    return f"topic {branch}"
