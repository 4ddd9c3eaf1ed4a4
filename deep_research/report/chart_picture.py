"""A chart as a picture: matplotlib without a window, the same bytes for the same chart.

SVG keeps its letters as text, so that it is small, sharp and readable in any script; no date, random id or
version is written into it. A point that the verifier has flagged is hatched, in the legend and in its bar.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from deep_research.text.cited_sentences import DOUBT_MARK
from deep_research.text.language import CJK, shorten

from .charts import Chart, Series, format_number

if TYPE_CHECKING:
    from matplotlib.figure import Figure


PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#999999")
"""Colours that are told apart with any kind of colour vision; they repeat after the last."""
_INK, _GRID = "#22303c", "#b8c1c9"
_WIDTH, _ROW, _LINES = 7.0, 0.38, 3.4
_DPI = 110
_FONTS = ["DejaVu Sans", "sans-serif"]
_NOTHING_OF_TODAY = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}


def picture(chart: Chart, form: Literal["svg", "png"] = "svg") -> bytes:
    """The chart as SVG or PNG."""
    import matplotlib

    options: Any = {
        "svg.hashsalt": chart.name, "svg.fonttype": "none", "font.family": _FONTS, "text.parse_math": False,
    }  # fmt: skip
    out = io.BytesIO()
    with matplotlib.rc_context(options), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # scripts that the font lacks: the viewer's own is used
        figure = _figure(chart)
        figure.savefig(out, format=form, dpi=_DPI, metadata=_NOTHING_OF_TODAY[form])
    return out.getvalue()


def _figure(chart: Chart) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    height = _LINES if chart.kind == "line" else 1.0 + _ROW * max(len(chart.points), 2)
    figure = Figure(figsize=(_WIDTH, height), facecolor="white", layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    (_lines if chart.kind == "line" else _bars)(axes, chart)
    width = 40 if CJK.search(chart.title) else 80
    figure.suptitle(shorten(chart.title, width), x=0.01, ha="left", fontsize=11, color=_INK)
    axes.tick_params(labelsize=9, colors=_INK, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(_GRID)
    axes.set_axisbelow(True)
    if len(chart.series) > 1:
        names = {"fontsize": 8, "frameon": False, "labelcolor": _INK, "ncols": len(chart.series)}
        figure.legend(loc="outside lower left", **names)
    return figure


def _labels(chart: Chart) -> list[str]:
    """All labels in order of first use."""
    return list(dict.fromkeys(point.label for point in chart.points))


def _bars(axes: Any, chart: Chart) -> None:
    """Bars that lie, so that labels of any length can be read; a group for each label."""
    labels = _labels(chart)
    thick = 0.8 / len(chart.series)
    for number, series in enumerate(chart.series):
        places = [labels.index(point.label) + (number + 0.5) * thick - 0.4 for point in series.points]
        bars = axes.barh(
            places, [point.value for point in series.points], thick * 0.92, label=series.name,
            color=PALETTE[number % len(PALETTE)],
        )  # fmt: skip
        for bar, point in zip(bars, series.points, strict=True):
            if point.flagged:
                bar.set(hatch="///", alpha=0.5)
        axes.bar_label(bars, _values(chart, series), padding=4, fontsize=8, color=_INK)
    axes.set_yticks(range(len(labels)), [shorten(label, 40) for label in labels])
    axes.invert_yaxis()
    axes.margins(x=0.18)
    axes.xaxis.set_visible(False)
    axes.spines["bottom"].set_visible(False)


def _values(chart: Chart, series: Series) -> Sequence[str]:
    """What stands behind each bar: the number with its unit, and the mark of a flagged one."""
    marks = [f" {DOUBT_MARK}" if point.flagged else "" for point in series.points]
    return [
        f"{format_number(point.value)} {chart.unit}".strip() + mark
        for point, mark in zip(series.points, marks, strict=True)
    ]


def _lines(axes: Any, chart: Chart) -> None:
    """Lines over years or other numbers where all labels are such, else over the labels in their order."""
    labels = _labels(chart)
    numbers = [_number(label) for label in labels]
    on_axis = dict(zip(labels, numbers, strict=True)) if None not in numbers else {}
    places: dict[str, Any] = on_axis or {label: place for place, label in enumerate(labels)}
    for number, series in enumerate(chart.series):
        points = sorted(series.points, key=lambda point: places[point.label])
        colour = PALETTE[number % len(PALETTE)]
        across, up = [places[point.label] for point in points], [point.value for point in points]
        axes.plot(across, up, "o-", color=colour, label=series.name)
        doubted = [point for point in points if point.flagged]
        axes.plot(
            [places[p.label] for p in doubted], [p.value for p in doubted], "o", color="white",
            markeredgecolor=colour, markersize=8,
        )  # fmt: skip
    axes.set_xticks([places[label] for label in labels], [shorten(label, 20) for label in labels])
    axes.grid(axis="y", color=_GRID, lw=0.5)
    axes.set_ylabel(chart.unit, fontsize=9, color=_INK)


def _number(label: str) -> float | None:
    try:
        return float(label.replace(",", ""))
    except ValueError:
        return None
