"""The brief writer: turns the conversation into one research brief, in the user's first person.

The brief keeps every stated detail and marks what was left open; it is all that the supervisor sees. Code
checks what can be checked: names, numbers and quoted words of the user, and the limits that the settings set.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime
from pydantic import BaseModel, Field

from .context import Context
from .errors import BudgetExceeded, StructuredOutputError
from .glossary import shown
from .models import structured
from .output_notes import output_lines
from .prompting import conversation, limits_of, own_words, scope_line, scope_notes, system_prompt
from .settings import Scope
from .text import detect_language

CALLS_AFTER = 3
"""Model calls that a report needs after the brief, besides the writer's: to delegate, search and compress."""

_OWN_WORDS = {"en": "In my own words:", "zh": "我的原话：", "ja": "私自身の言葉では："}
_DETAIL = re.compile(
    r"[\"“「『]([^\"”」』\n]{2,80})[\"”」』]"  # quoted
    r"|(\d+(?:[.,]\d+)*)"
    r"|(?<!^)(?<![.!?\n] )(?<!\n)\b([A-Z]\w+(?:-\w+)*)"  # a name or abbreviation inside a sentence
    r"|([\u30a1-\u30fa\u30fc]{3,})"  # katakana: mostly foreign names
)


class ResearchBrief(BaseModel):
    """What is to be researched."""

    research_brief: str = Field(
        min_length=1,
        description="The request in the first person, with every stated detail and what is left open.",
    )


async def write_brief(history: Sequence[Mapping[str, str]], ctx: Context, verification: str = "") -> str:
    """The brief of a conversation; the user's own words where no model can write one (budget included).

    `verification` is the scope as the clarifier acknowledged it; it goes into the notes, since a conversation
    that ends with the assistant's words would be a strange request. What the user or the settings had stated
    and the model's brief has lost stands at the brief's end.
    """
    scope, said, language = ctx.settings.scope, own_words(history), ctx.settings.prompt_language
    wanted = output_lines(ctx.settings, language)
    notes = scope_notes(scope, shown(scope.glossary, said), language, verification, wanted)
    prompt = system_prompt("brief_writer", ctx, scope_notes=notes)
    try:
        with ctx.budget.keeping(ctx.branch, {"model_calls": CALLS_AFTER}):
            brief = await structured("brief_writer", [prompt, *conversation(history)], ResearchBrief, ctx)
    except (StructuredOutputError, BudgetExceeded):
        return completed(said, said, scope)
    return completed(brief.research_brief, said, scope)


def completed(brief: str, said: str, scope: Scope) -> str:
    """The brief with what it has lost: the user's words if a detail is missing, and the settings' limits."""
    language = detect_language(said)
    added = [f"{_OWN_WORDS[language]}\n{said}"] if lost(details(said), brief) else []
    added += [
        scope_line(name, values, language) for name, values in limits_of(scope).items() if lost(values, brief)
    ]
    return "\n\n".join([brief.strip(), *added])


def details(text: str) -> list[str]:
    """What of a text must not get lost on the way: numbers, names, abbreviations and quoted words."""
    return list(dict.fromkeys(next(filter(None, match.groups())) for match in _DETAIL.finditer(text)))


def lost(wanted: Sequence[str], text: str) -> bool:
    """Whether a text lacks any of the details; case, blanks and thousands separators make no difference."""
    held = _plain(text)
    return any(_plain(detail) not in held for detail in wanted)


def _plain(text: str) -> str:
    return " ".join(text.replace(",", "").casefold().split())


async def write_brief_node(state: Mapping[str, Any], runtime: Runtime[Context]) -> dict[str, Any]:
    """Write the brief into the state."""
    brief = await write_brief(state["history"], runtime.context, state.get("verification", ""))
    return {"brief": brief}
