"""What travels between a client and the offline provider, whichever HTTP stack carries it.

A `Response` is a status, headers and byte chunks; an adapter (`transports.py`, `server.py`) turns it into
its own stack's response. What can go wrong below HTTP (nobody listens, no answer in time, the line breaks)
is an exception of this module, which each adapter turns into its own stack's error.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

MAX_BODY = 16 * 2**20  # bytes


def too_large() -> RequestRefused:
    """The refusal of a body that is longer than `MAX_BODY`; a server need not read it to say so."""
    return RequestRefused(413, f"The request body is larger than {MAX_BODY // 2**20} MB.")


@dataclass(slots=True)
class Response:
    """An HTTP answer. A streamed one has no `content-length` header, and its chunks may break off."""

    status: int
    headers: dict[str, str]
    chunks: Iterable[bytes]

    @property
    def streamed(self) -> bool:
        return "content-length" not in self.headers


class Handler(Protocol):
    """What the adapters need: an answer for a request, and how long to wait before giving it."""

    latency: float  # seconds

    def handle(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response: ...


class WireError(Exception):
    """Something failed below HTTP."""


class ConnectionRefused(WireError):
    """Nobody answers at this address."""


class NoAnswer(WireError):
    """The answer does not come in time."""


class LineBroken(WireError):
    """The connection breaks before the answer is complete."""


class RequestRefused(Exception):
    """A request that is answered with an error status, in the shape of its API (`error_response`)."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = dict(headers or {})


def whole(status: int, content_type: str, body: bytes, headers: Mapping[str, str] | None = None) -> Response:
    """A response whose length is known."""
    fixed = {"content-type": content_type, "content-length": str(len(body))}
    return Response(status, {**fixed, **(headers or {})}, [body])


def json_response(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON body in UTF-8; lone surrogates, which UTF-8 cannot hold, are escaped."""
    try:
        body = json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        body = json.dumps(data).encode()
    return whole(status, "application/json", body, headers)


def parse_object(body: bytes) -> dict[str, Any]:
    """The JSON object of a request body; raises `RequestRefused` (400) if it is none."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RequestRefused(400, f"The request body is not valid JSON: {error}.") from None
    if not isinstance(data, dict):
        raise RequestRefused(400, "The request body must be a JSON object.")
    return data


OPENAI_ERRORS = {
    401: ("invalid_request_error", "invalid_api_key"),
    429: ("requests", "rate_limit_exceeded"),
}
"""Status → (type, code) of an OpenAI error, where it is not the general one of its class."""


def error_response(path: str, refusal: RequestRefused) -> Response:
    """The refusal in the shape of the API that `path` belongs to (arXiv's, Tavily's two, else OpenAI's)."""
    status = refusal.status
    if path == "/api/query":
        return whole(status, "text/plain; charset=utf-8", refusal.message.encode(), refusal.headers)
    if path in ("/search", "/extract"):
        return json_response({"detail": {"error": refusal.message}}, status, refusal.headers)
    general = ("invalid_request_error" if status < 500 else "server_error", None)
    kind, code = OPENAI_ERRORS.get(status, general)
    error = {"message": refusal.message, "type": kind, "param": None, "code": code}
    return json_response({"error": error}, status, refusal.headers)
