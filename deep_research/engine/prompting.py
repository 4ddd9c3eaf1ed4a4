"""What components put into prompts: a role's instructions, the conversation, numbers and terms in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deep_research.core.clock import today
from deep_research.core.words import phrase, phrases
from deep_research.prompts import render
from deep_research.settings import Settings

from .context import Context
from .tools import Tool, tool_lines

LANGUAGES_IN = phrases("prompts.languages")
"""The name of a report's language, in the language of the prompt."""

_NUMBERS = phrase("prompts.phrases.numbers")
NONE = phrase("prompts.phrases.none")


def system_prompt(role: str, ctx: Context, **variables: Any) -> Any:
    """The instructions of a role as a system message, dated by the run's clock."""
    from langchain_core.messages import SystemMessage

    settings = ctx.settings
    text = render(
        role,
        settings.prompt_language,
        override=settings.prompts.get(role),
        date=today(ctx.clock),
        **variables,
    )
    return SystemMessage(text)


def user_message(text: str) -> Any:
    """A text as a message of the user."""
    from langchain_core.messages import HumanMessage

    return HumanMessage(text)


def conversation(history: Sequence[Mapping[str, str]]) -> list[Any]:
    """Turns of `{"role": "user" | "assistant", "content": …}` as messages."""
    from langchain_core.messages import AIMessage, HumanMessage

    return [(AIMessage if turn["role"] == "assistant" else HumanMessage)(turn["content"]) for turn in history]


def is_question_of_system(turn: Mapping[str, str]) -> bool:
    """Whether a turn is a question put to the user, as the clarifier marks it; an earlier report is none."""
    if turn["role"] != "assistant":
        return False
    text = turn["content"].strip()
    return turn.get("kind") == "question" or (("?" in text or "？" in text) and not text.startswith("#"))


def user_words(history: Sequence[Mapping[str, str]]) -> str:
    """What the user said about the request at hand: everything since the last answer that was no question."""
    said: list[str] = []
    for turn in history:
        if turn["role"] == "user":
            said.append(turn["content"])
        elif turn["role"] == "assistant" and not is_question_of_system(turn):
            said = []
    return "\n".join(said)


def spelled_number(number: int, settings: Settings) -> str:
    """A number from 1 to 10 as a word in the prompt's language."""
    return _NUMBERS[settings.prompt_language].split()[number - 1]


def tool_variables(tools: Sequence[Tool], settings: Settings) -> dict[str, str]:
    """How many tools there are for a role's task, and what each is for, as prompts say it."""
    return {"tool_count": spelled_number(len(tools), settings), "tools": tool_lines(tools, settings)}


def text_of_messages(messages: Sequence[Any]) -> str:
    """A model's own words in a conversation: what it wrote, and its reflections."""
    spoken = [message for message in messages if message.type == "ai"]
    thoughts = [str(call["args"].get("reflection", "")) for message in spoken for call in message.tool_calls]
    return "\n".join([*(message.text for message in spoken), *thoughts])


def words_given(messages: Sequence[Any], own: bool = False) -> str:
    """All that a model is given in a conversation; with `own`, what it has said itself before, too."""
    return "\n".join(message.text for message in messages if own or message.type != "ai")


def glossary_text(glossary: Mapping[str, str], settings: Settings) -> str:
    """Entries of a glossary, a term per line."""
    lines = [f"- {term}: {meaning}" for term, meaning in glossary.items()]
    return "\n".join(lines) or NONE[settings.prompt_language]
