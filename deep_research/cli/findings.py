"""What `verify` found as a list of findings, each with its code and its place in the file; and as SARIF.

SARIF 2.1.0 is what code review tools read to put annotations beside lines. Codes, their meaning and examples
are data in `findings.toml`, for `deep-research codes` and for the rules of a SARIF file.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from deep_research.components.verifier import Verification
from deep_research.components.verifier.citations.runs import originally_cited_sentences
from deep_research.components.verifier.marks import DOUBTED
from deep_research.core.records import Claim
from deep_research.text.blocks import without_fence
from deep_research.text.data import read_data
from deep_research.text.language import shorten

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_QUOTED = 200


class Finding(NamedTuple):
    """A code of `codes()`, what is said, and where: a span of the report as it came."""

    code: str
    message: str
    start: int
    end: int


@cache
def codes() -> dict[str, dict[str, str]]:
    """Every code with `says`, `example` and `level`."""
    return read_data(__file__, "findings.toml")


def what_differs(claim: Claim) -> str:
    """The words of a sentence that its reasons are about, and the closest passage of the cited pages."""
    differs = ", ".join(f"“{words}”" for words in claim.differs)
    parts = [f"Not there: {differs}."] if differs else []
    if claim.quote:
        quote_ = shorten(" ".join(claim.quote.split()), _QUOTED)
        parts.append(f"The closest passage, in [{claim.quoted_from}]: “{quote_}”")
    return " ".join(parts)


def findings(done: Verification, report: str) -> list[Finding]:
    """Everything that was found wrong or could not be checked, in the order of the report as it came."""
    found = [*_of_claims(done, report), *_of_citations(done, report)]
    if done.flag:
        found.append(Finding(done.flag, codes()[done.flag]["says"], 0, len(report.partition("\n")[0])))
    return sorted(found, key=lambda one: one.start)


def _of_claims(done: Verification, report: str) -> Iterator[Finding]:
    """Sentences are the same before and after, in the same order; only their citations changed."""
    inner = without_fence(report)
    shift = max(report.find(inner), 0)
    before = defaultdict[str, deque[tuple[int, int]]](deque)
    for cited in originally_cited_sentences(inner):
        before[cited.text].append((cited.start, cited.end))
    for claim in done.claims:
        start, end = before[claim.text].popleft() if before[claim.text] else (0, 0)
        for code, why in _reasons(claim):
            said = " ".join(filter(None, (codes()[code]["says"], why, what_differs(claim))))
            yield Finding(code, f"“{shorten(claim.text, _QUOTED)}”: {said}", start + shift, end + shift)


def _reasons(claim: Claim) -> Iterator[tuple[str, str]]:
    """The codes of a claim with what a judge said; where a judge read it, its verdict is the finding."""
    known = [reason for reason in claim.reasons if reason in codes()]
    if claim.checked_by == "judge":
        known = [claim.verdict] if claim.verdict in codes() else []
    elif claim.verdict == "uncheckable":
        known = known or ["uncheckable"]
    elif claim.verdict not in DOUBTED:
        known = []
    said = claim.reasons[-1] if claim.checked_by == "judge" and claim.reasons else ""
    yield from ((code, said) for code in known)


def _of_citations(done: Verification, report: str) -> Iterator[Finding]:
    gone = [(one.reason, one.number, one.url or one.citation_key) for one in done.removed]
    gone += [("uncited", one.was or one.number, one.url or one.citation_key) for one in done.uncited]
    for reason, number, name in gone:
        code = "duplicate" if reason.startswith("duplicate_of") else reason
        label = " ".join(filter(None, (f"[{number}]" if number else "", name)))
        yield Finding(code, f"{label}: {codes()[code]['says']}", *_place(report, number, name))


def _place(report: str, number: int | str | None, name: str | None) -> tuple[int, int]:
    """Where an address, a document or else a number stands first; else the beginning."""
    at = report.find(name) if name else -1
    if at >= 0:
        return at, at + len(name or "")
    found = re.search(rf"(?<!\w){re.escape(str(number))}(?!\w)", report) if number else None
    return found.span() if found else (0, 0)


def sarif(found: Sequence[Finding], report: str, path: Path) -> dict[str, Any]:
    """The findings as a SARIF 2.1.0 log with one run."""
    places = {code: place for place, code in enumerate(codes())}
    rules = [
        {
            "id": code,
            "shortDescription": {"text": rule["says"]},
            "help": {"text": f"{rule['says']} For example: {rule['example']}"},
            "defaultConfiguration": {"level": rule["level"]},
        }
        for code, rule in codes().items()
    ]
    driver = {"name": "deep-research verify", "version": version("deep-research"), "rules": rules}
    artifact = {"uri": quote(path.as_posix())}
    results = [
        {
            "ruleId": one.code,
            "ruleIndex": places[one.code],
            "level": codes()[one.code]["level"],
            "message": {"text": one.message},
            "locations": [
                {"physicalLocation": {"artifactLocation": artifact, "region": _region(report, one)}}
            ],
        }
        for one in found
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _region(report: str, one: Finding) -> dict[str, int]:
    """Lines and columns from 1; the end column is behind the last character."""
    region = {}
    for name, place in (("start", one.start), ("end", one.end)):
        region[f"{name}Line"] = report.count("\n", 0, place) + 1
        region[f"{name}Column"] = place - report.rfind("\n", 0, place)
    return region
