"""Live connections: to the address that was checked, through no proxy nobody asked for, with an end.

`live_client` builds asynchronous clients of `httpx` and of `httpx2`, which OpenAI's client uses; both name
their parts alike.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Callable, Iterable
from types import ModuleType
from typing import Any
from urllib.request import getproxies, proxy_bypass

from deep_research.core.errors import ResearchError
from deep_research.core.safety import checked_addresses
from deep_research.core.secrets import keep_password

MOST_BYTES = 32 * 2**20
"""Bytes of one answer, unpacked; what is longer is refused while it is read."""
_GZIP_OR_ZLIB = 47


class AnswerTooLarge(ResearchError):
    """An answer that is longer than any that is wanted."""

    def __init__(self, most: int) -> None:
        super().__init__(f"The answer is longer than {most // 2**20} MB.")


def live_client(
    http: ModuleType,
    *,
    proxies: bool = False,
    resolve: Callable[[str], Iterable[str]] | None = None,
    **options: Any,
) -> Any:
    """A client of this module; `options` are its own.

    With `proxies` it connects through those that the environment names. With `resolve` it connects to no
    address but a public one that this function has just given for the host.
    """

    class Counted(http.AsyncByteStream):  # type: ignore[name-defined]
        """A body that is unpacked and counted while it is read."""

        def __init__(self, stream: Any, packed: bool) -> None:
            self._stream = stream
            self._unpack = zlib.decompressobj(_GZIP_OR_ZLIB).decompress if packed else None

        async def __aiter__(self) -> AsyncIterator[bytes]:
            left = MOST_BYTES
            async for chunk in self._stream:
                data = self._unpack(chunk, left + 1) if self._unpack else chunk
                left -= len(data)
                if left < 0:
                    raise AnswerTooLarge(MOST_BYTES)
                yield data

        async def aclose(self) -> None:
            await self._stream.aclose()

    class Transport(http.AsyncBaseTransport):  # type: ignore[name-defined]
        """Chooses the way of each request, and bounds its answer."""

        def __init__(self) -> None:
            self._ways: dict[str | None, Any] = {}

        async def handle_async_request(self, request: Any) -> Any:
            request.headers["accept-encoding"] = "gzip"
            host = request.url.host
            if resolve is None:
                return await self._send(request, host)
            request.extensions = {**request.extensions, "sni_hostname": host}
            *others, last = await asyncio.to_thread(checked_addresses, str(request.url), resolve)
            for address in others:  # a machine without IPv6 reaches the next one
                request.url = request.url.copy_with(host=address)
                try:
                    return await self._send(request, host)
                except http.ConnectError:
                    continue
            request.url = request.url.copy_with(host=last)
            return await self._send(request, host)

        async def _send(self, request: Any, host: str) -> Any:
            proxy = _proxy_for(request.url.scheme, host) if proxies and resolve is None else None
            if proxy not in self._ways:
                self._ways[proxy] = http.AsyncHTTPTransport(proxy=proxy)
            answer = await self._ways[proxy].handle_async_request(request)
            packing = answer.headers.get("content-encoding", "").strip().lower()
            packed = packing in ("gzip", "deflate")
            if packing not in ("", "identity") and not packed:  # whoever unpacks it would not count
                await answer.aclose()
                raise ResearchError(f"The answer is packed as nobody asked for: {packing[:40]}.")
            dropped = ("content-encoding", "content-length") if packed else ()
            headers = [(name, value) for name, value in answer.headers.multi_items() if name not in dropped]
            stream = Counted(answer.stream, packed)
            return http.Response(
                answer.status_code, headers=headers, stream=stream, extensions=answer.extensions
            )

        async def aclose(self) -> None:
            for way in self._ways.values():
                await way.aclose()

    return http.AsyncClient(transport=Transport(), **options)


def _proxy_for(scheme: str, host: str) -> str | None:
    """The proxy that the environment names for a host, if it names one."""
    named = getproxies()
    proxy = None if proxy_bypass(host) else named.get(scheme) or named.get("all")
    keep_password(proxy)
    return proxy
