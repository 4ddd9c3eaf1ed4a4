"""Answered, hedged, wrongly answered: what a report commits itself to where its reader looks first.

A gold fact of a look-up is *answered* when one of its accepted forms stands, without a hedge, in the first
three statements of the report or in a section whose heading names what the fact is about, and neither the
report nor that section begins with a denial. Evidence lists further down do not count: who asked has to
find the answer. Of a chain of facts only the end was asked for.

A question that no page answers is *wrongly answered* by whatever a report states there without a hedge; any
other look-up by a value of the kind that was asked for, where the right one is missing: one that the web
gives for another thing or time, or any number among the words of the right one ("19 masts" for "24 masts").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from deep_research.core.forms import hedges, names_disagreement
from deep_research.report import UNENDED, Report
from deep_research.text.cited_sentences import CitedSentence
from deep_research_offline.web.types import Fact, Question

from .reading import is_denied, lead, lead_denies, sections
from .surface import form_pattern, normalized, numbers_in_text, says
from .truth import GroundTruth


def answered(question: Question, report: Report, truth: GroundTruth) -> float | None:
    """Share of the facts asked for that are answered, from 0 to 1; None for reports and the unanswerable."""
    if question.aspects or not question.facts:
        return None
    told = answered_facts(question, report, truth)
    return len(told) / len(_asked_for(list(truth.gold(question.facts))))


def answered_facts(question: Question, report: Report, truth: GroundTruth) -> list[str]:
    """The ids of the facts that a look-up asks for and the report answers."""
    facts, about = _asked_for(list(truth.gold(question.facts))), question.kind == "contradiction"
    return [fact.id for fact in facts if _is_answered(fact, report.markdown, about)]


def hedged(question: Question, report: Report) -> float | None:
    """1 if the beginning of the report says that it is not certain, else 0; None for the unanswerable."""
    if not question.facts:
        return None
    return float(any(hedges(said.text) for said in _beginning(report.markdown)))


def wrongly_answered(question: Question, report: Report, truth: GroundTruth) -> float | None:
    """1 if the beginning answers a look-up wrongly, without a hedge, else 0; None for reports."""
    if question.aspects:
        return None
    told = _beginning(report.markdown)
    if report.status in (*UNENDED, "no_evidence") or lead_denies(report.markdown):
        return 0.0
    if not question.facts:
        return float(bool(told) and not any(hedges(said.text) for said in told))
    gold = list(truth.gold(question.facts))
    about = question.kind == "contradiction"
    lacking = [fact for fact in _asked_for(gold) if not _is_answered(fact, report.markdown, about)]
    stated = [said.text for said in _until_hedge(told) if not hedges(said.text)]
    return float(any(_states_another(fact, gold, text, truth) for fact in lacking for text in stated))


def _states_another(fact: Fact, gold: Sequence[Fact], text: str, truth: GroundTruth) -> bool:
    """Whether a sentence states a value of the fact's kind that is right for nothing that was asked."""
    text = normalized(text)
    for form in (form for one in gold for form in one.answers):
        text = form_pattern(form).sub(" ", text)
    others = [one for one in truth.web.facts.values() if _kind(one) == _kind(fact)]
    forms = {form for one in others for form in (*one.answers, *one.stale_answers)} | {*fact.stale_answers}
    if any(says(text, form) for form in forms):
        return True
    return any(numbers_in_text(form) and _with_any_number(form).search(text) for form in fact.answers)


def _kind(fact: Fact) -> str:
    """What a fact is about, whoever measured it and whenever: "Top speed" of "Top speed (builder)"."""
    return re.split(r"[(,]", fact.attribute)[0].strip()


def _with_any_number(form: str) -> re.Pattern[str]:
    """A form with any numbers in place of its own; a bare number stands for nothing else."""
    words = [re.escape(word) for word in re.split(r"[\d.]+", normalized(form))]
    return re.compile(r"\d[\d.]*".join(words) + r"(?![a-z])" if any(map(str.strip, words)) else r"(?!)")


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
