"""Charts without a model: where a report compares numbers of one kind, its verified sentences make the chart.

Of each sentence that evidence was found for, a part with a single number and the name it is about is a
candidate; those in one unit (or of one counted thing) and one measure belong together, and in a table those
of one column. Names that all of them share are the subject, not the label. Several years of one thing make a
line. The rows of the table are then checked like any sentence, and one that is not borne out is left out: a
wrong pairing of name and number does not reach the reader.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from deep_research.components.verifier import check_sentences, texts_of, verify_run
from deep_research.components.verifier.claims.stated_values import measures_in
from deep_research.core.records import Claim, Source
from deep_research.engine.context import Context
from deep_research.engine.output_requests import most_words
from deep_research.engine.store import digest
from deep_research.sources.citations import CitedText
from deep_research.text.language import count_words
from deep_research.text.quantities import Quantity, quantities
from deep_research.text.wording import FILLERS, names_in, stem

from .charts import MOST_CHARTS, Amount, Chart, Point, Series, block_of

FORMS = ("report", "slides", "key_points")
"""Forms of a report that have room for a chart."""
_CLAUSE = re.compile("[;；。]")
_WORD_AFTER = re.compile(r"\s?([^\W\d_]+)")
_WORD_BEFORE = re.compile(r"([^\W\d_]+)[:：]?\s?$")
_FIRST_SECTION = re.compile(r"^## ", re.MULTILINE)
_ROW = re.compile(r"([^;:]+)((?:; [^;:]+: [^;]+)+)")
"""A row of a table as a sentence: its head, then each column with its cell."""
_UNIT = re.compile(r"[^\W\d_]+\.?$|[%°$€£¥]")


NumberKind = tuple[str | int, frozenset[str] | str]
"""What numbers must share to be compared: unit or counted thing, if any, and the column or the measures."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A number as a sentence states it: of what kind, with which names and year, and on which sources."""

    kind: NumberKind
    unit: str
    names: tuple[str, ...]
    year: int | None
    value: Quantity
    sources: tuple[int, ...]
    column: str = ""


async def add_charts(
    text: CitedText, claims: Sequence[Claim], ctx: Context
) -> tuple[CitedText, list[Claim], list[Chart]]:
    """The report with charts of its own numbers, the claims with those of the rows, and the charts.

    Nothing is added where no chart is wanted or two numbers cannot be compared, where the form has no room
    for one, or where the cap on words would be broken.
    """
    output, left = ctx.settings.output, list(claims)
    if output.charts == "none" or output.form not in FORMS:
        return text, left, []
    most, charts, added = most_words(ctx), list[Chart](), ""
    ids = [source.id for source in text.cited]
    for drawn in charts_of(claims, ctx.question, ids, output.charts):
        chart = _supported(drawn, text.cited, ctx)
        block = block_of(chart, ctx, picture=True) if len(chart.points) > 1 else ""
        if block and (most is None or count_words(text.markdown + added + block) <= most):
            rows = await verify_run(CitedText(block, text.cited), ctx)
            charts, left, added = [*charts, chart], [*left, *(row for _, row in rows)], f"{added}{block}\n"
    return replace(text, markdown=_inserted(text.markdown, added)), left, charts


def _supported(chart: Chart, cited: list[Source], ctx: Context) -> Chart:
    """The chart with each point on those sources alone that support it by themselves; else without it."""
    [series] = chart.series
    alone = [point.model_copy(update={"sources": [i]}) for point in series.points for i in point.sources]
    single = chart.model_copy(update={"series": [series.model_copy(update={"points": alone})]})
    rows = CitedText(block_of(single, ctx, picture=True), cited).sentences()
    good: dict[str, list[str]] = {}
    for point, (_, row) in zip(alone, check_sentences(rows, texts_of(cited, ctx)), strict=True):
        if row.verdict == "evidence_found":
            good.setdefault(point.label, []).extend(point.sources)
    points = [p.model_copy(update={"sources": good[p.label]}) for p in series.points if p.label in good]
    return chart.model_copy(update={"series": [series.model_copy(update={"points": points})]})


