"""The mark behind a sentence that was checked and not confirmed: where it is set, and how it is found again.

It is the only trace of a citation that was taken out; verifying a verified report must say the same again.
But writers warn their readers with the same sign. In a report of ours, known by its section on the check, the
mark is a verdict; in anybody else's only `LOST_MARK` is, which `verify` sets and nobody types.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .claims import MARK, CitedSentence
from .edits import Edit, apply

LOST_MARK = f"{MARK}\ufe0e"
"""The mark in a report that is not ours: it looks the same, and asks to be drawn as text."""
CHECK_HEADINGS = {
    "en": "How this report was checked",
    "zh": "本报告的核对情况",
    "ja": "この報告の照合結果",
}
"""What a report of ours calls its section on the check, by language."""
_CHECKED = re.compile(rf"^## (?:{'|'.join(CHECK_HEADINGS.values())})[ \t]*$", re.MULTILINE)
_NEAR = 10
_AS_EMOJI = "\ufe0f"
"""Follows a warning sign that writers set as an ornament (⚠️); ours stands alone."""


def mark_of(markdown: str) -> str:
    """The mark that is a verdict in this report."""
    return MARK if _CHECKED.search(markdown) else LOST_MARK


def with_marks(markdown: str, doubted: Sequence[CitedSentence], mark: str = MARK) -> str:
    """The report with a mark behind each of these sentences, given in order; one that has it keeps one."""
    unmarked = [said for said in doubted if not is_marked(markdown, said, mark)]
    return apply(markdown, [_mark(markdown, said, mark) for said in unmarked])


def is_marked(markdown: str, said: CitedSentence, mark: str = MARK) -> bool:
    """Whether the sentence ends with the mark, or has it right behind it; `LOST_MARK` is a `MARK`, too."""
    end, _ = _end(markdown, said)
    if markdown[max(end - _NEAR, 0) : end].rstrip(" ").endswith((mark, LOST_MARK)):
        return True
    behind = markdown[end : end + _NEAR].lstrip(" ")
    return behind.startswith(mark) and behind[1:2] != _AS_EMOJI


def _mark(markdown: str, said: CitedSentence, mark: str) -> Edit:
    end, row = _end(markdown, said)
    start = end
    while markdown[start - 1 : start] == " ":
        start -= 1
    return start, end, f" {mark}{' ' if row else ''}"


def _end(markdown: str, said: CitedSentence) -> tuple[int, bool]:
    """Where the words of a sentence end, and whether that is inside the last cell of a table row."""
    row = markdown[said.start : said.end].endswith("|") and markdown[said.end - 2] != "\\"
    return (said.end - 1 if row else said.end), row
