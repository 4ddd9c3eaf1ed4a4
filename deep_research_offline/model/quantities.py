"""What sentences count and measure: numbers and dates with their units, and the clause that says of what."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .lexicon import STOP
from .text import stem, term_set
from .thesaurus import said_by
from .values import dates, numbers

Quantity = tuple[tuple[float, ...], frozenset[str], int, int]
"""A number or date, its unit, and where it stands."""
_HAN = r"(?![的了和与及等在是])[\u3400-\u9fff々]"
_CJK_UNIT = re.compile(rf"\s?({_HAN}(?:{_HAN}){{0,4}}|[\u30a0-\u30ffー]{{2,}})")
_WORD = re.compile(r"[ -]([^\W\d_]+(?:[/²³-][^\W\d_]*)*)")
_BEFORE = re.compile(r"([^\W\d_]{3,})(?: of| is| was|:|：)? ?$")
_PAUSE = re.compile(r"[,;:] | (?:and|but|because|while|whereas|which) |[，；、：。]| [—–] ")


def words_in(text: str) -> frozenset[object]:
    """What a text says: terms, and groups of words that mean the same."""
    text = re.sub(r"\d", " ", text)
    return term_set(text) | said_by(text)[1]


def clause_of(text: str, start: int, end: int) -> str:
    """The words around a value up to the next comma or conjunction; all, where these are few."""
    first = max((m.end() for m in _PAUSE.finditer(text, 0, start)), default=0)
    clause = text[first : next((m.start() for m in _PAUSE.finditer(text, end)), len(text))]
    return clause if len(term_set(clause)) > 3 else text


def values_in(text: str) -> Iterator[Quantity]:
    """The values of a sentence that have a unit."""
    for day in dates(text):
        if day.key[1]:
            yield day.key, frozenset({"date"}), day.start, day.start + len(day.text)
    for number in numbers(text):
        end = number.start + len(number.text)
        if number.measure:  # days are counted, and may be others tomorrow
            days = number.measure == "s" and number.factor >= 86400
            yield number.key, frozenset({"day" if days else number.measure}), number.start, end
            continue
        unit, end = _counted(text, len(text[: end - len(number.unit)].rstrip()))
        named = _BEFORE.search(text[: number.start])
        if not unit and named and named[1].isupper():
            continue  # "RFC 6455" is a name
        if not unit and named and named[1].lower() not in STOP:
            unit = frozenset({stem(named[1])})
        if unit:
            yield number.key, unit, number.start, end


def _counted(text: str, end: int) -> tuple[frozenset[str], int]:
    """What a number counts: the words behind it up to the next small word."""
    if cjk := _CJK_UNIT.match(text, end):
        return frozenset({cjk[1], cjk[1][:2]}), cjk.end()
    found: list[str] = []
    while len(found) < 3 and (word := _WORD.match(text, end)) and word[1].lower() not in STOP | {"per"}:
        found.append(stem(word[1]))
        end = word.end()
    return frozenset(found), end
