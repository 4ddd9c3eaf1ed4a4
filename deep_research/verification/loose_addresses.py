"""Addresses in the running text of a report of ours, where sources are cited by id and nothing else.

A writer that sets one there, bare, as a link or as a picture, took it from a page, from memory or from
nowhere. What was retrieved may stay. What the user has written is theirs, and stays as plain text. A line
that code has written keeps what it holds, and licenses nothing elsewhere, for it may quote a model or a page.
Everything else goes, as in anybody's report: a link keeps its words, and a line that held nothing else goes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from ..text import CJK
from ..urls import canonical_url
from .edits import Edit, apply, removal
from .link_definitions import without_definitions
from .matching import SourceIndex
from .sanitizer import Address, addresses

REASON = "url_not_in_registry"
"""What is recorded of an address that was taken out, as for a citation."""
_MARKUP = " \t-*+>0123456789.)"
_REST_OF_LINE = re.compile(f"[{re.escape(_MARKUP)}]*+(?:\n|\\Z)")


class Given(NamedTuple):
    """Where addresses may come from that nobody retrieved."""

    said: str = ""
    """What the user has said: its addresses may stand anywhere."""
    lines: Collection[str] = ()
    """Lines that code has written into the report: their addresses may stand in them."""


NOTHING_GIVEN = Given()


def without_unknown_addresses(
    markdown: str, sources: Sequence[Mapping[str, Any]], given: Given, mark: str = ""
) -> tuple[str, list[str]]:
    """The report without addresses that are neither of a source nor `given`; and those addresses.

    `mark` stands where one was taken out.
    """
    if not any(addresses(markdown)):
        return markdown, []
    index, allowed = SourceIndex(sources), {canonical_url(found.url) for found in addresses(given.said)}

    def stays(found: Address, text: str) -> bool:
        return index.match_url(found.url) is not None or _is_in(given.lines, text, found)

    def may_stay(found: Address, text: str = markdown) -> bool:
        return stays(found, text) or _is_among(allowed, found)

    markdown, gone = without_definitions(markdown, may_stay, mark)
    edits: list[Edit] = []
    for found in addresses(markdown):
        if stays(found, markdown):
            continue
        if _is_among(allowed, found):
            edits.append((found.start, found.end, _as_plain_text(found)))
        elif not index.match_url((known := _cut_at_cjk(found)).url):
            gone.append(known.url)
            edits.append(_removal(markdown, known, mark))
    return apply(markdown, edits), gone


def with_plain_addresses(text: str) -> str:
    """A text without links: the words of each stand before its address."""
    return apply(text, [(found.start, found.end, _as_plain_text(found)) for found in addresses(text)])


def _is_in(lines: Collection[str], markdown: str, found: Address) -> bool:
    """Whether an address stands in one of these lines, which may be the item of a list."""
    if not lines:
        return False
    most = max(map(len, lines)) + 3
    before = markdown[max(found.start - most, 0) : found.start].rpartition("\n")[2]
    behind = markdown[found.end : found.end + most].partition("\n")[0]
    return (before + markdown[found.start : found.end] + behind).strip().removeprefix("- ") in lines


def _is_among(allowed: set[str], found: Address) -> bool:
    return bool(allowed) and bool({canonical_url(found.url), canonical_url(_cut_at_cjk(found).url)} & allowed)


def _as_plain_text(found: Address) -> str:
    """An address with the words of its link, if it had any."""
    return f"{found.words} ({found.url})" if found.words else found.url


def _cut_at_cjk(found: Address) -> Address:
    """A bare address that runs on into Chinese or Japanese words, which need no blank, without them."""
    words = CJK.search(found.url) if found.bare else None
    if not words:
        return found
    return found._replace(url=found.url[: words.start()], end=found.start + words.start())


def _removal(markdown: str, found: Address, mark: str) -> Edit:
    """The edit that leaves the words of a link, or nothing; with the last thing in a line the line goes.

    Only what stands next to the address is looked at: a line may hold thousands of them.
    """
    if found.words:
        return found.start, found.end, found.words + mark
    rest = _REST_OF_LINE.match(markdown, found.end)
    start = found.start
    while rest and start and markdown[start - 1] in _MARKUP:
        start -= 1
    if rest and markdown[start - 1 : start] in ("", "\n"):
        return start, rest.end(), ""
    start, end, new = removal(markdown, found.start, found.end)
    return start, end, new + mark
