"""A question taken apart: questions that each stand on their own and, answered together, answer it.

A comparison gives one for each thing compared, a chain its first link beside the whole; what is left goes to
what makes an answer safe: its official source, other figures, changes since.
"""

from __future__ import annotations

import re

from .hops import Hop
from .lexicon import DIMENSIONS
from .phrases import say
from .question import Question
from .task import Task
from .text import is_cjk

_OF_ORDER = frozenset("first last more most less least fewer fewest than".split())


def subquestions(task: Task, most: int) -> list[str]:
    """At most so many distinct questions, the most telling first; the whole question is always among them."""
    question = task.question
    found = _of_each(question) if question.multi else [question.text, *_links(question)]
    if question.multi:
        found.append(question.text)
    return list(dict.fromkeys([*found, *_safety(question)]))[: max(most, 1)]


def _of_each(question: Question) -> list[str]:
    hop = question.hops[-1] if question.hops else Hop()
    asked = _noun(question.hops[0] if len(question.hops) == 1 else hop)
    if len(question.hops) > 1 or not asked:
        return [say("sub_item", question.language, item=a, question=question.text) for a in question.anchors]
    return [say("sub_value", question.language, item=a, asked=asked) for a in question.anchors]


def _links(question: Question) -> list[str]:
    """The first link of a chain: what the named thing leads to."""
    if len(question.hops) < 2 or not question.anchors:
        return []
    return [say("sub_value", question.language, item=question.anchors[0], asked=_noun(question.hops[0]))]


def _safety(question: Question) -> list[str]:
    lang = question.language
    item = question.anchors[0] if question.anchors else ""
    asked = " ".join(filter(None, (_noun(h) for h in question.hops[::-1]))) if lang == "en" else ""
    about = (
        say("sub_about", lang, item=item, asked=asked) if item and asked else question.text.rstrip("?？。 ")
    )
    return [say(key, lang, about=about) for key in ("sub_official", "sub_other", "sub_changed")]


def _noun(hop: Hop) -> str:
    """What a hop asks, as a noun phrase: the words of the question, without those that only compare."""
    if re.search(r"composed\d", hop.asked):
        return hop.relation
    if is_cjk(hop.asked):
        return hop.asked.strip("的のはが ")
    kept = [DIMENSIONS.get(word, word) for word in hop.asked.lower().split() if word not in _OF_ORDER]
    return " ".join(dict.fromkeys(kept)) or hop.relation
