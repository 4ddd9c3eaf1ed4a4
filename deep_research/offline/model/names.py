"""Proper names in running text, and when two names mean the same thing.

Notable: nothing here knows any name. Latin script gives capitals, titles and small connecting words; Japanese
gives katakana; quotation marks and name dots serve all three scripts.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from .lexicon import (
    COMMON_KATAKANA,
    CONNECTORS,
    DAYS,
    FIRMS,
    MONTHS,
    NAME_ENDINGS_ZH,
    STOP,
    TITLE_WORDS,
    TITLES,
    TRANSLITERATION,
)
from .text import CJK, HAN, KANA, is_cjk

_PARTICLE = re.compile(r"[a-z]{1,2}['’\-][^\W\d_a-zß-ÿ]")
_TOKEN = re.compile(rf"[^\W_{CJK}]+(?:['’.&\-/][^\W_{CJK}]+)*\.?|[^\w\s]", re.UNICODE)
_QUOTED = re.compile(r"[「『《“]([^「『《“”》』」]{1,60})[”》』」]|(?<!\w)\"([^\"]{2,60})\"(?!\w)")
_KATAKANA = re.compile(
    rf"[ァ-ヺー]+(?:[・＝=·\s][ァ-ヺー]+)*(?:[{HAN}]{{1,4}}[ァ-ヺー]{{2,}})?(?:[A-Za-z0-9]+"
    rf"|[{HAN}]{{1,5}}(?=[はがをにでとのやもだ、。，（(？?:：]|から|まで|$))?"
)
_NO_NAME_ZH = "是在多哪几何谁有为的了被由于从到和与更最现位年月日"
_SPELLED = rf"[{TRANSLITERATION}]{{2,}}"
_ENDING = "|".join(sorted(NAME_ENDINGS_ZH, key=len, reverse=True))
_CHINESE = re.compile(
    rf"{_SPELLED}[·・‧]{_SPELLED}"
    rf"|[{TRANSLITERATION}]{{3,}}(?:(?:(?![的是在和与有由为了于哪几多谁何])[{HAN}]){{0,4}}?(?:{_ENDING}))?"
    rf"|{_SPELLED}(?:{_ENDING})"
)
_PLAIN_END = re.compile(rf"(?:(?![{_NO_NAME_ZH}])[{HAN}]){{1,3}}(?=[和与、，。？?的是有在]|究竟|到底|一共|$)")
"""What a spelled name may end in beside the known endings, where a particle or mark shows its end."""
_IN_TITLES = frozenset("from on in to at for with under over by".split())
_AFTER_COMMON = frozenset("of for to at with from about".split())
_NOT_NAMES = frozenset(m for m in MONTHS if len(m) > 3 or m == "may") | frozenset(DAYS)


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written and where it stands."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=16384)
def names(sentence: str) -> tuple[Name, ...]:
    """The proper names of a sentence in order, longest reading first."""
    found = [*_latin(sentence), *_other_scripts(sentence)]
    found.sort(key=lambda name: (name.start, -name.end))
    kept: list[Name] = []
    for name in found:
        if name.text and not (kept and name.start < kept[-1].end):
            kept.append(name)
    return tuple(kept)


def _other_scripts(sentence: str) -> list[Name]:
    japanese = bool(re.search(f"[{KANA}]", sentence))
    found = [] if japanese else [_chinese(sentence, m) for m in _CHINESE.finditer(sentence)]
    for match in _QUOTED.finditer(sentence):
        group = 1 if match.group(1) else 2
        if is_cjk(match.group(group)) or match.group(group)[:1].isupper():
            found.append(Name(match.group(group).strip(), match.start(group), match.end(group)))
    for match in _KATAKANA.finditer(sentence):
        if len(match.group(0)) > 2 and match.group(0) not in COMMON_KATAKANA:
            found.append(Name(match.group(0), match.start(), match.end()))
    return found


def _chinese(sentence: str, match: re.Match[str]) -> Name:
    more = (
        _PLAIN_END.match(sentence, match.end())
        if "·" not in match.group(0) and len(match.group(0)) > 2
        else None
    )
    end = more.end() if more and match.group(0)[-1] in TRANSLITERATION else match.end()
    return Name(sentence[match.start() : end], match.start(), end)


def _latin(sentence: str) -> list[Name]:
    tokens = [(m.group(0), m.start(), m.end()) for m in _TOKEN.finditer(sentence)]
    found: list[Name] = []
    i = 0
    while i < len(tokens):
        if not _starts_name(tokens, i):
            i += 1
            continue
        j = _name_end(tokens, i)
        start, end = tokens[i][1], tokens[j][2]
        text = _strip_end(sentence[start:end])
        if text and not (i == j and text.lower().strip(".") in _NOT_NAMES):
            found.append(Name(text, start, start + len(text)))
        i = j + 1
    return found


def _strip_end(text: str) -> str:
    text = re.sub(r"['’]s?$", "", text)
    return text if re.search(r"(?:^|[\s.])[^\W\d_]\.$|\b(?:Jr|Sr|Inc|Ltd|Co)\.$", text) else text.rstrip(".")


def _capital(word: str) -> bool:
    return (word[0].isupper() and word != "I") or bool(_PARTICLE.match(word))


def _starts_name(tokens: list[tuple[str, int, int]], i: int) -> bool:
    word = tokens[i][0]
    if not word[0].isupper():
        return False
    if i == 0 or tokens[i - 1][0] in ".!?:":
        follows = i + 1 < len(tokens) and _capital(tokens[i + 1][0])
        if not follows and i + 1 < len(tokens) and tokens[i + 1][0] in _AFTER_COMMON:
            return False
        return word.lower() not in STOP or (word == "The" and follows)
    return not _in_date(tokens, i)


def _in_date(tokens: list[tuple[str, int, int]], i: int) -> bool:
    """Whether a word is a month or weekday, as its neighbours show, and not a name such as May."""
    if tokens[i][0].lower() not in _NOT_NAMES:
        return False
    after = (i + 1, i + 2) if i + 1 < len(tokens) and tokens[i + 1][0] == "," else (i + 1,)
    around = [tokens[k][0] for k in (i - 1, *after) if 0 <= k < len(tokens)]
    return any(word[0].isdigit() for word in around) or tokens[i - 1][0].lower() in {
        "in",
        "on",
        "of",
        "since",
        "by",
        "until",
    }


def _name_end(tokens: list[tuple[str, int, int]], i: int) -> int:
    """Index of the last token of the name that starts at token i."""
    j = i
    while True:
        if re.search(r"['’]s$", tokens[j][0]):
            return j
        k = _next_part(tokens, j)
        if k is None and j == i:
            k = _after_title_word(tokens, i)
        if k is None:
            return j
        j = k


def _after_title_word(tokens: list[tuple[str, int, int]], i: int) -> int | None:
    """The name that goes on after a preposition, in a title such as "Letter from Home"."""
    if tokens[i][0].lower() not in TITLE_WORDS or i + 2 >= len(tokens):
        return None
    k = i + 3 if tokens[i + 2][0].lower() == "the" and i + 3 < len(tokens) else i + 2
    return k if tokens[i + 1][0] in _IN_TITLES and tokens[k][0][0].isupper() else None


def _next_part(tokens: list[tuple[str, int, int]], j: int) -> int | None:
    k = j + 1
    if tokens[j][0].endswith(".") and (len(tokens[j][0]) > 5 or _opens_sentence(tokens, k)):
        return None
    if k + 1 < len(tokens) and tokens[k][0] in {"and", "&"} and tokens[k + 1][0].lower().strip(".") in FIRMS:
        return k + 1
    while k < len(tokens) and k <= j + 3:
        word = tokens[k][0]
        if _capital(word) and not _in_date(tokens, k):
            return k
        if word[0].isdigit() and k == j + 1 and len(word) <= 4 and not _is_year_clause(tokens, k):
            return k
        if (
            word == ","
            and k + 1 < len(tokens)
            and tokens[k + 1][0].lower() in TITLES
            and tokens[k + 1][0][0] in "DPKQCEBLMAVJSI123456789"
            and not (k + 2 < len(tokens) and _capital(tokens[k + 2][0]))
        ):
            return k + 1
        if word not in CONNECTORS or word in {"to", "for", "in", "on", "a", "en"}:
            return None
        k += 1
    return None


def _opens_sentence(tokens: list[tuple[str, int, int]], k: int) -> bool:
    """Whether a word is one that begins sentences and no part of a name ("... Hill. Who ...")."""
    return k < len(tokens) and tokens[k][0].lower() in STOP


def _is_year_clause(tokens: list[tuple[str, int, int]], k: int) -> bool:
    return bool(re.fullmatch(r"1\d{3}|20\d\d", tokens[k][0]))


@lru_cache(maxsize=65536)
def normal(name: str) -> str:
    """A name for comparison: lower case, no accents, brackets, punctuation, articles or courtesy titles."""
    name = re.sub(r"\s*[(（][^)）]*[)）]", "", name) or name
    folded = "".join(c for c in unicodedata.normalize("NFKD", name.lower()) if not unicodedata.combining(c))
    if is_cjk(name):
        folded = unicodedata.normalize("NFKC", name.lower())
    parts = re.findall(rf"[^\W_{KANA}{HAN}]+|[{CJK}ー]+", folded.replace("'s", "s").replace("’s", "s"))
    return " ".join(
        p for p in parts if p not in {"the", "king", "queen", "prince", "princess", "sir", "dr", "mr", "a"}
    ) or " ".join(parts)


@lru_cache(maxsize=65536)
def likeness(name: str, other: str) -> float:
    """How surely two names mean one thing, 0–1: equal, one inside the other, or most words shared."""
    a, b = normal(name), normal(other)
    if not a or not b:
        return 0.0
    if a == b:
        return 1.0 if name.lower() == other.lower() else 0.98
    if is_cjk(a) or is_cjk(b):
        a, b = a.replace(" ", ""), b.replace(" ", "")
        return 0.85 if (a in b or b in a) and min(len(a), len(b)) >= 2 else 0.0
    left, right = set(a.split()), set(b.split())
    shared = {x for x in left if x in right or (len(x) > 4 and any(_nearly(x, y) for y in right))}
    if not any(len(word) > 2 for word in shared):
        return 0.0
    if _ranks(left) and _ranks(right) and _ranks(left) != _ranks(right):
        return 0.5 * len(shared) / len(left | right)
    if f" {a} " in f" {b} " or f" {b} " in f" {a} ":
        return 0.75 + 0.2 * len(shared) / len(left | right)
    return len(shared) / len(left | right)


def _ranks(parts: set[str]) -> set[str]:
    """Numerals in a name, which tell apart what is otherwise named alike."""
    return {p for p in parts if p[0].isdigit() or re.fullmatch(r"[ivx]{1,5}", p)}


def _nearly(a: str, b: str) -> bool:
    """Two spellings of one word: all but the last letter or two are the same."""
    return abs(len(a) - len(b)) <= 2 and a[: max(4, len(a) - 1)] == b[: max(4, len(a) - 1)]


@lru_cache(maxsize=65536)
def mentions(sentence: str, name: str) -> bool:
    """Whether a sentence names the thing, in full or by its last word standing alone."""
    plain, wanted = normal(sentence), normal(name)
    if not wanted:
        return False
    if is_cjk(wanted):
        return wanted.replace(" ", "") in plain.replace(" ", "")
    if f" {wanted} " in f" {plain} " or re.search(rf"(?<!\w){re.escape(name)}['’]s?(?!\w)", sentence, re.I):
        return True
    parts = wanted.split()
    return len(parts) > 1 and len(parts[-1]) > 3 and _stands_alone(parts[-1], sentence)


def _stands_alone(word: str, sentence: str) -> bool:
    """Whether a surname-like word occurs capitalised and with no other capitalised word before it."""
    for match in re.finditer(
        rf"(?:(\S+)\s+|^|(?<=[\"“(]))({re.escape(word)})\b(?![-–])", sentence, re.IGNORECASE
    ):
        before = match.group(1) or ""
        if match.group(2)[:1].isupper() and (not before[:1].isupper() or before.lower() in STOP):
            return True
    return False
