"""Numbers and dates as values: 1.2 million is 1,200,000, 5 km are 5,000 m, 12 May 2010 is 2010-05-12.

A claim's value is *stated* by a text when the text holds the same value of the same kind of unit, or one that
the claim rounds: "1.2 million" is right for 1,203,456, and "24" for 24.3; "1,200" is not right for 1,203, but
"about 1,200" and "more than 1,200" are.

Numbers are read in digits, in English words, and in Chinese and Japanese numerals and magnitudes. A number
between 1000 and 2199 without a unit or separators is read as a year, unless it numbers an entry ("no. 1911",
第1911号). A length per time ("118 kilometres per hour", 時速118キロ) is a speed, which no length states.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations, zip_longest

from .terms import STOP_WORDS
from .units import (
    CJK_DIGIT,
    CJK_NUMERAL,
    CURRENCY_BEFORE,
    NUMBER_WORDS,
    UNIT,
    UNITS,
    any_of,
    cjk_value,
    english_value,
    is_number,
    same_kind,
    scale_before,
    sign_around,
    unit_of,
)

_MAGNITUDES = {
    "hundred": 1e2, "thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "billion": 1e9, "bn": 1e9,
    "trillion": 1e12, "百": 1e2, "千": 1e3, "万": 1e4, "萬": 1e4, "百万": 1e6, "千万": 1e7, "亿": 1e8,
    "億": 1e8, "万亿": 1e12, "兆": 1e12, "dozen": 12.0,
}  # fmt: skip
_MONTHS = {
    name: number
    for number, names in enumerate(
        "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|"
        "october oct|november nov|december dec".split("|"),
        1,
    )
    for name in names.split()
}


_TIMES = {name: unit for name, unit in UNITS.items() if unit[0] in ("s", "month")} | {
    "s": ("s", 1.0), "second": ("s", 1.0), "時": ("s", 3600.0), "时": ("s", 3600.0), "分": ("s", 60.0),
    "日": ("s", 86400.0), "年": ("month", 12.0),
}  # fmt: skip
_LATIN_AFTER = r"(?![a-zA-Z])"
_MONTH = rf"(?P<{{0}}>{any_of(_MONTHS)})\.?{_LATIN_AFTER}"
_YEAR = r"(?:1\d{3}|2[01]\d{2})"
_YEAR_CJK = rf"(?:\d{{4}}|{CJK_DIGIT}{{4}})"
_PART_CJK = r"(?:\d\d?|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])"
_DATE = re.compile(
    rf"(?<![\d.])(?<!\d,)(?:(?P<y1>{_YEAR})-(?P<m1>\d\d)-(?P<d1>\d\d)(?!\d)"
    rf"|(?:(?P<y2>{_YEAR_CJK})年)?(?P<m2>{_PART_CJK})月(?:(?P<d2>{_PART_CJK})[日号])?"
    rf"|(?P<y3>{_YEAR_CJK})年(?![间間])"
    rf"|(?P<d4>\d\d?)(?:st|nd|rd|th)?(?: of)? {_MONTH.format('m4')}(?:,? (?P<y4>{_YEAR})(?!\d))?"
    rf"|\b{_MONTH.format('m5')} (?P<d5>\d\d?)(?:st|nd|rd|th)?(?!\d)(?:,? (?P<y5>{_YEAR})(?!\d))?"
    rf"|\b{_MONTH.format('m6')},? (?P<y6>{_YEAR})(?!\d))",
    re.IGNORECASE,
)
_FULL_MONTHS = (name.title() for name in _MONTHS if len(name) > 4 or name in ("may", "june", "july"))
_MONTH_ALONE = re.compile(
    r"\b(?:in|by|of|for|from|to|through|since|until|before|after|during|early|late|this|last|next)"
    rf" ({'|'.join(_FULL_MONTHS)})\b(?!,? \d)"
)
_SHORT_YEAR = re.compile(r"(?<![\d.,])((?:1\d|2[01])\d\d)[-–/](\d\d)(?![\d-])")
_NUMBERED = re.compile(
    r"(?:\b(?:nos?\.|nr\.?|number|entry|item|lot|page|section|article|chapter|room)"
    r"|[#№第]|(?:番号|[编編][号號])[はを为為是:]?) ?$",
    re.IGNORECASE,
)
_DIGITS = r"\d{1,3}(?:,\d{2,3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_FOLLOWING = any_of([*NUMBER_WORDS, "hundred", "thousand"])
_WORDS = rf"(?:{any_of(NUMBER_WORDS)})(?:(?:[ -]|[ -]and[ -])(?:{_FOLLOWING}))*"
_NUMBER = re.compile(
    rf"(?<![a-zA-Z\d])(?<!\d\.)(?:(?P<currency>{CURRENCY_BEFORE}) ?)?"
    rf"(?:(?P<digits>{_DIGITS})|\b(?P<words>{_WORDS})\b|(?P<numeral>{CJK_NUMERAL}))"
    rf"(?:[ -]?(?P<magnitude>{any_of(_MAGNITUDES)})(?![a-z]|(?<=兆)[瓦赫]))?(?P<decade>s\b)?"
    r"(?:(?<=[亿億万萬])(?P<myriads>\d{1,4}[万萬])?(?P<ones>\d{1,4}千?)?(?![\d.,年]))?"
    rf"(?:[ -]?(?P<unit>{UNIT}){_LATIN_AFTER}(?!年)"
    rf"(?:(?:[ -](?:per|an?)[ -]| ?/ ?|[每毎])(?P<time>{any_of(_TIMES)}){_LATIN_AFTER}"
    rf"(?! (?:earlier|later|before|after|ago)\b))?)?",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"(?:\b(?:(?P<about>about|around|roughly|approximately|approx\.?|some|circa|ca?\.)"
    r"|(?P<nearly>nearly|almost|close to|(?:just|slightly|a little) (?:under|below|less than))"
    r"|(?P<over>(?:(?:just|slightly|a little) )?(?:more than|over|above)|at least|exceed(?:s|ed|ing)))"
    r"(?: the)? "
    r"|(?P<about_>[~≈]|[大约約]|およそ|ほぼ) ?|(?P<nearly_>近) ?|(?P<over_>超过|超過|逾|至少) ?)$",
    re.IGNORECASE,
)
_LONGEST_HEDGE = 20
_HEDGE_BEHIND = re.compile(r"(?P<about>左右|前後|程度)|(?P<over>以上|[多余]|超)")
_CHANGE = re.compile(r"\b(?:by|warmed|cooled)(?: \w+){0,2} $", re.IGNORECASE)
_CHANGED = re.compile(r" (?:warmer|hotter|cooler|colder|higher|lower|more|less)\b", re.IGNORECASE)
"""What makes of a temperature a difference, to which no other zero is added."""
_NOUN = re.compile(r" ([a-z]{3,})\b")
RANGE = re.compile(r"-? ?(?:to|and|or|[-–—~～〜]|至|到|から) ?")
_SPEED = re.compile(
    rf"(?:(?P<time>[時时分秒])速|[每毎](?P<per>{any_of(_TIMES)}))"
    r"(?:[はも]|为|為|達|达|可|高|最|大|約|约| )*$"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value in a base unit, or a date.

    `factor` is what one of its own unit is in the base unit, `scale` the same times its magnitude, `step`
    half of what its last written digit stands for; one with "about" or "over" may round what is as much
    `below` or `above`. `counted` marks a small number in words, which often is the writer's own count. `sign`
    is 0 where words speak of a loss or a fall, so that the number may be either; `value` has none. With
    `of_noun` a word that is no unit follows, so it is a number of things.
    """

    start: int
    end: int
    value: float = 0.0
    unit: str = ""
    factor: float = 1.0
    scale: float = 1.0
    step: float = 0.0
    below: float = 0.0
    above: float = 0.0
    date: tuple[int | None, int | None, int | None] | None = None  # year, month, day
    counted: bool = False
    sign: int = 1
    of_noun: bool = False


