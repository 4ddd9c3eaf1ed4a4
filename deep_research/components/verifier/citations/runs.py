"""Runs of markers (`[1][2]`, `([A](…); [B](…))`): how verdicts on them are written, and what they end.

A run is rewritten as a whole, so that separators and brackets go with what they belonged to; one whose
numbers stay the same stays as it is. To find the sentences that cite something each run is read as plain
`[n]`, whatever it looks like: that decides only where it ends, and which of its words belong to the sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from deep_research.text.blocks import Edit, apply_edits, removal_edit
from deep_research.text.cited_sentences import MARKERS, CitedSentence, all_sentences
from deep_research.text.matching import SourceIndex

from .markers import DASHES, SUPERSCRIPTS, Marker
from .parser import ParsedReport, parse_report

if TYPE_CHECKING:
    from . import CitationResult

_BETWEEN = re.compile(r"[ \t]*[;,，、；]?[ \t]*")
_SEPARATOR = re.compile(r"\s*[,;，、；˒]\s*|\ue202")
_DASH = re.compile(rf"\s*[⁻{DASHES}]\s*")
_BARE_WORDS = re.compile(
    r"\W*(?:sources?|links?|here|ref(?:erence)?s?|来源|來源|出典|链接)?\W*", re.IGNORECASE
)
_LEAD_WORDS = "see|sources?|ref(?:erence)?s?|cf|via|from|参见|參見|见|見|来源|來源|出典"
_LEAD = re.compile(rf"[(（]\s*(?:{_LEAD_WORDS})?(?: also)?[.:：]?\s*\Z", re.IGNORECASE)
_LABEL = re.compile(
    rf"^[ \t>*+-]*(?:\*\*|__)?(?:{_LEAD_WORDS})(?:[:：](?:\*\*|__)?|(?:\*\*|__)[:：])[ \t]*\Z",
    re.IGNORECASE | re.MULTILINE,
)
_LABEL_END = re.compile(r"[ \t]*(?:\r?\n|\Z)")
_LEAD_END = re.compile(r"\s*[.]?\s*[)）]")
_LONGEST_LEAD = 30
_SENTENCE_END = re.compile(r"[.!?。！？][\"”’»)\]*_]{0,4}[ \t]*\Z")
_LINE_ENDS = re.compile(r"[ \t]*[.;]?[ \t]*(?:\n|\Z)")
_PLAIN = re.compile(MARKERS)
_BRACKETS = {"(": ")", "（": "）", "[": "]", "【": "】"}


@dataclass(frozen=True, slots=True)
class MarkerEdit:
    """What becomes of a marker: its new numbers and keys (all gone: it is taken out), or its full address."""

    marker: Marker
    numbers: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    url: str | None = None

    @property
    def shown(self) -> bool:
        """Whether anything of the citation is left."""
        return bool(self.numbers or self.keys or self.url)


def marker_edits(markdown: str, decisions: Sequence[MarkerEdit]) -> Iterator[Edit]:
    """One edit per run of markers in which something changes."""
    waiting = iter(decisions)
    for run in marker_runs(markdown, (decision.marker for decision in decisions)):
        first, last = run[0], run[-1]
        new = _run_text(markdown, [next(waiting) for _ in run])
        if new == markdown[first.start : last.end]:
            continue
        yield (first.start, last.end, new) if new else _without_citation(markdown, first.start, last.end)


def _without_citation(markdown: str, start: int, end: int) -> Edit:
    """The edit that takes citations out, with the brackets and words that only led to them: `(see [2])`.

    A line that held nothing else goes, too: `**Sources:** [2], [3]`.
    """
    label = _LABEL.search(markdown, max(0, start - _LONGEST_LEAD), start)
    line_end = _LABEL_END.match(markdown, end)
    if label and line_end:
        return label.start(), line_end.end(), ""
    lead = _LEAD.search(markdown, max(0, start - _LONGEST_LEAD), start)
    closing = _LEAD_END.match(markdown, end)
    return removal_edit(markdown, *((lead.start(), closing.end()) if lead and closing else (start, end)))


def renumber_group(text: str, new: Sequence[str]) -> str:
    """The numbers of a group as they were written ('1, 2', '1-3', '¹²', '١'), with new values."""
    raised = text[:1] in SUPERSCRIPTS
    separator, dash = _SEPARATOR.search(text), _DASH.search(text)
    if dash and len(new) > 2 and int(new[-1]) - int(new[0]) == len(new) - 1:
        joined = f"{new[0]}{dash[0]}{new[-1]}"
    else:
        joined = (separator[0] if separator else "," if raised else ", ").join(new)
    zero = ord(text[0]) - int(text[0]) if text[:1].isdecimal() else ord("0")
    digits = SUPERSCRIPTS if raised else "".join(chr(zero + n) for n in range(10))
    return joined.translate(str.maketrans("0123456789", digits))


def link_words(marker: Marker, enclosed: bool) -> str:
    """The words of a link that are part of the sentence; a link that is only a citation leaves none."""
    text = marker.text
    citation = enclosed or marker.numbers or _BARE_WORDS.fullmatch(text)
    if marker.style != "link" or citation or re.search(r"[\[\]\ue200-\ue202]|://", text):
        return ""
    return text


def marker_runs(markdown: str, markers: Iterable[Marker]) -> Iterator[list[Marker]]:
    """The markers in runs, with nothing but blanks and a separator between the markers of each."""
    run: list[Marker] = []
    for marker in markers:
        gap = (run[-1].end, marker.start) if run else (0, 0)
        if gap[1] - gap[0] > 12 or not _BETWEEN.fullmatch(markdown, *gap):
            yield run
            run = []
        run.append(marker)
    if run:
        yield run


def _run_text(markdown: str, decisions: Sequence[MarkerEdit]) -> str:
    first, last = decisions[0].marker, decisions[-1].marker
    enclosed = markdown[max(0, first.start - 1) : first.start] in (*"([（【", "\\[")
    enclosed = enclosed and markdown[last.end : last.end + 1] in (*")]）】", "\\")
    text, done, seen = "", first.start, set[str]()
    for decision in decisions:
        marker = decision.marker
        shown = _marker_text(markdown, decision, seen, enclosed)
        seen.update(decision.numbers)
        if shown:
            text += (markdown[done : marker.start] if text else "") + shown
        done = marker.end
    return text


def _marker_text(markdown: str, decision: MarkerEdit, seen: set[str], enclosed: bool) -> str:
    """What stands in place of a marker: itself, itself renumbered, the words of a link, or nothing."""
    marker = decision.marker
    raw = markdown[marker.start : marker.end]
    if not decision.shown:
        return link_words(marker, enclosed or raw.startswith(("[[", "\\[")))
    if decision.numbers != marker.numbers and marker.number_span[1]:
        if seen.issuperset(decision.numbers) and not decision.url:
            return ""
        start, end = (place - marker.start for place in marker.number_span)
        return raw[:start] + renumber_group(raw[start:end], decision.numbers) + raw[end:]
    if decision.url and decision.url != marker.url:
        return decision.url.join(raw.rsplit(marker.url or raw, 1))
    if decision.keys != marker.keys and marker.style == "private_use":
        return raw.partition("\ue202")[0] + "".join(f"\ue202{key}" for key in decision.keys) + "\ue201"
    return raw


def verified_sentences(done: CitationResult, index: SourceIndex) -> list[CitedSentence]:
    """Every sentence of a verified report; spans are the report's, numbers the `place` in `kept`."""
    parsed = parse_report(done.report)
    labels = {str(kept.number): kept.place for kept in done.kept}
    entry_labels = {name: labels.get(parsed.entries[at].label or "") for name, at in parsed.labels.items()}
    pairs = list(zip(done.kept, done.cited, strict=True))
    places = {source: kept.place for kept, (_, source) in reversed(pairs)}

    def numbers(marker: Marker) -> list[int]:
        """By label, by address or key; without a list a number stands for itself."""
        if any(number in entry_labels for number in marker.numbers):
            return [place for number in marker.numbers if (place := entry_labels.get(number))]
        matches = [index.match_key(key) for key in marker.keys]
        if marker.url:
            matches.append(index.match_url(marker.url))
        if matches:
            return [places[match.source] for match in matches if match and match.source in places]
        return [] if parsed.entries else [int(n) for n in marker.numbers if n.isdigit()]

    return _plain_sentences(done.report, parsed, numbers)


