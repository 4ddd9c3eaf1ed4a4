"""A run's trace as a timeline: who did what, what ran side by side, what waited for what, and what it cost.

Times are simulated (`timeline`). Each bar is a call. A thin line leads from the call of another lane that it
waited for; an orange line is the time for which the limit on calls in flight held it back. The outlined calls
are the longest path: they decide how long the run takes. Two runs stand beside each other as a table of
figures, and both timelines on one time axis.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import takewhile
from textwrap import fill
from typing import Any

from deep_research.components.verifier.marks import DOUBTED
from deep_research.engine.trace import SECONDS_PER_CALL
from deep_research.report import Report
from deep_research.text.language import CJK, shorten

from .display import INK, LINE, MUTED, WARN, Display, colour, ink_on, legend, new_figure, plain_axes, to_png
from .timeline import Bar, Lane, Timeline, Trace, latest_need, timeline, who

_WIDTH, _LANE = 8.6, 0.34
"""Inches: a figure's width, and a lane's height."""
_LABELS = 2.9
"""About so many inches of the width go to lane titles and the legend."""
_BAR = 0.36
"""Half the height of a bar, where a lane is 1."""
_ROW = 0.21
"""Inches: the height of a line of the table."""
_COUNT = "{:+,.0f}"
"""How a change of something counted is written; a cost changes by a factor."""
_COLUMNS = (0.02, 0.47, 0.7, 0.93)
"""Where the table's columns begin (the first) or end (figures), as shares of the width."""


def show_trace(trace: Trace, concurrency: int | None = None) -> Display:
    """The timeline of a report or of its trace, with a lane per branch, and more where its calls overlap.

    `concurrency` is the most calls in flight; for a report it is what its run was allowed, otherwise there is
    no limit.
    """
    shown = timeline(trace, concurrency)
    figure = new_figure(_WIDTH, _LANE * max(len(shown.lanes), 1) + 1.0, "tight")
    _draw_lanes(figure.add_subplot(), shown, shown.end)
    return Display("\n".join([_totals(shown), *_lane_lines(shown)]), png=to_png(figure))


def _totals(shown: Timeline) -> str:
    """One line: how many calls, how long they take, how many at once, what the limit costs."""
    calls, at_once = len(shown.bars), f"at most {shown.most_at_once} at once"
    head = (
        f"{calls} calls, {shown.unlimited:.1f} simulated seconds along the longest path; "
        f"one after another {calls * SECONDS_PER_CALL:.1f} s; {at_once}"
    )
    if shown.waited < 0.05:
        return head
    limited = f"{shown.end:.1f} s with at most {shown.limit} in flight"
    return f"{head}\n{limited}: calls waited {shown.waited:.1f} s in all"


def _lane_lines(shown: Timeline) -> list[str]:
    """Each lane as words: when each call starts."""
    width = max([8, *(len(lane.title) for lane in shown.lanes)])
    return [f"  {lane.title:{width}} " + ", ".join(map(_call_words, lane.bars)) for lane in shown.lanes]


def _call_words(bar: Bar) -> str:
    waited = f" (waited {bar.waited:.1f})" if bar.waited >= 0.05 else ""
    return f"{bar.start:.1f} {who(bar.line)}{waited}"


def _draw_lanes(axes: Any, shown: Timeline, end: float) -> None:
    """Draw a timeline up to `end` seconds."""
    from matplotlib.ticker import MultipleLocator

    outlined = set(shown.longest_path())
    rows = {bar.line.id: -place for place, lane in enumerate(shown.lanes) for bar in lane.bars}
    bars = {bar.line.id: bar for bar in shown.bars}
    seconds = max(end, SECONDS_PER_CALL)
    for bar in shown.bars:
        _draw_need(axes, bar, latest_need(bar, bars), rows, outlined)
        _draw_bar(axes, bar, rows[bar.line.id], (_WIDTH - _LABELS) / seconds, bar.line.id in outlined)
    axes.set_yticks([-place for place in range(len(shown.lanes))], lane_labels(shown.lanes))
    axes.set_ylim(-len(shown.lanes) + 0.4, 0.6)
    axes.set_xlim(0, seconds)
    every = max(1, math.ceil(end / SECONDS_PER_CALL / 10))  # a tick at the end of a call, about ten of them
    axes.xaxis.set_major_locator(MultipleLocator(SECONDS_PER_CALL * every))
    plain_axes(axes, "x", "simulated seconds (0.2 s per call)")
    legend(axes, [who(bar.line) for bar in shown.bars], *_signs(shown, outlined))


