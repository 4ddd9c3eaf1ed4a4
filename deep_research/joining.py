"""Joining what was written apart: one report from sections whose writers have not seen one another's.

What bears the report's own title stands first, right under it; sections of one name become one. What an
earlier section has said, word for word and on no further source, is left out of the later ones. Where a
section began with it, a line says under which heading it stands, so that no section loses its answer. A
heading inside a section stands once: where it comes again it goes, or, where its text would run on into
another list, becomes a bold line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .guard import without_ids
from .ledger import cited_ids, plain_line
from .terms import cjk_count
from .text import CODE, outside_code
from .verification.removal import without, without_empty_headings
from .verification.sentences import Block, blocks

SAME = {
    "en": ("The same as at the beginning.", "The same as under “{}”."),
    "zh": ("与开头所述相同。", "与“{}”一节相同。"),
    "ja": ("冒頭と同じです。", "「{}」の節と同じです。"),
}
_SENTENCE = 36
"""Letters (of Chinese and Japanese a quarter as many) from which on a text is too long to be said twice."""
_FIRST_HEADING = re.compile(r"\A\s*##[ \t]+([^\n]*)(?:\n|\Z)")
_INNER = re.compile(r"^#{2,6}[ \t]+(?P<name>[^\n]*?)[ \t]*$\n?", re.MULTILINE)
_IDS = re.compile(r"[\[【][^\]】\n]*S\d+\.\d+[^\]】\n]*[\]】]")
_OPENS_LIST = re.compile(r"[:：]\W*\Z")


class Piece(NamedTuple):
    """A part of a report: its heading ("" for what stands under the title), and its text without it.

    One that is not `needed` is left out if it says nothing new; of another a pointer is left.
    """

    heading: str
    text: str
    needed: bool = True


class _Said(NamedTuple):
    """Where a text stood first, and the sources that it cited there."""

    heading: str
    ids: set[str]


def piece(section: str) -> Piece:
    """A written section, `## heading` and text, as a piece."""
    heading = _FIRST_HEADING.match(section)
    return Piece(heading[1].strip(), section[heading.end() :].strip()) if heading else Piece("", section)


def joined(title: str, pieces: Sequence[Piece], language: str) -> str:
    """The pieces under the title as one Markdown text."""
    groups: dict[str, list[Piece]] = {_name(title): []}
    for one in pieces:
        groups.setdefault(_name(one.heading) or _name(title), []).append(one)
    opening, *sections = groups.values()
    said, names = dict[str, _Said](), set(groups)
    text, _ = _new(_together(opening), "", said, SAME[language])
    written = [f"# {plain_line(without_ids(title))}", outside_code(_once_named(text, names), _raised)]
    for section in sections:
        heading, needed = section[0].heading, any(one.needed for one in section)
        new, pointer = _new(_together(section), heading, said, SAME[language])
        if new or needed:
            text = "\n\n".join(filter(None, (pointer, _once_named(new, names))))
            written += [f"## {heading}\n\n{text}"] if text else []
    return "\n\n".join(filter(None, written)) + "\n"


def _together(pieces: Sequence[Piece]) -> str:
    return "\n\n".join(without_empty_headings(one.text) for one in pieces)


def _raised(text: str) -> str:
    """Headings inside a section one level up, where the section's own is gone."""
    return re.sub(r"^#(?=##+[ \t])", "", text, flags=re.MULTILINE)


def _new(text: str, heading: str, said: dict[str, _Said], pointers: tuple[str, str]) -> tuple[str, str]:
    """The text without what stood before; and a pointer to it, "" where the text did not begin with that."""
    prose, repeated = list(_prose(text)), dict[Block, str]()
    for block in prose:
        words, ids = _words(text[block.start : block.end])
        before = said.get(words)
        if before and ids <= before.ids and _is_sentence(words):
            repeated[block] = before.heading
        else:
            said[words] = _Said(before.heading, before.ids | ids) if before else _Said(heading, ids)
    left = without(text, [(block.start, block.end) for block in repeated])
    left = re.sub(r"\n{3,}", "\n\n", without_empty_headings(left)).strip()
    first = prose[0] if prose else None
    there = repeated.get(first, heading) if first else heading
    if there == heading or (
        left and first and first.kind == "item"
    ):  # a list of which some is new needs none
        return left, ""
    return left, pointers[1].format(there) if there else pointers[0]


def _is_sentence(words: str) -> bool:
    """Whether this is long enough to be missed nowhere; what opens a list is told again with its list."""
    return len(words) + 3 * cjk_count(words) >= _SENTENCE and not _OPENS_LIST.search(words)


def _prose(text: str) -> Iterator[Block]:
    """Paragraphs and list items; rows of a table and code are never taken out one by one."""
    masked = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)
    return (block for block in blocks(masked) if block.kind in ("paragraph", "item"))


def _words(text: str) -> tuple[str, set[str]]:
    """What a text says, without citations and emphasis, and the sources that it cites."""
    return " ".join(_IDS.sub("", text).replace("*", "").split()), set(cited_ids(text))


def _once_named(text: str, names: set[str]) -> str:
    """The text without headings of a name that stood before; the names of the others are added to it."""
    first = True

    def kept(heading: re.Match[str]) -> str:
        nonlocal first
        opens, first = first, False
        name = _name(heading["name"])
        if name not in names:
            names.add(name)
            return heading[0]
        return "" if opens else f"**{heading['name'].strip('*')}**\n"

    return re.sub(r"\n{3,}", "\n\n", outside_code(text, lambda part: _INNER.sub(kept, part))).strip()


def _name(heading: str) -> str:
    """A heading as it is compared: case, blanks and marks around it make no difference."""
    return " ".join(without_ids(heading).casefold().split()).strip(" \\*_#:：.。")
