"""Addresses that may be opened and paths that may be written.

An address is refused unless it is a public web address in plain spelling, a path unless it stays in its
folder.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath, PureWindowsPath
from urllib.parse import SplitResult, urlsplit

from deep_research.text.fence import INVISIBLE

from .errors import UnsafeAddressError

_PRIVATE_NAMES = (
    "localhost", "localhost6", "local", "internal", "intranet", "lan", "home.arpa", "localdomain",
    "localdomain6", "onion", "home", "corp", "private", "test", "invalid", "svc", "metadata.goog",
)  # fmt: skip


def checked_addresses(url: str, resolve: Callable[[str], Iterable[str]] | None = None) -> list[str]:
    """The IP addresses to which a connection may be made for a web address; empty for a name not looked up.

    Raises UnsafeAddressError saying why it may not be opened: other schemes than http and https, credentials,
    hosts without a public name, and addresses that are private, loopback, link-local or reserved, in any
    spelling. With `resolve` (`system_addresses`, for a live fetch and each of its redirects) every address
    that the name has must be public too. Whoever connects has to take one of these, and not look the name up
    again: the second answer may be another one.
    """
    address = url.strip()
    parts = _split(address)
    host = (parts.hostname or "").replace("。", ".").replace("．", ".")
    host = unicodedata.normalize("NFKC", host).lower().rstrip(".")
    if not host:
        raise _refused(address, "it names no host")
    if not all(letter in ".-_:" or unicodedata.category(letter)[0] in "LNM" for letter in host):
        raise _refused(address, "its host holds what no name holds")
    literal = _ip(host, address)
    found: list[ipaddress.IPv4Address | ipaddress.IPv6Address] = []
    if literal is not None:
        found = [literal]
    elif "." not in host or any(host == name or host.endswith("." + name) for name in _PRIVATE_NAMES):
        raise _refused(address, "the host is a private name")
    elif resolve:
        found = _looked_up(host, resolve, address)
    for ip in found:
        _check_ip(ip, address)
    return [str(ip) for ip in found]


def system_addresses(host: str) -> list[str]:
    """The addresses that this machine's resolver gives for a name; raises OSError if there is none."""
    return [str(answer[4][0]) for answer in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)]


def safe_join(root: Path | str, name: str) -> Path:
    """The path of `name` inside the folder `root`; raises UnsafeAddressError if it would leave it.

    `name` may hold sub-folders. Absolute paths, drives, backslashes, `..` and symbolic links leading outside
    are refused, and so is the root itself.
    """
    folder = Path(root).resolve()
    absolute = PurePosixPath(name).is_absolute() or PureWindowsPath(name).drive
    if absolute or "\\" in name or "\0" in name or ".." in PurePosixPath(name).parts:
        raise UnsafeAddressError(f"The path {name!r} is refused: it could leave its folder.")
    try:
        path = (folder / name).resolve()
    except (OSError, UnicodeError, ValueError) as error:
        raise UnsafeAddressError(f"The path {name!r} is refused: it is not a usable name.") from error
    if path == folder or not path.is_relative_to(folder):
        raise UnsafeAddressError(f"The path {name!r} is refused: it leaves its folder.")
    return path


def _split(address: str) -> SplitResult:
    """The parts of an address that every parser would read alike."""
    if re.search(r"[\s\\\x00-\x1f\x7f]", address) or INVISIBLE.search(address):
        raise _refused(address, "it holds spaces, backslashes or invisible characters")
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise _refused(address, "it is malformed") from error
    if parts.scheme not in ("http", "https"):
        raise _refused(address, "only http and https are opened")
    if "@" in parts.netloc:
        raise _refused(address, "it carries credentials")
    if "%" in parts.netloc or port == 0:
        raise _refused(address, "its host or port is malformed")
    return parts


def _ip(host: str, address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The host as an IP address, the old numeric spellings (2130706433, 0x7f.1, 0177.0.0.1) included."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    if not re.fullmatch(r"\d+|0x[0-9a-f]*", host.rsplit(".", 1)[-1]):
        return None
    try:
        _check_ip(ipaddress.IPv4Address(socket.inet_aton(host)), address)
    except (OSError, UnicodeError) as error:
        raise _refused(address, "its host is a malformed number") from error
    raise _refused(address, "its host is a number in disguise")


_SPECIAL = tuple(
    map(
        ipaddress.ip_network,
        (
            "168.63.129.16/32",
            "192.0.0.0/24",
            "192.31.196.0/24",
            "192.52.193.0/24",
            "192.88.99.0/24",
            "192.175.48.0/24",
            "2001:4:112::/48",
            "2620:4f:8000::/48",
            "fec0::/10",
            "3fff::/20",
        ),
    )
)
"""Ranges that Python holds for public and are not; the first is the metadata service of Azure's machines,
those of other clouds are link-local or private.
"""


def _check_ip(ip: ipaddress.IPv4Address | ipaddress.IPv6Address, address: str) -> None:
    """Refuse what is not public; IPv6 forms that stand for an IPv4 address are refused altogether."""
    tunnelled = isinstance(ip, ipaddress.IPv6Address) and (ip.ipv4_mapped or ip.sixtofour or ip.teredo)
    special = any(ip in network for network in _SPECIAL)
    if tunnelled or special or not ip.is_global or ip.is_multicast or ip.is_reserved:
        raise _refused(address, "the address is private or reserved")


def _looked_up(
    host: str, resolve: Callable[[str], Iterable[str]], address: str
) -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    try:
        found = [ipaddress.ip_address(found.partition("%")[0]) for found in resolve(host)]
    except (OSError, ValueError) as error:
        raise _refused(address, "its host cannot be looked up") from error
    if not found:
        raise _refused(address, "its host cannot be looked up")
    return found


def _refused(address: str, reason: str) -> UnsafeAddressError:
    shown = address if len(address) <= 200 else address[:200] + "…"
    return UnsafeAddressError(f"The address {shown!r} is refused: {reason}.")
