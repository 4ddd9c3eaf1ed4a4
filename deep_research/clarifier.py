"""The clarifier: is the request clear enough to be researched, or is there one thing to ask first?

It never asks what it has asked before, and never more than the settings allow, whatever the model says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt
from pydantic import BaseModel, Field

from .context import Context
from .errors import StructuredOutputError
from .models import structured
from .prompting import DEPTHS, conversation, glossary_text, system_prompt


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
    """Decide about a conversation; an answer that cannot be read counts as 'nothing to ask'."""
    scope, language = ctx.settings.scope, ctx.settings.prompt_language
    asked = [turn["content"] for turn in history if turn["role"] == "assistant"]
    rounds_left = ctx.settings.limits.max_clarifications - len(asked)
    nothing = Clarification(need_clarification=False, question="", verification="")
    if scope.clarify == "off" or rounds_left <= 0:
        return nothing
    prompt = system_prompt(
        "clarifier",
        ctx,
        depth=DEPTHS[language][scope.clarify],
        glossary=glossary_text(scope, language),
        rounds_left=rounds_left,
    )
    try:
        answer = await structured("clarifier", [prompt, *conversation(history)], Clarification, ctx)
    except StructuredOutputError:
        return nothing
    repeated = _normal(answer.question) in {_normal(question) for question in asked}
    return nothing if answer.need_clarification and (repeated or not answer.question.strip()) else answer


def _normal(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


async def clarify_node(
    state: Mapping[str, Any], runtime: Runtime[Context]
) -> Command[Literal["clarify", "write_brief", "__end__"]]:
    """Ask through an interrupt and look again, or go on with the acknowledged scope."""
    result = await clarify(state["history"], runtime.context)
    if not result.need_clarification:
        return Command(goto="write_brief", update={"verification": result.verification})
    reply = interrupt({"kind": "clarification", "question": result.question})
    if not str(reply or "").strip():
        return Command(goto="__end__", update={"status": "needs_input"})
    turns = [{"role": "assistant", "content": result.question}, {"role": "user", "content": str(reply)}]
    return Command(goto="clarify", update={"history": [*state["history"], *turns]})
