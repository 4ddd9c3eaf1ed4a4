"""The passage of a document that says most about a query, as plain text.

The best window is found from the positions of the query's terms, so the cost grows with the number of matches
and not with the length of the document times the width. Rare terms count more than frequent ones. The window
then grows to sentence or line boundaries and loses its Markdown.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from .terms import is_cjk

WIDTH = 300
MAX_MATCHES = 2_000

_BOUNDARY = re.compile(
    r"(?<=[.!?])[\"')\]]*\s+|(?<=[。！？])[」』）]*\s*|\n\s*\n|\n(?=\s*(?:[-*+|#>]|\d+[.)]\s))"
)
_SUFFIX = re.compile(r"(?<=\w{3})(?:ings?|ied|ies|ed|es|ly|s|y|e)$")
_TARGET = r"\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)"
# In order; the first column is a mark without which a rule has nothing to do. NUL stands for a line end that
# stays, until all other white space has become single blanks.
_MARKDOWN = (
    ("](", re.compile(rf"!\[[^\]]*\]{_TARGET}"), ""),
    ("](", re.compile(rf"\[([^\]]+)\]{_TARGET}"), r"\1"),
    ("--", re.compile(r"(?m)^\s*\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?)?\s*$"), ""),
    ("", re.compile(r"(?m)^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+|\|[ \t]*|(?=\d+[.)][ \t]))"), "\0"),
    ("|", re.compile(r"(?m)[ \t]*\|[ \t]*$"), ""),
    ("**", re.compile(r"\*\*"), ""),
    ("`", re.compile("`"), ""),
    ("\n", re.compile(r"[^\S\n]*\n\s*\n\s*|[^\S\n]*\n(?=\0)"), "\0"),
    ("", re.compile(r"\s+"), " "),
    ("\0", re.compile(r" ?\0+ ?"), "\n"),
)


def plain(markdown: str) -> str:
    """Markdown as plain text: one line per paragraph, list item, heading and table row.

    Links are left by their text, table cells with bars between them.
    """
    for mark, pattern, replacement in _MARKDOWN:
        if mark in markdown:
            markdown = pattern.sub(replacement, markdown)
    return markdown.strip()


def best_snippet(text: str, terms: Sequence[str], width: int = WIDTH) -> str:
    """About `width` characters of `text` around the densest group of query terms; the opening if none occurs.

    An ellipsis marks an end only where a sentence had to be cut.
    """
    first, last = _densest(text, terms, width)
    start, cut_before = _opening(text, first, width)
    end, cut_after = _closing(text, start, last, width)
    return "…" * cut_before + plain(text[start:end]) + "…" * cut_after


def _densest(text: str, terms: Sequence[str], width: int) -> tuple[int, int]:
    """Start and end of the window whose distinct terms weigh most; the first one of equals."""
    matches = _matches(text, terms)
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


def _matches(text: str, terms: Sequence[str]) -> list[tuple[int, int, str]]:
    """Where the terms stand: (start, end, stem), matched by their stems at the start of words, in order.

    Looks for one stem after the other: a plain search is far quicker than one expression of all.
    """
    lowered = _lowered(text)
    found: dict[int, tuple[int, int, str]] = {}
    for stem in sorted({_stem(term) for term in terms}, key=len):  # a longer stem replaces a shorter one
        inside_words = is_cjk(stem)
        start, count = lowered.find(stem), 0
        while start >= 0 and count < MAX_MATCHES:
            if inside_words or start == 0 or not (lowered[start - 1].isalnum() or lowered[start - 1] == "_"):
                found[start] = (start, start + len(stem), stem)
                count += 1
            start = lowered.find(stem, start + len(stem))
    return [found[start] for start in sorted(found)[:MAX_MATCHES]]


@lru_cache(maxsize=4096)
def _stem(term: str) -> str:
    return term if is_cjk(term) else _SUFFIX.sub("", term)


def _lowered(text: str) -> str:
    """Lower case, each character in its place: the few that would become two stay as they are."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


def _opening(text: str, first: int, width: int) -> tuple[int, bool]:
    """Where the snippet starts, and whether that is inside a sentence: half a width before at most."""
    earliest = max(0, first - width // 2)
    starts = [gap.end() for gap in _BOUNDARY.finditer(text, earliest, first + 1) if gap.end() <= first]
    if earliest == 0:
        return (starts[-1] if starts and first > width // 3 else 0), False
    if starts:
        return starts[-1], False
    return max(text.rfind(" ", earliest, first) + 1, earliest), True


def _closing(text: str, start: int, last: int, width: int) -> tuple[int, bool]:
    """Where the snippet ends, and whether that is inside a sentence: a third over `width` at most."""
    limit = max(start + width, last)
    if limit >= len(text):
        return len(text), False
    ends = [gap.start() for gap in _BOUNDARY.finditer(text, last, limit + width // 3) if gap.start() > start]
    if ends:
        return max([end for end in ends if end <= limit], default=ends[0]), False
    space = text.rfind(" ", max(last, start + width // 2), limit)
    return (space if space >= 0 else limit), True
