"""A question taken apart: questions that each stand on their own and, answered together, answer it."""

from __future__ import annotations

from collections.abc import Sequence

from .overview import is_broad, topics
from .page import Page
from .phrases import say
from .query import items_in, parts_of
from .task import Task
from .text import language

_SAFETY = ("sub_official", "sub_other", "sub_changed")


def subquestions(task: Task, most: int, least: int = 0, pages: Sequence[Page] = ()) -> list[str]:
    """At most so many distinct questions: one for each thing compared or each clause, the whole; where
    more are wanted, what makes an answer safe (its official source, other figures, changes since). What a
    report is to tell of follows the pages at hand."""
    question, lang = task.question, language(task.question)
    if is_broad(question):
        return [topic.title for topic in topics(question, pages, max(most, 1))]
    items, parts = items_in(question), parts_of(question)
    found = [say("sub_item", lang, item=item, question=question) for item in items]
    found += list(parts) if len(parts) > 1 else []
    found.append(question)
    if len(found) < least:
        found += [say(key, lang, question=question) for key in _SAFETY]
    return list(dict.fromkeys(found))[: max(most, 1)]
