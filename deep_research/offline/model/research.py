"""The researcher: which search comes next, and when it is enough.

The first query names what the topic is about. After that each query is a lead: a name that stands in the
sentence which answers the current relation and whose page has not been seen. A search that brings nothing new is
put another way once. Research ends when the question is answered, leads are used up, or the tools say no.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .conversation import Call, Conversation
from .names import normal
from .question import Hop
from .reason import Page, Trail, all_leads, follow, is_about
from .task import Task
from .text import is_cjk, term_set, words

_REFUSED = re.compile(r"^\s*(?:not done|error)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Move:
    """The next queries (none means: finished), and a sentence that says why."""

    queries: tuple[str, ...]
    reason: str


def next_move(task: Task, searches: Sequence[Call], pages: Sequence[Page], limit: int) -> Move:
    """Decide from what was searched and shown so far; `limit` is how many searches are allowed at most."""
    asked = [query for call in searches for query in queries_of(call)]
    if not asked:
        return Move(tuple(first_queries(task))[:limit], "")
    refused = bool(searches) and all(_refused(call) for call in searches[-1:])
    if refused or len(asked) >= limit:
        return Move((), "limit")
    tried = frozenset(normal(query) for query in asked)
    for query in _follow_ups(task, pages, tried, asked):
        if normal(query) not in tried:
            return Move((query,), "lead")
    return Move((), "answered" if _answered(task, pages) else "exhausted")


def _refused(call: Call) -> bool:
    return bool(_REFUSED.match(call.result))


def queries_of(call: Call) -> list[str]:
    """The queries of a search call, whatever its parameter is called."""
    found: list[str] = []
    for value in call.arguments.values():
        found += (
            [value]
            if isinstance(value, str)
            else [v for v in value if isinstance(v, str)]
            if isinstance(value, list)
            else []
        )
    return found


def first_queries(task: Task) -> Iterable[str]:
    """One query per thing in focus: its name, with the words asked for if that is one step away."""
    hops = task.question.hops
    for anchor in task.focus:
        yield name_query(anchor, hops[0] if hops else None, single=len(hops) <= 1)
    if not task.focus:
        yield keywords(task.question.text)


def name_query(name: str, hop: Hop | None, single: bool) -> str:
    """A name, and the words of the relation where they help to choose among many pages on that name."""
    bare = re.sub(r"\s*[!?…]+$", "", name).strip()
    if hop is None or hop.relation or not single:
        return bare
    return f"{bare} {hop.asked}"


def keywords(text: str) -> str:
    """The content words of a question, as written."""
    if is_cjk(text):
        return text.rstrip("？?。")
    return " ".join(w for w in words(text) if term_set(w))


def _follow_ups(
    task: Task, pages: Sequence[Page], tried: frozenset[str], asked: Sequence[str]
) -> Iterable[str]:
    """Candidates for the next query, best first."""
    closed = frozenset(tried)
    for trail, anchor in trails(task, pages):
        if trail.done and trail.score > 0.35:
            continue
        hops = task.question.hops
        for lead in all_leads(anchor, hops, pages, closed)[:2]:
            yield lead
        stuck = trail.lead or (trail.steps[-1].value if trail.steps else anchor)
        hop = trail.todo[0] if trail.todo else (hops[-1] if hops else None)
        if hop and not any(is_about(page, stuck) for page in pages):
            yield f"{re.sub(r'[(（].*', '', stuck).strip()} {hop.asked}"
    if not task.focus and len(asked) < 2:
        yield task.question.text


def trails(task: Task, pages: Sequence[Page]) -> list[tuple[Trail, str]]:
    """The best trail from each thing in focus."""
    return [(follow(anchor, task.question.hops, pages), anchor) for anchor in task.focus]


def _answered(task: Task, pages: Sequence[Page]) -> bool:
    found = trails(task, pages)
    return bool(found) and all(trail.done for trail, _ in found)


def shown(conversation: Conversation) -> list[Page]:
    """The sources that earlier searches brought."""
    return conversation.sources
