"""Making a prompt fit the model's window before the call, instead of failing after it.

The oldest page texts shrink first, source by source; ids, titles, the instruction and the newest evidence
stay. Works on characters of any script, since the limit is counted in tokens.
"""

from __future__ import annotations

import json
import re
from typing import Any

from .text import count_tokens, shorten

_BLOCK = re.compile(r"(<(source|page)\b[^>]*>\n)(.*?)(\n</\2>)", re.DOTALL)
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


def fit(messages: list[dict[str, Any]], limit: int) -> tuple[list[dict[str, Any]], list[str]]:
    """Shrink messages to `limit` tokens; returns them and the ids of the sources that were cut.

    Messages are not changed in place. If page texts alone are not enough, the longest texts are cut in the
    middle, never the first message (the instruction).
    """
    total = sum(message_tokens(message) for message in messages)
    if total <= limit:
        return messages, []
    fitted = [dict(message) for message in messages]
    cut: list[str] = []
    for kept in _KEPT:
        for message in fitted:
            while total > limit and (block := _longest_first_block(message, kept)):
                before = message_tokens(message)
                message["content"] = _shrink(message["content"], block, kept)
                total += message_tokens(message) - before
                cut.append(_name(block.group(1)))
    for message in sorted(fitted[1:], key=message_tokens, reverse=True):
        if total <= limit:
            break
        before = message_tokens(message)
        _cut_middle(message, max(limit - (total - before), 50))
        total += message_tokens(message) - before
        cut.append(f"{message['role']} message")
    return fitted, list(dict.fromkeys(cut))


def _longest_first_block(message: dict[str, Any], kept: int) -> re.Match[str] | None:
    """The first block of a message whose text is still longer than what may stay."""
    content = message.get("content")
    if not isinstance(content, str):
        return None
    return next((b for b in _BLOCK.finditer(content) if len(b.group(3)) > kept + len(CUT)), None)


def _shrink(content: str, block: re.Match[str], kept: int) -> str:
    return content[: block.start(3)] + block.group(3)[:kept] + CUT + content[block.end(3) :]


def _name(tag: str) -> str:
    found = re.search(r'\b(?:id|title)="([^"]*)"', tag)
    return found.group(1) if found else shorten(tag, 40)


def _cut_middle(message: dict[str, Any], limit: int) -> None:
    """Keep the beginning and the end of a text, within `limit` tokens."""
    content = message.get("content")
    if not isinstance(content, str) or not content:
        return
    share = limit / max(count_tokens(content), 1)
    half = max(int(len(content) * share * 0.45), 1)
    while half > 1 and count_tokens(content[:half] + CUT + content[-half:]) > limit:
        half = half * 9 // 10
    message["content"] = content[:half] + CUT + content[-half:]
