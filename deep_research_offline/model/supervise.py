"""The supervisor: one topic per thing that is open or compared, one otherwise.

What was turned down is asked again once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .conversation import Call, Conversation, cited, outside_fences
from .lexicon import patterns
from .notes import finding_pages, sources_named
from .offer import limit
from .overview import topics as sides
from .phrases import join, say
from .request import Request, inner_question, read_request
from .research import open_leads, queries_of
from .text import language, tidy
from .verdict import open_parts

_LACK = re.compile(r"^[-* ]*(.+?[?？]|[^:：\n]+)[:：]\s*(.+?)\s*$", re.MULTILINE)
"""A line of it: a heading, and what is missing there."""
_SIDES = 5
"""Sides of a subject that are researched for a report."""
_LEADS = 2
"""What findings lead to that is followed at a time."""
_MARKS = re.compile(r"[“”「」『』«»]|#{2,}")
"""What would read as a quoted question or a heading inside a topic."""


def plan(talk: Conversation, delegate: str) -> tuple[list[str], str]:
    """The topics to hand out now (none means: finished), by the brief and by what came back from the tool
    named `delegate`, and a thought on them."""
    said = talk.said[-1] if talk.said else ""
    text = outside_fences(said).strip() or said
    listed = patterns("handed_back")["open"].search(text)
    lacking = _LACK.findall(listed[1]) if listed else []
    text = text.replace(listed[0], "").strip() if listed else text
    request = read_request(text)
    given = [(next(iter(queries_of(call)), ""), call) for call in talk.calls if call.name == delegate]
    at_once, lang, items = limit(talk.system, "topics") or 8, language(request.question), request.items
    wanted = _open_topics(request, lacking) or topics(request)
    if not given:
        key = "think_open" if lacking else "think_plan_many" if items else "think_plan_one"
        thought = say(key, lang, n=len(lacking), it=join(items, lang) or request.question)
        return wanted[:at_once], thought
    done = {topic for topic, call in given if not call.refused}
    tried = [topic for topic, _ in given]
    again = [topic for topic in wanted if topic not in done and tried.count(topic) < 2][:at_once]
    again = again or _led_to(request, [call for _, call in given], talk)[:at_once]
    named = {i for _, call in given for _, ids in cited(call.result) for i in ids}
    return again, say("think_results", lang, n=len(named))


def _led_to(request: Request, given: Sequence[Call], talk: Conversation) -> list[str]:
    """What all findings together lead to, where they leave a question open and the last round brought a page
    that none before had: what no researcher has met a page on, and was not handed out before."""
    told = "\n".join(call.result for call in given)
    pages = finding_pages(told, talk.listed)
    before = "\n".join(call.result for call in given if call.turn != given[-1].turn)
    titles = {title for _, title in sources_named(told)}
    idle = bool(before) and titles == {title for _, title in sources_named(before)}
    if request.broad or idle or not open_parts(request, pages):
        return []
    lang, more = language(request.question), _constraints(request.text)
    topics = (
        say("topic_lead", lang, lead=lead, question=request.question, more=more)
        for lead in open_leads(request, pages, titles)
    )
    known = {query for call in given for query in queries_of(call)}
    return [topic for topic in dict.fromkeys(topics) if topic not in known][:_LEADS]


def _open_topics(request: Request, lacking: Sequence[tuple[str, str]]) -> list[str]:
    """A topic for each thing that is open; under a heading that asks nothing, the brief's own question."""
    whole, more, found = request.question, _constraints(request.text), list[str]()
    for heading, missing in lacking:
        asks = heading.endswith(("?", "？"))
        lack = tidy(_MARKS.sub("", missing if asks else f"{heading}: {missing}"))
        question = heading if asks else whole
        lead = asks and lack[-1:] not in ".?!。？！"
        key = "topic_lead" if lead else "topic_open"
        found.append(say(key, language(whole), lack=lack, lead=lack, question=question, more=more))
    return list(dict.fromkeys(found))


def topics(request: Request) -> list[str]:
    """The topics of a brief, each self-contained: one for each side of a subject to report on, for each thing
    compared, or for each question."""
    asked, apart = request.question, request.apart
    if request.broad:
        apart = [(topic.title, asked) for topic in sides(asked, (), _SIDES)]
    lang, more = language(asked), _constraints(request.text)
    return [
        say("topic_item" if item else "topic_plain", lang, item=item, question=question, more=more)
        for item, question in apart
    ]


def _constraints(text: str) -> str:
    """What a brief says after the question, so that a topic carries it along."""
    asked = inner_question(text)
    tail = text.partition(asked)[2].lstrip("”」』»\"'. 。") if asked else ""
    return (" " + tidy(tail)[:600]) if tail.strip() else ""
