"""What is a follow-up spared? Questions whose answer a report's pages hold, after it and asked afresh.

python -m benchmarks.follow_ups                          6 pairs, domain airships, three designs
python -m benchmarks.follow_ups --domain libraries --pairs 3 --systems graph_agent

A pair is a question for a report, and a look-up all of whose pages that report's run has retrieved. Relevant
are the sources that the fresh run cites, as far as the report's run knows them.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass

from deep_research.core.records import CitedSource
from deep_research.evaluation.answered import answered
from deep_research.evaluation.truth import GroundTruth
from deep_research.report import Report
from deep_research.runs import aresearch
from deep_research.runs.offline import invented_web
from deep_research.settings import load_settings
from deep_research.text.urls import canonical_url
from deep_research_offline.web.types import Question, Web

from .arguments import new_parser

PER_REPORT = 3


@dataclass(frozen=True)
class Pair:
    relevant: int
    reused: int
    calls: int
    fresh_calls: int
    answered: float
    fresh_answered: float


def main() -> None:
    args = _arguments()
    print(
        "| domain | design | pairs | sources reused | calls | answered | answered afresh |\n"
        + "|---" * 7
        + "|"
    )
    for system in args.systems:
        pairs = asyncio.run(measure(args.domain, args.seed, system, args.pairs))
        reused = sum(one.reused for one in pairs) / max(sum(one.relevant for one in pairs), 1)
        calls = sum(one.calls for one in pairs) / max(sum(one.fresh_calls for one in pairs), 1)
        told, fresh = sum(one.answered for one in pairs), sum(one.fresh_answered for one in pairs)
        cells = [
            args.domain,
            system,
            len(pairs),
            f"{reused:.0%}",
            f"{calls:.0%}",
            f"{told:.1f}",
            f"{fresh:.1f}",
        ]
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


async def measure(domain: str, seed: int, system: str, most: int) -> list[Pair]:
    chosen = {"web.domain": domain, "web.seed": seed}
    web = invented_web(load_settings(chosen).web)
    pairs, done = list[Pair](), set[str]()
    with tempfile.TemporaryDirectory() as out:
        for asked in (q for q in web.questions if q.lang == "en" and q.kind == "report"):
            first = await aresearch(asked.text, settings=chosen, system=system, out=out)
            for question in _held_by(first, web, done)[: min(PER_REPORT, most - len(pairs))]:
                done.add(question.id)
                fresh = await aresearch(question.text, settings=chosen, system=system, out=out)
                after = await aresearch(question.text, after=first.run_id, out=out)
                relevant, truth = _urls(fresh.cited) & _urls(first.sources), GroundTruth(web)
                pairs.append(
                    Pair(
                        len(relevant),
                        len(relevant & _urls(after.sources)),
                        _calls(after),
                        _calls(fresh),
                        answered(question, after, truth) or 0,
                        answered(question, fresh, truth) or 0,
                    )
                )
    return pairs


def _held_by(report: Report, web: Web, done: set[str]) -> list[Question]:
    """The look-ups all of whose pages a report's run has retrieved."""
    known = _urls(report.sources)
    return [
        q
        for q in web.questions
        if q.lang == "en" and q.facts and q.kind != "report" and q.id not in done
        and {canonical_url(page) for page in q.pages} <= known
    ]  # fmt: skip


def _urls(sources: Iterable[CitedSource]) -> set[str]:
    return {canonical_url(source.url) for source in sources if source.url}


def _calls(report: Report) -> int:
    return report.usage.model_calls + report.usage.searches


def _arguments() -> argparse.Namespace:
    parser = new_parser(__doc__)
    parser.add_argument("--domain", default="airships")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=6, help="at most so many")
    parser.add_argument(
        "--systems", nargs="+", default=["open_deep_research", "shallow_researcher", "topic_queue"]
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
