"""What is found of a claim, measured and weighed: how likely the pages speak of it, and say the same.

A claim is supported where the pages speak of all of it and none of it the other way round. Each of the two is
a weighted sum of a few measurements, made a probability by the logistic function; the score is their product.
The weights are in `weights.toml`; `benchmarks.train_claim_check` fits them to claims that people labelled.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from deep_research.text.data import read_data
from deep_research.text.quantities import is_stated, quantities
from deep_research.text.wording import names_in, nfkc, terms_in

from .directions import agreement, opposites
from .found import Evidence

NEARBY = 3
"""Passages on both sides of a window that count as near."""
Weights = Mapping[str, float]
_WEIGHTS: Mapping[str, Weights] = read_data(__file__, "weights.toml")


class Weighed(NamedTuple):
    """How likely the pages speak of a claim, and how likely they say the same of it, from 0 to 1."""

    found: float
    agrees: float

    @property
    def score(self) -> float:
        """How likely both are so."""
        return self.found * self.agrees


def weigh(sentence: str, found: Sequence[Evidence]) -> Weighed:
    """How likely these sources support a sentence."""
    return Weighed(
        likelihood(_WEIGHTS["found"], measure_found(sentence, found)),
        likelihood(_WEIGHTS["agrees"], measure_agreement(sentence, found)),
    )


def likelihood(weights: Weights, measured: Mapping[str, float]) -> float:
    """The weighted sum of what is measured, as a probability."""
    total = weights["always"] + sum(weights[one] * value for one, value in measured.items())
    return 1 / (1 + math.exp(-total))


def measure_found(sentence: str, found: Sequence[Evidence]) -> dict[str, float]:
    """How much of a sentence the sources have near each other, and what names and numbers they lack.

    An amount that is stated in another notation is there with all of its words.
    """
    near = [passage for one in found for passage in one.around(NEARBY)]
    held = [terms for passage in near for terms in (passage.terms, passage.context)]
    values, plain = quantities(sentence), nfkc(sentence)
    said = [value for one in found for passage in one.passages for value in one.values_of(passage)]
    stated = [value for value in values if is_stated(value, said)]
    held += [terms_in(plain[value.start : value.end]) for value in stated if value.unit]
    known = frozenset[str]().union(*held)
    names = [word for name in names_in(sentence, initial=True) for word in name]
    return {
        "near": max(one.wanted.share(known) for one in found),
        "missing_names": sum(word.term not in known for word in names),
        "numbers": len(stated) / len(values) if values else 1.0,
    }


def measure_agreement(sentence: str, found: Sequence[Evidence]) -> dict[str, float]:
    """Whether a sentence says more, less or not, and whether the passages on it say so, too."""
    way = agreement(sentence, [(one.wanted, one.around(0)) for one in found])
    best = max(found, key=lambda one: one.window.share)
    closest = [one.text for one in best.closest() or best.passages]
    opposed = sum(bool(opposites(sentence, text, 0)) for text in closest)
    return {"undirected": float(way is None), "way": way or 0.0, "opposites": opposed / len(closest)}
