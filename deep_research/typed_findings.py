"""Typed findings: what a researcher found, statement by statement, each with a source and its own words.

The compressor's text is taken apart by code, so nothing depends on a model's skill with schemas: a statement
is what stands before a citation, its quote is the passage of the cited page that says most of it, and what
cites nothing is no finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypedDict

from .context import Context
from .ledger import by_any_id, statements
from .state import Finding, Source
from .verification.evidence import Wanted, best_window, read, terms_of


class Evidence(TypedDict):
    """A statement and one source that it rests on; plain data, for checkpoints.

    `quote` is verbatim; empty if no passage of the source has anything of the statement.
    """

    branch: str
    claim: str
    quote: str
    source_id: str


def typed(finding: Finding, sources: Sequence[Source], ctx: Context) -> list[Evidence]:
    """The statements of a finding, one entry for each source that one cites; unknown ids are left out."""
    known = by_any_id(sources)
    return [
        Evidence(branch=finding.branch, claim=claim, quote=_quote(claim, known[name], ctx), source_id=name)
        for claim, names in statements(finding.text)
        for name in names
        if name in known
    ]


def _quote(claim: str, source: Source, ctx: Context) -> str:
    """The passage of a source that says most of a claim."""
    text = ctx.store.pages.get(source.content_hash) if source.content_hash else source.snippet
    reading, terms = read(text, source.title), terms_of(claim)
    window = best_window(Wanted(terms, reading)) if terms and reading.passages else None
    if window is None:
        return ""
    return text[reading.passages[window.first].start : reading.passages[window.last].end]


def as_text(evidence: Iterable[Evidence]) -> str:
    """Statements as the writer sees them: a line each, with the ids of all its sources."""
    by_claim: dict[str, list[str]] = {}
    for one in evidence:
        by_claim.setdefault(one["claim"], []).append(one["source_id"])
    return "\n".join(f"- {claim} {_brackets(names)}" for claim, names in by_claim.items())


def _brackets(names: Iterable[str]) -> str:
    return "".join(f"[{name}]" for name in names)
