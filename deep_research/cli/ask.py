"""`ask` and `resume`: everything between the command and the library's `aresearch` and `aresume`.

The first line is printed before anything slow is imported. Whatever can refuse the start (no question,
settings, documents, keys, a question that the offline web cannot know, no consent to a live run) does so
before there is a run.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..settings import Settings, home
from .options import chosen_settings, chosen_template, run_folder
from .progress import Silent, start_progress
from .show import resume_command, show
from .terminal import InputNeeded, ask_user, somebody_types, tell

if TYPE_CHECKING:
    from ..report import Report

Answer = Callable[[str], str | None]
Start = Callable[[Silent, Answer | None], Coroutine[Any, Any, "Report"]]
"""Starts a run that reports to the given progress and asks the user through the given function, if any."""


def ask(args: argparse.Namespace) -> int:
    """Research a question; the report's status decides the exit status."""
    asked, suggested = chosen_template(args)
    settings = chosen_settings(args, suggested)
    question = read_question(asked or args.question)
    folder = run_folder(args.out)
    if not args.quiet:
        tell(f"deep-research: {in_short(settings)}")
    if not args.yes and (notice := _notice(question, settings)):
        tell(*notice)
        return 2
    from ..environment import build_environment
    from .consent import require_consent

    environment = build_environment(settings)
    tell(*(f"skipped {name}: {reason}" for name, reason in environment.skipped))
    require_consent(settings, args.yes)

    async def start(progress: Silent, answer: Answer | None) -> Report:
        from ..runs import aresearch

        try:
            return await aresearch(
                question,
                settings=settings,
                out=folder,
                answer=answer,
                on_event=progress,
                environment=environment,
            )
        finally:
            await environment.close()

    return _carry_out(start, args, folder)


def resume(args: argparse.Namespace) -> int:
    """Go on with a run; one that is finished is shown again."""
    folder = Path(args.out) if args.out else home()
    if not args.quiet:
        tell(f"deep-research: resuming {args.run_id}")
    from ..bundle import find_run, read_request
    from .consent import require_consent

    require_consent(read_request(find_run(args.run_id, folder)).settings, args.yes)

    async def start(progress: Silent, answer: Answer | None) -> Report:
        from ..runs import aresume

        return await aresume(args.run_id, out=folder, answer=answer, on_event=progress)

    return _carry_out(start, args, folder)


def read_question(given: str | None) -> str:
    """The question: as given, from stdin for `-`, or asked for on a terminal."""
    if given == "-":
        given = sys.stdin.read()
    elif not (given or "").strip() and somebody_types():
        given = ask_user("What do you want to find out?")
    question = (given or "").strip()
    if not question:
        raise InputNeeded(
            "There is no question.",
            'Give one: deep-research ask "…" (`deep-research questions` has samples).',
        )
    return question


def in_short(settings: Settings) -> str:
    """What is about to run, in one line."""
    where = "documents" if settings.search.docs else "+".join(settings.search.providers)
    if settings.is_live():
        mode = f"live, {settings.model_for('researcher')}, {where}"
    else:
        mode = f"offline, {where}" if settings.search.docs else f"offline, seed {settings.web.seed}"
    return f"{mode}, {settings.system} ({', '.join(filter(None, (settings.preset, settings.persona)))})"


def _notice(question: str, settings: Settings) -> list[str]:
    """What to say at once if the invented web would be searched for something it cannot know."""
    if settings.is_live() or settings.search.docs or not {"offline", "arxiv"} & {*settings.search.providers}:
        return []
    from ..offline.handlers import OfflineProvider
    from ..offline.web import build_web
    from .notice import foreign_notice

    web = build_web(settings.web.seed, settings.web.pages, settings.web.domain)
    return foreign_notice(question, web, OfflineProvider(web=web).tavily.index())


def _carry_out(start: Start, args: argparse.Namespace, folder: Path) -> int:
    """Run it with progress, and show what came of it; Ctrl-C says how to go on."""
    progress = start_progress(args.quiet)

    def answer(question: str) -> str | None:
        with progress.paused():
            tell("", question)
            return ask_user("(empty to stop) >")

    try:
        report = asyncio.run(start(progress, answer if somebody_types() else None))
    except KeyboardInterrupt:
        progress.stop()
        run_id = progress.tally.run_id
        go_on = f" Go on with: {resume_command(run_id, args.out)}" if run_id else ""
        tell(f"interrupted{f': run {run_id} is kept.' if run_id else '.'}{go_on}")
        return 130
    finally:
        progress.stop()
    return show(report, folder / report.run_id, as_json=args.json, quiet=args.quiet, out=args.out)
