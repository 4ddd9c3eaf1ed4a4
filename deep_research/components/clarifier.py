"""The clarifier: is the request clear enough to be researched, or is there one thing to ask first?

It never asks what it has asked before or what the settings state, and never more often than they allow,
whatever the model says. Before it decides, it looks up terms of a large glossary with a tool.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt
from pydantic import BaseModel, Field

from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.core.words import phrase, phrases
from deep_research.engine.chat import chat
from deep_research.engine.context import Context, check_start
from deep_research.engine.output_requests import (
    Glossary,
    asks_only_what_is_settled,
    is_large,
    output_notes,
    relevant_terms,
)
from deep_research.engine.prompting import (
    conversation,
    glossary_text,
    is_question_of_system,
    system_prompt,
    user_words,
    words_given,
)
from deep_research.engine.structured import structured
from deep_research.engine.tools import LOOK_UP_TERM, read_calls, tool_answer, tools_of_role
from deep_research.text.inventions import without_inventions
from deep_research.text.language import detect_language
from deep_research.text.terms import STOP_WORDS, query_terms

from .brief_writer import CALLS_AFTER_BRIEF

_CALLS_AFTER = CALLS_AFTER_BRIEF + 1
"""Model calls that research needs after the clarifier: the brief's, and what comes after that."""

_DEPTHS = phrases("prompts.depths")
_LOOK_UP_FIRST = phrase("prompts.phrases.look_up_first")
"""What stands in place of a large glossary while its terms are looked up."""
_SAME = 0.6
"""Share of the words that two questions must have in common to count as one."""
_LOOK_UPS = 2


class Clarification(BaseModel):
    """Whether to ask the user something before research starts."""

    need_clarification: bool = Field(
        description="True if the user must be asked something before the research can start."
    )
    question: str = Field(description="The question to the user; empty if no question is needed.")
    verification: str = Field(
        description="An acknowledgement that restates the scope; empty if you ask a question."
    )


async def clarify(history: Sequence[Mapping[str, str]], ctx: Context) -> Clarification:
    """Decide about a conversation; no answer, or no budget for one, counts as 'nothing to ask'."""
    scope, language = ctx.settings.scope, ctx.settings.prompt_language
    asked = [turn["content"] for turn in history if is_question_of_system(turn)]
    rounds_left = ctx.settings.limits.max_clarifications - len(asked)
    nothing = Clarification(need_clarification=False, question="", verification="")
    if scope.clarify == "off" or rounds_left <= 0:
        return nothing
    said = conversation(history)

    def prompt(glossary: str) -> Any:
        return system_prompt(
            "clarifier",
            ctx,
            depth=_DEPTHS[language][scope.clarify],
            glossary=glossary,
            rounds_left=rounds_left,
            output_notes=output_notes(ctx.settings),
        )

    settled = relevant_terms(scope.glossary, user_words(history))
    try:
        with ctx.budget.keeping(ctx.branch, {"model_calls": _CALLS_AFTER}):
            if is_large(scope.glossary):
                settled |= await look_up_terms([prompt(_LOOK_UP_FIRST[language]), *said], ctx)
            messages = [prompt(glossary_text(settled, ctx.settings)), *said]
            answer = await structured("clarifier", messages, Clarification, ctx)
    except (ModelError, BudgetExceeded):
        return nothing
    answer.verification = without_inventions(answer.verification, words_given(messages))
    needless = (
        not answer.question.strip()
        or any(_alike(answer.question, question) for question in asked)
        or asks_only_what_is_settled(answer.question, ctx.settings)
    )
    return nothing if answer.need_clarification and needless else answer


def definition(glossary: Glossary, term: str) -> str:
    """One line on a term: its meaning, or the terms that it may be a slip for."""
    by_name = {name.casefold(): name for name in glossary}
    name = by_name.get(term.strip().casefold())
    if name:
        return f"{name}: {glossary[name]}"
    near = difflib.get_close_matches(term.strip().casefold(), by_name, n=3, cutoff=0.7)
    hint = f" Similar terms: {', '.join(by_name[match] for match in near)}." if near else ""
    return f"'{term}' is not in the glossary.{hint}"


async def look_up_terms(messages: Sequence[Any], ctx: Context) -> dict[str, str]:
    """Let the model look up terms of a large glossary; returns the entries that it found."""
    glossary = ctx.settings.scope.glossary
    tools = tools_of_role("clarifier", (LOOK_UP_TERM,), ctx.settings)
    found: dict[str, str] = {}
    conversation = list(messages)
    for _ in range(_LOOK_UPS if tools else 0):
        message = await chat("clarifier", conversation, ctx, tools=tools)
        calls = read_calls(message, tools)
        if not calls:
            break
        conversation.append(message)
        for call in calls:
            lines = [definition(glossary, term) for term in call.arguments.terms] if not call.problem else []
            conversation.append(tool_answer(call, "\n".join(lines) or f"Error: {call.problem}"))
            found |= {t: m for t, m in glossary.items() if f"{t}: {m}" in lines}
    return found


def with_answer(question: str, answer: str) -> str:
    """A question and the user's answer to one about it, as one question.

    An answer that asks everything anew, with every word of the question that matters, takes its place.
    """
    question, answer = question.strip(), " ".join(answer.split())
    said = set(query_terms(answer))
    if said <= STOP_WORDS:  # "any", "both", "no"
        return question
    if set(query_terms(question)) <= said:
        return answer
    return f"{question}（{answer}）" if detect_language(question) != "en" else f"{question} ({answer})"


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
    check_start(state, runtime.context)
    history = state["history"]
    if history[-1].get("kind") == "question":
        reply = interrupt({"kind": "clarification", "question": history[-1]["content"]})
        if not str(reply or "").strip():
            return Command(goto="__end__", update={"status": "needs_input"})
        answered = [*history, {"role": "user", "content": str(reply)}]
        whole = with_answer(state["question"], str(reply))
        return Command(goto="clarify", update={"history": answered, "question": whole})
    result = await clarify(history, runtime.context)
    if result.need_clarification:
        question = {"role": "assistant", "kind": "question", "content": result.question}
        return Command(goto="clarify", update={"history": [*history, question]})
    return Command(goto="write_brief", update={"verification": result.verification})
