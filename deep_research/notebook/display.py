"""The one object that every display returns, and the colours that all of them share.

Jupyter asks it for `_repr_mimebundle_`: the plain text states what is shown, a PNG or HTML beside it is what
a person sees. The PNG is made with matplotlib's Agg canvas directly, so no window, no global figure and no
`pyplot` state is involved, and a cell shows exactly one output.
"""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#22303c"
MUTED = "#7a8794"
LINE = "#b8c1c9"
PAPER = "#ffffff"
PANEL = "#eef3f6"
PALE = "#98a3ad"
"""Letters of what a run did not touch."""
MARK = "#ffd97a"
"""The fill of what a figure points at."""
LIT, LIT_INK = "#d3e6f5", "#0b5c94"
"""The fill and the lines of what a run took."""
WARN = "#d55e00"
"""What failed, or waits."""

COLOURS = {
    "clarifier": "#4e79a7",
    "brief_writer": "#76a5d0",
    "supervisor": "#b07aa1",
    "researcher": "#59a14f",
    "search": "#9bd08f",
    "summarizer": "#edc948",
    "compressor": "#f28e2b",
    "writer": "#e15759",
    "instructions": "#4e79a7",
    "user": "#76a5d0",
    "model": "#b07aa1",
    "tool results": "#59a14f",
}
"""Roles, and the kinds of messages in a prompt; anything else is grey."""

SERIES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8c6d31", "#7a8794")
"""Colours of things that are compared; told apart by readers who see red and green alike, too."""

_DPI = 110


@dataclass(frozen=True, repr=False)
class Display:
    """Something to look at. `text` says in words what `png` or `html` shows."""

    text: str
    html: str | None = None
    png: bytes | None = None

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        bundle = {"text/plain": self.text}
        if self.html is not None:
            bundle["text/html"] = self.html
        if self.png is not None:
            bundle["image/png"] = b64encode(self.png).decode("ascii")
        return bundle

    def __repr__(self) -> str:
        return self.text


def colour(kind: str) -> str:
    """The colour of a role or of a kind of message."""
    return COLOURS.get(kind, MUTED)


def series_colours(names: Sequence[str]) -> dict[str, str]:
    """A colour for each of the things compared, in order; more than eight begin again."""
    return {name: SERIES[place % len(SERIES)] for place, name in enumerate(names)}


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of so many inches, on an Agg canvas."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), facecolor=PAPER)
    FigureCanvasAgg(figure)
    return figure


def plain_axes(axes: Any, grid: Literal["x", "y"]) -> None:
    """A thin grid across one direction, no frame, small labels."""
    axes.tick_params(labelsize=8, colors=INK, length=0)
    axes.grid(axis=grid, color=LINE, lw=0.5, alpha=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)


def to_png(figure: Figure) -> bytes:
    """The figure as PNG with a small palette (a third of the size), and without the library's name in it."""
    from PIL import Image

    raw = io.BytesIO()
    figure.savefig(raw, format="png", dpi=_DPI, metadata={"Software": None})
    raw.seek(0)
    out = io.BytesIO()
    Image.open(raw).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()
