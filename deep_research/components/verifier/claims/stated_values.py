"""A value in a sentence: what it is of, what it measures and for which year, so that two can be compared.

Two values of one kind differ only if they are of the same thing, measure the same and hold for one year, as
far as the sentences, and what stands above them, tell. A series differs in its years, a length and a height
in what they measure, and two ships are two things even if one table has both.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from deep_research.text.data import read_data
from deep_research.text.quantities import Quantity, is_stated, quantities
from deep_research.text.terms import cjk_count, is_cjk
from deep_research.text.units import same_kind
from deep_research.text.wording import names_in, nfkc, places_in_amounts, word_tokens

from .evidence import SourcePassage, SourceReading
from .subjects import Subject, same_subject, subject_of

_WORDS = {
    name: re.compile(words, re.IGNORECASE) for name, words in read_data(__file__, "measures.toml").items()
}
_OF_ANYTHING = ("s", "month", "m", "g", "%", "$", "€", "£", "¥")


@dataclass(frozen=True)
class StatedValue:
    """A value, the sentence that states it (in NFKC form), and where on which page that stands."""

    value: Quantity
    text: str
    reading: SourceReading
    start: int

    @property
    def shown(self) -> str:
        """The value as the sentence writes it."""
        return self.text[self.value.start : self.value.end].strip()

    @cached_property
    def above(self) -> list[SourcePassage]:
        """The passages of the page up to this place, the last one first."""
        behind = bisect_right(self.reading.passages, self.start, key=lambda passage: passage.start)
        return list(self.reading.passages[:behind][::-1])

    @property
    def setting(self) -> str:
        """The heading of the section, and the header of the table."""
        return self.above[0].setting if self.above else ""

    @cached_property
    def subject(self) -> Subject:
        """What the value is of."""
        return subject_of(self.text, self.value, self.reading, self.above)

    @cached_property
    def years(self) -> set[int]:
        """The years that the sentence names besides the value, or the last ones named above it."""
        section = (_years(p.text) for p in self.above[1:] if p.setting == self.setting)
        whole = (_years(self.setting), _years(self.reading.title))
        return next(filter(None, (_years(self.rest), *section, *whole)), set())

    @property
    def rest(self) -> str:
        """The sentence without the value."""
        return f"{self.text[: self.value.start]} {self.text[self.value.end :]}"

    @cached_property
    def measure(self) -> str | None:
        """What the value measures."""
        return measure_of(self.value, self.text)

    @cached_property
    def content(self) -> set[str]:
        """The words of the sentence but for fillers, names, numbers and units."""
        names = {token.term for name in names_in(self.rest, initial=True) if name[0].start for token in name}
        amounts = places_in_amounts(self.text)
        words = [token for token in word_tokens(self.text) if token.start not in amounts]
        return {token.term for token in words if not (token.filler or token.word.isdigit())} - names


def measure_of(value: Quantity, text: str, start: int = 0, end: int | None = None) -> str | None:
    """The measure whose word is nearest to a value: "a tall tower on a spit 3 km long" is a length."""
    found = (
        (max(word.start() - value.end, value.start - word.end()), name)
        for name, words in _WORDS.items()
        for word in words.finditer(text, start, len(text) if end is None else end)
    )
    return min(found, default=(0, None))[1]


def values_of_kind(value: Quantity, passage: SourcePassage, reading: SourceReading) -> list[StatedValue]:
    """The values of this kind that a passage states."""
    text, kind = nfkc(passage.text), (bool(value.date), value.unit)
    found = (other for other in quantities(passage.text) if (bool(other.date), other.unit) == kind)
    return [StatedValue(other, text, reading, passage.start) for other in found if not other.counted]


def of_one_kind(one: Quantity, other: Quantity) -> bool:
    """Whether one value could stand for the other."""
    if one.date and other.date:
        return bool(one.date[0]) == bool(other.date[0])
    return not (one.date or other.date or bool(one.unit) != bool(other.unit)) and same_kind(
        one.unit, other.unit
    )


def may_be_same(one: Quantity, other: Quantity) -> bool:
    """Whether two values may be one: a year is the same as any day in it."""
    if one.date and other.date:
        return all(
            ours == theirs for ours, theirs in zip(one.date, other.date, strict=True) if ours and theirs
        )
    return is_stated(one, [other])


def differ(one: StatedValue, other: StatedValue) -> bool:
    """Whether two values are of the same thing and cannot both be right.

    Where names are not marked, and none tells what a value is of, the words before it have to.
    """
    same, unmarked = same_subject(one.subject, other.subject), cjk_count(one.text) > 0
    known = not _is_of_other_thing(one, other) and same is not False if unmarked else same
    return bool(known) and _are_comparable(one, other)


def are_set_apart(one: StatedValue, other: StatedValue) -> bool:
    """Whether two values that a report sets against each other are of the same, as far as can be told.

    A counted noun or a speed says what it is a value of. Minutes or metres may be of anything: there the
    sentences must share a word that is no name.
    """
    if same_subject(one.subject, other.subject) is False or may_be_same(one.value, other.value):
        return False
    told = one.value.unit not in _OF_ANYTHING or not one.content.isdisjoint(other.content)
    return told and _are_comparable(one, other)


def _are_comparable(one: StatedValue, other: StatedValue) -> bool:
    """Whether two values hold for one year and measure the same, as far as both tell."""
    apart = one.years and other.years and one.years.isdisjoint(other.years)
    return not apart and (None in (one.measure, other.measure) or one.measure == other.measure)


def say_the_same(one: StatedValue, other: StatedValue) -> bool:
    """Whether two sentences say the same but for who says it: the same measure, in mostly the same words."""
    fewest = min(len(one.content), len(other.content))
    return one.measure == other.measure is not None and 2 * len(one.content & other.content) > fewest


_NEAR = 80
"""Characters before a value in which its noun is looked for."""
_MEASURE_CJK = re.compile(
    r"(?:[的のはがも是为為约約达達于於在、,: ]|[全总水]?[高长長宽深][度さ]?|全幅|直[径徑]|[时時]?速[度さ]?)+$"
)
"""What may stand between a thing and its value in Chinese and Japanese."""
_NO_NAME_CJK = frozenset("该該这這此本同当其座的のはがもをにと是为為在于於")


def _is_of_other_thing(one: StatedValue, other: StatedValue) -> bool:
    """Whether the noun of one stands right before the other with another name: 苍鹭灯塔, not 海鸥灯塔.

    Names are not marked in these languages: both are read backwards to where they differ.
    """
    before = (said.text[max(said.value.start - _NEAR, 0) : said.value.start] for said in (one, other))
    pairs = [*zip(*(_MEASURE_CJK.sub("", text)[::-1] for text in before), strict=False)]
    alike = next((place for place, (ours, theirs) in enumerate(pairs) if ours != theirs), 0)
    return alike > 0 and all(is_cjk(sign) and sign not in _NO_NAME_CJK for sign in pairs[alike])


def measures_in(text: str) -> set[str]:
    """The measures that a text names."""
    return {name for name, words in _WORDS.items() if words.search(text)}


def _years(text: str) -> set[int]:
    return {value.date[0] for value in quantities(text) if value.date and value.date[0]}
