"""What a report rests on, as tables: its sources, and its claims with verdicts.

Tables are HTML, since titles and queries come in any script and addresses can be followed. Everything is
escaped, and only http(s) addresses become links.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Sequence

from deep_research.components.verifier.marks import DOUBTED
from deep_research.core.records import USES, CitedSource, Claim
from deep_research.report import Report
from deep_research.text.language import counted, shorten

from .display import HIGHLIGHT, Display

_LEFT = "text-align:left"
_TOP = f"{_LEFT};vertical-align:top"
_QUOTE = 160


def _table(head: str, names: Sequence[str], rows: Iterable[str], left: str = "") -> str:
    """Rows under the names of their columns, of which one (or all) keep to the left."""
    columns = "".join(_cell(name, _LEFT if left in ("", name) else "", "th") for name in names)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<p>{head}</p><table><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>"


def _cell(content: str, style: str = "", tag: str = "td") -> str:
    """A cell of HTML; a style holds whatever the notebook's own says."""
    return f'<{tag} style="{style}">{content}</{tag}>' if style else f"<{tag}>{content}</{tag}>"


def show_sources(report: Report) -> Display:
    """All sources of a report: the cited ones, and the others folded below them."""
    counts = Counter(source.use for source in report.sources)
    total = ", ".join(f"{counts[use]} {use}" for use in reversed(USES))
    head = f"{len(report.sources)} sources: {total}" + (" only" if counts["seen"] else "")
    text = "\n".join([head, *map(_source_line, report.sources)])
    names = ("no.", "title", "tier", "date", "use")
    others = [source for source in report.sources if source.number is None]
    html_ = _table(head, names, map(_source_row, report.cited), "title")
    if others:
        rest = _table("", names, map(_source_row, others), "title")
        html_ += f"<details><summary>{counted(len(others), 'other')}, not cited</summary>{rest}</details>"
    return Display(text, html=html_)


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
