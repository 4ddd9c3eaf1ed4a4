"""Web search through Tavily's own client; offline the same client talks to an in-process transport."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from deep_research.core.errors import UsageError
from deep_research.core.secrets import keep_password, keep_secret
from deep_research.engine.clients import key_from
from deep_research.engine.network import live_client
from deep_research.engine.providers import SearchHit
from deep_research.settings.parts import SearchSettings


class TavilySearch:
    """Tavily's API through its own client; offline the client's transport is in-process."""

    def __init__(self, client: Any, name: str = "tavily", connections: Any = None) -> None:
        self.name = name
        self._client = client
        self._connections = connections

    async def close(self) -> None:
        if self._connections is not None:
            await self._connections.aclose()

    async def search(self, query: str, settings: SearchSettings) -> list[SearchHit]:
        answer = await self._client.search(
            query,
            max_results=settings.results,
            topic=settings.topic,
            include_raw_content="markdown" if settings.raw_content else False,
            include_domains=settings.include_domains,
            exclude_domains=settings.exclude_domains,
            **{k: v for k, v in (("start_date", settings.after), ("end_date", settings.before)) if v},
        )
        rows = answer["results"]
        if rows and not any(row.get("url") for row in rows):
            raise ValueError("no row has an address")  # no such answer can be meant: it is asked for again
        return [
            SearchHit(
                title=result.get("title") or result["url"],
                snippet=result.get("content") or "",
                url=result["url"],
                text=result.get("raw_content") or "",
                published=(result.get("published_date") or None),
            )
            for result in rows
            if result.get("url")
        ]

    async def read(self, key: str) -> str | None:
        answer = await self._client.extract([key])
        texts = (page.get("raw_content") for page in answer.get("results", []))
        return next((text for text in texts if text), None)


def tavily(env: Mapping[str, str] | None = None, proxies: bool = False) -> TavilySearch:
    """The live search; the key comes from the environment."""
    import httpx
    from tavily import AsyncTavilyClient

    known = os.environ if env is None else env
    key = key_from(known, "TAVILY_API_KEY")
    if not key:
        raise UsageError("TAVILY_API_KEY is not set.", "Set it, or use --search offline or --docs PATH.")
    keep_secret(key)
    base = known.get("TAVILY_BASE_URL", "").strip() or "https://api.tavily.com"
    keep_password(base)
    client = live_client(
        httpx,
        proxies=proxies,
        base_url=base,
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
        event_hooks={"response": [raise_when_busy]},
    )
    return TavilySearch(AsyncTavilyClient(api_key=key, client=client), connections=client)


async def raise_when_busy(response: Any) -> None:
    """Keep status and Retry-After of busy and broken servers, which Tavily's own errors drop."""
    if response.status_code == 429 or response.status_code >= 500:
        await response.aread()
        response.raise_for_status()
