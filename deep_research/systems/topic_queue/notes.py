"""The note taker: what one answer of a tool says about a topic, in a note of bounded length.

A note is a small finding: the compressor writes it under other instructions, so its numbers are checked and
its sources are kept in the same way. What is longer than allowed is cut, whole lines first, and the cut is
reported. The whole answer stays in the page store, and no prompt shows it again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from deep_research.components.compressor import write_note
from deep_research.core.records import Source
from deep_research.engine.context import Context
from deep_research.engine.evidence import source_block
from deep_research.engine.prompting import system_prompt
from deep_research.sources.ledger import by_any_id
from deep_research.text.language import count_words, split_sentences
from deep_research.text.source_ids import ID_CITATION, cited_ids

_IDS = re.compile(rf"\s*{ID_CITATION.pattern}")
_HEADING = re.compile(r"#+ ")


class Note(NamedTuple):
    """A note that cites ids, and how many words of it were cut."""

    text: str
    cut: int = 0


async def take_note(
    topic: str,
    query: str,
    sources: Sequence[Source],
    ctx: Context,
    shown_before: str = "",
    noted_before: Collection[str] = (),
) -> Note:
    """What these sources, found by this query, say about a topic; quotes if no model can write it.

    `shown_before` are earlier notes, by source: a name in them may be what the answer is about.
    Lines that are `noted_before` are left out. Each query of a call that has found something has as much room
    as if it had been asked alone, and a Chinese or Japanese note has two characters for a word.
    """
    settings, queries = ctx.settings.queue, len({source.query for source in sources})
    asked = settings.note_max_words * max(queries, 1)
    most = asked if ctx.language == "en" else 2 * asked
    said = asked if ctx.settings.prompt_language == "en" else most  # the other prompts count characters
    instructions = system_prompt("note_taker", ctx, min_words=settings.note_min_words, max_words=said)
    text = await write_note(instructions, topic, shown_before, sources, ctx)
    note = bounded_note("\n".join(new_lines(text.splitlines(), noted_before)), most)
    if note.cut:
        ctx.emit("budget", role="compressor", text=f"a note was cut by {note.cut} words", cut=[query])
    return note


def new_lines(lines: Iterable[str], noted_before: Collection[str] = ()) -> list[str]:
    """Lines that were not noted before, each once, below their headings: without its own a line would stand
    below another source's. A heading below which nothing is left goes."""
    known, kept = set(noted_before), list[str]()
    for line in filter(str.strip, lines):
        level, above = (_HEADING.match(one) for one in (line, *(kept[-1:] or [""])))
        if level and above and level[0] == above[0]:
            kept.pop()
        if level or line not in known:
            kept.append(line)
            known.add(line)
    return kept[:-1] if kept and _HEADING.match(kept[-1]) else kept


def bounded_note(text: str, most: int) -> Note:
    """A text of at most so many words: what is over goes, lines from the end, the first line by sentences."""
    lines = text.splitlines()
    kept = _fitting(lines, most)
    if not kept and lines:
        kept = [" ".join(_fitting(split_sentences(lines[0]), most))]
    left = "\n".join(kept).strip()
    return Note(left, note_words(text) - note_words(left))


def _fitting(parts: Sequence[str], most: int) -> list[str]:
    """The first parts that have at most so many words together."""
    kept: list[str] = []
    for part in parts:
        most -= note_words(part)
        if most < 0:
            break
        kept.append(part)
    return kept


def note_words(text: str) -> int:
    """Words of a note without its citations."""
    return count_words(_IDS.sub("", text))


def note_by_source(note: str, sources: Sequence[Source]) -> str:
    """A note as later prompts show it: under each source, the lines that rest on it."""
    known = by_any_id(sources)
    held: dict[str, list[str]] = {}
    for line in note.splitlines():
        for name in cited_ids(line):
            if name in known:
                held.setdefault(known[name].id, []).append(_plain(line, known[name]))
    return "\n\n".join(source_block(known[name], "\n".join(lines)) for name, lines in held.items())


def _plain(line: str, source: Source) -> str:
    """A line without its citations, and without the title that stands over it anyway."""
    text = _IDS.sub("", line).strip().removeprefix("- ")
    return text.removeprefix(f"{source.title}:").strip()
