"""A layered layout for small directed graphs: what stands above what, and how the lines run.

The classical four steps: turn cycles around (depth first from the start), put every node on the layer of its
longest path, order each layer by the average place of its neighbours, and set the columns. A line that spans
several layers gets a bend on each of them, so that no line runs through a box. Pure Python, no randomness:
the same graph always gets the same picture.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

Edge = tuple[str, str]
END = "__end__"
_SWEEPS = 8


@dataclass(frozen=True)
class Layout:
    """`at` maps a node to (column, layer); `routes` maps an edge to its points from source to target."""

    at: dict[str, tuple[float, int]]
    routes: dict[Edge, list[tuple[float, float]]]

    @property
    def width(self) -> float:
        """Columns between the leftmost and the rightmost point."""
        columns = [x for route in self.routes.values() for x, _ in route] + [x for x, _ in self.at.values()]
        return max(columns, default=0.0) - min(columns, default=0.0)

    @property
    def depth(self) -> int:
        """Number of layers."""
        return max((layer for _, layer in self.at.values()), default=0) + 1


def layered(nodes: Sequence[str], edges: Sequence[Edge]) -> Layout:
    """Lay out a graph. `nodes` come in reading order; the first one is the start."""
    straight = [edge for edge in edges if edge[0] != edge[1]]
    turned = _back_edges(nodes, straight)
    downward = {edge: edge[::-1] if edge in turned else edge for edge in straight}
    layer = _layers(nodes, sorted(set(downward.values()), key=lambda e: (nodes.index(e[0]), e[1])))
    rows, chains = _with_bends(nodes, layer, downward)
    links = _neighbours(chains)
    _order(rows, links)
    columns = _columns(rows, links)
    routes = {}
    for edge, chain in chains.items():
        points = [(columns[name], float(place)) for name, place in chain]
        routes[edge] = points[::-1] if edge in turned else points
    return Layout({node: (columns[node], layer[node]) for node in nodes}, routes)


def _back_edges(nodes: Sequence[str], edges: Sequence[Edge]) -> set[Edge]:
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


def _layers(nodes: Sequence[str], edges: Sequence[Edge]) -> dict[str, int]:
    """The longest path from the start to each node; the end stands lowest."""
    layer = dict.fromkeys(nodes, 0)
    for _ in nodes:
        for source, target in edges:
            layer[target] = max(layer[target], layer[source] + 1)
    if END in layer:
        layer[END] = max(layer.values())
    return layer


Chain = list[tuple[str, int]]


def _with_bends(
    nodes: Sequence[str], layer: dict[str, int], downward: dict[Edge, Edge]
) -> tuple[list[list[str]], dict[Edge, Chain]]:
    """The rows of nodes and bends, and for each edge what it passes, from the upper end to the lower."""
    rows: list[list[str]] = [[] for _ in range(max(layer.values(), default=0) + 1)]
    for node in nodes:
        rows[layer[node]].append(node)
    chains: dict[Edge, Chain] = {}
    for edge, (upper, lower) in downward.items():
        between = range(layer[upper] + 1, layer[lower])
        bends = [(f"{edge[0]}→{edge[1]}@{place}", place) for place in between]
        for name, place in bends:
            rows[place].append(name)
        chains[edge] = [(upper, layer[upper]), *bends, (lower, layer[lower])]
    return rows, chains


def _neighbours(chains: dict[Edge, Chain]) -> dict[str, dict[str, list[str]]]:
    """For each node and bend, what it is joined to in the row above and in the row below."""
    links: dict[str, dict[str, list[str]]] = defaultdict(lambda: {"up": [], "down": []})
    for chain in chains.values():
        for (upper, _), (lower, _) in pairwise(chain):
            links[upper]["down"].append(lower)
            links[lower]["up"].append(upper)
    return links


def _order(rows: list[list[str]], links: dict[str, dict[str, list[str]]]) -> None:
    """Sort each row by the average place of its neighbours, downwards and upwards in turn."""
    for sweep in range(_SWEEPS):
        way, order = ("up", rows) if sweep % 2 == 0 else ("down", rows[::-1])
        place = {name: i - len(row) / 2 for row in rows for i, name in enumerate(row)}
        for row in order:
            average = {name: _mean([place[other] for other in links[name][way]], place[name]) for name in row}
            row.sort(key=lambda name: (average[name], place[name]))
            place.update({name: i - len(row) / 2 for i, name in enumerate(row)})


def _columns(rows: list[list[str]], links: dict[str, dict[str, list[str]]]) -> dict[str, float]:
    """Columns near the neighbours' average, at least one apart (bends take less room than boxes)."""
    columns = {name: float(i) - len(row) / 2 for row in rows for i, name in enumerate(row)}
    for sweep in range(4 * _SWEEPS):
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            wanted = [
                _mean([columns[o] for o in links[name]["up"] + links[name]["down"]], columns[name])
                for name in row
            ]
            columns.update(zip(row, _apart(row, wanted), strict=True))
    return columns


def _apart(row: list[str], wanted: list[float]) -> list[float]:
    """Places in the given order, as close to the wanted ones as the gaps allow."""
    right = list(wanted)
    for i in range(1, len(row)):
        right[i] = max(wanted[i], right[i - 1] + _gap(row[i - 1], row[i]))
    left = list(wanted)
    for i in range(len(row) - 2, -1, -1):
        left[i] = min(wanted[i], left[i + 1] - _gap(row[i], row[i + 1]))
    return [(a + b) / 2 for a, b in zip(left, right, strict=True)]


def _gap(first: str, second: str) -> float:
    bends = ("@" in first) + ("@" in second)
    return (1.0, 0.7, 0.25)[bends]


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default
