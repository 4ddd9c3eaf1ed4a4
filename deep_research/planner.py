"""The planner: the few questions that, answered one by one, answer the request.

A plan is checked by code: the right number of questions, all different, none empty. What the first look at
the sources claims and nobody has confirmed may fill a short plan up. A plan that does not fit is sent back
once with the reason. A second one that is too long is cut, since its questions stand in order; one that is
still too short ends the run, because everything rests on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime
from pydantic import BaseModel, Field

from .context import Context
from .errors import BudgetExceeded, StructuredOutputError
from .guard import without_ids
from .models import structured
from .prompting import evidence, system_prompt
from .state import Gap, Source
from .terms import query_terms
from .text import detect_language, shorten, span

CALLS_AFTER = 3
"""Model calls that a report needs after the plan, besides the writer's: two to search, one to compress."""

_LONGEST = 300
_CHECK = {
    "en": "Do other sources bear this out, and what exactly do they say? {}",
    "zh": "其他来源是否证实这一点，具体怎么说？{}",
    "ja": "ほかの情報源はこれを裏付けているか、正確にはどう述べているか。{}",
}


class Plan(BaseModel):
    """The questions to research, in the order in which the report should treat them."""

    questions: list[str] = Field(
        min_length=1, description="Questions to research, each complete in itself, none overlapping another."
    )
    to_check: list[str] = Field(
        description="Assertions to corroborate, word for word; empty if nothing needs it."
    )


class PlanError(StructuredOutputError):
    """The planner gave no plan that can be carried out; nothing was researched."""


async def make_plan(question: str, brief: str, first_look: Sequence[Source], ctx: Context) -> list[str]:
    """The plan's questions, between `graph.min_questions` and `graph.max_questions` of them.

    `first_look` are sources that a first search has brought. Raises `PlanError` if the model gave no valid
    plan twice, `BudgetExceeded` if there is no budget for one.
    """
    from langchain_core.messages import HumanMessage

    least, most = ctx.settings.graph.min_questions, ctx.settings.graph.max_questions
    prompt = system_prompt("planner", ctx, min_questions=least, max_questions=most)
    material = "\n\n".join(filter(None, (f"Brief: {brief}", evidence(first_look, ctx))))
    messages = [prompt, HumanMessage(question), HumanMessage(material)]
    problem = ""
    for _ in range(2):
        again = [HumanMessage(f"That plan cannot be used: {problem} Make it again.")] if problem else []
        try:
            plan = await structured("planner", [*messages, *again], Plan, ctx)
        except StructuredOutputError as error:
            raise PlanError(f"There is no plan: {error}", _WAY_OUT) from error
        questions = _usable(plan, detect_language(question), least)
        problem = _problem(questions, least, most)
        if not problem:
            return questions
    if len(questions) > most:
        ctx.emit(
            "call", role="planner", tool="plan", text=f"cut to {most} questions", left_out=questions[most:]
        )
        return questions[:most]
    raise PlanError(f"There is no plan that can be carried out: {problem}", _WAY_OUT)


_WAY_OUT = "Ask again in other words, or set another model for the planner."


def _usable(plan: Plan, language: str, least: int) -> list[str]:
    """The plan's different questions; where they are too few, assertions to check come after them."""
    questions = distinct(plan.questions)
    checks = to_corroborate(plan.to_check, language)
    return [*questions, *checks[: max(least - len(questions), 0)]] if questions else []


def to_corroborate(assertions: Iterable[str], language: str) -> list[str]:
    """A question for each of the different assertions: do other sources bear it out?"""
    return [_CHECK[language].format(text) for text in distinct(assertions)]


def distinct(texts: Iterable[str]) -> list[str]:
    """The texts as single lines that cite nothing, each once; word order and case make no difference."""
    lines: dict[tuple[str, ...], str] = {}
    for text in texts:
        line = shorten(without_ids(text), _LONGEST)
        if terms := tuple(sorted(query_terms(line))):
            lines.setdefault(terms, line)
    return list(lines.values())


def _problem(questions: Sequence[str], least: int, most: int) -> str:
    """Why a plan does not fit, for the model and for the user; empty if it does."""
    if least <= len(questions) <= most:
        return ""
    return f"it has {len(questions)} different questions, and {span(least, most)} are wanted."


async def plan_node(state: Mapping[str, Any], runtime: Runtime[Context]) -> dict[str, Any]:
    """Write the plan into the state; with no budget for one, the request itself is the only question."""
    ctx, gaps = runtime.context, list[Gap]()
    try:
        with ctx.budget.keeping(ctx.branch, {"model_calls": CALLS_AFTER}):
            questions = await make_plan(state["question"], state["brief"], state.get("first_look", []), ctx)
    except BudgetExceeded as error:
        questions = [state["question"]]
        gaps.append(ctx.failure("no_plan", error, state["question"]))
    ctx.emit("call", role="planner", tool="plan", text=f"{len(questions)} questions", questions=questions)
    return {"plan": questions, "gaps": gaps}
