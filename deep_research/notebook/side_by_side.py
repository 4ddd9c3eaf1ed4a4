"""Two runs beside each other: a table of figures, and both timelines on one time axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..checks import DOUBTED
from ..report import Report
from ..tracing import TraceLine
from .display import INK, LINE, MUTED, Display, new_figure, to_png
from .timeline import Timeline, timeline, who
from .traces import draw_lanes, lane_lines
from .usage import money

_LANE, _LINE = 0.34, 0.21
"""Inches: the height of a lane, and of a line of the table."""
_COLUMNS = (0.02, 0.47, 0.7, 0.93)
"""Where the table's columns begin (the first) or end (figures), as shares of the width."""
Trace = Report | Sequence[TraceLine]


@dataclass(frozen=True)
class Figure:
    """One line of the table: what it is, and its value in each run, as a number or as words."""

    name: str
    values: tuple[float | str, float | str]
    unit: str = ""

    def cells(self) -> tuple[str, str, str, str]:
        """The name, both values, and how many times the first the second is."""
        return self.name, self._said(self.values[0]), self._said(self.values[1]), self._ratio()

    def _said(self, value: float | str) -> str:
        if isinstance(value, str):
            return value
        if self.unit == "$":
            return money(value)
        return f"{value:.1f} s" if self.unit == "s" else f"{value:,.0f}"

    def _ratio(self) -> str:
        first, second = self.values
        if first == second:
            return "="
        if isinstance(first, str) or isinstance(second, str) or not first:
            return ""
        return f"×{second / first:.2f}"


def show_side_by_side(first: Trace, second: Trace, names: Sequence[str] = ()) -> Display:
    """Compare two reports, or their traces: what they cost, what they found, and how they spent their time.

    The last column says how many times the first run's figure the second one's is. `names` are the systems
    by default. Raises `ValueError` for names that are not two.
    """
    called = tuple(names) or (_name(first, "first"), _name(second, "second"))
    if len(called) != 2:
        raise ValueError(f"Two runs need two names, not {len(called)}.")
    times = (timeline(first), timeline(second))
    table = [("", *called, "second / first"), *(figure.cells() for figure in _figures(first, second, times))]
    return Display(_text(table, called, times), png=_picture(table, called, times))


def _name(run: Trace, place: str) -> str:
    return run.system if isinstance(run, Report) else place


def _figures(first: Trace, second: Trace, times: tuple[Timeline, Timeline]) -> list[Figure]:
    """What can be said of both runs: of traces less than of reports."""
    figures = []
    if isinstance(first, Report) and isinstance(second, Report):
        figures += _found(first, second)
    lines = [[bar.line for bar in shown.bars] for shown in times]
    counts = {
        "model calls": [sum(line.kind == "model" for line in run) for run in lines],
        "searches": [sum(line.kind == "search" for line in run) for run in lines],
        "tokens": [sum(line.tokens for line in run) for run in lines],
    }
    figures += [Figure(name, (a, b)) for name, (a, b) in counts.items()]
    cost = [sum(line.cost for line in run) for run in lines]
    figures += [Figure("cost", (cost[0], cost[1]), "$")] if any(cost) else []
    figures += [
        Figure("simulated seconds", (times[0].end, times[1].end), "s"),
        Figure("calls at once, at most", (times[0].most_at_once, times[1].most_at_once)),
    ]
    return figures


def _found(first: Report, second: Report) -> list[Figure]:
    both = (first, second)
    doubted = [sum(claim.verdict in DOUBTED for claim in run.claims) for run in both]
    rows: list[tuple[str, list[Any]]] = [
        ("status", [run.status for run in both]),
        ("sources found", [len(run.sources) for run in both]),
        ("sources cited", [len(run.cited) for run in both]),
        ("sentences that cite", [len(run.claims) for run in both]),
        ("of these in doubt", doubted),
        ("gaps", [len(run.gaps) for run in both]),
    ]
    return [Figure(name, (a, b)) for name, (a, b) in rows]


Table = Sequence[tuple[str, str, str, str]]


def _text(table: Table, names: Sequence[str], times: tuple[Timeline, Timeline]) -> str:
    """The table, then the lanes of both runs."""
    widths = [max(len(row[place]) for row in table) for place in range(4)]
    lines = [
        (f"{row[0]:{widths[0]}}" + "".join(f"  {row[n]:>{widths[n]}}" for n in (1, 2, 3))).rstrip()
        for row in table
    ]
    for name, shown in zip(names, times, strict=True):
        lines += [f"{name}:", *lane_lines(shown)]
    return "\n".join(lines)


def _picture(table: Table, names: Sequence[str], times: tuple[Timeline, Timeline]) -> bytes:
    heights = [
        _LINE * (len(table) + 1),
        *(_LANE * max(len(shown.lanes), 1) + 0.75 for shown in times),
    ]
    figure = new_figure(8.6, sum(heights))
    sheet, *rows = figure.subplots(3, 1, gridspec_kw={"height_ratios": heights})
    _draw_table(sheet, table)
    end = max(shown.end for shown in times)
    kinds = [[who(bar.line) for bar in shown.bars] for shown in times]
    for axes, name, shown, own in zip(rows, names, times, kinds, strict=True):
        draw_lanes(axes, shown, end, own)
        axes.set_title(name, fontsize=8.5, weight="bold", color=INK, loc="left")
    figure.set_layout_engine("tight")
    return to_png(figure)


def _draw_table(axes: Any, table: Table) -> None:
    axes.set_axis_off()
    axes.set_xlim(0, 1)
    axes.set_ylim(-len(table) + 0.4, 0.6)
    for place, row in enumerate(table):
        for column, (x, words) in enumerate(zip(_COLUMNS, row, strict=True)):
            style = {"weight": "bold" if place == 0 else "normal", "color": MUTED if column == 3 else INK}
            side = "left" if column == 0 else "right"
            axes.text(x, -place, words, fontsize=8, ha=side, va="center", **style)
        axes.axhline(-place - 0.5, xmin=_COLUMNS[0], xmax=_COLUMNS[3], color=LINE, lw=0.5)
