"""A domain, and how its web grows: region after region until there are pages enough.

A region has `REGION_PAGES` pages of single facts and then its stories. Questions are asked about the first
region only, so further regions are distractors with the same kind of content and other names.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

from .asking import Asked, Survey
from .assembly import Assembly
from .desk import Desk, Filler
from .hazards import Plan, plant
from .names import NameMaker
from .prose import Teller
from .reference import Cast
from .region import Region, RegionMaker
from .stories import Stories
from .types import Web
from .words import read_table, read_words

REGION_PAGES = 150


@dataclass(frozen=True, slots=True)
class Domain:
    """What a domain brings: its entities (`maker`), its pages (`write`, `filler`), questions that its table
    cannot word (`questions`, by class), and in `folder` its tables.

    `write` writes the pages of one region, fewer than `REGION_PAGES`, and says whom the Chinese and Japanese
    ones are about. The web's own today lies in one of `years` years from the year of `epoch`, up to `days`
    days after its day.
    """

    name: str
    folder: Path
    unit: str  # the word for one region; random draws depend on it
    epoch: date
    years: int
    days: int
    maker: type[RegionMaker]
    write: Callable[[Desk], Mapping[str, Cast]]
    filler: Filler
    questions: Mapping[str, Callable[[Region], Asked]] = field(default_factory=dict)

    def build(self, seed: int, pages: int) -> Web:
        """The web of `seed` with exactly `pages` pages."""
        words, templates = read_words(self.folder / "words.toml"), read_table(self.folder / "pages.toml")
        survey = Survey(read_table(self.folder / "questions.toml"), self.questions)
        web, names, today = Assembly(), NameMaker(self._rng(seed, "names")), self._today(seed)
        number = 0
        while len(web.drafts) < pages:
            rng = self._rng(seed, f"{self.unit}:{number}")
            maker = self.maker(rng, names, today, words)
            maker.fill()
            desk = Desk(words, templates, self.filler, maker.region, web, names, rng)
            casts = self._write(desk)
            web.data.update((datum.id, datum) for datum in desk.region.data.values())
            if number == 0:
                survey.put(desk, casts)
            stories = self._tell(desk, self._rng(seed, f"stories:{number}"))
            if number == 0:
                web.asks += stories.ask()
            number += 1
        label = Teller(words, random.Random(0)).label
        return web.finish(
            seed, self.name, today.isoformat(), pages, lambda datum: datum.label or label(datum, "en")
        )

    def _write(self, desk: Desk) -> Mapping[str, Cast]:
        """The pages of one region, `REGION_PAGES` in number, with their hazards."""
        drafts = desk.web.drafts
        first = len(drafts)
        casts = self.write(desk)
        desk.write_briefs(first + REGION_PAGES - len(drafts))
        plant(desk.web, drafts[first:], Plan(**desk.templates["hazards"]), desk.region.slug, desk.rng)
        return casts

    def _tell(self, desk: Desk, rng: random.Random) -> Stories:
        """The stories of one region, written after its other pages."""
        articles = read_table(self.folder / "articles.toml")["articles"]
        stories = Stories(desk, read_table(self.folder / "stories.toml"), articles, rng)
        stories.tell()
        desk.web.data.update((datum.id, datum) for datum in stories.facts.values())
        return stories

    def _today(self, seed: int) -> date:
        rng = self._rng(seed, "date")
        year = self.epoch.year + rng.randrange(self.years)
        return self.epoch.replace(year=year) + timedelta(days=rng.randrange(self.days))

    def _rng(self, seed: int, purpose: str) -> random.Random:
        return random.Random(f"{self.name}:{seed}:{purpose}")
