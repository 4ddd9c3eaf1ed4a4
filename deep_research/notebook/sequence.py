"""A run as a sequence diagram: as Mermaid text, which JupyterLab and GitHub draw, and drawn here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..report import Report
from ..tracing import TraceLine
from .display import Display
from .exchange import Exchange, Item, Loop, Message, exchange
from .sequence_picture import picture
from .timeline import timeline


@dataclass(frozen=True, repr=False)
class SequenceDisplay(Display):
    """A drawn sequence diagram; `mermaid` is the text that Mermaid draws it from."""

    mermaid: str = ""


def show_sequence(trace: Report | Sequence[TraceLine]) -> SequenceDisplay:
    """Who called whom in a run, from the question to the report.

    What repeats itself is a loop, branches stand side by side, and more than three branches that went the
    same way are drawn once. `.mermaid` is the same as text.
    """
    told = exchange(timeline(trace))
    text = "\n".join(
        [f"{len(told.participants)} take part: {', '.join(told.participants)}", *_lines(told.items)]
    )
    return SequenceDisplay(text, png=picture(told), mermaid=_mermaid(told))


def _lines(items: Sequence[Item], depth: int = 1) -> list[str]:
    """The diagram in words, indented like the frames of the picture."""
    lines: list[str] = []
    for item in items:
        if isinstance(item, Message):
            arrow = "-->" if item.reply else "->"
            lines.append(f"{'  ' * depth}{item.source} {arrow} {item.target}: {item.said()}")
        elif isinstance(item, Loop):
            lines += [f"{'  ' * depth}{item.times} times", *_lines(item.body, depth + 1)]
        else:
            for title, body in item.sections:
                lines += [f"{'  ' * depth}side by side, {title}", *_lines(body, depth + 1)]
    return lines


def _mermaid(told: Exchange) -> str:
    people = [f"    participant {_id(name)} as {name}" for name in told.participants]
    return "\n".join(["sequenceDiagram", *people, *_statements(told.items, 1)]) + "\n"


def _statements(items: Sequence[Item], depth: int) -> list[str]:
    lines: list[str] = []
    pad = "    " * depth
    for item in items:
        if isinstance(item, Message):
            arrow = "-->>" if item.reply else "->>"
            lines.append(f"{pad}{_id(item.source)}{arrow}{_id(item.target)}: {_plain(item.said())}")
        elif isinstance(item, Loop):
            lines += [f"{pad}loop {item.times} times", *_statements(item.body, depth + 1), f"{pad}end"]
        else:
            for place, (title, body) in enumerate(item.sections):
                word = "par" if place == 0 else "and"
                lines += [f"{pad}{word} {_plain(title)}", *_statements(body, depth + 1)]
            lines.append(f"{pad}end")
    return lines


def _id(name: str) -> str:
    """A participant's name as Mermaid takes it."""
    return re.sub(r"\W", "_", name)


def _plain(text: str) -> str:
    """Text of a message without what means something to Mermaid or HTML."""
    codes = {"#": "#35;", ";": "#59;", "<": "#lt;", ">": "#gt;", "%": "#37;"}
    return "".join(codes.get(letter, letter) for letter in text) or " "
