"""Finding where a source speaks about a claim: the window of one to three sentences that says most of it.

A source is read once into passages (sentences, list items, table rows), each with the context that a reader
has in mind there: the page's title, the section's heading, the table's header. An index from terms to
passages makes a look-up cost only as many steps as the claim's words occur, so long pages stay linear. A
word weighs more the rarer it is in the source; a word that the source lacks weighs most.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ..terms import is_cjk
from .quantities import Quantity, quantities
from .sentences import RULE, blocks, sentence_spans
from .wording import content, tokens

WIDEST = 3
WIDTH_COST = 0.02
BEGINNING = 5
RELATED = 0.7


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence, list item or table row of a source, with the terms of its context."""

    start: int
    end: int
    text: str
    terms: frozenset[str]
    context: frozenset[str]  # the terms of the title and of `setting`
    setting: str  # the section's heading and the table's header


@dataclass(frozen=True)
class Reading:
    """A source, read: its passages in order."""

    text: str
    title: str
    passages: tuple[Passage, ...]
    published: str

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """The passages in which each term occurs."""
        found: dict[str, list[int]] = {}
        for number, passage in enumerate(self.passages):
            for term in sorted(passage.terms):
                found.setdefault(term, []).append(number)
        return found

    @cached_property
    def values(self) -> tuple[Quantity, ...]:
        """All numbers and dates of the source, the date of its publication included."""
        inside = (value for passage in self.passages for value in quantities(passage.text))
        return (*quantities(self.title), *quantities(self.published), *inside)

    @cached_property
    def relatives(self) -> Mapping[str, str]:
        """For each beginning of a word the first term that has it: "construct" for "construction"."""
        found: dict[str, str] = {}
        for term in self.places:
            if len(term) >= BEGINNING and not is_cjk(term):
                found.setdefault(term[:BEGINNING], term)
        return found


class Wanted:
    """The terms of a claim as one source has them, with their weights.

    A term that the source lacks counts in part where the source has a word with the same beginning.
    """

    def __init__(self, terms: Sequence[str], reading: Reading) -> None:
        self.weights: dict[str, float] = {}
        total = []
        title = _terms(reading.title)
        for term in terms:
            found, part = term, 1.0
            if term not in reading.places and term not in title:
                found = reading.relatives.get(term[:BEGINNING], term)
                part = 1.0 if found == term else RELATED
            count = len(reading.places.get(found, ()))
            weight = math.log(1 + (len(reading.passages) + 1) / (count + 0.5))
            self.weights[found] = self.weights.get(found, 0.0) + part * weight
            total.append(weight)
        self.total = math.fsum(total)

    def share(self, held: Iterable[frozenset[str]]) -> float:
        """The share of the claim's weight that these sets of terms hold together, from 0 to 1."""
        sets = list(held)
        found = [weight for term, weight in self.weights.items() if any(term in terms for terms in sets)]
        return math.fsum(found) / self.total


@dataclass(frozen=True, slots=True)
class Window:
    """Passages `first` to `last` of a source and the share of the claim's weight that they hold."""

    first: int
    last: int
    share: float


@lru_cache(maxsize=256)
def read(text: str, title: str = "", published: str = "") -> Reading:
    """Read a source; cached, since a report's claims cite the same few sources."""
    return Reading(text, title, tuple(_passages(text, _terms(title))), published)


def _passages(text: str, title: frozenset[str]) -> Iterator[Passage]:
    heading = header = previous = ""
    for block in blocks(text):
        is_row = block.kind == "row"
        spans = [(block.start, block.end)] if is_row else sentence_spans(text, block.start, block.end)
        header = "" if not is_row else previous if RULE.fullmatch(text, block.start, block.end) else header
        setting = f"{heading} {header}".strip()
        context = title | _terms(setting)
        for start, end in spans:
            sentence = text[start:end]
            if terms := _terms(sentence):
                yield Passage(start, end, sentence, terms, context, setting)
        previous = text[block.start : block.end] if is_row else ""
        heading = text[block.start : block.end] if block.kind == "heading" else heading


@lru_cache(maxsize=4096)
def _terms(text: str) -> frozenset[str]:
    return frozenset(token.term for token in tokens(text))


def terms_of(claim: str) -> list[str]:
    """The distinct content terms of a claim in order."""
    return list(dict.fromkeys(token.term for token in content(claim)))


def best_window(reading: Reading, wanted: Wanted) -> Window | None:
    """The window that holds most of the claim, the first of equals; None without a hit.

    A wider window must hold noticeably more, so that a quote is no longer than it needs to be.
    """
    hits = sorted({place for term in wanted.weights for place in reading.places.get(term, ())})
    inside = frozenset(hits)
    best, most = None, -1.0
    for first in hits:
        held: list[frozenset[str]] = []
        for width, last in enumerate(range(first, min(first + WIDEST, len(reading.passages)))):
            if last not in inside:
                continue
            held += [reading.passages[last].terms, reading.passages[last].context]
            share = wanted.share(held)
            if share - WIDTH_COST * width > most + 1e-9:
                best, most = Window(first, last, share), share - WIDTH_COST * width
    return best
