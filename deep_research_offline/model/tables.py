"""Tables of what pages state: things by attributes, the labelled values of one thing, and years.

A value belongs to a thing (a page's subject, or a row's label) and an attribute (a column's or a line's
label, or a criterion that a sentence is on).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .compare import with_noun
from .differences import Difference
from .lexicon import load
from .names import mentions, pieces_of, plain
from .overview import says, serves
from .phrases import say
from .points import Gathered, Point, pair_in
from .quantities import clause_of
from .report_words import CAUSE, LESS_IS_BETTER, MORE_IS_BETTER, PAST, hits, trust
from .request import DULL
from .shared_names import years_in
from .text import stem, term_set, words
from .thesaurus import asked_by, families_of, group_of, is_measure, measure_in, said_by
from .values import Value, dates, numbers, unit_family, without_rate
from .weighing import is_better

_ON_TIME = re.compile(r"\bon[- ]time\b", re.IGNORECASE)
_OF_YEAR = re.compile(r" \(\d{4}\)$")
_PART = re.compile(r":|\s[–—-]\s")
_NAMELESS = frozenset({"date", "%", *load("words")["units"]})
"""Families of units that do not say what they measure."""
MOST_COLUMNS = 8
MOST_ROWS = 10

Found = list[tuple[str, Point]]
"""Values, each with the point that states it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a table holds for a thing and an attribute, and the sources that say it."""

    text: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows by columns of cells; a missing one is None."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]

    def filled(self) -> list[tuple[str, str]]:
        """The thing and the attribute of each cell that holds something."""
        return [(thing, n) for thing, row in self.rows for n, c in zip(self.columns, row, strict=True) if c]

    def holds(self, thing: str, text: str) -> bool:
        """Whether a text gives amounts, and none but those in the row of a thing, and no cause."""
        cells = (cell for name, row in self.rows if name == thing for cell in row if cell)
        told = {value.key for cell in cells for value in numbers(cell.text)}
        own = {value.key for value in numbers(text)}
        return bool(own) and own <= told and not CAUSE.search(text)

    def markdown(self, label: str) -> str:
        """The table with the ids of its sources in each cell."""

        def shown(cell: Cell | None) -> str:
            if not cell:
                return "–"
            found = dict.fromkeys(i for p in cell.points for i in p.ids)
            return f"{cell.text.replace('|', '/')} {''.join(f'[{i}]' for i in list(found)[:4])}"

        lines = [f"| {' | '.join([label, *self.columns])} |", f"|{' --- |' * (len(self.columns) + 1)}"]
        lines += [f"| {' | '.join([name, *map(shown, cells)])} |" for name, cells in self.rows]
        return "\n".join(lines)


def _facts(point: Point) -> list[tuple[str, str, str]]:
    """Thing, attribute and value of a row or of a line with a label."""
    said, page = point.sentence, point.page
    owners = [name for name in point.named if mentions(f"{page.title} {said.heading}", name)]
    thing = next(iter(owners if len(owners) == 1 else pieces_of(page.title)), "")
    if pair := pair_in(said):
        return [(thing, *pair)]
    if len(said.cells) == 2 and not said.columns[0]:
        return [(thing, said.cells[0], said.cells[1])]
    told = list(zip(said.columns, said.cells[1:], strict=False))
    return [(said.cells[0], column, cell) for column, cell in told]


def _stated(gathered: Gathered) -> Iterator[tuple[str, str, str, Point]]:
    """Thing, attribute and value of every row and labelled line, not only of those that bear on the question
    by their own words."""
    for point in gathered.every.values():
        if point.is_pair:
            yield from ((*fact, point) for fact in _facts(point))


_RATE = re.compile(r" (?:per|an?) [a-z]+$")
"""For what time a unit is counted, which a label may say as well."""
_BRIEF = 60
"""Characters of a sentence that may stand in a cell."""
_BEFORE_DATE = 3
"""Words before a date of which one says what was done then."""


class _Facts:
    """Values by thing and attribute; `things` are those asked about, if any are named."""

    def __init__(self, gathered: Gathered, things: Sequence[str]) -> None:
        self.gathered, self.things = gathered, things
        self.held: dict[str, dict[str, Found]] = defaultdict(lambda: defaultdict(list))
        self.spelled: dict[str, str] = {}

    def add(self, thing: str, attribute: str, value: str, point: Point) -> None:
        """Note a value."""
        self.spelled.setdefault(plain(attribute), attribute[0].upper() + attribute[1:])
        self.held[thing][plain(attribute)].append((value, point))

    def values(self) -> dict[str, list[str]]:
        """What is held for each attribute."""
        found: dict[str, list[str]] = defaultdict(list)
        for cells in self.held.values():
            for key, told in cells.items():
                found[key] += [value for value, _ in told]
        return found

    def shares(self) -> Iterator[tuple[str, Point, str]]:
        """The sentences that tell of things, as they are, with each thing and what is said of that: of one
        that lists several, each with its amount behind it ("A lost 5 days, B 7 days"), the part behind it."""
        yield from ((thing, point, point.text) for thing, point in self.sentences())
        for point in self.gathered.every.values():
            text, own = point.text, [thing for thing in self.things if thing in point.text]
            if len(own) < 2 or point.is_pair or PAST.search(text):
                continue
            starts = sorted((text.find(thing), thing) for thing in own)
            ends = [*(start for start, _ in starts[1:]), len(text)]
            parts = [(thing, text[start:end]) for (start, thing), end in zip(starts, ends, strict=True)]
            if not numbers(text[: starts[0][0]]) and all(len(numbers(part)) == 1 for _, part in parts):
                yield from ((thing, point, part) for thing, part in parts)

    def sentences(self) -> Iterator[tuple[str, Point]]:
        """The sentences that tell of one thing alone, as it is, with that thing."""
        for point in self.gathered.every.values():
            own = [thing for thing in self.things if thing in point.about]
            if len(own) == 1 and not point.is_pair and not PAST.search(point.text):
                yield own[0], point

    def add_stated(self, wanted: Sequence[str]) -> None:
        """Take what rows and labels state, under the name of the criterion that an attribute serves."""
        for thing, attribute, value, point in _stated(self.gathered):
            named = [t for t in self.things if mentions(thing, t)]
            owners = [t for t in self.things if mentions(point.page.title, t)]
            if not named and len(owners) == 1 and len(point.sentence.cells) in (0, 2):  # on its page
                attribute, named = (thing if point.sentence.cells else attribute), owners
            owner = named[0] if named else "" if self.things else thing
            if owner and len(value) <= 60 and not years_in(owner):
                names = (name for name in wanted if _names_attribute(plain(attribute), name, value))
                self.add(owner, next(names, attribute), value, point)

    def add_told(self, wanted: Sequence[str]) -> None:
        """Fill a criterion from sentences that are on one thing and on it, and give one quantity, in the unit
        that most of them give."""
        for name in wanted:
            usual = {v.unit for text in self.values()[plain(name)] for v in numbers(text)}
            given: list[tuple[str, Value, Point]] = []
            for thing, point, text in self.shares():
                asks_price = is_measure(name) and "money" in families_of(measure_in(name))
                own = asks_price and mentions(point.page.title, thing)  # "at 90 crowns" tells it, too
                titled = text.startswith(thing) and says(point.page.title, name) >= 0.5
                headed = own or titled or (is_measure(name) and says(point.sentence.heading, name) >= 0.5)
                fits = own or titled or serves(point, name) >= 0.5
                amounts = _amounts_of(name, text, headed or text != point.text) if fits else []
                amounts = [v for v in amounts if v.unit in usual] if len(amounts) > 1 else amounts
                taken = {value for told in self.held[thing].values() for value, _ in told}  # by what it is
                if len(amounts) == 1 and plain(name) not in self.held[thing] and amounts[0].text not in taken:
                    given.append((thing, amounts[0], point))
            fit = [(mentions(point.page.title, thing), point.own) for thing, _, point in given]
            best = {t: max(n for n, one in zip(fit, given, strict=True) if one[0] == t) for t, _, _ in given}
            given = [one for n, one in zip(fit, given, strict=True) if n >= best[one[0]]]
            units = Counter(without_rate(value.unit) for _, value, _ in given)
            for thing, value, point in given:
                if without_rate(value.unit) == min(units, key=lambda unit: (-units[unit], unit)):
                    self.add(thing, name, with_noun(value, point.text), point)
            known = given or self.values()[plain(name)]
            if is_measure(name) and not (known or families_of(measure_in(name))):  # "never closes"
                for thing, point in self.sentences():
                    if says(point.text, name) == 1.0 and len(point.text) <= _BRIEF:
                        self.add(thing, name, point.text.rstrip("."), point)

    def add_by_unit(self) -> None:
        """Fill what is empty from sentences that give one amount in a unit which only that attribute has; a
        unit of one word, such as metres, counts where the sentence gives other attributes as well."""
        keys: dict[str, set[str]] = defaultdict(set)
        for key, unit in ((k, v.unit) for k, told in self.values().items() for t in told for v in numbers(t)):
            keys[unit].add(key)
        for thing, point in self.sentences():
            amounts = [value for value in numbers(point.text) if value.unit]
            units = Counter(value.unit for value in amounts)
            told = {min(keys[v.unit]): v for v in amounts if len(keys[v.unit]) == units[v.unit] == 1}
            for key, value in told.items():
                if key not in self.held[thing] and (" " in value.unit or len(told) > 1):
                    self.add(thing, key, value.text, point)

    def add_alike(self) -> None:
        """Columns from sentences in which a request names no criteria: amounts of one unit, or years, of
        which most things have just one beside the same word, or in that unit at all."""
        told: dict[tuple[str, str], dict[str, Found]] = defaultdict(lambda: defaultdict(list))
        named, written = {term for name in self.things for term in term_set(name)}, dict[str, str]()
        for thing, point in self.sentences():
            page = point.page
            own = mentions(_PART.split(page.title)[0], thing)
            if own or sum(mentions(page.text, name) for name in self.things) > 1:
                for value, unit in _measured(point.text):
                    near = words(clause_of(point.text, value.start, value.start + len(value.text)))
                    if unit == "date":  # "opened in 1984", and not "the accident of 1984 left 9 injured"
                        near = words(point.text[: value.start])[-_BEFORE_DATE:]
                    around = {stem(w): w.lower() for w in near if w.isalpha() and term_set(w) - named}
                    written |= {word: min(w, written.get(word, w)) for word, w in around.items()}
                    for word in {"", *around}:
                        told[unit, word][thing].append((with_noun(value, point.text), point))
        spread = Counter(word for (_, word), cells in told.items() for found in cells.values() for _ in found)
        usual = {
            k: {unit for text in found for _, unit in _measured(text)} for k, found in self.values().items()
        }
        best: dict[str, tuple[tuple[float, ...], str]] = {}
        for (unit, word), cells in sorted(told.items()):
            one = [thing for thing, found in cells.items() if len({plain(text) for text, _ in found}) == 1]
            tells = written.get(word) not in DULL and not any(unit in units for units in usual.values())
            if unit == "date":  # of what was done then
                tells = written.get(word, "").endswith("ed")
            if tells and 3 * len(one) >= 2 * len(self.things):
                fits = bool(word) == (unit in _NAMELESS)  # what is counted names itself
                rank = (len(one), len(cells) == len(one), fits, -spread[word])
                best[unit] = max(best.get(unit, ((), "")), (rank, word))
        for unit, (_, word) in best.items():
            name = written[word] if word and unit in _NAMELESS else unit
            for thing, found in told[unit, word].items() if name not in _NAMELESS else ():
                if plain(name) not in self.held[thing] and len({plain(text) for text, _ in found}) == 1:
                    for text, point in found:
                        self.add(thing, name, text, point)

    def join_alike(self) -> None:
        """Put values of one unit under one attribute where a label only says more ("price new")."""
        units = {key: {v.unit for text in told for v in numbers(text)} for key, told in self.values().items()}
        for key, wider in itertools.permutations(sorted(units), 2):
            if term_set(wider) < term_set(key) and units[key] == units[wider] and units[key] - {""}:
                for cells in self.held.values():
                    if key in cells:
                        cells.setdefault(wider, []).extend(cells.pop(key))


def facts_table(
    gathered: Gathered, things: Sequence[str], wanted: Sequence[str], to_choose: bool = False
) -> Table | None:
    """Things by attributes, if at least two of the things asked about, or three others, share some; to choose
    from, beside what is asked only such as are weighed in a choice."""
    facts = _Facts(gathered, things)
    facts.add_stated(wanted)
    facts.add_told(wanted)
    facts.add_by_unit()
    if things and not wanted:
        facts.add_alike()
    facts.join_alike()
    held, counts = facts.held, Counter(key for cells in facts.held.values() for key in cells)
    asked = [key for key in dict.fromkeys(map(plain, wanted)) if key in counts]
    shared = [key for key, n in counts.most_common() if n >= 2 and key not in asked]
    if to_choose and asked:
        shared = [key for key in shared if _better(key)]
    columns = [*asked, *(shared if things and len(asked) < 3 else [])][:MOST_COLUMNS]
    facts.add_told([facts.spelled[key] for key in columns if key not in asked])
    fullest = sorted(held, key=lambda thing: (-sum(key in held[thing] for key in columns), thing))
    names = [thing for thing in things or fullest if any(key in held[thing] for key in columns)]
    if len(names) < (2 if things else 3):
        return None
    rows = [(name, tuple(_cell(held[name].get(key, ())) for key in columns)) for name in names[:MOST_ROWS]]
    return Table(tuple(facts.spelled[key] for key in columns), tuple(rows))


def with_rivals(table: Table, gathered: Gathered, differences: Sequence[Difference]) -> Table:
    """A table that has all sides of a disagreement where one of them or nothing stood, if only one column has
    their unit."""
    rows = {thing: list(cells) for thing, cells in table.rows}
    columns = zip(*rows.values(), strict=True)
    told_in = ([v.unit for cell in column if cell for v in numbers(cell.text)] for column in columns)
    units = [{*map(without_rate, told)} - {""} for told in told_in]
    for found in differences:
        told = [{without_rate(value.unit) for value in numbers(side.text)} for side in found.sides]
        fits = [n for n, unit in enumerate(units) if all(t & unit for t in told)]
        if len(fits) != 1 or found.older:
            continue
        for thing in [t for t in rows if all(t in side.names for side in found.sides)]:
            own, texts = rows[thing][fits[0]], [side.text for side in found.sides]
            if not own or without_rate(_OF_YEAR.sub("", own.text)) in texts:
                points = tuple(gathered.every[side.key] for side in found.sides)
                rows[thing][fits[0]] = Cell(" / ".join(texts), points)
    return Table(table.columns, tuple((thing, tuple(cells)) for thing, cells in rows.items()))


def _names_attribute(key: str, criterion: str, value: str = "") -> bool:
    asked, units = plain(criterion), families_of(measure_in(criterion))
    given = numbers(value)
    if units and given and not any(_is_in(v.unit, units) for v in given):
        return False  # "running time", of running costs
    own = [word for word in asked.split() if term_set(word)]
    told = [word for word in own if word in key.split()]
    if 0 < len(own) <= 2 * len(told) or term_set(asked) <= term_set(key):  # not "opened" for "opening hours"
        return True
    return not measure_in(key).isdisjoint(measure_in(asked))


def _is_in(unit: str, families: frozenset[str]) -> bool:
    """Whether a unit, or what stands before "an hour", is of one of these families."""
    return not families.isdisjoint(map(unit_family, (unit, unit.partition(" ")[0])))


def _measured(text: str) -> list[tuple[Value, str]]:
    """The amounts and dates of a text, each with the family of its unit, or what it counts."""
    found = [(v, unit_family(v.unit) or v.unit) for v in numbers(text) if v.unit]
    return [*found, *((v, v.kind) for v in dates(text))]


def _amounts_of(criterion: str, text: str, headed: bool = False) -> list[Value]:
    """The amounts of a sentence whose clause has a word of the criterion, all if its heading has; none for
    one that asks who."""
    asked, groups = term_set(criterion), asked_by(criterion)
    if groups & group_of("person"):
        return []
    units = families_of(measure_in(criterion))
    amounts = [v for v in numbers(text) if not units or _is_in(v.unit, units)]
    clauses = [(v, clause_of(text, v.start, v.start + len(v.text))) for v in amounts]
    return [v for v, said in clauses if headed or asked & term_set(said) or groups & said_by(said)[1]]


def _cell(found: Sequence[tuple[str, Point]], known: bool = False) -> Cell | None:
    """The newest value with the year that stands above it, unless that is `known`, and all sources that give
    both."""
    if not found:
        return None
    ordered = sorted(found, key=lambda f: (bool(PAST.search(f[0])), *_older(f[1])))
    best, newest = ordered[0][0], _year_of(ordered[0][1])
    points = {p.page.id: p for value, p in ordered if plain(value) == plain(best) and _year_of(p) == newest}
    dated = newest and not known and not years_in(best)
    return Cell(f"{best} ({newest})" if dated else best, tuple(points.values())[:3])


def _year_of(point: Point) -> int:
    """The one year that stands above a row or label; 0 if none or several do."""
    years = {*(years_in(point.sentence.heading) or years_in(point.page.title))}
    return years.pop() if len(years) == 1 else 0


def _older(point: Point) -> tuple[int, int, int, str]:
    date = re.sub(r"\D", "", point.page.published)[:8].ljust(8, "0")
    return -(_year_of(point) or int(date[:4] or 0)), -trust(point.page.tier), -int(date or 0), point.page.id


def label_over(point: Point, usual: str) -> str:
    """What the first column of a table is called: as what stands above it, if years stand there or above its
    other columns."""
    above = point.sentence.heading or point.page.title
    return above if years_in(" ".join([above, *point.sentence.columns[:1]])) else usual


def single_table(gathered: Gathered, thing: str) -> list[tuple[str, Cell]]:
    """The labelled values of one thing."""
    held: dict[str, Found] = defaultdict(list)
    spelled: dict[str, str] = {}
    for owner, attribute, value, point in _stated(gathered):
        if plain(owner) == plain(thing) and len(value) <= 80:
            held[plain(attribute)].append((value, point))
            spelled.setdefault(plain(attribute), attribute)
    few = {key: found for key, found in held.items() if len({value for value, _ in found}) < 4}
    return [(spelled[key], cell) for key, found in few.items() if (cell := _cell(found))]


def series_table(
    gathered: Gathered, things: Sequence[str], matter: frozenset[str] = frozenset()
) -> Table | None:
    """Years by attributes of one thing, the one that most is known of, from rows of several years or pages
    of several years; only those that a request asks about if there are some."""
    of: dict[str, dict[int, dict[str, Found]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    spelled: dict[str, str] = {}
    for thing, attribute, value, point in _stated(gathered):
        own = years_in(thing) if re.fullmatch(r"\D{0,12}(?:1[5-9]|20|21)\d\d\D?", thing) else []
        around = own or (years_in(point.sentence.heading) or years_in(point.page.title))
        asked = next((t for t in things if mentions(point.page.title if own else thing, t)), "")
        if len(around) == 1 and (asked or (own and (point.named or point.score > 0))):
            spelled.setdefault(plain(attribute), attribute)
            of[asked][around[0]][plain(attribute)].append((value, point))
    held = max(of.values(), key=lambda years: sum(map(len, years.values())), default={})
    counts = Counter(key for cells in held.values() for key in cells)
    columns = [key for key, n in counts.most_common() if n >= 3][:4]
    columns = [key for key in columns if said_by(key)[0] & matter] or columns
    years = sorted(year for year in held if any(key in held[year] for key in columns))[-12:]
    rows = [(str(year), tuple(_cell(held[year].get(key, ()), True) for key in columns)) for year in years]
    return Table(tuple(spelled[key] for key in columns), tuple(rows)) if columns else None


def course(table: Table, lang: str) -> list[str]:
    """A line on each attribute of a series: its first, last, highest and lowest value, with all sources."""
    found = []
    for place, column in enumerate(table.columns):
        known = [(year, cells[place]) for year, cells in table.rows]
        cells = [(v[0].key, year, cell) for year, cell in known if cell and len(v := numbers(cell.text)) == 1]
        if len(cells) < 3:
            continue
        highest, lowest = max(cells, key=lambda c: c[0]), min(cells, key=lambda c: c[0])
        told = {"first": cells[0], "last": cells[-1], "highest": highest, "lowest": lowest}
        line = say("course", lang, it=column, **{k: f"{c.text} ({year})" for k, (_, year, c) in told.items()})
        sources = dict.fromkeys(i for _, _, cell in cells for p in cell.points for i in p.ids[:1])
        found.append(f"{line} {''.join(f'[{i}]' for i in sources)}")
    return found


def leaders(table: Table, judged: Sequence[str] = ()) -> list[tuple[str, str, Cell]]:
    """Attribute by attribute the thing that comes first, where it is known whether more or less is better,
    and its value with all that it is set against; of the criteria by which it is judged, if there are any."""
    found = []
    for place, column in enumerate(table.columns):
        named = [name for name in judged if _names_attribute(plain(column), name)]
        if judged and not named:
            continue
        cells = [(row[place], thing) for thing, row in table.rows]
        amounts = [(v[0], thing, cell) for cell, thing in cells if cell and len(v := numbers(cell.text)) == 1]
        # what is counted tells more than what the column is called: stops are few where reliability is high
        sign = (
            _better(" ".join(cell.text for _, _, cell in amounts))
            or _better(column)
            or sum(map(is_better, named[:1]))
        )
        if not sign or len({_RATE.sub("", v.unit) for v, _, _ in amounts}) != 1:
            continue
        ordered = sorted(amounts, key=lambda a: -sign * a[0].key[0])
        if len(ordered) > 1 and ordered[0][0].key != ordered[1][0].key:
            (_, thing, best), *others = ordered
            seen = [point for _, _, cell in others for point in cell.points]
            found.append((column, thing, replace(best, points=(*best.points, *seen))))
    return found


def _better(text: str) -> int:
    """1 if more of what a text names is better, -1 if less is, 0 if that is not known."""
    text = _ON_TIME.sub("punctuality", text)
    return bool(hits(text, MORE_IS_BETTER)) - bool(hits(text, LESS_IS_BETTER))
