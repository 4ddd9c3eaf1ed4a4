"""Does a saved report still hold? Each cited page is read again and compared with the claims.

`still_there`: the passage that the claim rests on stands there word for word. `changed`: the page speaks of
it in other words or with other values; the verdict of the rules on today's text says more. `gone`: the page
does not exist any more, or says nothing of it. A claim without a passage is held to what the rules say today.
Nothing in the saved run is altered.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from deep_research.components.verifier.claims import SourceText, check_claim
from deep_research.core.errors import SearchError
from deep_research.core.records import CitedSource, Claim, Record, Verdict
from deep_research.engine.calls import Call, Reply, http_status_of, perform
from deep_research.engine.context import Context
from deep_research.engine.store import RunStore
from deep_research.report import Report
from deep_research.settings.parts import BudgetSettings

from .bundle import load_report
from .environment import Environment, build_environment

_NOT_THERE = (404, 410)


class Rechecked(Record):
    """One claim of a saved report, and what its sources say of it now."""

    text: str
    sources: list[int]
    status: Literal["still_there", "changed", "gone"]
    was: Verdict = Field(description="what was said of it in the saved run")
    verdict: Verdict = Field(description="what the rules say of it against today's text")
    quote: str | None = Field(description="the passage in the saved run")
    quote_now: str | None = Field(None, description="the closest passage now")


async def recheck_run(folder: Path, environment: Environment | None = None) -> list[Rechecked]:
    """Check every claim of a saved run again; the run's budget does not bind here.

    Raises `RunError` for a folder without a finished report, and `SearchError` if pages cannot be asked for
    at all (no connection, wrong key): that says nothing about the pages.
    """
    report = load_report(folder)
    settings = report.settings.model_copy(update={"budget": BudgetSettings()})
    world = environment or build_environment(settings)
    store = RunStore(None)
    try:
        ctx = world.context(settings, run_id=report.run_id, store=store)
        texts = await _read_again(report, ctx)
    finally:
        store.close()
        if environment is None:
            await world.close()
    return [_compare(claim, texts) for claim in report.claims if claim.sources]


async def _read_again(report: Report, ctx: Context) -> dict[int, SourceText]:
    """The cited pages as they are now, by number; those that are gone are missing."""
    pages = await ctx.gather([_read(source, ctx) for source in report.cited])
    texts = {}
    for source, page in zip(report.cited, pages, strict=True):
        if isinstance(page, BaseException):
            raise page
        if page and source.number is not None:
            texts[source.number] = SourceText(page, source.title, source.published or "")
    return texts


async def _read(source: CitedSource, ctx: Context) -> str:
    key, provider = source.url or source.citation_key or "", ctx.search

    async def send() -> Reply:
        return Reply(await provider.read(key))

    try:
        call = Call("fetch", "verifier", {"read": key}, send, model=provider.name)
        return await perform(call, ctx) or ""
    except SearchError as error:
        if http_status_of(error.__cause__) in _NOT_THERE:
            return ""
        raise


def _compare(claim: Claim, texts: dict[int, SourceText]) -> Rechecked:
    known = [texts[number] for number in claim.sources if number in texts]
    check = check_claim(claim.text, known)
    if claim.quote is not None:
        there = any(_squeezed(claim.quote) in _squeezed(source.text) for source in known)
    else:
        there = bool(known) and check.verdict != "flagged"
    lost = not known or "not_found" in check.reasons
    return Rechecked(
        text=claim.text,
        sources=claim.sources,
        was=claim.verdict,
        status="still_there" if there else "gone" if lost else "changed",
        verdict=check.verdict,
        quote=claim.quote,
        quote_now=check.quote,
    )


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def change_counts(found: Sequence[Rechecked]) -> dict[str, int]:
    """How many claims are still there, changed, and gone."""
    return {s: sum(one.status == s for one in found) for s in ("still_there", "changed", "gone")}
