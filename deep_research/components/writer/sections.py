"""The report section by section, to compare with one shot: an outline, the sections side by side, joined.

The model plans the sections and writes each in a call of its own, under an equal share of the budget. Code
joins them under the question. A section that fails costs itself only and is named as a gap.
"""

from __future__ import annotations

import re
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from deep_research.core.errors import BudgetExceeded, ModelError, NothingWritten
from deep_research.core.gaps import EMPTY_ANSWER, cause_in
from deep_research.core.records import Gap
from deep_research.core.words import phrase
from deep_research.engine.branches import Branches
from deep_research.engine.budget import Amounts
from deep_research.engine.chat import chat
from deep_research.engine.context import Context
from deep_research.engine.output_requests import output_notes
from deep_research.engine.prompting import LANGUAGES_IN, system_prompt, user_message
from deep_research.engine.structured import structured
from deep_research.text.fence import without_ids
from deep_research.text.language import outside_code, shorten
from deep_research.text.source_ids import cited_ids

from .joining import Piece, clean_piece, join_pieces

MAX_SECTIONS = 6
_DIFFERING, _TOLD = phrase("reports.headings.differing"), phrase("prompts.sections.differing")
_OPENING = phrase("reports.headings.opening")
_LEAD = re.compile(r"(?:[^:：]*[:：])?")
_CLAUSE = 3
"""Words of a heading that can be told to be copied from a prompt."""
_FIRST_HEADING = re.compile(r"\A\s*(#{1,6})[ \t]([^\n]*)(?:\n|\Z)")
_HEADING = re.compile(r"^#{1,6}(?=[ \t])", re.MULTILINE)


class Outline(BaseModel):
    """The plan of a report that is written section by section."""

    topics: list[str] = Field(
        description="The topic of each section, in reading order: a heading that says what it answers."
    )


@dataclass(frozen=True, slots=True)
class SectionTask:
    """One part of a report: its heading, the message with all that it may use, and its instruction.

    `asks` is the question that it answers, where that is more than the heading. One `in_parts` may begin with
    the heading (`###`) of the first of them, unless that repeats its instructions; else a heading at its
    beginning is taken for its own.
    """

    heading: str
    message: Any
    asks: str = ""
    instruction: str = ""
    in_parts: bool = False


def differing_part(message: Any, ctx: Context) -> SectionTask:
    """The part on what sources say differently, which only shows where all findings stand side by side."""
    told = _TOLD[ctx.settings.prompt_language]
    return SectionTask(_DIFFERING[ctx.language], message, instruction=told, in_parts=True)


def cited_piece(result: str | Gap) -> Piece | None:
    """A part that a report can do without: left out if it cites nothing or could not be written."""
    return clean_piece(result) if isinstance(result, str) and cited_ids(result) else None


async def write_sections(question: str, message: Any, ctx: Context) -> tuple[str, list[Gap]]:
    """The report as Markdown that cites ids, and the sections that are missing.

    `message` is what `writer_input` makes. The text is empty where sections make no sense: the outline has
    one only, or the budget did not allow one. Raises `ModelError` if no section at all could be written.
    """
    if ctx.budget.left(ctx.branch, "writer").get("model_calls", 3) < 3:  # an outline and two sections
        ctx.emit("budget", role="writer", text="too few calls are left for sections: written in one shot")
        return "", []
    topics = await plan_sections(question, message, ctx)
    if len(topics) < 2:
        return "", []
    parts = [SectionTask(topic, message) for topic in topics]
    apart = [] if ctx.settings.output.sections else [differing_part(message, ctx)]
    results = await write_section_tasks(question, [*parts, *apart], ctx)
    written = [clean_piece(result) for result in results[: len(parts)] if isinstance(result, str)]
    gaps = [result for result in results[: len(parts)] if isinstance(result, Gap)]
    if not written:
        raise NothingWritten(f"None of the sections could be written. {gaps[0].message}", cause_in(gaps[0]))
    return join_pieces(question, [*written, *filter(None, map(cited_piece, results[len(parts) :]))]), gaps


