"""Every error that this package raises on purpose, as one short family.

Each message says what went wrong and where; `hint` says what to do next. The library raises these, and only
the command line turns them into one line and an exit status. Reaching a limit is a *named outcome* of a run
(`BudgetExceeded`), caught by the loop that hit it; it never ends up as a stack trace.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping

from .secrets import without_keys

_OPTION = re.compile(
    r"`[^`]*`|--(?:(set|budget) ([\w.]+)=(\w+)"
    r"|(model|search|docs|knowledge|record|at|block)(?: ([A-Z]+|offline|arxiv)\b)?)"
)


class ResearchError(Exception):
    """Base of the family. `hint` is the way out, or None, in words of the command line.

    `str(error)` is one readable line in words of Python, `on_the_command_line` the same for a terminal.
    """

    exit_status = 1

    def __init__(self, message: str, hint: str | None = None) -> None:
        self.message = without_keys(message, is_error=True)
        super().__init__(self.message)
        self.hint = hint

    @property
    def on_the_command_line(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message

    def __str__(self) -> str:
        return _OPTION.sub(_as_argument, self.on_the_command_line)


def _as_argument(option: re.Match[str]) -> str:
    """An option as an argument in Python; what stands between backticks is a command, and stays."""
    table, key, number, name, value = option.groups()
    if table:
        return f'{"settings" if table == "set" else table}={{"{key}": {number}}}'
    return f'{name}="{value}"' if value else f"{name}=" if name else option[0]


class UsageError(ResearchError):
    """The run was refused before it started; nothing was spent."""

    exit_status = 2


class SettingsError(UsageError):
    """An unknown settings key or a value that does not fit."""


class DocumentsError(UsageError):
    """A documents folder or file that holds nothing to research."""


class ModelError(ResearchError):
    """A model call that failed for good (after retries, or permanently)."""


class StructuredOutputError(ModelError):
    """A model never returned an object of the wanted schema, repair turn included."""


class NothingWritten(ModelError):
    """No part of a report could be written. `why` are the fields of a gap that say why the first was not."""

    def __init__(self, message: str, why: Mapping[str, str]) -> None:
        super().__init__(message)
        self.why = why


class SearchError(ResearchError):
    """A search that failed for good; it is an error, never an empty result."""


class ToolError(ResearchError):
    """A tool call that cannot be carried out as asked; the message is the model's answer, never evidence."""


class UnsafeAddressError(ResearchError):
    """An address or a path that this program refuses to open."""


class BudgetExceeded(ResearchError):
    """A limit of the budget was reached. `limit` names it, `cap` is its number."""

    def __init__(self, limit: str, cap: float, message: str | None = None) -> None:
        super().__init__(message or f"The budget's limit on {limit} ({cap:,.10g}) is reached.")
        self.limit = limit
        self.cap = cap


class Stopped(BudgetExceeded):
    """The user wants the report now, with what there is."""

    def __init__(self) -> None:
        super().__init__("stopped", 0, "The user ended the research early.")


class RunError(ResearchError):
    """A run folder that is unknown, damaged, or cannot be resumed."""


class UnknownRun(RunError, UsageError):
    """There is no run of that name, or no recording."""


def nearest_hint(name: str, known: Iterable[str], otherwise: str = "", cutoff: float = 0.6) -> str:
    """The hint for an unknown name: the known one most like it, or else `otherwise` or all of them."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=cutoff)
    return f"Did you mean '{near[0]}'?" if near else otherwise or f"One of: {', '.join(names)}."
