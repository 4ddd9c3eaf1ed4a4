"""The rows of a comparison: what each cell came to, and their means as tables.

Questions about the offline web that are among its samples are scored against the truth; citations are checked
for every report that rests on that web. What needs a truth that is not known stays empty.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any, get_args

from deep_research.core.extras import require_extra
from deep_research.core.records import Ended
from deep_research.report import Report
from deep_research.runs.offline import invented_web
from deep_research.settings.parts import WebSettings
from deep_research_offline.web.types import Question

from .cells import Cell
from .samples import SAMPLE_MEASURES, SHARES, Table, markdown_table, means_of, percent, score
from .truth import GroundTruth

if TYPE_CHECKING:
    from pandas import DataFrame

Row = dict[str, Any]
ComparisonRows = Sequence[Row]
ENDED = {reason: f"ended_{reason}" for reason in get_args(Ended)}
"""Why a loop ended → the column with how many loops of a run ended for this reason."""


def rows_of(cells: Sequence[Cell], reports: Sequence[Report]) -> ComparisonRows:
    """One row per cell, in order.

    Columns: question, class, language, system, setting, status; every measure of `SAMPLE_MEASURES` (shares
    from 0 to 1, None where they do not apply; seconds are simulated offline: 0.2 s per call); one column per
    reason why loops ended; error.
    """
    return [_row(cell, report) for cell, report in zip(cells, reports, strict=True)]


def _row(cell: Cell, report: Report) -> Row:
    truth, gold = known_truth(cell)
    measured = asdict(score(gold, report, truth))
    ends = [ends for loop in report.ended.values() for ends in loop.items()]
    return {
        "question": cell.question,
        "class": measured["kind"],
        "language": measured["lang"],
        "system": cell.system,
        "setting": cell.setting,
        "status": report.status,
        **{name: measured[name] for name in SAMPLE_MEASURES},
        **{ENDED[reason]: sum(n for why, n in ends if why == reason) for reason in ENDED},
        "error": "; ".join(report.errors),
    }


def known_truth(cell: Cell) -> tuple[GroundTruth | None, Question | None]:
    """The truth of the offline web if that alone was searched, and the sample question if it is one."""
    search = cell.settings.search
    if search.providers != ["offline"] or search.docs:
        return None, None
    web = cell.settings.web
    truth = _truth(web.seed, web.pages, web.domain)
    return truth, next((q for q in truth.web.questions if q.text == cell.question), None)


@lru_cache(maxsize=8)
def _truth(seed: int, pages: int, domain: str) -> GroundTruth:
    return GroundTruth(invented_web(WebSettings(seed=seed, pages=pages, domain=domain)))


def data_frame(rows: ComparisonRows) -> DataFrame:
    """The rows as a pandas DataFrame; shares are numbers, with NaN where they do not apply."""
    require_extra("pandas", "notebooks", "The table of a comparison")
    import pandas

    table = pandas.DataFrame(rows)
    return table.astype({name: "float64" for name in (*SHARES, "origins")}) if rows else table


def records(table: DataFrame | ComparisonRows) -> ComparisonRows:
    """The rows of a table, with None for what does not apply."""
    rows = table if isinstance(table, Sequence) else table.to_dict("records")
    return [{name: None if _is_nan(value) else value for name, value in row.items()} for row in rows]


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def means(table: DataFrame | ComparisonRows, by: Sequence[str] = ("system", "setting")) -> ComparisonRows:
    """One row per group, in order of first appearance: `n`, `failed` and the mean of every measure."""
    return [dict(zip(by, key, strict=True)) | means_of(rows) for key, rows in _grouped(table, by)]


def _grouped(
    table: DataFrame | ComparisonRows, by: Sequence[str]
) -> Iterable[tuple[tuple[Any, ...], list[Row]]]:
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in records(table):
        groups.setdefault(tuple(row[name] for name in by), []).append(row)
    return groups.items()


def ended_shares(
    table: DataFrame | ComparisonRows, by: Sequence[str] = ("system", "setting")
) -> ComparisonRows:
    """One row per group: the share of its loops that ended for each reason (0 to 1), and how many `loops`."""
    rows = []
    for key, group in _grouped(table, by):
        counts = {reason: sum(row[column] for row in group) for reason, column in ENDED.items()}
        loops = sum(counts.values())
        shares = {reason: round(n / loops, 4) if loops else None for reason, n in counts.items()}
        rows.append(dict(zip(by, key, strict=True)) | {"loops": loops} | shares)
    return rows


_SHOWN = {
    "n": "{:.0f}",
    "failed": "{:.0f}",
    **dict.fromkeys(
        ("answered", "wrongly_answered", "coverage", "aspects", "disagreements", "citation_precision"), ""
    ),
    "model_calls": "{:.1f}",
    "searches": "{:.1f}",
    "tokens": "{:,.0f}",
    "cost_usd": "{:.4f}",
    "seconds": "{:.1f}",
    "gaps": "{:.1f}",
}
"""The columns of a summary and how their figures are written; shares are written as percent."""
_EMPTY = {"cost_usd": 0}
"""What a figure is where there is nothing to show; of others it is None."""


def markdown(table: DataFrame | ComparisonRows) -> str:
    """The tables of a comparison as Markdown."""
    return "\n".join(f"## {title}\n\n{markdown_table(*one)}" for title, one in tables(table).items())


def tables(table: DataFrame | ComparisonRows) -> dict[str, Table]:
    """By title: the means over all questions, those of each class if there are several, why loops ended."""
    rows = records(table)
    classes = [kind for kind in dict.fromkeys(row["class"] for row in rows) if kind]
    of_class = {kind: summary([row for row in rows if row["class"] == kind]) for kind in classes}
    several = of_class if len(classes) > 1 else {}
    return {"All questions": summary(rows), **several, "Why loops ended": ended(rows)}


def summary(rows: ComparisonRows) -> Table:
    """The means of each system and setting, without columns that are empty.

    One setting, no money and a measure that applies to no row have no column.
    """
    axes = ["system", "setting"] if len({row["setting"] for row in rows}) > 1 else ["system"]
    groups = means(rows, axes)
    groups = [group | {"tokens": group["input_tokens"] + group["output_tokens"]} for group in groups]
    shown = [name for name in _SHOWN if any(group[name] != _EMPTY.get(name) for group in groups)]
    lines = [[*(group[axis] for axis in axes), *(_figure(group, name) for name in shown)] for group in groups]
    return Table([*axes, *(name.replace("_", " ") for name in shown)], lines, names=len(axes))


def _figure(group: Row, name: str) -> str:
    if name in SHARES:
        return percent(group[name])
    return _SHOWN[name].format(group[name])


def ended(rows: ComparisonRows) -> Table:
    """The shares of `ended_shares` as a table, without reasons for which no loop ended."""
    groups = ended_shares(rows)
    shown = [why for why in ENDED if any(group[why] for group in groups)]
    lines = [
        [group["system"], group["setting"], str(group["loops"]), *(percent(group[why]) for why in shown)]
        for group in groups
    ]
    return Table(["system", "setting", "loops", *(why.replace("_", " ") for why in shown)], lines, names=2)
