"""Every command and option, as argparse knows it. Values are checked later, where their meaning is known.

Options are never abbreviated, so that a new option cannot break a script. A usage error is a `UsageError`
like any other: one line, and the way out.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

from ..errors import UsageError

COMMANDS = {
    "ask": ("ask:ask", "research a question and print the report"),
    "resume": ("ask:resume", "go on with a run that was stopped, failed, or waits for an answer"),
    "runs": ("listing:runs", "list the runs in the run folder"),
    "questions": ("listing:questions", "list the sample questions of the offline web"),
    "serve-offline": ("serve:serve_offline", "serve the offline model and web on this machine"),
    "systems": ("listing:systems", "list the research designs"),
    "presets": ("listing:presets", "show each design's limits, preset by preset"),
    "personas": ("listing:personas", "list the personas: settings under a name, and your own ones"),
    "templates": ("listing:templates", "list the templates: questions to fill in, and your own ones"),
    "settings": ("settings:show_settings", "show every setting, its value and where it comes from"),
    "doctor": ("doctor:doctor", "check this installation and say what a run would use"),
    "verify": ("verify:verify", "check a report of any system against what was retrieved for it"),
    "recheck": ("verify:recheck", "read a saved run's cited pages again and say which claims still hold"),
    "compare": ("compare:compare", "run a grid of questions, systems and settings, and compare"),
    "bench": ("bench:bench", "measure answers on questions with known answers"),
}
"""Command → the function under `deep_research.cli` that carries it out, and what it does."""

_EPILOG = """\
Without a key everything runs offline, on an invented web: `deep-research questions` lists what to ask it.
exit status: 0 complete or partial, 1 failed, 2 refused, 3 no evidence, 4 input needed, 5 rejected
"""


class Parser(argparse.ArgumentParser):
    """An argparse parser that raises a `UsageError` instead of leaving the program."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}.", f"See: {self.prog} --help")


def parse(argv: Sequence[str]) -> argparse.Namespace | None:
    """The arguments, with `run` naming the command's function; None if they asked for the version only."""
    parser = build_parser()
    first = argv[0] if argv else ""
    if first and not first.startswith("-") and first not in COMMANDS:
        near = difflib.get_close_matches(first, COMMANDS, n=1)
        hint = f"Did you mean '{near[0]}'?" if near else f"One of: {', '.join(COMMANDS)}."
        raise UsageError(f"Unknown command '{first}'.", hint)
    args, unknown = parser.parse_known_args(argv)
    if unknown:
        _refuse(unknown[0], f"deep-research {args.command or ''}".strip(), args.usage if args.command else "")
    if args.version:
        from importlib.metadata import version

        print(version("deep-research"))
        return None
    if not args.command:
        parser.print_help(sys.stderr)
        raise UsageError("No command was given.", 'For example: deep-research ask "…"')
    _refuse_blank(args)
    return args


def _refuse_blank(args: argparse.Namespace) -> None:
    """Refuse an option whose value is blank, as a shell makes it of a variable that is not set."""
    for name, value in vars(args).items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, str) and not value.strip() and f"{option} " in args.usage:
            raise UsageError(f"{option} has no value.", "Leave it out, or say which one.")


def _refuse(option: str, command: str, usage: str) -> NoReturn:
    """Refuse what the command does not take, naming the nearest option."""
    near = difflib.get_close_matches(option.partition("=")[0], re.findall(r"--[\w-]+", usage), n=1)
    hint = f"Did you mean '{near[0]}'?" if near else f"See: {command} --help"
    raise UsageError(f"`{command}` does not take '{option}'.", hint)


