"""Joining what was written apart: one report from sections whose writers have not seen one another's.

What bears the report's own title stands first, right under it; sections of one name become one. What an
earlier section has said, word for word and on no further source, is left out of the later ones if it cites
something: what cites nothing ("The sources do not state its age.") may mean another thing under another
heading. No section loses its answer by it: the paragraph that opens one stays as long as anything else does.
A section or a list of which nothing is left goes, with the line that opens the list. A heading inside a
section stands once: where it comes again it goes, or, where its text would run on into another list, becomes
a bold line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

from deep_research.sources.citations import plain_line
from deep_research.text.blocks import without_empty_headings
from deep_research.text.cited_sentences import TextBlock, sentence_spans, text_blocks
from deep_research.text.fence import without_ids
from deep_research.text.language import CODE, outside_code
from deep_research.text.source_ids import cited_ids
from deep_research.text.terms import cjk_count
from deep_research.text.titles import as_title

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

    One that is not `needed` is left out if all of it was said before, cited or not; another if all was cited.
    """

    heading: str
    text: str
    needed: bool = True


def clean_piece(section: str) -> Piece:
    """A written section, `## heading` and text, as a piece."""
    heading = _FIRST_HEADING.match(section)
    return Piece(heading[1].strip(), section[heading.end() :].strip()) if heading else Piece("", section)


def join_pieces(title: str, pieces: Sequence[Piece]) -> str:
    """The pieces under the title as one Markdown text."""
    groups: dict[str, list[Piece]] = {_name(title): []}
    for one in pieces:
        groups.setdefault(_name(one.heading) or _name(title), []).append(one)
    opening, *sections = groups.values()
    said, names = dict[str, set[str]](), set(groups)
    text = _once_named(_new(_together(opening), said), names)
    told = "\n".join(one.text for one in pieces)
    written = [f"# {plain_line(without_ids(as_title(title, told)))}", outside_code(text, _raised)]
    for section in sections:
        heading, text = plain_line(without_ids(section[0].heading)), _together(section)
        text = _once_named(_new(text, said, any(one.needed for one in section)), names)
        written += [f"## {heading}\n\n{text}"] if text else []
    return "\n\n".join(filter(None, written)) + "\n"


def _together(pieces: Sequence[Piece]) -> str:
    return "\n\n".join(without_empty_headings(one.text) for one in pieces)


def _raised(text: str) -> str:
    """Headings inside a section one level up, where the section's own is gone."""
    return re.sub(r"^#(?=##+[ \t])", "", text, flags=re.MULTILINE)


def _new(text: str, said: dict[str, set[str]], needed: bool = True) -> str:
    """The text without what stood before; "" where nothing is left of it."""
    every = list(text_blocks(_without_fences(text)))
    again = _said_again(text, every, said, needed)
    lists = _lost_lists(text, every, again)
    if not _without(text, [*again, *lists]):
        return ""
    first = next((block for block in every if block.kind != "heading"), None)
    opening = first if first and first.kind == "paragraph" else None
    return _without(text, [*(block for block in again if block != opening), *lists])


def _without_fences(text: str) -> str:
    """The text with fenced code blanked out: it is never taken out."""
    return CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]) if code[0][:3] == "```" else code[0], text)


def _said_again(
    text: str, every: Sequence[TextBlock], said: dict[str, set[str]], needed: bool
) -> list[TextBlock]:
    """Paragraphs and list items that may go; where the section is needed, only such as cite something.

    Rows of a table are never taken out one by one, nor is an item of which anything that stays depends.
    """
    again = list[TextBlock]()
    for block in every:
        words, ids = _words(text[block.start : block.end])
        before = said.get(words)
        if block.kind not in _PROSE:
            continue
        if before is not None and ids <= before and (ids or not needed) and _is_sentence(words):
            again.append(block)
        else:
            said[words] = ids | (before or set())
    for item in [block for block in reversed(again) if block.kind == "item"]:
        if _stays(text, item.end, _end_under(text, item), again):
            again.remove(item)
    return again


def _lost_lists(text: str, every: Sequence[TextBlock], again: list[TextBlock]) -> list[TextBlock]:
    """The lines that open a list of which nothing would be left.

    Where such a line says more than that a list follows, or is an item itself, its list stays instead.
    """
    lists = list[TextBlock]()
    for place, lead in enumerate(every):
        said = text[lead.start : lead.end]
        if lead.kind not in _PROSE or not _OPENS_LIST.search(_words(said)[0]):
            continue
        lost = _opened(text, lead, every[place + 1 :])
        if not lost or not set(again) >= set(lost) or _stays(text, lead.end, lost[-1].end, again):
            continue
        known = {name for one in lost for name in cited_ids(text[one.start : one.end])}
        says_more = len(list(sentence_spans(said))) > 1 or not known.issuperset(cited_ids(said))
        if lead.kind == "paragraph" and not says_more:
            lists.append(lead)
        else:
            again[:] = [block for block in again if block not in lost]
    return lists


def _opened(text: str, lead: TextBlock, following: Sequence[TextBlock]) -> list[TextBlock]:
    """What follows a line that opens a list, as far as it belongs to it; a paragraph may be all of it."""
    deep = _indent(text, lead)

    def belongs(block: TextBlock) -> bool:
        beside = lead.kind == "paragraph" and (block.kind == "item" or block == following[0])
        return _indent(text, block) > deep or (beside and _indent(text, block) == deep)

    return list(takewhile(belongs, following))


def _stays(text: str, start: int, end: int, gone: Iterable[TextBlock]) -> bool:
    """Whether anything is left between the ends of two blocks if these go, which are given in order."""
    left, place = "", start
    for block in gone:
        if start <= block.start < end:
            left += text[place : text.rfind("\n", 0, block.start) + 1]
            place = block.end
    return bool((left + text[place:end]).strip())


def _end_under(text: str, item: TextBlock) -> int:
    """Where the lines end that stand under an item, further in than it does."""
    end, deep = item.end, _indent(text, item)
    for line in _LINE.finditer(text, end):
        if len(line[1].expandtabs(4)) <= deep:
            break
        end = line.end()
    return end


def _indent(text: str, block: TextBlock) -> int:
    line = text[text.rfind("\n", 0, block.start) + 1 : block.start].expandtabs(4)
    return len(line) - len(line.lstrip())


def _without(text: str, blocks: Iterable[TextBlock]) -> str:
    """The text without these blocks; no heading is left over nothing."""
    for block in sorted(blocks, reverse=True):
        text = text[: text.rfind("\n", 0, block.start) + 1] + text[block.end :].partition("\n")[2]
    return re.sub(r"\n{3,}", "\n\n", without_empty_headings(text)).strip()


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
