"""A sentence as the claim check reads it: its words in order, reduced to stems, and its names.

Words are compared by a light English stem; Chinese and Japanese, which write no blanks, by overlapping pairs
of characters, as in the search index. Number words and digits are one term ("twelve", "12"), so are the
spellings of a number ("1,786", "1786").
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from .quantities import quantities
from .terms import STOP_WORDS, is_cjk
from .units import NUMBER_WORDS

_CJK = "\u3005-\u3007\u3041-\u309f\u30a1-\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(
    rf"\d+(?:[.,]\d+)*|[{_CJK}]+|(?:[A-Z]\.){{2,}}|[^\W\d_{_CJK}]+(?:['’](?!s\b)[^\W\d_{_CJK}]+)?"
)
_SUFFIX = re.compile(
    r"(?<=\w{3})(?:ational|ations?|ingly|ings?|edly|ied|ies|ed|ers?|ors?|es|ly|ments?|ness|s|y|e)$"
)
_CODE = re.compile(r"[A-Z]{2}|^[a-z]+[A-Z]")
_INITIAL = re.compile(r"[A-Z]\. [A-Z]")
_GAPS_IN_NAME = frozenset((" ", "-", "·", ". "))
NEGATION = re.compile(
    r"\b(?:not(?! only)|no(?! later| less| (?:more|fewer)(?: than|\W*$|[.,;:)])|\. ?\d)|never|neither|nor|"
    r"none|nobody|(?<!\bfor )nothing|cannot|without|unable|fail(?:s|ed|ing)?|lack(?:s|ed|ing)?|"
    r"refus(?:e|es|ed|ing)|den(?:y|ies|ied))\b|\w+n['’]t\b"
    r"|(?:並|并|從|从)?(?:没有|沒有|不是|不能|不会|並非|并非|未能|未曾|从未|尚未|并未|(?<![从曾])未(?![来來])|"
    r"(?<![从])没|并?无(?:人(?![机驾区岛])|一(?!例外)|需|须)|"
    r"(?<=[\u4e00-\u9fff])不(?![仅僅同断斷足到过過久少如但])|无法|無法)"
    r"|ない(?!し)|なかった|ません|ありません|ではな(?!く)",
    re.IGNORECASE,
)
_HIRAGANA = re.compile("[\u3041-\u309f]+")
FILLERS = STOP_WORDS | frozenset(
    "upon within among around per via since however although though while source sources "
    "according additionally moreover furthermore meanwhile overall notably therefore thus hence likewise "
    "besides instead indeed similarly consequently accordingly specifically importantly".split()
)
CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september october november december".split()
)
NO_NAMES_AT_ALL = FILLERS | frozenset(
    "mr mrs ms dr prof today currently recently originally nothing nobody none".split()
)
_NO_NAMES = NO_NAMES_AT_ALL | CALENDAR | {f"i{mark}{end}" for mark in "'’" for end in ("m", "d", "ve", "ll")}
"""Words with a capital that are no part of a name."""


class Token(NamedTuple):
    """One word: its term (stem, number or pair of characters), as written, and whether it is capitalised."""

    term: str
    word: str
    start: int

    @property
    def capital(self) -> bool:
        return self.word[0].isupper()

    @property
    def filler(self) -> bool:
        """Whether the word carries no content of its own."""
        return self.word.lower() in FILLERS or _HIRAGANA.fullmatch(self.term) is not None


@lru_cache(maxsize=4096)
def nfkc(text: str) -> str:
    """The text with compatibility forms (full-width letters ...) as their plain ones."""
    return unicodedata.normalize("NFKC", text)


@lru_cache(maxsize=16384)
def word_tokens(text: str) -> tuple[Token, ...]:
    """The words of a text in order; offsets are those of its NFKC form, in which they are read."""
    plain = nfkc(text)
    found: list[Token] = []
    for match in _TOKEN.finditer(plain):
        word = match[0]
        if is_cjk(word):
            pairs = [word[i : i + 2] for i in range(len(word) - 1)] or [word]
            found += [Token(pair, pair, match.start() + i) for i, pair in enumerate(pairs)]
        else:
            found.append(Token(stem(word), word, match.start()))
    return tuple(found)


@lru_cache(maxsize=4096)
def terms_in(text: str) -> frozenset[str]:
    """The distinct terms of a text."""
    return frozenset(token.term for token in word_tokens(text))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word without its inflection, a number without separators; crude, and the same on both sides."""
    lowered = word.lower().replace("’", "'")
    if lowered[0].isdigit():
        return lowered.replace(",", "")
    if lowered in NUMBER_WORDS:
        return str(NUMBER_WORDS[lowered])
    return _SUFFIX.sub("", lowered.replace(".", ""))


def content_words(text: str) -> list[Token]:
    """The words of a sentence that carry its content; all of them where there is no other."""
    words = word_tokens(text)
    return [token for token in words if not token.filler] or list(words)


@lru_cache(maxsize=4096)
def places_in_amounts(text: str) -> frozenset[int]:
    """The places that amounts take up: capitals in "5 million Hong Kong dollars" or "5 °C" are no names."""
    return frozenset(
        place for found in quantities(text) if found.unit for place in range(found.start, found.end)
    )


def initials(text: str) -> frozenset[str]:
    """The initials of two to six words in a row, fillers left out."""
    letters = "".join(token.word[0].lower() for token in word_tokens(text) if not token.filler)
    return frozenset(letters[at : at + size] for size in range(2, 7) for at in range(len(letters) - size + 1))


def is_code(token: Token, plain: str) -> bool:
    """Whether a word of a text is written like an abbreviation or a code: "CKD", "VSMCs", "mRNA", "Kat8"."""
    end = token.start + len(token.word)
    return _CODE.search(token.word) is not None or plain[end : end + 1].isdigit()


def names_in(text: str, initial: bool = False) -> list[list[Token]]:
    """The names of a sentence: runs of capitalised words. Its first word alone is one only with `initial`.

    A number word opens no name, but may go on one ("Pier Three").
    """
    runs: list[list[Token]] = []
    before: Token | None = None
    amounts = places_in_amounts(text)
    plain = nfkc(text)
    for token in word_tokens(text):
        named = token.capital and token.start not in amounts and token.word.lower() not in _NO_NAMES
        gap = plain[before.start + len(before.word) : token.start] if before else ""
        going_on = bool(runs) and before is runs[-1][-1]
        named = named or (going_on and _INITIAL.match(plain, token.start) is not None)
        if going_on and gap in _GAPS_IN_NAME and (named or (token.word[0].isdigit() and gap == "-")):
            runs[-1].append(token)
        elif named and token.word.lower() not in NUMBER_WORDS:
            runs.append([token])
        before = token
    return [run for run in runs if initial or len(run) > 1 or run[0].start > 0]


def terms_of_names(text: str, initial: bool = False) -> frozenset[str]:
    """The terms of all names of a sentence."""
    return frozenset(token.term for run in names_in(text, initial) for token in run)