def lane_labels(lanes: Sequence[Lane]) -> list[str]:
    """The titles of lanes, on two lines with what each is about: a part in full, a topic without the words
    that all topics begin with."""
    about = {lane.title: lane.bars[0].line.topic.split() for lane in lanes if lane.title not in ("", "main")}
    different = {tuple(words) for title, words in about.items() if title.startswith("topic")}
    shared = takewhile(lambda words: len(set(words)) == 1, zip(*different, strict=False))
    lead = len(list(shared)) if len(different) > 1 else 0

    def label(title: str) -> str:
        words = about.get(title, [])
        return _title(title, " ".join(words[lead:] if title.startswith("topic") else words))

    return [label(lane.title) for lane in lanes]


def _title(title: str, topic: str) -> str:
    if not topic:
        return title
    width = 15 if CJK.search(topic) else 30
    most, (of, colon, side) = 2 * width - 12, topic.rpartition(": ")
    if len(topic) > most > 2 * len(side) and colon:  # topics on the same things differ in the side
        topic = f"{shorten(of, most - len(side) - 2)}: {side}"
    return fill(f"{title}: {shorten(topic, most)}", width, max_lines=2, placeholder="…")


def _draw_bar(axes: Any, bar: Bar, row: int, inch: float, outlined: bool) -> None:
    """A call, with its name where there is room; and before it, the time that it was held back."""
    if bar.waited > 0:
        axes.plot([bar.ready, bar.start], [row, row], color=WARN, lw=2.2, solid_capstyle="butt", zorder=2)
    name = who(bar.line)
    width = (bar.end - bar.start) * 0.94
    edge = {"edgecolor": INK, "linewidth": 1.3} if outlined else {"edgecolor": "none"}
    axes.barh(row, width, left=bar.start, height=2 * _BAR, color=colour(name), zorder=3, **edge)
    if bar.line.status == "failed":
        axes.plot([bar.start, bar.start + width], [row - _BAR, row + _BAR], color=WARN, lw=1.5, zorder=4)
    room = int(width * inch / 0.062)
    if room >= 5 and (room >= len(name) or room >= 8):
        said = name if room >= len(name) else name[: room - 1] + "…"
        style = {"ha": "center", "va": "center", "color": ink_on(colour(name)), "zorder": 5}
        axes.text(bar.start + width / 2, row, said, fontsize=6.3, **style)


def _draw_need(axes: Any, bar: Bar, need: Bar | None, rows: dict[str, int], outlined: set[str]) -> None:
    """A line from the call of another lane that this one waited for longest."""
    if need is None or rows[need.line.id] == rows[bar.line.id]:
        return
    decisive = {bar.line.id, need.line.id} <= outlined
    start, end = rows[need.line.id], rows[bar.line.id]
    style = {"lw": 1.3, "color": INK} if decisive else {"lw": 0.7, "color": MUTED}
    points = [need.end, need.end, bar.ready], [start, end, end]
    axes.plot(*points, zorder=1, solid_joinstyle="round", **style)


