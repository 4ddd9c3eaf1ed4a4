"""What each design's idea is worth: the same questions with it and without it, under one budget.

    python -m benchmarks.ideas                           every idea, on the questions it is meant for
    python -m benchmarks.ideas --only growth --limit 2

An idea is a switch of the settings (the router: another design beside it). Each question is researched with
and without it, and the difference of the two runs is what counts: so a hard question does not hide what an
idea adds to it. Each idea is judged by what it is for: more questions answered or more of a subject covered,
or fewer calls, tokens or seconds for the same. Seconds are simulated (every call takes 0.2 s). Intervals are
95 % of bootstrap samples; a difference whose interval holds zero is no difference. The ideas and why they pay
or not stand in `data/ideas.toml`.
"""

from __future__ import annotations

import asyncio
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from deep_research.evaluation.compare import plan_cells, run_cells
from deep_research.evaluation.comparison_rows import Row, rows_of
from deep_research.evaluation.samples import main_measure, markdown_table
from deep_research.report import Report
from deep_research.runs.offline import sample_questions
from deep_research_offline.web import build_web
from deep_research_offline.web.types import Web

from .arguments import new_parser
from .personas import COLUMNS, figures_of
from .rolling import measured as rolling

SAMPLES = 1000
FEWEST = 5
"""Pairs below which nothing is concluded."""
IDEAS_FILE = Path(__file__).parent / "data" / "ideas.toml"
MEASURES = ("main", "aspects", "disagreements", "model calls", "tokens", "seconds")
_SHARES = ("main", "aspects", "disagreements", "primary share")


@dataclass(frozen=True)
class Idea:
    """An idea of a design: what switches it on and off, the classes of questions that it is meant for, the
    measure that it is to move and whether upwards, and why it does so or not."""

    name: str
    system: str
    aim: str
    why: str
    classes: Sequence[str]
    up: bool = True
    with_: Mapping[str, Any] = field(default_factory=dict)
    without: Mapping[str, Any] = field(default_factory=dict)
    beside: str = ""  # the design to compare with, if it is not the same one
    notes: bool = False  # whether a part of the web is closed, and given as the user's own notes


def ideas() -> list[Idea]:
    """All ideas, in the order of the file."""
    with IDEAS_FILE.open("rb") as file:
        return [Idea(name=name, **table) for name, table in tomllib.load(file).items()]


def main() -> int:
    """Print the table; 1 if a run failed."""
    parser = new_parser(__doc__)
    parser.add_argument("--only", nargs="+", metavar="WORD", help="ideas whose names hold one of these words")
    parser.add_argument("--seed", type=int, default=0, help="which web (default: 0)")
    parser.add_argument("--domain", default="airships", help="what it is about (default: %(default)s)")
    parser.add_argument("--limit", type=int, help="at most so many questions of each class")
    parser.add_argument("--model-calls", type=int, default=120, help="of each run (default: 120)")
    parser.add_argument("--searches", type=int, default=60, help="of each run (default: 60)")
    args = parser.parse_args()
    base = {
        "web.seed": args.seed, "web.domain": args.domain,
        "budget.model_calls": args.model_calls, "budget.searches": args.searches,
    }  # fmt: skip
    web = build_web(args.seed, domain=args.domain)
    questions = sample_questions(web, limit=args.limit)
    lines, reasons, failed, pays = [], [], False, 0
    chosen = [one for one in ideas() if not args.only or any(word in one.name for word in args.only)]
    with TemporaryDirectory() as kept, closed_part(web, Path(kept)) as closed:
        for idea in chosen:
            texts = [question.text for question in questions if question.kind in idea.classes]
            rows = asyncio.run(both(idea, texts, base | (closed[0] if idea.notes else {}), closed[1], kept))
            failed |= any(row["status"] == "failed" for row in rows)
            of_idea, verdict = table_lines(idea, rows)
            lines += of_idea
            pays += verdict == "pays"
            reasons.append(f"- **{idea.name}** ({verdict}). {idea.why}")
            print(idea.name, file=sys.stderr, flush=True)
    print(f"Budget of a run: {args.model_calls} model calls, {args.searches} searches.\n")
    names = ["idea", "design", "questions", "n", "is for", "verdict"]
    header = [*names, "answered or covered", *MEASURES[1:]]
    print(markdown_table(header, lines, names=len(names)))
    print(f"\n{pays} of {len(chosen)} ideas move what they are for, with an interval without zero.\n")
    print("\n".join(reasons))
    if not args.only:
        text, same = asyncio.run(rolling(args.seed))
        print(f"\n## Eight topics of unequal length\n\n{text}")
        failed |= not same
    return int(failed)


