"""Sentences whose every citation was taken out: they look like the writer's own words, and are not.

A citation that nobody retrieved goes, and what it stood behind stays. Such a sentence is found again by its
words, since the removal of citations changes nothing else in it, and its place among those with equal words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from .claims import CitedSentence

LOST = "citation_removed"
"""The reason with which such a sentence is flagged."""


def lost_citations(before: Iterable[CitedSentence], after: Sequence[CitedSentence]) -> list[CitedSentence]:
    """The sentences of `after` that cite nothing, and cited something in `before`.

    `before` are the cited sentences of the report as it came, `after` all of the report as it is now.
    """
    missing = Counter(said.text for said in before)
    missing.subtract(Counter(said.text for said in after if said.numbers))
    found = []
    for said in after:
        if not said.numbers and missing[said.text] > 0:
            missing[said.text] -= 1
            found.append(said)
    return found
