"""Who did what to whom: does a passage have two names of a claim in each other's role?

English marks roles by small words and by order: an owner by "of" or "'s", an agent by "by", a place by "at",
"in" or "on". Who acts is whoever "by" names; else whoever comes first, unmarked, before a verb that is no
form of "to be": so "Y wrote X" and "X is signed by Y" agree, and "X wrote Y" does not. Roles are compared
only where both names are found in one passage of prose; a pronoun ("its", "he"), a label or a noun ("of the
choir") stands there for the name in the page's title. Roles told by a verb alone ("led" or "followed"), and
by the order of cells in a table, are beyond this rule.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from .wording import Token, names, tokens

_MARKS = (
    {"of": "owner", "by": "agent"}
    | dict.fromkeys("at in on from to under near".split(), "place")
    | dict.fromkeys("with for as into over through than about against across".split(), "other")
)
_PRONOUNS = dict.fromkeys(("its", "his", "her", "their"), "owner") | dict.fromkeys(
    "it he she they".split(), ""
)
_ARTICLES = frozenset(("the", "a", "an"))
_MOST_NAMES = 2
_LISTED = frozenset(("and", "or", "with"))
BEING = frozenset("is was are were be been being".split())
_LABELLED = re.compile(r"[^.:|]{1,40}: \S|\|[^|]+\|[^|]+\|?$")


class Place(NamedTuple):
    """Where a name stands in a sentence, and the role that a small word beside it marks, if any."""

    at: int
    role: str | None


class Pair(NamedTuple):
    """The places of two names in one sentence, and the sentence's words."""

    a: Place
    b: Place
    words: Sequence[Token]

    def marked(self, role: str) -> int | None:
        """Which of the two alone has the role, 0 or 1."""
        has = [place.role == role for place in (self.a, self.b)]
        return has.index(True) if sum(has) == 1 else None

    def actor(self) -> int | None:
        """Which of the two acts, where that is told."""
        if (by := self.marked("agent")) is not None:
            return by
        first, second = sorted((self.a, self.b), key=lambda place: place.at)
        between = self.words[max(first.at, 0) : second.at]
        if first.role or any(token.word.lower() in BEING for token in between):
            return None
        return 0 if first == self.a else 1

    def foremost(self) -> int | None:
        """Which comes first, a place last; None where an owner, or two places, let order say nothing."""
        roles = {self.a.role, self.b.role}
        if roles == {"place"} or ("owner" in roles and len(roles) > 1):
            return None  # "the master of X was Y" may become "Y led X"
        return 0 if _rank(self.a) < _rank(self.b) else 1


def roles_differ(claim: str, passages: Iterable[str], title: str) -> bool:
    """Whether any of the passages has two names of the claim in exchanged roles."""
    claim = unicodedata.normalize("NFKC", claim)  # the offsets of its words are those of this form
    words = tokens(claim)
    found = _joined(names(claim, initial=True), words)
    pairs = list(_pairs(words, found)) if len(found) <= _MOST_NAMES else []
    topic = frozenset(token.term for token in tokens(title))
    plain = (unicodedata.normalize("NFKC", passage) for passage in passages)
    prose = [passage for passage in plain if passage.strip("| ").count("|") < 2]
    return any(_exchanged(claim, passage, a, b, topic) for passage in prose for a, b in pairs)


def _joined(found: Sequence[list[Token]], words: Sequence[Token]) -> list[list[Token]]:
    """The names, those that "of" links taken as one: "Bank of England"."""
    joined: list[list[Token]] = []
    for name in found:
        before = words.index(name[0]) - 1
        if joined and before >= 1 and words[before].word == "of" and words[before - 1] == joined[-1][-1]:
            joined[-1] += name
        else:
            joined.append(list(name))
    return joined


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


def _exchanged(claim: str, passage: str, a: list[Token], b: list[Token], topic: frozenset[str]) -> bool:
    """Whether two names have each other's role: by the first of marks, actors and order that tells."""
    here, there = _pair(a, b, claim, frozenset()), _pair(a, b, passage, topic)
    if here is None or there is None:
        return False
    told = [(here.marked(role), there.marked(role)) for role in ("owner", "agent", "place")]
    told += [(here.actor(), there.actor()), (here.foremost(), there.foremost())]
    first = next((both for both in told if None not in both), None)
    return first is not None and first[0] != first[1]


def _rank(place: Place) -> tuple[int, int]:
    return {"agent": 0, "place": 2}.get(place.role or "", 1), place.at


def _pair(a: list[Token], b: list[Token], text: str, topic: frozenset[str]) -> Pair | None:
    words = tokens(text)
    first, second = _found(a, words, text, topic), _found(b, words, text, topic)
    return Pair(first, second, words) if first and second and first.at != second.at else None


def _found(name: Sequence[Token], words: Sequence[Token], text: str, topic: frozenset[str]) -> Place | None:
    """The place of a name in a sentence, or of what stands there for the name that is the page's topic."""
    places = {token.term: at for at, token in reversed(list(enumerate(words))) if token.capital or not topic}
    if all(token.term in places for token in name):
        first, last = places[name[0].term], places[name[-1].term]
        return Place(last, _mark(words, min(first, last), last, text))
    return _topic(words, text) if topic and all(token.term in topic for token in name) else None


def _topic(words: Sequence[Token], text: str) -> Place | None:
    """The place of the page's topic: a pronoun, a label's owner, "of the choir", an opening "The choir"."""
    for at, token in enumerate(words):
        if token.word.lower() in _PRONOUNS:
            return Place(at, _PRONOUNS[token.word.lower()] or _mark(words, at, at, text))
    if _LABELLED.match(text):
        return Place(-1, "owner")
    for at, (before, article, noun) in enumerate(zip(words, words[1:], words[2:], strict=False), 2):
        if before.word == "of" and article.word == "the" and not noun.capital:
            return Place(at, "owner")
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
