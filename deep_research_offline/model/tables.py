"""Tables of what pages state: things by attributes, the labelled values of one thing, and years.

A value belongs to a thing (a page's subject, or a row's label) and an attribute (a column's or a line's
label, or a criterion that a sentence is on).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .differences import Difference
from .lexicon import SPELLED, load
from .overview import serves
from .phrases import say
from .points import Gathered, Point, pair_in
from .quantities import clause_of
from .report_words import CAUSE, LESS_IS_BETTER, MORE_IS_BETTER, PAST, trust
from .request import DULL
from .shared_names import has_name, plain, title_names, years_in
from .text import is_cjk, stem, term_set, words
from .thesaurus import asked_by, group_of, said_by
from .values import Value, dates, numbers, unit_family

_ON_TIME = re.compile(r"\bon[- ]time\b", re.IGNORECASE)
_ONE_YEAR = re.compile(r"(?:1[5-9]|20|21)\d\d年?$")
_OF_YEAR = re.compile(r" \(\d{4}\)$")
_OF_ALL = re.compile(rf"\bthe \w+est of (?:the|all|these) (?:{SPELLED}|\d)\b", re.IGNORECASE)
_PART = re.compile(r":|\s[–—-]\s")
_NAMELESS = frozenset({"date", "%", *load("words")["units"]})
"""Families of units that do not say what they measure."""
MOST_COLUMNS = 8
MOST_ROWS = 10


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

    def column(self, name: str) -> tuple[frozenset[str], frozenset[str]]:
        """The units that only the column of an attribute has, and the things of which it holds something."""
        units: dict[str, set[str]] = defaultdict(set)
        for _, row in self.rows:
            for column, cell in zip(self.columns, row, strict=True):
                units[plain(column)].update(v.unit for v in numbers(cell.text) if v.unit) if cell else None
        own = units.pop(plain(name), set()).difference(*units.values())
        return frozenset(own), frozenset(it for it, column in self.filled() if plain(column) == plain(name))

    def holds(self, thing: str, text: str) -> bool:
        """Whether a text gives amounts, and none but those in the row of a thing, and no cause."""
        cells = [cell for name, row in self.rows if name == thing for cell in row if cell]
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
    own = title_names(page.title)
    thing = next(iter(point.named)) if len(point.named) == 1 else own[0] if own else ""
    pair = pair_in(said)
    if pair:
        return [(thing, *pair)]
    if said.kind != "row" or len(said.cells) < 2:
        return []
    if len(said.cells) == 2 and (not said.columns or not said.columns[0]):
        return [(thing, said.cells[0], said.cells[1])]
    dated = [(c, cell) for c, cell in zip(said.columns, said.cells[1:], strict=False) if _ONE_YEAR.match(c)]
    if len(dated) > 1:  # what stands above the table is counted year by year
        year, value = max(dated)
        return [(said.cells[0], said.heading or page.title, f"{value} ({year})")] if value else []
    return [
        (said.cells[0], column, cell)
        for column, cell in zip(said.columns, said.cells[1:], strict=False)
        if column and cell
    ]


def facts_table(gathered: Gathered, things: Sequence[str], wanted: Sequence[str]) -> Table | None:
    """Things by attributes, if at least two things share two attributes or three things share one."""
    held: dict[str, dict[str, list[tuple[str, Point]]]] = defaultdict(lambda: defaultdict(list))
    spelled: dict[str, str] = {}
    for point in _all_pairs(gathered):
        for thing, attribute, value in _facts(point):
            owners = [t for t in things if has_name(point.page.title, t)]
            strange = not any(has_name(thing, t) or has_name(t, thing) for t in things)
            if strange and len(owners) == 1 and len(point.sentence.cells) == 2:  # a label, on a thing's page
                attribute, thing = thing, owners[0]
            thing = next(
                (t for t in things if has_name(thing, t) or has_name(t, thing)), "" if things else thing
            )
            if thing and len(value) <= 60 and not years_in(thing):
                name = next((n for n in wanted if _names_attribute(plain(attribute), n)), attribute)
                spelled.setdefault(plain(name), name[0].upper() + name[1:])
                held[thing][plain(name)].append((value, point))
    _add_sentences(held, gathered, things, wanted, spelled)
    _add_by_unit(held, gathered, things)
    if things and not wanted:
        _add_alike(held, gathered, things, spelled)
    _add_last(held, gathered, things, wanted)
    _join_alike(held)
    counts = Counter(key for cells in held.values() for key in cells)
    asked = [key for key in counts if any(_names_attribute(key, name) for name in wanted)]
    shared = [key for key, n in counts.most_common() if n >= 2 and key not in asked]
    order = [plain(name) for name in wanted]
    asked = sorted(asked, key=lambda k: (order.index(k) if k in order else 99, -counts[k]))
    columns = [*asked, *(shared if things and len(asked) < 3 else [])][:MOST_COLUMNS]
    _add_sentences(held, gathered, things, [spelled[key] for key in columns if key not in asked], spelled)
    names = [t for t in (things or sorted(held)) if sum(key in held[t] for key in columns) > 0]
    names = sorted(
        names,
        key=lambda t: (list(things).index(t) if t in things else 0, -sum(k in held[t] for k in columns)),
    )
    fewest = (2, 2) if things else (3, 2 if asked else 4)
    if len(names) < fewest[0] or len(names) * len(columns) < fewest[1]:
        return None
    rows = tuple(
        (name, tuple(_cell(held[name].get(key, ())) for key in columns)) for name in names[:MOST_ROWS]
    )
    return Table(tuple(spelled[key] for key in columns), rows)


def with_rivals(table: Table, gathered: Gathered, differences: Sequence[Difference]) -> Table:
    """A table that has all sides of a disagreement where one of them or nothing stood, if only one column has
    their unit."""
    columns = zip(*(row for _, row in table.rows), strict=True)
    units = [{v.unit for cell in column if cell for v in numbers(cell.text)} - {""} for column in columns]

    def cell(thing: str, n: int, own: Cell | None) -> Cell | None:
        for found in differences:
            if own and _OF_YEAR.sub("", own.text) not in [side.text for side in found.sides]:
                continue
            told = [{v.unit for v in numbers(side.text)} for side in found.sides]
            alone = [all(t & unit for t in told) for unit in units]
            if (
                alone[n]
                and sum(alone) == 1
                and all(thing in s.names for s in found.sides)
                and not found.older
            ):
                text = " / ".join(side.text for side in found.sides)
                return Cell(text, tuple(gathered.every[side.key] for side in found.sides))
        return own

    return Table(
        table.columns,
        tuple((name, tuple(cell(name, n, c) for n, c in enumerate(row))) for name, row in table.rows),
    )


def _all_pairs(gathered: Gathered) -> list[Point]:
    """Every row and labelled line, not only those that bear on the question by their own words."""
    return [point for point in gathered.every.values() if point.is_pair]


def _names_attribute(key: str, criterion: str) -> bool:
    asked = plain(criterion)
    if is_cjk(key + asked):
        return bool(term_set(key) & term_set(asked)) or key in asked or asked in key
    told = {word for word in asked.split() if term_set(word)} & set(key.split())
    return bool(told) or term_set(asked) <= term_set(key)  # "opened" is no attribute for "opening hours"


def _add_sentences(
    held: dict[str, dict[str, list[tuple[str, Point]]]],
    gathered: Gathered,
    things: Sequence[str],
    wanted: Sequence[str],
    spelled: dict[str, str],
) -> None:
    """Fill a criterion from sentences that are on one thing and on it, and give one quantity, in the unit
    that most of them give."""
    for name in wanted:
        key = plain(name)
        given: list[tuple[str, Value, Point]] = []
        usual = {v.unit for cells in held.values() for text, _ in cells.get(key, ()) for v in numbers(text)}
        for point in gathered.every.values():
            thing = _thing_of(point, things)
            if not thing or point.is_pair or PAST.search(point.text) or serves(point, name) < 0.5:
                continue
            amounts = [] if _asks_who(name) else _amounts_of(name, point.text)
            amounts = [v for v in amounts if v.unit in usual] if len(amounts) > 1 else amounts
            if len(amounts) == 1 and key not in held[thing]:
                given.append((thing, amounts[0], point))
        units = Counter(v.unit for _, v, _ in given)
        for thing, value, point in given:
            if value.unit == min(units, key=lambda u: (-units[u], u)):
                spelled.setdefault(key, name[0].upper() + name[1:])
                held[thing][key].append((_counted(value, point.text), point))


def _add_by_unit(
    held: dict[str, dict[str, list[tuple[str, Point]]]], gathered: Gathered, things: Sequence[str]
) -> None:
    """Fill what is empty from sentences on one thing that give one amount in a unit which only that attribute
    has; a unit of one word, such as metres, counts where the sentence gives other attributes as well."""
    keys: dict[str, set[str]] = defaultdict(set)
    for cells in held.values():
        for key, found in cells.items():
            for unit in {v.unit for value, _ in found for v in numbers(value) if v.unit}:
                keys[unit].add(key)
    for point in gathered.points:
        thing = _thing_of(point, things)
        if not thing or point.is_pair or PAST.search(point.text):
            continue
        units = Counter(v.unit for v in numbers(point.text))
        told = {min(keys[v.unit]): v for v in numbers(point.text) if len(keys[v.unit]) == units[v.unit] == 1}
        for key, value in told.items():
            if key not in held[thing] and (" " in value.unit or len(told) > 1):
                held[thing][key].append((value.text, point))


def _add_alike(
    held: dict[str, dict[str, list[tuple[str, Point]]]],
    gathered: Gathered,
    things: Sequence[str],
    spelled: dict[str, str],
) -> None:
    """Columns from sentences in which a request names no criteria: amounts of one unit, or years, of which
    most things have just one beside the same word, or in that unit at all."""
    told: dict[tuple[str, str], dict[str, list[tuple[str, Point]]]] = defaultdict(lambda: defaultdict(list))
    named, written = {t for name in things for t in term_set(name)}, dict[str, str]()
    for point in gathered.every.values():
        thing, page = _thing_of(point, things), point.page
        own = has_name(_PART.split(page.title)[0], thing) or sum(has_name(page.text, n) for n in things) > 1
        if not thing or not own or point.is_pair or PAST.search(point.text):
            continue
        for value, unit in _measured(point.text):
            near = clause_of(point.text, value.start, value.start + len(value.text))
            around = {stem(w): w.lower() for w in words(near) if w.isalpha() and term_set(w) - named}
            written |= {one: min(w, written.get(one, w)) for one, w in around.items()}
            for word in {"", *around}:
                told[unit, word][thing].append((_counted(value, point.text), point))
    spread = Counter(word for (_, word), cells in told.items() for found in cells.values() for _ in found)
    usual = {
        key: {unit for text, _ in found for _, unit in _measured(text)}
        for cells in held.values()
        for key, found in cells.items()
    }
    labels = {t for key in usual if "date" in usual[key] for t in term_set(key)}
    best = dict[str, tuple[tuple[float, ...], str]]()
    for (unit, word), cells in sorted(told.items()):
        one = [thing for thing, found in cells.items() if len({plain(text) for text, _ in found}) == 1]
        fits = bool(word) == (unit in _NAMELESS)  # what is counted names itself
        if unit == "date":  # of what was done then
            tells = word in labels or written.get(word, "").endswith("ed")
        else:
            tells = written.get(word) not in DULL and not any(unit in units for units in usual.values())
        if tells and 3 * len(one) >= 2 * len(things):
            rank = (unit == "date" and word in labels, len(one), len(cells) == len(one), fits, -spread[word])
            best[unit] = max(best.get(unit, ((), "")), (rank, word))
    for unit, (_, word) in best.items():
        name = written[word] if word and unit in _NAMELESS else unit
        if name in _NAMELESS:
            continue
        alike = (key for key, units in usual.items() if unit in units and term_set(name) & term_set(key))
        key = next(alike, plain(name))
        spelled.setdefault(key, name[0].upper() + name[1:])
        for thing, found in told[unit, word].items():
            if key not in held[thing] and len({plain(text) for text, _ in found}) == 1:
                held[thing][key] = found


def _measured(text: str) -> list[tuple[Value, str]]:
    """The amounts and dates of a text, each with the family of its unit, or what it counts."""
    found = [(v, unit_family(v.unit) or v.unit) for v in numbers(text) if v.unit]
    return [*found, *((v, v.kind) for v in dates(text))]


def _join_alike(held: dict[str, dict[str, list[tuple[str, Point]]]]) -> None:
    """Put values of one unit under one attribute where a label only says more ("price new")."""
    units: dict[str, set[str]] = defaultdict(set)
    for cells in held.values():
        for key, found in cells.items():
            units[key] |= {v.unit for value, _ in found for v in numbers(value)}
    for key, wider in itertools.permutations(sorted(units), 2):
        if term_set(wider) < term_set(key) and {*units[key]} == units[wider] != {""} and " " not in wider:
            for cells in held.values():
                cells.setdefault(wider, []).extend(cells.pop(key, ()))
                if not cells[wider]:
                    del cells[wider]


def _add_last(
    held: dict[str, dict[str, list[tuple[str, Point]]]],
    gathered: Gathered,
    things: Sequence[str],
    wanted: Sequence[str],
) -> None:
    """Fill the one empty cell of a criterion from a sentence on "the largest of the three", on a page about
    all: that is the thing of which nothing else is known, if no other has this amount."""
    for name in wanted:
        empty = [thing for thing in things if plain(name) not in held[thing]]
        if len(empty) != 1 or len(things) < 3:
            continue
        known = [v for t in things for text, _ in held[t].get(plain(name), ()) for v in numbers(text)]
        for point in gathered.every.values():
            amounts = _amounts_of(name, point.text) if _OF_ALL.search(point.text) else []
            one = amounts[0] if len(amounts) == 1 and not _thing_of(point, things) else None
            fits = one and one.unit in {v.unit for v in known} and one.key not in {v.key for v in known}
            if one and fits and all(has_name(f"{point.page.title} {point.page.text}", t) for t in things):
                held[empty[0]][plain(name)].append((_counted(one, point.text), point))


def _thing_of(point: Point, things: Sequence[str]) -> str:
    """The one thing that a sentence is about; "" if it is about none or several."""
    own = [t for t in things if t in point.about]
    return own[0] if len(own) == 1 else ""


def _asks_who(criterion: str) -> bool:
    """Whether a criterion asks for somebody, so that no amount answers it."""
    return criterion.lower().startswith("who ") or bool(asked_by(criterion) & group_of("person"))


def _counted(value: Value, text: str) -> str:
    """An amount with what is counted: behind a participle, "24 unplanned stops", the noun is yet to come."""
    more = r"\s\w+" if value.unit.endswith(("ed", "ing")) else ""
    found = re.match(re.escape(value.text) + more, text[value.start :])
    return found[0] if found else value.text


def _amounts_of(criterion: str, text: str) -> list[Value]:
    """The amounts of a sentence whose clause has a word of the criterion."""
    asked, groups = term_set(criterion), asked_by(criterion)
    clauses = [(v, clause_of(text, v.start, v.start + len(v.text))) for v in numbers(text) if v.unit]
    return [v for v, said in clauses if asked & term_set(said) or groups & said_by(said)[1]]


def _cell(found: Sequence[tuple[str, Point]], known: bool = False) -> Cell | None:
    """The newest value with the year that stands above it, unless that is `known`, and all sources that give
    both."""
    if not found:
        return None
    ordered = sorted(found, key=lambda f: (bool(PAST.search(f[0])), *_older(f[1])))
    best, newest = ordered[0][0], _year_of(ordered[0][1])
    points = {p.page.id: p for value, p in ordered if plain(value) == plain(best) and _year_of(p) == newest}
    dated = newest and not known and re.search(r"\d", best) and not years_in(best)
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
    held: dict[str, list[tuple[str, Point]]] = defaultdict(list)
    spelled: dict[str, str] = {}
    for point in _all_pairs(gathered):
        for owner, attribute, value in _facts(point):
            if plain(owner) == plain(thing) and len(value) <= 80:
                held[plain(attribute)].append((value, point))
                spelled.setdefault(plain(attribute), attribute)
    once = {key: found for key, found in held.items() if len({value for value, _ in found}) < 4}
    return [(spelled[key], cell) for key, found in once.items() if (cell := _cell(found))]


def series_table(
    gathered: Gathered, things: Sequence[str], matter: frozenset[str] = frozenset()
) -> Table | None:
    """Years by attributes of one thing, the one that most is known of, from rows of several years or pages
    of several years; only those that a request asks about if there are some."""
    of: dict[str, dict[int, dict[str, list[tuple[str, Point]]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    spelled: dict[str, str] = {}
    for point in _all_pairs(gathered):
        for thing, attribute, value in _facts(point):
            own = years_in(thing) if re.fullmatch(r"\D{0,12}(?:1[5-9]|20|21)\d\d\D?", thing) else []
            around = own or (years_in(point.sentence.heading) or years_in(point.page.title))
            asked = next((t for t in things if has_name(point.page.title if own else thing, t)), "")
            ours = asked or (own and (point.named or point.score > 0))
            if len(around) == 1 and ours and re.search(r"\d", value) and len(value) < 40:
                key = plain(attribute)
                spelled.setdefault(key, attribute)
                of[asked][around[0]][key].append((value, point))
    held = max(of.values(), key=lambda years: sum(map(len, years.values())), default={})
    counts = Counter(key for cells in held.values() for key in cells)
    columns = [key for key, n in counts.most_common() if n >= 3][:4]
    columns = [key for key in columns if said_by(key)[0] & matter] or columns
    years = sorted(year for year in held if any(key in held[year] for key in columns))
    if not columns or len(years) < 3:
        return None
    rows = tuple(
        (str(year), tuple(_cell(held[year].get(key, ()), True) for key in columns)) for year in years[-12:]
    )
    return Table(tuple(spelled[key] for key in columns), rows)


def course(table: Table, lang: str) -> list[str]:
    """A line on each attribute of a series: its first, last, highest and lowest value with their sources."""
    found = []
    for place, column in enumerate(table.columns):
        known = [(year, cells[place]) for year, cells in table.rows]
        cells = [(v[0].key, year, cell) for year, cell in known if cell and len(v := numbers(cell.text)) == 1]
        if len(cells) < 3:
            continue
        highest, lowest = max(cells, key=lambda c: c[0]), min(cells, key=lambda c: c[0])
        told = {"first": cells[0], "last": cells[-1], "highest": highest, "lowest": lowest}
        line = say("course", lang, it=column, **{k: f"{c.text} ({year})" for k, (_, year, c) in told.items()})
        sources = dict.fromkeys(i for _, _, cell in told.values() for p in cell.points for i in p.ids[:1])
        found.append(f"{line} {''.join(f'[{i}]' for i in sources)}")
    return found


def leaders(table: Table) -> list[tuple[str, str, Cell]]:
    """Attribute by attribute the thing that comes first, where it is known whether more or less is better,
    and its value with all that it is set against."""
    found = []
    for place, column in enumerate(table.columns):
        cells = [(row[place], thing) for thing, row in table.rows]
        amounts = [(v[0], thing, cell) for cell, thing in cells if cell and len(v := numbers(cell.text)) == 1]
        ages = {-_older(point)[0] for _, _, cell in amounts for point in cell.points}
        # what is counted tells more than what the column is called: stops are few where reliability is high
        sign = _better(" ".join(cell.text for _, _, cell in amounts)) or _better(column)
        if not sign or len({v.unit for v, _, _ in amounts}) != 1 or max(ages) - min(ages) > 2:
            continue  # what was so years ago is not set against what is so now
        ordered = sorted(amounts, key=lambda a: -sign * a[0].key[0])
        if len(ordered) > 1 and ordered[0][0].key != ordered[1][0].key:
            (_, thing, best), *others = ordered
            seen = [point for _, _, cell in others for point in cell.points]
            found.append((column, thing, replace(best, points=(*best.points, *seen))))
    return found


def _better(text: str) -> int:
    """1 if more of what a text names is better, -1 if less is, 0 if that is not known."""
    known = term_set(_ON_TIME.sub("punctuality", text)) | {text}
    more, less = (
        bool(known & better) or any(is_cjk(w) and w in text for w in better)
        for better in (MORE_IS_BETTER, LESS_IS_BETTER)
    )
    return more - less