_FRACTION = re.compile(r"(?<=\d)[½¼¾]")
_AS_DECIMALS = {"½": ".50", "¼": ".25", "¾": ".75"}
"""In as many characters as the NFKC form has, which reads "12½" as "121⁄2"."""
_DOTTED_I = str.maketrans("ıİ", "iI")
"""Letters that a case-blind pattern takes for an i, and no table of words has."""


def plain_form(text: str) -> str:
    """The NFKC form of a text with fractions as decimals, as long as its NFKC form."""
    return unicodedata.normalize("NFKC", _FRACTION.sub(lambda sign: _AS_DECIMALS[sign[0]], text))


@lru_cache(maxsize=8192)
def quantities(text: str) -> tuple[Quantity, ...]:
    """The numbers and dates of a sentence in order; offsets are those of its plain form."""
    plain = plain_form(text).translate(_DOTTED_I)
    found = [_date_of(match) for match in _DATE.finditer(plain)]
    found += [
        Quantity(match.start(2), match.end(2), date=(int(match[1][:2] + match[2]), None, None))
        for match in _SHORT_YEAR.finditer(plain)
    ]
    plain = _SHORT_YEAR.sub(lambda match: match[1] + "\0" * (len(match[0]) - 4), plain)
    rest = _DATE.sub(lambda match: "\0" * len(match[0]), plain)
    found += [quantity for match in _NUMBER.finditer(rest) if (quantity := _number_of(match))]
    return tuple(_with_shared_units(sorted(found, key=lambda quantity: quantity.start), plain))


