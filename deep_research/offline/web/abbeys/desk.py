"""The hosts of the abbey web, and the scriptorium in which a country's pages are written."""

from __future__ import annotations

from deep_research.offline.web import desk
from deep_research.offline.web.abbeys.words_cjk import JA, LABELS, NOUNS, ZH
from deep_research.offline.web.abbeys.words_en import COLOUR, TEMPLATES
from deep_research.offline.web.abbeys.world import Country
from deep_research.offline.web.prose import Lexicon

DAIRY_JOURNAL = "annals-of-rind-and-curd.example"
ARCHIVE = "drafts.campanology.edu.example"
SOCIAL = "yodl.example"
WALKS = "boots-and-bread.example"
ATTIC = "attic-of-the-web.example"


class Desk(desk.Desk[Country]):
    """Knows the two newspapers of its country."""

    lexicon = Lexicon({"en": TEMPLATES, "zh": ZH, "ja": JA}, LABELS, NOUNS, COLOUR)
    forum = ("cheesecloth-talk.example/topic", "curdnerd")

    @property
    def herald(self) -> str:
        return f"{self.region.slug}-herald.example"

    @property
    def weekly(self) -> str:
        return f"the-{self.region.slug}-weekly.example"
