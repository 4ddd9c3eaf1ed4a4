"""The words of `report.toml`: what asks for a report, and the sides of a subject."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from .lexicon import load
from .text import is_cjk, stem, terms
from .text import words as _words

_DATA = load("report")


@dataclass(frozen=True, slots=True)
class Facet:
    """A side that a subject may have: its heading, the words that tell of it, and what to search for."""

    id: str
    title: dict[str, str]
    query: dict[str, str]
    head: frozenset[str]
    cue: frozenset[str]


def _lexemes(text: str) -> frozenset[str]:
    return frozenset(word if is_cjk(word) else stem(word) for word in text.split())


FACETS = tuple(
    Facet(f["id"], f["title"], f["query"], _lexemes(f["head"]), _lexemes(f["cue"])) for f in _DATA["facet"]
)
READING = {kind: tuple(order.split()) for kind, order in _DATA["reading"].items()}
MEMBERS = re.compile(_DATA["split"]["members"], re.IGNORECASE)
CRITERIA = tuple(re.compile(p, re.IGNORECASE) for p in _DATA["split"]["criteria"])
_WORDS = "code dependent turn leaning it past itself cause dispute settled differing closing opinion"
_WORDS += " advice by_year announcing stance"
_PATTERNS = (re.compile(_DATA["words"][name], re.IGNORECASE) for name in _WORDS.split())
CODE, DEPENDENT, TURN, LEANING, IT, PAST, ITSELF, CAUSE, DISPUTE, SETTLED, *_OTHERS = _PATTERNS
DIFFERING, CLOSING, OPINION, ADVICE, BY_YEAR, ANNOUNCING, STANCE = _OTHERS
FORMS, LIMITS = (
    {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _DATA[table].items()}
    for table in ("form", "limits")
)
_AT, _N, *_ = _DATA["wishes"].values()
WISHES = {
    name: re.compile(rf"(?:{pattern.replace('AT', _AT).replace('N', _N)})[,，、]?", re.IGNORECASE)
    for name, pattern in _DATA["wishes"].items()
    if name not in ("at", "n")
}
"""What a request wishes of a report's form; the groups of a length hold its number."""
_CORPUS = re.compile(_DATA["narrow"]["corpus"], re.IGNORECASE)
"""What a request says for emphasis ("how on earth"), and calls the texts that it is to be answered from."""
SUBJECT = re.compile(_DATA["narrow"]["subject"], re.IGNORECASE)
LESS_IS_BETTER = _lexemes(_DATA["words"]["less_is_better"])
MORE_IS_BETTER = _lexemes(_DATA["words"]["more_is_better"])
_ASKING = frozenset(stem(word) for word in _DATA["request"]["en"].split())
_SAID_CJK = f"{_DATA['request']['zh']} {_DATA['request']['ja']}".split()
_ASKING_CJK = re.compile("|".join(sorted(map(re.escape, _SAID_CJK), key=len)[::-1]))
TIERS = {name: int(n) for n, names in _DATA["tier"].items() for name in names.split()}


def trust(tier: str) -> int:
    """1 for a source that vouches for what it says, -1 for one that nobody vouches for, else 0."""
    known = TIERS.get(tier.strip().lower().replace(" ", "_"), 2)
    return (known > 2) - (known < 2)


def without_asking(question: str) -> str:
    """A request without Chinese and Japanese words of asking, and without names for the texts at hand."""
    return _ASKING_CJK.sub(" ", _CORPUS.sub(" ", question))


@lru_cache(maxsize=4096)
def subject_terms(question: str) -> tuple[str, ...]:
    """The terms of a request without the words of asking; all, if it has no others."""
    return _own_terms(question) or tuple(dict.fromkeys(terms(question)))


def names_a_subject(question: str) -> bool:
    """Whether a request has any words but those of asking."""
    return bool(_own_terms(question))


def _own_terms(question: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(t for t in terms(without_asking(question)) if t not in _ASKING))


@lru_cache(maxsize=16384)
def hits(text: str, words: frozenset[str]) -> int:
    """How many of these stems, or Chinese and Japanese words, stand in a text."""
    count = len(words & {stem(word) for word in _words(text)})
    return count + (sum(1 for word in words if is_cjk(word) and word in text) if is_cjk(text) else 0)
