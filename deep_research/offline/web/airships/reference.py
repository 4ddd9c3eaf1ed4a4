"""Reference works: the encyclopedia's articles about lines, airships, yards, makers, harbours and people.

Each article names only what lies *ahead* in a chain (line → flagship → yard → founder → birthplace): the
airship's article does not say whose flagship it is, the founder's biography does not name the yard. So a
multi-hop question can be answered only by following the names.
"""

from __future__ import annotations

from deep_research.offline.web.airships.desk import ENCYCLOPEDIA, Desk
from deep_research.offline.web.airships.world import Region
from deep_research.offline.web.assembly import Draft
from deep_research.offline.web.prose import Datum, Entity

KINDS = ("line", "ship", "yard", "maker", "harbour", "person")
INTRO = {
    "line": "{} is one of the airship lines of {}.",
    "ship": "The {} is a passenger airship registered in {}.",
    "yard": "{} is a shipyard for airships in {}.",
    "maker": "{} is a manufacturer of airship engines in {}.",
    "harbour": "{} is an airship harbour in {}.",
    "person": "{} is a well-known figure in the airship trade of {}.",
}
SECTIONS = {
    "line": (
        ("", "founded", "base"),
        ("History", "head_before", "head"),
        ("Operations", "flagship", "fleet"),
    ),
    "ship": (
        ("", "launched", "yard"),
        ("Design", "length", "engine"),
        ("Refit", "refit", "capacity_before", "capacity"),
    ),
    "yard": (("", "founded", "town"), ("Origins", "founder"), ("Today", "workers", "slips")),
    "maker": (("", "founded"), ("People and places", "founder", "town")),
    "harbour": (
        ("", "island", "opened"),
        ("Facilities", "masts", "elevation"),
        ("Administration", "master_before", "master"),
    ),
    "person": (("", "born", "birthplace"), ("Education", "studied")),
}
BOX = {
    "line": ("founded", "base", "flagship"),
    "ship": ("launched", "yard", "length"),
    "yard": ("founded", "slips"),
    "maker": ("founded", "town"),
    "harbour": ("opened", "masts", "elevation"),
    "person": ("born", "birthplace"),
}


def open_homes(desk: Desk) -> None:
    """Create an empty article per entity, so that articles can link to one another whatever their order."""
    for kind in KINDS:
        for entity in desk.region.entities[kind]:
            name = entity.name.en.replace(" ", "_")
            suffix = "_(airship)" if kind == "ship" else ""
            title = f"{entity.name.en} (airship)" if kind == "ship" else entity.name.en
            style = "biography" if kind == "person" else "encyclopedia"
            url = f"https://{ENCYCLOPEDIA}/wiki/{name}{suffix}"
            desk.homes[entity.key, "en"] = desk.page(url, title, style, "en", desk.ago(20, 420))


def write_homes(desk: Desk) -> None:
    """Fill the articles."""
    for kind in KINDS:
        for i, entity in enumerate(desk.region.entities[kind]):
            write_article(desk, desk.homes[entity.key, "en"], entity, boxed=i % 2 == 0)


def write_article(desk: Desk, draft: Draft, entity: Entity, boxed: bool) -> None:
    """Introduction, an infobox on every other page, the sections of its kind, and links to what it names."""
    region, kind = desk.region, entity.kind
    if boxed:
        draft.infobox(*present(region, entity, BOX[kind]))
    named: list[Entity | None] = []
    colours = desk.colours(kind)
    for heading, *attrs in SECTIONS[kind]:
        data = present(region, entity, attrs)
        if not data:
            continue
        if heading:
            draft.heading(heading)
            draft.para(*data, next(colours))
        else:
            draft.para(INTRO[kind].format(entity.name.en, region.name.en), *data)
        named += [datum.target for datum in data]
    desk.link(draft, *named)


def present(region: Region, entity: Entity, attrs: list[str] | tuple[str, ...]) -> list[Datum]:
    """The data that this entity has among `attrs` (not every harbour has a known harbour master)."""
    return [region.data[entity.key, attr] for attr in attrs if (entity.key, attr) in region.data]
