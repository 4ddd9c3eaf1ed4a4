"""A Markdown report of any system taken apart: citation markers, reference list, and the text between.

Blocks come from markdown-it-py (`text.blocks`), entries from `entries`, candidates for markers from
`markers`. Here the report as a whole decides: a bare number is a citation only where there is a numbered list
and no other style, `arr[1]` only where the report glues its markers to words, and `[2024]` or `[0, 1]` never.
What may name an entry and is not understood is told in `unclear`: with it no number may change. Markers count
wherever they stand, before, between and after the entries; code is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from deep_research.text.blocks import paragraphs, split_lines

from .entries import Entry, find_reference_list, outside_entries
from .markers import TO_DIGITS, Marker, find_markers, is_power

_VISIBLE = re.compile(r"\[(\d{1,3})\]"), re.compile(r"((?<![\d.,])\d{1,3}(?!\d|[.,]\d|%)|[①-⑨])")
"""What may be the label of an entry, surest first."""
_CONTAINERS = frozenset("arr array list items args argv vector matrix tuple dict buffer rows data".split())
_STEP = re.compile(r"\s?\(\d+\) \w")
_LONG_WORD = re.compile(r"[A-Z]{4,}|(?=.*[AEIOU])[A-Z]{3}|(?:19|20)\d\d", re.IGNORECASE)


class ParsedReport(NamedTuple):
    """What was found in a report: its citation markers in order, its entries, and markers not understood."""

    markers: list[Marker]
    entries: list[Entry]
    unclear: list[Marker]
    code: list[tuple[int, int]]
    labels: dict[str, list[int]]
    sectioned: bool

    def entry_of(self, marker: Marker, number: str) -> int | None:
        """The place in `entries` to which a number leads: the first with that label, or in a report whose
        sections have their own lists the next."""
        places = self.labels.get(number, [])
        behind = (at for at in places if self.sectioned and self.entries[at].start > marker.start)
        return next(behind, places[-1 if self.sectioned else 0]) if places else None


@lru_cache(maxsize=1)
def parse_report(markdown: str) -> ParsedReport:
    """Markers, reference list and body of a report; never raises, takes time linear in its length.

    The last report is remembered: its sentences are looked for after its citations.
    """
    lines = split_lines(markdown)
    candidates = [
        marker
        for start, end, kind in paragraphs(markdown, lines)
        for marker in find_markers(markdown, start, end, kind == "table")
    ]
    entries, sectioned = find_reference_list(markdown, lines, candidates)
    outside = [*outside_entries(entries, candidates)]
    _label_by_sight(markdown, entries, outside)
    indexed = {m.word for m in outside if m.word and m.style == "brackets" and "0" in m.numbers}  # row[0]
    places: dict[str, list[int]] = {}
    for place, entry in enumerate(entries):
        for name in entry.labels:
            places.setdefault(name, []).append(place)
    labels = {*places}
    in_round = any(markdown[entry.label_span[0] - 1] in "(（" for entry in entries if entry.label_span[1])
    markers = _accepted(markdown, [m for m in outside if m.word not in indexed], labels, in_round)
    code = [(line.start, line.end) for line in lines if line.kind == "code"]
    unclear = _not_understood(markdown, outside, markers, labels, indexed)
    return ParsedReport(markers, entries, unclear, code, places, sectioned)


def _label_by_sight(markdown: str, entries: Sequence[Entry], candidates: Sequence[Marker]) -> None:
    """Label the entries of a list that has none by what the text cites: a number that stands in each (`1 |`,
    `Source 1:`) and goes up, or their places."""
    strong = ("brackets", "lenticular", "link", "private_use", "superscript")
    cited = {n for marker in candidates if marker.style in strong and not marker.url for n in marker.numbers}
    places = {str(place) for place in range(1, len(entries) + 1)}
    if not cited and not any(marker.url for marker in candidates):
        cited = places & {n for marker in candidates if marker.style != "lone" for n in marker.numbers}
    if not cited or any(entry.label for entry in entries):
        return
    ends = [entry.addresses[0][1] if entry.addresses else entry.end for entry in entries]
    for pattern in _VISIBLE:
        found = [pattern.search(markdown, e.start, end) for e, end in zip(entries, ends, strict=True)]
        seen = [(int(one[1].translate(TO_DIGITS)), one.span(1)) for one in found if one]
        shown = len(seen) == len(entries) and all(a < b for a, b in pairwise(seen))
        if shown and not cited.isdisjoint(str(number) for number, _ in seen):
            for entry, (number, span) in zip(entries, seen, strict=True):
                entry.labels, entry.label_span, entry.is_text = (str(number),), span, False
            return
    if cited <= places:
        for place, entry in enumerate(entries, start=1):
            entry.labels, entry.is_text = (str(place),), False


def _accepted(markdown: str, candidates: Sequence[Marker], labels: set[str], in_round: bool) -> list[Marker]:
    """The candidates that are citations, given the rest of the report."""
    limit = 2 * max((int(label) for label in labels if label.isdigit()), default=0) + 20
    leading = [m for m in candidates if m.style == "brackets" and labels.issuperset(m.numbers)]
    spaced = sum(markdown[max(0, m.start - 1) : m.start].isspace() for m in leading)
    habit = sum(_is_plain(m.word) for m in leading) > spaced
    kept = [m for m in candidates if _is_certain(m, labels, limit, habit, in_round)]
    if limit == 20:
        return kept
    alone = all(marker.style == "url" for marker in kept)
    raised = [m for m in candidates if m.style == "superscript" and _is_raised(m, labels, limit, alone)]
    bare = [m for m in candidates if m.style == "bare" and not m.in_table and _is_plausible(m, limit)]
    seen = [*dict.fromkeys(int(number) for marker in bare for number in marker.numbers)]
    counts_up = seen == [*range(1, len(seen) + 1)]  # as citations do whatever the list has
    in_use = any(labels.issuperset(m.numbers) for m in bare) or counts_up
    weak = raised or (bare if alone and in_use else [])
    return sorted([*kept, *weak], key=lambda marker: marker.start)


def _not_understood(
    markdown: str,
    candidates: Sequence[Marker],
    accepted: Sequence[Marker],
    labels: set[str],
    indexed: set[str],
) -> list[Marker]:
    """The candidates that are no citations for sure, and name an entry: with them no number may change."""
    taken, styles = {marker.start for marker in accepted}, {marker.style for marker in accepted}
    rest = [m for m in candidates if m.start not in taken and not labels.isdisjoint(m.numbers)]
    steps = _enumerations(markdown, candidates)

    def is_harmless(marker: Marker) -> bool:
        if marker.style == "brackets":
            return "0" in marker.numbers or marker.word in indexed or marker.word.lower() in _CONTAINERS
        if marker.style == "superscript":
            return is_power(marker.word)
        return marker.start in steps or (marker.style == "lone" and "bare" not in styles)

    return [marker for marker in rest if not is_harmless(marker)]


def _enumerations(markdown: str, candidates: Sequence[Marker]) -> set[int]:
    """Where numbers in round brackets count things up: `(1) tall and (2) white`."""
    runs: list[list[int]] = []
    for marker in candidates:
        around = markdown[max(0, marker.start - 2) : marker.end + 3]
        if len(marker.numbers) != 1 or not _STEP.fullmatch(around):
            continue
        if runs and int(marker.numbers[0]) == len(runs[-1]) + 1:
            runs[-1].append(marker.start)
        elif marker.numbers[0] == "1":
            runs.append([marker.start])
    return {start for run in runs if len(run) > 1 for start in run}


def _is_raised(marker: Marker, labels: set[str], limit: int, alone: bool) -> bool:
    """A superscript with an entry, or one that can be no power: behind a stop, or neither 2 nor 3."""
    short = marker.word.isalnum() and not _LONG_WORD.fullmatch(marker.word)
    power = not {"2", "3"}.isdisjoint(marker.numbers)
    if is_power(marker.word) or (short and power):
        return False
    if marker.numbers and labels.issuperset(marker.numbers):
        return True
    return alone and not marker.in_table and _is_plausible(marker, limit) and not (marker.word and power)


def _is_plausible(marker: Marker, limit: int) -> bool:
    """Whether the numbers are such as a list of this length could have, with some entries lost."""
    return bool(marker.numbers) and all(n.isdigit() and 0 < int(n) <= limit for n in marker.numbers)


def _is_certain(marker: Marker, labels: set[str], limit: int, habit: bool, in_round: bool) -> bool:
    """Whether a marker is one whatever the others look like."""
    if marker.url or marker.keys:
        return True
    known = bool(marker.numbers) and labels.issuperset(marker.numbers)
    if marker.style == "round":
        return known and in_round
    if marker.style in ("superscript", "bare", "lone", "unclear") or not marker.numbers:
        return False
    if marker.word and marker.style == "brackets":
        measured = marker.word[0].isdigit()  # 800mm[5], 5 km[2]
        plain = _is_plain(marker.word) and marker.word.lower() not in _CONTAINERS
        return known and (habit or measured or plain)
    listed = marker.style != "footnote" or bool(labels)
    return known or (_is_plausible(marker, limit) and not marker.in_table and listed)


def _is_plain(word: str) -> bool:
    """A word of prose, a year or an acronym, not a name in a formula or a program."""
    return bool(re.fullmatch(r"[A-Za-z]?[a-z]{3,}|[A-Z]{2,}|[A-Z][A-Za-z]+\d+|\d+", word))