def months_alone(text: str) -> Iterator[Quantity]:
    """The months that a text names without a day or year: "executed in August"."""
    for month in _MONTH_ALONE.finditer(text):
        yield Quantity(month.start(1), month.end(), date=(None, _MONTHS[month[1].lower()], None))


def _with_shared_units(found: Sequence[Quantity], text: str) -> Iterator[Quantity]:
    """The numbers, the first of "18 to 24 %" or "1.9 to 3.8 million €" as the second has its unit."""
    for one, other in zip_longest(found, found[1:]):
        bare = not (one.unit or one.date or one.scale > 1)
        if other and (other.unit or other.scale > 1) and bare and RANGE.fullmatch(text, one.end, other.start):
            scale = other.scale if one.value <= 10 * other.value / other.scale else other.factor
            value, step = one.value * scale, one.step * scale
            yield replace(one, unit=other.unit, factor=other.factor, scale=scale, value=value, step=step)
        else:
            yield one


def differences_in_points(values: Iterable[Quantity]) -> list[Quantity]:
    """How many percentage points lie between any two of these percentages."""
    return [replace(one, unit="pp") for one in differences([value for value in values if value.unit == "%"])]


_MOST_COMPARED = 120


def differences(values: Sequence[Quantity]) -> list[Quantity]:
    """How far any two of these lie apart, where they have one unit, or are years; of many, the first."""
    years = {one.date[0] for one in values if one.date and one.date[0]}
    spans = [Quantity(0, 0, one * 12.0, "month", 12.0, 12.0) for one in years]
    amounts = list(dict.fromkeys(replace(one, start=0, end=0) for one in values if not one.date))
    amounts, spans = amounts[:_MOST_COMPARED], spans[:_MOST_COMPARED]
    return [
        Quantity(0, 0, abs(one.value - other.value), one.unit, one.factor, one.scale, sign=0)
        for one, other in chain(combinations(amounts, 2), combinations(spans, 2))
        if one.unit == other.unit
    ]


