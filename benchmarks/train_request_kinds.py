"""Fit the weights that tell what kind of report a request asks for, and say how well they do.

    python -m benchmarks.train_request_kinds [--write]

A softmax regression over the features of `deep_research_offline/model/kinds.py`, on requests that people with
different subjects in mind wrote (`data/requests.jsonl`), and on wordings of look-ups from the first webs of
`data/phrasings.toml`. Of the runs of words those are kept that occur often in requests and tell most. Of
the requests that only serve as a measure half were looked at in development, half are kept aside. `--write`
writes the weights into the package.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from deep_research_offline.model.kinds import KINDS, LOOKUP, features, kind_of

from .arguments import new_parser

DATA = Path(__file__).parent / "data"
WEIGHTS = Path(__file__).parent.parent / "deep_research_offline" / "model" / "kinds.toml"
WEBS = 4
STEPS, RATE, SHRINK = 200, 0.05, 0.5
OFTEN, COMMON, MOST_RUNS = 6, 16, 700
"""In how many requests a run of words has to occur, and each of its words, and how many runs are kept."""


class Request(NamedTuple):
    """A request and its kind; "report" where only that is known."""

    text: str
    kind: str
    part: str


def main() -> None:
    """Print the table of what is told right; with `--write` fit the weights first."""
    parser = new_parser(__doc__)
    parser.add_argument(
        "--write", action="store_true", help="fit the weights, and write them into the package"
    )
    options = parser.parse_args()
    asked = requests()
    if options.write:
        weights = fit([one for one in asked if one.part == "train"] + 2 * look_ups())
        known = WEIGHTS.read_text(encoding="utf-8").split("\n[weights]")[0]
        WEIGHTS.write_text(f"{known}\n{as_toml(weights)}", encoding="utf-8")
        return
    print(table(asked))


def requests() -> list[Request]:
    """The requests of the data file."""
    lines = (DATA / "requests.jsonl").read_text(encoding="utf-8").splitlines()
    return [Request(**json.loads(line)) for line in lines]


def look_ups() -> list[Request]:
    """The wordings of the sample questions in the webs that serve for training."""
    webs = tomllib.loads((DATA / "phrasings.toml").read_text(encoding="utf-8"))["web"][:WEBS]
    return [
        Request(text, LOOKUP, "train") for web in webs for all_ in web["phrasings"].values() for text in all_
    ]


def fit(asked: Sequence[Request]) -> dict[str, list[float]]:
    """The weights of each feature for each kind; of the runs of words only those that tell most."""
    measured = [features(one.text) for one in asked]
    often = Counter(name for one in requests() if one.part == "train" for name in features(one.text))

    def is_kept(name: str) -> bool:  # a word of one subject says nothing of what is asked
        run = name.removeprefix("said ")
        said = run.split() if run.isascii() else []
        common = all(often[f"said {word}"] >= COMMON for word in said if word not in "^$")
        return run == name or (often[name] >= OFTEN and common)

    names = sorted(filter(is_kept, {name for one in measured for name in one}))
    weights = descend(asked, measured, names)
    runs = sorted((n for n in names if n.startswith("said ")), key=lambda n: -np.abs(weights[n]).max())
    return descend(asked, measured, [name for name in names if name not in set(runs[MOST_RUNS:])])


def descend(
    asked: Sequence[Request], measured: Sequence[Mapping[str, float]], names: Sequence[str]
) -> dict[str, list[float]]:
    """The weights by gradient descent (Adam); large ones cost."""
    values = np.array([[one.get(name, 0.0) for name in names] for one in measured], dtype=np.float32)
    held = np.eye(len(KINDS), dtype=np.float32)[[KINDS.index(one.kind) for one in asked]]
    weights = np.zeros((len(names), len(KINDS)), dtype=np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        scores = values @ weights
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        slope = values.T @ (shares / shares.sum(axis=1, keepdims=True) - held) + SHRINK * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return {name: [float(one) for one in row] for name, row in zip(names, weights, strict=True)}


def as_toml(weights: Mapping[str, Sequence[float]]) -> str:
    """The weights as the package keeps them."""
    rows = [f'"{name}" = [{", ".join(f"{weight:.2f}" for weight in row)}]' for name, row in weights.items()]
    return "\n".join([f"[weights]  # of {', '.join(KINDS)}", *rows, ""])


def table(asked: Sequence[Request]) -> str:
    """How many requests of each part are told right."""
    lines = [
        "| requests | n | reports seen as reports | their kind right | look-ups taken for reports |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for part in ("train", "looked_at", "kept_aside"):
        reports = [one for one in asked if one.part == part and one.kind != LOOKUP]
        single = [one for one in asked if one.part == part and one.kind == LOOKUP]
        seen = sum(bool(kind_of(one.text)) for one in reports) / len(reports)
        right = sum(kind_of(one.text) == one.kind for one in reports) / len(reports)
        wrong = sum(bool(kind_of(one.text)) for one in single) / len(single)
        kinds = "–" if reports[0].kind == "report" else f"{right:.1%}"
        name = part.replace("_", " ")
        lines.append(f"| {name} | {len(reports) + len(single)} | {seen:.1%} | {kinds} | {wrong:.1%} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
