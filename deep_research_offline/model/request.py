"""What a request says by itself: whether it asks for a report, of what kind, on which sides."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from .kinds import is_title, kind_of
from .lexicon import DAYS, LESS, MORE, WEAK
from .report_words import FACETS, READING, SUBJECT, subject_terms
from .text import is_cjk, split_prose, stem, term_set, tidy, words

BEFORE_THINGS = frozenset(
    "a an the this that of in on at to for from with by about to and or , : ; between".split()
)
AUXILIARY = frozenset("has have had do does did".split())
DULL = WEAK | MORE | LESS
"""Words that say little of what a request is about."""
_BEFORE_DEEDS = frozenset("my our who what which it he she".split())

_THING = "(?:[的の和与與と及、]|关于|有关){run}|{run}(?:について|に関する)"
"""What stands behind the word that something belongs to, or in a list, or before "on"."""
_SIDE_WORDS = frozenset(w for f in FACETS for query in f.query.values() for w in query.split())
_OF_KIND = re.compile(
    r"\b(?:which|what)(?: (?:one )?of(?: the)?)? (.+?)"
    r" (?:should|would|could|shall|can|do|does|is|are|to|for|with|suits?)\b",
    re.IGNORECASE,
)
_ASKED_TOO = re.compile(r",? please\b.*|, (?:who|what|how|why)\b.*")
"""What a request asks behind what it is on."""


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


def chosen_kind(question: str) -> str:
    """What a choice is between: what follows "which" of a request for advice, "" if nothing does. The rest of
    it tells who asks, and what for."""
    said = _OF_KIND.search(asking_sentence(question)) if kind_of(question) == "recommendation" else None
    return said[1] if said else ""


def subject_said(question: str) -> str:
    """What a request says that the report, essay … is on, "" if it does not."""
    said = SUBJECT.search(question)
    return _ASKED_TOO.sub("", said[1]) if said else ""


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


def unsaid(question: str, lacking: Collection[str], names: Sequence[str]) -> dict[str, bool]:
    """The things that a request asks about among the terms that no page has, in its words, and whether each
    ends its phrase.

    A thing stands behind a preposition, an article or "and", or behind a name that is not said to do
    anything, or is told of in the plural; whatever the asker owns is none.
    """
    if is_cjk(question):
        return {run: True for run in lacking if re.search(_THING.format(run=re.escape(run)), question)}
    found, run, asking = dict[str, bool](), list[str](), asking_sentence(question)
    told = re.findall(r"[\w'’-]+|[^\w\s]", asking)
    opens = BEFORE_THINGS if AUXILIARY & {*words(asking.lower())} else BEFORE_THINGS | named_words(names)
    lead = ""
    for before, word, after in zip(["", *told], told, [*told[1:], ""], strict=False):
        lead = lead if before.lower() in DULL else before.lower()
        lacks = stem(word) in lacking and word.lower() not in DAYS | DULL
        behind = lead in opens or (word[-1] == "s" and lead not in _BEFORE_DEEDS)
        goes_on = bool(run) and run[-1] == before and before[-1] != "s"
        if lacks and (behind or goes_on):
            found.pop(" ".join(run), None) if goes_on else None
            run = [*run, word] if goes_on else [word]
            found[" ".join(run)] = word[-1] == "s" or not term_set(after)
    return found


def named_words(names: Sequence[str]) -> frozenset[str]:
    """The words of names, in lower case."""
    return frozenset(word for name in names for word in words(name.lower()))
