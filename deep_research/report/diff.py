"""What changed between two reports: claims that are kept, have other numbers, are new or gone; and sources.

Two claims say the same thing when they name the same things in nearly the same words, numbers apart. Of those
that do, the most alike are paired, each once.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from pydantic import Field

from deep_research.core.records import CitedSource, Claim, Record
from deep_research.text.quantities import is_stated, quantities
from deep_research.text.terms import query_terms
from deep_research.text.urls import canonical_url
from deep_research.text.wording import names_in, nfkc

from . import Report

Change = Literal["kept", "changed", "added", "gone"]
_SIGNS: dict[Change, str] = {"changed": "~", "added": "+", "gone": "-"}
_ALIKE = 0.5
"""The share of words, of all that either claim has, that both have."""


class ClaimChange(Record):
    """A claim in the first report, the second, or both; `changed` is one whose numbers or dates differ."""

    change: Change
    before: str | None = None
    after: str | None = None


class SourceChange(Record):
    """A cited source; `number` is its number in the report that has it, the second one where both do."""

    change: Change
    number: int | None
    title: str
    address: str


class ReportDiff(Record):
    """The difference of two reports."""

    before: str = Field(description="the first run")
    after: str = Field(description="the second run")
    claims: list[ClaimChange]
    sources: list[SourceChange]

    def __str__(self) -> str:
        return "\n".join(self._lines())

    __repr__ = __str__

    def _lines(self) -> Iterator[str]:
        yield f"claims: {_counted(self.claims)}"
        for claim in self.claims:
            if claim.change != "kept":
                yield f"{_SIGNS[claim.change]} {claim.before or claim.after}"
            if claim.change == "changed":
                yield f"  → {claim.after}"
        yield f"sources: {_counted(self.sources)}"
        for source in self.sources:
            if source.change != "kept":
                yield f"{_SIGNS[source.change]} [{source.number}] {source.title} {source.address}"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def _counted(changes: Sequence[ClaimChange] | Sequence[SourceChange]) -> str:
    count = Counter(one.change for one in changes)
    return ", ".join(f"{count[change]} {change}" for change in ("kept", *_SIGNS) if count[change]) or "none"


def diff_reports(before: Report, after: Report) -> ReportDiff:
    """What changed from one report to another."""
    return ReportDiff(
        before=before.run_id,
        after=after.run_id,
        claims=_claims(before.claims, after.claims),
        sources=_sources(before.cited, after.cited),
    )


def _claims(before: Sequence[Claim], after: Sequence[Claim]) -> list[ClaimChange]:
    """The claims of the second report in their order, then those that are gone."""
    old, new = [[*dict.fromkeys(claim.text for claim in claims)] for claims in (before, after)]
    likeness = [(_likeness(a, b), i, j) for i, a in enumerate(old) for j, b in enumerate(new)]
    pairs: dict[int, int] = {}
    for alike, i, j in sorted(likeness, key=lambda one: (-one[0], one[1:])):
        if alike >= _ALIKE and j not in pairs and i not in pairs.values():
            pairs[j] = i
    there = [
        _change(old[pairs[j]], text) if j in pairs else ClaimChange(change="added", after=text)
        for j, text in enumerate(new)
    ]
    gone = [text for i, text in enumerate(old) if i not in pairs.values()]
    return [*there, *(ClaimChange(change="gone", before=text) for text in gone)]


def _change(before: str, after: str) -> ClaimChange:
    values = quantities(before), quantities(after)
    same = all(is_stated(one, values[1 - n]) for n in (0, 1) for one in values[n])
    return ClaimChange(change="kept" if same else "changed", before=before, after=after)


def _likeness(one: str, other: str) -> float:
    """1 for the same text, 0 where other things are named; else the share of words that both have."""
    if one == other:
        return 1.0
    if _names(one) != _names(other):
        return 0.0
    words, others = _words(one), _words(other)
    return len(words & others) / max(len(words | others), 1)


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    """The terms of a text without its numbers and dates."""
    plain = nfkc(text)
    for value in reversed(quantities(text)):
        plain = f"{plain[: value.start]} {plain[value.end :]}"
    return frozenset(term for term in query_terms(plain) if not term.isdecimal())


@lru_cache(maxsize=4096)
def _names(text: str) -> frozenset[str]:
    return frozenset(token.word.casefold() for name in names_in(nfkc(text)) for token in name)


def _sources(before: Sequence[CitedSource], after: Sequence[CitedSource]) -> list[SourceChange]:
    old, new = ({_address(source): source for source in sources} for sources in (before, after))
    there: list[tuple[Change, CitedSource]] = [("kept" if at in old else "added", s) for at, s in new.items()]
    gone: list[tuple[Change, CitedSource]] = [("gone", s) for at, s in old.items() if at not in new]
    return [
        SourceChange(change=change, number=one.number, title=one.title, address=_address(one))
        for change, one in [*there, *gone]
    ]


def _address(source: CitedSource) -> str:
    return canonical_url(source.url) if source.url else source.citation_key or source.id
