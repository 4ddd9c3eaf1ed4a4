"""From the last state of a run's graph to its `Report`: citations, claims, gaps and status.

The same for every design, in this order: the draft in the form that was asked for (`shaping`), charts, gaps
that it does not name yet, numbers for ids (`ledger`), the check of its sentences (`verifier`, `checks`), the
status.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .bundle import Request
from .chart_claims import add_charts
from .charts import Chart, place_charts, settle
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
from .verification.loose_addresses import Given
from .verifier import Checked, conflicts_of, verify_run
from .writer import from_template, gap_sentences, with_gaps

_PARTIAL = {"branch_failed", "timeout", "budget", "no_results", "uncited"}
"""Gaps that make a report partial: something that should have been researched was not."""
_REPLIES = ("remarks", "feedback", "wishes")
"""What a person wanted changed, in the states of the graphs that ask."""


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
    draft = _drafted(request, state, sources, gaps, bool(errors), ctx)
    of_run = list(errors)
    done = await _verified(draft, sources, request.question, language, errors, ctx)
    rendered = done.rendered
    markdown, charts = settle(rendered.markdown, done.charts)
    if request.settings.writer.citation_style == "anchors":
        topics = {finding.branch: finding.topic for finding in state.get("findings", [])}
        markdown = anchored(markdown, rendered.cited, topics, language)
    status = status_of(state, of_run, asked, bool(rendered.cited), gaps)
    rows, simulated = list(ctx.store.calls), isinstance(ctx.clock, FrozenClock)
    return Report(
        run_id=request.run_id,
        question=request.question,
        system=request.settings.system,
        status=status,
        markdown=markdown if draft.rendered.markdown.strip() else "",
        charts=charts,
        sources=cited_sources(sources, rendered.cited),
        claims=done.claims,
        removed=rendered.removed,
        conflicts=done.conflicts,
        gaps=gaps,
        errors=errors,
        usage=usage_of(rows, simulated),
        settings=request.settings,
        trace=trace_of(rows, simulated, request.settings.concurrency),
        files=state.get("files") or {},
        ended=loop_ends(state),
        path=path_of(ctx.store.steps, ended=status not in UNENDED),
        asked=asked,
    )


def loop_ends(state: Mapping[str, Any]) -> dict[Loop, dict[Ended, int]]:
    """How often each reason ended a loop: the design's own loop, and the loops of its researchers."""
    reasons: dict[Loop, list[Ended]] = {
        "run": [state["ended"]] if state.get("ended") else [],
        "branch": [finding.ended for finding in state.get("findings", []) if finding.ended],
    }
    return {loop: dict(sorted(Counter(ends).items())) for loop, ends in reasons.items() if ends}


@dataclass
class _Draft:
    """A report on its way through the verifier, and what that finds out about it."""

    rendered: Rendered
    charts: list[Chart]
    claims: list[Claim] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)


def _drafted(
    request: Request,
    state: Mapping[str, Any],
    sources: Sequence[Source],
    gaps: list[Gap],
    broke_off: bool,
    ctx: Context,
) -> _Draft:
    """The draft in the shape that was asked for, with numbers for ids; new gaps are added to `gaps`."""
    language = report_language(request.question, request.settings.language)
    draft = state.get("draft") or ""
    if broke_off and state.get("findings"):  # what was found is never thrown away
        draft = draft or from_template(request.question, state["findings"], [], language)
    said = _said(request, state, gaps)
    given = Given(said, gap_sentences(gaps, language))
    shaped = shape(draft, sources, language, request.settings, given)
    gaps += [ctx.gap("unanswered", "section_empty", "report", heading=name) for name in shaped.missing]
    placed = place_charts(shaped.markdown, sources, language, request.settings.output.charts)
    gaps += [ctx.gap("unanswered", "chart_unreadable", "report") for _ in range(placed.missing)]
    text = with_gaps(placed.markdown, gaps, language) if draft else ""
    given = Given(said, gap_sentences(gaps, language))
    rendered = render_citations(text, sources, language, given)
    rendered.removed = [*shaped.removed, *placed.removed, *rendered.removed]
    return _Draft(rendered, placed.charts)


def _said(request: Request, state: Mapping[str, Any], gaps: Sequence[Gap]) -> str:
    """All that the user has said: before the run, in answer to its questions, and of what it proposed."""
    turns = [*request.history, *state.get("history", [])]
    remarks = [gap.fields["remark"] for gap in gaps if "remark" in gap.fields]  # those that came too late
    for replies in (state.get(name, []) for name in _REPLIES):
        remarks += [replies] if isinstance(replies, str) else replies
    answers = [turn["content"] for turn in turns if turn["role"] == "user"]
    return "\n".join([request.question, *answers, *remarks])


async def _verified(
    draft: _Draft, sources: Sequence[Source], question: str, language: str, errors: list[str], ctx: Context
) -> _Draft:
    """The report after the verifier; should that fail, the claims stay unchecked and the report stands."""
    rendered = draft.rendered
    if ctx.settings.verifier.mode == "off" or not rendered.cited:
        return replace(draft, claims=unchecked_claims(rendered.markdown))
    try:
        return await _checked(draft, sources, question, language, errors, ctx)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        errors.append(f"The report could not be verified: {why}")
        told = replace(rendered, markdown=rendered.markdown + failed(why, language))
        return replace(draft, rendered=told, claims=unchecked_claims(rendered.markdown))


async def _checked(
    draft: _Draft, sources: Sequence[Source], question: str, language: str, errors: list[str], ctx: Context
) -> _Draft:
    """Sentences checked and marked or taken out; charts of their numbers, where the writer has drawn none."""
    rendered, charts = draft.rendered, draft.charts
    checked = await verify_run(rendered, ctx)
    claims, taken_out = [claim for _, claim in checked], 0
    if ctx.settings.verifier.mode == "strict":
        rendered, claims = _confirmed(rendered, checked, sources, language)
        taken_out = len(checked) - len(claims)
    else:
        rendered = replace(rendered, markdown=marked(rendered.markdown, checked))
    conflicts = conflicts_of(claims, rendered.cited, sources, ctx)
    try:
        if not charts:
            rendered, claims, charts = await add_charts(rendered, claims, question, language, ctx)
    except Exception as error:  # a picture must not cost the report its verification
        errors.append(f"No chart could be made: {type(error).__name__}: {error}")
    text = rendered.markdown + section(claims, conflicts, language, taken_out=taken_out)
    return _Draft(replace(rendered, markdown=text), charts, claims, conflicts)


def _confirmed(
    rendered: Rendered, checked: Sequence[Checked], sources: Sequence[Source], language: str
) -> tuple[Rendered, list[Claim]]:
    """The report without the sentences that could not be confirmed, and its claims; no gap in the numbers."""
    gone = [claim for _, claim in checked if claim.verdict in DOUBTED]
    body = ids_for_numbers(body_of(without_doubted(rendered.markdown, checked)), rendered.cited)
    again = render_citations(body, sources, language, rendered.given)
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


def status_of(
    state: Mapping[str, Any], errors: list[str], asked: str, cited: bool, gaps: list[Gap]
) -> Status:
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