def is_stated(claimed: Quantity, pool: Iterable[Quantity]) -> bool:
    """Whether one of the quantities of a text says what the claim says."""
    return any(_agrees(claimed, other) for other in pool)


class DateIndex:
    """The dates of a long text, looked up by year or month; a bare number may be a year."""

    def __init__(self, values: Iterable[Quantity]) -> None:
        self.has_year = False
        self._by_year: dict[float | None, set[Quantity]] = {}
        self._by_month: dict[int | None, set[Quantity]] = {}
        for value in values:
            if not value.date and value.unit:
                continue
            year, month, _ = value.date or (value.value, None, None)
            own = Quantity(0, 0, value.value, date=value.date)
            self.has_year = self.has_year or bool(value.date and value.date[0])
            self._by_year.setdefault(year, set()).add(own)
            self._by_month.setdefault(month, set()).add(own)

    def states(self, date: Quantity) -> bool:
        """Whether one of the dates is what a claim says."""
        year, month, _ = date.date or (None, None, None)
        if year is None:
            return is_stated(date, self._by_month.get(month, ()))
        known = self._by_year.get(year, set[Quantity]())
        # "in August" is of this year if the text has it
        without = (o for o in self._by_year.get(None, ()) if known or (o.date and o.date[2]))
        return is_stated(date, known) or is_stated(date, without)


def _agrees(claimed: Quantity, other: Quantity) -> bool:
    if claimed.date:
        return _same_date(claimed.date, other)
    if other.date:
        parts = [part for part in other.date if part]
        return claimed.unit == "" and any(abs(claimed.value - part) <= claimed.step for part in parts)
    if not same_kind(claimed.unit, other.unit) or claimed.sign * other.sign < 0:
        return False
    if (claimed.unit and other.of_noun) or (other.unit and claimed.of_noun):
        return False
    scale = 1.0 if bool(claimed.unit) == bool(other.unit) else claimed.factor / other.factor
    more, step = other.value * scale - claimed.value, claimed.step * (1 + 1e-9)
    return -max(claimed.below, step) <= more <= max(claimed.above, step)


def _same_date(claimed: tuple[int | None, int | None, int | None], other: Quantity) -> bool:
    """Equal in all parts that both give, with a part in common; a bare year is found inside any date."""
    if other.date is None:
        is_no_year = 1000 <= other.value < 2200  # written as a year it would be a date
        return claimed[1] is None and other.unit == "" and other.value == claimed[0] and not is_no_year
    shared = [(a, b) for a, b in zip(claimed, other.date, strict=True) if a is not None and b is not None]
    enough = any(part is not None for part in other.date[1:]) or claimed[1] is None
    return enough and bool(shared) and all(a == b for a, b in shared)


def _date_of(match: re.Match[str]) -> Quantity:
    parts = match.groupdict()

    def part(letter: str) -> str | None:
        return next((text for name, text in parts.items() if name[0] == letter and text), None)

    year, month, day = part("y"), part("m"), part("d")
    number = None if month is None else _MONTHS.get(month.lower()) or _int_of(month)
    date = (_int_of(year) if year else None, number, _int_of(day) if day else None)
    return Quantity(match.start(), match.end(), date=date)


def _int_of(text: str) -> int:
    return int(text) if text.isascii() else cjk_value(text)


