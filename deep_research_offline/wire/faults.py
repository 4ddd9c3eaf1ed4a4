"""Faults on the wire, on purpose: rate limits, outages, time-outs, broken streams, garbage.

A fault strikes the raw HTTP answer, so the real clients' own error classes are exercised. Which request is
struck depends on the request alone (its path, its place among those on this path, how often this very
request was sent), never on the time or on chance, so a failing run can be repeated.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from deep_research_offline.wire import (
    ConnectionRefused,
    LineBroken,
    NoAnswer,
    RequestRefused,
    Response,
    WireError,
    error_response,
    whole,
)

FaultKind = Literal[
    "status", "timeout", "refused", "truncated", "slow", "unfinished", "malformed", "empty", "html",
    "error_inside", "encoding", "too_long", "no_choices", "prose", "thoughts", "wrong_tool", "cut", "no_hits",
    "no_urls", "twice", "huge",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault.

    `status` answers with the status code `status` (and `Retry-After`, if given, in seconds); `timeout`
    never answers; `refused` lets nobody listen; `truncated` breaks the connection half-way through the
    answer, `slow` lets it stop there until nobody waits any more, and `unfinished` ends it there as if it
    were complete; `malformed` answers 200 with broken JSON; `empty` answers 200 with nothing, `html` with a
    page of a proxy, `error_inside` with an error and `encoding` with bytes that are no UTF-8; `too_long`
    says that the messages exceed the model's context, which a plan says of long ones only. The others change
    what the API answers (`edited`).
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
    if fault.kind in _BODIES:
        return whole(400 if fault.kind == "too_long" else 200, *_BODIES[fault.kind])
    return _halved(answer(), _BREAKS.get(fault.kind))


def _refusal(fault: Fault, path: str) -> Response:
    words = {429: "Rate limit reached.", 503: "The service is overloaded; try again later."}
    headers = {} if fault.retry_after is None else {"retry-after": f"{fault.retry_after:g}"}
    message = words.get(fault.status, f"Injected fault: status {fault.status}.")
    return error_response(path, RequestRefused(fault.status, message, headers))


def _halved(response: Response, end: type[WireError] | None) -> Response:
    """The first half of the answer: of its bytes, or of its events when it is streamed; then this error."""
    chunks = list(response.chunks)
    if not response.streamed:
        body = b"".join(chunks)
        chunks = [body[: len(body) // 2]]
    half = chunks[: max(1, len(chunks) // 2)]
    if end:
        return Response(response.status, response.headers, _then_break(half, end))
    headers = {name: value for name, value in response.headers.items() if name != "content-length"}
    return Response(response.status, headers, half)


def _then_break(chunks: list[bytes], end: type[WireError]) -> Iterator[bytes]:
    yield from chunks
    raise end("there is no more of the answer")


_BREAKS: Mapping[str, type[WireError]] = {"truncated": LineBroken, "slow": NoAnswer}
"""How an answer ends in its middle."""
_BODIES: Mapping[str, tuple[str, bytes]] = {
    "malformed": ("application/json", b'{"id": "malformed", "choices": [{'),
    "empty": ("application/json", b""),
    "html": ("text/html", b"<!doctype html><html><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>"),
    "error_inside": ("application/json", b'{"error": {"message": "overloaded", "code": 529}}'),
    "encoding": ("application/json", b'{"choices": "\xff\xfe\xe9", "results": "\xff"}'),
    "too_long": (
        "application/json",
        b'{"error": {"message": "The input exceeds the context.", "code": "context_length_exceeded"}}',
    ),
}
"""Content type and body of answers that are none."""


def edited(fault: Fault, answer: dict[str, Any]) -> dict[str, Any]:
    """A model's or a search's answer as the fault leaves it; one that is not for this API changes nothing."""
    return EDITS[fault.kind](answer)


def _message(**changed: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A change of the first choice; `finish_reason` stands beside the message, all else is in it."""

    def edit(answer: dict[str, Any]) -> dict[str, Any]:
        if "choices" not in answer:
            return answer
        choice = answer["choices"][0]
        new = {name: value(choice["message"]) for name, value in changed.items() if name != "finish_reason"}
        reason = changed.get("finish_reason", choice["finish_reason"])
        message = {name: value for name, value in {**choice["message"], **new}.items() if value is not None}
        return {
            **answer,
            "choices": [{**choice, "message": {"content": None, **message}, "finish_reason": reason}],
        }

    return edit


