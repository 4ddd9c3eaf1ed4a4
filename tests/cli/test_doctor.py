"""`doctor` says what a run would use and why, shows no key, and checks the offline side in-process."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from .conftest import Command


def test_a_sound_installation_is_all_well(command: Command, tmp_path: Path) -> None:
    done = command("doctor")
    assert done.status == 0, done.out
    assert "would be offline, at no cost" in done.out
    assert "the model answers" in done.out
    assert not (tmp_path / "runs").exists()  # looking changes nothing


def test_keys_are_reported_but_never_shown(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    done = command("doctor")
    assert "secret" not in done.out + done.err
    assert "openai:gpt-5-mini (environment)" in done.out and "tavily (environment)" in done.out
    assert "http://127.0.0.1:9/v1" in done.out


def test_a_key_in_an_address_is_refused_and_not_shown(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1?key=hunter2")
    done = command("doctor")
    assert done.status == 1 and "base_url" in done.out and "OPENAI_API_KEY" in done.out
    assert "hunter2" not in done.out + done.err


def test_a_start_that_would_be_refused_is_found(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    done = command("doctor")
    assert done.status == 1
    assert "would be refused" in done.out and "TAVILY_API_KEY" in done.out


def test_a_bad_settings_file_is_found(command: Command, tmp_path: Path) -> None:
    (tmp_path / "deep-research.toml").write_text("concurency = 2\n", encoding="utf-8")
    done = command("doctor")
    assert done.status == 1
    assert "Did you mean 'concurrency'?" in done.out


@contextmanager
def server(**pages: Any) -> Iterator[str]:
    """A server with these pages as JSON, by the last part of their path; another path is unknown."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = pages.get(self.path.rpartition("/")[2])
            self.send_response(200 if page else 404)
            self.end_headers()
            self.wfile.write(json.dumps(page).encode())

        def log_message(self, format: str, *args: Any) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{http.server_port}/v1"
    finally:
        http.shutdown()
        http.server_close()


MODELS: dict[str, dict[str, Any]] = {
    "vLLM": {"models": {"data": [{"id": "m", "max_model_len": 4096}, {"id": "n"}]}},
    "llama.cpp": {"models": {"data": [{"id": "m", "meta": {"n_ctx": 4096, "n_ctx_train": 32768}}]}},
    "older llama.cpp": {
        "models": {"data": [{"id": "m"}]},
        "props": {"default_generation_settings": {"n_ctx": 4096}},
    },
    "OpenRouter": {"models": {"data": [{"id": "m:free", "context_length": 4096}, {"id": "n"}]}},
}


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize(
    ("model", "window", "status", "said"),
    [
        ("openai:m", 4096, 0, "takes 4,096 tokens"),
        ("openai:m", 8192, 1, "Set context_window=4096"),
        ("openai:mm", 4096, 1, "is not among them."),
        ("local", 8192, 1, "Set context_window=4096"),
    ],
)
def test_a_server_is_asked_for_its_models_and_their_window(
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    model: str,
    window: int,
    status: int,
    said: str,
) -> None:
    with server(**MODELS[kind]) as address:
        monkeypatch.setattr("deep_research.engine.clients.LOCAL_URL", address)
        done = command(
            "doctor", "--model", model, "--search", "offline",
            "--set", f"base_url={address}", "--set", f"context_window={window}",
        )  # fmt: skip
    assert (done.status, said in done.out) == (status, True), done.out


def test_a_server_that_lists_nothing_or_is_not_there_is_told(command: Command) -> None:
    with server() as address:
        given = ("doctor", "--model", "openai:m", "--search", "offline", "--set", f"base_url={address}")
        silent = command(*given)
    assert silent.status == 0 and "does not say what it serves" in silent.out
    gone = command(*given)
    assert gone.status == 1 and "Nobody answers at" in gone.out and "OPENAI_BASE_URL" in gone.out
