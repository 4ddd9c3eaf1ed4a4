"""The reference list of a report, found by its entries and not by its heading.

An entry is a line that begins with a label or a bullet (`[3]`, `3.`, `- `, `<li>`, `[^3]:`, `【3】`) and
leads to an address, or such a row of a table under a heading that names the list; it may have several lines,
and a line several entries. Entries that begin alike and follow each other make a block. Of several blocks the
one that the text points to is the list, else one under a heading that names it, else the last. Footnotes with
addresses are the list wherever they stand.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from deep_research.text.blocks import Edit, TextLine
from deep_research.text.matching import PAGE_NUMBER
from deep_research.text.urls import trim_cut_off_url, unescape_url

from .markers import FILE_ENDING, FILE_NAME, SUPERSCRIPTS, TO_DIGITS, WORDS, Marker

_ADDRESS = re.compile(
    r"\]\(\s*<?(?P<link>[a-z][a-z0-9+.-]{1,12}:[^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?[^()\n]{0,200}\)"
    r"|<(?P<auto>https?://[^<>\s]+)>"
    r"|(?P<bare>(?:https?|ftps?|file)://[^\s<>\"`|\[\]，。；、）】》」]+|(?<![\w/.@-])www\.[^\s<>\"`|\[\]，。；、）】》」]+)"
    r"|(?P<doi>\bdoi:\s*10\.\d{4,9}/[^\s\]>]+|(?<![\w/.])10\.\d{4,9}/[^\s\]>]+"
    r"|\barxiv:\s*(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?)",
    re.IGNORECASE,
)
"""An address in an entry: a link's target, `<…>`, a bare url, a DOI or a preprint number."""
_SIGNS_OF_ADDRESS = ("](", "://", "www.", "10.", "arxiv")
"""Without any of these a text has no address."""
_WEAK = ("bare", "lone", "round", "unclear", "url")
"""Styles of markers that do not tell where the list is."""


def find_reference_list(
    markdown: str, lines: Sequence[TextLine], candidates: Sequence[Marker]
) -> tuple[list[Entry], bool]:
    """The entries of the report's list in order; linear in the report's length.

    Of two lists with the same labels the later one with addresses is it, unless numbers stand between them:
    these are the lists of two sections, and each counts for its own, as the second value says.
    """
    blocks = [*_entry_blocks(markdown, lines)]
    notes = [entry for block in blocks for entry in block.entries if entry.style == "footnote"]
    if any(note.has_address for note in notes):
        return notes, False
    outside = outside_entries([entry for block in blocks for entry in block.entries], candidates)
    naming = [marker for marker in outside if marker.numbers and not marker.url]
    citing = [marker for marker in naming if marker.style not in _WEAK] or naming
    pointed = {number for marker in citing for number in marker.numbers}
    last = max((m.start for m in candidates if m.url or m.style not in _WEAK), default=-1)
    found: list[tuple[tuple[float, ...], int]] = []
    for place, block in enumerate(blocks):
        hits = sum(not pointed.isdisjoint(entry.labels) for entry in block.entries) / len(block.entries)
        if _is_reference_list(block, hits, last < block.entries[-1].end):
            sure = block.named or hits == 1
            found.append(((hits > 0, block.share >= 0.5, block.titled, sure, place), place))
    if not found:
        return [], False
    (*_, is_sure, _), best = max(found)
    entries = _entries_of_list(markdown, blocks, best)
    labels = {name for entry in entries for name in entry.labels}
    rivals: list[Entry] = []
    for rival in (blocks[place] for _, place in found):
        between = any(rival.entries[-1].end <= marker.start < entries[0].start for marker in citing)
        same = not labels.isdisjoint(name for entry in rival.entries for name in entry.labels)
        if between and same and (rival.named or rival.entries[0].style == "brackets"):
            rivals += rival.entries
    for entry in (*rivals, *entries):
        entry.is_text = not is_sure or (not entry.labels and (entry.claims or not entry.framed))
    return [*rivals, *entries], bool(rivals)


