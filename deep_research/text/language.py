"""What many modules ask of a text: its number of tokens, its language, its sentences, its parts outside code.

Nothing here downloads a tokenizer: tokens are estimated and corrected by the usage that models report.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache


def report_language(question: str, chosen: str) -> str:
    """The language that a report is written in: the one chosen, or the question's."""
    return detect_language(question) if chosen == "auto" else chosen


_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
CJK = re.compile(f"[{_CJK}]")
_KANA = re.compile("[\u3040-\u30ff]")
_WORD = re.compile(r"[^\W_]\S*")
_SENTENCE_END = re.compile(
    r"(?<=[。！？])\s*|(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9\u00c0-\u024f])|\n+"
)
_ABBREVIATION = re.compile(r"\b(?:[A-Z]|Mr|Mrs|Ms|Dr|St|No|vs|e\.g|i\.e|approx|ca|Prof|Inc|Ltd|Co)\.$")

CODE = re.compile(
    r"(```.*?(?:```|\Z)|(?<!`)``(?!`)(?:[^`\n]|`(?!`))+``(?!`)|(?<!`)`(?!`)[^`\n]+`(?!`))", re.DOTALL
)
"""Fenced code and code spans of Markdown, closed by as many backticks as opened them; its one group makes
`split` alternate between text and code."""


def blank_code(markdown: str) -> str:
    """The Markdown with blanks in place of its code, so that every other character keeps its place."""
    return CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), markdown)


def count_tokens(text: str) -> int:
    """Estimated tokens: one per four Latin letters, one per CJK character, plus 10 %, rounded up."""
    cjk = len(CJK.findall(text))
    return int(((len(text) - cjk) / 4 + cjk) * 1.1) + 1 if text else 0


def detect_language(text: str) -> str:
    """'ja' where there is kana, 'zh' where there are other CJK characters in force, else 'en'."""
    cjk = len(CJK.findall(text))
    if not cjk or cjk * 4 < len(re.findall(r"\w", text)):
        return "en"
    return "ja" if _KANA.search(text) else "zh"


@lru_cache(maxsize=4096)
def split_sentences(text: str) -> tuple[str, ...]:
    """Sentences of a text in English, Chinese or Japanese; a line break ends one too."""
    sentences: list[str] = []
    before = ""
    for piece in filter(None, ((part or "").strip() for part in _SENTENCE_END.split(text))):
        if _ABBREVIATION.search(before):
            sentences[-1] += " " + piece
        else:
            sentences.append(piece)
        before = piece
    return tuple(sentences)


def outside_code(markdown: str, change: Callable[[str], str]) -> str:
    """The Markdown with `change` applied to each part that is not code."""
    return "".join(part if place % 2 else change(part) for place, part in enumerate(CODE.split(markdown)))


def span(least: int, most: int) -> str:
    """A range of counts in words: '3 to 5', or '9' where it has but one."""
    return str(most) if least == most else f"{least} to {most}"


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 call`, `2 calls`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def count_words(text: str) -> int:
    """Words of a text, each Chinese or Japanese character as one."""
    return len(CJK.findall(text)) + len(_WORD.findall(CJK.sub(" ", text)))


def shorten(text: str, length: int = 80) -> str:
    """One line of at most `length` characters, cut at a word with an ellipsis."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    cut = line[: length - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[length // 2 :] else cut) + "…"
