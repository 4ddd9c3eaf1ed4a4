"""Plain tables whose columns line up in any script: a Chinese or Japanese character is two columns wide."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from .terminal import printable


def table(headers: Sequence[str], rows: Iterable[Sequence[Any]], width: int | None = None) -> str:
    """Aligned columns under their headers. With `width`, the last column is cut so that no line is longer."""
    from rich.cells import cell_len, set_cell_size

    lines = [list(headers), *([printable(str(cell)) for cell in row] for row in rows)]
    widths = [max(cell_len(line[n]) for line in lines) for n in range(len(headers) - 1)]
    room = None if width is None else max(width - sum(widths) - 2 * len(widths), 8)
    shown = []
    for line in lines:
        cells = [set_cell_size(cell, size) for cell, size in zip(line, widths, strict=False)]
        shown.append("  ".join([*cells, line[-1] if room is None else clip(line[-1], room)]).rstrip())
    return "\n".join(shown)


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
