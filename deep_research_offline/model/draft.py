"""A report in the making: what there is to say, and what has been said already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from .differences import differences
from .gather import gather
from .kinds import kind_of
from .layout import Limits
from .lists import criteria
from .names import latin_name, mentions, pieces_of, plain
from .overview import items
from .page import Page
from .points import Gathered, Point
from .quotes import Choice, Quote
from .report_words import CAUSE
from .request import asked_sides
from .shared_names import is_proper, years_in
from .text import is_cjk

MOST_WORDS = 1300
_OTHER = re.compile(r"(?:another|(?:the )?others?)\b", re.IGNORECASE)
"""Of one more thing, which has no name there."""


class Draft:
    """One report in the making: what there is to say, and what has been said already."""

    def __init__(self, question: str, pages: Sequence[Page], lang: str, limits: Limits) -> None:
        self.question, self.lang, self.limits = question, lang, limits
        pages = pages if is_cjk(question) else without_translations(pages)
        self.kind = kind_of(question)
        self.sides = asked_sides(question)
        self.items, self.criteria = items(question, pages), criteria(question)
        self.gathered: Gathered = gather(question, pages, self.items)
        self.pages = pages
        self.newest = max((y for page in pages for y in years_in(page.published)), default=0)
        self.choice = Choice()
        self.columns = frozenset[str]()
        self.tables = set[tuple[tuple[str, ...], tuple[str, ...]]]()
        self.told: set[tuple[str, str]] = set()
        self.differences = differences(pages, self.gathered.names, self.gathered.siblings)
        self.used = {statement.key for found in self.differences for statement in found.older}
        self.room = limits.words or (MOST_WORDS if lang == "en" else 2 * MOST_WORDS)

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
        names = self.gathered.names
        other = names and page.id not in self.gathered.members and self.other_thing(page) in self._things
        return not other or any(mentions(text, n) for n in names)

    def _is_on(self, quote: Quote, item: str) -> bool:
        """Whether a quote is on one of the things compared and on no other; without one, on none alone of
        those that its page compares."""
        page = quote.points[0].page
        own = {name for p in quote.points for name in p.about} & {*self.items}
        if item:
            return own == {item} and not any(_OTHER.match(p.text) for p in quote.points)
        return not self.items or (not own and sum(mentions(page.text, name) for name in self.items) > 1)


def without_translations(pages: Sequence[Page]) -> list[Page]:
    """Pages without those in Chinese or Japanese on what another page has as its title in Latin letters."""
    titled = {plain(piece) for page in pages for piece in pieces_of(page.title)[:1]}

    def is_translation(page: Page) -> bool:
        names = (latin_name(piece, [page]) for piece in pieces_of(page.title) if is_cjk(piece))
        return any(plain(name) in titled for name in names if name)

    return [page for page in pages if not is_translation(page)]


def tells_something(text: str) -> bool:
    """Whether a text has a figure or a cause."""
    return bool(re.search(r"\d", text) or CAUSE.search(text))
