"""Fact recall: how much of what is true and asked for does the report say, with a citation that supports it?

A gold fact is recalled when one of its accepted surface forms stands in a sentence of the report that cites a
page stating that fact. Saying it without a citation, or with a citation to a page that does not state it
(a stale or wrong one, for example), does not count.
"""

from __future__ import annotations

from deep_research.report import Report
from deep_research_offline.web.types import Fact, Question

from .surface import says
from .truth import GroundTruth


def fact_recall(question: Question, report: Report, truth: GroundTruth) -> float | None:
    """Share of the question's gold facts that are recalled, from 0 to 1.

    A report without cited sentences gives 0; a question without gold facts (unanswerable) gives None.
    """
    if not question.facts:
        return None
    return len(recalled(question, report, truth)) / len(question.facts)


def recalled(question: Question, report: Report, truth: GroundTruth) -> list[str]:
    """The ids of the gold facts that the report recalls, in the question's order."""
    return [fact.id for fact in truth.gold(question.facts) if _is_recalled(fact, report, truth)]


def _is_recalled(fact: Fact, report: Report, truth: GroundTruth) -> bool:
    return any(
        any(says(claim.text, form) for form in fact.answers)
        and any(truth.states(truth.cited_page(report, number), fact) for number in claim.sources)
        for claim in report.claims
    )
