"""What the page of a report does in a real browser: it shows all it has, and asks nobody for anything."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from deep_research import research
from deep_research_offline.web import build_web
from tests.running import delegate, run
from tests.scripted import Script

pytestmark = pytest.mark.browser
NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--virtual-time-budget=2000",
)  # fmt: skip
LOOK = """<script>addEventListener("load", () => { document.title = JSON.stringify({
  title: document.title, wide: document.documentElement.scrollWidth - innerWidth,
  images: [...document.images].map(image => image.naturalWidth),
  lost: [...document.querySelectorAll('a[href^="#"]')].map(a => a.hash.slice(1))
    .filter(id => !document.getElementById(id)),
  scripts: document.scripts.length, frames: frames.length, links: document.links.length}) })</script>"""
"""Says in the title what stands on the page; it runs only where the page's own policy is taken out."""


class Canary(HTTPServer):
    """A server that remembers who asks it for something."""

    asked: list[str]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@pytest.fixture
def canary() -> Iterator[Canary]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None: ...

    server = Canary(("127.0.0.1", 0), Handler)
    server.asked = []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def browse(page: str, folder: Path, width: int = 1000) -> str:
    """The title of a page after a browser has loaded it."""
    browser = next(filter(None, map(shutil.which, NAMES)), None)
    if browser is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no Chromium is installed")
    (folder / "page.html").write_text(page, encoding="utf-8")
    command = [browser, *QUIET, f"--user-data-dir={folder / 'profile'}", f"--window-size={width},900"]
    address = (folder / "page.html").as_uri()
    done = subprocess.run([*command, "--dump-dom", address], capture_output=True, text=True, timeout=100)
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    assert title, done.stderr[-2000:]
    return html.unescape(title[1])


def looked_at(page: str, folder: Path, width: int = 1000) -> dict[str, Any]:
    """What a script finds on a page from which the policy, which would stop the script, is taken out."""
    bare, found = re.subn(r"<meta http-equiv.*>\n", "", page, count=1)
    assert found
    return dict(json.loads(browse(bare + LOOK, folder, width)))


def test_citations_lead_somewhere_charts_are_drawn_and_a_phone_is_wide_enough(tmp_path: Path) -> None:
    wanted = next(q for q in build_web().questions if q.kind == "report" and "compare" in q.text)
    page = research(wanted.text, keep=False, settings={"output.charts": "some"}).to_page()
    seen = looked_at(page, tmp_path, width=500)
    assert seen["title"] == wanted.text and seen["links"] > 20 and seen["lost"] == []
    assert seen["images"] and all(seen["images"])
    assert seen["wide"] <= 0
    assert seen["scripts"] == 1  # the one that looks


async def test_a_hostile_report_runs_nothing_and_calls_nobody(canary: Canary, tmp_path: Path) -> None:
    lines = (
        f"![chart]({canary.url}/markdown.png)",
        f"<img src={canary.url}/raw.png onerror=\"document.title='owned'\">",
        "<script>document.title='owned'</script>",
        f"<iframe src='{canary.url}/frame'></iframe><link rel=stylesheet href='{canary.url}/style.css'>",
        f"<style>body {{ background: url({canary.url}/background.png) }}</style>",
        f"<svg onload=\"fetch('{canary.url}/svg')\"></svg>",
        "[a link](javascript:document.title='owned') and <java&#115;cript:document.title='owned'>",
    )
    draft = "\n\n".join(("# Gull", "The Gull lighthouse is 41 metres tall [S1.1].", *lines))
    report = await run(Script(supervisor=delegate("Gull lighthouse height"), writer=draft), "How tall is it?")
    page = report.to_page()
    assert browse(page, tmp_path) == report.question and canary.asked == []
    seen = looked_at(page, tmp_path)
    assert (seen["scripts"], seen["frames"], seen["images"], canary.asked) == (1, 0, [], [])


def test_the_browser_of_these_tests_does_load_what_a_page_asks_for(canary: Canary, tmp_path: Path) -> None:
    browse(f"<!doctype html><title>plain</title><img src={canary.url}/plain.png>", tmp_path)
    assert canary.asked == ["/plain.png"]
