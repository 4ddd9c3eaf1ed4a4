"""Every command and option as a table, which argparse reads. Values are checked later, where they are used.

Options are never abbreviated, so that a new option cannot break a script. A usage error is a `UsageError`
like any other: one line, and the way out.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from deep_research.core.errors import UsageError, nearest_hint

COMMANDS = {
    "ask": ("ask:ask", "research a question and print the report"),
    "resume": ("ask:resume", "continue a run that was stopped, failed, or waits for an answer"),
    "fork": ("fork:fork", "run a kept run again with something changed; what stays is not paid twice"),
    "diff": ("fork:diff_runs", "compare the reports of two runs, claim by claim and source by source"),
    "runs": ("listing:runs", "list the runs in the run folder"),
    "show": ("show:show", "print the report of a run, or of a recording, or open it in the browser"),
    "replay": ("show:replay", "make a recorded run again: the same report, without a key"),
    "questions": ("listing:questions", "list the sample questions of the offline web"),
    "serve-offline": ("serve:serve_offline", "serve the offline model and web on this machine"),
    "systems": ("listing:systems", "list the research designs"),
    "presets": ("listing:presets", "show each design's limits, preset by preset"),
    "personas": ("listing:personas", "list the personas: settings under a name, and your own ones"),
    "templates": ("listing:templates", "list the templates: questions to fill in, and your own ones"),
    "settings": ("listing:show_settings", "show every setting, its value and where it comes from"),
    "doctor": ("doctor:doctor", "check this installation and say what a run would use"),
    "verify": ("verify:verify_file", "check a report of any system against what was retrieved for it"),
    "codes": ("listing:codes", "list what `verify` can find: its codes, their meaning, an example each"),
    "recheck": ("verify:recheck", "read a saved run's cited pages again and say which claims still hold"),
    "compare": ("compare:compare_grid", "run a grid of questions, systems and settings, and compare"),
    "bench": ("compare:bench", "measure answers on questions with known answers"),
}
"""Command → the function under `deep_research.cli` that carries it out, and what it does."""

_SETTINGS = """
--system NAME         which design; `deep-research systems` lists them
--preset NAME         small, quick, medium, deep or auto: limits; `deep-research presets` shows them
--persona NAME        how to report, such as speed; `deep-research personas` lists them
--settings FILE       settings as TOML (default: deep-research.toml here)
--set KEY=VALUE ...   one setting; `deep-research settings` lists them all (repeatable)
"""
_WORLD = """
--model SPEC          offline, local, provider:name such as openai:gpt-5-mini, or recorded:FILE
--docs PATH |         research only these documents: a folder, file or JSONL
--search NAME[,NAME] |   offline, tavily, arxiv or none
"""
_OUTPUT = """
--json                print one JSON object instead of the report
--quiet               no progress on stderr
--out DIR             the run folder (default: $DEEP_RESEARCH_HOME, else ./runs)
"""
_FAIL_ON = """
--fail-on partial     exit with 6 if the report is partial: a part of the question is not answered
"""
_FLAGGED = """
--fail-on-flagged     exit with 1 if a citation was removed or a sentence is not confirmed
"""
_LISTING = """
--json                print JSON
"""

OPTIONS = {
    "ask": f"""
QUESTION ?            what to find out; - reads it from stdin
--template NAME       a question to fill in; `deep-research templates` lists them
--var NAME=VALUE ...  a variable of the template, for example company=Acme (repeatable)
--after RUN_ID        a question about that run's report: its settings hold, its pages are looked at first
{_SETTINGS}{_WORLD}
--knowledge PATH ...  your own notes to look up beside the search: a folder, file or name (repeatable)
--budget KEY=VALUE ...   a cap, for example cost_usd=1 (repeatable)
--chaos SEED[:RATE]   faults on purpose, offline: this share of all requests fails (default: .1)
--record PATH         also write the run as a recording, which `replay` makes again: a .json file or a folder
--yes                 start without asking: live, or on a subject foreign to the offline web
{_FAIL_ON}{_OUTPUT}""",
    "resume": f"""