def _number_of(match: re.Match[str]) -> Quantity | None:
    """The number of a match; None for "one", which mostly counts nothing ("one of them")."""
    digits, words, numeral = match["digits"], match["words"], match["numeral"]
    start, unit, factor = _start_unit_factor(match)
    signed, sign = sign_around(match.string, match.start(), match.end())
    start = min(start, signed)
    if words and words.lower() in ("one", "zero") and not (match["magnitude"] or unit):
        return None
    if not (digits or words or is_number(numeral, bool(unit))):
        return None
    bare = digits and not (match["magnitude"] or unit)
    if (
        bare
        and re.fullmatch(_YEAR, digits)
        and not _NUMBERED.search(match.string, max(match.start() - 9, 0), match.start())
    ):
        if match["decade"]:
            return Quantity(start, match.end(), float(digits) + 4.5, step=4.5)
        return Quantity(start, match.end(), date=(int(digits), None, None))
    value = float(digits.replace(",", "")) if digits else float(_spelled_out(words, numeral))
    scale = factor * (_MAGNITUDES[match["magnitude"].lower()] if match["magnitude"] else 1.0)
    last = 10.0 ** -len(digits.partition(".")[2] if digits else "") * scale
    value *= scale
    if unit == "°F":
        unit, last = "°C", last / 1.8
        is_change = _CHANGE.search(match.string, max(start - 30, 0), start) or _CHANGED.match(
            match.string, match.end()
        )
        value = (-value if sign < 0 and not is_change else value) / 1.8 - (0 if is_change else 32 / 1.8)
        value, sign = abs(value), sign and (-1 if value < 0 else sign if is_change else 1)
    for part in filter(None, (match["myriads"], match["ones"])):  # 4億8000万, 1万2000
        size = factor * _MAGNITUDES.get(part[-1], 1.0)
        value, last = value + int(part.rstrip("万萬千")) * size, size
    counted = not digits and scale == 1.0 and value <= 12 and sign >= 0
    leeway, noun = _leeway(match, value, last), _NOUN.match(match.string, match.end())
    of_noun = not unit and noun is not None and noun[1] not in STOP_WORDS
    return Quantity(
        start, match.end(), value, unit, factor, scale, last / 2, *leeway, None, counted, sign, of_noun
    )


def _leeway(match: re.Match[str], value: float, last: float) -> tuple[float, float]:
    """How far below and above a number with an "about" or a limit another may be that it rounds.

    It rounds by its last digit that is not zero, and by no more than a tenth or, with a limit, a quarter.
    """
    digits = (match["digits"] or "").replace(",", "")
    before, behind = match.string[max(match.start() - _LONGEST_HEDGE, 0) : match.start()], match.end()
    hedge = _HEDGE.search(before) or _HEDGE_BEHIND.match(match.string, behind)
    if hedge is None or "." in digits:
        return 0.0, 0.0
    rounded = last * 10.0 ** (len(digits) - len(digits.rstrip("0")))
    about, more = min(rounded / 2, abs(value) / 10), min(rounded, abs(value) / 4)
    return {"about": (about, about), "nearly": (about, 0.0), "over": (0.0, more)}[
        (hedge.lastgroup or "").rstrip("_")
    ]


def _spelled_out(words: str | None, numeral: str) -> int:
    return english_value(words) if words else cjk_value(numeral)


def _start_unit_factor(match: re.Match[str]) -> tuple[int, str, float]:
    """Where the quantity starts, its kind of unit and its factor; a length per time is a speed."""
    kind, factor = _unit_and_factor(match)
    if kind == "°":
        start, scale = scale_before(match.string, match.start())
        return start, unit_of(f"{scale}度")[0], factor
    before = _SPEED.search(match.string, max(match.start() - 12, 0), match.start())
    time = match["time"] or (before and (before["time"] or before["per"]))
    if time and match["unit"] == "キロ":
        kind, factor = UNITS["km"]
    if kind != "m" or not time:
        return match.start(), kind, factor
    per, seconds = _TIMES[time.lower()]
    return before.start() if before else match.start(), f"m/{per}", factor / seconds


def _unit_and_factor(match: re.Match[str]) -> tuple[str, float]:
    """The kind of unit and its factor; behind a currency sign "m" and "b" are millions and billions."""
    name = match["unit"] or ""
    if match["currency"]:
        return unit_of(match["currency"])[0], {"m": 1e6, "b": 1e9}.get(name.lower(), 1.0)
    return unit_of(name)
