"""A new question on a thread: nothing of an earlier one is left in the state.

What "nothing" is follows from the annotations of the state: an empty value of the field's type, and None
where the type has none. A field with a reducer is overwritten, since an update would be added to it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, get_args, get_origin, get_type_hints, is_typeddict

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from deep_research.engine.context import Context


def fresh_state(schema: type, update: Mapping[str, Any], keep: Collection[str]) -> dict[str, Any]:
    """An update that empties all fields of a state except those to `keep`, and sets those of `update`."""
    hints = get_type_hints(schema, include_extras=True)
    empty = {name: _empty(hint) for name, hint in hints.items() if name not in keep}
    return {
        name: Overwrite(value) if get_origin(hints[name]) is Annotated else value
        for name, value in (empty | dict(update)).items()
    }


def _empty(hint: Any) -> Any:
    """The empty value of a type, plain data only."""
    hint = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if is_typeddict(hint):
        return {name: _empty(part) for name, part in get_type_hints(hint).items()}
    kind = get_origin(hint) or hint
    return {} if kind is Mapping else kind() if kind in (str, int, list, dict) else None


def with_fresh_state(schema: type, node: Any, keep: Collection[str]) -> Any:
    """The node; with its update, the state begins anew (see `fresh_state`)."""

    async def begin(state: Mapping[str, Any], runtime: Runtime[Context]) -> dict[str, Any]:
        return fresh_state(schema, await node(state, runtime), keep)

    return begin