def _results(change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> Any:
    """A change of the rows of a search."""
    return lambda answer: {**answer, "results": change(answer["results"])} if "results" in answer else answer


def _renamed(message: Mapping[str, Any]) -> Any:
    calls = json.loads(json.dumps(message.get("tool_calls") or None))
    for call in calls or []:
        call["function"]["name"] += ".exec"
    return calls


EDITS: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "no_choices": lambda answer: {**answer, "choices": []} if "choices" in answer else answer,
    "prose": _message(
        content=lambda m: "Certainly! Here is what I can say about it.", tool_calls=lambda m: None,
        finish_reason="stop",
    ),
    "thoughts": _message(content=lambda m: f"<think>Let me see.</think>{m.get('content') or ''}"),
    "wrong_tool": _message(tool_calls=_renamed),
    "cut": _message(
        content=lambda m: (m.get("content") or "")[:40], tool_calls=lambda m: None, finish_reason="length"
    ),
    "no_hits": _results(lambda rows: []),
    "no_urls": _results(lambda rows: [{k: v for k, v in row.items() if k != "url"} for row in rows]),
    "twice": _results(lambda rows: [*rows, *rows]),
    "huge": _results(lambda rows: [{**row, "content": row["content"] * 500} for row in rows]),
}  # fmt: skip

_ANYWHERE = (
    Fault("status", 429), Fault("status", 429, 2), Fault("status", 500), Fault("status", 503),
    Fault("timeout"), Fault("refused"), Fault("truncated"), Fault("slow"), Fault("unfinished"),
    Fault("malformed"), Fault("empty"), Fault("html"), Fault("error_inside"), Fault("encoding"),
)  # fmt: skip
_PLANNED: Mapping[str, Sequence[Fault]] = {
    "/v1/chat/completions": (
        *_ANYWHERE, Fault("too_long"), Fault("no_choices"), Fault("prose"), Fault("thoughts"),
        Fault("wrong_tool"), Fault("cut"),
    ),
    "/search": (*_ANYWHERE, Fault("no_hits"), Fault("no_urls"), Fault("twice"), Fault("huge")),
}  # fmt: skip
"""What may strike a request, by its path; on other paths, what may strike any."""
_LONG = 24_000
"""Bytes of a request that may exceed the context of a small model."""


def fault_plan(seed: int, rate: float) -> Callable[[Call], Fault | None]:
    """A script that strikes this share of all requests; each fault follows from seed, request and attempt."""

    def choose(call: Call) -> Fault | None:
        drawn = sha256(f"{seed} {call.path} {call.attempt} ".encode() + call.body).digest()
        if int.from_bytes(drawn[:8]) >= rate * 2**64:
            return None
        planned = _PLANNED.get(call.path, _ANYWHERE)
        fault = planned[int.from_bytes(drawn[8:16]) % len(planned)]
        return None if fault.kind == "too_long" and len(call.body) < _LONG else fault

    return choose


def read_chaos(text: str) -> Faults:
    """The faults of `SEED[:RATE]`; raises ValueError for anything else. The rate is .1 unless it is given."""
    seed, _, rate = text.partition(":")
    share = float(rate or 0.1)
    if not 0 <= share <= 1:
        raise ValueError("the rate is a share between 0 and 1")
    return Faults(fault_plan(int(seed), share))
