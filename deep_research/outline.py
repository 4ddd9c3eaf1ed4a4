"""The outline of a report in three levels: title, introduction, sections with their parts, conclusion.

Every block of the queue has its place in exactly one section. Code sees to that, since a model forgets one
now and then: unknown blocks go, a section without a block goes, a block without a section gets one of its
own. Where no section is left, or no model can plan, the outline has a section per block.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, Field

from .context import Context
from .errors import BudgetExceeded, ModelError
from .guard import fence, without_ids
from .models import structured
from .prompting import LANGUAGES_IN, system_prompt
from .state import Finding
from .text import shorten

_LONGEST = 160


class Subsection(BaseModel):
    """A part of a section."""

    title: str = Field(description="A heading of the third level.")
    instruction: str = Field(description="What this part is to say.")


class Section(BaseModel):
    """A section, and the blocks that it rests on."""

    title: str = Field(description="A heading that says what the section answers.")
    instruction: str = Field(description="What the section is to say.")
    blocks: list[str] = Field(description="The blocks that it rests on, such as block_2.")
    subsections: list[Subsection] = Field(description="Its parts; empty if it needs none.")


class ReportOutline(BaseModel):
    """The plan of a report."""

    title: str = Field(description="The title of the report.")
    introduction: str = Field(description="What the introduction is to say.")
    sections: list[Section] = Field(description="The sections in reading order.")
    conclusion: str = Field(description="What the conclusion is to say.")


async def plan_outline(
    question: str, findings: Sequence[Finding], language: str, ctx: Context
) -> ReportOutline:
    """An outline that covers every finding; the local one if no model can plan it."""
    from langchain_core.messages import HumanMessage

    blocks = {f"block_{finding.branch}": finding for finding in findings}
    if len(blocks) > 1:
        name = LANGUAGES_IN[ctx.settings.prompt_language][language]
        listed = "\n".join(f"{key}: {fence(shorten(f.topic, 300))}" for key, f in blocks.items())
        messages = [
            system_prompt("report_outline", ctx, language=name),
            HumanMessage(fence(question)),
            HumanMessage(f"Blocks:\n{listed}"),
        ]
        try:
            outline = await structured("writer", messages, ReportOutline, ctx)
            return repaired(outline, question, {key: f.topic for key, f in blocks.items()})
        except (ModelError, BudgetExceeded) as error:
            ctx.emit("gap", role="writer", text=f"no outline, so a section per topic: {error}")
    return local_outline(question, {key: finding.topic for key, finding in blocks.items()})


def repaired(outline: ReportOutline, question: str, blocks: dict[str, str]) -> ReportOutline:
    """The outline with each of these blocks (id → topic) in one section."""
    left, sections = dict(blocks), list[Section]()
    for section in outline.sections:
        own = [name for name in dict.fromkeys(name.strip() for name in section.blocks) if left.pop(name, "")]
        if own:
            parts = [part.model_copy(update={"title": _line(part.title)}) for part in section.subsections]
            sections.append(
                section.model_copy(
                    update={"title": _line(section.title), "blocks": own, "subsections": parts}
                )
            )
    if not sections:
        return local_outline(question, blocks)
    return outline.model_copy(
        update={
            "title": _title(outline.title, blocks) or _line(question),
            "sections": [*sections, *(_own_section(name, topic) for name, topic in left.items())],
        }
    )


def local_outline(question: str, blocks: dict[str, str]) -> ReportOutline:
    """A section per block (id → topic), under the question."""
    sections = [_own_section(name, topic) for name, topic in blocks.items()]
    return ReportOutline(title=_line(question), introduction="", sections=sections, conclusion="")


def _own_section(name: str, topic: str) -> Section:
    return Section(title=_line(topic), instruction="", blocks=[name], subsections=[])


def _title(title: str, blocks: dict[str, str]) -> str:
    """The report's title; one that repeats the list of blocks, as small models do, is none."""
    return "" if any(name in title for name in blocks) else _line(title)


def _line(title: str) -> str:
    """A heading as one line that cites nothing and has no marks of its own."""
    return shorten(without_ids(title).lstrip("# "), _LONGEST)
