"""The instructions that each role receives: one Markdown file per role and language, and their loader.

A prompt is plain prose with `$variables` (`string.Template`; a dollar sign is written `$$`). Filling it in
is strict and happens in one pass: a variable without a value, a variable that the role does not have, and a
stray dollar sign are errors that name file and variable, so no prompt leaves with a hole in it; and a value
that itself contains `$date` stays as it is. Page text never comes through here: it travels in later messages,
as data.

All languages of a role have the same variables. A user's own file (`override`) may use some or all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from string import Template

from deep_research.core.errors import SettingsError, UsageError, nearest_hint
from deep_research.core.words import LANGUAGES
from deep_research.text.data import decoded

_FOLDER = Path(__file__).parent


class PromptError(UsageError):
    """A prompt that cannot be filled in: unknown role or language, or a variable too many or too few."""


def roles() -> list[str]:
    """The roles that have a prompt, in alphabetical order."""
    return sorted(path.stem for path in (_FOLDER / LANGUAGES[0]).glob("*.md"))


def variables(role: str, language: str = "en", *, override: str | Path | None = None) -> set[str]:
    """The variables that a role's prompt uses; with `override`, those that the user's file uses.

    Checks the file on the way, so that a run can refuse a bad prompt before it spends anything. Raises
    `PromptError` for a bad role, language or variable and `SettingsError` for a file that cannot be read.
    """
    return _load(role, language, override).identifiers


def text_of_prompt(role: str, language: str = "en", *, override: str | Path | None = None) -> str:
    """A role's prompt with its variables; with `override`, the user's file."""
    return _load(role, language, override).text


def render(
    role: str, language: str = "en", /, *, override: str | Path | None = None, **values: object
) -> str:
    """The finished prompt of a role.

    `role` and `language` go by position, because `language=` may be a variable (the report's language, which
    is not the prompt's). `values` must hold every variable that the file uses, and no name that is foreign to
    the role. Raises as `variables` does, and `PromptError` for a missing, foreign or `None` value.
    """
    prompt = _load(role, language, override)
    for variable in sorted(prompt.identifiers):
        if values.get(variable) is None:
            raise PromptError(f"Prompt '{prompt.name}' needs a value for ${variable}, and none was given.")
    if foreign := set(values) - variables(role, language):
        raise _foreign(f"Prompt '{prompt.name}' was given", foreign, role)
    return Template(prompt.text).substitute(values).strip()


@dataclass(frozen=True)
class _Prompt:
    """A prompt file, checked: `name` is what errors call it."""

    name: str
    text: str
    identifiers: set[str]


def _load(role: str, language: str, override: str | Path | None) -> _Prompt:
    _check_name("role", role, roles())
    _check_name("prompt language", language, list(LANGUAGES))
    if override is None:
        name = f"{language}/{role}.md"
        return _parse(name, (_FOLDER / name).read_text(encoding="utf-8"))
    prompt = _parse(str(override), _read_override(role, Path(override)))
    if foreign := prompt.identifiers - variables(role, language):
        raise _foreign(f"Prompt '{prompt.name}' uses", foreign, role)
    return prompt


def _check_name(kind: str, name: str, known: list[str]) -> None:
    if name not in known:
        raise PromptError(f"There is no prompt for {kind} '{name}'.", nearest_hint(name, known))


def _read_override(role: str, path: Path) -> str:
    setting = f"Setting 'prompts.{role}'"
    try:
        text = decoded(path.expanduser().read_bytes())
    except UnicodeDecodeError:
        raise SettingsError(f"{setting}: '{path}' is not UTF-8 text.", "Save it as UTF-8.") from None
    except (OSError, RuntimeError, ValueError) as error:  # also: unknown `~user`, NUL in the path
        reason = getattr(error, "strerror", None) or error
        raise SettingsError(f"{setting}: cannot read '{path}' ({reason}).", "Give a text file.") from None
    if not text.strip():
        raise SettingsError(f"{setting}: '{path}' is empty.", "Write the instructions into it.")
    return text


def _parse(name: str, text: str) -> _Prompt:
    """Find the variables of a file; a dollar sign that starts none is an error with its line."""
    for match in Template.pattern.finditer(text):
        if match.group("invalid") is not None:
            line = text.count("\n", 0, match.start()) + 1
            raise PromptError(
                f"Prompt '{name}', line {line}: a '$' that starts no variable.",
                "Write '$$' for a dollar sign.",
            )
    return _Prompt(name, text, set(Template(text).get_identifiers()))


def _foreign(complaint: str, foreign: set[str], role: str) -> PromptError:
    """What to raise for variables that a role does not have; all its languages have the same ones."""
    offered = ", ".join(f"${name}" for name in sorted(variables(role)))
    return PromptError(f"{complaint} ${min(foreign)}, which the {role} does not have.", f"It has: {offered}.")
