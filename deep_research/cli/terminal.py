"""The user at the terminal, if there is one: asking, telling, and what is shown there.

Text of web pages ends up on the screen (titles, queries, quotes), so control characters, with which a page
could rewrite what the user sees, are taken out. The columns of a table line up in any script: a Chinese or
Japanese character is two columns wide.
"""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from deep_research.core.errors import UsageError

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


_ROOM = 32
"""Columns without which the last one of a table is not worth reading."""
_NAME = 24
"""Columns of a word before figures."""
_PASTED = 0.1
"""Seconds within which the lines of a pasted text follow each other."""


class InputNeeded(UsageError):
    """Something must be typed, and nobody is there to type it."""

    exit_status = 4


def tell(*lines: str) -> None:
    """Write lines on stderr, at once."""
    for line in lines:
        print(printable(line), file=sys.stderr, flush=True)


def printable(text: str) -> str:
    """The text without control characters; line breaks and tabs stay."""
    return _CONTROL.sub("", text)


def somebody_types() -> bool:
    """Whether there is a person at the other end of stdin."""
    return sys.stdin is not None and sys.stdin.isatty()


def ask_user(prompt: str, several: bool = False) -> str | None:
    """Show a prompt on stderr and read one line; None at the end of input.

    With `several` lines that were pasted at once are one answer, and a line that ends in a backslash goes on.
    """
    print(f"{printable(prompt)} ", end="", file=sys.stderr, flush=True)
    lines: list[str] = []
    with _ctrl_c_at_once():
        try:
            lines.append(input())
            while several and (lines[-1].endswith("\\") or _more_was_pasted()):
                lines.append(input())
        except EOFError:
            tell("")
            if not lines:
                return None
    return "\n".join(line.removesuffix("\\") for line in lines) if several else lines[0]


def _more_was_pasted() -> bool:
    """Whether another line stands ready: nobody types one as quickly as that."""
    if not somebody_types():
        return False
    if os.name == "nt":
        import msvcrt

        return msvcrt.kbhit()  # type: ignore[attr-defined, no-any-return, unused-ignore]
    return bool(select.select([sys.stdin], [], [], _PASTED)[0])


@contextmanager
def _ctrl_c_at_once() -> Iterator[None]:
    """Inside an event loop Ctrl-C only cancels a task, which a blocked `input()` would never notice."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def finishing_on_ctrl_c() -> Iterator[None]:
    """A run started inside ends with what it has at the first Ctrl-C; the second one interrupts it."""
    from deep_research.engine.budget import STOP, Stop

    stop = Stop()

    def finish(*_: Any) -> None:
        stop.wanted = True
        signal.signal(signal.SIGINT, signal.default_int_handler)
        tell("finishing with what was found; Ctrl-C once more leaves at once.")

    token, before = STOP.set(stop), signal.signal(signal.SIGINT, finish)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        STOP.reset(token)


def table(headers: Sequence[str], rows: Iterable[Sequence[Any]], width: int | None = None) -> str:
    """Aligned columns under their headers. With `width` no line is longer: the last column is cut, or stands
    on lines of its own where little room is left for it."""
    from rich.cells import cell_len, set_cell_size

    lines = [list(headers), *([printable(str(cell)) for cell in row] for row in rows)]
    widths = [max(cell_len(line[n]) for line in lines) for n in range(len(headers) - 1)]
    room = None if width is None else width - sum(widths) - 2 * len(widths)
    shown = []
    for line in lines:
        cells = "  ".join(set_cell_size(cell, size) for cell, size in zip(line, widths, strict=False))
        if room is None or width is None or room >= _ROOM:
            shown.append(f"{cells}  {line[-1] if room is None else clip(line[-1], room)}".rstrip())
        else:
            shown += [cells.rstrip(), f"    {clip(line[-1], width - 4)}"]
    return "\n".join(shown)


def folded_table(headers: Sequence[str], rows: Sequence[Sequence[str]], names: int = 1) -> str:
    """Columns of words, then columns of figures, no wider than the screen: figures for which there is no room
    stand in a further table below, behind the same words."""
    from rich.cells import cell_len, set_cell_size

    stacks = [header.split() for header in headers]  # a word below the other
    tall = max(map(len, stacks))
    heads = zip(*([""] * (tall - len(stack)) + stack for stack in stacks), strict=True)
    lines = [[clip(cell, _NAME) for cell in line] for line in (*heads, *rows)]
    sizes = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    room = screen_width() - sum(sizes[:names]) - 2 * (names - 1)
    blocks, left = list[list[int]](), 0
    for column in range(names, len(sizes)):
        if left < sizes[column] + 2:
            blocks, left = [*blocks, []], room
        blocks[-1].append(column)
        left -= sizes[column] + 2

    def written(line: Sequence[str], block: Sequence[int]) -> str:
        words = [set_cell_size(line[n], sizes[n]) for n in range(names)]
        return "  ".join([*words, *(" " * (sizes[n] - cell_len(line[n])) + line[n] for n in block)]).rstrip()

    tables = ([text for line in lines if (text := written(line, block))] for block in blocks)
    return "\n\n".join("\n".join(table) for table in tables) + "\n"


def clip(text: str, width: int) -> str:
    """One line of at most `width` columns, with an ellipsis where it was cut."""
    from rich.cells import cell_len, set_cell_size

    line = " ".join(printable(text).split())
    return line if cell_len(line) <= width else set_cell_size(line, width - 1).rstrip() + "…"


def screen_width() -> int:
    """Columns of the terminal; 80 when the output goes somewhere else."""
    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80


def print_json(value: Any) -> None:
    """One JSON value on stdout, readable in any script."""
    print(json.dumps(value, ensure_ascii=False, indent=1))
