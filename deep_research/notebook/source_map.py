"""Who found what: from the branch and its query to each source, and whether it was read and cited.

A source stands at the query that found it first; other branches that found it too are named. A query without
a source of its own found nothing, or only what was known already. The map is HTML, since titles and queries
come in any script, and addresses can be followed.
"""

from __future__ import annotations

import html
from collections import Counter
from dataclasses import dataclass, field

from ..report import Report
from ..state import CitedSource
from ..text import shorten
from .display import ACCENT, MUTED, Display, counted
from .sources import title_html
from .timeline import branch_order, branch_title

_MOST_SEEN = 4
"""Of the sources of a query that nobody read, so many are listed; the rest are counted."""
_SIGNS = {"cited": ("●", ACCENT), "read": ("◐", ACCENT), "seen": ("○", MUTED)}
_HEAD = ("branch", "query", "found", "use", "also found by")


@dataclass
class Query:
    """One query of one branch, and the sources that it found first."""

    branch: str
    asked_by: str
    text: str
    sources: list[CitedSource] = field(default_factory=list)
    again: bool = False
    """Another branch has asked the same, and its result was taken over."""

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


def show_source_map(report: Report) -> Display:
    """Which branch and query found which source, what was read, and what the report cites."""
    queries = _queries(report)
    head = _totals(report, queries)
    return Display("\n".join([head, *_lines(queries)]), html=f"<p>{head}</p>{_table(queries)}")


def branch_of(source_id: str) -> str:
    """The branch in a source's id: `S2.3` was found by branch 2, `S1.2.3` by branch 1.2."""
    return source_id.lstrip("S").rpartition(".")[0] or "0"


def _queries(report: Report) -> list[Query]:
    """Queries by branch, each in the order of the run; those that found nothing new stand behind."""
    queries: dict[tuple[str, str], Query] = {}
    for source in sorted(report.sources, key=lambda s: (branch_order(branch_of(s.id)), _counter(s.id))):
        branch, text = branch_of(source.id), source.query or f"({source.tool or 'given'})"
        queries.setdefault((branch, text), Query(branch, source.asked_by, text)).sources.append(source)
    named = {text for _, text in queries}
    for line in report.trace:
        of_a_branch = line.branch != "0" or line.about not in named  # a lone agent's sources have a branch
        if line.kind == "search" and line.about and of_a_branch:
            again = line.status == "reused"
            queries.setdefault(
                (line.branch, line.about), Query(line.branch, line.role, line.about, again=again)
            )
    return sorted(queries.values(), key=lambda query: branch_order(query.branch))


def _counter(source_id: str) -> int:
    last = source_id.rpartition(".")[2]
    return int(last) if last.isdigit() else 0


def _others(source: CitedSource) -> list[str]:
    """The other branches that found a source too."""
    found = {branch_of(alias) for alias in source.aliases} - {branch_of(source.id)}
    return sorted(found, key=branch_order)


def _totals(report: Report, queries: list[Query]) -> str:
    uses = Counter(source.use for source in report.sources)
    return (
        f"{counted(len(report.sources), 'source')} from {counted(len(queries), 'query', 'queries')}: "
        f"{uses['cited']} cited, {uses['read']} read and not cited, {uses['seen']} seen only"
    )


def _lines(queries: list[Query]) -> list[str]:
    """The map in words: branches, their queries, and what each found."""
    lines: list[str] = []
    branch = None
    for query in queries:
        if query.branch != branch:
            branch = query.branch
            lines.append(branch_title(branch))
        lines.append(f"  {query.asked_by or 'nobody'}: “{query.text}”: {_found(query)}")
        lines += [f"    {_source_text(source)}" for source in query.shown]
        lines += [f"    and {query.more} more, seen only"] if query.more else []
    return lines


def _found(query: Query) -> str:
    if query.sources:
        return counted(len(query.sources), "source")
    return "nothing new, another branch had asked" if query.again else "nothing new"


def _source_text(source: CitedSource) -> str:
    others = ", ".join(branch_title(branch) for branch in _others(source))
    return f"{_number(source):4} {source.use:5}  {shorten(source.title, 60)}" + (
        f" (also {others})" if others else ""
    )


def _number(source: CitedSource) -> str:
    return f"[{source.number}]" if source.number is not None else ""


def _table(queries: list[Query]) -> str:
    """A row per source; a branch and a query stand beside all their rows."""
    head = "".join(f'<th style="text-align:left">{name}</th>' for name in _HEAD)
    branches = Counter({query.branch: 0 for query in queries})
    for query in queries:
        branches[query.branch] += _height(query)
    rows: list[str] = []
    begun: set[str] = set()
    for query in queries:
        first = [] if query.branch in begun else [_branch_cell(query, branches[query.branch])]
        begun.add(query.branch)
        first.append(_cell(f"{html.escape(query.text)}{_asked_by(query)}", _height(query)))
        cells = [_source_cells(source) for source in query.shown]
        cells += [_quiet(f"and {query.more} more")] if query.more else []
        cells = cells or [_quiet(_found(query))]
        rows += [f"<tr>{''.join(first)}{cells[0]}</tr>", *(f"<tr>{cell}</tr>" for cell in cells[1:])]
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _height(query: Query) -> int:
    return max(1, len(query.shown) + bool(query.more))


def _branch_cell(query: Query, rows: int) -> str:
    return _cell(f'<b style="white-space:nowrap">{html.escape(branch_title(query.branch))}</b>', rows)


def _asked_by(query: Query) -> str:
    return f'<br><span style="color:{MUTED}">{html.escape(query.asked_by)}</span>' if query.asked_by else ""


def _source_cells(source: CitedSource) -> str:
    sign, colour = _SIGNS[source.use]
    use = f'<span style="white-space:nowrap"><span style="color:{colour}">{sign}</span> {source.use}</span>'
    number = f"<b>{_number(source)}</b> " if source.number is not None else ""
    others = ", ".join(html.escape(branch_title(branch)) for branch in _others(source))
    return _cell(number + title_html(source)) + _cell(use) + _cell(others)


def _quiet(words: str) -> str:
    return _cell(f'<span style="color:{MUTED}">{words}</span>') + _cell("") * 2


def _cell(content: str, rows: int = 1) -> str:
    return f'<td rowspan="{rows}" style="text-align:left;vertical-align:top">{content}</td>'
