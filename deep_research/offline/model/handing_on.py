"""What is left of a question that strings relations together, once the first of them are known.

"Who owns the press that printed the first novel by X?" becomes "Who owns the press that printed Y?" when Y is
known: a question that somebody else can go on with.
"""

from __future__ import annotations

import re

from .hops import Hop
from .names import mentions
from .question import Question
from .reason import Trail
from .text import is_cjk, tidy

_ARTICLE = re.compile(r"\b(?:the|an?)\s+(?:(?:current|present|former|first|last)\s+)?$", re.IGNORECASE)


def rest_of(question: Question, trail: Trail) -> str:
    """The question with the trail's lead in the place of the words that lead to it.

    "" where nothing is known yet, or where those words do not stand together in the question.
    """
    text, name = question.text, re.sub(r"^The ", "the ", trail.lead)
    known = [_asked(step.hop) for step in trail.steps]
    spans = [_span(text, word) for word in (trail.anchor, *(word for asked in known for word in asked))]
    found = [span for span in spans if span]
    if not known or len(found) < len(spans) or mentions(text, name):
        return ""
    start, end = min(a for a, _ in found), max(b for _, b in found)
    between = text[start:end]
    open_words = (word for hop in trail.todo for word in _asked(hop))
    if any(_span(between, word) for word in open_words) or _ends_in_a_verb(between, known):
        return ""
    article = _ARTICLE.search(text[:start])
    rest = tidy(f"{text[: article.start() if article else start]}{name}{text[end:]}")
    return "" if _half_of_a_pair(rest) else rest


def _asked(hop: Hop) -> list[str]:
    return [hop.asked] if is_cjk(hop.asked) else hop.asked.split()


def _span(text: str, word: str) -> tuple[int, int] | None:
    """Where a word or name stands in a text."""
    pattern = re.escape(word) if is_cjk(word) else rf"\b{re.escape(word)}\b"
    found = re.search(pattern, text, re.IGNORECASE)
    return found.span() if found and word else None


def _half_of_a_pair(text: str) -> bool:
    """Whether a mark of quotation or emphasis, or a bracket, has lost its other half."""
    pairs = zip("“「『《«(（", "”」』》»)）", strict=True)
    return any(text.count(a) != text.count(b) for a, b in pairs) or any(text.count(m) % 2 for m in '"*')


def _ends_in_a_verb(text: str, known: list[list[str]]) -> bool:
    """Whether the last word is one of several for one relation, as in "X's first novel appeared"."""
    return any(len(asked) > 1 and text.casefold().endswith(tuple(asked)) for asked in known)
