"""Answered, hedged, wrongly answered: what a report commits itself to where its reader looks first.

A gold fact of a look-up is *answered* when one of its accepted forms stands, without a hedge, in the first
three statements of the report or in a section whose heading names what the fact is about, and neither the
report nor that section begins with a denial. Evidence lists further down do not count: who asked has to
find the answer. Of a chain of facts only the end was asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deep_research.core.forms import hedges, names_disagreement
from deep_research.report import Report
from deep_research.text.cited_sentences import CitedSentence
from deep_research_offline.web.types import Fact, Question

from .reading import is_denied, lead, lead_denies, sections
from .surface import says
from .truth import GroundTruth

_UNENDED = ("failed", "needs_input")


def answered(question: Question, report: Report, truth: GroundTruth) -> float | None:
    """Share of the facts asked for that are answered, from 0 to 1; None for reports and the unanswerable."""
    if question.aspects or not question.facts:
        return None
    facts = _asked_for(list(truth.gold(question.facts)))
    about = question.kind == "contradiction"
    return sum(_is_answered(fact, report.markdown, about) for fact in facts) / len(facts)


def hedged(question: Question, report: Report) -> float | None:
    """1 if the beginning of the report says that it is not certain, else 0; None for the unanswerable."""
    if not question.facts:
        return None
    return float(any(hedges(said.text) for said in _beginning(report.markdown)))


def wrongly_answered(question: Question, report: Report) -> float | None:
    """1 if an unanswerable question is answered without a hedge, else 0; None for the answerable."""
    if question.facts:
        return None
    beginning = _beginning(report.markdown)
    silent = report.status in (*_UNENDED, "no_evidence") or not beginning
    return float(not (silent or lead_denies(report.markdown) or any(hedges(s.text) for s in beginning)))


def _asked_for(facts: list[Fact]) -> list[Fact]:
    """The facts without stepping stones: those whose value is what another one is about."""
    ends = [
        fact for fact in facts if not any(says(fact.value, other.subject) for other in facts if other != fact)
    ]
    return ends or facts


def leads_with(forms: Sequence[str], markdown: str) -> bool:
    """Whether the beginning of a report states one of these forms, without a hedge or a denial."""
    return not lead_denies(markdown) and _states(forms, _until_hedge(_beginning(markdown)))


def _is_answered(fact: Fact, markdown: str, about_disagreement: bool) -> bool:
    if lead_denies(markdown):
        return False
    return _states(fact.answers, _prominent(fact, markdown, about_disagreement))


def _states(forms: Sequence[str], sentences: Iterable[CitedSentence]) -> bool:
    return any(any(says(said.text, form) for form in forms) and not hedges(said.text) for said in sentences)


def _beginning(markdown: str) -> list[CitedSentence]:
    return [said for statement in lead(markdown) for said in statement]


def _prominent(fact: Fact, markdown: str, about_disagreement: bool) -> Iterator[CitedSentence]:
    """The sentences that a reader who wants this fact reads; behind a hedging line none.

    Who asks whether sources agree reads the section that says where they do not.
    """
    yield from _until_hedge(_beginning(markdown))
    for section in sections(markdown)[1:]:
        named = says(section.heading, fact.subject)
        asked = about_disagreement and names_disagreement(section.heading)
        if (named or asked) and not is_denied(section):
            yield from _until_hedge(section.sentences)


def _until_hedge(sentences: list[CitedSentence]) -> Iterator[CitedSentence]:
    for said in sentences:
        if hedges(said.text) and said.text.endswith((":", "：")):
            return
        yield said
