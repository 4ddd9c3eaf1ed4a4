"""Which sentences bear on a question: a score from rare question words, names, and the kind of value asked."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .question import Question, reach
from .reason import Page, aboutness
from .names import mentions
from .text import Sentence, stem, term_set, terms
from .values import dates, numbers


@dataclass(frozen=True, slots=True)
class Pick:
    """A sentence of a page with its score; `cover` is the share of the asked words that it says."""

    page: Page
    sentence: Sentence
    place: int
    score: float
    cover: float


def asked_terms(question: Question) -> frozenset[str]:
    """Stems that say what is asked, names left out."""
    if question.hops:
        return frozenset(t for hop in question.hops for t in terms(hop.asked))
    return question.terms


def score_all(question: Question, anchors: Sequence[str], pages: Sequence[Page]) -> list[Pick]:
    """Every sentence with its score, best first; ties in page order."""
    asked = sorted(asked_terms(question) | _context(question))
    weight = _weights(asked, pages)
    total = sum(weight.values()) or 1.0
    wants = question.hops[-1].wants if question.hops else "any"
    picks: list[Pick] = []
    for page in pages:
        near = max((aboutness(page, a) for a in anchors), default=0.0)
        for place, sentence in enumerate(page.sentences):
            have = term_set(f"{sentence.text} {sentence.heading}")
            cover = sum(weight[t] for t in asked if reach(t) & have) / total
            named = any(mentions(sentence.text, a) for a in anchors)
            score = cover * 2 + (1.0 if named else 0.6 * (near >= 0.62)) + _value_bonus(wants, sentence.text)
            if anchors and not named and near < 0.62:
                score *= 0.5
            picks.append(Pick(page, sentence, place, score, cover))
    order = {page.id: i for i, page in enumerate(pages)}
    return sorted(picks, key=lambda p: (-p.score, order[p.page.id], p.place))


def _context(question: Question) -> frozenset[str]:
    """Years and qualifying words of the question that are in no hop."""
    return frozenset(stem(y) for y in question.years) | frozenset(
        t for t in question.terms if not t.startswith("composed")
    )


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
        return 0.4 if numbers(text) else 0.0
    if wants in {"date", "lifespan"}:
        return 0.4 if dates(text) else 0.0
    return 0.1 if numbers(text) or dates(text) else 0.0
