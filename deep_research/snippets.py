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

from .terms import is_cjk

WIDTH = 300
MAX_MATCHES = 2_000

_BOUNDARY = re.compile(
    r"(?<=[.!?])[\"')\]]*\s+|(?<=[。！？])[」』）]*\s*|\n\s*\n|\n(?=\s*(?:[-*+|#>]|\d+[.)]\s))"
)
_SUFFIX = re.compile(r"(?<=\w{3})(?:ings?|ied|ies|ed|es|ly|s|y|e)$")
_TARGET = r"\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)"
# In order. NUL stands for a line end that stays, until all other white space has become single blanks.
_MARKDOWN = (
    (re.compile(rf"!\[[^\]]*\]{_TARGET}"), ""),
    (re.compile(rf"\[([^\]]+)\]{_TARGET}"), r"\1"),
    (re.compile(r"(?m)^\s*\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?)?\s*$"), ""),
    (re.compile(r"(?m)^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+|\|[ \t]*|(?=\d+[.)][ \t]))"), "\0"),
    (re.compile(r"(?m)[ \t]*\|[ \t]*$"), ""),
    (re.compile(r"\*\*|`"), ""),
    (re.compile(r"[^\S\n]*\n\s*\n\s*|[^\S\n]*\n(?=\0)"), "\0"),
    (re.compile(r"\s+"), " "),
    (re.compile(r" ?\0+ ?"), "\n"),
)


def plain(markdown: str) -> str:
    """Markdown as plain text: one line per paragraph, list item, heading and table row.

    Links are left by their text, table cells with bars between them.
    """
    for pattern, replacement in _MARKDOWN:
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
        score = sum(weight[term] for term in sorted({term for _, _, term in inside}))
        if score > best + 1e-9:
            best, span = score, (start, max(end for _, end, _ in inside))
    return span


def _matches(text: str, terms: Sequence[str]) -> list[tuple[int, int, str]]:
    """Where the terms stand: (start, end, term), matched by their stems at the start of words."""
    stems = {(term if is_cjk(term) else _SUFFIX.sub("", term)): term for term in terms}
    if not stems:
        return []
    words = sorted((re.escape(stem) for stem in stems if not is_cjk(stem)), key=len, reverse=True)
    pairs = [re.escape(stem) for stem in stems if is_cjk(stem)]
    either = [rf"\b(?:{'|'.join(words)})"] * bool(words) + pairs
    found: list[tuple[int, int, str]] = []
    for match in re.finditer("|".join(either), text, re.IGNORECASE):
        found.append((match.start(), match.end(), match[0].lower()))
        if len(found) == MAX_MATCHES:
            break
    return found


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
