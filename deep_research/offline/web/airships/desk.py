"""The desk at which a region's pages are written: hosts, dates, bylines, and each entity's home page."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta

from deep_research.offline.web.airships.words_cjk import JA, LABELS, NOUNS, ZH
from deep_research.offline.web.airships.words_en import COLOUR, TEMPLATES
from deep_research.offline.web.airships.world import Region
from deep_research.offline.web.assembly import Assembly, Draft
from deep_research.offline.web.names import NameMaker
from deep_research.offline.web.prose import Entity, Lexicon, Teller

LEXICON = Lexicon({"en": TEMPLATES, "zh": ZH, "ja": JA}, LABELS, NOUNS)

ENCYCLOPEDIA = "cloudlore.org.example"
JOURNAL = "lighter-than-air-letters.example"
PREPRINTS = "preprints.aerostatics.edu.example"
FORUM = "mooringmast-forum.example"
SOCIAL = "chirrup.example"
TRAVEL = "slow-skies-travel.example"
MIRROR = "oldpages-mirror.example"


class Desk:
    """Writes into one assembly on behalf of one region. `homes` are the encyclopedia pages by (entity,
    language).
    """

    def __init__(self, region: Region, web: Assembly, names: NameMaker, rng: random.Random) -> None:
        self.region, self.web, self.names, self.rng = region, web, names, rng
        self.teller = Teller(LEXICON, rng)
        self.homes: dict[tuple[str, str], Draft] = {}
        self.extra: dict[str, Draft] = {}  # other pages that later ones refer to, by a name of their own

    @property
    def courier(self) -> str:
        return f"{self.region.slug}-courier.example"

    @property
    def post(self) -> str:
        return f"evening-post-{self.region.slug}.example"

    def bureau(self, office: str) -> str:
        """The host of a public body of this region."""
        return f"{office}.{self.region.slug}.gov.example"

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
        """Link to the home pages of `entities` in the draft's own language, where they exist."""
        for entity in entities:
            home = self.homes.get((entity.key, draft.lang)) if entity else None
            if home:
                draft.link(home)

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
        return self.rng.choice(COLOUR[kind])

    def colours(self, kind: str) -> Iterator[str]:
        """Sentences of local colour, none of them twice."""
        return iter(self.rng.sample(COLOUR[kind], len(COLOUR[kind])))


def slug(text: str) -> str:
    """`text` as a lower-case path segment."""
    return text.lower().replace(" ", "-").replace("–", "-")
