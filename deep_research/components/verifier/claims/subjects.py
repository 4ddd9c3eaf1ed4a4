"""What a sentence is about: what it names, or else what its page is about.

A page about one thing is headed by its name and seldom repeats it: "Its hull is 161 metres long" is said of
the Heron on the page "Heron (ship)". So such a page lends its name to its sentences; a section lends the name
that is its heading, and where neither has one, the sentence before does.

In Chinese and Japanese, which do not mark names, a short title that stands in its page, too, is its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from deep_research.text.quantities import Quantity
from deep_research.text.terms import is_cjk
from deep_research.text.wording import Token, names_in, nfkc, terms_in, word_tokens

from .evidence import POINTS_BACK, PRONOUN, SourcePassage, SourceReading

Name = frozenset[str]
_ARTICLE = 4
"""Characters before a name that opens a sentence, at most."""
_NEAR = 200
"""So many characters before a sentence say what it is about."""
_MARKUP = re.compile(r"[#*_]+")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_PART = re.compile(r": ?|\s[—–|-]\s")
_BESIDE = re.compile(r"\b(?:at|by|near|beside|behind|in|on|under|with) (?:the )?$", re.IGNORECASE)
_CLAUSE = re.compile(r"[;；]|,\s")
_LONGEST_CJK_NAME = 16


@dataclass(frozen=True)
class Subject:
    """What a sentence may be about.

    A title may name the one thing that its page is about in several ways ("Heron | Register of ships"), hence
    tuples. They are empty where a page is about several things.
    """

    near: tuple[Name, ...]
    """The names in the sentence, or those in the one before where it names nothing and may be about these."""
    topic: tuple[Name, ...]
    """What its section or page is about."""
    points_back: bool
    """Whether the sentence speaks of something as known: "it", "the ship"."""

    def certain(self) -> tuple[Name, ...]:
        """The subject without doubt; one that names another thing than its page's may be about either."""
        if not self.topic or not self.near:
            return self.near or self.topic
        if share_name(self.near, self.topic):
            return self.topic
        siblings = any(name & topic for name in self.near for topic in self.topic)
        return self.near if siblings or not self.points_back else ()

    def possible(self) -> tuple[Name, ...]:
        """What the sentence may be about."""
        return self.certain() or (*self.near, *self.topic)


def same_subject(one: Subject, other: Subject) -> bool | None:
    """Whether two sentences are about the same thing; None where that cannot be told."""
    if not one.possible() or not other.possible():
        return None
    if one.certain() or other.certain():
        return share_name(one.possible(), other.possible())
    return share_name(one.topic, other.topic)


def subject_of(text: str, value: Quantity, reading: SourceReading, above: Sequence[SourcePassage]) -> Subject:
    """What a value in a sentence is of; `above` are the passages of its page up to it, the last one first."""
    setting = above[0].setting if above else ""
    topic = _headed_by(setting.partition("|")[0], reading.text, whole=True) or topic_of(reading)
    start = max((cut.end() for cut in _CLAUSE.finditer(text) if cut.end() <= value.start), default=0)
    end = next((cut.start() for cut in _CLAUSE.finditer(text, value.end)), len(text))
    named = names_of(text[start:end], reading, text, apart=True) or names_of(text, reading, apart=True)
    if named or (any(name <= reading.places.keys() for name in topic) and not PRONOUN.match(text)):
        return Subject(named, topic, POINTS_BACK.search(text) is not None)
    before = (p for p in above[1:] if p.start >= above[0].start - _NEAR and p.setting == setting)
    near = next(filter(None, (names_of(passage.text, reading) for passage in before)), ())
    return Subject(near, topic, bool(near) or POINTS_BACK.search(text) is not None)


def is_about_other(subject: Name, claim: Name, place: int, reading: SourceReading) -> bool:
    """Whether a passage is about something else than this name, and than anything else that the claim names.

    It opens with another name, or with none on a page, or in a section, about another thing.
    """
    passage = reading.passages[place]
    if subject & passage.terms or subject <= passage.context:
        return False
    runs = names_in(passage.text, initial=True)
    if runs and runs[0][0].start <= _ARTICLE and is_name(runs[0], f"{passage.text}\n{reading.text}"):
        return claim.isdisjoint(_terms(runs[0]))
    before = reading.passages[place - 1].terms if place else frozenset[str]()
    topic = _headed_by(passage.setting.partition("|")[0], reading.text, whole=True) or topic_of(reading)
    return bool(topic) and all(claim.isdisjoint(name) for name in topic) and not subject & before


def topic_of(reading: SourceReading) -> tuple[Name, ...]:
    """The name of the one thing that a page is about, as its title or first heading gives it."""
    first = reading.passages[:2]
    heading = first[0].text if len(first) == 2 and first[1].setting == first[0].text else ""
    return _headed_by(reading.title or heading, reading.text)


def share_name(ours: Iterable[Name], theirs: Sequence[Name]) -> bool:
    """Whether two sets of names have one in common, in full or in part: "Ormsund", "Port Ormsund"."""
    return any(one <= other or other <= one for one in ours for other in theirs)


def names_of(text: str, reading: SourceReading, whole: str = "", apart: bool = False) -> tuple[Name, ...]:
    """The names of a text. A single word is one where a capital tells: inside a sentence of text or page.

    `apart`: those that only tell where something is ("by the Gull") are left out, if there are others.
    """
    known, plain = f"{whole or text}\n{reading.title}\n{reading.text}", nfkc(text)
    runs = [run for run in names_in(text, initial=True) if is_name(run, known)]
    free = [run for run in runs if not _BESIDE.search(plain, max(run[0].start - 12, 0), run[0].start)]
    return tuple(map(_terms, (apart and free) or runs))


def is_name(run: Sequence[Token], text: str) -> bool:
    """Whether a run of capitals is a name: a word alone is one that has a capital inside a sentence, too."""
    return len(run) > 1 or re.search(rf"[\w)%”’][,;]? {re.escape(run[0].word)}\b", text) is not None


def _terms(run: Iterable[Token]) -> Name:
    return frozenset(token.term for token in run)


@lru_cache(maxsize=4096)
def _headed_by(title: str, text: str, whole: bool = False) -> tuple[Name, ...]:
    """The name of the one thing that the title of a text is about: a whole part of it, or the only name.

    `whole` accepts the former alone.
    """
    plain = _IN_BRACKETS.sub("", _MARKUP.sub("", nfkc(title))).strip()
    parts = [part.strip(' .?!"“”') for part in _PART.split(plain)]
    if is_cjk(plain[-1:]):
        short = [part for part in parts if part.isalnum() and len(part) <= _LONGEST_CJK_NAME]
        return tuple(terms_in(part) for part in short if part in nfkc(text))
    told = [(names_in(part, initial=True), word_tokens(part)) for part in parts]
    names = [
        runs[0] for runs, words in told if len(runs) == 1 and len(runs[0]) == sum(not w.filler for w in words)
    ]
    if whole:
        return tuple(_terms(run) for run in names if is_name(run, text))
    if not names:
        names = [run for run in names_in(plain, initial=True) if is_name(run, f"{plain}\n{text}")]
        names = names if len({_terms(run) for run in names}) == 1 else []
    in_text = [run for run in names if is_name(run, text)]
    return tuple(dict.fromkeys(map(_terms, in_text or names)))
