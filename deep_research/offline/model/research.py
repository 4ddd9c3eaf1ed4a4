"""The researcher: which search comes next, and when it is enough.

The first query names what the topic is about, with the words asked where one step is enough. After that
each query is a lead: a name that stands in the sentence which answers the current relation and whose page
has not been seen. A search that settles nothing is put another way once. Research ends when the question
is answered, leads are used up, or the tools say no.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .conversation import Call
from .dating import in_its_year
from .handing_on import rest_of
from .hops import Hop
from .names import names, normal
from .page import Page, is_about
from .reason import Closed, Trail, all_leads, follow
from .task import Task
from .text import is_cjk, term_set, words

_REFUSED = re.compile(r"^\s*(?:not done|error)\b", re.IGNORECASE)
SURE = 0.5
WORTH_HANDING_ON = 2
"""Steps that are left from which on somebody else may take them: a single one is sooner done than told."""


@dataclass(frozen=True, slots=True)
class Move:
    """The next queries (none means: finished), and why: lead, other words, limit, answered or exhausted.

    `rest` is what is left to ask where the query follows a lead that was read, and much is left.
    """

    queries: tuple[str, ...]
    reason: str
    rest: str = ""


def next_move(task: Task, searches: Sequence[Call], pages: Sequence[Page], limit: int) -> Move:
    """Decide from what was searched and shown so far; `limit` is how many searches are allowed at most."""
    asked = [query for call in searches for query in queries_of(call)]
    if not asked:
        return Move(tuple(dict.fromkeys(first_queries(task)))[:limit], "")
    if len(asked) >= limit or (searches and _REFUSED.match(searches[-1].result)):
        return Move((), "limit")
    question, dated = in_its_year(task.question, pages)
    task = replace(task, question=question, focus=question.anchors) if dated else task
    tried = frozenset(normal(name) for query in asked for name in _named_in(query))
    for query in _follow_ups(task, pages, tried, asked):
        if all(normal(query) != normal(q) for q in asked):
            known = any(normal(a) in normal(query) for a in task.focus) or len(query) > 60
            if known or not task.focus:
                return Move((query,), "other words")
            return Move((query,), "lead", _rest(task, pages, tried, query))
    return Move((), "answered" if answered(task, pages) else "exhausted")


def _rest(task: Task, pages: Sequence[Page], tried: frozenset[str], name: str) -> str:
    """The question that goes on from a name, if what was read leads there and is sure."""
    for trail, _ in trails(task, pages, tried):
        if trail.lead == name and trail.score > SURE and len(trail.todo) >= WORTH_HANDING_ON:
            return rest_of(task.question, trail)
    return ""


def _named_in(query: str) -> list[str]:
    """What a query may have looked up: all of it, the names in it, in Chinese and Japanese its first word."""
    return [query, *(n.text for n in names(query)), *(query.split()[:1] if is_cjk(query) else ())]


def queries_of(call: Call) -> list[str]:
    """The queries of a search call, whatever its parameter is called."""
    found: list[str] = []
    for value in call.arguments.values():
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list):
            found += [v for v in value if isinstance(v, str)]
    return found


def first_queries(task: Task) -> Iterable[str]:
    """One query per thing in focus: its name, with the words asked for if that is one step away."""
    question = task.question
    if not task.focus or question.shape == "rank":
        yield keywords(question.text)
        return
    for anchor in task.focus:
        yield name_query(task, anchor, question.hops[0] if question.hops else None)


def name_query(task: Task, name: str, hop: Hop | None) -> str:
    """A name, and the words of the relation where they help to choose among many pages on that name."""
    bare = re.sub(r"\s*[!?…]+$", "", name).strip()
    hops = task.question.hops
    chained = len(hops) > 1 or task.question.shape != "fact"
    if hop is None or (chained and any(h.relation for h in hops)):
        return " ".join([bare, *(y for y in task.question.years if len(hops) <= 2)])
    return " ".join([bare, *(_plain(h.asked) for h in hops), *task.question.years])


def _plain(asked: str) -> str:
    return re.sub(r"composed\d+", "", re.sub(r"[？?。，、]", " ", asked)).strip()


def keywords(text: str) -> str:
    """The content words of a question, as written."""
    if is_cjk(text):
        return text.rstrip("？?。")
    return " ".join(w for w in words(text) if term_set(w))


def _follow_ups(
    task: Task, pages: Sequence[Page], tried: frozenset[str], asked: Sequence[str]
) -> Iterable[str]:
    """Candidates for the next query, best first."""
    question = task.question
    for trail, anchor in trails(task, pages, tried):
        if trail.done and trail.score > SURE:
            continue
        yield from (_lead_query(*lead) for lead in all_leads(question, anchor, pages, tried)[:3])
        met = [name for name in (*(s.value for s in trail.steps), trail.lead) if name]
        yield from (name for name in met if not any(is_about(page, name) for page in pages))
        stuck = trail.lead or (trail.steps[-1].value if trail.steps else "") or anchor
        hop = trail.todo[0] if trail.todo else (question.hops[-1] if question.hops else None)
        if hop and not any(is_about(page, stuck) for page in pages):
            yield f"{re.sub(r'[(（].*', '', stuck).strip()} {_plain(hop.asked)}"
        if len(question.hops) > 1 and not trail.steps:
            yield from _other_names(trail, anchor, pages)
        elif not trail.done and len(asked) <= 2:
            yield keywords(question.text)
    if not answered(task, pages, tried):
        yield keywords(question.text)
    yield from _other_words(task, answered(task, pages, tried), len(asked))


def _lead_query(name: str, hop: Hop | None) -> str:
    """A name to look up, with the words that are asked of it unless general language has them anyway."""
    return name if hop is None or hop.relation else f"{name} {_plain(hop.asked)}".strip()


def _other_words(task: Task, done: bool, sent: int) -> Iterable[str]:
    """A second look at a single fact: the words without the name, then the bare name, to meet sources that
    disagree."""
    question = task.question
    if sent > 3 or not question.hops or any(h.relation for h in question.hops) or question.shape == "rank":
        return
    if not done and question.years:
        yield " ".join([*(_plain(h.asked) for h in question.hops), *question.years])
    yield from task.focus


def _other_names(trail: Trail, anchor: str, pages: Sequence[Page]) -> Iterable[str]:
    """Where no relation can be read: the names on the page about the thing, in order."""
    for page in pages:
        if is_about(page, anchor):
            for sentence in page.sentences[:6]:
                yield from (
                    n.text for n in names(sentence.text) if normal(n.text) != normal(anchor) and " " in n.text
                )


def trails(task: Task, pages: Sequence[Page], tried: Closed = None) -> list[tuple[Trail, str]]:
    """The best trail from each thing in focus."""
    return [(follow(task.question, anchor, pages, tried), anchor) for anchor in task.focus]


def answered(task: Task, pages: Sequence[Page], tried: Closed = None) -> bool:
    """Whether every thing in focus has its answer."""
    found = trails(task, pages, tried)
    return bool(found) and all(trail.done and trail.score > SURE for trail, _ in found)
