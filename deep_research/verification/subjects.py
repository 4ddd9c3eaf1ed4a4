"""Whose value is it? Whether a passage that has a claim's words gives its value to another thing.

"The Heron lighthouse by the Gull is 28 metres tall" has all words of "the Gull lighthouse is ... tall". What
tells the two apart is the claim's noun with another name. Any other name says nothing about the value: where
the thing stands, who built it, who says so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator

from ..terms import is_cjk
from .quantities import Quantity
from .wording import Token, names, tokens

_BESIDE = re.compile(
    r"\b(?:near|by|beside|behind|opposite|from|with|like|unlike|than|before|after)(?: the)? $", re.IGNORECASE
)
"""What stands before a name that the value is not about: "near the Heron lighthouse, the Gull ..."."""
_MEASURED = re.compile(
    r"(?:[的のはがも是为為约約達达于於在、,: ]|[全总水]?[高长長宽深][度さ]?|全幅|直[径徑]|[时時]?速[度さ]?)+$"
)
"""What may stand between a thing and its value in Chinese and Japanese."""
_NEAR = 16
_NOT_OF_A_NAME = frozenset("该該这這此本同当其座的のはがもをにと是为為在于於")


def other_subject(claim: str, value: Quantity, passage: str, rival: Quantity) -> bool:
    """Whether the passage gives its value, the rival, to something else than the claim gives its own to."""
    ours, theirs = (unicodedata.normalize("NFKC", text) for text in (claim, passage))
    thing = _up_to_thing(ours[: value.start])
    if is_cjk(thing[-1:]):
        return _other_before(thing, _up_to_thing(theirs[: rival.start]))
    return _other_name(ours, theirs, rival.start)


def _other_name(claim: str, passage: str, end: int) -> bool:
    """Whether before `end` a noun that the claim has with a name stands with another name.

    The claim's own name may also stand behind the value only: "The Heron is 28 m tall and close to the Gull".
    """
    known = {token.term for token in tokens(claim)}
    kinds = {kind for _, kind in _named(claim, names(claim, initial=True))}
    runs = names(passage, initial=True)
    before = [run for run in runs if run[0].start < end]
    for name, kind in _named(passage, before):
        if kind in kinds and known.isdisjoint(name):
            return True
    own = [run[0].start for run in runs if not known.isdisjoint(token.term for token in run)]
    return bool(before) and bool(own) and min(own) >= end


def _named(text: str, runs: Collection[list[Token]]) -> Iterator[tuple[set[str], tuple[str, str]]]:
    """The names with the noun beside each, and on which side: "the Gull lighthouse", "the ship Gull"."""
    words = tokens(text)
    places = {token.start: place for place, token in enumerate(words)}
    for run in runs:
        if _BESIDE.search(text, max(run[0].start - 14, 0), run[0].start):
            continue
        terms = [token.term for token in run]
        if len(run) > 1:
            yield set(terms[:-1]), ("behind", terms[-1])
        first, last = places[run[0].start], places[run[-1].start]
        for side, place in (("before", first - 1), ("behind", last + 1)):
            if 0 <= place < len(words) and _beside(text, words, min(place, last), max(place, first)):
                yield set(terms), (side, words[place].term)


def _beside(text: str, words: tuple[Token, ...], left: int, right: int) -> bool:
    """Whether nothing but a blank stands between two words, and neither is a filler."""
    one, other = words[left], words[right]
    return text[one.start + len(one.word) : other.start] == " " and not (one.filler or other.filler)


def _up_to_thing(before: str) -> str:
    """What stands before a value, without the words for what is measured."""
    return before[:-_NEAR] + _MEASURED.sub("", before[-_NEAR:])


def _other_before(thing: str, passage: str) -> bool:
    """Whether the claim's noun stands last in the passage with another name: 苍鹭灯塔, not 海鸥灯塔.

    Names are not marked in these languages: both texts are read backwards to where they differ.
    """
    end = len(passage) if passage[-1:] == thing[-1:] else passage.rfind(thing[-2:]) + len(thing[-2:])
    if end < len(thing[-2:]):
        return False
    for ours, theirs in zip(reversed(thing), reversed(passage[:end]), strict=False):
        if ours != theirs:
            return all(is_cjk(one) and one not in _NOT_OF_A_NAME for one in (ours, theirs))
    return False
