"""The desk at which a region's pages are written: addresses, dates, bylines, links. Knows no domain."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import ClassVar, Generic, TypeVar

from deep_research.offline.web import hazards
from deep_research.offline.web.assembly import Assembly, Draft, Part
from deep_research.offline.web.names import NameMaker
from deep_research.offline.web.prose import Datum, Entity, Lexicon, Teller
from deep_research.offline.web.region import Region

R = TypeVar("R", bound=Region)


class Desk(Generic[R]):
    """Writes into one assembly on behalf of one region, in the words of a domain's `lexicon`.

    `homes` are the articles of the domain's reference work by (entity, language), `stories` the news that
    other papers reprint, by a name that the writer chooses. `forum` is where threads stand, and their author.
    """

    lexicon: ClassVar[Lexicon]
    forum: ClassVar[tuple[str, str]]

    def __init__(self, region: R, web: Assembly, names: NameMaker, rng: random.Random) -> None:
        self.region, self.web, self.names, self.rng = region, web, names, rng
        self.teller = Teller(self.lexicon, rng)
        self.homes: dict[tuple[str, str], Draft] = {}
        self.stories: dict[str, Draft] = {}

    def bureau(self, office: str) -> str:
        """The host of a public body of this region."""
        return f"{office}.{self.region.slug}.gov.example"

    def page(
        self,
        url: str,
        title: str,
        style: str,
        published: str | None = None,
        author: str | None = None,
        lang: str = "en",
    ) -> Draft:
        """A new page, in the order in which the web lists them."""
        return self.web.add(Draft(self.teller, url, title, style, lang, published, author))

    def signed(
        self, url: str, title: str, style: str, published: str, author: str, credit: str = "*{}*"
    ) -> Draft:
        """A page that opens with its author's name, put into `credit`."""
        draft = self.page(url, title, style, published, author)
        draft.para(credit.format(author))
        return draft

    def thread(self, title: str) -> Draft:
        """A thread of the forum, where what is said is wrong."""
        place, author = self.forum
        url = f"https://{place}/{self.names.number(10_000, 999_999)}"
        draft = self.page(url, title, "forum", self.ago(30, 900), author)
        draft.flag("wrong")
        return draft

    def link(self, draft: Draft, *entities: Entity | None) -> None:
        """Link to the articles about `entities` in the draft's own language, where they exist."""
        homes = [self.homes.get((entity.key, draft.lang)) for entity in entities if entity]
        draft.link(*(home for home in homes if home))

    def reprint(
        self, stories: Iterable[str], papers: Sequence[tuple[str, int]], title: str, credit: str
    ) -> None:
        """Near-copies of stories in other `papers` (host, days later), in turn; `{}` in `title` is the old
        title.
        """
        for i, story in enumerate(stories):
            draft, (host, days) = self.stories[story], papers[i % len(papers)]
            url = f"https://{host}/{self.region.slug}/{draft.url.rsplit('/', 1)[1]}"
            self.web.add(hazards.syndicate(draft, url, title.format(draft.title), credit, days))

    def rows(self, draft: Draft, entities: Iterable[Entity], *attrs: str) -> list[Sequence[Part]]:
        """Rows of a table of bare numbers: the name, then one column per attribute."""
        return [
            (entity.name.say(draft.lang), *map(draft.count, self.region.all(entity, *attrs)))
            for entity in entities
        ]

    def two_facts(self, topics: Sequence[tuple[str, str]]) -> list[Datum]:
        """Facts on two of the (kind, attribute) topics, each about an entity drawn at random."""
        return [
            self.region.get(self.rng.choice(self.region.entities[kind]), attr)
            for kind, attr in self.rng.sample(topics, 2)
        ]

    def ago(self, low: int, high: int) -> str:
        """A day between `low` and `high` days before the web's own date."""
        return (self.region.today - timedelta(days=self.rng.randrange(low, high))).isoformat()

    def in_year(self, year: int) -> str:
        """A day in `year`, never after the web's own date."""
        last = 12 if year < self.region.today.year else self.region.today.month - 1
        return f"{year}-{self.rng.randrange(1, max(2, last + 1)):02d}-{self.rng.randrange(1, 29):02d}"

    def byline(self) -> str:
        return self.names.person().en

    def colour(self, kind: str) -> str:
        """A sentence of local colour that states no fact."""
        return self.rng.choice(self.lexicon.colour[kind])

    def colours(self, kind: str) -> Iterator[str]:
        """Sentences of local colour, none of them twice."""
        return iter(self.rng.sample(self.lexicon.colour[kind], len(self.lexicon.colour[kind])))


def slug(text: str) -> str:
    """`text` as a lower-case path segment."""
    return text.lower().replace(" ", "-").replace("–", "-")
