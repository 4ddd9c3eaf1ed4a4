"""Faults on the wire, on purpose: rate limits, outages, time-outs, broken streams, garbage.

A fault strikes the raw HTTP answer, so the real clients' own error classes are exercised. Which request is
struck depends on the request alone (its path, its place among those on this path, how often this very
request was sent), never on the time or on chance, so a failing run can be repeated.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from deep_research.offline.wire import (
    ConnectionRefused,
    LineBroken,
    NoAnswer,
    RequestRefused,
    Response,
    error_response,
    whole,
)

FaultKind = Literal["status", "timeout", "refused", "truncated", "unfinished", "malformed", "empty"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault.

    `status` answers with the status code `status` (and `Retry-After`, if given, in seconds); `timeout`
    never answers; `refused` lets nobody listen; `truncated` breaks the connection half-way through the
    answer, while `unfinished` ends it there as if it were complete; `malformed` answers 200 with broken
    JSON; `empty` answers 200 with nothing.
    """

    kind: FaultKind = "status"
    status: int = 500
    retry_after: float | None = None
    path: str = ""  # only requests to a path that begins with this; a script waits for the next such request


@dataclass(frozen=True, slots=True)
class Call:
    """What a script may decide by: the path, the body, and two counters that start at 1."""

    path: str
    body: bytes
    count: int  # how many requests this path has had
    attempt: int  # how many times this very request was sent


Script = Sequence[Fault | None] | Callable[[Call], Fault | None]


class Faults:
    """Decides which request is struck by which fault; safe to share between threads.

    `script` is a list, of which each request takes the next entry that is meant for its path (None lets one
    request pass, and all pass at the end of the list), or a function of a `Call`. With requests in parallel
    only a function is sure to strike the same ones each time.
    """

    def __init__(self, script: Script) -> None:
        self._choose = script if callable(script) else None
        self._queue = [] if callable(script) else list(script)
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def next(self, path: str, body: bytes) -> Fault | None:
        """The fault for this request, or None."""
        with self._lock:
            if self._choose is None:
                return self._take(path)
            request = f"{path} {sha256(body).hexdigest()}"
            self._counts.update((path, request))
            call = Call(path, body, self._counts[path], self._counts[request])
        return self._choose(call)

    def _take(self, path: str) -> Fault | None:
        for place, fault in enumerate(self._queue):
            if fault is None or path.startswith(fault.path):
                return self._queue.pop(place)
        return None


def strike(fault: Fault, path: str, answer: Callable[[], Response]) -> Response:
    """What the client gets in place of `answer()`; raises a `WireError` if it gets nothing."""
    if fault.kind == "timeout":
        raise NoAnswer("no answer in time")
    if fault.kind == "refused":
        raise ConnectionRefused("connection refused")
    if fault.kind == "status":
        return _refusal(fault, path)
    if fault.kind == "malformed":
        return whole(200, "application/json", b'{"id": "malformed", "choices": [{')
    if fault.kind == "empty":
        return whole(200, "application/json", b"")
    return _halved(answer(), broken=fault.kind == "truncated")


def _refusal(fault: Fault, path: str) -> Response:
    words = {429: "Rate limit reached.", 503: "The service is overloaded; try again later."}
    headers = {} if fault.retry_after is None else {"retry-after": f"{fault.retry_after:g}"}
    message = words.get(fault.status, f"Injected fault: status {fault.status}.")
    return error_response(path, RequestRefused(fault.status, message, headers))


def _halved(response: Response, broken: bool) -> Response:
    """The first half of the answer: of its bytes, or of its events when it is streamed."""
    chunks = list(response.chunks)
    if not response.streamed:
        body = b"".join(chunks)
        chunks = [body[: len(body) // 2]]
    half = chunks[: max(1, len(chunks) // 2)]
    if broken:
        return Response(response.status, response.headers, _then_break(half))
    headers = {name: value for name, value in response.headers.items() if name != "content-length"}
    return Response(response.status, headers, half)


def _then_break(chunks: list[bytes]) -> Iterator[bytes]:
    yield from chunks
    raise LineBroken("the connection broke before the answer was complete")
