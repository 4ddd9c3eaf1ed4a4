"""Refuse every address but loopback, in each Python process that has this folder on PYTHONPATH.

Python imports `sitecustomize` when it starts, so this reaches what a guard in the test process cannot:
notebook kernels, and command lines that tests start. It sits on the interpreter's audit events, so no
library can slip past it in Python; sockets that C code opens by itself are not seen.
"""

from __future__ import annotations

import ipaddress
import socket
import sys
from typing import Any


class NetworkBlocked(RuntimeError):
    """Not an OSError, so that retry and fallback code does not take it for an outage."""


def refuse_other_hosts(event: str, arguments: tuple[Any, ...]) -> None:
    """Audit hook: raise `NetworkBlocked` before a look-up or a connection leaves this machine."""
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        sock, address = arguments
        if sock.family in (socket.AF_INET, socket.AF_INET6) and address:
            _require_loopback(address[0])
    elif event in ("socket.getaddrinfo", "socket.gethostbyname") and not _is_address(arguments[0]):
        _require_loopback(arguments[0])  # asking for a name is a request to somebody else's server


def _require_loopback(host: object) -> None:
    name = _text(host)
    if name in ("", "localhost") or (_is_address(name) and ipaddress.ip_address(name).is_loopback):
        return
    raise NetworkBlocked(f"{name} is not on this machine, and this run has no network (scripts/no_network)")


def _is_address(host: object) -> bool:
    try:
        ipaddress.ip_address(_text(host))
    except ValueError:
        return False
    return True


def _text(host: object) -> str:
    """A host as the socket module takes it: text, bytes, or None for any address of this machine."""
    text = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host or "")
    return text.partition("%")[0]


sys.addaudithook(refuse_other_hosts)
