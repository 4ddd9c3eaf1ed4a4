"""The sources of a report as a table: number, title, tier, date, and whether it was seen, read or cited."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence

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
    columns = _cells(_HEAD[:1], "th") + _left(_HEAD[1], "th") + _cells(_HEAD[2:], "th")
    return Display(
        "\n".join([head, *(_line(source) for source in report.sources)]),
        html=f"<p>{head}</p><table><thead><tr>{columns}</tr></thead><tbody>"
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
    return _cells([number]) + _left(title_html(source), "td") + _cells([tier, date, use])


def title_html(source: CitedSource) -> str:
    """A source's title, as a link if its address is one of the web, or with its citation key."""
    title = html.escape(source.title)
    if (source.url or "").startswith(("http://", "https://")):
        title = f'<a href="{html.escape(source.url or "", quote=True)}">{title}</a>'
    elif source.citation_key:
        title += f" <code>{html.escape(source.citation_key)}</code>"
    return title


def _left(content: str, tag: str) -> str:
    """A cell of HTML that is aligned with the one above it, whatever the notebook's style says."""
    return f'<{tag} style="text-align:left">{content}</{tag}>'


def _cells(values: Sequence[str], tag: str = "td") -> str:
    return "".join(f"<{tag}>{html.escape(value)}</{tag}>" for value in values)
