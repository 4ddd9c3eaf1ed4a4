"""The brief writer: turns the conversation into one research brief, in the user's first person.

The brief keeps every stated detail and marks what was left open; it is all that the supervisor sees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime
from pydantic import BaseModel, Field

from .context import Context
from .errors import StructuredOutputError
from .models import structured
from .prompting import conversation, scope_notes, system_prompt


class ResearchBrief(BaseModel):
    """What is to be researched."""

    research_brief: str = Field(
        min_length=1,
        description="The request in the first person, with every stated detail and what is left open.",
    )


async def write_brief(history: Sequence[Mapping[str, str]], ctx: Context, verification: str = "") -> str:
    """The brief of a conversation; the user's own words where the model gives no readable one.

    `verification` is the scope as the clarifier acknowledged it; it counts as part of the conversation.
    """
    notes = scope_notes(ctx.settings.scope, ctx.settings.prompt_language)
    turns = [*history, *([{"role": "assistant", "content": verification}] if verification else [])]
    prompt = system_prompt("brief_writer", ctx, scope_notes=notes)
    try:
        brief = await structured("brief_writer", [prompt, *conversation(turns)], ResearchBrief, ctx)
    except StructuredOutputError:
        return own_words(history)
    return brief.research_brief


def own_words(history: Sequence[Mapping[str, str]]) -> str:
    """Everything that the user said, in order."""
    return "\n".join(turn["content"] for turn in history if turn["role"] == "user")


async def write_brief_node(state: Mapping[str, Any], runtime: Runtime[Context]) -> dict[str, Any]:
    """Write the brief into the state."""
    brief = await write_brief(state["history"], runtime.context, state.get("verification", ""))
    return {"brief": brief}
