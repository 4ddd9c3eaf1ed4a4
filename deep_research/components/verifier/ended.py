"""What a report says is so, and a page says was so: "the master is X" below "from 2039 to 2045 it was X".

A page that is out of date says of the present what has ended, and a sentence that repeats it has evidence. So
each statement in the present is looked for in all that was read: a passage with all of its words in the past,
for a time with an end, shows that it is so no longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from deep_research.core.records import Claim
from deep_research.text.quantities import quantities
from deep_research.text.wording import names_in, nfkc, terms_in

from .claims.evidence import SourcePassage, SourceReading, WantedTerms, terms_of
from .claims.found import told_in

_PRESENT = re.compile(
    r"\b(?:is|are|has|have|current(?:ly)?|present(?:ly)?|now|today|still|since)\b|现|現|目前|今"
)
_PAST = re.compile(r"\b(?:was|were|had|served|held)\b|曾|だった|でした")
_ENDS = re.compile(
    r"\b(?:to|and|until|till) (\d{4})\b(?! \w*\d)|\d{4}[–-](\d{4})\b|[至到](\d{4})年|(\d{4})年まで"
)
_SAID = 0.85
"""The share of a statement's weight, but for words for the present, with which a passage says the same."""


def flag_ended(claims: Iterable[Claim], readings: Sequence[SourceReading]) -> None:
    """Flag the statements that say of the present what one of the pages read gives an end for."""
    for claim in claims:
        if claim.verdict == "evidence_found" and (ended := _ended(nfkc(claim.text), readings)):
            claim.verdict, claim.reasons = "flagged", ["date", f"“{ended.text}”"]


def _ended(sentence: str, readings: Iterable[SourceReading]) -> SourcePassage | None:
    """A passage in which what a sentence says of the present has ended."""
    names = terms_in(" ".join(word.word for run in names_in(sentence, initial=True) for word in run))
    amounts = (sentence[one.start : one.end] for one in quantities(sentence) if not one.date)
    own, terms = names | terms_in(" ".join(amounts)), terms_of(_PRESENT.sub(" ", sentence))
    if not _PRESENT.search(sentence) or _PAST.search(sentence) or not (names and terms):
        return None
    for reading in readings:
        wanted = WantedTerms(terms, reading)
        same = [reading.passages[n] for n in wanted.places if wanted.share(wanted.terms_at(n)) >= _SAID]
        same = [one for one in same if names <= one.terms | one.context and own & one.terms]
        told = [nfkc(told_in(one)) for one in same]
        if any(_PRESENT.search(text) and not _PAST.search(text) for text in told):
            continue  # it was so before, and is so again
        for passage, text in zip(same, told, strict=True):
            if _tells_of_end(text, sentence) and (names <= passage.terms or not _other(passage, names)):
                return passage
    return None


def _other(passage: SourcePassage, names: frozenset[str]) -> frozenset[str]:
    """What a passage names besides; then what stands above it may not be what it speaks of."""
    runs = names_in(nfkc(passage.text), initial=True)
    return terms_in(" ".join(word.word for run in runs for word in run)) - names


def _tells_of_end(told: str, sentence: str) -> bool:
    """Whether a passage tells of the past alone, up to an end that the sentence does not name itself."""
    end = _ENDS.search(told)
    ended = end is not None and end[end.lastindex or 0] not in sentence
    return ended and _PAST.search(told) is not None and not _PRESENT.search(told)
