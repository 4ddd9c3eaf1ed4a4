"""A question taken apart: questions that each stand on their own and, answered together, answer it.

A comparison gives one for each thing compared, a chain its first link beside the whole; what is left goes to
what makes an answer safe: its official source, other figures, changes since. They read as a person would put
them: what is asked is named by a measure, a count or the question's own words; else, and always in Chinese
and Japanese, the question is quoted.
"""

from __future__ import annotations

import re

from .lexicon import DIMENSIONS
from .phrases import say
from .question import Question
from .task import Task

_WORDS = r"(?:(?!where|which|that|who)[a-z-]+\s)"
_COUNTED = re.compile(
    r"\b(?:[Hh]ow many|the number of|more|most|fewer|fewest)\s"
    rf"({_WORDS}{{0,2}}?(?:[a-z-]+[^\Ws]s|people|staff)(?:\sand\s[a-z-]+s)?)\b(?!\s+(?:in|during|by|of)\b)"
)
"""What a question counts: a plain plural that nothing after it narrows down."""
_MEASURED = re.compile(rf"\b(?:more|most|less|least)\s({_WORDS}{{0,4}}?(?!\w+ing\b)[a-z-]+)\W*$")
"""What a question measures without counting, where it ends in that ("the least fuel")."""
_OFFICE = re.compile(r"\b(?:current|present|former|acting)\b")
_SAFETY = ("sub_official", "sub_other", "sub_changed")


def subquestions(task: Task, most: int) -> list[str]:
    """At most so many distinct questions, the most telling first; the whole question is always among them."""
    question = task.question
    if question.multi:
        found = [*(_of_one(question, anchor) for anchor in question.anchors), question.text]
    else:
        found = [question.text, *_links(question)]
    return list(dict.fromkeys([*found, *_safety(question)]))[: max(most, 1)]


def _of_one(question: Question, anchor: str) -> str:
    """What the question asks of one of the things that it compares."""
    lang, item = question.language, _with_article(question, anchor)
    if counted := _counted(question):
        return say("sub_count", lang, item=item, asked=counted)
    if asked := _asked(question):
        return say("sub_value", lang, item=item, asked=asked)
    return say("sub_item", lang, item=item, question=question.text)


def _links(question: Question) -> list[str]:
    """The first link of a chain, where the question itself calls it by a noun: "the designer of X"."""
    chained = len(question.hops) > 1 and question.shape == "fact"
    if not (chained and question.anchors and question.language == "en"):
        return []
    item = _with_article(question, question.anchors[0])
    link = re.search(rf"\bthe ({_WORDS}{{0,3}}?[a-z-]+) of {re.escape(item)}(?!['’])", question.text)
    link = link or re.search(
        rf"{re.escape(item)}['’]s? ((?:[a-z-]+ ){{0,2}}[a-z-]+(?=[.,?])|[a-z-]+)", question.text
    )
    if not link:
        return []
    somebody = question.hops[0].relation and re.search(r"[eo]r$", link.group(1))
    key = "sub_who" if somebody or _OFFICE.search(link.group(1)) else "sub_value"
    return [say(key, question.language, item=item, asked=link.group(1))]


def _safety(question: Question) -> list[str]:
    asked = [say(key, question.language, about=_about(question)) for key in _SAFETY]
    return [text.replace("?”?", "?”") for text in asked]


def _about(question: Question) -> str:
    """What is asked of the first thing named as a noun phrase; else the answer to the question."""
    asked = f"number of {counted}" if (counted := _counted(question)) else _asked(question)
    if not asked or not question.anchors:
        return say("sub_answer", question.language, question=question.text)
    return say("sub_about", question.language, item=_with_article(question, question.anchors[0]), asked=asked)


def _with_article(question: Question, anchor: str) -> str:
    """A thing named as the question names it: "the Talmer Bridge" where it says so."""
    return f"the {anchor}" if f"the {anchor}" in question.text else anchor


def _counted(question: Question) -> str:
    """The things that a question counts, in its own words; "" if it counts nothing."""
    found = _COUNTED.search(question.text) if _in_one_step(question) and not _measure(question) else None
    return found.group(1) if found else ""


def _asked(question: Question) -> str:
    """What a question of one step asks as a noun phrase, from a measure or its own words; "" for none."""
    if not _in_one_step(question):
        return ""
    found = _MEASURED.search(question.text)
    return _measure(question) or (found.group(1) if found else "")


def _in_one_step(question: Question) -> bool:
    return question.language == "en" and len(question.hops) == 1 and question.shape != "rank"


def _measure(question: Question) -> str:
    """The quantity that the only word of a step stands for: "length" for "longer"."""
    word = question.hops[-1].asked.lower()
    return word if word in DIMENSIONS.values() else DIMENSIONS.get(word, "")
