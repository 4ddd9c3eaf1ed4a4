"""Joining what was written apart: one report from sections whose writers have not seen one another's.

What bears the report's own title stands first, right under it; sections of one name become one. What an
earlier section has said, word for word and on no further source, is left out of the later ones if it cites
something: what cites nothing ("The sources do not state its age.") may mean another thing under another
heading. No section loses its answer by it: the paragraph that opens one stays as long as anything else
does; of a section or a list of which nothing is left, a line says under which heading it stands. A heading
inside a section stands once: where it comes again it goes, or, where its text would run on into another
list, becomes a bold line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from .guard import without_ids
from .ledger import cited_ids, plain_line
from .terms import cjk_count
from .text import CODE, outside_code
from .verification.removal import without_empty_headings
from .verification.sentences import Block, blocks, sentence_spans

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
_LINE = re.compile(r"^([ \t]*)\S.*$", re.MULTILINE)
_PROSE = ("paragraph", "item")


class Piece(NamedTuple):
    """A part of a report: its heading ("" for what stands under the title), and its text without it.

    One that is not `needed` is left out if all of it was said before, cited or not; another never is.
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
        heading, text = section[0].heading, _together(section)
        needed = any(one.needed for one in section)
        if needed or _says_new(text, said):
            new, pointer = _new(text, heading, said, SAME[language])
            text = _once_named(new, names) or (pointer if needed else "")
            written += [f"## {heading}\n\n{text}"] if text else []
    return "\n\n".join(filter(None, written)) + "\n"


def _together(pieces: Sequence[Piece]) -> str:
    return "\n\n".join(without_empty_headings(one.text) for one in pieces)


def _raised(text: str) -> str:
    """Headings inside a section one level up, where the section's own is gone."""
    return re.sub(r"^#(?=##+[ \t])", "", text, flags=re.MULTILINE)


def _new(text: str, heading: str, said: dict[str, _Said], pointers: tuple[str, str]) -> tuple[str, str]:
    """The text without what stood before; or, where nothing is left of it, "" and a pointer to that."""
    every = list(blocks(_without_fences(text)))
    again = _said_again(text, every, heading, said)
    lists = _lost_lists(text, every, again)
    if not _changed(text, dict.fromkeys([*again, *lists], "")):
        return "", _pointer(again.values(), heading, pointers)
    first = next((block for block in every if block.kind != "heading"), None)
    if first and first.kind == "paragraph":
        again.pop(first, None)
    told = {lead: _pointer([again[one] for one in lost], heading, pointers) for lead, lost in lists.items()}
    return _changed(text, dict.fromkeys(again, "") | told), ""


def _says_new(text: str, said: Mapping[str, _Said]) -> bool:
    """Whether anything in it, cited or not, has not been said before.

    Short lines may mean another thing here, unless they stand beside a sentence that was said, too.
    """
    every = [one for one in blocks(text) if one.kind != "heading"]
    lines = [_words(text[one.start : one.end]) for one in every]

    def told(words: str, ids: set[str]) -> bool:
        return words in said and ids <= said[words].ids

    again = all(one.kind in _PROSE for one in every) and all(told(*line) for line in lines)
    return "```" in text or not (again and (not lines or any(_is_sentence(words) for words, _ in lines)))


def _without_fences(text: str) -> str:
    """The text with fenced code blanked out: it is never taken out."""
    return CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]) if code[0][:3] == "```" else code[0], text)


def _said_again(text: str, every: Sequence[Block], heading: str, said: dict[str, _Said]) -> dict[Block, str]:
    """Paragraphs and list items that may go, and the headings under which they stand.

    Rows of a table are never taken out one by one, nor is an item of which anything that stays depends.
    """
    again = dict[Block, str]()
    for block in every:
        words, ids = _words(text[block.start : block.end])
        before = said.get(words)
        if block.kind not in _PROSE:
            continue
        if before and ids and ids <= before.ids and _is_sentence(words):
            again[block] = before.heading
        elif before and before.ids:
            said[words] = _Said(before.heading, before.ids | ids)
        else:
            said[words] = _Said(heading, ids)
    for item in [block for block in reversed(again) if block.kind == "item"]:
        if _stays(text, item.end, _end_under(text, item), again):
            del again[item]
    return again


def _lost_lists(text: str, every: Sequence[Block], again: dict[Block, str]) -> dict[Block, list[Block]]:
    """The lines that open a list of which nothing would be left, and its items.

    Where such a line says more than that a list follows, or is an item itself, its list stays instead.
    """
    lists = dict[Block, list[Block]]()
    for place, lead in enumerate(every):
        said = text[lead.start : lead.end]
        if lead.kind not in _PROSE or not _OPENS_LIST.search(_words(said)[0]):
            continue
        lost = _opened(text, lead, every[place + 1 :])
        if not lost or not again.keys() >= set(lost) or _stays(text, lead.end, lost[-1].end, again):
            continue
        known = {name for one in lost for name in cited_ids(text[one.start : one.end])}
        says_more = len(list(sentence_spans(said))) > 1 or not known.issuperset(cited_ids(said))
        if lead.kind == "paragraph" and not says_more:
            lists[lead] = lost
        else:
            for one in lost:
                del again[one]
    return lists


def _opened(text: str, lead: Block, following: Sequence[Block]) -> list[Block]:
    """What follows a line that opens a list, as far as it belongs to it; a paragraph may be all of it."""
    deep = _indent(text, lead)

    def belongs(block: Block) -> bool:
        beside = lead.kind == "paragraph" and (block.kind == "item" or block == following[0])
        return _indent(text, block) > deep or (beside and _indent(text, block) == deep)

    return list(takewhile(belongs, following))


def _stays(text: str, start: int, end: int, gone: Iterable[Block]) -> bool:
    """Whether anything is left between the ends of two blocks if these go, which are given in order."""
    left, place = "", start
    for block in gone:
        if start <= block.start < end:
            left += text[place : text.rfind("\n", 0, block.start) + 1]
            place = block.end
    return bool((left + text[place:end]).strip())


def _end_under(text: str, item: Block) -> int:
    """Where the lines end that stand under an item, further in than it does."""
    end, deep = item.end, _indent(text, item)
    for line in _LINE.finditer(text, end):
        if len(line[1].expandtabs(4)) <= deep:
            break
        end = line.end()
    return end


def _indent(text: str, block: Block) -> int:
    line = text[text.rfind("\n", 0, block.start) + 1 : block.start].expandtabs(4)
    return len(line) - len(line.lstrip())


def _changed(text: str, changes: Mapping[Block, str]) -> str:
    """The text with other lines, or none, in the place of these blocks; no heading is left over nothing."""
    for block in sorted(changes, reverse=True):
        line, after = text.rfind("\n", 0, block.start) + 1, text[block.end :].partition("\n")[2]
        before = f"{text[: block.start]}{changes[block]}\n\n" if changes[block] else text[:line]
        text = before + after
    return re.sub(r"\n{3,}", "\n\n", without_empty_headings(text)).strip()


def _pointer(under: Iterable[str], heading: str, pointers: tuple[str, str]) -> str:
    """Where it stands, as far as that is not in this section."""
    others = [there for there in dict.fromkeys(under) if there != heading]
    return " ".join(pointers[1].format(there) if there else pointers[0] for there in others)


def _is_sentence(words: str) -> bool:
    """Whether this is long enough to be missed nowhere; what opens a list is told again with its list."""
    return len(words) + 3 * cjk_count(words) >= _SENTENCE and not _OPENS_LIST.search(words)


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
