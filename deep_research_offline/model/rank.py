"""Which passages serve a question: weighted overlap, names, title, heading, kind of answer, time, trust."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from .lexicon import load
from .names import (
    SLIP,
    Named,
    Names,
    aboutness,
    bare,
    is_among,
    mentions,
    names_in,
    shown_by,
    stems_of,
    tokens,
)
from .page import Page, Passage, passages
from .query import (
    YEAR,
    Concept,
    Query,
    is_core,
    joined_pairs,
    lifted,
    read_query,
    split_asking,
    split_bound,
    times_in,
)
from .report_words import TIERS
from .text import is_cjk, stem, term_set
from .thesaurus import asked_by, families_of, group_of, measures_in, said_by, shows, written
from .unknown import unknown
from .values import counts, has_unit, numbers, tells_when, unit_family

_GROUP, _UNIT, _HEADING, _TITLE, _BEFORE = 0.85, 0.7, 0.75, 0.5, 0.5
_COUNTED_AHEAD = 12
_REASON_ABOVE = 0.85
"""How much a passage gives a reason whose heading asks for one."""
_LETTER = 0.5
"""How much of a Chinese or Japanese word one of its letters says."""
_NAME_WEIGHT = 1.3
_MISSED = 0.5
_CORE = 1.8
HIT = 0.8
_SPAN = re.compile(
    r"(?:from |between )?([12]\d{3})年?\s*(?:to|until|till|and|–|-|から|至|到)\s*([12]\d{3})|"
    r"(?:since|自|from)\s*([12]\d{3})|([12]\d{3})年?\s*(?:以来|以降|から(?!\s*[12]\d{3})|起)",
    re.IGNORECASE,
)
ENDED = re.compile(
    r"\bformer(?:ly)?\b|\b(?:from [12]\d{3} (?:to|until)|between [12]\d{3} and [12]\d{3})\b|\buntil\b"
    r"|\bno longer\b|\bused to\b|\bprevious\b|\bbefore\b|\bbecame the first\b"
    r"|[12]\d{3}年?(?:至|到|から|–)[12]\d{3}|曾|之前|以前|だった",
    re.IGNORECASE,
)
SINCE = re.compile("since|以来|以降", re.IGNORECASE)
"""What says that a state still lasts."""
_PLANNED = re.compile(
    r"\b(?:will|would|shall|(?:is|are|was|were) (?:(?:due )?to|planned|expected|proposed)|plans? to"
    r"|proposals?)\b|将(?!军)|计划|拟于|予定|案では|になる。|提案",
    re.IGNORECASE,
)
"""What says that something is still to come."""
_ASKS_WHY = re.compile(r"(?<!\bis )(?<!\bwas )\bwhy\b|为什么|为何|なぜ", re.IGNORECASE)
"""What a text asks and does not tell."""
_LASTS = re.compile(r"\bwhy (?:does|do|is|are|can|must|should)\b", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:if|unless|whenever)\b|\bwhen\b(?!.*\b(?:was|were|had)\b)", re.IGNORECASE)
"""What asks why something is always so, and what says under which condition it is."""
_IS_A = re.compile(r".{2,60}?(?:\b(?:is|was|are|were) (?:an?|the|one of)\b|是|は)(.{2,60}?)(?=[,.;，。、]|$)")
"""A sentence that says what kind of thing something is."""
_KEPT = re.compile(
    r"no longer (?:updated|maintained)|archived|kept for reference|outdated|不再更新|更新されて",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A passage with its score; `levels` says how well it holds each concept and then each name, 0–1, and
    `said` which of them stand in its own words."""

    passage: Passage
    score: float
    levels: tuple[float, ...]
    said: frozenset[int]

    @property
    def page(self) -> Page:
        """The page of the passage."""
        return self.passage.page

    @property
    def text(self) -> str:
        """The words of the passage."""
        return self.passage.text


def trust(page: Page) -> tuple[int, str]:
    """What makes one page preferable to another: its tier, then its date."""
    return (TIERS.get(page.tier, 1), page.published)


