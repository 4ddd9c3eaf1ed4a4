"""The single-shot baseline: one search with the question itself, an answer from its top results, no loop.

It is built from the package's own parts (search, reading, compressor, writer, ledger) with the same model and
the same number of hits per query, so whatever a research system scores above it comes from researching.
"""

from __future__ import annotations

from deep_research.components.compressor import compress
from deep_research.components.researcher.reading import Query, read_hits, sources_are_full
from deep_research.components.writer import review_and_rewrite, write_report
from deep_research.core.records import Gap, Material, Source
from deep_research.engine.branches import Branches
from deep_research.engine.context import Context
from deep_research.report import Report
from deep_research.runs.bundle import Request
from deep_research.runs.environment import Environment
from deep_research.runs.outcome import build_report
from deep_research.settings import Settings
from deep_research.sources.ledger import Ledger
from deep_research.sources.search import search

NAME = "single_shot"
_BRANCH = "1"


async def single_shot(question: str, settings: Settings, environment: Environment) -> Report:
    """Answer a question from one search. Raises `ModelError` or `SearchError` when a call fails for good.

    Its report is finished as every report is, but for the check of its sentences.
    """
    unchecked = settings.verifier.model_copy(update={"mode": "off"})
    settings = settings.model_copy(update={"system": NAME, "verifier": unchecked})
    ctx = environment.context(settings, run_id=NAME).about(question)
    branch = ctx.on(_BRANCH, question)
    sources, found_gaps = await _read(question, branch)
    findings = [await compress(question, sources, [], [question], "done", branch)] if sources else []
    Branches([_BRANCH], ctx).join()
    material = Material(question, findings=findings, sources=sources, gaps=found_gaps)
    draft, new_gaps = await write_report(material, ctx)
    draft, open_points = await review_and_rewrite(draft, material, ctx)
    state = {"draft": draft, "sources": sources, "gaps": [*found_gaps, *new_gaps, *open_points]}
    return await build_report(Request(NAME, question, [], settings), state, [], [], "", ctx)


async def _read(question: str, ctx: Context) -> tuple[list[Source], list[Gap]]:
    """The hits of the one search, registered and read; a gap if the cap on sources leaves some out."""
    ledger, query = Ledger(_BRANCH), Query(question)
    hits = await search(question, "researcher", ctx)
    read = await read_hits({query: hits}, ledger, "researcher", ctx)
    return ledger.sources, [sources_are_full(ctx)] if read[query].left_out else []
