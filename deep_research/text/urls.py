"""One key per address: two spellings of the same page, DOI or preprint become the same text.

The general rules (letter case, dot segments, percent-encoding, international hosts, query order) are w3lib's.
Ours come on top: http and https, and a leading `www.`, make no difference; default ports, fragments, tracking
parameters and a trailing slash are dropped; a DOI in any of its forms is `https://doi.org/...`, an arXiv
paper in any form and version is `https://arxiv.org/abs/...`. A key is for comparing and citing. What is no
web address (`report.pdf, p.15`) is returned as it is, stripped.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache
from html import unescape
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

MAX_LENGTH = 4_096

_TRACKING = re.compile(
    r"utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|igsh|li_fat_id|epik"
    r"|mc_cid|mc_eid|mkt_tok|_hsenc|_hsmi|__hs\w+|hsctatracking|vero_id|oly_\w+_id|_openstat|wickedid|_ga|_gl"
    r"|s_cid|icid|ncid|cmpid|rb_clickid|spm|scm",
    re.IGNORECASE,
)
_DOI = re.compile(
    r"(?:doi:\s*|(https?://)?(?:dx\.|www\.)?doi\.org/)?(10\.\d{4,9}(?:/|%2f)\S+)", re.IGNORECASE
)
_ARXIV_ID = r"(?P<id>\d{4}\.\d{4,5}|[a-z][a-z-]*(?:\.[a-z]{2})?/\d{7})(?:v\d+)?"
_ARXIV = re.compile(
    r"(?:arxiv:\s*|(?:https?://)?(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html|format)/)"
    rf"{_ARXIV_ID}(?:\.pdf)?/?(?:[?#].*)?",
    re.IGNORECASE,
)
_ARXIV_DOI = re.compile(rf"10\.48550/arxiv\.{_ARXIV_ID}", re.IGNORECASE)
_BRACKETS = {")": "(", "]": "[", "}": "{", ">": "<", "）": "（", "】": "【", "」": "「", "』": "『"}
_PUNCTUATION = ".,;:!?'\"*_。，、；：！？"


@lru_cache(maxsize=16_384)
def canonical_url(url: str) -> str:
    """The key of an address (module docstring); never raises, and garbage comes back stripped."""
    text = url.strip().replace("&amp;", "&")
    if not text or len(text) > MAX_LENGTH:
        return text
    known = _arxiv_key(text) or _doi_key(text)
    if known:
        return known
    address = re.sub(r"^(?:https?:)?//|^(?=www\.)", "https://", text, count=1, flags=re.IGNORECASE)
    if not address.startswith("https://"):
        return text
    try:
        key = ""
        while key != address:  # what is dropped at the end may bring another open bracket or dot there
            key, address = address, _web_key(_without_open_ends(address, ""))
        return key
    except (ValueError, UnicodeError):
        return text


def host_in(address: str) -> str:
    """The host of an address, in lower case; empty if it has none or is malformed."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def trim_url(text: str) -> str:
    """An address as it was cut out of running text, without the punctuation and brackets of the sentence.

    Brackets that are balanced inside the address stay: `https://a.example/b_(c))` loses one.
    """
    return _without_open_ends(text.strip(), _PUNCTUATION)


def trim_cut_off_url(text: str) -> str:
    """`trim_url`, but the ellipsis of a cut-off address stays, to tell it from a whole one.

    Right before such dots `_` and the like are part of the address (`.../Old_...`), not of the sentence.
    """
    url = trim_url(text)
    dots = re.match(r"[_:,;']{0,3}\.{3,}", text[len(url) :])
    return url + dots[0] if dots else url


def unescape_url(target: str) -> str:
    """The target of a Markdown link without backslashes and entities (`&amp;`, `&#58;`, `&colon;`)."""
    plain = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", target)
    return re.sub(r"&#?\w{1,30};", lambda entity: unescape(entity[0]), plain)


def _web_key(address: str) -> str:
    from w3lib.url import canonicalize_url

    parts = urlsplit(canonicalize_url(unicodedata.normalize("NFC", address)))
    host = (parts.hostname or "").rstrip(".")
    if not host or " " in host or not host.isprintable():
        raise ValueError("no host")
    host = host.removeprefix("www.") if host.count(".") > 1 else host
    host = f"[{host}]" if ":" in host else host
    port = f":{parts.port}" if parts.port not in (None, 80, 443) else ""
    user = parts.netloc.rpartition("@")[0]
    query = [(name, value) for name, value in parse_qsl(parts.query, True) if not _TRACKING.fullmatch(name)]
    netloc = f"{user}@{host}{port}" if user else host + port
    return urlunsplit(("https", netloc, parts.path.rstrip("/"), urlencode(query), ""))


def _doi_key(text: str) -> str | None:
    match = _DOI.fullmatch(text)
    if not match:
        return None
    doi = unquote(re.split(r"[?#]", match[2])[0] if match[1] else match[2])
    doi = _without_open_ends(doi, ".,;").rstrip("/").lower()
    arxiv = _ARXIV_DOI.fullmatch(doi)
    if arxiv:
        return f"https://arxiv.org/abs/{arxiv['id']}"
    return "https://doi.org/" + quote(doi, safe="/:;()._-,+=~@!*'$", errors="ignore")


def _arxiv_key(text: str) -> str | None:
    match = _ARXIV.fullmatch(text)
    return f"https://arxiv.org/abs/{match['id'].lower()}" if match else None


def _without_open_ends(text: str, punctuation: str) -> str:
    """Drop closing brackets that nothing opened, and `punctuation`, from the end; counted once, so linear."""
    surplus = {close: text.count(close) - text.count(opening) for close, opening in _BRACKETS.items()}
    end = len(text)
    while end:
        last = text[end - 1]
        if surplus.get(last, 0) > 0:
            surplus[last] -= 1
        elif last not in punctuation:
            break
        end -= 1
    return text[:end]


def is_under_domain(url: str | None, domains: Collection[str]) -> bool:
    """Whether an address belongs to one of the domains or lies under it."""
    host = host_in(url or "").rstrip(".")
    wanted = (domain.lower().removeprefix("*.").strip("./") for domain in domains)
    return any(host == domain or host.endswith(f".{domain}") for domain in wanted if domain)
