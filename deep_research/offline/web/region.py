"""One region of an invented world, and how it is drawn: its entities and every fact about them. Knows no
domain.

A domain derives its own `Region` (the public bodies that its facts mention) and its own `RegionMaker` (which
kinds there are, in an order in which each finds those that it refers to). Numbers of one kind are drawn
without repetition inside a region, so comparisons and rankings never tie.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar, Generic, TypeVar

from deep_research.offline.web import values
from deep_research.offline.web.names import NameMaker, Text
from deep_research.offline.web.prose import Datum, Entity
from deep_research.offline.web.values import Unit, Value

ANNUAL = 5  # years of annual figures, up to the year before the web's own


@dataclass(eq=False, kw_only=True)
class Region:
    """The entities of one region, by kind, and every fact by (entity, attribute)."""

    name: Text
    slug: str
    today: date
    entities: dict[str, list[Entity]] = field(default_factory=dict)
    data: dict[tuple[str, str], Datum] = field(default_factory=dict)

    def pick(self, kind: str, *numbers: int) -> list[Entity]:
        """The entities of `kind` at these places."""
        return [self.entities[kind][number] for number in numbers]

    def of_year(self, attr: str) -> str:
        """`attr` with its year spelled out: `sales@-1` are those of the last year of annual figures."""
        name, _, number = attr.partition("@")
        return f"{name}@{self.years[int(number)]}" if number else attr

    def has(self, entity: Entity, attr: str) -> bool:
        return (entity.key, attr) in self.data

    def get(self, entity: Entity, attr: str) -> Datum:
        return self.data[entity.key, attr]

    def all(self, entity: Entity, *attrs: str) -> list[Datum]:
        return [self.data[entity.key, attr] for attr in attrs]

    def each(self, entities: Sequence[Entity], attr: str) -> list[Datum]:
        """One attribute of several entities."""
        return [self.data[entity.key, attr] for entity in entities]

    def target(self, entity: Entity, attr: str) -> Entity:
        """The entity that the attribute names."""
        found = self.data[entity.key, attr].target
        assert found is not None, f"{entity.key}.{attr} names no entity"
        return found

    @property
    def years(self) -> range:
        """The years of annual figures."""
        return range(self.today.year - ANNUAL, self.today.year)


R = TypeVar("R", bound=Region)


class RegionMaker(Generic[R]):
    """Draws the entities of `region`; a domain adds a method per kind, and calls them in order.

    `counts[kind]` is how many there are, `patterns[kind]` the (English, Chinese, Japanese) patterns of their
    names, used in turn, `articles[kind]` what stands before the English ones.
    """

    counts: ClassVar[Mapping[str, int]]
    patterns: ClassVar[Mapping[str, Sequence[tuple[str, str, str]]]]
    articles: ClassVar[Mapping[str, str]] = {}

    def __init__(self, rng: random.Random, names: NameMaker, region: R) -> None:
        self.rng, self.names, self.region = rng, names, region
        self.year = region.today.year
        region.entities.update((kind, []) for kind in (*self.counts, "person"))

    def rows(self, kind: str, *ranges: tuple[int, int]) -> list[tuple[int, ...]]:
        """For each entity of a kind to come, one number out of every range; no number of a range twice."""
        columns = [self.rng.sample(range(*bounds), self.counts[kind]) for bounds in ranges]
        return list(zip(*columns, strict=True))

    def new(self, kind: str, *ranges: tuple[int, int]) -> Iterator[tuple[Entity, tuple[int, ...]]]:
        """The entities of a kind with their `rows`; each is named when its turn comes."""
        rows = self.rows(kind, *ranges)
        return ((self._named(kind, i), row) for i, row in enumerate(rows))

    def entity(self, kind: str, slug: str, name: Text) -> Entity:
        """A new entity with a name of the caller's making."""
        entity = Entity(kind, f"{kind}-{slug}", name, self.articles.get(kind, ""))
        self.region.entities[kind].append(entity)
        return entity

    def somebody(self, noun: Text) -> Entity:
        """A person; `noun` ("the composer") may stand for the name."""
        name = self.names.person()
        person = self.entity("person", name.en.lower().replace(" ", "-"), name)
        person.pronouns = self.rng.choice((("she", "her"), ("he", "his")))
        person.noun = noun
        return person

    def shuffled(self, kind: str) -> list[Entity]:
        """The entities of a kind in another order."""
        return self.rng.sample(self.region.entities[kind], len(self.region.entities[kind]))

    def put(
        self,
        subject: Entity,
        attr: str,
        value: Value,
        target: Entity | None = None,
        as_of: int | None = None,
        **extra: Value | Text,
    ) -> None:
        """Make it true that `attr` of `subject` is `value`. An attribute of a year is `attr@year`."""
        day, topic = (str(as_of) if as_of else None), attr.split("@")[0]
        datum = Datum(f"{subject.key}.{attr}", subject, topic, value, target, day, extra)
        self.region.data[subject.key, attr] = datum

    def refer(self, subject: Entity, attr: str, target: Entity) -> None:
        """Another entity as a value."""
        self.put(subject, attr, values.named(target.name), target)

    def count(self, subject: Entity, unit: Unit, **numbers: int) -> None:
        """Quantities of one unit, by attribute."""
        for attr, number in numbers.items():
            self.put(subject, attr, values.quantity(number, unit))

    def dated(self, subject: Entity, attr: str, ago: int) -> None:
        """A year, `ago` years before the web's own."""
        self.put(subject, attr, values.year(self.year - ago))

    def changed(
        self, subject: Entity, attr: str, unit: Unit, numbers: tuple[int, int], **event: Value
    ) -> None:
        """A quantity that an event of a known year changed: (before, now), each with the year it is of."""
        (year,) = (value.whole for value in event.values())
        before, now = (values.quantity(number, unit) for number in numbers)
        self.put(subject, f"{attr}_before", before, None, year - 1, **event)
        self.put(subject, attr, now, None, self.year, **event)

    def office(
        self, subject: Entity, attr: str, since: int, start: int, holder: Entity | None = None
    ) -> None:
        """Who holds an office now (`since`) and who did before (from `start`); only `holder` has a page."""
        now = holder.name if holder else self.names.person()
        earlier, change = self.names.person(), values.year(since)
        self.put(subject, attr, values.named(now), holder, self.year, since=change)
        term = {"since": values.year(start), "until": change}
        self.put(subject, f"{attr}_before", values.named(earlier), None, since - 1, **term)

    def annual(self, kind: str, attr: str, low: int, high: int, unit: Unit) -> None:
        """A quantity per entity and year."""
        for year in self.region.years:
            numbers = self.rows(kind, (low, high))
            for entity, (number,) in zip(self.region.entities[kind], numbers, strict=True):
                value = values.quantity(number, unit)
                self.put(entity, f"{attr}@{year}", value, as_of=year, year=values.year(year))

    def _named(self, kind: str, number: int) -> Entity:
        word, patterns = self.names.word(), self.patterns[kind]
        return self.entity(kind, word.en.lower(), word.wrap(*patterns[number % len(patterns)]))
