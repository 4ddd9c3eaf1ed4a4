"""A domain's reference work: an article per entity, in English and, for a few, in Chinese or Japanese. Knows
no domain.

Which attributes an article tells is the domain's choice, and decides what can be asked: if articles name only
what lies *ahead* in a chain (a ship's builder, but not whose flagship it is), a multi-hop question can be
answered only by following the names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deep_research.offline.web.desk import Desk
from deep_research.offline.web.names import Text
from deep_research.offline.web.prose import Datum, Entity


@dataclass(frozen=True, slots=True)
class Cast:
    """Whom the pages of one language are about, by role (an entity may play several), and the year of its
    statistics.
    """

    roles: Mapping[str, Entity]
    year: int

    @property
    def everyone(self) -> tuple[Entity, ...]:
        return tuple(dict.fromkeys(self.roles.values()))


@dataclass(frozen=True, slots=True)
class Reference:
    """An encyclopedia on `host`, translations on `zh.host` and `ja.host`.

    `opening[kind]` is the first sentence: `{0}` the name, `{1}` the English name, `{2}` the region.
    `sections[kind]` are rows of an English heading ("" for the first section) and attributes; `headings`
    translates the headings. `glance[kind]` are the attributes of its table. `colour[kind]` ends a translated
    article. `suffixes[kind]` stands in brackets behind an English title.
    """

    host: str
    folder: str
    ages: tuple[int, int]  # days since an article was last edited
    opening: Mapping[str, Text]
    sections: Mapping[str, Sequence[Sequence[str]]]
    glance: Mapping[str, Sequence[str]]
    headings: Mapping[str, Text]
    colour: Mapping[str, Text]
    suffixes: Mapping[str, str] = field(default_factory=dict)

    def open(self, desk: Desk[Any], entities: Iterable[Entity], lang: str = "en") -> None:
        """Create empty articles, so that they can link to one another whatever their order."""
        host = self.host if lang == "en" else f"{lang}.{self.host}"
        for entity in entities:
            title = entity.name.say(lang)
            if lang == "en" and entity.kind in self.suffixes:
                title += f" ({self.suffixes[entity.kind]})"
            url = f"https://{host}/{self.folder}/{title.strip('《》『』').replace(' ', '_')}"
            style = "biography" if entity.kind == "person" else "encyclopedia"
            desk.homes[entity.key, lang] = desk.page(url, title, style, desk.ago(*self.ages), lang=lang)

    def write(self, desk: Desk[Any], entity: Entity, box: bool = False, summary: str = "") -> None:
        """Fill the English article: opening and sections, a table before them or a list (under the heading
        `summary`) after them.
        """
        draft, kind = desk.homes[entity.key, "en"], entity.kind
        glance = self._told(desk, entity, self.glance[kind], "en")
        if box:
            draft.infobox(*glance)
        colours = desk.colours(kind)
        named: list[Entity | None] = []
        for heading, data in self._sections(desk, entity, "en"):
            if heading:
                draft.heading(heading)
                draft.para(*data, next(colours))
            else:
                draft.para(self._opening(desk, entity, "en"), *data)
            named += [datum.target for datum in data]
        if summary:
            draft.heading(summary, 3)
            draft.bullets(glance)
        desk.link(draft, *named)

    def translate(self, desk: Desk[Any], lang: str, entities: Sequence[Entity]) -> None:
        """Articles in another language about a few entities."""
        self.open(desk, entities, lang)
        for entity in entities:
            draft = desk.homes[entity.key, lang]
            named: list[Entity | None] = []
            for heading, data in self._sections(desk, entity, lang):
                if heading:
                    draft.heading(self.headings[heading].say(lang))
                draft.para(*(() if heading else (self._opening(desk, entity, lang),)), *data)
                named += [datum.target for datum in data]
            draft.para(self.colour[entity.kind].say(lang))
            desk.link(draft, *named)

    def _opening(self, desk: Desk[Any], entity: Entity, lang: str) -> str:
        name, region = entity.name.say(lang), desk.region.name.say(lang)
        return self.opening[entity.kind].say(lang).format(name, entity.name.en, region)

    def _sections(self, desk: Desk[Any], entity: Entity, lang: str) -> list[tuple[str, list[Datum]]]:
        """The sections that have something to tell."""
        told = [(row[0], self._told(desk, entity, row[1:], lang)) for row in self.sections[entity.kind]]
        return [(heading, data) for heading, data in told if data]

    @staticmethod
    def _told(desk: Desk[Any], entity: Entity, attrs: Sequence[str], lang: str) -> list[Datum]:
        """The data among `attrs` that the entity has and the language has sentences for."""
        data = [desk.region.get(entity, attr) for attr in attrs if desk.region.has(entity, attr)]
        return [datum for datum in data if datum.topic in desk.lexicon.templates[lang]]
