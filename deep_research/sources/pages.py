"""Opening a web address just to see whether something is there: live, or on the invented web.

One small protocol, so that the link check knows nothing of where it runs. Nothing here follows a redirect:
whoever asks must look at each address before it is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urljoin

from deep_research.core.safety import system_addresses
from deep_research.engine.network import live_client
from deep_research.engine.providers import PageStatus

USER_AGENT = "deep-research-link-check/1.0"
_TIMEOUT = 10.0


class LivePages:
    """The real web; the client is made at the first use."""

    def __init__(self) -> None:
        self.resolve: Callable[[str], Iterable[str]] | None = system_addresses
        self._client: Any = None

    async def open(self, method: str, url: str) -> PageStatus:
        import httpx

        if self._client is None:
            headers = {"User-Agent": USER_AGENT}
            self._client = live_client(
                httpx, resolve=self.resolve, headers=headers, follow_redirects=False, timeout=_TIMEOUT
            )
        async with self._client.stream(method, url) as response:  # a stream: the body is never read
            return PageStatus(response.status_code, redirect_target(url, response))

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()


def redirect_target(url: str, response: Any) -> str:
    location = response.headers.get("location", "")
    return urljoin(url, location) if location else ""
