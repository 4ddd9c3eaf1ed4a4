"""`fork`, a new run that goes on from one that is kept, and `diff`, what came out otherwise."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from deep_research.settings import home_folder
from deep_research.settings.layers import parse_assignment

from .ask import TerminalAnswer, carry_out
from .progress import Silent
from .terminal import print_json, printable, tell

if TYPE_CHECKING:
    from deep_research.report import Report


def fork(args: argparse.Namespace) -> int:
    """Run a kept run again with something changed."""
    folder = home_folder(args.out)
    if not args.quiet:
        tell(f"deep-research: forking {args.run_id}")
    from deep_research.runs.bundle import find_run
    from deep_research.runs.forks import afork, fork_request

    from .consent import require_answer_and_consent

    settings = dict(parse_assignment(text) for text in args.set)
    if args.model:
        settings["models.model"] = args.model
    brief, edit = (sys.stdin.read() if text == "-" else text or "" for text in (args.brief, args.edit))
    kept = find_run(args.run_id, folder)
    request = fork_request(kept, settings, args.block)
    _tell_unknown(args.block, kept)
    require_answer_and_consent([request.settings], args.yes)

    async def start(progress: Silent, answer: TerminalAnswer | None) -> Report:
        return await afork(
            args.run_id, at=args.at or "", brief=brief, edit=edit, block=args.block, settings=settings,
            out=folder, answer=answer, on_event=progress,
        )  # fmt: skip

    return carry_out(start, args, folder)


def _tell_unknown(block: Sequence[str], folder: Path) -> None:
    """Say which of these addresses is none of the run's sources: blocking it may change nothing."""
    from deep_research.runs.bundle import load_report
    from deep_research.sources.search import is_blocked

    found = load_report(folder).sources if block and (folder / "report.json").exists() else ()
    for one in block if found else ():
        if not any(is_blocked(source, [one]) for source in found):
            tell(f"note: no source of this run is '{one}'.")


def diff_runs(args: argparse.Namespace) -> int:
    """Print what changed from one run's report to another's."""
    from deep_research.runs.forks import diff

    found = diff(args.run_a, args.run_b, out=args.out)
    if args.json:
        print_json(found.model_dump(mode="json"))
    else:
        print(printable(str(found)))
    return 0
