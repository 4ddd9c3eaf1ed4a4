"""The report of the topic queue: from the outline, part by part, side by side.

Introduction and conclusion see all findings, a section sees those of its blocks. A part that fails costs
itself only: the notes that it rests on stand in its place. If not even that is possible, the writer's local
template puts the findings together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .citation_ids import with_source_ids
from .context import Context
from .errors import NothingWritten
from .gaps import why_in
from .guard import without_ids
from .ledger import plain_line
from .outline import ReportOutline, Section
from .sections import Part, write_parts
from .state import Finding, Gap, Source
from .terms import cjk_count
from .writer import writer_input

CONCLUSION = {"en": "Conclusion", "zh": "结论", "ja": "結論"}
_SENTENCE = 40
"""Letters of a line (of Chinese and Japanese a third as many) that make it too long to be said twice."""
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
            part(s.title, _asks(s, question), _instruction(s), of)
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
    texts = [_lead(opening)] + [
        result if isinstance(result, str) else _from_notes(section, of)
        for section, of, result in zip(outline.sections, used, middle, strict=True)
    ]
    closing = _lead(end)
    texts += [f"## {CONCLUSION[language]}\n\n{closing}"] if closing else []
    title = f"# {plain_line(without_ids(outline.title))}"
    return with_source_ids("\n\n".join([title, *filter(None, without_repeats(texts))])) + "\n", failed


def _asks(section: Section, question: str) -> str:
    """What a section answers: its heading, as a part of the question."""
    return f"{section.title} (of “{question}”)"


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


def _from_notes(section: Section, findings: Sequence[Finding]) -> str:
    """A section without a model: the notes that it rests on."""
    return "\n\n".join([f"## {section.title}", *(finding.text for finding in findings)])


def without_repeats(parts: Iterable[str]) -> list[str]:
    """The parts without lines that stood in an earlier part, and without headings that nothing follows."""
    seen: set[str] = set()
    kept = []
    for part in parts:
        lines = []
        for line in part.splitlines():
            words = line.strip().lstrip("-* ")
            long = len(words) + 2 * cjk_count(words) > _SENTENCE
            if long and words in seen and not line.startswith("#"):
                continue
            seen.add(words)
            lines.append(line)
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
        kept.append(_without_empty_headings(text).strip())
    return kept


def _without_empty_headings(text: str) -> str:
    """The text without headings under which nothing stands; a deeper heading is something."""
    blocks = re.split(r"(?m)^(?=#{2,6} )", text)
    kept: list[str] = []
    for block in reversed(blocks):
        heading, _, rest = block.partition("\n")
        level = len(heading) - len(heading.lstrip("#"))
        below = bool(kept) and 0 < level < _level(kept[-1])
        if rest.strip() or not level or below:
            kept.append(block)
    return "".join(reversed(kept))


def _level(block: str) -> int:
    return len(block) - len(block.lstrip("#"))
