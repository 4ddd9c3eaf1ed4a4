"""A model's text as it arrives: `token` events that a watcher can put together to the text that counts.

Two things would spoil that. A model's thoughts between `<think>` tags are no text: they are held back, and
what follows an opening tag waits until it is clear whether it is a thought. And a stream may break and be
sent again: an event then takes back what it had shown (`retract` in its data, a number of characters).
"""

from __future__ import annotations

import re
from typing import Any

from .context import Context

THINKING = re.compile(
    r"<think(?:ing)?>.*?</think(?:ing)?>"
    r"|\A\s*<think(?:ing)?>.*",  # never closed: only at the start is it sure to be no text about the tag
    re.DOTALL | re.IGNORECASE,
)
_OPENING = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_CLOSING = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_TAGS = ("<think>", "<thinking>")
_LONGEST_CLOSING = len("</thinking>")


async def receive(model: Any, wire: list[dict[str, Any]], role: str, ctx: Context) -> Any:
    """Receive a message in pieces, reporting its text as it comes.

    Raises `ConnectionError` for a stream that ends before the message does. However it fails, what was shown
    is taken back, since whoever tries again shows it once more.
    """
    whole, thoughts, shown = None, ThoughtFilter(), 0

    def show(text: str) -> int:
        if text:
            ctx.emit("token", role=role, text=text)
        return len(text)

    try:
        async for chunk in model.astream(wire):
            shown += show(thoughts.feed(chunk.text))
            whole = chunk if whole is None else whole + chunk
        if whole is None or not whole.response_metadata.get("finish_reason"):
            raise ConnectionError(f"the stream for the {role} broke off")  # temporary: it is tried again
    except BaseException:
        if shown:
            ctx.emit("token", role=role, retract=shown)
        raise
    show(thoughts.rest())
    return whole


class ThoughtFilter:
    """Passes text on piece by piece, without the thoughts in it."""

    def __init__(self) -> None:
        self._waiting = ""
        self._inside = False  # `_waiting` begins with an opening tag
        self._searched = 0  # how much of `_waiting` is known to hold no closing tag
        self._begun = False  # something other than white space was passed on

    def feed(self, text: str) -> str:
        """What is sure to be text, of this piece and of what waited."""
        self._waiting += text
        passed = ""
        while True:
            if self._inside:
                closing = _CLOSING.search(self._waiting, self._searched)
                if not closing:
                    self._searched = max(len(self._waiting) - _LONGEST_CLOSING, 0)
                    break
                self._waiting, self._inside, self._searched = self._waiting[closing.end() :], False, 0
            opening = _OPENING.search(self._waiting)
            end = opening.start() if opening else _sure(self._waiting)
            passed, self._waiting = passed + self._waiting[:end], self._waiting[end:]
            if not opening:
                break
            self._inside = True
        self._begun = self._begun or bool(passed.strip())
        return passed

    def rest(self) -> str:
        """What still waited at the end: text after all, unless it is a thought that all began with."""
        return "" if self._inside and not self._begun else self._waiting


def _sure(text: str) -> int:
    """How much of a text without an opening tag can no longer become one."""
    start = text.rfind("<")
    tail = text[start:].lower()
    return start if start >= 0 and any(tag.startswith(tail) for tag in _TAGS) else len(text)
