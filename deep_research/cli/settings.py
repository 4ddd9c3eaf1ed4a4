"""`settings`: every key with the value in force, where it comes from and what it means.

What is printed is a valid settings file, so `deep-research settings > deep-research.toml` makes one.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from ..settings import Settings, flatten
from ..toml import toml_key, toml_value
from .options import chosen_settings
from .tables import print_json


def show_settings(args: argparse.Namespace) -> int:
    """Print all settings as commented TOML, or as a JSON list."""
    rows = list(setting_rows(chosen_settings(args)))
    if args.json:
        print_json(
            [{"key": key, "value": value, "from": where, "meaning": text} for key, value, where, text in rows]
        )
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
    for key, value, meaning in flatten(settings):
        entries = {f"{key}.{name}": item for name, item in value.items()} if isinstance(value, dict) else {}
        for place, item in (entries or {key: value}).items():
            yield place, item, settings.origin.get(place, "default"), meaning


def _assignment(key: str, value: Any) -> str:
    """`key = value` as TOML; a setting without a value is a comment."""
    if value is None or value == {}:
        return f"# {key} ="
    *tables, last = key.split(".")
    return f"{'.'.join([*tables, toml_key(last)])} = {toml_value(value)}"
