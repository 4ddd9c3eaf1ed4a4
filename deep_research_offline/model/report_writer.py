"""The report: summary, sections of quoted passages, tables, disagreements, what is dated, what is missing.

Every passage is one or a few consecutive sentences or list items of a source, word for word, with the ids of
its sources behind each. The writer only chooses, orders and groups; lines of its own say nothing about the
world.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from .differences import differences, with_dates
from .gather import gather
from .kinds import kind_of
from .layout import Limits, Part, cited, ids, laid_out, limits_in, merged, shortened
from .lists import criteria, needs
from .names import shown_by
from .overview import BEFORE_THINGS, items, phrase, plan_sides, says, serves, side_title, subject, unsaid
from .page import Page
from .phrases import join, say
from .points import Gathered, Point
from .report_words import (
    CAUSE,
    FACETS,
    IT,
    LEANING,
    OPINION,
    PAST,
    READING,
    SUBJECT,
    hits,
    names_a_subject,
    subject_terms,
)
from .request import asked_sides, reading_order
from .shared_names import has_name, is_proper, plain, title_names, years_in
from .tables import (
    Cell,
    Table,
    course,
    facts_table,
    label_over,
    leaders,
    series_table,
    single_table,
    with_rivals,
)
from .text import is_cjk, stem, term_set, terms, tidy, words
from .thesaurus import asked_by, group_of, may_name
from .units import Choice, Unit, goes_on, length, units_of
from .values import Value, metric, numbers
from .worth import speaks

MOST_WORDS = 1300
MOST_SIDES = 7
_LEAST_WORDS = 45
"""Words below which a side gets no section of its own."""
FITS = 0.5
"""How well a unit serves a heading that it stands under."""
_FEWEST = 4
"""Sentences of a summary, if there are so many that can stand in one."""
_LEAST_TERMS, _LONGEST = 5, (90, 45)
"""Terms that a sentence of a summary has at least; its length at most, in characters and in words."""
_OLD = 2
"""Years after which a page is too old for the summary of how things are."""
_YEARLY = 0.85
"""What a year of age leaves of the worth of a sentence for a summary."""
_THIN = 300
"""Words below which a report tells what says little by itself as well."""
_THIS_IS = re.compile(r"(?:this|it) is (?:an?|the) ", re.IGNORECASE)
_IS_A = re.compile(r"^.{2,60}? (?:is|are|was|were) (?:an?|one|the) ")
_IS_AN = re.compile(r"^\S+(?: [A-Z]\S*){0,3} (?:is|was) an? ")
_POINTS = re.compile(r"\b(?:them|they|this|these|those|others)\b|该|同[社船館港校店氏]", re.IGNORECASE)
"""A word for what may stand in a sentence before."""
_OTHER = re.compile(r"(?:another|(?:the )?others?)\b", re.IGNORECASE)
"""Of one more thing, which has no name there."""
_ON_IT = 0.4
"""How much of the request a sentence of a summary has, of what the best does."""
_ON_STORY = 0.6
"""How well its paragraph serves a request of whose story a summary tells a part."""
_CLAUSES = re.compile(r"[,;:.?!] |\?$")
_AT_ASKING = re.compile(
    r"^(?:[^.!?]*[.!] )*(?:(?:hi|hello|please)\b\W*)?"
    r"(?:[^.!?]*\b(?:on|about) (?=(?:how|why|what|who|where|whether)\b))?",
    re.IGNORECASE,
)
_I = re.compile(r"\bi\b")
_AUXILIARY = frozenset("has have had do does did".split())
_THE = re.compile(r"\bthe (\w+)\b")
_HEAD = 5
"""Letters by which a word that is spelled otherwise is known again."""
_PARAGRAPH = 5
_MOST_DIFFERENCES = 7
_SPOKEN = frozenset(READING["debate"][:2]) | {"debate"}
"""Sides that are told with who says it."""
_KNOWN = frozenset(facet.id for facet in FACETS)


class Writer:
    """One report in the making: what there is to say, and what has been said already."""

    def __init__(self, question: str, pages: Sequence[Page], lang: str, limits: Limits) -> None:
        self.question, self.lang, self.limits = question, lang, limits
        self.kind = kind_of(question)
        self.sides = asked_sides(question)
        self.items, self.criteria = items(question, pages), criteria(question)
        self.gathered: Gathered = gather(question, pages, self.items)
        self.newest = max((y for page in pages for y in years_in(page.published)), default=0)
        self.unsaid, self.lacks_most = unsaid(question, self.gathered)
        self.choice = Choice()
        self.columns = frozenset[str]()
        self.told: set[tuple[str, str]] = set()
        self.differences = differences(pages, self.gathered.names, self.gathered.siblings)
        self.used = {statement.key for found in self.differences for statement in found.older}
        self.room = limits.words or (MOST_WORDS if lang == "en" else 2 * MOST_WORDS)

    def take(self, *points: Point) -> None:
        """Note that points are said."""
        self.used.update(p.key for p in points)
        self.choice.note(Unit(points, 0.0))

    def choose(self, candidates: Iterable[Unit], room: int) -> list[Unit]:
        """Units for so many words."""
        found = self.choice.take(candidates, room)
        self.used.update(p.key for unit in found for p in unit.points)
        return found

    # --- summary ----------------------------------------------------------------------------------------

    def summary(self, sides: Sequence[str], lines: Sequence[str] = ()) -> list[str]:
        """At most six sentences that stand on their own: what the subject is, the course of its figures, then
        the best of each side."""
        chosen: list[tuple[Point, ...]] = []
        left = min(self.limits.summary_words, self.room // 3)
        points = self.gathered.points
        asked = [p for p in points if not self.sides or p.side in self.sides]
        asked = asked if 4 * len(asked) >= len(points) else [*points]  # else sides are hard to tell here
        whole = [p for p in asked if self._sums_up(p) and not self._is_old(p)]
        least = _ON_IT * max((p.own for p in whole), default=0.0)
        whole = [p for p in whole if p.own >= least]
        told = self.kind in ("why", "debate")  # these are about what happened, and not about the thing
        every = () if told or not self.gathered.names else self.gathered.every.values()
        opening = [p for p in every if self.defines(p) and self._sums_up(p)]
        if self.kind == "overview" and len(self.gathered.names) == 1:  # nothing before its subject is named
            name = self.gathered.names[0]
            opening = opening or [p for p in every if self._begins_with(p, name)]
            whole = [p for p in whole if has_name(f"{p.page.title} {p.text}", name)] if opening else whole
        if self.kind == "why":  # how a page on what happened begins
            news = [p for p in points if p.place == 0 and p.own >= least and not self.defines(p)]
            opening = [p for p in news if self._sums_up(p) and not speaks(p.page)]
        known = [p for p in whole if not p.side.startswith("# ")]
        able = [p for p in known if _tells_something(p.text)]
        most = max(min(3, 1 + len(asked) // 4), min(_FEWEST, len(asked) // 4), min(6, len(able) // 3))
        stories = [p for p in asked if (told or len(whole) < _FEWEST) and self._is_story(p)]
        first = [s for s in READING.get(self.kind, ()) if s in ("decided", "events") and told]
        of_sides = [[p for p in stories or able if p.side == side] for side in [*first, *sides[:4]]]
        for group in [opening, *of_sides, able, able, *[known, whole] * _FEWEST]:
            fits = (
                passage
                for passage in map(self._passage, group)
                if sum(length(p.text) for p in passage) <= left
                and not any(_overlap(p, other) > 0.5 for p in passage for said in chosen for other in said)
            )
            best = max(fits, key=lambda said: (self._tells(said), said[-1].key), default=())
            if best and len(chosen) + len(lines[:3]) < most:
                self.take(*best)
                chosen.append(best)
                left -= sum(length(p.text) for p in best)
        said = [" ".join(map(cited, passage)) for passage in chosen]
        at = int(bool(chosen) and self.defines(chosen[0][0]))
        return [" ".join([*said[:at], *lines[:3], *said[at:]])] if said or lines else []

    def _passage(self, point: Point) -> tuple[Point, ...]:
        """A statement behind those of its paragraph that it leans on; none if these lean themselves."""
        told: tuple[Point, ...] = (point,)
        while told[0].leans:
            before = self.gathered.every.get((point.page.id, told[0].place - 1))
            if len(told) > 2 or not before or before.sentence.block != point.sentence.block:
                return ()
            told = (before, *told)
        return told

    def _is_story(self, point: Point) -> bool:
        """Whether a statement tells, in the words of nobody who has a part in it, what happened or why."""
        said = self._passage(point)
        return (
            bool(said)
            and point.serves >= _ON_STORY
            and _tells_something(" ".join(p.text for p in said))
            and not any(p.is_pair or p.key in self.used or OPINION.search(p.text) for p in said)
            and all(p.score > 0 for p in said)
            and all(p.sentence.kind == "prose" for p in said)
            and max(length(p.text) for p in said) <= _LONGEST[self.lang == "en"]
            and not (self.kind == "debate" and speaks(point.page))
            and not goes_on(self.gathered, said[-1])
            and not self._is_strange(said[0])
        )

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
            * (0.3 if self._other_thing(point.page) else 2.0 if _IS_A.search(point.text) else 1.0)
            * (2.0 if point.side == "causes" and CAUSE.search(text) and not IT.search(point.text) else 1.0)
        )

    def _begins_with(self, point: Point, name: str) -> bool:
        """Whether a statement opens with a name and says enough of it to open a summary."""
        start = re.match(rf"(?:the )?{re.escape(name)}\b", point.text, re.IGNORECASE)
        told = len(term_set(point.text)) >= _LEAST_TERMS and length(point.text) <= _LONGEST[self.lang == "en"]
        return bool(start) and told and point.sentence.kind == "prose" and not point.leans

    def _sums_up(self, point: Point) -> bool:
        """Whether a statement fits into a summary: whole, short, current, vouched for, and standing alone,
        as does what follows it."""
        text = point.text
        if point.sentence.kind != "prose" or point.is_pair or point.key in self.used:
            return False
        named = any(has_name(text, name) for name in point.named)
        leans = point.leans or (LEANING.search(text) and not named)
        if not self.defines(point) and (leans or not (point.own or point.named)):
            return False
        if len(term_set(text)) < _LEAST_TERMS or PAST.search(text) or OPINION.search(text):
            return False
        if (_POINTS.search(text) and not named) or self._is_strange(point):
            return False
        if length(text) > _LONGEST[self.lang == "en"]:
            return False
        if len(self.items) > 1 and not any(has_name(text, name) for name in self.items):
            return False
        after = self.gathered.every.get((point.page.id, point.place + 1))
        together = after is not None and after.sentence.block == point.sentence.block
        return not (together and after and after.depends) or self.defines(point)

    def _is_strange(self, point: Point) -> bool:
        """Whether a statement is on something that the request does not name, and does not say on what."""
        one = {stem(word) for word in _THE.findall(point.text) if not word.endswith("s")}
        if self.kind == "overview" and not self.gathered.names and one & {*subject_terms(self.question)}:
            return True  # "the house", of a report on houses
        thing = self._other_thing(point.page)
        return bool(thing) and not has_name(point.text, thing)

    def _other_thing(self, page: Page) -> str:
        """The thing that a page is about, if the request does not name it."""
        known = (*self.gathered.names, *self.items)
        title = "" if is_cjk(page.title) else next(iter(title_names(page.title)), "")
        return title * (is_proper(title) and not any(has_name(page.title, name) for name in known))

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

    # --- sections ---------------------------------------------------------------------------------------

    def sections(self, room: int) -> list[Part]:
        """The sides of the subject with their passages, in reading order; of things compared, what else is
        told of each."""
        chosen = self.best(room)
        if len(self.items) > 1:
            return self._further(chosen)
        homes = self._homes(chosen)
        held: dict[str, list[Unit]] = defaultdict(list)
        for unit in chosen:
            held[homes[unit.place] or "what"].append(unit)
        order = reading_order(self.question)
        own = [side for side in held if side not in _KNOWN]
        sides = [*order[:4], *own, *order[4:]]
        return [
            Part(side_title(s, self.lang), self.paragraphs(held[s], s in _SPOKEN)) for s in sides if s in held
        ]

    def _further(self, chosen: Sequence[Unit]) -> list[Part]:
        of = {item: [u for u in chosen if self._is_on(u, item)] for item in self.items}
        of = {"": [u for u in chosen if not any(u in units for units in of.values())], **of}
        blocks = {item: self.paragraphs(units) for item, units in of.items() if units}
        told = [b for item, found in blocks.items() for b in ([f"### {item}"] if item else []) + found]
        return [Part(say("further", self.lang), told)] if told else []

    def best(self, room: int) -> list[Unit]:
        """The units that a report of so many words tells."""
        units = units_of(self.gathered, self.used)
        judged = self.criteria or len(self.items) > 1
        chosen = self.choose((u for u in units if self._adds(u)) if judged else units, room)
        if (lack := min(room, _THIN) - sum(u.size for u in chosen)) > _LEAST_WORDS:  # then paragraphs
            whole = (u for u in units_of(self.gathered, self.used, wide=True) if u.worth and not u.is_table)
            adds = self._adds if judged else lambda unit: _tells_something(unit.text)
            tells = (u for u in whole if adds(u) and not u.points[0].depends)
            chosen += self.choose(tells, lack)
        return chosen

    def _adds(self, unit: Unit) -> bool:
        """Whether a unit tells more of things compared: is on one of them, with figures or causes where the
        request names criteria, or a table of what neither these nor the comparison hold; on another thing's
        page it begins with one of them."""
        first = unit.points[0]
        if unit.is_table:
            columns = [c for c in first.sentence.columns if c and plain(c) not in self.columns]
            return any(all(says(column, name) < FITS for name in self.criteria) for column in columns)
        title = first.page.title
        other = is_proper(title) and not any(has_name(title, item) for item in self.items)
        told = (p for p in unit.points[: 1 if other else None] if not self.items or p.about & {*self.items})
        return any(not self.criteria or _tells_something(p.text) for p in told)

    def _homes(self, chosen: Sequence[Unit]) -> dict[tuple[str, int], str]:
        """Under which side each unit stands: its own if enough is told of that, else where most of its page
        or of all stands."""
        homes = {unit.place: unit.side for unit in chosen}
        most = min(self.limits.sections or MOST_SIDES, MOST_SIDES)
        while True:
            size = Counter[str]()
            for unit in chosen:
                size[homes[unit.place]] += unit.size
            least = min(_LEAST_WORDS * (1 if self.lang == "en" else 2), size.total() // 8)
            due = {s: least * (1 if s in _KNOWN else 2) * (s not in _SPOKEN) for s in size}
            small = [s for s in size if not s or size[s] < due[s]]
            small += [s for s, _ in size.most_common()[most:] if s not in small]
            if not small or len(size) < 2:
                return homes
            gone = min(small, key=lambda s: (size[s], s))
            near: dict[str, Counter[str]] = defaultdict(Counter)
            for unit in chosen:
                if homes[unit.place] != gone:
                    near[unit.page][homes[unit.place]] += unit.size
            every = Counter({s: n for s, n in size.items() if s != gone})
            for unit in chosen:
                if homes[unit.place] == gone:
                    homes[unit.place] = (near[unit.page] or every).most_common(1)[0][0]

    def paragraphs(self, chosen: Sequence[Unit], spoken: bool = False) -> list[str]:
        """Units as paragraphs, each from one page, in the order of the page; the page of the best comes
        first, in a development that of the earliest year; if `spoken`, under the title of each."""
        rank = {unit.page: n for n, unit in reversed(list(enumerate(chosen)))}
        year = {
            page: min((y for u in chosen if u.page == page for y in years_in(u.text)), default=9999)
            for page in rank
        }
        told = self.kind == "development"
        units = sorted(chosen, key=lambda u: (year[u.page] if told else 0, rank[u.page], u.place))
        blocks: list[str] = []
        voiced = set[str]()
        before: Unit | None = None
        size = 0
        for unit in units:
            if unit.is_table:
                blocks.append(self.rows(unit))
                before = None
                continue
            item = unit.points[0].sentence.kind == "item"
            text = ("- " if item else "") + " ".join(cited(p) for p in unit.points)
            same = before is not None and before.page == unit.page
            if item and same and blocks[-1].startswith("- "):
                blocks[-1] += f"\n{text}"
            elif same and not item and size + len(unit.points) <= _PARAGRAPH and blocks[-1][:2] != "- ":
                blocks[-1] += f" {text}"
                size += len(unit.points)
            else:
                if unit.page not in voiced and (spoken or self._is_voice(units, unit.page)):
                    blocks.append(self._voice(unit.points[0].page))
                    voiced.add(unit.page)
                blocks.append(text)
                size = len(unit.points)
            before = unit
        return blocks

    def _is_voice(self, units: Sequence[Unit], page: str) -> bool:
        """Whether somebody speaks of themselves in what is quoted of a page."""
        return any(OPINION.search(p.text) for u in units if u.page == page for p in u.points)

    def _voice(self, page: Page) -> str:
        notes = ", ".join(filter(None, (page.tier.replace("_", " "), page.published)))
        return say("voice", self.lang, title=page.title, notes=f" ({notes})" if notes else "")

    def rows(self, unit: Unit) -> str:
        """A unit of table rows as a table."""
        rows = tuple(
            (p.sentence.cells[0], tuple(Cell(c, (p,)) if c else None for c in p.sentence.cells[1:]))
            for p in unit.points
        )
        label = label_over(unit.points[0], say("item", self.lang))
        return Table(unit.points[0].sentence.columns, rows).markdown(label)

    def on(self, title: str, room: int) -> list[str]:
        """What bears on a heading."""
        fits = (u for u in units_of(self.gathered, self.used) if self.fit(u, title) >= FITS)
        return self.paragraphs(self.choose(fits, room))

    def fit(self, unit: Unit, title: str) -> float:
        """How well a unit serves a heading: it is on the thing that this names, or on its side or matter."""
        named = [name for name in self.items if has_name(title, name)]
        if named:
            return float(len(named) == 1 and self._is_on(unit, named[0]))
        sides = {f.id: hits(title, f.head) + _is_named(title, f.title[self.lang]) for f in FACETS}
        if any(sides.values()):
            return min(1, sides.get(unit.side, 0)) + 0.1 * sides.get(unit.side, 0)
        return max(serves(p, title) for p in unit.points) if subject_terms(title) else 0.0

    # --- comparisons ------------------------------------------------------------------------------------

    def by_criterion(self, table: Table | None) -> list[Part]:
        """Criterion by criterion what is said of the things in common, and of each thing in its order, beyond
        the table; where that holds nothing of a thing, also amounts in the unit of its column."""
        found = []
        share = (
            max(25, self.room // (2 * len(self.criteria) * max(1, len(self.items)))) if self.criteria else 0
        )
        for name in self.criteria:
            units, filled = table.column(name) if table else (frozenset(), frozenset())
            lines = []
            for item in ("", *self.items):
                near = units if item and item not in filled else frozenset()
                fits = [
                    Unit(u.points, u.worth * fit)
                    for u in (*units_of(self.gathered, self.used, 1), *self._leaning(item))
                    if not u.is_table
                    and not (table and table.holds(item, u.text))
                    and (fit := self._on_criterion(u.points[0], name, near))
                    and self._is_on(u, item)
                ]
                chosen = self.choose(fits, 3 * share if not self.items else share)
                told = " ".join(cited(p) for u in chosen for p in u.points)
                if told:
                    lines += [f"### {item}", told] if item else [told]
                    self.told.add((item, plain(name)))
            if lines:
                found.append(Part(name[0].upper() + name[1:], lines))
        return found

    def _leaning(self, item: str) -> list[Unit]:
        """The sentences that lean on one before, which is on the thing: under its name they stand alone."""
        leaning = (p for p in self.gathered.points if item and p.depends and p.key not in self.used)
        return [
            Unit((p,), p.score)
            for p in leaning
            if plain(p.page.title) == plain(item) or (IT.search(p.text) and {item} == p.about & {*self.items})
        ]

    def _on_criterion(self, point: Point, name: str, units: frozenset[str]) -> float:
        """How much a point says on a criterion, if on none more, or gives an amount in one of these units."""
        fit, size = serves(point, name), len(term_set(name))
        others = [(serves(point, c), len(term_set(c))) for c in self.criteria if c != name]
        if fit > FITS - 0.1 * (size < 2) and all(other <= (fit, size) for other in others):
            return fit
        return FITS if any(v.unit in units for v in numbers(point.text)) else 0.0

    def _is_on(self, unit: Unit, item: str) -> bool:
        """Whether a unit is on one of the things compared and on no other; without one, on none alone of
        those that its page compares."""
        page = unit.points[0].page
        own = {name for p in unit.points for name in p.about} & {*self.items}
        if item:
            return own == {item} and not any(_OTHER.match(p.text) for p in unit.points)
        return not self.items or (not own and sum(has_name(page.text, name) for name in self.items) > 1)

    def missing(self, table: Table | None = None) -> list[str]:
        """What was asked by name and of which nothing is said, in a table neither."""
        cells = table.filled() if table else []
        held = {(it, plain(n)) for n in self.criteria for it, column in cells if says(column, n) > FITS}
        held |= self.told | {(item, plain(column)) for item, column in cells}
        units = [Unit((point,), 0.0) for point in self.choice.said]
        held |= {
            (item, plain(name))
            for name in self.criteria
            for unit in units
            if says(unit.text, name) > FITS
            for item in self.items
            if self._is_on(unit, item)
        }
        points = self.gathered.points
        lost = [name for name in self.items if not any(_mentions(p, name) for p in points)]
        lost += self.unsaid if self.limits.summary == "none" else []
        lines = [say("missing_item", self.lang, it=name) for name in lost]
        for name in self.criteria:
            told = [p for p in self.gathered.every.values() if serves(p, name) >= 0.3]
            if not told:
                lines.append(say("missing_item", self.lang, it=name))
                continue
            said = [i for i in self.items if (i, plain(name)) in held]
            of = [i for i in self.items if i not in lost and i not in said]
            if of:
                lines.append(say("missing_pair", self.lang, it=join(of, self.lang), criterion=name))
        return [f"- {line}" for line in lines]

    def able(self, table: Table | None) -> tuple[list[str], Table | None]:
        """What is ruled out, and the one thing that is not, by the amounts that the request needs; and the
        table of what is left."""
        lines, out = list[str](), set[str]()
        for wanted, least in needs(self.question):
            known = {item: found for item in self.items if (found := self._nearest(item, wanted, least))}
            sign = 1 if least else -1
            fails = [it for it, (v, _) in known.items() if sign * metric(v)[0] < sign * metric(wanted)[0]]
            if not fails:
                continue
            told = join([f"{item} ({known[item][0].text})" for item in fails], self.lang)
            shown = ids(*(known[item][1] for item in fails))
            lines.append(f"{say('ruled_out', self.lang, it=told)} {shown}")
            out.update(fails)
            if len(left := [item for item in known if item not in fails]) == 1:
                value, point = known[left[0]]
                lines.append(f"{say('only', self.lang, it=left[0], value=value.text)} {ids(point)}")
        return lines, table and Table(table.columns, tuple(row for row in table.rows if row[0] not in out))

    def _nearest(self, item: str, wanted: Value, least: bool) -> tuple[Value, Point] | None:
        """What comes nearest to an amount that is needed of all amounts in its unit that are told of a thing
        and of no other."""
        found = [
            (value, point)
            for point in self.gathered.every.values()
            if self._is_on(Unit((point,), 0.0), item)
            for value in numbers(point.text)
            if stem(metric(value)[1]) == stem(metric(wanted)[1])
        ]
        return (max if least else min)(found, key=lambda f: metric(f[0]), default=None)

    def verdict(self, table: Table | None) -> list[str]:
        """What speaks for which thing, by figures that can be compared, and what would change that."""
        lines, table = self.able(table)
        first = leaders(table) if table else []
        if not table or not first:
            return (
                ["\n".join(f"- {line}" for line in lines) or say("no_pick", self.lang)]
                if table or self.items
                else []
            )
        known = [won for won in first if self._key(table, won[0]) == "best_of"]
        won: dict[str, list[str]] = defaultdict(list)
        for name, thing, _ in known or first:
            won[thing].append(name.lower())
        most = max(len(names) for names in won.values())
        best = [thing for thing, names in won.items() if len(names) == most]
        key = "pick" if len(won) == 1 and most > 1 else "prefer"
        shown = {it: [p for _, thing, cell in first if thing == it for p in cell.points] for it in won}
        chosen = {
            it: f"{say(key, self.lang, it=it, criteria=join(won[it], self.lang))} {ids(*shown[it])}"
            for it in [*best, *won]
        }
        lines += self._leaders(table)
        return ["\n".join(f"- {line}" for line in lines), " ".join(chosen.values())]

    def _leaders(self, table: Table) -> list[str]:
        """Which thing comes first on what, with its value."""
        return [
            f"{say(self._key(table, name), self.lang, it=it, criterion=name.lower(), value=cell.text)}"
            f" {ids(*cell.points)}"
            for name, it, cell in leaders(table)
        ]

    @staticmethod
    def _key(table: Table, name: str) -> str:
        """How the first place on an attribute is told: among all, or among those of which it is known."""
        known = sum(column == name for _, column in table.filled())
        return "best_of" if known == len(table.rows) else "best_known"

    # --- what differs -----------------------------------------------------------------------------------

    def disagreements(self, dated: bool = False) -> list[str]:
        """What sources say differently, or what is older than what others say."""
        told: dict[frozenset[object], str] = {}
        about = Counter(p.page.id for p in self.gathered.points)
        for difference in self.differences:
            points = [self.gathered.every[side.key] for side in difference.sides]
            values = frozenset(side.value[0] for side in difference.sides)
            bears = self._bears(points, about) and values not in told and len(told) < _MOST_DIFFERENCES
            if bears and bool(difference.older) is dated:
                told[values] = difference.shown(self.lang, {point.key for point in self.choice.said})
                self.take(*points)
        return [*told.values()]

    def _bears(self, points: Sequence[Point], about: Mapping[str, int]) -> bool:
        """Whether what passages say bears on the request, by itself or by the pages that it stands on."""
        if any(p.stray for p in points):
            return False
        names = self.gathered.names
        named = [any(has_name(f"{p.page.title}\n{p.page.text}", name) for name in names) for p in points]
        if any(p.score > 0 for p in points):
            return not names or any(named)
        central = [about[p.page.id] > 1 for p in points]
        return all(central) or (any(central) and bool(names))

    # --- the whole --------------------------------------------------------------------------------------

    def parts(self) -> tuple[list[str], list[Part]]:
        """Summary and sections."""
        conflicts = self.disagreements()
        if self.limits.named:
            summary = self.summary(reading_order(self.question)) if self.limits.summary != "none" else []
            share = self.room // len(self.limits.named)
            named = [(name, self.on(name, share)) for name in self.limits.named]
            return summary, [
                Part(name, blocks or [say("missing_item", self.lang, it=name)]) for name, blocks in named
            ]
        summary, first, years, table = self.opening()
        found = first + self.by_criterion(table)
        told = sum(length(b) for b in [*summary, *conflicts, *(b for p in found for b in p.blocks)])
        left = max(self.room - told, self.room // 3)
        found += self.sections(min(left, max(900 - told, 0)) if self.criteria else left)
        found += years
        last = {
            "conflict": conflicts,
            "dated": self.disagreements(dated=True),
            "choice": self.verdict(table) if self.kind == "recommendation" else [],
            "h_missing": ["\n".join(lines)] if (lines := self.missing(table)) else [],
        }
        ends = [Part(say(title, self.lang), blocks) for title, blocks in last.items() if blocks]
        lead = 1 if self.kind == "debate" and conflicts else 0
        return summary, [*ends[:lead], *found, *ends[lead:]]

    def opening(self) -> tuple[list[str], list[Part], list[Part], Table | None]:
        """The summary, the figures that stand first, those that stand last, and the comparison."""
        wide = self.kind in {"comparison", "recommendation"}
        measured = [name for name in self.criteria if not asked_by(name) & group_of("person")]
        table = facts_table(self.gathered, self.items, measured) if wide else None
        table = with_rivals(table, self.gathered, self.differences) if table else None
        if table:  # its rows are not told again
            self.columns = frozenset(map(plain, table.columns))
            cells = (cell for _, row in table.rows for cell in row if cell)
            self.used.update(p.key for cell in cells for p in cell.points if p.sentence.kind == "row")
        asked = frozenset(subject_terms(self.question))
        series = None if self.items else series_table(self.gathered, self.gathered.names, asked)
        on_it = series is not None and bool(asked & term_set(" ".join(series.columns)))
        leads = self.kind == "development" or (self.kind == "overview" and on_it)
        series = series if on_it or self.kind in {"development", "overview"} else None
        course_of = course(series, self.lang) if series and leads else []
        lines, left = self.able(table)
        course_of += [*lines, *(self._leaders(left) if left else [])]
        sides = plan_sides(self.question, self.gathered, MOST_SIDES)
        summary = self.summary(sides, course_of) if self.limits.summary != "none" else []
        years = [Part(say("series", self.lang), [series.markdown(say("year", self.lang))])] if series else []
        found = years if leads else []
        found += [Part(say("table", self.lang), [table.markdown(say("item", self.lang))])] if table else []
        if not table and (facts := self._facts()):
            found.append(Part(say("facts", self.lang), [facts]))
        return summary, found, [] if leads else years, table

    def _facts(self) -> str:
        """The labelled values of the one thing that the request names."""
        if len(self.gathered.names) != 1 or self.kind != "overview":
            return ""
        cells = [(k, cell) for k, cell in single_table(self.gathered, self.gathered.names[0]) if len(k) < 40]
        if len(cells) < 3:
            return ""
        self.used.update(p.key for _, cell in cells[:10] for p in cell.points)
        table = Table((say("value", self.lang),), tuple((label, (cell,)) for label, cell in cells[:10]))
        return table.markdown(say("attribute", self.lang))


def compose(question: str, pages: Sequence[Page], *, language: str, limits: Limits | None = None) -> str:
    """The report on a broad question as Markdown."""
    limits = limits or Limits()
    question = shown_by(tuple(pages)).mend(tidy(question))
    writer = Writer(question, pages, language, limits)
    head = f"# {title_of(question, writer.gathered.names, writer.items, language)}" if limits.title else ""
    if not (names_a_subject(question) or writer.gathered.names):
        return "\n\n".join(filter(None, (head, say("no_subject", language)))) + "\n"
    if not writer.gathered.points or writer.lacks_most or not _is_met(question, pages):
        lacking = join(writer.unsaid, language) if writer.lacks_most else subject(question)
        nothing = say("nothing_broad", language, it=lacking or question)
        return "\n\n".join(filter(None, (head, nothing))) + "\n"
    summary, parts = writer.parts()
    if writer.unsaid and summary:
        summary.append(say("missing_item", language, it=join(writer.unsaid, language)))
    if limits.sections:
        parts = merged(parts, limits.sections)
    blocks = laid_out(head, summary, parts, limits, language)
    return shortened(with_dates("\n\n".join(blocks), pages, language), limits.words) + "\n"


def _is_met(question: str, pages: Sequence[Page]) -> bool:
    """Whether pages show any of the words of a request that may be names, or one that begins alike, if it
    has such words; where its one name has a word that no page shows, nothing is on it."""
    said = words(question)
    named = (word for word in said if word[0].isalpha() and may_name(word) and names_a_subject(word))
    own = {word: term_set(word) for word in named}
    shown = frozenset[str]().union(*(term_set(f"{page.title} {page.text}") for page in pages))
    heads = {term[:_HEAD] for term in shown}
    book = shown_by(tuple(pages))
    met = {t for t in set().union(*own.values()) if t in shown or (len(t) > _HEAD and t[:_HEAD] in heads)}
    ends = {name[-1] for name in book.known if len(name) > 1}
    strange = any(
        own.get(word) and not own[word] & met and ((n and word[0].isupper()) or after.lower() in ends)
        for n, (word, after) in enumerate(zip(said, (*said[1:], ""), strict=True))
    )
    return (not own or bool(met)) and not (strange and not book.find(question))


def title_of(question: str, names: Sequence[str], items: Sequence[str], lang: str) -> str:
    """A title: what the request says that it is on, or the things that it compares, or its words from the
    first of its matter to the last name or word of it, and its kind; a question whose matter is no phrase
    that stands alone is itself the title."""
    about = SUBJECT.search(question)
    if about and not names_at_head(about[1], names):
        return f"{about[1][0].upper()}{about[1][1:]}"
    said = join(list(items), lang) if 1 < len(items) <= 4 else phrase(question, names)
    if said not in join(list(items), lang) and not is_phrase(said, question, names):
        clauses = _CLAUSES.split(_AT_ASKING.sub("", question.strip(" .!")))
        kinds = [c for c in clauses if kind_of(c) == "recommendation"]
        asks = next((c for c in [*kinds, *clauses] if kinds or said in c), clauses[0])
        asks += "?" * (f"{asks}?" in question)
        return (asks[:1].upper() + _I.sub("I", asks[1:]))[:120]
    kind = say(f"title_{kind_of(question) or 'overview'}", lang)
    said = say("topic_title", lang, subject=said[:1].upper() + said[1:], side=kind)
    return said if len(said) <= 120 else said[:117].rsplit(" ", 1)[0] + "…"


def is_phrase(said: str, question: str, names: Sequence[str]) -> bool:
    """Whether words of a question are a phrase that stands alone: a name, or what follows an article or a
    preposition, or an auxiliary whose verb only asks, and has no other word of asking in it."""
    start, found, rest = question.partition(said)
    if is_cjk(question) or names_at_head(said, names) or not found:
        return True
    before, own = words(start.lower())[-1:], frozenset(subject_terms(question))
    asks = rest[:1] == " " and not own & {*terms(words(rest)[0])}
    small = [word.lower() for word in words(said) if not own & {*terms(word)}]
    follows = BEFORE_THINGS | (_AUXILIARY if asks else frozenset())
    return bool(follows & {*before}) and BEFORE_THINGS.issuperset(small)


def names_at_head(text: str, names: Sequence[str]) -> bool:
    """Whether a text is one of these names."""
    return any(plain(text.removeprefix("the ")) == plain(name) for name in names)


def _is_named(title: str, side: str) -> bool:
    """Whether a heading begins with the usual name of a side; one of a single word is all of it."""
    return plain(title) == plain(side) or (" " in side and plain(title).startswith(f"{plain(side)} "))


def _tells_something(text: str) -> bool:
    """Whether a text has a figure or a cause."""
    return bool(re.search(r"\d", text) or CAUSE.search(text))


def _mentions(point: Point, name: str) -> bool:
    return name in point.named or has_name(f"{point.page.title} {point.sentence.heading} {point.text}", name)


def _overlap(point: Point, other: Point) -> float:
    """How much of the shorter of two statements the other says too, names apart."""
    apart = frozenset(t for name in (*point.named, *other.named) for t in term_set(name))
    mine, told = term_set(point.text) - apart, term_set(other.text) - apart
    return len(mine & told) / (min(len(mine), len(told)) or 1)


__all__ = ["Limits", "Writer", "compose", "length", "limits_in"]
