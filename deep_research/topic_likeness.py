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

from .terms import STOP_WORDS, is_cjk

_EMPTY = frozenset(
    "aspect basic brief concept current detail different discussion examination explore exploring general "
    "identify introduction investigate investigating key latest main major overall overview paper present "
    "question report research review role state study survey today topic understanding understand various "
    "vs versus analysis analyse analyze describe explain".split()
)
_SYNONYMS = (
    "impact effect influence consequence implication",
    "history origin background evolution",
    "cost price expense pricing",
    "comparison compare comparing difference contrast",
    "application use usage utilization utilisation",
    "challenge problem difficulty obstacle issue",
    "method approach technique methodology",
    "benefit advantage strength pro",
    "drawback disadvantage downside weakness con",
    "regulation law legislation legal rule regulatory",
    "future outlook prospect",
    "car automobile",
    "company firm business enterprise",
    "big large",
    "method way",
    "build construct construction building",
    "founder founded founding establish established establishment",
    "height tall high",
    "job employment",
    "growth increase",
    "decline decrease reduction",
    "renewable green",
    "artificial-intelligence ai",
    "united-states us usa",
    "european-union eu",
    "united-kingdom uk",
)
_PHRASES = {
    "artificial intelligence": "artificial-intelligence", "united states": "united-states",
    "european union": "european-union", "united kingdom": "united-kingdom", "machine learning": "ml",
    "large language model": "llm",
}  # fmt: skip
_CJK_EMPTY = re.compile(
    "的|之|与|和|及|对|关于|概述|概况|概要|综述|介绍|简介|研究|分析|探讨|について|に関する|における|の|と|は|を|が"
)
_CJK_SYNONYMS = {
    "影响": "効果", "作用": "効果", "影響": "効果", "起源": "历史", "由来": "历史", "歴史": "历史",
    "価格": "成本", "费用": "成本", "費用": "成本", "优势": "优点", "长处": "优点", "利点": "优点",
    "メリット": "优点", "劣势": "缺点", "短处": "缺点", "欠点": "缺点",
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+(?:[-/.]?\d+(?:\.\d+)*)+|\d+(?:[.,]\d+)*|[^\W\d_]+", re.UNICODE)
_ENDINGS = frozenset(
    "a able al ally ance ant ated ation ations e ed ence ent er ers es ic ical ing ion ions ise ity ive ize "
    "ly ment ments ness or ors s y ization isation".split()
)
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
    for phrase, short in _PHRASES.items():
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
    for group in reversed(_SYNONYMS)
    for word in group.split()
}
_SAYS_NOTHING = _EMPTY | {_stem(word) for word in _EMPTY}
