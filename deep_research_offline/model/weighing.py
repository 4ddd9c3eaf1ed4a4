"""By what a request for advice weighs things, and what sources advise.

Criteria are what a request lists ("by price and range"), else its wishes in plain words: "cheap", "we have
little money" and "not too expensive" are wishes about the price. The thesaurus says which words wish for more
or less of which measure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .kinds import kind_of
from .lists import criteria
from .report_words import ADVICE
from .request import chosen_kind
from .text import is_cjk, language, tidy
from .thesaurus import thesaurus

_WAIVED_BEFORE = re.compile(
    r"(?:(?:not|n['’]t|needn['’]t) (?:have to |need to |necessarily )be|not necessarily|no matter how|most)"
    r" (?:too |very |all that )?$|(?:not|n['’]t) (?:have|need) to be (?:too |very )?$"
)
_WAIVED_BEHIND = re.compile(
    r"[^.,;:?!]{0,16}\b(?:no (?:object|issue|problem|concern)|(?:not|n['’]t) (?:matter|important))\b"
)
"""What says that a wish is none."""


@lru_cache(maxsize=1024)
def weighed(question: str) -> tuple[str, ...]:
    """The criteria that a request lists; of one for advice, if it lists none, the measures of its wishes."""
    if criteria(question) or kind_of(question) != "recommendation":
        return criteria(question)
    return tuple(_wished(question))


def in_words(question: str, measure: str) -> str:
    """A measure with the words that wish for it: "noise (“quiet”)"."""
    said = _wished(question).get(measure, measure)
    return measure if said == measure or criteria(question) else f"{measure} (“{said}”)"


def _wished(question: str) -> dict[str, str]:
    """The measures of what a request wishes, each with the words that it has for it."""
    book, lang, low = thesaurus(), language(question), question.lower()
    found: dict[str, str] = {}
    for said in book.wish_pattern.finditer(low):
        waived = _WAIVED_BEFORE.search(low[: said.start()]) or _WAIVED_BEHIND.match(low[said.end() :])
        if waived or said[0] == chosen_kind(question).lower():
            continue
        names = [n for n in book.groups[book.wished[said[0]]]["words"] if is_cjk(n) == (lang != "en")]
        found.setdefault(names[-1 if lang == "ja" else 0], said[0])
    return found


@lru_cache(maxsize=1024)
def without_wishes_for(question: str) -> str:
    """A request for advice without the words of its wishes, which are no part of its matter."""
    if kind_of(question) != "recommendation":
        return question
    bare = thesaurus().wish_pattern.sub(" ", question.lower())
    known = {word.lower(): word for word in question.split()}  # in its own capitals
    return question if bare == question.lower() else tidy(" ".join(known.get(w, w) for w in bare.split()))


def is_better(measure: str) -> int:
    """1 if more of a measure is better, -1 if less is, 0 if that is not known."""
    better = {g.get("better") for g in thesaurus().groups if "wish" in g and measure in g["words"]}
    return ("more" in better) - ("less" in better)


def is_advised(text: str, thing: str) -> bool:
    """Whether a sentence advises somebody to take a thing: "for those in a hurry: the Orsk Mill"."""
    return thing in text and bool(ADVICE.search(text.replace(thing, "IT")))
