"""Claims as a table: sentence, what it cites, the verdict with its reasons, and the passage found for it."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence

from ..checks import DOUBTED
from ..state import Claim
from ..text import shorten
from .display import MARK, Display

_HEAD = ("sentence", "cites", "verdict", "reasons", "closest passage")
_QUOTE = 160


def show_claims(claims: Sequence[Claim]) -> Display:
    """The claims of a report or of a verification, in order; the verdict of a doubted one is coloured."""
    counts = Counter(claim.verdict for claim in claims)
    total = ", ".join(f"{counts[verdict]} {verdict}" for verdict in sorted(counts))
    head = f"{len(claims)} claim{'' if len(claims) == 1 else 's'}{': ' if total else ''}{total}"
    columns = "".join(f'<th style="text-align:left">{name}</th>' for name in _HEAD)
    return Display(
        "\n".join([head, *(_lines(claim) for claim in claims)]),
        html=f"<p>{head}</p><table><thead><tr>{columns}</tr></thead><tbody>"
        + "".join(_row(claim) for claim in claims)
        + "</tbody></table>",
    )


def _values(claim: Claim) -> tuple[str, str, str, str, str]:
    """The five cells; the number of the quoted source stands before the passage."""
    cites = "".join(f"[{number}]" for number in claim.sources)
    quote = " ".join((claim.quote or "").split())
    origin = f"[{claim.quoted_from}] " if claim.quoted_from is not None else ""
    found = f"{origin}“{shorten(quote, _QUOTE)}”" if quote else "–"
    return claim.text, cites, claim.verdict, ", ".join(claim.reasons) or "–", found


def _lines(claim: Claim) -> str:
    sentence, cites, verdict, reasons, found = _values(claim)
    return f"{verdict} ({reasons})  {sentence} {cites}\n    {found}"


def _row(claim: Claim) -> str:
    fill = f";background:{MARK};color:#000" if claim.verdict in DOUBTED else ""
    return "<tr>" + "".join(_cell(v, fill if v == claim.verdict else "") for v in _values(claim)) + "</tr>"


def _cell(value: str, fill: str) -> str:
    return f'<td style="text-align:left;vertical-align:top{fill}">{html.escape(value)}</td>'
