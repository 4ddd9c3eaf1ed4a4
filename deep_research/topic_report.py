"""The report of the topic queue: from the outline, part by part, side by side.

Introduction and conclusion see all findings, and so does a section on the whole question; others see those of
their blocks. A part that fails costs itself only: the notes that it rests on stand in its place. If not even
that is possible, the writer's local template puts the findings together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .citation_ids import with_source_ids
from .context import Context
from .errors import NothingWritten
from .gaps import why_in
from .joining import Piece, joined, piece
from .outline import ReportOutline, Section
from .sections import Part, write_parts
from .state import Finding, Gap, Source
from .writer import writer_input

CONCLUSION = {"en": "Conclusion", "zh": "结论", "ja": "結論"}
_FIRST_LINE = re.compile(r"\A## [^\n]*\n+")
_INNER_HEADING = re.compile(r"^#{2,6} ", re.MULTILINE)


async def write_topic_report(
    question: str,
    brief: str,
    history: Sequence[dict[str, str]],
    outline: ReportOutline,
    findings: Sequence[Finding],
    sources: Sequence[Source],
    language: str,
    ctx: Context,
    remark: str = "",
) -> tuple[str, list[Gap]]:
    """The report as Markdown that cites ids, and the gaps of parts that could not be written.

    `remark` is a critic's word on an earlier draft; the writer of each part is told of it.
    """
    known = {f"block_{finding.branch}": finding for finding in findings}

    def part(heading: str, asks: str, instruction: str, used: Sequence[Finding]) -> Part:
        material = writer_input(question, brief, history, used, sources, [])
        return Part(heading, material, asks, "\n".join(filter(None, (instruction, remark))))

    used = [[known[name] for name in section.blocks] for section in outline.sections]
    parts = [
        part(question, question, outline.introduction, findings),
        *(
            part(s.title, _asks(s, of, question), _instruction(s), findings if _on_all(of, question) else of)
            for s, of in zip(outline.sections, used, strict=True)
        ),
        part(question, question, outline.conclusion, findings),
    ]
    results = await write_parts(parts, question, language, ctx)
    failed = [result for result in results if isinstance(result, Gap)]
    if len(failed) == len(parts):
        raise NothingWritten(
            f"No part of the report could be written. {failed[0].message}", why_in(failed[0])
        )
    opening, *middle, end = results
    sections = [
        piece(result)._replace(needed=False) if isinstance(result, str) else _from_notes(section, of)
        for section, of, result in zip(outline.sections, used, middle, strict=True)
    ]
    closing = Piece(CONCLUSION[language], _lead(end), needed=False)
    report = joined(outline.title, [Piece("", _lead(opening)), *sections, closing], language)
    return with_source_ids(report), failed


def _on_all(of: Sequence[Finding], question: str) -> bool:
    """Whether a section is on the whole question or on its answer, which another topic may have found."""
    return any(question in finding.topic for finding in of)


def _asks(section: Section, of: Sequence[Finding], question: str) -> str:
    """What a section answers: its heading, or what that is cut from; where this does not stand on its own, as
    a part of the question."""
    start = section.title.removesuffix("…")
    whole = (f.topic for f in of if start and start != section.title and f.topic.startswith(start))
    asks = next(whole, section.title)
    stands_alone = asks.endswith(("?", "？")) or question in asks
    return asks if stands_alone else f"{asks} (of “{question}”)"


def _instruction(section: Section) -> str:
    """What a section is to say, and the headings of its parts."""
    parts = [f"\n- ### {sub.title}: {sub.instruction}" for sub in section.subsections]
    return "".join([section.instruction, *parts])


def _lead(result: str | Gap) -> str:
    """An introduction or conclusion without its heading, up to the first heading inside; '' if it failed."""
    if isinstance(result, Gap):
        return ""
    text = _FIRST_LINE.sub("", result)
    return _INNER_HEADING.split(text, maxsplit=1)[0].strip()


def _from_notes(section: Section, findings: Sequence[Finding]) -> Piece:
    """A section without a model: the notes that it rests on."""
    return Piece(section.title, "\n\n".join(finding.text for finding in findings), needed=False)
