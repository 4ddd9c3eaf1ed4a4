"""What keeps a research agent from harm: the addresses it opens, the paths it writes, what page text can do.

Everything that comes from a page, a model or a command line is untrusted. An address is refused unless it is
a public web address in plain spelling, a path unless it stays in its folder, and page text enters a prompt
only inside a fence that it cannot close.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path, PurePosixPath, PureWindowsPath
from urllib.parse import SplitResult, urlsplit

from .errors import UnsafeAddressError
from .text import outside_code
from .urls import canonical_url, trim_url

__all__ = [
    "as_typed", "canonical_url", "check_url", "cites_nothing", "fence", "fence_page", "safe_join",
    "system_addresses", "trim_url", "without_ids",
]  # fmt: skip

_PRIVATE_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home.arpa", "localdomain", "onion")

# Tags that prompts use for data, and that chat formats use for turns, tools and thoughts.
_TAGS = (
    "sources?|pages?|findings?|notes?|documents?|passages?|brief|research_brief|question|messages?|context|data"
    "|quotes?|results?|search_results|untrusted|system|user|assistant|human|developer|tools?|tool_calls?"
    "|tool_results?|tool_responses?|function|function_calls?|function_results?|invoke|parameter|instructions?"
    "|prompt|think|thinking|draft|critique|plan|todos|report|s|bos|eos|start_of_turn|end_of_turn"
    "|im_start|im_end|start_header_id|end_header_id|eot_id|begin_of_text|end_of_text|endoftext"
)
_TAG_FORM = (
    r"<(?:\s*(?:/\s*)?(?:{names})(?![\w-])[^<>]{{0,300}}>"  # closed
    r"|/?(?:{names})(?![\w-]))"  # left open
)
_CHAT_CONTROL = re.compile(r"<\s*\|[^<>\n]{0,100}\|\s*>|<</?SYS>>|\[/?INST\]", re.IGNORECASE)
# Characters that no reader sees: controls, zero-width and direction marks, and the "tag" block used to
# smuggle hidden instructions. Joiners (U+200C, U+200D) stay, since scripts and emoji need them.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_UNSEEN = ("Mn", "Me", "Cf")  # marks, joiners and selectors: a model reads the letters around them
_FILLERS = "\u115f\u1160"  # letters that look like nothing
_SOURCE_ID = re.compile(
    r"(?<![a-z0-9_./=#])s\d+\.\d+", re.IGNORECASE
)  # as `ledger.ID`, but not in an address
_RAISED = re.compile(r"\b(s\d+)·(?=\d)", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![A-Za-z0-9_])(?:\[\^?(\d{1,3})\](?!\()|【(\d{1,3})】)")
_DISARMED = {"<": "‹", ">": "›", "[": "(", "]": ")", ".": "·"}


def check_url(url: str, *, resolve: Callable[[str], Iterable[str]] | None = None) -> str:
    """Return the address, stripped, if it may be opened; raise UnsafeAddressError saying why not.

    Refused: other schemes than http and https, credentials, hosts without a public name, and addresses that
    are private, loopback, link-local or reserved, in any spelling. With `resolve` (`system_addresses`, for a
    live fetch and each of its redirects) every address that the name has must be public too.
    """
    address = url.strip()
    parts = _split(address)
    host = (parts.hostname or "").replace("。", ".").replace("．", ".")
    host = unicodedata.normalize("NFKC", host).lower().rstrip(".")
    if not host:
        raise _refused(address, "it names no host")
    literal = _ip(host, address)
    if literal is not None:
        _check_ip(literal, address)
    elif "." not in host or any(host == name or host.endswith("." + name) for name in _PRIVATE_NAMES):
        raise _refused(address, "the host is a private name")
    elif resolve:
        for found in _looked_up(host, resolve, address):
            _check_ip(found, address)
    return address


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


def fence(text: str, tag: str | None = None) -> str:
    """Untrusted text made fit to stand between `<source>` and `</source>`, or any tag that prompts use.

    Invisible characters are removed; look-alikes of our tags and of chat control lose their brackets, so that
    nothing in the text can close its fence or open another: `</source>` becomes `‹/source›`. They are looked
    for in a folded copy (full-width letters plain, joiners left out), so that a disguise does not help. Other
    markup and all wording stay. `tag` names one more tag to disarm. Takes time linear in the text.
    """
    names = f"{_TAGS}|{re.escape(tag)}" if tag else _TAGS
    pattern = re.compile(_TAG_FORM.format(names=names), re.IGNORECASE)
    visible = _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _disarmed(_disarmed(visible, pattern), _CHAT_CONTROL)


def fence_page(text: str) -> str:
    """`fence` for the words of a page, which cite nothing."""
    return without_ids(fence(text))


def without_ids(text: str) -> str:
    """Text of a page, a user or an error message in which nothing reads as the id of a source any more.

    Else a page that says `[S1.2]` could write a citation into a prompt, a quote and the report. The dot
    becomes a raised one, so that "Table S1·2" still reads well. (Plain numbers in brackets are taken out when
    citations are rendered.)
    """
    return _disarmed(text, _SOURCE_ID)


def cites_nothing(text: str) -> str:
    """Words of a user in which nothing reads as a citation: `S2.1` becomes `S2·1`, and `[3]` becomes `(3)`.

    Models repeat what they were asked, and nobody could tell such a marker from one of their own. Numbers in
    code stay, for there they are no citations.
    """
    return outside_code(without_ids(text), lambda part: _NUMBER.sub(lambda m: f"({m[1] or m[2]})", part))


def as_typed(text: str) -> str:
    """The words with the dots that `without_ids` has raised, for where nothing is cited: a search."""
    return _RAISED.sub(r"\1.", text)


def _disarmed(text: str, pattern: re.Pattern[str]) -> str:
    """The text without the brackets of what the pattern finds in its folded copy."""
    folds = list(map(_folded, text))
    folded = "".join(folds)
    if not pattern.search(folded):  # nearly every text
        return text
    places = [place for place, fold in enumerate(folds) for _ in fold]
    pieces, done = [], 0
    for match in pattern.finditer(folded):
        start, end = places[match.start()], places[match.end() - 1] + 1
        disarmed = (_DISARMED.get(folds[place], text[place]) for place in range(start, end))
        pieces += [text[done:start], *disarmed]
        done = end
    return "".join([*pieces, text[done:]])


@lru_cache(maxsize=4096)
def _folded(char: str) -> str:
    """A character as a model may read it: in its plain form, and nothing if it is not seen."""
    plain = char if char.isascii() else unicodedata.normalize("NFKC", char)
    return "".join(c for c in plain if c not in _FILLERS and unicodedata.category(c) not in _UNSEEN)


def _split(address: str) -> SplitResult:
    """The parts of an address that every parser would read alike."""
    if re.search(r"[\s\\\x00-\x1f\x7f]", address) or _INVISIBLE.search(address):
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
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except (OSError, UnicodeError) as error:
        raise _refused(address, "its host is a malformed number") from error


def _check_ip(ip: ipaddress.IPv4Address | ipaddress.IPv6Address, address: str) -> None:
    """Refuse what is not public; IPv6 forms that stand for an IPv4 address are refused altogether."""
    tunnelled = isinstance(ip, ipaddress.IPv6Address) and (ip.ipv4_mapped or ip.sixtofour or ip.teredo)
    if tunnelled or not ip.is_global or ip.is_multicast or ip.is_reserved:
        raise _refused(address, "the address is private or reserved")


def _looked_up(
    host: str, resolve: Callable[[str], Iterable[str]], address: str
) -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    try:
        return [ipaddress.ip_address(found.partition("%")[0]) for found in resolve(host)]
    except (OSError, ValueError) as error:
        raise _refused(address, "its host cannot be looked up") from error


def _refused(address: str, reason: str) -> UnsafeAddressError:
    shown = address if len(address) <= 200 else address[:200] + "…"
    return UnsafeAddressError(f"The address {shown!r} is refused: {reason}.")
