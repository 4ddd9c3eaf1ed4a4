"""A sequence diagram with matplotlib: a lifeline per participant, a row per message, frames around groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..text import shorten
from .display import INK, LINE, MUTED, PANEL, PAPER, colour, ink_on, new_figure, to_png
from .exchange import USER, Exchange, Item, Loop, Message

_WIDTH, _ROW, _HEAD = 8.6, 0.3, 0.42
"""Inches: the figure's width, a row, and the participants' row."""
_TITLE, _BELOW = 0.75, 0.4
"""Rows for a frame's title, and below a frame."""
_LETTER = 0.062
_SIDE = 0.5
"""Inches from the outer lifelines to the frames' borders and beyond."""


def picture(told: Exchange) -> bytes:
    """The diagram as PNG."""
    rows = _height(told.items) + 0.8
    figure = new_figure(_WIDTH, _HEAD + rows * _ROW)
    axes: Any = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, _WIDTH)
    axes.set_ylim(-rows * _ROW, _HEAD)
    sheet = _Sheet(axes, told.participants, rows)
    sheet.items(told.items, 0.6, 0)
    return to_png(figure)


def _height(items: Sequence[Item]) -> float:
    """How many rows these items take; frames take more for their titles."""
    rows = 0.0
    for item in items:
        if isinstance(item, Message):
            rows += 1
        elif isinstance(item, Loop):
            rows += _height(item.body) + _TITLE + _BELOW
        else:
            rows += sum(_height(body) + _TITLE for _, body in item.sections) + _BELOW
    return rows


class _Sheet:
    """Where the lifelines are, and how the parts are drawn."""

    def __init__(self, axes: Any, names: Sequence[str], rows: float) -> None:
        self._axes = axes
        step = (_WIDTH - 2 * _SIDE - 0.4) / max(len(names) - 1, 1)
        self._x = {name: _SIDE + 0.2 + place * step for place, name in enumerate(names)}
        for name, x in self._x.items():
            axes.plot([x, x], [0.05, -(rows - 0.3) * _ROW], color=LINE, lw=0.8, zorder=1)
            self._head(name, x, min(step - 0.08, 1.1))

    def _head(self, name: str, x: float, width: float) -> None:
        from matplotlib.patches import FancyBboxPatch

        fill = PANEL if name == USER else colour(name)
        corner = (x - width / 2, 0.07)
        style = "round,pad=0,rounding_size=0.05"
        self._axes.add_patch(
            FancyBboxPatch(corner, width, 0.3, boxstyle=style, fc=fill, ec=INK, lw=0.6, zorder=3)
        )
        words = name.replace("_", "\n") if len(name) * 0.065 > width else name
        longest = max(map(len, words.split("\n")))
        size = min(7.3, 7.3 * (width - 0.04) / (longest * 0.065))
        ink = ink_on(fill)
        self._axes.text(
            x, 0.22, words, fontsize=size, ha="center", va="center", color=ink, zorder=4, linespacing=0.95
        )

    def items(self, items: Sequence[Item], row: float, depth: int) -> float:
        """Draw items from a row on; the row after the last one is returned."""
        for item in items:
            if isinstance(item, Message):
                self._message(item, -row * _ROW)
                row += 1
            elif isinstance(item, Loop):
                row = self._frame([(f"loop, {item.times} times", item.body)], row, depth)
            else:
                row = self._frame([(f"side by side: {t}", body) for t, body in item.sections], row, depth)
        return row

    def _frame(self, sections: Sequence[tuple[str, list[Item]]], row: float, depth: int) -> float:
        """Titled sections, one below the other, in one frame."""
        from matplotlib.patches import Rectangle

        left, right = 0.12 + 0.1 * depth, _WIDTH - 0.12 - 0.1 * depth
        top = -(row - 0.45) * _ROW
        for place, (title, body) in enumerate(sections):
            y = -(row - 0.45) * _ROW
            if place:
                self._axes.plot([left, right], [y, y], color=MUTED, lw=0.7, ls=(0, (4, 3)), zorder=2)
            box = {"boxstyle": "square,pad=0.25", "fc": PANEL, "ec": "none"}
            words = shorten(title, int((right - left) / _LETTER) - 4)
            self._axes.text(
                left + 0.06,
                y - 0.1,
                words,
                fontsize=6.8,
                color=INK,
                va="center",
                weight="bold",
                bbox=box,
                zorder=3,
            )
            row = self.items(body, row + _TITLE, depth + 1)
        bottom = -(row - 0.35) * _ROW
        self._axes.add_patch(
            Rectangle((left, bottom), right - left, top - bottom, fc="none", ec=MUTED, lw=0.8, zorder=2)
        )
        return row + _BELOW

    def _message(self, message: Message, y: float) -> None:
        """An arrow with its words above; dashed if it is an answer."""
        start, end = self._x[message.source], self._x[message.target]
        style = "--" if message.reply else "-"
        if start == end:
            self._to_itself(start, y)
            start = end = start + (0.3 if start < _WIDTH / 2 else -0.04)
        else:
            arrow = {"arrowstyle": "-|>", "color": INK, "lw": 0.9, "ls": style, "shrinkA": 0, "shrinkB": 0}
            self._axes.annotate("", (end, y - 0.06), (start, y - 0.06), arrowprops=arrow, zorder=3)
        self._words(message, min(start, end), max(start, end), y)

    def _to_itself(self, x: float, y: float) -> None:
        """A message of a participant to itself: out to the right and back."""
        self._axes.plot([x, x + 0.22, x + 0.22], [y + 0.05, y + 0.05, y - 0.07], color=INK, lw=0.9, zorder=3)
        arrow = {"arrowstyle": "-|>", "color": INK, "lw": 0.9, "shrinkA": 0, "shrinkB": 0}
        self._axes.annotate("", (x, y - 0.07), (x + 0.225, y - 0.07), arrowprops=arrow, zorder=3)

    def _words(self, message: Message, left: float, right: float, y: float) -> None:
        """On the arrow where they fit; else beginning or ending with it, on the side that has more room."""
        words = message.said()
        wide = len(words) * _LETTER
        if wide <= right - left:
            x, side, room = (left + right) / 2, "center", right - left
        elif _WIDTH - 0.2 - left >= right - 0.2:
            x, side, room = left + 0.05, "left", _WIDTH - 0.3 - left
        else:
            x, side, room = right - 0.05, "right", right - 0.3
        box = {"boxstyle": "square,pad=0.08", "fc": PAPER, "ec": "none", "alpha": 0.85}
        self._axes.text(
            x, y + 0.04, message.said(max(8, int(room / _LETTER))), fontsize=6.8, ha=side, va="center",
            color=INK, bbox=box, zorder=2.5,
        )  # fmt: skip
