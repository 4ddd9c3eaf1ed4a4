"""Summaries of an agent's own conversation, for when it grows too long for the model's window.

The model puts the conversation into a few lines. Code adds what must survive whatever the model writes: the
plan and the open gaps, as they lie on the desk, and every source by id and title.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .desk import Desk
from .errors import BudgetExceeded, ModelError
from .guard import fence
from .models import chat
from .prompting import attribute, system_prompt


async def summarize_history(messages: Sequence[Any], desk: Desk) -> str:
    """A conversation in short; where no model can write it, only what code adds.

    `messages` may hold source blocks: they are shown to the model as data.
    """
    from langchain_core.messages import HumanMessage

    shown = [HumanMessage(f"{message.type}: {_words(message)}") for message in messages]
    try:
        written = await chat("summarizer", [system_prompt("history_summary", desk.ctx), *shown], desk.ctx)
        text = str(written.text).strip()
    except (ModelError, BudgetExceeded) as error:
        desk.ctx.emit("budget", role="summarizer", text=f"a conversation was cut without a summary: {error}")
        text = ""
    sources = [f"- {source.id}: {attribute(source.title)} ({source.tier})" for source in desk.sources()]
    listed = ["Sources found so far:\n" + "\n".join(sources)] if sources else []
    return "\n\n".join(part for part in (text, *desk.kept, *listed) if part)


def _words(message: Any) -> str:
    calls = [f"{call['name']} {call['args']}" for call in getattr(message, "tool_calls", ())]
    return "\n".join([message.text, *(fence(call) for call in calls)]).strip()
