"""How often each node of a graph has run, counted in the state and capped.

A recursion limit counts all steps together and ends a run with an error; this counts node by node, survives
a restart with the state, and names the node that went round too often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import wraps
from typing import Any

from langgraph.types import Command

from deep_research.core.errors import BudgetExceeded
from deep_research.engine.context import Context, check_start


def add_counts(existing: Mapping[str, int] | None, new: Mapping[str, int]) -> dict[str, int]:
    """Reducer: the counts of two mappings added up."""
    return dict(Counter(existing or {}) + Counter(new))


def check_visits(node: str, visits: int, ctx: Context) -> None:
    """Raise `BudgetExceeded`, which ends the run with what it has, if a node would run too often."""
    most = ctx.settings.graph.max_node_visits
    if visits > most:
        raise BudgetExceeded("visits", most, f"The limit on visits of the node '{node}' ({most}) is reached.")


def with_visit_count(name: str, node: Any) -> Any:
    """The node, with its visits counted in the state's `visits` and capped by `graph.max_node_visits`."""

    @wraps(node)
    async def run(state: Mapping[str, Any], runtime: Any) -> Any:
        check_start(state, runtime.context)
        check_visits(name, state.get("visits", {}).get(name, 0) + 1, runtime.context)
        result = await node(state, runtime)
        if isinstance(result, Command):
            return Command(goto=result.goto, update={"visits": {name: 1}, **(result.update or {})})
        return {"visits": {name: 1}, **result}

    return run
