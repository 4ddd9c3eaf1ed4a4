"""Addresses in the running text of a report: found in any notation, and taken out where they must not stay.

`strip_addresses` removes addresses to distrust from anybody's report: shorteners (they hide where they
lead), cut-off ones, hosts that are bare IP numbers, schemes other than http and https. `strip_tool_tags`
removes tags of tool calls and thoughts that leaked out of a model, with what they enclose. The lists are data
(`addresses.toml`). A link keeps its words and loses its target; code is left alone.

`without_unknown_addresses` is for a report of ours, where sources are cited by id and nothing else. A bare
address, link or picture there comes from a page, from memory or from nowhere. Retrieved addresses may stay;
those that the user has written stay as plain text; a line that code has written keeps its own, and licenses
nothing elsewhere, for it may quote a model or a page. Every other address goes, with its line if that held
nothing else. Links by reference (`[the page][g]` with `[g]: https://…` in a line of its own) lose definition
and uses together, since the uses alone would be left as bare brackets.
"""

from __future__ import annotations

import ipaddress
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, get_args
from urllib.parse import urlsplit

from .blocks import Edit, apply_edits, masked, removal_edit, without_certain_code
from .data import read_data
from .language import CJK
from .matching import SourceIndex
from .urls import canonical_url, trim_cut_off_url, unescape_url

RemovedKind = Literal["shorteners", "truncated_urls", "ip_hosts", "other_schemes", "tool_tags"]
REMOVED_KINDS: tuple[RemovedKind, ...] = get_args(RemovedKind)
REMOVAL_REASON = "url_not_in_registry"
"""What is recorded of an address that was taken out, as for a citation."""

_ELLIPSIS = re.compile(r"(?:\.{3,}|…|%E2%80%A6)/?\Z", re.IGNORECASE)
_HANDLER = r"<[a-z][^<>]{0,2000}[\s\"'/]on[a-z]{3,20}\s{0,3}=[^<>]{0,2000}>?"
_SPECIAL = r"<[|｜][^<>|｜\n]{1,60}[|｜]>|\[(?:TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|/?INST)\]"
_SCHEME = r"(?:[a-z]|&#?\w{1,9};)(?:[a-z0-9+.-]|&#?\w{1,9};){1,30}(?::|&colon;|&#0{0,5}58;|&#x0{0,5}3a;)"
"""A scheme as a browser reads it: letters may be written as entities (`java&#115;cript&colon;`)."""
_LINK = (
    r"!?\[(?P<label>[^\[\]\n]{0,300})\]\(\s*<?"
    rf"(?P<target>{_SCHEME}[^\s<>()]{{1,2000}}(?:\([^\s<>()]{{0,200}}\)[^\s<>()]{{0,500}}){{0,3}})>?"
    r"(?:\s+(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|\([^()\n]{0,200}\)|[^\s()][^()\n]{0,200}))?\s*\)"
)
_TAG = (
    r"<(?P<tag>[a-z][a-z0-9]{0,20})\s(?:[^<>]{0,300}?\s)?(?:href|src)\s{0,9}=\s{0,9}[\"']?\s{0,9}"
    rf"(?P<attribute>{_SCHEME}[^\s<>\"']{{1,2000}})[^<>]{{0,300}}>"
    r"(?:(?P<shown>(?:(?!</(?P=tag))[^\n]){0,300})</(?P=tag)\s{0,9}>)?"
)
_BARE = r"(?<![A-Za-z0-9+.-])<?(?P<bare>(?:[a-z][a-z0-9+.-]{1,15}://|www\.|javascript:|vbscript:|data:\w+/)[^\s<>\"`|\[\]，。；、）】》」]{1,2000})>?"
_ADDRESS = re.compile(f"{_LINK}|{_TAG}|{_BARE}", re.IGNORECASE)


