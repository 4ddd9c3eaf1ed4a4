"""The blocks of a Markdown report (prose, tables, code), and local changes to it.

markdown-it-py finds the blocks. Its inline pass is switched off, since it keeps no offsets and edits must be
local: what stands inside a block is scanned by `find_markers`. Link definitions are switched off too,
because `[1]: https://...` is an entry of a reference list here. Offsets count characters of the input.

What is not in an edit stays as it was, character by character. Sentences are taken out without leaving empty
structure: with its last sentence a list item, table row or paragraph goes too; with its last row a table's
header; with the last block under it a heading. Half of a bold or emphasised passage keeps its marks: of
"**A. B.**" without A is left "**B.**".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


BlockKind = Literal["text", "table", "code"]
_LINE_END = re.compile(r"\r\n?|\n")
_CITED_FENCE = re.compile(r"^( {0,3}```+)[ \t]*\[\d{1,3}\][ \t.\[\]\d]*$", re.MULTILINE)
"""The end of a code block with a citation behind it, which is no end to a parser of Markdown."""
_WHOLE_FENCE = re.compile(
    r"\s*```[ \t]*(?P<info>markdown|md)?[ \t]*\n(?P<inside>.*\n)```\s*", re.DOTALL | re.IGNORECASE
)
_BRACKETED = re.compile(r"\[[^\]\n]*\]")
_NO_LETTERS = re.compile(r"[\W_]+")
_LONGEST_PARAGRAPH = 20_000
"""Characters from which on nothing in a paragraph is held for code."""
_COMMAS = re.compile("[,，、。]")
"""What ends a clause: before the question stands a sentence then, and no label."""
_LONGEST_LABEL = 12
"""Letters of a label such as "The question:"."""
_RAW = r"<(?:pre|script|style|textarea|!--|\?|!\[CDATA)"
_RAW_HTML = re.compile(rf"\s*{_RAW}", re.IGNORECASE)
_IN_CODE_OR_TABLES = re.compile(rf"```|~~~|\t| {{4}}|\||{_RAW}", re.IGNORECASE)
"""Without any of these a text is nothing but text to a parser of Markdown, which takes long to tell."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line without its line end: `markdown[start:end]`; the next line starts at `next`."""

    start: int
    end: int
    next: int
    kind: BlockKind


def split_lines(markdown: str) -> list[TextLine]:
    """All lines of a report with the kind of block that each belongs to; linear in its length."""
    kinds = _kinds(markdown)
    lines: list[TextLine] = []
    start = 0
    for match in [*_LINE_END.finditer(markdown), None]:
        end, following = match.span() if match else (len(markdown), len(markdown))
        lines.append(TextLine(start, end, following, kinds.get(len(lines), "text")))
        start = following
    return lines


def paragraphs(markdown: str, lines: list[TextLine]) -> Iterator[tuple[int, int, BlockKind]]:
    """Runs of lines of one kind without a blank line between, code left out: start, end, kind."""
    start = end = -1
    kind: BlockKind = "code"
    for line in lines:
        blank = line.kind == "code" or not markdown[line.start : line.end].strip()
        if start >= 0 and (blank or line.kind != kind):
            yield start, end, kind
            start = -1
        if not blank:
            start, kind = (line.start if start < 0 else start), line.kind
            end = line.end
    if start >= 0:
        yield start, end, kind


def masked(markdown: str) -> str:
    """The report with blanks in place of code blocks and code spans; every offset stays what it was."""
    lines = split_lines(markdown)
    spans = [(line.start, line.end) for line in lines if line.kind == "code"]
    for start, end, _ in paragraphs(markdown, lines):
        spans += [(start + a, start + b) for a, b in code_spans(markdown[start:end])]
    return _blanked(markdown, spans)


def code_spans(text: str) -> list[tuple[int, int]]:
    """The code spans of a paragraph: a run of backticks to the next run of the same length; linear."""
    runs = [match.span() for match in re.finditer("`+", text)]
    closing: dict[int, int] = {}
    ends: list[int] = []
    for start, end in reversed(runs):
        ends.append(closing.get(end - start, 0))
        closing[end - start] = end
    spans: list[tuple[int, int]] = []
    for (start, _), end in zip(runs, reversed(ends), strict=True):
        if end and (not spans or start >= spans[-1][1]):
            spans.append((start, end))
    return spans


