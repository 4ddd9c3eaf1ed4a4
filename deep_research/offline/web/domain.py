"""A domain, and how its web grows: region after region until there are pages enough.

Questions are asked about the first region only, so further regions are distractors with the same kind of
content and other names.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Generic, TypeVar

from deep_research.offline.web.asking import Survey
from deep_research.offline.web.assembly import Assembly
from deep_research.offline.web.desk import Desk
from deep_research.offline.web.hazards import Plan, plant
from deep_research.offline.web.names import NameMaker
from deep_research.offline.web.prose import Teller
from deep_research.offline.web.reference import Cast
from deep_research.offline.web.region import Region
from deep_research.offline.web.types import Web

REGION_PAGES = 150

R = TypeVar("R", bound=Region)
D = TypeVar("D", bound=Desk)


@dataclass(frozen=True, slots=True)
class Domain(Generic[R, D]):
    """What a domain brings: its entities (`region`), its words and hosts (`desk`), its page writers (`write`,
    `briefs`), its questions (`survey`), and where its hazards go (`plan`).

    `write` writes the pages of one region, fewer than `REGION_PAGES`, and says whom the Chinese and Japanese
    ones are about; `briefs` writes as many short notices as are missing. The web's own today lies in one of
    `years` years from the year of `epoch`, up to `days` days after its day.
    """

    name: str
    unit: str  # the word for one region; random draws depend on it
    epoch: date
    years: int
    days: int
    region: Callable[[random.Random, NameMaker, date], R]
    desk: type[D]
    write: Callable[[D], Mapping[str, Cast]]
    briefs: Callable[[D, int], None]
    survey: Survey
    plan: Plan

    def build(self, seed: int, pages: int) -> Web:
        """The web of `seed` with exactly `pages` pages."""
        web, names, today = Assembly(), NameMaker(self._rng(seed, "names")), self._today(seed)
        number = 0
        while len(web.drafts) < pages:
            rng = self._rng(seed, f"{self.unit}:{number}")
            desk = self.desk(self.region(rng, names, today), web, names, rng)
            casts = self._write(desk)
            web.data.update((datum.id, datum) for datum in desk.region.data.values())
            if number == 0:
                self.survey.put(desk, casts)
            number += 1
        label = Teller(self.desk.lexicon, random.Random(0)).label
        return web.finish(seed, self.name, today.isoformat(), pages, lambda datum: label(datum, "en"))

    def _write(self, desk: D) -> Mapping[str, Cast]:
        """The pages of one region, `REGION_PAGES` in number, with their hazards."""
        drafts = desk.web.drafts
        first = len(drafts)
        casts = self.write(desk)
        self.briefs(desk, first + REGION_PAGES - len(drafts))
        plant(desk.web, drafts[first:], self.plan, desk.region.slug, desk.rng)
        return casts

    def _today(self, seed: int) -> date:
        rng = self._rng(seed, "date")
        year = self.epoch.year + rng.randrange(self.years)
        return self.epoch.replace(year=year) + timedelta(days=rng.randrange(self.days))

    def _rng(self, seed: int, purpose: str) -> random.Random:
        return random.Random(f"{self.name}:{seed}:{purpose}")