RUN_ID                the run, as `deep-research runs` lists it
--set KEY=VALUE ...   one setting, such as base_url or call_timeout (repeatable)
--yes                 continue a live run without asking
{_FAIL_ON}{_OUTPUT}""",
    "fork": f"""
RUN_ID                the run to start from
--at STEP             ask anew from here on: a role, such as writer, or a call's id in trace.jsonl
--brief TEXT          what the brief writer answers instead; - reads it from stdin
--edit TEXT           what the step answers instead (for a plan: its JSON); - reads it from stdin
--block ADDRESS ...   a page, document or host that must not be used (repeatable)
--model SPEC          another model for all roles; one role's is --set models.ROLE=SPEC
--set KEY=VALUE ...   one setting (repeatable)
--yes                 start a live run without asking
{_FAIL_ON}{_OUTPUT}""",
    "diff": f"""
RUN_A                 the first run
RUN_B                 the second one
--out DIR             the folder with all runs
{_LISTING}""",
    "runs": f"""
--out DIR             the run folder
{_LISTING}""",
    "show": """
RUN_ID                the run, by its id or folder; or a recording
--out DIR             the folder with all runs
--open                open it as a page in the browser
--json                print one JSON object
""",
    "replay": """
FILE                  what `ask --record` has written
--out DIR             keep the run in this folder
--json                print one JSON object
""",
    "questions": f"""
KIND ?                only this class, such as multi_hop
--seed N              of another offline web
--domain NAME         of an offline web about something else
{_LISTING}""",
    "serve-offline": """
--host ADDRESS (127.0.0.1)   a loopback address
--port N (8765)       0 takes a free one
--docs PATH           serve these documents in place of the invented web
--seed N              which invented web (default: 0)
--pages N             how many pages it has (default: 212)
--latency-ms N        milliseconds to wait before each answer (default: 0)
""",
    "systems": _LISTING,
    "presets": _LISTING,
    "personas": _LISTING,
    "templates": _LISTING,
    "settings": f"{_SETTINGS}{_LISTING}",
    "doctor": f"{_SETTINGS}{_WORLD}",
    "verify": f"""
REPORT.md             the report, Markdown; or a run of ours, by its id or folder
--sources SOURCES.json   what was retrieved: a list of {{url or citation_key, title, text}}
--out DIR             the folder with all runs
--strict              accept only exact matches of addresses (verifier.mode=strict is about sentences)
--judge MODEL         let a model read each cited sentence, too, such as openai:gpt-5-mini
--yes                 ask a live model without asking you
{_FLAGGED}
--json |              print one JSON object
--format NAME |       text, json, or sarif for annotations in code review
""",
    "codes": _LISTING,
    "recheck": f"""
RUN_ID                the run, or its folder
--out DIR             the folder with all runs
--yes                 read live pages without asking
{_FLAGGED}
--json                print a JSON list
""",
    "compare": """
GRID.toml             questions or classes, systems, settings, variants
--out DIR             also write rows, tables and pictures into this folder
--chaos SEED[:RATE]   faults on purpose in every offline run
--fresh               run every cell, whatever was kept, and keep none
--json                print the rows as JSON instead of the tables
--quiet               no progress on stderr
--yes                 start live runs without asking
""",
    "bench": """
samples               the only benchmark so far: the offline web's sample questions
--system NAME ...     a design (repeatable)
--seed N (0)          which invented web
--domain NAME (airships)   what it is about
--json                print one JSON object
""",
}
"""Command → its arguments, a line each: the name, the placeholder of a value (`N` is a number), and the help.