def _inserted(markdown: str, added: str) -> str:
    """The charts behind the answer: before the first section, or at the end of a text without any."""
    first = _FIRST_SECTION.search(markdown)
    place = first.start() if first else len(markdown)
    return f"{markdown[:place].rstrip()}\n\n{added}{markdown[place:]}" if added else markdown


def charts_of(claims: Sequence[Claim], question: str, ids: Sequence[str], amount: Amount) -> list[Chart]:
    """The charts that the claims make: columns of tables, then the others as the report first speaks of them.

    With `some` it is the first one alone, for that is what the report is most likely about. `ids` are the ids
    of the cited sources in the order of their numbers.
    """
    groups: dict[NumberKind, list[Stated]] = {}
    for place, claim in enumerate(claims):
        if claim.verdict in ("evidence_found", "supported"):
            for stated in _stated(claim, place):
                groups.setdefault(stated.kind, []).append(stated)
    ordered = sorted(groups.values(), key=lambda group: -len(group) if group[0].column else 0)
    charts = [chart for group in ordered if (chart := _chart(group, question, ids))]
    different: dict[tuple[tuple[str, float], ...], Chart] = {}
    for chart in charts:
        different.setdefault(tuple((point.label, point.value) for point in chart.points), chart)
    return list(different.values())[: MOST_CHARTS[amount] if amount == "many" else 1]


def _stated(claim: Claim, place: int) -> Iterator[Stated]:
    """The single numbers of a sentence, clause by clause; a clause without names has those before it."""
    text = unicodedata.normalize("NFKC", claim.text)
    if row := _ROW.fullmatch(text):
        yield from _in_row(claim, row)
        return
    years = {value.date[0] for value in quantities(text) if value.date and value.date[0]}
    known: tuple[str, ...] = ()
    for clause in _CLAUSE.split(text):
        values = [value for value in quantities(clause) if not value.date and not value.counted]
        if len(values) != 1:
            continue
        [value] = values
        unit = _unit(clause, value)
        known = _names(clause, unit, value) or known
        kind = value.unit or (stem(unit) if unit else place), frozenset(measures_in(text))
        year = next(iter(years)) if len(years) == 1 else None
        yield Stated(kind, unit, known, year, value, tuple(claim.sources))


def _in_row(claim: Claim, row: re.Match[str]) -> Iterator[Stated]:
    """The numbers of a table row that begin a cell and stand alone in it, but for dates."""
    head, cells = row[1].strip(), [cell.partition(": ") for cell in row[2].split("; ")[1:]]
    columns = "; ".join(column for column, _, _ in cells)
    of = next((value.date[0] for value in quantities(head) if value.date), None)
    for column, _, cell in cells:
        values = [value for value in quantities(cell) if not value.date]
        if len(values) == 1 and not cell[: values[0].start].strip():
            unit = _unit(cell, values[0])
            kind = values[0].unit or (stem(unit) if unit else ""), f"{column} in {columns}"
            yield Stated(kind, unit, () if of else (head,), of, values[0], tuple(claim.sources), column)


def _names(clause: str, unit: str, value: Quantity) -> tuple[str, ...]:
    """The names in a clause, without what is counted ("Landings 7,772") or measured ("Length: 161 m")."""
    spans = [(run[0].start, run[-1].start + len(run[-1].word)) for run in names_in(clause, initial=True)]
    found = [(clause[start:end], clause[end : value.start].strip(" :：") == "") for start, end in spans]
    found = [(name, beside) for name, beside in found if not unit or stem(name) != stem(unit)]
    apart = [name for name, beside in found if not (beside and value.unit)]
    return tuple(apart or [name for name, _ in found])


