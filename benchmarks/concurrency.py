"""One call in flight or five: the same bytes, and how much sooner?

    python -m benchmarks.concurrency                one question of each class, 20 times over
    python -m benchmarks.concurrency --limit 3 --times 5

Each question is researched with concurrency 1 and 5, again and again. The promised parts of the report
(text, sources, claims, removed, gaps) must have one fingerprint; if not, the exit status is 1 and the table
says where. The ratio compares simulated seconds: every call takes 0.2 s, and at most so many run at once.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

from deep_research.engine.trace import simulated_seconds
from deep_research.evaluation.fingerprint import fingerprint
from deep_research.report import Report
from deep_research.runs import aresearch
from deep_research.runs.offline import sample_questions
from deep_research_offline.web import build_web
from deep_research_offline.web.types import Question

from .arguments import new_parser

LEVELS = (1, 5)


async def measure(question: Question, times: int) -> tuple[set[str], dict[int, float]]:
    """The fingerprints of all runs of a question, and the simulated seconds at each level."""
    prints: set[str] = set()
    seconds: dict[int, float] = {}
    for _ in range(times):
        for level in LEVELS:
            report = await _run(question.text, level)
            prints.add(fingerprint(report))
            seconds[level] = simulated_seconds(report.trace, level)
    return prints, seconds


async def _run(question: str, concurrency: int) -> Report:
    return await aresearch(question, settings={"concurrency": concurrency}, keep=False)


async def compare(questions: Sequence[Question], times: int) -> bool:
    """Print a line per question and the mean; True if every question gave the same bytes each time."""
    print("| question | runs | different results | s with 1 call | s with 5 calls | ratio |")
    print("|---|---:|---:|---:|---:|---:|")
    totals = dict.fromkeys(LEVELS, 0.0)
    same = True
    for question in questions:
        prints, seconds = await measure(question, times)
        same = same and len(prints) == 1
        totals = {level: totals[level] + seconds[level] for level in LEVELS}
        _line(question.id, 2 * times, len(prints), seconds)
    _line("all", 2 * times * len(questions), 1 if same else 0, totals)
    return same


def _line(name: str, runs: int, different: int, seconds: dict[int, float]) -> None:
    one, five = (seconds[level] for level in LEVELS)
    print(f"| {name} | {runs} | {different} | {one:.1f} | {five:.1f} | {one / five:.2f} |", flush=True)


def main() -> int:
    parser = new_parser(__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=int, default=1, help="questions of each class (default 1)")
    parser.add_argument("--times", type=int, default=20, help="runs at each level (default 20)")
    args = parser.parse_args()
    same = asyncio.run(compare(sample_questions(build_web(args.seed), limit=args.limit), args.times))
    print(
        "\nThe same bytes every time." if same else "\nNOT the same bytes: see the questions with 2 or more."
    )
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
