"""Coverage: how many of the things that a good report says does this one say, and on how many sides?

A gold fact is covered when a sentence that cites a page stating it says one of its accepted forms, and
neither the report nor the sentence's section begins with a denial. An aspect is covered when a third of its
facts are.
"""

from __future__ import annotations

from deep_research.report import Report
from deep_research_offline.web.types import Question

from .reading import is_denied, lead_denies, sections
from .surface import says
from .truth import GroundTruth

_PART = 3


def covered(question: Question, report: Report, truth: GroundTruth) -> list[str]:
    """The ids of the question's gold facts that the report covers."""
    if lead_denies(report.markdown):
        return []
    cited = [
        (said.text, pages)
        for section in sections(report.markdown)
        if not is_denied(section)
        for said in section.sentences
        if (pages := [truth.cited_page(report, number) for number in said.numbers])
    ]
    return [
        fact.id
        for fact in truth.gold(question.facts)
        if any(
            any(says(text, form) for form in fact.answers) and any(truth.states(page, fact) for page in pages)
            for text, pages in cited
        )
    ]


def coverage(question: Question, report: Report, truth: GroundTruth) -> float | None:
    """Share of a report question's facts that are covered, from 0 to 1; None for look-ups."""
    if not question.aspects:
        return None
    return len(covered(question, report, truth)) / len(question.facts)


def aspects_covered(question: Question, report: Report, truth: GroundTruth) -> float | None:
    """Share of a report question's aspects that are covered, from 0 to 1; None for look-ups."""
    if not question.aspects:
        return None
    have = set(covered(question, report, truth))
    full = [_PART * len(have & set(aspect.facts)) >= len(aspect.facts) for aspect in question.aspects]
    return sum(full) / len(full)
