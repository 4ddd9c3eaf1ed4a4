"""Eight topics of unequal length in the topic queue: who works when, and what waves would take.

    python -m benchmarks.rolling

Seconds are simulated: every call takes 0.2 s. In waves, as many topics as there are workers start together,
and the next ones when the slowest of them has ended. The run is repeated with fewer calls in flight; all of
them must leave the same bytes.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

from deep_research.evaluation.fingerprint import fingerprint
from deep_research.evaluation.samples import markdown_table
from deep_research.report import Report
from deep_research.runs import aresearch
from deep_research_offline.web import build_web

from .arguments import new_parser

WORKERS, TOPICS = 3, 8
LEVELS = (5, 2, 1)
Shift = tuple[float, float]


def main() -> int:
    """Print the timeline; 1 if the number of calls in flight changes a byte."""
    parser = new_parser(__doc__)
    parser.add_argument("--seed", type=int, default=0, help="which web (default: 0)")
    args = parser.parse_args()
    text, same = asyncio.run(measured(args.seed))
    print(text)
    return 0 if same else 1


async def measured(seed: int) -> tuple[str, bool]:
    """The timeline as Markdown, and whether all runs left the same bytes."""
    question = next(q for q in build_web(seed).questions if q.kind == "report" and q.lang == "en")
    settings = {
        "web.seed": seed, "system": "topic_queue", "queue.max_parallel_topics": WORKERS, "queue.room": 0,
        "queue.decompose": "manual", "queue.initial_topics": TOPICS, "queue.fill_up": True,
    }  # fmt: skip
    runs = [
        await aresearch(question.text, settings={**settings, "concurrency": level}, keep=False)
        for level in LEVELS
    ]
    same = len({fingerprint(run) for run in runs}) == 1
    return timeline(shifts(runs[0])) + f"\nCalls in flight: {LEVELS}. The same bytes: {same}.\n", same


def shifts(report: Report) -> list[Shift]:
    """When the work on each topic begins and ends, in the order of the queue."""
    own = {n: [line for line in report.trace if line.branch == str(n)] for n in range(1, TOPICS + 1)}
    return [(min(c.start for c in calls), max(c.end for c in calls)) for calls in own.values() if calls]


def timeline(found: Sequence[Shift]) -> str:
    """A line per topic with its bar, and the totals."""
    begin, end = min(a for a, _ in found), max(b for _, b in found)
    bars = [
        [f"topic {n}", f"{a - begin:.1f}", f"{b - begin:.1f}", _bar(a - begin, b - a)]
        for n, (a, b) in enumerate(found, start=1)
    ]
    lengths = [b - a for a, b in found]
    waves = sum(max(lengths[n : n + WORKERS]) for n in range(0, len(lengths), WORKERS))
    table = markdown_table(["topic", "begins", "ends", "0.2 s a mark"], bars, names=4)
    rolling = f"{WORKERS} workers that roll: {end - begin:.1f} s"
    return f"{table}\n{rolling}; in waves: {waves:.1f} s; one by one: {sum(lengths):.1f} s.\n"


def _bar(before: float, length: float) -> str:
    return f"`{' ' * round(before / 0.2)}{'█' * round(length / 0.2)}`"


if __name__ == "__main__":
    sys.exit(main())
