"""A compiled LangGraph graph as a picture, drawn on this machine (LangGraph's own PNG asks a web service).

Sub-graphs are opened up and framed; dashed lines are choices. `Graph.mermaid` is the same as Mermaid text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from .display import INK, LINE, MARK, MUTED, PANEL, Display, new_figure, to_png
from .layout import Edge, Layout, layered

_ENDS = {"__start__": "start", "__end__": "end"}
_COLUMN, _ROW = 1.55, 0.62
"""Inches from one column, and from one layer, to the next."""
_BOX, _END_BOX = (1.28, 0.34), (0.5, 0.24)


@dataclass(frozen=True, repr=False)
class GraphDisplay(Display):
    """A drawn graph; `mermaid` is the text that Mermaid draws it from."""

    mermaid: str = ""


def draw(graph: Any, highlight: Sequence[str] = (), title: str = "") -> GraphDisplay:
    """Draw a compiled graph. Nodes named in `highlight` are marked; a sub-graph's name marks all in it.

    Names are the graph's own (`clarify`, `research`, `research:compress`). Raises `ValueError` for a name
    that the graph does not have.
    """
    drawable = graph.get_graph(xray=True)
    nodes, edges = _shape(drawable)
    marked = {node for node in nodes if {node, node.rpartition(":")[0]} & set(highlight)}
    missing = [name for name in highlight if not any(name in (n, n.rpartition(":")[0]) for n in nodes)]
    if missing:
        raise ValueError(f"The graph has no node '{missing[0]}'. It has: {', '.join(nodes)}.")
    layout = layered(nodes, list(edges))
    png = _picture(nodes, edges, layout, marked, title)
    return GraphDisplay(_text(nodes, edges, marked, title), png=png, mermaid=drawable.draw_mermaid())


def _shape(drawable: Any) -> tuple[list[str], dict[Edge, bool]]:
    """Nodes in reading order, and edges (True: a choice); a sub-graph's own start and end are left out."""
    edges = {(edge.source, edge.target): bool(edge.conditional) for edge in drawable.edges}
    names = list(drawable.nodes)
    for inner in [name for name in names if ":" in name and name.rpartition(":")[2] in _ENDS]:
        arriving = {source: choice for (source, target), choice in edges.items() if target == inner}
        leaving = {target: choice for (source, target), choice in edges.items() if source == inner}
        edges = {edge: choice for edge, choice in edges.items() if inner not in edge}
        edges |= {(s, t): a or b for s, a in arriving.items() for t, b in leaving.items()}
        names.remove(inner)
    return _reading_order(names, edges), edges


def _reading_order(names: list[str], edges: dict[Edge, bool]) -> list[str]:
    """Breadth first from the start; what is not reached comes last."""
    order = [name for name in names if name == "__start__"] or names[:1]
    for node in order:
        order += [t for t in names if (node, t) in edges and t not in order and t != "__end__"]
    return order + [name for name in names if name not in order]


def label(node: str) -> str:
    """What a node is called in the picture: its own name, without its sub-graph's."""
    own = node.rpartition(":")[2]
    return _ENDS.get(own, own)


def _text(nodes: list[str], edges: dict[Edge, bool], marked: set[str], title: str) -> str:
    """The graph in words: one line per node, with where it leads (? where it chooses)."""
    lines = [f"{title or 'Graph'}: {len(nodes)} nodes, {len(edges)} edges"]
    for node in nodes:
        targets = [
            _name(target) + ("?" if choice else "")
            for (source, target), choice in edges.items()
            if source == node
        ]
        if targets or node in marked:
            mark = " *" if node in marked else ""
            lines.append(f"  {_name(node)}{mark} -> {', '.join(targets) or 'nothing'}")
    return "\n".join(lines)


def _name(node: str) -> str:
    return _ENDS.get(node, node)


def _picture(
    nodes: list[str], edges: dict[Edge, bool], layout: Layout, marked: set[str], title: str
) -> bytes:
    """Frames of the sub-graphs first, then lines, then boxes."""
    width = layout.width * _COLUMN + _BOX[0] + 0.5
    height = (layout.depth - 1) * _ROW + _BOX[1] + (0.55 if title else 0.3)
    figure = new_figure(max(width, 2.6), height)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    place = {node: (x * _COLUMN, -layer * _ROW) for node, (x, layer) in layout.at.items()}
    _frames(axes, place)
    ports = _ports(layout)
    for edge, choice in edges.items():
        loop = edge[0] == edge[1]
        _line(axes, _self_loop(place[edge[0]]) if loop else _curve(edge, ports, layout), choice)
    for node in nodes:
        _box(axes, node, place[node], node in marked)
    _limits(axes, layout, width, height, title)
    return to_png(figure)


