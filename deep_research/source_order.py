"""In which order a loop looks: everywhere at once, or inside first and then outside, or the other way round.

Inside are the user's documents and notes, outside the web and papers (`search.source_order`). With an order a
loop has two phases, and it is the tools that enforce it: in each phase only those of its side are offered.
The messages go on from the first phase to the second, so what was found first stands in the second's prompt.
A run with one side only has one phase.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .context import Context
from .tools import (
    LOOK_UP_ITEM,
    RESEARCH_COMPLETE,
    SEARCH,
    SEARCH_DOCUMENTS,
    SEARCH_KNOWLEDGE,
    SEARCH_PAPERS,
    Tool,
)
from .tools.search import parts_of

Side = Literal["inside", "outside"]
_SIDES: dict[str, Side] = {
    SEARCH_DOCUMENTS.name: "inside",
    SEARCH_KNOWLEDGE.name: "inside",
    LOOK_UP_ITEM.name: "inside",
    SEARCH.name: "outside",
    SEARCH_PAPERS.name: "outside",
}


def sides(ctx: Context) -> tuple[Side, ...]:
    """The phases of a loop; empty where everything is searched together."""
    order, named = ctx.settings.search.source_order, ctx.settings.tools.get("researcher")
    able = {"inside": _inside(ctx), "outside": _outside(ctx)}
    if order == "together" or not all(
        any(named is None or tool.name in named for tool in tools) for tools in able.values()
    ):
        return ()
    return ("inside", "outside") if order == "internal_first" else ("outside", "inside")


def _inside(ctx: Context) -> list[Tool]:
    documents = [SEARCH_DOCUMENTS] if parts_of(ctx.search, "documents") else []
    return [*documents, *([SEARCH_KNOWLEDGE] if ctx.knowledge is not None else [])]


def _outside(ctx: Context) -> list[Tool]:
    web = [SEARCH] if parts_of(ctx.search, "web") else []
    return [*web, *([SEARCH_PAPERS] if parts_of(ctx.search, "papers") else [])]


def tools_in(tools: Sequence[Tool], phase: int, ctx: Context) -> list[Tool]:
    """Of the tools of a loop those of a phase, and a way to end it while another one follows."""
    order = sides(ctx)
    if not order:
        return list(tools)
    side = order[min(phase, len(order) - 1)]
    kept = [tool for tool in tools if _SIDES.get(tool.name, side) == side]
    have, named = {tool.name for tool in kept}, ctx.settings.tools.get("researcher")
    more = [tool for tool in (_inside if side == "inside" else _outside)(ctx) if tool.name not in have]
    kept = [*(tool for tool in more if named is None or tool.name in named), *kept]
    ends = any(tool.name == RESEARCH_COMPLETE.name for tool in kept)
    return kept if ends or not is_more(phase, ctx) else [*kept, RESEARCH_COMPLETE]


def is_more(phase: int, ctx: Context) -> bool:
    """Whether another phase follows."""
    return phase + 1 < len(sides(ctx))
