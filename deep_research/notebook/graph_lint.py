"""A linter for LangGraph graphs: mistakes that show only when a certain path is taken, found without a run.

    unknown-target     an edge, a `Command[Literal[…]]` or a branch names a node that is not there
    unreachable        no path from the start leads to a node
    missing-reducer    nodes that run in one step write the same key, and nothing says how to merge
    cross-branch-read  a node reads what a node beside it writes: it sees the value from before, or none

What a node reads and writes is taken from its source: `state["key"]`, `state.get("key")`, and the keys of
dictionaries that are keys of the state (what goes into a `Send` apart). A function that only calls others is
not looked into, so a clean result is no proof; a finding is worth a look.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from langgraph.channels import LastValue
from langgraph.graph import END, START


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One finding: the rule, the node it is about, and what is wrong in a sentence."""

    rule: str
    node: str
    message: str


def lint(graph: Any) -> list[Problem]:
    """All problems of a `StateGraph`, compiled or not, in order of rule and node."""
    builder = getattr(graph, "builder", graph)
    edges = _edges(builder)
    found = {*_unknown(builder, edges), *_unreachable(builder, edges), *_beside_each_other(builder, edges)}
    return sorted(found)


def _edges(builder: Any) -> dict[str, set[str]]:
    """Node → whatever may come next, choices and joins included."""
    edges: dict[str, set[str]] = {START: set(), **{name: set() for name in builder.nodes}}
    joins = [(start, end) for starts, end in builder.waiting_edges for start in starts]
    for start, end in [*builder.edges, *joins]:
        edges.setdefault(start, set()).add(end)
    for name, node in builder.nodes.items():
        edges[name].update(node.ends or ())
    for name, branches in builder.branches.items():
        for branch in branches.values():
            edges.setdefault(name, set()).update((branch.ends or {}).values())
    return edges


def _unknown(builder: Any, edges: dict[str, set[str]]) -> Iterator[Problem]:
    known = {*builder.nodes, START, END}
    for name, targets in edges.items():
        for target in targets - known:
            yield Problem("unknown-target", name, f"'{name}' leads to '{target}', which is no node.")


def _unreachable(builder: Any, edges: dict[str, set[str]]) -> Iterator[Problem]:
    for name in builder.nodes.keys() - _reached(START, edges):
        yield Problem("unreachable", name, f"No path from the start leads to '{name}'.")


def _reached(start: str, edges: dict[str, set[str]]) -> set[str]:
    reached, waiting = {start}, [start]
    while waiting:
        new = edges.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    return reached


def _beside_each_other(builder: Any, edges: dict[str, set[str]]) -> Iterator[Problem]:
    """Keys that nodes of one step write twice, or that one reads while the other writes."""
    access = {name: _access(node.runnable, set(builder.channels)) for name, node in builder.nodes.items()}
    plain = {key for key, channel in builder.channels.items() if type(channel) is LastValue}
    for one, other in sorted({*_forked(builder, edges), *_mapped(builder)}):
        both = access[one].writes & access[other].writes & plain
        what = f"'{one}' runs several times" if one == other else f"'{one}' and '{other}' run"
        for key in both:
            yield Problem(
                "missing-reducer", one, f"{what} in one step, and '{key}' has no reducer to merge them."
            )
        for reader, writer in {(one, other), (other, one)} if one != other else ():
            for key in access[reader].reads & access[writer].writes:
                message = f"'{reader}' reads '{key}' while '{writer}' beside it writes it."
                yield Problem("cross-branch-read", reader, message)


def _forked(builder: Any, edges: dict[str, set[str]]) -> Iterator[tuple[str, str]]:
    """Pairs of nodes on different paths from a node that always leads to several, up to where they meet."""
    starts = {start for start, _ in builder.edges}
    for fork in starts:
        paths = sorted(end for start, end in builder.edges if start == fork and end != END)
        for one, other in combinations(paths, 2):
            left, right = _reached(one, edges), _reached(other, edges)
            for pair in ((a, b) for a in left - right for b in right - left):
                if not {*pair} & {START, END}:
                    yield tuple(sorted(pair))  # type: ignore[misc]


def _mapped(builder: Any) -> Iterator[tuple[str, str]]:
    """Nodes that a `Send` may start several times, each beside itself."""
    choosing = [branch.path for branches in builder.branches.values() for branch in branches.values()]
    for runnable in (*(node.runnable for node in builder.nodes.values()), *choosing):
        for call in _calls(_source(runnable), "Send"):
            match call.args:
                case [ast.Constant(value=str(target)), *_] if target in builder.nodes:
                    yield target, target


@dataclass(frozen=True, slots=True)
class _Access:
    reads: frozenset[str]
    writes: frozenset[str]


def _access(runnable: Any, keys: set[str]) -> _Access:
    """The keys of the state that a node reads and writes, as far as its source shows."""
    inner = _inner_graph(runnable)
    if inner is not None:
        return _Access(frozenset(), frozenset(inner.output_channels) & keys)
    tree = _source(runnable)
    sent = {part for call in _calls(tree, "Send") for part in ast.walk(call)}
    literals = [node for node in ast.walk(tree) if isinstance(node, ast.Dict) and node not in sent]
    written = (key.value for node in literals for key in node.keys if isinstance(key, ast.Constant))
    return _Access(frozenset(keys.intersection(_read(tree))), frozenset(keys.intersection(written)))


def _read(tree: ast.AST) -> Iterator[Any]:
    """What stands in `state[…]` and `state.get(…)`."""
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=ast.Name(id="state"), slice=ast.Constant(value=key)):
                yield key
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="state"), attr="get"), args=[ast.Constant(value=key), *_]
            ):
                yield key


def _calls(tree: ast.AST, name: str) -> Iterable[ast.Call]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    ]


def _function(runnable: Any) -> Any:
    function = getattr(runnable, "afunc", None) or getattr(runnable, "func", None)
    return inspect.unwrap(function) if callable(function) else None


def _source(runnable: Any) -> ast.AST:
    """The parsed source of a node's function; an empty tree where there is none to be had."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(_function(runnable))))
    except (OSError, TypeError, SyntaxError):
        return ast.Module([], [])


def _inner_graph(runnable: Any) -> Any:
    """The graph that a node is, or that its function was made to call; None if there is none."""
    if hasattr(runnable, "output_channels"):
        return runnable
    function = _function(runnable)
    if function is None:
        return None
    held = inspect.getclosurevars(function).nonlocals.values()
    return next((value for value in held if hasattr(value, "output_channels")), None)
