"""Finding where a source speaks about a claim: the window of one to three sentences that says most of it.

A source is read once into passages (sentences, list items, table rows), each with the context that a reader
has in mind there: the page's title, the section's heading, the table's header. Of these the ones with the
claim's rarest words are looked at. A word weighs more the rarer it is in the source; one that the source
lacks weighs most.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, groupby, islice

from deep_research.text.cited_sentences import LONGEST_SENTENCE, RULE, sentence_spans, text_blocks
from deep_research.text.quantities import DateIndex, months_alone, quantities
from deep_research.text.terms import cjk_count, is_cjk
from deep_research.text.wording import content_words, terms_in

WIDEST = 3
WIDTH_COST = 0.02
MOST_PLACES = 120
"""Passages that are looked at for one claim: with words that are everywhere more would tell no more."""
BEGINNING = 5
RELATED_SHARE = 0.7
PRONOUN = re.compile(r"\W*(?:its?|they|their|this|these|s?he|his|her)\b", re.IGNORECASE)
"""What opens a sentence about what was spoken of before."""
ANAPHOR = re.compile(r"\b(?:its?|they|them|their|s?he|his|him|her)\b", re.IGNORECASE)
POINTS_BACK = re.compile(r"\b(?:[Ii]ts?|[Tt]hey|[Tt]heir|[Tt]h(?:is|ese)|s?he|his|her)\b|\b[Tt]he [a-z]")
_ONLY_LINKS = re.compile(r"(?:\W{0,9}!?\[[^\[\]\n]*\]\((?:[^()\s]|\([^()\s]*\))*\))+\W{0,9}")
"""The entries of "See also" and of menus: names beside each other, which state nothing."""
_RUN_IN = re.compile(r"\W{0,9}?(\*{2,3})([^*\n]{2,60})\1(?=\s*\S)")
"""A heading at the beginning of a paragraph: "**Income.** 66,000 florins." """


@dataclass(frozen=True, slots=True)
class SourcePassage:
    """A sentence, list item or table row of a source, with the terms of its context."""

    start: int
    end: int
    text: str
    terms: frozenset[str]
    context: frozenset[str]  # the terms of the title and of `setting`
    setting: str  # the section's heading and the table's header
    label: frozenset[str] = frozenset()  # the terms of a row's first cell, or of a heading in the paragraph


@dataclass(frozen=True)
class SourceReading:
    """A source, read: its passages in order."""

    text: str
    title: str
    passages: tuple[SourcePassage, ...]
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
    def labelled(self) -> Mapping[str, Sequence[SourcePassage]]:
        """The passages with a label, by its rarest term."""
        found: dict[str, list[SourcePassage]] = {}
        for passage in self.passages:
            if passage.label:
                rarest = min(passage.label, key=lambda term: (len(self.places.get(term, ())), term))
                found.setdefault(rarest, []).append(passage)
        return found

    @cached_property
    def dates(self) -> DateIndex:
        """All dates of the source, the date of its publication included."""
        texts = [passage.text for passage in self.passages]
        inside = (value for text in texts for value in (*quantities(text), *months_alone(text)))
        return DateIndex((*quantities(self.title), *quantities(self.published), *inside))

    @cached_property
    def sections(self) -> Mapping[str, Sequence[range]]:
        """The passages under a heading or table header with a term, as runs; the title is over all."""
        found: dict[str, list[range]] = {}
        first = 0
        for _, run in groupby(self.passages, key=lambda passage: id(passage.context)):
            last = first + sum(1 for _ in run)
            for term in self.passages[first].context - terms_in(self.title):
                found.setdefault(term, []).append(range(first, last))
            first = last
        return found

    def around(self, term: str) -> Iterator[int]:
        """The passages that have a term in themselves or over them."""
        return chain(self.places.get(term, ()), chain.from_iterable(self.sections.get(term, ())))

    @cached_property
    def is_cjk(self) -> bool:
        """Whether it is written in Chinese or Japanese, names and figures in Latin letters aside."""
        return cjk_count(self.text) * 8 > len(self.text)

    @cached_property
    def relatives(self) -> Mapping[str, str]:
        """For each beginning of a word the first term that has it: "construct" for "construction"."""
        found: dict[str, str] = {}
        for term in self.places:
            if len(term) >= BEGINNING and not is_cjk(term):
                found.setdefault(term[:BEGINNING], term)
        return found


class WantedTerms:
    """The terms of a claim as one source has them, with their weights.

    A term that the source lacks counts in part where the source has a word with the same beginning.
    """

    def __init__(self, terms: Sequence[str], reading: SourceReading) -> None:
        self.reading = reading
        self.weights: dict[str, float] = {}
        total, title = [], terms_in(reading.title)
        for term in terms:
            found, part = term, 1.0
            if term not in reading.places and term not in title:
                found = reading.relatives.get(term[:BEGINNING], term)
                part = 1.0 if found == term else RELATED_SHARE
            count = len(reading.places.get(found, ()))
            weight = math.log(1 + (len(reading.passages) + 1) / (count + 0.5))
            self.weights[found] = self.weights.get(found, 0.0) + part * weight
            total.append(weight)
        self.total = math.fsum(total)

    def share(self, held: Container[str]) -> float:
        """The share of the claim's weight that these terms hold, from 0 to 1."""
        return math.fsum(weight for term, weight in self.weights.items() if term in held) / self.total

    def terms_at(self, place: int) -> frozenset[str]:
        """The terms of the claim that a passage has in itself or over it."""
        passage = self.reading.passages[place]
        return frozenset(term for term in self.weights if term in passage.terms or term in passage.context)

    @cached_property
    def places(self) -> list[int]:
        """The passages with a term in them or over them; if there are many, those with the rarest ones."""
        found = dict[int, None]()
        for term in sorted(self.weights, key=lambda term: len(self.reading.places.get(term, ()))):
            found.update(dict.fromkeys(islice(self.reading.around(term), MOST_PLACES - len(found))))
        return sorted(found)


