"""The offline provider as users meet it: the default web and the offline model behind the real clients."""

from __future__ import annotations

import os
import subprocess
import sys

import httpx
import pytest
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, Field

from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web import build_web
from deep_research_offline.wire.server import running_server
from deep_research_offline.wire.transports import API_KEY, OPENAI_BASE_URL, async_tavily, chat_clients

WEB = build_web(0)


class Verdict(BaseModel):
    """Whether the text answers the question."""

    answered: bool = Field(description="True if the text holds the answer.")
    reason: str = Field(description="One sentence on why.")


def search(queries: list[str]) -> str:
    """Search the web for each query."""
    return ""


@pytest.fixture(scope="module")
def provider() -> OfflineProvider:
    return OfflineProvider(web=WEB)


@pytest.fixture
def chat(provider: OfflineProvider) -> ChatOpenAI:
    sync, nonblocking = chat_clients(provider)
    options = {"http_client": sync, "http_async_client": nonblocking, "base_url": OPENAI_BASE_URL}
    return ChatOpenAI(model="offline", api_key=API_KEY, max_retries=0, stream_usage=True, **options)


async def test_the_offline_model_streams_what_it_says(chat: ChatOpenAI) -> None:
    messages = [("system", "You are a helpful assistant."), ("user", WEB.questions[0].text)]
    whole = await chat.ainvoke(messages)
    parts = [part async for part in chat.astream(messages)]
    assert whole.content and "".join(part.content for part in parts) == whole.content
    assert whole.usage_metadata == next(part.usage_metadata for part in parts if part.usage_metadata)


async def test_the_offline_model_calls_tools_and_fills_schemas(chat: ChatOpenAI) -> None:
    question = WEB.questions[0].text
    called = await chat.bind_tools([search]).ainvoke([("system", "Research the topic."), ("user", question)])
    assert called.tool_calls[0]["name"] == "search" and called.tool_calls[0]["args"]["queries"]
    for method in ("json_schema", "function_calling"):
        verdict = await chat.with_structured_output(Verdict, method=method).ainvoke(question)
        assert isinstance(verdict, Verdict)


async def test_each_page_is_found_under_one_address_and_dead_links_never(provider: OfflineProvider) -> None:
    client = async_tavily(provider)
    found = set()
    for question in WEB.questions:
        answer = await client.search(question.text, max_results=20)
        found |= {result["url"] for result in answer["results"]}
    assert found <= {page.url for page in WEB.pages}
    assert not found & (WEB.dead | set(WEB.redirects))


def test_the_whole_default_web_can_be_opened(provider: OfflineProvider) -> None:
    with running_server(provider) as url, httpx.Client(base_url=url, trust_env=False) as client:
        index = client.get("/web/").text
        links = [part.split('"')[0] for part in index.split('href="')[1:]]
        assert len(links) == len(WEB.pages)
        assert {client.get(link).status_code for link in links} == {200}
        for old, new in WEB.redirects.items():
            moved = client.get("/web/" + old.split("://")[1], follow_redirects=True)
            assert moved.text == client.get("/web/" + new.split("://")[1], follow_redirects=True).text
        for dead in WEB.dead:
            assert client.get("/web/" + dead.split("://")[1]).status_code == 404


def test_answers_do_not_depend_on_the_process() -> None:
    program = (
        "from deep_research_offline.provider import OfflineProvider as P\n"
        "from deep_research_offline.web import build_web\n"
        "w = build_web(0); p = P(web=w)\n"
        "import hashlib, json\n"
        "d = hashlib.sha256()\n"
        "for q in w.questions:\n"
        "    r = p.handle('POST', '/search', {}, json.dumps({'query': q.text[:400]}).encode())\n"
        "    d.update(b''.join(r.chunks))\n"
        "print(d.hexdigest())\n"
    )
    command = [sys.executable, "-c", program]
    runs = [
        subprocess.run(command, capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
        for seed in ("1", "2")
    ]
    assert runs[0].stdout == runs[1].stdout != b""
