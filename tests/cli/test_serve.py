"""`serve-offline` prints what other programs need to use it, answers them, and leaves quietly."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen


@contextmanager
def serving(*options: str) -> Iterator[tuple[dict[str, str], subprocess.Popen[str]]]:
    """A server process and the environment that it printed."""
    argv = [sys.executable, "-m", "deep_research", "serve-offline", "--port", "0", *options]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline().strip().removeprefix("export ") for _ in range(4)]
        try:
            yield dict(line.split("=", 1) for line in lines), process
        finally:
            process.kill()


def search(base: str, query: str) -> list[str]:
    body = json.dumps({"query": query}).encode()
    headers = {"Content-Type": "application/json", "Authorization": "Bearer offline"}
    with urlopen(Request(f"{base}/search", body, headers), timeout=100) as answer:
        return [result["url"] for result in json.load(answer)["results"]]


def test_the_printed_environment_reaches_the_invented_web() -> None:
    with serving("--seed", "1") as (env, process):
        assert env.keys() == {"OPENAI_BASE_URL", "OPENAI_API_KEY", "TAVILY_BASE_URL", "TAVILY_API_KEY"}
        with urlopen(f"{env['OPENAI_BASE_URL']}/models", timeout=100) as answer:
            assert json.load(answer)["object"] == "list"
        assert all(".example/" in url for url in search(env["TAVILY_BASE_URL"], "airship"))
        if os.name != "nt":
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=100)
            assert process.returncode == 0
            assert err.endswith("stopped\n") and "Traceback" not in err


def test_documents_take_the_place_of_the_web(tmp_path: Path) -> None:
    (tmp_path / "mill.md").write_text("An airship above the mill of Orbany.\n", encoding="utf-8")
    with serving("--docs", str(tmp_path)) as (env, _):
        assert search(env["TAVILY_BASE_URL"], "airship") == ["mill.md"]
