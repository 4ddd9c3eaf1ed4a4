"""Runs whose requests fail on purpose: does each still end in a report, and how much does the report lose?

    python -m benchmarks.faults                     504 runs: 42 questions, each design, 10 % and 30 %
    python -m benchmarks.faults --limit 10          the first ten questions

Every fault of `wire/faults.py` strikes that share of all requests, drawn from the seed, the request and the
attempt. What a run covers are the gold facts that its report states with a page that states them; the figure
is the share of those that the same design covers undisturbed. Exit status 1 if a run hung, raised, left no
report, or left something out without naming it; or if the designs together keep less than 95 % of the facts
at 10 % and 80 % at 30 %.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import get_args

from deep_research.core.gaps import sentence_of
from deep_research.core.records import Gap, Status
from deep_research.evaluation.coverage import covered
from deep_research.evaluation.reading import lead_denies
from deep_research.evaluation.samples import markdown_table, percent
from deep_research.evaluation.truth import GroundTruth
from deep_research.report import Report
from deep_research.runs import aresearch
from deep_research.runs.offline import sample_questions
from deep_research.runs.unanswered import says_open
from deep_research.systems import SYSTEMS
from deep_research.text.cited_sentences import all_sentences
from deep_research.text.language import report_language
from deep_research_offline.web import build_web
from deep_research_offline.web.types import Question

from .arguments import new_parser

RATES = {0.1: 0.95, 0.3: 0.8}
"""Share of requests that are struck → share of the facts that has to be left."""
PATIENCE = 1200.0
"""Seconds after which a run is said to hang; most take one, on a busy machine the longest take minutes."""


@dataclass(frozen=True)
class Task:
    """A question, by its id, for one design; `seed` draws its faults."""

    question: str
    system: str
    seed: int


@dataclass(frozen=True)
class Outcome:
    """What became of one run. `fault` says what must not happen; "" for nothing."""

    task: Task
    rate: float
    status: str
    facts: frozenset[str]
    fault: str = ""


def outcomes(task: Task) -> list[Outcome]:
    """The run undisturbed, and at every rate."""
    (question,) = [question for question in build_web().questions if question.id == task.question]
    return [asyncio.run(one_run(question, task, rate)) for rate in (0, *RATES)]


async def one_run(question: Question, task: Task, rate: float) -> Outcome:
    """Research a question on a wire that fails so often."""
    settings = {"system": task.system, **({"web.chaos": f"{task.seed}:{rate}"} if rate else {})}
    try:
        run = aresearch(question.text, settings=settings, keep=False)
        report = await asyncio.wait_for(run, PATIENCE)
    except Exception as error:
        return Outcome(task, rate, "none", frozenset(), f"{type(error).__name__}: {error}")
    facts = frozenset(covered(question, report, GroundTruth(build_web())))
    return Outcome(task, rate, report.status, facts, fault_of(report))


def fault_of(report: Report) -> str:
    """What a report leaves unsaid, or "": it is empty, or names no gap, or not all of them."""
    if not report.markdown.strip():
        return "empty report"
    if report.status != "complete" and not report.gaps:
        return f"{report.status} without a gap"
    language = report_language(report.question, report.settings.language)
    said = " ".join(report.markdown.split())
    named = [gap for gap in report.gaps if gap.said != "part_open" or not _says_so(report.markdown, gap)]
    unsaid = [gap for gap in named if " ".join(sentence_of(gap, language).split()) not in said]
    return f"gap not in the report: {unsaid[0].message}" if unsaid else ""


def _says_so(markdown: str, gap: Gap) -> bool:
    """Whether a report has said by itself that a part of the question is open."""
    return lead_denies(markdown) or says_open(all_sentences(markdown), gap.fields["part"])


def planned(limit: int, seed: int) -> list[Task]:
    """So many questions of all classes in turn, each for every design."""
    web = build_web()
    kinds = [sample_questions(web, [kind]) for kind in dict.fromkeys(q.kind for q in web.questions)]
    chosen = list(islice(dict.fromkeys(q.id for q in interleaved(kinds)), limit))
    return [Task(question, system, seed + n) for n, question in enumerate(chosen) for system in SYSTEMS]


def interleaved(groups: list[list[Question]]) -> Iterator[Question]:
    """The first of each group, then the second of each, and so on."""
    left = [iter(group) for group in groups]
    for _ in range(max(map(len, groups))):
        yield from (question for group in left if (question := next(group, None)))


def kept(pairs: Iterable[tuple[Outcome, Outcome]]) -> float | None:
    """The share of the facts covered undisturbed that are still covered."""
    pairs = list(pairs)
    whole = sum(len(plain.facts) for plain, _ in pairs)
    return sum(len(plain.facts & struck.facts) for plain, struck in pairs) / whole if whole else None


def main() -> int:
    """Run, and print a table."""
    parser = new_parser(__doc__)
    parser.add_argument("--limit", type=int, default=42, help="questions (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--losses", action="store_true", help="tell of each run what it has lost")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.jobs) as pool:
        found = []
        for runs in pool.map(outcomes, planned(options.limit, options.seed)):
            found.append(runs)
            if options.losses:
                list_losses(*runs)
    return show(found)


def list_losses(plain: Outcome, *struck: Outcome) -> None:
    """A line for each run; `ask --chaos` repeats it."""
    for run in struck:
        task, left = run.task, len(plain.facts & run.facts)
        told = f"{task.system}, {task.question}, --chaos {task.seed}:{run.rate}"
        print(f"{told}: {run.status}, {left} of {len(plain.facts)}", file=sys.stderr, flush=True)


def show(found: list[list[Outcome]]) -> int:
    """Print what happened; 0 if every run kept the promise."""
    pairs = [(runs[0], struck) for runs in found for struck in runs[1:]]
    shown = [status for status in get_args(Status) if status not in ("needs_input", "rejected")]
    lines, low = list[list[str]](), False
    for rate, least in RATES.items():
        for system in [*SYSTEMS, "all"]:
            own = [(p, s) for p, s in pairs if s.rate == rate and system in (s.task.system, "all")]
            statuses, share = Counter(struck.status for _, struck in own), kept(own)
            low = low or (system == "all" and (share or 0) < least)
            figures = [percent(statuses[status] / len(own)) for status in shown]
            lines.append([f"{rate:.0%}", system, str(len(own)), *figures, percent(share)])
    print(markdown_table(["struck", "design", "runs", *shown, "facts kept"], lines, names=2))
    faults = Counter(f"{o.task.system} at {o.rate:.0%}: {o.fault}" for runs in found for o in runs if o.fault)
    for fault, count in faults.most_common():
        print(f"- {count} × {fault}")
    print("No run hung, raised, or left out what it lacks." if not faults else "")
    return 1 if low or faults else 0


if __name__ == "__main__":
    sys.exit(main())
