"""The report of the topic queue: an outline in three levels, then its parts side by side.

Every block of the queue has its place in exactly one section of the outline. Code sees to that, since a model
forgets one now and then: unknown blocks and sections without a block go, a block without a section gets one
of its own. Where no section is left, or no model can plan, the outline has a section per block.

Every part sees the findings of all blocks: topics come upon the same pages, and who sees the list of sections
can leave to the others what is theirs. One part is on what sources say differently. The conclusion also sees
what was not found. A section that states nothing is left out and named as a gap. A part that fails
costs itself only: the notes that it rests on stand in its place. If not even that is possible, the writer's
local template puts the findings together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, Field

from deep_research.components.writer import states_findings, told_elsewhere, writer_input
from deep_research.components.writer.joining import Piece, clean_piece, join_pieces
from deep_research.components.writer.sections import (
    SectionTask,
    cited_piece,
    differing_part,
    without_common_lead,
    write_section_tasks,
)
from deep_research.core.errors import BudgetExceeded, ModelError, NothingWritten
from deep_research.core.gaps import cause_in
from deep_research.core.records import Finding, Gap, Material
from deep_research.core.words import phrase
from deep_research.engine.context import Context
from deep_research.engine.prompting import LANGUAGES_IN, system_prompt, user_message
from deep_research.engine.structured import structured
from deep_research.sources.citations import with_source_ids
from deep_research.text.fence import fence, without_ids
from deep_research.text.language import shorten
from deep_research.text.titles import as_title

CONCLUSION = phrase("reports.headings.conclusion")
_FIRST_LINE = re.compile(r"\A## [^\n]*\n+")
_INNER_HEADING = re.compile(r"^#{2,6} ", re.MULTILINE)
_LONGEST = 160


class Subsection(BaseModel):
    """A part of a section."""

    title: str = Field(description="A heading of the third level.")
    instruction: str = Field(description="What this part must say.")


class Section(BaseModel):
    """A section and the blocks that it is based on."""

    title: str = Field(description="A heading that says what the section answers.")
    instruction: str = Field(description="What the section must say.")
    blocks: list[str] = Field(description="The blocks that it is based on, such as block_2.")
    subsections: list[Subsection] = Field(description="Its parts; empty if it needs none.")


class ReportOutline(BaseModel):
    """The plan of a report."""

    title: str = Field(description="The title of the report.")
    introduction: str = Field(description="What the introduction must say.")
    sections: list[Section] = Field(description="The sections in reading order.")
    conclusion: str = Field(description="What the conclusion must say.")


async def plan_outline(question: str, findings: Sequence[Finding], ctx: Context) -> ReportOutline:
    """An outline that covers every finding; the local one if no model can plan it."""
    blocks = {f"block_{finding.branch}": finding for finding in findings}
    if len(blocks) > 1:
        name = LANGUAGES_IN[ctx.settings.prompt_language][ctx.language]
        listed = "\n".join(f"{key}: {fence(shorten(f.topic, 300))}" for key, f in blocks.items())
        messages = [
            system_prompt("report_outline", ctx, language=name),
            user_message(f"Question: {fence(question)}"),
            user_message(f"Blocks:\n{listed}"),
        ]
        try:
            outline = await structured("writer", messages, ReportOutline, ctx)
            return repaired_outline(outline, question, {key: f.topic for key, f in blocks.items()})
        except (ModelError, BudgetExceeded) as error:
            ctx.emit("gap", role="writer", text=f"no outline, so a section per topic: {error}")
    return local_outline(question, {key: finding.topic for key, finding in blocks.items()})


def repaired_outline(outline: ReportOutline, question: str, blocks: dict[str, str]) -> ReportOutline:
    """The outline with each of these blocks (id → topic) in one section."""
    left, sections = dict(blocks), list[Section]()
    for section in outline.sections:
        own = [name for name in dict.fromkeys(name.strip() for name in section.blocks) if left.pop(name, "")]
        if own:
            parts = [part.model_copy(update={"title": _line(part.title)}) for part in section.subsections]
            update = {"title": _line(section.title), "blocks": own, "subsections": parts}
            sections.append(section.model_copy(update=update))
    if not sections:
        return local_outline(question, blocks)
    sections += [_own_section(name, topic) for name, topic in left.items()]
    title = _title(outline.title, blocks) or _line(question)
    return outline.model_copy(update={"title": title, "sections": sections})


def local_outline(question: str, blocks: dict[str, str]) -> ReportOutline:
    """A section per block (id → topic), under the question."""
    sections = [_own_section(name, topic) for name, topic in blocks.items()]
    return ReportOutline(title=_line(question), introduction="", sections=sections, conclusion="")


def _own_section(name: str, topic: str) -> Section:
    return Section(title=as_title(_line(topic)), instruction="", blocks=[name], subsections=[])


def _title(title: str, blocks: dict[str, str]) -> str:
    """The report's title; one that repeats the list of blocks, as small models do, is none."""
    return "" if any(name in title for name in blocks) else _line(title)