async def write_section_tasks(
    question: str, parts: Sequence[SectionTask], ctx: Context, numbers: Sequence[int] = ()
) -> list[str | Gap]:
    """The parts side by side, each under an equal share of the budget: its text, or its gap.

    `numbers` are the parts to be written now, counted from 1; without them it is all of them.
    """
    numbers = numbers or range(1, len(parts) + 1)
    ctx.budget.reserve(ctx.branch, "writer", {})  # it was kept for this
    headings = [part.heading for part in parts]

    def write(branch: str, _: Amounts) -> Coroutine[Any, Any, str | Gap]:
        part = parts[int(branch.rpartition(".")[2]) - 1]
        name = _OPENING[ctx.language] if part.heading == question else part.heading  # as the trace calls it
        return write_section(question, part, headings, ctx.on(branch, name))

    return await Branches([f"{ctx.branch}.{n}" for n in numbers], ctx).gather(write)


async def plan_sections(question: str, message: Any, ctx: Context) -> list[str]:
    """The sections that the settings want; else the model's, at most `MAX_SECTIONS`, or none without one."""
    if ctx.settings.output.sections:
        return list(ctx.settings.output.sections)
    prompt = system_prompt("writer_outline", ctx, **report_variables(ctx), max_sections=MAX_SECTIONS)
    try:
        outline = await structured("writer", [prompt, user_message(question), message], Outline, ctx)
    except (ModelError, BudgetExceeded) as error:
        ctx.emit("gap", role="writer", text=f"no outline, so written in one shot: {error}")
        return []
    headings = distinct_headings(without_ids(topic) for topic in outline.topics)[:MAX_SECTIONS]
    return without_common_lead(headings)


def distinct_headings(topics: Iterable[str]) -> list[str]:
    """Topics as single lines; one that another contains is left out, for it would be written about twice."""
    lines: dict[str, str] = {}
    for topic in topics:
        if line := shorten(topic.lstrip("# "), 200):
            lines.setdefault(line.lower(), line)
    return [line for key, line in lines.items() if not any(key != other and key in other for other in lines)]


def common_lead(headings: Sequence[str]) -> str:
    """What all of several headings begin with, up to a colon: it tells none from another."""
    leads = {lead[0] for lead in map(_LEAD.match, headings) if lead}
    return leads.pop() if len(leads) == 1 < len(headings) else ""


def without_common_lead(headings: Sequence[str]) -> list[str]:
    """Headings without their common lead."""
    lead = common_lead(headings)
    return [heading.removeprefix(lead).strip() or heading for heading in headings]


async def write_section(question: str, part: SectionTask, headings: Sequence[str], ctx: Context) -> str | Gap:
    """One part of a report with these headings, its own included, or the gap that it leaves."""
    plan = "\n".join(f"{n}. {heading}" for n, heading in enumerate(headings, start=1))
    told = f"\n\nWhat it must say: {part.instruction}" if part.instruction else ""
    asked = f"Question: {part.asks or part.heading}{told}\n\nThe whole report answers: {question}"
    number = 1 + headings.index(part.heading)
    task = f"{asked}\n\nIts sections:\n{plan}\n\nYour section is number {number}."
    prompt = system_prompt("writer_section", ctx, **report_variables(ctx))
    try:
        message = await chat("writer", [prompt, user_message(task), part.message], ctx, stream=True)
        own = _FIRST_HEADING.match(message.text)
        opening = own[2].strip("# ").casefold() if own else ""
        is_told = len(opening.split()) >= _CLAUSE and opening in str(prompt.content).casefold()
        copied = is_told or opening == part.heading.casefold()
        of_part = part.in_parts and own and len(own[1]) > 2 and not copied
        text = message.text[own.end() if own and not of_part else 0 :].strip()
        if not text:
            raise NothingWritten("The section says nothing.", EMPTY_ANSWER)
        lowered = outside_code(text, lambda part: _HEADING.sub("###", part))
        return f"## {part.heading}\n\n{lowered}"
    except (ModelError, BudgetExceeded) as error:
        return ctx.failure("section_failed", error, heading=part.heading)


def report_variables(ctx: Context) -> dict[str, str]:
    """What every prompt of the writer is filled with: the report's language, and what is wanted of it."""
    return {
        "language": LANGUAGES_IN[ctx.settings.prompt_language][ctx.language],
        "output_notes": output_notes(ctx.settings, reader=True),
    }
