"""A greeting in place of a question is answered as one, before anything is spent."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from deep_research.core.words import phrase
from deep_research.report import Report
from deep_research.text.language import detect_language

from .bundle import Request

AnswerFunction = Callable[[str], str | None]
_WORDS = sorted("|".join(phrase("users.greeting.words").values()).split("|"), key=len, reverse=True)
_WHOLE_WORDS = "|".join(word for word in _WORDS if word.isascii())
_CHARACTERS = "|".join(word for word in _WORDS if not word.isascii())
_GREETING = re.compile(rf"(?:\b(?:{_WHOLE_WORDS})\b|{_CHARACTERS}|[\W_])+", re.IGNORECASE)
_REPLY = phrase("users.greeting.reply")


def greets(text: str) -> bool:
    """Whether a text is nothing but a greeting."""
    return _GREETING.fullmatch(text) is not None


def is_greeting(request: Request) -> bool:
    """Whether a run is asked nothing: its first words are a greeting."""
    return not request.history and greets(request.question)


def answer_greeting(request: Request, answer: AnswerFunction | None) -> Request | Report:
    """The request with the question that the user gives in reply; or, where nobody does, a report that asks.

    Such a run has spent nothing, and goes on like any other that waits for the user.
    """
    asked = _REPLY[detect_language(request.question)]
    reply = (answer(asked) or "").strip() if answer else ""
    if reply and not greets(reply):
        return replace(request, question=reply)
    return Report(
        run_id=request.run_id,
        question=request.question,
        system=request.settings.system,
        status="needs_input",
        settings=request.settings,
        asked=asked,
    )
