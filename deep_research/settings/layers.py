"""Where settings come from: files, environment and `key=value` words, each a layer of dotted keys.

The layers are merged and checked elsewhere (`settings`); here no key has a meaning but those that depend on
the reader: `scope.persona_for` and `scope.glossary_for` map a word of `scope.user_info` (any of its values,
whatever its case) to a persona and to a glossary file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deep_research.core.errors import SettingsError
from deep_research.text.data import decoded

DEFAULT_LIVE_MODEL = "openai:gpt-5-mini"
SETTINGS_FILE = "deep-research.toml"
OPEN_TABLES = {
    "models", "prompts", "tools",
    "scope.glossary", "scope.user_info", "scope.persona_for", "scope.glossary_for",
}  # fmt: skip
"""Settings that are tables whose entries the user names."""


def parse_assignment(text: str, example: str = "--set concurrency=3") -> tuple[str, Any]:
    """`key=value` from the command line; the value is read as TOML, or else as a plain string."""
    key, separator, raw = text.partition("=")
    if not separator or not key.strip():
        raise SettingsError(f"'{text}' is not of the form key=value.", f"For example: {example}")
    try:
        value = tomllib.loads(f"value = {raw.strip()}")["value"]
    except tomllib.TOMLDecodeError:
        value = raw.strip()
    return key.strip(), value


def key_parts(key: str) -> list[str]:
    """The parts of a dotted key; what a user named (a term of the glossary) may itself hold dots."""
    for table in OPEN_TABLES:
        if key.startswith(table + "."):
            return [*table.split("."), key[len(table) + 1 :]]
    return key.split(".")


def dotted_items(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested tables as one flat table of dotted keys."""
    flat: dict[str, Any] = {}
    for name, value in tree.items():
        key = f"{prefix}{name}"
        if not isinstance(value, Mapping):
            flat[key] = value
        elif key in OPEN_TABLES:
            flat |= {f"{key}.{entry}": item for entry, item in value.items()}
        else:
            flat |= dotted_items(value, f"{key}.")
    return flat


def file_layer(file: Path | str | None) -> list[tuple[str, dict[str, Any]]]:
    """The settings file as (its name, its values), or nothing where there is none.

    Raises `SettingsError` for a file that was asked for and is missing, and for one that is no TOML.
    """
    path = Path(file) if file else Path(SETTINGS_FILE)
    if not path.is_file():
        if file:
            raise SettingsError(f"There is no settings file '{path}'.", "Check the path.")
        return []
    return [(path.name, dotted_items(read_toml(path, f"Settings file '{path}'")))]


def read_toml(path: Path, called: str, hint: str | None = None) -> dict[str, Any]:
    """The tables of a file of the user; raises `SettingsError` that names it as it is `called`."""
    try:
        return tomllib.loads(decoded(path.expanduser().read_bytes()))
    except OSError as error:
        raise SettingsError(f"{called} cannot be read: {error.strerror}.", hint) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{called} is not valid TOML: {error}.", hint) from None


def environment_layer(env: Mapping[str, str]) -> dict[str, Any]:
    """What the environment says: model names, base url, and live providers where their keys are set."""
    env = {name: value.strip() for name, value in env.items()}
    values: dict[str, Any] = {}
    if env.get("OPENAI_API_KEY") or env.get("OPENAI_BASE_URL"):
        values["models.model"] = DEFAULT_LIVE_MODEL
    if env.get("TAVILY_API_KEY"):
        values["search.providers"] = ["tavily"]
    if env.get("OPENAI_BASE_URL"):
        values["base_url"] = env["OPENAI_BASE_URL"]
    for name, value in sorted(env.items()):
        if not value:
            continue
        if name == "DEEP_RESEARCH_MODEL":
            values["models.model"] = value
        elif name.startswith("DEEP_RESEARCH_MODEL_"):
            values["models." + name.removeprefix("DEEP_RESEARCH_MODEL_").lower()] = value
    return values


Chosen = dict[str, tuple[Any, str]]
"""Dotted key → (value, where it comes from)."""


def choice_for_reader(table: str, chosen: Chosen) -> str:
    """The entry of a table whose key is a value of `scope.user_info`; "" if there is none."""
    about = {str(v).strip().casefold() for k, (v, _) in chosen.items() if k.startswith("scope.user_info.")}
    entries = {k.removeprefix(f"{table}."): v for k, (v, _) in chosen.items() if k.startswith(f"{table}.")}
    return next((str(value) for name, value in entries.items() if name.strip().casefold() in about), "")


def read_glossary(path: str) -> dict[str, str]:
    """The terms of a glossary file, TOML of `term = "meaning"`; raises `SettingsError` naming the file."""
    terms = read_toml(Path(path), f"Glossary '{path}'", "It is set in scope.glossary_for.")
    if odd := [term for term, meaning in terms.items() if not isinstance(meaning, str)]:
        raise SettingsError(f"Glossary '{path}': '{odd[0]}' is no text.", 'Write term = "meaning".')
    return terms
