"""The rows of a comparison: what each cell came to, and their means as tables.

Questions about the offline web that are among its samples are scored against the truth; citations are checked
for every report that rests on that web. What needs a truth that is not known stays empty.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any, get_args

from ..cells import Cell
from ..errors import UsageError
from ..settings import Settings
from ..state import Ended
from .samples import MEASURES, means_of, percent, score
from .truth import GroundTruth

if TYPE_CHECKING:
    from pandas import DataFrame

    from ..offline.web import Question
    from ..report import Report

Row = dict[str, Any]
Rows = Sequence[Row]
SHARES = ("fact_recall", "citation_precision", "right_abstention")
ENDED = {reason: f"ended_{reason}" for reason in get_args(Ended)}
"""Why a loop ended → the column with how many loops of a run ended for this reason."""


def rows_of(cells: Sequence[Cell], reports: Sequence[Report]) -> Rows:
    """One row per cell, in order.

    Columns: question, class, language, system, setting, status; fact_recall, citation_precision and
    right_abstention (0 to 1; None where they do not apply); unknown_citations, model_calls, searches,
    input_tokens, output_tokens, cost_usd, seconds (simulated offline: 0.2 s per call), gaps; one column per
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
        **{name: measured[name] for name in MEASURES},
        **{ENDED[reason]: sum(n for why, n in ends if why == reason) for reason in ENDED},
        "error": "; ".join(report.errors),
    }


def known_truth(cell: Cell) -> tuple[GroundTruth | None, Question | None]:
    """The truth of the offline web if that is what was searched, and the sample question if it is one."""
    if not on_offline_web(cell.settings):
        return None, None
    web = cell.settings.web
    truth, questions = _truth(web.seed, web.pages, web.domain)
    return truth, questions.get(cell.question)


def on_offline_web(settings: Settings) -> bool:
    """Whether evidence comes from the offline web alone."""
    return settings.search.providers == ["offline"] and not settings.search.docs


@lru_cache(maxsize=8)
def _truth(seed: int, pages: int, domain: str) -> tuple[GroundTruth, dict[str, Question]]:
    from ..offline.web import build_web

    web = build_web(seed, pages, domain)
    return GroundTruth(web), {question.text: question for question in web.questions}


def data_frame(rows: Rows) -> DataFrame:
    """The rows as a pandas DataFrame; shares are numbers, with NaN where they do not apply."""
    try:
        import pandas
    except ImportError:
        raise UsageError(
            "A comparison is a pandas table, and pandas is not installed.",
            "pip install 'deep-research[notebooks]'",
        ) from None
    table = pandas.DataFrame(rows)
    return table.astype({name: "float64" for name in SHARES}) if rows else table


def records(table: DataFrame | Rows) -> Rows:
    """The rows of a table, with None for what does not apply."""
    rows = table if isinstance(table, Sequence) else table.to_dict("records")
    return [{name: None if _is_nan(value) else value for name, value in row.items()} for row in rows]


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def means(table: DataFrame | Rows, by: Sequence[str] = ("system", "setting")) -> Rows:
    """One row per group, in order of first appearance: `n`, `failed` and the mean of every measure."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in records(table):
        groups.setdefault(tuple(row[name] for name in by), []).append(row)
    return [dict(zip(by, key, strict=True)) | means_of(rows) for key, rows in groups.items()]


def ended_shares(table: DataFrame | Rows, by: Sequence[str] = ("system", "setting")) -> Rows:
    """One row per group: the share of its loops that ended for each reason (0 to 1), and how many `loops`."""
    groups: dict[tuple[Any, ...], dict[str, int]] = {}
    for row in records(table):
        counts = groups.setdefault(tuple(row[name] for name in by), dict.fromkeys(ENDED, 0))
        for reason, column in ENDED.items():
            counts[reason] += row[column]
    return [
        dict(zip(by, key, strict=True)) | {"loops": sum(counts.values())} | _shares(counts)
        for key, counts in groups.items()
    ]


def _shares(counts: dict[str, int]) -> dict[str, float | None]:
    total = sum(counts.values())
    return {reason: round(n / total, 4) if total else None for reason, n in counts.items()}


_SHOWN = {
    "n": "{:.0f}",
    "failed": "{:.0f}",
    **dict.fromkeys(SHARES, ""),
    "model_calls": "{:.1f}",
    "searches": "{:.1f}",
    "tokens": "{:,.0f}",
    "cost_usd": "{:.4f}",
    "seconds": "{:.1f}",
    "gaps": "{:.1f}",
}
"""The columns of a summary and how their figures are written; shares are written as percent."""


def markdown(table: DataFrame | Rows) -> str:
    """The comparison as Markdown: over all questions, then a table per class if there are several."""
    rows = records(table)
    classes = [kind for kind in dict.fromkeys(row["class"] for row in rows) if kind]
    parts = [summary_table(rows)]
    if len(classes) > 1:
        parts = [f"## All questions\n\n{parts[0]}"]
        parts += [f"## {k}\n\n{summary_table([r for r in rows if r['class'] == k])}" for k in classes]
    return "\n".join(parts)


def summary_table(rows: Rows) -> str:
    """The means of each system and setting as a Markdown table; one setting, or no money, has no column."""
    axes = ["system", "setting"] if len({row["setting"] for row in rows}) > 1 else ["system"]
    shown = [name for name in _SHOWN if name != "cost_usd" or any(row[name] for row in rows)]
    lines = [
        [*(group[axis] for axis in axes), *(_figure(group, name) for name in shown)]
        for group in means(rows, axes)
    ]
    return markdown_table([*axes, *(name.replace("_", " ") for name in shown)], lines, names=len(axes))


def markdown_table(header: Sequence[str], lines: Sequence[Sequence[str]], names: int = 1) -> str:
    """A Markdown table whose first `names` columns are words and the rest figures."""
    ruler = [*["---"] * names, *["---:"] * (len(header) - names)]
    return "\n".join(f"| {' | '.join(line)} |" for line in [header, ruler, *lines]) + "\n"


def _figure(group: Row, name: str) -> str:
    if name in SHARES:
        return percent(group[name])
    value = group["input_tokens"] + group["output_tokens"] if name == "tokens" else group[name]
    return _SHOWN[name].format(value)


def ended_table(table: DataFrame | Rows) -> str:
    """The shares of `ended_shares` as a Markdown table."""
    lines = [
        [group["system"], group["setting"], str(group["loops"]), *(percent(group[why]) for why in ENDED)]
        for group in ended_shares(table)
    ]
    header = ["system", "setting", "loops", *(reason.replace("_", " ") for reason in ENDED)]
    return markdown_table(header, lines, names=2)
