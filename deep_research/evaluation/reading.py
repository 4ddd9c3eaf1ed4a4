"""A report as a reader goes through it: sections with their sentences, lists and tables.

The source list, the section on the check, the title and the line that it is partial are no part of what a
report says. A short list or table counts as one statement, since a reader takes it in at once; a long one as
its rows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from deep_research.components.verifier.marks import CHECK_HEADINGS
from deep_research.core.forms import denies, hedges, offers_nearest
from deep_research.core.words import phrase, phrases
from deep_research.sources.citations import HEADINGS
from deep_research.text.cited_sentences import CitedSentence, all_sentences, text_blocks
from deep_research.text.language import blank_code

LEAD = 3
"""So many statements stand at the beginning of a report."""
_SHORT_LIST = 6
_APPARATUS = "|".join(re.escape(name) for names in (HEADINGS, CHECK_HEADINGS) for name in names.values())
_END = re.compile(rf"^## (?:{_APPARATUS})\s*$", re.MULTILINE)
_GAPS = frozenset(phrase("reports.titles.gaps").values())
_STATUS = frozenset(line for lines in phrases("reports.partial").values() for line in lines.values())
_HEADING = re.compile(r"^(#+)[ \t]+(.+?)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading ("" before the first one) and what stands below it, up to the next; `within` is the heading
    of the section that it is a part of ("" if of none)."""

    heading: str
    statements: tuple[tuple[CitedSentence, ...], ...]
    within: str = ""

    @property
    def sentences(self) -> list[CitedSentence]:
        return [said for statement in self.statements for said in statement]


@lru_cache(maxsize=512)
def sections(markdown: str) -> tuple[Section, ...]:
    """The sections of a report's body that say anything, in order; what it lists as not found is left out."""
    body = _END.split(blank_code(markdown))[0]
    heads = [match for match in _HEADING.finditer(body) if len(match[1]) > 1]
    starts = [0, *(match.start() for match in heads)]
    names = ["", *(match[2].strip("*") for match in heads)]
    ends = [*starts[1:], len(body)]
    above, within = "", [""]
    for match, name in zip(heads, names[1:], strict=True):
        above = name if len(match[1]) == 2 else above
        within.append(above if len(match[1]) > 2 else "")
    found = (
        Section(name, _statements(body, start, end), over)
        for name, start, end, over in zip(names, starts, ends, within, strict=True)
        if name not in _GAPS
    )
    return tuple(section for section in found if section.statements)


def _statements(body: str, start: int, end: int) -> tuple[tuple[CitedSentence, ...], ...]:
    sentences = [
        said for said in all_sentences(body[:end]) if said.start >= start and said.text not in _STATUS
    ]
    kinds = {block.start: block.kind for block in text_blocks(body[:end]) if block.start >= start}

    def kind(said: CitedSentence) -> str:
        return kinds[max((place for place in kinds if place <= said.start), default=said.start)]

    result: list[tuple[CitedSentence, ...]] = []
    for name, group in groupby(sentences, key=kind):
        members = tuple(group)
        together = name in ("item", "row") and len(members) <= _SHORT_LIST
        result += [members] if together else [(said,) for said in members]
    return tuple(result)


def lead(markdown: str) -> list[tuple[CitedSentence, ...]]:
    """The first statements of a report; a label before a list or table is none of them."""
    parts = sections(markdown)
    return [s for s in parts[0].statements if not _is_label(s)][:LEAD] if parts else []


def _is_label(statement: tuple[CitedSentence, ...]) -> bool:
    return len(statement) == 1 and statement[0].text.endswith((":", "：")) and not hedges(statement[0].text)


def says_no(said: CitedSentence) -> bool:
    """Whether a sentence denies that there is an answer, or offers what comes nearest in place of one."""
    return offers_nearest(said.text) or denies(said.text, cited=bool(said.numbers))


def lead_denies(markdown: str) -> bool:
    """Whether a report begins by saying that it has no answer."""
    for said in (said for statement in lead(markdown) for said in statement):
        if says_no(said):
            return True
        if said.numbers:
            return False
    return False


def is_denied(section: Section) -> bool:
    """Whether a section begins by saying that it has nothing to say."""
    return says_no(section.sentences[0])
