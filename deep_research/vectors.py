"""Vectors without a model: words and letter groups, hashed to numbers and weighted by how rare they are.

Honestly named, these `hashed-ngrams` are no semantic embedding. They see that "citations" and "cited", or
"organisation" and "organization", are near each other, which a keyword index does not; they do not see that
"car" and "automobile" are. In return they need no download, no key and no library, are the same bytes on
every machine, and work for Chinese and Japanese. Another embedding needs only the same two functions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from zlib import crc32

from .terms import is_cjk, query_terms

Vector = dict[int, float]
BUCKETS = 2**18
_GROUPS = (3, 4, 5)
_WHOLE_WORD = 2.0
"""How much more a whole word counts than one of its letter groups."""


class HashedNgrams:
    """Vectors for a fixed set of passages; queries are weighted by the same rarities."""

    name = "hashed-ngrams"

    def __init__(self, passages: Sequence[str]) -> None:
        counted = [_features(text) for text in passages]
        spread = Counter(bucket for features in counted for bucket in features)
        self._rarity = {bucket: math.log((1 + len(counted)) / (1 + n)) + 1 for bucket, n in spread.items()}
        self._vectors = [self._weighted(features) for features in counted]

    def nearest(self, query: str, k: int) -> list[tuple[int, float]]:
        """The `k` nearest passages as (place, cosine), nearest first, equal ones by place."""
        wanted = self._weighted(_features(query))
        scored = [(place, _dot(wanted, vector)) for place, vector in enumerate(self._vectors)]
        return sorted(scored, key=lambda one: (-one[1], one[0]))[:k]

    def _weighted(self, features: Counter[int]) -> Vector:
        """Unit length; what occurs in no passage weighs as much as what occurs in one."""
        rarest = max(self._rarity.values(), default=1.0)
        vector = {b: (1 + math.log(n)) * self._rarity.get(b, rarest) for b, n in features.items() if n > 0}
        length = math.sqrt(sum(weight * weight for weight in vector.values()))
        return {bucket: weight / length for bucket, weight in vector.items()} if length else {}


def _features(text: str) -> Counter[int]:
    """How often each bucket is met by the words of a text and the letter groups inside them."""
    found: Counter[int] = Counter()
    for term in _words(text):
        found[_bucket(f"={term}")] += int(_WHOLE_WORD)
        if not is_cjk(term):
            edged = f"<{term}>"
            for size in _GROUPS:
                found.update(_bucket(edged[i : i + size]) for i in range(len(edged) - size + 1))
    return found


def _words(text: str) -> Iterable[str]:
    """Every content word of a text, paragraph by paragraph, since a query's terms are capped."""
    for paragraph in text.split("\n"):
        yield from query_terms(paragraph)


def _bucket(feature: str) -> int:
    return crc32(feature.encode()) % BUCKETS


def _dot(one: Vector, other: Vector) -> float:
    small, large = (one, other) if len(one) < len(other) else (other, one)
    return sum(weight * large[bucket] for bucket, weight in sorted(small.items()) if bucket in large)
