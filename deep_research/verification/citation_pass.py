"""One round of verification: what becomes of each entry of the list and of each marker in the text.

Entries come first, since a number is worth what its entry is worth. The numbers of kept entries run from 1
without gaps; a number whose entry repeats another's source becomes that one's. An address in the text itself
is looked up on its own. All decisions are made on the parsed report, then written in one go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from pydantic import Field

from ..state import Record
from .citation_edits import Decision, marker_edits, relabelled
from .edits import Edit, apply, removal
from .matching import Level, Match, SourceIndex
from .report_parser import Entry, Marker, parse_report
from .sanitizer import Dirt, address_problem

Flag = Literal["no_reference_list", "no_markers", "nothing_verified"]
_SAME_SOURCE: tuple[Level, ...] = ("exact", "truncated")


class Kept(Record):
    """A citation that leads to a source. `matched` is the source's own address where that differs."""

    number: int | str
    url: str | None = None
    citation_key: str | None = None
    level: Level
    matched: str | None = None
    was: str | None = Field(None, description="its number in the report as it came, if that was another")
    place: int = Field(0, description="`number`, or its place in the list if that is a word")


class RemovedCitation(Record):
    """A citation that was taken out, and why. `number` is None for an address in the text."""

    number: int | str | None = Field(None, description="as in the report as it came")
    url: str | None = None
    citation_key: str | None = None
    reason: str


class Repaired(Record):
    """An address that had been cut off and is now written out."""

    number: int | str | None
    before: str
    after: str


