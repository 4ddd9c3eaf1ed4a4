"""Making a prompt fit the model's window before the call, instead of failing after it.

The oldest page texts shrink first, source by source; ids, titles, the instruction and the newest evidence
stay. Works on characters of any script, since the limit is counted in tokens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any

from deep_research.text.language import count_tokens, shorten
from deep_research.text.source_ids import ID_CITATION

_BLOCK = re.compile(r"(<(source|page)\b[^>]*>\n)(.*?)(\n</\2>)", re.DOTALL)
_SMALLEST = 50
"""Tokens that stay of a text at least, so that it is still known what it was about."""
_KEPT = (1200, 300, 0)
"""How many characters of a block stay, in three passes from the oldest to the newest."""
CUT = "… [shortened to fit]"


def message_tokens(message: dict[str, Any]) -> int:
    """Estimated tokens of one message in OpenAI's form, tool calls included."""
    content = message.get("content") or ""
    calls = message.get("tool_calls")
    return count_tokens(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)) + (
        count_tokens(json.dumps(calls, ensure_ascii=False)) if calls else 0
    )


def fit_messages(messages: list[dict[str, Any]], limit: int) -> tuple[list[dict[str, Any]], list[str]]:
    """Shrink messages to `limit` tokens; returns them and the ids of the sources that were cut.

    Messages are not changed in place. First the sources in older messages shrink, then older tool outputs
    without sources, then the newest sources; only then is any other text cut, the longest first. Sources that
    the model itself has cited come after all that were not. The first message (the instruction) is never
    touched.
    """
    fitting = _Fitting(messages, limit)
    if fitting.size > limit:
        rest = fitting.messages[1:]
        newest = max((place for place, message in enumerate(rest) if _is_evidence(message)), default=0)
        cited = _cited(rest)
        fitting.shrink_sources(rest[:newest], cited)
        fitting.cut_texts([message for message in rest[:newest] if _is_plain_result(message, cited)])
        fitting.shrink_sources(rest[newest:], cited)
        fitting.shrink_sources(rest)
        fitting.cut_texts(sorted(rest, key=message_tokens, reverse=True))
    return fitting.messages, list(dict.fromkeys(fitting.cut))


def source_blocks(content: str) -> list[str]:
    """The sources that a message shows, each with its tags."""
    return [block[0] for block in _BLOCK.finditer(content)]


class _Fitting:
    """Copies of messages on their way to a limit: their size in tokens, and what was cut so far."""

    def __init__(self, messages: list[dict[str, Any]], limit: int) -> None:
        self.messages = [dict(message) for message in messages]
        self.limit = limit
        self.size = sum(message_tokens(message) for message in messages)
        self.cut: list[str] = []

    def shrink_sources(self, messages: list[dict[str, Any]], spared: Collection[str] = ()) -> None:
        """Shrink the texts of sources, oldest first, in passes that leave less and less."""
        for kept in _KEPT:
            for message in messages:
                while self.size > self.limit and (block := _first_long_block(message, kept, spared)):
                    self._replace(message, _shrink(message["content"], block, kept), _name(block.group(1)))

    def cut_texts(self, messages: list[dict[str, Any]]) -> None:
        """Cut texts in the middle, in the order given, each as far as needed."""
        for message in messages:
            text = message.get("content")
            if self.size > self.limit and isinstance(text, str) and text:
                room = max(self.limit - self.size + message_tokens(message), _SMALLEST)
                self._replace(message, _without_middle(text, room), f"{message['role']} message")

    def _replace(self, message: dict[str, Any], content: str, name: str) -> None:
        if content != message["content"]:
            self.size -= message_tokens(message)
            message["content"] = content
            self.size += message_tokens(message)
            self.cut.append(name)


def _is_evidence(message: dict[str, Any]) -> bool:
    return message["role"] == "tool" or _BLOCK.search(str(message.get("content") or "")) is not None


def _cited(messages: list[dict[str, Any]]) -> set[str]:
    """The ids in square brackets in what the model itself has written, its reflections included."""
    own = [message for message in messages if message["role"] == "assistant"]
    return set(ID_CITATION.findall("\n".join(json.dumps(message, ensure_ascii=False) for message in own)))


def _is_plain_result(message: dict[str, Any], cited: Collection[str]) -> bool:
    """Whether a message is a tool's output that holds no cited source."""
    shown = {_name(block.group(1)) for block in _BLOCK.finditer(str(message.get("content") or ""))}
    return message["role"] == "tool" and shown.isdisjoint(cited)


def _first_long_block(message: dict[str, Any], kept: int, spared: Collection[str]) -> re.Match[str] | None:
    """The first block of a message whose text is still longer than what may stay; not one that is spared."""
    content = message.get("content")
    if not isinstance(content, str):
        return None
    long = (block for block in _BLOCK.finditer(content) if len(block.group(3)) > kept + len(CUT))
    return next((block for block in long if _name(block.group(1)) not in spared), None)


def _shrink(content: str, block: re.Match[str], kept: int) -> str:
    return content[: block.start(3)] + block.group(3)[:kept] + CUT + content[block.end(3) :]


def _name(tag: str) -> str:
    found = re.search(r'\b(?:id|title)="([^"]*)"', tag)
    return found.group(1) if found else shorten(tag, 40)


def _without_middle(text: str, limit: int) -> str:
    """The beginning and the end of a text, within `limit` tokens."""
    tokens = count_tokens(text)
    if tokens <= limit:
        return text
    half = max(int(len(text) * limit / tokens * 0.45), 1)
    while half > 1 and count_tokens(text[:half] + CUT + text[-half:]) > limit:
        half = half * 9 // 10
    return text[:half] + CUT + text[-half:]
