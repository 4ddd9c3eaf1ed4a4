"""What a request asks about and no page knows."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from .kinds import asking_stems
from .lexicon import DAYS
from .names import Names
from .query import KATAKANA
from .request import AUXILIARY, BEFORE_THINGS, DULL, asking_sentence
from .text import is_cjk, is_stop, stem, term_set, words

_BEFORE_DEEDS = frozenset("my our who what which it he she me us them".split())
_BEFORE_NOUNS = frozenset("a an the of in on at for from with about".split())
_NAME_CJK = 4
"""Characters of a Chinese or Japanese run that may be a name."""
_THING = (
    r"(?:[的の和与與と及、]|关于|有关){run}(?=\W|$|[的の和与與と及是有はがを])|{run}(?:について|に関する)"
)
"""What stands behind the word that something belongs to, or in a list, or before "on", and is no part of a
verb."""


class Thing(NamedTuple):
    """A thing in the words of a request: whether it ends its phrase, and whether it is written as a name or
    stands in the place of one."""

    text: str
    ends: bool
    named: bool


def unknown(question: str, lacking: Collection[str], names: Sequence[str], book: Names) -> list[Thing]:
    """The things that a request asks about among the terms that no page has.

    A thing is written as a name, or stands behind a preposition, an article or "and", or behind a name that
    is not said to do anything, or is told of in the plural; whatever the asker owns is none, nor is what
    only says how one asks.
    """
    if is_cjk(question):
        found = [Thing(run, True, _is_name(run, question, names, book)) for run in lacking]
        return [t for t in found if t.named or re.search(_THING.format(run=re.escape(t.text)), question)]
    things, run, lead = dict[str, Thing](), list[str](), ""
    asking = asking_sentence(question)
    told = re.findall(r"[\w'’-]+|[^\w\s]", asking)
    known = () if AUXILIARY & {*words(asking.lower())} else (w for name in names for w in words(name.lower()))
    opens, asks = BEFORE_THINGS.union(known), asking_stems(question)
    for before, word, after in zip(["", *told], told, [*told[1:], ""], strict=False):
        lead = lead if before.lower() in DULL else before.lower()
        lacks = stem(word) in lacking and stem(word) not in asks and word.lower() not in DAYS | DULL
        goes = lead not in _BEFORE_NOUNS or is_stop(after)  # "is it rising or falling", "with mending what …"
        doing = word.endswith("ing") and goes
        behind = (lead in opens and not doing) or (word[-1] == "s" and lead not in _BEFORE_DEEDS)
        goes_on = bool(run) and run[-1] == before and before[-1] != "s"
        named = lacks and _is_name(word, asking, names, book)
        if lacks and (behind or goes_on or named):
            whole = things.pop(" ".join(run), None) if goes_on else None
            run = [*run, word] if goes_on else [word]
            ends = word[-1] == "s" or not term_set(after)
            things[" ".join(run)] = Thing(" ".join(run), ends, named or bool(whole and whole.named))
    return list(things.values())


def _is_name(word: str, text: str, names: Sequence[str], book: Names) -> bool:
    """Whether a word is written as names are: a capital inside a sentence, a word in katakana, where nothing
    else is named a run of Chinese characters; or nobody knows it and pages have a name with another."""
    return bool(
        re.search(rf"[\w,] {re.escape(word.capitalize())}\b", text)
        or KATAKANA.fullmatch(word)
        or (is_cjk(word) and len(word) >= _NAME_CJK and not names)
        or book.is_in_place_of_another(word, text)
    )