def _line(title: str) -> str:
    """A heading as one line that cites nothing and has no marks of its own."""
    return shorten(without_ids(title).lstrip("# "), _LONGEST)


async def write_along_outline(
    outline: ReportOutline, material: Material, ctx: Context
) -> tuple[str, list[Gap]]:
    """The report as Markdown that cites ids, and the gaps of parts that could not be written.

    The writer of each part is told of a reviewer's remark on an earlier draft.
    """
    question, known = material.question, {f"block_{one.branch}": one for one in material.findings}
    found = writer_input(replace(material, gaps=[], remark=""), ctx)
    whole = writer_input(replace(material, remark=""), ctx)
    titles = without_common_lead([section.title for section in outline.sections])

    def part(heading: str, asks: str, instruction: str, message: Any = found) -> SectionTask:
        return SectionTask(heading, message, asks, "\n".join(filter(None, (instruction, material.remark))))

    middle = [
        part(title, _asks(title, question), _instruction(section))
        for title, section in zip(titles, outline.sections, strict=True)
    ]
    closing = part(CONCLUSION[ctx.language], question, outline.conclusion, whole)
    opening, differing = part(question, question, outline.introduction), differing_part(found, ctx)
    parts = [opening, *middle, differing, closing]
    opened, *results, apart, closed = await write_section_tasks(question, parts, ctx)
    failed = [result for result in (opened, *results, closed) if isinstance(result, Gap)]
    if len(failed) == len(parts) - 1:
        raise NothingWritten(
            f"No part of the report could be written. {failed[0].message}", cause_in(failed[0])
        )
    rests_on = [[known[name] for name in section.blocks] for section in outline.sections]
    pieces = [
        clean_piece(result)._replace(needed=False) if isinstance(result, str) else _from_notes(title, of)
        for title, of, result in zip(titles, rests_on, results, strict=True)
    ]
    lead = _lead(opened)
    stated = [piece for piece in pieces if states_findings(piece.text)] or pieces * (not lead)
    ends = filter(None, map(cited_piece, (apart, closed)))
    last = [end._replace(needed=False) for end in ends]
    report = with_source_ids(join_pieces(outline.title, [Piece("", lead), *stated, *last]))
    bare = [
        ctx.gap("no_results", "section_empty", "report", heading=piece.heading)
        for piece, found_for in zip(pieces, rests_on, strict=True)
        if piece not in stated and not told_elsewhere(found_for, report, material.sources)
    ]
    return report, [*failed, *bare]


def _asks(asks: str, question: str) -> str:
    """What a section answers: its heading; one that does not stand on its own as part of the question."""
    return asks if asks.endswith(("?", "？")) or question in asks else f"{asks} (of “{question}”)"


def _instruction(section: Section) -> str:
    """What a section is to say, and the headings of its parts."""
    parts = [f"\n- ### {sub.title}: {sub.instruction}" for sub in section.subsections]
    return "".join([section.instruction, *parts])


def _lead(result: str | Gap) -> str:
    """An introduction or conclusion without headings, up to the first one after its text; '' if it failed."""
    if isinstance(result, Gap):
        return ""
    parts = _INNER_HEADING.split(_FIRST_LINE.sub("", result).strip())
    return parts[0].strip() or parts[min(1, len(parts) - 1)].partition("\n")[2].strip()


def _from_notes(title: str, findings: Sequence[Finding]) -> Piece:
    """A section without a model: the notes that it rests on."""
    return Piece(title, "\n\n".join(finding.text for finding in findings), needed=False)