class CitationPass:
    """The decisions about one report. `numbering` leads from its labels to those of the report as it came."""

    def __init__(self, markdown: str, index: SourceIndex, numbering: Mapping[str, str]) -> None:
        self.parsed = parse_report(markdown)
        self.kept: list[Kept] = []
        self.removed: list[RemovedCitation] = []
        self.repaired: list[Repaired] = []
        self.cited: list[tuple[int | str, int]] = []
        self.dirt: list[Dirt] = []
        self.numbering: dict[str, str] = {}
        self._markdown = markdown
        self._index = index
        self._came_as = numbering
        self._labels = self.parsed.labels
        self._new: list[str | None] = []
        self._count = 0
        self._first: dict[str, int] = {}
        self._inline: set[str] = set()
        self._named_sources: set[int] = set()
        self._gone: set[tuple[str | None, ...]] = set()
        self._list_edits = [edit for place in range(len(self.parsed.entries)) for edit in self._entry(place)]
        self._decisions = [self._marker(marker) for marker in self.parsed.markers]

    def report(self) -> str:
        """The report with all decisions carried out."""
        edits = [*marker_edits(self._markdown, self._decisions), *self._list_edits]
        return apply(self._markdown, sorted(edits, key=lambda edit: edit[:2]))

    def flag(self) -> Flag | None:
        """Why the report is to be called unverified, if it is."""
        own = any(marker.url for marker in self.parsed.markers)
        loose = any(marker.numbers and not marker.url for marker in self.parsed.markers)
        if not self.parsed.entries and (loose or not (own or self.kept)):
            return "no_reference_list"
        if not self.kept:
            return "nothing_verified"
        return None if any(decision.shown for decision in self._decisions) else "no_markers"

    @property
    def uncited(self) -> set[int]:
        """The places of kept entries that no marker leads to, and whose source no address in the text is."""
        numbers = {number for decision in self._decisions for number in decision.numbers}
        return {
            kept.place
            for kept, (number, source) in zip(self.kept, self.cited, strict=True)
            if str(number) not in numbers and source not in self._named_sources
        }

    def _entry(self, place: int) -> Iterator[Edit]:
        """Find the source of an entry and give it its new number; yields what that changes in the list."""
        entry = self.parsed.entries[place]
        match, name = self._match(entry)
        same = _identity(match, name)
        if same in self._first:
            first = self._first[same]
            self._new.append(self._new[first])
            yield self._without(place, f"duplicate_of_{self._name(first)}")
        elif match is None and not _is_note(entry):
            self._new.append(None)
            yield self._without(place, _reason(entry))
        else:
            self._count += 1
            number = str(self._count) if not entry.label or entry.label.isdigit() else entry.label
            self._new.append(number)
            self.numbering[number] = self._name(place)
            if match:
                self._first[same] = place
                yield from self._with_source(entry, match, name, number)
            if entry.label_span[1] and number != entry.label:
                start, end = entry.label_span
                yield start, end, relabelled(self._markdown[start:end], number)

    def _match(self, entry: Entry) -> tuple[Match | None, str]:
        """The source of an entry, and which of its addresses or keys leads there; exact ones first."""
        found = [
            *((self._index.match_url(url), url) for url in entry.urls),
            *((self._index.match_key(key), key) for key in entry.keys),
        ]
        matched = [(match, name) for match, name in found if match]
        return min(matched, key=lambda pair: pair[0].level != "exact", default=(None, ""))

    def _with_source(self, entry: Entry, match: Match, name: str, number: str) -> Iterator[Edit]:
        """Record an entry as kept; its cut-off address is written out, addresses that lead nowhere go."""
        for url, start, end in entry.addresses:
            if url == name and match.level == "truncated":
                name = self._repair(number, url, match)
                yield start, end, name
            elif url != name and not self._index.match_url(url) and self._markdown[end : end + 2] != "](":
                self._note_removed(self.numbering[number], url, None, "url_not_in_registry")
                yield _unlinked(self._markdown, start, end)
        self._note_kept(number, name, match, is_url=bool(entry.addresses))

    def _without(self, place: int, reason: str) -> Edit:
        """Record an entry as removed; the edit that takes its lines out."""
        entry = self.parsed.entries[place]
        self._note_removed(
            self._name(place), entry.url, entry.citation_key if not entry.url else None, reason
        )
        start, end = entry.start, entry.end
        shares_line = start and self._markdown[start - 1] not in "\r\n"
        if shares_line:
            end = start + len(self._markdown[start:end].rstrip("\r\n"))
        return start, end, ""

    def _marker(self, marker: Marker) -> Decision:
        known = any(number in self._labels for number in marker.numbers)
        if marker.numbers and (known or not marker.url):
            return self._by_numbers(marker)
        if marker.url:
            return self._by_url(marker, marker.url)
        return Decision(marker, keys=tuple(key for key in marker.keys if self._key_holds(key)))

    def _by_numbers(self, marker: Marker) -> Decision:
        """Numbers become those of their entries; without a list they say nothing and stay."""
        if not self.parsed.entries:
            return Decision(marker, marker.numbers)
        numbers: list[str] = []
        for number in marker.numbers:
            place = self._labels.get(number)
            if place is None:
                self._note_removed(self._came_as.get(number, number), None, None, "unverifiable")
            elif new := self._new[place]:
                numbers.append(new)
        return Decision(marker, tuple(dict.fromkeys(numbers)))

    def _by_url(self, marker: Marker, url: str) -> Decision:
        match = self._index.match_url(url)
        label = marker.numbers[0] if marker.numbers else None
        if match is None:
            self._note_removed(label, url, None, "url_not_in_registry")
            return Decision(marker)
        if match.level == "truncated":
            url = self._repair(label, url, match)
        self._note_inline(url, match, label)
        return Decision(marker, marker.numbers, url=url)

    def _key_holds(self, key: str) -> bool:
        match = self._index.match_key(key)
        if match is None:
            self._note_removed(None, None, key, "citation_key_not_in_registry")
            return False
        self._note_inline(key, match, None, is_url=False)
        return True

    def _repair(self, number: str | None, url: str, match: Match) -> str:
        full = self._index.sources[match.source].url or url
        repaired = Repaired(number=_as_number(number), before=url, after=full)
        if repaired not in self.repaired:
            self.repaired.append(repaired)
        return full

    def _note_inline(self, name: str, match: Match, label: str | None, is_url: bool = True) -> None:
        """A source that only the text names gets the number it has there, or the next one."""
        self._named_sources.add(match.source)
        if _identity(match, name) in self._first or name in self._inline:
            return
        self._inline.add(name)
        if label is None or self.parsed.entries:
            label = str(self._count + 1)
        self._count = max(self._count, int(label)) if label.isdigit() else self._count + 1
        self._note_kept(label, name, match, is_url)

    def _note_kept(self, number: str, name: str, match: Match, is_url: bool) -> None:
        source = self._index.sources[match.source]
        other = None if match.level == "exact" else source.url or source.citation_key
        was = self.numbering.get(number, number)
        self.kept.append(
            Kept(
                number=_as_number(number) or 0,
                url=name if is_url else None,
                citation_key=None if is_url else name,
                level=match.level,
                matched=other,
                was=was if was != number else None,
                place=int(number) if number.isdigit() else self._count,
            )
        )
        self.cited.append((_as_number(number) or 0, match.source))

    def _note_removed(self, number: str | None, url: str | None, key: str | None, reason: str) -> None:
        gone = RemovedCitation(number=_as_number(number), url=url, citation_key=key, reason=reason)
        mark = (number, url, key, reason)
        if mark in self._gone:
            return
        self._gone.add(mark)
        self.removed.append(gone)
        problem = address_problem(url) if url else None
        if problem:
            self.dirt.append(problem)

    def _name(self, place: int) -> str:
        """The number of an entry in the report as it came."""
        label = self.parsed.entries[place].label or str(place + 1)
        return self._came_as.get(label, label)


def _identity(match: Match | None, name: str) -> str:
    """What two citations share if they are one source twice; addresses that only come near stay apart."""
    if match is None:
        return ""
    return f"source {match.source}" if match.level in _SAME_SOURCE else f"address {name}"


def _reason(entry: Entry) -> str:
    if entry.urls:
        return "url_not_in_registry"
    return "citation_key_not_in_registry" if entry.citation_key else "unverifiable"


def _is_note(entry: Entry) -> bool:
    """A footnote that explains something and cites nothing."""
    return entry.style == "footnote" and not entry.has_address


def _as_number(label: str | None) -> int | str | None:
    return int(label) if label and label.isdigit() else label


def _unlinked(markdown: str, start: int, end: int) -> Edit:
    """The edit that takes an address out of an entry; a link keeps its words."""
    opening = re.search(r"\[([^\[\]\n]{0,300})\]\(\s*<?\Z", markdown[max(0, start - 310) : start])
    closing = re.compile(r">?[^()\n]{0,200}\)").match(markdown, end)
    if not opening or not closing:
        return removal(markdown, start, end)
    return start - len(opening[0]), closing.end(), opening[1]
