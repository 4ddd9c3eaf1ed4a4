"""What a loop reads: hits become sources of the ledger, their pages are read side by side, the model is told.

Pages longer than `limits.summarize_above` are summarized for the query that found them; shorter ones are read
whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .context import Context
from .errors import BudgetExceeded
from .guard import fence
from .ledger import Ledger
from .looking import Query
from .prompting import reference
from .state import Gap, Source
from .summarizer import read_page
from .tools.search import SearchHit


@dataclass
class Reading:
    """The sources of one query, each with what was read of it.

    `new` counts those not seen before, `left_out` the hits over the cap on sources.
    """

    references: list[str] = field(default_factory=list)
    new: int = 0
    left_out: int = 0


async def read_hits(
    results: Mapping[Query, Any], ledger: Ledger, role: str, ctx: Context
) -> dict[Query, Reading]:
    """Register the hits of all queries in order, then read their pages side by side."""
    jobs: list[tuple[Query, Source, SearchHit]] = []
    readings = {query: Reading() for query, hits in results.items() if not isinstance(hits, BaseException)}
    for query, reading in readings.items():
        registered = ledger.register(results[query], query.text, role, ctx)
        reading.new = sum(new for _, _, new in registered)
        reading.left_out = len(results[query]) - len(registered)
        jobs += [(query, source, hit) for hit, source, _ in registered]
    texts = await ctx.gather([_to_read(hit, query, ctx) for query, _, hit in jobs])
    for (query, source, _), text in zip(jobs, texts, strict=True):
        key = ctx.store.pages.put(text) if isinstance(text, str) and text else ""
        if key:
            ledger.add_reading(source, key)
        readings[query].references.append(reference(source, key))
    return readings


async def _to_read(hit: SearchHit, query: Query, ctx: Context) -> str:
    """What a model reads of a hit: the passage that the tool has found, or what is read of the page."""
    return hit.passage or await read_page(hit, query.text, ctx)


def sources_are_full(ctx: Context) -> Gap:
    """The gap that is left when hits are left out because of the cap on sources."""
    return ctx.failure("sources_full", BudgetExceeded("sources", ctx.settings.budget.sources or 0))


def listed(query: str, reading: Reading) -> list[str]:
    """The lines of one query that was answered."""
    if not reading.references and not reading.left_out:
        return [f"No results for “{fence(query)}”."]
    full = f"Left out: {reading.left_out} more, because the limit on sources is reached."
    return [f"Results for “{fence(query)}”:", *reading.references, *([full] if reading.left_out else [])]
