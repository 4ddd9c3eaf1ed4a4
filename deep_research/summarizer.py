"""The summarizer: what a model gets to read of a page that is too long to be read whole.

The summary is made for the query that found the page. Excerpts must stand in the page word for word; one that
does not is dropped. Whatever fails here costs detail, never the source: the search's own snippet remains.
"""

from __future__ import annotations

import re

from pydantic import BaseModel, Field

from .context import Context
from .errors import BudgetExceeded, ModelError
from .guard import fence_page
from .models import structured
from .prompting import attribute, system_prompt
from .tools.search import SearchHit

MAX_EXCERPTS = 5
_SENTENCE_END = re.compile(r"[.!?](?=\s)|[。！？\n]")


class PageSummary(BaseModel):
    """What a page says that bears on a search query."""

    summary: str = Field(
        description="A quarter to a third of the page: what bears on the query, numbers kept."
    )
    key_excerpts: list[str] = Field(description="At most five passages of the page, copied word for word.")


async def summarize(title: str, text: str, query: str, ctx: Context) -> PageSummary:
    """Summarize a page for a query; excerpts that are not verbatim are left out."""
    from langchain_core.messages import HumanMessage

    page = f'<page title="{attribute(title)}">\n{fence_page(text)}\n</page>'
    messages = [system_prompt("summarizer", ctx), HumanMessage(f"Search query: {query}\n\n{page}")]
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
    """What models read of a hit: the whole text, a summary with excerpts, or '' for the snippet alone."""
    if len(hit.text) <= ctx.settings.limits.summarize_above:
        return hit.text
    try:
        summary = await summarize(hit.title, hit.text, query, ctx)
    except (ModelError, BudgetExceeded):
        return ""
    quotes = "\n".join(f"- {excerpt}" for excerpt in summary.key_excerpts)
    return f"Summary: {summary.summary}" + (f"\n\nKey excerpts:\n{quotes}" if quotes else "")


def _squeeze(text: str) -> str:
    """Text without differences that do not matter for 'word for word': white space and quotation marks."""
    return re.sub(r"\s+", " ", text.translate(str.maketrans("“”„‘’", '"""\'\''))).strip()
