"""A run's trace as a timeline: who did what, what ran side by side, and what waited for what.

Times are simulated (`timeline`), unless the recorded ones are asked for. Each bar is a call. A thin line
leads from the call of another lane that it waited for; an orange line is the time that it was held back by
the limit on calls in flight. The outlined calls are the longest path: they decide how long the run takes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import fill
from typing import Any

from ..report import Report
from ..text import CJK, shorten
from ..tracing import SECONDS_PER_CALL, TraceLine
from .display import INK, MUTED, WARN, Display, colour, ink_on, legend, new_figure, plain_axes, to_png
from .timeline import Bar, Lane, LaneKind, Timeline, latest_need, timeline, who

_WIDTH, _LANE = 8.6, 0.34
"""Inches: a figure's width, and a lane's height."""
_LABELS = 2.9
"""About so many inches of the width go to lane titles and the legend."""
_BAR = 0.36
"""Half the height of a bar, where a lane is 1."""


def show_trace(
    trace: Report | Sequence[TraceLine],
    concurrency: int | None = None,
    lanes: LaneKind = "branch",
    *,
    recorded: bool = False,
) -> Display:
    """The timeline of a report or of its trace, with a lane per branch or per role, more where calls overlap.

    `concurrency` is the most calls in flight; for a report it is what its run was allowed, otherwise there is
    no limit. `recorded` shows the seconds that were really measured, which differ from run to run.
    """
    shown = timeline(trace, concurrency, lanes, recorded)
    return Display(_text(shown), png=_picture(shown))


def _text(shown: Timeline) -> str:
    """Totals, then each lane as words."""
    return "\n".join([totals(shown), *lane_lines(shown)])


def lane_lines(shown: Timeline) -> list[str]:
    """Each lane as words: when each call starts."""
    width = max([8, *(len(lane.title) for lane in shown.lanes)])
    return [_lane_text(lane, width) for lane in shown.lanes]


def totals(shown: Timeline) -> str:
    """One line: how many calls, how long they take, how many at once, what the limit costs."""
    calls = len(shown.bars)
    if not shown.simulated:
        inside = sum(bar.end - bar.start for bar in shown.bars)
        at_once = f"at most {shown.most_at_once} at once"
        return f"{calls} calls, {shown.end:.1f} seconds; {inside:.1f} s in calls; {at_once}"
    head = (
        f"{calls} calls, {shown.unlimited:.1f} simulated seconds along the longest path; "
        f"one after another {calls * SECONDS_PER_CALL:.1f} s; at most {shown.most_at_once} at once"
    )
    if shown.waited < 0.05:
        return head
    limited = f"{shown.end:.1f} s with at most {shown.limit} in flight"
    return f"{head}\n{limited}: calls waited {shown.waited:.1f} s in all"


def _lane_text(lane: Lane, width: int) -> str:
    calls = [
        f"{bar.start:.1f} {who(bar.line)}" + (f" (waited {bar.waited:.1f})" if bar.waited >= 0.05 else "")
        for bar in lane.bars
    ]
    return f"  {lane.title:{width}} " + ", ".join(calls)


def _picture(shown: Timeline) -> bytes:
    figure = new_figure(_WIDTH, _LANE * max(len(shown.lanes), 1) + 1.0)
    axes = figure.add_subplot()
    draw_lanes(axes, shown, shown.end)
    figure.set_layout_engine("tight")
    return to_png(figure)


def draw_lanes(axes: Any, shown: Timeline, end: float, kinds: Sequence[str] = ()) -> None:
    """Draw a timeline up to `end` seconds; the legend explains `kinds`, or what the timeline has."""
    outlined = set(shown.longest_path()) if shown.simulated else set()
    rows = {bar.line.id: place for place, lane in enumerate(shown.lanes) for bar in lane.bars}
    bars = {bar.line.id: bar for bar in shown.bars}
    inch = (_WIDTH - _LABELS) / max(end, SECONDS_PER_CALL)
    for bar in shown.bars:
        _draw_need(axes, bar, bars, rows, outlined)
        _draw_bar(axes, bar, -rows[bar.line.id], inch, bar.line.id in outlined)
    axes.set_yticks([-place for place in range(len(shown.lanes))], [_title(lane) for lane in shown.lanes])
    axes.set_ylim(-len(shown.lanes) + 0.4, 0.6)
    axes.set_xlim(0, max(end, SECONDS_PER_CALL))
    if shown.simulated:
        axes.xaxis.set_major_locator(_whole_calls(end))
        axes.set_xlabel("simulated seconds (0.2 s per call)", fontsize=8, color=INK)
    else:
        axes.set_xlabel("seconds", fontsize=8, color=INK)
    plain_axes(axes, grid="x")
    legend(axes, kinds or [who(bar.line) for bar in shown.bars], *_signs(shown, outlined))


def _title(lane: Lane) -> str:
    """A lane's title with the beginning of its topic, on two lines."""
    topic = next((bar.line.topic for bar in lane.bars), "")
    if not topic or not lane.title.startswith("topic"):
        return lane.title
    width = 15 if CJK.search(topic) else 30
    return fill(f"{lane.title}: {shorten(topic, 2 * width - 12)}", width, max_lines=2, placeholder="…")


