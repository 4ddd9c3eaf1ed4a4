"""`POST /v1/chat/completions` and `GET /v1/models`, as an OpenAI client expects them.

The offline model returns one whole completion; streaming cuts that into the events that a real endpoint
would send: the role, pieces of a few words, tool calls whose arguments arrive in fragments, the reason for
the end, and the usage if it was asked for.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator
from typing import Any

from deep_research_offline.wire import RequestRefused, Response, json_response, parse_object

MODEL_NAMES = ("offline",)
WORDS_PER_CHUNK = 3
ARGUMENT_CHUNK = 24  # characters of a tool call's arguments in one event

ChatModel = Callable[[dict[str, Any]], dict[str, Any]]
"""From the JSON body of a chat-completions request to that of its whole (unstreamed) response."""

log = logging.getLogger(__name__)


def list_models() -> Response:
    """The models that are served. Any other name is answered too, so that clients need no change."""
    models = [
        {"id": name, "object": "model", "created": 0, "owned_by": "deep-research"} for name in MODEL_NAMES
    ]
    return json_response({"object": "list", "data": models})


def chat_completions(body: bytes, model: ChatModel) -> Response:
    """Answer a chat-completions request, whole or as server-sent events."""
    request = _checked(parse_object(body))
    completion = _complete(model, request)
    if "error" in completion:
        return json_response(completion, 400)
    if not request.get("stream"):
        return json_response(completion)
    with_usage = bool((request.get("stream_options") or {}).get("include_usage"))
    events = [_event(chunk) for chunk in stream_chunks(completion, with_usage)]
    return Response(200, {"content-type": "text/event-stream", "cache-control": "no-store"}, [*events, _DONE])


def stream_chunks(completion: dict[str, Any], with_usage: bool) -> Iterator[dict[str, Any]]:
    """The `chat.completion.chunk` objects of a completion, in sending order.

    With usage, every chunk has the field `usage`: null, until a last one without choices tells it.
    """
    kept = ("id", "created", "model", "system_fingerprint")
    base: dict[str, Any] = {key: completion[key] for key in kept if key in completion}
    base |= {"object": "chat.completion.chunk"} | ({"usage": None} if with_usage else {})
    for choice in completion["choices"]:
        for delta in _deltas(choice["message"]):
            yield base | {"choices": [_choice(choice, delta, None)]}
        yield base | {"choices": [_choice(choice, {}, choice["finish_reason"])]}
    if with_usage:
        yield base | {"choices": [], "usage": completion["usage"]}


def pieces(text: str) -> list[str]:
    """A text cut into pieces of a few words (or of as many characters, where words have no spaces)."""
    words = re.findall(r"\s*\S{1,8}|\s+", text)
    return ["".join(words[i : i + WORDS_PER_CHUNK]) for i in range(0, len(words), WORDS_PER_CHUNK)]


def _deltas(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    content, calls = message.get("content"), message.get("tool_calls") or []
    yield {"role": "assistant", "content": None if content is None else ""}
    for piece in pieces(content or ""):
        yield {"content": piece}
    for index, call in enumerate(calls):
        function = call["function"]
        head = {"index": index, "id": call["id"], "type": "function"}
        yield {"tool_calls": [head | {"function": {"name": function["name"], "arguments": ""}}]}
        for start in range(0, len(function["arguments"]), ARGUMENT_CHUNK):
            fragment = function["arguments"][start : start + ARGUMENT_CHUNK]
            yield {"tool_calls": [{"index": index, "function": {"arguments": fragment}}]}


def _choice(choice: dict[str, Any], delta: dict[str, Any], finish_reason: str | None) -> dict[str, Any]:
    return {"index": choice["index"], "delta": delta, "logprobs": None, "finish_reason": finish_reason}


def _event(data: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()


_DONE = b"data: [DONE]\n\n"


def _checked(request: dict[str, Any]) -> dict[str, Any]:
    """Refuse (400) what no chat model could answer; everything else is the model's to judge."""
    messages = request.get("messages")
    if not isinstance(request.get("model"), str):
        raise RequestRefused(400, "You must provide a model parameter.")
    if not isinstance(messages, list) or not messages:
        raise RequestRefused(400, "'messages' must be a list with at least one message.")
    for place, message in enumerate(messages):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise RequestRefused(400, f"'messages[{place}]' must be an object with a 'role'.")
    _check_history(messages)
    if not isinstance(request.get("stream_options") or {}, dict):
        raise RequestRefused(400, "'stream_options' must be an object.")
    return request


def _check_history(messages: list[dict[str, Any]]) -> None:
    """Refuse, as OpenAI does, a tool call without its answer and an answer without its call."""
    waiting: set[str] = set()
    for place, message in enumerate(messages):
        if message["role"] == "tool":
            if message.get("tool_call_id") not in waiting:
                refusal = "a message with role 'tool' must answer a call of the assistant message before it."
                raise RequestRefused(400, f"Invalid parameter 'messages[{place}]': {refusal}")
            waiting.discard(message["tool_call_id"])
            continue
        if waiting:
            break
        waiting = {str(call.get("id")) for call in message.get("tool_calls") or []}
    if waiting:
        refusal = "an assistant message with 'tool_calls' must be followed by tool messages for each of them."
        raise RequestRefused(400, f"{refusal} These had no response: {', '.join(sorted(waiting))}.")


def _complete(model: ChatModel, request: dict[str, Any]) -> dict[str, Any]:
    """The model's answer. If it fails, the client gets one line and the log gets the traceback."""
    try:
        return model(request)
    except Exception as error:
        log.debug("the offline model failed", exc_info=True)
        message = f"The offline model failed on this request ({type(error).__name__})."
        raise RequestRefused(500, message) from None
