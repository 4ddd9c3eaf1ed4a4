"""`deep-research serve-offline`: the offline provider on a loopback port, for any OpenAI or Tavily client.

HTTP/1.1 with keep-alive, one thread per connection, streams sent chunk by chunk as they are made. Two
guards, since documents of one's own may be behind it: it binds loopback addresses only, unless told
otherwise, and it answers only requests that were addressed to loopback, so that no web page in a browser
can reach it under another name.
"""

from __future__ import annotations

import ipaddress
import logging
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from typing import Any
from urllib.parse import urlsplit

from deep_research.core.errors import UsageError
from deep_research_offline.wire import (
    MAX_BODY,
    Handler,
    NoAnswer,
    RequestRefused,
    Response,
    WireError,
    error_response,
    too_large,
)

IDLE_SECONDS = 60.0  # an idle connection is closed after this

log = logging.getLogger(__name__)


def serve(
    handler: Handler,
    host: str = "127.0.0.1",
    port: int = 8765,
    *,
    allow_remote: bool = False,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve until Ctrl-C. `ready` is called with the base url once the port is open.

    Raises UsageError if the address is not loopback (without `allow_remote`) or cannot be bound.
    """
    with OfflineServer(handler, host, port, allow_remote) as server:
        if ready:
            ready(server.base_url)
        with suppress(KeyboardInterrupt):
            server.serve_forever()


@contextmanager
def running_server(handler: Handler) -> Iterator[str]:
    """A loopback server on a free port, in a thread while the block lasts; gives its base url."""
    with OfflineServer(handler, "127.0.0.1", 0, allow_remote=False) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server.base_url
        finally:
            server.shutdown()
            thread.join()


def is_loopback(host: str) -> bool:
    """Whether a host, as typed or as found in a `Host` header, can only mean this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _host_of(header: str) -> str:
    """The host in a `Host` header, without port and brackets; empty if it is none."""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return ""


class OfflineServer(ThreadingTCPServer):
    """A threading server that closes its open connections when it is closed."""

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, handler: Handler, host: str, port: int, allow_remote: bool) -> None:
        if not allow_remote and not is_loopback(host):
            raise UsageError(
                f"The address {host!r} is not loopback, so others could reach this server.",
                "Use 127.0.0.1, or allow remote clients explicitly.",
            )
        self.handler = handler
        self.allow_remote = allow_remote
        self.closing = threading.Event()
        self._open: set[socket.socket] = set()
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            super().__init__((host, port), _Connection)
        except (OSError, OverflowError) as error:
            raise UsageError(f"Cannot listen on {host}:{port}: {error}.", "Choose another port.") from None

    @property
    def base_url(self) -> str:
        host, port = self.server_address[:2]
        name = host if isinstance(host, str) else host.decode()
        return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        self.closing.set()
        super().server_close()
        for connection in list(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no event; anything else is logged and costs that connection only."""
        if not isinstance(sys.exception(), OSError):
            log.error("request from %s failed", client_address, exc_info=True)


class _Connection(BaseHTTPRequestHandler):
    """One connection with its requests, one after the other."""

    protocol_version = "HTTP/1.1"
    server_version = "deep-research-offline"
    sys_version = ""
    disable_nagle_algorithm = True
    wbufsize = -1  # headers and first chunk leave in one packet
    timeout = IDLE_SECONDS
    server: OfflineServer

    def respond(self) -> None:
        """Read the request, ask the handler, send its answer; what fails below HTTP ends the connection."""
        try:
            body = self._read_body()
        except RequestRefused as refusal:
            self.close_connection = True
            return self._send(error_response(self.path.partition("?")[0], refusal))
        time.sleep(self.server.handler.latency)
        try:
            self._send(self._answer(body))
        except NoAnswer:
            self.close_connection = True
            self.server.closing.wait(IDLE_SECONDS)
        except WireError:
            self.close_connection = True
        return None

    do_GET = do_POST = do_HEAD = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = respond

    def _answer(self, body: bytes) -> Response:
        """The handler's answer; an error of its own becomes a 500, with the traceback in the log."""
        try:
            return self.server.handler.handle(self.command, self.path, dict(self.headers.items()), body)
        except WireError:
            raise
        except Exception as error:
            log.error("%s %s failed", self.command, self.path, exc_info=True)
            message = f"The offline provider failed on this request ({type(error).__name__})."
            return error_response(self.path.partition("?")[0], RequestRefused(500, message))

    def _read_body(self) -> bytes:
        """The request body; refuses foreign hosts and bodies without a usable length before reading any."""
        if not self.server.allow_remote and not is_loopback(_host_of(self.headers.get("host", "localhost"))):
            raise RequestRefused(403, "This server answers only requests to a loopback address.")
        if "transfer-encoding" in self.headers:
            raise RequestRefused(411, "Send the body with a Content-Length.")
        length = self.headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit() and len(length) < 20):
            raise RequestRefused(400, "The Content-Length is not a usable number.")
        if int(length) > MAX_BODY:
            raise too_large()
        return self.rfile.read(int(length))

    def _send(self, response: Response) -> None:
        self.send_response_only(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        chunked = response.streamed and self.request_version != "HTTP/1.0"
        self.close_connection |= response.streamed and not chunked
        if self.close_connection:
            self.send_header("connection", "close")
        if chunked:
            self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        if self.command == "HEAD":
            return
        for chunk in filter(None, response.chunks):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk) if chunked else chunk)
            self.wfile.flush()
        if chunked:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are logged at debug level, not printed."""
        log.debug(format, *args)
