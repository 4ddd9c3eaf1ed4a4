"""What each design's idea is worth: the same questions with it and without it, under one budget.

    python -m benchmarks.ideas                           every idea, on the questions it is meant for
    python -m benchmarks.ideas --only growth --limit 2

An idea is a switch of the settings. Each question is researched with and without it, and the difference of
the two runs is what counts: so a hard question does not hide what an idea adds to it. What is measured is
the main measure of the class (a look-up is answered, a report covers its subject), the aspects of reports,
model calls and simulated seconds (every call takes 0.2 s). Intervals are 95 % of bootstrap samples; a
difference whose interval holds zero is no difference.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from deep_research.evaluation.cells import Cell
from deep_research.evaluation.compare import plan_cells, run_cells
from deep_research.evaluation.comparison import Row, rows_of
from deep_research.evaluation.samples import main_measure, markdown_table
from deep_research.runs.offline import sample_questions
from deep_research_offline.web import build_web

from .arguments import new_parser

SAMPLES = 1000
LOOKUPS = ("multi_hop", "comparison", "ranking")
ALL = ("report", *LOOKUPS)


@dataclass(frozen=True)
class Idea:
    """An idea of a design: what switches it off, and the classes of questions that it is meant for."""

    name: str
    system: str
    without: Mapping[str, Any]
    with_: Mapping[str, Any] = field(default_factory=dict)
    classes: Sequence[str] = ALL


IDEAS = (
    Idea("rounds of the supervisor", "open_deep_research", {"limits.max_researcher_iterations": 1}),
    Idea("researchers side by side", "open_deep_research", {"limits.max_concurrent_research_units": 1}),
    Idea("search on, turn by turn", "shallow_researcher", {"limits.max_tool_iterations": 1}),
    Idea("sections against one shot", "open_deep_research", {}, {"writer.mode": "sections"}, ("report",)),
    Idea("a critic of the report", "open_deep_research", {}, {"writer.reviews": 1}),
    Idea("rounds on a draft", "deep_researcher", {"deep.max_loops": 1}),
    Idea("reflexion", "graph_agent", {"graph.max_revisions": 0}),
    Idea("growth of the queue", "topic_queue", {"queue.room": 0}),
    Idea("idle rounds end a topic", "topic_queue", {"queue.idle_rounds": 0}),
    Idea("no topic made up", "topic_queue", {"queue.fill_up": True, "queue.idle_rounds": 0}),
    Idea("rounds per topic", "topic_queue", {"queue.max_iterations": 1}),
    Idea("workers that roll", "topic_queue", {"queue.max_parallel_topics": 1}),
)
MEASURES = ("main", "aspects", "model_calls", "seconds")
_SHARES = ("main", "aspects")


def main() -> int:
    """Print the table; 1 if a run failed."""
    parser = new_parser(__doc__)
    parser.add_argument("--only", nargs="+", metavar="WORD", help="ideas whose names hold one of these words")
    parser.add_argument("--seed", type=int, default=0, help="which web (default: 0)")
    parser.add_argument("--domain", default="airships", help="what it is about (default: %(default)s)")
    parser.add_argument("--limit", type=int, help="at most so many questions of each class")
    parser.add_argument("--model-calls", type=int, default=60, help="of each run (default: 60)")
    parser.add_argument("--searches", type=int, default=20, help="of each run (default: 20)")
    args = parser.parse_args()
    base = {
        "web.seed": args.seed, "web.domain": args.domain,
        "budget.model_calls": args.model_calls, "budget.searches": args.searches,
    }  # fmt: skip
    questions = sample_questions(build_web(args.seed, domain=args.domain), limit=args.limit)
    lines, failed = [], False
    for idea in IDEAS:
        if args.only and not any(word in idea.name for word in args.only):
            continue
        texts = [question.text for question in questions if question.kind in idea.classes]
        rows = asyncio.run(both(idea, texts, base))
        failed |= any(row["status"] == "failed" for row in rows)
        lines += table_lines(idea, rows)
        print(idea.name, file=sys.stderr, flush=True)
    print(f"Budget of a run: {args.model_calls} model calls, {args.searches} searches.\n")
    header = ["idea", "design", "questions", "n", "answered or covered", "aspects", "model calls", "seconds"]
    print(markdown_table(header, lines, names=3))
    return int(failed)


async def both(idea: Idea, questions: Sequence[str], base: Mapping[str, Any]) -> Sequence[Row]:
    """The rows of all questions, with the idea and without it."""
    variants = {"with": {**base, **idea.with_}, "without": {**base, **idea.without}}
    cells: list[Cell] = plan_cells(questions, [idea.system], variants)
    return rows_of(cells, await run_cells(cells, cache=False))


def table_lines(idea: Idea, rows: Sequence[Row]) -> list[list[str]]:
    """A line for reports and one for look-ups: with → without, and the mean difference with its interval."""
    lines = []
    for name, is_report in (("reports", True), ("look-ups", False)):
        pairs = paired([row for row in rows if (row["class"] == "report") == is_report])
        if pairs:
            figures = [_figure(pairs, measure) for measure in MEASURES]
            lines.append([idea.name, idea.system, name, str(len(pairs)), *figures])
    return lines


def paired(rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """The rows of each question, with and without."""
    by = {(row["question"], row["setting"]): row for row in rows}
    return [(by[q, "with"], by[q, "without"]) for q in dict.fromkeys(row["question"] for row in rows)]


def _figure(pairs: Sequence[tuple[Row, Row]], measure: str) -> str:
    """The mean difference of the pairs that have the measure, as "+3.1 (0.2 to 6.0)"; shares in points."""
    both_ways = [(_value(a, measure), _value(b, measure)) for a, b in pairs]
    differences = [a - b for a, b in both_ways if a is not None and b is not None]
    if not differences:
        return "–"
    scale = 100 if measure in _SHARES else 1
    low, high = interval([scale * one for one in differences])
    return f"{scale * _mean(differences):+.1f} ({low:+.1f} to {high:+.1f})"


def _value(row: Row, measure: str) -> float | None:
    value: float | None = row[main_measure(row["class"]) if measure == "main" else measure]
    return value


def interval(differences: Sequence[float]) -> tuple[float, float]:
    """The middle 95 % of the means of bootstrap samples."""
    draw = Random(0)
    means = sorted(_mean(draw.choices(differences, k=len(differences))) for _ in range(SAMPLES))
    return means[SAMPLES // 40], means[-SAMPLES // 40 - 1]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


if __name__ == "__main__":
    sys.exit(main())
