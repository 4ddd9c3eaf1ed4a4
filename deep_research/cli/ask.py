"""`ask` and `resume`: everything between the command and the library's `aresearch` and `aresume`.

The first line is printed before anything slow is imported. Whatever can refuse the start (no question,
settings, documents, keys, a question that the offline web cannot know, no consent to a live run) does so
before there is a run. The report goes to stdout: rendered on a terminal, plain Markdown when piped, one JSON
object if asked for. What is about the run (usage, where it is kept, what to do next) goes to stderr, so that
a piped report is exactly the Markdown of the run folder.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deep_research.core.errors import UsageError
from deep_research.settings import Settings, home_folder
from deep_research.settings.layers import parse_assignment

from .options import chosen_settings, chosen_template, run_folder, settings_of_follow_up
from .progress import Silent, start_progress
from .terminal import InputNeeded, ask_user, finishing_on_ctrl_c, print_json, printable, somebody_types, tell

if TYPE_CHECKING:
    from deep_research.report import Report
    from deep_research.runs.environment import Environment


PARTIAL = 6
"""Exit status, with `--fail-on partial`, where a part of the question is not answered."""
TerminalAnswer = Callable[[str], str | None]
StartRun = Callable[[Silent, TerminalAnswer | None], Coroutine[Any, Any, "Report"]]
"""Starts a run that reports to the given progress and asks the user through the given function, if any."""


def ask(args: argparse.Namespace) -> int:
    """Research a question; the report's status decides the exit status."""
    asked, suggested = chosen_template(args)
    folder = run_folder(args.out)
    settings = settings_of_follow_up(args, folder) if args.after else chosen_settings(args, suggested)
    question = read_question(asked or args.question)
    if not args.quiet:
        tell(f"deep-research: {in_short(settings)}")
    if settings.is_recorded():
        return carry_out(_start_of(question, settings, folder, None, args), args, folder)
    if settings.web.chaos:
        from deep_research.runs.offline import planned_faults

        planned_faults(settings.web)
    refusal, notes = _notices(question, settings) if not args.after else ([], [])
    if refusal and not args.yes:
        tell(*refusal)
        return 2
    tell(*notes)
    from deep_research.runs.environment import build_environment
    from deep_research.sources.documents import by_reason

    from .consent import require_consent
    from .doctor import servers

    environment = build_environment(settings)
    tell(*(f"skipped {names}: {reason}" for names, reason, _ in by_reason(environment.skipped)))
    for check in servers(settings):
        if check.name == "address":
            raise UsageError(check.text)
        tell(*[f"note: {check.name} {check.text}"][check.ok is True :])
    require_consent([settings], args.yes)
    return carry_out(_start_of(question, settings, folder, environment, args), args, folder)


def _start_of(
    question: str, settings: Settings, folder: Path, environment: Environment | None, args: argparse.Namespace
) -> StartRun:
    async def start(progress: Silent, answer: TerminalAnswer | None) -> Report:
        from deep_research.runs import aresearch

        try:
            return await aresearch(
                question, settings=settings, after=args.after or "", out=folder, answer=answer,
                on_event=progress, environment=environment, record=args.record,
            )  # fmt: skip
        finally:
            if environment:
                await environment.close()

    return start


def resume(args: argparse.Namespace) -> int:
    """Go on with a run; one that is finished is shown again."""
    folder = home_folder(args.out)
    if not args.quiet:
        tell(f"deep-research: resuming {args.run_id}")
    from deep_research.runs import finished_report, resumed_request
    from deep_research.runs.bundle import find_run

    from .consent import require_answer_and_consent

    changed = dict(parse_assignment(text) for text in args.set)
    kept = find_run(args.run_id, folder)
    if not finished_report(kept):
        require_answer_and_consent([resumed_request(kept, changed).settings], args.yes)
    elif not args.quiet:
        tell("It is finished: this is its report, and nothing is sent.")

    async def start(progress: Silent, answer: TerminalAnswer | None) -> Report:
        from deep_research.runs import aresume

        return await aresume(args.run_id, settings=changed, out=folder, answer=answer, on_event=progress)

    return carry_out(start, args, folder)


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
            'Give one: deep-research ask "…", or - to read stdin (`deep-research questions` has samples).',
        )
    if os.path.isfile(question.removeprefix("@")):
        raise UsageError(
            f"'{question}' is a file.",
            f"To ask what it says: deep-research ask - < {question.removeprefix('@')}",
        )
    return question


