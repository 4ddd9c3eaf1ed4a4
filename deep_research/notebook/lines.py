"""Progress of a run as plain lines, for `on_event`. The same run prints the same lines."""

from __future__ import annotations

from collections.abc import Callable

from ..text import shorten
from ..tracing import Event

_WIDTH = 100


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
    if event.type in ("gap", "budget", "interrupt"):
        name = {"gap": "not found", "budget": "limit", "interrupt": "asks you"}[event.type]
        return f"{name}: {event.text}"
    return f"done: {event.text}" if event.type == "done" else ""


def _call_line(event: Event, about: str, found: dict[str, int]) -> str:
    if event.tool == "think":
        return f"{about}: thinks “{event.text}”"
    if event.role == "compressor":
        count = found.get(event.topic, 0)
        return f"{about}: has {count} source{'' if count == 1 else 's'}"
    if event.tool == "model" and event.role in ("clarifier", "brief_writer", "writer"):
        return f"{about}: finished"
    return ""
