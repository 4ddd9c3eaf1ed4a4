"""A domain's reference work: an article per entity, in English and, for a few, in Chinese or Japanese. Knows
no domain.

Which attributes an article tells is the domain's choice (`reference.toml`), and decides what can be asked: if
articles name only what lies *ahead* in a chain (a ship's builder, but not whose flagship it is), a multi-hop
question can be answered only by following the names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .desk import Desk
from .names import Text
from .prose import Datum, Entity
from .words import read_table


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
class Article:
    """How the articles on one kind are written.

    `opening` is the first sentence: `{0}` the name, `{1}` the English name, `{2}` the region. `sections` are
    rows of an English heading ("" for the first section) and attributes, `glance` those of its table or list.
    `colour` ends a translated article, `suffix` stands in brackets behind an English title.
    """

    opening: Text
    sections: Sequence[tuple[str, str]]
    glance: str
    colour: Text | None = None
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """An encyclopedia on `host`, translations on `zh.host` and `ja.host`.

    `layouts` are used in turn: `plain`, with a `table` before the article, or with a `list` under the heading
    `summary` after it. They begin again with each kind if `by_kind`.
    """

    host: str
    folder: str
    ages: tuple[int, int]  # days since an article was last edited
    layouts: Sequence[str]
    by_kind: bool
    headings: Mapping[str, Text]
    kinds: Mapping[str, Article]
    summary: str = ""

    def write(self, desk: Desk) -> None:
        """An English article on every entity of every kind."""
        subjects = [desk.region.entities[kind] for kind in self.kinds]
        everyone = [entity for entities in subjects for entity in entities]
        self._open(desk, everyone, "en")
        for entities in subjects if self.by_kind else [everyone]:
            for i, entity in enumerate(entities):
                self._write(desk, entity, self.layouts[i % len(self.layouts)])

    def translate(self, desk: Desk, lang: str, entities: Sequence[Entity]) -> None:
        """Articles in another language about a few entities."""
        self._open(desk, entities, lang)
        for entity in entities:
            draft = desk.homes[entity.key, lang]
            named: list[Entity | None] = []
            for heading, data in self._sections(desk, entity, lang):
                if heading:
                    draft.heading(self.headings[heading].say(lang))
                draft.para(*(() if heading else (self._opening(desk, entity, lang),)), *data)
                named += [datum.target for datum in data]
            if colour := self.kinds[entity.kind].colour:
                draft.para(colour.say(lang))
            desk.link(draft, *named)

    def _open(self, desk: Desk, entities: Iterable[Entity], lang: str) -> None:
        """Create empty articles, so that they can link to one another whatever their order."""
        host = self.host if lang == "en" else f"{lang}.{self.host}"
        for entity in entities:
            title, suffix = entity.name.say(lang), self.kinds[entity.kind].suffix
            if lang == "en" and suffix:
                title += f" ({suffix})"
            url = f"https://{host}/{self.folder}/{title.strip('《》『』').replace(' ', '_')}"
            style = "biography" if entity.kind == "person" else "encyclopedia"
            desk.homes[entity.key, lang] = desk.page(url, title, style, desk.ago(*self.ages), lang=lang)

    def _write(self, desk: Desk, entity: Entity, layout: str) -> None:
        """Fill an English article: opening and sections, a table before them or a list after them."""
        draft = desk.homes[entity.key, "en"]
        glance = self._told(desk, entity, self.kinds[entity.kind].glance, "en")
        if layout == "table":
            draft.infobox(*glance)
        colours = iter(desk.colours(entity.kind))
        named: list[Entity | None] = []
        for heading, data in self._sections(desk, entity, "en"):
            if heading:
                draft.heading(heading)
                draft.para(*data, next(colours))
            else:
                draft.para(self._opening(desk, entity, "en"), *data)
            named += [datum.target for datum in data]
        if layout == "list":
            draft.heading(self.summary, 3)
            draft.bullets(glance)
        desk.link(draft, *named)

    def _opening(self, desk: Desk, entity: Entity, lang: str) -> str:
        name, region = entity.name.say(lang), desk.region.name.say(lang)
        return self.kinds[entity.kind].opening.say(lang).format(name, entity.name.en, region)

    def _sections(self, desk: Desk, entity: Entity, lang: str) -> list[tuple[str, list[Datum]]]:
        """The sections that have something to tell."""
        rows = self.kinds[entity.kind].sections
        told = [(heading, self._told(desk, entity, attrs, lang)) for heading, attrs in rows]
        return [(heading, data) for heading, data in told if data]

    @staticmethod
    def _told(desk: Desk, entity: Entity, attrs: str, lang: str) -> list[Datum]:
        """The data among `attrs` that the entity has and the language has sentences for."""
        data = [desk.region.get(entity, attr) for attr in attrs.split() if desk.region.has(entity, attr)]
        return [datum for datum in data if lang in desk.words.topics[datum.topic].sentences]


def read_reference(path: Path) -> Reference:
    """The reference work that a domain's `reference.toml` describes."""
    table = dict(read_table(path))
    headings = {name: Text(name, *row) for name, row in table.pop("headings").items()}
    kinds = {kind: _article(**row) for kind, row in table.pop("kinds").items()}
    return Reference(**table, headings=headings, kinds=kinds)


def _article(opening: Sequence[str], colour: Sequence[str] = (), **rest: Any) -> Article:
    return Article(Text(*opening), colour=Text("", *colour) if colour else None, **rest)
