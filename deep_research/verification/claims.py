"""The cited sentences of a report with plain `[n]` markers: what is claimed, where, and on which sources.

A claim is one sentence, list item or table row together with every marker in it or right behind it, wherever
the markers stand: before the full stop, after it, or in the middle. A table row is read with its header,
since a cell alone claims nothing. Headings, code and the entries of a source list are no claims.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..text import CODE
from .sentences import MARKERS, RULE, Block, blocks, sentence_spans

MARK = "⚠"
"""Stands behind a sentence that was checked and not confirmed; it is no part of what is claimed."""
_ANY_MARK = re.compile(rf"{MARK}\ufe0e?")
_MARKER = re.compile(MARKERS)
_LEADING = re.compile(rf"\s*{MARKERS}+")
_RANGE = re.compile(r"(\d+)(?:[ \t]?[–-][ \t]?(\d+))?")
_LINK = re.compile(r"!?\[([^\[\]]{0,500})\]\([^()\s]{0,2000}\)")
_EMPHASIS = re.compile(r"\*+|(?<!\w)_+|_+(?!\w)|`+")
_EDGE = re.compile(r"^\||(?<!\\)\|$")
_CELL_END = re.compile(r"(?<!\\)\|")
_CAPITAL = re.compile(r"\b[A-Z](?=[a-z])")
_ENTRY = re.compile(r"\s*\[\d{1,4}\][:.]?\s(?:[^\n]|\n(?!\s*\n)){0,1000}?(?:https?://|doi:)")
_ENDS_IN_ADDRESS = re.compile(r"[:.,]\s+<?(?:https?://|doi:\s*)\S+>?\s*\Z")
_LONGEST_RANGE = 100


class CitedSentence(NamedTuple):
    """A claim: its words without markup and markers, its place in the report, and the numbers it cites."""

    text: str
    start: int
    end: int
    numbers: list[int]


def cited_sentences(markdown: str) -> list[CitedSentence]:
    """Every sentence of a report that cites a source, in reading order.

    `markdown[start:end]` is the sentence as it stands, with its markers. Numbers are in order, each once.
    """
    return [said for said in all_sentences(markdown) if said.numbers]


def all_sentences(markdown: str) -> list[CitedSentence]:
    """The same for every sentence, cited or not; the head of a table, headings and code are none."""
    masked = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), markdown)
    found: list[CitedSentence] = []
    header = ""
    previous = ""
    for block in blocks(masked):
        if block.kind == "row":
            row = masked[block.start : block.end]
            if RULE.fullmatch(row):
                header = previous
                if header and found and not found[-1].numbers:
                    found.pop()
            else:
                found += _claim(_with_header(row, header), block.start, block.end, row)
            previous = row
        else:
            header = previous = ""
            found += _in_block(masked, block)
    return found


def plain_claim(text: str) -> str:
    """A sentence without citation markers, links' addresses, emphasis and marks, as it is checked."""
    text = _LINK.sub(r"\1", _MARKER.sub("", _ANY_MARK.sub("", text)))
    return " ".join(_EMPHASIS.sub("", text).split()).strip()


def _in_block(text: str, block: Block) -> Iterator[CitedSentence]:
    """The claims of a paragraph or list item; a marker that opens a sentence belongs to the one before."""
    if block.kind == "heading" or _is_entry(text, block):
        return
    spans: list[tuple[int, int]] = []
    for start, end in sentence_spans(text, block.start, block.end):
        leading = _LEADING.match(text, start, end)
        if leading and spans:
            spans[-1] = (spans[-1][0], leading.end())
            start = leading.end() + len(text[leading.end() : end]) - len(text[leading.end() : end].lstrip())
        if start < end:
            spans.append((start, end))
    for start, end in spans:
        yield from _claim(text[start:end], start, end, text[start:end])


def _is_entry(text: str, block: Block) -> bool:
    """Whether a block is a line of a source list: `[1] Title: url`, or an item that ends in an address."""
    if _ENTRY.match(text, block.start, block.end):
        return True
    tail = max(block.start, block.end - 2_000)
    return block.kind == "item" and _ENDS_IN_ADDRESS.search(text, tail, block.end) is not None


def _claim(text: str, start: int, end: int, markers: str) -> Iterator[CitedSentence]:
    numbers = [number for marker in _MARKER.findall(markers) for number in _numbers(marker)]
    if words := plain_claim(text):
        yield CitedSentence(words, start, end, list(dict.fromkeys(numbers)))


def _numbers(marker: str) -> Iterator[int]:
    """The numbers of one marker: `[1, 3-5]` is 1, 3, 4, 5."""
    for first, last in _RANGE.findall(marker):
        low, high = int(first), int(last or first)
        yield from range(low, min(high, low + _LONGEST_RANGE) + 1) if high >= low else (low, high)


def _with_header(row: str, header: str) -> str:
    """A table row as `cell; column: cell; column: cell`; what a column holds is no name of anything."""
    cells, names = _cells(row), _cells(_CAPITAL.sub(lambda first: first[0].lower(), header))
    if len(names) != len(cells):
        return "; ".join(cell for cell in cells if cell)
    pairs = zip(names[1:], cells[1:], strict=True)
    return "; ".join([*cells[:1], *(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)])


def _cells(row: str) -> list[str]:
    row = _EDGE.sub("", row.strip())
    return [cell.strip().replace("\\|", "|") for cell in _CELL_END.split(row)] if row else []
