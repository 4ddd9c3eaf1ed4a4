"""Whatever stands at a model's address, a run that cannot work ends in a message that says what to set."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from deep_research import aresearch
from deep_research.core.errors import UsageError
from deep_research.report import Report
from deep_research.runs import aresume
from deep_research.systems import SYSTEMS
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web import build_web
from deep_research_offline.wire.server import running_server

JSON, HTML = "application/json", "text/html"
QUESTION = "How tall is the lighthouse of Ormsund?"
ON_THE_WEB = "How many mooring masts does Port Brudoji have?"


def error(message: str, **more: str) -> str:
    return json.dumps({"error": {"message": message, "type": "invalid_request_error", **more}})


def answer(**fields: Any) -> str:
    return json.dumps({"id": "1", "object": "chat.completion", "created": 1, "model": "m", **fields})


OLLAMA = """{"error": "model 'm' not found, try pulling it"}"""
FASTAPI = '{"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted", "type": "x"}]}'
WHOLE = answer(
    choices=[{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "4"}}]
)

SLOW, HANGS_UP = -1, -2
"""Statuses of a server that answers late, and of one that closes the connection."""

ENDPOINTS: dict[str, tuple[int, str, str, str]] = {
    "another service": (404, HTML, "<h1>Not Found</h1>", "base_url"),
    "no such model": (404, JSON, error("The model `m` does not exist"), "name of the model"),
    "model refused": (400, JSON, error("m is not a valid model ID"), "name of the model"),
    "wrong key": (401, JSON, error("Incorrect API key provided"), "OPENAI_API_KEY"),
    "no access": (403, HTML, "<h1>Forbidden</h1>", "OPENAI_API_KEY"),
    "quota used up": (429, JSON, error("You exceeded your quota", code="insufficient_quota"), "quota"),
    "a web page": (200, HTML, "<!doctype html><title>Welcome</title>", "base_url"),
    "nothing": (200, JSON, "", "base_url"),
    "plain text": (200, "text/plain", "It works!", "base_url"),
    "cut JSON": (200, JSON, WHOLE[:60], "base_url"),
    "an error in a 200": (200, JSON, error("model m is not loaded"), "model m is not loaded"),
    "no choices": (200, JSON, answer(choices=[]), "base_url"),
    "another API": (200, JSON, '{"response": "4", "done": true}', "base_url"),
    "moved": (302, HTML, "/elsewhere", "base_url"),
    "moved in a circle": (307, HTML, "/v1/chat/completions", "base_url"),
    "method not allowed": (405, HTML, "<h1>Method Not Allowed</h1>", "base_url"),
    "broken": (500, "text/plain", "Internal Server Error", "OPENAI_BASE_URL"),
    "busy": (
        503,
        JSON,
        error("Loading model"),
        "Loading model. It may still be starting: wait, or set retries",
    ),
    "too many": (429, JSON, error("Slow down"), "concurrency=1"),
    "no credit": (402, JSON, error("Insufficient credits"), "Check the credit"),
    "body too large": (413, HTML, "<h1>Request Entity Too Large</h1>", "context_window"),
    "context": (400, JSON, error("Input is too long for this model"), "context_window"),
    "an error of Ollama": (200, JSON, OLLAMA, "try pulling it"),
    "a refusal of Ollama": (
        404,
        JSON,
        OLLAMA,
        "try pulling it",
    ),
    "a field of FastAPI": (
        422,
        JSON,
        FASTAPI,
        "body.seed: Extra inputs are not permitted. The server",
    ),
    "a sentence of FastAPI": (404, JSON, '{"detail": "Not here"}', "Not here. Check the name of the model"),
    "slow": (SLOW, JSON, WHOLE, "call_timeout"),
    "hangs up": (HANGS_UP, JSON, "", "base_url"),
    "nested without end": (200, JSON, "[" * 200_000, "no answer that can be read"),
    "packed in name only": (200, f"{JSON}\r\ncontent-encoding: gzip", WHOLE, "no answer that can be read"),
    "a number for a text": (200, JSON, WHOLE.replace('"4"', "4"), "no answer that can be read"),
}
"""Name → status, type, body (or where to), and what the message must name."""


@contextmanager
def serving(status: int, kind: str, body: str) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            if status == HANGS_UP:
                return self.connection.close()
            if status == SLOW:
                time.sleep(3)
            self.send_response(max(status, 200))
            if 300 <= status < 400:
                self.send_header("location", body)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def do_GET(self) -> None:
            self.send_error(404)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


async def said_about(address: str, model: str = "openai:m", call_timeout: float = 30.0) -> str:
    settings = {"base_url": address, "retries": 0, "call_timeout": call_timeout, "scope.rewrite_query": False}
    report = await aresearch(
        QUESTION, model=model, search="offline", system="shallow_researcher", keep=False, settings=settings
    )
    assert report.status == "failed"
    return " ".join(report.errors)


async def refusal_at(address: str, model: str = "openai:m") -> str:
    """Why a run does not begin where nobody answers."""
    with pytest.raises(UsageError, match="Nobody answers at") as refused:
        await said_about(address, model)
    return str(refused.value)


@pytest.mark.parametrize("name", ENDPOINTS)
async def test_the_message_says_what_to_set(name: str) -> None:
    status, kind, body, wanted = ENDPOINTS[name]
    with serving(status, kind, body) as address:
        said = await said_about(address, call_timeout=1.0 if status == SLOW else 30.0)
    assert wanted in said and "<" not in said and "Traceback" not in said, said


async def answer_or_fail(tmp_path: Path, system: str, name: str) -> Report:
    """A run of a design against one of the endpoints, and its report."""
    status, kind, body, _ = ENDPOINTS[name]
    with serving(status, kind, body) as address:
        return await aresearch(
            ON_THE_WEB, model="openai:m", search="offline", system=system, preset="quick", out=tmp_path,
            settings={"base_url": address, "retries": 0},
        )  # fmt: skip


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("name", ["wrong key", "a web page", "broken", "no choices", "an error in a 200"])
async def test_an_endpoint_that_never_answers_is_a_failure_in_each_design(
    tmp_path: Path, system: str, name: str
) -> None:
    report = await answer_or_fail(tmp_path, system, name)
    assert (report.status, report.exit_status) == ("failed", 1), report.markdown
    assert "openai:m" in report.errors[-1]


@pytest.mark.parametrize("system", ["shallow_researcher", "deep_researcher"])
async def test_a_run_that_failed_goes_on_at_the_address_that_is_right_by_then(
    tmp_path: Path, system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = await answer_or_fail(tmp_path, system, "broken")
    with pytest.raises(UsageError, match="keeps its system"):
        await aresume(failed.run_id, out=tmp_path, settings={"system": "auto"})
    provider = OfflineProvider(web=build_web())
    with serving(*ENDPOINTS["a web page"][:3]) as other, running_server(provider) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", other)
        failed = await aresume(failed.run_id, out=tmp_path)
        assert failed.status == "failed" and "no answer that can be read" in failed.errors[-1]
        report = await aresume(failed.run_id, out=tmp_path, settings={"base_url": f"{url}/v1"})
    assert report.status in ("complete", "partial") and report.cited and not report.errors


@pytest.mark.parametrize("named_in", ["argument", "environment"])
async def test_a_real_model_reads_own_documents_at_the_address_that_is_named(
    tmp_path: Path, named_in: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_text("# Ormsund\n\nThe lighthouse of Ormsund is 41 metres tall.\n")
    with running_server(OfflineProvider(web=build_web())) as url:
        monkeypatch.setenv(
            "OPENAI_BASE_URL", f"{url}/v1" if named_in == "environment" else "http://127.0.0.1:9"
        )
        given = {"base_url": f"{url}/v1"} if named_in == "argument" else {}
        report = await aresearch(
            QUESTION, model="openai:m", docs=tmp_path, system="shallow_researcher", keep=False, settings=given
        )
    assert report.cited and "41 metres" in report.markdown
    assert "invented web" not in report.markdown, report.markdown


async def test_nobody_there() -> None:
    with serving(200, JSON, WHOLE) as address:
        pass
    assert "base_url" in await refusal_at(address)


async def test_a_plain_server_behind_https() -> None:
    with serving(200, JSON, WHOLE) as address:
        assert "base_url" in await refusal_at(address.replace("http:", "https:"))


async def test_no_local_model_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(200, JSON, WHOLE) as address:
        pass
    monkeypatch.setattr("deep_research.engine.clients.LOCAL_URL", address)
    assert "make local-model" in await refusal_at(address, "local")
