"""How a run has ended: its status, why its loops ended, and whether its models answered at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from deep_research.core.records import Ended, Gap, Status
from deep_research.engine.store import CallRow
from deep_research.report import LoopName

_PARTIAL = {"branch_failed", "timeout", "budget", "no_results", "uncited", "unanswered"}
"""Gaps that make a report partial: something that was wanted is not in it."""
_EXTRA = {"perspective_empty"}
"""Sentences of gaps that leave nothing of the question open."""


def outages(calls: Iterable[CallRow]) -> list[str]:
    """The last error of the models where they have not answered one call; else nothing.

    Most designs can do without a branch, a plan or a review. What is left of a run without a single answer is
    no report on what is known.
    """
    asked = [row for row in calls if row.kind == "model"]
    if not asked or any(row.status != "failed" for row in asked):
        return []
    last = asked[-1].response
    return [" ".join(filter(None, (last["error"], last["hint"])))]


def loop_ends(state: Mapping[str, Any]) -> dict[LoopName, dict[Ended, int]]:
    """How often each reason ended a loop: the design's own loop, and the loops of its researchers."""
    reasons: dict[LoopName, list[Ended]] = {
        "run": [state["ended"]] if state.get("ended") else [],
        "branch": [finding.ended for finding in state.get("findings", []) if finding.ended],
    }
    return {loop: dict(sorted(Counter(ends).items())) for loop, ends in reasons.items() if ends}


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
    missing = any(gap.kind in _PARTIAL and gap.said not in _EXTRA for gap in gaps)
    return "partial" if errors or missing else "complete"
