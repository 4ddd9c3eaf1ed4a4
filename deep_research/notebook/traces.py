"""A run's trace as a timeline: who did what, and what ran side by side.

Times are simulated: every call counts 0.2 s and starts when the calls that it waited for (`after`) have
ended, so the picture shows the shape of the run and not the speed of a machine. A result that one branch took
over from another is no call and is left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..report import Report
from ..tracing import SECONDS_PER_CALL, TraceLine, schedule
from .display import INK, Display, colour, new_figure, plain_axes, to_png

Span = tuple[str, float]
"""Who is at work, and the second at which the call starts."""


def show_trace(trace: Report | Sequence[TraceLine]) -> Display:
    """The timeline of a report or of its trace; one row per branch, more where its own calls overlap."""
    every = list(trace.trace if isinstance(trace, Report) else trace)
    starts = {call: start for call, (start, _) in schedule(every).items()}
    lines = [line for line in every if line.status != "reused"]
    rows = _rows(lines, starts)
    return Display(_text(lines, starts, rows), png=_picture(rows))


def who(line: TraceLine) -> str:
    """The role of a model call, or the kind of any other call."""
    return line.role if line.kind == "model" else line.kind


def _rows(lines: Sequence[TraceLine], starts: dict[str, float]) -> list[tuple[str, list[Span]]]:
    """Branches in order, each as one or more rows of calls that do not overlap."""
    rows: list[tuple[str, list[Span]]] = []
    for branch in sorted({line.branch for line in lines}, key=lambda b: [int(n) for n in b.split(".")]):
        calls = [(starts[line.id], line.id, who(line)) for line in lines if line.branch == branch]
        own: list[list[Span]] = []
        for at, _, name in sorted(calls):
            free = next((row for row in own if row[-1][1] < at - 1e-9), None)
            if free is None:
                own.append([(name, at)])
            else:
                free.append((name, at))
        title = "main" if branch == "0" else f"topic {branch}"
        rows += [(title if place == 0 else "", row) for place, row in enumerate(own)]
    return rows


def _text(
    lines: Sequence[TraceLine], starts: dict[str, float], rows: Sequence[tuple[str, list[Span]]]
) -> str:
    """Totals, then each row as words."""
    begins = [starts[line.id] for line in lines]
    longest = max(begins, default=-SECONDS_PER_CALL) + SECONDS_PER_CALL
    most = max((begins.count(at) for at in begins), default=0)
    head = (
        f"{len(lines)} calls, {longest:.1f} simulated seconds along the longest path; "
        f"one after another {len(lines) * SECONDS_PER_CALL:.1f} s; at most {most} at once"
    )
    body = [f"  {title:8} " + ", ".join(f"{at:.1f} {name}" for name, at in row) for title, row in rows]
    return "\n".join([head, *body])


def _picture(rows: Sequence[tuple[str, list[Span]]]) -> bytes:
    end = max((at for _, row in rows for _, at in row), default=0.0) + SECONDS_PER_CALL
    figure = new_figure(8.2, 0.34 * len(rows) + 1.0)
    axes = figure.add_subplot()
    names = list(dict.fromkeys(name for _, row in rows for name, _ in row))
    for place, (_, row) in enumerate(rows):
        for name, at in row:
            axes.barh(
                -place, SECONDS_PER_CALL * 0.92, left=at, height=0.72, color=colour(name), edgecolor="none"
            )
    axes.set_yticks([-place for place in range(len(rows))], [title for title, _ in rows])
    axes.set_xlim(0, end)
    axes.xaxis.set_major_locator(_whole_calls(end))
    axes.set_xlabel("simulated seconds (0.2 s per call)", fontsize=8, color=INK)
    plain_axes(axes, grid="x")
    axes.legend(
        handles=[_swatch(name) for name in names], loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=7.5,
        frameon=False, handlelength=1.0, handleheight=1.0,
    )  # fmt: skip
    figure.set_layout_engine("tight")
    return to_png(figure)


def _whole_calls(end: float) -> Any:
    """Ticks at the ends of calls, about ten of them."""
    from matplotlib.ticker import MultipleLocator

    return MultipleLocator(SECONDS_PER_CALL * math.ceil(end / SECONDS_PER_CALL / 10))


def _swatch(name: str) -> Any:
    from matplotlib.patches import Patch

    return Patch(color=colour(name), label=name)
