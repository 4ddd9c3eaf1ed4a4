"""LangChain's `ChatOpenAI`, made forgiving about one thing: tool arguments that are JSON but no object.

The library files arguments that are not JSON under `invalid_tool_calls`, where they can be answered, but
raises on `"text"` or `[1]`, which small models do send; one such call would cost a whole branch. Here both
end up in the same place. Imported only when a client is built.
"""

from __future__ import annotations

import json
from typing import Any

from langchain_core.outputs import ChatResult
from langchain_openai import ChatOpenAI


class ForgivingChatOpenAI(ChatOpenAI):
    """`ChatOpenAI` that never fails on the arguments of a tool call."""

    def _create_chat_result(self, response: Any, generation_info: dict[str, Any] | None = None) -> ChatResult:
        for choice in getattr(response, "choices", None) or []:
            for call in choice.message.tool_calls or []:
                if not _is_object(call.function.arguments):
                    call.function.arguments = f"no object: {call.function.arguments}"
        return super()._create_chat_result(response, generation_info)


def _is_object(arguments: str | None) -> bool:
    """Whether arguments are a JSON object; empty ones count as the empty object, as in the library."""
    try:
        return isinstance(json.loads(arguments or "{}"), dict)
    except ValueError:
        return False
