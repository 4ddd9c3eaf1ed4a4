"""A page's text as passages: sentences, list items and table rows, each whole and contiguous.

Hard-wrapped lines are joined; what is no statement (navigation, notices, code fences' marks, link lists,
orders to the reader) is left out. Judged by form alone.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import lru_cache

from .clean import is_noise
from .lexicon import STOP
from .text import is_cjk, split_prose, term_set, tidy

_BULLET = re.compile(r"^\s*(?:[-*+•·]|\d{1,3}[.)])\s+")
_RULE = re.compile(r"[|:\s-]*-[|:\s-]*")
_UNDERLINE = re.compile(r"^([=\-~^\"'#*+.])\1{2,}\s*$")
_FENCE = re.compile(r"^(?:```+|~~~+)[^`~]*$")
_PROMPT = ">>>"
"""What opens an example of a session: a call, with what it prints below."""
_CODE = re.compile(r"\);$|[{}]\)*;?$|^[\w.$]+\(.*\)$|^\$ \w")
"""A line of a program or session, as it is quoted without its fence."""
_QUOTED = re.compile(r"^(?:>(?:\s+|$))+")
_TITLE_LINE = re.compile(r"[^\W\d_a-z][^\d:;@|<>=(){}/`*]{0,58}[^\W\d_]")
_DATED = re.compile(
    r"(?<![\w-])[12]\d{3}-\d\d-\d\d\b|\b(?:\d{1,2} [A-Z][a-z]{2,8}|[A-Z][a-z]{2,8} \d{1,2},?) [12]\d{3}\b"
)
"""A day in a heading, as that of a release, which the heading alone tells."""
_FOOTNOTE = re.compile(r"^\[\^?[\w-]{1,20}\]:\s+")
_MARKUP = re.compile(r"^(?:\.\.(?:\s|$)|:[\w-]+:(?:\s|$)|<?https?://\S+$|‹/?\w)")
"""A line that shows nothing: a directive or its option, an address alone, a changed tag."""
_ADDRESS = r"\((?:[^()]|\([^()]*\))*\)"
"""An address behind a link, in which there may be parentheses."""
_LINK = re.compile(rf"\[([^\]]*)\]{_ADDRESS}")
_CUT_LINK = re.compile(r"\[([^\]]*)\]\(\S*(?:…|$)")
_TAG = re.compile(
    r"</?(?:p|i|b|em|strong|br|a|img|div|span|h[1-6]|code|su[bp]|center|t[rdh]|table|[uo]l|li|hr|small)\b[^<>]*>"
)
_IMAGE = re.compile(rf"!\[[^\]]*\]{_ADDRESS}")
ROW = re.compile(r"^[^.。]{1,80} — \S")
"""How a table row reads once it is a passage."""
_ROW_AGAIN = re.compile(ROW.pattern + r"(?:.*\d|[^:.;]*: (?!.*[.!?。！？]$))")
_NO_COLUMN_NAME = frozenset(
    "value values detail details description information 值 数值 内容 値 内容 詳細".split()
)
_MEASURED = re.compile(r"(?!(?:1[5-9]|20)\d\d(?!\d))\d[\d,.]*(?:\s?[^\W\d_]|%|$)")
_LONGEST = 2100
_ENDS = re.compile(r"[.!?:;。！？：；…][\"'”’)\]」』）]*$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, list item or table row; `heading` is the nearest one above it, `block` numbers its
    paragraph or table, `columns` names a row's cells after the first, `cells` holds all of them."""

    text: str
    kind: str = "prose"
    heading: str = ""
    block: int = 0
    columns: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()


@lru_cache(maxsize=8192)
def sentences_of(text: str) -> tuple[Sentence, ...]:
    """All passages of a text in order."""
    return tuple(_Reader(text).found)


