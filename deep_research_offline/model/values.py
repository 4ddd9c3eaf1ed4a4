"""Dates and quantities in text, as written and as something that can be compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from deep_research.text.units import unit_of

from .lexicon import DAYS, MONTHS, SPELLED, load
from .text import stem, words

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DATES = re.compile(
    rf"(?P<iso>\b\d{{4}}-\d{{2}}-\d{{2}}\b)"
    rf"|\b(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\.? (?P<m1>{_MONTH})\.?,? (?P<y1>\d{{3,4}})\b"
    rf"|\b(?P<m2>{_MONTH})\.? (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y2>\d{{3,4}})\b"
    rf"|\b(?P<m3>{_MONTH})\.?,? (?P<y3>\d{{4}})\b"
    r"|(?P<y4>\d{3,4})\s?年(?:\s?(?P<m4>\d{1,2})\s?月(?:\s?(?P<d4>\d{1,2})\s?日)?)?"
    r"|(?<![\d.,/-])(?P<y5>[12]\d{3})s?(?![\d/]|[.,]\d|-\d{2}\b)",
    re.IGNORECASE,
)
_SCALE = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "万": 1e4,
    "萬": 1e4,
    "億": 1e8,
    "亿": 1e8,
    "千": 1e3,
}
_UNIT = (
    r"%|‰|°C|[A-Za-zµ²³]{1,14}(?:/(?:h|s|min))?[²³]?(?: (?:per|an?) [a-z]+)?"
    r"|公里/小时|千米/小时|平方公里|公里|千米|厘米|毫米|公顷|千瓦|公斤|千克|小时|分钟|米|吨|元|岁"
    r"|[人名艘座架台枚辆所家次位页]"
    r"|[ァ-ヺー]+|平方キロ|時間|[人名隻基機台回便件歳円本軒]"
)
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9.])(?<![A-Za-z]-)[-−]?(?P<n>\d{1,3}(?:[,，\u202f\u00a0 ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"\s?(?P<scale>hundred|thousand|million|billion|bn|[万萬億亿千])?(?:(?P<n2>\d+)(?P<scale2>[万千]))?"
    rf"(?P<unit>\s?(?:{_UNIT}))?",
    re.IGNORECASE,
)


_MEASURES = frozenset("km m kg t kw mw hp mph % km/h metres meters kilometres tonnes".split())
"""What makes a quantity of what looks like a year."""
_NUMBER_ONLY = re.compile(r"[-−]?[\d.,，]+")


@dataclass(frozen=True, slots=True)
class Value:
    """A date or number as written, its place, and `key` for comparing."""

    text: str
    start: int
    key: tuple[float, ...]
    kind: str
    unit: str = ""


@lru_cache(maxsize=16384)
def dates(text: str) -> tuple[Value, ...]:
    """All dates, to the day, month or year; `key` is (year, month, day) with 0 for what is not said."""
    found = []
    for match in _DATES.finditer(text):
        part = {name: value for name, value in match.groupdict().items() if value}
        if "iso" in part:
            key = tuple(float(x) for x in part["iso"].split("-"))
        else:
            year, month, day = (
                next((part[f"{c}{i}"] for i in range(1, 6) if f"{c}{i}" in part), "0") for c in "ymd"
            )
            key = (float(year), _month(month), float(day))
        found.append(Value(match.group(0).strip(), match.start(), key, "date"))
    return tuple(found)


def _month(text: str) -> float:
    return float(text) if text.isdigit() else [m[:3] for m in MONTHS[:12]].index(text[:3].lower()) + 1.0


@lru_cache(maxsize=16384)
def numbers(text: str) -> tuple[Value, ...]:
    """All quantities with their unit, dates left out; `key` is the number, scaled."""
    taken = [(v.start, v.start + len(v.text)) for v in dates(text)]
    found = []
    for match in _NUMBER.finditer(text):
        start = match.start("n")
        unit = (match.group("unit") or "").strip()
        if any(a <= start < b for a, b in taken) and unit.lower() not in _MEASURES:
            continue
        size = float(re.sub(r"[,，\s]", "", match.group("n"))) * _SCALE.get(
            (match.group("scale") or "").lower(), 1
        )
        if match.group("n2"):
            size += float(match.group("n2")) * _SCALE.get(match.group("scale2"), 1)
        if text[:start].endswith(("時速", "时速", "毎時")):
            unit += "/h"
        found.append(Value(match.group(0).strip(), match.start(), (size,), "number", unit.lower()))
    return tuple(found)


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
    (a, left), (b, right) = metric(much[0]), metric(many[0])
    return a == b and ("" in (left, right) or left[:4] == right[:4])


def in_base_unit(value: Value) -> tuple[float, ...]:
    """What orders a value among others of its kind: metres and kilometres, hours and minutes."""
    return value.key if value.kind == "date" else (metric(value)[0],)


def difference(one: str, other: str) -> str:
    """How far two amounts in one unit, as written, lie apart, in the same form; "" if they have none."""
    much, many = numbers(one), numbers(other)
    if len(much) != 1 or len(many) != 1 or much[0].unit != many[0].unit or dates(one) or dates(other):
        return ""
    figure, less = (re.sub(r"[^\d.].*", "", v.text.replace(",", "")) for v in (much[0], many[0]))
    digits = max(len(text.partition(".")[2]) for text in (figure, less))
    return f"{abs(much[0].key[0] - many[0].key[0]):,.{digits}f}{_NUMBER_ONLY.split(one, maxsplit=1)[-1]}"


def metric(value: Value) -> tuple[float, str]:
    """Size and dimension in base units; the bare number and its unit where it is a count."""
    kind, factor = unit_of(value.unit)
    return value.key[0] * factor, kind or value.unit


_EACH = re.compile(r" (?:per|an?) (?!hour|minute|second)[a-z]+$")
"""What a unit is counted for: "florins a year"."""


_RATE = re.compile(r"([a-z]+) (?:per|an?) (hour|minute|second|day)")


@lru_cache(maxsize=65536)
def unit_family(unit: str) -> str:
    """The family of a unit of measure: length, weight …; "" for a count."""
    low = _EACH.sub("", unit.lower().strip())
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
