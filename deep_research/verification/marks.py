"""The mark behind a sentence that was checked and not confirmed: where it is set, and how it is found again.

It is the only trace of a citation that was taken out. A sentence without a citation that bears it was flagged
when the report was verified before, and stays so: verifying a verified report says the same once more.
"""

from __future__ import annotations

from collections.abc import Sequence

from .claims import MARK, CitedSentence
from .edits import Edit, apply

_NEAR = 10
_AS_EMOJI = "\ufe0f"
"""Follows a warning sign that writers set as an ornament (⚠️); ours stands alone."""


def with_marks(markdown: str, doubted: Sequence[CitedSentence]) -> str:
    """The report with a mark behind each of these sentences, given in order; one that has it keeps one."""
    return apply(markdown, [_mark(markdown, said) for said in doubted if not is_marked(markdown, said)])


def is_marked(markdown: str, said: CitedSentence) -> bool:
    """Whether the sentence ends with the mark, or has it right behind it."""
    end, _ = _end(markdown, said)
    if markdown[max(end - _NEAR, 0) : end].rstrip(" ").endswith(MARK):
        return True
    behind = markdown[end : end + _NEAR].lstrip(" ")
    return behind.startswith(MARK) and behind[1:2] != _AS_EMOJI


def _mark(markdown: str, said: CitedSentence) -> Edit:
    end, row = _end(markdown, said)
    start = end
    while markdown[start - 1 : start] == " ":
        start -= 1
    return start, end, f" {MARK}{' ' if row else ''}"


def _end(markdown: str, said: CitedSentence) -> tuple[int, bool]:
    """Where the words of a sentence end, and whether that is inside the last cell of a table row."""
    row = markdown[said.start : said.end].endswith("|") and markdown[said.end - 2] != "\\"
    return (said.end - 1 if row else said.end), row
