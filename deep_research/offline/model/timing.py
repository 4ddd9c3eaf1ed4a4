"""When a statement holds: the years and spans that it names, against the time that a question is about."""

from __future__ import annotations

import re
from functools import lru_cache

from .question import Question

_SPAN = re.compile(
    r"(?:from|between|in)?\s*(?<!\d)([12]\d{3})(?!\d)\s?年?\s*(?:to|until|till|and|through|[–—-]|至|到"
    r"|から)\s*(?<!\d)([12]\d{3})(?!\d)",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"(?:since|from)\s+(?:\w+\s+){0,2}?(?<!\d)([12]\d{3})(?!\d)|\bin\s+([12]\d{3})(?!\d)[^.]{0,40}?\bstill\b"
    r"|自\s?([12]\d{3})\s?年(?:起|以来)|([12]\d{3})\s?年(?:以来|から(?!\s?[12]\d{3}))"
    r"|现任[^。]*?([12]\d{3})\s?年",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:still|now|today|current(?:ly)?|present(?:ly)?|since|to date)\b|现任|目前|现在|自.{0,8}起"
    r"|現在|以来|務めている",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\bbefore\b|\bprior to\b|\bformerly\b|\bonce\b|\boriginal(?:ly)?\b|\buntil\b|之前|以前|原来"
    r"|前(?=、|，|は|，)|改.前",
    re.IGNORECASE,
)
_AFTER = re.compile(r"\bafter\b|\bsince\b|\bnow\b|之后|以后|起|後(?=、|，|は)", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")


@lru_cache(maxsize=65536)
def spans(text: str) -> tuple[tuple[int, int], ...]:
    """Spans of years in a text; one that is still open ends in 9999."""
    found = [(int(m.group(1)), int(m.group(2))) for m in _SPAN.finditer(text)]
    starts = [next(g for g in m.groups() if g) for m in _OPEN.finditer(text)]
    closed = {a for a, _ in found}
    return tuple(found + [(int(a), 9999) for a in starts if int(a) not in closed])


def in_office(question: Question, text: str) -> bool:
    """Whether a text names a span of years that the year asked lies in (or one still open, for now)."""
    if question.years:
        return any(a <= int(year) <= b for year in question.years for a, b in spans(text))
    return question.when == "now" and any(b == 9999 for _, b in spans(text))


def time_fit(question: Question, text: str, context: str = "") -> float:
    """How well the time of a statement fits a question: 1 fits, 0.8 says nothing of time, down to 0.15 for
    another time.

    `context` is what dates the statement from outside: heading, page title, year of publication.
    """
    if question.years:
        return _year_fit([int(y) for y in question.years], text, context)
    if question.when == "now":
        past = any(end < 9999 for _, end in spans(text))
        return 1.0 if _NOW.search(text) else 0.3 if past or _BEFORE.search(text) else 0.7
    if question.when == "before":
        ended = any(end < 9999 for _, end in spans(text))
        return 1.0 if _BEFORE.search(text) or ended else 0.3 if _AFTER.search(text) else 0.7
    if question.when == "after":
        return 1.0 if _AFTER.search(text) else 0.3 if _BEFORE.search(text) else 0.7
    return 1.0


def still_holds(text: str) -> int:
    """The year since when a statement holds until now; 0 if it names none."""
    return max((a for a, b in spans(text) if b == 9999), default=0)


def _year_fit(years: list[int], text: str, context: str) -> float:
    inside = spans(text)
    if any(a <= year < b or year == b for year in years for a, b in inside):
        return 1.0
    said = {int(y) for y in _YEAR.findall(text)}
    if said & set(years):
        return 1.0
    if inside or said:
        return 0.15
    around = {int(y) for y in _YEAR.findall(context)}
    return 1.0 if around & set(years) else 0.5 if around else 0.7
