"""A report in the making: what there is to say, and what has been said already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from .dating import CUES
from .differences import differences
from .gather import LITTLE, gather
from .kinds import kind_of
from .layout import Limits
from .names import latin_name, mentions, pieces_of, plain
from .overview import items
from .page import Page
from .points import Gathered, Point
from .quotes import Choice, Quote, length
from .report_words import CAUSE
from .request import asked_sides, asks_of_one
from .shared_names import AT_START, is_proper, years_in
from .text import is_cjk
from .weighing import is_advised, weighed

MOST_WORDS = 1300


class Draft:
    """One report in the making: what there is to say, and what has been said already."""

    def __init__(self, question: str, pages: Sequence[Page], lang: str, limits: Limits) -> None:
        self.question, self.lang, self.limits = question, lang, limits
        pages = pages if is_cjk(question) else without_translations(pages)
        self.kind = kind_of(question)
        self.sides = asked_sides(question)
        self.items, self.criteria = items(question, pages), weighed(question)
        self.room = limits.words or (MOST_WORDS if lang == "en" else 2 * MOST_WORDS)
        self.gathered: Gathered = gather(question, pages, self.items)
        told = sum(length(point.text) for point in self.gathered.points)
        if 2 * told < self.room and self.kind in ("overview", "why", "debate"):
            self.gathered = gather(question, pages, self.items, LITTLE)
        self.asks_advice = self.kind == "recommendation"
        if self.asks_advice and not self.items and asks_of_one(question, self.gathered.names):
            self.kind = "overview"  # what is told of it; whether it is worth its price, only a reader can say
        self.pages = pages
        self.newest = max((y for page in pages for y in years_in(page.published)), default=0)
        self.choice = Choice()
        self.columns = frozenset[str]()
        self.tables = set[tuple[tuple[str, ...], tuple[str, ...]]]()
        self.told: set[tuple[str, str]] = set()
        self.differences = differences(pages, self.gathered)
        self.used = {statement.key for found in self.differences for statement in found.older}

    def take(self, *points: Point) -> None:
        """Note that points are said."""
        self.used.update(p.key for p in points)
        self.choice.note(Quote(points, 0.0))

    def choose(self, candidates: Iterable[Quote], room: int) -> list[Quote]:
        """Quotes for so many words."""
        found = self.choice.take(candidates, room)
        self.used.update(p.key for quote in found for p in quote.points)
        return found

    def other_thing(self, page: Page) -> str:
        """The thing that a page is about, if the request does not name it."""
        known = (*self.gathered.names, *self.items)
        title = "" if is_cjk(page.title) else next(iter(pieces_of(page.title)), "")
        named = AT_START.sub("", title)  # "About Orsk Mill"
        title = named if named[:1].isupper() else title
        return title * (is_proper(title) and not any(mentions(title, name) for name in known))

    @cached_property
    def _things(self) -> frozenset[str]:
        """What titles name, sentences begin with, and nobody writes small."""
        told = "\n".join(s.text for page in self.pages for s in page.sentences)
        titled = frozenset(filter(None, map(self.other_thing, self.pages)))
        begins = (n for n in titled if re.search(rf"^(?:The )?{re.escape(n)}\b", told, re.MULTILINE))
        return frozenset(begins)

    def is_told(self, page: Page, text: str) -> bool:
        """Whether a text tells of what the request names, if its page is on another thing."""
        return not self.is_on_another(page) or any(mentions(text, n) for n in self.gathered.names)

    def is_on_another(self, page: Page) -> bool:
        """Whether a page is on a thing that the request does not name."""
        other = len(self.items) > 1 or (self.gathered.names and page.id not in self.gathered.members)
        return bool(other) and self.other_thing(page) in self._things

    def told_of_it(self, quotes: Iterable[Quote]) -> list[Quote]:
        """Quotes without those that tell of another thing only; in a profile, what a page on another thing
        says of this one, with what it leans on."""
        told = [q for q in quotes if self.is_told(q.points[0].page, q.text)]
        if len(self.items) > 1:  # no table of other things
            texts = {q: f"{q.points[0].page.title} {q.text}" for q in told}
            told = [q for q in told if not q.is_table or any(mentions(texts[q], one) for one in self.items)]
        if not self.is_profile:
            return told
        told = [q if q.is_table else self._part_on_it(q) for q in told]
        return [q for q in told if tells_something(q.text) or not is_advised(q.text, self.gathered.names[0])]

    @property
    def is_profile(self) -> bool:
        """Whether the report is on one thing as a whole."""
        return self.kind == "overview" and len(self.gathered.names) == 1

    def _part_on_it(self, quote: Quote) -> Quote:
        """What a quote from a page on another thing says of the one that the request names, from where it
        says of what it speaks."""
        name, thing = self.gathered.names[0], self.other_thing(quote.points[0].page)
        named = [n for n, p in enumerate(quote.points) if mentions(p.text, name)]
        if not named or not self.is_on_another(quote.points[0].page):
            return quote
        first = named[0]
        while first and not any(mentions(p.text, thing) for p in quote.points[first : named[-1] + 1]):
            first -= 1
        return replace(quote, points=quote.points[first : named[-1] + 1])

    def _is_on(self, quote: Quote, item: str) -> bool:
        """Whether a quote is on one of the things compared and on no other; without one, on none alone of
        those that its page compares."""
        page = quote.points[0].page
        own = {name for p in quote.points for name in p.about} & {*self.items}
        if item:
            return own == {item} and not any(CUES["other"].search(p.text) for p in quote.points)
        return not self.items or (not own and sum(mentions(page.text, name) for name in self.items) > 1)


def without_translations(pages: Sequence[Page]) -> list[Page]:
    """Pages without those in Chinese or Japanese on what another page has as its title in Latin letters."""
    titled = {plain(piece) for page in pages for piece in pieces_of(page.title)[:1] if piece}
    foreign = {page: [piece for piece in pieces_of(page.title) if is_cjk(piece)] for page in pages}
    return [p for p, told in foreign.items() if not any(plain(latin_name(n, [p])) in titled for n in told)]


def tells_something(text: str) -> bool:
    """Whether a text has a figure or a cause."""
    return bool(re.search(r"\d", text) or CAUSE.search(text))
