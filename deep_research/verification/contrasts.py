"""What a sentence can turn round without changing a word of content: negation, degree, limits and names.

Each function compares a claim with the passages that speak about it, and says whether they disagree. All are
surface rules with known blind spots: no antonyms outside the table, no irony, no inference over sentences.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from ..terms import is_cjk
from .wording import Token, in_amounts, tokens

_NEGATION = re.compile(
    r"\b(?:not(?! only)|no(?! later| less|\. ?\d)|never|neither|nor|none|nobody|nothing|cannot|without|"
    r"unable|fail(?:s|ed|ing)?|lack(?:s|ed|ing)?|refus(?:e|es|ed|ing)|den(?:y|ies|ied))\b|\w+n['’]t\b"
    r"|(?:並|并|從|从)?(?:没有|沒有|不是|不能|不会|並非|并非|未能|未曾|从未|尚未|并未|(?<![从曾])未(?![来來])|"
    r"(?<![从])没|(?<=[\u4e00-\u9fff])不(?![仅僅同断斷足])|无法|無法)"
    r"|ない(?!し)|なかった|ません|ありません|ではな(?!く)",
    re.IGNORECASE,
)
_FIRM = re.compile(r"\b(?:not|never|cannot)\b|n['’]t\b|[不没沒未]|ない|ません", re.IGNORECASE)
_NEAR = 4
_SEPARATOR = re.compile(r": | — ")

_OPPOSITES = """
more greater = less fewer
most greatest = least fewest
larger bigger = smaller
largest biggest = smallest
higher taller = lower
highest tallest = lowest
longer = shorter
longest = shortest
older = younger newer
oldest = youngest newest
earlier = later
earliest = latest
faster = slower
fastest = slowest
heavier = lighter
heaviest = lightest
better = worse
best = worst
above over exceeds exceeded = below under
before = after
first = last
maximum = minimum
majority = minority
increase increases increased rose rises grew grows gained = decrease decreases decreased fell falls declined
更多 多于 超过 = 更少 少于 不足 不到
更大 大于 = 更小 小于
更高 高于 = 更低 低于
更长 = 更短
更早 = 更晚
最多 = 最少
最大 = 最小
最高 = 最低
最长 = 最短
最早 = 最晚
增加 上升 增长 = 减少 下降
以前 之前 = 以后 之后
多い = 少ない
大きい = 小さい
高い = 低い
長い = 短い
最長 = 最短
以上 上回 = 以下 下回 未満
増加 増え = 減少 減っ
"""
_SIDES = [tuple(side.split() for side in line.split(" = ")) for line in _OPPOSITES.strip().split("\n")]
_OPPOSED = {word: (ours, theirs) for a, b in _SIDES for ours, theirs in ((a, b), (b, a)) for word in ours}
_LIMITS = re.compile(
    r"\b(?:one of|among|nearly|almost|up to|at least|at most|(?:more|less|fewer) than|"
    r"(?:over|under) (?=\d)|partly|mostly|mainly|largely|usually|often|sometimes|only|may|might|could|"
    r"would|planned?|proposed|expected|estimated|provisional(?:ly)?|preliminary|alleged(?:ly)?|reported(?:ly)?|"
    r"said to|claimed|possibly|probably|perhaps|formerly|until|before|between|from (?=\d{4} to))\b"
    r"|超过|至少|最多|不到|可能|预计|据说|据称|曾|之前|以前|至(?=\d{4})"
    r"|以上|以下|未満|予定|見込み|とされる|という|まで|以前",
    re.IGNORECASE,
)


def negation_differs(claim: str, passages: Sequence[str], close: bool) -> bool:
    """Whether one side denies what the other says.

    A claim that denies wants a denial beside the same words; where a passage denies words of a claim that
    denies nothing, they disagree. `close` means that the claim repeats a single passage nearly word for word.
    """
    if close:
        return _denials(claim) != _denials(passages[0])
    denied = _denied(claim)
    if denied:
        about = [p for p in passages if denied & {token.term for token in tokens(p)}]
        about = about or (list(passages) if _FIRM.search(_plain(claim)) else [])
        return bool(about) and not any(_denials(passage) for passage in about)
    said = {token.term for token in tokens(claim) if not token.filler}
    return any(len(_denied(passage) & said) >= 2 for passage in passages[:1])


def degree_differs(claim: str, passages: Sequence[str]) -> bool:
    """Whether the claim says "more" where the passages say "less", or "largest" where they say "large"."""
    text = _plain(" ".join(passages)).lower()
    said = _degree_words(text)
    for word in sorted(_degree_words(_plain(claim).lower()) - said):
        ours, theirs = _OPPOSED[word]
        if said & set(theirs) and not said & set(ours):
            return True
        if word.endswith("est") and not said & set(ours) and re.search(rf"\b{word[:-3]}(?:e|er|r)?\b", text):
            return True
    return False


def limit_dropped(claim: str, passage: str) -> bool:
    """Whether a passage that the claim repeats has a hedge or limit that the claim lacks."""
    kept = Counter(limit.lower() for limit in _LIMITS.findall(_plain(claim)))
    return bool(Counter(limit.lower() for limit in _LIMITS.findall(_plain(passage))) - kept)


def name_moved(claim: str, passage: str, title: str) -> bool:
    """Whether a name of a passage that the claim repeats stands elsewhere there, or another in its place.

    What opens a claim as the page's title ("Port X: the harbour ...") is compared with the title. In a table
    row order says nothing.
    """
    opening, tail = split_title(claim, title, passage)
    named = {token.term for token in tokens(title)}
    titled = bool(opening) and all(token.term in named for token in tokens(opening))
    if titled and _moved(opening, title):
        return True
    return not passage.startswith("|") and _moved(tail, passage)


def split_label(claim: str) -> tuple[str, str]:
    """What stands before a claim's last separator, if anything stands behind it; the rest."""
    cut = max((match.end() for match in _SEPARATOR.finditer(claim)), default=0)
    return (claim[:cut], claim[cut:]) if claim[cut:].strip() else ("", claim)


