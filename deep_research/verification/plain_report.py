"""A verified report with every citation as a plain `[n]`, so that one way of finding cited sentences does.

What a marker looks like (`[^1]`, `【1†L2】`, a superscript, a link, a key) decides only where it ends and
which words of it belong to the sentence; its source, found again by number, address or key, decides `n`.
Nothing of this is shown: places in the plain text lead back to the report as it stands.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from .citation_edits import link_words, stand_together
from .citations import CitationResult
from .claims import CitedSentence, all_sentences
from .edits import Edit, apply
from .matching import SourceIndex
from .report_parser import Marker, ParsedReport, parse_report
from .sentences import MARKERS

_SENTENCE_END = re.compile(r"[.!?。！？][\"”’»)\]*_]{0,4}[ \t]*\Z")
_LINE_ENDS = re.compile(r"[ \t]*[.;]?[ \t]*(?:\n|\Z)")
_PLAIN = re.compile(MARKERS)
_BRACKETS = {"(": ")", "（": "）", "[": "]", "【": "】"}


class Numbering:
    """The numbers in `kept` of what a marker of a verified report cites; `index` holds its sources."""

    def __init__(self, done: CitationResult, index: SourceIndex, parsed: ParsedReport) -> None:
        self._index = index
        self._parsed = parsed
        self._by_label = {str(kept.number): kept.place for kept in done.kept}
        pairs = list(zip(done.kept, done.cited, strict=True))
        self._by_source = {source: kept.place for kept, (_, source) in reversed(pairs)}

    def __call__(self, marker: Marker) -> list[int]:
        """By label, by address or key; without a list a number stands for itself."""
        if any(number in self._parsed.labels for number in marker.numbers):
            return [self._by_label[number] for number in marker.numbers if number in self._by_label]
        matches = [self._index.match_key(key) for key in marker.keys]
        if marker.url:
            matches.append(self._index.match_url(marker.url))
        if matches:
            return [
                self._by_source[match.source]
                for match in matches
                if match and match.source in self._by_source
            ]
        return [] if self._parsed.entries else [int(n) for n in marker.numbers if n.isdigit()]


def verified_sentences(done: CitationResult, index: SourceIndex) -> list[CitedSentence]:
    """Every sentence of a verified report; spans are the report's, numbers the `place` in `kept`."""
    parsed = parse_report(done.report)
    return PlainReport(done.report, parsed, Numbering(done, index, parsed)).sentences()


def cited_at_first(markdown: str) -> list[CitedSentence]:
    """The sentences of a report as it came that cite anything, whether or not that was retrieved."""
    found = PlainReport(markdown, parse_report(markdown), lambda _: [1]).sentences()
    return [said for said in found if said.numbers]


class PlainReport:
    """A report in plain markers: `numbers` gives those of a marker, none where it cites nothing.

    The reference list is left blank, since an entry claims nothing.
    """

    def __init__(
        self, markdown: str, parsed: ParsedReport, numbers: Callable[[Marker], Sequence[int]]
    ) -> None:
        self._report = markdown
        self._parsed = parsed
        self._numbers = numbers
        blanks = [
            (entry.start, entry.end, re.sub(r"[^\r\n]", " ", markdown[entry.start : entry.end]))
            for entry in self._parsed.entries
        ]
        self._edits = sorted([*self._replaced(), *blanks], key=lambda edit: edit[:2])

    def sentences(self) -> list[CitedSentence]:
        """Every sentence with the numbers that it cites; spans are the report's."""
        ends: list[tuple[int, int, int]] = []
        longer = 0
        for start, end, new in self._edits:
            ends.append((start + longer, start + longer + len(new), end))
            longer += len(new) - (end - start)
        starts = [start for start, _, _ in ends]

        def back(place: int) -> int:
            edit = bisect_left(starts, place) - 1
            return ends[edit][2] + max(0, place - ends[edit][1]) if edit >= 0 else place

        found = all_sentences(apply(self._report, self._edits))
        return [said._replace(start=back(said.start), end=back(said.end)) for said in found]

    def _replaced(self) -> Iterator[Edit]:
        """A run of citations becomes plain markers; a link that is part of the sentence keeps its words."""
        for run in self._runs():
            start, end = run[0].start, run[-1].end
            if all(self._is_plain(marker) for marker in run):
                continue
            enclosed = self._report[start - 1 : start] in _BRACKETS and start > 0
            enclosed = enclosed and self._report[end : end + 1] == _BRACKETS[self._report[start - 1]]
            if enclosed or self._closes(start, end) or not any(link_words(one, False) for one in run):
                if new := self._marks(run):
                    yield start - enclosed, end + enclosed, new
                continue
            for marker in run:
                words = link_words(marker, False)
                if new := self._marks([marker]):
                    yield marker.start, marker.end, f"{words} {new}" if words else new

    def _runs(self) -> Iterator[list[Marker]]:
        """Markers with nothing but a separator between them."""
        run: list[Marker] = []
        for marker in self._parsed.markers:
            if run and not stand_together(self._report, run[-1], marker):
                yield run
                run = []
            run.append(marker)
        if run:
            yield run

    def _closes(self, start: int, end: int) -> bool:
        """Whether links stand alone between the end of a sentence and the end of its line."""
        before = self._report[max(0, start - 8) : start]
        return bool(_SENTENCE_END.search(before) and _LINE_ENDS.match(self._report, end))

    def _marks(self, run: Sequence[Marker]) -> str:
        numbers = dict.fromkeys(number for marker in run for number in self._numbers(marker))
        return "".join(f"[{number}]" for number in numbers)

    def _is_plain(self, marker: Marker) -> bool:
        raw = self._report[marker.start : marker.end]
        return marker.style == "brackets" and bool(_PLAIN.fullmatch(raw))
