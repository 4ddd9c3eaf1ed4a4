"""Pictures of a comparison: one measure as bars per class, and what quality costs in tokens and in time.

Both take the table of `compare`, or its rows. A series is a system under one setting; systems differ in
colour, settings in hatching or marker.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..evaluation.comparison import SHARES, Row, Rows, means, records
from ..evaluation.samples import MEASURES, percent
from .display import INK, PAPER, Display, new_figure, plain_axes, series_colours, to_png

if TYPE_CHECKING:
    from pandas import DataFrame

_MARKERS = "osD^vPX*"
_HATCHES = ("", "////", "....", "xxxx")
_UNITS = {"cost_usd": "US dollars per question", "tokens": "tokens per question", "seconds": "seconds"}
_WRITTEN = {"cost_usd": "{:.4f} US dollars", "tokens": "{:,.0f} tokens"}

Series = tuple[str, str]
"""A system and the name of a setting."""
Values = dict[str, dict[Series, float | None]]
"""Class of questions → series → mean."""


class _Style(NamedTuple):
    label: str
    colour: str
    marker: str
    hatch: str


def show_bars(table: DataFrame | Rows, measure: str = "fact_recall") -> Display:
    """The mean of one measure for every class of questions and over all, a bar per series.

    `measure` is a column of figures, such as `fact_recall` or `model_calls`; `ValueError` for any other.
    """
    rows = _checked(table, measure)
    groups: dict[str, Rows] = {k: [row for row in rows if row["class"] == k] for k in _classes(rows)}
    if len(groups) != 1:
        groups["all"] = rows
    values = {kind: {_series(group): group[measure] for group in means(of)} for kind, of in groups.items()}
    return Display(_bars_text(values, measure), png=_bars(values, measure))


def show_tradeoff(table: DataFrame | Rows, quality: str = "fact_recall") -> Display:
    """Quality against cost and against time: a point per series, the mean over all its questions.

    Cost is money where anything was paid, and tokens otherwise; offline, seconds are simulated. A series
    without any figure for this quality has no point.
    """
    groups = [
        group | {"tokens": group["input_tokens"] + group["output_tokens"]}
        for group in means(_checked(table, quality))
        if group[quality] is not None
    ]
    cost = "cost_usd" if any(group["cost_usd"] for group in groups) else "tokens"
    return Display(_tradeoff_text(groups, quality, cost), png=_tradeoff(groups, quality, cost))


def _checked(table: DataFrame | Rows, measure: str) -> Rows:
    if measure not in MEASURES:
        raise ValueError(f"There is no measure '{measure}'. One of: {', '.join(MEASURES)}.")
    return records(table)


def _classes(rows: Rows) -> list[str]:
    return [kind for kind in dict.fromkeys(row["class"] for row in rows) if kind]


def _series(group: Row) -> Series:
    return group["system"], group["setting"]


def _styles(every: Sequence[Series]) -> dict[Series, _Style]:
    """Colour by system and hatch and marker by setting; with one of either, all by the other."""
    systems = list(dict.fromkeys(system for system, _ in every))
    settings = list(dict.fromkeys(setting for _, setting in every))
    one = len(settings) == 1
    colours = series_colours(systems if len(systems) > 1 else settings)
    styles = {}
    for system, setting in every:
        marker = systems.index(system) if one else settings.index(setting)
        hatch = settings.index(setting) if len(systems) > 1 else 0
        styles[system, setting] = _Style(
            label=system if one else f"{system}, {setting}",
            colour=colours[system if len(systems) > 1 else setting],
            marker=_MARKERS[marker % len(_MARKERS)],
            hatch=_HATCHES[hatch % len(_HATCHES)],
        )
    return styles


def _words(name: str) -> str:
    return name.replace("_", " ")


def _shown(value: float | None, measure: str) -> str:
    return percent(value) if measure in SHARES else "–" if value is None else f"{value:,.1f}"


def _bars_text(values: Values, measure: str) -> str:
    """A line per class under each series."""
    wide = max((len(kind) for kind in values), default=0)
    lines = [f"{_words(measure)}, mean per class"]
    for series, style in _styles(_every(values)).items():
        lines.append(style.label)
        lines += [f"  {kind:{wide}}  {_shown(of.get(series), measure)}" for kind, of in values.items()]
    return "\n".join(lines)


def _every(values: Values) -> list[Series]:
    return list(dict.fromkeys(series for of in values.values() for series in of))


def _bars(values: Values, measure: str) -> bytes:
    figure = new_figure(8.2, 3.0)
    axes = figure.add_subplot()
    styles = _styles(_every(values))
    width = 0.8 / max(len(styles), 1)
    for place, (series, style) in enumerate(styles.items()):
        left = [x - 0.4 + (place + 0.5) * width for x in range(len(values))]
        axes.bar(
            left, [of.get(series) or 0.0 for of in values.values()], width=width * 0.92, color=style.colour,
            hatch=style.hatch, edgecolor=PAPER, linewidth=0, label=style.label,
        )  # fmt: skip
    axes.set_xticks(range(len(values)), [_words(kind) for kind in values])
    if measure in SHARES:
        axes.set_ylim(0, 1.02)
        axes.yaxis.set_major_formatter(_as_percent)
    axes.set_ylabel(_words(measure), fontsize=8, color=INK)
    plain_axes(axes, grid="y")
    if styles:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=7.5, frameon=False)
    figure.set_layout_engine("tight")
    return to_png(figure)


def _as_percent(share: float, _: float) -> str:
    return f"{100 * share:.0f} %"


def _tradeoff_text(groups: Sequence[Row], quality: str, cost: str) -> str:
    styles = _styles([_series(group) for group in groups])
    lines = [
        f"{styles[_series(group)].label}: {_shown(group[quality], quality)}, "
        f"{_WRITTEN[cost].format(group[cost])}, {group['seconds']:.1f} s"
        for group in groups
    ]
    return "\n".join([f"{_words(quality)} against cost and time, means per question", *lines])


def _tradeoff(groups: Sequence[Row], quality: str, cost: str) -> bytes:
    figure = new_figure(8.2, 3.1)
    left, right = figure.subplots(1, 2, sharey=True)
    _points(left, groups, cost, quality)
    _points(right, groups, "seconds", quality)
    if quality in SHARES:
        left.yaxis.set_major_formatter(_as_percent)
    left.set_ylabel(_words(quality), fontsize=8, color=INK)
    if groups:
        right.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=7.5, frameon=False)
    figure.set_layout_engine("tight")
    return to_png(figure)


def _points(axes: Any, groups: Sequence[Row], across: str, quality: str) -> None:
    """One panel: a point per series, the axis across from zero."""
    from matplotlib.ticker import MaxNLocator

    styles = _styles([_series(group) for group in groups])
    for group in groups:
        style = styles[_series(group)]
        axes.scatter(
            group[across], group[quality], s=52, marker=style.marker, color=style.colour, edgecolor=INK,
            linewidth=0.6, label=style.label, zorder=3,
        )  # fmt: skip
    axes.set_xlim(0, 1.12 * max((group[across] for group in groups), default=0.0) or 1.0)
    axes.set_xlabel(_UNITS[across], fontsize=8, color=INK)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.xaxis.set_major_formatter("{x:,.0f}" if across == "tokens" else "{x:g}")
    plain_axes(axes, grid="y")
