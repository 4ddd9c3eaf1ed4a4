"""One region of an invented world, and how it is drawn: its entities and every fact about them. Knows no
domain.

A domain derives its own `RegionMaker`: which kinds there are, in an order in which each finds those that it
refers to. Numbers of one kind are drawn without repetition inside a region, so comparisons and rankings never
tie.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from . import values
from .names import NameMaker, Text
from .prose import Datum, Entity
from .values import Value
from .words import Words

ANNUAL = 5  # years of annual figures, up to the year before the web's own


@dataclass(eq=False, slots=True)
class Region:
    """The entities of one region, by kind, and every fact by (entity, attribute).

    `bodies` are the public bodies that facts and pages mention.
    """

    name: Text
    slug: str
    today: date
    bodies: Mapping[str, Text]
    entities: dict[str, list[Entity]] = field(default_factory=dict)
    data: dict[tuple[str, str], Datum] = field(default_factory=dict)

    def pick(self, kind: str, *numbers: int) -> list[Entity]:
        """The entities of `kind` at these places, or all of them."""
        found = self.entities[kind]
        return [found[number] for number in numbers] if numbers else found

    def of_year(self, attr: str) -> str:
        """`attr` with its year spelled out: `sales@-1` are those of the last year of annual figures."""
        name, _, number = attr.partition("@")
        return f"{name}@{self.years[int(number)]}" if number else attr

    def has(self, entity: Entity, attr: str) -> bool:
        return (entity.key, attr) in self.data

    def get(self, entity: Entity, attr: str) -> Datum:
        """What is true of the entity, given an attribute or one of a numbered year."""
        return self.data[entity.key, attr if (entity.key, attr) in self.data else self.of_year(attr)]

    def all(self, entity: Entity, *attrs: str) -> list[Datum]:
        return [self.get(entity, attr) for attr in attrs]

    def target(self, entity: Entity, attr: str) -> Entity:
        """The entity that the attribute names."""
        found = self.data[entity.key, attr].target
        assert found is not None, f"{entity.key}.{attr} names no entity"
        return found

    @property
    def years(self) -> range:
        """The years of annual figures."""
        return range(self.today.year - ANNUAL, self.today.year)


class RegionMaker:
    """Draws the entities of `region`; a domain derives its own, with a method per kind, called in order."""

    def __init__(self, rng: random.Random, names: NameMaker, today: date, words: Words) -> None:
        self.rng, self.names, self.words = rng, names, words
        self.year = today.year
        self.region = self.found(names.word(), today)
        self.region.entities.update((kind, []) for kind in words.kinds)

    def found(self, word: Text, today: date) -> Region:
        """The region called `word`, with its public bodies; still empty."""
        raise NotImplementedError

    def fill(self) -> None:
        """Draw everything, each kind after those that it refers to."""
        raise NotImplementedError

    def rows(self, kind: str, *ranges: tuple[int, int]) -> list[tuple[int, ...]]:
        """For each entity of a kind to come, one number out of every range; no number of a range twice."""
        columns = [self.rng.sample(range(*bounds), self.words.kinds[kind].count) for bounds in ranges]
        return list(zip(*columns, strict=True))

    def new(self, kind: str, *ranges: tuple[int, int]) -> Iterator[tuple[Entity, tuple[int, ...]]]:
        """The entities of a kind with their `rows`; each is named when its turn comes."""
        rows = self.rows(kind, *ranges)
        return ((self._named(kind, i), row) for i, row in enumerate(rows))

    def entity(self, kind: str, slug: str, name: Text) -> Entity:
        """A new entity with a name of the caller's making."""
        entity = Entity(kind, f"{kind}-{slug}", name, self.words.kinds[kind].article)
        self.region.entities[kind].append(entity)
        return entity

    def somebody(self, trade: str) -> Entity:
        """A person, whom the noun of a trade ("the composer") may stand for."""
        name = self.names.person()
        person = self.entity("person", name.en.lower().replace(" ", "-"), name)
        person.pronouns = self.rng.choice((("she", "her"), ("he", "his")))
        person.noun = self.words.trades[trade]
        return person

    def drawn(self, kind: str, count: int | None = None) -> list[Entity]:
        """So many entities of a kind, or all, in another order."""
        found = self.region.entities[kind]
        return self.rng.sample(found, len(found) if count is None else count)

    def ago(self, years: int) -> Value:
        """The year that lies so many years before the web's own."""
        return values.year(self.year - years)

    def put(
        self,
        subject: Entity,
        attr: str,
        value: Value | Text | Entity | int,
        as_of: int | None = None,
        **extra: Value | Text,
    ) -> None:
        """Make it true that `attr` of `subject` is `value`: a number is one of the attribute's unit, an
        entity or a text is a name. An attribute of a year is `attr@year`.
        """
        topic, target = attr.split("@")[0], value if isinstance(value, Entity) else None
        said = self._value(f"{subject.kind}.{topic}", value)
        day = str(as_of) if as_of else None
        datum = Datum(f"{subject.key}.{attr}", subject, topic, said, target, day, extra)
        self.region.data[subject.key, attr] = datum

    def state(self, subject: Entity, **facts: Value | Text | Entity | int) -> None:
        """Several facts, by attribute."""
        for attr, value in facts.items():
            self.put(subject, attr, value)

    def changed(self, subject: Entity, attr: str, numbers: tuple[int, int], **event: Value) -> None:
        """A quantity that an event of a known year changed: (before, now), each with the year it is of."""
        (year,) = (value.whole for value in event.values())
        unit = self.words.topics[f"{subject.kind}.{attr}"].unit
        assert unit, f"{attr} has no unit"
        before, now = (values.quantity(number, unit) for number in numbers)
        self.put(subject, f"{attr}_before", before, year - 1, **event)
        self.put(subject, attr, now, self.year, **event)

    def office(
        self, subject: Entity, attr: str, since: int, start: int, holder: Entity | None = None
    ) -> None:
        """Who holds an office now (`since`) and who did before (from `start`); only `holder` has a page."""
        now, earlier, change = holder or self.names.person(), self.names.person(), values.year(since)
        self.put(subject, attr, now, self.year, since=change)
        term = {"since": values.year(start), "until": change}
        self.put(subject, f"{attr}_before", earlier, since - 1, **term)

    def annual(self, kind: str, attr: str, low: int, high: int) -> None:
        """A quantity per entity and year."""
        for year in self.region.years:
            numbers = self.rows(kind, (low, high))
            for entity, (number,) in zip(self.region.entities[kind], numbers, strict=True):
                self.put(entity, f"{attr}@{year}", number, year, year=values.year(year))

    def _value(self, topic: str, value: Value | Text | Entity | int) -> Value:
        if isinstance(value, Entity):
            return values.named(value.name)
        if isinstance(value, Text):
            return values.named(value)
        if isinstance(value, Value):
            return value
        unit = self.words.topics[topic].unit
        assert unit, f"{topic} has no unit"
        return values.quantity(value, unit)

    def _named(self, kind: str, number: int) -> Entity:
        word, patterns = self.names.word(), self.words.kinds[kind].names
        pattern = patterns[number % len(patterns)]
        return self.entity(kind, word.en.lower(), word.wrap(pattern.en, pattern.zh, pattern.ja))