def heading_of(markdown: str, entries: Sequence[Entry]) -> Iterator[Edit]:
    """The edit that takes out the heading of a list, if nothing but the list stands under it."""
    above, below = markdown[: entries[0].start].rstrip(), markdown[entries[-1].end :].lstrip()
    heading = above[max(above.rfind("\n"), above.rfind("\r")) + 1 :]
    alone = all(not markdown[a.end : b.start].strip() for a, b in pairwise(entries))
    if alone and (not below or _HEADING.match(below)) and _names_list(heading):
        yield len(above) - len(heading), entries[0].start, ""


def _names_list(text: str) -> bool:
    """Whether a line names a list of sources and nothing else: other words make them its topic."""
    lead = _HEADING.match(text) or _LABEL_LINE.match(text)
    rest, names = _LIST_NAME.subn("", text.rstrip("# \t\r\n")) if lead else ("", 0)
    return bool(names) and not _WORD.search(_OF_LIST_NAMES.sub("", rest)) and len(text) <= _LONGEST_HEADING


def outside_entries(entries: Sequence[Entry], markers: Sequence[Marker]) -> Iterator[Marker]:
    """The markers that stand in none of the entries; both are in order."""
    spans = iter([*((entry.start, entry.end) for entry in entries), (sys.maxsize, sys.maxsize)])
    start, end = next(spans)
    for marker in markers:
        while marker.start >= end:
            start, end = next(spans)
        if marker.end <= start:
            yield marker


def _is_reference_list(block: _EntryBlock, hits: float, closes: bool) -> bool:
    """`hits`: share of the labels that the text points to. `closes`: nothing is cited after the block."""
    style = block.entries[0].style
    if style == "brackets":
        return block.named or (block.share >= 0.5 and (hits > 0 or closes))
    if block.named:
        return block.share >= 0.5 and (hits > 0 or not block.makes_claims) and (block.titled or closes)
    framed = sum(entry.framed for entry in block.entries) / len(block.entries) >= 0.8
    return style == "numbered" and framed and hits > 0


def _entries_of_list(markdown: str, blocks: Sequence[_EntryBlock], place: int) -> list[Entry]:
    """The entries of a block, and of those like it around it with only headings between (a grouped list)."""
    first = last = place
    while first and _continues_list(markdown, blocks[first - 1], blocks[first]):
        first -= 1
    while last + 1 < len(blocks) and _continues_list(markdown, blocks[last], blocks[last + 1]):
        last += 1
    return [entry for block in blocks[first : last + 1] for entry in block.entries]


def _continues_list(markdown: str, before: _EntryBlock, after: _EntryBlock) -> bool:
    """Same style, numbers that go on or titles, and nothing but headings between, or notes on each entry."""
    last, first = before.entries[-1], after.entries[0]
    between, numbers = markdown[last.end : first.start].splitlines(), [last.label, first.label]
    rising = all(n and n.isdigit() for n in numbers) and int(numbers[0] or 0) < int(numbers[1] or 0)
    headings = all(not line.strip() or _HEADING.match(line) or _LABEL_LINE.match(line) for line in between)
    annotated = last.style == "brackets" and before.share == after.share == 1
    titles = not before.makes_claims and not after.makes_claims
    untitled = headings and numbers == [None, None] and titles and before.named and after.named
    return last.style == first.style and ((rising and (headings or annotated)) or untitled)


EntryStyle = Literal["brackets", "numbered", "footnote", "bullet"]

