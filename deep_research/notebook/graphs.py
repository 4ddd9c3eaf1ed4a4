"""A compiled LangGraph graph as a picture, drawn on this machine (LangGraph's own PNG asks a web service).

Sub-graphs are opened up and framed; dashed lines are choices. With a run's report, the nodes and lines that
the run took are lit up. `GraphDisplay.mermaid` is the same graph as Mermaid text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..report import Report
from ..tracing import NodeVisit
from .display import LIT, Display
from .frames import framed
from .graph_picture import picture
from .graph_shape import Shape, Taken, shape_of, spoken, taken


@dataclass(frozen=True, repr=False)
class GraphDisplay(Display):
    """A drawn graph; `mermaid` is the text that Mermaid draws it from."""

    mermaid: str = ""


def draw(
    graph: Any,
    highlight: Sequence[str] | Report = (),
    title: str = "",
    *,
    path: Report | Sequence[NodeVisit] | None = None,
) -> GraphDisplay:
    """Draw a compiled graph. Nodes named in `highlight` are marked; a sub-graph's name marks all in it.

    Names are the graph's own (`clarify`, `research`, `research:compress`). A report, as `path` or in place of
    `highlight`, lights up what its run took: each node says how often it ran (×3), the rest is pale. Raises
    `ValueError` for a name that the graph does not have.
    """
    if isinstance(highlight, Report):
        highlight, path = (), highlight
    shape, mermaid = shape_of(graph)
    marked = shape.named(highlight)
    way = None
    if path is not None:
        way = taken(shape, path.path if isinstance(path, Report) else path)
        mermaid += _lit(shape, way)
    png = picture(shape, framed(shape.nodes, list(shape.edges)), marked, way, title)
    return GraphDisplay(_text(shape, marked, way, title), png=png, mermaid=mermaid)


def _text(shape: Shape, marked: set[str], way: Taken | None, title: str) -> str:
    """The graph in words: one line per node, with where it leads (? where it chooses, ! what was taken)."""
    lines = [f"{title or 'Graph'}: {len(shape.nodes)} nodes, {len(shape.edges)} edges"]
    if way is not None:
        lines[0] += f"; {summary(shape, way)}"
    for node in shape.nodes:
        targets = [
            spoken(edge[1]) + ("?" if choice else "") + ("!" if way and edge in way.edges else "")
            for edge, choice in shape.edges.items()
            if edge[0] == node
        ]
        if targets or node in marked:
            lines.append(f"  {spoken(node)}{_marks(node, marked, way)} -> {', '.join(targets) or 'nothing'}")
    for owner, names in (way.unseen if way else {}).items():
        lines.append(f"  {f'inside {owner}' if owner else 'not in this picture'}: {', '.join(names)}")
    return "\n".join(lines)


def summary(shape: Shape, way: Taken) -> str:
    """How much of a graph a run passed through."""
    failed = f", {len(way.failed)} of them failed" if way.failed else ""
    of = len([node for node in shape.nodes if spoken(node) == node])
    return f"{len(way.times)} of {of} nodes ran{failed}, {len(way.edges)} edges taken"


def _marks(node: str, marked: set[str], way: Taken | None) -> str:
    ran = f" ×{way.times[node]}" if way and node in way.times else ""
    failed = f" ({way.failed[node]} failed)" if way and node in way.failed else ""
    return (" *" if node in marked else "") + ran + failed


def _lit(shape: Shape, way: Taken) -> str:
    """Mermaid lines that colour the nodes that ran."""
    names = ",".join(node.replace(":", "\\3a") for node in shape.nodes if node in way.times)
    return f"\tclassDef lit fill:{LIT},stroke-width:2px,color:#000\n\tclass {names} lit\n" if names else ""
