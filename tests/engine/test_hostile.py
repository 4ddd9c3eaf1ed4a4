"""Addresses that lead home, servers that tell keys: nothing is connected to, and nothing is told on."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from deep_research.core.clock import FrozenClock
from deep_research.core.records import Source
from deep_research.engine.network import MOST_BYTES, AnswerTooLarge
from deep_research.engine.providers import PageStatus
from deep_research.runs import aresearch
from deep_research.sources import papers
from deep_research.sources.pages import LivePages
from deep_research.systems.graph_agent.link_check import check_links
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.wire import RequestRefused, Response, error_response
from deep_research_offline.wire.server import running_server
from tests.running import DAY, QUESTION, context_of, small_web

PORT_HOLDER = "{port}"
HOSTILE = """
127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 0x7F.0x0.0x0.0x1
0177.0.0.1 0177.1 017700000001 00000177.0.0.1 127.0.0.1. 127.00.00.01 １２７.０.０.１ 127。0。0。1
127．0．0．1 ①②⑦.0.0.1 localhost LOCALHOST localhost. x.localhost localhost.localdomain
ｌｏｃａｌｈｏｓｔ 0 0.0.0.0 00.0.0.0 0x0 [::1] [::] [0:0:0:0:0:0:0:1] [0000::0001]
[::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::7f00:1] [2002:7f00:1::]
[64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [fe80::1] [fe80::1%25lo] [fc00::1] [fd00:ec2::254]
[fec0::1] [ff02::1] [3fff::1] [2001:db8::1] [2001::7f00:1] 10.0.0.1 10.255.255.255
172.16.0.1 172.31.255.254 192.168.0.1 192.168.1.1 100.64.0.1 169.254.169.254 169.254.170.2
2852039166 0xa9fea9fe 0251.0376.0251.0376 100.100.100.200 168.63.129.16 192.0.0.192
192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1
255.255.255.255 192.88.99.1 router.lan intranet db.internal printer.local nas.home.arpa
wiki.intranet hidden.onion metadata.google.internal user:pw@127.0.0.1 a.example@127.0.0.1
127.0.0.1%2eexample rebound.example home.example
""".split()
"""Hosts in spellings that lead to this machine, its network, a cloud's metadata or nowhere public; the last
two are names that are looked up."""
REDIRECTS = (
    "http://127.0.0.1:{port}/",
    "//127.0.0.1:{port}/",
    "http://localhost:{port}/",
    "http://2130706433:{port}/",
    "http://[::1]:{port}/",
    "http://0x7f.1:{port}/",
    "http://home.example:{port}/",
    "http://a@127.0.0.1:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://169.254.169.254/latest/meta-data",
    "http://０:{port}/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:{port}/",
    "ftp://127.0.0.1:{port}/",
    "http:\\\\127.0.0.1:{port}/",
)


@pytest.fixture
def knocks() -> Iterator[tuple[int, list[str]]]:
    """A port of this machine, and who has connected to it."""
    heard: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        done = threading.Event()

        def listen() -> None:
            while not done.is_set():
                try:
                    connection, address = server.accept()
                except TimeoutError:
                    continue
                heard.append(str(address))
                connection.close()

        thread = threading.Thread(target=listen)
        thread.start()
        yield server.getsockname()[1], heard
        done.set()
        thread.join()


class HomeLeading(LivePages):
    """The real opener, for which every name is looked up as this machine; one public page leads elsewhere."""

    def __init__(self, target: str = "") -> None:
        super().__init__()
        self.resolve = lambda host: ["93.184.216.34"] if host == "first.example" else ["127.0.0.1"]
        self.target = target

    async def open(self, method: str, url: str) -> PageStatus:
        if url == "https://first.example/":
            return PageStatus(302, self.target)
        return await super().open(method, url)


async def link_states(pages: LivePages, url: str) -> set[str]:
    ctx = replace(context_of(), pages=pages)
    states = {link["state"] for link in await check_links([Source(id="S1.1", url=url, title="T")], ctx)}
    await pages.close()
    return states


async def test_no_hostile_address_is_connected_to(knocks: tuple[int, list[str]]) -> None:
    port, heard = knocks
    assert len(HOSTILE) >= 80
    states = {host: await link_states(HomeLeading(), f"http://{host}:{port}/") for host in HOSTILE}
    assert {host: state for host, state in states.items() if state != {"refused"}} == {}
    assert not heard


async def test_no_redirect_leads_home(knocks: tuple[int, list[str]]) -> None:
    port, heard = knocks
    targets = [target.replace(PORT_HOLDER, str(port)) for target in REDIRECTS]
    states = [await link_states(HomeLeading(target), "https://first.example/") for target in targets]
    assert [target for target, state in zip(targets, states, strict=True) if state != {"refused"}] == []
    assert not heard


def test_a_feed_without_end_is_refused_while_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(OfflineProvider):
        def handle(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
            pieces = (b"<feed>" + b" " * 2**20 for _ in range(2 * MOST_BYTES // 2**20))
            return Response(200, {"content-type": "application/atom+xml"}, pieces)

    session = papers.arxiv_search(FrozenClock(DAY))._client._session
    with running_server(Endless()) as base_url:
        adapter = session.get_adapter("https://export.arxiv.org")
        session.mount("http://", adapter)
        with pytest.raises(AnswerTooLarge, match="longer than 32 MB"):
            session.get(f"{base_url}/api/query")


KEYS = {"/v1/chat/completions": "sk-canary-4711-canary", "/search": "tvly-canary-4711-canary"}


class Echoing(OfflineProvider):
    """Refuses what comes to one route, and says in every way with which key it was asked."""

    def __init__(self, route: str, status: int) -> None:
        super().__init__(web=small_web())
        self.route, self.status = route, status
        self.told = 0

    def handle(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
        if path != self.route:
            return super().handle(method, path, headers, body)
        given = {name.lower(): value for name, value in headers.items()}["authorization"]
        self.told += KEYS[self.route] in given
        refusal = RequestRefused(self.status, f"{given} is no key for {given}.", {"x-key": given})
        return error_response(path, refusal)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 418, 422, 429, 432, 500, 503])
@pytest.mark.parametrize("route", KEYS)
async def test_a_key_that_a_server_echoes_stands_in_no_file_and_no_event(
    route: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider, events = Echoing(route, status), list[object]()
    monkeypatch.setenv("OPENAI_API_KEY", KEYS["/v1/chat/completions"])
    monkeypatch.setenv("TAVILY_API_KEY", KEYS["/search"])
    with running_server(provider) as base_url:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{base_url}/v1")
        monkeypatch.setenv("TAVILY_BASE_URL", base_url)
        report = await aresearch(
            QUESTION,
            system="shallow_researcher",
            live=True,
            model="openai:offline",
            search="tavily",
            settings={"retries": 0},
            out=tmp_path,
            on_event=events.append,
        )
    assert provider.told and report.gaps
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"canary" not in kept and "canary" not in f"{report.to_json()} {events}"
