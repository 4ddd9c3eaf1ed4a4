"""How well does research answer the sample questions, and what does that result depend on?

    python -m benchmarks.samples                    seeds 0-5, the other domains, and the renamed run
    python -m benchmarks.samples --seeds 0 --limit 2 --details

The offline model was developed on seed 0 of the first domain. So the same kinds of questions are asked on
other seeds, in other domains, and with every tool and field renamed and every system prompt made plain
(`renaming.py`); what the result owes to knowing this one web or this wording would be lost there. The
single-shot baseline, one search and an answer from its hits, stands beside each.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from deep_research.clock import FrozenClock
from deep_research.environment import Environment
from deep_research.evaluation.samples import Bench, Score, score_samples, summary, table
from deep_research.evaluation.single_shot import NAME as SINGLE_SHOT
from deep_research.models import Models
from deep_research.offline.handlers import OfflineProvider
from deep_research.offline.model import complete
from deep_research.offline.web import build_web, domains
from deep_research.settings import Settings
from deep_research.tools.search import offline

from .renaming import renamed

SHARES = ("fact_recall", "citation_precision", "right_abstention")


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
    details: list[dict[str, Any]] = []
    for run in planned(args.seeds, args.domains, not args.no_renamed):
        print(f"{run.label} ...", file=sys.stderr, flush=True)
        scores = asyncio.run(scores_of(run, args.system, args.limit))
        results[run.label] = summary(scores)
        details += [{"run": run.label} | asdict(score) for score in scores]
    if args.json:
        print(json.dumps({"runs": results} | ({"questions": details} if args.details else {}), indent=1))
        return
    print(report(results))
    if args.details:
        print(failures(details))


def planned(seeds: Sequence[int], chosen: Sequence[str], with_renamed: bool) -> list[Run]:
    """Every seed of the first domain, the first seed of the others, and the first seed renamed."""
    home, *others = chosen
    runs = [Run(f"seed {seed}", home, seed) for seed in seeds]
    runs += [Run(domain, domain, seeds[0]) for domain in others]
    return runs + ([Run("renamed", home, seeds[0], True)] if with_renamed else [])


async def scores_of(run: Run, systems: list[str] | None, limit: int | None) -> list[Score]:
    """The scores of all systems and the baseline in one run."""
    surroundings = renamed_environment if run.renamed else None
    return await score_samples(systems, run.seed, run.domain, limit=limit, environment=surroundings)


def renamed_environment(settings: Settings) -> Environment:
    """The offline environment, with the exchange of words around the offline model."""
    web = build_web(settings.web.seed, settings.web.pages, settings.web.domain)
    clock = FrozenClock(web.date)
    provider = OfflineProvider(web=web, clock=clock, model=renamed(complete))
    return Environment(Models(settings, provider), offline(provider), clock, provider)


def report(results: dict[str, Bench]) -> str:
    """Recall per class and run, the other shares per run, and the first run in full, as Markdown."""
    first = next(iter(results.values()))
    parts = [f"## Fact recall, {system}\n\n{by_class(results, system)}" for system in first]
    parts += [f"## All shares\n\n{by_run(results)}"]
    label = next(iter(results))
    return "\n".join([*parts, f"## {label.capitalize()} in full\n\n{table(first)}"])


def by_class(results: dict[str, Bench], system: str) -> str:
    """A row per class, a column per run, and the mean of the later seeds against the first."""
    seeds = [label for label in results if label.startswith("seed ")][1:]
    classes = [*next(iter(results.values()))[system]["classes"], "overall"]
    columns = [*results, *(["mean of the later seeds", "difference"] if seeds else [])]
    rows = []
    for kind in classes:
        found = {label: _group(bench, system, kind)["fact_recall"] for label, bench in results.items()}
        values = list(found.values())
        later = [found[label] for label in seeds if found[label] is not None]
        if seeds:
            mean = sum(later) / len(later) if later else None
            values += [mean, None if mean is None or values[0] is None else mean - values[0]]
        rows.append([kind, *map(_percent, values)])
    return markdown(["class", *columns], rows)


def by_run(results: dict[str, Bench]) -> str:
    """A row per run and system: the shares over all classes, and research minus baseline where it matters."""
    rows = [
        [
            label,
            system,
            *(_percent(groups["overall"][share]) for share in SHARES),
            str(groups["overall"]["failed"]),
        ]
        + [_percent(_group(bench, system, kind)["fact_recall"]) for kind in ("comparison", "multi_hop")]
        for label, bench in results.items()
        for system, groups in sorted(bench.items(), key=lambda item: item[0] == SINGLE_SHOT)
    ]
    named = [share.replace("_", " ") for share in SHARES]
    return markdown(["run", "system", *named, "failed runs", "recall, comparison", "recall, multi-hop"], rows)


def failures(details: Sequence[dict[str, Any]]) -> str:
    """The questions on which a run lost something, one a line."""
    lost = [row for row in details if any(row[share] is not None and row[share] < 1 for share in SHARES)]
    rows = [
        [
            row["run"],
            row["system"],
            row["id"],
            row["lang"],
            row["status"],
            *(_percent(row[s]) for s in SHARES),
        ]
        for row in lost
    ]
    return "## Questions with a loss\n\n" + markdown(
        ["run", "system", "question", "language", "status", *SHARES], rows
    )


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _group(bench: Bench, system: str, kind: str) -> dict[str, Any]:
    groups = bench[system]
    return dict(
        groups["overall"] if kind == "overall" else groups["classes"].get(kind, dict.fromkeys(SHARES))
    )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--system", action="append", help="a system to measure (repeatable)")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(6)), help="default: 0 to 5")
    known = sorted(domains(), key=lambda name: name != "airships")
    parser.add_argument("--domains", nargs="+", default=known, help=f"default: {' '.join(known)}")
    parser.add_argument("--limit", type=int, help="at most so many questions of each class")
    parser.add_argument("--no-renamed", action="store_true", help="leave the renamed run out")
    parser.add_argument("--details", action="store_true", help="list every question with a loss")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    main()
