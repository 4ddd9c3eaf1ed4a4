"""The brief writer: turns the conversation into one research brief, in the user's first person.

The brief keeps every stated detail and marks what was left open; it is all that the supervisor sees. Code
checks what can be checked: names, numbers and quoted words of the user, and the limits that the settings set.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime
from pydantic import Field

from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.core.words import phrase
from deep_research.engine.context import Context
from deep_research.engine.output_requests import SCOPE_WORDS, limits_of, scope_lines, scope_notes
from deep_research.engine.prompting import conversation, is_question_of_system, system_prompt, user_words
from deep_research.engine.structured import GivenOnly, structured
from deep_research.settings.parts import ScopeSettings
from deep_research.text.language import detect_language

CALLS_AFTER_BRIEF = 3
"""Model calls that a report needs after the brief, besides the writer's: to delegate, search and compress."""

_OWN_WORDS = phrase("prompts.phrases.own_words")
_DETAIL = re.compile(
    r"[\"“「『]([^\"”」』\n]{2,80})[\"”」』]"  # quoted
    r"|(\d+(?:[.,]\d+)*)"
    r"|(?<!^)(?<![.!?\n] )(?<!\n)\b([A-Z]\w+(?:-\w+)*)"  # a name or abbreviation inside a sentence
    r"|([\u30a1-\u30fa\u30fc]{3,})"  # katakana: mostly foreign names
)


class ResearchBrief(GivenOnly):
    """The research brief."""

    research_brief: str = Field(
        min_length=1,
        description="The request in the first person, with every stated detail and every open point.",
    )


async def write_brief(history: Sequence[Mapping[str, str]], ctx: Context, verification: str = "") -> str:
    """The brief of a conversation; the user's own words where no model can write one (budget included).

    `verification` is the scope as the clarifier acknowledged it, which counts if it has asked the user
    something; it goes into the notes, so that the conversation ends with words of the user. What the user or
    the settings had stated and the model's brief has lost stands at the brief's end.
    """
    scope, said = ctx.settings.scope, user_words(history)
    agreed = verification if any(map(is_question_of_system, history)) else ""
    notes = scope_notes(ctx.settings, said, agreed=agreed, output=True)
    prompt = system_prompt("brief_writer", ctx, scope_notes=notes)
    try:
        with ctx.budget.keeping(ctx.branch, {"model_calls": CALLS_AFTER_BRIEF}):
            brief = await structured("brief_writer", [prompt, *conversation(history)], ResearchBrief, ctx)
    except (ModelError, BudgetExceeded):
        return with_stated_details(said, said, scope)
    return with_stated_details(brief.research_brief, said, scope)


def with_stated_details(brief: str, said: str, scope: ScopeSettings) -> str:
    """The brief with what it has lost: the user's words if a detail is missing, and the settings' limits."""
    language = detect_language(said)
    added = [f"{_OWN_WORDS[language]}\n{said}"] if missing_details(stated_details(said), brief) else []
    lost = {name: values for name, values in limits_of(scope).items() if missing_details(values, brief)}
    added += scope_lines(lost, SCOPE_WORDS[language])
    return "\n\n".join([brief.strip(), *added])


def stated_details(text: str) -> list[str]:
    """What of a text must not get lost on the way: numbers, names, abbreviations and quoted words."""
    return list(dict.fromkeys(next(filter(None, match.groups())) for match in _DETAIL.finditer(text)))


def missing_details(wanted: Sequence[str], text: str) -> bool:
    """Whether a text lacks any of the details; case, blanks and thousands separators make no difference."""
    held = _plain(text)
    return any(_plain(detail) not in held for detail in wanted)


def _plain(text: str) -> str:
    return " ".join(text.replace(",", "").casefold().split())


async def write_brief_node(state: Mapping[str, Any], runtime: Runtime[Context]) -> dict[str, Any]:
    """Write the brief into the state."""
    brief = await write_brief(state["history"], runtime.context, state.get("verification", ""))
    return {"brief": brief}
