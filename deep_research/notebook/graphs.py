"""A compiled LangGraph graph as a picture, drawn on this machine (LangGraph's own PNG asks a web service).

`shape_of` reads the graph as plain data: nodes in reading order, edges, choices. Sub-graphs are opened up and
framed; dashed lines are choices. With a run's report, the nodes and lines that the run took are lit up.
`graphlay` places boxes, frames and lines so that no line runs through a box, and matplotlib draws them.
`.mermaid` is the same graph as Mermaid text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deep_research.engine.path import END, START
from deep_research.engine.trace import NodeVisit
from deep_research.report import Report

from .display import (
    HIGHLIGHT,
    INK,
    LINE,
    LIT,
    LIT_INK,
    MUTED,
    PALE,
    PANEL,
    PAPER,
    WARN,
    Display,
    new_figure,
    to_png,
)

if TYPE_CHECKING:
    from graphlay import Layout


Edge = tuple[str, str]

_ENDS = {START: "start", END: "end"}


@dataclass(frozen=True)
class Shape:
    """Nodes (`research:compress` is inside the sub-graph `research`) and edges (True: a choice)."""

    nodes: list[str]
    edges: dict[Edge, bool]

    def named(self, names: Iterable[str]) -> set[str]:
        """The nodes that these names mean; a sub-graph's name means all in it. `ValueError` for no node."""
        found: set[str] = set()
        for name in names:
            meant = {node for node in self.nodes if node == name or node.startswith(f"{name}:")}
            if not meant:
                raise ValueError(f"The graph has no node '{name}'. It has: {', '.join(self.nodes)}.")
            found |= meant
        return found


def shape_of(graph: Any) -> tuple[Shape, str]:
    """A compiled graph with its sub-graphs opened, and as Mermaid text.

    A sub-graph's own start and end are left out: its lines lead to the nodes behind them.
    """
    drawable = graph.get_graph(xray=True)
    edges = {(edge.source, edge.target): bool(edge.conditional) for edge in drawable.edges}
    names = list(drawable.nodes)
    for inner in [name for name in names if ":" in name and name.rpartition(":")[2] in _ENDS]:
        arriving = {source: choice for (source, target), choice in edges.items() if target == inner}
        leaving = {target: choice for (source, target), choice in edges.items() if source == inner}
        edges = {edge: choice for edge, choice in edges.items() if inner not in edge}
        edges |= {(s, t): a or b for s, a in arriving.items() for t, b in leaving.items()}
        names.remove(inner)
    return Shape(_reading_order(names, edges), edges), drawable.draw_mermaid()


def _reading_order(names: list[str], edges: dict[Edge, bool]) -> list[str]:
    """Breadth first from the start; what is not reached comes last."""
    order = [name for name in names if name == START] or names[:1]
    for node in order:
        order += [t for t in names if (node, t) in edges and t not in order and t != END]
    return order + [name for name in names if name not in order]


def spoken(node: str) -> str:
    """A node's name as people say it: the start and the end without underscores."""
    return _ENDS.get(node, node)


def label(node: str) -> str:
    """What a node is called in the picture: its own name, without its sub-graph's."""
    return spoken(node.rpartition(":")[2])


@dataclass(frozen=True)
class Taken:
    """The way of a run through a shape: how often each node ran and failed, and which edges were taken."""

    times: dict[str, int]
    failed: dict[str, int]
    edges: frozenset[Edge]
    unseen: dict[str, list[str]]
    """Nodes that ran and are not in the picture, with how often, by the node of the picture they are part of.

    An agent that is put together while a node runs is such a part; '' is for those that belong to no node.
    """


def taken(shape: Shape, path: Sequence[NodeVisit]) -> Taken:
    """Lay a run's path over the graph's shape.

    An edge counts as taken if its target ran in the step after its source did. Where two nodes of one step
    lead to the same node, both of their edges count.
    """
    visits = {visit.node: visit for visit in path}
    came_from = {node: {_drawn(name, shape) for name in visit.after} for node, visit in visits.items()}
    edges = {(source, target) for source, target in shape.edges if source in came_from.get(target, ())}
    frames = {node[:end] for node in shape.nodes for end, letter in enumerate(node) if letter == ":"}
    unseen: dict[str, list[str]] = {}
    for node, visit in visits.items():
        if node not in {*shape.nodes, *frames, END}:
            owner = _drawn(node, shape)
            name = node[len(owner) + 1 :] if owner else node
            unseen.setdefault(owner, []).append(f"{name} ×{visit.times}")
    return Taken(
        times={node: visits[node].times for node in shape.nodes if node in visits and node != END},
        failed={node: visits[node].failed for node in shape.nodes if node in visits and visits[node].failed},
        edges=frozenset(edges),
        unseen=unseen,
    )


