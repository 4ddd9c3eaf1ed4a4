"""What a report rests on, as tables: its sources, the map of who found them, and its claims with verdicts.

Tables are HTML, since titles and queries come in any script and addresses can be followed. Everything is
escaped, and only http(s) addresses become links.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from deep_research.components.verifier.marks import DOUBTED
from deep_research.core.records import USES, CitedSource, Claim
from deep_research.report import Report
from deep_research.text.language import shorten

from .display import ACCENT, HIGHLIGHT, MUTED, Display, counted
from .timeline import branch_order, branch_title

_LEFT = "text-align:left"
_TOP = f"{_LEFT};vertical-align:top"
_QUOTE = 160
_MOST_SEEN = 4
"""Of the sources of a query that nobody read, so many are listed; the rest are counted."""
_SIGNS = {"cited": ("●", ACCENT), "read": ("◐", ACCENT), "seen": ("○", MUTED)}


def _table(head: str, names: Sequence[str], rows: Iterable[str], left: str = "") -> str:
    """Rows under the names of their columns, of which one (or all) keep to the left."""
    columns = "".join(_cell(name, _LEFT if left in ("", name) else "", "th") for name in names)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<p>{head}</p><table><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>"


def _cell(content: str, style: str = "", tag: str = "td") -> str:
    """A cell of HTML; a style holds whatever the notebook's own says."""
    return f'<{tag} style="{style}">{content}</{tag}>' if style else f"<{tag}>{content}</{tag}>"


def show_sources(report: Report) -> Display:
    """All sources of a report, the cited ones first."""
    counts = Counter(source.use for source in report.sources)
    total = ", ".join(f"{counts[use]} {use}" for use in reversed(USES))
    head = f"{len(report.sources)} sources: {total}" + (" only" if counts["seen"] else "")
    text = "\n".join([head, *map(_source_line, report.sources)])
    names = ("no.", "title", "tier", "date", "use")
    return Display(text, html=_table(head, names, map(_source_row, report.sources), "title"))


def _source_values(source: CitedSource) -> tuple[str, str, str, str]:
    number = str(source.number) if source.number is not None else "–"
    return number, source.tier, source.published or "undated", source.use


def _source_line(source: CitedSource) -> str:
    number, tier, date, use = _source_values(source)
    return f"{number:>3}  {shorten(source.title, 52):52}  {tier:13} {date:10}  {use}"


def _source_row(source: CitedSource) -> str:
    number, *others = (_cell(html.escape(value)) for value in _source_values(source))
    return "".join([number, _cell(_title(source), _LEFT), *others])


def _title(source: CitedSource) -> str:
    """A source's title, as a link if its address is one of the web, or with its citation key."""
    title = html.escape(source.title)
    if (source.url or "").startswith(("http://", "https://")):
        title = f'<a href="{html.escape(source.url or "", quote=True)}">{title}</a>'
    elif source.citation_key:
        title += f" <code>{html.escape(source.citation_key)}</code>"
    return title


def show_claims(claims: Sequence[Claim]) -> Display:
    """The claims of a report or of a verification, in order; the verdict of a doubted one is coloured."""
    counts = Counter(claim.verdict for claim in claims)
    total = ", ".join(f"{counts[verdict]} {verdict}" for verdict in sorted(counts))
    head = f"{counted(len(claims), 'claim')}{': ' if total else ''}{total}"
    names = ("sentence", "cites", "verdict", "reasons", "closest passage")
    text = "\n".join([head, *map(_claim_lines, claims)])
    return Display(text, html=_table(head, names, map(_claim_row, claims)))


def _claim_values(claim: Claim) -> tuple[str, str, str, str, str]:
    """The five cells; the number of the quoted source stands before the passage."""
    cites = "".join(f"[{number}]" for number in claim.sources)
    quote = " ".join((claim.quote or "").split())
    origin = f"[{claim.quoted_from}] " if claim.quoted_from is not None else ""
    found = f"{origin}“{shorten(quote, _QUOTE)}”" if quote else "–"
    return claim.text, cites, claim.verdict, ", ".join(claim.reasons) or "–", found


def _claim_lines(claim: Claim) -> str:
    sentence, cites, verdict, reasons, found = _claim_values(claim)
    return f"{verdict} ({reasons})  {sentence} {cites}\n    {found}"


def _claim_row(claim: Claim) -> str:
    fill = f";background:{HIGHLIGHT};color:#000" if claim.verdict in DOUBTED else ""
    return "".join(
        _cell(html.escape(value), _TOP + (fill if value == claim.verdict else ""))
        for value in _claim_values(claim)
    )


