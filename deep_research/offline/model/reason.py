"""Following relations over pages: from a name to a value, to the page about that value, and on.

A *trail* is the way walked: one step per hop, each with the sentence that says it. Where a page is
missing, the trail ends in an open lead, the name that a researcher should look up next. The same walk
serves the researcher (what to search), the compressor (what to quote) and the writer (what to answer).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from . import lexicon
from .covering import ways
from .hops import Hop, relation_hop
from .names import normal
from .page import ABOUT, Page, aboutness
from .question import Question
from .steps import CLEAR, Step, by_kind, candidates
from .text import stem

WIDTH = 4
PLAIN = 0.6
"""A trail read by grammar that is as sure as this is taken without looking for another."""
BY_WORDS = 0.9
MOST_READINGS = 8
OWN_PAGE = 0.95
_VAGUE = {stem(word) for word in "high large big long great deep wide".split()}
"""Adjectives of size that need the noun beside them to say what is meant: a high bill, a high tower."""
_DETOUR = "(by a detour)"


@dataclass(frozen=True, slots=True)
class Trail:
    """Steps from an anchor; `lead` is the name whose page is missing, `todo` the hops that are left."""

    anchor: str
    steps: tuple[Step, ...] = ()
    lead: str = ""
    todo: tuple[Hop, ...] = field(default=())
    weight: float = 1.0

    @property
    def done(self) -> bool:
        """Whether the last hop was answered."""
        return not self.lead and bool(self.steps) and not self.todo

    @property
    def score(self) -> float:
        """How surely, over all steps."""
        total = self.weight
        for step in self.steps:
            total *= 0.3 + 0.7 * step.score
        return total


Closed = frozenset[str] | None
"""Names (normalised) that were looked up already and so are no leads; None: nothing can be looked up any
more."""


def follow(question: Question, anchor: str, pages: Sequence[Page], closed: Closed = None) -> Trail:
    """The best trail from `anchor`."""
    trails = _all(question, anchor, pages, closed)
    best = max(trails, key=_rank, default=Trail(anchor, (), anchor, question.hops))
    if best.done and best.score >= PLAIN:
        return best
    return max((best, *_by_words(question, anchor, pages, closed)), key=_rank)


def _by_words(question: Question, anchor: str, pages: Sequence[Page], closed: Closed) -> list[Trail]:
    """The best ways that the words of a question show: one that arrives, and, while names can still be looked
    up, those that lead to one."""
    known = ways(question, anchor, pages)
    found = [Trail(anchor, way.steps, weight=BY_WORDS) for way in known.whole[:1]]
    size = len(question.terms)
    for way in known.leads:
        if closed is not None and normal(way.name) not in closed:
            weight = BY_WORDS * (1 - len(way.open) / (size + 1))
            found.append(Trail(anchor, way.steps, way.name, (Hop("", "any"),), weight))
    return found[:6]


def all_leads(
    question: Question, anchor: str, pages: Sequence[Page], closed: Closed
) -> list[tuple[str, Hop | None]]:
    """Names worth looking up next, best first, each with what is to be found out about it."""
    trails = [*_all(question, anchor, pages, closed), *_by_words(question, anchor, pages, closed)]
    trails = sorted(trails, key=_rank, reverse=True)
    found: dict[str, Hop | None] = {}
    for trail in trails:
        if trail.lead:
            found.setdefault(trail.lead, trail.todo[0] if trail.todo else None)
    return list(found.items())


def readings(hops: tuple[Hop, ...]) -> list[tuple[Hop, ...]]:
    """A chain as read, and with neighbouring unknown words taken together as one thing asked."""
    spots = [i for i in range(len(hops) - 1) if not hops[i].relation and not hops[i + 1].relation]
    chosen = [set(c) for n in range(len(spots) + 1) for c in itertools.combinations(spots, n)]
    return [_joined(hops, where) for where in chosen[:MOST_READINGS]]


def _joined(hops: tuple[Hop, ...], where: set[int]) -> tuple[Hop, ...]:
    """Hops with those at the places given taken together with the next."""
    found: list[Hop] = []
    for i, hop in enumerate(hops):
        if i - 1 in where:
            a = found.pop()
            loose = tuple(dict.fromkeys([*a.loose, *hop.loose]))
            key = a.loose[-1] if a.loose and hop.key in _VAGUE else hop.key
            hop = Hop("", hop.wants, f"{a.asked} {hop.asked}", loose, key)
        found.append(hop)
    return tuple(found)


def _all(question: Question, anchor: str, pages: Sequence[Page], closed: Closed) -> list[Trail]:
    """Trails of all readings; one that takes words together counts less."""
    trails: list[Trail] = []
    for hops in readings(question.hops):
        merges = len(question.hops) - len(hops)
        found = _walk(question, anchor, hops, pages, closed, frozenset())
        trails += [replace(trail, weight=0.8**merges) for trail in found]
    return trails


def _rank(trail: Trail) -> tuple[float, float]:
    """A trail that arrives beats an open lead, an open lead beats a dead end, at like certainty."""
    steps = len(trail.steps)
    if not trail.done and not trail.lead:
        return (trail.score ** (1 / max(steps, 1)) * (0.2 + 0.05 * steps if steps else 0.1), float(steps))
    return (trail.score * (1.0 if trail.done else 0.6), float(steps))


def _walk(
    question: Question,
    subject: str,
    hops: tuple[Hop, ...],
    pages: Sequence[Page],
    closed: Closed,
    seen: frozenset[str],
) -> list[Trail]:
    """All trails worth considering from one subject."""
    if not hops or len(seen) > 6:
        return []
    about = max((aboutness(page, subject) for page in pages), default=0.0)
    lookup = [] if closed is None or normal(subject) in closed else [Trail(subject, (), subject, hops)]
    if lookup and about < ABOUT:
        return lookup
    steps = candidates(question, subject, hops[0], pages)
    if lookup and about < OWN_PAGE and (not steps or steps[0].score < CLEAR):
        return lookup
    seen = seen | {normal(subject)}
    if len(hops) > 1:
        steps = sorted([*steps, *by_kind(subject, hops[0], pages, steps)], key=lambda step: -step.score)
    trails: list[Trail] = []
    for step in steps[:WIDTH]:
        if len(hops) == 1:
            trails.append(Trail(subject, (step,)))
            continue
        onward = (
            [] if normal(step.value) in seen else _walk(question, step.value, hops[1:], pages, closed, seen)
        )
        trails += [Trail(subject, (step, *rest.steps), rest.lead, rest.todo) for rest in onward]
    if hops[0].relation in lexicon.DETOURS and (not steps or steps[0].score < 0.4) and _DETOUR not in seen:
        around = tuple(relation_hop(key) for key in lexicon.DETOURS[hops[0].relation])
        trails += _walk(question, subject, (*around, *hops[1:]), pages, closed, seen | {_DETOUR})
    return trails or [Trail(subject, (), "", hops)]
