"""Where the sentences of a Markdown text stand: offsets into the text itself, so that a quote is verbatim.

English, Chinese and Japanese. A heading, list item, table row and paragraph is a block of its own; a single
line break inside a paragraph ends nothing. A full stop ends a sentence unless it belongs to an abbreviation,
an initial or a number; citation markers and closing quotes right behind it still belong to that sentence.
What has no end within `LONGEST` characters is cut at a blank: no input makes a sentence of a megabyte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

LONGEST = 1_000

MARKERS = r"(?:[ \t]{0,3}\[\d{1,3}(?:[ \t]?[,，、–-][ \t]?\d{1,3}){0,40}\])"
"""Numbers in brackets; `[2020]` is a year."""
RULE = re.compile(r"[\s|:-]+")
"""The line under a table's header."""
_END = re.compile(
    rf"(?:[.!?]+[\"'”’)\]*_]{{0,4}}(?:{MARKERS}*)(?=\s|$)|[.!?]{MARKERS}+|[。！？]+[」』）”’\"*]{{0,4}}{MARKERS}*)"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"“])(?:[A-Z]|[A-Z]\.[A-Z]|Mr|Mrs|Ms|Dr|St|Mt|No|Nos|vs|cf|al|e\.g|i\.e|etc|approx|ca|c|Prof|Inc|"
    r"Ltd|Co|Corp|Jr|Sr|Gen|Col|Capt|Lt|Sgt|Rev|Hon|Sen|Rep|Gov|Fig|Vol|pp|p|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|"
    r"Oct|Nov|Dec)\.$"
)
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+|[ \t]*(?:>[ \t]?)+")


class Block(NamedTuple):
    """A heading, list item, table row or paragraph: where its text stands, and which of these it is."""

    start: int
    end: int
    kind: str  # heading, row, item or paragraph


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a Markdown text in order; markers such as `-`, `#` and `>` stand outside of them."""
    opened: Block | None = None
    position = 0
    for line in text.splitlines(keepends=True):
        start, end = position, position + len(line.rstrip())
        position += len(line)
        kind, offset = _kind(line)
        if opened and (kind != "paragraph" or not line.strip()):
            yield opened
            opened = None
        if not line.strip():
            continue
        if kind in ("heading", "row"):
            yield Block(start + offset, end, kind)
        else:
            opened = Block(opened.start, end, opened.kind) if opened else Block(start + offset, end, kind)
    if opened:
        yield opened


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence in `text[start:end]`, taken as one block, without blanks around it."""
    end = len(text) if end is None else end
    opened = start
    for match in _END.finditer(text, start, end):
        if match[0][0] == "." and _goes_on(text, opened, match, end):
            continue
        yield from _pieces(text, opened, match.end())
        opened = match.end()
    yield from _pieces(text, opened, end)


def _kind(line: str) -> tuple[str, int]:
    """What a line is, and how many characters of markup open it."""
    stripped = line.lstrip()
    indent = len(line) - len(stripped)
    if stripped.startswith("#"):
        return "heading", indent + len(stripped) - len(stripped.lstrip("# \t"))
    if stripped.startswith("|"):
        return "row", indent
    marker = _ITEM.match(line)
    return ("item", marker.end()) if marker else ("paragraph", indent)


def _goes_on(text: str, opened: int, match: re.Match[str], end: int) -> bool:
    """Whether the full stop is that of an abbreviation, or a small letter follows it."""
    following = text[match.end() : min(match.end() + 8, end)].lstrip()
    if following[:1].islower():
        return True
    dot = match.start() + 1
    return match.end() == dot and _ABBREVIATION.search(text[max(opened, dot - 12) : dot]) is not None


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The span without blanks around it, cut at blanks where it is longer than `LONGEST`."""
    while start < end:
        stop = end
        if end - start > LONGEST:
            blank = max(text.rfind(mark, start + 1, start + LONGEST) for mark in " \n")
            stop = blank if blank > start else start + LONGEST
        piece = text[start:stop]
        left, right = start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
        if left < right:
            yield left, right
        start = stop
