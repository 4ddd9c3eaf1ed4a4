"""Sub-graphs in a drawing: each is laid out by itself and then takes its place as one high and wide node.

So its nodes stay together and no line of another part runs through its frame. Lines enter and leave a frame
at a gate in its upper or lower border, and go on inside to the node that they mean. Frames can hold frames.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from .layout import BOX, Edge, Layout, Size, back_edges, layered

Point = tuple[float, float]
_UPPER, _LOWER = ">", "<"
"""The last part of the name of a frame's gates."""
_THIN = 0.5
"""The height of a row without boxes."""
_PAD = 0.12
_STRAIGHT = 0.42
"""The part of a row's height, up and down from its middle, in which a line does not change its column."""
_RIM = 0.12
"""How far a frame keeps from the ends of its rows."""


@dataclass(frozen=True)
class Frame:
    """A sub-graph's name and its rectangle."""

    name: str
    left: float
    top: float
    right: float
    bottom: float


@dataclass
class Drawing:
    """Where everything is, in columns to the right and rows downwards: middles of boxes, frames, lines."""

    at: dict[str, Point] = field(default_factory=dict)
    routes: dict[Edge, list[Point]] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)
    bottom: float = 0.0

    def span(self) -> tuple[float, float]:
        """The leftmost and the rightmost edge of what is drawn."""
        columns = [x for route in self.routes.values() for x, _ in route]
        columns += [x + side for x, _ in self.at.values() for side in (-BOX / 2, BOX / 2)]
        columns += [side for frame in self.frames for side in (frame.left, frame.right)]
        return min(columns, default=0.0), max(columns, default=0.0)


def framed(nodes: Sequence[str], edges: Sequence[Edge], within: str = "") -> Drawing:
    """Lay out a graph whose nodes are called `frame:node`; the first node is the start."""
    home = {node: _home(node, within) for node in nodes}
    items = list(dict.fromkeys(home.values()))
    outer = list(dict.fromkeys((home[s], home[t]) for s, t in edges if home[s] != home[t] or home[s] == s))
    turned = back_edges(items, [edge for edge in outer if edge[0] != edge[1]])
    inner = {
        item: _inside(item, [n for n in nodes if home[n] == item], edges, home, turned)
        for item in items
        if item not in home
    }
    layout = layered(items, outer, {item: _room(drawing) for item, drawing in inner.items()})
    return _joined(layout, inner, edges, home)


def _home(node: str, within: str) -> str:
    """The node itself, or the frame that it belongs to as seen from `within`."""
    own = node[len(within) + 1 :] if within else node
    head, inside, _ = own.partition(":")
    return (f"{within}:{head}" if within else head) if inside else node


def _inside(
    frame: str, members: list[str], edges: Sequence[Edge], home: dict[str, str], turned: set[Edge]
) -> Drawing:
    """A frame's own drawing, with a gate above and a gate below for the lines that come and go."""
    upper, lower = f"{frame}:{_UPPER}", f"{frame}:{_LOWER}"
    own: list[Edge] = []
    for source, target in edges:
        comes, goes = home[target] == frame, home[source] == frame
        upwards = (home[source], home[target]) in turned
        if comes and goes:
            own.append((source, target))
        elif comes:
            own.append((lower if upwards else upper, target))
        elif goes:
            own.append((source, upper if upwards else lower))
    used = {node for edge in own for node in edge}
    first, last = ([gate] if gate in used else [] for gate in (upper, lower))
    return framed([*first, *members, *last], list(dict.fromkeys(own)), frame)


def _room(drawing: Drawing) -> Size:
    left, right = drawing.span()
    return Size(max(1, math.ceil(drawing.bottom)), right - left + 2 * _PAD)


