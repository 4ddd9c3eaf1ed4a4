"""The mini-web as ground truth: which page an address means, and which facts it states.

An address counts in any spelling that a client or the ledger may use (canonical form, redirect,
percent-encoded), so that a right citation is never scored wrong for its spelling.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deep_research.report import Report
from deep_research.text.urls import canonical_url
from deep_research_offline.web.types import Fact, Page, Web


class GroundTruth:
    """Look-ups in one web; build it once and use it for all reports about that web."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self._pages = {canonical_url(page.url): page for page in web.pages}
        moved = {canonical_url(old): web.page(old) for old in web.redirects}
        self._pages |= {address: page for address, page in moved.items() if page is not None}

    def page(self, url: str | None) -> Page | None:
        """The page that an address means, redirects followed; None if there is none."""
        return self._pages.get(canonical_url(url)) if url else None

    def cited_page(self, report: Report, number: int) -> Page | None:
        """The page behind the citation `[number]` of a report; None if it is no page of this web."""
        return next((self.page(source.url) for source in report.sources if source.number == number), None)

    def states(self, page: Page | None, fact: Fact) -> bool:
        """Whether this page states the fact correctly and currently."""
        return page is not None and any(self.page(url) is page for url in fact.pages)

    def origin(self, url: str) -> str:
        """Whose voice an address is: that of the page which it copies, or its own."""
        page = self.page(url)
        address = page.url if page else url
        return self.web.origins.get(address, address)

    def gold(self, ids: Sequence[str]) -> Iterator[Fact]:
        """The facts of these ids."""
        return (self.web.facts[fact_id] for fact_id in ids)
