"""What a request says by itself: whether it asks for a report, of what kind, on which sides."""

from __future__ import annotations

from .kinds import is_title, kind_of
from .report_words import FACETS, READING, subject_terms
from .text import is_cjk, split_prose, tidy

_SIDE_WORDS = frozenset(w for f in FACETS for query in f.query.values() for w in query.split())


def is_broad(question: str) -> bool:
    """Whether a request asks for a report, and not for one fact."""
    return bool(kind_of(tidy(question)) or is_title(question))


def asking_sentence(question: str) -> str:
    """The sentence that asks for the report, with the questions before it; sentences around it tell why. One
    with a single word of its own ("Which library should I choose?") leans on them."""
    said = split_prose(question)
    kinds = [kind_of(one) for one in said]
    whole = kind_of(question)
    last = next((n for n, kind in enumerate(kinds) if kind == whole), None)
    if not whole or last is None:
        return question
    first = next((n for n, one in enumerate(said[:last]) if one.endswith(("?", "？"))), last)
    asking = " ".join(said[first : last + 1])
    return asking if len(subject_terms(asking)) > 1 or is_cjk(asking) else question


def side_terms(text: str) -> frozenset[str]:
    """The stems that tell of the sides named in a topic's title, and of its own words."""
    own = frozenset(subject_terms(text))
    return own.union(*(f.head | f.cue for f in FACETS if any(t in text for t in f.title.values())))


def asks_for_a_side(query: str) -> bool:
    """Whether a search is for one side of a subject, as topics have it."""
    said = query.split()
    return len(said) > 1 and said[-1] in _SIDE_WORDS


def reading_order(question: str) -> list[str]:
    """The ids of all sides in the order in which a report of this kind tells them; what speaks for or
    against something and what was decided are sides of a debate only."""
    first = READING.get(kind_of(question) or "overview", ())
    return [*first, *(f.id for f in FACETS if f.id not in first and f.id not in READING["debate"][:3])]


def asked_sides(question: str) -> frozenset[str]:
    """The sides without which a paragraph does not answer a request of this kind; none where all count."""
    kind = kind_of(question)
    return frozenset(READING[kind][: {"why": 4, "debate": 8}.get(kind, 0)]) if kind else frozenset()
