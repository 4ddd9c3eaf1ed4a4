"""Citation precision: do the cited pages say what the report says?

The unit is one citation: a number behind a *segment*, the part of a sentence from the previous citation up to
this one. The citation is right when one passage of the cited page

- holds at least a third of the segment's content terms (words without stop words, pairs of CJK characters),
  so that a report may put a quote into words of its own; where k sources stand together behind one segment,
  each need hold only 1/(3k), because they support it together; and
- holds one of the segment's numbers, if it has any besides those of the page's title and date of publication
  (which name the page).

A passage is a sentence, list item or table row, read with the page's title, its section's heading and its
table's header, as a reader would. The rule knows nothing of facts, so it scores sentences about anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from deep_research.report import Report
from deep_research.sources.citations import HEADINGS
from deep_research.text.language import CODE, split_sentences
from deep_research.text.terms import query_terms
from deep_research_offline.web.types import Page

from .surface import normalized, numbers_in_text
from .truth import GroundTruth

SOURCE_LIST = re.compile(rf"^## (?:{'|'.join(HEADINGS.values())})\s*$", re.MULTILINE)
_GROUP = re.compile(r"((?:\[\d+\][ \t]*)+)")
_SHARE = 3
_LIST_NUMBER = re.compile(r"^[ \t]*\d+\.[ \t]+", re.MULTILINE)
_AFTER_STOP = re.compile(r"([.!?。！？])([ \t]*(?:\[\d+\])+)")


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a sentence and the numbers of the sources that stand right behind it."""

    text: str
    cites: tuple[int, ...]


def citation_precision(report: Report, truth: GroundTruth) -> float | None:
    """Share of the report's citations that are right, from 0 to 1; None if it has no citation."""
    verdicts = [right for _, _, right in checked_citations(report, truth)]
    return sum(verdicts) / len(verdicts) if verdicts else None


def checked_citations(report: Report, truth: GroundTruth) -> list[tuple[str, int, bool]]:
    """Every citation of a report as (segment, number, right?), in reading order."""
    return [
        (segment.text, number, _supports(truth.cited_page(report, number), segment))
        for segment in segments(report.markdown)
        for number in segment.cites
    ]


def segments(markdown: str) -> list[Segment]:
    """The cited segments of a report's body, in reading order. Headings are no claims; code is skipped."""
    body = SOURCE_LIST.split(CODE.sub("", markdown))[0]
    body = _AFTER_STOP.sub(r"\2\1", _LIST_NUMBER.sub("- ", body))
    found: list[Segment] = []
    for sentence in split_sentences(body):
        if not sentence.startswith("#"):
            found += _segments_of(sentence)
    return found


def _segments_of(sentence: str) -> Iterator[Segment]:
    parts = _GROUP.split(sentence)
    for text, group in zip(parts[::2], parts[1::2], strict=False):
        yield Segment(text.strip(" -*|,;，；、"), tuple(int(number) for number in re.findall(r"\d+", group)))


def _supports(page: Page | None, segment: Segment) -> bool:
    wanted = _terms(segment.text)
    if page is None or not wanted:
        return False
    figures = numbers_in_text(segment.text) - numbers_in_text(f"{page.title} {page.published or ''}")
    needed = len(wanted) / (_SHARE * len(segment.cites))
    return any(
        len(wanted & terms) >= needed and (not figures or figures & found) for terms, found in _passages(page)
    )


def _terms(text: str) -> frozenset[str]:
    return frozenset(query_terms(normalized(text)))


@lru_cache(maxsize=2048)
def _passages(page: Page) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Each passage of a page as its terms (with title, heading and table header) and its own numbers."""
    return tuple(
        (_terms(context) | _terms(passage), numbers_in_text(passage))
        for context, passage in _in_context(page)
    )


def _in_context(page: Page) -> Iterator[tuple[str, str]]:
    yield page.title, page.title
    heading = header = ""
    for line in page.text.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        header = (header or line) if line.lstrip().startswith("|") else ""
        passages = [line] if header else split_sentences(line)
        yield from ((f"{page.title} {heading} {header}", passage) for passage in passages)
