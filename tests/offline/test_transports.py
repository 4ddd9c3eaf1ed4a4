"""The real clients against the offline provider: in process and over a loopback port."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx
import httpx2
import openai
import pytest
import requests
import tavily
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from deep_research.sources.index import Document
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web.types import Web
from deep_research_offline.wire.faults import Call, Fault, Faults
from deep_research_offline.wire.server import running_server
from deep_research_offline.wire.transports import (
    API_KEY,
    BASE_URL,
    OPENAI_BASE_URL,
    async_tavily,
    chat_clients,
    sync_tavily,
)

TALK = "one two three four five six 風車は三百基ある、と言われている。 end"


class Person(BaseModel):
    """A person."""

    name: str
    year: int


def search(queries: list[str]) -> str:
    """Search the web."""
    return ""


def think(reflection: str) -> str:
    """Think."""
    return ""


class Clients:
    """Builds real clients for a provider, in process or over the loopback port `url`."""

    def __init__(self, provider: OfflineProvider, url: str | None) -> None:
        self.provider, self.url = provider, url
        self.open: list[Any] = []

    def chat(self, **options: Any) -> ChatOpenAI:
        options = {"model": "offline", "api_key": API_KEY, "max_retries": 0} | options
        if self.url:
            return ChatOpenAI(base_url=f"{self.url}/v1", **options)
        sync, nonblocking = chat_clients(self.provider)
        wires = {"http_client": sync, "http_async_client": nonblocking}
        return ChatOpenAI(base_url=OPENAI_BASE_URL, **wires, **options)

    def tavily(self) -> tavily.TavilyClient:
        if not self.url:
            return sync_tavily(self.provider)
        client = tavily.TavilyClient(api_key=API_KEY, api_base_url=self.url)
        self.open.append(client.session)
        return client

    def async_tavily(self) -> tavily.AsyncTavilyClient:
        if not self.url:
            return async_tavily(self.provider)
        client = tavily.AsyncTavilyClient(api_key=API_KEY, api_base_url=self.url)
        self.open.append(client)
        return client

    async def close(self) -> None:
        for client in self.open:
            closing = client.close()
            if closing is not None:
                await closing


Connect = Callable[..., Clients]


@pytest.fixture(params=["in_process", "loopback"])
async def connect(request: Any, tiny_web: Web, scripted_model: Any) -> AsyncIterator[Connect]:
    """Clients for a provider with these options; clients and servers are closed with the test."""
    async with AsyncExitStack() as stack:

        def build(**options: Any) -> Clients:
            provider = OfflineProvider(**({"web": tiny_web, "model": scripted_model} | options))
            loopback = request.param == "loopback"
            clients = Clients(provider, stack.enter_context(running_server(provider)) if loopback else None)
            stack.push_async_callback(clients.close)
            return clients

        yield build


async def test_chat_answers_whole_and_streamed_the_same(connect: Connect) -> None:
    chat = connect().chat(stream_usage=True)
    whole = chat.invoke(TALK)
    parts = list(chat.stream(TALK))
    async_parts = [part async for part in chat.astream(TALK)]
    assert whole.content == f"You said:\n  {TALK}" == (await chat.ainvoke(TALK)).content
    assert "".join(part.content for part in parts) == whole.content
    assert [part.content for part in parts] == [part.content for part in async_parts]
    assert len([part for part in parts if part.content]) > 3
    assert parts[-1].usage_metadata or parts[-2].usage_metadata
    assert whole.usage_metadata["total_tokens"] == 12
    assert whole.response_metadata["finish_reason"] == "stop"


async def test_tool_calls_arrive_whole_and_streamed(connect: Connect) -> None:
    chat = connect().chat().bind_tools([search, think])
    whole = chat.invoke("go")
    streamed = None
    async for part in chat.astream("go"):
        streamed = part if streamed is None else streamed + part
    assert [call["name"] for call in whole.tool_calls] == ["search", "think"]
    assert streamed.tool_calls == whole.tool_calls
    assert whole.tool_calls[0]["args"] == {"name": "Ada Lovelace, 阿达", "year": 1843}
    assert streamed.response_metadata["finish_reason"] == "tool_calls"


@pytest.mark.parametrize("method", ["json_schema", "json_mode", "function_calling"])
async def test_s11_structured_output_by_every_method(connect: Connect, method: str) -> None:
    chat = connect().chat().with_structured_output(Person, method=method)
    assert chat.invoke("who, as json?") == await chat.ainvoke("who, as json?")
    assert chat.invoke("who, as json?") == Person(name="Ada Lovelace, 阿达", year=1843)


def test_s10_an_output_cut_by_length_says_so(connect: Connect) -> None:
    cut = connect().chat(max_tokens=10).invoke(TALK)
    assert cut.response_metadata["finish_reason"] == "length"
    assert cut.content == "You said:\n"


async def test_a_wrong_key_is_each_apis_own_error(connect: Connect) -> None:
    clients = connect(api_key="right")
    with pytest.raises(openai.AuthenticationError, match="Incorrect API key") as caught:
        clients.chat().invoke("hello")
    assert caught.value.code == "invalid_api_key"
    with pytest.raises(tavily.InvalidAPIKeyError, match="Incorrect API key"):
        clients.tavily().search("windmill")
    with pytest.raises(tavily.InvalidAPIKeyError):
        await clients.async_tavily().search("windmill")
    assert clients.chat(api_key="right").invoke("hello").content


def test_a_failing_model_is_one_line_without_details(connect: Connect) -> None:
    with pytest.raises(openai.InternalServerError) as caught:
        connect().chat().invoke("fail")
    assert "ZeroDivisionError" in str(caught.value)
    assert "secret" not in str(caught.value) and "Traceback" not in str(caught.value)


async def test_search_filters_and_limits(connect: Connect) -> None:
    client = connect().async_tavily()

    async def urls(**options: Any) -> list[str]:
        return sorted(hit["url"] for hit in (await client.search("windmill", **options))["results"])

    mill, news = "https://mill.example/wind", "https://news.example/wind_(2041)"
    assert await urls() == [mill, news]
    assert await urls(include_domains=["https://mill.example/x"]) == [mill]
    assert await urls(exclude_domains=["mill.example"]) == [news]
    assert await urls(topic="news") == [news]
    assert await urls(time_range="week") == await urls(topic="news", days=7) == [news]
    assert (
        await urls(end_date="2040-12-31")
        == await urls(start_date="2040-01-05", end_date="2040-01-05")
        == [mill]
    )
    assert len(await urls(max_results=1)) == 1
    assert await urls(max_results=0) == []
    for options in ({"max_results": 21}, {"start_date": "soon"}, {"topic": "sport"}, {"time_range": "age"}):
        with pytest.raises(tavily.BadRequestError, match=f"'{next(iter(options))}' must be"):
            await urls(**options)
    with pytest.raises(tavily.BadRequestError, match="too long"):
        await client.search("x" * 401)


def test_search_results_have_tavilys_fields_and_repeat_byte_for_byte(connect: Connect) -> None:
    client = connect().tavily()
    found = client.search("三百基", include_raw_content=True)
    assert found == client.search("三百基", include_raw_content=True)
    assert found["request_id"] != client.search("三百基")["request_id"]
    assert client.search("三百基")["results"][0]["raw_content"] is None
    assert found["response_time"] == 0
    assert found["results"] == [
        {
            "url": "https://gov.example/風車",
            "title": "風車の統計",
            "content": "風車は三百基ある。",
            "score": 1.0,
            "raw_content": "風車は三百基ある。",
            "published_date": "2039-06-01",
        }
    ]


async def test_extract_follows_redirects_and_reports_failures(connect: Connect) -> None:
    clients = connect()
    wanted = [
        "https://mill.example/old",
        "https://mill.example/none",
        "https://gov.example/%E9%A2%A8%E8%BB%8A",
    ]
    found = clients.tavily().extract(wanted)
    assert [result["raw_content"] for result in found["results"]] == [
        "A windmill burned.",
        "風車は三百基ある。",
    ]
    assert [failure["url"] for failure in found["failed_results"]] == wanted[1:2]
    assert (await clients.async_tavily().extract(wanted))["results"] == found["results"]


def test_documents_alone_are_the_only_evidence(connect: Connect) -> None:
    note = Document("notes/a.pdf#2", "Notes", "My windmill.", citation_key="notes/a.pdf, p.2", page=2)
    client = connect(web=None, documents=[note]).tavily()
    (hit,) = client.search("windmill")["results"]
    assert (hit["url"], hit["citation_key"], hit["page"]) == ("notes/a.pdf, p.2", "notes/a.pdf, p.2", 2)
    assert client.extract("notes/a.pdf, p.2")["results"][0]["raw_content"] == "My windmill."
    assert connect(web=None).tavily().search("windmill")["results"] == []


CHAT_FAULTS = [
    (Fault(status=429, retry_after=7), openai.RateLimitError),
    (Fault(status=503), openai.InternalServerError),
    (Fault("timeout"), openai.APITimeoutError),
    (Fault("refused"), openai.APIConnectionError),
    (Fault("truncated"), openai.APIConnectionError),
    (Fault("unfinished"), ValueError),
    (Fault("malformed"), ValueError),
    (Fault("empty"), ValueError),
]


def patience(fault: Fault) -> float:
    """Seconds to wait for an answer: short only where none will come, so that a busy machine is no fault."""
    return 1 if fault.kind == "timeout" else 60


@pytest.mark.parametrize(("fault", "error"), CHAT_FAULTS, ids=lambda case: getattr(case, "kind", ""))
async def test_s8_chat_faults_reach_the_client_as_its_own_errors(
    connect: Connect, fault: Fault, error: Any
) -> None:
    chat = connect(faults=Faults([fault, fault])).chat(timeout=patience(fault))
    with pytest.raises(error) as caught:
        chat.invoke("hello")
    with pytest.raises(error):
        await chat.ainvoke("hello")
    assert chat.invoke("hello").content.startswith("You said")
    if fault.retry_after:
        assert caught.value.response.headers["retry-after"] == "7"


async def test_s8_a_broken_stream_is_an_error_and_never_a_complete_answer(connect: Connect) -> None:
    chat = connect(faults=Faults([Fault("truncated"), Fault("unfinished")])).chat()
    parts = []
    with pytest.raises((httpx2.RemoteProtocolError, openai.APIConnectionError)):
        async for part in chat.astream(TALK):
            parts.append(part)
    assert parts and not any(part.response_metadata.get("finish_reason") for part in parts)
    silent = [part async for part in chat.astream(TALK)]
    assert silent and not any(part.response_metadata.get("finish_reason") for part in silent)


SEARCH_FAULTS = [
    (Fault(status=429), tavily.UsageLimitExceededError),
    (Fault(status=500), (requests.HTTPError, httpx.HTTPStatusError)),
    (Fault("timeout"), tavily.errors.TimeoutError),
    (Fault("refused"), (requests.ConnectionError, httpx.NetworkError, httpx.RemoteProtocolError)),
    (Fault("truncated"), (requests.RequestException, httpx.RemoteProtocolError)),
    (Fault("malformed"), ValueError),
    (Fault("empty"), ValueError),
]


@pytest.mark.parametrize(("fault", "error"), SEARCH_FAULTS, ids=lambda case: getattr(case, "kind", ""))
async def test_s8_search_faults_are_errors_and_never_empty_results(
    connect: Connect, fault: Fault, error: Any
) -> None:
    clients = connect(faults=Faults([fault, fault]))
    with pytest.raises(error):
        clients.tavily().search("windmill", timeout=patience(fault))
    with pytest.raises(error):
        await clients.async_tavily().search("windmill", timeout=patience(fault))
    assert len(clients.tavily().search("windmill")["results"]) == 2


async def test_s8_a_hook_sees_retry_after_before_tavilys_error_drops_it(tiny_web: Web) -> None:
    waits: list[str | None] = []

    async def note(response: httpx.Response) -> None:
        waits.append(response.headers.get("retry-after"))

    provider = OfflineProvider(web=tiny_web, faults=Faults([Fault(status=429, retry_after=2.5)]))
    client = async_tavily(provider, on_response=note)
    with pytest.raises(tavily.UsageLimitExceededError):
        await client.search("windmill")
    await client.search("windmill")
    assert waits == ["2.5", None]


def test_faults_strike_by_path_and_by_attempt(tiny_web: Web, scripted_model: Any) -> None:
    def first_try_of_each(call: Call) -> Fault | None:
        return Fault(status=503) if call.path == "/search" and call.attempt == 1 else None

    def statuses(faults: Faults, *queries: str) -> list[int]:
        provider = OfflineProvider(web=tiny_web, model=scripted_model, faults=faults)
        return [
            provider.handle("POST", "/search", {}, b'{"query": "%s"}' % q.encode()).status for q in queries
        ]

    assert statuses(Faults(first_try_of_each), "a", "b", "a", "b") == [503, 503, 200, 200]
    script = Faults([Fault(status=500, path="/v1"), None, Fault(status=502, path="/search")])
    assert statuses(script, "a", "a", "a") == [200, 502, 200]
    assert Faults([Fault(path="/v1")]).next("/v1/models", b"")


async def test_keys_of_the_environment_stay_at_home(
    tiny_web: Web, scripted_model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "TAVILY_API_KEY", "TAVILY_PROJECT", "TAVILY_ORG_ID"):
        monkeypatch.setenv(name, "sk-secret")
    for name in ("OPENAI_BASE_URL", "TAVILY_HTTPS_PROXY", "HTTPS_PROXY", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    seen: list[str] = []

    class Recorder(OfflineProvider):
        def handle(self, method: str, path: str, headers: Any, body: bytes) -> Any:
            seen.append(f"{dict(headers)} {body!r}")
            return super().handle(method, path, headers, body)

    clients = Clients(Recorder(web=tiny_web, model=scripted_model), None)
    clients.chat().invoke("hello")
    await clients.chat().ainvoke("hello")
    clients.tavily().search("windmill")
    await clients.async_tavily().search("windmill")
    assert len(seen) == 4
    assert not any("sk-secret" in request for request in seen)
    assert all(f"Bearer {API_KEY}" in request for request in seen)
    assert clients.tavily().base_url == BASE_URL
    assert BASE_URL.endswith(".invalid")


async def test_latency_does_not_block_the_loop(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = connect(latency_ms=100).chat()
    await chat.ainvoke("warm up")
    waits: list[float] = []
    in_the_loop, in_threads = asyncio.Barrier(5), threading.Barrier(5, timeout=30)

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        async with asyncio.timeout(30):
            await in_the_loop.wait()

    def sleep_in_thread(seconds: float) -> None:
        waits.append(seconds)
        in_threads.wait()

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(time, "sleep", sleep_in_thread)
    await asyncio.gather(*(chat.ainvoke("hello") for _ in range(5)))
    assert waits == [0.1] * 5


def test_any_requests_session_gets_statuses_and_text(tiny_web: Web) -> None:
    session = sync_tavily(OfflineProvider(web=tiny_web)).session
    answer = session.post(f"{BASE_URL}/search", data="{not json")
    assert answer.status_code == 400
    assert "not valid JSON" in answer.json()["detail"]["error"]
    with pytest.raises(requests.HTTPError):
        session.get(f"{BASE_URL}/nowhere").raise_for_status()


def test_providers_of_one_web_share_its_index_and_documents_beside_it_get_their_own(tiny_web: Web) -> None:
    shared = OfflineProvider(web=tiny_web).tavily.index()
    assert OfflineProvider(web=tiny_web).tavily.index() is shared
    mixed = OfflineProvider(web=tiny_web, documents=[Document("own", "Notes", "Quokkas.")]).tavily.index()
    assert mixed.knows(["quokkas"]) and not shared.knows(["quokkas"])
