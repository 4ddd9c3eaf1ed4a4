"""Follow-ups: a question after a report is answered from the pages of that report's run, where they have it.

Two model calls do that: one puts the question so that it stands on its own, one answers it from the pages
that fit it best, or a thing that it names. Where the answer cites nothing or leaves a part open, the run's
design researches the question as ever, knowing the conversation; a search that was made before is not paid
for again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from deep_research.components.researcher.reading import Query, read_hits
from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.core.records import Finding
from deep_research.engine.context import Context
from deep_research.engine.providers import SearchHit
from deep_research.engine.store import EARLIER_FILE, CallRow, EarlierCalls
from deep_research.settings import RUN_SETTINGS, Settings, settings_of_run
from deep_research.sources.citations import clean_citations
from deep_research.sources.index import Document, build_index
from deep_research.sources.ledger import Ledger
from deep_research.sources.search import hits_in_log
from deep_research.systems.shallow_researcher.agent import (
    ShallowRun,
    cited_answer,
    rewrite_query,
    shallow_instructions,
    synthesize_answer,
)
from deep_research.text.inventions import names_in_text
from deep_research.text.language import shorten
from deep_research.text.passages import best_snippet
from deep_research.text.terms import query_terms

from .bundle import Request, load_report, logged_calls, read_request
from .unanswered import open_parts

BRANCH = "1"
_CHOSEN_WHOLE = {"system", "preset", "persona"}
_REPORT_SHOWN = 6_000
"""Characters of the earlier report that the conversation shows to models."""


def settings_after(folder: Path, changed: Mapping[str, Any]) -> Settings | None:
    """The earlier run's settings with these changed; None where a design or its limits are chosen anew."""
    if _CHOSEN_WHOLE & {*changed}:
        return None
    return settings_of_run(folder / RUN_SETTINGS, changed)


def turns_before(folder: Path) -> list[dict[str, str]]:
    """The conversation up to and with the report of the run in this folder."""
    asked, report = read_request(folder), load_report(folder)
    return [
        *asked.history,
        {"role": "user", "content": asked.question},
        {"role": "assistant", "content": shorten(report.markdown, _REPORT_SHOWN)},
    ]


def searches_before(folder: Path) -> list[CallRow]:
    """All searches that the run in this folder knows, those of runs before it included."""
    rows = [*EarlierCalls(folder / EARLIER_FILE).rows, *logged_calls(folder)]
    return [row for row in rows if row.kind == "search" and row.status != "failed"]


async def answer_from_earlier(request: Request, ctx: Context) -> dict[str, Any]:
    """The last state of a run that answers a follow-up from the pages that are there; empty if none does."""
    hits = hits_in_log(ctx.store.earlier.rows, ctx) if request.goes_on.get("how") == "after" else []
    if not hits:
        return {}
    given = request.as_input()
    query = await rewrite_query(given["history"], ctx)
    ledger = Ledger(BRANCH)
    looked_for = dict.fromkeys([query, *names_in_text(query)])
    found = {Query(one): fitting_hits(one, hits, ctx) for one in looked_for}
    await read_hits(found, ledger, "researcher", ctx)
    if not ledger.sources:
        return {}
    run = ShallowRun(
        given["question"], query, shallow_instructions(given["question"], ctx), sources=ledger.sources
    )
    try:
        answer = cited_answer(run, await synthesize_answer(run, False, ctx))
    except (ModelError, BudgetExceeded):
        return {}
    text = clean_citations(answer.draft, ledger.sources)
    if not text.cited or open_parts(query, text, ledger.sources, ctx):
        return {}
    finding = Finding(
        branch=BRANCH, topic=query, text=answer.finding, source_ids=[one.id for one in ledger.sources],
        queries=[*looked_for], ended=None,
    )  # fmt: skip
    told = {"findings": [finding], "sources": ledger.sources, "draft": answer.draft, "ended": "enough"}
    return {**given, **told}


def fitting_hits(query: str, hits: list[SearchHit], ctx: Context) -> list[SearchHit]:
    """The pages that fit a question best, as many as a search brings; of a long one the passage that does."""
    index = build_index(
        Document(str(number), hit.title, hit.text or hit.snippet, hit.url, hit.citation_key, hit.published)
        for number, hit in enumerate(hits)
    )
    found = index.search(query, ctx.settings.search.results)
    longest, terms = ctx.settings.limits.summarize_above, query_terms(query)
    return [
        replace(hit, passage=best_snippet(hit.text, terms, longest)) if len(hit.text) > longest else hit
        for hit in (hits[int(one.document.id)] for one in found)
    ]
