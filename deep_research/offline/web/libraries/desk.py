"""The hosts of the library web, and the desk at which a delta's pages are written."""

from __future__ import annotations

from deep_research.offline.web import desk
from deep_research.offline.web.libraries.words_cjk import JA, LABELS, NOUNS, ZH
from deep_research.offline.web.libraries.words_en import COLOUR, TEMPLATES
from deep_research.offline.web.libraries.world import Delta
from deep_research.offline.web.prose import Lexicon

PAPER_STUDIES = "studies-in-old-paper.example"
SOCIAL = "inkblot.example"
TOURS = "slow-boats-and-soup.example"
REVIEWS = "page-ninety-nine.example"
MIRROR = "yesterdays-pages.example"


class Desk(desk.Desk[Delta]):
    """Knows the two newspapers of its delta, and the site of its readers' union."""

    lexicon = Lexicon({"en": TEMPLATES, "zh": ZH, "ja": JA}, LABELS, NOUNS, COLOUR)
    forum = ("ask-at-the-desk.example/t", "dog_ear")

    @property
    def courier(self) -> str:
        return f"{self.region.slug}-canal-courier.example"

    @property
    def observer(self) -> str:
        return f"the-{self.region.slug}-observer.example"

    @property
    def union(self) -> str:
        return desk.slug(self.region.readers.en).replace("'", "") + ".example"
