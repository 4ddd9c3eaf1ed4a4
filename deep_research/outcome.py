"""From the last state of a run's graph to its `Report`: citations, claims, gaps and status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .bundle import Request
from .checks import DOUBTED, failed, marked, section, without_doubted
from .citation_anchors import anchored
from .clock import FrozenClock
from .context import Context
from .graph_path import path_of
from .ledger import (
    Rendered,
    body_of,
    cited_sources,
    ids_for_numbers,
    merge_by_key,
    render_citations,
    report_language,
    unchecked_claims,
)
from .report import UNENDED, Loop, Report, trace_of, usage_of
from .shaping import shape
from .state import Claim, Conflict, Ended, Gap, Removed, Source, Status
from .verifier import Checked, conflicts_of, verify_run
from .writer import from_template, with_gaps

_PARTIAL = {"branch_failed", "timeout", "budget", "no_results", "uncited"}
"""Gaps that make a report partial: something that should have been researched was not."""
_NO_SECTION = "The section “{}” was wanted, and nothing was found for it."


async def finish(
    request: Request,
    state: Mapping[str, Any],
    known_gaps: Sequence[Gap],
    errors: list[str],
    asked: str,
    ctx: Context,
) -> Report:
    """The report of the graph's last state: citations rendered, claims checked, status decided.

    `known_gaps` are those from before the start; `asked` is a question that waits for the user's answer.
    """
    sources = merge_by_key([], state.get("sources", []))
    gaps: list[Gap] = [*known_gaps, *state.get("gaps", [])]
    language = report_language(request.question, request.settings.language)
    draft = state.get("draft") or ""
    if errors and state.get("findings"):  # what was found is never thrown away
        draft = draft or from_template(request.question, state["findings"], [], language)
    shaped = shape(draft, sources, language, request.settings)
    gaps += [ctx.gap("unanswered", _NO_SECTION.format(name), "report") for name in shaped.missing]
    draft = with_gaps(shaped.markdown, gaps, language) if draft else ""
    rendered = render_citations(draft, sources, language)
    rendered.removed = [*shaped.removed, *rendered.removed]
    of_run = list(errors)
    rendered, claims, conflicts = await _verified(rendered, sources, language, errors, ctx)
    if request.settings.writer.citation_style == "anchors":
        topics = {finding.branch: finding.topic for finding in state.get("findings", [])}
        rendered = replace(rendered, markdown=anchored(rendered.markdown, rendered.cited, topics, language))
    status = _status(state, of_run, asked, bool(rendered.cited), gaps)
    rows, simulated = list(ctx.store.calls), isinstance(ctx.clock, FrozenClock)
    return Report(
        run_id=request.run_id,
        question=request.question,
        system=request.settings.system,
        status=status,
        markdown=rendered.markdown if draft else "",
        sources=cited_sources(sources, rendered.cited),
        claims=claims,
        removed=rendered.removed,
        conflicts=conflicts,
        gaps=gaps,
        errors=errors,
        usage=usage_of(rows, simulated),
        settings=request.settings,
        trace=trace_of(rows, simulated, request.settings.concurrency),
        ended=loop_ends(state),
        path=path_of(ctx.store.steps, ended=status not in UNENDED),
        asked=asked,
    )


def loop_ends(state: Mapping[str, Any]) -> dict[Loop, dict[Ended, int]]:
    """How often each reason ended a loop: the design's own loop, and the loops of its researchers."""
    reasons: dict[Loop, list[Ended]] = {
        "run": [state["ended"]] if state.get("ended") else [],
        "branch": [finding.ended for finding in state.get("findings", [])],
    }
    return {loop: dict(sorted(Counter(ends).items())) for loop, ends in reasons.items() if ends}


async def _verified(
    rendered: Rendered, sources: Sequence[Source], language: str, errors: list[str], ctx: Context
) -> tuple[Rendered, list[Claim], list[Conflict]]:
    """The report after the verifier; should that fail, the claims stay unchecked and the report stands."""
    mode = ctx.settings.verifier.mode
    if mode == "off" or not rendered.cited:
        return rendered, unchecked_claims(rendered.markdown), []
    try:
        return await _checked(rendered, sources, language, strict=mode == "strict", ctx=ctx)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        errors.append(f"The report could not be verified: {why}")
        text = rendered.markdown + failed(why, language)
        return replace(rendered, markdown=text), unchecked_claims(rendered.markdown), []


async def _checked(
    rendered: Rendered, sources: Sequence[Source], language: str, *, strict: bool, ctx: Context
) -> tuple[Rendered, list[Claim], list[Conflict]]:
    checked = await verify_run(rendered, ctx)
    claims, taken_out = [claim for _, claim in checked], 0
    if strict:
        rendered, claims = _confirmed(rendered, checked, sources, language)
        taken_out = len(checked) - len(claims)
    else:
        rendered = replace(rendered, markdown=marked(rendered.markdown, checked))
    conflicts = conflicts_of(claims, rendered.cited, sources, ctx)
    text = rendered.markdown + section(claims, conflicts, language, taken_out=taken_out)
    return replace(rendered, markdown=text), claims, conflicts


def _confirmed(
    rendered: Rendered, checked: Sequence[Checked], sources: Sequence[Source], language: str
) -> tuple[Rendered, list[Claim]]:
    """The report without the sentences that could not be confirmed, and its claims; no gap in the numbers."""
    gone = [claim for _, claim in checked if claim.verdict in DOUBTED]
    body = ids_for_numbers(body_of(without_doubted(rendered.markdown, checked)), rendered.cited)
    again = render_citations(body, sources, language)
    places = {source.id: number for number, source in enumerate(again.cited, start=1)}
    numbers = {old: places.get(source.id) for old, source in enumerate(rendered.cited, start=1)}
    claims = [_renumbered(claim, numbers) for _, claim in checked if claim.verdict not in DOUBTED]
    removed = [Removed(number="", reason=f"no_evidence: {claim.text}") for claim in gone]
    return replace(again, removed=[*rendered.removed, *again.removed, *removed]), claims


def _renumbered(claim: Claim, numbers: Mapping[int, int | None]) -> Claim:
    sources, lacking = (
        [number for old in olds if (number := numbers.get(old))] for olds in (claim.sources, claim.lacking)
    )
    quoted_from = numbers.get(claim.quoted_from) if claim.quoted_from else None
    return claim.model_copy(update={"sources": sources, "lacking": lacking, "quoted_from": quoted_from})


def _status(state: Mapping[str, Any], errors: list[str], asked: str, cited: bool, gaps: list[Gap]) -> Status:
    """The first that holds: failed, needs_input, rejected, no_evidence, partial, complete."""
    if errors and not cited:
        return "failed"
    if asked or state.get("status") == "needs_input":
        return "needs_input"
    if state.get("status") == "rejected":
        return "rejected"
    if not cited:
        return "no_evidence"
    return "partial" if errors or any(gap.kind in _PARTIAL for gap in gaps) else "complete"
