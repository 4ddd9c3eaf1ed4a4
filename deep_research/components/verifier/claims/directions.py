"""Which way a sentence says that things go, and whether passages on the same matter say so, too.

A passage that contradicts a claim shares its words; what differs is the direction: a risk is higher or
lower, a treatment helps or does not. Each word of the first pair in `opposites.toml`, and each denial, gives
its side to the words near it, most to the nearest. A claim and a passage agree as far as they give the same
words the same side. A claim that gives no direction has nothing to agree on; one that does is confirmed less
by passages that say nothing on it than by those that agree.

The other pairs ("longest", "shortest") are only compared word by word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from deep_research.text.data import read_data
from deep_research.text.wording import NEGATION, Token, nfkc, terms_in, word_tokens

from .evidence import SourcePassage, WantedTerms

_NEAR = 5
"""Words between an opposite and what both sentences speak of, at most."""
_REACH = 6
"""Words that a direction reaches on either side."""
_FADE = 0.5  # what each of these leaves of it
_BEHIND = 0.6  # the part that it gives to words before it: "raises the risk" says more than "the risk rises"
_TURNED = 2  # words behind a denial in which it turns a direction round
_DOUBT = 0.01  # of a claim's directions: agreement on less says little
_SIDES = [tuple(side.split() for side in pair) for pair in read_data(__file__, "opposites.toml")["pairs"]]
_WORDS = {
    word: (n, 1 - 2 * side)
    for n, pair in enumerate(_SIDES)
    for side, words in enumerate(pair)
    for word in words
}
_STEMS = tuple((word[:-1], place) for word, place in _WORDS.items() if word.endswith("-"))


@lru_cache(maxsize=16384)
def _side(word: str) -> tuple[int, int] | None:
    """The pair of opposites that a word belongs to, and its side: 1 or -1."""
    return _WORDS.get(word) or next((place for stem, place in _STEMS if word.startswith(stem)), None)


def agreement(claim: str, found: Iterable[tuple[WantedTerms, Sequence[SourcePassage]]]) -> float | None:
    """How far the passages about a claim give its words the directions that it gives them: from -1 to 1.

    None for a claim that gives no direction. A passage counts by its share of the claim.
    """
    ours = _directions(claim)
    same = other = told = 0.0
    for wanted, passages in found:
        weights = {term: way * wanted.weights.get(term, 1.0) for term, way in ours.items()}
        told += sum(map(abs, weights.values()))
        for passage in passages:
            theirs, part = _directions(passage.text), wanted.share([passage.terms]) ** 2
            said = [way * theirs.get(term, 0.0) * part for term, way in weights.items()]
            same, other = (
                same + sum(one for one in said if one > 0),
                other - sum(one for one in said if one < 0),
            )
    return (same - other) / (same + other + _DOUBT * told) if told else None


@lru_cache(maxsize=16384)
def _directions(text: str) -> Mapping[str, float]:
    """The direction that a text gives to each of its terms, the clearest of several; negative for less."""
    denials = {match.start() for match in NEGATION.finditer(nfkc(text))}
    words, ways = list[Token](), list[int]()
    for token in word_tokens(text):
        denies = token.start in denials
        pair, way = _side(token.word.lower()) or (0, 0)
        way = -1 if denies else 0 if pair else way
        if way or not token.filler:
            turned = not denies and any(word.start in denials for word in words[-_TURNED:])
            words.append(token)
            ways.append(-way if turned else way)
    found: dict[str, float] = {}
    for at, token in enumerate(words):
        for off in range(1, _REACH + 1) if not ways[at] else ():
            before, behind = ways[max(at - off, 0)], ways[min(at + off, len(ways) - 1)]
            if before or behind:
                given = (before + _BEHIND * behind) * _FADE ** (off - 1)
                found[token.term] = max(found.get(token.term, 0.0), given, key=abs)
                break
    return found


def degree_differs(claim: str, passage: str, clearly: bool = False) -> bool:
    """Whether the claim says "more" where a passage says "less" of the same thing.

    Only words that the other side lacks count, and in the passage only those near a word of the claim. Two on
    one side that contradict each other say nothing. It differs `clearly` by other words than the first pair,
    of which one passage often has both sides.
    """
    known, said = terms_in(claim), terms_in(passage)
    words = word_tokens(passage)
    shared = [place for place, token in enumerate(words) if token.term in known and not token.filler]
    near = {at for place in shared for at in range(place - _NEAR, place + _NEAR + 1)}
    ours = _sides(token for token in word_tokens(claim) if token.term not in said)
    theirs = _sides(token for at, token in enumerate(words) if at in near and token.term not in known)
    return any(
        len(sides) == 1 and theirs.get(pair) == {-side for side in sides}
        for pair, sides in ours.items()
        if pair or not clearly
    )


def _sides(words: Iterable[Token]) -> dict[int, set[int]]:
    """The pairs of opposites that words belong to, with the sides that they are on."""
    found: dict[int, set[int]] = {}
    for token in words:
        if place := _side(token.word.lower()):
            found.setdefault(place[0], set()).add(place[1])
    return found