def _joined(
    layout: Layout, inner: dict[str, Drawing], edges: Sequence[Edge], home: dict[str, str]
) -> Drawing:
    """One drawing of a layout and of what is in its frames."""
    tops = _row_tops(layout, inner)
    joined = Drawing(bottom=tops[-1])
    placed: dict[str, Drawing] = {}
    for item, (column, layer) in layout.at.items():
        if item in inner:
            placed[item] = _moved(
                inner[item], item, column, tops[layer], tops[layer + _room(inner[item]).layers]
            )
            joined.at |= {n: p for n, p in placed[item].at.items() if not n.endswith((_UPPER, _LOWER))}
            joined.frames += placed[item].frames
        else:
            joined.at[item] = (column, (tops[layer] + tops[layer + 1]) / 2)
    for edge in edges:
        joined.routes[edge] = _route(edge, layout, placed, home, tops)
    return joined


def _row_tops(layout: Layout, inner: dict[str, Drawing]) -> list[float]:
    """Where each row begins, and the end; a row in which there is nothing but gates and bends is thin."""
    full = set()
    for item, (_, layer) in layout.at.items():
        if not item.endswith((f":{_UPPER}", f":{_LOWER}")):
            full |= set(range(layer, layer + (_room(inner[item]).layers if item in inner else 1)))
    tops = [0.0]
    for row in range(layout.depth):
        tops.append(tops[-1] + (1.0 if row in full else _THIN))
    return tops


def _moved(drawing: Drawing, frame: str, column: float, top: float, bottom: float) -> Drawing:
    """A frame's drawing moved to its place, with the frame around it."""
    left, right = drawing.span()
    across, down = column - (left + right) / 2, (top + bottom - drawing.bottom) / 2
    half = (right - left) / 2 + _PAD

    def move(point: Point) -> Point:
        return point[0] + across, point[1] + down

    own = Frame(frame, column - half, top + _RIM, column + half, bottom - _RIM)
    frames = [
        Frame(f.name, f.left + across, f.top + down, f.right + across, f.bottom + down)
        for f in drawing.frames
    ]
    return Drawing(
        {node: move(point) for node, point in drawing.at.items()},
        {edge: [move(point) for point in route] for edge, route in drawing.routes.items()},
        [own, *frames],
    )


def _route(
    edge: Edge, layout: Layout, placed: dict[str, Drawing], home: dict[str, str], tops: Sequence[float]
) -> list[Point]:
    """The whole way of a line: out of its frame, across the layout, into the other frame."""
    source, target = home[edge[0]], home[edge[1]]
    if source == target and source in placed:
        return placed[source].routes[edge]
    if source == target:
        return []
    upwards = (source, target) in layout.turned
    points = _upright([(x, int(row)) for x, row in layout.routes[source, target]], tops)
    if source in placed:
        gate = f"{source}:{_UPPER if upwards else _LOWER}"
        out = placed[source].routes[edge[0], gate]
        points = [*out[:-1], (out[-1][0], _border(placed[source], upwards)), *points[1:]]
    if target in placed:
        gate = f"{target}:{_LOWER if upwards else _UPPER}"
        into = placed[target].routes[gate, edge[1]]
        points = [*points[:-1], (into[0][0], _border(placed[target], not upwards)), *into[1:]]
    return points


def _upright(stations: Sequence[tuple[float, int]], tops: Sequence[float]) -> list[Point]:
    """Points of a line that passes rows: at a bend it keeps its column for the row's whole height.

    So it changes its column between rows only, where no frame is in the way.
    """
    points: list[Point] = []
    for place, (x, row) in enumerate(stations):
        middle, height = (tops[row] + tops[row + 1]) / 2, tops[row + 1] - tops[row]
        if place in (0, len(stations) - 1):
            points.append((x, middle))
        else:
            ends = [(x, middle - _STRAIGHT * height), (x, middle + _STRAIGHT * height)]
            points += ends if stations[0][1] < stations[-1][1] else ends[::-1]
    return points


def _border(drawing: Drawing, upper: bool) -> float:
    return drawing.frames[0].top if upper else drawing.frames[0].bottom
