"""What of a report is no sentence to compare, and may still state a number that nobody gave.

A heading, a table's head, a block of code, a line that only announces what follows, a question and a denial
are not looked for in the sources: they mostly state nothing, and their words are the writer's. A number in
them must be in a source or in what the user said all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from deep_research.core.records import Claim
from deep_research.text.cited_sentences import RULE, CitedSentence, plain_claim, text_blocks
from deep_research.text.language import CODE, blank_code
from deep_research.text.quantities import Quantity, is_stated, quantities

from .marks import UNCITED, Checked

_PLACE = re.compile(r"\s*\d{1,2}(?:(?:\.\d{1,2})+\.?|[.)、．])\s")
"""The number of a section, in front of its heading."""
_INSIDE = re.compile(r"```[^\n]*\n(.*?)\s*(?:```|\Z)", re.DOTALL)


def strange_asides(markdown: str, sentences: Sequence[CitedSentence], given: str) -> list[Checked]:
    """Headings, heads of tables, code and these sentences with a number that is not in what was `given`."""
    asides = [*_headings(markdown), *_code(markdown), *sentences]
    numbers = [(aside, quantities(_PLACE.sub("", aside.text, count=1))) for aside in asides]
    known: list[Quantity] = []
    if any(values for _, values in numbers):
        known = [value for line in given.split("\n") for value in quantities(line)]
    return [
        (aside, Claim(text=aside.text, verdict="flagged", reasons=[UNCITED], checked_by="rules"))
        for aside, values in numbers
        if not all(value.counted or is_stated(value, known) for value in values)
    ]


def _headings(markdown: str) -> Iterator[CitedSentence]:
    """Headings, the title too, and the heads of tables."""
    blocks = [*text_blocks(blank_code(markdown))]
    found = [block for block in blocks if block.kind == "heading"]
    found += [
        head
        for head, rule in pairwise(blocks)
        if head.kind == rule.kind == "row" and RULE.fullmatch(markdown[rule.start : rule.end])
    ]
    for block in found:
        yield _aside(markdown, block.start, block.end)


def _code(markdown: str) -> Iterator[CitedSentence]:
    """What stands in fences; charts and pictures are drawn by then."""
    for block in CODE.finditer(markdown):
        if inside := _INSIDE.match(block[0]):
            yield _aside(markdown, block.start() + inside.start(1), block.start() + inside.end(1))


def _aside(markdown: str, start: int, end: int) -> CitedSentence:
    return CitedSentence(plain_claim(markdown[start:end]), start, end, [])
