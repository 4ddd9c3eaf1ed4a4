"""The sentences of a Markdown text: where they stand, what each claims, and which sources it cites.

Offsets are those of the text itself, so that a quote is verbatim. English, Chinese and Japanese. A heading,
list item, table row and paragraph is a block of its own; a single line break inside a paragraph ends nothing.
A full stop ends a sentence unless it belongs to an abbreviation, an initial or a number; citation markers and
closing quotes right behind it still belong to that sentence. A sentence without an end within
`LONGEST_SENTENCE` characters is cut at a blank.

A claim is one sentence, list item or table row together with every marker in it or right behind it, wherever
the markers stand. A table row is read with its header, since a cell alone claims nothing. Headings, code and
the entries of a source list are no claims.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .language import CODE, blank_code
from .units import with_unit_of_label

LONGEST_SENTENCE = 1_000

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


class TextBlock(NamedTuple):
    """A heading, list item, table row or paragraph: where its text stands, and which of these it is."""

    start: int
    end: int
    kind: str  # heading, row, item or paragraph


def text_blocks(text: str) -> Iterator[TextBlock]:
    """The blocks of a Markdown text in order; markers such as `-`, `#` and `>` stand outside of them."""
    opened: TextBlock | None = None
    position = 0
    for line in text.splitlines(keepends=True):
        start, end = position, position + len(line.rstrip())
        position += len(line)
        kind, offset = _line_kind(line)
        if opened and (kind != "paragraph" or not line.strip()):
            yield opened
            opened = None
        if not line.strip():
            continue
        if kind in ("heading", "row"):
            yield TextBlock(start + offset, end, kind)
        else:
            opened = (
                TextBlock(opened.start, end, opened.kind) if opened else TextBlock(start + offset, end, kind)
            )
    if opened:
        yield opened


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence in `text[start:end]`, taken as one block, without blanks around it."""
    end = len(text) if end is None else end
    opened = start
    for match in _END.finditer(text, start, end):
        if match[0][0] == "." and _is_abbreviation(text, opened, match, end):
            continue
        if match[0][0] in "。！？" and _is_quoted(text, opened, match.end(), end):
            continue
        yield from _trimmed_spans(text, opened, match.end())
        opened = match.end()
    yield from _trimmed_spans(text, opened, end)


def _line_kind(line: str) -> tuple[str, int]:
    """What a line is, and how many characters of markup open it."""
    stripped = line.lstrip()
    indent = len(line) - len(stripped)
    if stripped.startswith("#"):
        return "heading", indent + len(stripped) - len(stripped.lstrip("# \t"))
    if stripped.startswith("|"):
        return "row", indent
    marker = _ITEM.match(line)
    return ("item", marker.end()) if marker else ("paragraph", indent)


def _is_abbreviation(text: str, opened: int, match: re.Match[str], end: int) -> bool:
    """Whether the full stop is that of an abbreviation, or a small letter follows it and no citation."""
    following = text[match.end() : min(match.end() + 8, end)].lstrip()
    if following[:1].islower() and "]" not in match[0]:
        return True
    dot = match.start() + 1
    return match.end() == dot and _ABBREVIATION.search(text[max(opened, dot - 12) : dot]) is not None


def _is_quoted(text: str, opened: int, place: int, end: int) -> bool:
    """Whether a place is inside of Chinese or Japanese quotation marks, or where it goes on behind them."""
    if text[place - 1] in "」』":
        return "\u3041" <= text[place : place + 1] <= "\u309f"
    return any(
        text.count(left, opened, place) > text.count(right, opened, place) and right in text[place:end]
        for left, right in ("「」", "『』", "“”")
    )


