"""Values side by side: the value of a passage, and others that are given for the same.

Only values of one kind (the same family of units, or the same thing counted) under the same words asked are
ever compared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .query import YEAR, Concept, is_core, times_in
from .rank import ENDED, Ranking, Scored, holds, trust
from .text import is_cjk
from .thesaurus import group_of, said_by
from .values import Value, dates, kind_of_unit, numbers, same_amount, unit_family

_AHEAD = 40
_NEAR = 0.18
"""How well a number has to fit where no measure is asked: it counts or stands beside what is asked."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A value as read from a passage: of which thing, as written with its whole unit, and its size; of a row
    also the name of its column."""

    item: str
    scored: Scored
    text: str
    key: tuple[float, ...] = ()
    kind: str = ""
    column: str = ""


def read_as(value: Value, text: str, one: Scored, item: str, column: str = "") -> Reading:
    """A value of a text, or of the cell of a column, as a reading."""
    whole = with_noun(value, text, column)
    counted = value.unit or column.lower() or whole.split()[-1]
    kind = "date" if value.kind == "date" else kind_of_unit(counted)
    return Reading(item, one, whole, value.key, kind, column)


def reading(ranking: Ranking, one: Scored, item: str = "", any_fit: bool = False) -> Reading | None:
    """The value that a passage gives for what is asked; None if it gives none of the kind asked. `any_fit`
    takes what fits best where nothing fits well."""
    query, found = ranking.query, list[tuple[float, Value, str, str]]()
    for fit, column, text in _places(ranking, one):
        dated = query.kind == "date" or any(c.groups & group_of("date") for c in ranking.concepts)
        values = list(dates(text)) if dated else []
        if not dated or (any_fit and query.kind == "number" and not values):  # an age in years
            values = [v for v in numbers(text) if not any(v.text in name for name in ranking.names)]
        found += [(_fit(ranking, value, text) + fit, value, text, column) for value in values]
    if not found:
        return None
    fit, value, text, column = max(found, key=lambda f: (f[0], -f[1].start))
    if fit < _NEAR and query.kind == "number" and not query.units and not any_fit:
        return None  # a number of something else
    family = unit_family(value.unit)
    of_it = family in query.units or (not family and ranking.measured(one.text))
    if query.units and value.kind == "number" and not of_it:
        return None
    return read_as(value, text, one, item, column)


def _places(ranking: Ranking, one: Scored) -> list[tuple[float, str, str]]:
    """Where the value may stand, with its column: in a row the cells whose columns say what is asked come
    first, and where no unit is asked no others count."""
    said, found = one.passage.sentence, []
    for column, cell in zip(said.columns, said.cells[1:], strict=False):
        fit = column_fit(ranking.concepts, column or said.cells[0]) or 0.5 * (column in ranking.years)
        fit = max(fit, 0.8 * column_fit(ranking.concepts, cell))
        if fit or ranking.query.units:
            found.append((3.0 * fit, column, cell))
    return found if said.columns else [(0.0, "", one.text)]


def column_fit(concepts: Sequence[Concept], column: str) -> float:
    """How well a column's name says what is asked."""
    said = said_by(column)
    fits = (holds(c, said) * (0.5 if c.weak else 1.0) + 0.1 * (c.word == column.lower()) for c in concepts)
    return max(fits, default=0.0)


def _fit(ranking: Ranking, value: Value, text: str) -> float:
    """How well a value answers: by its unit, by what it counts, by how near it stands to a word asked."""
    fit = 0.0
    if ranking.query.units and unit_family(value.unit) in ranking.query.units:
        fit += 2.0
    after = text[value.start : value.start + len(value.text) + 30]
    counted = said_by(after[:12] if is_cjk(after) else " ".join(re.findall(r"[a-z]+", after.lower())[:4]))
    ahead = said_by(text[max(0, value.start - _AHEAD) : value.start])
    fit += sum(max(holds(c, counted), 0.3 * holds(c, ahead)) for c in ranking.concepts if not c.weak)
    spots = [m.start() for c in ranking.concepts for m in re.finditer(re.escape(c.word[:5]), text.lower())]
    if spots:
        fit += 0.6 / (1 + min(abs(s - value.start) for s in spots) / 20)
    return fit


def with_noun(value: Value, text: str, column: str = "") -> str:
    """A value with the plural noun that it counts, from the words after it or its column."""
    if value.kind == "date" or (value.unit and (is_cjk(text) or unit_family(value.unit))):
        return value.text
    more = re.match(r"[ -]([a-z]+s)\b", text[value.start + len(value.text) :]) if value.unit else None
    noun = more[1] if more and not value.unit.endswith("s") else ""
    if not value.unit and re.fullmatch(r"[A-Za-z]+s", column):
        noun = column.lower()
    return f"{value.text} {noun}".strip()


def rivals(ranking: Ranking, best: Scored, own: Reading) -> list[Reading]:
    """Readings of other passages that give another value for the same, best source first."""
    found = [own]
    names = range(len(ranking.weights) - len(ranking.names), len(ranking.weights))
    key = [n for n in best.said if n not in names]
    words = [n for n in key if n < len(ranking.concepts) and is_core(ranking.concepts[n])]
    key = words or key  # who gives a value is no part of what it is a value of
    whole = sum(ranking.weights[n] for n in key) or 1.0
    enough = 0.4 if ranking.query.disputed else 0.55
    for one in ranking.scored[:60]:
        if any(one.page.id == read.scored.page.id for read in found) and not ranking.query.disputed:
            continue  # a page that gives two values tells of two things
        same_thing = all(one.levels[n] >= 0.55 * best.levels[n] for n in names)
        shared = sum(ranking.weights[n] for n in key if one.levels[n] >= 0.7) / whole
        if not same_thing or shared < enough or one.score < 0.6 * best.score:
            continue
        if own.kind != "date" and not same_time(_with_year(one), _with_year(best)):
            continue
        other = reading(ranking, one, own.item, any_fit=True) if one.passage is not best.passage else None
        if other and other.kind == own.kind and not any(same_amount(other.text, f.text) for f in found):
            found.append(other)
    now = "now" in times_in(ranking.query.text.lower()) and not ranking.query.disputed
    if now and max(read.scored.page.published for read in found) == best.page.published:
        return [own]  # of today speaks what is newest
    return sorted(found, key=lambda r: (-trust(r.scored.page)[0], r.scored is not best))


def _with_year(one: Scored) -> str:
    """What a passage says, with the years that its page's title names if it names none."""
    return one.text if YEAR.search(one.text) else " ".join([one.text, *YEAR.findall(one.page.title)])


def same_time(one: str, other: str) -> bool:
    """Whether two statements may hold at one time: not one that has ended and one that holds, nor two that
    name different years."""
    if bool(ENDED.search(one)) != bool(ENDED.search(other)):
        return False
    years, others = set(YEAR.findall(one)), set(YEAR.findall(other))
    return not years or not others or bool(years & others)