def _draw_bar(axes: Any, bar: Bar, row: int, inch: float, outlined: bool) -> None:
    """A call, with its name where there is room; and before it, the time that it was held back."""
    if bar.waited > 0:
        axes.plot([bar.ready, bar.start], [row, row], color=WARN, lw=2.2, solid_capstyle="butt", zorder=2)
    name = who(bar.line)
    width = (bar.end - bar.start) * 0.94
    edge = {"edgecolor": INK, "linewidth": 1.3} if outlined else {"edgecolor": "none"}
    axes.barh(row, width, left=bar.start, height=2 * _BAR, color=colour(name), zorder=3, **edge)
    room = int(width * inch / 0.062)
    if bar.line.status == "failed":
        axes.plot([bar.start, bar.start + width], [row - _BAR, row + _BAR], color=WARN, lw=1.5, zorder=4)
    if room >= 5 and (room >= len(name) or room >= 8):
        said = name if room >= len(name) else name[: room - 1] + "…"
        axes.text(
            bar.start + width / 2, row, said, fontsize=6.3, ha="center", va="center",
            color=ink_on(colour(name)), zorder=5,
        )  # fmt: skip


def _draw_need(axes: Any, bar: Bar, bars: dict[str, Bar], rows: dict[str, int], outlined: set[str]) -> None:
    """A line from the call of another lane that this one waited for longest."""
    need = latest_need(bar, bars)
    if need is None or rows[need.line.id] == rows[bar.line.id]:
        return
    decisive = {bar.line.id, need.line.id} <= outlined
    start, end = -rows[need.line.id], -rows[bar.line.id]
    axes.plot(
        [need.end, need.end, bar.ready], [start, end, end], lw=1.3 if decisive else 0.7,
        color=INK if decisive else MUTED, zorder=1, solid_joinstyle="round",
    )  # fmt: skip


def _signs(shown: Timeline, outlined: set[str]) -> list[Any]:
    """What else the legend has to explain."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    signs: list[Any] = []
    if outlined:
        signs.append(Patch(facecolor="none", edgecolor=INK, linewidth=1.3, label="the longest path"))
    if shown.waited > 0 and shown.simulated:
        signs.append(Line2D([], [], color=WARN, lw=2.2, label="held back by\nthe limit"))
    if any(bar.line.status == "failed" for bar in shown.bars):
        signs.append(Line2D([], [], color=WARN, lw=1.5, marker="", label="failed"))
    return signs


def _whole_calls(end: float) -> Any:
    """Ticks at the ends of calls, about ten of them."""
    from matplotlib.ticker import MultipleLocator

    return MultipleLocator(SECONDS_PER_CALL * max(1, math.ceil(end / SECONDS_PER_CALL / 10)))
