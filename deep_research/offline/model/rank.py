"""Which sentences bear on a question: a score from rare question words, names, time, and the kind of value
asked."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .hops import reach
from .names import mentions
from .page import ABOUT, Page, aboutness, setting
from .question import Question
from .steps import fitness
from .text import Sentence, term_set
from .timing import time_fit
from .values import dates, numbers

_BY_SYNONYM = 0.8


@dataclass(frozen=True, slots=True)
class Pick:
    """A sentence of a page with its score; `cover` is the weighted share of the asked words that it says."""

    page: Page
    sentence: Sentence
    place: int
    score: float
    cover: float


def score_all(question: Question, subjects: Sequence[str], pages: Sequence[Page]) -> list[Pick]:
    """Every sentence with its score, best first; ties in page order."""
    asked = sorted(t for t in question.terms if not t.startswith("composed"))
    weight = _weights(asked, pages)
    total = sum(weight.values()) or 1.0
    picks: list[Pick] = []
    for page in pages:
        about = any(aboutness(page, s) >= ABOUT for s in subjects)
        for place, sentence in enumerate(page.sentences):
            have = term_set(f"{sentence.text} {sentence.heading}")
            cover = sum(weight[t] * _plainly(t, have) for t in asked) / total
            score = _score(question, subjects, page, sentence, about, cover)
            picks.append(Pick(page, sentence, place, score, cover))
    order = {page.id: i for i, page in enumerate(pages)}
    return sorted(picks, key=lambda p: (-p.score, order[p.page.id], p.place))


def _plainly(term: str, have: frozenset[str]) -> float:
    """How plainly words say a term: 1 by itself, less by another word that may stand for it, 0 not at all."""
    return 1.0 if term in have else _BY_SYNONYM if reach(term) & have else 0.0


def _score(
    question: Question, subjects: Sequence[str], page: Page, sentence: Sentence, about: bool, cover: float
) -> float:
    named = any(mentions(sentence.text, s) for s in subjects)
    related = max((fitness(hop, sentence, page.title) for hop in question.hops[-2:]), default=0.0)
    wants = question.hops[-1].wants if question.hops else "any"
    score = 1.5 * cover + related + (0.8 if named else 0.5 * about) + _value_bonus(wants, sentence.text)
    score *= time_fit(question, sentence.text, setting(page, sentence))
    return score if named or about or not subjects else 0.5 * score


def _weights(asked: Sequence[str], pages: Sequence[Page]) -> dict[str, float]:
    """Inverse frequency over all sentences shown, by any way of saying the word."""
    counts: Counter[str] = Counter()
    size = 1
    for page in pages:
        for sentence in page.sentences:
            size += 1
            have = term_set(sentence.text)
            counts.update(t for t in asked if reach(t) & have)
    return {t: math.log(1 + size / (1 + counts[t])) for t in asked}


def _value_bonus(wants: str, text: str) -> float:
    if wants == "number":
        return 0.3 if numbers(text) else 0.0
    if wants in {"date", "lifespan"}:
        return 0.3 if dates(text) else 0.0
    return 0.05 if numbers(text) or dates(text) else 0.0
