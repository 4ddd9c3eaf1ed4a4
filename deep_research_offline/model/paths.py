"""Ways from what a question names to what it asks, passage by passage.

A passage about a named thing that says some of the words asked, and shows another name, leads to the passages
about that name. The way whose passages together hold most of the question wins; a hop costs, and so does
saying again what the way has said: that ends at a sibling of what is asked. Nothing is parsed: "where was the
author of the source of X born" is followed because each passage on the way says one of these words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from .names import ABOUT, WHERE, aboutness, bare, is_among, mentions
from .rank import HIT, Ranking, Scored, definition

_HOP_COST, _IDLE_COST, _AGAIN = 0.09, 0.1, 0.5
_HELD = 0.72
_ENDS = 0.1
"""What it is worth that a way ends in what is asked most."""
_WIDTH, _DEPTH, _FAN = 14, 4, 6
_TITLED = 0.9
"""How surely a page is about a name that is all of its title or a piece of it."""


@dataclass(frozen=True, slots=True)
class Way:
    """Passages one after the other; `names` is what each is about, `lead` the name that the last one shows
    where it may go on ("" at an end)."""

    steps: tuple[Scored, ...]
    names: tuple[str, ...]
    levels: tuple[float, ...]
    score: float
    lead: str = ""
    cost: float = 0.0

    @property
    def last(self) -> Scored:
        """The passage in which the way ends."""
        return self.steps[-1]


class Ways:
    """All ways through the pages of a ranking, best first; without any name they set out from passages."""

    def __init__(self, ranking: Ranking) -> None:
        self.ranking = ranking
        self.ends = [Way((one,), ("",), one.levels, one.score) for one in ranking.scored[:_WIDTH]]
        self.leads: list[Way] = []
        self.idle: list[Way] = []  # leads by passages that say nothing asked
        self._walk()
        self.ends.sort(key=lambda w: (-w.score, len(w.steps)))
        self.leads.sort(key=lambda w: -w.score)
        self.idle.sort(key=lambda w: -w.score)

    def _walk(self) -> None:
        names, size = self.ranking.names, len(self.ranking.weights)
        front = [
            Way((), (), tuple(0.95 * (n == size - len(names) + place) for n in range(size)), 0.0, name)
            for place, name in enumerate(names)
        ]
        if not front:
            front = _best(replace(w, lead=n) for w in self.ends[:_FAN] for n in self._shown(w.last, ()))
            self.leads += front
        for _ in range(_DEPTH):
            front = _best(onward for way in front for onward in self._steps(way))
            self.leads += front

    def _steps(self, way: Way) -> list[Way]:
        """The ways on from a lead; those that may end there are kept at once."""
        found: list[Way] = []
        weights, words = self.ranking.weights, len(self.ranking.concepts)
        for one in self._passages(way.lead):
            held = [n for n, level in enumerate(one.levels) if level >= _HELD]
            gained = sum(weights[n] for n in held if one.levels[n] > way.levels[n] + 0.1)
            if one in way.steps:
                continue
            again = sum(weights[n] for n in one.said if n < words and way.levels[n] >= HIT)
            levels = tuple(
                max(a, b) if b >= _HELD else a for a, b in zip(way.levels, one.levels, strict=True)
            )
            cost = way.cost + (_HOP_COST if way.steps else 0) + (0 if gained else _IDLE_COST)
            cost += _AGAIN * again / self.ranking.total
            onward = Way(
                (*way.steps, one), (*way.names, way.lead), levels, self.ranking.value(levels) - cost, "", cost
            )
            if way.steps and gained and self._leads_on(way) and not self._tells_of_sibling(one):
                bonus = self.ranking.bonus(one.passage, onward.names) + _ENDS * self._answers(one)
                self.ends.append(replace(onward, score=onward.score + bonus))
            for name in self._shown(one, onward.names):
                promise = self._promise(name, levels)
                onto = replace(onward, lead=name, score=onward.score + promise)
                (found if promise or gained else self.idle).append(onto)
        return found

    def _answers(self, one: Scored) -> float:
        """The share of what an answer has to say that a passage says."""
        claims = self.ranking.claims
        return sum(claims[n] for n in one.said if n < len(claims)) / (sum(claims) or 1.0)

    @cache  # noqa: B019
    def _passages(self, name: str) -> list[Scored]:
        """Passages on pages about a name, and others that name it, best first."""
        return [
            s for s in self.ranking.scored if aboutness(s.page.title, name) >= ABOUT or mentions(s.text, name)
        ]

    def _promise(self, name: str, levels: Sequence[float]) -> float:
        """What a way gains by coming to a thing, since its page says that it is such a thing."""
        gained = sum(self.ranking.weights[n] for n in self._kind_of(name) if levels[n] < _HELD)
        return gained / self.ranking.total

    @cache  # noqa: B019
    def _kind_of(self, name: str) -> tuple[int, ...]:
        """Which of the words asked say what kind of thing a name is, by its own page."""
        page = next((s.page for s in self._passages(name) if aboutness(s.page.title, name) >= ABOUT), None)
        return self.ranking.kinds_of(page) if page else ()

    def _shown(self, one: Scored, known: Sequence[str]) -> list[str]:
        """Names that a passage shows besides those it was reached by: in its text, and its page's if it says
        something of the last of them there ("Its head is …")."""
        met = [k for k in known if k]
        of_last = bool(met) and mentions(one.text, met[-1])
        own = self._named(bare(one.page.title)) if of_last and definition(one.page) else ()
        named = dict.fromkeys((*self._named(one.text), *own))
        return [n for n in named if not any(mentions(k, n) or mentions(n, k) for k in met)][:_FAN]

    @cache  # noqa: B019
    def _named(self, text: str) -> tuple[str, ...]:
        """Names that a passage shows and the question does not."""
        asked, book = self.ranking.query.text.lower(), self.ranking.book
        return tuple(
            n
            for n in dict.fromkeys(book.shown_in(text))
            if len(n) > 2
            and n.lower() not in asked
            and not any(mentions(k, n) or mentions(n, k) for k in self.ranking.names)
            and book.is_name(n)
        )

    @cache  # noqa: B019
    def _has_page(self, name: str) -> bool:
        """Whether a name is all of a title, or a piece of it."""
        return any(aboutness(page.title, name) > _TITLED for page in self.ranking.pages)

    def _leads_on(self, way: Way) -> bool:
        """Whether a way may end beyond its lead: not where that only says where something is, and has no
        page of its own."""
        text = way.last.text
        return self._has_page(way.lead) or not WHERE.search(text[: text.find(way.lead)])

    def _tells_of_sibling(self, one: Scored) -> bool:
        """Whether a passage gives its number or date for a thing that is called like one named ("Veld Talks"
        for "Orsk Talks") and of a kind that is not asked for."""
        names, asked = self.ranking.names, {c.word for c in self.ranking.concepts}
        heads = {n.split()[-1] for n in names if " " in n and n.split()[-1].lower() not in asked}
        if self.ranking.query.kind not in {"number", "date"} or not heads:
            return False
        shown = [n for n in (*self.ranking.book.shown_in(one.text), bare(one.page.title)) if " " in n]
        own = any(mentions(one.text, n) for n in names)
        return not own and any(n.split()[-1] in heads and not is_among(n, names) for n in shown)


def _best(ways: Iterable[Way]) -> list[Way]:
    """The best ways on, one per name that they lead to."""
    kept: dict[str, Way] = {}
    for way in sorted(ways, key=lambda w: (-w.score, w.lead, [s.page.id for s in w.steps])):
        kept.setdefault(way.lead, way)
    return list(kept.values())[:_WIDTH]
