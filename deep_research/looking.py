"""What the calls of a loop look for: searches, calculations and look-ups, all answered with hits.

One call of a model becomes one or more `Query`s; `find` carries each out. Whatever the tool, what comes back
is a list of `SearchHit`s, so that ids, caps, readings and citations work alike for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .context import Context
from .state import Source
from .tools import (
    CALCULATE,
    LOOK_UP_ITEM,
    SEARCH,
    SEARCH_DOCUMENTS,
    SEARCH_KNOWLEDGE,
    SEARCH_PAPERS,
    CalculateArguments,
    Tool,
    ToolCall,
)
from .tools.search import Place, SearchHit, search

MAX_QUERIES = 3
PLAIN = "plain"
_PLACES: dict[str, Place] = {SEARCH_DOCUMENTS.name: "documents", SEARCH_PAPERS.name: "papers"}
"""Tools that search one place only; while one is offered, the general tool searches the web alone."""


class Query(NamedTuple):
    """One thing to look for: its words, where a search for it is sent, and which tool does it.

    `asked` holds a calculation's arguments as JSON, so that a query can be compared and used as a key; of a
    look-up in the notes, it is `PLAIN` where words alone count.
    """

    text: str
    place: Place = ""
    tool: str = SEARCH.name
    asked: str = ""

    @property
    def is_search(self) -> bool:
        """Whether it leaves this machine and counts as a search."""
        return self.tool not in (CALCULATE.name, LOOK_UP_ITEM.name, SEARCH_KNOWLEDGE.name)


def queries_of(call: ToolCall, offered: Sequence[Tool], ctx: Context) -> list[Query]:
    """What a call looks for: of a search its distinct queries, at most `MAX_QUERIES`."""
    if call.name == CALCULATE.name:
        return [Query(call.arguments.purpose, tool=call.name, asked=call.arguments.model_dump_json())]
    if call.name == LOOK_UP_ITEM.name:
        return [Query(call.arguments.label.strip(), tool=call.name)] if call.arguments.label.strip() else []
    texts = dict.fromkeys(_discreet(text, ctx) for text in call.arguments.queries)
    if call.name == SEARCH_KNOWLEDGE.name:
        way = PLAIN if call.arguments.plain else ""
        return [Query(text, tool=call.name, asked=way) for text in texts if text][:MAX_QUERIES]
    apart = any(tool.name in _PLACES for tool in offered)
    place: Place = _PLACES.get(call.name, "web" if apart else "")
    return [Query(text, place, call.name) for text in texts if text][:MAX_QUERIES]


def _discreet(query: str, ctx: Context) -> str:
    """A query without what the settings say of the user, unless the topic itself is about that."""
    for value in ctx.settings.scope.user_info.values():
        if value.strip() and value.strip().casefold() not in ctx.topic.casefold():
            own = rf"(?<![A-Za-z0-9]){re.escape(value.strip())}(?![A-Za-z0-9])"
            query = re.sub(own, " ", query, flags=re.IGNORECASE)
    return " ".join(query.split())


async def find(query: Query, known: Sequence[Source], role: str, ctx: Context) -> list[SearchHit]:
    """Carry a query out. `known` are the sources that a calculation or a look-up may start from.

    Raises `SearchError`, `BudgetExceeded`, or `ToolError` with what to tell the model.
    """
    if query.tool == CALCULATE.name:
        from .tools.code import calculate

        return [await calculate(CalculateArguments.model_validate_json(query.asked), known, role, ctx)]
    if query.tool == LOOK_UP_ITEM.name:
        from .tools.items import look_up_item

        return await look_up_item(query.text, known, ctx)
    if query.tool == SEARCH_KNOWLEDGE.name:
        from .knowledge import passages

        return passages(query.text, ctx, plain=query.asked == PLAIN)
    return await search(query.text, role, ctx, query.place)
