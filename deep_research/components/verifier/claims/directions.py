"""Which way a sentence says that things go, and whether passages on the same matter say so, too.

A passage that contradicts a claim shares its words; what differs is the direction: a risk is higher or
lower, a treatment helps or does not. Each word of `directions` in `opposites.toml`, and each denial, gives
its side to the words near it, most to the nearest. A claim and a passage agree as far as they give the same
words the same side.

Words of other groups ("longest", "shortest") contradict each other where they stand in the same place, and so
do a word and the same with a prefix or end that denies it ("related", "unrelated"; "harmful", "harmless").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile

from deep_research.text.data import read_data
from deep_research.text.terms import is_cjk
from deep_research.text.wording import NEGATION, Token, nfkc, stem, word_tokens

from .evidence import SourcePassage, WantedTerms

_REACH = 6
"""Words that a direction reaches on either side."""
_FADE = 0.5  # what each of these leaves of it
_BEHIND = 0.6  # the part that it gives to words before it: "raises the risk" says more than "the risk rises"
_TURNED = 2  # words behind a denial in which it turns a direction round
_DOUBT = 0.01  # of a claim's directions: agreement on less says little
_SHORTEST = 4
"""Letters at least of a stem that a prefix denies: "active", not the "come" of "income"."""
_DENIED = 14
"""Characters before a word in which a denial is of this word."""
_DATA = read_data(__file__, "opposites.toml")
_WAYS = {word: 1 - 2 * side for side, words in enumerate(_DATA["directions"]) for word in words.split()}
_STEMS = tuple((word[:-1], way) for word, way in _WAYS.items() if word.endswith("-"))
_GROUPS = ["|".join(_DATA["directions"]), *re.split(r"[;\n]", f"{_DATA['groups']}\n{_DATA['cjk']}")]
_OPPOSITES = [
    (word if word.endswith("-") else stem(word), group, side)
    for group, sides in enumerate(_GROUPS)
    for side, words in enumerate(sides.split("|"))
    for word in words.split()
]
_NON = re.compile(r"\bnon-(?=\w)", re.IGNORECASE)
_PREFIXES = frozenset(_DATA["prefixes"].split())
_DEGREES = frozenset(_DATA["degrees"].split())


@lru_cache(maxsize=16384)
def _way(word: str) -> int:
    """The direction that a word gives: 1 or -1, 0 for none."""
    return _WAYS.get(word) or next((way for known, way in _STEMS if word.startswith(known)), 0)


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
            theirs, part = _directions(passage.text), wanted.share(passage.terms) ** 2
            said = [way * theirs.get(term, 0.0) * part for term, way in weights.items()]
            same += sum(one for one in said if one > 0)
            other -= sum(one for one in said if one < 0)
    return (same - other) / (same + other + _DOUBT * told) if told else None


@lru_cache(maxsize=16384)
def _directions(text: str) -> Mapping[str, float]:
    """The direction that a text gives to each of its terms, the clearest of several; negative for less."""
    denials = {match.start() for match in NEGATION.finditer(nfkc(text))}
    words, ways = list[Token](), list[int]()
    for token in word_tokens(text):
        denies = token.start in denials
        way = -1 if denies else _way(token.word.lower())
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


def opposites(claim: str, passage: str, least: int = 1, denied: bool = False) -> list[str]:
    """The words of a claim that contradict what a passage has in their place.

    That is where words beside both are the same, as many as `least` of them. Those of which one side is
    `denied` say the same, "not safe" and "unsafe", and are given only if asked for.
    """
    claim, passage = (_NON.sub("non", nfkc(text)) for text in (claim, passage))
    ours, theirs = _content(claim), _content(passage)
    known, said = ({token.term for token in words} for words in (ours, theirs))
    gone = [at for at, token in enumerate(theirs) if token.term not in known]
    return [
        token.word
        for at, token in enumerate(ours)
        if token.term not in said
        and any(
            _contradict(token, theirs[to])
            and _shared(ours, at, theirs, to) >= least
            and (_is_denied(claim, token) != _is_denied(passage, theirs[to])) == denied
            for to in gone
        )
    ]


def _is_denied(text: str, word: Token) -> bool:
    """Whether a denial stands right before a word."""
    return NEGATION.search(text, max(word.start - _DENIED, 0), word.start) is not None


def _content(text: str) -> list[Token]:
    """The words of a text that have content or an opposite ("before"), and do not only say how much so."""
    words = (token for token in word_tokens(text) if token.word.lower() not in _DEGREES)
    return [token for token in words if not token.filler or _sides(token.word)]


def _shared(ours: Sequence[Token], at: int, theirs: Sequence[Token], to: int) -> int:
    """How many words are the same beside two places, up to the first that differs; so are two ends."""
    off = int(is_cjk(ours[at].word))  # there words are pairs of characters that overlap
    before = count_equal(ours[: max(at - off, 0)][::-1], theirs[: max(to - off, 0)][::-1])
    return before + count_equal(ours[at + 1 + off :], theirs[to + 1 + off :])


def count_equal(ours: Sequence[Token], theirs: Sequence[Token]) -> int:
    """How many words are the same from the first on; so are two ends."""
    same = takewhile(lambda both: both[0].term == both[1].term, zip(ours, theirs, strict=False))
    length = sum(1 for _ in same)
    return length + (length == len(ours) == len(theirs))


def _contradict(one: Token, other: Token) -> bool:
    """Whether two words are opposites: by the list, by a prefix or by an end. The words of names are none."""
    named = (one.capital and one.start) or (other.capital and other.start)
    return not named and _are_opposites(one.word.lower(), other.word.lower())


@lru_cache(maxsize=65536)
def _are_opposites(one: str, other: str) -> bool:
    ours, theirs = _sides(one), _sides(other)
    if any(ours[group] != theirs[group] for group in ours.keys() & theirs.keys()):
        return True
    short, long = sorted((stem(one), stem(other)), key=len)
    if len(short) >= _SHORTEST and long.removesuffix(short) in _PREFIXES:
        return True
    full, less = sorted((one, other))
    return full != less and full.removesuffix("ful") == less.removesuffix("less")


def scale_of(one: str, other: str) -> int:
    """Whether two words mean the same (1) or the opposite (-1); 0 if neither is known."""
    if stem(one) == stem(other):
        return 1
    ours, theirs = _sides(one), _sides(other)
    shared = ours.keys() & theirs.keys()
    return (1 if any(ours[group] == theirs[group] for group in shared) else -1) if shared else 0


@lru_cache(maxsize=16384)
def _sides(word: str) -> Mapping[int, int]:
    """The groups of opposites that a word belongs to, each with its side."""
    lowered = word.lower()
    return {
        group: side
        for known, group, side in _OPPOSITES
        if (lowered.startswith(known[:-1]) if known[-1] == "-" else known in (lowered, stem(lowered)))
    }
