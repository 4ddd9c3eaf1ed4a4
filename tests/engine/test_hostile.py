"""Addresses that lead home, servers that tell keys: nothing is connected to, and nothing is told on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.hostile import addresses, redirects, states
from deep_research.core.clock import FrozenClock
from deep_research.engine.network import MOST_BYTES, AnswerTooLarge
from deep_research.runs import aresearch
from deep_research.sources import papers
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.wire import RequestRefused, Response, error_response
from deep_research_offline.wire.server import running_server
from tests.running import DAY, QUESTION, small_web


async def test_no_hostile_address_is_connected_to() -> None:
    found, heard = await states(addresses())
    assert len(found) >= 80
    assert {address: state for address, state in found.items() if state != "refused"} == {}
    assert not heard


async def test_no_redirect_leads_home() -> None:
    found, heard = await states(redirects())
    assert [target for target, state in found.items() if state != "refused"] == []
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
