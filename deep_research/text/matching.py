"""Which retrieved source a cited address or citation key stands for, and how sure that is.

Addresses are compared in five levels, parsed and never as bare text: *exact* (one canonical url), *truncated*
(an ellipsis where the rest was cut off), *prefix* (a folder above the page), *child_path* (a page below a
retrieved one that lies two segments deep or more), *query_subset* (the same path with fewer parameters).
Never across hosts, never inside a number, and inside a path segment only where an ellipsis says so. Two
candidates mean no match. Citation keys match by document name; another page is `page_differs`, none named is
`name_only`. Strict mode takes exact matches only.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from pydantic import BaseModel, ConfigDict

from .urls import canonical_url

Level = Literal[
    "exact", "truncated", "prefix", "child_path", "query_subset", "page_differs", "name_only", "title_only"
]
Mode = Literal["lenient", "strict"]
"""How close an address must come to a source's. The setting `verifier.mode` is about sentences instead."""

PAGE_NUMBER = (
    r"(?:pp?\.?|pages?|seiten?|s\.|第)\s*(?P<page>\d{1,5})(?:\s*[-–]\s*\d{1,5})?\s*(?:页|頁|ページ)?"
)
"""A pattern for the page in a citation key: `p. 15`, `S. 15-17`, `第15页`."""
_ELLIPSIS = re.compile(r"(?:\.{3,}|…|%E2%80%A6|\[(?:\.{3}|…)\])/?\Z", re.IGNORECASE)
_KEY_PAGE = re.compile(rf"[\s,，;#:(（]*{PAGE_NUMBER}[)）]?\s*\Z", re.IGNORECASE)
_MOST_SEGMENTS = 64
_MOST_QUERIES = 64
_SHORTEST_TITLE = 8


