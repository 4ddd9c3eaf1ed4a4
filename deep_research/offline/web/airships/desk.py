"""The hosts of the airship web, and the desk at which an archipelago's pages are written."""

from __future__ import annotations

from deep_research.offline.web import desk
from deep_research.offline.web.airships.words_cjk import JA, LABELS, NOUNS, ZH
from deep_research.offline.web.airships.words_en import COLOUR, TEMPLATES
from deep_research.offline.web.airships.world import Isles
from deep_research.offline.web.prose import Lexicon

JOURNAL = "lighter-than-air-letters.example"
PREPRINTS = "preprints.aerostatics.edu.example"
SOCIAL = "chirrup.example"
TRAVEL = "slow-skies-travel.example"
MIRROR = "oldpages-mirror.example"


class Desk(desk.Desk[Isles]):
    """Knows the two newspapers of its archipelago."""

    lexicon = Lexicon({"en": TEMPLATES, "zh": ZH, "ja": JA}, LABELS, NOUNS, COLOUR)
    forum = ("mooringmast-forum.example/t", "ropewalker88")

    @property
    def courier(self) -> str:
        return f"{self.region.slug}-courier.example"

    @property
    def post(self) -> str:
        return f"evening-post-{self.region.slug}.example"
