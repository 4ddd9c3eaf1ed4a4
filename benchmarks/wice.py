"""Does the score of the claim check tell claims that people call supported from the rest?

    python -m benchmarks.wice DATA [--scifact DATA]      folders with claims.jsonl and claims_train.jsonl

Only the half of each data set is measured that was kept aside when the weights were fitted
(`benchmarks.train_claim_check`) and rules were last set. On WiCE two questions are asked of one score:
supported against the rest, and all others against not supported; on SciFact supported against contradicted.
AUROC needs no threshold; balanced accuracy takes the threshold that is best on four fifths of the claims and
counts on the last fifth, five times. Beside it stands a baseline: the share of the claim's words, weighted by
rarity in the page, in the best window of three sentences. Intervals are 95 % of bootstrap samples. A high
score still only says that the page speaks about the claim.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from deep_research.components.verifier.claims import SourceText, check_claim
from deep_research.components.verifier.claims.evidence import terms_of
from deep_research.text.wording import word_tokens

from .arguments import new_parser
from .clean_claims import wice_rows

FOLDS = 5
SAMPLES = 1000
SUPPORTED = ("supported",)
Row = tuple[str, SourceText, str]
Measure = Callable[[Sequence[float], Sequence[bool]], float]


def main() -> None:
    """Print the tables as Markdown."""
    parser = new_parser(__doc__)
    parser.add_argument("data", type=Path, help="folder with WiCE's claims.jsonl")
    parser.add_argument("--scifact", type=Path, help="folder with SciFact's claims_train.jsonl")
    options = parser.parse_args()
    print(
        "The weights were fitted, and rules were set, on the halves of both sets that are not measured here; "
        "older thresholds, which some rules still have, were set on all of WiCE."
    )
    rows = [row for row in wice_rows(options.data / "claims.jsonl") if is_kept_aside(row[1].text)]
    score(
        "WiCE", rows, {"supported / rest": (SUPPORTED, ()), "rest / not supported": ((), ("not_supported",))}
    )
    if options.scifact:
        rows = [row for row in scifact_rows(options.scifact / "claims_train.jsonl") if is_kept_aside(row[0])]
        score("SciFact", rows, {"supported / contradicted": (SUPPORTED, ("contradicted",))})


def is_kept_aside(text: str) -> bool:
    """Whether a page (or claim) is in the half that no rule was set by."""
    return hashlib.sha256(text[:500].encode()).digest()[0] % 2 == 1


def scifact_rows(path: Path) -> list[Row]:
    """The claims with the abstract and the label."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    texts = ("\n\n".join(sentence.strip() for sentence in row["source_sentences"]) for row in rows)
    return [(row["claim"], SourceText(text), row["label"]) for row, text in zip(rows, texts, strict=True)]


def score(name: str, rows: Sequence[Row], tasks: Mapping[str, tuple[Sequence[str], Sequence[str]]]) -> None:
    """The tables of one data set: the score by task, then what is flagged by label.

    A task tells labels from labels; an empty side is all labels that are not on the other.
    """
    checks = [check_claim(claim, [source]) for claim, source, _ in rows]
    methods = {
        "baseline": [baseline(claim, source) for claim, source, _ in rows],
        "claim check": [check.score for check in checks],
    }
    print(f"\n{name}: {len(rows)} claims, kept aside\n")
    print("| | task | AUROC | balanced accuracy |\n|---|---|---|---|")
    for method, scores in methods.items():
        for task, (right, wrong) in tasks.items():
            told = [
                (scores[i], label in right if right else label not in wrong)
                for i, (_, _, label) in enumerate(rows)
                if not (right and wrong) or label in (*right, *wrong)
            ]
            figures = [
                with_interval(measure, *zip(*told, strict=True)) for measure in (auroc, balanced_accuracy)
            ]
            print(f"| {method} | {task} | {' | '.join(figures)} |", flush=True)
    print("\n| label | n | flagged |\n|---|---|---|")
    for label in dict.fromkeys(label for _, _, label in rows):
        found = [
            check.verdict == "flagged" for check, row in zip(checks, rows, strict=True) if row[2] == label
        ]
        print(f"| {label} | {len(found)} | {with_interval(share, found, found)} |", flush=True)


