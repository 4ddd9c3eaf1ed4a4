"""A Markdown report of any system taken apart: citation markers, reference list, and the text between.

Blocks come from markdown-it-py (`report_blocks`), entries from `reference_list`, candidates for markers from
`report_markers`. Here the report as a whole decides: a bare number or a superscript is a citation only where
there is a numbered list and no other style, `arr[1]` only where the report glues its markers to words, and
`[2024]` or `[0, 1]` never. Code and whatever follows the list (appendices) are left alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .reference_entries import Entry
from .reference_list import find_reference_list
from .report_blocks import Line, paragraphs, split_lines
from .report_markers import Marker, MarkerStyle, find_markers

__all__ = ["Entry", "Marker", "ParsedReport", "parse_report"]

_CONTAINERS = frozenset("array list items args argv vector matrix tuple dict buffer".split())
_NUMBER_STYLES = ("brackets", "footnote", "lenticular", "superscript", "bare")


@dataclass(slots=True)
class ParsedReport:
    """What was found in a report. Spans are character offsets; `body` holds neither list nor appendices.

    `markers` stand in the body, in order. `style` is the commonest of their styles, None without any.
    """

    markers: list[Marker] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    body: list[tuple[int, int]] = field(default_factory=list)
    style: MarkerStyle | None = None

    @property
    def labels(self) -> dict[str, int]:
        """Label of an entry → its place in `entries`; the first of equal labels counts."""
        return {e.label: place for place, e in reversed(list(enumerate(self.entries))) if e.label}

    @property
    def targets(self) -> list[str]:
        """The distinct numbers, urls and keys that the body cites, in order of first use."""
        names = (
            name
            for marker in self.markers
            for name in (*marker.numbers, *marker.keys, *([] if marker.numbers else [marker.url or ""]))
        )
        return [name for name in dict.fromkeys(names) if name]


def parse_report(markdown: str) -> ParsedReport:
    """Markers, reference list and body of a report; never raises, takes time linear in its length."""
    lines = split_lines(markdown)
    entries = find_reference_list(markdown, lines)
    body = _body(entries, len(markdown))
    candidates = list(_candidates(markdown, lines, body))
    _count_unlabelled(entries, candidates)
    labels = {entry.label for entry in entries if entry.label}
    markers = _accepted(markdown, candidates, labels)
    styles = Counter(marker.style for marker in markers)
    return ParsedReport(markers, entries, body, styles.most_common(1)[0][0] if styles else None)


def _body(entries: Sequence[Entry], length: int) -> list[tuple[int, int]]:
    """What lies before the list. Footnotes may stand anywhere, so with them all that is outside counts."""
    if entries and entries[0].style != "footnote":
        return [(0, entries[0].start)] if entries[0].start else []
    ends = [0, *(entry.end for entry in entries)]
    starts = [*(entry.start for entry in entries), length]
    return [(end, start) for end, start in zip(ends, starts, strict=True) if end < start]


def _candidates(markdown: str, lines: list[Line], body: Sequence[tuple[int, int]]) -> Iterator[Marker]:
    ends = [end for _, end in body]
    for start, end, kind in paragraphs(markdown, lines):
        place = bisect_left(ends, start + 1)
        while place < len(body) and body[place][0] < end:
            first, last = max(start, body[place][0]), min(end, body[place][1])
            yield from find_markers(markdown, first, last, kind == "table")
            place += 1


def _count_unlabelled(entries: Sequence[Entry], candidates: Sequence[Marker]) -> None:
    """Give the entries of a list without labels their place as label, if the text cites them by it."""
    numbers = {number for marker in candidates if marker.style == "brackets" for number in marker.numbers}
    places = {str(place) for place in range(1, len(entries) + 1)}
    if numbers and numbers <= places and not any(entry.label for entry in entries):
        for place, entry in enumerate(entries, start=1):
            entry.label = str(place)


def _accepted(markdown: str, candidates: list[Marker], labels: set[str]) -> list[Marker]:
    """The candidates that are citations, given the rest of the report."""
    numeric = {int(label) for label in labels if label.isdigit()}
    limit = 2 * max(numeric, default=0) + 20
    leading = [m for m in candidates if m.style == "brackets" and labels.issuperset(m.numbers)]
    spaced = sum(markdown[max(0, m.start - 1) : m.start].isspace() for m in leading)
    habit = sum(_is_plain(m.word) for m in leading) > spaced
    kept = [m for m in candidates if _is_certain(m, labels, limit, habit)]
    if not numeric or any(marker.style != "url" for marker in kept):
        return kept
    weak = [m for m in candidates if m.numbers and not m.in_table]
    raised = [m for m in weak if m.style == "superscript" and _is_raised(markdown, m, labels, limit)]
    bare = [m for m in weak if m.style == "bare" and _is_plausible(m, limit)]
    in_use = any(labels.issuperset(m.numbers) for m in bare) or _counts_up(bare)
    return sorted([*kept, *(raised or (bare if in_use else []))], key=lambda marker: marker.start)


def _is_raised(markdown: str, marker: Marker, labels: set[str], limit: int) -> bool:
    """A superscript with an entry, or one that can be no power: behind a stop, or neither 2 nor 3."""
    if labels.issuperset(marker.numbers):
        return True
    before = markdown[max(0, marker.start - 20) : marker.start].rstrip(" \t")[-1:]
    power = before.isalnum() and not {"2", "3"}.isdisjoint(marker.numbers)
    return _is_plausible(marker, limit) and not power


def _counts_up(markers: Sequence[Marker]) -> bool:
    """Whether the numbers appear in the order 1, 2, 3 ..., as citations do whatever the list has."""
    seen = dict.fromkeys(int(number) for marker in markers for number in marker.numbers)
    return bool(seen) and list(seen) == list(range(1, len(seen) + 1))


def _is_plausible(marker: Marker, limit: int) -> bool:
    """Whether the numbers are such as a list of this length could have, with some entries lost."""
    return all(number.isdigit() and 0 < int(number) <= limit for number in marker.numbers)


def _is_certain(marker: Marker, labels: set[str], limit: int, habit: bool) -> bool:
    """Whether a marker is one whatever the others look like."""
    if marker.url or marker.keys:
        return True
    known = bool(marker.numbers) and labels.issuperset(marker.numbers)
    if marker.style in ("superscript", "bare") or not marker.numbers:
        return False
    if marker.word and marker.style == "brackets":
        return known and (habit or (_is_plain(marker.word) and marker.word.lower() not in _CONTAINERS))
    if known:
        return True
    return (
        _is_plausible(marker, limit) and not marker.in_table and (marker.style != "footnote" or bool(labels))
    )


def _is_plain(word: str) -> bool:
    """A word of prose, a year or an acronym, not a name in a formula or a program."""
    return bool(re.fullmatch(r"[A-Za-z]?[a-z]{3,}|[A-Z]{2,}|[A-Z][A-Za-z]+\d+|\d+", word))
