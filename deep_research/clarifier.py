"""The clarifier: is the request clear enough to be researched, or is there one thing to ask first?

It never asks what it has asked before or what the settings state, and never more than they allow, whatever
the model says. Terms
of a large glossary are looked up with a tool before it decides (`glossary`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt
from pydantic import BaseModel, Field

from .brief_writer import CALLS_AFTER
from .context import Context
from .errors import BudgetExceeded, StructuredOutputError
from .glossary import is_large, look_up, shown
from .models import structured
from .output_notes import asks_only_what_is_settled, output_notes
from .prompting import DEPTHS, LOOK_UP_FIRST, asks, conversation, glossary_text, own_words, system_prompt
from .terms import query_terms

_CALLS_AFTER = CALLS_AFTER + 1
"""Model calls that research needs after the clarifier: the brief's, and what comes after that."""

_SAME = 0.6
"""Share of the words that two questions must have in common to count as one."""


class Clarification(BaseModel):
    """Whether to ask the user something before research starts."""

    need_clarification: bool = Field(
        description="True if a question must be asked before research can start."
    )
    question: str = Field(description="The question to the user; empty if none is needed.")
    verification: str = Field(
        description="An acknowledgement that restates the scope; empty if a question is asked."
    )


async def clarify(history: Sequence[Mapping[str, str]], ctx: Context) -> Clarification:
    """Decide about a conversation; no readable answer, or no budget for one, counts as 'nothing to ask'."""
    scope, language = ctx.settings.scope, ctx.settings.prompt_language
    asked = [turn["content"] for turn in history if asks(turn)]
    rounds_left = ctx.settings.limits.max_clarifications - len(asked)
    nothing = Clarification(need_clarification=False, question="", verification="")
    if scope.clarify == "off" or rounds_left <= 0:
        return nothing
    said = conversation(history)

    def prompt(glossary: str) -> Any:
        return system_prompt(
            "clarifier",
            ctx,
            depth=DEPTHS[language][scope.clarify],
            glossary=glossary,
            rounds_left=rounds_left,
            output_notes=output_notes(ctx.settings),
        )

    settled = shown(scope.glossary, own_words(history))
    try:
        with ctx.budget.keeping(ctx.branch, {"model_calls": _CALLS_AFTER}):
            if is_large(scope.glossary):
                settled |= await look_up([prompt(LOOK_UP_FIRST[language]), *said], ctx)
            messages = [prompt(glossary_text(settled, language)), *said]
            answer = await structured("clarifier", messages, Clarification, ctx)
    except (StructuredOutputError, BudgetExceeded):
        return nothing
    needless = (
        not answer.question.strip()
        or any(_alike(answer.question, question) for question in asked)
        or asks_only_what_is_settled(answer.question, ctx.settings)
    )
    return nothing if answer.need_clarification and needless else answer


def _alike(question: str, earlier: str) -> bool:
    """Whether two questions ask the same, as far as their words tell; their first letters stand for stems."""
    one, other = ({term[:5] for term in query_terms(text)} for text in (question, earlier))
    return len(one & other) >= _SAME * len(one | other)


async def clarify_node(
    state: Mapping[str, Any], runtime: Runtime[Context]
) -> Command[Literal["clarify", "write_brief", "__end__"]]:
    """Ask through an interrupt and look again, or go on with the acknowledged scope.

    A node runs again from its top when the answer comes. So a question is written into the history first, and
    put to the user in a step of its own: no model call is repeated, and the user answers what was asked.
    """
    history = state["history"]
    if history[-1].get("kind") == "question":
        reply = interrupt({"kind": "clarification", "question": history[-1]["content"]})
        if not str(reply or "").strip():
            return Command(goto="__end__", update={"status": "needs_input"})
        return Command(
            goto="clarify", update={"history": [*history, {"role": "user", "content": str(reply)}]}
        )
    result = await clarify(history, runtime.context)
    if result.need_clarification:
        question = {"role": "assistant", "kind": "question", "content": result.question}
        return Command(goto="clarify", update={"history": [*history, question]})
    return Command(goto="write_brief", update={"verification": result.verification})