def build_parser() -> Parser:
    """The parser of all commands."""
    parser = Parser(
        prog="deep-research",
        description="Deep research agents that cite what they read.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="print the version and leave")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    added = {}
    for name, (run, summary) in COMMANDS.items():
        added[name] = commands.add_parser(
            name, help=summary, description=_sentence(summary), allow_abbrev=False
        )
        added[name].set_defaults(run=run)
    _ask(added["ask"])
    _resume(added["resume"])
    _listings(added)
    _choices(added["settings"])
    added["settings"].add_argument("--json", action="store_true", help="print one JSON object")
    _choices(added["doctor"])
    _serve(added["serve-offline"])
    _verify(added["verify"])
    _recheck(added["recheck"])
    _compare(added["compare"])
    _bench(added["bench"])
    for subparser in added.values():
        subparser.set_defaults(usage=subparser.format_usage())
    return parser


def _sentence(summary: str) -> str:
    return f"{summary[0].upper()}{summary[1:]}."


def _ask(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "question", nargs="?", metavar="QUESTION", help="what to find out; - reads it from stdin"
    )
    parser.add_argument(
        "--template", metavar="NAME", help="a question to fill in; `deep-research templates` lists them"
    )
    parser.add_argument(
        "--var",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="a variable of the template, for example company=Acme (repeatable)",
    )
    _choices(parser)
    parser.add_argument("--model", metavar="SPEC", help="offline, or provider:name such as openai:gpt-5-mini")
    evidence = parser.add_mutually_exclusive_group()
    evidence.add_argument(
        "--docs", metavar="PATH", help="research only these documents: a folder, file or JSONL"
    )
    evidence.add_argument("--search", metavar="NAME[,NAME]", help="offline, tavily, arxiv or none")
    parser.add_argument(
        "--knowledge",
        metavar="PATH",
        action="append",
        default=[],
        help="notes of your own to look up beside the search: a folder or file (repeatable)",
    )
    parser.add_argument(
        "--budget",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="a cap, for example cost_usd=1 (repeatable)",
    )
    parser.add_argument(
        "--yes",
        action="store_true",
        help="start without asking: live, or on a subject foreign to the offline web",
    )
    _output(parser)


def _verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("report", metavar="REPORT.md", help="the report, Markdown")
    parser.add_argument(
        "--sources",
        metavar="SOURCES.json",
        required=True,
        help="what was retrieved: a list of {url or citation_key, title, text}",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="take exact matches of addresses only (the setting verifier.mode=strict is about sentences)",
    )
    _fail_on_flagged(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _recheck(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bundle", metavar="BUNDLE", help="the folder of a run, or its id")
    parser.add_argument("--out", metavar="DIR", help="the folder with all runs")
    parser.add_argument("--yes", action="store_true", help="read live pages without asking")
    _fail_on_flagged(parser)
    parser.add_argument("--json", action="store_true", help="print a JSON list")


def _fail_on_flagged(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fail-on-flagged",
        action="store_true",
        help="exit with 1 if a citation was removed or a sentence is not confirmed",
    )


def _resume(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_id", metavar="RUN_ID", help="the run, as `deep-research runs` lists it")
    parser.add_argument("--yes", action="store_true", help="go on live without asking")
    _output(parser)


def _choices(parser: argparse.ArgumentParser) -> None:
    """Options that choose settings."""
    parser.add_argument("--system", metavar="NAME", help="which design; `deep-research systems` lists them")
    parser.add_argument(
        "--preset",
        metavar="NAME",
        help="quick, medium, deep or auto: the design's limits; `deep-research presets` shows them",
    )
    parser.add_argument(
        "--persona", metavar="NAME", help="how to report, such as speed; `deep-research personas` lists them"
    )
    parser.add_argument(
        "--settings", metavar="FILE", help="settings as TOML (default: deep-research.toml here)"
    )
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="one setting; `deep-research settings` lists them all (repeatable)",
    )


def _output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the report")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    parser.add_argument(
        "--out", metavar="DIR", help="the run folder (default: $DEEP_RESEARCH_HOME, else ./runs)"
    )


def _listings(added: dict[str, Parser]) -> None:
    added["runs"].add_argument("--out", metavar="DIR", help="the run folder")
    added["questions"].add_argument(
        "kind", nargs="?", metavar="CLASS", help="only this class, such as multi_hop"
    )
    added["questions"].add_argument("--seed", type=int, metavar="N", help="of another offline web")
    added["questions"].add_argument("--domain", metavar="NAME", help="of an offline web about something else")
    for name in ("runs", "questions", "systems", "presets", "personas", "templates"):
        added[name].add_argument("--json", action="store_true", help="print JSON")


def _serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="a loopback address (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8765, help="0 takes a free one (default: %(default)s)")
    parser.add_argument("--docs", metavar="PATH", help="serve these documents in place of the invented web")
    parser.add_argument("--seed", type=int, metavar="N", help="which invented web (default: 0)")
    parser.add_argument("--pages", type=int, metavar="N", help="how many pages it has (default: 150)")
    parser.add_argument("--latency-ms", type=int, default=0, metavar="N", help="wait before each answer")


def _compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("grid", metavar="GRID.toml", help="questions or classes, systems, settings, variants")
    parser.add_argument("--out", metavar="DIR", help="also write rows, tables and pictures into this folder")
    parser.add_argument(
        "--fresh", action="store_true", help="run every cell, whatever was kept, and keep none"
    )
    parser.add_argument("--json", action="store_true", help="print the rows as JSON instead of the tables")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    parser.add_argument("--yes", action="store_true", help="start live runs without asking")


def _bench(parser: argparse.ArgumentParser) -> None:
    benches = parser.add_subparsers(dest="bench", metavar="WHAT", required=True)
    samples = benches.add_parser(
        "samples",
        help="the offline web's sample questions",
        description="Measure answers on the sample questions.",
    )
    samples.add_argument(
        "--system", metavar="NAME", action="append", default=[], help="a design (repeatable)"
    )
    samples.add_argument("--seed", type=int, default=0, metavar="N", help="which invented web (default: 0)")
    samples.add_argument("--domain", default="airships", metavar="NAME", help="what it is about")
    samples.add_argument("--json", action="store_true", help="print one JSON object")
