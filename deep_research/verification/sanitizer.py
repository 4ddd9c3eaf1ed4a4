"""Takes out of a report what no reader should follow or see, and counts it; usable alone.

Addresses: shorteners (they hide where they lead), cut-off ones, hosts that are bare IP numbers, schemes other
than http and https. Text: tags of tool calls and thoughts that leaked out of a model, with what they enclose.
The lists are data (`sanitizer.toml`). Code is left alone. A link keeps its words and loses its target.
"""

from __future__ import annotations

import ipaddress
import re
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from .edits import Edit, apply, removal
from .notation import trimmed, unescaped
from .report_blocks import masked

Dirt = Literal["shorteners", "truncated_urls", "ip_hosts", "other_schemes", "tool_tags"]
KINDS: tuple[Dirt, ...] = ("shorteners", "truncated_urls", "ip_hosts", "other_schemes", "tool_tags")
RULES_FILE = Path(__file__).with_name("sanitizer.toml")

_CUT = re.compile(r"(?:\.{3,}|…|%E2%80%A6)/?\Z", re.IGNORECASE)
_SPECIAL = r"<[|｜][^<>|｜\n]{1,60}[|｜]>|\[(?:TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|/?INST)\]"
_LINK = (
    r"!?\[(?P<label>[^\[\]\n]{0,300})\]\(\s*<?"
    r"(?P<target>[a-z][a-z0-9+.-]{1,15}:[^\s<>()]{1,2000}(?:\([^\s<>()]{0,200}\)[^\s<>()]{0,500}){0,3})>?"
    r"(?:\s+(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|\([^()\n]{0,200}\)|[^\s()][^()\n]{0,200}))?\s*\)"
)
_TAG = (
    r"<(?P<tag>[a-z][a-z0-9]{0,20})\s(?:[^<>]{0,300}?\s)?(?:href|src)\s{0,9}=\s{0,9}[\"']?\s{0,9}"
    r"(?P<attribute>[a-z][a-z0-9+.-]{1,15}:[^\s<>\"']{1,2000})[^<>]{0,300}>"
    r"(?:(?P<shown>(?:(?!</(?P=tag))[^\n]){0,300})</(?P=tag)\s{0,9}>)?"
)
_BARE = r"(?<![A-Za-z0-9+.-])<?(?P<bare>(?:[a-z][a-z0-9+.-]{1,15}://|www\.|javascript:|vbscript:|data:\w+/)[^\s<>\"`|\[\]，。；、）】》」]{1,2000})>?"
_ADDRESS = re.compile(f"{_LINK}|{_TAG}|{_BARE}", re.IGNORECASE)


class Address(NamedTuple):
    """An address in a text: where it, or the whole link to it, stands, and the words that show it."""

    url: str
    words: str
    start: int
    end: int
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Sanitized:
    """The clean Markdown, and how many of each kind were taken out."""

    markdown: str
    counts: dict[str, int] = field(default_factory=dict)


@cache
def load_rules(path: Path = RULES_FILE) -> dict[str, frozenset[str]]:
    """The lists of a rules file: shorteners, schemes and tags."""
    rules = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: frozenset(rules[name]) for name in ("shorteners", "schemes", "tags")}


def sanitize(markdown: str, keep: Callable[[str], bool] = lambda url: False) -> Sanitized:
    """A report without leaked tags and without addresses to distrust; `keep` spares those it says yes to."""
    stripped, tags = strip_tool_tags(markdown)
    clean, counts = strip_addresses(stripped, keep)
    return Sanitized(clean, {**counts, "tool_tags": tags})


def address_problem(url: str) -> Dirt | None:
    """What is wrong with an address as such: its scheme, its host, or that its end is missing."""
    text = url.strip()
    try:
        parts = urlsplit(text if "://" in text or not text.lower().startswith("www.") else f"https://{text}")
        host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    except ValueError:
        return None
    if parts.scheme.lower() in load_rules()["schemes"]:
        return "other_schemes"
    if parts.scheme.lower() not in ("http", "https"):
        return None
    labels = host.split(".")
    if any(".".join(labels[i:]) in load_rules()["shorteners"] for i in range(len(labels) - 1)):
        return "shorteners"
    if _is_ip(host):
        return "ip_hosts"
    return "truncated_urls" if _CUT.search(text) else None


def strip_tool_tags(markdown: str) -> tuple[str, int]:
    """The text without leaked elements, outside code, and their number; a lone tag goes alone."""
    if not _tag_pattern().search(markdown):
        return markdown, 0
    tags = list(_tag_pattern().finditer(masked(markdown)))
    closing: dict[str, list[int]] = {}
    for tag in tags:
        if tag["close"]:
            closing.setdefault(tag["name"].lower(), []).append(tag.end())
    edits: list[Edit] = []
    done = 0
    for tag in tags:
        if tag.start() < done:
            continue
        ends = closing.get((tag["name"] or "").lower(), [])
        place = bisect_right(ends, tag.end()) if not tag["close"] else len(ends)
        done = ends[place] if place < len(ends) and not tag[0].endswith("/>") else tag.end()
        edits.append(removal(markdown, tag.start(), done))
    return apply(markdown, edits), len(edits)


def strip_addresses(markdown: str, keep: Callable[[str], bool]) -> tuple[str, dict[str, int]]:
    """The text without addresses that have a problem, outside code, and the count per kind."""
    counts: dict[str, int] = dict.fromkeys(KINDS, 0)
    edits: list[Edit] = []
    if not any(_problem(found.url, keep) for found in _addresses(markdown, markdown)):
        return markdown, counts
    for found in addresses(markdown):
        kind = _problem(found.url, keep)
        if kind is None:
            continue
        counts[kind] += 1
        kept = (found.start, found.end, found.words)
        edits.append(kept if found.words else removal(markdown, found.start, found.end))
    return apply(markdown, edits), counts


def addresses(markdown: str) -> Iterator[Address]:
    """The addresses of any scheme that stand in a text outside code: links, pictures, tags and bare ones."""
    return _addresses(masked(markdown), markdown) if _ADDRESS.search(markdown) else iter(())


def _addresses(text: str, shown: str) -> Iterator[Address]:
    """The addresses in a text, with words as they are shown: those of a link may be code."""
    for match in _ADDRESS.finditer(text):
        label = shown[slice(*match.span("shown" if match["tag"] else "label"))].strip()
        words = "" if "://" in label or label.isdigit() else label
        if target := match["target"] or match["attribute"]:
            yield Address(unescaped(target), words, *match.span())
        else:
            url, bare = trimmed(match["bare"]), not match[0].startswith("<")
            yield Address(url, words, match.start(), match.start() + len(url) if bare else match.end(), bare)


def _problem(url: str, keep: Callable[[str], bool]) -> Dirt | None:
    kind = address_problem(url)
    return None if kind is None or keep(url) else kind


@cache
def _tag_pattern() -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in sorted(load_rules()["tags"], reverse=True))
    return re.compile(
        rf"<(?P<close>/?)\s?(?P<name>{names})(?:\s[^<>]{{0,300}})?/?>|{_SPECIAL}", re.IGNORECASE
    )


def _is_ip(host: str) -> bool:
    """An IP number in any spelling that a browser would follow."""
    try:
        ipaddress.ip_address(host)
        return True
    except ValueError:
        return bool(re.fullmatch(r"(?:0x[0-9a-f]+|\d+)(?:\.(?:0x[0-9a-f]+|\d+)){0,3}", host, re.IGNORECASE))
