"""The research plan: the sections of the report to come, and the queries that are to fill each of them.

The planner writes an outline first, looks around with searches of its own, and then revises the outline; a
person may have it changed once more. Each version is kept. Code checks the number of queries, lets none stand
twice, and cuts or completes a plan that does not fit even when it was asked for again: a plan that is not
perfect costs less than no research.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, TypedDict

from pydantic import BaseModel, Field

from deep_research.components.others.planner import CALLS_AFTER_PLAN, distinct_lines, wrong_number
from deep_research.components.researcher import LoopLimits
from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.core.gaps import cause_of
from deep_research.core.records import Gap, Source
from deep_research.engine.context import Context
from deep_research.engine.evidence import evidence_text
from deep_research.engine.prompting import system_prompt, tool_variables, user_message
from deep_research.engine.structured import GivenOnly, structured
from deep_research.sources.ledger import Ledger
from deep_research.text.fence import fence, without_ids
from deep_research.text.language import shorten

from .agent_run import SearchRun
from .research import agent_instructions, research_tools

_LONGEST_HEADING = 200
_HEADING = re.compile(r"#{1,6}\s+(\S.*)")
_QUERY = re.compile(r"(?:[-*+]|\d+[.)])\s+(\S.*)")


class PlannedSection(BaseModel):
    """One section of the report."""

    question: str = Field(
        min_length=1, description="The question that the section answers. It becomes the heading."
    )
    queries: list[str] = Field(
        description="The questions to research for it: each stands on its own, and none overlaps another."
    )


class ResearchPlan(GivenOnly):
    """The sections of the report, in the order in which they will be read."""

    sections: list[PlannedSection] = Field(min_length=1, description="The sections, with their queries.")


class SectionQueries(TypedDict):
    """A section's heading and the queries that are to fill it; plain data, for checkpoints."""

    heading: str
    queries: list[str]


SectionPlan = list[SectionQueries]


@dataclass
class Planned:
    """The versions of a plan, oldest first, and what the planner has found on the way."""

    versions: list[SectionPlan]
    sources: list[Source] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)


async def plan_research(question: str, brief: str, ctx: Context) -> Planned:
    """Outline, look around, revise. Whatever of it the model or the budget denies is left out.

    The last version is the plan; without any it is the question itself, and a gap says so.
    """
    planned = Planned([])
    try:
        with ctx.budget.keeping(ctx.branch, {"model_calls": CALLS_AFTER_PLAN}):
            planned.versions.append(await write_plan(question, brief, ctx))
            await _look_around(question, planned, ctx)
            revised = await write_plan(
                question, brief, ctx, earlier=planned.versions[0], look=planned.sources
            )
            planned.versions.append(revised)
    except (ModelError, BudgetExceeded) as error:
        planned.gaps.append(ctx.failure("first_outline" if planned.versions else "no_plan", error, question))
    planned.versions = planned.versions or [[SectionQueries(heading=question, queries=[question])]]
    return planned


async def revise_plan(
    question: str, brief: str, plan: SectionPlan, remarks: str, ctx: Context
) -> dict[str, Any]:
    """A further version, as a person's remarks want it; where none can be had, a gap says so."""
    try:
        return {"plans": [await write_plan(question, brief, ctx, earlier=plan, remarks=remarks)]}
    except (ModelError, BudgetExceeded) as error:
        gap = ctx.gap("refused_topic", "plan_unchanged", question, **cause_of(error))
        return {"plans": [plan], "gaps": [gap]}


async def _look_around(question: str, planned: Planned, ctx: Context) -> None:
    """The planner's own searches, for the queries of its outline."""
    from .agents import run_agent

    searches, tools = ctx.settings.deep.planner_searches, research_tools("planner", ctx)
    instructions = agent_instructions(
        "planner_search", ctx, max_searches=searches, **tool_variables(tools, ctx.settings)
    )
    outlined = plan_text(planned.versions[-1])
    loop = LoopLimits(tools, turns=searches + 1, calls=searches, searches=searches, role="planner")
    run = SearchRun(
        ctx, instructions, tools, loop.turns, kept=[outlined], topic=question, loop=loop,
        ledger=Ledger(ctx.branch),
    )  # fmt: skip
    try:
        await run_agent("planner", run, [user_message(fence(question))], {"/plan.md": outlined})
    finally:
        planned.sources, planned.gaps = run.ledger.sources, [*planned.gaps, *run.gaps]