def _unit(clause: str, value: Quantity) -> str:
    """The unit as written, or the word for what is counted: behind the number, else before it."""
    if value.unit:
        written = _UNIT.search(clause[value.start : value.end].strip())
        return written[0] if written else value.unit
    after = _WORD_AFTER.match(clause, value.end)
    if after and after[1].lower() not in FILLERS:
        return after[1].lower()
    before = _WORD_BEFORE.search(clause[: value.start])
    runs = names_in(clause[: value.start], initial=True)
    a_name = bool(runs) and len(runs[-1]) > 1 and before is not None and runs[-1][-1].word == before[1]
    return before[1].lower() if before and not a_name and before[1].lower() not in FILLERS else ""


def _chart(group: Sequence[Stated], question: str, ids: Sequence[str]) -> Chart | None:
    """The chart of numbers of one kind: a line over the years of one thing, or bars by name in one year."""
    over_years = _by_year(group)
    points = _points(over_years or _by_name(_of_one_year(group), question), ids)
    if len(points) < 2:
        return None
    first = group[0]
    title = first.column[:1].upper() + first.column[1:] or question.strip()
    name = f"chart-{digest([title, first.unit, [point.label for point in points]])[:8]}"
    series = Series(name="" if first.value.unit else first.unit.capitalize(), points=points)
    kind: Literal["bar", "line"] = "line" if over_years else "bar"
    return Chart(name=name, kind=kind, title=title, unit=first.unit, series=[series])


Labelled = Mapping[str, Sequence[Stated]]


def _by_year(group: Sequence[Stated]) -> Labelled:
    """The numbers by year, if they are all about the same, in two years or more, and one for each."""
    dated = [stated for stated in group if stated.year]
    years: dict[str, list[Stated]] = {}
    for stated in sorted(dated, key=lambda stated: stated.year or 0):
        years.setdefault(str(stated.year), []).append(stated)
    same = len({frozenset(stated.names) for stated in dated}) == 1 and all(map(_agree, years.values()))
    return years if same and len(years) > 1 else {}


def _of_one_year(group: Sequence[Stated]) -> Sequence[Stated]:
    """The numbers of the year that most of them tell of, and those without a year."""
    years = Counter(stated.year for stated in group if stated.year)
    most = max(years, key=lambda year: years[year], default=None)
    return [stated for stated in group if stated.year in (most, None)]


def _by_name(group: Sequence[Stated], question: str) -> Labelled:
    """The numbers by the name that tells them apart: one that has a single value, and the question's first.

    Where the question names what is compared, only that is shown; two other names are no comparison.
    """
    holders: dict[str, list[Stated]] = {}
    for stated in group:
        for name in dict.fromkeys(stated.names):
            holders.setdefault(name, []).append(stated)
    asked = {name for name in holders if name.casefold() in question.casefold()}
    found: dict[str, list[Stated]] = {}
    for stated in group:
        able = [name for name in stated.names if _agree(holders[name])]
        if able:
            label = min(able, key=lambda name: (name not in asked, len(holders[name])))
            found.setdefault(label, []).append(stated)
    return {name: said for name, said in found.items() if name in asked} or (found if len(found) > 2 else {})


def _agree(said: Sequence[Stated]) -> bool:
    first = said[0].value
    return all(abs(other.value.value - first.value) <= max(other.value.step, first.step) for other in said)


def _points(labelled: Labelled, ids: Sequence[str]) -> list[Point]:
    """A point for each label, in the unit of the first, on all sources of the sentences that state it."""
    factor = next((said[0].value.factor for said in labelled.values()), 1.0)
    points = []
    for label, said in labelled.items():
        numbers = dict.fromkeys(n for stated in said for n in stated.sources if 0 < n <= len(ids))
        value = float(f"{said[0].value.value / factor:.10g}")
        points.append(Point(label=label, value=value, sources=[ids[n - 1] for n in numbers]))
    return points
