"""How the verdicts on citations are written into a report: markers renumbered or taken out, nothing else.

Markers that stand together (`[1][2]`, `([A](…); [B](…))`) are rewritten together, so that separators and
brackets go with what they belonged to. A group whose numbers stay the same stays as it is, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .edits import Edit, removal
from .notation import SUPERSCRIPTS, TO_DIGITS
from .report_markers import DASHES, Marker

_TO_SUPERSCRIPTS = str.maketrans("0123456789", SUPERSCRIPTS)
_BETWEEN = re.compile(r"[ \t]*[;,，、；]?[ \t]*")
_SEPARATOR = re.compile(r"\s*[,;，、；˒]\s*|\ue202")
_DASH = re.compile(rf"\s*[⁻{DASHES}]\s*")
_BARE_WORDS = re.compile(
    r"\W*(?:sources?|links?|here|ref(?:erence)?s?|来源|來源|出典|链接)?\W*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a marker: its new numbers and keys (all gone: it is taken out), or its full address."""

    marker: Marker
    numbers: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    url: str | None = None

    @property
    def shown(self) -> bool:
        """Whether anything of the citation is left."""
        return bool(self.numbers or self.keys or self.url)


def marker_edits(markdown: str, decisions: Sequence[Decision]) -> Iterator[Edit]:
    """One edit per cluster of markers in which something changes."""
    for cluster in _clusters(markdown, decisions):
        first, last = cluster[0].marker, cluster[-1].marker
        new = _cluster_text(markdown, cluster)
        if new == markdown[first.start : last.end]:
            continue
        yield (first.start, last.end, new) if new else removal(markdown, first.start, last.end)


def renumbered(text: str, new: Sequence[str]) -> str:
    """The numbers of a group as they were written ('1, 2', '1-3', '¹²'), with new values."""
    raised = text[:1] in SUPERSCRIPTS
    separator, dash = _SEPARATOR.search(text), _DASH.search(text)
    runs = _runs(new) if dash else [(number, number) for number in new]
    joined = (separator[0] if separator else "," if raised else ", ").join(
        first if first == last else f"{first}{dash[0] if dash else '-'}{last}" for first, last in runs
    )
    return joined.translate(_TO_SUPERSCRIPTS) if raised else joined


def relabelled(text: str, number: str) -> str:
    """The label of an entry with a new number, raised if it was."""
    return number.translate(_TO_SUPERSCRIPTS) if text.translate(TO_DIGITS) != text else number


def link_words(marker: Marker, enclosed: bool) -> str:
    """The words of a link that are part of the sentence; a link that is only a citation leaves none."""
    text = marker.text
    citation = enclosed or marker.numbers or _BARE_WORDS.fullmatch(text)
    if marker.style != "link" or citation or re.search(r"[\[\]\ue200-\ue202]|://", text):
        return ""
    return text


def stand_together(markdown: str, before: Marker, after: Marker) -> bool:
    """Whether nothing but blanks and a separator is between two markers."""
    gap = (before.end, after.start)
    return gap[1] - gap[0] <= 12 and bool(_BETWEEN.fullmatch(markdown, *gap))


def _clusters(markdown: str, decisions: Sequence[Decision]) -> Iterator[list[Decision]]:
    cluster: list[Decision] = []
    for decision in decisions:
        if cluster and not stand_together(markdown, cluster[-1].marker, decision.marker):
            yield cluster
            cluster = []
        cluster.append(decision)
    if cluster:
        yield cluster


def _cluster_text(markdown: str, cluster: Sequence[Decision]) -> str:
    first, last = cluster[0].marker, cluster[-1].marker
    enclosed = markdown[max(0, first.start - 1) : first.start] in (*"([（【", "\\[")
    enclosed = enclosed and markdown[last.end : last.end + 1] in (*")]）】", "\\")
    text, done, seen = "", first.start, set[str]()
    for decision in cluster:
        marker = decision.marker
        shown = _marker_text(markdown, decision, seen, enclosed)
        seen.update(decision.numbers)
        if shown:
            text += (markdown[done : marker.start] if text else "") + shown
        done = marker.end
    return text


def _marker_text(markdown: str, decision: Decision, seen: set[str], enclosed: bool) -> str:
    """What stands in place of a marker: itself, itself renumbered, the words of a link, or nothing."""
    marker = decision.marker
    raw = markdown[marker.start : marker.end]
    if not decision.shown:
        return link_words(marker, enclosed or raw.startswith(("[[", "\\[")))
    if decision.numbers != marker.numbers and marker.number_span[1]:
        if seen.issuperset(decision.numbers) and not decision.url:
            return ""
        start, end = (place - marker.start for place in marker.number_span)
        return raw[:start] + renumbered(raw[start:end], decision.numbers) + raw[end:]
    if decision.url and decision.url != marker.url:
        return _with_url(raw, marker, decision.url)
    if decision.keys != marker.keys and marker.style == "private_use":
        return raw.partition("\ue202")[0] + "".join(f"\ue202{key}" for key in decision.keys) + "\ue201"
    return raw


def _with_url(raw: str, marker: Marker, url: str) -> str:
    if raw[:2].lower() == "<a" and marker.url:
        return raw.replace(marker.url, url, 1)
    if marker.style != "link":
        return f"<{url}>" if raw.startswith("<") else url
    place = raw.rindex("](") + 2
    target = url if re.fullmatch(r"[^\s()<>]+", url) else f"<{url}>"
    title = re.search(r"\s+(?:\"[^\"]*\"|'[^']*')\s*\)", raw[place:])
    rest = raw[place + title.start() :] if title else raw[raw.rindex(")") :]
    return raw[:place] + target + rest


def _runs(numbers: Sequence[str]) -> list[tuple[str, str]]:
    """Numbers with stretches of three or more in a row joined: 1 2 3 5 as (1, 3), (5, 5)."""
    runs: list[list[str]] = []
    for number in numbers:
        if runs and number.isdigit() and runs[-1][-1].isdigit() and int(number) == int(runs[-1][-1]) + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [
        pair
        for run in runs
        for pair in ([(run[0], run[-1])] if len(run) > 2 else [(number, number) for number in run])
    ]