_DEFINITION = re.compile(
    r"^[ \t>*+-]{0,20}\[(?P<label>[^\[\]\n]{1,200})\]:[ \t]{0,20}"
    r"<?(?P<url>(?:[a-z][a-z0-9+.-]{1,15}:|www\.)[^\s<>]{1,2000})>?"
    r"(?:[ \t]{1,20}(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|\([^()\n]{0,200}\)))?[ \t]{0,20}(?:\n|\Z)",
    re.IGNORECASE | re.MULTILINE,
)
_USE = re.compile(r"!?\[(?P<words>[^\[\]\n]{1,300})\](?:\[(?P<label>[^\[\]\n]{0,200})\])?(?![(:])")
_MARKUP = " \t-*+>0123456789.)"
_REST_OF_LINE = re.compile(f"[{re.escape(_MARKUP)}]*+(?:\n|\\Z)")


class Address(NamedTuple):
    """An address in a text: where it, or the whole link to it, stands, and the words that show it."""

    url: str
    words: str
    start: int
    end: int
    bare: bool = False


class Given(NamedTuple):
    """Where addresses may come from that nobody retrieved."""

    said: str = ""
    """What the user has said: its addresses may stand anywhere."""
    lines: Collection[str] = ()
    """Lines that code has written into the report: their addresses may stand in them."""


NOTHING_GIVEN = Given()


@cache
def address_rules() -> dict[str, frozenset[str]]:
    """The lists of `addresses.toml`: shorteners, schemes and tags."""
    rules = read_data(__file__, "addresses.toml")
    return {name: frozenset(rules[name]) for name in ("shorteners", "schemes", "tags")}


@lru_cache(maxsize=16_384)
def address_problem(url: str) -> RemovedKind | None:
    """What is wrong with an address as such: its scheme, its host, or that its end is missing."""
    text = re.sub(r"[\x00-\x20]", "", url)
    try:
        parts = urlsplit(text if "://" in text or not text.lower().startswith("www.") else f"https://{text}")
        host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    except ValueError:
        return None
    if parts.scheme.lower() in address_rules()["schemes"]:
        return "other_schemes"
    if parts.scheme.lower() not in ("http", "https"):
        return None
    labels = host.split(".")
    if any(".".join(labels[i:]) in address_rules()["shorteners"] for i in range(len(labels) - 1)):
        return "shorteners"
    if _is_ip(host):
        return "ip_hosts"
    return "truncated_urls" if _ELLIPSIS.search(text) else None


def strip_tool_tags(markdown: str) -> tuple[str, int]:
    """The text without leaked elements, outside code, and their number; a lone tag goes alone."""
    edits = tool_tag_edits(markdown)
    return apply_edits(markdown, edits), len(edits)


def tool_tag_edits(markdown: str) -> list[Edit]:
    """The edits that `strip_tool_tags` makes."""
    if not _tag_pattern().search(markdown):
        return []
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
        edits.append(removal_edit(markdown, tag.start(), done))
    return edits


_IMAGE = re.compile(r"!(?=\[)(?!\[[^\[\]\n]*\]\(charts/chart-[0-9a-f]{8}\.svg\))")  # ours stay
_CITATION_NEXT = re.compile(r"\[\^?S?\d[\d.,; S]*\](?!\(|\s*\[)")  # one that goes may leave an image
_LOADED = re.compile(
    r"<(?=\s*(?:img|image|picture|source|video|audio|track|i?frame|frameset|object|embed|link|svg|input|base|meta"
    r"|script|style)\b"
    r"|(?!a\s+(?:href|id|name)=(?:\"[^\"<>]*\"|'[^'<>]*')>)/?[a-z][\w-]*[\s/][^<>=]*=[^<>]*>)",
    re.IGNORECASE,
)


def images_as_links(markdown: str) -> str:
    """The text with links in place of images, so that nothing is loaded where it is shown; only what is code
    to every parser stays as it is. Otherwise, whoever puts an image into a page would learn when a report on
    it is read, and by whom.

    Of tags, those stay that load nothing by their name and have no attribute, or are plain links and anchors.
    """
    if not (_IMAGE.search(markdown) or _LOADED.search(markdown)):
        return markdown
    plain = without_certain_code(markdown)
    images = (
        (mark.start(), mark.end(), "! " if _CITATION_NEXT.match(plain, mark.end()) else "")
        for mark in _IMAGE.finditer(plain)
    )
    loaded = ((mark.start(), mark.end(), "‹") for mark in _LOADED.finditer(plain))
    return apply_edits(markdown, sorted([*images, *loaded]))


