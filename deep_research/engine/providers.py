"""The outside world as a run sees it: search providers, page openers, notes, and what they return.

Protocols and records only. The providers themselves stand in `sources`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from deep_research.settings.parts import SearchSettings


@dataclass(frozen=True, slots=True)
class PageStatus:
    """What an address answered: the HTTP status, and where it redirects to, if it does."""

    status: int
    location: str = ""


class PageOpener(Protocol):
    """Whatever can ask for a page."""

    resolve: Callable[[str], Iterable[str]] | None
    """How names become addresses, to refuse private ones; None where no real network is behind it."""

    async def open(self, method: str, url: str) -> PageStatus: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ListedDocument:
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
    cut: int = 0  # characters of the page that are left out of `text`


class Notes(Protocol):
    """The user's own notes, as `sources.knowledge` holds them."""

    def search(self, query: str, k: int, *, plain: bool = False) -> Sequence[Any]:
        """The best `k` passages, best first; `plain` ranks by words alone."""

    def text_of(self, key: str) -> str | None:
        """The text of the note with this citation key or address; None if there is none."""


class ChatTransport(Protocol):
    """What gives chat clients another way out than the network."""

    def chat_clients(self) -> tuple[Any, Any]:
        """The synchronous and the asynchronous HTTP client for `ChatOpenAI`."""


class SearchProvider(Protocol):
    """Whatever can be searched."""

    name: str

    async def search(self, query: str, settings: SearchSettings) -> list[SearchHit]: ...

    async def read(self, key: str) -> str | None:
        """The text that stands at a url or citation key now; None if there is none any more."""

    async def close(self) -> None: ...


Place = Literal["", "web", "documents", "notes", "papers"]
"""Where a search looks: everywhere, or only in the user's documents or notes, in papers, or in the web."""
