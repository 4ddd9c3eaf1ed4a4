"""All designs on the sample questions under one budget, beside single-shot search.

    python -m benchmarks.designs                     every sample question of the first web
    python -m benchmarks.designs --limit 2 --systems graph_agent --model-calls 20 --searches 6

Every run may make the same number of model calls and searches, so what a design scores above another comes
from what it does with them. Seconds are simulated: every call takes 0.2 s, so many at once as the design's
own limits allow. What counts is, for a look-up, whether it is answered where its reader looks first, for a
report, how much of its subject is covered, and for a question without an answer, whether that is admitted.
The last table names each class of questions on which a design does worse than one search.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from deep_research.evaluation.cells import Cell
from deep_research.evaluation.compare import plan_cells, run_cells
from deep_research.evaluation.comparison_rows import (
    ComparisonRows,
    markdown,
    means,
    rows_of,
    summary,
)
from deep_research.evaluation.samples import main_measure, markdown_table, percent
from deep_research.evaluation.single_shot import NAME as SINGLE_SHOT
from deep_research.report import Report
from deep_research.runs.offline import sample_questions
from deep_research.systems import SYSTEMS
from deep_research_offline.web import build_web

from .arguments import new_parser

MODEL_CALLS, SEARCHES = 40, 12
FIRST_COSTS = Path(__file__).parent / "data" / "first_costs.toml"
BEGIN, END = "<!-- measured -->", "<!-- /measured -->"


def main() -> int:
    """Print the tables; 1 if a run failed."""
    args = _arguments()
    settings = {
        "web.seed": args.seed,
        "web.domain": args.domain,
        "budget.model_calls": args.model_calls,
        "budget.searches": args.searches,
    }
    questions = sample_questions(build_web(args.seed, domain=args.domain), limit=args.limit)
    cells = plan_cells([question.text for question in questions], [*args.systems, SINGLE_SHOT], settings)
    reports = asyncio.run(run_cells(cells, cache=False, on_cell=_dot))
    rows = rows_of(cells, reports)
    facts = {question.text: len(question.facts) for question in questions}
    budget = f"Budget of a run: {args.model_calls} model calls, {args.searches} searches."
    first = (
        "*At first* is 2026-11-23, commit 4e1cacf: the same questions and budget, on the code of that day."
    )
    costs = f"{first}\n\n{cost_per_fact(rows, facts)}"
    print(f"{budget}\n\n{report(rows)}\n## Cost of a gold fact\n\n{costs}")
    if args.page:
        refresh(args.page, f"{budget}\n\n{overview(rows)}\nCost of a gold fact. {costs}")
    return int(any(row["status"] == "failed" for row in rows))


def report(rows: ComparisonRows) -> str:
    """All tables as Markdown."""
    parts = {
        "Answered or covered, by class": figures_by_class(rows),
        "Worse than one search": worse_than_baseline(rows),
    }
    return markdown(rows) + "".join(f"\n## {title}\n\n{table}" for title, table in parts.items())


def overview(rows: ComparisonRows) -> str:
    """What the page on the designs shows: means, the figures of each class, where one search does better."""
    worse = worse_than_baseline(rows)
    return f"{markdown_table(*summary(rows))}\n{figures_by_class(rows)}\nWorse than one search:\n\n{worse}"


def cost_per_fact(rows: ComparisonRows, facts: Mapping[str, int]) -> str:
    """Model calls and tokens of each design for each gold fact that it found, beside what it was at first;
    `facts` are those of each question."""
    lines, at_first = [], tomllib.loads(FIRST_COSTS.read_text(encoding="utf-8"))
    for system in dict.fromkeys(row["system"] for row in rows):
        line = [system]
        for is_report in (False, True):
            own = [r for r in rows if r["system"] == system and (r["class"] == "report") == is_report]
            own = [row for row in own if row["fact_recall"] is not None]
            found = sum(row["fact_recall"] * facts[row["question"]] for row in own)
            calls = sum(row["model_calls"] for row in own)
            tokens = sum(row["input_tokens"] + row["output_tokens"] for row in own)
            line += [f"{calls / found:.1f}", f"{tokens / found:,.0f}"] if found else ["–", "–"]
        before = at_first.get(system, ["–"] * 4)
        lines.append([system, *(cell for pair in zip(before, line[1:], strict=True) for cell in pair)])
    header = [f"{what}, {of}" for of in ("look-ups", "reports") for what in ("calls", "tokens")]
    return markdown_table(
        ["system", *(cell for name in header for cell in (f"{name}, at first", name))], lines, names=1
    )


def refresh(page: Path, measured: str) -> None:
    """Put the figures between the marks of a page; raises `ValueError` if it has none."""
    before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"'{page}' has no place for figures: {BEGIN} ... {END}")
    page.write_text(f"{before}{begin}\n\n{measured}\n{end}{after}", encoding="utf-8")


def figures_by_class(rows: ComparisonRows) -> str:
    """A row per class with its main measure, a column per design."""
    systems = list(dict.fromkeys(row["system"] for row in rows))
    found = _figures(rows)
    lines = [
        [kind, _named(kind), *(percent(found.get((system, kind))) for system in systems)]
        for kind in dict.fromkeys(row["class"] for row in rows)
    ]
    return markdown_table(["class", "measure", *systems], lines, names=2)


def worse_than_baseline(rows: ComparisonRows) -> str:
    """Designs and classes whose main measure is below that of the baseline."""
    found = _figures(rows)
    lines = [
        [system, kind, _named(kind), percent(share), percent(base)]
        for (system, kind), share in found.items()
        if share is not None and (base := found[SINGLE_SHOT, kind]) is not None and share < base
    ]
    header = ["design", "class", "measure", "design's", "of one search"]
    return markdown_table(header, lines, names=3) if lines else "None.\n"


def _figures(rows: ComparisonRows) -> dict[tuple[str, str], float | None]:
    return {
        (group["system"], group["class"]): group[main_measure(group["class"])]
        for group in means(rows, ["system", "class"])
    }


def _named(kind: str) -> str:
    return main_measure(kind).replace("_", " ")


def _dot(cell: Cell, report: Report, kept: bool) -> None:
    print("." if report.status != "failed" else "F", end="", file=sys.stderr, flush=True)


def _arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    parser = new_parser(__doc__)
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), help="default: all")
    parser.add_argument("--seed", type=int, default=0, help="which web (default: 0)")
    parser.add_argument("--domain", default="airships", help="what it is about (default: %(default)s)")
    parser.add_argument("--limit", type=int, help="at most so many questions of each class")
    parser.add_argument("--page", type=Path, metavar="FILE", help="a page to put the figures into, too")
    parser.add_argument("--model-calls", type=int, default=MODEL_CALLS, help="default: %(default)s")
    parser.add_argument("--searches", type=int, default=SEARCHES, help="default: %(default)s")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