class VerifySource(BaseModel):
    """One thing that was retrieved, as the caller knows it; further fields are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    url: str | None = None
    citation_key: str | None = None
    title: str = ""
    text: str = ""
    published: str | None = None
    tier: str = "unverified"


class Match(NamedTuple):
    """The place of a source in the list of sources, and the level at which it matched."""

    source: int
    level: Level


class _Address(NamedTuple):
    """A canonical url in parts: path segments, and parameters as a set of pairs."""

    host: str
    segments: tuple[str, ...]
    query: frozenset[tuple[str, str]]


class SourceIndex:
    """Looks addresses and keys up among the sources, in time that does not grow with their number."""

    def __init__(self, sources: Sequence[VerifySource | Mapping[str, Any]], mode: Mode = "lenient") -> None:
        self.sources = [
            s if isinstance(s, VerifySource) else VerifySource.model_validate(dict(s)) for s in sources
        ]
        self.mode = mode
        self._exact: dict[str, int] = {}
        self._keys: dict[str, int] = {}
        self._above: dict[tuple[str, tuple[str, ...]], set[int]] = defaultdict(set)
        self._at: dict[tuple[str, tuple[str, ...]], dict[int, frozenset[tuple[str, str]]]] = defaultdict(dict)
        self._places: dict[str, list[int]] = defaultdict(list)
        self._titles: dict[str, list[int]] = defaultdict(list)
        self._names: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        for place, source in enumerate(self.sources):
            if len(title := _fold_key(source.title)) >= _SHORTEST_TITLE:
                self._titles[title].append(place)
            if source.url:
                self._add_url(place, source.url)
            if source.citation_key:
                self._add_key(place, source.citation_key)
        self._sorted = sorted(self._exact)

    def match_url(self, url: str) -> Match | None:
        """The source that an address stands for; None if there is none, or more than one."""
        key = canonical_url(url)
        if key in self._exact:
            return Match(self._exact[key], "exact")
        if self.mode == "strict" or not key:
            return None
        stem = _ELLIPSIS.sub("", url.strip())
        if stem != url.strip():
            return self._match_truncated(stem)
        address = _parse_address(key)
        if address is None:
            return None
        return self._match_prefix(address) or self._match_child(address) or self._match_query_subset(address)

    def match_key(self, key: str) -> Match | None:
        """The source that a citation key stands for: same document, same page, written in any usual way."""
        name, page = _split_key(key)
        if (folded := _fold_key(key)) in self._keys:
            return Match(self._keys[folded], "exact")
        pages = self._names.get(name)
        if not pages or not name:
            return None
        if page and len(pages.get(page, ())) == 1:
            return Match(next(iter(pages[page])), "exact")
        places = set().union(*pages.values())
        documents = {_split_key(self.sources[place].citation_key or "")[0] for place in places}
        if self.mode == "strict" or (not page and len(documents) > 1):
            return None
        if not page:
            return Match(min(places), "name_only")
        return Match(min(places), "page_differs")

    def match_title(self, title: str) -> Match | None:
        """The one source with this title, for a reference that gives nothing else."""
        places = self._titles.get(_fold_key(title), [])
        pages = {canonical_url(self.sources[place].url or "") for place in places}
        one = len(pages) == 1 and self.mode != "strict"
        return Match(places[0], "title_only") if one else None

    def same_source(self, match: Match) -> list[int]:
        """The places of all sources that are what was matched: registered twice, or pages of one document."""
        source = self.sources[match.source]
        if source.url:
            key = canonical_url(source.url)
            return self._places[key]
        name, page = _split_key(source.citation_key or "")
        pages = self._names[name]
        return sorted(set().union(*pages.values()) if match.level == "name_only" else pages[page])

    def _add_url(self, place: int, url: str) -> None:
        key = canonical_url(url)
        self._places[key].append(place)
        if self._exact.setdefault(key, place) != place:
            return
        address = _parse_address(key)
        if address is None or len(address.segments) > _MOST_SEGMENTS:
            return
        self._at[address.host, address.segments][place] = address.query
        for depth in range(1, len(address.segments)):
            above = self._above[address.host, address.segments[:depth]]
            if len(above) < 2:
                above.add(place)

    def _add_key(self, place: int, key: str) -> None:
        self._keys.setdefault(_fold_key(key), place)
        name, page = _split_key(key)
        self._names[name][page].add(place)
        base = name.rpartition("/")[2]
        if base != name:
            self._names[base][page].add(place)

    def _match_truncated(self, stem: str) -> Match | None:
        key = canonical_url(stem).rstrip("/")
        address = _parse_address(key)
        if address is None or not address.segments:
            return None
        first = bisect_left(self._sorted, key)
        found = [k for k in self._sorted[first : first + 2] if k.startswith(key)]
        if len(found) != 1 or _cuts_number(key, found[0]):
            return None
        return Match(self._exact[found[0]], "truncated")

    def _match_prefix(self, address: _Address) -> Match | None:
        if not address.segments or address.query:
            return None
        return _single_match(self._above.get((address.host, address.segments), ()), "prefix")

    def _match_child(self, address: _Address) -> Match | None:
        places: set[int] = set()
        for depth in range(2, min(len(address.segments), _MOST_SEGMENTS)):
            at = self._at.get((address.host, address.segments[:depth]), {})
            places.update(place for place, query in at.items() if not query)
        return _single_match(places, "child_path")

    def _match_query_subset(self, address: _Address) -> Match | None:
        """One of the two has all parameters of the other; none at all only of the retrieved one's."""
        at = self._at.get((address.host, address.segments), {})
        if len(at) > _MOST_QUERIES:
            return None
        return _single_match(
            [p for p, query in at.items() if address.query < query or (query and query < address.query)],
            "query_subset",
        )


def _split_key(key: str) -> tuple[str, str]:
    """'Report.pdf, S. 15' as ('report.pdf', '15'); the page is empty if none is named."""
    found = _KEY_PAGE.search(key[-60:])
    if not found:
        return _fold_key(key), ""
    name = key[: len(key) - len(key[-60:]) + found.start()]
    return _fold_key(name), str(int(found["page"]))


def _fold_key(key: str) -> str:
    plain = unicodedata.normalize("NFKC", key).casefold()
    return " ".join(plain.split()).strip(" `'\"“”*_.,;:()[]")


def _single_match(places: Sequence[int] | set[int] | tuple[()], level: Level) -> Match | None:
    return Match(next(iter(places)), level) if len(places) == 1 else None


def _parse_address(key: str) -> _Address | None:
    try:
        parts = urlsplit(key)
        pairs = frozenset(parse_qsl(parts.query, keep_blank_values=True))
    except ValueError:
        return None
    if parts.scheme != "https" or not parts.netloc:
        return None
    return _Address(parts.netloc, tuple(s for s in parts.path.split("/") if s), pairs)


def _cuts_number(stem: str, whole: str) -> bool:
    """Whether the cut would lie between two digits."""
    return stem[-1:].isdigit() and whole[len(stem) : len(stem) + 1].isdigit()
