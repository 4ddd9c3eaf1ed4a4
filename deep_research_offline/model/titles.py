"""Titles of reports: what a request is on, in its own words, with names as pages write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deep_research.text.titles import in_short

from .names import shown_by, tokens
from .overview import subject
from .page import Page
from .phrases import join, say
from .request import asking_sentence, chosen_kind, subject_said
from .shared_names import NAMES
from .text import is_cjk, words

_MOST_ITEMS, _LONGEST = 4, 120
_CLAUSE = re.compile(r"(?<!incl)[,;:.!] |(?<=\?) ")
_ON = re.compile(r"(?:をめぐる|に関する)$")
_HOW_IT = re.compile(r"\W*how (?:did|does|do|has|have|had)\b", re.I)
_YES_NO = re.compile(r"(?:should|shall|can|could|will|would|is|are|was|were|do|does|did|has|have)\b", re.I)


def title_of(question: str, kind: str, items: Sequence[str], pages: Sequence[Page], lang: str) -> str:
    """A title: what the request says that it is on, or the things that it compares, or its subject, and its
    kind; the first clause of a request that says its subject in no one place, or asks for a yes or no."""
    clause = _CLAUSE.split(asking_sentence(question))[0]
    if about := subject_said(question):
        return asked_title(_CLAUSE.split(about)[0], pages)
    said = join(items, lang) if 1 < len(items) <= _MOST_ITEMS else chosen_kind(question) or subject(question)
    if _HOW_IT.match(clause) and not items:  # what it did is no part of its name
        opens = next((n for n in shown_by(tuple(pages)).find(said) if n.start == 0), None)
        said = " ".join(words(said)[: opens.end]) if opens else said
    if is_cjk(said):
        said = _ON.sub("", said.split()[0])
    elif not items and (_YES_NO.match(clause) or not re.search(rf"(?<!\bhow ){re.escape(said)}\b", question)):
        said = ""
    if not said or len(said) > _LONGEST:
        return asked_title(clause, pages)
    side = say(f"title_{kind or 'overview'}", lang)
    return asked_title(say("topic_title", lang, subject=said, side=side), pages)


def asked_title(question: str, pages: Sequence[Page]) -> str:
    """The title of an answer: the question itself, in short, with names as pages write them; of what
    only titles have ("Mills of the Orsk Valley") the names inside."""
    book = shown_by(tuple(pages))
    title = in_short(question)
    meant = book.mend(title)
    for named in book.find(meant) if not is_cjk(title) and len(tokens(meant)) == len(tokens(title)) else ():
        for place in range(named.start, named.end):  # nothing but names is mended
            wrong, right = tokens(title)[place], tokens(meant)[place]
            if wrong != right:
                title = re.sub(rf"\b{re.escape(wrong)}\b", right, title, count=1, flags=re.IGNORECASE)
    said, told = tokens(title), "\n".join(page.text for page in pages)
    for named in book.find(title):
        whole = named.text if named.text in told else " ".join(NAMES.findall(named.text))
        for word in words(whole):
            if word.lower() in said[named.start : named.end]:
                title = re.sub(rf"\b{re.escape(word)}\b", word, title, count=1, flags=re.IGNORECASE)
    return title[:1].upper() + title[1:]
