"""Plain text tools: language, sentences, words and their stems, for Latin, Chinese and Japanese script.

Notable: Chinese and Japanese need no segmenter here. Runs of such characters are matched by overlapping pairs
(bigrams), after function words are cut out. Markdown tables become one readable sentence per row, so that
everything downstream sees sentences only. All functions are pure and cached: a page is read once per process.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from .lexicon import CJK_FUNCTION, STOP

KANA = r"\u3040-\u30ff\uff66-\uff9f"
HAN = r"\u3400-\u4dbf\u4e00-\u9fff\u3005"
CJK = KANA + HAN
_WORD = re.compile(rf"[{CJK}ー]+|[^\W_{CJK}]+(?:[.,'’\-][^\W_{CJK}]+)*")
_CJK_RUN = re.compile(rf"[{CJK}]")
_FUNCTION = re.compile("|".join(sorted(map(re.escape, CJK_FUNCTION), key=lambda w: (-len(w), w))))
_BREAK = re.compile(
    r"(?<=[.!?])([\"'”’)\]]*)\s+(?=[\"'“‘(\[]*[^\W_a-zß-ÿ])|(?<=[。！？])(?![」』”）])|(?<=[。！？][」』”）])"
)
_SHORT = re.compile(
    r"(?:^|[\s(])(?:[^\W\d_a-zß-ÿ]|(?i:mr|mrs|d|b|c|r|fl|ms|dr|st|jr|sr|prof|gen|col|lt|capt|rev|fr|no"
    r"|vs|approx|ca|vol|fig|mt))\.$"
)
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+")
_NO_COLUMN_NAME = frozenset(
    "value values detail details description information 值 数值 内容 値 内容 詳細".split()
)
_MEASURED = re.compile(rf"(?!(?:1[5-9]|20)\d\d(?!\d))\d[\d,.]*(?:\s[^\W\d_]|[%{CJK}])")
"""A number with its unit; no year, ordinal or version."""
_RULE = re.compile(r"[|:\s-]*-[|:\s-]*")
ROW = re.compile(r"^[^.。]{1,80} — \S")
"""How a table row reads once it is a sentence."""
_SUFFIXES = (
    "ations", "ation", "ments", "ment", "ities", "ingly", "ings", "ions", "ers", "ors", "ies", "ing", "ion",
    "est", "ity", "als", "or", "er", "ed", "es", "ly", "al", "s", "e", "y",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, list item or table row; `heading` is the nearest one above it."""

    text: str
    kind: str = "prose"
    heading: str = ""


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
    return bool(_CJK_RUN.search(text))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A crude stem for matching only: `builder`, `builds` and `building` are one."""
    word = word.lower().replace("’", "'").removesuffix("'s").strip("'.-")
    for _ in range(2):
        ending = next((s for s in _SUFFIXES if word.endswith(s) and len(word) - len(s) >= 4), "")
        word = _doubled(word[: len(word) - len(ending)]) if ending else word
    return word


def _doubled(word: str) -> str:
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeiouls" else word


@lru_cache(maxsize=65536)
def words(text: str) -> tuple[str, ...]:
    """Words as written; runs of Chinese or Japanese characters stay whole."""
    return tuple(_WORD.findall(text))


@lru_cache(maxsize=65536)
def terms(text: str) -> tuple[str, ...]:
    """What a text is matched by: stems of content words, and character pairs, in order, repeats kept."""
    found: list[str] = []
    for word in words(text):
        if is_cjk(word):
            found.extend(_pairs(word))
        elif word.lower() not in STOP:
            found.append(stem(word))
            if "-" in word:
                found.extend(stem(part) for part in word.split("-") if part and part.lower() not in STOP)
    return tuple(found)


def _pairs(run: str) -> list[str]:
    found: list[str] = []
    for part in _FUNCTION.sub(" ", run).split():
        found.extend([part] if len(part) == 1 else [part[i : i + 2] for i in range(len(part) - 1)])
    return found


@lru_cache(maxsize=65536)
def term_set(text: str) -> frozenset[str]:
    """The distinct terms of a text."""
    return frozenset(terms(text))


@lru_cache(maxsize=8192)
def sentences(text: str) -> tuple[Sentence, ...]:
    """All sentences of a page in order, with list items and table rows as sentences of their own."""
    found: list[Sentence] = []
    heading = ""
    header: list[str] = []
    lines = [line.strip() for line in text.splitlines()]
    for line, following in zip(lines, [*lines[1:], ""], strict=False):
        if not line:
            continue
        if line.startswith("#"):
            heading, header = line.lstrip("# ").strip(), []
        elif line.startswith("|") or line.count("|") >= 2:
            header = _table_line(line, header, bool(_RULE.fullmatch(following)), heading, found)
        else:
            header = []
            kind = "item" if _BULLET.match(line) else "prose"
            line = _BULLET.sub("", line)
            if ROW.match(line) and re.search(r"\d", line):
                found.append(Sentence(line, "row", heading))
                continue
            found.extend(Sentence(part, kind, heading) for part in split_prose(line))
    return tuple(found)


def _table_line(line: str, header: list[str], ruled: bool, heading: str, found: list[Sentence]) -> list[str]:
    """Add a table row as `first cell — column: cell; …`; the first line of a table is its header, unless no
    rule follows and it has measures already, as where an excerpt begins inside a table."""
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    if all(re.fullmatch(r":?-+:?|", cell) for cell in cells):
        return header
    if not header:
        if ruled or sum(map(bool, map(_MEASURED.match, cells[1:]))) < max(1, len(cells) // 2):
            return cells
        header = [""] * len(cells)
    plain = len(cells) <= 2 and header[-1].lower() in _NO_COLUMN_NAME
    named = zip(header[1:], cells[1:], strict=False)
    pairs = [f"{name}: {cell}" if name and not plain else cell for name, cell in named if cell]
    label = f"{header[0]} {cells[0]}".strip() if re.fullmatch(r"[\d,.\s年-]+", cells[0]) else cells[0]
    found.append(Sentence(f"{label} — {'; '.join(pairs)}" if pairs else label, "row", heading))
    return header


@lru_cache(maxsize=8192)
def split_prose(text: str) -> tuple[str, ...]:
    """Split running text into sentences; initials and common abbreviations end none."""
    parts: list[str] = []
    start = 0
    for match in _BREAK.finditer(text):
        end = match.end(1) if match.group(1) else match.start()
        piece = text[start:end].strip()
        if piece and not _SHORT.search(piece):
            parts.append(piece)
            start = match.end()
    rest = text[start:].strip()
    return tuple([*parts, rest] if rest else parts)


def tidy(text: str) -> str:
    """One line, single spaces."""
    return " ".join(text.split())


def token_count(text: str) -> int:
    """About one token per four Latin letters and one per Chinese or Japanese character."""
    wide = len(_CJK_RUN.findall(text))
    return wide + (len(text) - wide + 3) // 4
