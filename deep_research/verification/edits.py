"""Small local changes to a text: what is not in an edit stays as it was, character by character."""

from __future__ import annotations

from collections.abc import Iterable

Edit = tuple[int, int, str]
"""Start, end, and what stands there instead."""

_PAIRS = {"(": ")", "（": "）", "[": "]", "【": "】", "<": ">"}
_CLOSING = (*" \t\r\n.,;:!?。，；：、！？)）|", "")


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made; they are in order, and one that begins inside another is cut short."""
    pieces: list[str] = []
    done = 0
    for start, end, new in edits:
        pieces += [text[done : max(done, start)], new]
        done = max(done, end)
    return "".join([*pieces, text[done:]])


def removal(text: str, start: int, end: int) -> Edit:
    """The edit that takes `text[start:end]` out.

    Brackets that held nothing else go too, and so does the blank before, unless a word follows. A blank stays
    where the neighbours would grow together: `[[3]1]` without its inner part must not become `[1]`.
    """
    start, end = _with_brackets(text, start, end)
    while start and text[start - 1] in " \t" and text[end : end + 1] in _CLOSING:
        start -= 1
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    grows = before.strip() and after not in _CLOSING
    return start, end, " " if grows else ""


def _with_brackets(text: str, start: int, end: int) -> tuple[int, int]:
    if start > 1 and text[start - 2 : start] == "\\[" and text[end : end + 2] == "\\]":
        return start - 2, end + 2
    opening = text[start - 1 : start]
    if start and opening in _PAIRS and text[end : end + 1] == _PAIRS[opening]:
        return start - 1, end + 1
    return start, end
