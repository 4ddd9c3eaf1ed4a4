"""Small helpers that lessons start with: a context to call components in, sample questions, versions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

from ..context import Context
from ..environment import build_environment
from ..settings import Settings, load_settings
from ..tracing import Event


def workbench(
    settings: Settings | Mapping[str, Any] | None = None, *, on_event: Callable[[Event], None] | None = None
) -> Context:
    """A run context of its own, in memory, to call one component in: `await clarify(history, workbench())`.

    `settings` is a `Settings` or a mapping of dotted keys; None is the offline default, whatever keys the
    environment holds. Each call gives a fresh one: empty call log, nothing spent.
    """
    chosen = settings if isinstance(settings, Settings) else load_settings(settings)
    return build_environment(chosen).context(chosen, run_id="workbench", sink=on_event)


def sample_questions(kind: str, language: str = "en") -> list[str]:
    """Questions that the default offline web was made to answer, of one class (`comparison`, `ranking` …)."""
    from ..offline.web import KINDS, build_web

    if kind not in KINDS:
        raise ValueError(f"There is no class of questions '{kind}'. One of: {', '.join(KINDS)}.")
    return [q.text for q in build_web().questions if (q.kind, q.lang) == (kind, language)]


def show_versions(*packages: str) -> None:
    """Print the installed version of each package."""
    for package in packages:
        print(f"{package:20} {version(package)}")