_MANY = re.compile(r"\bhow many ([a-z]+)")
"""What is counted, however little the word says ("months")."""
_WHAT_FOR = re.compile(r"\b(?:for|per) ", re.IGNORECASE)
"""Behind it stands no more what is counted: "27 days for each book"."""
_LONG_AGO = 2020
"""The year up to which all dates speak as little for a page."""
_TRUST, _NOT, _DOUBT, _ASIDE = 0.03, 0.03, 0.15, 0.1
"""What speaks for a passage: its tier, and that it denies where the question does; and against it: words of
doubt, and that it is an example or aside."""
_NEGATED = re.compile(r"\b(?:not|cannot|never|without)\b|n['’]t\b", re.IGNORECASE)
_AMOUNTS_TO = re.compile(r"([a-z]+)(?: value)?(?: is|:| =) $", re.IGNORECASE)
"""What an amount is given for: "the default is 3"."""


class Ranking:
    """Scores every passage of some pages for a question. `focus` names what this part of the question is
    about, if it is about one of several things; `without` names what is left to others."""

    def __init__(
        self, query: Query, pages: Sequence[Page], focus: Sequence[str] = (), without: Sequence[str] = ()
    ) -> None:
        self.pages = tuple(pages)
        self.book: Names = shown_by(self.pages)
        self.query = query = read_query(self.book.mend(query.text))
        self.found: tuple[Named, ...] = self.book.find(query.text)
        asked_of = self._before_bound()
        self.names = tuple(dict.fromkeys([*focus, *(n for n in asked_of if n not in without)]))
        spelled = [*focus, *without, *(said for n in self.found for said in (n.text, n.slip))]
        self._named = frozenset(s for name in spelled for s in stems_of(name))
        beside = self._beside_names({*focus, *without})
        asked = [
            replace(c, kin=self.book.kin(c.word))
            for c in self._read_concepts()
            if not (c.stems and not c.stems & beside and {stem(t) for t in tokens(c.word)} <= self._named)
            and not YEAR.fullmatch(c.word)
        ]
        self.written = frozenset(n for c in asked if c.word in query.asked for n in written(c.groups))
        self.concepts = lifted(asked) if query.kind == "plain" else tuple(asked)
        self.years = tuple(y for y in query.years if not any(y in n for n in self.names))
        self.passages = passages(self.pages)
        texts = [said_by(f"{p.page.title} {p.sentence.heading} {p.text}") for p in self.passages]
        every = (
            frozenset(stem for stems, _ in texts for stem in stems),
            frozenset(group for _, groups in texts for group in groups),
        )
        self._levels = [self._level(p) for p in self.passages]
        said = [holds(c, every) >= HIT for c in self.concepts]  # "how much money" by an amount, too
        self.shown = [s or any(told[n] >= _UNIT for told, _ in self._levels) for n, s in enumerate(said)]
        self.weights = self._weigh()
        self.total = sum(self.weights) or 1.0
        self.claims = self._claim()
        found = [
            Scored(passage, self.value(levels) + self.bonus(passage), tuple(levels), frozenset(said))
            for passage, (levels, said) in zip(self.passages, self._levels, strict=True)
        ]
        self.scored = sorted(found, key=lambda one: -one.score)

    def _before_bound(self) -> list[str]:
        """The names of the question, but for those that only end the time asked of ("who ran it before Holm
        did")."""
        head, bound = split_bound(self.query.text)
        self.bound = frozenset(tokens(bound))
        end = len(tokens(head))
        return [n.text for n in self.found if n.start < end] or [n.text for n in self.found]

    def _beside_names(self, items: set[str]) -> set[str]:
        """The stems of the question outside the names of pages and the things that it is restricted to."""
        inside = {n for named in self.found for n in range(named.start, named.end)}
        unseen = {stem(t) for item in items - {n.text for n in self.found} for t in tokens(item)}
        return {stem(t) for n, t in enumerate(tokens(self.query.text)) if n not in inside} - unseen

    def _read_concepts(self) -> tuple[Concept, ...]:
        """The concepts of the question. Sentences around the one that asks belong to it if the names stand
        there; where words are not divided, names are cut out first, and what no passage has is one word."""
        text = self.query.text
        said = split_asking(text)
        whole = bool(said.around and self.found) and not any(
            mentions(said.asking, n.text) or (n.slip and mentions(said.asking, n.slip)) for n in self.found
        )
        if self.query.lang == "en":
            return read_query(text, whole).concepts
        for named in sorted(self.found, key=lambda n: -n.start):
            text = f"{text[: named.start]} {text[named.end :]}"
        shown = frozenset(term for p in self.pages for term in term_set(f"{p.title}\n{p.text}"))
        return joined_pairs(read_query(text, whole).concepts, shown)

    # --- how well a passage holds each thing ---------------------------------------------------------

    def _level(self, passage: Passage) -> tuple[list[float], set[int]]:
        text = passage.text
        named = measures_in(text)
        above, title = said_by(passage.sentence.heading), said_by(passage.page.title)
        defined = said_by(definition(passage.page))
        before = said_by(passage.before[-1].text if passage.before else "")
        levels: list[float] = []
        own: set[int] = set()
        for number, concept in enumerate(self.concepts):
            own_words = self._without_names(text) if self._is_of_name(concept) else text
            level = holds(concept, said_by(own_words))  # "which mill has most mills"
            if level >= HIT:
                own.add(number)
            units = families_of(concept.groups)
            around = (
                _UNIT * (shows(concept.groups, text) or shows(concept.groups, passage.sentence.heading)),
                _UNIT if units and (not named or named & concept.groups) and has_unit(text, units) else 0.0,
                _HEADING * holds(concept, above),
                _HEADING * holds(concept, defined),
                (_HEADING if passage.sentence.kind == "row" else _TITLE) * holds(concept, title),
                _BEFORE * holds(concept, before),
            )
            levels.append(max(level, *around))
        if self.query.kind == "reason":
            self._weigh_reason(passage, levels)
        for year in self.years:
            levels.append(_in_year(year, passage))
            if levels[-1] >= HIT:
                own.add(len(levels) - 1)
        for name in self.names:
            if mentions(passage.text, name):
                own.add(len(levels))
                levels.append(1.0)
            else:
                sure = self.about(passage, name)
                levels.append(0.95 * max(sure, 0.9 if _named_before(passage, name) else 0.0))
        return levels, own

    def _without_names(self, text: str) -> str:
        for name in self.names:
            text = re.sub(re.escape(bare(name)), " ", text, flags=re.IGNORECASE)
        return text

    def _is_of_name(self, concept: Concept) -> bool:
        """Whether a concept is a word of a name."""
        return bool(concept.stems) and concept.stems <= self._named

    def _weigh_reason(self, passage: Passage, levels: list[float]) -> None:
        """Let a passage give a reason only as far as it, its heading and paragraph speak of what is asked,
        and none if it only asks why; a heading that does counts like a word that gives the reason."""
        why, around = group_of("reason"), said_by(passage.paragraph)
        places = [n for n, c in enumerate(self.concepts) if c.groups & why]
        asked = [n for n, c in enumerate(self.concepts) if not c.weak and n not in places]
        held = sum(max(levels[n], holds(self.concepts[n], around)) >= _BEFORE for n in asked)
        above = _REASON_ABOVE if asked_by(passage.sentence.heading) & why else 0.0
        under = _UNIT if _LASTS.search(self.query.text) and _CONDITION.search(passage.text) else 0.0
        for n in places:
            given = 0.0 if _ASKS_WHY.search(passage.text) else max(levels[n], under)
            levels[n] = max(given, above) * (held / len(asked) if asked else 1.0)

    @staticmethod
    def about(passage: Passage, name: str) -> float:
        """How surely a passage that does not name a thing is about it: by title or heading."""
        sure = aboutness(passage.page.title, name)
        heading = passage.sentence.heading
        if heading and mentions(heading, name):
            sure = max(sure, 0.9)
        return sure

    def serves(self, one: Scored) -> bool:
        """Whether a passage or the heading above it says anything asked."""
        return bool(one.said) or max(one.levels[: len(self.concepts)], default=0.0) >= _HEADING

    def is_asked(self, concept: Concept) -> bool:
        """Whether a concept is what the question asks for, by its sense or place, and no word of a name."""
        named = self._is_of_name(concept)
        return is_core(concept) or (concept.word in self.query.asked and not named)

    def kinds_of(self, page: Page) -> tuple[int, ...]:
        """The concepts that say what kind of thing the subject of a page is."""
        said = said_by(definition(page))
        return tuple(n for n, c in enumerate(self.concepts) if holds(c, said))

    def _weigh(self) -> list[float]:
        """Rarity among the passages shown, times how much the question leans on the word."""
        size = len(self.passages) + 1
        prior = [c.weight for c in self.concepts] + [1.0] * len(self.years) + [_NAME_WEIGHT] * len(self.names)
        weights = []
        for number, weight in enumerate(prior):
            many = sum(1 for levels, _ in self._levels if levels[number] >= _HEADING)
            concept = self.concepts[number] if number < len(self.concepts) else None
            if concept and (is_core(concept) or (many and self.is_asked(concept))):
                weight *= _CORE
            weights.append(weight * (0.5 + math.log(1 + size / (1 + many)) / math.log(2 + size)))
        return weights

    def _claim(self) -> list[float]:
        """How much an answer has to say each concept: what is asked most. A word that no passage says counts
        where it is asked or ends a phrase; elsewhere it may stand for the affairs of who asks."""
        found = []
        for concept, shown in zip(self.concepts, self.shown, strict=True):
            first = is_core(concept) or self.is_asked(concept) or (shown and concept.thing)
            share = 1.0 if first else 0.5 if shown or concept.thing else 0.0
            found.append(0.0 if self._is_of_name(concept) else concept.weight * share)
        return found

    @cached_property
    def strange(self) -> tuple[str, ...]:
        """The names in the question that nothing shows."""
        gone = [word if is_cjk(word) else stem(word) for word in self._gone]
        things = unknown(self.query.text, gone, self.names, self.book)
        return tuple(thing.text for thing in things if thing.named)

    @property
    def lost(self) -> bool:
        """Whether what a question asks about is unknown: it names nothing that is known and nothing like it,
        or the first thing named where it asks has an unknown word in place of one that pages have ("Who
        founded Qarzel Yard, the rival of …")."""
        if not self.names:
            return bool(self.strange) and all(len(word) >= SLIP for word in self._gone)
        asking = split_asking(self.query.text).asking
        said, known = tokens(asking), [n.start for n in self.book.find(asking)]
        first = (tokens(name)[0] for name in self.strange if not is_cjk(name))
        strange = [said.index(w) for w in first if w in said and self.book.is_in_place_of_another(w, asking)]
        return bool(strange) and min(strange) < min(known, default=len(said))

    @property
    def _gone(self) -> list[str]:
        return [c.word for c, shown in zip(self.concepts, self.shown, strict=True) if not shown]

    # --- scores --------------------------------------------------------------------------------------

    def value(self, levels: Sequence[float]) -> float:
        """The weighted share of the question that these levels hold."""
        held = sum(w * v for w, v in zip(self.weights, levels, strict=True)) / self.total
        return held - _MISSED * self.missed(levels)

    def cover(self, levels: Sequence[float]) -> float:
        """The weighted share of what matters in the question, weak words aside."""
        kept = [n for n in range(len(levels)) if n >= len(self.concepts) or not self.concepts[n].weak]
        kept = kept or list(range(len(levels)))
        whole = sum(self.weights[n] for n in kept) or 1.0
        return sum(self.weights[n] * levels[n] for n in kept) / whole * (1 - 0.5 * self.missed(levels))

    def missed(self, levels: Sequence[float]) -> float:
        """How much of what the question names is not what these levels are about, 0–1, by rarity."""
        start = len(self.weights) - len(self.names)
        rarity = [w - 0.5 * _NAME_WEIGHT for w in self.weights[start:]]
        gone = sum(r for r, v in zip(rarity, levels[start:], strict=True) if v < 0.5)
        return gone / (sum(rarity) or 1.0)

    def bonus(self, passage: Passage, known: Sequence[str] = ()) -> float:
        """What speaks for a passage besides the words: kind of answer, time, trust, form. `known` are names
        that led to it."""
        worth = (
            _TRUST * TIERS.get(passage.page.tier, 1) + self.kind_bonus(passage, known) + self._time(passage)
        )
        worth -= _DOUBT * is_doubtful(passage.text)
        worth -= 0.02 * (passage.sentence.kind == "row")
        worth -= 0.3 * passage.text.endswith(("?", "？"))
        worth += _NOT * bool(_NEGATED.search(self.query.text) and _NEGATED.search(passage.text))
        text = passage.text
        aside = passage.sentence.kind == "code" or text[0] + text[-1] == "()" or text.isupper()
        worth -= _ASIDE * (aside + passage.announces)
        worth -= 0.15 * min(1.0, max(0, len(passage.text) - 220) / 400)
        return worth

    def kind_bonus(self, passage: Passage, known: Sequence[str]) -> float:
        """What speaks for a passage by the kind of answer asked, and against it."""
        kind, text = self.query.kind, passage.text
        if self.query.when and not tells_when(text):
            return -0.1
        if kind == "number":
            if self.query.units:
                fits = has_unit(text, self.query.units) or self.measured(text)
                return 0.16 if fits else 0.02 if numbers(text) else -0.1
            return 0.14 if self.counted(text) else 0.03 if numbers(text) else -0.1
        if kind == "date":
            return 0.1 if tells_when(text) else -0.1
        if kind == "name" and self.written:
            there = shows(self.written, text) or shows(self.written, passage.sentence.heading)
            return 0.1 if there else -0.1
        if kind in {"person", "place", "name"}:
            own, said = (*self.names, *known, bare(passage.page.title)), passage.sentence
            text = "; ".join(said.cells[1:]) if said.kind == "row" else text
            new = (n for n in names_in(text) if not (is_among(n, own) or self.bound & {*tokens(n)}))
            other = any(map(self.book.is_name, new))
            other = other or (kind == "name" and "`" in text)
            return 0.1 if is_cjk(text) or other else -0.1 * (kind == "person")
        if kind == "reason":
            return 0.1 if said_by(text)[1] & group_of("reason") else 0.0
        return 0.0

    def measured(self, text: str) -> bool:
        """Whether a text says the measure asked, with a number in a unit that belongs to no other measure;
        all units of time are known."""
        said = said_by(text)
        return (
            self.query.units != {"time"}
            and any(holds(c, said) for c in self.concepts if is_core(c))
            and any(v.unit and not unit_family(v.unit) for v in numbers(text))
        )

    def counted(self, text: str) -> bool:
        """Whether a text has a number of what is asked: one of the words asked stands just behind it, or
        before it as the name of a column, in Chinese and Japanese also as what is counted ("定員は30人"), or
        another word for it before it.
        Days are counted by that word alone."""
        many = _MANY.search(self.query.text.lower())
        wanted = [c for c in self.concepts if not c.weak and c.word in self.query.asked]
        wanted = wanted or [c for c in self.concepts if not c.weak]
        wanted += [c for c in self.concepts if c.weak and many and c.word == many[1]]
        for start, said in counts(text):
            after = _WHAT_FOR.split(text[start : start + len(said) + 24])[0]
            before = text[max(0, start - 30) : start]
            labelled = before.rstrip().endswith((":", "—"))
            column = re.split("[;:—]", before.rstrip(":— "))[-1] if labelled else ""
            column += before[-_COUNTED_AHEAD:] if is_cjk(before) else ""
            near, ahead = said_by(f"{after} {column}"), said_by(re.split("[:;,—]", before)[-1])
            given = _AMOUNTS_TO.search(text[:start])
            if given and any(stem(given[1]) in c.stems or holds(c, said_by(given[1])) for c in self.concepts):
                return True
            if any(c.stems & near[0] if self.query.units else holds(c, near) >= HIT for c in wanted):
                return True
            if any(c.groups & ahead[1] and not c.stems & ahead[0] for c in wanted):  # "carries 40 people"
                return True
        return not wanted

    def _time(self, passage: Passage) -> float:
        text, time = f"{passage.sentence.heading} {passage.text}", self.query.time
        worth = -0.08 if _is_kept(passage.page.text) else 0.0
        if self.years:
            return worth
        if time == "before":
            hit = ENDED.search(text) or "before" in times_in(text.lower())
            return worth + (0.12 if hit else -0.3 if is_later(text) else -0.04)
        strength = 1.0 if time else 0.4
        worth -= 0.14 * strength if ENDED.search(text) and not SINCE.search(text) else 0.0
        if time == "now":
            over = _PLANNED.search(text) or (ENDED.search(text) and not SINCE.search(text))
            worth += 0.12 * ("now" in times_in(text.lower())) - 0.2 * bool(over)
        if time and re.search(load("words")["time"]["after"], text.lower()):
            worth += 0.06
        if passage.page.published[:4].isdigit():
            newer = int(passage.page.published[:4]) - _LONG_AGO
            worth += (0.004 if time else 0.0004) * max(0, min(40, newer))
        return worth

    # --- choices -------------------------------------------------------------------------------------

    def best(self, most: int) -> list[Scored]:
        """The best passages that speak for themselves at all, each wording once."""
        kept: dict[str, Scored] = {}
        for one in self.scored:
            if one.score >= 0:
                kept.setdefault(one.text, one)
        return list(kept.values())[:most]


