"""The sources of a report as a table: number, title, tier, date, and whether it was seen, read or cited."""

from __future__ import annotations

import html
from collections import Counter

from ..report import Report
from ..state import USES, CitedSource
from ..text import shorten
from .display import Display

_HEAD = ("no.", "title", "tier", "date", "use")


def show_sources(report: Report) -> Display:
    """All sources of a report, the cited ones first; only http(s) addresses become links."""
    counts = Counter(source.use for source in report.sources)
    total = ", ".join(f"{counts[use]} {use}" for use in reversed(USES))
    head = f"{len(report.sources)} sources: {total}" + (" only" if counts["seen"] else "")
    return Display(
        "\n".join([head, *(_line(source) for source in report.sources)]),
        html=f"<p>{head}</p><table><thead><tr>{_cells(_HEAD, 'th')}</tr></thead><tbody>"
        + "".join(f"<tr>{_row(source)}</tr>" for source in report.sources)
        + "</tbody></table>",
    )


def _values(source: CitedSource) -> tuple[str, str, str, str]:
    number = str(source.number) if source.number is not None else "–"
    return number, source.tier, source.published or "undated", source.use


def _line(source: CitedSource) -> str:
    number, tier, date, use = _values(source)
    return f"{number:>3}  {shorten(source.title, 52):52}  {tier:13} {date:10}  {use}"


def _row(source: CitedSource) -> str:
    number, tier, date, use = _values(source)
    title = html.escape(source.title)
    if (source.url or "").startswith(("http://", "https://")):
        title = f'<a href="{html.escape(source.url or "", quote=True)}">{title}</a>'
    elif source.citation_key:
        title += f" <code>{html.escape(source.citation_key)}</code>"
    aligned = f'<td style="text-align:left">{title}</td>'
    return _cells([number]) + aligned + _cells([tier, date, use])


def _cells(values: list[str] | tuple[str, ...], tag: str = "td") -> str:
    return "".join(f"<{tag}>{html.escape(value)}</{tag}>" for value in values)
