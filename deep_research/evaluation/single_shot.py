"""The single-shot baseline: one search with the question itself, an answer from its top results, no loop.

It is built from the package's own parts (search, reading, compressor, writer, ledger) with the same model and
the same number of hits per query, so whatever a research system scores above it comes from researching.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..compressor import compress
from ..context import Context
from ..ledger import Ledger, cited_sources, render_citations, report_language, unchecked_claims
from ..outcome import status_of
from ..reading import sources_are_full
from ..report import Report, trace_of, usage_of
from ..state import Finding, Gap, Source
from ..summarizer import read_page
from ..tools.search import search
from ..verification.loose_addresses import Given
from ..writer import gap_sentences, with_gaps, write_report

if TYPE_CHECKING:
    from ..environment import Environment
    from ..settings import Settings

NAME = "single_shot"
_BRANCH = "1"
_LONGEST_QUERY = 400  # characters; search services refuse more


async def single_shot(question: str, settings: Settings, environment: Environment) -> Report:
    """Answer a question from one search. Raises `ModelError` or `SearchError` when a call fails for good."""
    ctx = environment.context(settings, run_id=NAME)
    sources, found_gaps = await _read(question, ctx.on(_BRANCH, question))
    findings = [await _finding(question, sources, ctx.on(_BRANCH, question))] if sources else []
    ctx.trace.join("0", [_BRANCH])
    draft, new_gaps = await write_report(question, question, [], findings, sources, found_gaps, ctx)
    gaps, language = found_gaps + new_gaps, report_language(question, settings.language)
    given = Given(question, gap_sentences(gaps, language))
    rendered = render_citations(with_gaps(draft, gaps, language), sources, language, given)
    rows, simulated = list(ctx.store.calls), ctx.clock.seconds() == 0.0
    return Report(
        run_id=ctx.run_id,
        question=question,
        system=NAME,
        status=status_of({}, [], "", bool(rendered.cited), gaps),
        markdown=rendered.markdown,
        sources=cited_sources(sources, rendered.cited),
        claims=unchecked_claims(rendered.markdown),
        removed=rendered.removed,
        gaps=gaps,
        usage=usage_of(rows, simulated),
        settings=settings,
        trace=trace_of(rows, simulated, settings.concurrency),
    )


async def _read(question: str, ctx: Context) -> tuple[list[Source], list[Gap]]:
    """The hits of the one search, registered and read; a gap if the cap on sources leaves some out."""
    query = question[:_LONGEST_QUERY]
    hits = await search(query, "researcher", ctx)
    ledger = Ledger(_BRANCH)
    registered = ledger.register(hits, query, "researcher", ctx)
    texts = await ctx.gather([read_page(hit, query, ctx) for hit, _, _ in registered])
    for (_, source, _), text in zip(registered, texts, strict=True):
        if isinstance(text, BaseException):
            raise text
        if text:
            ledger.add_reading(source, ctx.store.pages.put(text))
    gaps = [sources_are_full(ctx)] if len(registered) < len(hits) else []
    return ledger.sources, gaps


async def _finding(question: str, sources: list[Source], ctx: Context) -> Finding:
    return await compress(question, sources, [], [question[:_LONGEST_QUERY]], "done", ctx)
