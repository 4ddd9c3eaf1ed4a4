"""The one object that every display returns, and the colours that all of them share.

Jupyter asks it for `_repr_mimebundle_`: the plain text states what is shown, a PNG or HTML beside it is what
a person sees. The PNG is made with matplotlib's Agg canvas directly, so no window, no global figure and no
`pyplot` state is involved, and a cell shows exactly one output.
"""

from __future__ import annotations

import io
import warnings
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from deep_research.text.language import CJK

if TYPE_CHECKING:
    from matplotlib.figure import Figure


INK = "#22303c"
MUTED = "#7a8794"
LINE = "#b8c1c9"
PAPER = "#ffffff"
PANEL = "#eef3f6"
PALE = "#98a3ad"
"""Letters of what a run did not touch."""
HIGHLIGHT = "#ffd97a"
"""The fill of what a figure points at."""
LIT, LIT_INK = "#d3e6f5", "#0b5c94"
"""The fill and the lines of what a run took."""
WARN = "#d55e00"
"""What failed, or waits."""

_FAMILIES = {
    "#0072b2": ("clarifier", "router", "instructions"),
    "#56b4e9": ("brief_writer", "query_rewriter", "user"),
    "#cc79a7": ("supervisor", "planner", "orchestrator", "model"),
    "#009e73": ("researcher", "tool results"),
    "#9be8b0": ("search", "fetch"),
    "#f0e442": ("summarizer",),
    "#e69f00": ("compressor",),
    "#2f3b47": ("vetter", "critic", "verifier", "judge"),
    "#b93f00": ("writer",),
}
OTHER = "#d3d8dd"
COLOURS = {kind: colour for colour, kinds in _FAMILIES.items() for kind in kinds}
"""Roles, and the kinds of messages in a prompt; anything else is grey.

What does a similar thing shares a colour. The colours are those of Okabe and Ito, and a few of other
lightness, so that people who see no red, no green or no blue can tell them apart.
"""

SERIES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8c6d31", "#7a8794")
"""Colours of things that are compared; told apart by readers who see red and green alike, too."""

BESIDE: dict[str, Any] = {
    "loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "fontsize": 7.5, "frameon": False,
}  # fmt: skip
"""A legend to the right of its axes."""

_DPI = 110
_EAST_ASIAN = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans JP", "Noto Sans SC", "Hiragino Sans", "PingFang SC",
    "Yu Gothic", "Microsoft YaHei", "MS Gothic", "WenQuanYi Zen Hei", "IPAGothic",
)  # fmt: skip


@dataclass(frozen=True, repr=False)
class Display:
    """Something to look at. `text` says in words what `png` or `html` shows.

    `mermaid` is the text that Mermaid draws a graph from.
    """

    text: str
    html: str | None = None
    png: bytes | None = None
    mermaid: str = ""

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
    return COLOURS.get(kind, OTHER)


def ink_on(fill: str) -> str:
    """Dark letters on a light fill, white ones on a dark fill."""
    red, green, blue = (int(fill[place : place + 2], 16) for place in (1, 3, 5))
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > 135 else PAPER


def legend(axes: Any, kinds: Sequence[str], *more: Any) -> None:
    """What the colours mean, to the right of the axes; kinds that share a colour share a line."""
    from matplotlib.patches import Patch

    names: dict[str, list[str]] = {}
    for kind in dict.fromkeys(kinds):
        names.setdefault(colour(kind), []).append(kind)
    swatches = [Patch(color=fill, label=",\n".join(group)) for fill, group in names.items()]
    if swatches or more:
        axes.legend(handles=[*swatches, *more], handlelength=1.3, handleheight=1.0, **BESIDE)


def new_figure(width: float, height: float, layout: Literal["tight"] | None = None) -> Figure:
    """An empty figure of so many inches, on an Agg canvas; a tight one makes room for words beside axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), facecolor=PAPER, layout=layout)
    FigureCanvasAgg(figure)
    return figure


def plain_axes(axes: Any, grid: Literal["x", "y"], across: str = "", up: str = "") -> None:
    """A thin grid across one direction, no frame, small labels; what the axes are called."""
    axes.set_xlabel(across, fontsize=8, color=INK)
    axes.set_ylabel(up, fontsize=8, color=INK)
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
    _use_east_asian_fonts(figure)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(raw, format="png", dpi=_DPI, metadata={"Software": None})
    raw.seek(0)
    out = io.BytesIO()
    Image.open(raw).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def _use_east_asian_fonts(figure: Figure) -> None:
    """Texts with Chinese or Japanese in them get a font of this machine that has it, if there is one."""
    from matplotlib.font_manager import fontManager
    from matplotlib.text import Text

    texts = [text for text in figure.findobj(Text) if CJK.search(text.get_text())]
    if texts:
        there = set(fontManager.get_font_names())
        for text in texts:
            text.set_fontfamily(["DejaVu Sans", *(name for name in _EAST_ASIAN if name in there)])