_HEAD = re.compile(
    r"(?P<indent>[ \t>]*)(?:[-*+•·][ \t]+|<li\b[^<>]*>[ \t]*)?"
    r"(?:<a\s[^<>]*>(?:\s*</a>)?\s*)?(?P<bold>\*\*|__)?(?:"
    r"\[?\\?\[(?P<caret>\^?)(?P<square>\d{1,3}(?:(?:\][ \t]?\[|[ \t]?[,;，、][ \t]?)\d{1,3})*"
    r"|(?<=\^)[^\]\[\s^]{1,60}|[A-Z][A-Za-z]{0,9}(?:-\d{1,4}){1,3})\\?\]\]?"
    r"(?:\(\#[^()\s]*\)\]?)?:?"
    r"|[【［〔〖](?P<lens>\d{1,3})(?::\d{1,3})?(?:†[^】］〕\n]{0,80})?[】］〕〗]|\^(?P<caret_up>\d{1,3})\^"
    r"|[(（](?P<round>\d{1,3})[)）](?=\s)"
    rf"|(?P<up>[{SUPERSCRIPTS}]{{1,3}})|<sup>\[?(?P<sup>\d{{1,3}})\]?</sup>"
    r"|#(?P<hash>\d{1,3})(?=\s)|(?P<dot>\d{1,3})(?:\\?[.)](?=\s|\*\*|__)|[、．]|:(?=\s))"
    r")(?(bold)(?:\*\*|__)|)"
)
_ROW = re.compile(r"[ \t]*\|[ \t]*\[?(\d{1,3})\]?[ \t]*\|")
_BULLET = re.compile(
    r"(?P<indent>[ \t>]*)(?:[-*+•·–][ \t]+|<li\b[^<>]*>|(?=\\?\[{1,2}[^\]\n]{1,200}\]\(|<?https?://))"
)
_HTML_NOTE = re.compile(
    r"<li\b[^<>]*\bid\s*=\s*[\"']?[^\"'<>\s]*?(?P<number>\d{1,3})[\"'\s>][^<>]*>?", re.IGNORECASE
)
"""A footnote in HTML, which links lead to by its `id`."""
_LIST_OPENS = re.compile(r"[ \t]*(?:<[ou]l\b[^<>]*>[ \t]*)?(?=<li\b)", re.IGNORECASE)
_INLINE_HEAD = re.compile(
    r"(?:(?<=\S)[ \t]+(?:[;,|·•][ \t]*)?|[ \t]*<br[ \t]*/?>[ \t]*)(?=[\[【［](\d{1,3})[\]】］][ \t:])"
)
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]")
_LABEL_LINE = re.compile(r"[ \t]*(?:\*\*|__)?[^\s].{0,60}(?:[:：](?:\*\*|__)?|\*\*|__)[ \t]*\Z")
_URL_ALONE = re.compile(r"\s*<?https?://\S+>?\s*", re.IGNORECASE)
_INLINE_LIST_NAME = re.compile(r"[^\[\]:：\n]{1,40}[:：](?:\*\*|__)?[ \t]*(?=[\[【［]\d{1,3}[\]】］][ \t:])")
_RULE = re.compile(r"[ \t]*(?:[-*_=][ \t]*){3,}\Z")
_LIST_NAME = re.compile(
    rf"(?<!open-)(?<!open )\b(?:{WORDS['list_names']})\b(?!\s+(?:{WORDS['behind_topics']})\b)"
    rf"|(?:{WORDS['list_names_cjk']})(?=[ \t]*[/&(（,:：*_#\d.、と和与]|\s*\Z)",
    re.IGNORECASE,
)
"""A word that names a list; a heading such as "Sources of error" is about something else."""
_OF_LIST_NAMES = re.compile(rf"\b(?:{WORDS['beside_list_names']})\b", re.IGNORECASE)
"""Words beside the name of a list in a heading that is nothing but its name."""
_WORD = re.compile(r"[^\W\d_\u3040-\u9fff\uac00-\ud7af]|[?？。]")
_FILE_KEY = re.compile(rf"{FILE_NAME}(?:\s*[,，;#:]?\s*\(?{PAGE_NUMBER}\)?)?", re.IGNORECASE)
_FILE_ENDING = re.compile(FILE_ENDING, re.IGNORECASE)
_CODE_KEY = re.compile(r"`([^`\n]{1,300})`")
_TITLE_EDGE = ' \t\r\n-–—:：|,，;；.。*_()（）[]<>\\"'
_LABELS = ("square", "lens", "round", "up", "caret_up", "sup", "hash", "dot")
_CITES = re.compile(r"\[\[?\d{1,3}\]?\]\(https?:", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?。！？][\"”’»*_]{0,4}\Z")
_LEADS_ON = re.compile(
    r"[\s<]*(?:[*_]*(?:sources?|links?|urls?|see|quelle)[*_]*[:：]?[*_]*\s*)?\Z", re.IGNORECASE
)
_LINK_TEXT = re.compile(r"\[([^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]?\(?\s*<?\Z")
_LONGEST_HEADING = 80
_LONGEST_JOINT = 40
"""Characters between the addresses of a reference (`, archived at`); longer text is a statement."""
_LONGEST_ENTRY = 4_000
"""Characters that one entry may have before lines are no longer added to it."""


