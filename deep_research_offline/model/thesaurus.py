"""Words of general language that may stand for each other: what a text asks and what it says, by groups.

A group has words that ask and say the same ("height", "tall"), the unit that it is measured in, and the kind
of answer that it asks for; a measure may have words that wish for more or less of it ("cheap").
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any

from .lexicon import LESS, MORE, WEAK, load
from .text import is_cjk, is_stop, stem, terms, words


class _Index:
    """The groups that words (by their stems) and phrases belong to."""

    def __init__(self) -> None:
        self.single: dict[str, set[int]] = {}
        self.phrases: dict[str, set[int]] = {}

    def add(self, told: Iterable[str], group: int) -> None:
        """Put words and phrases into a group."""
        for word in told:
            wide = " " in word or is_cjk(word)
            (self.phrases if wide else self.single).setdefault(word if wide else stem(word), set()).add(group)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """A pattern for the phrases."""
        return pattern_for(self.phrases)

    def by_phrase(self, text: str) -> frozenset[int]:
        """The groups of the phrases of a text."""
        return frozenset().union(*(self.phrases[m[0]] for m in self.pattern.finditer(text.lower())))

    def by_word(self, text: str) -> frozenset[int]:
        """The groups of the single words of a text."""
        return frozenset().union(*(self.single.get(stem(word), ()) for word in words(text)))


class _Thesaurus:
    """Groups by what asks for them, what says them, and what says them where a choice is weighed."""

    def __init__(self) -> None:
        book = load("thesaurus")
        alike = [{"words": line.split(", ")} for line in book["alike"].strip().splitlines()]
        general: list[Mapping[str, Any]] = [*book["group"], *alike]
        self.groups = (*general, *book["measure"])
        self.asked, self.said, self.weighed = _Index(), _Index(), _Index()
        self.measures: dict[str, set[int]] = {}
        measured = {stem(word) for group in general if group.get("unit") for word in group["words"]}
        for number, group in enumerate(general):
            said = [*group["words"], *group.get("say", ())]
            self.asked.add([*group["words"], *group.get("ask", ())], number)
            self.said.add(said, number)
            for word in measured.intersection(map(stem, said)) if group.get("unit") else ():
                self.measures.setdefault(word, set()).add(number)
        self.asks = {stem(word) for group in general for word in group.get("ask", ())}
        self.words = {w for group in general for key in ("ask", "words", "say") for w in group.get(key, ())}
        self.weighable = {word for group in self.groups if "wish" in group for word in group["words"]}
        self.wished = {w: n for n, group in enumerate(self.groups) for w in group.get("wish", ())}
        for number in set(self.wished.values()):
            self.weighed.add([*self.groups[number]["words"], *self.groups[number].get("say", ())], number)
        self.wish_pattern = pattern_for(self.wished)


def pattern_for(phrases: Iterable[str]) -> re.Pattern[str]:
    """A pattern for phrases in small letters: whole words, or Chinese and Japanese anywhere."""
    phrases = list(phrases)
    plain, wide = (_any_of(p for p in phrases if is_cjk(p) == cjk) for cjk in (False, True))
    return re.compile(rf"(?<![\w-])(?:{plain})(?![\w-])|(?=[^\x00-\x7f])(?:{wide})")


def _any_of(phrases: Iterable[str]) -> str:
    """A pattern for the longest of some phrases; by their first letters, so that few are tried anywhere."""
    longest = sorted(phrases, key=lambda p: (p[0], -len(p), p))
    by_first = (
        (one, [re.escape(p[1:]) for p in told]) for one, told in itertools.groupby(longest, itemgetter(0))
    )
    return "|".join(f"{re.escape(one)}(?:{'|'.join(rest)})" for one, rest in by_first) or "(?!)"


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
    single = (book.said.single[one] for one in stems if one in book.said.single)
    return stems, book.said.by_phrase(text).union(*single)


@lru_cache(maxsize=8192)
def asked_by(heading: str) -> frozenset[int]:
    """The groups of the thesaurus that a heading names, as a question does or as a statement."""
    asked = thesaurus().asked
    return said_by(heading)[1] | asked.by_word(heading) | asked.by_phrase(heading)


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
    return thesaurus().weighed.by_phrase(label) or thesaurus().weighed.by_word(label)


def is_measure(name: str) -> bool:
    """Whether something is called so that people weigh in a choice."""
    return name in thesaurus().weighable


@lru_cache(maxsize=4096)
def families_of(groups: frozenset[int]) -> frozenset[str]:
    """The families of units that groups of the thesaurus are measured in."""
    return frozenset(g["unit"] for n in groups if (g := thesaurus().groups[n]).get("unit"))


@lru_cache(maxsize=65536)
def shows(groups: frozenset[int], text: str) -> bool:
    """Whether a text has something written as what groups stand for ("--all" for "option")."""
    return any(re.search(thesaurus().groups[n]["form"], text) for n in written(groups))


def written(groups: frozenset[int]) -> frozenset[int]:
    """The groups whose words stand for what is written in a form of its own."""
    return frozenset(n for n in groups if "form" in thesaurus().groups[n])


def may_name(word: str) -> bool:
    """Whether a word may be part of a name, since it is none of general language."""
    low = word.lower()
    general = is_stop(low) or low in WEAK | MORE | LESS or stem(low) in _general_stems()
    return not general and not re.fullmatch(r"[12]\d{3}", low)


@lru_cache(maxsize=1)
def _general_stems() -> frozenset[str]:
    book = thesaurus()
    return frozenset(book.asked.single.keys() | book.said.single.keys())
