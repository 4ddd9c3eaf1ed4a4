"""Citation verification: every citation of a report leads to something that was retrieved, or it goes.

`verify_citations` looks up each entry of the reference list and each inline address, takes out what has no
source with the reason, closes the gaps in the numbering, and keeps an audit trail. Edits are local: outside
citations and list no character changes, except for addresses and tags of tools that nobody wants. Nothing
raises on malformed input, and a second run changes nothing more.

Entries come first, since a number is worth what its entry is worth. Numbers change only where an entry goes:
those of the others then run from 1 without gaps, and a number whose entry repeats another's source becomes
that one's. Where anything that may name an entry was not understood, every number stays as it is, and the
report is flagged.

Reasons of removal: `url_not_in_registry`, `citation_key_not_in_registry`, `duplicate_of_<number>`,
`unverifiable` (no address at all, or a number that leads to no entry). Numbers in `removed` are those of the
report as it came, numbers in `kept` those of the report as it is returned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from pydantic import Field

from deep_research.core.records import Record
from deep_research.text.addresses import RemovedKind, address_edits, address_problem, tool_tag_edits
from deep_research.text.blocks import Edit, apply_edits, moved, without_fence
from deep_research.text.matching import Level, Match, Mode, SourceIndex, VerifySource

from .entries import Entry, heading_of
from .markers import Marker
from .parser import parse_report
from .runs import BARE_WORDS, MarkerEdit, marker_edits, renumber_group, without_citation

_PASSES = 4
_GONE = "—"
"""Stands for an entry that was taken out of a list that counts by itself and may not count anew."""
Flag = Literal["no_reference_list", "no_markers", "nothing_verified", "not_renumbered"]
_CLOSING_TAGS = re.compile(r"(?:</[ou]l>|</li>|\s)+\Z", re.IGNORECASE)
_SAME_SOURCE: tuple[Level, ...] = ("exact", "truncated")


class Kept(Record):
    """A citation that leads to a source. `matched` is the source's own address where that differs."""

    number: int | str
    url: str | None = None
    citation_key: str | None = None
    level: Level
    matched: str | None = None
    was: str | None = Field(None, description="its number in the report as it came, if that was another")
    problem: RemovedKind | None = Field(None, description="what would take out an address not registered")
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


class CitationResult(Record):
    """The report after verification, and everything that was done to it.

    `flagged` is True where the citations could not be verified, and `flag` says why: there is no recognisable
    reference list and no citation carries its own address, nothing in the text cites the list, nothing was
    left, or a marker that was not understood may name an entry, so that all numbers stayed. `uncited` are
    kept entries that nobody cites: they may be true, so they stay. `cited` pairs each number in use with the
    place of its source in the list that was handed in, `lost` are the places in `report` of those taken out.
    """

    report: str
    kept: list[Kept] = Field(default_factory=list)
    removed: list[RemovedCitation] = Field(default_factory=list)
    repaired: list[Repaired] = Field(default_factory=list)
    sanitized: dict[str, int] = Field(default_factory=dict)
    flagged: bool = False
    flag: Flag | None = None
    cited: list[tuple[int | str, int]] = Field(default_factory=list)
    uncited: list[Kept] = Field(default_factory=list)
    lost: list[int] = Field(default_factory=list, exclude=True, repr=False)

    def edit(self, edits: Sequence[Edit], losing: Iterable[int] = ()) -> None:
        """Change the report; `losing` are the places, before that, where a citation goes."""
        if edits:
            self.lost = moved(sorted({*self.lost, *losing}), edits)
            self.report = apply_edits(self.report, edits)


def verify_citations(
    markdown: str, sources: Sequence[VerifySource | Mapping[str, Any]], *, mode: Mode = "lenient"
) -> CitationResult:
    """Check all citations of a report against what was retrieved, and return it without the false ones.

    `sources` are records or mappings with `url` or `citation_key`. In strict mode only exact matches count.
    Takes time linear in the report and in the number of sources.
    """
    index = SourceIndex(sources, mode)
    result = CitationResult(report=without_fence(markdown), sanitized=dict.fromkeys(get_args(RemovedKind), 0))
    last: _CitationPass | None = None
    for _ in range(_PASSES):
        before, tags = result.report, tool_tag_edits(result.report)
        result.edit(tags)
        last = _CitationPass(result.report, index, last)
        edits = last.edits()
        result.edit(edits, last.lost)
        addresses, counts = address_edits(result.report, last.match_url)
        result.edit(addresses, [start for start, _, _ in addresses])
        problems: list[str | None] = [address_problem(gone.url) for gone in last.removed.values() if gone.url]
        for kind in result.sanitized:
            result.sanitized[kind] += counts[kind] + problems.count(kind)
        result.sanitized["tool_tags"] += len(tags)
        result.removed += last.removed.values()
        result.repaired += last.repaired
        result.kept, result.cited, result.uncited = last.kept, last.cited, last.uncited()
        result.flag = result.flag or last.flag()
        if result.report == before:
            break
    result.flagged = result.flag is not None
    return result