def _drawn(node: str, shape: Shape) -> str:
    """The node itself, or the node of the picture that it is a part of; '' if there is none."""
    while node and node not in shape.nodes:
        node = node.rpartition(":")[0]
    return node


_INCH = 100
"""Units of the layout to the inch."""
_HEIGHT, _END, _LETTER = 34, (50, 24), 7.2
"""A box's height, the size of the start and the end, and the width of a letter."""
_CORNER, _ARROW, _MARGIN = 9, 8, 16
_HEAD = "-|>,head_length=.6,head_width=.26"
_OPTIONS: dict[str, Any] = {
    "direction": "topbottom",
    "spacing": {"layer_gap": 30, "node_gap": 30, "dummy_gap": 22, "compound_padding": 22},
}
_CENTRED = {"ha": "center", "va": "center"}
Position = tuple[float, float]


def draw(
    graph: Any,
    highlight: Sequence[str] | Report = (),
    title: str = "",
    *,
    path: Report | Sequence[NodeVisit] | None = None,
) -> Display:
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
    png = _picture(shape, marked, way, title)
    return Display(_text(shape, marked, way, title), png=png, mermaid=mermaid)


def _text(shape: Shape, marked: set[str], way: Taken | None, title: str) -> str:
    """The graph in words: one line per node, with where it leads (? where it chooses, ! what was taken)."""
    lines = [f"{title or 'Graph'}: {len(shape.nodes)} nodes, {len(shape.edges)} edges"]
    if way is not None:
        lines[0] += f"; {_summary(shape, way)}"
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


def _summary(shape: Shape, way: Taken) -> str:
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


def _picture(shape: Shape, marked: set[str], way: Taken | None, title: str) -> bytes:
    """The graph as PNG; `way` lights up what a run took."""
    layout = layout_of(shape)
    figure, axes = _sheet(layout, title, way)
    for name, placed in zip(layout.ids, layout.nodes, strict=True):
        if name in shape.nodes:
            _box(axes, name, placed, _colours(name, marked, way), way.times.get(name, 0) if way else 0)
        else:
            _frame(axes, name, placed)
    for (edge, choice), drawn in zip(shape.edges.items(), layout.edges, strict=True):
        points = [(point["x"], -point["y"]) for point in drawn["points"]]
        _line(axes, points, choice, None if way is None else edge in way.edges)
    return to_png(figure)


def layout_of(shape: Shape) -> Layout:
    """Where nodes and the frames around sub-graphs are, and the lines in the order of the edges."""
    from graphlay import Graph, layout

    graph = Graph()
    width = max(110.0, max((len(label(node)) for node in shape.nodes), default=0) * _LETTER + 16)
    inside: dict[str, dict[str, Any]] = {"": {}}
    for node in shape.nodes:
        for frame in (node[:place] for place, letter in enumerate(node) if letter == ":"):
            if frame not in inside:
                inside[frame] = {"parent": graph.node(frame, **inside[frame.rpartition(":")[0]])}
        across, high = _END if spoken(node) != node else (width, _HEIGHT)
        graph.node(node, width=across, height=high, **inside[node.rpartition(":")[0]])
    turned = _back_edges(shape)
    for edge in shape.edges:
        graph.edge(*edge, reverse_for_ranking=edge in turned)
    return layout(graph, options=_OPTIONS)


def _back_edges(shape: Shape) -> set[Edge]:
    """Edges that close a cycle when the graph is walked depth first, in reading order."""
    back: set[Edge] = set()
    done: set[str] = set()

    def walk(node: str, path: tuple[str, ...]) -> None:
        done.add(node)
        for target in (name for name in shape.nodes if (node, name) in shape.edges and name != node):
            if target in path:
                back.add((node, target))
            elif target not in done:
                walk(target, (*path, target))

    for node in shape.nodes:
        if node not in done:
            walk(node, (node,))
    return back


def _sheet(layout: Layout, title: str, way: Taken | None) -> tuple[Any, Any]:
    """A figure of the layout's size, with the title and the meaning of the colours above."""
    least, most = layout.bounds["min"], layout.bounds["max"]
    head = (26 if title else 0) + (20 if way else 0)
    across = max(most["x"] - least["x"] + 2 * _MARGIN, 260.0, len(title) * 9 + 30)
    high = most["y"] - least["y"] + 2 * _MARGIN + head
    figure = new_figure(across / _INCH, high / _INCH)
    axes: Any = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    left, top = (least["x"] + most["x"] - across) / 2, _MARGIN + head - least["y"]
    axes.set_xlim(left, left + across)
    axes.set_ylim(top - high, top)
    axes.text(left + 12, top - 10, title, fontsize=9.5, weight="bold", color=INK, va="top")
    if way:
        words = "blue: ran (×n: n times) · pale: did not run" + (" · orange: failed" if way.failed else "")
        axes.text(left + 12, top - (34 if title else 10), words, fontsize=7, color=MUTED, va="top")
    return figure, axes


