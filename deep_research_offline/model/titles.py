"""Titles of reports: what a request is on, in its own words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .kinds import kind_of
from .names import plain
from .overview import phrase
from .phrases import join, say
from .report_words import subject_terms
from .request import AUXILIARY, BEFORE_THINGS, subject_said
from .text import is_cjk, terms, words

_CLAUSES = re.compile(r"[,;:.?!] |\?$")
_AT_ASKING = re.compile(
    r"^(?:[^.!?]*[.!] )*(?:(?:hi|hello|please)\b\W*)?"
    r"(?:[^.!?]*\b(?:on|about) (?=(?:how|why|what|who|where|whether)\b))?",
    re.IGNORECASE,
)
_I = re.compile(r"\bi\b")


def title_of(question: str, names: Sequence[str], items: Sequence[str], lang: str) -> str:
    """A title: what the request says that it is on, or the things that it compares, or its words from the
    first of its matter to the last name or word of it, and its kind; a question whose matter is no phrase
    that stands alone is itself the title."""
    about = subject_said(question)
    if about and not names_at_head(about, names):
        return about[0].upper() + about[1:]
    said = join(list(items), lang) if 1 < len(items) <= 4 else phrase(question, names)
    if said not in join(list(items), lang) and not is_phrase(said, question, names):
        clauses = _CLAUSES.split(_AT_ASKING.sub("", question.strip(" .!")))
        asks = next((clause for clause in clauses if said in clause), clauses[0])
        asks += "?" * (f"{asks}?" in question)
        return (asks[:1].upper() + _I.sub("I", asks[1:]))[:120]
    kind = say(f"title_{kind_of(question) or 'overview'}", lang)
    said = say("topic_title", lang, subject=said[:1].upper() + said[1:], side=kind)
    return said if len(said) <= 120 else said[:117].rsplit(" ", 1)[0] + "…"


def is_phrase(said: str, question: str, names: Sequence[str]) -> bool:
    """Whether words of a question are a phrase that stands alone: a name, or what follows an article or a
    preposition, or an auxiliary whose verb only asks, and has no other word of asking in it."""
    start, _, rest = question.partition(said)
    if is_cjk(question) or names_at_head(said, names):
        return True
    before, own = words(start.lower())[-1:], frozenset(subject_terms(question))
    asks = rest[:1] == " " and not own & {*terms(words(rest)[0])}
    small = [word.lower() for word in words(said) if not own & {*terms(word)}]
    follows = BEFORE_THINGS | (AUXILIARY if asks else frozenset())
    return bool(follows & {*before}) and BEFORE_THINGS.issuperset(small)


def names_at_head(text: str, names: Sequence[str]) -> bool:
    """Whether a text is one of these names."""
    return any(plain(text.removeprefix("the ")) == plain(name) for name in names)
