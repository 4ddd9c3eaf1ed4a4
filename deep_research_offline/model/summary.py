"""The summary of a report: sentences that stand on their own, or behind those that they lean on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from .draft import Draft, tells_something
from .kinds import is_surely
from .layout import cited
from .names import ABOUT, aboutness, mentions, plain
from .overview import serves
from .points import Point
from .quotes import Quote, length
from .report_words import (
    ANNOUNCING,
    BY_YEAR,
    CAUSE,
    FACETS,
    LEANING,
    OPINION,
    PAST,
    READING,
    STANCE,
    hits,
    subject_terms,
)
from .shared_names import years_in
from .text import is_cjk, stem, term_set

_MOST_LINES = (3, 6)
"""Lines on what figures show that a summary has; with those of advice, where that is asked for."""
_FEWEST = 4
"""Sentences of a summary, if there are so many that can stand in one."""
_MOST_POSITIONS = 5
"""Positions in a debate that a summary tells."""
_LEAST_TERMS, _LONGEST = 5, (90, 45)
"""Terms that a sentence of a summary has at least; its length at most, in characters and in words."""
_HEAD = 3
"""Sentences of a page, a dateline among them, with the first of which it says what happened."""
_OLD = 2
"""Years after which a page is too old for the summary of how things are."""
_YEARLY = 0.85
"""What a year of age leaves of the worth of a sentence for a summary."""
_THIS_IS = re.compile(r"(?:this|it) is (?:an?|the) ", re.IGNORECASE)
_IS_A = re.compile(r"^.{2,60}? (?:is|are|was|were) (?:an?|one|the) (?!little |bit )")
_IS_AN = re.compile(r"^\S+(?: [A-Z]\S*){0,3} (?:is|was) an? ")
_POINTS = re.compile(r"\b(?:them|they|this|these|those|others)\b|该|同[社船館港校店氏]", re.IGNORECASE)
"""A word for what may stand in a sentence before."""
_ON_IT = 0.4
"""How much of the request a sentence of a summary has, of what the best does."""
_ON_STORY = 0.6
"""How well its paragraph serves a request of whose story a summary tells a part."""
_DATED = 0.3
"""What a statement with a year is worth in a list of these, whatever else it tells."""
_NO_PARTY = re.compile(r"\b(?:I|you|(?:every|any|some|no)(?:one|body))\b", re.IGNORECASE)
"""Who speaks for nobody else, or is nobody in particular."""
_THE = re.compile(r"\bthe (\w+)\b")


class Summarizer(Draft):
    """Chooses what a report tells first."""

    def summary(self, sides: Sequence[str], lines: Sequence[str] = ()) -> list[str]:
        """At most six sentences that stand on their own: what the subject is, the course of its figures, then
        the best of each side."""
        points = self.gathered.points
        asked = [p for p in points if not self.sides or p.side in self.sides]
        asked = asked if 4 * len(asked) >= len(points) else [*points]  # else sides are hard to tell here
        whole = [p for p in asked if self._sums_up(p) and not self._is_old(p)]
        single = self.gathered.members if self.kind == "overview" else ()  # what is told of one only
        whole = [p for p in whole if p.page.id not in single] or whole
        least = _ON_IT * max((p.own for p in whole), default=0.0)
        whole = [p for p in whole if p.own >= least]
        opening = self._opening(whole, least)
        if self.kind == "overview" and len(self.gathered.names) == 1:  # nothing before its subject is named
            name = self.gathered.names[0]
            asked, whole = ([p for p in some if _is_about(p, name)] for some in (asked, whole))
        known = [p for p in whole if not p.side.startswith("# ")]
        able = [p for p in known if tells_something(p.text)]
        most = max(min(3, 1 + len(asked) // 4), min(_FEWEST, len(asked) // 4), min(6, len(able) // 3))
        told = self._is_story_told or len(whole) < _FEWEST
        stories = [p for p in asked if told and self._is_story(p, least)]
        if not self._is_story_told:
            stories = [p for p in stories if not self._is_followed(p)] or stories
        first = [s for s in READING.get(self.kind, ()) if s in ("decided", "events") and self._is_story_told]
        of_sides = [[p for p in stories or able if p.side == side] for side in [*first, *sides[:4]]]
        if self.kind == "why" and not any(p.side == "causes" for p in stories):
            of_sides.insert(0, [p for p in stories if CAUSE.search(p.text)])
        groups = [opening, *of_sides, able, able, *[known, whole] * _FEWEST]
        surely = self.kind == "debate" and is_surely(self.question, "debate")
        positions = self.positions() if surely else []
        if positions:  # and nothing beside the matter
            groups = [[p for p in stories if p.side == side] for side in ("decided", "outlook")]
        lines = lines[: _MOST_LINES[self.kind == "recommendation"]]
        chosen = self._best_of_each(groups, most - len(lines))
        said = [" ".join(map(cited, passage)) for passage in chosen]
        at = sum(self.defines(passage[0]) for passage in chosen[:1]) if self.kind != "recommendation" else 0
        return list(filter(None, [" ".join([*said[:at], *lines, *said[at:]]), "\n".join(positions)]))

    def positions(self) -> list[str]:
        """Who takes which position in a debate, under the titles of pages: of those who speak for themselves
        the best statement each, and what others say of them."""
        told: dict[object, Quote] = {}
        for point in sorted(self.gathered.every.values(), key=lambda p: -p.score):
            takes = point.score > 0 and point.sentence.kind == "prose" and STANCE.search(point.text)
            if not takes or point.stray or point.key in self.used or _NO_PARTY.search(point.text):
                continue
            if passage := self._passage(point):
                ours = any(OPINION.search(p.text) for p in passage)
                told.setdefault(point.page.id if ours else point.key, Quote(passage, point.score))
        several = len(told) > 1  # one alone is no debate
        chosen = self.choose([*told.values()][: _MOST_POSITIONS * several], self.limits.summary_words)
        return [f"- {q.points[0].page.title}: {' '.join(map(cited, q.points))}" for q in chosen]

    def by_year(self, room: int) -> list[str]:
        """What is dated, in the order of its years, where a request asks for that."""
        if not BY_YEAR.search(self.question):
            return []
        names = self.gathered.names
        dated = [
            Quote(passage, point.score + _DATED)
            for point in self.gathered.every.values()
            if years_in(point.text)
            and point.sentence.kind == "prose"
            and len(term_set(point.text)) > len(years_in(point.text)) + 1
            and not (point.stray or point.is_pair or OPINION.search(point.text))
            and (any(_is_about(point, name) for name in names) if names else point.score > 0)
            and (passage := self._passage(point, any(mentions(point.page.title, name) for name in names)))
        ]
        told = self.choose(dated, room)
        told.sort(key=lambda q: (min(years_in(q.points[-1].text)), q.place))
        return ["\n".join(f"- {' '.join(map(cited, q.points))}" for q in told)] if told else []

    @property
    def _is_story_told(self) -> bool:
        """Whether the report is about what happened, and not about the thing."""
        return self.kind in ("why", "debate")

    def _opening(self, whole: Sequence[Point], least: float) -> list[Point]:
        """What may stand first: what the subject is, or how the page that told of it first begins."""
        if self.kind == "why":
            heads = {p.page.id: p for p in sorted(self.gathered.points, key=lambda p: -p.place)}
            news = [p for p in heads.values() if p.place < _HEAD and p.own >= least and self._sums_up(p)]
            return sorted(news, key=lambda p: (p.page.published or "9", p.key))[:1]
        every = self.gathered.every.values() if self.gathered.names and not self._is_story_told else ()
        return [p for p in every if self.defines(p) and self._sums_up(p)]

    def _best_of_each(self, groups: Sequence[Sequence[Point]], most: int) -> list[tuple[Point, ...]]:
        """The best passage of each group that is short enough and says what none before it says."""
        chosen: list[tuple[Point, ...]] = []
        left = min(self.limits.summary_words, self.room // 3)
        for group in groups:
            fits = (
                passage
                for passage in map(self._passage, group)
                if sum(length(p.text) for p in passage) <= left
                and not any(_overlap(p, other) > 0.5 for p in passage for said in chosen for other in said)
            )
            best = max(fits, key=lambda said: (self._tells(said), said[-1].key), default=())
            if best and len(chosen) < most:
                self.take(*best)
                chosen.append(best)
                left -= sum(length(p.text) for p in best)
        return chosen

    def _passage(self, point: Point, titled: bool = False) -> tuple[Point, ...]:
        """A statement behind those of its paragraph that it leans on, none if these lean themselves, and with
        what it announces. Where a page is `titled` with the subject of the report, "the mill" is clear in the
        statement itself."""
        told: tuple[Point, ...] = (point,)
        while told[0].depends if titled and len(told) == 1 else told[0].leans:
            before = self.gathered.beside(told[0], -1)
            if len(told) > 2 or not before:
                return ()
            told = (before, *told)
        after = self.gathered.beside(point)
        return (*told, after) if after and ANNOUNCING.search(point.text) else told

    def _is_story(self, point: Point, least: float) -> bool:
        """Whether a statement tells, in the words of nobody who has a part in it, what happened or why, and
        has `least` so much of the request, if what stands above it has nothing."""
        said = self._passage(point)
        return (
            bool(said)
            and point.serves >= _ON_STORY
            and tells_something(" ".join(p.text for p in said))
            and not any(p.is_pair or p.key in self.used or OPINION.search(p.text) for p in said)
            and all(p.score > 0 for p in said)
            and all(p.sentence.kind == "prose" for p in said)
            and not self._is_strange(said[0])
            and (any(p.own >= least for p in said) or self._is_headed(point))
            and self._names_one(said)
        )

    def _is_headed(self, point: Point) -> bool:
        """Whether the title or the heading above a statement is on the request, or names its subject."""
        head = f"{point.page.title} {point.sentence.heading}"
        return point.headed >= _ON_IT or any(mentions(head, name) for name in self.gathered.names)

    def _is_old(self, point: Point) -> bool:
        """Whether a statement is too old to open a report on how things are."""
        told = self.kind in ("why", "debate", "development")
        return not told and any(self.newest - y > _OLD for y in years_in(point.page.published))

    def _tells(self, passage: Sequence[Point]) -> float:
        """How well a passage sums up its side: in its words, at the head of a page or paragraph."""
        point, text = passage[-1], " ".join(p.text for p in passage)
        cue = next((f.cue for f in FACETS if f.id == point.side), frozenset())
        opens = 0.3 * (passage[0].place < 3) + 0.15 * passage[0].first
        on = max((serves(point, name) for name in self.criteria), default=0.0)
        ages = (self.newest - year for year in years_in(point.page.published))
        return (
            _YEARLY ** min(4, next(ages, 0))
            * max(p.score for p in passage)
            * (0.4 + on + point.own + 0.15 * min(2, hits(text, cue)) + opens)
            * (0.3 if self.other_thing(point.page) else 2.0 if _IS_A.search(point.text) else 1.0)
            * (2.0 if point.side == "causes" and CAUSE.search(text) else 1.0)
        )

    @cached_property
    def _has_own_script(self) -> bool:
        """Whether any statement is in the script of the report."""
        return any(is_cjk(point.text) == (self.lang != "en") for point in self.gathered.points)

    def _sums_up(self, point: Point) -> bool:
        """Whether a statement fits into a summary: whole, short, current, vouched for, and standing alone,
        as does what follows it."""
        text = point.text
        if point.sentence.kind != "prose" or point.is_pair or point.key in self.used:
            return False
        if is_cjk(text) != (self.lang != "en") and self._has_own_script:
            return False
        named = any(mentions(text, name) for name in point.named)
        leans = point.leans or (LEANING.search(text) and not named)
        if not self.defines(point) and (leans or not (point.own or point.named)):
            return False
        if len(term_set(text)) < _LEAST_TERMS or PAST.search(text) or OPINION.search(text):
            return False
        if (_POINTS.search(text) and not named) or self._is_strange(point):
            return False
        if length(text) > _LONGEST[self.lang == "en"]:
            return False
        return self._names_one([point]) and not self._is_followed(point)

    def _names_one(self, said: Sequence[Point]) -> bool:
        """Whether statements name one of the things that are compared, if any are."""
        return len(self.items) < 2 or any(mentions(p.text, name) for p in said for name in self.items)

    def _is_followed(self, point: Point) -> bool:
        """Whether the next sentence of its paragraph only makes sense after it."""
        after = self.gathered.beside(point)
        return after is not None and after.depends

    def _is_strange(self, point: Point) -> bool:
        """Whether a statement is on something that the request does not name, and does not say on what."""
        one = {stem(word) for word in _THE.findall(point.text) if not word.endswith("s")}
        if self.kind == "overview" and not self.gathered.names and one & {*subject_terms(self.question)}:
            return True  # "the house", of a report on houses
        thing = self.other_thing(point.page)
        return bool(thing) and not mentions(point.text, thing)

    def defines(self, point: Point) -> bool:
        """Whether a statement opens the page of the thing that it is about, with its name or with "this is"
        where a report is about one thing."""
        before = (self.gathered.every[point.page.id, n] for n in range(point.place))
        if not _IS_AN.search(point.text) and any(p.sentence.kind == "prose" for p in before):
            return False
        alone = len(self.gathered.names) == 1 and _THIS_IS.match(point.text)
        return any(
            alone or f"{plain(n)} " in f"{plain(point.text)[:60]} "[: len(plain(n)) + 6]
            for n in point.named
            if plain(point.page.title).startswith(plain(n))
        )


def _is_about(point: Point, name: str) -> bool:
    """Whether a statement or its page is about a thing, and not about one that has to do with it."""
    return mentions(point.text, name) or aboutness(point.page.title, name) >= ABOUT


def _overlap(point: Point, other: Point) -> float:
    """How much of the shorter of two statements the other says too, names apart."""
    apart = frozenset(t for name in (*point.named, *other.named) for t in term_set(name))
    mine, told = term_set(point.text) - apart, term_set(other.text) - apart
    return len(mine & told) / (min(len(mine), len(told)) or 1)
