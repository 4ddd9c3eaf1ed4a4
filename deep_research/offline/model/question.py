"""Understanding a question: what it names, what it asks, in which order the answers must be found.

A question becomes *anchors* (the things named) and *hops* (the relations that lead from an anchor to the
answer). A comparison has two or more anchors that go the same way; what they are compared by is in
`order`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from .anchors import MARK, find_anchors, is_listed, mask
from .hops import YEAR, Hop, find_hops, with_measure
from .shape import count_of, shape_of
from .text import is_cjk, language, term_set, words


@dataclass(frozen=True, slots=True)
class Question:
    """A question, understood. `shape` is fact, compare, same or rank; `when` before, after, now or ""."""

    text: str
    language: str
    shape: str
    anchors: tuple[str, ...]
    hops: tuple[Hop, ...]
    order: str = ""
    count: int = 1
    years: tuple[str, ...] = ()
    terms: frozenset[str] = frozenset()
    when: str = ""

    @property
    def multi(self) -> bool:
        """Whether several anchors are to be set side by side."""
        return len(self.anchors) > 1 and self.shape in {"compare", "same"}


_WHEN = (
    ("before", r"\bbefore\b|\bprior to\b|之前|以前|前は|の前(?!と)"),
    (
        "after",
        r"(?<!look )(?<!looks )(?<!looked )(?<!looking )\bafter\b(?! (?:a|an|my|our) )"
        r"|\bsince\b(?! when)|之后|以后|の後",
    ),
    (
        "now",
        r"\b(?:now|today|current|currently|present|nowadays|these days|at the moment)\b"
        r"|现在|目前|现任|今|現在|現",
    ),
)


_AGED = re.compile(r"\b(?:gets?|grows?|lives?) (?:to be )?older\b", re.IGNORECASE)


def when_of(text: str) -> str:
    """Whether a question is about the time before, after or now; both before and after count as neither."""
    if re.search(r"\bbefore the (?:current|present)\b", text, re.IGNORECASE):
        return "before"
    found = [name for name, pattern in _WHEN if re.search(pattern, text, re.IGNORECASE)]
    return found[0] if len(found) == 1 else ""


@lru_cache(maxsize=4096)
def analyse(text: str) -> Question:
    """Understand a question in English, Chinese or Japanese."""
    if is_cjk(text) and language(text) != "en":
        from .question_cjk import analyse_cjk

        return analyse_cjk(text)
    spans = find_anchors(text)
    anchors = tuple(text[a:b].strip(" ,:;") for a, b in spans)
    masked = _AGED.sub("lives longer", mask(text, spans))
    low = set(words(masked.lower()))
    shape, order = shape_of(masked, low, len(anchors) > 1)
    side_by_side = shape in {"compare", "same"}
    hops = find_hops(masked, is_listed(masked) and side_by_side, side_by_side)
    if shape != "fact":
        hops = with_measure(hops, low, order)
    years = tuple(dict.fromkeys(YEAR.findall(masked)))
    plain = term_set(masked.replace(MARK, " "))
    return Question(text, "en", shape, anchors, hops, order, count_of(masked), years, plain, when_of(masked))
