"""Dated as current: values that used to be true, told as if they still were.

A stale value of a gold fact counts when a sentence states it, speaks of the fact's subject or cites a page
that is out of date, and neither it nor its heading dates it or says that it is over ("until", "formerly", a
year).
"""

from __future__ import annotations

from deep_research.core.forms import marks_past
from deep_research.report import Report
from deep_research.text.cited_sentences import CitedSentence
from deep_research_offline.web.types import Fact, Question

from .reading import sections
from .surface import says
from .truth import GroundTruth


def dated_as_current(question: Question, report: Report, truth: GroundTruth) -> float | None:
    """Share of the gold facts with an older value for which that is told as current; None without any.

    A question that asks for the older value itself is not about it.
    """
    gold = list(truth.gold(question.facts))
    asked = {form for fact in gold for form in fact.answers}
    dated = [fact for fact in gold if fact.stale_answers and asked.isdisjoint(fact.stale_answers)]
    if not dated:
        return None
    return sum(_is_told_as_current(fact, report, truth) for fact in dated) / len(dated)


def _is_told_as_current(fact: Fact, report: Report, truth: GroundTruth) -> bool:
    return any(
        any(says(said.text, form) for form in fact.stale_answers)
        and _is_about(fact, said, section.heading, report, truth)
        and not marks_past(said.text)
        and not marks_past(section.heading)
        for section in sections(report.markdown)
        for said in section.sentences
    )


def _is_about(fact: Fact, said: CitedSentence, heading: str, report: Report, truth: GroundTruth) -> bool:
    pages = [truth.cited_page(report, number) for number in said.numbers]
    stale = [truth.page(url) for url in fact.stale_pages]
    return says(f"{heading} {said.text}", fact.subject) or any(page in stale for page in pages if page)