def without_certain_code(markdown: str) -> str:
    """The Markdown with blanks in place of what is code to every parser of CommonMark, with tables or not.

    What only looks like code is left: a browser would read it as a page.
    """
    if "`" not in markdown and "~~~" not in markdown and "    " not in markdown and "\t" not in markdown:
        return markdown
    lines = split_lines(markdown)
    return _blanked(markdown, _certain_code(markdown, lines, True) & _certain_code(markdown, lines, False))


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with blanks in place of these spans."""
    return apply_edits(text, ((start, end, " " * (end - start)) for start, end in sorted(spans)))


def _certain_code(markdown: str, lines: Sequence[TextLine], tables: bool) -> set[tuple[int, int]]:
    """The lines of code, and the code spans of paragraphs in which the parser finds just these."""
    found, read = set[tuple[int, int]](), dict[tuple[int, int], list[str]]()
    env: dict[str, Any] = {}
    parser = _strict_parser(tables)
    for token in parser.parse(markdown, env):
        first, last = token.map or (0, 0)
        if token.type in ("fence", "code_block"):
            found |= {(line.start, line.end) for line in lines[first:last]}
        elif token.type == "inline" and "`" in token.content and len(token.content) < _LONGEST_PARAGRAPH:
            parts: list[Any] = []
            parser.inline.parse(token.content, parser, env, parts)
            read.setdefault((first, last), []).extend(p.content for p in parts if p.type == "code_inline")
    for (first, last), contents in read.items():
        start = lines[first].start
        text = markdown[start : lines[last - 1].end]
        spans = code_spans(text)
        if [text[a:b].strip("`").split() for a, b in spans] == [content.split() for content in contents]:
            found |= {(start + a, start + b) for a, b in spans}
    return found


@cache
def _strict_parser(tables: bool) -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True}).disable(["inline", "text_join"])
    return parser.enable("table") if tables else parser


def _kinds(markdown: str) -> dict[int, BlockKind]:
    """Line number → kind, for the lines that are not plain text."""
    kinds: dict[int, BlockKind] = {}
    if not _IN_CODE_OR_TABLES.search(markdown):
        return kinds
    cited_fences = list(_CITED_FENCE.finditer(markdown))
    text = _CITED_FENCE.sub(r"\1", markdown) if cited_fences else markdown
    for token in _parser().parse(text):
        if not token.map:
            continue
        if token.type in ("fence", "code_block"):
            kinds.update(dict.fromkeys(range(*token.map), "code"))
        elif token.type == "table_open":
            kinds.update(dict.fromkeys(range(*token.map), "table"))
        elif token.type == "html_block" and _RAW_HTML.match(token.content):
            kinds.update(dict.fromkeys(range(*token.map), "code"))
    for fence in cited_fences:
        kinds.pop(sum(1 for _ in _LINE_END.finditer(markdown, 0, fence.start())), None)
    return kinds


def without_fence(markdown: str) -> str:
    """A report that stands in a fence as a whole (as models answer), without it."""
    found = _WHOLE_FENCE.fullmatch(markdown)
    return found["inside"] if found and (found["info"] or "```" not in found["inside"]) else markdown


def with_headings_raised(markdown: str) -> str:
    """A report whose headings begin too low, as models copy them, with a title and sections below it.

    Those from the first higher one on are left alone: there begins what code has added.
    """
    lines = [line for line in split_lines(markdown) if line.kind == "text"]
    found = [told for line in lines if (told := _HEADING.match(markdown, line.start, line.end))]
    low = [*takewhile(lambda told: len(told[1]) >= len(found[0][1]), found)]
    is_titled = bool(low) and not markdown[: low[0].start()].strip()
    is_titled = is_titled and all(len(told[1]) > len(low[0][1]) for told in low[1:])
    too_low = len(low[0][1]) - (1 if is_titled else 2) if low else 0
    edits = [(told.start(1), told.start(1) + too_low, "") for told in low]
    return apply_edits(markdown, edits) if too_low > 0 else markdown


def without_repeated_question(markdown: str, question: str) -> str:
    """A report without first lines that only repeat the question it answers, and without their headings."""
    asked, clauses = letters(question), len(_COMMAS.findall(question))
    gone = list[tuple[int, int]]()
    for line in split_lines(markdown):
        text = markdown[line.start : line.end].strip()
        said, commas = letters(text), len(_COMMAS.findall(text.rstrip("。”」")))
        if not said or text.startswith("#"):
            continue
        labelled = len(said) - len(asked) <= _LONGEST_LABEL and commas <= clauses
        if not (labelled and said.endswith(asked)):
            return without_spans(markdown, gone)
        gone.append((line.start, line.end))
    return markdown


def letters(text: str) -> str:
    """The letters and digits of a text, small, without what stands in square brackets."""
    return _NO_LETTERS.sub("", _BRACKETED.sub("", text)).casefold()


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable(["inline", "text_join", "reference"])


Edit = tuple[int, int, str]
"""Start, end, and what stands there instead."""

_PAIRS = {"(": ")", "（": "）", "[": "]", "【": "】", "<": ">"}
_CLOSING = (*" \t\r\n.,;:!?。，；：、！？)）|", "")


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made; they are in order, and one that begins inside another is cut short."""
    pieces: list[str] = []
    done = 0
    for start, end, new in edits:
        pieces += [text[done : max(done, start)], new]
        done = max(done, end)
    return "".join([*pieces, text[done:]])


def moved(places: Iterable[int], edits: Iterable[Edit]) -> list[int]:
    """Where places are after the edits, which are in order; one inside of an edit is where that begins."""
    ends: list[int] = []
    shifts = [0]
    done = 0
    for start, end, new in edits:
        start, end = max(done, start), max(done, end)
        ends.append(end)
        shifts.append(shifts[-1] + len(new) - (end - start))
        done = end
    return [place + shifts[bisect_right(ends, place)] for place in places]