def originally_cited_sentences(markdown: str) -> list[CitedSentence]:
    """The sentences of a report as it came that cite anything, whether or not that was retrieved."""
    return [
        said for said in _plain_sentences(markdown, parse_report(markdown), lambda _: [1]) if said.numbers
    ]


def _plain_sentences(
    report: str, parsed: ParsedReport, numbers: Callable[[Marker], Sequence[int]]
) -> list[CitedSentence]:
    """Every sentence with the numbers that it cites; spans are the report's. Entries claim nothing."""
    blanks = [(e.start, e.end, re.sub(r"[^\r\n]", " ", report[e.start : e.end])) for e in parsed.entries]
    edits = sorted([*_plain_markers(report, parsed, numbers), *blanks], key=lambda edit: edit[:2])
    ends: list[tuple[int, int, int]] = []
    longer = 0
    for start, end, new in edits:
        ends.append((start + longer, start + longer + len(new), end))
        longer += len(new) - (end - start)
    starts = [start for start, _, _ in ends]

    def back(place: int) -> int:
        edit = bisect_left(starts, place) - 1
        return ends[edit][2] + max(0, place - ends[edit][1]) if edit >= 0 else place

    found = all_sentences(apply_edits(report, edits))
    return [said._replace(start=back(said.start), end=back(said.end)) for said in found]


def _plain_markers(
    report: str, parsed: ParsedReport, numbers: Callable[[Marker], Sequence[int]]
) -> Iterator[Edit]:
    """A run of citations becomes plain markers; a link that is part of the sentence keeps its words."""

    def marks(run: Sequence[Marker]) -> str:
        return "".join(
            f"[{n}]" for n in dict.fromkeys(number for marker in run for number in numbers(marker))
        )

    for run in marker_runs(report, parsed.markers):
        start, end = run[0].start, run[-1].end
        if all(m.style == "brackets" and _PLAIN.fullmatch(report, m.start, m.end) for m in run):
            continue
        enclosed = start > 0 and report[end : end + 1] == _BRACKETS.get(report[start - 1])
        alone = _SENTENCE_END.search(report[max(0, start - 8) : start]) and _LINE_ENDS.match(report, end)
        if enclosed or alone or not any(link_words(marker, False) for marker in run):
            if new := marks(run):
                yield start - enclosed, end + enclosed, new
            continue
        for marker in run:
            words = link_words(marker, False)
            if new := marks([marker]):
                yield marker.start, marker.end, f"{words} {new}" if words else new
