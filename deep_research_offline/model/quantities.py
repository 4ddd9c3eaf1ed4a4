"""What sentences count and measure: numbers and dates with their units, and the clause that says of what."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .lexicon import STOP, load
from .text import stem, term_set
from .thesaurus import said_by
from .values import dates, numbers

Quantity = tuple[tuple[float, ...], frozenset[str], int, int]
"""A number or date, its unit, and where it stands."""
_SHORT = {
    "/".join(map(stem, word.split("/"))): short
    for short, words in load("differences")["measures"]["spelled"].items()
    for word in words.split()
}
_FIGURE = re.compile(
    r"[\d,.，]*\d(?:\s?(?:hundred|thousand|million|billion|bn|[万萬億亿千])(?![a-z]))?", re.I
)
_SIGN = re.compile(r"\s?(%|‰|°[CF]?)|[ -]per ?cent\b")
_HAN = r"(?![的了和与及等在是])[\u3400-\u9fff々]"
_CJK_UNIT = re.compile(rf"\s?({_HAN}(?:{_HAN}){{0,4}}|[\u30a0-\u30ffー]{{2,}})")
_WORD = re.compile(r"[ -]([^\W\d_]+(?:[/²³-][^\W\d_]*)*)")
_BEFORE = re.compile(r"([^\W\d_]{3,})(?: of| is| was|:|：)? ?$")
_MONEY = frozenset("EUR USD GBP JPY CNY CHF".split())
_RATE = re.compile(r" (?:per|an?) ([a-z]+)")
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
        figure = _FIGURE.match(text, number.start)
        if not figure:
            continue
        unit, end = _unit(text, figure.end())
        named = _BEFORE.search(text[: number.start])
        if number.start and text[number.start - 1] in "€$£¥":
            unit, end = frozenset(text[number.start - 1]), figure.end()
        elif not unit and named and named[1].isupper() and named[1] not in _MONEY:
            continue  # "RFC 6455" is a name
        elif not unit and named and named[1].lower() not in STOP:
            unit = frozenset({stem(named[1])})
        if unit:
            yield number.key, unit, number.start, end


def _unit(text: str, end: int) -> tuple[frozenset[str], int]:
    """What a number counts or measures: a sign, or the words behind it up to the next small word."""
    if sign := _SIGN.match(text, end):
        return frozenset({sign[1] or "%"}), sign.end()
    if cjk := _CJK_UNIT.match(text, end):
        return frozenset({cjk[1], cjk[1][:2]}), cjk.end()
    found: list[str] = []
    while len(found) < 3 and (word := _WORD.match(text, end)) and word[1].lower() not in STOP | {"per"}:
        found.append(_SHORT.get(stem(word[1]), stem(word[1])))
        end = word.end()
    if found and (rate := _RATE.match(text, end)) and (speed := _SHORT.get(f"{found[-1]}/{stem(rate[1])}")):
        return frozenset({speed}), rate.end()
    return frozenset(found), end
