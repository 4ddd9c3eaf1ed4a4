"""A run as a sequence diagram: drawn here, and as Mermaid text, which JupyterLab and GitHub draw.

The picture has a lifeline per participant, a row per message, and frames around what belongs together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from deep_research.text.language import shorten

from .display import INK, LINE, MUTED, PANEL, PAPER, Display, colour, ink_on, new_figure, to_png
from .exchange import USER, Exchange, Item, Loop, Message, exchange
from .timeline import Trace, timeline

_WIDTH, _ROW, _HEAD = 8.6, 0.3, 0.42
"""Inches: the figure's width, a row, and the participants' row."""
_TITLE, _BELOW = 0.75, 0.4
"""Rows for a frame's title, and below a frame."""
_LETTER = 0.062
_SIDE = 0.7
"""Inches from the figure's sides to the outer lifelines."""
_ARROW = {"arrowstyle": "-|>", "color": INK, "lw": 0.9, "shrinkA": 0, "shrinkB": 0}


def show_sequence(trace: Trace) -> Display:
    """Who called whom in a run, from the question to the report.

    What repeats itself is a loop, branches stand side by side, and more than three branches that went the
    same way are drawn once. `.mermaid` is the same as text.
    """
    told = exchange(timeline(trace))
    head = f"{len(told.participants)} take part: {', '.join(told.participants)}"
    people = [f"    participant {_id(name)} as {name}" for name in told.participants]
    mermaid = ["sequenceDiagram", *people, *_statements(told.items, 1)]
    text = "\n".join([head, *_lines(told.items)])
    return Display(text, png=_picture(told), mermaid="\n".join(mermaid) + "\n")


def _lines(items: Sequence[Item], depth: int = 1) -> list[str]:
    """The diagram in words, indented like the frames of the picture."""
    lines: list[str] = []
    for item in items:
        if isinstance(item, Message):
            arrow = "-->" if item.reply else "->"
            lines.append(f"{'  ' * depth}{item.source} {arrow} {item.target}: {item.said()}")
        elif isinstance(item, Loop):
            lines += [f"{'  ' * depth}{item.times} times", *_lines(item.body, depth + 1)]
        else:
            for title, body in item.sections:
                lines += [f"{'  ' * depth}side by side, {title}", *_lines(body, depth + 1)]
    return lines


def _statements(items: Sequence[Item], depth: int) -> list[str]:
    """The diagram as Mermaid's statements."""
    lines: list[str] = []
    pad = "    " * depth
    for item in items:
        if isinstance(item, Message):
            arrow = "-->>" if item.reply else "->>"
            lines.append(f"{pad}{_id(item.source)}{arrow}{_id(item.target)}: {_plain(item.said())}")
        elif isinstance(item, Loop):
            lines += [f"{pad}loop {item.times} times", *_statements(item.body, depth + 1), f"{pad}end"]
        else:
            for place, (title, body) in enumerate(item.sections):
                word = "par" if place == 0 else "and"
                lines += [f"{pad}{word} {_plain(title)}", *_statements(body, depth + 1)]
            lines.append(f"{pad}end")
    return lines


def _id(name: str) -> str:
    """A participant's name as Mermaid takes it."""
    return re.sub(r"\W", "_", name)


def _plain(text: str) -> str:
    """Text of a message without what means something to Mermaid or HTML."""
    codes = {"#": "#35;", ";": "#59;", "<": "#lt;", ">": "#gt;", "%": "#37;"}
    return "".join(codes.get(letter, letter) for letter in text) or " "


def _picture(told: Exchange) -> bytes:
    """The diagram as PNG; how high it is shows when everything is drawn."""
    figure = new_figure(_WIDTH, 1)
    axes: Any = figure.add_axes((0, 0, 1, 1))
    sheet = _Sheet(axes, told.participants)
    bottom = (sheet.items(told.items, 0.6, 0) + 0.2) * _ROW
    sheet.lifelines(0.3 * _ROW - bottom)
    axes.set_axis_off()
    axes.set_xlim(0, _WIDTH)
    axes.set_ylim(-bottom, _HEAD)
    figure.set_size_inches(_WIDTH, _HEAD + bottom)
    return to_png(figure)


