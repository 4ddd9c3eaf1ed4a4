"""Does research find all documents of a chain? Real multi-hop questions over real documents.

    python -m benchmarks.multihop --data PATH [--limit N] [--workers 2]

PATH holds 2WikiMultiHopQA's `documents.jsonl` and `questions.jsonl`, whose gold documents are complete. The
whole system researches each question with `--docs`, under at most 15 sources (every hit that a model is
shown counts) and 15 searches. A question counts as found when *all* its gold documents are among the
sources, as cited when all are cited, and as answered when the answer stands, without a hedge or a denial,
where a reader looks first (`evaluation/answered.py`). Two baselines search the same index under the same
cap: one query, and one query with a naive follow-up per hit. Intervals are 95 % by bootstrap, paired for the
differences.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from .arguments import new_parser

CAP = 15
RESULTS = 3
FOLLOWED = 5
RESAMPLES = 2000
WAYS = ("one query", "query and follow-ups", "research: found", "research: cited", "research: answered")

_world: dict[str, Any] = {}


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = new_parser(__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with documents.jsonl, questions.jsonl"
    )
    parser.add_argument("--limit", type=int, help="only so many questions of each type")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    options = parser.parse_args()
    print(table(summary(measure(options.data, options.limit, options.workers))))


def measure(data: Path, limit: int | None, workers: int) -> list[dict[str, Any]]:
    """One row per question: its type, and for each way whether all gold documents were there."""
    questions = [json.loads(line) for line in (data / "questions.jsonl").open(encoding="utf-8")]
    kinds = dict.fromkeys(q["type"] for q in questions)
    chosen = [q for kind in kinds for q in [q for q in questions if q["type"] == kind][:limit]]
    with ProcessPoolExecutor(
        workers, initializer=_prepare, initargs=(str(data / "documents.jsonl"),)
    ) as pool:
        return list(pool.map(_ask, chosen, chunksize=8))


def _prepare(documents: str) -> None:
    """Build index and clients once per process."""
    from deep_research.runs.environment import build_environment
    from deep_research.settings import load_settings
    from deep_research.sources.documents import load_documents
    from deep_research.sources.index import build_index

    settings = load_settings(
        {
            "search.docs": documents,
            "search.results": RESULTS,
            "budget.sources": CAP,
            "budget.searches": CAP,
            "scope.clarify": "off",
        }
    )
    _world["settings"], _world["environment"] = settings, build_environment(settings)
    _world["index"] = build_index(load_documents(Path(documents)).documents)


def _ask(question: dict[str, Any]) -> dict[str, Any]:
    """Research one question, and search for it in the two simple ways."""
    from deep_research.evaluation.answered import leads_with
    from deep_research.runs import aresearch

    report = asyncio.run(
        aresearch(
            question["question"],
            settings=_world["settings"],
            environment=_world["environment"],
            keep=False,
        )
    )
    gold = set(question["gold_docs"])
    single = [hit.document.id for hit in _world["index"].search(question["question"], CAP)]
    return {
        "type": question["type"],
        "question": question["question"],
        "one query": gold <= set(single),
        "query and follow-ups": gold <= set(_follow_up(question["question"])),
        "research: found": gold <= {source.citation_key for source in report.sources},
        "research: cited": gold <= {source.citation_key for source in report.cited},
        "research: answered": leads_with([question["answer"]], report.markdown),
        "sources": len(report.sources),
        "searches": report.usage.searches,
        "status": report.status,
    }


def _follow_up(question: str) -> list[str]:
    """Five hits of the question, then the hits of each one's title in turn, until the cap is reached."""
    index = _world["index"]
    first = index.search(question, FOLLOWED)
    found = [hit.document.id for hit in first]
    for hit in first:
        words = f"{hit.document.title} {hit.snippet}"
        found += [other.document.id for other in index.search(words, RESULTS)]
    return list(dict.fromkeys(found))[:CAP]


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Per type: share and interval of each way, and research minus follow-ups, paired."""
    result: dict[str, Any] = {}
    for kind in [*dict.fromkeys(row["type"] for row in rows), "all"]:
        part = [row for row in rows if kind in (row["type"], "all")]
        shares = {way: interval(part, lambda row, way=way: float(row[way])) for way in WAYS}
        gain = interval(part, lambda row: float(row["research: found"]) - float(row["query and follow-ups"]))
        spent = {name: sum(row[name] for row in part) / len(part) for name in ("sources", "searches")}
        most = max(max(row["sources"] for row in part), max(row["searches"] for row in part))
        result[kind] = {"n": len(part), **shares, "gain over follow-ups": gain, **spent, "most": most}
    return result


def interval(
    rows: Sequence[dict[str, Any]], value: Callable[[dict[str, Any]], float]
) -> tuple[float, float, float]:
    """Mean with the bounds of its 95 % bootstrap interval."""
    values = [value(row) for row in rows]
    dice = random.Random(0)
    means = sorted(sum(dice.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES))
    return sum(values) / len(values), means[RESAMPLES // 40], means[-RESAMPLES // 40]


def table(result: dict[str, Any]) -> str:
    """The summary as Markdown."""
    columns = [*WAYS, "gain over follow-ups"]
    lines = [
        "| type | n | " + " | ".join(columns) + " | sources | searches |",
        "|---" * (len(columns) + 4) + "|",
    ]
    for kind, row in result.items():
        cells = [f"{mean:.2f} ({low:.2f}–{high:.2f})" for mean, low, high in (row[name] for name in columns)]
        figures = [f"{row['sources']:.1f}", f"{row['searches']:.1f}"]
        lines.append(f"| {kind} | {row['n']} | " + " | ".join([*cells, *figures]) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
