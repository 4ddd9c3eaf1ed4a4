"""The single-shot baseline: one search with the question itself, an answer from its top results, no loop.

It is built from the package's own parts (search, reading, compressor, writer, ledger) with the same model and
the same number of hits per query, so whatever a research system scores above it comes from researching.
"""

from __future__ import annotations

from deep_research.components.compressor import compress
from deep_research.components.researcher.reading import read_page, sources_are_full
from deep_research.components.writer import gap_sentences, review_and_rewrite, with_gaps, write_report
from deep_research.core.records import Gap, Material, Source
from deep_research.engine.branches import Branches
from deep_research.engine.context import Context
from deep_research.report import Report, trace_of, usage_of
from deep_research.runs.answering import unanswered_gaps
from deep_research.runs.environment import Environment
from deep_research.runs.outcome import run_status
from deep_research.settings import Settings
from deep_research.sources.citations import (
    CitationStyle,
    cited_sources,
    clean_citations,
    number_citations,
    unchecked_claims,
)
from deep_research.sources.ledger import Ledger
from deep_research.sources.search import search
from deep_research.text.addresses import Given
from deep_research.text.cited_sentences import cited_sentences

NAME = "single_shot"
_BRANCH = "1"
_LONGEST_QUERY = 400  # characters; search services refuse more


async def single_shot(question: str, settings: Settings, environment: Environment) -> Report:
    """Answer a question from one search. Raises `ModelError` or `SearchError` when a call fails for good."""
    ctx = environment.context(settings, run_id=NAME).about(question)
    sources, found_gaps = await _read(question, ctx.on(_BRANCH, question))
    asked, branch = [question[:_LONGEST_QUERY]], ctx.on(_BRANCH, question)
    findings = [await compress(question, sources, [], asked, "done", branch)] if sources else []
    Branches([_BRANCH], ctx).join()
    material = Material(question, findings=findings, sources=sources, gaps=found_gaps)
    draft, new_gaps = await write_report(material, ctx)
    draft, open_points = await review_and_rewrite(draft, material, ctx)
    gaps = [*found_gaps, *new_gaps, *open_points]
    given = Given(question, gap_sentences(gaps, ctx))
    gaps += unanswered_gaps(question, clean_citations(draft, sources, given), sources, ctx)
    text = clean_citations(with_gaps(draft, gaps, ctx), sources, given)
    markdown = number_citations(text, CitationStyle(ctx.language))
    rows, simulated = list(ctx.store.calls), ctx.clock.seconds() == 0.0
    return Report(
        run_id=ctx.run_id,
        question=question,
        system=NAME,
        status=run_status({}, [], "", bool(text.cited), gaps),
        markdown=markdown,
        sources=cited_sources(sources, text.cited),
        claims=unchecked_claims(cited_sentences(markdown)),
        removed=text.removed,
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