@dataclass
class _Query:
    """One query of one branch, and what it found first; `again` if another branch had asked it already."""

    branch: str
    asked_by: str
    text: str
    sources: list[CitedSource] = field(default_factory=list)
    again: bool = False

    @property
    def shown(self) -> list[CitedSource]:
        """Cited sources first, then read ones, and a few that were only seen."""
        seen = [source for source in self.sources if source.use == "seen"]
        known = [source for source in self.sources if source.use != "seen"]
        known.sort(key=lambda source: (source.use != "cited", source.number or 0))
        return [*known, *seen[:_MOST_SEEN]]

    @property
    def more(self) -> int:
        """How many sources are not listed."""
        return len(self.sources) - len(self.shown)

    @property
    def found(self) -> str:
        """How many sources it found."""
        if self.sources:
            return counted(len(self.sources), "source")
        return "nothing new, another branch had asked" if self.again else "nothing new"


def show_source_map(report: Report) -> Display:
    """Which branch and query found which source, what was read, and what the report cites.

    A source stands at the query that found it first; other branches that found it too are named. A query
    without a source of its own found nothing, or only what was known already.
    """
    queries = _queries(report)
    uses = Counter(source.use for source in report.sources)
    head = (
        f"{counted(len(report.sources), 'source')} from {counted(len(queries), 'query', 'queries')}: "
        f"{uses['cited']} cited, {uses['read']} read and not cited, {uses['seen']} seen only"
    )
    names = ("branch", "query", "found", "use", "also found by")
    text = "\n".join([head, *_map_lines(queries)])
    return Display(text, html=_table(head, names, _map_rows(queries)))


def _queries(report: Report) -> list[_Query]:
    """Queries by branch, each in the order of the run; those that found nothing new stand behind."""
    queries: dict[tuple[str, str], _Query] = {}
    for source in sorted(report.sources, key=lambda source: branch_order(source.id.lstrip("S"))):
        branch, text = _branch_of(source.id), source.query or f"({source.tool or 'given'})"
        queries.setdefault((branch, text), _Query(branch, source.asked_by, text)).sources.append(source)
    named = {text for _, text in queries}
    for line in report.trace:
        of_a_branch = line.branch != "0" or line.about not in named  # a lone agent's sources have a branch
        if line.kind == "search" and line.about and of_a_branch:
            query = _Query(line.branch, line.role, line.about, again=line.status == "reused")
            queries.setdefault((line.branch, line.about), query)
    return sorted(queries.values(), key=lambda query: branch_order(query.branch))


def _branch_of(source_id: str) -> str:
    """The branch in a source's id: `S2.3` was found by branch 2, `S1.2.3` by branch 1.2."""
    return source_id.lstrip("S").rpartition(".")[0] or "0"


def _others(source: CitedSource) -> str:
    """The other branches that found a source too."""
    found = {_branch_of(alias) for alias in source.aliases} - {_branch_of(source.id)}
    return ", ".join(branch_title(branch) for branch in sorted(found, key=branch_order))


def _map_lines(queries: list[_Query]) -> list[str]:
    """The map in words: branches, their queries, and what each found."""
    lines: list[str] = []
    branch = None
    for query in queries:
        if query.branch != branch:
            branch = query.branch
            lines.append(branch_title(branch))
        lines.append(f"  {query.asked_by or 'nobody'}: “{query.text}”: {query.found}")
        lines += [f"    {_found_line(source)}" for source in query.shown]
        lines += [f"    and {query.more} more, seen only"] if query.more else []
    return lines


def _found_line(source: CitedSource) -> str:
    others = _others(source)
    line = f"{_number(source):4} {source.use:5}  {shorten(source.title, 60)}"
    return f"{line} (also {others})" if others else line


def _number(source: CitedSource) -> str:
    return f"[{source.number}]" if source.number is not None else ""


def _map_rows(queries: list[_Query]) -> list[str]:
    """A row per source; its branch and its query stand in the first row that has them."""
    rows: list[str] = []
    branch = None
    for query in queries:
        title = "" if query.branch == branch else f"<b>{html.escape(branch_title(query.branch))}</b>"
        branch = query.branch
        asked = f"{html.escape(query.text)}<br>{_grey(html.escape(query.asked_by))}"
        found = [_found_cells(source) for source in query.shown]
        found += [_quiet(f"and {query.more} more")] if query.more else []
        first, *rest = found or [_quiet(query.found)]
        rows += [_cell(title, f"{_TOP};white-space:nowrap") + _cell(asked, _TOP) + first]
        rows += [_cell("") * 2 + cells for cells in rest]
    return rows


def _found_cells(source: CitedSource) -> str:
    sign, colour = _SIGNS[source.use]
    use = f'<span style="white-space:nowrap"><span style="color:{colour}">{sign}</span> {source.use}</span>'
    number = f"<b>{_number(source)}</b> " if source.number is not None else ""
    return "".join(_cell(cell, _TOP) for cell in (number + _title(source), use, html.escape(_others(source))))


def _quiet(words: str) -> str:
    return _cell(_grey(words), _TOP) + _cell("") * 2


def _grey(words: str) -> str:
    return f'<span style="color:{MUTED}">{words}</span>'
