"""Small helpers that lessons start with: a context to call components in, sample questions, versions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

from ..budget import Budget
from ..context import Context, Shared
from ..environment import build_environment
from ..settings import Settings, load_settings
from ..store import RunStore
from ..tracing import Event, Recorder


def workbench(
    settings: Settings | Mapping[str, Any] | None = None, *, on_event: Callable[[Event], None] | None = None
) -> Context:
    """A run context of its own, in memory, to call one component in: `await clarify(history, workbench())`.

    `settings` is a `Settings` or a mapping of dotted keys; None is the offline default, whatever keys the
    environment holds. Each call gives a fresh one: empty call log, nothing spent.
    """
    chosen = settings if isinstance(settings, Settings) else load_settings(settings)
    environment = build_environment(chosen)
    clock = environment.clock
    return Context(
        run_id="workbench",
        settings=chosen,
        clock=clock,
        models=environment.models,
        search=environment.search,
        budget=Budget(chosen.budget, clock),
        store=RunStore(None),
        trace=Recorder(),
        shared=Shared(asyncio.Semaphore(chosen.concurrency), clock.seconds()),
        sink=on_event or (lambda event: None),
    )


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
