"""How well and how fast the index finds, on data sets that stand beside the project.

    python -m benchmarks.retrieval --data PATH [--weights 1,3,5,8]

PATH holds `scifact/` (claims against abstracts: nDCG@10) and `2wiki/` (Wikipedia paragraphs: does the name
of a person or a film find its own paragraph among the first three, alone and followed by a relation such as
"date of birth"). `--weights` repeats the table for other title weights: so was the default chosen. Speed is
processor time, for ranking alone and for whole answers of ten documents with their snippets, so that other
work on the machine counts for little; it still varies from machine to machine, the other columns do not.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from deep_research.sources.index import NO_FILTERS, TITLE_WEIGHT, Document, Index, build_index
from deep_research.text.terms import query_terms

from .arguments import new_parser

SPEEDS = ("index s", "rankings/s", "queries/s")
COLUMNS = ("title weight", *SPEEDS, "nDCG@10", "name@1", "name@3", "name+relation@3")


def main() -> None:
    """Print the table as Markdown."""
    parser = new_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with scifact/ and 2wiki/")
    parser.add_argument("--weights", default="", help="comma-separated title weights instead of the default")
    arguments = parser.parse_args()
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|")
    for weight in [float(text) for text in arguments.weights.split(",") if text] or [TITLE_WEIGHT]:
        print("| " + " | ".join(row(arguments.data, weight)) + " |", flush=True)


def row(data: Path, weight: float) -> list[str]:
    """Measure the index at one title weight."""
    abstracts = documents(data / "scifact" / "documents.jsonl")
    started = time.process_time()
    index = build_index(abstracts, title_weight=weight)
    seconds = time.process_time() - started
    quality, ranking, speed = claims(index, data / "scifact" / "queries.jsonl")
    wiki = documents(data / "2wiki" / "documents.jsonl")
    names, relations = entity_queries(wiki, data / "2wiki" / "questions.jsonl")
    index = build_index(wiki, title_weight=weight)
    shares = [found(index, names, 1), found(index, names, 3), found(index, relations, 3)]
    figures = [f"{quality:.3f}", *(f"{share:.3f}" for share in shares)]
    return [f"{weight:g}", f"{seconds:.2f}", f"{ranking:.0f}", f"{speed:.0f}", *figures]


def claims(index: Index, path: Path) -> tuple[float, float, float]:
    """Mean nDCG@10 over the validation claims; rankings and whole answers per second of processor time."""
    queries = [query for query in lines(path) if query["split"] == "validation"]
    started = time.process_time()
    for query in queries:
        index._rank(query_terms(query["question"]), 10, NO_FILTERS)
    ranking = len(queries) / (time.process_time() - started)
    started = time.process_time()
    answers = [[hit.document.id for hit in index.search(query["question"], 10)] for query in queries]
    speed = len(queries) / (time.process_time() - started)
    gains = [ndcg(answer, query["gold_docs"]) for answer, query in zip(answers, queries, strict=True)]
    return sum(gains) / len(gains), ranking, speed


def ndcg(answer: Sequence[str], gold: Sequence[str], depth: int = 10) -> float:
    """Discounted gain of the gold documents found, as a share of the best possible one."""
    gain = sum(1 / math.log2(rank + 2) for rank, key in enumerate(answer[:depth]) if key in gold)
    return gain / sum(1 / math.log2(rank + 2) for rank in range(min(depth, len(gold))))


def entity_queries(
    wiki: Sequence[Document], path: Path
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """(query, id of the paragraph about it) for each entity of the evidence: its name; name and relation.

    What stands in brackets behind a title ("Oliver Drake (filmmaker)") is left out, as in a real question.
    """
    titles = {document.id: document.title.lower() for document in wiki}
    triples = {
        (re.sub(r"\s*\(.*?\)", "", subject), relation, gold)
        for question in lines(path)
        for subject, relation, _ in question["evidence"]
        for gold in question["gold_docs"]
        if titles[gold] == subject.lower()
    }
    names = sorted({(name, gold) for name, _, gold in triples})
    return names, sorted((f"{name} {relation}", gold) for name, relation, gold in triples)


def found(index: Index, queries: Sequence[tuple[str, str]], depth: int) -> float:
    """Share of queries whose paragraph is among the first `depth` hits."""
    hits = sum(gold in [hit.document.id for hit in index.search(query, depth)] for query, gold in queries)
    return hits / len(queries)


def documents(path: Path) -> list[Document]:
    """The documents of a data set."""
    return [Document(line["id"], line["title"], line["text"]) for line in lines(path)]


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


if __name__ == "__main__":
    main()