A placeholder in small letters is the one value that there is. Behind it `?` may be left out, `...` may be
repeated, `(…)` is the default, and `|` excludes the others that are marked so.
"""

_LINE = re.compile(r"(\S+)(?: ([^\s?|(.]\S*))?(?: ([?|]|\.\.\.|\(\S+\)))?  +(.+)")
_PLAIN = {
    r"^argument (\S+): invalid int value: (.+)": r"\1 takes a whole number, not \2",
    r"^argument (\S+): expected one argument": r"\1 has no value",
    r"^the following arguments are required:": "not given:",
    r"^argument (\S+): not allowed with argument (\S+)": r"\2 and \1 exclude each other",
    r"^argument (?=-)": "",
}
"""What argparse says → the same for people."""
_EPILOG = """\
Without a key everything runs offline, on an invented web: `deep-research questions` lists what to ask it.
exit status: 0 complete or partial, 1 failed, 2 refused, 3 no evidence, 4 input needed, 5 rejected,
6 partial with --fail-on partial
"""


class _Once(argparse._StoreAction):
    """Stores the value of an option, and refuses a second one: the first would be lost without a word."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        if option_string and getattr(namespace, self.dest) not in (self.default, values):
            raise argparse.ArgumentError(self, "it is given twice, and takes one value")
        super().__call__(parser, namespace, values, option_string)


class Parser(argparse.ArgumentParser):
    """An argparse parser that raises a `UsageError` instead of leaving the program."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.register("action", None, _Once)

    def error(self, message: str) -> NoReturn:
        for pattern, plain in _PLAIN.items():
            message = re.sub(pattern, plain, message)
        raise UsageError(f"{message}.", f"See: {self.prog} --help")


def parse(argv: Sequence[str]) -> argparse.Namespace | None:
    """The arguments, with `run` naming the command's function; None if they asked for the version only."""
    parser = build_parser()
    first = argv[0] if argv else ""
    if first and not first.startswith("-") and first not in COMMANDS:
        raise UsageError(f"Unknown command '{first}'.", nearest_hint(first, COMMANDS))
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
            raise UsageError(f"{option} has no value.", "Leave it out, or give one.")


def _refuse(option: str, command: str, usage: str) -> NoReturn:
    """Refuse what the command does not take, naming the nearest option."""
    if not option.startswith("-"):
        raise UsageError(f"`{command}` does not take '{option}'.", 'Put several words into quotes: "…"')
    hint = nearest_hint(option.partition("=")[0], re.findall(r"--[\w-]+", usage), f"See: {command} --help")
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
    for name, (run, summary) in COMMANDS.items():
        described = f"{summary[0].upper()}{summary[1:]}."
        command = commands.add_parser(name, help=summary, description=described, allow_abbrev=False)
        _add_arguments(command, OPTIONS[name])
        command.set_defaults(run=run, usage=command.format_usage())
    return parser


def _add_arguments(parser: argparse.ArgumentParser, table: str) -> None:
    """Add the arguments that an entry of `OPTIONS` describes."""
    exclusive = parser.add_mutually_exclusive_group() if " |  " in table else parser
    for line in filter(None, table.splitlines()):
        name, value, mark, about = re.fullmatch(_LINE, line).groups()  # type: ignore[union-attr]
        given: dict[str, Any] = {"help": about}
        if value:
            given |= {"metavar": value, "type": int if value == "N" else str}
            given |= {"choices": [value]} if value.islower() else {}
        elif name.startswith("--"):
            given["action"] = "store_true"
        elif name.islower():
            given["choices"] = [name]
        else:
            given["metavar"], name = name, name.partition(".")[0].lower()
        match mark:
            case "?":
                given["nargs"] = "?"
            case "...":
                given |= {"action": "append", "default": []}
            case str() if mark.startswith("("):
                default = mark.strip("()")
                given |= {"default": int(default) if value == "N" else default}
                given["help"] = f"{about} (default: {default})"
        (exclusive if mark == "|" else parser).add_argument(name, **given)
