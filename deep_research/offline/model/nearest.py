"""What comes nearest to an answer where no sentence states one in words that the question uses.

A reader is better served by the statements about the thing asked about that could hold the answer, a figure
where a figure is asked, a date where a date is, than by an empty page. They are shown as what they are: the
report says first that no source states the answer.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .covering import ways
from .hops import Hop, reach
from .names import mentions, names, normal
from .page import Page, is_about, setting
from .question import Question
from .reason import Trail
from .steps import has_unit, measure
from .text import Sentence, term_set
from .timing import time_fit
from .values import dates, numbers

MOST = 5
WAYS = 2
LATER_ON_PAGE = 0.75
"""Other pages may say it otherwise, so each further statement of one page counts less."""


@dataclass(frozen=True, slots=True)
class Near:
    """A statement that could hold the answer, of whom, and how well it fits (larger is better)."""

    page: Page
    sentence: Sentence
    subject: str
    score: float


def nearest(
    question: Question, trails: Sequence[Trail], pages: Sequence[Page], most: int = MOST
) -> list[Near]:
    """The best statements about what the question names or what its way has led to, best first."""
    each = [_of_trail(question, trail, pages) for trail in trails]
    each = [_of_ways(question, pages), *each] if trails else each
    turns = itertools.chain.from_iterable(itertools.zip_longest(*each))
    kept = {near.sentence.text: near for near in turns if near}
    return list(kept.values())[: max(most, 2 * len(trails))]


def _of_trail(question: Question, trail: Trail, pages: Sequence[Page]) -> list[Near]:
    """Statements about the last thing that a trail knows of, best first, other pages before more of one."""
    met = (s.value for s in reversed(trail.steps) if s.value and _known(s.value, pages))
    subject = next(met, trail.anchor)
    hop = trail.todo[0] if trail.todo else (question.hops[-1] if question.hops else Hop())
    found = sorted(
        _about(question, hop, subject, pages), key=lambda n: (-n.score, n.page.id, n.sentence.text)
    )
    rank: Counter[str] = Counter()
    weighed = []
    for near in found:
        weighed.append((near.score * LATER_ON_PAGE ** rank[near.page.id], near))
        rank[near.page.id] += 1
    return [near for _, near in sorted(weighed, key=lambda w: (-w[0], w[1].page.id))]


def _of_ways(question: Question, pages: Sequence[Page]) -> list[Near]:
    """The links of the ways that say most of the words asked, for a chain that leads to no answer."""
    if not question.anchors:
        return []
    best = ways(question, question.anchors[0], pages).partial[:WAYS]
    return [Near(s.page, s.sentence, s.subject, s.score) for way in best for s in way.steps]


def _known(name: str, pages: Sequence[Page]) -> bool:
    return any(is_about(page, name) for page in pages)


def _about(question: Question, hop: Hop, subject: str, pages: Sequence[Page]) -> list[Near]:
    found = []
    for page in pages:
        own = is_about(page, subject)
        for sentence in page.sentences:
            if own or mentions(sentence.text, subject):
                score = _score(question, hop, subject, page, sentence)
                found += [Near(page, sentence, subject, score)] if score > 0 else []
    return found


def _score(question: Question, hop: Hop, subject: str, page: Page, sentence: Sentence) -> float:
    """Kind of value, then the words of the question that the statement says, then its time; 0 for a figure in
    another kind of unit."""
    text = sentence.text
    have = term_set(f"{text} {sentence.heading} {page.title}")
    asked = sorted(question.terms)
    cover = sum(bool(reach(t) & have) for t in asked) / len(asked) if asked else 0.0
    kind = _kind_fit(hop, subject, text)
    if kind < 0:
        return 0.0
    own = 0.2 if is_about(page, subject) else 0.0
    return (kind + cover + own) * time_fit(question, text, setting(page, sentence))


def _kind_fit(hop: Hop, subject: str, text: str) -> float:
    if hop.wants == "number" or any(measure(t) for t in hop.loose):
        measured = [t for t in (hop.key, *hop.loose) if t and measure(t)]
        if measured:
            return 1.0 if any(has_unit(t, text) for t in measured) else -1.0
        return 0.5 if numbers(text) else 0.0
    if hop.wants in {"date", "lifespan"}:
        return 0.7 if dates(text) else 0.0
    if hop.wants in {"name", "place", "any", "country"}:
        return 0.4 if any(normal(n.text) != normal(subject) for n in names(text)) else 0.1
    return 0.1
