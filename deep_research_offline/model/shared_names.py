"""Names: what titles are called, what a request shares with pages, and what is of one kind with that."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from functools import lru_cache

from .lexicon import STOP
from .names import mentions, pieces_of, plain, shown_by
from .page import Page
from .report_words import subject_terms
from .text import is_cjk, term_set, words
from .thesaurus import may_name

_YEAR = re.compile(r"(?<![\d.,])(?:1[5-9]|20|21)\d\d(?![\d]|[.,]\d)")
NAMES = re.compile(r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+")
"""Capitalised words in a row."""
_THING = r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*"
_LISTED = re.compile(rf"{_THING}(?:, (?:the )?{_THING})*,? (?:and|or) (?:the )?{_THING}")
AT_START = re.compile(rf"^(?:(?:{'|'.join(sorted(w.title() for w in STOP if w.isalpha()))}) )+")
_LISTS = re.compile(r"[,，、?？]")


def years_in(text: str) -> list[int]:
    """The years that a text names."""
    return [int(year) for year in _YEAR.findall(text)]


@lru_cache(maxsize=2048)
def names_on(text: str) -> tuple[str, ...]:
    """Names of several words that a text has in it."""
    return tuple(filter(None, (AT_START.sub("", re.sub("['’]s?$", "", n)) for n in NAMES.findall(text))))


def shared_names(question: str, pages: Sequence[Page]) -> list[str]:
    """The names that the question shares with titles and with what several sentences name, longest first,
    none inside another, and those of which it has one word in short."""
    asked = {term for term in subject_terms(question) if not term.isdigit()}
    found: dict[str, None] = {}
    met = Counter(name for page in pages for name in names_on(page.text))
    titled = {AT_START.sub("", n) for p in pages for n in pieces_of(p.title)} - {""}
    titled |= {name for page in pages for name in names_on(page.title)}
    for name in sorted({*titled, *(n for n in met if met[n] > 1)}, key=lambda n: (-len(n), n)):
        inside = any(plain(name) in plain(longer) for longer in found)
        wanted = is_proper(name) and mentions(question, name) and bool(term_set(name) & asked)
        wanted = wanted and (" " in name or is_cjk(name) or may_name(name))
        if wanted and not inside:
            found[name] = None
    book = shown_by(tuple(pages))
    for word in () if is_cjk(question) else words(question):
        if may_name(word) and term_set(word) & asked and not any(mentions(name, word) for name in found):
            names = [n.text for n in book.find(word) if not re.search(r"\d", n.text)]
            found |= {n: None for n in names if " " in n or any(mentions(p.title, n) for p in pages)}
    return list(found)


def called_so(question: str, pages: Sequence[Page]) -> tuple[str, list[str]]:
    """Words of a request that pages have only as part of longer names, and these names, if there are several:
    "Orsk Mill" and "Hasel Mill" of a request on "Mill"."""
    wanted = {t for t in subject_terms(question) if not t.isdigit()}
    told = "\n".join(f"{page.title}\n{page.text}" for page in pages)
    names = Counter(name for page in pages for name in (*names_on(page.title), *names_on(page.text)))
    for own, run in itertools.groupby(words(question), lambda word: bool(wanted & term_set(word))):
        said = " ".join(run)
        longer = [n for n in names if own and mentions(n, said) and plain(n) != plain(said)]
        several = sorted(n for n in longer if names[n] > 1)
        several = [n for n in several if not any(mentions(n, one) and n != one for one in several)]
        rest = re.sub("|".join(map(re.escape, longer)), " ", told) if len(several) > 1 else said
        if not re.search(rf"(?<![\w-]){re.escape(said)}(?![\w-])", rest, re.IGNORECASE):
            return said, several
    return "", []


def runs_in(text: str) -> list[list[str]]:
    """What a text lists by name: "A, B and C"."""
    runs = (re.split(r"(?:, and |, | and | or )(?:the )?", run) for run in _LISTED.findall(text))
    return [[AT_START.sub("", thing).removesuffix("'s") for thing in run] for run in runs]


def siblings(names: Collection[str], pages: Sequence[Page]) -> frozenset[str]:
    """Other things of the kind of those named: what stands in a row with one of them, "A, B and C", or in the
    first column of a table with one, or has a common noun at the same end, as in "Lake Como"."""
    ours, found = {plain(name) for name in names}, set[str]()
    common = frozenset(word for page in pages for word in words(page.text) if word[0].islower())
    kinds = {(end, word) for name in ours for end in (0, -1) if (word := name.split()[end]) in common}
    for page in pages:
        met = ((n, plain(n).split()) for n in (*names_on(page.text), *names_on(page.title)))
        found.update(n for n, said in met if len(said) > 1 and kinds & {(0, said[0]), (-1, said[-1])})
        tables: dict[int, list[str]] = defaultdict(list)
        for said in page.sentences:
            if said.kind == "row" and len(said.cells) > 2:
                tables[said.block].append(said.cells[0])
        for things in (*runs_in(page.text), *tables.values()):
            if ours & {plain(thing) for thing in things}:
                found.update(thing for thing in things if thing and is_proper(thing) and thing[0].isupper())
    return frozenset(n for n in found if not any(plain(n) in one or one in plain(n) for one in ours))


def is_proper(name: str) -> bool:
    """Whether a title is a name and no description: its words begin with capitals, or it is one word. What
    lists or asks is none."""
    if _LISTS.search(name):
        return False
    told = [word for word in words(name) if term_set(word)]
    return len(words(name)) < 2 or (bool(told) and all(not word[0].islower() for word in told))
