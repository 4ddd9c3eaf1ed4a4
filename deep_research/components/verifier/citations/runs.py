"""Runs of markers (`[1][2]`, `([A](…); [B](…))`): how verdicts on them are written, and what they end.

A run is rewritten as a whole, so that separators and brackets go with what they belonged to; one whose
numbers stay the same stays as it is. To find the sentences that cite something each run is read as plain
`[n]`, whatever it looks like: that decides only where it ends, and which of its words belong to the sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from deep_research.text.blocks import Edit, apply_edits, removal_edit
from deep_research.text.cited_sentences import CitedSentence, all_sentences
from deep_research.text.matching import SourceIndex

from .markers import SUPERSCRIPTS, WORDS, Marker
from .parser import ParsedReport, parse_report

if TYPE_CHECKING:
    from . import CitationResult

_BETWEEN = re.compile(r"[ \t]*[;,，、；]?[ \t]*")
_SEPARATOR = re.compile(r"\s*[,;，、；˒]\s*|\ue202")
BARE_WORDS = re.compile(
    r"\W*(?:sources?|links?|here|ref(?:erence)?s?|来源|來源|出典|链接)?\W*", re.IGNORECASE
)
_LEAD_WORDS = WORDS["leads"]
_LEAD = rf"[*_]*(?:{_LEAD_WORDS})(?![^\W\d_])[.,]{{0,2}}(?: also)?[:：]?[*_]*[ \t]*"
_OPENED = re.compile(rf"(?P<open>[(（\[【])[*_ \t]*(?:{_LEAD}){{0,2}}\Z", re.IGNORECASE)
_CLOSED = re.compile(r"[*_ \t]*(?:, ?(?:pp?|S)\. ?\d+(?:[–-]\d+)?)?[.;,]?[ \t]*(?P<close>[)）\]】])")
_LABEL = re.compile(
    rf"(?P<line>^[ \t>*+-]*)?(?:[*_]*(?<![^\W\d_])(?P<word>{_LEAD_WORDS})(?:[*_]*[:：][*_]*)[ \t]*"
    r"|(?:(?<=\s)|(?<=^))(?:[—–→]|->)[ \t]*)\Z",
    re.IGNORECASE | re.MULTILINE,
)
"""What leads to citations at the end of a line or sentence: `Source:`, or a dash."""
_LABEL_END = re.compile(r"[*_]*(?=[ \t]*(?:[.。](?:\s|\Z)|\r?\n|\Z))")
_REST_OF_LINE = re.compile(r"[ \t]*[.。]?[ \t]*(?:\r?\n|\Z)")
_LONGEST_LEAD = 40
_NO_SENTENCE = re.compile(
    r"[ \t>]*(?:#|\||[-*_=]{3,}[ \t]*$|(?:\*\*|__).{0,80}(?:\*\*|__)[ \t]*$|```|~~~)|.*[:：][*_]*[ \t]*$"
)
"""A line that takes no citation from a line below."""
_SENTENCE_END = re.compile(r"[.!?。！？][\"”’»)\]*_]{0,4}[ \t]*\Z")
_LINE_ENDS = re.compile(r"[ \t]*[.;]?[ \t]*(?:\n|\Z)")
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


def marker_edits(markdown: str, decisions: Sequence[MarkerEdit]) -> Iterator[tuple[Edit, bool]]:
    """One edit per run of markers in which something changes, and whether it takes out a citation."""
    waiting = iter(decisions)
    for run in marker_runs(markdown, (decision.marker for decision in decisions)):
        first, last = run[0], run[-1]
        decided = [next(waiting) for _ in run]
        new = _run_text(markdown, decided)
        if new != markdown[first.start : last.end]:
            edit = (first.start, last.end, new) if new else without_citation(markdown, first.start, last.end)
            yield edit, not all(decision.shown for decision in decided)


def without_citation(markdown: str, start: int, end: int) -> Edit:
    """The edit that takes citations out with what only led to them, and with the line if nothing is left."""
    start, end = citation_span(markdown, start, end)
    line, rest = markdown.rfind("\n", 0, start) + 1, _REST_OF_LINE.match(markdown, end)
    if rest and start > line and not markdown[line:start].strip(" \t>"):
        start = line
    if _SENTENCE_END.search(markdown, max(line, start - 8), start) and markdown[end : end + 1] in (*".。",):
        end += 1
    if rest and start == line and markdown[start:end].strip()[:1] not in _BRACKETS:
        above = len(markdown[max(0, line - 2) : line].rstrip("\r\n"))
        start, end = max(0, line - 2) + above, end + len(rest[0].rstrip("\r\n"))
        return (start, end, "") if line else (0, rest.end(), "")
    return removal_edit(markdown, start, end)


def citation_span(markdown: str, start: int, end: int) -> tuple[int, int]:
    """Where citations stand with what only leads to them: `(see [2])`, `**Source:** [2]`, `— [2]`."""
    lead = max(0, start - _LONGEST_LEAD)
    opened, closed = _OPENED.search(markdown, lead, start), _CLOSED.match(markdown, end)
    if opened and closed and closed["close"] == _BRACKETS[opened["open"]]:
        start, end = opened.start(), closed.end()
        lead = max(0, start - _LONGEST_LEAD)
    label, closing = _LABEL.search(markdown, lead, start), _LABEL_END.match(markdown, end)
    if label and closing:
        before = markdown[lead : label.start()]
        named = not label["word"] or label["word"][0].isupper() or label["line"] is not None
        if named or not before.strip() or _SENTENCE_END.search(before):
            return label.start(), closing.end()
    return start, end


def renumber_group(text: str, new: Sequence[str]) -> str:
    """The numbers of a group as they were written ('1, 2', '¹²', '١'), with new values, no ranges."""
    raised = text[:1] in SUPERSCRIPTS
    separator = _SEPARATOR.search(text)
    joined = (separator[0] if separator else "," if raised else ", ").join(new)
    zero = ord(text[0]) - int(text[0]) if text[:1].isdecimal() else ord("0")
    digits = SUPERSCRIPTS if raised else "".join(chr(zero + n) for n in range(10))
    return joined.translate(str.maketrans("0123456789", digits))


def link_words(marker: Marker, enclosed: bool) -> str:
    """The words of a link that are part of the sentence; a link that is only a citation leaves none."""
    text = marker.text
    citation = enclosed or marker.numbers or BARE_WORDS.fullmatch(text)
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
    """Every sentence of a verified report; spans are the report's, numbers the `place` in `kept`.

    A marker with an address counts with the page that it leads to. A number alone counts if the list has it,
    or such a marker does; where nothing was kept, it stands for itself.
    """
    parsed = parse_report(done.report)
    pairs = list(zip(done.kept, done.cited, strict=True))
    places = {source: kept.place for kept, (_, source) in reversed(pairs)}

    def by_target(marker: Marker) -> list[int]:
        matches = [index.match_key(key) for key in marker.keys]
        if marker.url:
            matches.append(index.match_url(marker.url))
        return [places[match.source] for match in matches if match and match.source in places]

    by_entry: dict[int, int | None] = {}
    listed = {str(kept.number): kept.place for kept in done.kept}
    for at, entry in enumerate(parsed.entries):
        found = (index.match_url(url) for url in entry.urls if parsed.sectioned)
        place = next((places.get(match.source) for match in found if match), None)
        by_entry[at] = place or listed.get(entry.label or "")
    labels: dict[str, int | None] = {}
    for marker in parsed.markers:
        for number, place in product(marker.numbers, by_target(marker)):
            labels[number] = place if labels.get(number, place) == place else None

    def numbers(marker: Marker) -> list[int]:
        if marker.url or marker.keys:
            return by_target(marker)
        if not labels and not done.kept:
            return [int(number) for number in marker.numbers if number.isdigit()]
        entries = (parsed.entry_of(marker, number) for number in marker.numbers)
        if parsed.entries:
            return [place for at in entries if at is not None and (place := by_entry[at])]
        return [place for number in marker.numbers if (place := labels.get(number))]

    return _plain_sentences(done.report, parsed, numbers)


def originally_cited_sentences(markdown: str) -> list[CitedSentence]:
    """The sentences of a report as it came that cite anything, whether or not that was retrieved."""
    return [
        said for said in _plain_sentences(markdown, parse_report(markdown), lambda _: [1]) if said.numbers
    ]


def sentences_at(
    markdown: str, sentences: Sequence[CitedSentence], places: Iterable[int]
) -> Iterator[CitedSentence]:
    """The sentences that cite nothing and lost a citation at one of these places.

    What stood between two sentences belonged to the one before, in a line of its own, too; at the beginning
    of a block to the one behind.
    """
    starts, seen = [said.start for said in sentences], set[int]()
    for place in places:
        at = bisect_right(starts, place)
        before, behind = sentences[at - 1 : at], sentences[at : at + 1]
        if before and place > before[0].end and "\n" in (gap := markdown[before[0].end : place]):
            here = behind and "\n" not in markdown[place : behind[0].start]
            before = behind if here else [] if re.search(r"^[ \t]*(?:#|\|)", gap, re.MULTILINE) else before
        for said in before or behind:
            if not said.numbers and said.start not in seen:
                seen.add(said.start)
                yield said


_BLOCK_TAG = re.compile(
    r"</?(?:p|li|ul|ol|div|tr|td|th|table|br|h[1-6]|blockquote)\b[^<>]{0,300}>", re.IGNORECASE
)


def _plain_sentences(
    report: str, parsed: ParsedReport, numbers: Callable[[Marker], Sequence[int]]
) -> list[CitedSentence]:
    """Every sentence with the numbers that it cites, entries and code left out; spans are the report's."""
    listed = [(e.start, e.end) for e in parsed.entries if e.has_address or not e.is_text]
    silent = [*listed, *parsed.code]
    blanks = [(start, end, re.sub(r"[^\r\n]", " ", report[start:end])) for start, end in silent]
    tags = [(*tag.span(), "\n\n") for tag in _BLOCK_TAG.finditer(report)]
    edits = sorted([*_plain_markers(report, parsed, numbers), *blanks, *tags], key=lambda edit: edit[:2])
    ends: list[tuple[int, int, int]] = []
    longer = done = 0
    for start, end, new in edits:
        start, end = max(done, start), max(done, end)
        ends.append((start + longer, start + longer + len(new), end))
        longer += len(new) - (end - start)
        done = end
    starts = [start for start, _, _ in ends]

    def back(place: int) -> int:
        edit = bisect_left(starts, place) - 1
        return ends[edit][2] + max(0, place - ends[edit][1]) if edit >= 0 else place

    found = all_sentences(apply_edits(report, edits))
    return [said._replace(start=back(said.start), end=back(said.end)) for said in found]


