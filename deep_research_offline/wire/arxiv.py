"""`GET /api/query`, as arXiv's clients expect it, over the papers of a mini-web: an Atom feed.

The papers are the web's preprints and journal articles; an entry's id is the page's own address, its summary
the page's abstract. Of arXiv's query language the field prefixes are accepted and all words are searched for
in everything that is known of a paper, the best match first; only the range `submittedDate:[… TO …]` is
obeyed to the letter. `id_list` takes the last part of an address. A request without either is refused with
400, as there.
"""

from __future__ import annotations

import html
import re
import threading
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from deep_research_offline.wire import RequestRefused, Response, whole

if TYPE_CHECKING:
    from deep_research.sources.index import Index
    from deep_research_offline.web.types import Page, Web


ROUTE = "/api/query"
STYLES = ("preprint", "journal")
MAX_RESULTS = 2_000
_DATES = re.compile(r"submittedDate:\[(\d{8})\d{0,6} TO (\d{8})\d{0,6}\]")
_SYNTAX = re.compile(r"\b(?:all|ti|au|abs|co|jr|cat|rn|id):|\b(?:AND|OR|ANDNOT|TO)\b|[()\[\]\"]")
_ABSTRACT = re.compile(r"^#+ Abstract\s*\n+(?P<text>.+?)(?=\n#|\Z)", re.MULTILINE | re.DOTALL)
_NAMESPACES = (
    'xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" '
    'xmlns:arxiv="http://arxiv.org/schemas/atom"'
)


class ArxivAPI:
    """The route over a web's papers. The index is built at the first search."""

    def __init__(self, web: Web | None) -> None:
        self._papers = [page for page in web.pages if page.style in STYLES] if web else []
        self._date = web.date if web else "1970-01-01"
        self._index: Index | None = None
        self._lock = threading.Lock()

    def query(self, path: str) -> Response:
        """Answer a request; `path` holds the query string. Raises `RequestRefused` (400) for a bad one."""
        asked = {name: values[-1] for name, values in parse_qs(urlsplit(path).query).items()}
        words, ids = asked.get("search_query", "").strip(), asked.get("id_list", "").strip()
        if not words and not ids:
            raise RequestRefused(400, "search_query or id_list must be given.")
        start = _number(asked, "start", 0)
        wanted = _number(asked, "max_results", 10)
        found = self._with_ids(ids) if ids else self._matching(words)
        shown = found[start : start + wanted]
        return whole(
            200, "application/atom+xml; charset=utf-8", self._feed(shown, len(found), start).encode()
        )

    def _with_ids(self, ids: str) -> list[Page]:
        by_id = {page.url.rpartition("/")[2]: page for page in self._papers}
        return [by_id[name.strip()] for name in ids.split(",") if name.strip() in by_id]

    def _matching(self, query: str) -> list[Page]:
        """The papers for a query, the best first."""
        dates = _DATES.search(query)
        after, before = (_iso(dates[1]), _iso(dates[2])) if dates else (None, None)
        words = _SYNTAX.sub(" ", _DATES.sub(" ", query))
        pages = {page.url: page for page in self._papers}
        from deep_research.sources.index import Filters

        hits = self._built().search(words, len(pages) or 1, Filters(after=after, before=before))
        return [pages[hit.document.id] for hit in hits]

    def _built(self) -> Index:
        from deep_research.sources.index import Document, build_index

        with self._lock:
            if self._index is None:
                self._index = build_index(
                    Document(page.url, page.title, f"{page.author}\n{page.text}", published=page.published)
                    for page in self._papers
                )
        return self._index

    def _feed(self, pages: list[Page], total: int, start: int) -> str:
        counts = {"totalResults": total, "startIndex": start, "itemsPerPage": len(pages)}
        head = "".join(f"<opensearch:{name}>{n}</opensearch:{name}>" for name, n in counts.items())
        entries = "".join(_entry(page, self._date) for page in pages)
        return (
            f'<?xml version="1.0" encoding="UTF-8"?>\n<feed {_NAMESPACES}><title>Papers</title>'
            f"<updated>{self._date}T00:00:00Z</updated>{head}{entries}</feed>\n"
        )


def _entry(page: Page, today: str) -> str:
    day = f"{page.published or today}T00:00:00Z"
    authors = "".join(
        f"<author><name>{_text(name.strip())}</name></author>" for name in (page.author or "").split(",")
    )
    abstract = _ABSTRACT.search(page.text)
    summary = abstract["text"] if abstract else page.text
    return (
        f"<entry><id>{_text(page.url)}</id><updated>{day}</updated><published>{day}</published>"
        f"<title>{_text(page.title)}</title><summary>{_text(summary.strip())}</summary>{authors}"
        f'<link href="{_text(page.url)}" rel="alternate" type="text/html"/></entry>'
    )


def _text(text: str) -> str:
    return html.escape(text, quote=True)


def _number(asked: dict[str, str], name: str, default: int) -> int:
    given = asked.get(name, str(default))
    if not given.isascii() or not given.isdigit() or int(given) > MAX_RESULTS:
        raise RequestRefused(400, f"{name} must be a whole number up to {MAX_RESULTS}.")
    return int(given)


def _iso(digits: str) -> str:
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"