def _trimmed_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The span without blanks around it, cut at blanks where it is longer than `LONGEST_SENTENCE`."""
    while start < end:
        stop = end
        if end - start > LONGEST_SENTENCE:
            blank = max(text.rfind(mark, start + 1, start + LONGEST_SENTENCE) for mark in " \n")
            stop = blank if blank > start else start + LONGEST_SENTENCE
        piece = text[start:stop]
        left, right = start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
        if left < right:
            yield left, right
        start = stop


DOUBT_MARK = "⚠"
"""Stands behind a sentence that was checked and not confirmed; it is no part of what is claimed."""
ADDED_MARK = "‡"
"""Stands behind a citation that the program has added."""
_ANY_MARK = re.compile(rf"{DOUBT_MARK}\ufe0e?|(?<=\]){ADDED_MARK}")
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
_MEANING = "`[]()*_|.!?:;,。！？#\\"
_DISARM = {ord(mark): 0xE000 + place for place, mark in enumerate(_MEANING)}
_REARM = {stand_in: "" if chr(mark) == "`" else chr(mark) for mark, stand_in in _DISARM.items()}
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.*)$", re.MULTILINE)


class CitedSentence(NamedTuple):
    """A claim: its words without markup and markers, its place in the report, and what it cites.

    A report that is finished cites numbers; one that is still being written cites `ids`.
    """

    text: str
    start: int
    end: int
    numbers: list[int]
    ids: tuple[str, ...] = ()


def cited_sentences(markdown: str) -> list[CitedSentence]:
    """Every sentence of a report that cites a source, in reading order.

    `markdown[start:end]` is the sentence as it stands, with its markers. Numbers are in order, each once.
    """
    return [said for said in all_sentences(markdown) if said.numbers]


def all_sentences(markdown: str) -> list[CitedSentence]:
    """The same for every sentence, cited or not; the head of a table, headings and code are none."""
    masked = _disarmed(markdown)
    found: list[CitedSentence] = []
    header = ""
    previous = ""
    for block in text_blocks(masked):
        if block.kind == "row":
            row = masked[block.start : block.end]
            if RULE.fullmatch(row):
                header = previous
                if header and found and not found[-1].numbers:
                    found.pop()
            else:
                found += _claim_of(row_with_header(row, header), block.start, block.end, row)
            previous = row
        else:
            header = previous = ""
            found += _claims_in_block(masked, block)
    return found


def _disarmed(markdown: str) -> str:
    """The Markdown with blanks for blocks of code, and code spans in characters that mean nothing in it."""
    return CODE.sub(
        lambda code: blank_code(code[0]) if code[0].startswith("```") else code[0].translate(_DISARM),
        markdown,
    )


def headings_above(markdown: str, start: int) -> list[str]:
    """The headings over a place of a report, from the widest section to the nearest; its title is none."""
    above: list[str] = []
    for heading in _HEADING.finditer(blank_code(markdown), 0, start):
        depth = len(heading[1]) - 1
        above = [*above[: max(depth - 1, 0)], heading[2]] if depth else []
    return above


def plain_claim(text: str) -> str:
    """A sentence without citation markers, links' addresses, emphasis and marks, as it is checked."""
    text = _LINK.sub(r"\1", _MARKER.sub("", _ANY_MARK.sub("", text)))
    return " ".join(_EMPHASIS.sub("", text).split()).lstrip(":： ")


def _claims_in_block(text: str, block: TextBlock) -> Iterator[CitedSentence]:
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
        yield from _claim_of(text[start:end], start, end, text[start:end])


def _is_entry(text: str, block: TextBlock) -> bool:
    """Whether a block is a line of a source list: `[1] Title: url`, or an item that ends in an address."""
    if _ENTRY.match(text, block.start, block.end):
        return True
    tail = max(block.start, block.end - 2_000)
    return block.kind == "item" and _ENDS_IN_ADDRESS.search(text, tail, block.end) is not None


def _claim_of(text: str, start: int, end: int, markers: str) -> Iterator[CitedSentence]:
    numbers = [number for marker in _MARKER.findall(markers) for number in _numbers(marker)]
    if words := plain_claim(text).translate(_REARM):
        yield CitedSentence(words, start, end, list(dict.fromkeys(numbers)))


def _numbers(marker: str) -> Iterator[int]:
    """The numbers of one marker: `[1, 3-5]` is 1, 3, 4, 5."""
    for first, last in _RANGE.findall(marker):
        low, high = int(first), int(last or first)
        yield from range(low, min(high, low + _LONGEST_RANGE) + 1) if high >= low else (low, high)


def row_with_header(row: str, header: str) -> str:
    """A table row as `cell; column: cell; column: cell`; what a column holds is no name of anything."""
    cells, names = _cells(row), _cells(_CAPITAL.sub(lambda first: first[0].lower(), header))
    if len(names) != len(cells):
        return "; ".join(cell for cell in cells if cell)
    pairs = []
    for name, cell in zip(names[1:], (_MARKER.sub("", cell) for cell in cells[1:]), strict=True):
        plain, told = with_unit_of_label(name, cell)
        pairs.append((plain, told if told != cell else with_unit_of_label(cells[0], cell)[1]))
    return "; ".join([*cells[:1], *(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)])


def _cells(row: str) -> list[str]:
    row = _EDGE.sub("", row.strip())
    return [cell.strip().replace("\\|", "|") for cell in _CELL_END.split(row)] if row else []