def strip_addresses(markdown: str, keep: Callable[[str], object]) -> tuple[str, dict[str, int]]:
    """The text without addresses that have a problem, outside code, and the count per kind."""
    edits, counts = address_edits(markdown, keep)
    return apply_edits(markdown, edits), counts


def address_edits(markdown: str, keep: Callable[[str], object]) -> tuple[list[Edit], dict[str, int]]:
    """The edits that `strip_addresses` makes, and the count per kind."""
    counts: dict[str, int] = dict.fromkeys(REMOVED_KINDS, 0)
    edits: list[Edit] = []
    if not any(_kind_to_strip(found.url, keep) for found in _scan_addresses(markdown, markdown)):
        return edits, counts
    for found in find_addresses(markdown):
        kind = _kind_to_strip(found.url, keep)
        if kind is None:
            continue
        counts[kind] += 1
        kept = (found.start, found.end, found.words)
        edits.append(kept if found.words else removal_edit(markdown, found.start, found.end))
    return edits, counts


def find_addresses(markdown: str) -> Iterator[Address]:
    """The addresses of any scheme that stand in a text outside code: links, pictures, tags and bare ones."""
    return _scan_addresses(masked(markdown), markdown) if _ADDRESS.search(markdown) else iter(())


def _scan_addresses(text: str, shown: str) -> Iterator[Address]:
    """The addresses in a text, with words as they are shown: those of a link may be code."""
    for match in _ADDRESS.finditer(text):
        label = shown[slice(*match.span("shown" if match["tag"] else "label"))].strip()
        words = "" if "://" in label or label.isdigit() else label
        if target := match["target"] or match["attribute"]:
            yield Address(unescape_url(target), words, *match.span())
        else:
            url, bare = trim_cut_off_url(match["bare"]), not match[0].startswith("<")
            yield Address(url, words, match.start(), match.start() + len(url) if bare else match.end(), bare)


def without_unknown_addresses(
    markdown: str, sources: Sequence[Mapping[str, Any]], given: Given, mark: str = ""
) -> tuple[str, list[str]]:
    """The report without addresses that are neither of a source nor `given`; and those addresses.

    `mark` stands where one was taken out.
    """
    if not any(find_addresses(markdown)):
        return markdown, []
    index, allowed = SourceIndex(sources), {canonical_url(found.url) for found in find_addresses(given.said)}

    def stays(found: Address, text: str) -> bool:
        return index.match_url(found.url) is not None or _is_in_lines(given.lines, text, found)

    def may_stay(found: Address) -> bool:
        return stays(found, markdown) or _is_allowed(allowed, found)

    markdown, gone = _without_definitions(markdown, may_stay, mark)
    edits: list[Edit] = []
    for found in find_addresses(markdown):
        if stays(found, markdown):
            continue
        if _is_allowed(allowed, found):
            edits.append((found.start, found.end, _as_plain_text(found)))
        elif not index.match_url((known := _cut_at_cjk(found)).url):
            gone.append(known.url)
            edits.append(_removal(markdown, known, mark))
    return apply_edits(markdown, edits), gone


def without_addresses(text: str, own: str = "") -> str:
    """A text that names no address, in code neither, unless it is its `own`; the words of a link stay."""
    kept = canonical_url(own) if own else ""
    found = [one for one in _scan_addresses(text, text) if not kept or canonical_url(one.url) != kept]
    return apply_edits(text, [(one.start, one.end, one.words or "…") for one in found])


def with_plain_addresses(text: str) -> str:
    """A text without links: the words of each stand before its address."""
    return apply_edits(
        text, [(found.start, found.end, _as_plain_text(found)) for found in find_addresses(text)]
    )


