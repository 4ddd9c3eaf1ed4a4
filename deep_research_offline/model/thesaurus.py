"""Words of general language that may stand for each other: what a text asks and what it says, by groups.

A group has words that ask and say the same ("height", "tall"), the unit that it is measured in, and the kind
of answer that it asks for; a measure may have words that wish for more or less of it ("cheap").
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from functools import lru_cache
from operator import itemgetter

from .lexicon import LESS, MORE, WEAK, measure_groups, thesaurus_groups
from .text import is_cjk, is_stop, stem, terms, words


class _Thesaurus:
    """Groups by single word (stem) and by phrase."""

    def __init__(self) -> None:
        self.asked: dict[str, set[int]] = {}
        self.asks: set[str] = set()
        self.said: dict[str, set[int]] = {}
        self.measures: dict[str, set[int]] = {}
        phrases: dict[str, set[int]] = {}
        told: dict[str, set[int]] = {}
        weighed: dict[str, set[int]] = {}
        self.groups = thesaurus_groups()
        nouns = {stem(word) for group in self.groups if group.get("unit") for word in group["words"]}
        for number, group in enumerate(self.groups):
            both = group["words"]
            for word in [*both, *group.get("ask", ())]:
                self._add(word, number, self.asked, phrases)
            self.asks |= {stem(w) for w in group.get("ask", ())}
            for word in [*both, *group.get("say", ())] if group.get("unit") else ():
                self.measures.setdefault(stem(word), set()).add(number)
            for word in [*both, *group.get("say", ())]:
                self._add(word, number, self.said, told)
        self.measures = {word: groups for word, groups in self.measures.items() if word in nouns}
        self.asked_phrases, self.said_phrases = phrases, told
        self.asked_pattern, self.said_pattern = _pattern(phrases), _pattern(told)
        self.groups += measure_groups()
        self.weighable = {word for group in self.groups if "wish" in group for word in group["words"]}
        self.wished = {w: n for n, group in enumerate(self.groups) for w in group.get("wish", ())}
        self.weighed: dict[str, set[int]] = {}
        for number in set(self.wished.values()):
            for word in (*self.groups[number]["words"], *self.groups[number].get("say", ())):
                self._add(word, number, self.weighed, weighed)
        self.wish_pattern, self.weighed_phrases = _pattern(self.wished), weighed
        self.weighed_pattern = _pattern(weighed)

    @staticmethod
    def _add(word: str, number: int, single: dict[str, set[int]], phrases: dict[str, set[int]]) -> None:
        if " " in word or is_cjk(word):
            phrases.setdefault(word, set()).add(number)
        else:
            single.setdefault(stem(word), set()).add(number)


def _pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    plain, wide = (_any_of(p for p in phrases if is_cjk(p) == cjk) for cjk in (False, True))
    return re.compile(rf"(?<![\w-])(?:{plain})(?![\w-])|(?=[^\x00-\x7f])(?:{wide})")


def _any_of(phrases: Iterable[str]) -> str:
    """A pattern for the longest of some phrases; by their first letters, so that few are tried anywhere."""
    longest = sorted(phrases, key=lambda p: (p[0], -len(p), p))
    by_first = (
        (one, [re.escape(p[1:]) for p in told]) for one, told in itertools.groupby(longest, itemgetter(0))
    )
    return "|".join(f"{re.escape(one)}(?:{'|'.join(rest)})" for one, rest in by_first)


@lru_cache(maxsize=1)
def thesaurus() -> _Thesaurus:
    """The thesaurus, read once."""
    return _Thesaurus()


@lru_cache(maxsize=65536)
def said_by(text: str) -> tuple[frozenset[str], frozenset[int]]:
    """What a text says: stems, and groups of the thesaurus."""
    book = thesaurus()
    own = (word if is_cjk(word) else (stem(word),) for word in words(text))
    stems = frozenset(itertools.chain(terms(text), *own)) - {""}
    single = (book.said[one] for one in stems if one in book.said)
    phrases = (book.said_phrases[match[0]] for match in book.said_pattern.finditer(text.lower()))
    return stems, frozenset[int]().union(*single, *phrases)


@lru_cache(maxsize=8192)
def asked_by(heading: str) -> frozenset[int]:
    """The groups of the thesaurus that a heading names, as a question does or as a statement."""
    book = thesaurus()
    single = (book.asked.get(stem(w), set()) for w in words(heading))
    phrases = (book.asked_phrases[m.group(0)] for m in book.asked_pattern.finditer(heading.lower()))
    return said_by(heading)[1].union(*single, *phrases)


def group_of(kind: str) -> frozenset[int]:
    """The groups that a kind of answer is known by."""
    return frozenset(n for n, g in enumerate(thesaurus().groups) if g.get("kind") == kind)


@lru_cache(maxsize=65536)
def measures_in(text: str) -> frozenset[int]:
    """The groups of measures that a text names by a noun of their own ("elevation", not "high")."""
    return frozenset().union(*(thesaurus().measures.get(stem(w), ()) for w in words(text)))


@lru_cache(maxsize=4096)
def measure_in(label: str) -> frozenset[int]:
    """The groups of what people weigh that a label names: by a phrase, if it has one ("running cost"), else
    by its words."""
    book, low = thesaurus(), label.lower()
    phrases = [book.weighed_phrases[m[0]] for m in book.weighed_pattern.finditer(low)]
    single = [book.weighed.get(stem(word), set()) for word in words(label)]
    return frozenset[int]().union(*(phrases or single))


def is_measure(name: str) -> bool:
    """Whether something is called so that people weigh in a choice."""
    return name in thesaurus().weighable


@lru_cache(maxsize=4096)
def families_of(groups: frozenset[int]) -> frozenset[str]:
    """The families of units that groups of the thesaurus are measured in."""
    return frozenset(g["unit"] for n in groups if (g := thesaurus().groups[n]).get("unit"))


def may_name(word: str) -> bool:
    """Whether a word may be part of a name, since it is none of general language."""
    low = word.lower()
    general = is_stop(low) or low in WEAK | MORE | LESS or stem(low) in _general_stems()
    return not general and not re.fullmatch(r"[12]\d{3}", low)


@lru_cache(maxsize=1)
def _general_stems() -> frozenset[str]:
    book = thesaurus()
    return frozenset(book.asked.keys() | book.said.keys())
