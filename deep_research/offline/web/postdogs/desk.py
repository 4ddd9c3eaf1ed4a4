"""The hosts of the post-dog web, and the sorting room in which the pages of a mountain range are written."""

from __future__ import annotations

from deep_research.offline.web import desk
from deep_research.offline.web.postdogs.words_cjk import JA, LABELS, NOUNS, ZH
from deep_research.offline.web.postdogs.words_en import COLOUR, TEMPLATES
from deep_research.offline.web.postdogs.world import Range
from deep_research.offline.web.prose import Lexicon

BULLETIN = "perforation-quarterly.example"
SOCIAL = "pawprint.example"
HIKES = "slow-snowshoes.example"
AUCTIONS = "gavel-and-gum.example"
CACHE = "yesterpages.example"


class Desk(desk.Desk[Range]):
    """Knows the two newspapers of its range."""

    lexicon = Lexicon({"en": TEMPLATES, "zh": ZH, "ja": JA}, LABELS, NOUNS, COLOUR)
    forum = ("the-mitten-board.example/thread", "sledge_hammer")

    @property
    def lantern(self) -> str:
        return f"{self.region.slug}-lantern.example"

    @property
    def evening(self) -> str:
        return f"evening-{self.region.slug}.example"