def _round(axes: Any, placed: dict[str, Any], radius: float, **style: Any) -> tuple[Position, Position]:
    """A rounded box; its middle and its upper right corner are returned."""
    from matplotlib.patches import FancyBboxPatch

    x, y = placed["center"]["x"], -placed["center"]["y"]
    width, height = placed["size"]["width"], placed["size"]["height"]
    box = FancyBboxPatch((x - width / 2, y - height / 2), width, height, **style)
    box.set_boxstyle("round", pad=0, rounding_size=radius)
    axes.add_patch(box)
    return (x, y), (x + width / 2, y + height / 2)


def _frame(axes: Any, name: str, placed: dict[str, Any]) -> None:
    """A sub-graph; its name stands upright at the left, where no line runs."""
    (x, y), (right, _) = _round(axes, placed, 10, fc=PANEL, ec=LINE, lw=0.6, zorder=0)
    style = {"fontsize": 7.2, "style": "italic", "color": MUTED, "rotation": 90, "zorder": 1} | _CENTRED
    axes.text(2 * x - right + 10, y, label(name), **style)


def _box(
    axes: Any, node: str, placed: dict[str, Any], colours: tuple[str, str, str, float], times: int
) -> None:
    """A node, with how often it ran if that was more than once; the start and the end are rounder."""
    fill, border, ink, line = colours
    radius = 12 if spoken(node) != node else 7
    middle, (right, top) = _round(axes, placed, radius, fc=fill, ec=border, lw=line, zorder=3)
    axes.text(*middle, label(node), fontsize=7.8, color=ink, zorder=4, **_CENTRED)
    if times > 1:
        badge = {"boxstyle": "round,pad=0.18", "fc": LIT_INK, "ec": "none"}
        style = {"fontsize": 6.5, "weight": "bold", "color": PAPER, "bbox": badge, "zorder": 5} | _CENTRED
        axes.text(right - 2, top, f"×{times}", **style)


def _colours(node: str, marked: set[str], way: Taken | None) -> tuple[str, str, str, float]:
    """Fill, border, letters, and the width of the border."""
    if not way or spoken(node) != node:
        return (HIGHLIGHT if node in marked else LINE if spoken(node) != node else PAPER), INK, INK, 0.9
    if node not in way.times:
        return (HIGHLIGHT if node in marked else PAPER), LINE, PALE, 0.9
    return (HIGHLIGHT if node in marked else LIT), (WARN if node in way.failed else LIT_INK), INK, 1.6


def _line(axes: Any, points: Sequence[Position], choice: bool, lit: bool | None) -> None:
    """An edge with rounded bends: thick if a run took it, pale if it did not, dashed if it is a choice."""
    from matplotlib.patches import FancyArrowPatch, PathPatch

    colour = MUTED if lit is None else LIT_INK if lit else LINE
    width, order = (1.7, 2.5) if lit else (0.9, 2)
    shaft = _towards(points[-1], points[-2], _ARROW)
    style = (0, (3, 2)) if choice else "-"
    path = _rounded([*points[:-1], shaft])
    axes.add_patch(PathPatch(path, fc="none", ec=colour, lw=width, ls=style, zorder=order))
    tip = FancyArrowPatch(shaft, points[-1], arrowstyle=_HEAD, mutation_scale=10, shrinkA=0, shrinkB=0)
    tip.set(color=colour, lw=0, zorder=order)
    axes.add_patch(tip)


def _rounded(points: Sequence[Position]) -> Any:
    """A line through points whose corners are cut by a curve."""
    from matplotlib.path import Path

    vertices, codes = [points[0]], [Path.MOVETO]
    for before, bend, after in zip(points, points[1:], points[2:], strict=False):
        vertices += [_towards(bend, before, _CORNER), bend, _towards(bend, after, _CORNER)]
        codes += [Path.LINETO, Path.CURVE3, Path.CURVE3]
    return Path([*vertices, points[-1]], [*codes, Path.LINETO])


def _towards(start: Position, goal: Position, length: float) -> Position:
    """The point so far from the start on the way to the goal, half of the way at most."""
    across, down = goal[0] - start[0], goal[1] - start[1]
    part = min(0.5, length / (abs(across) + abs(down) or 1))
    return start[0] + part * across, start[1] + part * down
