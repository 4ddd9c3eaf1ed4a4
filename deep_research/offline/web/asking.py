"""Sample questions about a region, each with the data that answer it. Knows no domain.

A domain lists its questions as records that choose entities by position (`who="bell 0 2"`: the first and the
third bell), so seeds differ in names, numbers and relations but ask for the same kinds of things. Anything
with the method `ask` of `Asking` will do. Attributes are names with spaces between; `sales@-1` are the sales
of the last year of annual figures.

Fields of a text: `{0}`, `{1}` ... the names of the chosen entities; of the first, `{s}` its name with its
article, `{p}` the possessive (`{P}` capitalised); `{r}` the region, `{y}` the year asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from deep_research.offline.web.assembly import Ask
from deep_research.offline.web.desk import Desk
from deep_research.offline.web.prose import Datum, Entity
from deep_research.offline.web.reference import Cast
from deep_research.offline.web.region import Region
from deep_research.offline.web.types import KINDS

Asked = tuple[str, list[Datum]]  # the text, and what answers it


class Asking(Protocol):
    """A question about any region (of one domain, or of all)."""

    @property
    def ask(self) -> Callable[[Any], Asked]: ...


@dataclass(frozen=True, slots=True)
class About:
    """About one entity. Further fields: what its first datum carries in `extra`, `{y}` and `{z}` the years of
    its first and last datum, `{term}` a year inside the term of an office that has ended.
    """

    who: str
    attrs: str
    text: str

    def ask(self, desk: Desk[Any]) -> Asked:
        (entity,) = _chosen(desk.region, self.who)
        data = desk.region.all(entity, *map(desk.region.of_year, self.attrs.split()))
        extra = {key: value.say("en") for key, value in data[0].extra.items()}
        years = {"y": data[0].as_of, "z": data[-1].as_of, "term": _middle(data[0])}
        return _named(self.text, entity, **extra, **years), data


@dataclass(frozen=True, slots=True)
class Chain:
    """From one entity along a path of attributes, each read off the entity that the one before names."""

    who: str
    path: str
    text: str

    def ask(self, desk: Desk[Any]) -> Asked:
        (start,) = _chosen(desk.region, self.who)
        here, data = start, list[Datum]()
        for attr in self.path.split():
            data.append(desk.region.get(here, attr))
            here = data[-1].target or here
        return _named(self.text, start), data


@dataclass(frozen=True, slots=True)
class Among:
    """One attribute of several entities: all of them, or the `top` largest."""

    who: str
    attr: str
    text: str
    top: int | None = None

    def ask(self, desk: Desk[Any]) -> Asked:
        entities = _chosen(desk.region, self.who)
        data = desk.region.each(entities, self.attr)
        return _named(self.text, *entities), _top(data, self.top) if self.top else data


@dataclass(frozen=True, slots=True)
class Top:
    """The largest annual figures of all entities of a kind."""

    kind: str
    attr: str
    top: int
    text: str

    def ask(self, desk: Desk[Any]) -> Asked:
        data = desk.region.each(desk.region.entities[self.kind], desk.region.of_year(self.attr))
        return self.text.format(r=desk.region.name.en, y=data[0].as_of), _top(data, self.top)


@dataclass(frozen=True, slots=True)
class Unknown:
    """What no page says: about an entity, or about `{g}` and `{h}`, names that stand on no page."""

    who: str
    text: str

    def ask(self, desk: Desk[Any]) -> Asked:
        (entity,) = _chosen(desk.region, self.who)
        ghosts = {"g": desk.names.word().en, "h": desk.names.word().en}
        return _named(self.text, entity, y=desk.region.years[-1], **ghosts), []


@dataclass(frozen=True, slots=True)
class Translated:
    """A question asked about a `Cast`: its text has the roles as fields, and `{year}`, `{region}`, `{term}`.

    `gold` are (role, attribute). With `top`, it is one (kind, attribute) of the cast's year, and the `top`
    largest values are the answer.
    """

    text: str
    gold: tuple[tuple[str, str], ...] = ()
    top: int | None = None

    def ask(self, region: Region, lang: str, cast: Cast) -> Asked:
        if self.top:
            ((kind, attr),) = self.gold
            data = _top(region.each(region.entities[kind], f"{attr}@{cast.year}"), self.top)
        else:
            data = [region.get(cast.roles[role], attr) for role, attr in self.gold]
        names = {role: entity.name.say(lang) for role, entity in cast.roles.items()}
        term = _middle(data[0]) if data else None
        place = region.name.say(lang)
        return self.text.format(**names, year=cast.year, region=place, term=term), data


@dataclass(frozen=True, slots=True)
class Survey:
    """All questions of a domain: the English ones for each of `KINDS`, the others by language and class."""

    english: Sequence[Sequence[Asking]]
    translated: Mapping[str, Mapping[str, Translated]]

    def put(self, desk: Desk[Any], casts: Mapping[str, Cast]) -> None:
        """Put them into the assembly, asked about the desk's region, class by class."""
        for kind, questions in zip(KINDS, self.english, strict=True):
            asked = [("en", question.ask(desk)) for question in questions]
            for lang, cast in casts.items():
                asked.append((lang, self.translated[lang][kind].ask(desk.region, lang, cast)))
            desk.web.asks += [Ask(kind, lang, text, tuple(gold)) for lang, (text, gold) in asked]


def _top(data: Iterable[Datum], count: int) -> list[Datum]:
    """The largest values; those of one kind never tie."""
    return sorted(data, key=lambda datum: (-datum.value.number, datum.id))[:count]


def _middle(datum: Datum) -> int | None:
    """A year well inside the term of an office that has ended; None for anything else."""
    return (datum.year("since") + datum.year("until")) // 2 if "until" in datum.extra else None


def _chosen(region: Region, who: str) -> list[Entity]:
    kind, *places = who.split()
    return region.pick(kind, *map(int, places))


def _named(text: str, *entities: Entity, **more: object) -> str:
    first = entities[0].ref("en")
    possessive = first + ("'" if first.endswith("s") else "'s")
    capital = possessive[:1].upper() + possessive[1:]
    names = [entity.name.en for entity in entities]
    return text.format(*names, s=first, p=possessive, P=capital, **more)