def _signs(shown: Timeline, outlined: set[str]) -> list[Any]:
    """What else the legend has to explain."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    signs: list[Any] = []
    if outlined:
        signs.append(Patch(facecolor="none", edgecolor=INK, linewidth=1.3, label="the longest path"))
    if shown.waited > 0:
        signs.append(Line2D([], [], color=WARN, lw=2.2, label="held back by\nthe limit"))
    if any(bar.line.status == "failed" for bar in shown.bars):
        signs.append(Line2D([], [], color=WARN, lw=1.5, marker="", label="failed"))
    return signs


_Cells = tuple[str, str, str, str]
"""A line of the table: a name, a value in each run, and what has changed."""


def show_side_by_side(first: Trace, second: Trace, names: Sequence[str] = ()) -> Display:
    """Compare two reports, or their traces: what they cost, what they found, and how they spent their time.

    The last column says by how many the second run has found more or fewer, and how many times the first
    run's cost its own is; timelines that are the same are drawn once. `names` are the systems by default,
    where these are two. Raises `ValueError` for names that are not two.
    """
    systems = [run.system for run in (first, second) if isinstance(run, Report)]
    called = [*names] or (systems if len(set(systems)) == 2 else ["first", "second"])
    if len(called) != 2:
        raise ValueError(f"Two runs need two names, not {len(called)}.")
    times = [timeline(first), timeline(second)]
    found = _found(first, second) if isinstance(first, Report) and isinstance(second, Report) else []
    table = [("", called[0], called[1], "change"), *found, *_spent(*times)]
    if _lane_lines(times[0]) == _lane_lines(times[1]):
        called, times = [" and ".join(called)], times[:1]
    return Display(_text(table, called, times), png=_picture(table, called, times))


def _found(*runs: Report) -> list[_Cells]:
    """What can be said of reports only."""
    return [
        _cells("status", [run.status for run in runs]),
        _cells("sources found", [len(run.sources) for run in runs], _COUNT),
        _cells("sources cited", [len(run.cited) for run in runs], _COUNT),
        _cells("sentences that cite", [len(run.claims) for run in runs], _COUNT),
        _cells("of these in doubt", [sum(c.verdict in DOUBTED for c in run.claims) for run in runs], _COUNT),
        _cells("gaps", [len(run.gaps) for run in runs], _COUNT),
    ]


def _spent(*times: Timeline) -> list[_Cells]:
    """What can be said of traces too."""
    runs = [[bar.line for bar in shown.bars] for shown in times]
    cost = [sum(line.cost for line in run) for run in runs]
    return [
        _cells("model calls", [sum(line.kind == "model" for line in run) for run in runs]),
        _cells("searches", [sum(line.kind == "search" for line in run) for run in runs]),
        _cells("tokens", [sum(line.tokens for line in run) for run in runs]),
        *([_cells("cost", cost, written=money)] if any(cost) else []),
        _cells("simulated seconds", [shown.end for shown in times], written="{:.1f} s".format),
        _cells("calls at once, at most", [shown.most_at_once for shown in times], _COUNT),
    ]


def _cells(
    name: str,
    values: Sequence[float | str],
    changed: str = "",
    written: Callable[[float], str] = "{:,.0f}".format,
) -> _Cells:
    first, second = values
    said = [value if isinstance(value, str) else written(value) for value in values]
    change = "=" if first == second else ""
    if not change and not isinstance(first, str) and not isinstance(second, str):
        change = changed.format(second - first) if changed else f"×{second / first:.2f}" if first else ""
    return name, said[0], said[1], change


def _text(table: Sequence[_Cells], names: Sequence[str], times: Sequence[Timeline]) -> str:
    """The table, then the lanes of both runs."""
    widths = [max(len(row[place]) for row in table) for place in range(4)]
    lines = [
        (f"{row[0]:{widths[0]}}" + "".join(f"  {row[n]:>{widths[n]}}" for n in (1, 2, 3))).rstrip()
        for row in table
    ]
    for name, shown in zip(names, times, strict=True):
        lines += [f"{name}:", *_lane_lines(shown)]
    return "\n".join(lines)


def _picture(table: Sequence[_Cells], names: Sequence[str], times: Sequence[Timeline]) -> bytes:
    heights = [_ROW * (len(table) + 1), *(_LANE * max(len(shown.lanes), 1) + 0.75 for shown in times)]
    figure = new_figure(_WIDTH, sum(heights), "tight")
    sheet, *rows = figure.subplots(len(heights), 1, gridspec_kw={"height_ratios": heights})
    _draw_table(sheet, table)
    for axes, name, shown in zip(rows, names, times, strict=True):
        _draw_lanes(axes, shown, max(shown.end for shown in times))
        axes.set_title(name, fontsize=8.5, weight="bold", color=INK, loc="left")
    return to_png(figure)


def _draw_table(axes: Any, table: Sequence[_Cells]) -> None:
    axes.set_axis_off()
    axes.set_xlim(0, 1)
    axes.set_ylim(-len(table) + 0.4, 0.6)
    for place, row in enumerate(table):
        for column, (x, words) in enumerate(zip(_COLUMNS, row, strict=True)):
            style = {"weight": "bold" if place == 0 else "normal", "color": MUTED if column == 3 else INK}
            side = "left" if column == 0 else "right"
            axes.text(x, -place, words, fontsize=8, ha=side, va="center", **style)
        axes.axhline(-place - 0.5, xmin=_COLUMNS[0], xmax=_COLUMNS[3], color=LINE, lw=0.5)


def money(dollars: float) -> str:
    """Dollars as people read them; small sums keep four places."""
    return f"${dollars:,.4f}" if dollars < 1 else f"${dollars:,.2f}"
