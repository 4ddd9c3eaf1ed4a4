"""The item look-up: a labelled part of a document (“Theorem 3.1”, “Table 2”, “§ 4”) as a passage to read.

It looks in what the branch has read so far, then in the user's documents and notes. Labels are compared by
kind and number, so `Thm. 3.1`, `Theorem 3.1` and `定理3.1` are one, in English, Chinese and Japanese. An item
starts at a line that begins with its label, not where the text merely mentions it, and ends at the next label
or heading; a section ends at the next heading of its rank.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from deep_research.core.errors import ToolError
from deep_research.core.records import Source
from deep_research.engine.context import Context
from deep_research.engine.providers import SearchHit
from deep_research.engine.tools import LOOK_UP_ITEM
from deep_research.text.data import read_data
from deep_research.text.language import shorten
from deep_research.text.urls import canonical_url

from .index import Document
from .ledger import canonical_key, full_text
from .search import document_hit, providers_in

MAX_PASSAGE = 3_000
"""Characters of one item, at most."""
_CANDIDATES = 20
"""Documents that the local index offers for a label; each is looked through."""
_SHOWN = 20

_NAMES = {name: kind for kind, names in read_data(__file__, "items.toml").items() for name in names.split()}
_WORDS = "|".join(sorted(map(re.escape, _NAMES), key=len, reverse=True))
_NUMBER = r"(?-i:[A-Z]?\d{1,3}(?:[.\-–]\d{1,3}){0,4}[a-z]?|[A-Z](?![\w.])|[IVXLC]{1,6}(?![\w.]))"
_MENTION = re.compile(r"[)*_]*(?:\s*[a-z]|[^\W\d_a-zA-Z])")
"""What follows a label in a sentence about the item ("Table 2 shows"), and not where the item starts."""
_LABEL = re.compile(
    rf"(?:第\s*(?P<cjk>{_NUMBER})\s*(?P<behind>节|節|章)|(?P<word>{_WORDS})s?\.?\s*(?P<number>{_NUMBER}))",
    re.IGNORECASE,
)
_OPENS = re.compile(r"^[ \t>*_|-]*(?P<rank>#{0,6})[ \t*_]*")
_NUMBERED_HEADING = re.compile(rf"^(?P<number>{_NUMBER})[.)]?[ \t]+\S")
_TABLE_LINE = re.compile(r"^\s*\|")


class Label(NamedTuple):
    """What is looked up: the kind of item, and its number as written."""

    kind: str
    number: str

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


class ItemStart(NamedTuple):
    """Where an item starts: the line, its label, and the rank of the heading it stands in (0 for none)."""

    line: int
    label: Label | None
    rank: int


def read_label(text: str) -> Label | None:
    """The label that a text starts with; None if it starts with none."""
    match = _LABEL.match(text.strip())
    if match is None:
        return None
    kind = _NAMES[(match["word"] or match["behind"]).lower()]
    return Label(kind, (match["number"] or match["cjk"]).replace("–", "-").upper())


async def look_up_item(label: str, known: Sequence[Source], ctx: Context) -> list[SearchHit]:
    """The passages that carry a label, in the sources known so far first; one per document.

    Raises `ToolError`, with the labels that there are, if no document has it.
    """
    wanted = read_label(label)
    if wanted is None:
        raise ToolError(
            f"“{shorten(label, 80)}” is no label; one looks like 'Theorem 3.1', 'Table 2' or '§ 4'."
        )
    found, seen = list[SearchHit](), list[Label]()
    async for hit in _documents(str(wanted), label, known, ctx):
        lines = hit.text.splitlines()
        starts = list(_starts(lines))
        passage = _passage(lines, starts, wanted)
        if passage:
            found.append(replace(hit, passage=passage, snippet=shorten(passage, 300)))
        seen += [start.label for start in starts if start.label]
    if not found:
        raise ToolError(_nothing(wanted, seen))
    ctx.emit("call", role="researcher", tool=LOOK_UP_ITEM.name, text=str(wanted), found=len(found))
    return found


async def _documents(
    plain: str, label: str, known: Sequence[Source], ctx: Context
) -> AsyncIterator[SearchHit]:
    """Every document to look through, each once: sources, then documents and notes with such words."""
    seen = {canonical_key(source) for source in known}
    for source in known:
        yield SearchHit(
            source.title, source.snippet, source.url, source.citation_key, full_text(source, ctx),
            source.published, source.kind, source.page, source.tool,
        )  # fmt: skip
    many = ctx.settings.search.model_copy(update={"results": _CANDIDATES})
    for part in providers_in(ctx.search, "documents"):
        for query in dict.fromkeys((label, plain)):
            for hit in await part.search(query, many):
                if (key := _key(hit)) not in seen:
                    seen.add(key)
                    yield hit
    for passage in ctx.knowledge.search(label, _CANDIDATES) if ctx.knowledge else ():
        note = passage.document
        if (key := _key(note)) not in seen:
            seen.add(key)
            yield document_hit(note, passage.text[:300], "knowledge")


def _key(found: SearchHit | Document) -> str:
    return canonical_url(found.url) if found.url else found.citation_key or ""


def _starts(lines: Sequence[str]) -> Iterator[ItemStart]:
    """The lines that start an item or are a heading."""
    for place, line in enumerate(lines):
        opening = _OPENS.match(line)
        rank, text = (len(opening["rank"]), line[opening.end() :]) if opening else (0, line)
        if (label := _opening_label(text, rank)) or rank:
            yield ItemStart(place, label, rank)


def _opening_label(text: str, rank: int) -> Label | None:
    """The label of a line that opens an item; in a heading a bare number is the section's."""
    numbered = _NUMBERED_HEADING.match(text) if rank else None
    if numbered:
        return Label("section", numbered["number"].upper())
    match = _LABEL.match(text)
    if match is None or (not rank and _MENTION.match(text, match.end())):
        return None
    return read_label(match[0])


