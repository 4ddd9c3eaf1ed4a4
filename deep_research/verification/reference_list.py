"""The reference list of a report, found by its entries and not by its heading.

A block of lines that begin alike (`[3]`, `3.`, `- `, `[^3]:`, `【3】`) and lead to an address is a list. It
may stand under a heading in any language or none, have two lines per entry or several entries on one line,
and be followed by an appendix. Of several blocks the one that the text points to wins, then one under a
heading that names it, then the last.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .notation import ADDRESS
from .reference_entries import HEADING, LABEL_LINE, Block, Entry, find_blocks
from .report_blocks import Line

_CITED = re.compile(
    r"\[\^?(\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*)\](?!\]?\((?!#))|【(\d{1,3})|\]\(https?://|https?://"
)
TAIL = 1_000
"""Characters that may follow a list which nothing points to and no heading names."""


def find_reference_list(markdown: str, lines: Sequence[Line]) -> list[Entry]:
    """The entries of the report's list in order; linear in the report's length.

    Empty if there is none, or if sections have their own with the same numbers: none can be trusted then.
    """
    blocks = [
        block for block in find_blocks(markdown, lines) if block.share() >= 0.5 or block.style != "bullet"
    ]
    notes = [entry for block in blocks if block.style == "footnote" for entry in block.entries]
    if any(note.has_address for note in notes):
        return notes
    blocks = [block for block in blocks if block.style != "footnote"]
    pointed = _pointed_to(markdown, [(block.start, block.end) for block in blocks])
    address = ADDRESS.search(markdown)
    first = address.start() if address else len(markdown)
    last = max((match.start() for match in _CITED.finditer(markdown)), default=-1)
    found: list[tuple[tuple[int, ...], int]] = []
    for place, block in enumerate(blocks):
        hits = sum(entry.label in pointed for entry in block.entries) / len(block.entries)
        if not pointed and _is_prose(block, first):
            continue
        if _is_list(block, hits, last < block.end, len(markdown) - block.end):
            score = (int(hits > 0), int(block.named and block.strong), int(block.named), place)
            found.append((score, place))
    if not found:
        return []
    best = max(found)[1]
    entries = _with_neighbours(markdown, blocks, best)
    earlier = (blocks[place] for score, place in found if score[0] and blocks[place].start < entries[0].start)
    rivals = [block for block in earlier if block.named or block.style == "brackets"]
    labels = {entry.label for entry in entries}
    ambiguous = any(entry.label in labels for block in rivals for entry in block.entries)
    return [] if ambiguous else entries


def _is_list(block: Block, hits: float, closes: bool, tail: int) -> bool:
    """`hits`: share of the labels that the text points to. `closes`: nothing is cited after the block."""
    leads = block.share() >= 0.5 or hits >= 0.5
    if block.named and (block.strong or closes):
        return leads or block.style == "brackets"
    if block.style == "brackets":
        return leads and (hits > 0 or closes)
    framed = sum(entry.framed for entry in block.entries) / len(block.entries) >= 0.8
    at_end = closes and tail <= TAIL
    if block.style == "numbered":
        return framed and (hits > 0 or at_end)
    return framed and at_end and block.strong and len(block.entries) > 1 and block.share() == 1


def _is_prose(block: Block, first: int) -> bool:
    """Whether items with addresses are a part of the text, and nothing points to them.

    They tell something, or no heading names them and there is an address further up (`first`).
    """
    if block.style not in ("bullet", "numbered"):
        return False
    return _tells(block) or (not (block.named and block.strong) and first < block.start)


def _tells(block: Block) -> bool:
    """Whether the items are claims; under a heading that names a list all have to look like it."""
    named = block.named and block.strong
    return block.makes_claims() and not (named and any(entry.framed for entry in block.entries))


def _with_neighbours(markdown: str, blocks: Sequence[Block], place: int) -> list[Entry]:
    """The entries of a block, and of those like it around it with only headings between (a grouped list)."""
    first = last = place
    while first and _continues(markdown, blocks[first - 1], blocks[first]):
        first -= 1
    while last + 1 < len(blocks) and _continues(markdown, blocks[last], blocks[last + 1]):
        last += 1
    return [entry for block in blocks[first : last + 1] for entry in block.entries]


def _continues(markdown: str, before: Block, after: Block) -> bool:
    """Same style, numbers that go on or titles, and nothing but headings between."""
    between = markdown[before.end : after.start].splitlines()
    numbers = [entry.label for entry in (before.entries[-1], after.entries[0])]
    rising = all(n and n.isdigit() for n in numbers) and int(numbers[0] or 0) < int(numbers[1] or 0)
    headings = all(not line.strip() or HEADING.match(line) or LABEL_LINE.match(line) for line in between)
    titles = not _tells(before) and not _tells(after)
    return before.style == after.style and headings and (rising or (numbers == [None, None] and titles))


def _pointed_to(markdown: str, inside: Sequence[tuple[int, int]]) -> set[str]:
    """The numbers that bracketed markers outside all blocks of entries name."""
    found: set[str] = set()
    spans = iter([*inside, (len(markdown), len(markdown))])
    start, end = next(spans)
    for match in _CITED.finditer(markdown):
        while match.start() >= end:
            start, end = next(spans)
        if match.start() < start:
            found.update(re.findall(r"\d+", match[1] or match[2] or ""))
    return found
