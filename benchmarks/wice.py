"""Does the score of the claim check tell supported claims of WiCE from the rest?

    python -m benchmarks.wice DATA        DATA is the folder with wice_dev's claims.jsonl

Two questions are asked of one score: supported against the rest, and all others against not supported. AUROC
needs no threshold; balanced accuracy takes the threshold that is best on four fifths of the claims and counts
on the last fifth, five times. Beside it stands a baseline: the share of the claim's words, weighted by rarity
in the page, in the best window of three sentences. Intervals are 95 % of bootstrap samples. A high score
still only says that the page speaks about the claim.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from deep_research.components.verifier.claims import SourceText, check_claim
from deep_research.components.verifier.claims.evidence import terms_of
from deep_research.components.verifier.claims.wording import word_tokens

from .arguments import new_parser
from .clean_claims import wice_rows

FOLDS = 5
SAMPLES = 1000
Measure = Callable[[Sequence[float], Sequence[bool]], float]


def main() -> None:
    """Print the table as Markdown."""
    parser = new_parser(__doc__)
    parser.add_argument("data", type=Path, help="folder with claims.jsonl")
    rows = wice_rows(parser.parse_args().data / "claims.jsonl")
    labels = [label for _, _, label in rows]
    tasks = {
        "supported / rest": [label == "supported" for label in labels],
        "rest / not supported": [label != "not_supported" for label in labels],
    }
    methods = {
        "baseline": [baseline(claim, source) for claim, source, _ in rows],
        "claim check": [check_claim(claim, [source]).score for claim, source, _ in rows],
    }
    print(f"{len(rows)} claims\n\n| | task | AUROC | balanced accuracy |\n|---|---|---|---|")
    for name, scores in methods.items():
        for task, truth in tasks.items():
            figures = [with_interval(measure, scores, truth) for measure in (auroc, balanced_accuracy)]
            print(f"| {name} | {task} | {' | '.join(figures)} |", flush=True)


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