@lru_cache(maxsize=1024)
def _is_kept(text: str) -> bool:
    """Whether a page is an old copy."""
    return bool(_KEPT.search(text))


@lru_cache(maxsize=4096)
def definition(page: Page) -> str:
    """What kind of thing a page says that its subject is ("… is a town", "… (town)"); "" if it says none."""
    if bare(page.title) != page.title:
        return page.title.removeprefix(bare(page.title))
    for said in page.sentences[:12]:
        if said.kind == "prose" and (match := _IS_A.match(said.text)):
            return match.group(1) if mentions(match.group(0), bare(page.title)) else ""
    return ""


def is_later(text: str) -> bool:
    """Whether a text tells only of what came after something, or of now."""
    return "after" in (times := times_in(text.lower())) and not ("before" in times or ENDED.search(text))


def is_doubtful(text: str) -> bool:
    """Whether somebody says of a text's statement that they are not sure of it."""
    return bool(re.search(load("words")["doubt"]["own"], text.lower()))


def is_claimed(text: str) -> bool:
    """Whether a text gives a statement as somebody's ("according to the operator")."""
    return bool(re.search(load("words")["doubt"]["claimed"], text.lower()))


def is_asked_above(query: Query, heading: str) -> bool:
    """Whether a heading says or shows anything asked, or asks for a reason as the question does."""
    why = asked_by(heading) & group_of("reason") if query.kind == "reason" else frozenset()
    said = said_by(heading)
    return bool(why) or any(
        holds(c, said) >= HIT or (c.word in query.asked and shows(c.groups, heading))
        for c in query.concepts
        if not c.weak
    )