async def write_plan(
    question: str,
    brief: str,
    ctx: Context,
    *,
    earlier: SectionPlan | None = None,
    look: Sequence[Source] = (),
    remarks: str = "",
) -> SectionPlan:
    """One version of the plan, `deep.min_queries` to `deep.max_queries` queries, sent back once if need be.

    Raises `StructuredOutputError` if the model gives no object, `BudgetExceeded` if there is no budget.
    """
    deep = ctx.settings.deep
    least, most = deep.min_queries, deep.max_queries
    prompt = system_prompt("research_plan", ctx, min_queries=least, max_queries=most)
    parts = [
        f"Brief: {brief}",
        *([f"<plan>\n{fence(plan_text(earlier))}\n</plan>"] if earlier else []),
        *([f"A reviewer of the plan asks for this: {fence(remarks)}"] if remarks else []),
        evidence_text(look, ctx),
    ]
    messages = [prompt, user_message(question), user_message("\n\n".join(filter(None, parts)))]
    plan = _usable(await structured("planner", messages, ResearchPlan, ctx))
    if problem := wrong_number(len(plan_queries(plan)), "queries", least, most):
        again = user_message(f"That plan cannot be used: {problem} Make it again.")
        plan = _usable(await structured("planner", [*messages, again], ResearchPlan, ctx))
    return _cut(plan, most) or [SectionQueries(heading=question, queries=[question])]


def _usable(plan: ResearchPlan) -> SectionPlan:
    """The sections with their different queries; where these are mere ids, the section's question is one."""
    sections: SectionPlan = []
    taken: list[str] = []
    for planned in plan.sections:
        heading = shorten(" ".join(without_ids(planned.question).split()).lstrip("# "), _LONGEST_HEADING)
        queries = distinct_lines(planned.queries) or [heading]
        new = distinct_lines([*taken, *queries])[len(taken) :]
        if heading and new:
            sections.append(SectionQueries(heading=heading, queries=new))
            taken += new
    return sections


def _cut(plan: SectionPlan, most: int) -> SectionPlan:
    """The plan with its first queries, each section's first one before any section's second."""
    rounds = zip_longest(*(section["queries"] for section in plan))
    kept = set([query for row in rounds for query in row if query][:most])
    shortened = [
        SectionQueries(heading=s["heading"], queries=[q for q in s["queries"] if q in kept]) for s in plan
    ]
    return [section for section in shortened if section["queries"]]


def plan_queries(plan: SectionPlan) -> list[str]:
    """All queries of a plan, in order."""
    return [query for section in plan for query in section["queries"]]


def plan_text(plan: SectionPlan) -> str:
    """A plan as Markdown: a heading per section, a list item per query."""
    return "\n".join(
        line
        for section in plan
        for line in (f"## {section['heading']}", *(f"- {query}" for query in section["queries"]))
    )


def read_plan(text: str) -> SectionPlan:
    """The plan that a person wrote in the form of `plan_text`; empty if the text is no plan."""
    plan: SectionPlan = []
    for line in map(str.strip, text.splitlines()):
        if heading := _HEADING.fullmatch(line):
            plan.append(SectionQueries(heading=heading[1], queries=[]))
        elif plan and (query := _QUERY.fullmatch(line)):
            plan[-1]["queries"].append(query[1])
    return [section for section in plan if section["queries"]]


def plan_question(plan: SectionPlan, changes_left: int, unchanged: bool = False) -> str:
    """What a person is shown before the research starts; also where a remark has left the plan unchanged."""
    edit = "the plan as you want it, in the same form" + (", or what to change" if changes_left > 0 else "")
    again = (
        "Your remark has changed nothing in it. A plan of your own has, for each section, a heading (## …) "
        "over its items (- …).\n"
    )
    return f"{plan_text(plan)}\n\n{again if unchanged else ''}Research this plan? accept, reject, {edit}."
