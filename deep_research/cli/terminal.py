"""The user at the terminal, if there is one: asking, telling, and text that is safe to show.

Text of web pages ends up on the screen (titles, queries, quotes), so control characters, with which a page
could rewrite what the user sees, are taken out.
"""

from __future__ import annotations

import re
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import UsageError

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


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


def ask_user(prompt: str) -> str | None:
    """Show a prompt on stderr and read one line; None at the end of input."""
    print(f"{printable(prompt)} ", end="", file=sys.stderr, flush=True)
    with _ctrl_c_at_once():
        try:
            return input()
        except EOFError:
            tell("")
            return None


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