class _CitationPass:
    """The decisions of one pass; the one `before` knows the numbers of the report as it came."""

    def __init__(self, markdown: str, index: SourceIndex, before: _CitationPass | None) -> None:
        self.parsed = parse_report(markdown)
        self.kept: list[Kept] = []
        self.removed: dict[tuple[str | None, ...], RemovedCitation] = {}
        self.repaired: list[Repaired] = []
        self.cited: list[tuple[int | str, int]] = []
        self.numbering: dict[str, str] = {}
        self.lost: list[int] = []
        self._markdown, self._index = markdown, index
        self._matches: dict[str, Match | None] = before._matches if before else {}
        self._original_labels = before.numbering if before else {}
        self._new_labels: list[str | None] = []
        self._found = [self._find_source(entry) for entry in self.parsed.entries]
        sources = [_source_key(*found) for found in self._found]
        texts = any(
            entry.is_text and not key for entry, key in zip(self.parsed.entries, sources, strict=True)
        )
        sectioned, labels = self.parsed.sectioned, self.parsed.labels.keys()
        gaps = "" in sources or (len({*sources}) < len(sources) and not sectioned)
        numbered = [marker for marker in self.parsed.markers if not labels.isdisjoint(marker.numbers)]
        self._unclear = bool(self.parsed.unclear) or any(
            marker.url and self.match_url(marker.url) and not self._is_of_entry(marker, marker.url)
            for marker in numbered
        )
        fixed = any(entry.style == "footnote" and not entry.label_span[1] for entry in self.parsed.entries)
        self._renumbers = gaps and bool(numbered) and not (self._unclear or texts or sectioned or fixed)
        self._withheld = gaps and not self._renumbers
        self._count = 0
        self._first_entry: dict[str, int] = {}
        self._named_sources: set[int] = set()
        self._places: set[int] = set()
        places = range(len(self.parsed.entries))
        self._list_edits = [edit for place in places for edit in self._decide_entry(place)]
        self._decisions = [self._decide_marker(marker) for marker in self.parsed.markers]

    def match_url(self, url: str) -> Match | None:
        """The source of an address, looked up once; one that was written out keeps its level."""
        if url not in self._matches:
            self._matches[url] = self._index.match_url(url)
        return self._matches[url]

    def edits(self) -> list[Edit]:
        """All decisions, in order; a list that loses all entries loses its heading."""
        edits = list(self._list_edits)
        for edit, loses in marker_edits(self._markdown, self._decisions):
            edits.append(edit)
            self.lost += [edit[0]] * loses
        if self.parsed.entries and not any(self._new_labels) and not self._withheld:
            edits += heading_of(self._markdown, self.parsed.entries)
        return sorted(edits, key=lambda edit: edit[:2])

    def flag(self) -> Flag | None:
        """Why the report is to be called unverified, if it is."""
        linked = [bool(marker.url) for marker in self.parsed.markers if marker.url or marker.numbers]
        if not self.parsed.entries and (not all(linked) or not (linked or self.kept)):
            return "no_reference_list"
        if not self.kept:
            return "nothing_verified"
        if self._withheld and self._unclear:
            return "not_renumbered"
        return None if any(decision.shown for decision in self._decisions) else "no_markers"

    def uncited(self) -> list[Kept]:
        """The kept entries that no marker leads to, and whose source no address in the text is."""
        numbers = {number for decision in self._decisions for number in decision.numbers}
        return [
            kept
            for kept, (number, source) in zip(self.kept, self.cited, strict=True)
            if str(number) not in numbers and source not in self._named_sources
        ]

    def _decide_entry(self, place: int) -> Iterator[Edit]:
        """Find the source of an entry and give it its new number; yields what that changes in the list."""
        entry, (match, name) = self.parsed.entries[place], self._found[place]
        same = _source_key(match, name)
        if same in self._first_entry and self._renumbers:
            first = self._first_entry[same]
            self._new_labels.append(self._new_labels[first])
            yield from self._remove_entry(place, f"duplicate_of_{self._original_label(first)}")
        elif not same:
            self._new_labels.append(None)
            named = "citation_key_not_in_registry" if entry.citation_key else "unverifiable"
            yield from self._remove_entry(place, "url_not_in_registry" if entry.urls else named)
        else:
            counted = not entry.label or (self._renumbers and entry.label.isdigit())
            number = str(self._count + 1) if counted else entry.label or ""
            self._count = max(self._count, int(number)) if number.isdigit() else self._count + 1
            self._new_labels.append(number)
            self.numbering[number] = self._original_label(place)
            if match:
                self._first_entry.setdefault(same, place)
                yield from self._keep_entry(entry, match, name, number)
            if entry.label_span[1] and (number,) != entry.labels and self._renumbers:
                label = self._markdown[slice(*entry.label_span)]
                yield *entry.label_span, renumber_group(label, [number])

    def _find_source(self, entry: Entry) -> tuple[Match | None, str]:
        """The source of an entry, and which of its addresses or keys leads there; exact ones first.

        A footnote that explains something and cites nothing needs none.
        """
        if entry.style == "footnote" and not entry.has_address:
            return None, f"note {entry.start}"
        found = [(self.match_url(url), url) for url in entry.urls]  # with an address it has no keys
        named = self._index.match_key, self._index.match_title
        found += [(match(key), key) for match in named for key in entry.keys]
        matched = [(match, name) for match, name in found if match]
        return min(matched, key=lambda pair: pair[0].level != "exact", default=(None, ""))

    def _keep_entry(self, entry: Entry, match: Match, name: str, number: str) -> Iterator[Edit]:
        """Record an entry as kept; its cut-off address is written out, addresses that lead nowhere go."""
        for url, start, end in entry.addresses:
            if url == name and match.level == "truncated":
                name = self._repair(number, url, match)
                yield start, end, name
            elif url != name and not self.match_url(url) and self._markdown[end : end + 2] != "](":
                self._note_removed(self.numbering[number], url, reason="url_not_in_registry")
                yield _unlink_edit(self._markdown, start, end)
        self._note_kept(number, name, match, is_url=bool(entry.addresses))

    def _remove_entry(self, place: int, reason: str) -> Iterator[Edit]:
        """Record an entry as removed; the edit that takes its lines out, or only its links if it is text."""
        entry = self.parsed.entries[place]
        if entry.is_text:
            for _, start, end in entry.addresses:
                yield (edit := _unlink_edit(self._markdown, start, end))
                self.lost.append(edit[0])
        text = self._markdown[entry.text_start : entry.end]
        if (entry.is_text and not entry.addresses) or text.strip() == _GONE:
            return
        key = None if entry.url else entry.citation_key
        self._note_removed(self._original_label(place), entry.url, key, reason)
        start, end = entry.start, entry.end
        if entry.is_text:
            return
        blank = "" if self._markdown[entry.text_start - 1].isspace() else " "
        if self._withheld and entry.labels and (entry.style == "numbered" or not entry.label_span[1]):
            text = _CLOSING_TAGS.sub("", self._markdown[start:end])
            yield entry.text_start, start + len(text), f"{blank}{_GONE}"
        else:
            shares_line = start and self._markdown[start - 1] not in "\r\n"
            yield start, start + len(self._markdown[start:end].rstrip("\r\n")) if shares_line else end, ""

    def _decide_marker(self, marker: Marker) -> MarkerEdit:
        if marker.url and not self._is_of_entry(marker, marker.url):
            return self._decide_url(marker, marker.url)
        if marker.numbers:
            return self._decide_numbers(marker)
        return MarkerEdit(marker, keys=tuple(key for key in marker.keys if self._has_source(key)))

    def _is_of_entry(self, marker: Marker, url: str) -> bool:
        """Whether a marker with an address leads to the page of the entry that its number names."""
        match = self.match_url(url)
        places = [self.parsed.entry_of(marker, number) for number in marker.numbers]
        found = [self._found[at][0] for at in places if at is not None]
        return match is not None and any(one and one.source == match.source for one in found)

    def _decide_numbers(self, marker: Marker) -> MarkerEdit:
        """Numbers become those of their entries; without a list they say nothing and stay."""
        if not self.parsed.entries:
            return MarkerEdit(marker, marker.numbers)
        numbers: list[str] = []
        for number in marker.numbers:
            place = self.parsed.entry_of(marker, number)
            if place is None:
                self._note_removed(self._original_labels.get(number, number))
            elif new := self._new_labels[place]:
                numbers.append(new if self._renumbers else number)
        return MarkerEdit(marker, tuple(dict.fromkeys(numbers)))

    def _decide_url(self, marker: Marker, url: str) -> MarkerEdit:
        match = self.match_url(url)
        label = marker.numbers[0] if marker.numbers else None
        if match is None:
            self._note_removed(label, url, reason="url_not_in_registry")
            return MarkerEdit(marker)
        if match.level == "truncated":
            url = self._repair(label, url, match)
        self._note_inline(url, match, label)
        return MarkerEdit(marker, marker.numbers, url=url)

    def _has_source(self, key: str) -> bool:
        if match := self._index.match_key(key):
            self._note_inline(key, match, None, is_url=False)
        else:
            self._note_removed(None, key=key, reason="citation_key_not_in_registry")
        return match is not None

    def _repair(self, number: str | None, url: str, match: Match) -> str:
        full = self._index.sources[match.source].url or url
        repaired = Repaired(number=_as_number(number), before=url, after=full)
        if url != full and repaired not in self.repaired:
            self.repaired.append(repaired)
        self._matches[full] = match
        return full

    def _note_inline(self, name: str, match: Match, label: str | None, is_url: bool = True) -> None:
        """A source that only the text names gets the number it has there, or the next one."""
        self._named_sources.add(match.source)
        if (same := _source_key(match, name)) in self._first_entry:
            return
        self._first_entry[same] = -1
        if label is None or self.parsed.entries:
            label = str(self._count + 1)
        self._count = max(self._count, int(label)) if label.isdigit() else self._count + 1
        self._note_kept(label, name, match, is_url)

    def _note_kept(self, number: str, name: str, match: Match, is_url: bool) -> None:
        source = self._index.sources[match.source]
        other = None if match.level == "exact" else source.url or source.citation_key
        was = self.numbering.get(number, number)
        place = int(number) if number.isdigit() else self._count
        if place in self._places:
            place = self._count = max(self._places) + 1
        self._places.add(place)
        self.kept.append(
            Kept(
                number=_as_number(number) or 0, url=name if is_url else None,
                citation_key=None if is_url else name, level=match.level, matched=other,
                was=was if was != number else None, problem=address_problem(name) if is_url else None,
                place=place,
            )
        )  # fmt: skip
        self.cited.append((_as_number(number) or 0, match.source))

    def _note_removed(
        self, number: str | None, url: str | None = None, key: str | None = None, reason: str = "unverifiable"
    ) -> None:
        self.removed[number, url, key, reason] = RemovedCitation(
            number=_as_number(number), url=url, citation_key=key, reason=reason
        )

    def _original_label(self, place: int) -> str:
        """The number of an entry in the report as it came."""
        label = self.parsed.entries[place].label or str(place + 1)
        return self._original_labels.get(label, label)


def _source_key(match: Match | None, name: str) -> str:
    """What two citations share if they are one source twice; addresses that only come near stay apart."""
    return f"source {match.source}" if match and match.level in _SAME_SOURCE else name


def _as_number(label: str | None) -> int | str | None:
    return int(label) if label and label.isdigit() else label


def _unlink_edit(markdown: str, start: int, end: int) -> Edit:
    """The edit that takes an address out of an entry; a link keeps its words if they say anything."""
    opening = re.search(r"\[([^\[\]\n]{0,300})\]\(\s*<?\Z", markdown[max(0, start - 310) : start])
    closing = re.compile(r">?[^()\n]{0,200}\)").match(markdown, end)
    if not opening or not closing:
        return without_citation(markdown, start, end)
    start, end = start - len(opening[0]), closing.end()
    return (
        without_citation(markdown, start, end)
        if BARE_WORDS.fullmatch(opening[1])
        else (start, end, opening[1])
    )