@dataclass(frozen=True, slots=True)
class Window:
    """Passages `first` to `last` of a source and the share of the claim's weight that they hold."""

    first: int
    last: int
    share: float


@lru_cache(maxsize=256)
def read_source(text: str, title: str = "", published: str = "") -> SourceReading:
    """Read a source; cached, since a report's claims cite the same few sources."""
    return SourceReading(text, title, tuple(_passages(text, terms_in(title))), published)


def _passages(text: str, title: frozenset[str]) -> Iterator[SourcePassage]:
    heading = header = previous = setting = ""
    context = title
    for block in text_blocks(text):
        is_row = block.kind == "row"
        spans = [(block.start, block.end)] if is_row else sentence_spans(text, block.start, block.end)
        header = "" if not is_row else previous if RULE.fullmatch(text, block.start, block.end) else header
        if (now := f"{heading} {header}".strip()) != setting:
            setting, context = now, title | terms_in(now)
        cells = text[block.start : block.end].strip("| ").split("|") if is_row else []
        run_in = None if is_row else _RUN_IN.match(text, block.start, block.end)
        label = (
            frozenset(terms_of(run_in[2])) if run_in else frozenset(terms_of(cells[0]) if cells[1:] else ())
        )
        here = (context | label, f"{setting} {run_in[2]}") if run_in else (context, setting)
        for start, end in spans:
            sentence = text[start:end]
            if (terms := terms_in(sentence)) and not _ONLY_LINKS.fullmatch(sentence):
                yield SourcePassage(start, end, sentence, terms, *here, label)
        previous = text[block.start : block.end] if is_row else ""
        if block.kind == "heading":
            heading = text[block.start : min(block.end, block.start + LONGEST_SENTENCE)]


def terms_of(claim: str) -> list[str]:
    """The distinct content terms of a claim in order."""
    return list(dict.fromkeys(token.term for token in content_words(claim)))


def passages_with(wanted: WantedTerms, least: float) -> list[int]:
    """The passages with a term of the claim that, with their context, hold this share of its weight."""
    return [place for place in wanted.places if wanted.share(wanted.terms_at(place)) >= least]


def best_window(wanted: WantedTerms) -> Window | None:
    """The window that holds most of the claim, the first of equals; None without a hit.

    A wider window must hold noticeably more, so that a quote is no longer than it needs to be.
    """
    starts = {first for place in wanted.places for first in range(max(place - WIDEST + 1, 0), place + 1)}
    windows = (window for first in sorted(starts) for window in _windows(wanted, first))
    return max(
        windows, key=lambda one: round(one.share - WIDTH_COST * (one.last - one.first), 9), default=None
    )


def _windows(wanted: WantedTerms, first: int) -> Iterator[Window]:
    """The windows that begin and end with a passage with a term of the claim."""
    held = frozenset[str]()
    for last in range(first, min(first + WIDEST, len(wanted.reading.passages))):
        if not wanted.weights.keys().isdisjoint(wanted.reading.passages[last].terms):
            held |= wanted.terms_at(last)
            yield Window(first, last, wanted.share(held))
        elif last == first:
            return