def in_short(settings: Settings) -> str:
    """What is about to run, in one line."""
    if settings.is_recorded():
        return f"a replay, {settings.models['model']}"
    where = "documents" if settings.search.docs else "+".join(settings.search.providers)
    if settings.is_live():
        mode = f"live, {settings.model_for('researcher')}, {where}"
    else:
        mode = f"offline, {where}" if settings.search.docs else f"offline, seed {settings.web.seed}"
    return f"{mode}, {settings.system} ({', '.join(filter(None, (settings.preset, settings.persona)))})"


def _notices(question: str, settings: Settings) -> tuple[list[str], list[str]]:
    """For the invented web: why it cannot know what is asked, which stops the run; and what else to say."""
    from deep_research.runs.environment import invents_all

    if not invents_all(settings) or settings.knowledge.paths:  # whose notes may know what the web does not
        return [], []
    from deep_research.runs.greeting import greets
    from deep_research.runs.offline import invented_web
    from deep_research_offline.provider import OfflineProvider

    from .notice import foreign_notice, near_note, sample_lines

    web = invented_web(settings.web)
    if greets(question):
        return [], ["You can ask, for example:", *sample_lines(web, question)]
    index = OfflineProvider(web=web).tavily.index()
    return foreign_notice(question, web, index), near_note(question, web, index)


def carry_out(start: StartRun, args: argparse.Namespace, folder: Path) -> int:
    """Run it with progress, and show what came of it; a second Ctrl-C leaves, and says how to go on."""
    progress = start_progress(args.quiet)

    def answer(question: str) -> str | None:
        with progress.paused():
            tell("", question)
            return ask_user("(empty to stop; more lines: paste them, or end each with \\) >", several=True)

    try:
        with finishing_on_ctrl_c():
            report = asyncio.run(start(progress, answer if somebody_types() else None))
    except KeyboardInterrupt:
        progress.stop()
        run_id = progress.tally.run_id
        go_on = f" Go on with: {resume_command(run_id, args.out)}" if run_id else ""
        tell(f"interrupted{f': run {run_id} is kept.' if run_id else '.'}{go_on}")
        return 130
    finally:
        progress.stop()
    return show(report, folder / report.run_id, args)


def show(report: Report, folder: Path, args: argparse.Namespace) -> int:
    """Print a report and what follows from its status; returns the exit status."""
    if args.json:
        print_json(report.to_json())
    elif report.status != "needs_input" and (report.sources or report.status != "failed"):
        show_markdown(report)
    sys.stdout.flush()
    go_on = resume_command(report.run_id, args.out)
    if report.status == "failed":
        tell(*(f"error: {error}" for error in report.errors or ["the run failed."]))
        tell(f"What was found is kept in {folder}. Go on with: {go_on}")
    elif report.status == "needs_input":
        tell(
            f"input needed: {report.asked}",
            f"Answer it on a terminal: {go_on}",
            "Or ask again with the answer in the question.",
        )
    elif not args.quiet:
        from .consent import against_forecast

        tell(
            report.summary(),
            *against_forecast(report),
            f"kept in {folder}; as a page: {folder / 'report.html'}",
        )
    return PARTIAL if report.status == args.fail_on else report.exit_status


def resume_command(run_id: str, out: str | None) -> str:
    """The command that goes on with a run."""
    import shlex

    return f"deep-research resume {run_id}" + (f" --out {shlex.quote(out)}" if out else "")


def show_markdown(report: Report) -> None:
    if not sys.stdout.isatty():
        print(report.markdown, end="" if report.markdown.endswith("\n") else "\n")
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console(emoji=False).print(Markdown(linked(printable(report.markdown), report), hyperlinks=True))


def linked(markdown: str, report: Report) -> str:
    """The Markdown with each citation `[n]` as a link to its source, code left alone."""
    from deep_research.sources.citations import NUMBER_CITATION, web_url
    from deep_research.text.language import outside_code

    places = {str(source.number): web_url(source.url or "") for source in report.cited}

    def link(match: re.Match[str]) -> str:
        url = places.get(match[1])
        return rf"[\[{match[1]}\]](<{url}>)" if url else match[0]

    return outside_code(markdown, lambda part: NUMBER_CITATION.sub(link, part))
