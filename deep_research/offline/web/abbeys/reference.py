"""The lexicon of the Heights: an article on every valley, mine, foundry, bell, cheese, abbey, work, choir and
person.

An article names only what lies *ahead* in a chain (contest → choir → work → composer → village): a bell's
article does not say in which abbey it hangs, a composer's not what was composed. So a multi-hop question can
be answered only by following the names.
"""

from __future__ import annotations

from collections.abc import Container

from deep_research.offline.web.abbeys.desk import LEXICON, Desk
from deep_research.offline.web.abbeys.world import Country
from deep_research.offline.web.assembly import Draft
from deep_research.offline.web.prose import Datum, Entity

KINDS = ("valley", "mine", "foundry", "bell", "cheese", "abbey", "work", "choir", "person")
OPENING = {
    "valley": "{} is a high valley in {}.",
    "mine": "{} is a copper mine in {}.",
    "foundry": "{} is one of the bell foundries of {}.",
    "bell": "{} is a tower bell in {}.",
    "cheese": "{} is a hard cheese from {}.",
    "abbey": "{} is a religious house in {}, with a dairy of its own.",
    "work": "{} is a choral piece from {}, sung without accompaniment.",
    "choir": "The {} is a mountain choir from {}.",
    "person": "{} is remembered in {} by everyone above a certain age.",
}
SECTIONS: dict[str, tuple[tuple[str, ...], ...]] = {
    "valley": (("", "river", "people"), ("Roads", "pass_height")),
    "mine": (("", "valley", "opened"), ("Workings", "depth", "miners")),
    "foundry": (
        ("", "lit", "copper"),
        ("Workshop", "furnaces", "apprentices"),
        ("Masters", "master_before", "master"),
    ),
    "bell": (("", "foundry", "cast"), ("Sound", "diameter", "pitch_before", "pitch")),
    "cheese": (
        ("", "milk", "deviser"),
        ("In the cave", "months", "litres"),
        ("Trade", "first", "price_before", "price"),
    ),
    "abbey": (
        ("", "valley", "hallowed"),
        ("House and tower", "altitude", "bell", "members"),
        ("Dairy", "cheese", "cellarer_before", "cellarer"),
    ),
    "work": (("", "composer", "premiere"), ("Score", "bars", "parts", "kept")),
    "choir": (
        ("", "formed", "home"),
        ("Cantors", "cantor_before", "cantor"),
        ("On stage", "singers", "opener"),
    ),
    "person": (("", "born", "birthplace"), ("Craft", "teacher", "instrument")),
}
GLANCE = {
    "valley": ("river", "pass_height", "people"),
    "mine": ("opened", "depth"),
    "foundry": ("lit", "furnaces"),
    "bell": ("cast", "diameter"),
    "cheese": ("milk", "months", "first"),
    "abbey": ("hallowed", "altitude", "members"),
    "work": ("premiere", "bars"),
    "choir": ("formed", "singers"),
    "person": ("born", "instrument"),
}


def write_lexicon(desk: Desk) -> None:
    """Create every article empty, so that they can link to one another in any order; then fill them."""
    subjects = [entity for kind in KINDS for entity in desk.country.entities[kind]]
    for entity in subjects:
        _open(desk, entity)
    for i, entity in enumerate(subjects):
        _fill(desk, desk.homes[entity.key, "en"], entity, i)


def _open(desk: Desk, entity: Entity) -> None:
    kind, name = entity.kind, entity.name.en
    title = f"{name} ({kind})" if kind in ("bell", "cheese") else name
    style = "biography" if kind == "person" else "encyclopedia"
    url = f"https://{LEXICON}/entry/{title.replace(' ', '_')}"
    desk.homes[entity.key, "en"] = desk.page(url, title, style, "en", desk.ago(15, 500))


def _fill(desk: Desk, draft: Draft, entity: Entity, number: int) -> None:
    """Opening and sections; in turn with a table before them, a list after them, or neither."""
    country, kind = desk.country, entity.kind
    glance = country.all(entity, *GLANCE[kind])
    if number % 3 == 0:
        draft.infobox(*glance)
    colours = desk.colours(kind)
    named: list[Entity | None] = []
    for heading, *attrs in SECTIONS[kind]:
        data = country.all(entity, *attrs)
        if heading:
            draft.heading(heading)
            draft.para(*data, next(colours))
        else:
            draft.para(OPENING[kind].format(entity.name.en, country.name.en), *data)
        named += [datum.target for datum in data]
    if number % 3 == 1:
        draft.heading("In short", 3)
        draft.bullets(glance)
    desk.link(draft, *named)


def told(country: Country, entity: Entity, attrs: tuple[str, ...], topics: Container[str]) -> list[Datum]:
    """The data among `attrs` for which a language has sentences (`topics` is its template table)."""
    data = country.all(entity, *attrs)
    return [datum for datum in data if datum.topic in topics]