def share(found: Sequence[float], _: Sequence[bool]) -> float:
    """The share of what is true."""
    return sum(found) / len(found)


def baseline(claim: str, source: SourceText) -> float:
    """The largest weighted share of the claim's stems in three paragraphs (here: sentences) in a row."""
    sentences = [
        {token.term for token in word_tokens(text)} for text in [source.title, *source.text.split("\n\n")]
    ]
    counts = Counter(term for sentence in sentences for term in sentence)
    weights = {term: math.log(1 + len(sentences) / (counts[term] or 0.5)) for term in terms_of(claim)}
    windows = [set().union(*sentences[i : i + 3]) for i in range(len(sentences))]
    best = max(sum(weights[term] for term in weights if term in window) for window in windows)
    return best / sum(weights.values())


def auroc(scores: Sequence[float], truth: Sequence[bool]) -> float:
    """How often a right one scores above a wrong one; equal scores count half."""
    ordered = sorted(range(len(scores)), key=lambda i: scores[i])
    ranks = [0.0] * len(scores)
    first = 0
    while first < len(ordered):
        last = first
        while last + 1 < len(ordered) and scores[ordered[last + 1]] == scores[ordered[first]]:
            last += 1
        for place in range(first, last + 1):
            ranks[ordered[place]] = (first + last) / 2 + 1
        first = last + 1
    right = sum(truth)
    total = sum(rank for rank, is_right in zip(ranks, truth, strict=True) if is_right)
    return (total - right * (right + 1) / 2) / (right * (len(truth) - right))


def balanced_accuracy(scores: Sequence[float], truth: Sequence[bool]) -> float:
    """Mean of the shares of right and of wrong ones told, each fold by the best threshold of the others."""
    folds = [[i for i in range(len(scores)) if i % FOLDS == fold] for fold in range(FOLDS)]
    told: list[tuple[bool, bool]] = []
    for fold in folds:
        inside = set(fold)
        others = [i for i in range(len(scores)) if i not in inside]
        threshold = best_threshold([scores[i] for i in others], [truth[i] for i in others])
        told += [(scores[i] >= threshold, truth[i]) for i in fold]
    return _balance(told)


def best_threshold(scores: Sequence[float], truth: Sequence[bool]) -> float:
    """The threshold with the best balanced accuracy, the lowest of equals; one pass over sorted scores."""
    right, wrong = sum(truth), len(truth) - sum(truth)
    best, most, missed, rejected = float("-inf"), 0.5, 0, 0
    ordered = sorted(zip(scores, truth, strict=True))
    for place, (score, is_right) in enumerate(ordered):
        if place and score > ordered[place - 1][0]:
            accuracy = ((right - missed) / right + rejected / wrong) / 2
            if accuracy > most:
                best, most = score, accuracy
        missed, rejected = missed + is_right, rejected + (not is_right)
    return best


def _balance(told: Sequence[tuple[bool, bool]]) -> float:
    shares = []
    for kind in (True, False):
        answers = [answer == kind for answer, truth in told if truth == kind]
        shares.append(sum(answers) / len(answers))
    return sum(shares) / 2


def with_interval(measure: Measure, scores: Sequence[float], truth: Sequence[bool]) -> str:
    """A measure with its 95 % interval over bootstrap samples."""
    rng = random.Random(0)
    found = []
    for _ in range(SAMPLES):
        chosen = rng.choices(range(len(scores)), k=len(scores))
        found.append(measure([scores[i] for i in chosen], [truth[i] for i in chosen]))
    found.sort()
    low, high = found[int(0.025 * SAMPLES)], found[int(0.975 * SAMPLES)]
    return f"{measure(scores, truth):.3f} ({low:.3f}-{high:.3f})"


if __name__ == "__main__":
    main()
