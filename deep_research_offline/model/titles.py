"""Titles of reports: what a request is on, in its own words, with names as pages write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from deep_research.text.titles import without_thanks

from .names import plain, shown_by, tokens
from .overview import subject
from .page import Page
from .phrases import join, say
from .report_words import subject_terms
from .request import BEFORE_THINGS, DULL, subject_said
from .shared_names import NAMES
from .text import is_cjk, term_set, terms, words

_CLAUSES = re.compile(r"(?<!incl)[,;:.?!] |(?: pl(?:ea)?[sz])? [-–—] | pl(?:ea)?[sz]\b|\?$")
_AT_ASKING = re.compile(
    r"^(?:[^.!?]*(?<!incl)[.!] )*(?:(?:hi|hello|please)\b\W*)?"
    r"(?:(?:can|could|would) (?:you|someone|anyone) (?:please )?(?:tell|explain to|show) (?:me|us) )?"
    r"(?:[^.!?]*\b(?:on|about) (?=(?:how|why|what|who|where|whether)\b))?",
    re.IGNORECASE,
)
_ON = re.compile(r"(?:をめぐる|に関する)$")
_I = re.compile(r"\bi\b")
_YES_NO = re.compile(r"(?:should|shall|can|could|will|would|is|are|was|were|do|does|did|has|have)\b", re.I)
_PLACED = re.compile(r"\b(?:in|at|on|of|for|from|to) (?:the )?$", re.IGNORECASE)
"""What stands before a name and joins it to the matter."""


def title_of(
    question: str, kind: str, names: Sequence[str], items: Sequence[str], pages: Sequence[Page], lang: str
) -> str:
    """A title: what the request says that it is on, or the things that it compares, or its names with those
    of its words that titles and headings of pages have, and its kind; a request that may be answered with yes
    or no, or has none of these, is itself the title."""
    about = _CLAUSES.split(subject_said(question))[0]
    if about and not any(plain(about.removeprefix("the ")) == plain(name) for name in names):
        return _written(about, pages)
    clauses = _CLAUSES.split(_AT_ASKING.sub("", question.strip(" .!")))
    if 1 < len(items) <= 4:
        said = join([_written(item, pages) for item in items], lang)
    elif is_cjk(question):
        said = _ON.sub("", (subject(question).split() or [question])[0])
    elif names and not (term_set(clauses[0]) & {*subject_terms(question)}):
        said = _written(names[0], pages)  # "I hear of the Orsk Mill. What is that?"
    else:
        said = "" if _YES_NO.match(clauses[0]) else _written(_in_titles(clauses, question, pages), pages)
    if not said:
        return _written(_I.sub("I", clauses[0]) + "?" * (f"{clauses[0]}?" in question), pages)[:120]
    side = say(f"title_{kind or 'overview'}", lang)
    said = said if ": " in said else say("topic_title", lang, subject=said, side=side)
    return said if len(said) <= 120 else said[:117].rsplit(" ", 1)[0] + "…"


def asked_title(question: str, pages: Sequence[Page]) -> str:
    """The title of an answer: the question itself, without thanks, with names as pages write them."""
    return _written(without_thanks(question), pages)


def _written(text: str, pages: Sequence[Page]) -> str:
    """A text with its names as pages write them, and a capital at its head."""
    for said, name in _named(text, pages):
        text = re.sub(rf"\b{said}\b", name, text, count=1, flags=re.IGNORECASE)
    return text[:1].upper() + text[1:]


def _named(text: str, pages: Sequence[Page]) -> list[tuple[str, str]]:
    """The proper names in a text: a pattern of the words that it has for each, and the name itself; of what
    only titles have ("Mills of the Orsk Valley") the names inside, since their first word may be any."""
    book, said, small = shown_by(tuple(pages)), tokens(text), text[1:].islower()
    found = [] if is_cjk(text) else book.find(text)
    proper = (n for n in found if all(word[0].isupper() for word in words(n.text) if term_set(word)))
    told = "\n".join(said.text for page in pages for said in page.sentences)
    named = list[tuple[Sequence[str], str]]()
    for n in proper:
        if not set(tokens(n.text)) <= book.small and (small or len(tokens(n.text)) <= n.end - n.start):
            inside = () if n.text in told else NAMES.findall(n.text)
            named += [(tokens(one), one) for one in inside] or [([*said[n.start : n.end]], n.text)]
    return [(r"\W+".join(map(re.escape, spelled)), name) for spelled, name in named]


def _in_titles(clauses: Sequence[str], question: str, pages: Sequence[Page]) -> str:
    """The names of a request, and the longest run of its words that titles and headings of pages have."""
    named, joined, parts = list[str](), "", list[tuple[int, str]]()
    for clause in clauses:
        opens = not (parts or named)
        for said, name in _named(clause, pages):
            if not (match := re.search(rf"\b{said}\b", clause, re.IGNORECASE)):
                continue
            before, clause = clause[: match.start()], f"{clause[: match.start()]}|{clause[match.end() :]}"
            placed = _PLACED.search(before)
            kind = re.match(r"\| ([a-z]+)\b", clause[match.start() :])
            if kind and " " not in name and term_set(kind[1]) & {*subject_terms(question)}:
                name = f"{name} {kind[1]}"  # "the Orsk weir"
            joined = joined or (placed[0] if placed else ": ")
            named += [name] * (name not in named)
        told = [
            part for run in re.split(r"[^\w\s'’-]", clause) for part in _runs(words(run), question, pages)
        ]
        parts += told if opens else [part for part in told if part[0] > 1]
    most = max((n for n, _ in parts), default=0)
    best = [part for n, part in parts if n == most]
    matter, name = join(best[: 3 if most == 1 else 1], "en"), " – ".join(named[:2])
    apart = joined == ": " if most else f"{matter} {joined}".lower() not in question.lower()
    if not (matter and name) or (apart and most < 2):
        return name or matter
    return f"{name}: {matter}" if joined == ": " else f"{matter} {joined}{name}"


def _runs(told: Sequence[str], question: str, pages: Sequence[Page]) -> Iterator[tuple[int, str]]:
    """Runs of a request's own words with small words between, from the first that stands in a title or a
    heading, or before the next on a page, and how many do; none of one behind an article."""
    headed, text = _headed(tuple(pages))
    wanted = {t for t in subject_terms(question) if not t.isdigit()}
    at = [n for n, word in enumerate(told) if wanted & set(terms(word))]
    while at:
        gaps = ((n, told[a + 1 : b]) for n, (a, b) in enumerate(pairwise(at)))
        end = next((n for n, gap in gaps if not BEFORE_THINGS.issuperset(gap)), len(at) - 1)
        run = [*told[at[0] : at[end] + 1], ""]
        thing = at[0] > 0 and told[at[0] - 1].lower() in BEFORE_THINGS
        known = [w for w in run if headed & {*terms(w)}]
        good = [a in known or (b and f"{a} {b}".lower() in text) for a, b in pairwise(run)]
        if not DULL.issuperset(map(str.lower, known)):
            yield sum(map(bool, good)), " ".join(run[good.index(True) : -1])
        elif thing and not DULL.issuperset(map(str.lower, run)):
            yield 0, " ".join(run[:-1])
        at = at[end + 1 :]


@lru_cache(maxsize=64)
def _headed(pages: tuple[Page, ...]) -> tuple[frozenset[str], str]:
    """The terms of titles and headings, and the small letters of all pages."""
    heads = (head for p in pages for head in (p.title, *(s.heading for s in p.sentences)))
    return term_set(" ".join(heads)), "\n".join(p.text.lower() for p in pages)
