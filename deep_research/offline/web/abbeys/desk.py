"""The scriptorium of one country: hosts, dates, bylines, and each entity's page in the lexicon."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta

from deep_research.offline.web.abbeys.words_cjk import JA, LABELS, NOUNS, ZH
from deep_research.offline.web.abbeys.words_en import COLOUR, TEMPLATES
from deep_research.offline.web.abbeys.world import Country
from deep_research.offline.web.assembly import Assembly, Draft
from deep_research.offline.web.names import NameMaker
from deep_research.offline.web.prose import Entity, Lexicon, Teller

WORDS = Lexicon({"en": TEMPLATES, "zh": ZH, "ja": JA}, LABELS, NOUNS)

LEXICON = "heights-lexicon.org.example"
DAIRY_JOURNAL = "annals-of-rind-and-curd.example"
ARCHIVE = "drafts.campanology.edu.example"
FORUM = "cheesecloth-talk.example"
SOCIAL = "yodl.example"
WALKS = "boots-and-bread.example"
ATTIC = "attic-of-the-web.example"


class Desk:
    """Writes into one assembly on behalf of one country. `homes` are lexicon pages by (entity, language)."""

    def __init__(self, country: Country, web: Assembly, names: NameMaker, rng: random.Random) -> None:
        self.country, self.web, self.names, self.rng = country, web, names, rng
        self.teller = Teller(WORDS, rng)
        self.homes: dict[tuple[str, str], Draft] = {}
        self.stories: dict[str, Draft] = {}  # news that other papers reprint

    @property
    def herald(self) -> str:
        return f"{self.country.slug}-herald.example"

    @property
    def weekly(self) -> str:
        return f"the-{self.country.slug}-weekly.example"

    def office(self, name: str) -> str:
        """The host of a public body of this country."""
        return f"{name}.{self.country.slug}.gov.example"

    def page(
        self,
        url: str,
        title: str,
        style: str,
        lang: str = "en",
        published: str | None = None,
        author: str | None = None,
    ) -> Draft:
        """A new page, in the order in which the web lists them."""
        return self.web.add(Draft(self.teller, url, title, style, lang, published, author))

    def link(self, draft: Draft, *entities: Entity | None) -> None:
        """Link to the lexicon pages of `entities` in the draft's own language, where they exist."""
        homes = [self.homes.get((entity.key, draft.lang)) for entity in entities if entity]
        draft.link(*(home for home in homes if home))

    def ago(self, low: int, high: int) -> str:
        """A day between `low` and `high` days before the web's own date."""
        return (self.country.today - timedelta(days=self.rng.randrange(low, high))).isoformat()

    def in_year(self, year: int) -> str:
        """A day in `year`, never after the web's own date."""
        months = 12 if year < self.country.today.year else self.country.today.month - 1
        return f"{year}-{self.rng.randint(1, months):02d}-{self.rng.randint(1, 28):02d}"

    def byline(self) -> str:
        return self.names.person().en

    def colours(self, kind: str) -> Iterator[str]:
        """Sentences of local colour, which state no fact, none of them twice."""
        return iter(self.rng.sample(COLOUR[kind], len(COLOUR[kind])))


def slug(text: str) -> str:
    """`text` as a lower-case path segment."""
    return text.lower().replace(" ", "-")
