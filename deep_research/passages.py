"""Long documents cut into passages, the unit that search ranks.

BM25 divides by length, so a page of a hundred paragraphs that answers a question in one of them would stand
behind every short page that merely mentions the words. Cut into passages of about the length of an ordinary
page, each with the title of the whole, it competes on equal terms. The first passage of a long document is
only its lead, short enough that little but the title decides when a query names the document. A document of
ordinary length is one passage, and ranks as it would without any cutting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import ceil

from .terms import cjk_count

# Characters of English, of which a word takes six with its blank: 500, 400 and 50 words. A lead of up to
# 75 words puts each inquiry report of the offline web first for its own title; one of 100 does not.
LONGEST = 3_000
USUAL = 2_400
LEAD = 300
# A Chinese or Japanese character counts as three: two of them make a word.
EXTRA_PER_CJK = 2

# What a passage may end with, best first; the cut is behind the match.
_BOUNDARIES = (
    re.compile(r"\n(?=#{1,6} )"),
    re.compile(r"\n\s*\n"),
    re.compile(r"\n"),
    re.compile(r"[.!?][\"')\]]*\s+|[。！？][」』）]*"),
    re.compile(r"\s+"),
)


def passages(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each passage of `text`, in order and without a gap; one even for an empty text.

    A text that is cut opens with a short passage, its lead; the others are about equally long. Each ends at a
    heading, a paragraph, a line, a sentence or a word: the first of these that lies near the length wanted.
    """
    size = len(text) + EXTRA_PER_CJK * cjk_count(text)
    start = 0
    if size > LONGEST:
        lead, usual = LEAD * len(text) // size, USUAL * len(text) // size
        start = _cut(text, lead // 3, lead)
        yield 0, start
        while (left := len(text) - start) > usual * 5 // 4:
            wanted = left // ceil(left / usual)
            end = _cut(text, start + wanted * 5 // 6, start + wanted * 7 // 6)
            yield start, end
            start = end
    yield start, len(text)


def _cut(text: str, earliest: int, latest: int) -> int:
    """The last place between two positions at which `text` may be cut, by the best kind of boundary there."""
    for boundary in _BOUNDARIES:
        ends = [match.end() for match in boundary.finditer(text, earliest, latest)]
        if ends:
            return ends[-1]
    return latest
