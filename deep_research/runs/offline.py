"""The door to the keyless provider: its web, and its search, papers and pages behind the real clients."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from deep_research.core.clock import Clock
from deep_research.core.errors import UsageError, nearest_hint
from deep_research.engine.providers import PageStatus
from deep_research.settings.parts import WebSettings
from deep_research.sources.pages import USER_AGENT, redirect_target
from deep_research.sources.papers import ArxivSearch, arxiv_client
from deep_research.sources.tavily import TavilySearch, raise_when_busy

if TYPE_CHECKING:
    from deep_research_offline.provider import OfflineProvider
    from deep_research_offline.web.types import Question, Web
    from deep_research_offline.wire.faults import Faults


class OfflinePages:
    """The invented web, which serves its pages under `/web/<host>/<path>`."""

    def __init__(self, provider: OfflineProvider) -> None:
        self.resolve: Callable[[str], Iterable[str]] | None = None
        self._provider = provider

    async def open(self, method: str, url: str) -> PageStatus:
        import httpx

        from deep_research_offline.wire.pages import ROOT, local_path
        from deep_research_offline.wire.transports import BASE_URL, HttpxTransport

        async with httpx.AsyncClient(
            transport=HttpxTransport(self._provider), base_url=BASE_URL, headers={"User-Agent": USER_AGENT}
        ) as client:
            response = await client.request(method, local_path(url))
        location = response.headers.get("location", "")
        if location.startswith(ROOT):
            return PageStatus(response.status_code, "https://" + location.removeprefix(ROOT))
        return PageStatus(response.status_code, redirect_target(url, response))

    async def close(self) -> None:
        """Nothing stays open."""


def offline_papers(provider: OfflineProvider, clock: Clock) -> ArxivSearch:
    """The invented web's papers behind arXiv's own client."""
    from deep_research_offline.wire.transports import RequestsAdapter

    return ArxivSearch(arxiv_client(RequestsAdapter(provider)), clock, home="https://")


def offline_search(provider: OfflineProvider) -> TavilySearch:
    """The invented web behind Tavily's own client."""
    from deep_research_offline.wire.transports import async_tavily

    return TavilySearch(async_tavily(provider, on_response=raise_when_busy), "offline")


def invented_web(chosen: WebSettings) -> Web:
    """The invented web that these settings choose; it is built once and kept in memory."""
    from deep_research_offline.web import build_web

    return build_web(chosen.seed, chosen.pages, chosen.domain)


def planned_faults(chosen: WebSettings) -> Faults | None:
    """The faults on purpose that these settings want; raises `UsageError` for a plan that cannot be read."""
    if not chosen.chaos:
        return None
    from deep_research_offline.wire.faults import read_chaos

    try:
        return read_chaos(chosen.chaos)
    except ValueError:
        hint = "The rate is a share between 0 and 1, for example 7:0.2."
        raise UsageError(f"'{chosen.chaos}' is not of the form SEED[:RATE].", hint) from None


def sample_questions(web: Web, kinds: Sequence[str] = (), limit: int | None = None) -> list[Question]:
    """The sample questions of a web, class by class: all classes or these, at most `limit` of each.

    Raises `UsageError` for a class that does not exist.
    """
    from deep_research_offline.web.types import KINDS

    for kind in kinds:
        if kind not in KINDS:
            raise UsageError(f"Unknown class of questions '{kind}'.", nearest_hint(kind, KINDS))
    return [q for kind in kinds or KINDS for q in [q for q in web.questions if q.kind == kind][:limit]]
