"""The router: which way a question is researched, and whether a first, quick answer is enough.

Both decisions are objects that a model fills in, with a reason; no word of an answer is looked for. Code adds
only what it can count: an answer that cites nothing is not enough, and where the budget does not reach for
deep research there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langgraph.runtime import Runtime
from pydantic import BaseModel, Field

from deep_research.components.brief_writer import CALLS_AFTER_BRIEF
from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.engine.context import Context, check_start
from deep_research.engine.prompting import conversation, system_prompt, user_message
from deep_research.engine.structured import structured
from deep_research.text.fence import fence

Depth = Literal["shallow", "deep"]


class Route(BaseModel):
    """How to research a question."""

    depth: Depth = Field(
        description="shallow: one agent makes a few searches; deep: several researchers work in parallel."
    )
    reason: str = Field(description="The reason, in one sentence.")


class Assessment(BaseModel):
    """Whether a first answer is enough."""

    escalate: bool = Field(
        description="True if the draft leaves part of the question open and thorough research should follow."
    )
    missing: list[str] = Field(
        description="What was asked for but not answered, as short topics; empty if nothing."
    )
    reason: str = Field(description="The reason, in one sentence.")


async def route(history: Sequence[Mapping[str, str]], ctx: Context) -> Route:
    """The way for the last request of a conversation; shallow where no verdict can be had.

    Shallow is the cautious default: it costs least, and its answer is looked at again.
    """
    prompt = system_prompt("router", ctx)
    try:
        with ctx.budget.keeping(ctx.branch, {"model_calls": 1}):
            verdict = await structured("router", [prompt, *conversation(history)], Route, ctx)
    except (ModelError, BudgetExceeded) as error:
        verdict = Route(depth="shallow", reason=f"No verdict: {error}")
    ctx.emit("call", role="router", tool="route", text=f"{verdict.depth}: {verdict.reason}")
    return verdict


async def assess_answer(question: str, draft: str, cited: int, ctx: Context) -> Assessment:
    """Whether deep research is to follow on a shallow answer that cites so many sources.

    Without a verdict the answer stands as it is; that is said in the reason.
    """
    if not cited:
        verdict = Assessment(escalate=True, missing=[question], reason="The answer rests on no source.")
    else:
        text = f"Question: {fence(question)}\n\n<draft>\n{fence(draft)}\n</draft>"
        try:
            with ctx.budget.keeping(ctx.branch, {"model_calls": CALLS_AFTER_BRIEF}):
                messages = [system_prompt("router_check", ctx), user_message(text)]
                verdict = await structured("router", messages, Assessment, ctx)
        except (ModelError, BudgetExceeded) as error:
            verdict = Assessment(escalate=False, missing=[], reason=f"No verdict: {error}")
    left = ctx.budget.left(ctx.branch).get("model_calls", CALLS_AFTER_BRIEF)
    if verdict.escalate and left < CALLS_AFTER_BRIEF:
        reason = f"{verdict.reason} The budget does not reach for more."
        verdict = verdict.model_copy(update={"escalate": False, "reason": reason})
    kind = "escalate" if verdict.escalate else "enough"
    ctx.emit("call", role="router", tool="assess", text=f"{kind}: {verdict.reason}", missing=verdict.missing)
    return verdict


async def route_node(state: Mapping[str, Any], runtime: Runtime[Context]) -> dict[str, Any]:
    """Write the verdict into the state."""
    check_start(state, runtime.context)
    verdict = await route(state["history"], runtime.context)
    return {"depth": verdict.depth, "reason": verdict.reason}
