"""In-process transports: the real clients, with this machine in place of the network.

One adapter per HTTP stack in use (`httpx2` under OpenAI's client, `httpx` and `requests` under Tavily's
two), each a few lines around `OfflineProvider.handle`. The factories at the end build clients that cannot
reach anything else: their base address is reserved and does not resolve, their key is the word "offline",
and proxies, netrc and keys of the environment are left alone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

import httpx
import httpx2
import requests
from requests.adapters import BaseAdapter

from deep_research_offline.wire import ConnectionRefused, Handler, LineBroken, NoAnswer, Response

if TYPE_CHECKING:
    from tavily import AsyncTavilyClient, TavilyClient


BASE_URL = "http://offline.invalid"
OPENAI_BASE_URL = f"{BASE_URL}/v1"
API_KEY = "offline"


class Httpx2Transport(httpx2.BaseTransport, httpx2.AsyncBaseTransport):
    """For `httpx2.Client` and `httpx2.AsyncClient`."""

    def __init__(self, handler: Handler) -> None:
        self.handler = handler

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        body = request.read()
        time.sleep(self.handler.latency)
        with _as_errors_of(httpx2, request):
            response = self.handler.handle(request.method, _path(request), request.headers, body)
        chunks = _chunks(httpx2, request, response)
        return httpx2.Response(response.status, headers=response.headers, content=chunks, request=request)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = await request.aread()
        await asyncio.sleep(self.handler.latency)
        with _as_errors_of(httpx2, request):
            response = self.handler.handle(request.method, _path(request), request.headers, body)
        chunks = _async_chunks(httpx2, request, response)
        return httpx2.Response(response.status, headers=response.headers, content=chunks, request=request)


class HttpxTransport(httpx.AsyncBaseTransport):
    """For `httpx.AsyncClient`."""

    def __init__(self, handler: Handler) -> None:
        self.handler = handler

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        body = await request.aread()
        await asyncio.sleep(self.handler.latency)
        with _as_errors_of(httpx, request):
            response = self.handler.handle(request.method, _path(request), request.headers, body)
        chunks = _async_chunks(httpx, request, response)
        return httpx.Response(response.status, headers=response.headers, content=chunks, request=request)


class RequestsAdapter(BaseAdapter):
    """For `requests.Session`. The answer is read as a whole, which is all that Tavily's client needs."""

    def __init__(self, handler: Handler) -> None:
        super().__init__()
        self.handler = handler

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        body = request.body.encode() if isinstance(request.body, str) else cast(bytes, request.body or b"")
        headers = {name: str(value) for name, value in request.headers.items()}
        time.sleep(self.handler.latency)
        try:
            response = self.handler.handle(request.method or "GET", request.path_url, headers, body)
            content = b"".join(response.chunks)
        except NoAnswer as error:
            raise requests.ReadTimeout(str(error), request=request) from None
        except ConnectionRefused as error:
            raise requests.ConnectionError(str(error), request=request) from None
        except LineBroken as error:
            raise requests.exceptions.ChunkedEncodingError(str(error), request=request) from None
        return _requests_response(request, response, content)

    def close(self) -> None:
        """There is nothing to close."""


def chat_clients(handler: Handler) -> tuple[httpx2.Client, httpx2.AsyncClient]:
    """The two HTTP clients for `ChatOpenAI(http_client=…, http_async_client=…)`.

    Give it `base_url=OPENAI_BASE_URL` and `api_key=API_KEY` as well, or it reads both from the environment.
    """
    transport = Httpx2Transport(handler)
    return (
        httpx2.Client(transport=transport, trust_env=False),
        httpx2.AsyncClient(transport=transport, trust_env=False),
    )


def async_tavily(
    handler: Handler, on_response: Callable[[httpx.Response], Awaitable[None]] | None = None
) -> AsyncTavilyClient:
    """Tavily's async client over the provider.

    `on_response` sees each HTTP answer first, status and headers included, which Tavily's own errors drop.
    """
    from tavily import AsyncTavilyClient

    client = httpx.AsyncClient(
        transport=HttpxTransport(handler),
        base_url=BASE_URL,
        trust_env=False,
        event_hooks={"response": [on_response] if on_response else []},
    )
    return AsyncTavilyClient(api_key=API_KEY, project_id=API_KEY, org_id=API_KEY, client=client)


def sync_tavily(handler: Handler) -> TavilyClient:
    """Tavily's sync client over the provider."""
    from tavily import TavilyClient

    session = requests.Session()
    session.trust_env = False
    for scheme in ("http://", "https://"):
        session.mount(scheme, RequestsAdapter(handler))
    return TavilyClient(
        api_key=API_KEY, project_id=API_KEY, org_id=API_KEY, session=session, api_base_url=BASE_URL
    )


def _path(request: httpx.Request | httpx2.Request) -> str:
    return request.url.raw_path.decode("ascii")


@contextmanager
def _as_errors_of(stack: ModuleType, request: Any) -> Iterator[None]:
    """Turn what fails below HTTP into the errors of `httpx` or `httpx2`, which name them alike."""
    try:
        yield
    except NoAnswer as error:
        raise stack.ReadTimeout(str(error), request=request) from None
    except ConnectionRefused as error:
        raise stack.ConnectError(str(error), request=request) from None
    except LineBroken as error:
        raise stack.RemoteProtocolError(str(error), request=request) from None


def _chunks(stack: ModuleType, request: Any, response: Response) -> Iterator[bytes]:
    with _as_errors_of(stack, request):
        yield from response.chunks


async def _async_chunks(stack: ModuleType, request: Any, response: Response) -> AsyncIterator[bytes]:
    with _as_errors_of(stack, request):
        for chunk in response.chunks:
            yield chunk


def _requests_response(
    request: requests.PreparedRequest, answer: Response, content: bytes
) -> requests.Response:
    response = requests.Response()
    response.status_code = answer.status
    response.headers.update(answer.headers)
    response.encoding = requests.utils.get_encoding_from_headers(response.headers)
    response.url = request.url or ""
    response.request = request
    response._content = content
    return response