def _limits(axes: Any, layout: Layout, width: float, height: float, title: str) -> None:
    columns = [x for x, _ in layout.at.values()] + [x for r in layout.routes.values() for x, _ in r]
    middle = (min(columns) + max(columns)) / 2 * _COLUMN
    half = max(width, 2.6) / 2
    top = 0.15 + _BOX[1] / 2 + (0.27 if title else 0)
    axes.set_xlim(middle - half, middle + half)
    axes.set_ylim(top - height, top)
    if title:
        axes.text(middle - half + 0.1, top - 0.08, title, fontsize=9.5, weight="bold", color=INK, va="top")


def _frames(axes: Any, place: dict[str, tuple[float, float]]) -> None:
    from matplotlib.patches import FancyBboxPatch

    groups: dict[str, list[tuple[float, float]]] = {}
    for node, point in place.items():
        if ":" in node:
            groups.setdefault(node.rpartition(":")[0], []).append(point)
    for name, points in groups.items():
        left, right = (pick(x for x, _ in points) for pick in (min, max))
        low, high = (pick(y for _, y in points) for pick in (min, max))
        corner = (left - _BOX[0] / 2 - 0.08, low - _BOX[1] / 2 - 0.06)
        size = (right - left + _BOX[0] + 0.16, high - low + _BOX[1] + 0.12)
        style = "round,pad=0.02,rounding_size=0.08"
        axes.add_patch(FancyBboxPatch(corner, *size, boxstyle=style, fc=PANEL, ec="none", zorder=0))
        axes.text(corner[0] + 0.03, corner[1] + 0.04, name, fontsize=7.5, style="italic", color=MUTED)


def _box(axes: Any, node: str, point: tuple[float, float], marked: bool) -> None:
    from matplotlib.patches import FancyBboxPatch

    end = node in _ENDS
    width, height = _END_BOX if end else _BOX
    corner = (point[0] - width / 2, point[1] - height / 2)
    fill = MARK if marked else (LINE if end else "white")
    style = f"round,pad=0,rounding_size={0.12 if end else 0.07}"
    axes.add_patch(FancyBboxPatch(corner, width, height, boxstyle=style, fc=fill, ec=INK, lw=0.9, zorder=3))
    axes.text(*point, label(node), fontsize=7.8, ha="center", va="center", color=INK, zorder=4)


def _line(axes: Any, path: Any, choice: bool) -> None:
    """A smooth line through the bends of an edge, with an arrow at its target."""
    from matplotlib.patches import FancyArrowPatch

    axes.add_patch(
        FancyArrowPatch(
            path=path, arrowstyle="-|>,head_length=3.2,head_width=1.8", fill=False, shrinkA=0, shrinkB=0,
            lw=0.9, color=MUTED, ls=(0, (3, 2)) if choice else "-", zorder=2,
        )
    )  # fmt: skip


def _self_loop(point: tuple[float, float]) -> Any:
    from matplotlib.path import Path

    x, y = point[0] + _BOX[0] / 2, point[1]
    points = [(x, y + 0.09), (x + 0.3, y + 0.14), (x + 0.3, y - 0.14), (x, y - 0.09)]
    return Path(points, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])


def _curve(edge: Edge, ports: dict[tuple[Edge, int], float], layout: Layout) -> Any:
    """From border to border, through the bends."""
    from matplotlib.path import Path

    route = [(x * _COLUMN, -row * _ROW) for x, row in layout.routes[edge]]
    down = 1 if route[-1][1] < route[0][1] else -1
    for end, node, sign in ((0, edge[0], -down), (-1, edge[1], down)):
        reach = _END_BOX[1] / 2 if node in _ENDS else _BOX[1] / 2
        route[end] = (route[end][0] + ports[edge, end], route[end][1] + sign * reach)
    vertices, codes = [route[0]], [Path.MOVETO]
    for (x0, y0), (x1, y1) in pairwise(route):
        middle = (y0 + y1) / 2
        vertices += [(x0, middle), (x1, middle), (x1, y1)]
        codes += [Path.CURVE4] * 3
    return Path(vertices, codes)


def _ports(layout: Layout) -> dict[tuple[Edge, int], float]:
    """Where on a box's upper or lower side each line ends (0 its source, -1 its target), in inches.

    Lines of one side are spread in the order of where they go, so that they neither meet nor cross there.
    """
    sides: dict[tuple[str, bool], list[tuple[float, Edge, int]]] = {}
    for edge, route in layout.routes.items():
        for end, node, following in ((0, edge[0], route[1]), (-1, edge[1], route[-2])):
            upper = following[1] < route[end][1]
            sides.setdefault((node, upper), []).append((following[0], edge, end))
    ports = {}
    for (node, _), lines in sides.items():
        step = 0.12 if node in _ENDS else 0.24
        for place, (_, edge, end) in enumerate(sorted(lines)):
            ports[edge, end] = (place - (len(lines) - 1) / 2) * step
    return ports
