"""Citation verification: every citation of a report leads to something that was retrieved, or it goes.

`verify_citations` takes a Markdown report of any system and the list of what was retrieved. It looks up
each entry of the reference list and each inline address (`matching`), takes out what has no source with the
reason, closes the gaps in the numbering, and keeps an audit trail. Edits are local: outside citations and
list no character changes, except for what the sanitizer takes out. Nothing raises on malformed input, and a
second run changes nothing more.

Reasons of removal: `url_not_in_registry`, `citation_key_not_in_registry`, `duplicate_of_<number>`,
`unverifiable` (no address at all, or a number that leads to no entry). Numbers in `removed` are those of the
report as it came, numbers in `kept` those of the report as it is returned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from ..state import Record
from .citation_pass import CitationPass, Flag, Kept, RemovedCitation, Repaired
from .matching import Mode, SourceIndex, VerifySource
from .report_parser import parse_report
from .sanitizer import KINDS, strip_addresses, strip_tool_tags

__all__ = ["CitationResult", "VerifySource", "parse_report", "verify_citations"]

_PASSES = 4


class CitationResult(Record):
    """The report after verification, and everything that was done to it.

    `flagged` is True where the citations could not be verified, and `flag` says why: there is no recognisable
    reference list and no citation carries its own address, nothing in the text cites the list, or nothing was
    left. `uncited` are kept entries that nobody cites: they may be true, so they stay. `cited` pairs each
    number in use with the place of its source in the list that was handed in.
    """

    report: str
    kept: list[Kept] = Field(default_factory=list)
    removed: list[RemovedCitation] = Field(default_factory=list)
    repaired: list[Repaired] = Field(default_factory=list)
    sanitized: dict[str, int] = Field(default_factory=dict)
    flagged: bool = False
    flag: Flag | None = None
    cited: list[tuple[int | str, int]] = Field(default_factory=list)
    uncited: list[Kept] = Field(default_factory=list)


def verify_citations(
    markdown: str, sources: Sequence[VerifySource | Mapping[str, Any]], *, mode: Mode = "lenient"
) -> CitationResult:
    """Check all citations of a report against what was retrieved, and return it without the false ones.

    `sources` are records or mappings with `url` or `citation_key`. In strict mode only exact matches count.
    Takes time linear in the report and in the number of sources.
    """
    index = SourceIndex(sources, mode)
    result = CitationResult(report=markdown, sanitized=dict.fromkeys(KINDS, 0))
    numbering: dict[str, str] = {}
    for _ in range(_PASSES):
        text, tags = strip_tool_tags(result.report)
        once = CitationPass(text, index, numbering)
        text, dirt = strip_addresses(once.report(), lambda url: index.match_url(url) is not None)
        result.sanitized["tool_tags"] += tags
        for kind in KINDS:
            result.sanitized[kind] += dirt[kind] + once.dirt.count(kind)
        result.removed += once.removed
        result.repaired += once.repaired
        result.kept = _with_first_levels(once.kept, result.kept)
        result.uncited = [kept for kept in result.kept if kept.place in once.uncited]
        result.cited, result.flag = once.cited, result.flag or once.flag()
        numbering = once.numbering
        if text == result.report:
            break
        result.report = text
    result.flagged = result.flag is not None
    return result


def _with_first_levels(kept: Sequence[Kept], before: Sequence[Kept]) -> list[Kept]:
    """A repaired address matches exactly the next time; the level that counts is the first."""
    first = {old.url or old.citation_key: old for old in before}
    known = [first.get(new.url or new.citation_key, new) for new in kept]
    return [
        new.model_copy(update={"level": old.level, "matched": old.matched})
        for new, old in zip(kept, known, strict=True)
    ]