def _plain_markers(
    report: str, parsed: ParsedReport, numbers: Callable[[Marker], Sequence[int]]
) -> Iterator[Edit]:
    """A run of citations becomes plain markers, behind the sentence to which it belongs; a link that is part
    of the sentence keeps its words."""

    def marks(run: Sequence[Marker]) -> str:
        return "".join(
            f"[{n}]" for n in dict.fromkeys(number for marker in run for number in numbers(marker))
        )

    for run in marker_runs(report, parsed.markers):
        inner = run[0].start, run[-1].end
        start, end = citation_span(report, *inner)
        alone = _SENTENCE_END.search(report[max(0, start - 8) : start]) and _LINE_ENDS.match(report, end)
        if (start, end) != inner or alone or not any(link_words(marker, False) for marker in run):
            new = marks(run)
            yield _sentence_end(report, start), end, f" {new}" if new and start != inner[0] else new
            continue
        for marker in run:
            words, new = link_words(marker, False), marks([marker])
            yield marker.start, marker.end, f"{words} {new}".strip()


def _sentence_end(report: str, start: int) -> int:
    """Where the text before a place ends, if only blanks stand between, and it is a sentence."""
    stop = start
    while stop and report[stop - 1] in " \t\r\n":
        stop -= 1
    line = report[report.rfind("\n", 0, stop) + 1 : stop]
    apart = "\n" in report[stop:start]
    return stop if apart and line and not _NO_SENTENCE.match(line) else start
