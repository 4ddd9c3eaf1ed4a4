"""The supervisor: one topic per thing that is open or compared, one otherwise.

What was turned down is asked again once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .conversation import Conversation, cited, outside_fences
from .offer import limit, prefers_one
from .overview import is_broad
from .overview import topics as sides
from .phrases import join, say
from .query import items_in, parts_of
from .task import inner_question, spelled_out
from .text import language, tidy

_BUDGET = re.compile(r"budget|limit|used up|no (?:more )?rounds", re.IGNORECASE)
_OPEN = re.compile(
    r"^(?=.{0,60}[:：]\s*$).*\b(?:open|missing|gaps?|unanswered|lacking)\b.*\n((?:[-*] .+(?:\n|\Z))+)",
    re.IGNORECASE | re.MULTILINE,
)
"""A list of what is still open, under a line that says so."""
_LACK = re.compile(r"(.+?[?？]|[^:：]+)[:：]\s*(.+)")
"""A line of it: a heading, and what is missing there."""
_SIDES = 5
"""Sides of a subject that are researched for a report."""
_MARKS = re.compile(r"[“”「」『』«»]|#{2,}")
"""What would read as a quoted question or a heading inside a topic."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Topics to hand out now (none means: finished) and the reflection that goes with them."""

    topics: tuple[str, ...]
    thought: str


def plan(talk: Conversation, delegate: str) -> Plan:
    """Decide the next step from the brief and from what came back from the tool named `delegate`."""
    text, lacking = _told(talk.said[-1] if talk.said else "")
    given = [(_argument(call.arguments), call) for call in talk.calls if call.name == delegate]
    at_once = (
        limit(
            talk.system,
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
        or 8
    )
    lang = language(inner_question(text))
    wanted = _open_topics(text, lacking, lang) or topics(text, prefers_one(talk.system))
    if not given:
        thought = say("think_open", lang, n=len(lacking)) if lacking else _first_thought(text, lang)
        return Plan(tuple(wanted[:at_once]), thought)
    blocked = any(call.refused and _BUDGET.search(call.result) for _, call in given)
    done = {topic for topic, call in given if not call.refused}
    open_topics = [topic for topic in wanted if topic not in done]
    tries = {topic: sum(1 for t, _ in given if t == topic) for topic in open_topics}
    again = [topic for topic in open_topics if tries[topic] < 2][:at_once]
    thought = say(
        "think_results", lang, n=len({i for _, call in given for _, ids in cited(call.result) for i in ids})
    )
    if again and not (blocked and not done):
        return Plan(tuple(again), thought)
    return Plan((), thought)


def _told(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The brief in a message, without what is fenced around it, and what the message lists as open: headings
    with what is missing."""
    plain = outside_fences(text).strip() or text
    listed = _OPEN.search(plain)
    if not listed:
        return plain, []
    lines = [_LACK.fullmatch(line.lstrip("-* ").strip()) for line in listed.group(1).splitlines()]
    return plain.replace(listed.group(0), "").strip(), [(m.group(1), m.group(2)) for m in lines if m]


def _open_topics(text: str, lacking: list[tuple[str, str]], lang: str) -> list[str]:
    """A topic for each thing that is open; under a heading that asks nothing, the brief's own question."""
    more = _constraints(text)
    found = []
    for heading, missing in lacking:
        asks = heading.endswith(("?", "？"))
        lack = tidy(_MARKS.sub("", missing if asks else f"{heading}: {missing}"))
        question = heading if asks else spelled_out(inner_question(text), text)
        found.append(say("topic_open", lang, lack=lack, question=question, more=more))
    return list(dict.fromkeys(found))


def topics(text: str, one: bool = False) -> list[str]:
    """The topics of a brief, each self-contained: one for each thing compared, else one for each question;
    if `one` researcher is preferred, one for a subject to report on."""
    asked = spelled_out(inner_question(text), text)
    lang, more = language(asked), _constraints(text)
    if is_broad(asked) and not one:
        return [
            say("topic_item", lang, item=t.title, question=asked, more=more) for t in sides(asked, (), _SIDES)
        ]
    items = items_in(asked)
    if len(items) > 1:
        return [say("topic_item", lang, item=item, question=asked, more=more) for item in items]
    return [say("topic_plain", lang, question=part, more=more) for part in parts_of(asked)]


def _constraints(text: str) -> str:
    """What a brief says after the question, so that a topic carries it along."""
    asked = inner_question(text)
    tail = text[text.find(asked) + len(asked) :].lstrip("”」』»\"'. 。") if asked in text else ""
    return (" " + tidy(tail)[:600]) if tail.strip() else ""


def _first_thought(text: str, lang: str) -> str:
    asked = spelled_out(inner_question(text), text)
    items = items_in(asked)
    key = "think_plan_many" if len(items) > 1 else "think_plan_one"
    return say(key, lang, it=join(items, lang) if len(items) > 1 else asked)


def _argument(arguments: object) -> str:
    values = arguments.values() if isinstance(arguments, dict) else ()
    return next((v for v in values if isinstance(v, str)), "")
