"""Long documents cut into passages, the unit that search ranks, and the snippet that a result shows.

BM25 divides by length, so a page of a hundred paragraphs that answers a question in one of them would rank
below every short page that merely mentions the words. Cut into passages of about the length of an ordinary
page, each with the title of the whole, it competes on equal terms. The first passage of a long document is
only its lead, short enough that little but the title decides when a query names the document. A document of
ordinary length is one passage, and ranks as it would without any cutting.

A snippet is the window in which the query's distinct terms weigh most; rare terms count more. It is found
from the positions of the terms, so the cost grows with the number of matches and not with the length of the
document times the width. The window then grows to sentence or line boundaries and loses its Markdown.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from .terms import cjk_count, is_cjk

# Characters of English, of which a word takes six with its blank: 500, 400 and 50 words.
_LONGEST_PASSAGE = 3_000
_USUAL_LENGTH = 2_400
_LEAD_LENGTH = 300
# A Chinese or Japanese character counts as three: two of them make a word.
_EXTRA_PER_CJK = 2

# What a passage may end with, best first; the cut is behind the match.
_BOUNDARIES = (
    re.compile(r"\n(?=#{1,6} )"),
    re.compile(r"\n\s*\n"),
    re.compile(r"\n"),
    re.compile(r"[.!?][\"')\]]*\s+|[。！？][」』）]*"),
    re.compile(r"\s+"),
)


def passage_spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each passage of `text`, in order and without a gap; one even for an empty text.

    A text that is cut opens with a short passage, its lead; the others are about equally long. Each ends at a
    heading, a paragraph, a line, a sentence or a word: the first of these that lies near the length wanted.
    """
    size = len(text) + _EXTRA_PER_CJK * cjk_count(text)
    start = 0
    if size > _LONGEST_PASSAGE:
        lead, usual = _LEAD_LENGTH * len(text) // size, _USUAL_LENGTH * len(text) // size
        start = _cut_point(text, lead // 3, lead)
        yield 0, start
        while (left := len(text) - start) > usual * 5 // 4:
            wanted = left // math.ceil(left / usual)
            end = _cut_point(text, start + wanted * 5 // 6, start + wanted * 7 // 6)
            yield start, end
            start = end
    yield start, len(text)


def _cut_point(text: str, earliest: int, latest: int) -> int:
    """The last place between two positions at which `text` may be cut, by the best kind of boundary there."""
    for boundary in _BOUNDARIES:
        ends = [match.end() for match in boundary.finditer(text, earliest, latest)]
        if ends:
            return ends[-1]
    return latest


def best_part(text: str, terms: Sequence[str], length: int) -> str:
    """At most `length` characters of `text`: its beginning, or those around the passage with the rarest terms
    where that lies behind.
    """
    if len(text) <= length:
        return text
    spans = list(passage_spans(text))
    found = [{term for _, _, term in _find_terms(text[start:end], terms)} for start, end in spans]
    counts = Counter(term for some in found for term in some)
    weights = [math.fsum(sorted(math.log(1 + len(spans) / counts[term]) for term in some)) for some in found]
    best, end = spans[weights.index(max(weights))]
    start = 0 if end <= length else min((best + end - length) // 2, len(text) - length)
    if 0 < start < best:
        start = _cut_point(text, start, min(best, start + length // 6))
    return text[min(start, best) : min(start, best) + length]


_SNIPPET_WIDTH = 300
_MAX_MATCHES = 2_000

_SENTENCE_GAP = re.compile(
    r"(?<=[.!?])[\"')\]]*\s+|(?<=[。！？])[」』）]*\s*|\n\s*\n|\n(?=\s*(?:[-*+|#>]|\d+[.)]\s))"
)
_SUFFIX = re.compile(r"(?<=\w{3})(?:ings?|ied|ies|ed|es|ly|s|y|e)$")
_TARGET = r"\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)"
# In order; the first column is a mark without which a rule has nothing to do. NUL stands for a line end that
# stays, until all other white space has become single blanks.
_MARKDOWN = (
    ("](", re.compile(rf"!\[[^\]]*\]{_TARGET}"), ""),
    ("](", re.compile(rf"\[([^\]]+)\]{_TARGET}"), r"\1"),
    ("--", re.compile(r"(?m)^[ \t]*\|?(?:[ \t]*:?-{2,}:?[ \t]*\|)+(?:[ \t]*:?-{2,}:?)?[ \t]*$"), ""),
    ("", re.compile(r"(?m)^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+|\|[ \t]*|(?=\d+[.)][ \t]))"), "\0"),
    ("|", re.compile(r"(?m)(?<![ \t])[ \t]*\|[ \t]*$"), ""),
    ("**", re.compile(r"\*\*"), ""),
    ("`", re.compile("`"), ""),
    ("\n", re.compile(r"(?<![^\S\n])[^\S\n]*(?:\n\s*\n\s*|\n(?=\0))"), "\0"),
    ("", re.compile(r"\s+"), " "),
    ("\0", re.compile(r" ?\0+ ?"), "\n"),
)


def _plain_text(markdown: str) -> str:
    """Markdown as plain text: one line per paragraph, list item, heading and table row.

    Links are left by their text, table cells with bars between them.
    """
    for mark, pattern, replacement in _MARKDOWN:
        if mark in markdown:
            markdown = pattern.sub(replacement, markdown)
    return markdown.strip()


def best_snippet(text: str, terms: Sequence[str], width: int = _SNIPPET_WIDTH) -> str:
    """About `width` characters of `text` around the densest group of query terms; the opening if none occurs.

    An ellipsis marks an end only where a sentence had to be cut.
    """
    first, last = _densest_window(text, terms, width)
    start, cut_before = _snippet_start(text, first, width)
    end, cut_after = _snippet_end(text, start, last, width)
    return "…" * cut_before + _plain_text(text[start:end]) + "…" * cut_after


def _densest_window(text: str, terms: Sequence[str], width: int) -> tuple[int, int]:
    """Start and end of the window whose distinct terms weigh most; the first one of equals."""
    matches = _find_terms(text, terms)
    if not matches:
        return 0, 0
    counts = Counter(term for _, _, term in matches)
    weight = {term: math.log(1 + len(matches) / count) for term, count in counts.items()}
    best, span = -1.0, (0, 0)
    starts = [start for start, _, _ in matches]
    for i, (start, _, _) in enumerate(matches):
        inside = matches[i : bisect_left(starts, start + width)]
        score = math.fsum(weight[term] for term in {term for _, _, term in inside})
        if score > best + 1e-9:
            best, span = score, (start, max(end for _, end, _ in inside))
    return span


def _find_terms(text: str, terms: Sequence[str]) -> list[tuple[int, int, str]]:
    """Where the terms stand: (start, end, stem), matched by their stems at the start of words, in order.

    Looks for one stem after the other: a plain search is far quicker than one expression of all.
    """
    lowered = _lowercase(text)
    stems = {term if is_cjk(term) else _SUFFIX.sub("", term) for term in terms}
    found: dict[int, tuple[int, int, str]] = {}
    for stem in sorted(stems, key=len):  # a longer stem replaces a shorter one
        inside_words = is_cjk(stem)
        start, count = lowered.find(stem), 0
        while start >= 0 and count < _MAX_MATCHES:
            if inside_words or start == 0 or not (lowered[start - 1].isalnum() or lowered[start - 1] == "_"):
                found[start] = (start, start + len(stem), stem)
                count += 1
            start = lowered.find(stem, start + len(stem))
    return [found[start] for start in sorted(found)[:_MAX_MATCHES]]


def _lowercase(text: str) -> str:
    """Lower case, each character in its place: the few that would become two stay as they are."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


def _snippet_start(text: str, first: int, width: int) -> tuple[int, bool]:
    """Where the snippet starts, and whether that is inside a sentence: half a width before at most."""
    earliest = max(0, first - width // 2)
    starts = [gap.end() for gap in _SENTENCE_GAP.finditer(text, earliest, first + 1) if gap.end() <= first]
    if earliest == 0:
        return (starts[-1] if starts and first > width // 3 else 0), False
    if starts:
        return starts[-1], False
    return max(text.rfind(" ", earliest, first) + 1, earliest), True


def _snippet_end(text: str, start: int, last: int, width: int) -> tuple[int, bool]:
    """Where the snippet ends, and whether that is inside a sentence: a third over `width` at most."""
    limit = max(start + width, last)
    if limit >= len(text):
        return len(text), False
    ends = [
        gap.start() for gap in _SENTENCE_GAP.finditer(text, last, limit + width // 3) if gap.start() > start
    ]
    if ends:
        return max([end for end in ends if end <= limit], default=ends[0]), False
    space = text.rfind(" ", max(last, start + width // 2), limit)
    return (space if space >= 0 else limit), True
