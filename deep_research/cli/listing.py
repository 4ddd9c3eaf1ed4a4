"""The lists: `runs`, `codes`, `questions`, `systems`, `presets`, `personas`, `templates`, `settings`.

Each is a table for people and JSON for programs. What `settings` prints is a valid settings file, so
`deep-research settings > deep-research.toml` makes one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from deep_research.core.extras import install_line, is_installed
from deep_research.settings import Settings, flat_settings, home_folder, load_settings
from deep_research.settings.files import FileKind, SettingFile, list_files
from deep_research.settings.layers import key_parts
from deep_research.settings.presets import PRESET_NAMES, PRESETS

from .options import chosen_settings
from .terminal import print_json, screen_width, table

if TYPE_CHECKING:
    from deep_research.systems import System


_LIMITS = ("limits.", "budget.", "output_tokens.")
_OWN_LIMITS = {"graph_agent": "graph.", "deep_researcher": "deep.", "topic_queue": "queue."}


def runs(args: argparse.Namespace) -> int:
    """List the runs of the run folder, oldest first."""
    from deep_research.runs.bundle import list_runs

    folder = home_folder(args.out)
    found = list_runs(folder)
    if args.json:
        print_json(found)
    elif found:
        rows = [
            (
                run["run_id"], run["started"][5:16].replace("T", " "), run["system"], run["status"],
                f"{run['seconds']:.0f} s", f"${run['cost_usd']:.2f}" if run["cost_usd"] else "",
                run["question"],
            )
            for run in found
        ]  # fmt: skip
        headers = ("run", "UTC", "system", "status", "time", "cost", "question")
        print(table(headers, rows, screen_width()))
    else:
        print(f"no runs in {folder}", file=sys.stderr)
    return 0


def codes(args: argparse.Namespace) -> int:
    """List what `verify` can find in a report."""
    from .findings import codes as known

    if args.json:
        print_json(known())
        return 0
    for code, rule in known().items():
        print(f"{code} ({rule['level']}): {rule['says']}\n    {rule['example']}")
    return 0


def questions(args: argparse.Namespace) -> int:
    """List the sample questions of the offline web, or those of one class."""
    from deep_research.runs.offline import invented_web, sample_questions

    given = {"web.seed": args.seed, "web.domain": args.domain}
    chosen = load_settings({key: value for key, value in given.items() if value is not None}).web
    samples = sample_questions(invented_web(chosen), [args.kind] if args.kind else ())
    if args.json:
        print_json([{"id": q.id, "class": q.kind, "language": q.lang, "text": q.text} for q in samples])
    else:
        print(table(("class", "lang", "question"), [(q.kind, q.lang, q.text) for q in samples]))
    return 0


def systems(args: argparse.Namespace) -> int:
    """List the designs, with where they come from."""
    from deep_research.systems import SYSTEMS

    if args.json:
        print_json([_system_row(one) for one in SYSTEMS.values()])
        return 0
    for one in SYSTEMS.values():
        print(f"{one.name}  ({one.origin})\n    {one.description}")
        if one.needs:
            print(f"    {_needs_line(*one.needs)}")
    print("Choose one with --system NAME; docs/designs.md compares them.")
    return 0


def _system_row(one: System) -> dict[str, Any]:
    row = {"name": one.name, "description": one.description, "origin": one.origin}
    if not one.needs:
        return {**row, "needs": None}
    package, extra = one.needs
    return {**row, "needs": {"package": package, "extra": extra, "installed": is_installed(package)}}


def _needs_line(package: str, extra: str) -> str:
    """What a design needs besides this package, and whether it is there."""
    state = "is installed" if is_installed(package) else f"is not installed: {install_line(extra)}"
    return f"needs the package '{package}' (extra '{extra}'), which {state}"


def presets(args: argparse.Namespace) -> int:
    """Show what each design's presets set; what is the same in all designs stands once, and then the rest."""
    grid = {system: preset_rows(system) for system in PRESETS}
    if args.json:
        print_json(grid)
        return 0
    usual = {key: default for key, default, _ in flat_settings(Settings())}
    set_by = {
        system: {key: row for key, row in rows.items() if {*row.values()} != {usual[key]}}
        for system, rows in grid.items()
    }
    first, *others = set_by.values()
    shared = {key: row for key, row in first.items() if all(rows.get(key) == row for rows in others)}
    for system, rows in (*set_by.items(), ("every design", shared)):
        told = {key: row for key, row in rows.items() if rows is shared or key not in shared}
        cells = [(key, *(_shown(row[name]) for name in PRESET_NAMES)) for key, row in told.items()]
        print(f"{table((system, *PRESET_NAMES), cells)}\n")
    left = [k for k in usual if any(k in rows and k not in set_by[system] for system, rows in grid.items())]
    print(table(("where nothing else is said", "every preset"), [(key, _shown(usual[key])) for key in left]))
    print("\nSet any of them with --set KEY=VALUE; `deep-research settings` explains it.")
    names = ", ".join(one.name for one in list_files("personas", load_settings().own_files))
    print(f"A persona, if one is chosen, stands above any preset. There are:\n{names}")
    return 0


