"""The report section by section, to compare with one shot: an outline, the sections side by side, joined.

The model plans the sections and writes each in a call of its own, under an equal share of the budget. Code
joins them under the question. A section that fails costs itself only and is named as a gap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from .context import Context
from .errors import BudgetExceeded, ModelError, NothingWritten
from .gaps import EMPTY_ANSWER, kind_of, why_in, why_of
from .guard import without_ids
from .joining import joined, piece
from .models import chat, structured
from .output_notes import output_notes
from .prompting import LANGUAGES_IN, system_prompt
from .state import Gap
from .text import outside_code, shorten

MAX_SECTIONS = 6
_FIRST_HEADING = re.compile(r"\A\s*#{1,6}[ \t][^\n]*(?:\n|\Z)")
_HEADING = re.compile(r"^#{1,6}(?=[ \t])", re.MULTILINE)


class Outline(BaseModel):
    """The plan of a report that is written section by section."""

    topics: list[str] = Field(
        description="The topic of each section, in order: a heading that says what it is to answer."
    )


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a report: its heading, the message with all it may use, and what it is told.

    `asks` is the question that it answers, where that is more than the heading.
    """

    heading: str
    material: Any
    asks: str = ""
    instruction: str = ""


async def write_sections(question: str, material: Any, language: str, ctx: Context) -> tuple[str, list[Gap]]:
    """The report as Markdown that cites ids, and the sections that are missing.

    `material` is the message with all that may be used. The text is empty where sections make no sense: the
    outline has one only, or could not be had within the budget. Raises `ModelError` if no section at all
    could be written.
    """
    if ctx.budget.left(ctx.branch, "writer").get("model_calls", 3) < 3:  # an outline and two sections
        ctx.emit("budget", role="writer", text="too few calls are left for sections: written in one shot")
        return "", []
    topics = await plan_sections(question, material, language, ctx)
    if len(topics) < 2:
        return "", []
    parts = [Part(topic, material) for topic in topics]
    return _report_of(question, await write_parts(parts, question, language, ctx), language)


async def write_parts(
    parts: Sequence[Part], question: str, language: str, ctx: Context, numbers: Sequence[int] = ()
) -> list[str | Gap]:
    """The parts side by side, each under an equal share of the budget: its text, or its gap.

    `numbers` are the parts to be written now, counted from 1; without them it is all of them.
    """
    numbers = numbers or range(1, len(parts) + 1)
    branches = [f"{ctx.branch}.{n}" for n in numbers]
    ctx.budget.reserve(ctx.branch, "writer", {})  # it was kept for this
    shares = ctx.budget.share(ctx.branch, branches)
    ctx.trace.fork(ctx.branch, branches)
    for branch in branches:
        ctx.budget.open(branch, shares[branch])
    jobs = [
        write_section(parts[n - 1], parts, question, language, ctx.on(branch, parts[n - 1].heading))
        for n, branch in zip(numbers, branches, strict=True)
    ]
    results = await ctx.gather(jobs)
    ctx.budget.close(branches)
    ctx.trace.join(ctx.branch, branches)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]


def _report_of(question: str, results: Sequence[Any], language: str) -> tuple[str, list[Gap]]:
    """The sections that were written, in order, and the gaps of the others."""
    written = [result for result in results if isinstance(result, str)]
    gaps = [result for result in results if isinstance(result, Gap)]
    if not written:
        raise NothingWritten(f"None of the sections could be written. {gaps[0].message}", why_in(gaps[0]))
    return joined(question, [piece(section) for section in written], language), gaps


async def plan_sections(question: str, material: Any, language: str, ctx: Context) -> list[str]:
    """The sections that the settings want; else the model's, at most `MAX_SECTIONS`, or none without one."""
    if ctx.settings.output.sections:
        return list(ctx.settings.output.sections)
    from langchain_core.messages import HumanMessage

    prompt = system_prompt("writer_outline", ctx, **_variables(language, ctx), max_sections=MAX_SECTIONS)
    try:
        outline = await structured("writer", [prompt, HumanMessage(question), material], Outline, ctx)
    except (ModelError, BudgetExceeded) as error:
        ctx.emit("gap", role="writer", text=f"no outline, so written in one shot: {error}")
        return []
    return distinct(without_ids(topic) for topic in outline.topics)[:MAX_SECTIONS]


def distinct(topics: Iterable[str]) -> list[str]:
    """Topics as single lines; one that another contains is left out, for it would be written about twice."""
    lines: dict[str, str] = {}
    for topic in topics:
        if line := shorten(topic.lstrip("# "), 200):
            lines.setdefault(line.lower(), line)
    return [line for key, line in lines.items() if not any(key != other and key in other for other in lines)]


async def write_section(
    part: Part, parts: Sequence[Part], question: str, language: str, ctx: Context
) -> str | Gap:
    """One part with its heading, or the gap that it leaves."""
    from langchain_core.messages import HumanMessage

    plan = "\n".join(f"{n}. {one.heading}" for n, one in enumerate(parts, start=1))
    told = f"\n\nWhat it is to say: {part.instruction}" if part.instruction else ""
    asked = f"Question: {part.asks or part.heading}{told}\n\nThe whole report answers: {question}"
    task = f"{asked}\n\nIts sections:\n{plan}"
    prompt = system_prompt("writer_section", ctx, **_variables(language, ctx))
    try:
        message = await chat("writer", [prompt, HumanMessage(task), part.material], ctx, stream=True)
        text = _FIRST_HEADING.sub("", message.text).strip()
        if text:
            lowered = outside_code(text, lambda part: _HEADING.sub("###", part))
            return f"## {part.heading}\n\n{lowered}"
        why = EMPTY_ANSWER
    except (ModelError, BudgetExceeded) as error:
        why = why_of(error)
    return ctx.gap(kind_of(why), "section_failed", heading=part.heading, **why)


def _variables(language: str, ctx: Context) -> dict[str, str]:
    return {
        "language": LANGUAGES_IN[ctx.settings.prompt_language][language],
        "output_notes": output_notes(ctx.settings, reader=True),
    }
