"""Which of two things has more: what a sentence says, and what the figures tell.

"The Heron is slower than the Gull" need not stand on any page: the page of each gives its top speed, and a
word for it ("faster than her sisters") may even say the opposite of something else. So the figures of the
measure that the sentence compares are looked up for each of its two names. They confirm the sentence, or
contradict it, if all of one name are above all of the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set

from deep_research.text.data import read_data
from deep_research.text.quantities import quantities
from deep_research.text.units import any_of
from deep_research.text.wording import NEGATION, names_in, nfkc

from .evidence import SourceReading
from .stated_values import StatedValue
from .subjects import Name, share_name

_WORDS = read_data(__file__, "comparing.toml")
_MORE, _LESS = ({word for one in _WORDS.values() for word in one[side].split()} for side in ("more", "less"))
_COMPARED = re.compile(rf"\b(?:(?P<more>{any_of(_MORE)})|{any_of(_LESS)})\b", re.IGNORECASE)
_BESIDE = re.compile(r"\b(?:than|compared (?:to|with)|versus|vs|while|whereas)\b", re.IGNORECASE)


def comparison_holds(claim: str, readings: Iterable[SourceReading]) -> bool | None:
    """Whether figures bear out what a claim says of two things; None where it compares none, or none tell."""
    plain = nfkc(claim)
    if NEGATION.search(plain) or not (said := _COMPARED.search(plain)):
        return None
    if _contradicts_its_amounts(plain, said):
        return False
    names, pages, word = _names_compared(plain, said), list(readings), said[0].lower()
    if names is None:
        return None
    measures = {name for name, one in _WORDS.items() if word in f"{one['more']} {one['less']}".split()}
    first, second = ([f for page in pages for f in _figures(name, measures, page)] for name in names)
    more, less = (first, second) if said["more"] else (second, first)
    if not more or not less or (max(less) >= min(more) and max(more) > min(less)):
        return None
    return min(more) > max(less)


def _contradicts_its_amounts(plain: str, said: re.Match[str]) -> bool:
    """Whether a claim calls the smaller of its two amounts the larger: "longer, at 2 m, than X, at 3 m"."""
    amounts = [one for one in quantities(plain) if not one.date]
    if len(amounts) != 2 or amounts[0].unit != amounts[1].unit:
        return False
    first, second = amounts
    if _BESIDE.search(plain, said.end(), first.start) or not _BESIDE.search(plain, first.end, second.start):
        return False
    larger, smaller = (first, second) if said["more"] else (second, first)
    return said.end() <= first.start and larger.value < smaller.value


def _names_compared(plain: str, said: re.Match[str]) -> tuple[Name, Name] | None:
    """The one name before the word that compares and the one behind "than", if there is no other."""
    beside = _BESIDE.search(plain, said.end())
    names = names_in(plain, initial=True)
    before = [name for name in names if name[0].start < said.start()]
    behind = [name for name in names if beside and name[0].start >= beside.end()]
    if len(before) != 1 or len(behind) != 1 or len(names) != 2:
        return None
    first, second = (frozenset(token.term for token in name) for name in (before[0], behind[0]))
    return first, second


def _figures(name: Name, measures: Set[str], reading: SourceReading) -> Iterator[float]:
    """The values of these measures that a page gives for a name."""
    for passage in reading.passages:
        for value in quantities(passage.text):
            stated = StatedValue(value, nfkc(passage.text), reading, passage.start)
            told = value.unit and _measure_of(stated) in measures
            if told and share_name([name], stated.subject.certain()):
                yield value.value


def _measure_of(stated: StatedValue) -> str | None:
    """What a value measures: its unit tells, or of a length a word beside it."""
    unit = stated.value.unit
    if unit == "kg" or unit.startswith("m/"):
        return "weight" if unit == "kg" else "speed"
    return stated.measure if unit == "m" else None