def _passage(lines: Sequence[str], starts: Sequence[ItemStart], wanted: Label) -> str:
    """The text of an item, from its first start on; empty if the document has none of this label."""
    place = next((n for n, start in enumerate(starts) if _same(start.label, wanted)), None)
    if place is None:
        return ""
    first = starts[place]
    last = next((s.line for s in starts[place + 1 :] if _ends(s, first)), len(lines))
    begin = first.line
    if wanted.kind == "table" and not any(map(_TABLE_LINE.match, lines[begin + 1 : last])):
        begin = _table_above(lines, begin)
    return "\n".join(lines[begin:last]).strip()[:MAX_PASSAGE]


def _same(label: Label | None, wanted: Label) -> bool:
    """Sections and chapters are one kind: where "§ 4" is asked for, "4. Results" is meant."""
    parts = {"section", "chapter"}
    if label is None or label.number != wanted.number:
        return False
    return label.kind == wanted.kind or {label.kind, wanted.kind} <= parts


def _ends(start: ItemStart, first: ItemStart) -> bool:
    """Whether an item that began at `first` is over: a heading of its rank or above, or another label."""
    if first.rank:
        return 0 < start.rank <= first.rank
    return True


def _table_above(lines: Sequence[str], caption: int) -> int:
    """Where the table starts that stands above its caption; the caption's own line if there is none."""
    place = caption
    while place and (not lines[place - 1].strip() or _TABLE_LINE.match(lines[place - 1])):
        place -= 1
    return place if any(map(_TABLE_LINE.match, lines[place:caption])) else caption


def _nothing(wanted: Label, seen: Sequence[Label]) -> str:
    """What to answer when no document has the label: which ones there are, those of its kind first."""
    others = sorted(dict.fromkeys(seen), key=lambda label: label.kind != wanted.kind)[:_SHOWN]
    there = f"Labels there: {', '.join(map(str, others))}." if others else "There are no labelled items."
    return f"No document or source that you have holds {wanted}. {there}"
