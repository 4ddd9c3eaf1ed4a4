"""The report on stdout: rendered on a terminal, plain Markdown when piped, one JSON object if asked for.

What is about the run rather than part of the report (usage, where it is kept, what to do next) goes to
stderr, so that a piped report is exactly the Markdown of the run folder.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .tables import print_json
from .terminal import printable, tell

if TYPE_CHECKING:
    from ..report import Report


def show(report: Report, folder: Path, *, as_json: bool, quiet: bool, out: str | None) -> int:
    """Print a report and what follows from its status; returns the exit status."""
    if as_json:
        print_json(report.to_json())
    elif report.status not in ("failed", "needs_input"):
        _show_markdown(report)
    sys.stdout.flush()
    go_on = resume_command(report.run_id, out)
    if report.status == "failed":
        tell(*(f"error: {error}" for error in report.errors or ["the run failed."]))
        tell(f"What was found is kept in {folder}. Go on with: {go_on}")
    elif report.status == "needs_input":
        tell(
            f"input needed: {report.asked}",
            f"Answer it on a terminal: {go_on}",
            "Or ask again with the answer in the question.",
        )
    elif not quiet:
        tell(report.summary(), f"kept in {folder}")
    return report.exit_status


def resume_command(run_id: str, out: str | None) -> str:
    """The command that goes on with a run."""
    import shlex

    return f"deep-research resume {run_id}" + (f" --out {shlex.quote(out)}" if out else "")


def _show_markdown(report: Report) -> None:
    if not sys.stdout.isatty():
        print(report.markdown, end="" if report.markdown.endswith("\n") else "\n")
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console(emoji=False).print(Markdown(linked(printable(report.markdown), report), hyperlinks=True))


def linked(markdown: str, report: Report) -> str:
    """The Markdown with each citation `[n]` as a link to its source, code left alone."""
    from ..ledger import CITATION, web_url
    from ..text import outside_code

    places = {str(source.number): web_url(source.url or "") for source in report.cited}

    def link(match: re.Match[str]) -> str:
        url = places.get(match[1])
        return rf"[\[{match[1]}\]](<{url}>)" if url else match[0]

    return outside_code(markdown, lambda part: CITATION.sub(link, part))