def removal_edit(text: str, start: int, end: int) -> Edit:
    """The edit that takes `text[start:end]` out.

    Brackets that held nothing else go too, and so does the blank before, unless a word follows. A blank stays
    where the neighbours would grow together: `[[3]1]` without its inner part must not become `[1]`.
    """
    start, end = _with_brackets(text, start, end)
    while start and text[start - 1] in " \t" and text[end : end + 1] in _CLOSING:
        start -= 1
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    grows = before.strip() and after not in _CLOSING
    return start, end, " " if grows else ""


def _with_brackets(text: str, start: int, end: int) -> tuple[int, int]:
    if start > 1 and text[start - 2 : start] == "\\[" and text[end : end + 2] == "\\]":
        return start - 2, end + 2
    opening = text[start - 1 : start]
    if start and opening in _PAIRS and text[end : end + 1] == _PAIRS[opening]:
        return start - 1, end + 1
    return start, end


_MARKUP = " \t#-*_+>0123456789.)|"
_EMPHASIS = re.compile(
    r"(?<![\\*])\*{1,3}(?!\*|(?<=\d\*)\d|(?<=\s\*)\s)|(?<![\\\w])_{1,3}(?![_\s])|(?<=[^\s\\_])_{1,3}(?!\w)"
)
_HEADING = re.compile(r" {0,3}(#{1,6})(?=\s|$)")
_RULE = re.compile(r"[\s|:-]*-[\s|:-]*")


def without_spans(markdown: str, spans: Sequence[tuple[int, int]]) -> str:
    """The report without these sentences, given in order; without any it stays as it is."""
    plain = masked(markdown)
    left = markdown
    for start, end in reversed(spans):
        left = _without_sentence(left, start, end, plain)
    return without_empty_headings(_without_tables(left)) if spans else markdown


def _without_sentence(markdown: str, start: int, end: int, plain: str) -> str:
    """Without one sentence, and without its line or paragraph where nothing else stands in it.

    `plain` is the report as it was, code blanked out; it is the same up to the end of the sentence.
    """
    line = markdown.rfind("\n", 0, start) + 1
    stop = markdown.find("\n", end)
    stop = len(markdown) if stop < 0 else stop
    before, after = markdown[:start], markdown[end:]
    if not (markdown[line:start] + markdown[end:stop]).strip(_MARKUP):
        is_paragraph = markdown[:line].endswith("\n\n") and markdown.startswith("\n", stop + 1)
        return markdown[:line] + markdown[stop + 1 + is_paragraph :]
    mark = _unbalanced_mark(plain[start:end])
    if not mark:
        opens = start == line  # what follows begins the line now
        return before.rstrip(" ") + (after.lstrip(" ") if opens else after)
    paragraph = plain[plain.rfind("\n\n", 0, start) + 1 : start]
    if _EMPHASIS.findall(paragraph).count(mark) % 2:
        return before.rstrip(" ") + mark + after
    if after.lstrip(" ").startswith(mark):
        return before.rstrip(" ") + after.lstrip(" ")[len(mark) :]
    return before + mark + after.lstrip(" ")


def _unbalanced_mark(sentence: str) -> str:
    """The emphasis mark that a sentence opens and does not close, or closes and did not open; "" if none."""
    found = _EMPHASIS.findall(sentence)
    return next((mark for mark in dict.fromkeys(found) if found.count(mark) % 2), "")


def _without_tables(markdown: str) -> str:
    """Without the header and rule of tables that have no row."""
    lines = split_lines(markdown)
    rules = [
        place
        for place, line in enumerate(lines)
        if line.kind == "table"
        and _RULE.fullmatch(markdown, line.start, line.end)
        and (place + 1 == len(lines) or lines[place + 1].kind != "table")
    ]
    return _without_lines(markdown, lines, {gone for place in rules for gone in (place - 1, place)})


def without_empty_headings(markdown: str) -> str:
    """Without the headings over nothing; the report's own title stays."""
    lines = split_lines(markdown)
    gone: set[int] = set()
    level_below = 0  # of the next heading that stays, 7 where text stands between
    for place in range(len(lines) - 1, -1, -1):
        line = lines[place]
        text = markdown[line.start : line.end]
        heading = _HEADING.match(text) if line.kind == "text" else None
        level = len(heading[1]) if heading else 7
        if heading and level_below <= level and level > 1:
            gone.add(place)
        elif heading or text.strip():
            level_below = level
    return _without_lines(markdown, lines, gone)


def _without_lines(markdown: str, lines: Sequence[TextLine], gone: set[int]) -> str:
    """Without these lines, and without the blank lines that follow them."""
    kept = []
    after_gone = False
    for place, line in enumerate(lines):
        text = markdown[line.start : line.next]
        after_gone = place in gone or (after_gone and not text.strip())
        if not after_gone:
            kept.append(text)
    return "".join(kept)
