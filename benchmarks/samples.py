"""How well does research answer the sample questions, and what does that result depend on?

    python -m benchmarks.samples                    seeds 0-5, the other domains, and the renamed run
    python -m benchmarks.samples --seeds 0 --limit 2

The offline model was developed on seed 0 of the first domain. So the same kinds of questions are asked on
other seeds, in other domains, and with every tool and field renamed and every system prompt made plain
(`renaming.py`); what the result owes to knowing this one web or this wording would be lost there. The
single-shot baseline, one search and an answer from its hits, stands beside each.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from deep_research.core.clock import FrozenClock
from deep_research.engine.clients import Models
from deep_research.evaluation.samples import (
    Bench,
    Score,
    main_measure,
    markdown_table,
    rows_of_samples,
    score_samples,
    summarize,
)
from deep_research.evaluation.single_shot import NAME as SINGLE_SHOT
from deep_research.runs.environment import Environment, build_environment
from deep_research.runs.offline import invented_web, offline_search
from deep_research.settings import Settings
from deep_research_offline.model import complete
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web import domains

from .arguments import new_parser
from .renaming import renamed

SHOWN = (
    "answered", "hedged", "wrongly_answered", "coverage", "aspects", "focus", "disagreements",
    "dated_as_current", "repetition", "citation_precision",
)  # fmt: skip
LOOK_UPS = "all look-ups"


@dataclass(frozen=True)
class Run:
    """One pass over the sample questions of one web."""

    label: str
    domain: str
    seed: int
    renamed: bool = False


def main() -> None:
    args = _arguments()
    results: dict[str, Bench] = {}
    for run in planned(args.seeds, args.domains, not args.no_renamed):
        print(f"{run.label} ...", file=sys.stderr, flush=True)
        results[run.label] = summarize(asyncio.run(scores_of(run, args.system, args.limit)))
    print(report(results))


def planned(seeds: Sequence[int], chosen: Sequence[str], with_renamed: bool) -> list[Run]:
    """Every seed of the first domain, the first seed of the others, and the first seed renamed."""
    home, *others = chosen
    runs = [Run(f"seed {seed}", home, seed) for seed in seeds]
    runs += [Run(domain, domain, seeds[0]) for domain in others]
    return runs + ([Run("renamed", home, seeds[0], True)] if with_renamed else [])


async def scores_of(run: Run, systems: list[str] | None, limit: int | None) -> list[Score]:
    """The scores of all systems and the baseline in one run."""
    environment = renamed_environment if run.renamed else build_environment
    web = {"web.seed": run.seed, "web.domain": run.domain}
    return await score_samples(systems, web, limit, environment)


def renamed_environment(settings: Settings) -> Environment:
    """The offline environment, with the exchange of words around the offline model."""
    web = invented_web(settings.web)
    clock = FrozenClock(web.date)
    provider = OfflineProvider(web=web, clock=clock, model=renamed(complete))
    return Environment(Models(settings, provider), offline_search(provider), clock, provider)


def report(results: dict[str, Bench]) -> str:
    """What is answered or covered per class and run, the shares per run, and the first run in full."""
    first = next(iter(results.values()))
    parts = [f"## Answered or covered, {system}\n\n{by_class(results, system)}" for system in first]
    parts += [f"## All shares\n\n{by_run(results)}"]
    label, whole = next(iter(results)), markdown_table(*rows_of_samples(first))
    return "\n".join([*parts, f"## {label.capitalize()} in full\n\n{whole}"])


def by_class(results: dict[str, Bench], system: str) -> str:
    """A row per class with its main measure, a column per run, and the mean of the later seeds."""
    seeds = [label for label in results if label.startswith("seed ")][1:]
    classes = [*next(iter(results.values()))[system]["classes"], LOOK_UPS]
    columns = [*results, *(["mean of the later seeds", "difference"] if seeds else [])]
    rows = []
    for kind in classes:
        found = {label: _figure(bench, system, kind, main_measure(kind)) for label, bench in results.items()}
        values = list(found.values())
        later = [found[label] for label in seeds if found[label] is not None]
        if seeds:
            mean = sum(later) / len(later) if later else None
            values += [mean, None if mean is None or values[0] is None else mean - values[0]]
        rows.append([kind, main_measure(kind).replace("_", " "), *map(_percent, values)])
    return markdown_table(["class", "measure", *columns], rows, names=2)


def by_run(results: dict[str, Bench]) -> str:
    """A row per run and system: the shares over all classes, and what is answered of the harder ones."""
    rows = [
        [
            label,
            system,
            *(_percent(groups["overall"][share]) for share in SHOWN),
            str(groups["overall"]["failed"]),
        ]
        + [_percent(_figure(bench, system, kind, "answered")) for kind in ("comparison", "multi_hop")]
        for label, bench in results.items()
        for system, groups in sorted(bench.items(), key=lambda item: item[0] == SINGLE_SHOT)
    ]
    named = [share.replace("_", " ") for share in SHOWN]
    harder = ["answered, comparison", "answered, multi-hop"]
    return markdown_table(["run", "system", *named, "failed runs", *harder], rows, names=2)


def _figure(bench: Bench, system: str, kind: str, measure: str) -> float | None:
    """A mean of one class, or over all of them; None where it does not apply or the web has no such class."""
    groups = bench[system]
    group = groups["overall"] if kind == LOOK_UPS else groups["classes"].get(kind, {})
    return dict[str, float | None](group).get(measure)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def _arguments() -> argparse.Namespace:
    parser = new_parser(__doc__)
    parser.add_argument("--system", action="append", help="a system to measure (repeatable)")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(6)), help="default: 0 to 5")
    known = sorted(domains(), key=lambda name: name != "airships")
    parser.add_argument("--domains", nargs="+", default=known, help=f"default: {' '.join(known)}")
    parser.add_argument("--limit", type=int, help="at most so many questions of each class")
    parser.add_argument("--no-renamed", action="store_true", help="leave the renamed run out")
    return parser.parse_args()


if __name__ == "__main__":
    main()
