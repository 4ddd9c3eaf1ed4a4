"""What the settings choose by who reads: the persona and the glossary of a role or department.

`scope.persona_for` and `scope.glossary_for` map a word of `scope.user_info` (any of its values, whatever its
case) to a persona and to a glossary file. Works on the merged layers, before there is a `Settings`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .errors import SettingsError

Chosen = Mapping[str, tuple[Any, str]]
"""Dotted key → (value, where it comes from)."""


def chosen_for(table: str, chosen: Chosen) -> str:
    """The entry of a table whose key is a value of `scope.user_info`; "" if there is none."""
    about = {str(v).strip().casefold() for k, (v, _) in chosen.items() if k.startswith("scope.user_info.")}
    entries = {k.removeprefix(f"{table}."): v for k, (v, _) in chosen.items() if k.startswith(f"{table}.")}
    return next((str(value) for name, value in entries.items() if name.strip().casefold() in about), "")


def glossary_file(path: str) -> dict[str, str]:
    """The terms of a glossary file, TOML of `term = "meaning"`; raises `SettingsError` naming the file."""
    try:
        terms = tomllib.loads(Path(path).expanduser().read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(
            f"Glossary '{path}' cannot be read: {error}.", "It is set in scope.glossary_for."
        ) from None
    if odd := [term for term, meaning in terms.items() if not isinstance(meaning, str)]:
        raise SettingsError(f"Glossary '{path}': '{odd[0]}' is no text.", 'Write term = "meaning".')
    return terms
