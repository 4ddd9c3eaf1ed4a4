"""From command-line options to settings. What is given here wins over file and environment."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deep_research.core.errors import UsageError
from deep_research.settings import Settings, home_folder, load_settings
from deep_research.settings.choices import Choices, dotted_choices
from deep_research.settings.files import fill_template, find_file
from deep_research.settings.layers import parse_assignment


def chosen_settings(args: argparse.Namespace, template: Mapping[str, Any] | None = None) -> Settings:
    """The settings that a command's options, settings file, environment and template come to."""
    return load_settings(_explicit(args), file=args.settings, env=os.environ, template=template)


def settings_of_follow_up(args: argparse.Namespace, folder: Path) -> Settings:
    """Those of the run that `--after` names, changed by options; as ever where a file or design is named."""
    from deep_research.runs.bundle import find_run
    from deep_research.runs.follow_up import settings_after

    earlier = find_run(args.after, folder)
    kept = None if args.settings else settings_after(earlier, _explicit(args))
    return kept or chosen_settings(args)


def chosen_template(args: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """The question and the settings of the template that was asked for; empty ones without a template."""
    if not args.template:
        if args.var:
            raise UsageError("--var fills in a template.", "Name one with --template.")
        return "", {}
    if args.question:
        raise UsageError("A template brings its own question.", "Leave the question out, or the template.")
    given: dict[str, str] = {}
    for text in args.var:
        name, separator, value = text.partition("=")
        if not separator:
            raise UsageError(f"'{text}' is not of the form name=value.", "For example: --var company=Acme")
        given[name.strip()] = value.strip()
    own = load_settings({k: v for k, v in _explicit(args).items() if k == "own_files"}, file=args.settings)
    return fill_template(find_file("templates", args.template, own.own_files), given)


def _explicit(args: argparse.Namespace) -> dict[str, Any]:
    """Dotted keys of everything said on the command line; a named option beats `--set`."""
    given = vars(args)
    chosen: dict[str, Any] = dict(parse_assignment(text) for text in args.set)
    pairs = (parse_assignment(text, "--budget cost_usd=1") for text in given.get("budget") or [])
    budget = {key.removeprefix("budget."): value for key, value in pairs}
    choices: Any = {name: given[name] for name in Choices.__annotations__ if name in given}
    return chosen | dotted_choices(choices | {"budget": budget})


def run_folder(out: str | None) -> Path:
    """The folder of all runs, made if need be; refuses one that cannot be written."""
    return writable_folder(home_folder(out), "Runs cannot be kept in")


def writable_folder(folder: Path, refusal: str) -> Path:
    """A folder that `--out` names, made if need be; raises `UsageError` if nothing can be written there."""
    why: str | None = "it is not writable"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError as error:
        why = error.strerror
    raise UsageError(f"{refusal} '{folder}': {why}.", "Give another with --out.")
