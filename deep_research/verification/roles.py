"""Who did what to whom: does a passage have two names of a claim in each other's role?

English marks roles by small words and by order: an owner by "of" or "'s", an agent by "by", a place by "at",
"in" or "on"; where nothing is marked, the one who acts comes first. Roles are compared only where both names
are found in one passage of prose; a pronoun there ("its", "he") stands for the name in the page's title.
Roles that are told by a verb alone ("led" or "followed") are beyond this rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from .wording import Token, names, tokens

_MARKS = {"of": "owner", "by": "agent"} | dict.fromkeys("at in on from to under near".split(), "place")
_PRONOUNS = dict.fromkeys(("its", "his", "her", "their"), "owner") | dict.fromkeys(
    "it he she they".split(), ""
)
_ARTICLES = frozenset(("the", "a", "an"))
_MOST_NAMES = 2
_LISTED = frozenset(("and", "or", "with"))


_LABELLED = re.compile(r"[^.:|]{1,40}: \S|\|[^|]+\|[^|]+\|?$")


class Place(NamedTuple):
    """Where a name stands in a sentence, and the role that a small word beside it marks, if any."""

    at: int
    role: str | None


def roles_differ(claim: str, passages: Iterable[str], title: str) -> bool:
    """Whether any of the passages has two names of the claim in exchanged roles."""
    words = tokens(claim)
    found = names(claim, initial=True)
    pairs = list(_pairs(words, found)) if len(found) <= _MOST_NAMES else []
    topic = {token.term for token in tokens(title)}
    prose = [(tokens(passage), passage) for passage in passages if passage.strip("| ").count("|") < 2]
    return any(_exchanged(words, claim, a, b, *other, topic) for other in prose for a, b in pairs)


def _pairs(words: Sequence[Token], found: Sequence[list[Token]]) -> Iterator[tuple[list[Token], list[Token]]]:
    """Neighbouring names, without the words that both have; names side by side in a list have one role."""
    for a, b in pairwise(found):
        between = [token.word.lower() for token in words if a[-1].start < token.start < b[0].start]
        own_a, own_b = _distinct(a, b), _distinct(b, a)
        if own_a and own_b and not all(word in _LISTED | _ARTICLES for word in between):
            yield own_a, own_b


def _distinct(name: Sequence[Token], other: Sequence[Token]) -> list[Token]:
    terms = {token.term for token in other}
    return [token for token in name if token.term not in terms]


def _exchanged(
    words: Sequence[Token],
    claim: str,
    a: list[Token],
    b: list[Token],
    theirs: Sequence[Token],
    passage: str,
    topic: set[str],
) -> bool:
    there_a, there_b = _found(a, theirs, passage, topic), _found(b, theirs, passage, topic)
    if there_a is None or there_b is None or there_a.at == there_b.at:
        return False
    here_a, here_b = _found(a, words, claim, set()), _found(b, words, claim, set())
    if here_a is None or here_b is None:
        return False
    owners = 0
    for role in ("owner", "agent", "place"):
        ours = [place.role == role for place in (here_a, here_b)]
        others = [place.role == role for place in (there_a, there_b)]
        told = any(ours) != all(ours), any(others) != all(others)
        if all(told):
            return ours != others
        owners += role == "owner" and any(told)
    if owners or {"place"} in ({here_a.role, here_b.role}, {there_a.role, there_b.role}):
        return False  # "the master of X was Y" may become "Y led X"
    return (_rank(here_a) < _rank(here_b)) != (_rank(there_a) < _rank(there_b))


def _rank(place: Place) -> tuple[int, int]:
    """Who acts first: the agent, then whoever is named first; what is marked as a place comes last."""
    return {"agent": 0, "place": 2}.get(place.role or "", 1), place.at


def _found(name: Sequence[Token], words: Sequence[Token], text: str, topic: set[str]) -> Place | None:
    """The place of a name in a sentence, or of what stands there for the name that is the page's topic."""
    places = {token.term: at for at, token in reversed(list(enumerate(words))) if token.capital or not topic}
    if all(token.term in places for token in name):
        first, last = places[name[0].term], places[name[-1].term]
        return Place(last, _mark(words, min(first, last), last, text))
    return _topic(words, text) if topic and all(token.term in topic for token in name) else None


def _topic(words: Sequence[Token], text: str) -> Place | None:
    """The place of the page's topic: a pronoun, an opening "the choir", or the owner of a labelled value."""
    for at, token in enumerate(words):
        if token.word.lower() in _PRONOUNS:
            return Place(at, _PRONOUNS[token.word.lower()] or _mark(words, at, at, text))
    if _LABELLED.match(text):
        return Place(-1, "owner")
    if len(words) > 1 and words[0].word == "The" and not words[1].capital:
        return Place(1, _mark(words, 1, 1, text))
    return None


def _mark(words: Sequence[Token], first: int, last: int, text: str) -> str | None:
    """The role that the word before a name, or the "'s" behind it, gives it."""
    end = words[last].start + len(words[last].word)
    if text[end : end + 2] in ("'s", "’s", "' ", "’ "):
        return "owner"
    before = first - 1
    while before >= 0 and _belongs(words[before]):
        before -= 1
    return _MARKS.get(words[before].word.lower()) if before >= 0 else None


def _belongs(token: Token) -> bool:
    """Whether a word before a name is a part of it or its article."""
    return token.word in _ARTICLES or (token.capital and not token.filler)
