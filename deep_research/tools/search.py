"""Search providers: one small protocol, so that evidence can come from the web, documents or both.

A provider returns `SearchHit`s with the page text where it has it. The call itself (budget, retries, log)
is made by `search`, the same way for each provider.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ..calls import Call, Reply, perform
from ..context import Context
from ..errors import UsageError
from ..guard import as_typed
from ..settings import SearchSettings
from ..source_rules import RULES, admitted, widened

if TYPE_CHECKING:
    from ..index import Retriever
    from ..offline.handlers import OfflineProvider


@dataclass(frozen=True, slots=True)
class Listed:
    """A document as a list of all documents shows it: where it is, what it is called, how it begins."""

    key: str
    title: str
    summary: str


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One hit. `text` is the page's text, empty when only the snippet is known.

    `passage` is the part of it that is to be read, where the tool has found the very place.
    """

    title: str
    snippet: str
    url: str | None = None
    citation_key: str | None = None
    text: str = ""
    published: str | None = None
    kind: str = "web"
    page: int | None = None
    tool: str = "search"
    passage: str = ""


class SearchProvider(Protocol):
    """Whatever can be searched."""

    name: str

    async def search(self, query: str, settings: SearchSettings) -> list[SearchHit]: ...

    async def read(self, key: str) -> str | None:
        """The text that stands at a url or citation key now; None if there is none any more."""

    async def close(self) -> None: ...


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
        return [
            SearchHit(
                title=result.get("title") or result["url"],
                snippet=result.get("content") or "",
                url=result["url"],
                text=result.get("raw_content") or "",
                published=(result.get("published_date") or None),
            )
            for result in answer.get("results", [])
        ]

    async def read(self, key: str) -> str | None:
        answer = await self._client.extract([key])
        texts = (page.get("raw_content") for page in answer.get("results", []))
        return next((text for text in texts if text), None)


class DocumentSearch:
    """A local index over documents; nothing leaves the machine."""

    name = "documents"

    def __init__(self, retriever: Retriever, listed: Sequence[Listed] = ()) -> None:
        self._retriever = retriever
        self.listed = tuple(listed)

    async def close(self) -> None:
        """Nothing is open."""

    async def read(self, key: str) -> str | None:
        document = self._retriever.find(key)
        return document.text if document else None

    async def search(self, query: str, settings: SearchSettings) -> list[SearchHit]:
        hits = self._retriever.search(query, settings.results, after=settings.after, before=settings.before)
        return [
            SearchHit(
                title=hit.document.title,
                snippet=hit.snippet,
                url=hit.document.url,
                citation_key=hit.document.citation_key,
                text=hit.document.text,
                published=hit.document.published,
                kind="document",
                page=hit.document.page,
                tool="documents",
            )
            for hit in hits
        ]


class CombinedSearch:
    """Several providers as one: all are asked side by side, hits come in the order of the providers."""

    def __init__(self, parts: list[SearchProvider]) -> None:
        self.parts = parts
        self.name = "+".join(part.name for part in parts)

    async def search(self, query: str, settings: SearchSettings) -> list[SearchHit]:
        found = await asyncio.gather(*(part.search(query, settings) for part in self.parts))
        return [hit for hits in found for hit in hits]

    async def read(self, key: str) -> str | None:
        for part in self.parts:
            if (text := await part.read(key)) is not None:
                return text
        return None

    async def close(self) -> None:
        for part in self.parts:
            await part.close()


Place = Literal["", "web", "documents", "notes", "papers"]
"""Where a search looks: everywhere, or only in the user's documents or notes, in papers, or in the web."""
_PLACES: dict[str, Place] = {DocumentSearch.name: "documents", "notes": "notes", "arxiv": "papers"}
"""What a provider searches, by its name; all others search the web."""


def parts_of(provider: SearchProvider | None, place: Place = "") -> list[SearchProvider]:
    """The providers behind one, as far as they search in that place."""
    parts = list(getattr(provider, "parts", None) or ([provider] if provider is not None else []))
    return [part for part in parts if not place or _PLACES.get(part.name, "web") == place]


MAX_QUERY = 400
"""Characters of a query; Tavily refuses longer ones."""


def discreet(query: str, ctx: Context) -> str:
    """A query as it may leave this machine: without what the settings say of the user, unless the user has
    said that word themselves. "S2·1" is what the user wrote as S2.1, and looked for as such.
    """
    query = as_typed(query)
    for value in ctx.settings.scope.user_info.values():
        if value.strip() and value.strip().casefold() not in ctx.said.casefold():
            own = rf"(?<![A-Za-z0-9]){re.escape(value.strip())}(?![A-Za-z0-9])"
            query = re.sub(own, " ", query, flags=re.IGNORECASE)
    return " ".join(query.split())


async def search(query: str, role: str, ctx: Context, place: Place = "") -> list[SearchHit]:
    """Search once, through budget, log and retries; page texts go to the page store and come back from it.

    `place` narrows it to the web or to the user's documents; `source_rules` say which hits may be used.
    Raises `BudgetExceeded` or `SearchError`.
    """
    parts, query = parts_of(ctx.search, place), discreet(query, ctx)[:MAX_QUERY]
    if not parts:
        raise UsageError("This run has no search." if not place else f"This run has no search in: {place}.")
    provider = parts[0] if len(parts) == 1 else CombinedSearch(parts)
    rules = ctx.settings.search
    chosen = widened(rules)

    async def send() -> Reply:
        hits = await provider.search(query, chosen)
        return Reply([_to_log(hit, ctx) for hit in hits])

    asked = chosen.model_dump(exclude={"providers", "docs", *RULES})
    request = {"query": query, "provider": provider.name, **asked}
    response = await perform(Call("search", role, request, send, model=provider.name, shared=True), ctx)
    return admitted([_from_log(hit, ctx) for hit in response], rules, rules.results * len(parts))


def _to_log(hit: SearchHit, ctx: Context) -> dict[str, Any]:
    text = hit.text[: ctx.settings.limits.max_content_length]
    return {**asdict(hit), "text": ctx.store.pages.put(text) if text else ""}


def _from_log(record: Mapping[str, Any], ctx: Context) -> SearchHit:
    return SearchHit(**{**record, "text": ctx.store.pages.get(record["text"]) if record["text"] else ""})


def tavily(env: Mapping[str, str] | None = None) -> TavilySearch:
    """The live search; the key comes from the environment."""
    import httpx
    from tavily import AsyncTavilyClient

    known = os.environ if env is None else env
    key = known.get("TAVILY_API_KEY")
    if not key:
        raise UsageError("TAVILY_API_KEY is not set.", "Set it, or use --search offline or --docs PATH.")
    base = known.get("TAVILY_BASE_URL") or "https://api.tavily.com"
    client = httpx.AsyncClient(
        base_url=base,
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
        event_hooks={"response": [_raise_when_busy]},
    )
    return TavilySearch(AsyncTavilyClient(api_key=key, client=client), connections=client)


def offline(provider: OfflineProvider) -> TavilySearch:
    """The invented web behind Tavily's own client."""
    from ..offline.transports import async_tavily

    return TavilySearch(async_tavily(provider, on_response=_raise_when_busy), "offline")


async def _raise_when_busy(response: Any) -> None:
    """Keep status and Retry-After of busy and broken servers, which Tavily's own errors drop."""
    if response.status_code == 429 or response.status_code >= 500:
        await response.aread()
        response.raise_for_status()
