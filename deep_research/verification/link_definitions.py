"""Links by reference: `[the page][g]`, which `[g]: https://…` in a line of its own leads to an address.

A definition and its uses are one thing: without the line, the uses would stand as bare brackets.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .edits import Edit, apply, removal
from .notation import unescaped
from .report_blocks import masked
from .sanitizer import Address

_DEFINITION = re.compile(
    r"^[ \t>*+-]{0,20}\[(?P<label>[^\[\]\n]{1,200})\]:[ \t]{0,20}"
    r"<?(?P<url>(?:[a-z][a-z0-9+.-]{1,15}:|www\.)[^\s<>]{1,2000})>?"
    r"(?:[ \t]{1,20}(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|\([^()\n]{0,200}\)))?[ \t]{0,20}(?:\n|\Z)",
    re.IGNORECASE | re.MULTILINE,
)
_USE = re.compile(r"!?\[(?P<words>[^\[\]\n]{1,300})\](?:\[(?P<label>[^\[\]\n]{0,200})\])?(?![(:])")


def without_definitions(
    markdown: str, may_stay: Callable[[Address], object], mark: str = ""
) -> tuple[str, list[str]]:
    """The text without the definitions that may not stay, and their addresses; a use keeps its words.

    `mark` stands behind each use.
    """
    if "]:" not in markdown:
        return markdown, []
    plain = masked(markdown)
    labels: set[str] = set()
    edits: list[Edit] = []
    gone: list[str] = []
    for line in _DEFINITION.finditer(plain):
        found = Address(unescaped(line["url"]), "", *line.span())
        if not may_stay(found):
            labels.add(_folded(line["label"]))
            gone.append(found.url)
            edits.append((found.start, found.end, ""))
    for use in _USE.finditer(plain) if labels else ():
        if _folded(use["label"] or use["words"]) in labels:
            edits.append(_without_link(markdown, use, mark))
    return apply(markdown, sorted(edits)), gone


def _without_link(markdown: str, use: re.Match[str], mark: str) -> Edit:
    """The words of a link; the label of a footnote is none."""
    if use["words"].startswith("^"):
        start, end, new = removal(markdown, *use.span())
        return start, end, new + mark
    return use.start(), use.end(), markdown[slice(*use.span("words"))] + mark


def _folded(label: str) -> str:
    return " ".join(label.split()).casefold()
