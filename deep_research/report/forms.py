"""A report in another form: slides, points, plain text or one list, made by code from whatever was written.

A model may have kept to the form or not; what comes out here has it in any case. Sentences stay as they are,
with their citations; a table row becomes a sentence; a block of code (a chart, say) stays where text has
room for it. Citations are ids in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from deep_research.text.cited_sentences import CitedSentence, text_blocks
from deep_research.text.language import CJK
from deep_research.text.source_ids import sentences_citing_ids

Form = Literal["report", "slides", "key_points", "plain_text", "list"]
POINTS_OF_A_SLIDE = 5
_FENCED = re.compile(r"(^```.*?(?:^```[^\n]*$|\Z))", re.MULTILINE | re.DOTALL)
_END = re.compile(r"[.!?:。！？：][\"'”’」』)\]]*(?:\s*\[S\d+\.\d+\])*$")
_EMPHASIS = re.compile(r"\*+|(?<!\w)_+|_+(?!\w)|`+")


class TextPart(NamedTuple):
    """A heading with its level, a sentence, or a block of code (level 0)."""

    kind: Literal["heading", "sentence", "code"]
    text: str
    level: int = 0


class TextSection(NamedTuple):
    """A heading ("" before the first one) and what stands under it."""

    heading: str
    level: int
    parts: list[TextPart]


def apply_form(markdown: str, form: Form) -> str:
    """The text in that form; `report` leaves it as it is."""
    if form == "report":
        return markdown
    sections = list(_sections(markdown))
    title = sections.pop(0) if sections and sections[0].level == 1 else TextSection("", 1, [])
    opening = [TextSection("", 2, title.parts)] if title.parts else []
    written = _WRITERS[form]([*opening, *sections])
    heading = [f"# {title.heading}"] if title.heading else []
    return "\n\n".join([*heading, *(block for block in written if block)]) + "\n"


def _parts(markdown: str) -> Iterator[TextPart]:
    for number, piece in enumerate(_FENCED.split(markdown)):
        if number % 2:
            yield TextPart("code", piece.strip())
            continue
        found = [
            (b.start, _heading(piece, b.start, b.end)) for b in text_blocks(piece) if b.kind == "heading"
        ]
        found += [(said.start, TextPart("sentence", text)) for text, said in sentence_lines(piece)]
        yield from (part for _, part in sorted(found, key=lambda item: item[0]))


def sentence_lines(markdown: str) -> Iterator[tuple[str, CitedSentence]]:
    """Every sentence as one line with its markup and citations; a table row in words, column by column."""
    for said in sentences_citing_ids(markdown):
        text = " ".join(markdown[said.start : said.end].split())
        if text.startswith("|"):
            text = f"{said.text} {''.join(f'[{n}]' for n in said.ids)}".rstrip()
        yield text, said


def _heading(text: str, start: int, end: int) -> TextPart:
    line = text[text.rfind("\n", 0, start) + 1 : start]
    return TextPart("heading", text[start:end], line.count("#"))


def _sections(markdown: str) -> Iterator[TextSection]:
    section = TextSection("", 2, [])
    for part in _parts(markdown):
        if part.kind == "heading":
            if section.heading or section.parts:
                yield section
            section = TextSection(part.text, part.level, [])
        else:
            section.parts.append(part)
    if section.heading or section.parts:
        yield section


def _points(parts: Sequence[TextPart]) -> str:
    return "\n".join(f"- {part.text}" for part in parts if part.kind == "sentence")


def _code(sections: Sequence[TextSection]) -> list[str]:
    return [part.text for section in sections for part in section.parts if part.kind == "code"]


def _key_points(sections: Sequence[TextSection]) -> list[str]:
    written = []
    for section in sections:
        heading = f"{'#' * section.level} {section.heading}" if section.heading else ""
        written += [heading, _points(section.parts), *_code([section])]
    return written


def _slides(sections: Sequence[TextSection]) -> list[str]:
    """A slide per section; one with more points than a slide holds goes on on the next."""
    written = []
    for section in sections:
        said = [part for part in section.parts if part.kind == "sentence"]
        pages = [said[n : n + POINTS_OF_A_SLIDE] for n in range(0, len(said), POINTS_OF_A_SLIDE)] or [[]]
        for number, page in enumerate(pages, start=1):
            heading = section.heading + (f" ({number})" if number > 1 else "")
            written += [f"## {heading.strip()}" if heading.strip() else "", _points(page)]
        written += _code([section])
    return written


def _plain_text(sections: Sequence[TextSection]) -> list[str]:
    said = [
        [with_full_stop(part.text) for part in section.parts if part.kind == "sentence"]
        for section in sections
    ]
    return [_EMPHASIS.sub("", " ".join(texts)) for texts in said]


def with_full_stop(text: str) -> str:
    """A list item as a sentence: with a full stop, so that what follows does not run into it."""
    return text if _END.search(text) else text + ("。" if CJK.search(text[-12:]) else ".")


def _list(sections: Sequence[TextSection]) -> list[str]:
    said = [part.text for section in sections for part in section.parts if part.kind == "sentence"]
    return ["\n".join(f"{number}. {text}" for number, text in enumerate(said, start=1))]


_WRITERS = {"key_points": _key_points, "slides": _slides, "plain_text": _plain_text, "list": _list}
