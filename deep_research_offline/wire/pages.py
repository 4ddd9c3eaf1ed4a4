"""The mini-web for browsers and link checkers: HTML under `/web/<host>/<path>`, and their list at `/web/`.

Links between pages are rewritten to stay under `/web/`, so one can click through the invented web.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from deep_research_offline.wire import Response, whole

if TYPE_CHECKING:
    from deep_research_offline.web.types import Page, Web


ROOT = "/web/"
_LINK = re.compile(r'href="https?://([^"/]+)')


def page_response(web: Web, path: str) -> Response:
    """The page at `path` (query string included), a redirect (302) to it, or 404 if dead or unknown."""
    address = unquote(path.removeprefix(ROOT.rstrip("/"))).lstrip("/")
    if not address:
        return _html(200, _index(web))
    urls = [f"{scheme}://{address}" for scheme in ("https", "http")]
    for url in urls:
        if url in web.redirects:
            return whole(302, "text/plain; charset=utf-8", b"", {"location": local_path(web.redirects[url])})
    page = next((page for url in urls if (page := page_at(web, url))), None)
    if page is None:
        return _html(404, _document("Not found", f"<p>There is no page at {html.escape(address)}.</p>"))
    return _html(200, _with_local_links(web, page))


def page_at(web: Web, url: str) -> Page | None:
    """The page at an address in any spelling, redirects followed; None for one that cannot even be parsed."""
    try:
        return web.page(url)
    except ValueError:
        return None


def local_path(url: str) -> str:
    """Where a page is served, percent-encoded: `https://a.example/b c` → `/web/a.example/b%20c`."""
    return ROOT + quote(unquote(url.split("://", 1)[-1]), safe="/?=&:,;@+~()'!*$-._")


def _with_local_links(web: Web, page: Page) -> str:
    hosts = _hosts(web)

    def local(match: re.Match[str]) -> str:
        host = html.unescape(match[1])
        return f'href="{ROOT}{match[1]}' if host in hosts else match[0]

    return _LINK.sub(local, web.html(page))


@lru_cache(maxsize=8)
def _hosts(web: Web) -> frozenset[str]:
    """All hosts of a web, those of dead links and redirects included."""
    addresses = (*(page.url for page in web.pages), *web.redirects, *web.dead)
    return frozenset(urlsplit(url).netloc for url in addresses)


def _index(web: Web) -> str:
    """All pages by host, in order of their addresses."""
    parts = [f"<p>An invented web (seed {web.seed}, {len(web.pages)} pages). Its today is {web.date}.</p>"]
    ordered = sorted(web.pages, key=lambda page: page.url)
    for host, pages in groupby(ordered, key=lambda page: urlsplit(page.url).netloc):
        links = "".join(f'<li><a href="{local_path(p.url)}">{html.escape(p.title)}</a></li>' for p in pages)
        parts.append(f"<h2>{html.escape(host)}</h2><ul>{links}</ul>")
    return _document("The offline web", "".join(parts))


def _document(title: str, body: str) -> str:
    head = f'<meta charset="utf-8"><title>{title}</title>'
    return f"<!DOCTYPE html><html><head>{head}</head><body><h1>{title}</h1>{body}</body></html>"


def _html(status: int, text: str) -> Response:
    return whole(status, "text/html; charset=utf-8", text.encode())
