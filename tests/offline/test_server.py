"""The loopback server: pages, refusals and limits as any HTTP client sees them."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest

from deep_research.core.errors import UsageError
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web.types import Web
from deep_research_offline.wire import MAX_BODY
from deep_research_offline.wire.server import OfflineServer, running_server, serve


@pytest.fixture
def client(tiny_web: Web, scripted_model: Any) -> Iterator[httpx.Client]:
    provider = OfflineProvider(web=tiny_web, model=scripted_model)
    with running_server(provider) as url, httpx.Client(base_url=url, trust_env=False) as client:
        yield client


def test_every_listed_page_can_be_opened_by_clicking(client: httpx.Client, tiny_web: Web) -> None:
    index = client.get("/web", follow_redirects=True)
    links = [part.split('"')[0] for part in index.text.split('href="')[1:]]
    assert len(links) == len(tiny_web.pages)
    assert all(client.get(link).status_code == 200 for link in links)
    assert 'href="/web/mill.example/wind"' in client.get("/web/mill.example/sail?part=2").text
    assert "風車は三百基ある" in client.get("/web/gov.example/風車").text


def test_redirects_dead_links_and_unknown_pages(client: httpx.Client) -> None:
    moved = client.get("/web/mill.example/old")
    assert (moved.status_code, moved.headers["location"]) == (302, "/web/news.example/wind_(2041)")
    assert "burned" in client.get("/web/mill.example/old", follow_redirects=True).text
    assert client.get("/web/gone.example/windmill").status_code == 404
    unknown = client.get("/web/<script>/x")
    assert unknown.status_code == 404 and "<script>" not in unknown.text
    head = client.head("/web/mill.example/wind")
    assert head.status_code == 200 and head.text == "" and int(head.headers["content-length"]) > 100


BAD = [
    ("POST", "/v1/chat/completions", b"{", 400),
    ("POST", "/v1/chat/completions", b"\xff", 400),
    ("POST", "/v1/chat/completions", b"[]", 400),
    ("POST", "/v1/chat/completions", b'{"model": "offline"}', 400),
    ("POST", "/v1/chat/completions", b'{"model": "offline", "messages": [1]}', 400),
    ("POST", "/v1/chat/completions", b"[" * 100_000, 400),
    ("POST", "/search", b'{"query": " "}', 400),
    ("POST", "/search", b'{"query": "x", "include_domains": "a"}', 400),
    ("POST", "/extract", b'{"urls": []}', 400),
    ("GET", "/search", b"", 405),
    ("GET", "/chat/completions", b"", 404),
    ("DELETE", "/web/mill.example/wind", b"", 404),
]


@pytest.mark.parametrize(("method", "path", "body", "status"), BAD)
def test_bad_requests_get_a_status_and_a_sentence(
    client: httpx.Client, method: str, path: str, body: bytes, status: int
) -> None:
    answer = client.request(method, path, content=body)
    assert "Traceback" not in answer.text
    error = answer.json().get("error") or answer.json()["detail"]["error"]
    assert answer.status_code == status
    assert (error if isinstance(error, str) else error["message"]).endswith(".")


def test_odd_text_is_answered_like_any_other(client: httpx.Client) -> None:
    assert client.post("/search", content=b'{"query": "\\ud800 \\u0000 \\"OR* windmill"}').json()["results"]
    assert client.post("/extract", json={"urls": "https://[bad"}).json()["failed_results"]
    assert client.get("/web/[bad/x?y=[").status_code == 404


def test_a_body_that_is_too_large_is_refused_unread(client: httpx.Client) -> None:
    connection = http.client.HTTPConnection(client.base_url.host, client.base_url.port)
    connection.putrequest("POST", "/search")
    connection.putheader("content-length", str(MAX_BODY + 1))
    connection.endheaders()
    answer = connection.getresponse()
    assert answer.status == 413
    assert "larger" in json.loads(answer.read())["detail"]["error"]
    connection.close()


def test_streams_and_models_for_the_plain_openai_client(client: httpx.Client) -> None:
    with openai.OpenAI(base_url=f"{client.base_url}/v1", api_key="any", max_retries=0) as official:
        assert [model.id for model in official.models.list()] == ["offline"]
        stream = official.chat.completions.create(
            model="gpt-4o",
            messages=[{"role": "user", "content": "a b c d e"}],
            stream=True,
            stream_options={"include_usage": True},
        )
        chunks = list(stream)
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [chunk.choices[0].finish_reason for chunk in chunks[:-1]][-1] == "stop"
    assert chunks[-1].choices == [] and chunks[-1].usage.total_tokens == 12
    assert {chunk.model for chunk in chunks} == {"gpt-4o"}


def test_an_old_client_gets_its_stream_without_chunking(client: httpx.Client) -> None:
    body = json.dumps({"model": "m", "stream": True, "messages": [{"role": "user", "content": "hi"}]})
    head = f"POST /v1/chat/completions HTTP/1.0\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection((client.base_url.host, client.base_url.port or 0)) as line:
        line.sendall(f"{head}{body}".encode())
        answer = line.makefile("rb").read()
    assert b"chunked" not in answer and answer.endswith(b"data: [DONE]\n\n")


def test_only_requests_to_loopback_are_answered(client: httpx.Client, tiny_web: Web) -> None:
    assert client.get("/v1/models", headers={"host": "evil.example"}).status_code == 403
    assert client.get("/v1/models", headers={"host": "[bad"}).status_code == 403
    assert client.get("/v1/models", headers={"host": "localhost:1"}).status_code == 200
    with pytest.raises(UsageError, match="not loopback"):
        serve(OfflineProvider(web=tiny_web), "0.0.0.0")
    with OfflineServer(OfflineProvider(web=tiny_web), "0.0.0.0", 0, allow_remote=True) as server:
        assert server.base_url.startswith("http://0.0.0.0:")


def test_a_port_in_use_is_one_clear_line(client: httpx.Client) -> None:
    with pytest.raises(UsageError, match="Choose another port"):
        serve(OfflineProvider(), port=client.base_url.port or 0)


def test_ctrl_c_ends_the_server_quietly() -> None:
    program = (
        "from deep_research_offline.provider import OfflineProvider\n"
        "from deep_research_offline.wire.server import serve\n"
        "serve(OfflineProvider(), port=0, ready=lambda url: print(url, flush=True))\n"
    )
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", program], stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        url = process.stdout.readline().strip()
        assert httpx.get(f"{url}/v1/models", trust_env=False).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
        assert process.stderr.read() == ""