def personas(args: argparse.Namespace) -> int:
    """List the personas with what they are for."""
    return _files("personas", args)


def templates(args: argparse.Namespace) -> int:
    """List the templates with the variables that they want."""
    return _files("templates", args)


def _files(kind: FileKind, args: argparse.Namespace) -> int:
    found = list_files(kind, load_settings().own_files)
    if args.json:
        print_json([_file_row(one) for one in found])
        return 0
    for one in found:
        print(f"{one.name}\n    {one.description}")
        for name, (about, default) in one.variables.items():
            print(f"    --var {name}=…  {about}{f' (default: {default})' if default else ''}")
    return 0


def _file_row(one: SettingFile) -> dict[str, Any]:
    row = {"name": one.name, "description": one.description, "settings": one.values, "live": one.live}
    asked = {name: {"about": a, "default": d} for name, (a, d) in one.variables.items()}
    return {**row, "question": one.question, "variables": asked, "file": str(one.path)}


def preset_rows(system: str) -> dict[str, dict[str, Any]]:
    """Setting → preset → value, for every limit of this design and whatever else its presets set."""
    rows = {name: PRESETS[system].get(name, {}) for name in PRESET_NAMES}
    touched = {key for row in rows.values() for key in row}
    return {
        key: {name: rows[name].get(key, default) for name in PRESET_NAMES}
        for key, default, _ in flat_settings(Settings())
        if key.startswith((*_LIMITS, _OWN_LIMITS.get(system, _LIMITS[0]))) or key in touched
    }


def _shown(value: Any) -> str:
    return "no cap" if value is None else f"{value}"


def show_settings(args: argparse.Namespace) -> int:
    """Print all settings as commented TOML, or as a JSON list."""
    rows = list(setting_rows(chosen_settings(args)))
    if args.json:
        names = ("key", "value", "from", "meaning")
        print_json([dict(zip(names, row, strict=True)) for row in rows])
        return 0
    table = ""
    for key, value, where, meaning in rows:
        if (here := key.rpartition(".")[0].partition(".")[0]) != table:
            table = here
            print()
        print(f"# {meaning}")
        print(f"{_assignment(key, value)}  # {where}")
    return 0


def setting_rows(settings: Settings) -> Iterator[tuple[str, Any, str, str]]:
    """Key, value, origin and meaning of each setting; open tables (models, glossary …) entry by entry."""
    for key, value, meaning in flat_settings(settings):
        entries = {f"{key}.{name}": item for name, item in value.items()} if isinstance(value, dict) else {}
        for place, item in (entries or {key: value}).items():
            yield place, item, settings.origin.get(place, "default"), meaning


def _assignment(key: str, value: Any) -> str:
    """`key = value` as TOML; a setting without a value is a comment."""
    if value is None or value == {}:
        return f"# {key} ="
    import tomli_w

    *tables, last = key_parts(key)
    return ".".join([*tables, tomli_w.dumps({last: value}).strip()])