class _Sheet:
    """Where the lifelines are, and how the parts are drawn."""

    def __init__(self, axes: Any, names: Sequence[str]) -> None:
        self._axes = axes
        self._step = (_WIDTH - 2 * _SIDE) / max(len(names) - 1, 1)
        self._x = {name: _SIDE + place * self._step for place, name in enumerate(names)}

    def lifelines(self, bottom: float) -> None:
        """A line for everybody who takes part, and its name above."""
        from matplotlib.patches import FancyBboxPatch

        width = min(self._step - 0.08, 1.1)
        for name, x in self._x.items():
            self._axes.plot([x, x], [0.05, bottom], color=LINE, lw=0.8, zorder=1)
            fill = PANEL if name == USER else colour(name)
            box = FancyBboxPatch((x - width / 2, 0.07), width, 0.3, boxstyle="round,pad=0,rounding_size=0.05")
            box.set(fc=fill, ec=INK, lw=0.6, zorder=3)
            self._axes.add_patch(box)
            words = name.replace("_", "\n") if len(name) * 0.065 > width else name
            size = min(7.3, 7.3 * (width - 0.04) / (max(map(len, words.split("\n"))) * 0.065))
            self._text(x, 0.22, words, size, "center", color=ink_on(fill), zorder=4, linespacing=0.95)

    def _text(self, x: float, y: float, words: str, size: float, side: str, **style: Any) -> None:
        self._axes.text(x, y, words, **{"fontsize": size, "ha": side, "va": "center", "color": INK} | style)

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
        left, right = 0.12 + 0.1 * depth, _WIDTH - 0.12 - 0.1 * depth
        top = -(row - 0.45) * _ROW
        box = {"boxstyle": "square,pad=0.25", "fc": PANEL, "ec": "none"}
        for place, (title, body) in enumerate(sections):
            y = -(row - 0.45) * _ROW
            if place:
                self._axes.plot([left, right], [y, y], color=MUTED, lw=0.7, ls=(0, (4, 3)), zorder=2)
            words = shorten(title, int((right - left) / _LETTER) - 4)
            self._text(left + 0.06, y - 0.1, words, 6.8, "left", weight="bold", bbox=box, zorder=3)
            row = self.items(body, row + _TITLE, depth + 1)
        bottom = -(row - 0.35) * _ROW
        corners = [left, right, right, left, left], [top, top, bottom, bottom, top]
        self._axes.plot(*corners, color=MUTED, lw=0.8, zorder=2)
        return row + _BELOW

    def _message(self, message: Message, y: float) -> None:
        """An arrow with its words above, dashed if it is an answer; to itself, out to the right and back."""
        start, end = self._x[message.source], self._x[message.target]
        if start == end:
            sides = [start, start + 0.22, start + 0.22], [y + 0.05, y + 0.05, y - 0.07]
            self._axes.plot(*sides, color=INK, lw=0.9, zorder=3)
            self._axes.annotate("", (start, y - 0.07), (start + 0.225, y - 0.07), arrowprops=_ARROW, zorder=3)
            start = end = start + (0.3 if start < _WIDTH / 2 else -0.04)
        else:
            arrow = _ARROW | {"ls": "--" if message.reply else "-"}
            self._axes.annotate("", (end, y - 0.06), (start, y - 0.06), arrowprops=arrow, zorder=3)
        self._words(message, min(start, end), max(start, end), y)

    def _words(self, message: Message, left: float, right: float, y: float) -> None:
        """On the arrow where they fit; else beginning or ending with it, on the side that has more room."""
        if len(message.said()) * _LETTER <= right - left:
            x, side, room = (left + right) / 2, "center", right - left
        elif _WIDTH - left >= right:
            x, side, room = left + 0.05, "left", _WIDTH - 0.3 - left
        else:
            x, side, room = right - 0.05, "right", right - 0.3
        box = {"boxstyle": "square,pad=0.08", "fc": PAPER, "ec": "none", "alpha": 0.85}
        self._text(x, y + 0.04, message.said(max(8, int(room / _LETTER))), 6.8, side, bbox=box, zorder=2.5)
