"""A model's thoughts between `<think>` tags: no text, so messages lose them and streams hold them back.

What follows an opening tag waits until it is clear whether it is a thought.
"""

from __future__ import annotations

import re

THOUGHTS = "reasoning_content"
"""Where a model's message keeps thoughts that came beside its text, and not in tags."""
THINKING = re.compile(
    r"<think(?:ing)?>.*?</think(?:ing)?>"
    r"|\A(?:(?!<think).)*(?<!`)</think(?:ing)?>(?!`)"  # opened by the server's own template
    r"|\A\s*<think(?:ing)?>.*",  # never closed: only at the start is it sure to be no text about the tag
    re.DOTALL | re.IGNORECASE,
)
OPENING = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_CLOSING = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_TAGS = ("<think>", "<thinking>")
_LONGEST_CLOSING = len("</thinking>")


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
            opening = OPENING.search(self._waiting)
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