def _named_before(passage: Passage, name: str) -> bool:
    """Whether one of the two passages before, in one paragraph, names a thing, and this names no other."""
    return not names_in(small(passage.text)) and any(mentions(said.text, name) for said in passage.before)


def small(text: str) -> str:
    """A text whose first letter is small, as it opens no name by itself."""
    return text[:1].lower() + text[1:]


def holds(concept: Concept, said: tuple[frozenset[str], frozenset[int]]) -> float:
    """How well stems and groups that a text says hold a concept, 0–1."""
    stems, groups = said
    if concept.stems and concept.stems <= stems:
        return 1.0
    if concept.groups & groups or concept.kin & stems:
        return _GROUP
    letters = {c for s in concept.stems if is_cjk(s) for c in s} & stems
    return _LETTER if letters and not concept.groups else 0.0


@lru_cache(maxsize=65536)
def _year_in(text: str, year: str) -> float:
    if re.search(rf"(?<!\d){year}(?!\d)", text):
        return 1.0
    for match in _SPAN.finditer(text):
        start, end, since, since_cjk = match.groups()
        if start and int(start) <= int(year) <= int(end):
            return 0.95
        if not start and int(since or since_cjk) <= int(year):
            return 0.85
    return 0.0


def _in_year(year: str, passage: Passage) -> float:
    own = _year_in(passage.text, year)
    if own or YEAR.search(passage.text):
        return own
    around = f"{passage.sentence.heading} {passage.page.title}"
    return 0.9 * _year_in(around, year) or (0.3 if passage.page.published.startswith(year) else 0.0)
