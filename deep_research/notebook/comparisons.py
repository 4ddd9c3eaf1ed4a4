"""Pictures of a comparison: one measure as bars per class, and what quality costs in tokens and in time.

Both take the table of `compare`, or its rows. A series is a system under one setting; systems differ in
colour, settings in hatching or marker.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from deep_research.evaluation.comparison_rows import ComparisonRows, Row, means, records
from deep_research.evaluation.samples import SAMPLE_MEASURES, SHARES, percent

from .display import BESIDE, INK, PAPER, SERIES, Display, new_figure, plain_axes, to_png

if TYPE_CHECKING:
    from pandas import DataFrame


_MARKERS = "osD^vPX*"
_HATCHES = ("", "////", "....", "xxxx")
_UNITS = {"cost_usd": "US dollars per question", "tokens": "tokens per question", "seconds": "seconds"}
_WRITTEN = {"cost_usd": "{:.4f} US dollars", "tokens": "{:,.0f} tokens"}

SeriesName = tuple[str, str]
"""A system and the name of a setting."""
Values = dict[str, dict[SeriesName, float | None]]
"""Class of questions → series → mean."""


class _Style(NamedTuple):
    label: str
    colour: str
    marker: str
    hatch: str


def show_bars(table: DataFrame | ComparisonRows, measure: str = "fact_recall") -> Display:
    """The mean of one measure for every class of questions and over all, a bar per series.

    A class in which nothing has a value of that measure is left out of the picture.
    `measure` is a column of figures, such as `fact_recall` or `model_calls`; `ValueError` for any other.
    """
    rows = _checked(table, measure)
    classes = [kind for kind in dict.fromkeys(row["class"] for row in rows) if kind]
    groups: dict[str, ComparisonRows] = {
        kind: [row for row in rows if row["class"] == kind] for kind in classes
    }
    if len(groups) != 1:
        groups["all"] = rows
    values = {kind: {_series(group): group[measure] for group in means(of)} for kind, of in groups.items()}
    styles = _styles(series for of in values.values() for series in of)
    measured = {kind: of for kind, of in values.items() if any(value is not None for value in of.values())}
    return Display(_bars_text(values, styles, measure), png=_bars(measured or values, styles, measure))


def show_tradeoff(table: DataFrame | ComparisonRows, quality: str = "fact_recall") -> Display:
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
    styles = _styles(map(_series, groups))
    lines = [
        f"{styles[_series(group)].label}: {_shown(group[quality], quality)}, "
        f"{_WRITTEN[cost].format(group[cost])}, {group['seconds']:.1f} s"
        for group in groups
    ]
    text = "\n".join([f"{_words(quality)} against cost and time, means per question", *lines])
    return Display(text, png=_tradeoff(groups, styles, quality, cost))


def _checked(table: DataFrame | ComparisonRows, measure: str) -> ComparisonRows:
    if measure not in SAMPLE_MEASURES:
        raise ValueError(f"There is no measure '{measure}'. One of: {', '.join(SAMPLE_MEASURES)}.")
    return records(table)


def _series(group: Row) -> SeriesName:
    return group["system"], group["setting"]


def _styles(every: Iterable[SeriesName]) -> dict[SeriesName, _Style]:
    """Colour by system and hatch and marker by setting; with one of either, all by the other."""
    series = list(dict.fromkeys(every))
    systems = list(dict.fromkeys(system for system, _ in series))
    settings = list(dict.fromkeys(setting for _, setting in series))
    one, several = len(settings) == 1, len(systems) > 1
    styles = {}
    for system, setting in series:
        of_system, of_setting = systems.index(system), settings.index(setting)
        styles[system, setting] = _Style(
            label=system if one else f"{system}, {setting}",
            colour=SERIES[(of_system if several else of_setting) % len(SERIES)],
            marker=_MARKERS[(of_system if one else of_setting) % len(_MARKERS)],
            hatch=_HATCHES[(of_setting if several else 0) % len(_HATCHES)],
        )
    return styles


def _words(name: str) -> str:
    return name.replace("_", " ")


def _shown(value: float | None, measure: str) -> str:
    return percent(value) if measure in SHARES else "–" if value is None else f"{value:,.1f}"


def _bars_text(values: Values, styles: dict[SeriesName, _Style], measure: str) -> str:
    """A line per class under each series."""
    wide = max((len(kind) for kind in values), default=0)
    lines = [f"{_words(measure)}, mean per class"]
    for series, style in styles.items():
        lines.append(style.label)
        lines += [f"  {kind:{wide}}  {_shown(of.get(series), measure)}" for kind, of in values.items()]
    return "\n".join(lines)


def _bars(values: Values, styles: dict[SeriesName, _Style], measure: str) -> bytes:
    figure = new_figure(8.2, 3.0, "tight")
    axes: Any = figure.add_subplot()
    width = 0.8 / max(len(styles), 1)
    for place, (series, style) in enumerate(styles.items()):
        left = [x - 0.4 + (place + 0.5) * width for x in range(len(values))]
        heights = [of.get(series) or 0.0 for of in values.values()]
        look = {"color": style.colour, "hatch": style.hatch, "edgecolor": PAPER, "linewidth": 0}
        axes.bar(left, heights, width=width * 0.92, label=style.label, **look)
    axes.set_xticks(range(len(values)), [_words(kind) for kind in values])
    if measure in SHARES:
        axes.set_ylim(0, 1.02)
        axes.yaxis.set_major_formatter(_as_percent)
    plain_axes(axes, "y", up=_words(measure))
    if styles:
        axes.legend(**BESIDE)
    return to_png(figure)


def _as_percent(share: float, _: float) -> str:
    return f"{100 * share:.0f} %"


def _tradeoff(groups: Sequence[Row], styles: dict[SeriesName, _Style], quality: str, cost: str) -> bytes:
    """Two panels that share what goes up."""
    figure = new_figure(8.2, 3.1, "tight")
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, across, up in ((left, cost, _words(quality)), (right, "seconds", "")):
        _points(axes, groups, styles, across, quality)
        plain_axes(axes, "y", _UNITS[across], up)
    if quality in SHARES:
        left.yaxis.set_major_formatter(_as_percent)
    if groups:
        right.legend(**BESIDE)
    return to_png(figure)


def _points(
    axes: Any, groups: Sequence[Row], styles: dict[SeriesName, _Style], across: str, quality: str
) -> None:
    """A point per series, the axis across from zero."""
    from matplotlib.ticker import MaxNLocator

    for group in groups:
        style = styles[_series(group)]
        look = {"s": 52, "marker": style.marker, "color": style.colour, "edgecolor": INK, "linewidth": 0.6}
        axes.scatter(group[across], group[quality], label=style.label, zorder=3, **look)
    axes.set_xlim(0, 1.12 * max((group[across] for group in groups), default=0.0) or 1.0)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.xaxis.set_major_formatter("{x:,.0f}" if across == "tokens" else "{x:g}")
