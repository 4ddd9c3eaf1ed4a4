"""The offline provider: one function from an HTTP request to an HTTP response, for chat, searches and pages.

It stands behind every way to reach it (in-process transports for three HTTP stacks, a loopback server), so
offline and live differ in nothing but the wire. It checks the key if it was given one, refuses in each
API's own error shape, and never lets a traceback out.
"""

from __future__ import annotations

import hmac
import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from deep_research.core.clock import Clock, FrozenClock, RealClock
from deep_research_offline.wire import chat
from deep_research_offline.wire.arxiv import ROUTE, ArxivAPI
from deep_research_offline.wire.faults import EDITS, Faults, edited, strike
from deep_research_offline.wire.pages import page_response
from deep_research_offline.wire.tavily import TavilyAPI

from .wire import MAX_BODY, RequestRefused, Response, error_response, json_response, parse_object, too_large

if TYPE_CHECKING:
    import httpx2

    from deep_research.sources.index import Document
    from deep_research_offline.web.types import Web


JsonFunction = Callable[[dict[str, Any]], dict[str, Any]]

METHODS = {
    "/v1/chat/completions": "POST", "/v1/models": "GET", "/search": "POST", "/extract": "POST", ROUTE: "GET",
}  # fmt: skip


class OfflineProvider:
    """Answers chat completions, searches and page requests from this machine.

    `web` and `documents` are what can be found (either, both or neither). `latency_ms` is waited before
    each answer, by the adapter. `api_key`, if set, is asked for by the APIs, not by the pages. `faults`
    strike on the wire. Relative dates ("last week") count from `clock`: by default the web's own date, or
    the real one without a web. `model` answers chat completions, by default the offline model.
    """

    def __init__(
        self,
        *,
        web: Web | None = None,
        documents: Sequence[Document] | None = None,
        latency_ms: float = 0,
        api_key: str | None = None,
        faults: Faults | None = None,
        clock: Clock | None = None,
        model: chat.ChatModel | None = None,
    ) -> None:
        self.web = web
        self.latency = latency_ms / 1000
        clock = clock or (FrozenClock(web.date) if web else RealClock())
        self.tavily = TavilyAPI(web, documents or (), clock)
        self.arxiv = ArxivAPI(web)
        self._api_key = api_key
        self._faults = faults
        self._model = model or _offline_model

    def handle(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
        """Answer one request. `path` may carry a query string. Only injected faults raise (`WireError`)."""
        route = path.partition("?")[0]
        fault = self._faults.next(route, body) if self._faults else None
        if fault is None:
            return self._answer(method, path, route, headers, body)
        if fault.kind in EDITS:
            return self._answer(method, path, route, headers, body, partial(edited, fault))
        return strike(fault, route, lambda: self._answer(method, path, route, headers, body))

    def chat_clients(self) -> tuple[httpx2.Client, httpx2.AsyncClient]:
        """The HTTP clients for `ChatOpenAI` that end here."""
        from .wire.transports import chat_clients

        return chat_clients(self)

    def _answer(
        self,
        method: str,
        path: str,
        route: str,
        headers: Mapping[str, str],
        body: bytes,
        edit: JsonFunction = lambda answer: answer,
    ) -> Response:
        try:
            if len(body) > MAX_BODY:
                raise too_large()
            if self.web and (route + "/").startswith("/web/") and method in ("GET", "HEAD"):
                return _page(self.web, method, path)
            self._check(method, route, headers)
            return self.arxiv.query(path) if route == ROUTE else self._api(route, body, edit)
        except RequestRefused as refusal:
            return error_response(route, refusal)

    def _check(self, method: str, route: str, headers: Mapping[str, str]) -> None:
        """Is there such a route, may it be called like this, and by this client?"""
        if route not in METHODS:
            known = ", ".join(METHODS) + (", /web/" if self.web else "")
            raise RequestRefused(404, f"Unknown path {route}. Known are: {known}.")
        if method != METHODS[route]:
            message = f"{route} takes {METHODS[route]}, not {method}."
            raise RequestRefused(405, message, {"allow": METHODS[route]})
        given = {name.lower(): value for name, value in headers.items()}.get("authorization", "")
        if self._api_key is not None and not _same(given, f"Bearer {self._api_key}"):
            message = "Incorrect API key provided." if given else "You did not provide an API key."
            raise RequestRefused(401, message)

    def _api(self, route: str, body: bytes, edit: JsonFunction) -> Response:
        routes: dict[str, Callable[[], Response]] = {
            "/v1/models": chat.list_models,
            "/v1/chat/completions": lambda: chat.chat_completions(
                body, lambda request: edit(self._model(request))
            ),
            "/search": lambda: self._search_api(lambda asked: edit(self.tavily.search(asked)), route, body),
            "/extract": lambda: self._search_api(self.tavily.extract, route, body),
        }
        return routes[route]()

    def _search_api(self, serve: JsonFunction, route: str, body: bytes) -> Response:
        """A Tavily answer. Its request id follows from the request: equal requests, equal bytes."""
        digest = sha256(route.encode() + body).digest()[:16]
        answer = serve(parse_object(body))
        return json_response(answer | {"response_time": 0.0, "request_id": str(uuid.UUID(bytes=digest))})


def _page(web: Web, method: str, path: str) -> Response:
    response = page_response(web, path)
    return response if method == "GET" else Response(response.status, response.headers, ())


def _offline_model(request: dict[str, Any]) -> dict[str, Any]:
    from .model import complete

    return complete(request)


def _same(given: str, wanted: str) -> bool:
    """Compared in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode("utf-8", "replace"))
