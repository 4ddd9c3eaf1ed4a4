"""Plain text tools: language, sentences, words and their stems, for Latin, Chinese and Japanese script.

Notable: Chinese and Japanese need no segmenter here. Runs of such characters are matched by overlapping pairs
(bigrams), after function words are cut out. All functions are pure and cached: a page is read once per
process.
"""

from __future__ import annotations

import re
from functools import lru_cache

from deep_research.text.cited_sentences import sentence_spans

from .lexicon import CJK_FUNCTION, IRREGULAR, STOP

KANA = r"\u3040-\u30ff\uff66-\uff9f"
HAN = r"\u3400-\u4dbf\u4e00-\u9fff\u3005"
CJK = KANA + HAN
_WORD = re.compile(rf"[{CJK}ー]+|[^\W_{CJK}]+(?:[.,'’\-][^\W_{CJK}]+)*")
_JOINT = re.compile(r"[-.](?=[^\W\d])")
_PART = re.compile(r"[^\W\d_a-z]+(?![a-zß-ÿ])|[^\W\d_]?[a-zß-ÿ]+|\d[\d.,]*")
"""The parts of a word with hyphens, dots or capitals inside it."""
_CJK_RUN = re.compile(rf"[{CJK}]")
FUNCTION = re.compile("|".join(sorted(map(re.escape, CJK_FUNCTION), key=lambda w: (-len(w), w))))
_SUFFIXES = (
    "ations", "ation", "ments", "ment", "ities", "ingly", "ings", "ions", "ers", "ors", "ies", "ing", "ion",
    "est", "ity", "als", "or", "er", "ed", "es", "ly", "al", "s", "e", "y",
)  # fmt: skip
_ENDS_IN_Y = re.compile("([a-z]{3,4})(?:y|ie[sd]?)|([a-z]+ey)s?")
"""Words whose stem keeps its y: short ones, and those in -ey."""


@lru_cache(maxsize=4096)
def language(text: str) -> str:
    """`en`, `zh` or `ja`, judged by script; any other language counts as `en`."""
    kana = len(re.findall(f"[{KANA}]", text))
    han = len(re.findall(f"[{HAN}]", text))
    latin = len(re.findall(r"[A-Za-z]", text))
    if kana >= 2 and kana * 8 > han:
        return "ja" if (kana + han) * 3 > latin else "en"
    return "zh" if han * 3 > latin and han else "en"


def is_cjk(text: str) -> bool:
    """Whether there is a Chinese or Japanese character in the text."""
    return not text.isascii() and bool(_CJK_RUN.search(text))


def count_cjk(text: str) -> int:
    """How many Chinese and Japanese characters stand in a text."""
    return len(_CJK_RUN.findall(text))


_SHORT_PLURAL = re.compile(r"(?!news|lens)[a-z]{2}[^siu\W]s|[a-z]{2}xes")
"""The plural of a word of three letters, which is too short to lose any other ending."""


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A crude stem for matching only: `builder`, `builds` and `building` are one."""
    word = word.lower().replace("’", "'").removesuffix("'s").strip("'.-")
    word = IRREGULAR.get(word, word)
    if ends := _ENDS_IN_Y.fullmatch(word):  # "stories" and "storeys" are no "stores"
        return ends[2] or f"{ends[1]}y"
    for _ in range(2):
        whole = re.search("ster(?=s?$)", word)  # "master" is no "mast"
        ending = next((s for s in _SUFFIXES if word.endswith(s) and len(word) - len(s) >= 4), "")
        ending = "s" * word.endswith("s") if whole else ending
        word = _doubled(word[: len(word) - len(ending)]) if ending else word
    if _SHORT_PLURAL.fullmatch(word):
        return word[: -2 if word.endswith("xes") else -1]
    return f"{word[:-1]}f" if word.endswith("lv") else word  # "shelves"


def stems(text: str) -> frozenset[str]:
    """The stems of the words of a list."""
    return frozenset(map(stem, text.split()))


def _doubled(word: str) -> str:
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeiouls" else word


@lru_cache(maxsize=65536)
def words(text: str) -> tuple[str, ...]:
    """Words as written; runs of Chinese or Japanese characters stay whole."""
    return tuple(_WORD.findall(text))


def is_stop(word: str) -> bool:
    """Whether a word says nothing by itself, nor does what is left of it without its ending ("who's")."""
    low = word.lower()
    return low in STOP or re.split("['’]", low)[0] in STOP


@lru_cache(maxsize=65536)
def terms(text: str) -> tuple[str, ...]:
    """What a text is matched by: stems of content words, and character pairs, in order, repeats kept."""
    found: list[str] = []
    for word in words(text):
        if is_cjk(word):
            found.extend(_pairs(word))
        elif not is_stop(word):
            found.append(stem(word))
            parts = dict.fromkeys([*_JOINT.split(word), *_PART.findall(word)])
            found.extend(stem(part) for part in parts if part != word and part.lower() not in STOP)
    return tuple(found)


def _pairs(run: str) -> list[str]:
    found: list[str] = []
    for part in FUNCTION.sub(" ", run).split():
        found.extend([part] if len(part) == 1 else [part[i : i + 2] for i in range(len(part) - 1)])
    return found


@lru_cache(maxsize=65536)
def term_set(text: str) -> frozenset[str]:
    """The distinct terms of a text."""
    return frozenset(terms(text))


@lru_cache(maxsize=8192)
def split_prose(text: str) -> tuple[str, ...]:
    """Split running text into sentences; one in bold or italics opens the next ("*For.* It is new."), and an
    exclamation goes on in small letters."""
    parts, opened = [], 0
    for _, end in sentence_spans(text):
        rest = text[end:].lstrip()
        if not rest or text[end - 1] not in "*!" or (text[end - 1] == "!" and not rest[0].islower()):
            parts.append(text[opened:end].strip())
            opened = end
    return tuple(parts)


def tidy(text: str) -> str:
    """One line, single spaces."""
    return " ".join(text.split())


def token_count(text: str) -> int:
    """About one token per four Latin letters and one per Chinese or Japanese character."""
    wide = count_cjk(text)
    return wide + (len(text) - wide + 3) // 4
