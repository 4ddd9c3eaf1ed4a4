"""Personas and templates: settings under a name, in TOML files of the package and of the user.

Both are found by name, first in the user's folder (`own_files`, with `personas/` and `templates/` in it),
then in the package, so that a file of one's own replaces one of ours. A persona says how a report is made; a
template also holds a question with variables to be filled in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from string import Template as Text
from typing import Any, Literal

from deep_research.core.errors import SettingsError, UsageError, nearest_hint

from .layers import dotted_items, read_toml

FileKind = Literal["personas", "templates"]
OWN_FILES = "."
_PACKAGE = Path(__file__).parent
_PARTS: dict[FileKind, set[str]] = {
    "personas": {"description", "settings", "live"},
    "templates": {"description", "settings", "question", "variables"},
}
_CHOSEN_BEFORE = ("persona", "own_files")
"""Settings that lead to a persona, so that none can change them."""
_TEXTS = {"description", "question"}
_FORMS = {"a text": 'Write {} = "…".', "a table": "Write [{}], and its keys in the lines below."}


@dataclass(frozen=True, slots=True)
class SettingFile:
    """One persona or template. `values` are settings by dotted key.

    `live` are settings that count only where the run is live with the model that the package chooses.
    `variables` are the names in `question`, each with its meaning and its default ("" if it has to be given).
    """

    name: str
    description: str
    path: Path
    values: dict[str, Any]
    live: dict[str, Any] = field(default_factory=dict)
    question: str = ""
    variables: dict[str, tuple[str, str]] = field(default_factory=dict)


def list_files(kind: FileKind, own: str | Path = OWN_FILES) -> list[SettingFile]:
    """All files of a kind, by name; a file of the user stands in place of the package's of that name."""
    return [_read(path, kind) for _, path in sorted(_paths(kind, own).items())]


def find_file(kind: FileKind, name: str, own: str | Path = OWN_FILES) -> SettingFile:
    """The persona or template of this name; an unknown one is refused with the nearest name."""
    known = _paths(kind, own)
    if name not in known:
        hint = nearest_hint(name, sorted(known), cutoff=0.4)
        raise SettingsError(f"There is no {kind[:-1]} '{name}'.", hint)
    return _read(known[name], kind)


def _paths(kind: FileKind, own: str | Path) -> dict[str, Path]:
    mine = Path(own).expanduser()
    if not mine.is_dir():
        raise SettingsError(f"There is no folder '{own}' (own_files).", "Check the path.")
    folders = (_PACKAGE / kind, mine / kind)
    return {path.stem: path for folder in folders for path in folder.glob("*.toml")}


def _read(path: Path, kind: FileKind) -> SettingFile:
    """A file, checked; raises `SettingsError` that names it."""
    called = f"{kind[:-1].capitalize()} '{path.name}'"
    data = read_toml(path, called, f"It stands in '{path.parent}'.")
    if foreign := sorted(data.keys() - _PARTS[kind]):
        hint = f"It may hold: {', '.join(sorted(_PARTS[kind]))}."
        raise SettingsError(f"{called} has an unknown part '{foreign[0]}'.", hint)
    _check_parts(called, data)
    question = data.get("question", "").strip()
    variables = {name: _variable(called, name, said) for name, said in data.get("variables", {}).items()}
    if kind == "templates":
        _check_question(called, question, variables)
    tables = {name: dotted_items(data.get(name, {})) for name in ("settings", "live")}
    if kind == "personas":
        _check_persona(called, {**tables["settings"], **tables["live"]})
    described = data.get("description", "")
    return SettingFile(path.stem, described, path, tables["settings"], tables["live"], question, variables)


def _check_parts(called: str, data: Mapping[str, Any]) -> None:
    """Refuse a part that is not what it has to be: a text, or a table."""
    for name, value in data.items():
        wanted, kind = (str, "a text") if name in _TEXTS else (dict, "a table")
        if not isinstance(value, wanted):
            raise SettingsError(f"{called}: '{name}' is not {kind}.", _FORMS[kind].format(name))


def _check_persona(called: str, values: Mapping[str, Any]) -> None:
    """Refuse a persona that sets nothing, or what is settled before it is read."""
    if not values:
        raise SettingsError(f"{called} sets nothing.", "Write settings under [settings].")
    if early := [key for key in _CHOSEN_BEFORE if key in values]:
        raise SettingsError(f"{called} cannot set '{early[0]}'.", "Put all settings into this file.")


def _variable(called: str, name: str, said: Any) -> tuple[str, str]:
    """A variable's meaning and default: `company = "which one"` or `{ about = …, default = … }`."""
    if isinstance(said, str):
        return said, ""
    if isinstance(said, Mapping) and said.keys() <= {"about", "default"}:
        return str(said.get("about", "")), str(said.get("default", ""))
    raise SettingsError(f"{called}: variable '{name}' is neither a text nor {{ about = …, default = … }}.")


def _check_question(called: str, question: str, variables: Mapping[str, Any]) -> None:
    used = set(Text(question).get_identifiers())
    if not question or not Text(question).is_valid():
        hint = 'Write question = "… $company …"; $$ is a $.'
        raise SettingsError(f"{called} has no usable question.", hint)
    if odd := sorted(used ^ variables.keys()):
        missing = "is used and not described" if odd[0] in used else "is described and not used"
        raise SettingsError(f"{called}: variable '{odd[0]}' {missing}.", "List each one under [variables].")


def fill_template(template: SettingFile, given: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """A template's question and settings with the variables filled in, texts of the settings included.

    Raises `UsageError` for a variable that is missing or that the template does not have.
    """
    if foreign := sorted(given.keys() - template.variables.keys()):
        known = ", ".join(template.variables) or "none"
        raise UsageError(f"Template '{template.name}' has no variable '{foreign[0]}'.", f"It has: {known}.")
    values = {name: str(given.get(name, "")).strip() or d for name, (_, d) in template.variables.items()}
    if missing := [name for name, value in values.items() if not value]:
        wanted = "; ".join(f"{name}: {template.variables[name][0]}" for name in missing)
        example = " ".join(f"--var {name}=…" for name in missing)
        raise UsageError(f"Template '{template.name}' needs {wanted}.", f"Give {example}")
    return Text(template.question).substitute(values), _filled(template.values, values)


def _filled(value: Any, values: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return Text(value).safe_substitute(values)
    if isinstance(value, list):
        return [_filled(item, values) for item in value]
    if isinstance(value, Mapping):
        return {key: _filled(item, values) for key, item in value.items()}
    return value
