"""A layered layout for directed graphs: what stands above what, and how the lines run.

The classical four steps: turn cycles around (depth first from the start), put every node on the layer of its
longest path, order each layer so that few lines cross, and set the columns (`alignment`). A line that spans
several layers gets a bend on each of them, so that no line runs through a box. A node can be several layers
high and wider than others: that is how a frame finds its place (`frames`). Pure Python, no randomness: the
same graph always gets the same picture.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .alignment import columns

Edge = tuple[str, str]
END = "__end__"
BOX = 0.83
"""The width of a box, where 1 is the distance from one column to the next."""
_MARGIN, _BEND_GAP = 0.2, 0.25
_SWEEPS = 12


@dataclass(frozen=True)
class Layout:
    """`at` maps a node to (column, layer); `routes` maps an edge to its points from source to target.

    Edges of `turned` run upwards. The layers of a high node are counted from its uppermost one.
    """

    at: dict[str, tuple[float, int]]
    routes: dict[Edge, list[tuple[float, float]]]
    turned: frozenset[Edge]
    depth: int


@dataclass(frozen=True)
class Size:
    """How much room a node takes: layers, and columns."""

    layers: int = 1
    width: float = BOX


_PLAIN = Size()
Chain = list[str]


def layered(nodes: Sequence[str], edges: Sequence[Edge], sizes: Mapping[str, Size] | None = None) -> Layout:
    """Lay out a graph. `nodes` come in reading order; the first one is the start."""
    sizes = sizes or {}
    straight = [edge for edge in edges if edge[0] != edge[1]]
    turned = back_edges(nodes, straight)
    downward = {edge: edge[::-1] if edge in turned else edge for edge in straight}
    layer = _layers(nodes, list(downward.values()), sizes)
    grid = _Grid(nodes, layer, downward, sizes)
    links = _neighbours([*grid.chains.values(), *grid.stacks.values()])
    rows = _ordered(grid.rows, links)
    column = columns(rows, links, grid.gap, grid.is_firm)
    routes = {}
    for edge, chain in grid.chains.items():
        points = [(column[name], float(grid.row_of[name])) for name in chain]
        routes[edge] = points[::-1] if edge in turned else points
    at = {node: (column[node], layer[node]) for node in nodes}
    return Layout(at, routes, frozenset(turned), len(rows))


def back_edges(nodes: Sequence[str], edges: Sequence[Edge]) -> set[Edge]:
    """Edges that close a cycle when the graph is walked depth first."""
    following: dict[str, list[str]] = defaultdict(list)
    for source, target in edges:
        following[source].append(target)
    done: set[str] = set()
    path: list[str] = []
    back: set[Edge] = set()

    def walk(node: str) -> None:
        path.append(node)
        for target in sorted(following[node], key=nodes.index):
            if target in path:
                back.add((node, target))
            elif target not in done:
                walk(target)
        path.pop()
        done.add(node)

    for node in nodes:
        if node not in done:
            walk(node)
    return back


def _layers(nodes: Sequence[str], edges: Sequence[Edge], sizes: Mapping[str, Size]) -> dict[str, int]:
    """The uppermost layer of each node: the longest path from the start; the end stands lowest."""
    layer = dict.fromkeys(nodes, 0)
    for _ in nodes:
        for source, target in edges:
            layer[target] = max(layer[target], layer[source] + sizes.get(source, _PLAIN).layers)
    if END in layer:
        layer[END] = max(layer[node] + sizes.get(node, _PLAIN).layers - 1 for node in nodes)
    return layer


class _Grid:
    """The rows of nodes, their lower parts, and bends; and the chain of these that each edge runs along."""

    def __init__(
        self,
        nodes: Sequence[str],
        layer: dict[str, int],
        downward: dict[Edge, Edge],
        sizes: Mapping[str, Size],
    ) -> None:
        self._sizes = sizes
        self.row_of: dict[str, int] = {}
        self.stacks = {node: self._stack(node, layer[node]) for node in nodes}
        self.chains = {edge: self._chain(edge, *ends) for edge, ends in downward.items()}
        self.rows: list[list[str]] = [[] for _ in range(max(self.row_of.values(), default=0) + 1)]
        for name, row in self.row_of.items():
            self.rows[row].append(name)

    def _stack(self, node: str, top: int) -> Chain:
        """A node and, if it is more than a layer high, its lower parts."""
        parts = [node, *(f"{node}|{n}" for n in range(1, self._sizes.get(node, _PLAIN).layers))]
        self.row_of |= {part: top + n for n, part in enumerate(parts)}
        return parts

    def _chain(self, edge: Edge, upper: str, lower: str) -> Chain:
        """From the lowest part of the upper node to the lower node, with a bend on every layer between."""
        start = self.stacks[upper][-1]
        places = range(self.row_of[start] + 1, self.row_of[lower])
        bends = {f"{edge[0]}→{edge[1]}@{place}": place for place in places}
        self.row_of |= bends
        return [start, *bends, lower]

    def gap(self, left: str, right: str) -> float:
        """The least distance between the middles of two neighbours in a row."""
        bends = ("@" in left) + ("@" in right)
        if bends == 2:
            return _BEND_GAP
        room = sum(
            self._sizes.get(n.partition("|")[0], _PLAIN).width / 2 for n in (left, right) if "@" not in n
        )
        return room + (_MARGIN if bends else 1 - BOX)

    def is_firm(self, upper: str, lower: str) -> bool:
        """Whether a line has to run straight down here: between two bends, and inside a high node."""
        return all("@" in n for n in (upper, lower)) or upper.partition("|")[0] == lower.partition("|")[0]


Links = dict[str, dict[str, list[str]]]


def _neighbours(chains: Sequence[Chain]) -> Links:
    """For each name, what it is joined to in the row above and in the row below."""
    links: Links = defaultdict(lambda: {"up": [], "down": []})
    for chain in chains:
        for upper, lower in pairwise(chain):
            links[upper]["down"].append(lower)
            links[lower]["up"].append(upper)
    return links


def _ordered(rows: list[list[str]], links: Links) -> list[list[str]]:
    """Sort rows by the average place of their neighbours, down and up in turn, and keep the best order."""
    best, fewest = rows, _crossings(rows, links)
    current = [list(row) for row in rows]
    for sweep in range(_SWEEPS):
        way, order = ("up", current) if sweep % 2 == 0 else ("down", current[::-1])
        place = {name: i - len(row) / 2 for row in current for i, name in enumerate(row)}
        for row in order:
            average = {name: _mean([place[other] for other in links[name][way]], place[name]) for name in row}
            row.sort(key=lambda name: (average[name], place[name]))
            place.update({name: i - len(row) / 2 for i, name in enumerate(row)})
        crossings = _crossings(current, links)
        if crossings < fewest:
            best, fewest = [list(row) for row in current], crossings
    return best


def _crossings(rows: Sequence[Sequence[str]], links: Links) -> int:
    """How often lines cross between neighbouring rows."""
    place = {name: i for row in rows for i, name in enumerate(row)}
    count = 0
    for row in rows:
        lines = [(place[name], place[below]) for name in row for below in links[name]["down"]]
        count += sum((a - c) * (b - d) < 0 for i, (a, b) in enumerate(lines) for c, d in lines[:i])
    return count


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default
