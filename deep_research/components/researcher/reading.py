"""What the calls of a loop look for, and what the model is given to read of what was found.

One call of a model becomes one or more `Query`s; `carry_out_query` carries each out. Whatever the tool, what
comes back is a list of `SearchHit`s, so that ids, caps, readings and citations work alike for all of them.
`read_hits` registers the hits in the ledger and reads their pages side by side: pages longer than
`limits.summarize_above` are summarized for the query that found them, shorter ones are read whole. Excerpts
in a summary must stand in the page word for word; one that does not is dropped. Whatever fails here costs
detail, never the source: the search's own snippet remains.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import BaseModel, Field

from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.core.records import Gap, Source
from deep_research.engine.context import Context
from deep_research.engine.evidence import AnswerLine, SourceReference, as_attribute
from deep_research.engine.prompting import system_prompt, user_message
from deep_research.engine.providers import Place, SearchHit
from deep_research.engine.structured import structured
from deep_research.engine.tools import (
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
from deep_research.sources.calculation import calculate
from deep_research.sources.items import look_up_item
from deep_research.sources.knowledge import knowledge_hits
from deep_research.sources.ledger import Ledger
from deep_research.sources.search import search, without_user_info
from deep_research.text.fence import fence, fence_page
from deep_research.text.source_ids import is_only_ids

MAX_QUERIES = 3
WORDS_ONLY = "plain"
_PLACES: dict[str, Place] = {SEARCH_DOCUMENTS.name: "documents", SEARCH_PAPERS.name: "papers"}
"""Tools that search one place only; while one is offered, the general tool searches the web alone."""


class Query(NamedTuple):
    """One thing to look for: its words, where a search for it is sent, and which tool does it.

    `asked` holds a calculation's arguments as JSON, so that a query can be compared and used as a key; of a
    look-up in the notes, it is `WORDS_ONLY` where words alone count.
    """

    text: str
    place: Place = ""
    tool: str = SEARCH.name
    asked: str = ""

    @property
    def is_search(self) -> bool:
        """Whether it leaves this machine and counts as a search."""
        return self.tool not in (CALCULATE.name, LOOK_UP_ITEM.name, SEARCH_KNOWLEDGE.name)


def queries_in_call(call: ToolCall, offered: Sequence[Tool], ctx: Context) -> list[Query]:
    """What a call looks for: of a search its distinct queries, at most `MAX_QUERIES`."""
    if call.name == CALCULATE.name:
        return [Query(call.arguments.purpose, tool=call.name, asked=call.arguments.model_dump_json())]
    if call.name == LOOK_UP_ITEM.name:
        return [Query(call.arguments.label.strip(), tool=call.name)] if call.arguments.label.strip() else []
    wanted = (text for text in call.arguments.queries if not is_only_ids(text))
    texts = dict.fromkeys(without_user_info(text, ctx) for text in wanted)
    if call.name == SEARCH_KNOWLEDGE.name:
        way = WORDS_ONLY if call.arguments.plain else ""
        return [Query(text, tool=call.name, asked=way) for text in texts if text][:MAX_QUERIES]
    apart = bool(ctx.offer.order) or any(tool.name in _PLACES for tool in offered)
    place: Place = _PLACES.get(call.name, "web" if apart else "")
    return [Query(text, place, call.name) for text in texts if text][:MAX_QUERIES]


async def carry_out_query(query: Query, known: Sequence[Source], role: str, ctx: Context) -> list[SearchHit]:
    """Carry a query out. `known` are the sources that a calculation or a look-up may start from.

    Raises `SearchError`, `BudgetExceeded`, or `ToolError` with what to tell the model.
    """
    if query.tool == CALCULATE.name:
        return [await calculate(CalculateArguments.model_validate_json(query.asked), known, role, ctx)]
    if query.tool == LOOK_UP_ITEM.name:
        return await look_up_item(query.text, known, ctx)
    if query.tool == SEARCH_KNOWLEDGE.name:
        return knowledge_hits(query.text, ctx, plain=query.asked == WORDS_ONLY)
    return await search(query.text, role, ctx, query.place)


@dataclass
class Reading:
    """The sources of one query, each with what was read of it.

    `new` counts those not seen before, `left_out` the hits over the cap on sources.
    """

    references: list[SourceReference] = field(default_factory=list)
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
    texts = await ctx.gather([read_page(hit, query.text, ctx) for query, _, hit in jobs])
    for (query, source, _), text in zip(jobs, texts, strict=True):
        key = ctx.store.pages.put(text) if isinstance(text, str) and text else ""
        if key:
            ledger.add_reading(source, key)
        readings[query].references.append(SourceReference(source=source.id, reading=key))
    return readings


def sources_are_full(ctx: Context) -> Gap:
    """The gap that is left when hits are left out because of the cap on sources."""
    return ctx.failure("sources_full", BudgetExceeded("sources", ctx.settings.budget.sources or 0))


def result_lines(query: str, reading: Reading) -> list[AnswerLine]:
    """The lines of the answer to one query that was carried out."""
    if not reading.references and not reading.left_out:
        return [f"No results for “{fence(query)}”."]
    full = f"Left out: {reading.left_out} more, because the limit on sources is reached."
    return [f"Results for “{fence(query)}”:", *reading.references, *([full] if reading.left_out else [])]


MAX_EXCERPTS = 5
_SENTENCE_END = re.compile(r"[.!?](?=\s)|[。！？\n]")


class PageSummary(BaseModel):
    """What a page says about a search query."""

    summary: str = Field(
        description="A quarter to a third of the page: what is relevant to the query, with its numbers."
    )
    key_excerpts: list[str] = Field(description="At most five passages of the page, copied word for word.")


async def summarize_page(title: str, text: str, query: str, ctx: Context) -> PageSummary:
    """Summarize a page for a query; excerpts that are not verbatim are left out."""
    page = f'<page title="{as_attribute(title)}">\n{fence_page(text)}\n</page>'
    messages = [system_prompt("summarizer", ctx), user_message(f"Search query: {query}\n\n{page}")]
    result = await structured("summarizer", messages, PageSummary, ctx, shared=True)
    squeezed = _squeeze(fence_page(text))
    verbatim = [
        excerpt for excerpt in result.key_excerpts if excerpt.strip() and _squeeze(excerpt) in squeezed
    ]
    return PageSummary(summary=_at_most(result.summary, len(text) // 2), key_excerpts=verbatim[:MAX_EXCERPTS])


def _at_most(summary: str, length: int) -> str:
    """A summary that is half a page long is no summary: what exceeds that goes, whole sentences at a time."""
    if len(summary) <= length:
        return summary
    ends = [match.end() for match in _SENTENCE_END.finditer(summary) if match.end() <= length]
    return summary[: ends[-1] if ends else length].strip()


async def read_page(hit: SearchHit, query: str, ctx: Context) -> str:
    """What models read of a hit: the passage that the tool has found, else the whole text, or a summary with
    excerpts; '' where only the snippet is left."""
    if hit.passage:
        return hit.passage
    if len(hit.text) <= ctx.settings.limits.summarize_above:
        return hit.text
    try:
        summary = await summarize_page(hit.title, hit.text, query, ctx)
    except (ModelError, BudgetExceeded):
        return ""
    quotes = "\n".join(f"- {excerpt}" for excerpt in summary.key_excerpts)
    return f"Summary: {summary.summary}" + (f"\n\nKey excerpts:\n{quotes}" if quotes else "")


def _squeeze(text: str) -> str:
    """Text without differences that do not matter for 'word for word': white space and quotation marks."""
    return re.sub(r"\s+", " ", text.translate(str.maketrans("“”„‘’", '"""\'\''))).strip()