class _Reader:
    """Reads lines into passages."""

    def __init__(self, text: str) -> None:
        self.found: list[Sentence] = []
        self.heading = ""
        self.lead = ""  # what introduces the list that follows
        self.header: tuple[str, ...] = ()
        self.block = 0
        self.open: list[str] = []
        self.open_kind = "prose"
        self.fence = ""
        self.quoted = False
        lines = ["", *(line.strip() for line in text.splitlines()), "", ""]
        for above, line, *following in zip(lines, lines[1:], lines[2:], lines[3:], strict=False):
            self._line(above, line, *following)
        self._close()

    def _line(self, above: str, line: str, following: str, after: str) -> None:
        fence = line[:3] if _FENCE.match(line) and (self.fence or line[0] == "`" or not above) else ""
        quote = None if self.fence else _QUOTED.match(line)
        if bool(quote) != self.quoted:
            self._close()
            self.quoted = not self.quoted
        line = line[quote.end() :] if quote else line
        if fence:
            self._close()
            self.fence = "" if self.fence else fence
        elif self.fence:
            self._add(line, "code")
        elif not line or _UNDERLINE.match(line) or _MARKUP.match(line):
            self._close()
            self.header = () if not line else self.header
        elif note := _FOOTNOTE.match(line):
            self._close()
            self.open = [line[note.end() :]]
        elif line.startswith(": ") and len(self.open) == 1:  # what a list says of a term
            self.heading, self.open, self.lead = _unlinked(self.open[0]), [line[1:].strip()], ""
        elif (
            line.startswith("#")
            or _UNDERLINE.match(following)
            or (not above and not following and _is_title(line, after))
        ):
            self._close()
            self.header, self.lead = (), ""
            heading = _unlinked(line.strip("# ").strip())
            if _DATED.search(heading):
                self._add(heading, "prose")
            self.heading = heading
        elif line.startswith("|") or line.count("|") >= 2:
            self._close()
            self._row(line, bool(_RULE.fullmatch(following)))
        elif _BULLET.match(line) or line.startswith(_PROMPT):
            self._close()
            self.open, self.open_kind = [line], "code" if line.startswith(_PROMPT) else "item"
        elif _ROW_AGAIN.match(line):
            self._close()
            self._row_again(line)
        else:
            self._continue(line)

    def _continue(self, line: str) -> None:
        """A line of running text; one that ends neither a sentence nor a full line is joined to the next."""
        if self.open and self.open_kind != "code" and not _joins(self.open[-1], line):
            self._close()
        self.open.append(line)

    def _close(self) -> None:
        """End the paragraph or list item that is open."""
        if self.open:
            text = self.open[0]
            for line in self.open[1:]:
                text += line if is_cjk(text[-1:]) and is_cjk(line[:1]) else f" {line}"
            text = "" if self.open_kind == "item" and is_noise(text) else _unlinked(_BULLET.sub("", text))
            parts = [text] if self.open_kind == "code" else [*split_prose(text)]
            if len(parts) > 1 and not term_set(parts[0]):  # "Yes." says nothing without what follows
                parts[:2] = [f"{parts[0]}{'' if is_cjk(parts[0][-1]) else ' '}{parts[1]}"]
            for part in parts:
                self._add(part, self.open_kind)
            if self.open_kind == "prose":
                self.lead = text[:-1] if text.endswith((":", "：")) else ""
            self.block += 1
        self.open, self.open_kind = [], "prose"

    def _add(self, text: str, kind: str, columns: tuple[str, ...] = (), cells: tuple[str, ...] = ()) -> None:
        text = tidy(text)
        text = text.strip("*") if text.count("*") == 1 else text  # of a paragraph in italics
        if text and not is_noise(text) and len(text) <= _LONGEST:
            kind = "code" if kind == "prose" and _CODE.search(text) else kind
            above = self.lead if self.lead and kind == "item" else self.heading
            self.found.append(Sentence(text, kind, above, self.block, columns, cells))

    def _row(self, line: str, ruled: bool) -> None:
        """Add a table row as `first cell — column: cell; …`; the first line of a table is its header, unless
        no rule follows and it has measures already, as where an excerpt begins inside a table."""
        cells = tuple(_unlinked(cell.strip()) for cell in line.strip("|").split("|"))
        if all(re.fullmatch(r":?-+:?|", cell) for cell in cells):
            return
        if not self.header:
            self.block += 1
            measured = sum(map(bool, map(_MEASURED.match, cells[1:])))
            if ruled or measured < max(1, len(cells) // 2):
                self.header = cells
                return
            self.header = ("",) * len(cells)
        plain = len(cells) <= 2 and self.header[-1].lower() in _NO_COLUMN_NAME
        columns = (*(() if plain else self.header[1:]), *[""] * len(cells))[: len(cells) - 1]
        pairs = [f"{n}: {cell}" if n else cell for n, cell in zip(columns, cells[1:], strict=True) if cell]
        numbered = re.fullmatch(r"[\d,.\s年-]+", cells[0])
        label = f"{self.header[0]} {cells[0]}".strip() if numbered else cells[0]
        self._add(f"{label} — {'; '.join(pairs)}", "row", columns, (label, *cells[1:]))

    def _row_again(self, line: str) -> None:
        """A row that was quoted as a passage before."""
        label, _, rest = line.partition(" — ")
        parts = [part.partition(": ") for part in rest.split("; ")]
        columns = tuple(name if colon else "" for name, colon, _ in parts)
        cells = (label, *(cell if colon else name for name, colon, cell in parts))
        self._add(line, "row", columns, cells)


def _is_title(line: str, after: str) -> bool:
    """Whether a line that stands alone above running text is its heading."""
    told = len(after) >= 60 or (len(after) > len(line) and bool(_ENDS.search(after)))
    return told and bool(_TITLE_LINE.fullmatch(line))


def _joins(before: str, line: str) -> bool:
    """Whether a line goes on where the one before it broke off: that was long or ends in a word that ends no
    sentence, or the next begins small; or what opened a bracket there closes it."""
    if is_cjk(before[-1:]):
        return not _ENDS.search(before)
    opened = before.count("[") > before.count("]")
    small = line[:1].islower() or before.split()[-1].lower() in STOP or opened
    return len(before) >= 60 or (small and not _ENDS.search(before))


def _unlinked(text: str) -> str:
    """Links as their words, also one that is cut off, and no pictures or tags."""
    plain = _IMAGE.sub("", html.unescape(_TAG.sub("", text)) if "<" in text else text)
    return _CUT_LINK.sub(r"\1", _LINK.sub(r"\1", plain))
