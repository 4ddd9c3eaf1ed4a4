"""Fit the weights of the claim check to claims that people labelled, and say how well they do.

    python -m benchmarks.train_claim_check DATA [--write]      DATA is the folder of the real data sets

Two logistic regressions over a few measurements (`claims/weighing.py`). *found* learns from WiCE, where a
partly supported claim counts as found to seven tenths, from SciFact, and from reworded sentences of 2wiki and
of the invented web (other seeds than `benchmarks.corruptions` measures), each with its page and with another.
*agrees* learns from SciFact's supported and contradicted claims, and from those of WiCE that have support.
Only the halves are used that `benchmarks.wice` does not measure. The areas under the curve are
cross-validated: each fifth is scored by weights that the other four gave. `--write` writes the weights of all
five into the package.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Iterator, Mapping, Sequence
from operator import mul
from pathlib import Path
from typing import NamedTuple

from deep_research.components.verifier.claims import weighing
from deep_research.components.verifier.claims.found import SourceText, gather
from deep_research.components.verifier.claims.weighing import Weights

from .arguments import new_parser
from .clean_claims import paraphrased, wice_rows
from .contrasts import lightly, wiki_cases
from .wice import FOLDS, auroc, is_kept_aside, scifact_rows

STEPS = 500
RATE = 2.0
SHRINK = 2.0
PAIRS = 120
PAIR_COUNTS = 0.8
SEEDS = (3, 4)
FOUND = {
    "supported": 1.0,
    "contradicted": 1.0,
    "partially_supported": 0.7,
    "not_supported": 0.0,
    "not_enough_info": 0.0,
}
AGREES = {"supported": 1.0, "contradicted": 0.0, "partially_supported": 1.0}
TASKS = (
    ("WiCE", "supported / rest", ("supported",), ("partially_supported", "not_supported")),
    ("WiCE", "rest / not supported", ("supported", "partially_supported"), ("not_supported",)),
    ("SciFact", "supported / contradicted", ("supported",), ("contradicted",)),
)


class Row(NamedTuple):
    """A labelled claim, measured; `counts` is its weight in the fit."""

    data: str
    label: str
    found: Mapping[str, float]
    agrees: Mapping[str, float]
    counts: float = 1.0


class Example(NamedTuple):
    """What is measured of a claim, how far the statement holds that is learnt, and how much that counts."""

    measured: Mapping[str, float]
    holds: float
    counts: float


def main() -> None:
    """Print the cross-validated table and the weights."""
    parser = new_parser(__doc__)
    parser.add_argument("data", type=Path, help="folder with wice_dev, scifact and 2wiki")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    options = parser.parse_args()
    rows = [row for row in labelled(options.data) if row]
    print(f"{len(rows)} claims\n\n| data | task | AUROC, cross-validated |\n|---|---|---|")
    scores = cross_validated(rows)
    for data, task, right, wrong in TASKS:
        told = [(score, row.label in right) for score, row in zip(scores, rows, strict=True)
                if row.data == data and row.label in (*right, *wrong)]  # fmt: skip
        print(f"| {data} | {task} | {auroc(*zip(*told, strict=True)):.3f} |")
    text = as_toml(fit_both(rows))
    print(f"\n{text}")
    if options.write:
        Path(weighing.__file__).with_name("weights.toml").write_text(text, encoding="utf-8")


def labelled(data: Path) -> Iterator[Row | None]:
    """The claims of the training halves, measured; None for one of whose words the page has none."""
    for claim, source, label in wice_rows(data / "wice_dev" / "claims.jsonl"):
        if not is_kept_aside(source.text):
            yield measured("WiCE", label, claim, source)
    for claim, source, label in scifact_rows(data / "scifact" / "claims_train.jsonl"):
        if not is_kept_aside(claim):
            yield measured("SciFact", label, claim, source)
    yield from pairs([(case.claim, case.sources[0]) for case in paraphrased(SEEDS)])
    wiki = wiki_cases(data / "2wiki" / "documents.jsonl")
    yield from pairs([(said, case.sources[0]) for case in wiki if (said := lightly(case))])


def pairs(reworded: Sequence[tuple[str, SourceText]]) -> Iterator[Row | None]:
    """Sentences in other words, each with a page that says the same and with that of another sentence."""
    kept = [(said, page) for said, page in reworded if not is_kept_aside(page.text)]
    random.Random(0).shuffle(kept)
    for (said, own), (_, other) in zip(kept[:PAIRS], kept[PAIRS:], strict=False):
        yield measured("pairs", "supported", said, own, PAIR_COUNTS)
        if other != own:
            yield measured("pairs", "not_supported", said, other, PAIR_COUNTS)


def measured(data: str, label: str, claim: str, source: SourceText, counts: float = 1.0) -> Row | None:
    """A claim with what is measured of it."""
    sentence, found = gather(claim, [source])
    one = found.get(0)
    if one is None:
        return None
    said, same = weighing.measure_found(sentence, [one]), weighing.measure_agreement(sentence, [one])
    return Row(data, label, said, same, counts)


def cross_validated(rows: Sequence[Row]) -> list[float]:
    """The score of each claim by weights that were fitted without it and others."""
    folds = [random.Random(place).randrange(FOLDS) for place in range(len(rows))]
    placed = list(zip(rows, folds, strict=True))
    fitted = [fit_both([row for row, at in placed if at != fold]) for fold in range(FOLDS)]
    return [
        weighing.likelihood(fitted[fold]["found"], row.found)
        * weighing.likelihood(fitted[fold]["agrees"], row.agrees)
        for row, fold in placed
    ]


def fit_both(rows: Sequence[Row]) -> dict[str, Weights]:
    """The weights of both regressions."""
    found = [Example(row.found, FOUND[row.label], row.counts) for row in rows]
    agrees = [
        Example(row.agrees, AGREES[row.label], 1.0)
        for row in rows
        if row.label in AGREES and row.data != "pairs"
    ]
    return {"found": fit(found), "agrees": fit(agrees)}


def fit(examples: Sequence[Example]) -> Weights:
    """The weights of a logistic regression, by gradient descent; large ones cost a little."""
    names = list(examples[0].measured)
    columns = {name: [one.measured[name] for one in examples] for name in names}
    mean = {name: statistics.fmean(column) for name, column in columns.items()}
    spread = {name: statistics.pstdev(column) or 1.0 for name, column in columns.items()}
    scaled = [[(one.measured[name] - mean[name]) / spread[name] for name in names] for one in examples]
    always, weights = _descend(scaled, examples)
    plain = {name: weight / spread[name] for name, weight in zip(names, weights, strict=True)}
    return {"always": always - sum(plain[name] * mean[name] for name in names), **plain}


def _descend(scaled: Sequence[Sequence[float]], examples: Sequence[Example]) -> tuple[float, list[float]]:
    """What is always added, and the weights of the scaled measurements."""
    rate = RATE / sum(one.counts for one in examples)
    always, weights = 0.0, [0.0] * len(scaled[0])
    for _ in range(STEPS):
        errors = [
            one.counts * (1 / (1 + math.exp(-always - sum(map(mul, weights, values)))) - one.holds)
            for one, values in zip(examples, scaled, strict=True)
        ]
        slopes = [sum(map(mul, errors, column)) for column in zip(*scaled, strict=True)]
        always -= rate * sum(errors)
        weights = [w - rate * (slope + SHRINK * w) for w, slope in zip(weights, slopes, strict=True)]
    return always, weights


def as_toml(fitted: Mapping[str, Weights]) -> str:
    """The weights as the package keeps them."""
    parts = ["# Fitted by benchmarks/train_claim_check.py; what they do is told in weighing.py.\n"]
    for name, weights in fitted.items():
        lines = (f"{one} = {weight:.2f}\n" for one, weight in weights.items())
        parts.append(f"[{name}]\n{''.join(lines)}")
    return "\n".join(parts)


if __name__ == "__main__":
    main()
