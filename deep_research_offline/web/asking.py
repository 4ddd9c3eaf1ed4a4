"""Sample questions about a region, each with the data that answer it, from a domain's `questions.toml` (which
says at its top how they are written). Knows no domain.

Entities are chosen by position, so seeds differ in names, numbers and relations but ask for the same kinds of
things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .assembly import Ask
from .desk import Desk
from .prose import Datum, Entity, possessive, upper
from .reference import Cast
from .region import Region
from .types import KINDS

Asked = tuple[str, list[Datum]]  # the text, and what answers it


@dataclass(frozen=True, slots=True)
class Survey:
    """All questions of a domain by class, and those that it words itself: they come last among the English
    ones of their class.
    """

    rows: Mapping[str, Sequence[Mapping[str, Any]]]
    own: Mapping[str, Callable[[Region], Asked]]

    def put(self, desk: Desk, casts: Mapping[str, Cast]) -> None:
        """Put them into the assembly, asked about the desk's region, class by class."""
        for kind in (kind for kind in KINDS if kind in self.rows):
            english = [row for row in self.rows[kind] if "lang" not in row]
            asked = [("en", _in_english(desk, **row)) for row in english]
            if kind in self.own:
                asked.append(("en", self.own[kind](desk.region)))
            for row in self.rows[kind]:
                if lang := row.get("lang"):
                    asked.append((lang, _of_cast(desk.region, casts[lang], **row)))
            desk.web.asks += [Ask(kind, lang, text, tuple(gold)) for lang, (text, gold) in asked]


def _in_english(desk: Desk, who: str, text: str, facts: str = "", chain: str = "", top: int = 0) -> Asked:
    region, (kind, *places) = desk.region, who.split()
    entities = region.pick(kind, *map(int, places))
    if chain:
        data = _walked(region, entities[0], chain.split())
    else:
        data = [region.get(entity, attr) for entity in entities for attr in facts.split()]
    named = _named(entities, region) | (_told(data) if data else _ghosts(desk))
    return text.format(*(entity.name.en for entity in entities), **named), _top(data, top)


def _of_cast(region: Region, cast: Cast, lang: str, text: str, facts: str = "", top: int = 0) -> Asked:
    """A question about a cast. With `top`, its one fact is a figure of the cast's year of all of a kind."""
    gold = [name.split(".") for name in facts.split()]
    if top:
        ((kind, attr),) = gold
        data = [region.get(entity, f"{attr}@{cast.year}") for entity in region.entities[kind]]
    else:
        data = [region.get(cast.roles[role], attr) for role, attr in gold]
    names = {role: entity.name.say(lang) for role, entity in cast.roles.items()}
    term, place = data and _middle(data[0]), region.name.say(lang)
    return text.format(**names, year=cast.year, region=place, term=term), _top(data, top)


def _walked(region: Region, here: Entity, path: Iterable[str]) -> list[Datum]:
    """Along a path of attributes, each read off the entity that the one before names."""
    data: list[Datum] = []
    for attr in path:
        data.append(region.get(here, attr))
        here = data[-1].target or here
    return data


def _named(entities: Sequence[Entity], region: Region) -> dict[str, object]:
    first = entities[0].ref("en")
    owner = possessive(first)
    return {"s": first, "p": owner, "P": upper(owner), "r": region.name.en, "y": region.years[-1]}


def _told(data: Sequence[Datum]) -> dict[str, object]:
    extra = {key: value.say("en") for key, value in data[0].extra.items()}
    return {**extra, "y": data[0].as_of, "z": data[-1].as_of, "term": _middle(data[0])}


def _ghosts(desk: Desk) -> dict[str, object]:
    """Names that stand on no page."""
    return {"g": desk.names.word().en, "h": desk.names.word().en}


def _top(data: list[Datum], count: int) -> list[Datum]:
    """The largest values, or all of them; those of one kind never tie."""
    if not count:
        return data
    return sorted(data, key=lambda datum: (-datum.value.number, datum.id))[:count]


def _middle(datum: Datum) -> int | None:
    """A year well inside the term of an office that has ended; None for anything else."""
    return (datum.year("since") + datum.year("until")) // 2 if "until" in datum.extra else None
