"""Disagreements: does the report name both sides of what its sources do not agree on?

A dispute counts as named when every side is stated near the others (within three sentences of one section),
or anywhere in a section whose heading is about disagreement. Two values at the two ends of a report are no
disagreement to whoever reads it.
"""

from __future__ import annotations

from collections.abc import Iterator

from deep_research.core.forms import names_disagreement
from deep_research.report import Report
from deep_research_offline.web.types import Dispute, Question

from .reading import sections
from .surface import says

_NEAR = 3


def disagreements(question: Question, report: Report) -> float | None:
    """Share of the question's disputes that the report names, from 0 to 1; None where there are none."""
    if not question.disputes:
        return None
    places = list(_places(report.markdown))
    return sum(_is_named(dispute, places) for dispute in question.disputes) / len(question.disputes)


def _is_named(dispute: Dispute, places: list[str]) -> bool:
    return any(all(any(says(text, form) for form in side) for side in dispute.sides) for text in places)


def _places(markdown: str) -> Iterator[str]:
    """The stretches of text in which two statements stand near each other."""
    for section in sections(markdown):
        texts = [said.text for said in section.sentences]
        if names_disagreement(section.heading) or names_disagreement(section.within):
            yield "\n".join(texts)
        yield from ("\n".join(texts[at : at + _NEAR]) for at in range(max(len(texts) - _NEAR, 0) + 1))