def _kind_to_strip(url: str, keep: Callable[[str], object]) -> RemovedKind | None:
    kind = address_problem(url)
    return None if kind is None or keep(url) else kind


@cache
def _tag_pattern() -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in sorted(address_rules()["tags"], reverse=True))
    return re.compile(
        rf"<(?P<close>/?)\s?(?P<name>{names})(?:[\s=][^<>]{{0,300}})?/?>|{_SPECIAL}|{_HANDLER}", re.IGNORECASE
    )


def _is_ip(host: str) -> bool:
    """An IP number in any spelling that a browser would follow."""
    try:
        ipaddress.ip_address(host)
        return True
    except ValueError:
        return bool(re.fullmatch(r"(?:0x[0-9a-f]+|\d+)(?:\.(?:0x[0-9a-f]+|\d+)){0,3}", host, re.IGNORECASE))


def _without_definitions(
    markdown: str, may_stay: Callable[[Address], object], mark: str = ""
) -> tuple[str, list[str]]:
    """The text without the definitions that may not stay, and their addresses; a use keeps its words.

    `mark` stands behind each use.
    """
    if "]:" not in markdown:
        return markdown, []
    plain = masked(markdown)
    labels: set[str] = set()
    edits: list[Edit] = []
    gone: list[str] = []
    for line in _DEFINITION.finditer(plain):
        found = Address(unescape_url(line["url"]), "", *line.span())
        if not may_stay(found):
            labels.add(_normalized_label(line["label"]))
            gone.append(found.url)
            edits.append((found.start, found.end, ""))
    for use in _USE.finditer(plain) if labels else ():
        if _normalized_label(use["label"] or use["words"]) in labels:
            edits.append(_without_link(markdown, use, mark))
    return apply_edits(markdown, sorted(edits)), gone


def _without_link(markdown: str, use: re.Match[str], mark: str) -> Edit:
    """The words of a link; the label of a footnote is none."""
    if use["words"].startswith("^"):
        start, end, new = removal_edit(markdown, *use.span())
        return start, end, new + mark
    return use.start(), use.end(), markdown[slice(*use.span("words"))] + mark


def _normalized_label(label: str) -> str:
    return " ".join(label.split()).casefold()


def _is_in_lines(lines: Collection[str], markdown: str, found: Address) -> bool:
    """Whether an address stands in one of these lines, whatever a writer has put before or behind it."""
    spans = (
        (at, at + len(line))
        for line in lines
        for at in [markdown.find(line, max(found.end - len(line), 0), found.start + len(line))]
    )
    return any(0 <= start <= found.start and found.end <= end for start, end in spans)


def _is_allowed(allowed: set[str], found: Address) -> bool:
    return bool(allowed) and bool({canonical_url(found.url), canonical_url(_cut_at_cjk(found).url)} & allowed)


def _as_plain_text(found: Address) -> str:
    """An address with the words of its link, if it had any."""
    return f"{found.words} ({found.url})" if found.words else found.url


def _cut_at_cjk(found: Address) -> Address:
    """A bare address that runs on into Chinese or Japanese words, which need no blank, without them."""
    words = CJK.search(found.url) if found.bare else None
    if not words:
        return found
    return found._replace(url=found.url[: words.start()], end=found.start + words.start())


def _removal(markdown: str, found: Address, mark: str) -> Edit:
    """The edit that leaves the words of a link, or nothing; with the last thing in a line the line goes.

    Only what stands next to the address is looked at: a line may hold thousands of them.
    """
    if found.words:
        return found.start, found.end, found.words + mark
    rest = _REST_OF_LINE.match(markdown, found.end)
    start = found.start
    while rest and start and markdown[start - 1] in _MARKUP:
        start -= 1
    if rest and markdown[start - 1 : start] in ("", "\n"):
        return start, rest.end(), ""
    start, end, new = removal_edit(markdown, found.start, found.end)
    return start, end, new + mark