@dataclass(slots=True)
class Entry:
    """One reference: `markdown[start:end]`, line end included, and its text from `text_start` on.

    `labels` are the numbers that lead here (`[1, 4]` has two), `label_span` is where they stand, empty where
    they cannot be rewritten. `tail`: where a line begins that follows its address and is not indented.
    `keys`: what may be a citation key, likeliest first. `framed`: it reads as a reference, with an address at
    an end, not as a sentence with a link in it. `claims`: it may be a sentence with its citation behind it.
    `is_text`: it is that, or stands in what may be no list; only its links may go.
    """

    start: int
    end: int
    text_start: int
    labels: tuple[str, ...]
    label_span: tuple[int, int]
    style: EntryStyle
    indent: int = 0
    tail: int = 0
    addresses: list[tuple[str, int, int]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    citation_key: str | None = None
    framed: bool = False
    claims: bool = False
    is_text: bool = False

    @property
    def label(self) -> str | None:
        """The first of the labels."""
        return self.labels[0] if self.labels else None

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
class _EntryBlock:
    """Entries that begin alike; `named`: a heading (then `titled`) or a line above them names a list."""

    entries: list[Entry]
    named: bool
    titled: bool

    @property
    def share(self) -> float:
        """Share of the entries that lead somewhere."""
        return sum(entry.has_address for entry in self.entries) / len(self.entries)

    @property
    def makes_claims(self) -> bool:
        """Whether these are statements with their sources: one reads so (if a heading names a list: all), or
        they share a source."""
        urls = [entry.url for entry in self.entries if entry.url]
        claims = len(set(urls)) < len(urls) or any(entry.claims for entry in self.entries)
        return claims and not (self.titled and any(entry.framed for entry in self.entries))


class _Section:
    """What the lines before a block say of it: whether a heading, or a line like one, names a list."""

    named = titled = False
    level = lines = 0

    def read(self, text: str) -> None:
        """Take in a line that is no entry; deeper headings and one line of introduction change nothing."""
        heading, names = bool(_HEADING.match(text)), _names_list(text)
        level = text.lstrip().find(" ") if heading else 0
        under = heading and self.titled and level > self.level
        if not under and (heading or names or self.lines > 1):
            self.named, self.titled, self.level, self.lines = names, names and heading, level, 0
        self.lines += 1


def _entry_blocks(markdown: str, lines: Sequence[TextLine]) -> Iterator[_EntryBlock]:
    """Runs of entries that begin alike, with nothing but blank lines and lines of their own between."""
    entries: list[Entry] = []
    section, blank = _Section(), False
    end = TextLine(len(markdown), len(markdown), len(markdown), "code")
    for line in [*lines, end]:
        text = markdown[line.start : line.end]
        if not text.strip() and line is not end:
            blank = True
            continue
        cites = _CITES.search(text)
        prose = line.kind == "text" and not (cites and re.search(r"[^\W\d]", text[: cites.start()]))
        row = line.kind == "table" and section.named
        entry = _open_entry(markdown, line, section.named) if prose or row else None
        if prose and entries and _belongs_to_entry(markdown, entries[-1], entry, text, blank):
            entries[-1].end = line.next
        elif entry and (not entries or entries[-1].style == entry.style):
            entries.append(entry)
        else:
            if entries:
                yield _EntryBlock([*_complete_entries(markdown, entries)], section.named, section.titled)
            entries = [entry] if entry else []
            if not entry and not row:
                section.read(text)
        blank = False


def _belongs_to_entry(markdown: str, last: Entry, entry: Entry | None, text: str, blank: bool) -> bool:
    """Whether a line belongs to the entry before it: its second line, or a deeper item."""
    heads = _HEADING.match(text) or _RULE.match(text) or (_LABEL_LINE.match(text) and not text[:1].isspace())
    if heads or last.end - last.start > _LONGEST_ENTRY:
        return False
    indent = len(text) - len(text.lstrip())
    if blank:
        lacks = not _ADDRESS.search(markdown, last.text_start, last.end)
        alone = bool(_URL_ALONE.fullmatch(text)) and last.label is not None
        again = alone and text.strip(" \t<>") in markdown[last.text_start : last.end]
        return again or (lacks and (alone or (indent > last.indent + 1 and bool(_ADDRESS.search(text)))))
    if entry is None:
        after = not indent and not last.tail and not _ADDRESS.search(text)
        if after and _ADDRESS.search(markdown, last.text_start, last.end):
            last.tail = last.end
        return True
    return entry.style == "bullet" and (last.style != "bullet" or indent > last.indent + 1)


def _open_entry(markdown: str, line: TextLine, named: bool) -> Entry | None:
    """The line as the first one of an entry, if it begins like one."""
    if line.kind == "table":
        row = _ROW.match(markdown, line.start, line.end)
        if not row or not _ADDRESS.search(markdown, line.start, line.end):
            return None
        return Entry(line.start, line.next, row.end(), (row[1],), row.span(1), "brackets")
    opens = _LIST_OPENS.match(markdown, line.start, line.end)
    if opens and (note := _HTML_NOTE.match(markdown, opens.end(), line.end)):
        return _html_note(note, line.next)
    lead = _INLINE_LIST_NAME.match(markdown, line.start, line.end)
    start = lead.end() if lead and _LIST_NAME.search(lead[0]) else line.start
    head = _HEAD.match(markdown, start, line.end)
    if head:
        group = next(name for name in _LABELS if head[name])
        label = head[group].translate(TO_DIGITS)
        counted = not head["caret"] and label[0].isdigit()
        labels = tuple(str(int(number)) for number in re.findall(r"\d+", label)) if counted else (label,)
        style: EntryStyle = "footnote" if head["caret"] else "numbered" if group == "dot" else "brackets"
        indent = len(head["indent"])
        return Entry(start, line.next, head.end(), labels, head.span(group), style, indent)
    bullet = _BULLET.match(markdown, line.start, line.end)
    if bullet:
        indent = len(bullet["indent"])
        return Entry(line.start, line.next, bullet.end(), (), (0, 0), "bullet", indent)
    if named and _ADDRESS.search(markdown, line.start, line.end):
        return Entry(line.start, line.next, line.start, (), (0, 0), "bullet")
    return None


def _html_note(note: re.Match[str], end: int) -> Entry:
    """A footnote in HTML: its number, which is a part of an address, cannot be rewritten."""
    return Entry(note.start(), end, note.end(), (str(int(note["number"])),), (0, 0), "footnote")


def _complete_entries(markdown: str, entries: Sequence[Entry]) -> Iterator[Entry]:
    """The entries with their addresses read; several on one line taken apart; `1. 1. 1.` counted.

    Lines below the address of the last one are text unless the others have such lines, too.
    """
    if (tail := entries[-1].tail) and not any(entry.tail for entry in entries[:-1]):
        entries[-1].end = tail
    if len(entries) > 1 and entries[0].style == "numbered" and len({entry.label for entry in entries}) == 1:
        first = int(entries[0].label or 1)
        for place, entry in enumerate(entries):
            entry.labels, entry.label_span = (str(first + place),), (0, 0)
    for entry in entries:
        for part in _split_entry(markdown, entry):
            _read_entry(markdown, part)
            yield part


def _split_entry(markdown: str, entry: Entry) -> list[Entry]:
    """`[1] A: url [2] B: url` as two entries; only where numbers go up and each part has an address."""
    parts = [entry]
    if entry.style == "footnote" and not entry.label_span[1]:
        for note in _HTML_NOTE.finditer(markdown, entry.text_start, entry.end):
            parts.append(_html_note(note, parts[-1].end))
            parts[-2].end = note.start()
        return parts
    if entry.style != "brackets" or not (entry.label or "").isdigit():
        return parts
    for match in _INLINE_HEAD.finditer(markdown, entry.text_start, entry.end):
        last = parts[-1]
        if match.start() - last.start > _LONGEST_ENTRY:
            break
        follows = int(match[1]) == int(last.label or 0) + 1
        if follows and _ADDRESS.search(markdown, last.text_start, match.start()):
            start, end = match.end(), last.end
            last.end = start
            parts.append(Entry(start, end, match.end(1) + 1, (match[1],), match.span(1), "brackets"))
    return parts


def _read_entry(markdown: str, entry: Entry) -> None:
    """Fill in addresses, key, title and frame of an entry from its text."""
    text = markdown[entry.text_start : entry.end]
    may_lead = any(sign in text.lower() for sign in _SIGNS_OF_ADDRESS)
    for match in _ADDRESS.finditer(markdown, entry.text_start, entry.end) if may_lead else ():
        kind = match.lastgroup or "link"
        url = match[kind] if kind in ("link", "auto") else trim_cut_off_url(match[kind])
        entry.addresses.append((unescape_url(url), match.start(kind), match.start(kind) + len(url)))
        last = match.end() if kind in ("link", "auto") else match.start() + len(url)
    if not entry.addresses:
        named = _FILE_KEY.search(text[:1_000]) if _FILE_ENDING.search(text) else None
        coded = _CODE_KEY.search(text)
        title = _plain_line(text)
        entry.keys = [m for m in (coded and coded[1], named and named[0].strip()) if m]
        entry.citation_key = entry.keys[0] if entry.keys else None
        entry.framed, entry.claims = bool(entry.keys), bool(_SENTENCE_END.search(text.rstrip()))
        entry.keys += [part for part in (title, title.rpartition(": ")[2]) if part]
        return
    before, after = markdown[entry.text_start : entry.addresses[0][1]], markdown[last : entry.end]
    before = before[-2_000:]
    said = _LEADS_ON.sub("", _LINK_TEXT.sub("", before))
    before = _LINK_TEXT.sub(r"\1", before)
    in_sentence = said.endswith(("(", "（")) and bool(_plain_line(said))
    between = _ADDRESS.sub("", markdown[entry.addresses[0][1] + len(entry.addresses[0][0]) : last])
    has_text_between = len(_plain_line(between)) > _LONGEST_JOINT
    has_text_around = bool(_plain_line(after) and _plain_line(before))
    entry.framed = not (has_text_around or has_text_between or in_sentence) and len(entry.urls) <= 3
    entry.claims = in_sentence or has_text_between or bool(_plain_line(said) and _SENTENCE_END.search(said))


def _plain_line(text: str) -> str:
    """Text as one line of at most 500 characters, without backslashes and punctuation at its ends."""
    return " ".join(re.sub(r"\\(.)", r"\1", text[:2_000]).split()).strip(_TITLE_EDGE)[:500]
