"""The entries of reference lists: lines that begin with a label or a bullet and lead to an address.

An entry may have several lines, and a line several entries. Lines that begin alike and follow each other make
a block; which block is the report's list is decided in `reference_list`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from .notation import ADDRESS, FILE, PAGE, SUPERSCRIPTS, TO_DIGITS, trimmed, unescaped
from .report_blocks import Line

EntryStyle = Literal["brackets", "numbered", "footnote", "bullet"]

_HEAD = re.compile(
    r"(?P<indent>[ \t>]*)(?:[-*+•·][ \t]+)?(?:<a\s[^<>]*>(?:\s*</a>)?\s*)?(?P<bold>\*\*|__)?(?:"
    r"\[?\\?\[(?P<caret>\^?)(?P<square>\d{1,3}|(?<=\^)[^\]\[\s^]{1,60}|[A-Z][A-Za-z]{0,9}(?:-\d{1,4}){1,3})\\?\]\]?"
    r"(?:\(\#[^()\s]*\)\]?)?:?"
    r"|【(?P<lens>\d{1,3})】|[(（](?P<round>\d{1,3})[)）](?=\s)"
    rf"|(?P<up>[{SUPERSCRIPTS}]{{1,3}})|<sup>\[?(?P<sup>\d{{1,3}})\]?</sup>"
    r"|(?P<dot>\d{1,3})(?:\\?[.)](?=\s)|[、．]|:(?=\s))"
    r")(?(bold)(?:\*\*|__)|)"
)
_BULLET = re.compile(r"(?P<indent>[ \t>]*)(?:[-*+•·–][ \t]+|(?=\\?\[{1,2}[^\]\n]{1,200}\]\(|<?https?://))")
_INLINE_HEAD = re.compile(r"(?<=\S)[ \t]+(?:[;,|·•][ \t]*)?(?=\[(\d{1,3})\][ \t:])")
HEADING = re.compile(r" {0,3}#{1,6}[ \t]")
LABEL_LINE = re.compile(r"[ \t]*(?:\*\*|__)?[^\s].{0,60}(?:[:：](?:\*\*|__)?|\*\*|__)[ \t]*\Z")
_URL_ALONE = re.compile(r"\s*<?https?://\S+>?\s*", re.IGNORECASE)
_LEAD = re.compile(r"[^\[\]:：\n]{1,40}[:：](?:\*\*|__)?[ \t]*(?=\[\d{1,3}\][ \t:])")
_RULE = re.compile(r"[ \t]*(?:[-*_=][ \t]*){3,}\Z")
_NAMED = re.compile(
    r"(?<!open-)(?<!open )\b(?:sources?|references?|bibliograph\w*|works cited|citations?|literature"
    r"|quellen\w*|literatur\w*|einzelnachweise|fuentes|referencias|bibliograf\w*|références|fonti|riferimenti|bronnen"
    r"|källor|kilder|lähteet|źródła|источники|литература|kaynaklar|kaynakça|nguồn)\b"
    r"|参考|引用|来源|來源|出典|文献|文獻|資料|资料|출처|참고|المصادر|المراجع|מקורות|स्रोत",
    re.IGNORECASE,
)
_FILE_KEY = re.compile(rf"{FILE}(?:\s*[,，;#:]?\s*\(?{PAGE}\)?)?", re.IGNORECASE)
_CODE_KEY = re.compile(r"`([^`\n]{1,300})`")
_TITLE_EDGE = ' \t\r\n-–—:：|,，;；.。*_()（）[]<>\\"'
_LABELS = ("square", "lens", "round", "up", "sup", "dot")
_NUMBER_LINK = re.compile(r"\[\[?\d{1,3}\]?\Z")
_SENTENCE_END = re.compile(r"[.!?。！？][\"”’»*_]{0,4}\Z")
_FIGURES = re.compile(r"[^\W\d_] \d[\d.,]*; [^;\n]{1,80} \d[\d.,]*\Z")
"""Figures for two things in a row ("sold 2,954; pilgrims fed 315"): facts, not a title."""
_LINK_TEXT = re.compile(r"\[([^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]?\(?\s*<?\Z")
LONGEST_HEADING = 80
LONGEST_JOINT = 40
"""Characters between the addresses of a reference (`, archived at`); what is longer tells something."""
LONGEST = 4_000
"""Characters that one entry may have before lines are no longer added to it."""


@dataclass(slots=True)
class Entry:
    """One reference: `markdown[start:end]`, line end included, and its text from `text_start` on.

    `label_span` is where the label's digits stand, empty where none can be rewritten. `addresses` are its
    urls with the place of each; `keys` what may be a citation key, likeliest first. `framed`: it reads as a
    reference (an address at its end or beginning), not as a sentence with a link in it. `claims`: it may be
    a sentence with its citation behind it, which only a list that something points to can tell from a title.
    """

    start: int
    end: int
    text_start: int
    line: int
    label: str | None
    label_span: tuple[int, int]
    style: EntryStyle
    indent: int = 0
    addresses: list[tuple[str, int, int]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    citation_key: str | None = None
    title: str = ""
    framed: bool = False
    claims: bool = False

    @property
    def urls(self) -> list[str]:
        """The distinct addresses, in order."""
        return list(dict.fromkeys(url for url, _, _ in self.addresses))

    @property
    def url(self) -> str | None:
        """The first address."""
        return self.urls[0] if self.urls else None

    @property
    def has_address(self) -> bool:
        """A url, DOI or preprint number, or a document that is named as one."""
        return bool(self.urls or self.citation_key)


@dataclass(slots=True)
class Block:
    entries: list[Entry]
    named: bool
    strong: bool

    @property
    def start(self) -> int:
        return self.entries[0].start

    @property
    def end(self) -> int:
        return self.entries[-1].end

    @property
    def style(self) -> EntryStyle:
        return self.entries[0].style

    def share(self) -> float:
        """Share of the entries that lead somewhere."""
        return sum(entry.has_address for entry in self.entries) / len(self.entries)

    def makes_claims(self) -> bool:
        """Whether these are sentences or facts with their sources: some read so, or they share a source."""
        urls = [entry.url for entry in self.entries if entry.url]
        return len(set(urls)) < len(urls) or any(entry.claims for entry in self.entries)


class _Section:
    """What the lines before a block say of it: whether a heading, or a line like one, names a list."""

    def __init__(self) -> None:
        self.named = self.strong = False
        self._level = self._lines = 0

    def read(self, text: str) -> None:
        """Take in a line that is no entry; deeper headings and one line of introduction change nothing.

        A heading that is a question or a sentence (`Do the sources agree?`) has them as its topic.
        """
        heading = HEADING.match(text)
        title = text.rstrip("# \t")
        topic = title.endswith(("?", "？", "。")) or len(title) > LONGEST_HEADING
        names = bool(_NAMED.search(text)) and not topic and (heading or LABEL_LINE.match(text))
        level = text.lstrip().find(" ") if heading else 0
        under = heading and self.named and self.strong and level > self._level
        if not under and (heading or names or self._lines > 1):
            self.strong, self.named, self._level, self._lines = bool(heading), bool(names), level, 0
        self._lines += 1


def find_blocks(markdown: str, lines: Sequence[Line]) -> Iterator[Block]:
    """Runs of entries that begin alike, with nothing but blank lines and lines of their own between."""
    entries: list[Entry] = []
    section, blank = _Section(), False
    for number, line in enumerate(lines):
        text = markdown[line.start : line.end]
        if not text.strip():
            blank = True
            continue
        prose = line.kind == "text"
        entry = _entry(markdown, line, number, section.named) if prose else None
        if prose and entries and _goes_on(markdown, entries[-1], entry, text, blank):
            entries[-1].end = line.next
        elif entry and (not entries or entries[-1].style == entry.style):
            entries.append(entry)
        else:
            if entries:
                yield Block([*_finished(markdown, entries)], section.named, section.strong)
            entries = [entry] if entry else []
            if not entry:
                section.read(text)
        blank = False
    if entries:
        yield Block([*_finished(markdown, entries)], section.named, section.strong)


def _goes_on(markdown: str, last: Entry, entry: Entry | None, text: str, blank: bool) -> bool:
    """Whether a line belongs to the entry before it: its second line, or a deeper item."""
    heads = HEADING.match(text) or _RULE.match(text) or (LABEL_LINE.match(text) and not text[:1].isspace())
    if heads or last.end - last.start > LONGEST:
        return False
    indent = len(text) - len(text.lstrip())
    if blank:
        lacks = not ADDRESS.search(markdown, last.text_start, last.end)
        alone = bool(_URL_ALONE.fullmatch(text)) and last.label is not None
        return lacks and (alone or (indent > last.indent + 1 and bool(ADDRESS.search(text))))
    if entry is None:
        return True
    return entry.style == "bullet" and (last.style != "bullet" or indent > last.indent + 1)


def _entry(markdown: str, line: Line, number: int, named: bool) -> Entry | None:
    """The line as the first one of an entry, if it begins like one."""
    lead = _LEAD.match(markdown, line.start, line.end)
    start = lead.end() if lead and _NAMED.search(lead[0]) else line.start
    head = _HEAD.match(markdown, start, line.end)
    if head:
        group = next(name for name in _LABELS if head[name])
        label = head[group].translate(TO_DIGITS)
        style: EntryStyle = "footnote" if head["caret"] else "numbered" if group == "dot" else "brackets"
        indent = len(head["indent"])
        return Entry(start, line.next, head.end(), number, label, head.span(group), style, indent)
    bullet = _BULLET.match(markdown, line.start, line.end)
    if bullet:
        indent = len(bullet["indent"])
        return Entry(line.start, line.next, bullet.end(), number, None, (0, 0), "bullet", indent)
    if named and ADDRESS.search(markdown, line.start, line.end):
        return Entry(line.start, line.next, line.start, number, None, (0, 0), "bullet")
    return None


def _finished(markdown: str, entries: Sequence[Entry]) -> Iterator[Entry]:
    """The entries with their addresses read; several on one line taken apart; `1. 1. 1.` counted."""
    if len(entries) > 1 and entries[0].style == "numbered" and len({entry.label for entry in entries}) == 1:
        first = int(entries[0].label or 1)
        for place, entry in enumerate(entries):
            entry.label, entry.label_span = str(first + place), (0, 0)
    for entry in entries:
        for part in _taken_apart(markdown, entry):
            _read(markdown, part)
            yield part


def _taken_apart(markdown: str, entry: Entry) -> list[Entry]:
    """`[1] A: url [2] B: url` as two entries; only where numbers go up and each part has an address."""
    parts = [entry]
    if entry.style != "brackets" or not (entry.label or "").isdigit():
        return parts
    for match in _INLINE_HEAD.finditer(markdown, entry.text_start, entry.end):
        last = parts[-1]
        if match.start() - last.start > LONGEST:
            break
        follows = int(match[1]) == int(last.label or 0) + 1
        if follows and ADDRESS.search(markdown, last.text_start, match.start()):
            start, end = match.end(), last.end
            last.end = start
            parts.append(Entry(start, end, match.end(1) + 1, last.line, match[1], match.span(1), "brackets"))
    return parts


def _read(markdown: str, entry: Entry) -> None:
    """Fill in addresses, key, title and frame of an entry from its text."""
    for match in ADDRESS.finditer(markdown, entry.text_start, entry.end):
        lead = markdown[max(entry.text_start, match.start() - 6) : match.start()]
        if match["link"] and _NUMBER_LINK.search(lead):
            continue  # the marker of a sentence, not what the line is about
        kind = match.lastgroup or "link"
        url = match[kind] if kind in ("link", "auto") else trimmed(match[kind])
        entry.addresses.append((unescaped(url), match.start(kind), match.start(kind) + len(url)))
        last = match.end() if kind in ("link", "auto") else match.start() + len(url)
    text = markdown[entry.text_start : entry.end]
    if not entry.addresses:
        named, coded = _FILE_KEY.search(text[:1_000]), _CODE_KEY.search(text)
        entry.title = _plain(text)
        entry.keys = [m for m in (coded and coded[1], named and named[0].strip()) if m]
        entry.citation_key = entry.keys[0] if entry.keys else None
        entry.framed = bool(entry.keys)
        entry.keys += [part for part in (entry.title, entry.title.rpartition(": ")[2]) if part]
        return
    before, after = markdown[entry.text_start : entry.addresses[0][1]], markdown[last : entry.end]
    before = before[-2_000:]
    said = _LINK_TEXT.sub("", before).rstrip(" \t<")
    before = _LINK_TEXT.sub(r"\1", before)
    entry.title = _plain(before) or _plain(after)
    in_sentence = said.endswith(("(", "（")) and bool(_plain(said))
    entry.framed = not (_plain(after) and _plain(before)) and not in_sentence and len(entry.urls) <= 3
    between = ADDRESS.sub("", markdown[entry.addresses[0][1] + len(entry.addresses[0][0]) : last])
    told = len(_plain(between)) > LONGEST_JOINT
    entry.framed = entry.framed and not told
    entry.claims = in_sentence or told or bool(_plain(said) and _SENTENCE_END.search(said))
    entry.claims = entry.claims or bool(_FIGURES.search(said[-200:]))


def _plain(text: str) -> str:
    """Text as one line of at most 500 characters, without backslashes and punctuation at its ends."""
    return " ".join(re.sub(r"\\(.)", r"\1", text[:2_000]).split()).strip(_TITLE_EDGE)[:500]
