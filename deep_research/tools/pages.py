"""Opening a web address just to see whether something is there: live, or on the invented web.

One small protocol, so that the link check knows nothing of where it runs. Nothing here follows a redirect:
whoever asks must look at each address before it is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urljoin

from ..guard import system_addresses

if TYPE_CHECKING:
    from ..offline.handlers import OfflineProvider

USER_AGENT = "deep-research-link-check/1.0"
_TIMEOUT = 10.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What an address answered: the HTTP status, and where it redirects to, if it does."""

    status: int
    location: str = ""


class PageOpener(Protocol):
    """Whatever can ask for a page."""

    resolve: Callable[[str], Iterable[str]] | None
    """How names become addresses, to refuse private ones; None where no real network is behind it."""

    async def open(self, method: str, url: str) -> Answer: ...

    async def close(self) -> None: ...


class LivePages:
    """The real web; the client is made at the first use."""

    def __init__(self) -> None:
        self.resolve: Callable[[str], Iterable[str]] | None = system_addresses
        self._client: Any = None

    async def open(self, method: str, url: str) -> Answer:
        import httpx

        if self._client is None:
            headers = {"User-Agent": USER_AGENT}
            self._client = httpx.AsyncClient(headers=headers, follow_redirects=False, timeout=_TIMEOUT)
        async with self._client.stream(method, url) as response:  # a stream: the body is never read
            return Answer(response.status_code, _target(url, response))

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()


class OfflinePages:
    """The invented web, which serves its pages under `/web/<host>/<path>`."""

    def __init__(self, provider: OfflineProvider) -> None:
        self.resolve: Callable[[str], Iterable[str]] | None = None
        self._provider = provider

    async def open(self, method: str, url: str) -> Answer:
        import httpx

        from ..offline.pages import ROOT, local_path
        from ..offline.transports import BASE_URL, HttpxTransport

        async with httpx.AsyncClient(
            transport=HttpxTransport(self._provider), base_url=BASE_URL, headers={"User-Agent": USER_AGENT}
        ) as client:
            response = await client.request(method, local_path(url))
        location = response.headers.get("location", "")
        if location.startswith(ROOT):
            return Answer(response.status_code, "https://" + location.removeprefix(ROOT))
        return Answer(response.status_code, _target(url, response))

    async def close(self) -> None:
        """Nothing stays open."""


def _target(url: str, response: Any) -> str:
    location = response.headers.get("location", "")
    return urljoin(url, location) if location else ""
