"""The citation markers inside a paragraph of a report, whatever system wrote it.

One pass from left to right. Code spans, maths, images and HTML tags are stepped over, except links in
HTML; of everything else that can be a citation the place, the style and the target are noted. Whether a
candidate *is* one (a bare number, a superscript, `arr[1]`) depends on the rest of the report, and is decided
in `report_parser`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from .notation import FILE, PAGE, SUPERSCRIPTS, TO_DIGITS, trimmed, unescaped
from .report_blocks import code_spans

MarkerStyle = Literal[
    "brackets", "footnote", "lenticular", "superscript", "link", "key", "private_use", "url", "bare"
]
DASHES = "‐‑–—~〜～-"
LONGEST_RANGE = 100

_JOIN = rf"\s{{0,3}}[,;，、；{DASHES}]\s{{0,3}}"
_NUMBERS = rf"\d{{1,3}}(?:{_JOIN}\d{{1,3}})*"
_PLACE = re.compile(
    r"(?P<code>`+)|(?P<stop>\\?[.!?。！？][\"”’»)\]*_]{0,4}(?=\d))|(?P<escaped>\\\[)|(?P<tex>\\\()|\\."
    r"|(?P<private>\ue200)|(?P<lens>【)|(?P<image>!\[)|(?P<square>\[)|(?P<round>[(（])|(?P<sup><sup>)"
    r"|(?P<auto><https?://[^<>\s]{1,2000}>)|(?P<anchor><a\s[^<>]{1,2000}>)|</?[A-Za-z!][^<>]{0,1000}>|(?P<maths>\$\$?)|(?P<url>https?://)"
    rf"|(?P<up>[{SUPERSCRIPTS}]+(?:[,，˒⁻–-][{SUPERSCRIPTS}]+)*)",
    re.IGNORECASE | re.DOTALL,
)
_SQUARE = re.compile(rf"\[(?P<numbers>{_NUMBERS})\]")
_ESCAPED = re.compile(rf"\\\[(?P<numbers>{_NUMBERS})\\\]")
_LENS = re.compile(rf"【(?P<numbers>{_NUMBERS})(?::\d{{1,3}})?(?:†[^】\n]{{0,200}})?】")
_SUP = re.compile(
    rf"<sup>\s*(?:<a\s[^<>]{{0,300}}>)?\s*(?P<open>[\[(]?)(?P<numbers>{_NUMBERS})[\])]?\s*(?:</a>)?\s*</sup>",
    re.IGNORECASE,
)
_HREF = re.compile(r"\shref\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)'|([^\s\"'<>]+))", re.IGNORECASE)
_ANCHOR_END = re.compile(r"</a\s*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{1,1000}>")
_FOOTNOTE = re.compile(r"\[\^(?P<numbers>[^\]\[\s^]{1,60})\]")
_LABEL = re.compile(r"\[(?P<numbers>[A-Za-z][A-Za-z0-9]{0,15}(?:[-.:]\d{1,4}){1,3})\]")
_LINK_LABEL = re.compile(
    r"(?:\[|\\\[)?\^?(?P<numbers>\d{1,3}|[A-Z][A-Za-z]{0,9}(?:-\d{1,4}){1,3})(?:\]|\\\])?"
)
_PRIVATE = re.compile(r"\ue200([^\ue200\ue201]{0,500})\ue201")
_BARE = re.compile(r"(?P<numbers>\d{1,3}(?:[,，] ?\d{1,3})*)(?=[,;]?(?:[\s*_)]|\Z)|[，；])")
_URL = re.compile(r"https?://[^\s<>\"`|\[\]，。；、）】》」\ue200-\ue202]{1,2000}", re.IGNORECASE)
_TARGET = re.compile(r"\s*(?:<([^<>\n]*)>|([^\s<>]*))(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*")
_MATHS = re.compile(r"\$\$[^$]{1,2000}\$\$|\$(?![\s$])[^$\n]{1,300}(?<!\s)\$(?!\d)")
_PROSE = re.compile(r"[A-Za-z]{3,},? [a-z]{2,} |\A\$\d[^\\^_={}]*\s[A-Za-z]{3,}")
_FORMULA = re.compile(r"[\\^_={}<>]")
_ABBREVIATION = re.compile(
    r"(?:^|[^A-Za-z])(?:figs?|nos?|pp?|vols?|eqs?|secs?|ch|v|ver|approx|ca|art|nr|op|cf|vs|e\.g|i\.e|[A-Z])\.$",
    re.IGNORECASE,
)
_KEY = re.compile(rf"{FILE}\s*[,，;#:]?\s*\(?{PAGE}\)?", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"[A-Za-z0-9_]+\Z")


@dataclass(frozen=True, slots=True)
class Marker:
    """One citation in the text: `markdown[start:end]`, what it points to, and where its numbers stand.

    `numbers` are labels of the reference list (ranges spelled out), `url` and `key` a target of its own.
    `text` is the visible part of a link. `word` is what a bracket is glued to (`arr` in `arr[0]`).
    """

    start: int
    end: int
    style: MarkerStyle
    numbers: tuple[str, ...] = ()
    number_span: tuple[int, int] = (0, 0)
    url: str | None = None
    keys: tuple[str, ...] = ()
    text: str = ""
    word: str = ""
    in_table: bool = False


def find_markers(markdown: str, start: int, end: int, in_table: bool = False) -> Iterator[Marker]:
    """All candidates in one paragraph, in order; time linear in its length."""
    paragraph = _Paragraph(markdown[start:end])
    for marker in paragraph.scan():
        a, b = marker.number_span
        yield replace(
            marker,
            start=marker.start + start,
            end=marker.end + start,
            number_span=(a + start, b + start),
            in_table=in_table,
        )


def expand(numbers: str) -> tuple[str, ...]:
    """'1, 3-5' as ('1', '3', '4', '5'); empty where a range runs backwards or is too long."""
    found: list[int] = []
    tokens = re.findall(rf"\d+|[{DASHES}]", numbers)
    for place, token in enumerate(tokens):
        if not token.isdigit():
            continue
        number = int(token)
        first = number
        if place > 1 and not tokens[place - 1].isdigit():
            first = int(tokens[place - 2]) + 1
            if not first <= number < first + LONGEST_RANGE:
                return ()
        found.extend(range(first, number + 1))
    return tuple(str(number) for number in found)


class _Paragraph:
    """The text of one paragraph with the partner of each bracket, found once so that scanning is linear."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.square = _partners(text, "[", "]")
        self.round = _partners(text, "(", ")") | _partners(text, "（", "）")
        self.code = dict(code_spans(text))
        self.glued = ("", -1)
        self.raised = -1

    def scan(self) -> Iterator[Marker]:
        place = 0
        while match := _PLACE.search(self.text, place):
            kind = match.lastgroup
            step = getattr(self, f"_{kind}")(match) if kind else match.end()
            if isinstance(step, Marker):
                yield step
                step = step.end
            place = step

    def _code(self, match: re.Match[str]) -> int:
        return self.code.get(match.start(), match.end())

    def _stop(self, match: re.Match[str]) -> Marker | int:
        """A number right behind the end of a sentence; not in `3.14`, `fig.2`."""
        before = self.text[match.start() - 1] if match.start() else " "
        found = _BARE.match(self.text, match.end())
        decimal = before.isdigit() and match[0] == "."
        if not found or decimal or not (before.isalnum() or before in ')]”’"*_%°\u200b）】」』'):
            return match.start() + 1
        if _ABBREVIATION.search(self.text[max(0, match.start() - 8) : match.start() + 1]):
            return match.end()
        return _numbered(found, "bare")

    def _escaped(self, match: re.Match[str]) -> Marker | int:
        found = _ESCAPED.match(self.text, match.start())
        if found:
            return _numbered(found, "brackets")
        return self._after_formula(match, "\\]", 1000)

    def _tex(self, match: re.Match[str]) -> int:
        return self._after_formula(match, "\\)", 300)

    def _after_formula(self, match: re.Match[str], close: str, longest: int) -> int:
        end = self.text.find(close, match.end(), match.end() + longest)
        inner = self.text[match.end() : end] if end > 0 else ""
        return end + 2 if _FORMULA.search(inner) and "](" not in inner else match.end()

    def _maths(self, match: re.Match[str]) -> int:
        """Behind a formula; `$5 million and US$` is none."""
        found = _MATHS.match(self.text, match.start())
        return found.end() if found and not _PROSE.search(found[0]) else match.end()

    def _private(self, match: re.Match[str]) -> Marker | int:
        found = _PRIVATE.match(self.text, match.start())
        if not found:
            return match.end()
        parts = [part.strip() for part in found[1].split("\ue202")]
        keys = tuple(part for part in parts[1:] if part) or tuple(part for part in parts if part)
        numeric = all(key.isdigit() and len(key) <= 3 for key in keys)
        if numeric and len(parts) > 1:
            span = (match.end() + len(found[1].partition("\ue202")[0]) + 1, found.end() - 1)
            return Marker(*found.span(), "private_use", keys, span)
        return Marker(*found.span(), "private_use", keys=keys)

    def _lens(self, match: re.Match[str]) -> Marker | int:
        found = _LENS.match(self.text, match.start())
        return _numbered(found, "lenticular") if found else match.end()

    def _sup(self, match: re.Match[str]) -> Marker | int:
        found = _SUP.match(self.text, match.start())
        if not found:
            return match.end()
        before = len(self.text[: match.start()].rstrip(" \t"))
        if not (found["open"] or before == self.raised or self._can_be_raised(before)):
            return found.end()
        if before < match.start() and self.text[found.end() : found.end() + 1].isalnum():
            return found.end()  # an isotope
        self.raised = found.end()
        return _numbered(found, "superscript")

    def _up(self, match: re.Match[str]) -> Marker | int:
        following = self.text[match.end() : match.end() + 1]
        if not self._can_be_raised(match.start()) or (following.isascii() and following.isalnum()):
            return match.end()
        numbers = match[0].replace("⁻", "-").replace("˒", ",").translate(TO_DIGITS)
        return Marker(*match.span(), "superscript", expand(numbers), match.span())

    def _can_be_raised(self, place: int) -> bool:
        """Not a power or a unit: something that reads as a word or a stop stands before."""
        before = self.text[max(0, place - 30) : place]
        word = _WORD_BEFORE.search(before)
        if word:
            return word[0].isalpha() and len(word[0]) > 3
        return bool(before) and (before[-1].isalpha() or before[-1] in '.,;:!?。，；！？)]”’"*_、）】」')

    def _image(self, match: re.Match[str]) -> int:
        close = self.square.get(match.end() - 1)
        link = self._target(close) if close else None
        return link[1] if link else match.end()

    def _auto(self, match: re.Match[str]) -> Marker:
        return Marker(*match.span(), "url", url=match[0][1:-1])

    def _anchor(self, match: re.Match[str]) -> Marker | int:
        """A link in HTML, up to its closing tag if that is near; one inside the page is no citation."""
        href = _HREF.search(match[0])
        url = unescaped(href[1] or href[2] or href[3] or "").strip() if href else ""
        if not url.lower().startswith(("http://", "https://")):
            return match.end()
        close = _ANCHOR_END.search(self.text, match.end(), match.end() + 1_000)
        inner = self.text[match.end() : close.start()] if close else ""
        label, end = _TAG.sub("", inner).strip(), close.end() if close else match.end()
        found = _LINK_LABEL.fullmatch(label)
        numbers = (found["numbers"],) if found else ()
        place = match.end() + inner.index(numbers[0]) if numbers else 0
        span = (place, place + len(numbers[0])) if numbers else (0, 0)
        return Marker(match.start(), end, "link", numbers, span, url, text=label)

    def _url(self, match: re.Match[str]) -> Marker | int:
        found = _URL.match(self.text, match.start())
        url = trimmed(found[0]) if found else ""
        if len(url) <= len(match[0]):
            return match.end()
        return Marker(match.start(), match.start() + len(url), "url", url=url)

    def _round(self, match: re.Match[str]) -> Marker | int:
        close = self.round.get(match.start())
        return self._file_key(match.start(), close) or match.end()

    def _square(self, match: re.Match[str]) -> Marker | int:
        start = match.start()
        close = self.square.get(start)
        if close is None:
            return match.end()
        link = self._target(close)
        if link:
            return self._link(start, close, *link)
        for pattern, style in ((_SQUARE, "brackets"), (_FOOTNOTE, "footnote"), (_LABEL, "brackets")):
            found = pattern.match(self.text, start)
            if found:
                return self._bracket(found, style)  # type: ignore[arg-type]
        return self._file_key(start, close) or match.end()

    def _bracket(self, found: re.Match[str], style: MarkerStyle) -> Marker | int:
        before, after = self.text[max(0, found.start() - 1) : found.start()], self.text[found.end() :][:1]
        doubled = before == "[" and after == "]" and not found["numbers"].isalnum()
        if doubled or re.match(r"[A-Za-z0-9_=]", after):
            return found.end()
        word, end = self.glued
        if end != found.start():
            glue = _WORD_BEFORE.search(self.text[max(0, found.start() - 40) : found.start()])
            word = glue[0] if glue else ""
        self.glued = (word, found.end())
        return _numbered(found, style, word)

    def _link(self, start: int, close: int, url: str, end: int) -> Marker | int:
        label = self.text[start + 1 : close]
        found = _LINK_LABEL.fullmatch(self.text, start + 1, close)
        outside = url.lower().startswith(("http://", "https://"))
        if not outside and not (found and url.startswith("#")):
            return end
        for opening, closing in (("\\[", "\\]"), ("[", "]")):
            if self.text.startswith(opening, start - len(opening), start) and self.text.startswith(
                closing, end
            ):
                start, end = start - len(opening), end + len(closing)
                break
        numbers = (found["numbers"],) if found else ()
        span = found.span("numbers") if found else (0, 0)
        return Marker(start, end, "link", numbers, span, url if outside else None, text=label)

    def _target(self, close: int) -> tuple[str, int] | None:
        """The url of the link whose text ends at `close`, and where the link ends."""
        end = self.round.get(close + 1)
        if end is None or self.text[close + 1] != "(" or end - close > 4096:
            return None
        found = _TARGET.fullmatch(self.text, close + 2, end)
        return (unescaped(found[1] or found[2] or ""), end + 1) if found else None

    def _file_key(self, start: int, close: int | None) -> Marker | None:
        if close is None or not 5 < close - start < 220:
            return None
        found = _KEY.fullmatch(self.text, start + 1, close)
        return Marker(start, close + 1, "key", keys=(found[0].strip(),)) if found else None


def _numbered(found: re.Match[str], style: MarkerStyle, word: str = "") -> Marker:
    text = found["numbers"]
    numbers = expand(text) if text[0].isdigit() and style != "footnote" else (text,)
    start = found.start() if style != "bare" else found.start("numbers")
    return Marker(start, found.end(), style, numbers, found.span("numbers"), word=word)


def _partners(text: str, opening: str, closing: str) -> dict[int, int]:
    """Place of each opening bracket → place of the closing one; escaped and lonely ones are left out."""
    partners: dict[int, int] = {}
    waiting: list[int] = []
    for match in re.finditer(rf"\\.|[{re.escape(opening + closing)}]", text, re.DOTALL):
        if match[0] == opening:
            waiting.append(match.start())
        elif match[0] == closing and waiting:
            partners[waiting.pop()] = match.start()
    return partners
