"""Dates and quantities in text, as written and as something that can be compared.

They are read by `deep_research.text.quantities`; here a number gets what it counts where that is no unit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from deep_research.text.quantities import Quantity, plain_form, quantities

from .lexicon import DAYS, MONTHS, SPELLED, load
from .text import stem, words

_FIGURE = re.compile(
    r"[-−–]?\s?[\d,.，\u202f\u00a0]*\d"
    r"(?:[ -]?(?:hundred|thousand|[mb]illion|trillion|[mb]n|k|[百千万萬亿億兆]+(?:\d+[万千]?)?)(?![a-z]))?",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\s?((?:[A-Za-zµ]{1,14}[²³]?(?:/[a-z]+)?|[人名艘座架台枚辆所家次位页隻基機回便件歳本軒岁]|[ァ-ヺー]+)"
    r"(?: (?:per|an?) [a-z]+)?)"
)
_DECADE = re.compile(r"\d{3}0s")
_OF_NAME = re.compile(r"[A-Za-z]-$")


@dataclass(frozen=True, slots=True)
class Value:
    """A date or number as written, its place, and `key` for comparing: year, month and day with 0 for what is
    not said, or the size in the base unit of its `measure`, of which its own `unit` holds `factor`."""

    text: str
    start: int
    key: tuple[float, ...]
    kind: str
    unit: str = ""
    measure: str = ""
    factor: float = 1.0


@lru_cache(maxsize=16384)
def dates(text: str) -> tuple[Value, ...]:
    """All dates, to the day, month or year."""
    plain, found = plain_form(text), []
    for q in quantities(text):
        written = plain[q.start : q.end]
        year, *rest = q.date or (int(q.value - 4.5) if _DECADE.fullmatch(written) else None, None, None)
        if year:
            found.append(Value(written, q.start, tuple(float(part or 0) for part in (year, *rest)), "date"))
    return tuple(found)


@lru_cache(maxsize=16384)
def numbers(text: str) -> tuple[Value, ...]:
    """All quantities in digits with their unit, dates left out."""
    plain = plain_form(text)
    return tuple(value for q in quantities(text) if not q.date and (value := _number(plain, q)))


def _number(text: str, q: Quantity) -> Value | None:
    """A number as written, with what it measures or counts; None for one in words or inside a name."""
    written = text[q.start : q.end]
    figure = _FIGURE.search(written)
    if not figure or _OF_NAME.search(text[: q.start]) or _DECADE.fullmatch(written):
        return None
    end = q.start + figure.end()
    counted = None if q.unit else _COUNTED.match(text, end)
    unit = counted[1] if counted else written[figure.end() :].strip(" -") or written[: figure.start()]
    if figure.start() and q.unit.startswith("m/"):
        unit += "/h"
    whole = text[q.start : max(q.end, counted.end() if counted else 0)].strip()
    size = round(q.value / q.factor, 9) * q.factor
    return Value(whole, q.start, (size,), "number", unit.lower(), q.unit, q.factor)


_SPELLED = re.compile(rf"\b(?!one of\b)(?:{SPELLED})\b|[一二两三四五六七八九十百千]+", re.IGNORECASE)


def counts(text: str) -> tuple[tuple[int, str], ...]:
    """Where numbers stand, in digits or in words, as written with their unit."""
    told = [(value.start, value.text) for value in numbers(text)]
    return (*told, *((match.start(), match[0]) for match in _SPELLED.finditer(text)))


_CLOCK = re.compile(
    r"\b\d{1,2}(?:[:.]\d\d)? ?(?:[ap]\.?m\b|o['’]clock)|\b[0-2]?\d:\d\d\b|\b(?:noon|midnight)\b"
    rf"|\b(?:at|from|until|till) (?:{SPELLED})\b(?= (?:o['’]clock|in the|at night)|[.,;])"
    r"|(?:[上下]午|晚上|早上|凌晨|午[前後])[\d零一二三四五六七八九十]+[点時时]|\b\d{1,2}時(?![間点])",
    re.IGNORECASE,
)


def tells_when(text: str) -> bool:
    """Whether a text gives a date, a day, a month or a time of day."""
    named = {word.lower() for word in words(text)} & {*DAYS, *MONTHS}
    return bool(dates(text) or named or _CLOCK.search(text))


def same_amount(one: str, other: str) -> bool:
    """Whether two texts give one quantity or date, however spelled: units in full or short, a date less
    exact."""
    when, then = dates(one), dates(other)
    if when and then:
        return all(a == b or not (a and b) for a, b in zip(when[0].key, then[0].key, strict=True))
    much, many = numbers(one), numbers(other)
    if not (much and many) or when or then:
        return one == other
    left, right = (value.measure or value.unit[:4] for value in (much[0], many[0]))
    return much[0].key == many[0].key and (left == right or "" in (left, right))


def difference(one: str, other: str) -> str:
    """How far two amounts in one unit, as written, lie apart, in the same form; "" if they have none."""
    much, many = numbers(one), numbers(other)
    if len(much) != 1 or len(many) != 1 or much[0].unit != many[0].unit or dates(one) or dates(other):
        return ""
    figures = [_FIGURE.search(text) for text in (one, other)]
    digits = max(len(re.sub(r"\D.*", "", f[0].partition(".")[2])) for f in figures if f)
    apart = abs(much[0].key[0] - many[0].key[0]) / much[0].factor
    return _FIGURE.sub(f"{apart:,.{digits}f}", one, count=1)


_EACH = re.compile(r" (?:per|an?) (?!hour|minute|second)[a-z]+$")
"""What a unit is counted for: "florins a year"."""


_RATE = re.compile(r"([a-z]+) (?:per|an?) (hour|minute|second|day)")


def without_rate(unit: str) -> str:
    """A unit without what it is counted for."""
    return _EACH.sub("", unit)


@lru_cache(maxsize=65536)
def unit_family(unit: str) -> str:
    """The family of a unit of measure: length, weight …; "" for a count."""
    low = without_rate(unit.lower().strip())
    return next((k for k, p in load("words")["units"].items() if low and re.match(p, low)), "")


@lru_cache(maxsize=65536)
def has_unit(text: str, families: frozenset[str]) -> bool:
    """Whether a text has a number with a unit of one of these families."""
    return any(unit_family(v.unit) in families for v in numbers(text))


def kind_of_unit(unit: str) -> str:
    """What makes two values comparable: the family of their unit, or what they count, in which time."""
    counted = _RATE.fullmatch(unit)
    if counted and not unit_family(counted[1]):
        return f"{stem(counted[1])} per {counted[2]}"
    return unit_family(unit) or stem(unit)
