"""Speed, as ratios of two things measured in turn in the same session.

    python -m benchmarks

Single seconds mean little on a shared machine; how many times slower or faster one way is than another does.
Each figure is the median of the ratios of pairs.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

PAIRS = 5
LATENCY = {"web.latency_ms": 200}


def main() -> None:
    """Print the table as Markdown."""
    print("| A | B | time of A / time of B |\n|---|---|---|", flush=True)
    for a, b, ratio in rows():
        print(f"| {a} | {b} | {ratio:.2f} |", flush=True)


def rows() -> list[tuple[str, str, float]]:
    """All comparisons: what A is, what B is, and the median ratio."""
    bare = python("pass")
    return [
        ("python: import deep_research", "python alone", ratio(python("import deep_research"), bare)),
        ("deep-research --help", "python alone", ratio(command("--help"), bare)),
        ("a run with 1 call in flight", "5 in flight, 200 ms a call", ratio(run(1), run(5))),
        ("a run kept on disk", "a run in memory, 200 ms a call", ratio(run(5, keep=True), run(5))),
    ]


def ratio(a: Callable[[], Any], b: Callable[[], Any]) -> float:
    """Median of time(a) / time(b) over pairs run in turn, after one warm-up of each."""
    a(), b()
    return statistics.median(seconds(a) / seconds(b) for _ in range(PAIRS))


def seconds(work: Callable[[], Any]) -> float:
    """Wall time of one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def python(code: str) -> Callable[[], Any]:
    """A fresh interpreter that runs `code`."""
    return lambda: subprocess.run([sys.executable, "-c", code], check=True)


def command(*arguments: str) -> Callable[[], Any]:
    """The command line in a fresh interpreter."""
    return lambda: subprocess.run(
        [sys.executable, "-m", "deep_research", *arguments], check=True, capture_output=True
    )


def run(concurrency: int, keep: bool = False) -> Callable[[], Any]:
    """Research on the first comparison of the sample questions."""
    from deep_research.runs import aresearch
    from deep_research_offline.web import build_web

    question = next(q.text for q in build_web().questions if (q.kind, q.lang) == ("comparison", "en"))
    settings: Mapping[str, Any] = {**LATENCY, "concurrency": concurrency}

    def work() -> None:
        with TemporaryDirectory() as folder:
            asyncio.run(aresearch(question, settings=settings, keep=keep, out=Path(folder)))

    return work


if __name__ == "__main__":
    main()