@contextmanager
def closed_part(web: Web, folder: Path) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Settings that close the host with most pages to the search, and those that give its pages as notes."""
    hosts = [page.url.split("/")[2] for page in web.pages if page.lang == "en"]
    host = max(dict.fromkeys(hosts), key=hosts.count)
    notes = folder / "notes"
    notes.mkdir()
    for n, page in enumerate(page for page in web.pages if page.url.split("/")[2] == host):
        (notes / f"{n:03}.md").write_text(f"# {page.title}\n\n{page.text}\n", encoding="utf-8")
    yield {"search.exclude_domains": [host]}, {"knowledge.paths": [str(notes)]}


async def both(
    idea: Idea, questions: Sequence[str], base: Mapping[str, Any], notes: Mapping[str, Any], kept: str
) -> Sequence[Row]:
    """The rows of all questions, with the idea and without it; a run that another idea had, too, is kept."""
    with_ = {**base, **idea.with_, **(notes if idea.notes else {})}
    first = plan_cells(questions, [idea.system], {"with": with_})
    second = plan_cells(questions, [idea.beside or idea.system], {"without": {**base, **idea.without}})
    cells = [*first, *second]
    reports = await run_cells(cells, cache=Path(kept) / "cells", at_once=1)
    return [row | _more(row, one) for row, one in zip(rows_of(cells, reports), reports, strict=True)]


def _more(row: Row, report: Report) -> Row:
    """What a row is measured by besides: the main measure of its class, and the form of the report."""
    figures = dict(zip(COLUMNS[3:], figures_of(report), strict=True))
    share = figures["primary"] / figures["sources cited"] if figures["sources cited"] else None
    return figures | {"main": row[main_measure(row["class"])], "primary share": share}


def table_lines(idea: Idea, rows: Sequence[Row]) -> tuple[list[list[str]], str]:
    """A line for reports and one for look-ups (the mean differences with their intervals), and the verdict:
    by the class of questions on which the idea does best."""
    lines, verdicts = [], []
    for name, is_report in (("reports", True), ("look-ups", False)):
        pairs = paired([row for row in rows if (row["class"] == "report") == is_report])
        if pairs:
            figures = [_figure(pairs, measure) for measure in MEASURES]
            verdicts.append(_verdict(pairs, idea))
            aim = idea.aim if idea.aim in MEASURES else f"{idea.aim}: {_figure(pairs, idea.aim)}"
            aim = "answered or covered" if aim == "main" else aim
            lines.append([idea.name, idea.system, name, str(len(pairs)), aim, verdicts[-1], *figures])
    return lines, next((one for one in ("pays", "no effect", "harms") if one in verdicts), "too few")


def paired(rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """The rows of each question, with and without."""
    by = {(row["question"], row["setting"]): row for row in rows}
    return [(by[q, "with"], by[q, "without"]) for q in dict.fromkeys(row["question"] for row in rows)]


def differences(pairs: Sequence[tuple[Row, Row]], measure: str) -> list[float]:
    """With less without, of the pairs that have the measure; shares in points."""
    both_ways = [(a[measure], b[measure]) for a, b in pairs]
    scale = 100 if measure in _SHARES else 1
    return [scale * (a - b) for a, b in both_ways if a is not None and b is not None]


def _figure(pairs: Sequence[tuple[Row, Row]], measure: str) -> str:
    """The mean difference with its interval, as "+3.1 (+0.2 to +6.0)"."""
    found = differences(pairs, measure)
    if not found:
        return "–"
    low, high = interval(found)
    return f"{_mean(found):+.1f} ({low:+.1f} to {high:+.1f})"


def _verdict(pairs: Sequence[tuple[Row, Row]], idea: Idea) -> str:
    """Whether the idea moves what it is for."""
    found = differences(pairs, idea.aim)
    if len(found) < FEWEST:
        return "too few"
    low, high = interval([one if idea.up else -one for one in found])
    return "pays" if low > 0 else "harms" if high < 0 else "no effect"


def interval(found: Sequence[float]) -> tuple[float, float]:
    """The middle 95 % of the means of bootstrap samples."""
    draw = Random(0)
    means = sorted(_mean(draw.choices(found, k=len(found))) for _ in range(SAMPLES))
    return means[SAMPLES // 40], means[-SAMPLES // 40 - 1]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


if __name__ == "__main__":
    sys.exit(main())
