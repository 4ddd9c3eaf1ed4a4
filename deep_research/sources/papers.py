"""Paper search: arXiv through its own client, `arxiv`, on the way that every search takes.

The client's own retries and delays are off: retries, time-outs, budget and log are ours (`calls.perform`),
and the pause that arXiv asks for between two requests is kept here, on the run's clock, over all branches. A
hit is the paper's abstract with its authors, under its canonical address. Offline, the same client talks to
the mini-web's papers through an in-process transport (`deep_research_offline.wire.arxiv`).
"""

from __future__ import annotations

import asyncio
from typing import Any

from deep_research.core.clock import Clock
from deep_research.core.errors import SearchError
from deep_research.engine.network import MOST_BYTES, AnswerTooLarge
from deep_research.engine.providers import SearchHit
from deep_research.settings.parts import SearchSettings
from deep_research.text.language import shorten
from deep_research.text.terms import query_terms
from deep_research.text.urls import canonical_url, is_under_domain

PAUSE = 3.0
"""Seconds between two requests, as arXiv's terms of use ask for."""
TIMEOUT = 30.0
_ARXIV = "https://arxiv.org/abs/"
_MAX_TERMS = 12
_FIRST, _LAST = "19910101", "29991231"


class ArxivSearch:
    """arXiv behind its own client; `home` is what the addresses of its papers begin with."""

    name = "arxiv"

    def __init__(self, client: Any, clock: Clock, home: str = _ARXIV) -> None:
        self._client = client
        self._clock = clock
        self._home = home
        self._turn = asyncio.Lock()
        self._last: float | None = None

    async def search(self, query: str, settings: SearchSettings) -> list[SearchHit]:
        import arxiv

        terms = query_terms(query)[:_MAX_TERMS]
        if not terms:
            return []
        wanted = arxiv.Search(_expression(terms, settings), max_results=settings.results)
        papers = await self._fetch(wanted, settings.results)
        return [hit for paper in papers if _is_allowed(hit := _hit(paper), settings)]

    async def read(self, key: str) -> str | None:
        import arxiv

        address = canonical_url(key)
        if not address.startswith(self._home):
            return None
        name = address.removeprefix(_ARXIV) if self._home == _ARXIV else address.rpartition("/")[2]
        papers = await self._fetch(arxiv.Search(id_list=[name], max_results=1), 1)
        return _paper_text(papers[0]) if papers else None

    async def close(self) -> None:
        """The session holds no more than idle connections, which end with it."""

    async def _fetch(self, wanted: Any, most: int) -> list[Any]:
        """One request, after the pause since the one before; other branches wait for their turn."""
        async with self._turn:
            if self._last is not None:
                await self._clock.sleep(max(self._last + PAUSE - self._clock.seconds(), 0))
            self._client.page_size = most
            try:
                papers = await asyncio.to_thread(lambda: list(self._client.results(wanted)))
            finally:
                self._last = self._clock.seconds()
        refused = next((paper for paper in papers if "/api/errors" in paper.entry_id), None)
        if refused:
            raise SearchError(f"arXiv refused the query: {shorten(refused.summary, 200)}")
        return papers


def _expression(terms: list[str], settings: SearchSettings) -> str:
    """A query in arXiv's language: any of the terms, the best match first, within the dates that count."""
    words = " OR ".join(f"all:{term}" for term in terms)
    if not settings.after and not settings.before:
        return words
    first, last = ((day or "").replace("-", "") for day in (settings.after, settings.before))
    return f"({words}) AND submittedDate:[{first or _FIRST}0000 TO {last or _LAST}2359]"


def _is_allowed(hit: SearchHit, settings: SearchSettings) -> bool:
    wanted = not settings.include_domains or is_under_domain(hit.url, settings.include_domains)
    return wanted and not is_under_domain(hit.url, settings.exclude_domains)


def _hit(paper: Any) -> SearchHit:
    return SearchHit(
        title=paper.title, snippet=shorten(paper.summary, 300), url=canonical_url(paper.entry_id),
        text=_paper_text(paper), published=paper.published.date().isoformat(), kind="paper", tool="arxiv",
    )  # fmt: skip


def _paper_text(paper: Any) -> str:
    """What is known of a paper: authors, abstract, and where it was published, if it says so."""
    lines = {
        "Authors": ", ".join(author.name for author in paper.authors),
        "Abstract": " ".join(paper.summary.split()),
        "Comment": paper.comment or "",
        "Published in": paper.journal_ref or "",
        "DOI": paper.doi or "",
    }
    return "\n\n".join(f"{name}: {text}" for name, text in lines.items() if text)


def arxiv_search(clock: Clock) -> ArxivSearch:
    """The live search; it needs no key."""
    from requests.adapters import HTTPAdapter

    class Bounded(HTTPAdapter):
        """The client sets no time-out of its own, and reads whatever comes."""

        def send(self, request: Any, *args: Any, **options: Any) -> Any:
            response = super().send(request, *args, **{**options, "timeout": TIMEOUT, "stream": True})
            body = response.raw.read(MOST_BYTES + 1, decode_content=True)
            response.close()
            if len(body) > MOST_BYTES:
                raise AnswerTooLarge(MOST_BYTES)
            response._content = body
            return response

    return ArxivSearch(arxiv_client(Bounded()), clock)


def arxiv_client(adapter: Any) -> Any:
    """arXiv's client over a transport, without waits and retries of its own."""
    import arxiv

    client = arxiv.Client(delay_seconds=0, num_retries=0)
    session = client._session  # the client has no other door for a transport
    session.trust_env = False
    session.mount("https://", adapter)
    session.hooks["response"].append(_check)
    return client


def _check(response: Any, **_: Any) -> None:
    """Keep status and Retry-After of an error, and take no broken feed for an empty one."""
    import requests

    if response.status_code == 429 or response.status_code >= 500:
        response.raise_for_status()
    if response.ok and not (b"<feed" in response.content and b"</feed>" in response.content):
        raise requests.ConnectionError("The answer is no complete feed.")
