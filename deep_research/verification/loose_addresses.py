"""Addresses in the running text of a report of ours, where sources are cited by id and nothing else.

A writer that sets one there, bare, as a link or as a picture, took it from a page, from memory or from
nowhere. What was retrieved may stay. What the user, or code, has written is theirs, and stays as plain text.
Everything else goes, as in anybody's report: a link keeps its words, and a line that held nothing else goes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..text import CJK
from ..urls import canonical_url
from .edits import Edit, apply, removal
from .matching import SourceIndex
from .sanitizer import Address, addresses

REASON = "url_not_in_registry"
"""What is recorded of an address that was taken out, as for a citation."""
_MARKUP = " \t-*+>0123456789.)"
_REST_OF_LINE = re.compile(f"[{re.escape(_MARKUP)}]*+(?:\n|\\Z)")


def without_unknown_addresses(
    markdown: str, sources: Sequence[Mapping[str, Any]], given: str, mark: str = ""
) -> tuple[str, list[str]]:
    """The report without addresses that are neither of a source nor in the text `given`; and those addresses.

    `mark` stands where one was taken out.
    """
    standing = list(addresses(markdown))
    if not standing:
        return markdown, []
    index, allowed = SourceIndex(sources), {canonical_url(found.url) for found in addresses(given)}
    edits: list[Edit] = []
    gone: list[str] = []
    for found in standing:
        if index.match_url(found.url):
            continue
        if (plain := _as_plain_text(found, allowed)) is not None:
            edits.append((found.start, found.end, plain))
        elif not index.match_url((known := _cut_at_cjk(found)).url):
            gone.append(known.url)
            edits.append(_removal(markdown, known, mark))
    return apply(markdown, edits), gone


def _as_plain_text(found: Address, allowed: set[str]) -> str | None:
    """An address of the user's with the words of its link, if it had any; None if it is not the user's."""
    if not {canonical_url(found.url), canonical_url(_cut_at_cjk(found).url)} & allowed:
        return None
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
