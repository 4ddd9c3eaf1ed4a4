"""Sentences glued from pieces of a page, or cut off: all words are the page's, the sentence is not.

The claim is laid out as the longest runs of words that stand together on the pages. A quote is one run, a
paraphrase has many short ones or few. A splice has long ones from different sentences that meet where neither
sentence has a joint; a torn quote begins or ends where the page's sentence goes on within a phrase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise, takewhile
from typing import NamedTuple

from deep_research.core.forms import QUOTED
from deep_research.text.data import read_data
from deep_research.text.quantities import quantities
from deep_research.text.terms import cjk_count, is_cjk
from deep_research.text.wording import Token, nfkc, word_tokens

from .evidence import MOST_PLACES, SourceReading, Window

_MOSTLY = 0.85  # of a claim's words in runs: less is a paraphrase
_PIECE = 4  # words at least of each of two pieces that are glued
_SUBJECT = 3  # words at most that another name may stand for, and
_LONGEST_SUBJECT = 7  # those of that name
_WORDS = {
    name: frozenset(words.split()) for name, words in read_data(__file__, "joints.toml")["words"].items()
}
_NO_SENTENCE = re.compile(r"(?:…|\.\.\.)\W*$|^[^.:|()]{1,40}: (?=.*\d)(?:\S+ ){0,2}\S+$")
"""What ends before its sentence does, and says so; and a value under its label."""
_QUOTE, _SMALL = 6, 4
"""Words in quotation marks, and of them small ones, that are a quotation, and no name or title."""
_ELLIPSIS = re.compile(r"…|\.\.\.|\[[^\]]*\]")
_WORD = re.compile(r"[^\W_]+")
_NOTE = re.compile(r"\[\s*(?:(?:note|nb)\s)?(?:\d{1,3}|[a-z])\s*\]|(?<=[a-z])-\n(?=[a-z])")
"""The mark of a note, and a line's end within a word: on a page, no part of what is quoted from it."""
_MARK = re.compile(r"[^\w\s'’*_`-]")


class Run(NamedTuple):
    """Words `first` to `last` of a claim, and the text in which they stand, from its word `start` on."""

    first: int
    last: int
    text: str
    words: Sequence[Token]
    start: int

    @property
    def end(self) -> int:
        """The place behind the run's last word in its text."""
        return self.start + self.last - self.first

    def is_joint(self, place: int) -> bool:
        """Whether the text begins or ends at a place, or has a mark or a conjunction there."""
        if place in (0, len(self.words)):
            return True
        before, behind = self.words[place - 1], self.words[place]
        gap = nfkc(self.text)[before.start + len(before.word) : behind.start]
        return _MARK.search(gap) is not None or _is(before if place == self.start else behind, "conjunctions")


def is_spliced(claim: str, sources: Sequence[tuple[SourceReading, Window]]) -> bool:
    """Whether a claim is made of pieces of the pages' sentences that nobody there put together."""
    words = word_tokens(claim)
    runs = _longest_runs(words, sources)
    if not runs or sum(run.last - run.first for run in runs) < _MOSTLY * len(words):
        return False
    if any(_are_glued(one, other, words) for one, other in pairwise(runs)):
        return True
    whole = max(runs, key=lambda run: run.last - run.first)
    is_quote = whole.last - whole.first >= _MOSTLY * len(words) and not is_cjk(words[-1].word)
    ends = whole.last == len(words) and not _NO_SENTENCE.search(claim)
    return is_quote and ((not whole.first and _is_torn(whole)) or (ends and _breaks_off(whole)))


