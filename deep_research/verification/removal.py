"""Taking sentences out of a report so that no shell of them is left behind.

With its last sentence a list item, table row or paragraph goes too; with its last row a table's header; with
the last block under it a heading. Half of a bold or emphasised passage keeps its marks: of "**A. B.**"
without A is left "**B.**".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .report_blocks import Line, masked, split_lines

_MARKUP = " \t-*_+>0123456789.)|"
_EMPHASIS = re.compile(
    r"(?<![\\*])\*{1,3}(?!\*|(?<=\d\*)\d|(?<=\s\*)\s)|(?<![\\\w])_{1,3}(?![_\s])|(?<=[^\s\\_])_{1,3}(?!\w)"
)
_HEADING = re.compile(r" {0,3}(#{1,6})(?=\s|$)")
_RULE = re.compile(r"[\s|:-]*-[\s|:-]*")


def without(markdown: str, spans: Sequence[tuple[int, int]]) -> str:
    """The report without these sentences, given in order; without any it stays as it is."""
    plain = masked(markdown)
    left = markdown
    for start, end in reversed(spans):
        left = _cut(left, start, end, plain)
    return without_empty_headings(_without_tables(left)) if spans else markdown


def _cut(markdown: str, start: int, end: int, plain: str) -> str:
    """Without one sentence, and without its line where nothing else stands in it.

    `plain` is the report as it was, code blanked out; it is the same up to the end of the sentence.
    """
    line = markdown.rfind("\n", 0, start) + 1
    stop = markdown.find("\n", end)
    stop = len(markdown) if stop < 0 else stop
    before, after = markdown[:start], markdown[end:]
    if not (markdown[line:start] + markdown[end:stop]).strip(_MARKUP):
        return markdown[:line] + markdown[stop + 1 :]
    mark = _half(plain[start:end])
    if not mark:
        return before.rstrip(" ") + after
    paragraph = plain[plain.rfind("\n\n", 0, start) + 1 : start]
    if _EMPHASIS.findall(paragraph).count(mark) % 2:
        return before.rstrip(" ") + mark + after
    if after.lstrip(" ").startswith(mark):
        return before.rstrip(" ") + after.lstrip(" ")[len(mark) :]
    return before + mark + after.lstrip(" ")


def _half(sentence: str) -> str:
    """The emphasis mark that a sentence opens and does not close, or closes and did not open; "" if none."""
    found = _EMPHASIS.findall(sentence)
    return next((mark for mark in dict.fromkeys(found) if found.count(mark) % 2), "")


def _without_tables(markdown: str) -> str:
    """Without the header and rule of tables that have no row."""
    lines = split_lines(markdown)
    rules = [
        place
        for place, line in enumerate(lines)
        if line.kind == "table"
        and _RULE.fullmatch(markdown, line.start, line.end)
        and (place + 1 == len(lines) or lines[place + 1].kind != "table")
    ]
    return _without_lines(markdown, lines, {gone for place in rules for gone in (place - 1, place)})


def without_empty_headings(markdown: str) -> str:
    """Without the headings over nothing; the report's own title stays."""
    lines = split_lines(markdown)
    gone: set[int] = set()
    level_below = 0  # of the next heading that stays, 7 where text stands between
    for place in range(len(lines) - 1, -1, -1):
        line = lines[place]
        text = markdown[line.start : line.end]
        heading = _HEADING.match(text) if line.kind == "text" else None
        level = len(heading[1]) if heading else 7
        if heading and level_below <= level and level > 1:
            gone.add(place)
        elif heading or text.strip():
            level_below = level
    return _without_lines(markdown, lines, gone)


def _without_lines(markdown: str, lines: Sequence[Line], gone: set[int]) -> str:
    """Without these lines, and without the blank lines that follow them."""
    kept = []
    after_gone = False
    for place, line in enumerate(lines):
        text = markdown[line.start : line.next]
        after_gone = place in gone or (after_gone and not text.strip())
        if not after_gone:
            kept.append(text)
    return "".join(kept)
