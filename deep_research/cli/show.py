"""`show`: a report that is kept, in a run folder or a recording. `replay`: a recorded run once more."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from .ask import show_markdown
from .terminal import print_json, tell

if TYPE_CHECKING:
    from deep_research.report import Report

_DIFFERS = 1
"""Exit status of `replay` where the report is not the recorded one."""


def show(args: argparse.Namespace) -> int:
    """Print a report that is kept, or open it as a page in the browser."""
    from deep_research.runs.bundle import find_run, load_report
    from deep_research.runs.recording import read_recording

    given = Path(args.run_id)
    if given.is_file():
        report, folder = read_recording(given).report(), Path(tempfile.mkdtemp(prefix="deep-research-"))
    else:
        folder = find_run(args.run_id, args.out)
        report = load_report(folder)
    _print(report, args.json)
    if args.open:
        page = folder / "report.html"
        page.write_text(report.to_page(), encoding="utf-8", errors="surrogatepass")
        tell(f"opening {page}")
        webbrowser.open(page.absolute().as_uri())
    tell(report.summary())
    return 0


def replay(args: argparse.Namespace) -> int:
    """Make a recorded run again, without a key, and say whether its report is the recorded one."""
    from deep_research.runs import areplay
    from deep_research.runs.recording import read_recording

    kept = read_recording(args.file).report()
    report = asyncio.run(areplay(args.file, out=args.out, keep=bool(args.out)))
    _print(report, args.json)
    if report.markdown != kept.markdown or report.trace != kept.trace:
        tell(f"This is not the recorded report. `deep-research show {args.file}` prints that one.")
        return _DIFFERS
    tell(f"as recorded, {report.summary()}")
    return 0


def _print(report: Report, as_json: bool) -> None:
    if as_json:
        print_json(report.to_json())
    else:
        show_markdown(report)
    sys.stdout.flush()
