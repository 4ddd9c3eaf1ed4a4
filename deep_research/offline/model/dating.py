"""Questions about "the year of" something: the year is looked up first and then asked for like a stated one.

"Who led A when B was held, in that year?" names two things: one has the answer, the other says when.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .hops import Hop
from .names import mentions
from .page import Page, is_about
from .question import Question
from .reason import Trail
from .steps import Step
from .values import dates

_YEAR_OF = re.compile(
    r"§.*\b(?:year|season) (?:of|when|in which|that|as)(?: the)? §"
    r"|§.*§[^，。、？]{0,8}(?:那一?年|当年|同年|同じ年|年に)",
    re.IGNORECASE | re.DOTALL,
)


_THEN = re.compile(
    r"\bwhen\b.*§.*§[^§]*\b(?:then|at (?:the|that) time|(?:in )?that (?:same )?year)\b", re.I | re.DOTALL
)
"""The first thing named is dated, and asked is who or what was so with the second one then."""


def in_its_year(question: Question, pages: Sequence[Page]) -> tuple[Question, Trail | None]:
    """The question with the year that the second thing named stands for, and the step that states the year;
    the question as it is where nothing stands for a year or no page dates it."""
    if (
        len(question.anchors) != 2
        or question.shape != "fact"
        or not (_stands(_YEAR_OF, question) or _stands(_THEN, question))
    ):
        return question, None
    first, event = question.anchors if _stands(_YEAR_OF, question) else question.anchors[::-1]
    step = _dated(event, pages)
    if step is None:
        return question, None
    year = f"{dates(step.value)[0].key[0]:.0f}"
    return replace(question, anchors=(first,), years=(year,)), Trail(event, (step,))


def _stands(pattern: re.Pattern[str], question: Question) -> bool:
    masked = question.text
    for anchor in question.anchors:
        masked = masked.replace(anchor, "§", 1)
    return bool(pattern.search(masked))


def _dated(event: str, pages: Sequence[Page]) -> Step | None:
    """The statement that dates a thing most exactly, on a page of its own and by name if there is one."""
    found = []
    for order, page in enumerate(pages):
        own = is_about(page, event)
        for place, sentence in enumerate(page.sentences):
            when = [d for d in dates(sentence.text) if d.key[0] > 0]
            if when and (own or mentions(sentence.text, event)):
                exact = max(when, key=lambda d: sum(part > 0 for part in d.key))
                parts = sum(part > 0 for part in exact.key)
                rank = (-parts, not own, not mentions(sentence.text, event), order, place)
                found.append((rank, Step(event, Hop("", "date", "year"), page, sentence, exact.text, 0.8)))
    return min(found, key=lambda f: f[0])[1] if found else None
