"""The blocks of a Markdown report: which parts are prose, which are tables, and which are code.

markdown-it-py finds the blocks. Its inline pass is switched off, since it keeps no offsets and edits must be
local: what stands inside a block is scanned by `report_markers`. Link definitions are switched off too,
because `[1]: https://...` is an entry of a reference list here. Offsets count characters of the input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

BlockKind = Literal["text", "table", "code"]
_LINE_END = re.compile(r"\r\n?|\n")
_RAW_HTML = re.compile(r"\s*<(?:pre|script|style|textarea|!--|\?|!\[CDATA)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its line end: `markdown[start:end]`; the next line starts at `next`."""

    start: int
    end: int
    next: int
    kind: BlockKind


def split_lines(markdown: str) -> list[Line]:
    """All lines of a report with the kind of block that each belongs to; linear in its length."""
    kinds = _kinds(markdown)
    lines: list[Line] = []
    start = 0
    for match in [*_LINE_END.finditer(markdown), None]:
        end, following = match.span() if match else (len(markdown), len(markdown))
        lines.append(Line(start, end, following, kinds.get(len(lines), "text")))
        start = following
    return lines


def paragraphs(markdown: str, lines: list[Line]) -> Iterator[tuple[int, int, BlockKind]]:
    """Runs of lines of one kind without a blank line between, code left out: start, end, kind."""
    start = end = -1
    kind: BlockKind = "code"
    for line in lines:
        blank = line.kind == "code" or not markdown[line.start : line.end].strip()
        if start >= 0 and (blank or line.kind != kind):
            yield start, end, kind
            start = -1
        if not blank:
            start, kind = (line.start if start < 0 else start), line.kind
            end = line.end
    if start >= 0:
        yield start, end, kind


def masked(markdown: str) -> str:
    """The report with blanks in place of code blocks and code spans; every offset stays what it was."""
    pieces, done = [], 0
    lines = split_lines(markdown)
    spans = [(line.start, line.end) for line in lines if line.kind == "code"]
    for start, end, _ in paragraphs(markdown, lines):
        spans += [(start + a, start + b) for a, b in code_spans(markdown[start:end])]
    for start, end in sorted(spans):
        pieces += [markdown[done:start], " " * (end - start)]
        done = end
    return "".join([*pieces, markdown[done:]])


def code_spans(text: str) -> list[tuple[int, int]]:
    """The code spans of a paragraph: a run of backticks to the next run of the same length; linear."""
    runs = [match.span() for match in re.finditer("`+", text)]
    closing: dict[int, int] = {}
    ends: list[int] = []
    for start, end in reversed(runs):
        ends.append(closing.get(end - start, 0))
        closing[end - start] = end
    spans: list[tuple[int, int]] = []
    for (start, _), end in zip(runs, reversed(ends), strict=True):
        if end and (not spans or start >= spans[-1][1]):
            spans.append((start, end))
    return spans


def _kinds(markdown: str) -> dict[int, BlockKind]:
    """Line number → kind, for the lines that are not plain text."""
    kinds: dict[int, BlockKind] = {}
    for token in _parser().parse(markdown):
        if not token.map:
            continue
        if token.type in ("fence", "code_block"):
            kinds.update(dict.fromkeys(range(*token.map), "code"))
        elif token.type == "table_open":
            kinds.update(dict.fromkeys(range(*token.map), "table"))
        elif token.type == "html_block" and _RAW_HTML.match(token.content):
            kinds.update(dict.fromkeys(range(*token.map), "code"))
    return kinds


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable(["inline", "text_join", "reference"])
