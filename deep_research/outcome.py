"""From the last state of a run's graph to its `Report`: citations, claims, gaps and status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .bundle import Request
from .clock import FrozenClock
from .context import Context
from .ledger import cited_sources, merge_by_key, render_citations, report_language, unchecked_claims
from .report import Report, trace_of, usage_of
from .state import Gap, Status
from .writer import from_template, with_gaps

_PARTIAL = {"branch_failed", "timeout", "budget", "no_results"}
"""Gaps that make a report partial: something that should have been researched was not."""


def finish(
    request: Request,
    state: Mapping[str, Any],
    known_gaps: Sequence[Gap],
    errors: list[str],
    asked: str,
    ctx: Context,
) -> Report:
    """The report of the graph's last state: citations rendered, claims listed, status decided.

    `known_gaps` are those from before the start; `asked` is a question that waits for the user's answer.
    """
    sources = merge_by_key([], state.get("sources", []))
    gaps: list[Gap] = [*known_gaps, *state.get("gaps", [])]
    language = report_language(request.question, request.settings.language)
    draft = state.get("draft") or ""
    if errors and state.get("findings"):  # what was found is never thrown away
        draft = draft or from_template(request.question, state["findings"], [], language)
    draft = with_gaps(draft, gaps, language) if draft else ""
    rendered = render_citations(draft, sources, language)
    status = _status(state, errors, asked, bool(rendered.cited), gaps)
    rows, simulated = list(ctx.store.calls), isinstance(ctx.clock, FrozenClock)
    return Report(
        run_id=request.run_id,
        question=request.question,
        system=request.settings.system,
        status=status,
        markdown=rendered.markdown if draft else "",
        sources=cited_sources(sources, rendered.cited),
        claims=unchecked_claims(rendered.markdown),
        removed=rendered.removed,
        gaps=gaps,
        errors=errors,
        usage=usage_of(rows, simulated),
        settings=request.settings,
        trace=trace_of(rows, simulated, request.settings.concurrency),
        asked=asked,
    )


def _status(state: Mapping[str, Any], errors: list[str], asked: str, cited: bool, gaps: list[Gap]) -> Status:
    """The first that holds: failed, needs_input, no_evidence, partial, complete."""
    if errors and not cited:
        return "failed"
    if asked or state.get("status") == "needs_input":
        return "needs_input"
    if not cited:
        return "no_evidence"
    return "partial" if errors or any(gap.kind in _PARTIAL for gap in gaps) else "complete"
