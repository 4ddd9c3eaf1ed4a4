"""What a compiled LangGraph graph consists of, as plain data: nodes in reading order, edges, choices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..graph_path import END, START
from ..tracing import NodeVisit
from .layout import Edge

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
