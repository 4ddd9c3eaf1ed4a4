"""Are two topics the same one in other words? Told by words, without a model, the same way every time.

A duplicate that is let in costs a whole block; a topic that is wrongly refused is lost. So a pair counts as
one topic only if nothing is left that tells the two apart: after words that say nothing are dropped and
common synonyms are joined, every word of one has its partner in the other. A word without a partner (a year,
a version, a name, "disadvantages" beside "advantages") keeps them distinct, however much else is alike.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from deep_research.text.data import read_data
from deep_research.text.terms import STOP_WORDS, is_cjk

_DATA = read_data(__file__, "likeness.toml")
_EMPTY = frozenset(_DATA["empty"].split())
_CJK_EMPTY = re.compile("|".join(_DATA["cjk_empty"].split()))
_CJK_SYNONYMS = {word: one for one, words in _DATA["cjk_synonyms"].items() for word in words.split()}
_WORD = re.compile(r"[^\W\d_]+(?:[-/.]?\d+(?:\.\d+)*)+|\d+(?:[.,]\d+)*|[^\W\d_]+", re.UNICODE)
_ENDINGS = frozenset(_DATA["endings"].split())
_SHORTEST_STEM = 4
_CJK_ALIKE = 0.75


def same_topic(one: str, other: str) -> bool:
    """Whether two titles name the same topic."""
    mine, yours = _content(one), _content(other)
    if not mine or not yours:
        return one.strip().casefold() == other.strip().casefold()
    left, right = mine - yours, yours - mine
    if any(is_cjk(word) for word in mine | yours):
        return _same_cjk(mine, yours)
    return len(left) == len(right) and _all_paired(sorted(left), sorted(right))


def _all_paired(left: list[str], right: list[str]) -> bool:
    """Whether each word has a partner that is another form of it."""
    for word in left:
        partner = next((other for other in right if _same_word(word, other)), None)
        if partner is None:
            return False
        right.remove(partner)
    return True


def _same_word(one: str, other: str) -> bool:
    """Whether two words are forms of one: a common stem with endings that words have ("Austria" has none)."""
    if any(char.isdigit() for char in one + other):
        return False
    pairs = zip(one, other, strict=False)
    shared = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
    return any(
        one[n:] in _ENDINGS | {""} and other[n:] in _ENDINGS | {""}
        for n in range(shared, _SHORTEST_STEM - 1, -1)
    )


def _same_cjk(mine: frozenset[str], yours: frozenset[str]) -> bool:
    """Titles without word boundaries: one may have a few characters more, and no foreign word or number."""
    left, right = mine - yours, yours - mine
    more = left | right
    few = len(mine & yours) >= _CJK_ALIKE * len(mine | yours)
    return few and not (left and right) and all(is_cjk(word) for word in more)


@lru_cache(maxsize=4096)
def _content(title: str) -> frozenset[str]:
    """The words of a title that tell it from others, synonyms joined; characters of CJK words one by one."""
    text = unicodedata.normalize("NFKC", title).casefold().replace("'s", "").replace("’s", "")
    for phrase, short in _DATA["phrases"].items():
        text = text.replace(phrase, short.replace("-", ""))
    if any(is_cjk(char) for char in text):
        for word, stands_for in _CJK_SYNONYMS.items():
            text = text.replace(word, stands_for)
        text = _CJK_EMPTY.sub(" ", text)
    words: set[str] = set()
    for word in _WORD.findall(text):
        words |= set(word) if is_cjk(word) else {_JOINED.get(_stem(word), _stem(word))}
    return frozenset(words - STOP_WORDS - _SAYS_NOTHING)


def _stem(word: str) -> str:
    """A word without the ending of its plural."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word


_JOINED = {
    _stem(word.replace("-", "")): group.split()[0].replace("-", "")
    for group in reversed(_DATA["synonyms"])
    for word in group.split()
}
_SAYS_NOTHING = _EMPTY | {_stem(word) for word in _EMPTY}
