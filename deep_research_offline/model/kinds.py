"""Which kind of report a request asks for, or that it looks up one thing.

A request is measured by some forty features: how many signs of causes, stances, advice … it has, how it
asks, how much it lists; and by the runs of up to three words that occur in many requests. Each kind's score
is a weighted sum of them; their softmax says how likely the kind is. Signs and weights are in `kinds.toml`;
`benchmarks.train_request_kinds` fits the weights.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from .lexicon import load
from .lists import criteria, items_in
from .parts import questions_in
from .pointing import pointer
from .query import in_full, is_core, read_query, split_asking
from .report_words import DISPUTE, FACETS
from .text import is_cjk, split_prose, stem, stems, words
from .thesaurus import group_of, pattern_for, thesaurus

_OF_A_SIDE = re.compile(
    rf"[:：]\s*(?:{'|'.join(re.escape(t) for f in FACETS for t in f.title.values())})\W*$"
)
LOOKUP = "lookup"
_SURELY = 0.7
KINDS = (LOOKUP, "overview", "why", "development", "comparison", "recommendation", "debate")
_FORMS = ("reason", "place", "date", "number", "name", "yesno")
"""Kinds of answers (words.toml) by whose words a request is measured."""
_DOUBTLESS = 0.93
_LIKELY, _LIKELIER = 0.5, 1.5
"""How likely a look-up has to be, or how many times as likely as any report."""
_MOST_SIGNS, _LISTED = 4, 3
_AROUND = ("stance", "advice", "detail", "ordered")
"""Signs that count in the sentences around the one that asks, too."""
_FIGURES = re.compile(r",? (?:with|including) (?:the |some )?(?:numbers|figures)\b|[和とも]?数字も?(?=。?$)")
"""What a report shall have, too, and not what is asked."""
_BRIEF, _NAME = 4, 2
"""Words of a request that may be no more than a name, and of one that most likely is."""
_FEW, _MANY = 6, 25
"""Words of a request that is short, and of one that tells a story."""
_POLITE = re.compile(r"^\W*(?:can|could|would|will) you (?:please |kindly )?", re.IGNORECASE)


_RUN = re.compile(r"[a-z']+|\d+|[?:,!.]")
_RUN_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
_LONGEST, _LONGEST_CJK = 3, 4
"""Words of the longest run that is a feature; characters of Chinese and Japanese."""
_OF_RUN = 0.5
"""What a run counts, beside one sign."""


class _Signs(NamedTuple):
    stems: frozenset[str]
    phrases: re.Pattern[str]

    def count(self, text: str) -> int:
        """How many of them stand in a text, at most four."""
        low = text.lower().replace("’", "'")
        single = {stem(word) for word in words(low) if not is_cjk(word)} & self.stems
        return min(_MOST_SIGNS, len(single) + len(self.phrases.findall(low)))


@lru_cache(maxsize=1)
def _signs() -> Mapping[str, _Signs]:
    found = {}
    for name, signs in load("kinds")["signs"].items():
        single, *phrases = re.split(r"\s*\|\s*", signs["en"])
        found[name] = _Signs(stems(single), pattern_for([*phrases, *signs["cjk"].split()]))
    return found


@lru_cache(maxsize=1)
def _asks() -> Mapping[str, re.Pattern[str]]:
    known = load("words")["kinds"]
    forms = {**{name: known[name] for name in _FORMS}, **load("kinds")["asks"]}
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in forms.items()}


def asks_why(request: str) -> bool:
    """Whether a request asks for a reason in so many words."""
    return bool(_asks()["reason"].search(request))


def has_sign(request: str, name: str) -> bool:
    """Whether a request has any sign of this name."""
    return bool(_signs()[name].count(request))


def asking_stems(request: str) -> frozenset[str]:
    """The stems of words that say that a report is wanted, or how one asks ("what is the fuss about …")."""
    about = _asks()["about"].findall(request)
    return _signs()["report"].stems | _signs()["ordered"].stems | frozenset(map(stem, about))


@lru_cache(maxsize=4096)
def features(request: str) -> Mapping[str, float]:
    """What is measured of a request, its words written out; what is zero is left out."""
    request = in_full(request)
    clauses = split_asking(request)
    asking = _FIGURES.sub("", clauses.asking or request)
    around = "" if clauses.asking in ("", request) else clauses.around
    query, wished = read_query(request), thesaurus().wished
    signs = {name: float(one.count(asking)) for name, one in _signs().items()}
    told = {f"around {name}": float(min(2, _signs()[name].count(around))) for name in _AROUND}
    plainly = _POLITE.sub("", asking)
    plainly = plainly if plainly == asking else plainly.rstrip("?")
    forms = {name: float(bool(pattern.search(plainly))) for name, pattern in _asks().items()}
    members = len(_asks()["between"].findall(asking))
    reason = group_of("reason")
    measure = any(is_core(c) and not c.groups <= reason for c in query.concepts)
    silent = not any(signs[name] for name in signs if name != "detail")
    size, whole, sentences = len(words(asking)), len(words(request)), len(split_prose(request))
    brief = size <= _BRIEF and not re.search(r"[?？\d]", asking)
    bare = silent and brief and not (measure or query.order or query.years or any(forms.values()))
    found = {
        "always": 1.0,
        **signs,
        **told,
        **{f"asks {name}": value for name, value in forms.items() if name != "between"},
        "bare": float(bare),
        "bare name": float(bare and 0 < size <= _NAME and not is_cjk(asking)),
        "dispute": float(bool(DISPUTE.search(asking))),
        "open choice": float(forms["either"] and silent and not (measure or query.order or query.years)),
        "extreme": float(bool(query.order)),
        "measure": float(measure),
        "year": float(bool(query.years)),
        "two years": float(len(query.years) > 1),
        "listed": float(members >= _LISTED),
        "row": float(len(items_in(request)) >= _LISTED),
        "criteria": float(len(criteria(asking)) >= _LISTED),
        "two wishes": float(len({*map(wished.get, thesaurus().wish_pattern.findall(request.lower()))}) > 1),
        "few words": float(whole <= _FEW),
        "many words": float(whole > _MANY),
        "two sentences": float(sentences > 1),
        "three sentences": float(sentences > 2),
    }
    return {name: value for name, value in found.items() if value} | dict.fromkeys(_runs(request), _OF_RUN)


def _runs(request: str) -> set[str]:
    """The runs of words of a request, its start and end among them; every number is the same word."""
    low = request.lower().replace("’", "'")
    said = ["^", *("#" if word.isdigit() else word for word in _RUN.findall(low)), "$"]
    found = {" ".join(said[n : n + k]) for k in range(1, _LONGEST + 1) for n in range(len(said) - k + 1)}
    for run in (f"^{run}$" for run in _RUN_CJK.findall(low)):
        found |= {run[n : n + k] for k in range(1, _LONGEST_CJK + 1) for n in range(len(run) - k + 1)}
    return {f"said {one}" for one in found if one not in "^$"}


def is_surely(request: str, kind: str) -> bool:
    """Whether a request is so likely of a kind that a report may be written for it alone."""
    return likely_kinds(request)[kind] >= _SURELY


def may_be_broad(request: str) -> bool:
    """Whether a request that is read as a look-up may be one for a report all the same, or one of its
    questions is."""
    parts = (likely_kinds(part)[LOOKUP] < _LIKELY for part in questions_in(request))
    return likely_kinds(request)[LOOKUP] < _DOUBTLESS or any(parts)


@lru_cache(maxsize=4096)
def likely_kinds(request: str) -> Mapping[str, float]:
    """How likely each kind is; they add up to one."""
    weights = load("kinds")["weights"]
    rows = [(weights[name], value) for name, value in features(request).items() if name in weights]
    scores = [math.fsum(row[n] * value for row, value in rows) for n in range(len(KINDS))]
    top = max(scores)
    shares = [math.exp(score - top) for score in scores]
    return {kind: share / math.fsum(shares) for kind, share in zip(KINDS, shares, strict=True)}


def is_title(text: str) -> bool:
    """Whether a text is the title of a topic: a subject, and one of its sides."""
    return bool(_OF_A_SIDE.search(text))


@lru_cache(maxsize=4096)
def kind_of(request: str) -> str:
    """The kind of report that a request asks for; "" if it looks up one thing, or is the title of a topic."""
    likely = likely_kinds(request)
    row = len(items_in(request)) >= _LISTED and not read_query(request).order
    asked = questions_in(request) if row else ()  # of each of them, and not of one that was found
    several = len(asked) > 1 and not any(map(pointer, asked))
    report = max(KINDS[1:], key=lambda kind: likely[kind])
    looks_up = likely[LOOKUP] > _LIKELY or likely[LOOKUP] >= _LIKELIER * likely[report]
    return "" if is_title(request) or (looks_up and not several) else report
