"""A conversation with a model as a chat: who said what, which tools were called with which arguments.

Long texts are folded. Everything is escaped, because messages hold text of pages that nobody has vetted.
"""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from typing import Any

from deep_research.text.language import shorten

from .display import MUTED, Display, colour

SPEAKERS = {"system": "instructions", "user": "user", "assistant": "model", "tool": "tool results"}
"""OpenAI's role of a message → what it is called in figures."""
_FOLD_ABOVE = 320
"""Characters of a message that are shown without folding."""
_LINE = 100


def show_messages(messages: Sequence[Any]) -> Display:
    """Show messages (LangChain's or OpenAI's); long texts are folded."""
    plain = [as_openai(message) for message in messages]
    return Display(
        "\n".join(line for message in plain for line in _lines(message)),
        html="".join(_bubble(message) for message in plain),
    )


def as_openai(message: Any) -> dict[str, Any]:
    """One message as OpenAI's API spells it."""
    from langchain_core.messages import convert_to_openai_messages

    plain: Any = message if isinstance(message, Mapping) else convert_to_openai_messages(message)
    return dict(plain)


def _calls(message: Mapping[str, Any]) -> list[str]:
    """The tool calls of a message, written as `name(argument=value)`."""
    written = []
    for call in message.get("tool_calls") or []:
        raw = call["function"]["arguments"]
        try:
            pairs = json.loads(raw).items()
            raw = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in pairs)
        except (ValueError, AttributeError):
            pass  # written as it came
        written.append(f"{call['function']['name']}({raw})")
    return written


def _body(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))


def _lines(message: Mapping[str, Any]) -> list[str]:
    said = [*filter(None, [_body(message)]), *(f"→ {call}" for call in _calls(message))] or ["(empty)"]
    return [f"{_name(message):13} {shorten(text, _LINE)}" for text in said]


def _name(message: Mapping[str, Any]) -> str:
    return SPEAKERS.get(message["role"], str(message["role"]))


def _bubble(message: Mapping[str, Any]) -> str:
    name = _name(message)
    parts = [_text_html(_body(message))] if _body(message) else []
    parts += [
        f'<div><code style="white-space:pre-wrap">→ {html.escape(call)}</code></div>'
        for call in _calls(message)
    ]
    return (
        f'<div style="border-left:4px solid {colour(name)};padding:2px 10px;margin:6px 0">'
        f'<div style="color:{MUTED};font-size:85%">{html.escape(name)}</div>{"".join(parts)}</div>'
    )


def _text_html(text: str) -> str:
    whole = f'<div style="white-space:pre-wrap">{html.escape(text)}</div>'
    if len(text) <= _FOLD_ABOVE:
        return whole
    opening = (
        f'{html.escape(shorten(text, 110))} <span style="color:{MUTED}">({len(text):,} characters)</span>'
    )
    return f"<details><summary>{opening}</summary>{whole}</details>"