def is_misquoted(claim: str, readings: Sequence[SourceReading]) -> bool:
    """Whether a claim gives in quotation marks, word for word, what no page has; an ellipsis leaves out."""
    texts = [f"{one.title}\n{one.text}" for one in readings]
    told = [_plain_words(text) for text in dict.fromkeys([*texts, *(_NOTE.sub("", text) for text in texts)])]
    # one that ends with its sentence may have lost its closing mark to the next
    said = nfkc(claim) + '"' * (claim.count('"') % 2) + "”" * (claim.count("“") > claim.count("”"))
    for quote in QUOTED.findall(said):
        pieces = [piece for piece in map(_plain_words, _ELLIPSIS.split(quote)) if piece.strip()]
        small = sum(word[0].islower() for word in quote.split() if word[0].isalpha())  # few, in a title
        words = sum(max(len(piece.split()), cjk_count(piece) // 2) for piece in pieces)
        is_quote = words >= _QUOTE and (small >= _SMALL or cjk_count(quote) > 0)
        if is_quote and not any(all(piece in text for piece in pieces) for text in told):
            return True
    return False


def _plain_words(text: str) -> str:
    """The words of a text in small letters, each between blanks; Chinese and Japanese has none."""
    return f" {' '.join(_WORD.findall(nfkc(text).casefold()))} "


def _longest_runs(words: Sequence[Token], sources: Sequence[tuple[SourceReading, Window]]) -> list[Run]:
    """The longest runs of three words or more, from left to right."""
    runs: list[Run] = []
    at = 0
    while at + 2 < len(words):
        found = [run for reading, window in sources for run in _runs_from(words, at, reading, window)]
        runs += sorted(found, key=lambda run: (run.last, run.start == 0))[-1:]
        at = runs[-1].last if found else at + 1
    return runs


def _runs_from(words: Sequence[Token], at: int, reading: SourceReading, window: Window) -> Iterator[Run]:
    three = [word.term for word in words[at : at + 3]]
    rarest = min((reading.places.get(term, ()) for term in three), key=len)
    places = dict.fromkeys([*range(window.first, window.last + 1), *islice(rarest, MOST_PLACES)])
    inside = (reading.passages[place] for place in places)
    for text in (reading.title, *(one.text for one in inside if one.terms.issuperset(three))):
        theirs = word_tokens(text)
        terms = [word.term for word in theirs]
        for start in range(len(terms) - 2):
            if terms[start : start + 3] == three:
                both = zip(words[at:], theirs[start:], strict=False)
                length = sum(1 for _ in takewhile(lambda pair: pair[0].term == pair[1].term, both))
                yield Run(at, at + length, text, theirs, start)


def _are_glued(one: Run, other: Run, claim: Sequence[Token]) -> bool:
    """Whether two runs that follow each other are of different sentences, and no joint is between them.

    Words that both sentences have at the joint count for both; a new subject before a predicate is no splice.
    """
    shortest = min(one.last - one.first, other.last - other.first)
    if one.text == other.text or other.first - one.last > 1 or shortest < _PIECE:
        return False
    while other.start and claim[other.first - 1].term == other.words[other.start - 1].term:
        other = other._replace(first=other.first - 1, start=other.start - 1)
    before = claim[other.first - 1]
    leads_on = _is(before, "leading") and not _is(before, "conjunctions") and not _breaks_off(other)
    is_subject = one.last - one.first <= _LONGEST_SUBJECT and other.start <= _SUBJECT and not leads_on
    if not other.start or is_subject:
        return False
    joins = any(_is(claim[other.first], kind) for kind in ("conjunctions", "prepositions", "subjects"))
    if not (joins or _is(before, "conjunctions") or is_cjk(before.word)):
        marked = claim[other.first].start - before.start - len(before.word) != 1
        return not marked or _is_torn(other)
    return not one.is_joint(one.end) and (not other.is_joint(other.start) or _breaks_off(one))


def _is_torn(run: Run) -> bool:
    """Whether a run begins within a phrase; a predicate alone ("Built in 1911") is a note, not a tear."""
    if run.is_joint(run.start) or _is(run.words[run.start - 1], "subjects"):
        return False
    first, before = run.words[run.start], run.words[run.start - 1]
    may_begin = (first.capital and not before.capital) or _is(first, "openings") or first.word[0].isdigit()
    return not may_begin or _is(before, "leading")


def _breaks_off(run: Run) -> bool:
    """Whether a run ends with a word that leads to another, or its text goes on within a phrase.

    An amount or date that is cut is for the rules on values.
    """
    end = run.end
    while end < len(run.words) and run.words[end].start in _within_values(run.text):
        end += 1
    if end == len(run.words):
        return False
    behind = run.words[end]
    may_end = run.is_joint(end) or _is(behind, "prepositions") or behind.word.endswith("ly")
    return not may_end or _is(run.words[run.end - 1], "leading")


@lru_cache(maxsize=4096)
def _within_values(text: str) -> frozenset[int]:
    """The places in amounts and dates, but for where each begins."""
    return frozenset(place for one in quantities(text) for place in range(one.start + 1, one.end))


def _is(word: Token, kind: str) -> bool:
    return word.word.lower() in _WORDS[kind]
