"""`POST /search` and `POST /extract`, as Tavily's clients expect them, over documents on this machine.

Filters by domain, date and topic work as in the real service, and so do its limits (400 characters to a
query, 20 results, 20 urls). Options that mean nothing without a network (images, favicons, country, depth)
are accepted and ignored, as are unknown ones. A document without a url is named by its citation key in
`url`, and says so in the extra fields `citation_key` and `page`.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from deep_research.core.clock import Clock, today
from deep_research_offline.wire import RequestRefused

from .pages import page_at

if TYPE_CHECKING:
    from deep_research.sources.index import Document, Hit, Index
    from deep_research_offline.web.types import Web


MAX_QUERY_LENGTH = 400  # characters
MAX_RESULTS = 20
MAX_URLS = 20
DAYS = {"day": 1, "week": 7, "month": 30, "year": 365} | {"d": 1, "w": 7, "m": 30, "y": 365}
TOPICS = ("general", "news", "finance")


class TavilyAPI:
    """The two routes over a web's pages and any further documents. The index is built at the first search."""

    def __init__(self, web: Web | None, documents: Sequence[Document], clock: Clock) -> None:
        self._web = web
        self._documents = tuple(documents)
        self._clock = clock
        self._index: Index | None = None
        self._lock = threading.Lock()

    def search(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer a search request; raises `RequestRefused` (400) for what Tavily refuses."""
        query = _query(request)
        wanted = _number(request, "max_results", 5, 0, MAX_RESULTS)
        topic = _one_of(request, "topic", TOPICS, "general")
        after, before = self._period(request)
        from deep_research.sources.index import Filters

        wanted_sites, unwanted_sites = _hosts(request, "include_domains"), _hosts(request, "exclude_domains")
        many = wanted * 10 if topic == "news" else wanted
        hits = self.index().search(query, many, Filters.of(wanted_sites, unwanted_sites, after, before))
        chosen = [hit for hit in hits if topic != "news" or _is_news(hit.document)][:wanted]
        raw = bool(request.get("include_raw_content"))
        results = [_result(hit, hits[0].score, raw) for hit in chosen]
        return {"query": query, "follow_up_questions": None, "answer": None, "images": [], "results": results}

    def extract(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer an extract request: the text of each page, or a line on why there is none."""
        urls = [request["urls"]] if isinstance(request.get("urls"), str) else request.get("urls")
        if not isinstance(urls, list) or not urls or not all(isinstance(url, str) for url in urls):
            raise RequestRefused(400, "'urls' must be a url or a list of urls.")
        if len(urls) > MAX_URLS:
            raise RequestRefused(400, f"At most {MAX_URLS} urls can be extracted at once.")
        found = [(url, self._text(url)) for url in urls]
        results = [{"url": url, "raw_content": text, "images": []} for url, text in found if text is not None]
        failed = [{"url": url, "error": "Page not found (404)."} for url, text in found if text is None]
        return {"results": results, "failed_results": failed}

    def index(self) -> Index:
        """The index over everything that can be found, built once, by whichever thread asks first."""
        from deep_research.sources.index import build_index

        with self._lock:
            if self._index is None and self._web and not self._documents:
                self._index = _index_of(self._web)
            elif self._index is None:
                self._index = build_index((*_pages(self._web), *self._documents))
        return self._index

    def _text(self, url: str) -> str | None:
        if self._web and (page := page_at(self._web, url)):
            return page.text
        return next((d.text for d in self._documents if url in (d.url, d.citation_key, d.id)), None)

    def _period(self, request: dict[str, Any]) -> tuple[str | None, str | None]:
        """The first and last ISO date asked for. Relative ranges count back from the clock's today."""
        after, before = _iso_date(request, "start_date"), _iso_date(request, "end_date")
        if after and before and after > before:
            raise RequestRefused(400, "'start_date' must not be later than 'end_date'.")
        days = _number(request, "days", 0, 0, 36_500)
        if request.get("time_range") is not None:
            days = DAYS[_one_of(request, "time_range", tuple(DAYS), "year")]
        if days:
            after = max(after or "", (today(self._clock) - timedelta(days=days)).isoformat())
        return after, before


@lru_cache(maxsize=8)
def _index_of(web: Web) -> Index:
    """The index of a web's pages alone: every run on it shares one, since neither ever changes."""
    from deep_research.sources.index import build_index

    return build_index(_pages(web))


def _pages(web: Web | None) -> list[Document]:
    """A web's pages as documents, each once under its own address: redirects and dead links are no pages."""
    from deep_research.sources.index import Document

    if web is None:
        return []
    return [
        Document(
            page.url, page.title, page.text, page.url, published=page.published, meta={"style": page.style}
        )
        for page in web.pages
    ]


def _is_news(document: Document) -> bool:
    """The topic `news` keeps a web's news pages; documents of one's own have no style and are all kept."""
    return str(document.meta.get("style", "news")) == "news"


def _result(hit: Hit, best: float, raw: bool) -> dict[str, Any]:
    """One hit. Tavily's scores lie between 0 and 1, so ours are relative to the best of the answer."""
    document = hit.document
    result: dict[str, Any] = {
        "url": document.url or document.citation_key or document.id,
        "title": document.title,
        "content": hit.snippet,
        "score": round(hit.score / best, 4) if best else 0.0,
        "raw_content": document.text if raw else None,
        "published_date": document.published,
    }
    if not document.url:
        result |= {"citation_key": document.citation_key or document.id, "page": document.page}
    return result


def _query(request: dict[str, Any]) -> str:
    query = request.get("query")
    if not isinstance(query, str) or not query.strip():
        raise RequestRefused(400, "Query is missing.")
    if len(query) > MAX_QUERY_LENGTH:
        raise RequestRefused(400, f"Query is too long. Max query length is {MAX_QUERY_LENGTH} characters.")
    return query


def _number(request: dict[str, Any], name: str, default: int, least: int, most: int) -> int:
    value = default if request.get(name) is None else request[name]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise RequestRefused(400, f"'{name}' must be a whole number from {least} to {most}.")
    return value


def _one_of(request: dict[str, Any], name: str, allowed: Sequence[str], default: str) -> str:
    value = default if request.get(name) is None else request[name]
    if value not in allowed:
        raise RequestRefused(400, f"'{name}' must be one of: {', '.join(allowed)}.")
    return str(value)


def _hosts(request: dict[str, Any], name: str) -> list[str]:
    value = [] if request.get(name) is None else request[name]
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RequestRefused(400, f"'{name}' must be a list of domains.")
    return [domain.removeprefix("*.") for domain in value]


def _iso_date(request: dict[str, Any], name: str) -> str | None:
    value = request.get(name)
    try:
        return date.fromisoformat(value).isoformat() if value is not None else None
    except (TypeError, ValueError):
        raise RequestRefused(400, f"'{name}' must be a date like 2041-03-02.") from None
