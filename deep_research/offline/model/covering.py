"""A second way of reading a question: not by its grammar, but by which of its words the way accounts for.

However a chain is told, each of its links is a sentence that says some of the words of the question and names
the thing that the next link is about. So the way is searched for that starts at what the question names, says
all of its words, and ends in a value of the kind asked. It serves where the hops that grammar gives lead
nowhere.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from . import lexicon
from .hops import Hop, asked_kind, dimension_in, is_label, reach
from .names import likeness, names, normal
from .page import ABOUT, Page, aboutness, setting
from .question import Question
from .steps import Step, has_unit, quantities
from .text import Sentence, is_cjk, stem, term_set, terms
from .timing import time_fit

OWN_PAGE = 0.9
DEPTH = 5
WIDTH = 60
_LIGHT = frozenset(map(stem, lexicon.LIGHT))
_CLASS = re.compile(
    r"\b(?:the|an?|its|his|her|their|that|some) ((?:\w+ ){0,1}?\w+)"
    r"(?= (?:that|which|who|whom|whose|where|from))"
)


_NOUNS = re.compile(r"(?: [a-z]{3,}){1,2}\b")


@dataclass(frozen=True, slots=True)
class Way:
    """Steps from the anchor so far, the words that they leave open, and the name that they lead to."""

    steps: tuple[Step, ...]
    open: frozenset[str]
    name: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """The words that a way has to account for, those that it may leave open, and the kind of value asked."""

    words: frozenset[str]
    loose: frozenset[str]
    kind: str


def wanted(question: Question) -> Wanted | None:
    """What a way has to say; None for a question that compares, ranks or has no telling word."""
    if question.shape != "fact" or len(question.anchors) != 1:
        return None
    masked = question.text.replace(question.anchors[0], "§").lower()
    told = frozenset(t for t in terms(masked.replace("§", " ")) if not t.isdigit() and t not in _LIGHT)
    loose = frozenset(t for m in _CLASS.findall(masked) for t in terms(m))
    return Wanted(told, loose, asked_kind(masked)) if told else None


@dataclass(frozen=True, slots=True)
class Found:
    """Ways that say all that was asked, ways that arrive with words left open, and ways whose last name has
    no page yet; the most telling first."""

    whole: tuple[Way, ...] = ()
    partial: tuple[Way, ...] = ()
    leads: tuple[Way, ...] = ()


def ways(question: Question, anchor: str, pages: Sequence[Page]) -> Found:
    """All ways from an anchor over the pages."""
    aim = wanted(question)
    if aim is None:
        return Found()
    arrived: list[Way] = []
    leads: list[Way] = []
    edge = [Way((), aim.words, anchor)]
    for _ in range(DEPTH):
        following: list[Way] = []
        for way in edge:
            for page, sentence, said in _told(question, way, pages):
                arrived += _ends(aim, way, page, sentence, said) if said else []
                onward = _onward(way, page, sentence, said, pages)
                following += [w for w in onward if _has_page(w.name, pages)]
                leads += [w for w in onward if not _has_page(w.name, pages)]
        edge = sorted(_once(following), key=_openness)[:WIDTH]
    arrived.sort(key=_openness)
    whole = tuple(w for w in arrived if not w.open - aim.loose)
    partial = tuple(w for w in arrived if w.open - aim.loose)
    return Found(whole, partial, tuple(sorted(_once(leads), key=_openness)))


def _once(found: Sequence[Way]) -> list[Way]:
    """The most telling way to each name with the same words open."""
    best: dict[tuple[str, frozenset[str]], Way] = {}
    for way in sorted(found, key=_openness):
        best.setdefault((normal(way.name), way.open), way)
    return list(best.values())


def _openness(way: Way) -> tuple[int, int, float, str]:
    return (len(way.open), len(way.steps), -sum(s.score for s in way.steps), way.name)


def _told(
    question: Question, way: Way, pages: Sequence[Page]
) -> Iterator[tuple[Page, Sentence, frozenset[str]]]:
    """Sentences on the page about the way's last name, and which of the words still open they say."""
    for page in pages:
        if aboutness(page, way.name) < ABOUT:
            continue
        for sentence in page.sentences:
            have = term_set(f"{sentence.text} {sentence.heading}")
            said = frozenset(t for t in way.open if reach(t) & have or has_unit(t, sentence.text))
            if time_fit(question, sentence.text, setting(page, sentence)) >= 0.5:
                yield page, sentence, said


def _ends(aim: Wanted, way: Way, page: Page, sentence: Sentence, said: frozenset[str]) -> list[Way]:
    stems = tuple(sorted(said))
    hop = Hop("", aim.kind, " ".join(stems), stems, dimension_in(stems))
    values = _values(hop, way.name, sentence.text)[:1]
    left = way.open - said
    return [
        Way((*way.steps, Step(way.name, hop, page, sentence, value, 0.8)), left, value) for value in values
    ]


def _values(hop: Hop, subject: str, text: str) -> list[str]:
    if hop.wants in {"number", "date"}:
        return quantities(hop, text)
    named = (n.text for n in names(text) if likeness(n.text, subject) < ABOUT)
    found = [name for name in named if not is_label(name, hop.loose)]
    return found or ([""] if hop.wants in {"any", "text"} else [])


def _onward(
    way: Way, page: Page, sentence: Sentence, said: frozenset[str], pages: Sequence[Page]
) -> list[Way]:
    """The way with each further name of a sentence, which may account for a word itself."""
    seen = {normal(way.name), *(normal(s.subject) for s in way.steps)}
    found = []
    for name in named_in(sentence.text):
        if normal(name) in seen or likeness(name, way.name) >= ABOUT:
            continue
        if is_label(name, said) or not (said or " " in name or is_cjk(name) or _has_page(name, pages)):
            continue
        stems = tuple(sorted(said))
        step = Step(way.name, Hop("", "name", " ".join(stems), stems), page, sentence, name, 0.8)
        calls = term_set(name)
        left = frozenset(t for t in way.open - said if not reach(t) & calls)
        found.append(Way((*way.steps, step), left, name))
    return found


def named_in(text: str) -> list[str]:
    """The names of a sentence; a single capital takes in the plain nouns after it ("the Alpine newt")."""
    found = []
    for name in names(text):
        after = _NOUNS.match(text, name.end) if " " not in name.text and not is_cjk(name.text) else None
        kept = list(itertools.takewhile(_is_noun, after.group(0).split())) if after else []
        found.append(" ".join([name.text, *kept]))
    return found


def _is_noun(word: str) -> bool:
    return word not in lexicon.STOP | lexicon.CONNECTORS and not re.search(r"(?:ed|ing|ly|s)$", word)


def _has_page(name: str, pages: Sequence[Page]) -> bool:
    return any(aboutness(page, name) >= OWN_PAGE for page in pages)
