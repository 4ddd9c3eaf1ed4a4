"""The supervisor: one topic per thing that is open or compared, one otherwise.

What was turned down is asked again once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .conversation import Conversation, cited, outside_fences
from .lists import items_in
from .offer import limit
from .overview import topics as sides
from .phrases import join, say
from .query import parts_of
from .request import is_broad
from .research import queries_of
from .task import inner_question, spelled_out
from .text import language, tidy

_OPEN = re.compile(
    r"^(?=.{0,60}[:：]\s*$).*\b(?:open|missing|gaps?|unanswered|lacking)\b.*\n((?:[-*] .+(?:\n|\Z))+)",
    re.IGNORECASE | re.MULTILINE,
)
"""A list of what is still open, under a line that says so."""
_LACK = re.compile(r"^[-* ]*(.+?[?？]|[^:：\n]+)[:：]\s*(.+?)\s*$", re.MULTILINE)
"""A line of it: a heading, and what is missing there."""
_SIDES = 5
"""Sides of a subject that are researched for a report."""
_AT_ONCE = (
    "topics?",
    "researchers?",
    "tasks?",
    "units?",
    "at once",
    "in parallel",
    "主题",
    "课题",
    "件",
    "トピック",
)
_MARKS = re.compile(r"[“”「」『』«»]|#{2,}")
"""What would read as a quoted question or a heading inside a topic."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Topics to hand out now (none means: finished) and the reflection that goes with them."""

    topics: tuple[str, ...]
    thought: str


def plan(talk: Conversation, delegate: str) -> Plan:
    """Decide the next step from the brief and from what came back from the tool named `delegate`."""
    said = talk.said[-1] if talk.said else ""
    text = outside_fences(said).strip() or said
    listed = _OPEN.search(text)
    lacking = _LACK.findall(listed[1]) if listed else []
    text = text.replace(listed[0], "").strip() if listed else text
    asked = spelled_out(inner_question(text), text)
    given = [(next(iter(queries_of(call)), ""), call) for call in talk.calls if call.name == delegate]
    at_once, lang, items = limit(talk.system, *_AT_ONCE) or 8, language(asked), items_in(asked)
    wanted = _open_topics(text, lacking) or topics(text)
    if not given:
        key = "think_open" if lacking else "think_plan_many" if len(items) > 1 else "think_plan_one"
        thought = say(key, lang, n=len(lacking), it=join(items, lang) if len(items) > 1 else asked)
        return Plan(tuple(wanted[:at_once]), thought)
    done = {topic for topic, call in given if not call.refused}
    tried = [topic for topic, _ in given]
    again = [topic for topic in wanted if topic not in done and tried.count(topic) < 2][:at_once]
    named = {i for _, call in given for _, ids in cited(call.result) for i in ids}
    return Plan(tuple(again), say("think_results", lang, n=len(named)))


def _open_topics(text: str, lacking: Sequence[tuple[str, str]]) -> list[str]:
    """A topic for each thing that is open; under a heading that asks nothing, the brief's own question."""
    whole, more, found = spelled_out(inner_question(text), text), _constraints(text), list[str]()
    for heading, missing in lacking:
        asks = heading.endswith(("?", "？"))
        lack = tidy(_MARKS.sub("", missing if asks else f"{heading}: {missing}"))
        question = heading if asks else whole
        found.append(say("topic_open", language(whole), lack=lack, question=question, more=more))
    return list(dict.fromkeys(found))


def topics(text: str) -> list[str]:
    """The topics of a brief, each self-contained: one for each side of a subject to report on, for each thing
    compared, or for each question."""
    asked = spelled_out(inner_question(text), text)
    lang, more, items = language(asked), _constraints(text), items_in(asked)
    if is_broad(asked):
        items = tuple(topic.title for topic in sides(asked, (), _SIDES))
    elif len(items) < 2:
        return [say("topic_plain", lang, question=part, more=more) for part in parts_of(asked)]
    return [say("topic_item", lang, item=item, question=asked, more=more) for item in items]


def _constraints(text: str) -> str:
    """What a brief says after the question, so that a topic carries it along."""
    asked = inner_question(text)
    tail = text.partition(asked)[2].lstrip("”」』»\"'. 。") if asked else ""
    return (" " + tidy(tail)[:600]) if tail.strip() else ""
