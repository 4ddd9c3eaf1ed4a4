"""The citation markers inside a paragraph of a report, whatever system wrote it.

One pass from left to right. Code spans, maths, images and HTML tags are stepped over, except links in
HTML; of everything else that can be a citation the place, the style and the target are noted. Whether a
candidate *is* one (a bare number, a superscript, `arr[1]`) depends on the rest of the report, and is decided
in `parser`. What names a number in a way that nobody foresaw (`[see 3]`, `source 3`) is noted as *unclear*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from deep_research.text.blocks import code_spans
from deep_research.text.data import read_data
from deep_research.text.matching import PAGE_NUMBER
from deep_research.text.urls import trim_cut_off_url, unescape_url

MarkerStyle = Literal[
    "brackets", "footnote", "lenticular", "superscript", "link", "key", "private_use", "url", "bare",
    "lone", "round", "unclear",
]  # fmt: skip
WORDS = {
    name: "|".join(re.split(r";\s+", words.strip()))
    for name, words in read_data(__file__, "words.toml").items()
}
"""Patterns for words that lead to citations or lists of them, by what they are for."""
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_CIRCLED = "".join(map(chr, (*range(0x2460, 0x249C), *range(0x2776, 0x2794))))
TO_DIGITS: dict[int, int | str] = {
    **str.maketrans(SUPERSCRIPTS + "⁻˒", "0123456789-,"),
    **{
        ord(sign): str(place % 20 + 1 if place < 60 else place % 10 + 1)
        for place, sign in enumerate(_CIRCLED)
    },
}
"""Raised, circled and bracketed numbers → digits."""
FILE_ENDING = r"\.(?:pdf|docx?|pptx?|xlsx?|csv|md|txt|html?|jsonl?|epub)"
FILE_NAME = rf"[\w(][^\[\]\n<>|]{{0,150}}{FILE_ENDING}"
DASHES = "‐‑–—~〜～-"
LONGEST_RANGE = 100

_JOIN = rf"(?:\s{{0,3}}[,;，、；{DASHES}]\s{{0,3}}|\] ?[{DASHES}] ?\[)"
_RANGE = re.compile(rf"(\d+)(?:[\s\]]*[{DASHES}][\s\[]*(\d+))?")
_NUMBERS = rf"\d{{1,3}}(?:{_JOIN}\d{{1,3}})*"
_PLACE = re.compile(
    rf"(?=[`\\.!?。！？\ue200【［〔〖\[(（<^$hH\d①-⒛❶-➓{SUPERSCRIPTS}])(?:"  # all other signs are passed over
    r"(?P<code>`+)|(?P<stop>\\?[.!?。！？][\"”’»)\]*_]{0,4}(?=\d))|(?P<tex>\\[\[(])|\\."
    r"|(?P<private>\ue200)|(?P<lens>[【［〔〖])|(?P<image>!\[)|(?P<square>\[)|(?P<round>[(（])"
    r"|(?P<sup><(?i:sup)\b[^<>]{0,80}>)|(?P<caret>\^(?=[\[({&]{0,2}\d))"
    r"|(?P<number>(?<![\w.,])\d{1,3}(?![\d%]|[.,:]\d)|(?<=[^\x00-\u2fff])\d{1,3}(?!\d)|[①-⒛❶-➓])"
    r"|(?P<auto><(?i:https?)://[^<>\s]{1,2000}>)|(?P<anchor><[aA]\s[^<>]{1,2000}>)"
    r"|</?[A-Za-z!][^<>]{0,1000}>|(?P<maths>\$\$?)|(?P<url>(?i:https?)://)"
    rf"|(?<!⁻)(?P<up>[{SUPERSCRIPTS}]+(?:[,，˒⁻–-][{SUPERSCRIPTS}]+)*))",
    re.DOTALL,
)
_SQUARE = re.compile(rf"\\?\[ ?(?P<numbers>{_NUMBERS}) ?(?:†[^\]\n]{{0,200}})?\\?\]")
_LENS = re.compile(rf"[【［〔〖](?P<numbers>{_NUMBERS})(?::\d{{1,3}})?(?:†[^】］〕\n]{{0,200}})?[】］〕〗]")
_CARET = re.compile(rf"\^\[?(?P<numbers>{_NUMBERS})(?:\]\^?|\^)")
_SUP = re.compile(
    rf"<sup\b[^<>]{{0,80}}>\s*(?P<anchor><a\s[^<>]{{0,300}}>)?\s*(?P<open>[\[(]?)(?P<numbers>{_NUMBERS})[\])]?\s*(?:</a>)?\s*</sup>",
    re.IGNORECASE,
)
_HREF = re.compile(r"\shref\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)'|([^\s\"'<>]+))", re.IGNORECASE)
_NOTE_NUMBER = re.compile(r"#.*?(\d{1,3})")
"""The number of a footnote in a link to it: `#fn2`."""
_ANCHOR_END = re.compile(r"</a\s*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{1,1000}>")
_FOOTNOTE = re.compile(r"\[\^(?P<numbers>[^\]\[\s^]{1,60})\]")
_LABEL = re.compile(r"\[(?P<numbers>[A-Za-z][A-Za-z0-9]{0,15}(?:[-.:]\d{1,4}){1,3})\]")
_LABEL_TEXT = r"(?:\[|\\\[)?\^?(?P<numbers>\d{1,3}|[A-Z][A-Za-z]{0,9}(?:-\d{1,4}){1,3})(?:\]|\\\])?"
_LINK_LABEL = re.compile(_LABEL_TEXT)
_TAGGED_LABEL = re.compile(rf"(?:<[^<>]*>|\s)*{_LABEL_TEXT}(?:<[^<>]*>|\s)*")
_PRIVATE = re.compile(r"\ue200([^\ue200\ue201]{0,500})\ue201")
_BARE = re.compile(r"(?P<numbers>\d{1,3}(?:[,，] ?\d{1,3})*)(?=[,;]?(?:[\s*_)]|\Z)|[，；])")
_URL = re.compile(r"https?://[^\s<>\"`|\[\]，。；、）】》」\ue200-\ue202]{1,2000}", re.IGNORECASE)
_TARGET = re.compile(r"\s*(?:<([^<>\n]*)>|([^\s<>]*))(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*")
_MATHS = re.compile(r"\$\$[^$]{1,2000}\$\$|\$(?![\s$])[^$\n]{1,300}(?<!\s)\$(?!\d)")
_PROSE = re.compile(r"[A-Za-z]{3,},? [a-z]{2,} |\A\$\d[^\\^_={}]*\s[A-Za-z]{3,}")
_FORMULA = re.compile(r"[\\^_={}<>]")
_ABBREVIATION = re.compile(rf"(?:^|[^A-Za-z])(?:{WORDS['abbreviations']})\.$", re.IGNORECASE)
_KEY = re.compile(rf"{FILE_NAME}\s*[,，;#:]?\s*\(?{PAGE_NUMBER}\)?", re.IGNORECASE)
_UNIT = re.compile(rf"(?:{WORDS['raised_units']})", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"(?:\d\s)?[A-Za-z0-9_µμ]+\Z")
_COUNTED = re.compile(rf"(?<!\d)(?<!\d[.,])\d{{1,3}}(?![\d%]|[.,]\d)|[{SUPERSCRIPTS}]{{1,3}}")
_LONGEST_UNCLEAR = 40
_ROUND = re.compile(rf"[(（](?P<numbers>{_NUMBERS})[)）](?= ?(?:[.,;:。，；、|(（]|\n|\Z))")
_BRACKETS = {
    opening: re.compile(rf"\\.|[{re.escape(opening + closing)}]", re.DOTALL)
    for opening, closing in ("[]", "()", "（）")
}
_GROUP = re.compile(r"[^\W\d_]?\d{1,3}(?:\s?(?:[,;&+/、，；–-]|and|und|y|et)\s?\d{1,3}(?!\d))*|.")
_WRAPPED = re.compile(
    r"(?:[(\[{<«‹「『【〈《⟦［（〔⁽][*_~ ]*|&#?\w{1,8};|<(?:ref|cite|sup|sub|small|a|span)\b[^<>]{0,200}>"
    rf"|[(（](?!(?:{WORDS['counted']})\b)"
    r"[^()（）\d=<>≈~$€£%+-]{1,16})\Z",
    re.IGNORECASE,
)
_WRAP_END = re.compile(r"[*_~ ]*[)\]}>»›」』】〉》⟧］）〕⁾<&]")
_NAMED = re.compile(
    rf"(?:(?:(?<![A-Za-z])#|[†‡※¶§])[*_]{{0,2}}|(?<![A-Za-z])(?:(?:{WORDS['numbered']})(?:\.? ?n[or])?"
    rf"|источник|출처|참고)\.?[ :#]{{0,2}}(?:\d{{1,3}}(?:, | and ))?|(?:{WORDS['numbered_cjk']}) ?)\Z",
    re.IGNORECASE,
)
_LONE = re.compile(r"[ \t]*[,;|)，；）]")
_MATHS_RAISED = re.compile(r"\$+\s*(?:\{\})?\^")
_SUP_END = re.compile(r"[^\n]{0,60}?</sup>", re.IGNORECASE)


class Marker(NamedTuple):
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
        yield marker._replace(
            start=marker.start + start,
            end=marker.end + start,
            number_span=(a + start, b + start),
            in_table=in_table,
        )


def expand(numbers: str) -> tuple[str, ...]:
    """'1, 3-5' as ('1', '3', '4', '5'); empty where a range runs backwards or is too long."""
    found: list[int] = []
    for first, last in _RANGE.findall(numbers):
        low, high = int(first), int(last or first)
        if not low <= high <= low + LONGEST_RANGE:
            return ()
        found += range(low, high + 1)
    return tuple(map(str, found))


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
        if found and decimal and self.text[max(0, match.start() - 3) : match.start()].isdecimal():
            return _numbered(found, "lone")  # `in 1902.2`
        if not found or decimal or not (before.isalnum() or before in ')]”’"*_%°\u200b）】」』'):
            return match.start() + 1
        if _ABBREVIATION.search(self.text[max(0, match.start() - 8) : match.start() + 1]):
            return match.end()
        return _numbered(found, "bare")

    def _tex(self, match: re.Match[str]) -> Marker | int:
        r"""A marker as `\[1\]`, or behind the end of a formula."""
        found = _SQUARE.match(self.text, match.start())
        if found:
            return _numbered(found, "brackets")
        end = self.text.find("\\]" if match[0] == "\\[" else "\\)", match.end(), match.end() + 1_000)
        inner = self.text[match.end() : end] if end > 0 else ""
        return end + 2 if _FORMULA.search(inner) and "](" not in inner else match.end()

    def _maths(self, match: re.Match[str]) -> Marker | int:
        """Behind a formula; `$5 million and US$` is none, and `$^{3}$` may be a citation."""
        found = _MATHS.match(self.text, match.start())
        if found and _MATHS_RAISED.match(found[0]):
            return self._unclear(*found.span()) or found.end()
        return found.end() if found and not _PROSE.search(found[0]) else match.end()

    def _private(self, match: re.Match[str]) -> Marker | int:
        found = _PRIVATE.match(self.text, match.start())
        if not found:
            return match.end()
        name, *rest = [part.strip() for part in found[1].split("\ue202")]
        keys = tuple(part for part in rest if part) or (name,) * bool(name)
        if rest and all(key.isdigit() and len(key) <= 3 for key in keys):
            return Marker(
                *found.span(),
                "private_use",
                keys,
                (found.start(1) + found[1].index("\ue202") + 1, found.end(1)),
            )
        return Marker(*found.span(), "private_use", keys=keys)

    def _lens(self, match: re.Match[str]) -> Marker | int:
        found = _LENS.match(self.text, match.start())
        return _numbered(found, "lenticular") if found else match.end()

    def _sup(self, match: re.Match[str]) -> Marker | int:
        found = _SUP.match(self.text, match.start())
        if not found:
            end = _SUP_END.match(self.text, match.end())
            return (end and self._unclear(match.start(), end.end())) or match.end()
        url = _link_target(found["anchor"] or "")
        if url.lower().startswith(("http://", "https://")):
            numbers = expand(found["numbers"])
            return Marker(*found.span(), "link", numbers, found.span("numbers"), url, text=found["numbers"])
        isotope = self.text[found.end() : found.end() + 1].isalnum()
        note = _NOTE_NUMBER.fullmatch(url)
        raised = self._raised(found, sure=bool(found["open"] or note))
        if raised and note and raised.numbers != (number := str(int(note[1])),):
            return raised._replace(numbers=(number,), number_span=(0, 0))  # where it leads, whatever it shows
        return raised or (not isotope and self._unclear(*found.span())) or found.end()

    def _caret(self, match: re.Match[str]) -> Marker | int:
        found = _CARET.match(self.text, match.start())
        if not found:
            return self._number(re.compile(r"\^[\[({&]{0,2}").match(self.text, match.start()) or match)
        return self._raised(found) or match.end()

    def _up(self, match: re.Match[str]) -> Marker | int:
        return self._raised(match, "up") or self._wrapped(match.start(), match.end()) or match.end()

    def _raised(self, found: re.Match[str], group: str = "numbers", sure: bool = False) -> Marker | None:
        """A raised number behind a word, a stop or another one; not an isotope (`<sup>12</sup>C`)."""
        before = self.text[max(0, found.start() - 30) : found.start()]
        spaced, before = before.endswith((" ", "\t")), before.rstrip(" \t")
        following = self.text[found.end() : found.end() + 1]
        sure = sure or self.raised == found.start() - spaced
        stands = bool(before) and (before[-1].isalnum() or before[-1] in '.,;:!?。，；！？)]”’"*_、）】」%°')
        isotope = following.isascii() and following.isalnum() and (spaced or group == "up")
        if isotope or not (sure or stands):
            return None
        self.raised = found.end()
        return _numbered(found, "superscript", "" if sure else _word_before(before) + " " * spaced, group)

    def _number(self, match: re.Match[str]) -> Marker | int:
        """A number that may be a citation in a way that nobody foresaw: wrapped (`«3»`), named (`source 3`),
        raised; on its own before a comma or at the end of a cell only where numbers alone are citations."""
        raised = match[0][0] == "^"
        start = match.end() if raised else match.start()
        group = _GROUP.match(self.text, start)
        end = group.end() if group else start
        before = self.text[max(0, start - 30) : start]
        if raised:
            power = is_power(_word_before(before.rstrip("^[({&")))
            return end if power else self._unclear(start, end) or end
        if not match[0].isdecimal() or _NAMED.search(before.rstrip("*")):
            return self._unclear(start, end) or end
        if wrapped := self._wrapped(start, end):
            return wrapped
        lone = group and _LONE.match(self.text, end) and re.search(r"[^\s\d] \Z", before)
        return Marker(start, end, "lone", expand(group[0])) if group and lone else end

    def _wrapped(self, start: int, end: int) -> Marker | None:
        """Numbers that are all that stands in brackets or a tag, or that end a few words in brackets."""
        if not _WRAP_END.match(self.text, end):
            return None
        opened = _WRAPPED.search(self.text[max(0, start - 60) : start].rstrip("*_"))
        return self._unclear(start, end) if opened else None

    def _image(self, match: re.Match[str]) -> int:
        close = self.square.get(match.end() - 1)
        link = self._target(close) if close else None
        return link[1] if link else match.end()

    def _auto(self, match: re.Match[str]) -> Marker:
        return Marker(*match.span(), "url", url=match[0][1:-1])

    def _anchor(self, match: re.Match[str]) -> Marker | int:
        """A link in HTML, up to its closing tag if that is near; one inside the page is no citation."""
        url = _link_target(match[0])
        if not url.lower().startswith(("http://", "https://")):
            return match.end()
        close = _ANCHOR_END.search(self.text, match.end(), match.end() + 1_000)
        inside, end = (close.start(), close.end()) if close else (match.end(), match.end())
        label = _TAG.sub("", self.text[match.end() : inside]).strip()
        found = _TAGGED_LABEL.fullmatch(self.text, match.end(), inside)
        numbers, span = ((found["numbers"],), found.span("numbers")) if found else ((), (0, 0))
        return Marker(match.start(), end, "link", numbers, span, url, text=label)

    def _url(self, match: re.Match[str]) -> Marker | int:
        found = _URL.match(self.text, match.start())
        url = trim_cut_off_url(found[0]) if found else ""
        if len(url) <= len(match[0]):
            return match.end()
        return Marker(match.start(), match.start() + len(url), "url", url=url)

    def _round(self, match: re.Match[str]) -> Marker | int:
        counted = _ROUND.match(self.text, match.start())
        before = self.text[max(0, match.start() - 1) : match.start()]
        if counted and (match[0] == "（" or before.isspace() or before == ")"):
            return _numbered(counted, "round")
        return self._file_key(match.start(), self.round.get(match.start())) or match.end()

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
        inside = _TAG.sub("", self.text[start + 1 : min(close, start + 3 * _LONGEST_UNCLEAR)])
        formula = len(inside) > _LONGEST_UNCLEAR or re.search(r"[=<>%$\[\]]", inside)
        return (
            self._file_key(start, close) or (not formula and self._unclear(start, close + 1)) or match.end()
        )

    def _unclear(self, start: int, end: int) -> Marker | None:
        """The numbers among some words (`[see 3]`), which may be a citation."""
        numbers = _COUNTED.findall(self.text[start:end].translate(TO_DIGITS))
        return (
            Marker(start, end, "unclear", tuple(str(int(number)) for number in numbers)) if numbers else None
        )

    def _bracket(self, found: re.Match[str], style: MarkerStyle) -> Marker | int:
        before = self.text[max(0, found.start() - 1) : found.start()]
        after = self.text[found.end() : found.end() + 1]
        if before == "[" and after == "]" and not found["numbers"].isalnum():
            return found.end()
        if re.match(r"[A-Za-z0-9_=]", after):
            return _numbered(found, "unclear")
        word, end = self.glued
        if end != found.start():
            word = _word_before(self.text[max(0, found.start() - 40) : found.start()])
        self.glued = (word, found.end())
        return _numbered(found, style, word)

    def _link(self, start: int, close: int, url: str, end: int) -> Marker | int:
        label = self.text[start + 1 : close]
        found = _LINK_LABEL.fullmatch(self.text, start + 1, close)
        outside = url.lower().startswith(("http://", "https://"))
        if not outside and not (found and url.startswith("#")):
            return (found and self._unclear(start, close + 1)) or end
        for opening, closing in (("\\[", "\\]"), ("[", "]")):
            if self.text.endswith(opening, 0, start) and self.text.startswith(closing, end):
                start, end = start - len(opening), end + len(closing)
                break
        numbers, span = ((found["numbers"],), found.span("numbers")) if found else ((), (0, 0))
        return Marker(start, end, "link", numbers, span, url if outside else None, text=label)

    def _target(self, close: int) -> tuple[str, int] | None:
        """The url of the link whose text ends at `close`, and where the link ends."""
        end = self.round.get(close + 1)
        if end is None or self.text[close + 1] != "(" or end - close > 4096:
            return None
        found = _TARGET.fullmatch(self.text, close + 2, end)
        return (unescape_url(found[1] or found[2] or ""), end + 1) if found else None

    def _file_key(self, start: int, close: int | None) -> Marker | None:
        if close is None or not 5 < close - start < 220:
            return None
        found = _KEY.fullmatch(self.text, start + 1, close)
        return Marker(start, close + 1, "key", keys=(found[0].strip(),)) if found else None


def _numbered(found: re.Match[str], style: MarkerStyle, word: str = "", group: str = "numbers") -> Marker:
    text = found[group].translate(TO_DIGITS)
    numbers = (text,) if style == "footnote" or (group == "numbers" and text[0].isalpha()) else expand(text)
    if not numbers:  # a range that runs backwards
        numbers, style = tuple(str(int(n)) for n in re.findall(r"\d+", text)), "unclear"
    start = found.start() if style != "bare" else found.start(group)
    return Marker(start, found.end(), style, numbers, found.span(group), word=word)


def is_power(word: str) -> bool:
    """Whether what is raised behind a word is no citation: behind a unit, a variable or a ten."""
    word = word.rstrip().rpartition(" ")[2]
    return len(word) == 1 or bool(_UNIT.fullmatch(word))


def _word_before(text: str) -> str:
    """The word at the end of a text, with the digit before it if it may be a unit (`5 km`)."""
    found = _WORD_BEFORE.search(text)
    return found[0] if found else ""


def _link_target(tag: str) -> str:
    """Where a link in HTML leads."""
    href = _HREF.search(tag)
    return unescape_url(href[1] or href[2] or href[3] or "").strip() if href else ""


def _partners(text: str, opening: str, closing: str) -> dict[int, int]:
    """Place of each opening bracket → place of the closing one; escaped and lonely ones are left out."""
    partners: dict[int, int] = {}
    waiting: list[int] = []
    if opening not in text:
        return partners
    for match in _BRACKETS[opening].finditer(text):
        if match[0] == opening:
            waiting.append(match.start())
        elif match[0] == closing and waiting:
            partners[waiting.pop()] = match.start()
    return partners
