"""The user's glossary: terms that are settled, so that nobody asks about them.

A small glossary stands in the prompts. A large one would crowd out the conversation, so the clarifier looks
terms up in it with a tool, and other prompts show only the entries whose terms the conversation holds.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from .context import Context
from .models import chat
from .supervisor import offered
from .tools import LOOK_UP_TERM, answer, read_calls

Glossary = Mapping[str, str]
LARGE = 2_000
"""Characters; a longer glossary is looked up instead of shown."""
_ROUNDS = 2


def is_large(glossary: Glossary) -> bool:
    """Whether a glossary is too long to stand in a prompt."""
    return sum(len(term) + len(meaning) for term, meaning in glossary.items()) > LARGE


def mentioned(glossary: Glossary, text: str) -> dict[str, str]:
    """The entries whose terms stand in a text as words of their own, whatever their case."""
    letter = "[A-Za-z0-9\u00c0-\u024f]"
    return {
        term: meaning
        for term, meaning in glossary.items()
        if re.search(f"(?<!{letter}){re.escape(term)}(?!{letter})", text, re.IGNORECASE)
    }


def shown(glossary: Glossary, text: str) -> dict[str, str]:
    """What a prompt about `text` shows of a glossary: all of a small one, of a large one what it mentions."""
    return mentioned(glossary, text) if is_large(glossary) else dict(glossary)


def definition(glossary: Glossary, term: str) -> str:
    """One line on a term: its meaning, or the terms that it may be a slip for."""
    by_name = {name.casefold(): name for name in glossary}
    name = by_name.get(term.strip().casefold())
    if name:
        return f"{name}: {glossary[name]}"
    near = difflib.get_close_matches(term.strip().casefold(), by_name, n=3, cutoff=0.7)
    hint = f" Similar terms: {', '.join(by_name[match] for match in near)}." if near else ""
    return f"'{term}' is not in the glossary.{hint}"


async def look_up(messages: Sequence[Any], ctx: Context) -> dict[str, str]:
    """Let the clarifier look up terms of a large glossary; returns the entries that it found."""
    glossary = ctx.settings.scope.glossary
    tools = offered("clarifier", (LOOK_UP_TERM,), ctx)
    found: dict[str, str] = {}
    conversation = list(messages)
    for _ in range(_ROUNDS if tools else 0):
        message = await chat("clarifier", conversation, ctx, tools=tools)
        calls = read_calls(message, tools)
        if not calls:
            break
        conversation.append(message)
        for call in calls:
            lines = [definition(glossary, term) for term in call.arguments.terms] if not call.problem else []
            conversation.append(answer(call, "\n".join(lines) or f"Error: {call.problem}"))
            found |= {t: m for t, m in glossary.items() if f"{t}: {m}" in lines}
    return found
