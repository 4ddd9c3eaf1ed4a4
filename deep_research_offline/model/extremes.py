"""Of many things the first, and all: rows of a table in order, or the things of a kind that pages show."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from .compare import Reading, column_fit, read_as, reading
from .lexicon import STOP
from .names import ABOUT, aboutness, mentions, names_in, pieces_of
from .page import Page
from .query import YEAR, Concept, is_core
from .rank import ENDED, HIT, SINCE, Ranking, Scored, definition, holds, small
from .text import is_cjk, is_stop, stem, words
from .thesaurus import said_by
from .values import dates, numbers

_BEHIND = re.compile(r"(?<!\bone) (?:for|in|of|at|on|with|that|which|[a-z]+ed)\b")
"""What ends the noun that says what something is."""
_PLACE = re.compile(r"(?:(?:place|rank|pos(?:ition)?|no\.?|#|名次|排名|順位) ?)?\d{1,2}\.?", re.IGNORECASE)
_FEWEST, _MANY = 3, 4
"""How many values there have to be for an order of many, and where no list tells how many there are."""
_ORDERED, _ORDERED_WIDE, _CLOSE = 0.6, 0.3, 0.6
"""How much of a question an order has to hold to be its answer, and in Chinese and Japanese, where pairs of
characters are no words; how well it has to hold a word."""
_COVERED, _UNIT = 0.75, 0.7
"""How much of what is asked the first of things has to hold, and how well an amount holds its measure."""


@dataclass(frozen=True, slots=True)
class Order:
    """Rows of a table in the order asked for."""

    rows: tuple[Reading, ...] = ()
    sure: bool = False
    """Whether it may be given as the answer."""


def row_ranking(ranking: Ranking) -> Order:
    """The rows of the table that best fits a question for the first of many, in order of the column asked
    for; none where no table has three such rows."""
    tables: dict[tuple[str, int], list[Scored]] = {}
    for one in ranking.scored:
        if one.passage.sentence.kind == "row":
            tables.setdefault((one.page.id, one.passage.sentence.block), []).append(one)
    best, most = Order(), (False, 0.0)
    for rows in tables.values():
        rows.sort(key=lambda s: s.passage.place)
        found = _column_of(ranking, rows)
        said = rows[0].passage.sentence
        around = " ".join([rows[0].page.title, said.heading, *said.columns])
        if not all(mentions(around, n) for n in ranking.names):
            continue  # what is asked is no table of this
        if len(found) >= _FEWEST:
            least = _ORDERED_WIDE if is_cjk(ranking.query.text) else _ORDERED
            sure = _table_cover(ranking, around, found) >= least
            order = Order(_sorted(ranking, found), sure)
            fit = sum(r.scored.score for r in found) / len(found)
            fit += column_fit(ranking.concepts, found[0].column)
            if (order.sure, fit) > most:
                best, most = order, (order.sure, fit)
    return best


def _sorted(ranking: Ranking, found: Sequence[Reading]) -> tuple[Reading, ...]:
    return tuple(sorted(found, key=lambda r: r.key, reverse=ranking.query.order != "less"))


def _table_cover(ranking: Ranking, around: str, rows: Sequence[Reading]) -> float:
    """How much of what is asked a table holds: the measure in its column, the rest there, around it, or in
    the names of its rows and on their pages; nothing if it is of another year."""
    column = rows[0].column.strip()
    if not all(year == column or year in YEAR.findall(around) for year in ranking.years):
        return 0.0
    measured = f"{column} {around}" if column in ranking.years else column
    for n, c in enumerate(ranking.concepts):  # what there shall be most of, which a verb may say, too
        if c.word == ranking.query.extreme and not ranking.shown[n] and column_fit([c], measured) < _CLOSE:
            return 0.0
    about = [p for p in ranking.pages if any(aboutness(p.title, r.item) >= ABOUT for r in rows)]
    pages = {n for page in about for n in ranking.kinds_of(page)}
    said = [said_by(text) for text in (around, *(r.item for r in rows))]
    held = [
        max(column_fit([c], measured), float(n in pages), *(holds(c, s) for s in said if not is_core(c)))
        for n, c in enumerate(ranking.concepts)
    ]
    asked = [n for n, c in enumerate(ranking.concepts) if not c.weak]
    whole = sum(ranking.claims[n] for n in asked)
    return sum(ranking.claims[n] * (held[n] >= _CLOSE) for n in asked) / whole if whole else 1.0


def _column_of(ranking: Ranking, rows: Sequence[Scored]) -> list[Reading]:
    """Per row the value in the column that fits best."""
    columns = rows[0].passage.sentence.columns
    fits = [max(column_fit(ranking.concepts, c), 1.0 * (c.strip() in ranking.years)) for c in columns]
    if max(fits, default=0.0) < 0.4:
        return []
    place = fits.index(max(fits))
    cells = [(row, row.passage.sentence.cells) for row in rows]
    found = [
        read_as(values[0], own[place + 1], row, _named(own), columns[place])
        for row, own in cells
        if (values := numbers(own[place + 1]) or dates(own[place + 1]))
    ]
    return found if len({r.kind for r in found}) == 1 else []


def _named(cells: Sequence[str]) -> str:
    """What a row is about: its first cell, or the one behind a place in order ("Rank 1")."""
    placed = _PLACE.fullmatch(cells[0])
    return next((c for c in cells[1:] if placed and re.match(r"[^\W\d]", c)), cells[0])


class Things:
    """The things of the kind asked, as the pages of a ranking show them: `kinds` are the concepts that name
    the kind, `rest` what else is asked, `wanted` what is asked of the things; `members` the things that have
    pages, and `order` those that have a value, in order."""

    def __init__(self, ranking: Ranking) -> None:
        self.ranking = ranking
        self.kinds: set[int] = set()
        self.members = self._members()
        self.rest = [n for n, c in enumerate(ranking.concepts) if not c.weak and n not in self.kinds]
        concepts = ranking.concepts
        asked = {n for n in self.rest if ranking.is_asked(concepts[n]) or self._is_extreme(concepts[n])}
        self.wanted = asked or {*self.rest}
        self.order = self._order()

    def _members(self) -> set[str]:
        kinds: dict[str, set[int]] = {}
        for page in self.ranking.pages:
            name = _subject(page)
            if name and self.ranking.book.is_name(name):
                kinds[name] = kinds.get(name, set()) | self._kinds_of(name, page)
        rows = {page: {s.cells[0] for s in page.sentences if s.cells} for page in self.ranking.pages}
        tables = [page.title for page, things in rows.items() if len(things) >= _FEWEST]
        every = set().union(*kinds.values()) or self._told_by(tables)
        asked = [n for n in kinds if any(mentions(a, n) for a in self.ranking.names)]
        if any(kinds[name] for name in asked):
            return set()  # one of them is asked about, "the top speed of the Gull"
        self.kinds = {n for n in every if self.ranking.is_asked(self.ranking.concepts[n])} or every
        return {name for name, own in kinds.items() if own & self.kinds}

    def _kinds_of(self, name: str, page: Page | None = None) -> set[int]:
        """The concepts that name the kind of a thing: the first or last word of its name, what its page says
        that it is, or what stands before it in its title ("Register of mills: …")."""
        told = [*words(name)[:1], *words(name)[-1:]] if name in names_in(name) else []
        if page:
            told += words(_BEHIND.split(definition(page))[0])[-1:]
            told += pieces_of(page.title)[: pieces_of(page.title).index(name)]
        return self._told_by([*told, *([name] if is_cjk(name) else [])])

    def _told_by(self, texts: Sequence[str]) -> set[int]:
        """The concepts that may name a kind and that a text says, or one in Chinese or Japanese ends in."""

        def tells(text: str, c: Concept) -> bool:
            return text.endswith(tuple(c.stems)) if is_cjk(text) else holds(c, said_by(text)) >= HIT

        concepts = enumerate(self.ranking.concepts)
        asked = [(n, c) for n, c in concepts if not (c.weak or is_core(c) or self._is_extreme(c))]
        return {n for n, c in asked if any(tells(text, c) for text in texts)}

    def _is_extreme(self, concept: Concept) -> bool:
        """Whether a concept is what there shall be most or least of."""
        return stem(self.ranking.query.extreme) in concept.stems

    def _order(self) -> Order:
        """What is known of each; sure if no page shows another, and they are listed or many."""
        past = self.ranking.query.time == "before"
        years = {len(self.ranking.concepts) + n for n in range(len(self.ranking.years))}
        found: dict[str, Reading] = {}
        for one in self.ranking.scored:
            over = bool(ENDED.search(one.text)) and not SINCE.search(one.text) and not past
            fits = one.score >= 0 and all(one.levels[n] >= HIT for n in years)
            if over or not fits or not any(self._is_told(n, one) for n in self.wanted):
                continue
            about = [name for name in self.members if mentions(one.text, name)]
            if not about and not names_in(small(one.text)):
                about = [name for name in self.members if aboutness(one.page.title, name) >= ABOUT]
            if len(about) == 1 and about[0] not in found and (read := reading(self.ranking, one, about[0])):
                found[about[0]] = read
        kind = Counter(r.kind for r in found.values()).most_common(1)
        alike = [r for r in found.values() if r.kind == kind[0][0]]
        if len(alike) < 2:
            return Order()
        rows = _sorted(self.ranking, alike)
        many = len(rows) >= _MANY or len(self.listed) >= _FEWEST
        whole = many and self.ranking.cover(rows[0].scored.levels) >= _COVERED
        return Order(rows, whole and not self.left(rows))

    @cached_property
    def roll(self) -> Order:
        """The things of the kind, by the row or sentence that shows each and says all that is asked; sure if
        a list has just these."""
        found: dict[str, Reading] = {}
        limited = bool(self.ranking.names or self.rest)
        for one in self.ranking.scored:
            said, name = one.passage.sentence, _subject(one.page)
            if said.kind == "row" and self._is_list(one.page):
                found.setdefault(said.cells[0], Reading(said.cells[0], one, ""))
            elif name in self.members and mentions(one.text, name):
                found.setdefault(name, Reading(name, one, ""))
        rows = [read for read in found.values() if self._is_all_asked(read)]
        if len(rows) < (2 if limited else 1):
            return Order()
        whole = all(any(mentions(one, read.item) for one in self.listed) for read in rows)
        return Order(tuple(rows), (whole or limited) and bool(self.listed) and not self.left(rows))

    def _is_all_asked(self, read: Reading) -> bool:
        """Whether a row or sentence with its title says all that is asked of the things."""
        one, concepts = read.scored, self.ranking.concepts
        said = all(one.levels[n] >= _CLOSE for n, c in enumerate(concepts) if not c.weak)
        return said and all(mentions(f"{one.page.title}: {one.text}", name) for name in self.ranking.names)

    def _is_told(self, number: int, one: Scored) -> bool:
        """Whether a passage says a concept in its own words, or gives an amount in the unit of it."""
        return number in one.said or (is_core(self.ranking.concepts[number]) and one.levels[number] >= _UNIT)

    def _is_list(self, page: Page) -> bool:
        """Whether the title of a page names the kind by the last word of a phrase ("mill boats" are no
        mills), and the page is about no single one."""
        told = [word for word in words(page.title) if not word.isdigit()]
        heads = (a for a, b in itertools.pairwise([*told, ""]) if is_stop(b) or f"{a} {b}" not in page.title)
        ends = pieces_of(page.title) if is_cjk(page.title) else [" ".join(heads)]
        return _subject(page) not in self.members and bool(self._told_by(ends) & self.kinds)

    @cached_property
    def listed(self) -> set[str]:
        """What pages list under a title that names the kind."""
        lists = [page for page in self.ranking.pages if self._is_list(page)]
        return {s.cells[0] for page in lists for s in page.sentences if s.kind == "row"}

    def left(self, rows: Sequence[Reading]) -> list[str]:
        """Things of the kind that are not among some rows, those that most pages name first: members, names
        that have a word of the kind, and rows of tables about it."""
        book, known = self.ranking.book, [read.item for read in rows]
        shown = {book.known[key] for key in book.shown if self._kinds_of(book.known[key]) & self.kinds}
        shown |= self.listed
        whole = {n for n in shown if book.is_name(n) and n in names_in(n) and not STOP & {*n.split()}}
        every = self.members | whole
        short = [n for n in sorted(every) if not any(o != n and mentions(n, o) for o in every)]
        left = [n for n in short if not any(mentions(n, k) or mentions(k, n) for k in known)]
        return sorted(left, key=lambda name: -sum(mentions(page.text, name) for page in self.ranking.pages))


def _subject(page: Page) -> str:
    """The part of a page's title that its text names most."""
    named = {piece: sum(mentions(s.text, piece) for s in page.sentences) for piece in pieces_of(page.title)}
    return max(named, key=named.__getitem__, default="")
