"""Small helpers of lessons: a context to call components in, sample questions, versions, progress lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

from deep_research.engine.context import Context
from deep_research.engine.trace import Event
from deep_research.runs import offline
from deep_research.runs.environment import build_environment
from deep_research.settings import Settings, load_settings
from deep_research.settings.parts import WebSettings
from deep_research.text.language import counted, shorten

_WIDTH = 100
"""Letters of a line of progress."""


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
    web = offline.invented_web(WebSettings())
    return [q.text for q in offline.sample_questions(web, [kind]) if q.lang == language]


def show_versions(*packages: str) -> None:
    """Print the installed version of each package."""
    for package in packages:
        print(f"{package:20} {version(package)}")


def progress(write: Callable[[str], None] = print) -> Callable[[Event], None]:
    """A sink that writes one line for each step worth knowing: who works, what is searched, what is missing.

    Neither times nor run ids are written, and streamed text is left out. Of researchers that work side by
    side the first one's lines are written as they come, and the others' follow, one researcher after the
    other: how their steps really interleave differs from run to run.
    """
    found: dict[str, int] = {}
    side_by_side: dict[str, list[str]] = {}  # topic: lines to be written later

    def sink(event: Event) -> None:
        if event.type == "source":
            found[event.topic] = found.get(event.topic, 0) + 1
        if event.topic:
            held = side_by_side.setdefault(event.topic, [])
            put = write if event.topic == next(iter(side_by_side)) else held.append
        else:
            for line in (line for lines in side_by_side.values() for line in lines):
                write(line)
            side_by_side.clear()
            put = write
        if line := _line(event, found):
            put(shorten(line, _WIDTH))

    return sink


def _line(event: Event, found: dict[str, int]) -> str:
    """The line for an event, or '' for one that is not worth a line."""
    about = f"{event.role} ({shorten(event.topic, 34)})" if event.topic else event.role
    if event.type == "started":
        if not event.role:
            return f"question: {event.text}"
        return f"{about}: searches “{event.text}”" if event.tool == "search" else ""
    if event.type == "call":
        return _call_line(event, about, found)
    if event.type in ("gap", "budget", "retry", "interrupt"):
        name = {"gap": "not found", "budget": "limit", "retry": "waits", "interrupt": "asks you"}[event.type]
        return f"{name}: {event.text}"
    return f"done: {event.text}" if event.type == "done" else ""


def _call_line(event: Event, about: str, found: dict[str, int]) -> str:
    if event.tool == "think":
        return f"{about}: thinks “{event.text}”"
    if event.role == "compressor":
        return f"{about}: has {counted(found.get(event.topic, 0), 'source')}"
    if event.tool == "model" and event.role in ("clarifier", "brief_writer", "writer"):
        return f"{about}: finished"
    return ""