def split_title(claim: str, title: str, passage: str) -> tuple[str, str]:
    """The same, if title and passage have all words of what stands before it."""
    opening, tail = split_label(claim)
    known = {token.term for token in tokens(f"{title} {passage}")}
    whole = all(token.term in known for token in tokens(opening))
    return (opening, tail) if whole else ("", claim)


def _moved(claim: str, passage: str) -> bool:
    ours, theirs = tokens(claim), tokens(passage)
    if _agents(ours) != _agents(theirs):
        return False  # the passive turns the order round
    terms = [token.term for token in theirs]
    matcher = SequenceMatcher(None, [token.term for token in ours], terms, autojunk=False)
    all_gone: set[str] = set()
    all_come: set[str] = set()
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "equal":
            continue
        gone = _names_in(theirs[start:end], in_amounts(passage))
        come = _names_in(ours[first:last], in_amounts(claim))
        if gone - come and any(not is_cjk(term) for term in come - gone):
            return True
        all_gone |= gone
        all_come |= come
    return bool(all_gone & all_come)


def _names_in(words: Sequence[Token], amounts: Container[int]) -> set[str]:
    return {token.term for token in words if _is_name(token) and token.start not in amounts}


def _agents(words: Sequence[Token]) -> int:
    return sum(token.word == "by" for token in words)


def _is_name(token: Token) -> bool:
    """Capitalised in English; in Chinese and Japanese, where names are not marked, any pair of characters."""
    return not token.filler and (token.capital or is_cjk(token.word))


@lru_cache(maxsize=4096)
def _denied(text: str) -> frozenset[str]:
    """The content terms beside each negation: those that follow, and in Japanese those before it."""
    words = [token for token in tokens(text) if not token.filler]
    found: set[str] = set()
    for match in _NEGATION.finditer(_plain(text)):
        after = [token.term for token in words if token.start >= match.start()][:_NEAR]
        before = [token.term for token in words if token.start < match.start()][-_NEAR:]
        found |= set(before if match[0][0] >= "\u3041" and match[0][0] <= "\u309f" else after or before)
    return frozenset(found)


def _denials(text: str) -> int:
    return len(_NEGATION.findall(_plain(text)))


def _degree_words(lowered: str) -> set[str]:
    return {word for word in _OPPOSED if _has_word(lowered, word)}


def _has_word(lowered: str, word: str) -> bool:
    if not word.isascii():
        return word in lowered
    return word in lowered and re.search(rf"\b{word}\b", lowered) is not None


@lru_cache(maxsize=1024)
def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
