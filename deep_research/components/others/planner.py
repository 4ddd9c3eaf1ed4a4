"""The planner: the few questions that, answered one by one, answer the request.

A plan is checked by code: the right number of questions, all different, none empty; a question with one part
has a plan of one. A plan that does not fit is sent back once with the reason. A second one that is too long
is cut, since its questions stand in order; one that is still too short ends the run, because everything rests
on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime
from pydantic import Field

from deep_research.core.errors import BudgetExceeded, ModelError, StructuredOutputError
from deep_research.core.records import Gap, Source
from deep_research.engine.context import Context
from deep_research.engine.evidence import evidence_text
from deep_research.engine.prompting import system_prompt, user_message
from deep_research.engine.structured import GivenOnly, structured
from deep_research.text.fence import without_ids
from deep_research.text.language import shorten, span
from deep_research.text.source_ids import is_only_ids
from deep_research.text.terms import query_terms

CALLS_AFTER_PLAN = 3
"""Model calls that a report needs after the plan, besides the writer's: two to search, one to compress."""

_LONGEST = 300


class Plan(GivenOnly):
    """The questions to research, in the order in which the report should treat them."""

    questions: list[str] = Field(
        min_length=1,
        description="The questions to research: each stands on its own, and none overlaps another.",
    )


class PlanError(StructuredOutputError):
    """The planner gave no plan that can be carried out; nothing was researched."""


async def make_plan(question: str, brief: str, first_look: Sequence[Source], ctx: Context) -> list[str]:
    """The plan's questions, between `graph.min_questions` and `graph.max_questions` of them.

    `first_look` are sources that a first search has brought. Raises `PlanError` if the model gave no valid
    plan twice, `BudgetExceeded` if there is no budget for one.
    """
    least, most = ctx.settings.graph.min_questions, ctx.settings.graph.max_questions
    prompt = system_prompt("planner", ctx, min_questions=least, max_questions=most)
    material = "\n\n".join(filter(None, (f"Brief: {brief}", evidence_text(first_look, ctx))))
    messages = [prompt, user_message(question), user_message(material)]
    problem = ""
    for _ in range(2):
        again = [user_message(f"That plan cannot be used: {problem} Make it again.")] if problem else []
        try:
            plan = await structured("planner", [*messages, *again], Plan, ctx)
        except StructuredOutputError as error:
            raise PlanError(f"There is no plan: {error}", _WAY_OUT) from error
        questions = distinct_lines(plan.questions)
        questions = (
            [one for one in questions if not repeats_whole(one, question)] if least == 1 else questions
        )
        problem = wrong_number(len(questions), "questions", least, most)
        if not problem:
            return questions
    if len(questions) > most:
        ctx.emit(
            "call", role="planner", tool="plan", text=f"cut to {most} questions", left_out=questions[most:]
        )
        return questions[:most]
    raise PlanError(f"There is no plan that can be carried out: {problem}", _WAY_OUT)


_WAY_OUT = "Ask again in other words, or set another model for the planner."


def repeats_whole(part: str, question: str) -> bool:
    """Whether a part of a plan is the whole question again, with words around it."""
    whole = question.strip(" ?？。.")
    return bool(whole) and whole in part and len(part) > len(whole) + 3


def distinct_lines(texts: Iterable[str]) -> list[str]:
    """The texts as single lines that cite nothing, each once; word order and case make no difference.

    Ids of sources are no lines: nobody could look them up.
    """
    lines: dict[tuple[str, ...], str] = {}
    for text in (text for text in texts if not is_only_ids(text)):
        line = shorten(without_ids(text), _LONGEST)
        if terms := tuple(sorted(query_terms(line))):
            lines.setdefault(terms, line)
    return list(lines.values())


def wrong_number(count: int, what: str, least: int, most: int) -> str:
    """Why a plan of so many questions (or what it has) does not fit; empty if it does."""
    fits = least <= count <= most
    return "" if fits else f"it has {count} different {what}, and {span(least, most)} are wanted."


async def plan_node(state: Mapping[str, Any], runtime: Runtime[Context]) -> dict[str, Any]:
    """Write the plan into the state; with no budget for one, the request itself is the only question."""
    ctx, gaps = runtime.context, list[Gap]()
    try:
        with ctx.budget.keeping(ctx.branch, {"model_calls": CALLS_AFTER_PLAN}):
            questions = await make_plan(state["question"], state["brief"], state.get("first_look", []), ctx)
    except PlanError:
        raise
    except (ModelError, BudgetExceeded) as error:
        questions = [state["question"]]
        gaps.append(ctx.failure("no_plan", error, state["question"]))
    ctx.emit("call", role="planner", tool="plan", text=f"{len(questions)} questions", questions=questions)
    return {"plan": questions, "gaps": gaps}
