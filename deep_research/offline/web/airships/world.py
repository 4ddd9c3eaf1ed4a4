"""One region of the airship world: lines, airships, yards, engine makers, harbours, people, routes,
accidents.

`make_region` draws all entities and all facts about them; nothing here is text of a page. Every number of one
kind is drawn without repetition inside a region, so comparisons and rankings never tie.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import date, timedelta

from deep_research.offline.web import values
from deep_research.offline.web.airships import words_cjk as units
from deep_research.offline.web.names import NameMaker, Text
from deep_research.offline.web.prose import Datum, Entity
from deep_research.offline.web.values import Value

COUNTS = {"line": 6, "ship": 10, "yard": 5, "maker": 3, "engine": 4, "harbour": 9, "route": 8, "incident": 5}
YEARS = 5  # of annual statistics, up to the year before the web's own

LINE_NAMES = (
    ("{} Skyways", "{}航空公司", "{}航空"),
    ("{} Air Lines", "{}飞艇公司", "{}飛行船"),
    ("{} Aerial Company", "{}空运公司", "{}空運"),
)
CAUSES = (
    Text("a jammed rudder", "方向舵卡死", "舵の固着"),
    Text("a parted mooring cable", "系留缆断裂", "係留索の切断"),
    Text("ice on the upper fin", "上尾翼结冰", "上部尾翼の着氷"),
    Text("a misread pressure gauge", "误读压力表", "圧力計の読み違い"),
    Text("a loose ballast valve", "压载阀松动", "バラスト弁の緩み"),
    Text("a sudden squall", "突发飑线", "突然のスコール"),
)
TRADES = {
    "yard": Text("the shipbuilder", "这位造船家", "この造船家"),
    "maker": Text("the engineer", "这位工程师", "この技師"),
    "line": Text("the manager", "这位经理", "この経営者"),
    "harbour": Text("the harbour officer", "这位港务官", "この港務官"),
}


@dataclass(eq=False)
class Region:
    """The entities of one archipelago, by kind, and every fact by (entity, attribute)."""

    name: Text
    slug: str
    office: Text
    academy: Text
    today: date
    entities: dict[str, list[Entity]] = field(default_factory=dict)
    data: dict[tuple[str, str], Datum] = field(default_factory=dict)
    towns: list[Text] = field(default_factory=list)
    academies: list[Text] = field(default_factory=list)

    def get(self, entity: Entity, attr: str) -> Datum:
        return self.data[entity.key, attr]

    def all(self, entity: Entity, *attrs: str) -> list[Datum]:
        return [self.data[entity.key, attr] for attr in attrs]

    @property
    def years(self) -> range:
        """The years of annual statistics."""
        return range(self.today.year - YEARS, self.today.year)


def web_date(seed: int) -> date:
    """The day on which the web of `seed` was frozen."""
    rng = random.Random(f"airships:{seed}:date")
    return date(2043 + rng.randrange(7), 2, 1) + timedelta(days=rng.randrange(300))


def make_region(rng: random.Random, names: NameMaker, today: date) -> Region:
    """Draw one region."""
    word = names.word()
    region = Region(
        name=word.wrap("the {} Isles", "{}群岛", "{}諸島"),
        slug=word.en.lower(),
        office=word.wrap("{} Air Office", "{}航空局", "{}航空局"),
        academy=names.word().wrap("{} Polytechnic", "{}理工学院", "{}工科大学"),
        today=today,
    )
    _Maker(rng, names, region).run()
    return region


class _Maker:
    """Draws a region's entities in an order in which each finds those that it refers to."""

    def __init__(self, rng: random.Random, names: NameMaker, region: Region) -> None:
        self.rng, self.names, self.region = rng, names, region
        self.year = region.today.year

    def run(self) -> None:
        region = self.region
        region.entities = {kind: [] for kind in (*COUNTS, "person")}
        region.towns = [self.names.word() for _ in range(14)]
        self.rng.shuffle(region.towns)
        region.academies = [self.names.word().wrap("{} Academy", "{}学院", "{}学院") for _ in range(5)]
        for kind in ("harbour", "yard", "maker", "engine", "ship", "line", "route", "incident"):
            getattr(self, f"_{kind}s")(COUNTS[kind])
        self._annual("harbour", "passengers", 21_000, 985_000, units.PASSENGERS)
        self._annual("harbour", "landings", 1_050, 9_800, units.LANDINGS)
        self._annual("line", "passengers", 33_000, 890_000, units.PASSENGERS)

    def _entity(self, kind: str, slug: str, name: Text, article: str = "") -> Entity:
        entity = Entity(kind, f"{kind}-{slug}", name, article)
        self.region.entities[kind].append(entity)
        return entity

    def _put(
        self,
        subject: Entity,
        attr: str,
        value: Value,
        target: Entity | None = None,
        as_of: str | None = None,
        **extra: Value | Text,
    ) -> None:
        datum = Datum(f"{subject.key}.{attr}", subject, attr.split("@")[0], value, target, as_of, extra)
        self.region.data[subject.key, attr] = datum

    def _sample(self, low: int, high: int, count: int) -> list[int]:
        return self.rng.sample(range(low, high), count)

    def _person(self, trade: str, founded: int | None = None) -> Entity:
        """Somebody with a page of their own and no word on it of what made them known."""
        name = self.names.person()
        person = self._entity("person", name.en.lower().replace(" ", "-"), name)
        person.pronouns = self.rng.choice((("she", "her"), ("he", "his")))
        person.noun = TRADES[trade]
        born = (founded or self.year - 14) - self.rng.randrange(24, 46)
        self._put(person, "born", values.year(born))
        self._put(person, "birthplace", values.named(self.rng.choice(self.region.towns)))
        self._put(person, "studied", values.named(self.rng.choice(self.region.academies)))
        return person

    def _terms(self, subject: Entity, attr: str, trade: str) -> None:
        """The present holder of an office (with a page) and the one before, each with the years of the
        term.
        """
        since = self.year - self.rng.randrange(3, 7)
        before = since - self.rng.randrange(5, 9)
        person, earlier = self._person(trade), self.names.person()
        self._put(subject, attr, values.named(person.name), person, str(self.year), since=values.year(since))
        self._put(
            subject,
            f"{attr}_before",
            values.named(earlier),
            None,
            str(since - 1),
            since=values.year(before),
            until=values.year(since),
        )

    def _annual(self, kind: str, attr: str, low: int, high: int, unit: values.Unit) -> None:
        entities = self.region.entities[kind]
        for year in self.region.years:
            for entity, number in zip(entities, self._sample(low, high, len(entities)), strict=True):
                self._put(
                    entity,
                    f"{attr}@{year}",
                    values.quantity(number, unit),
                    as_of=str(year),
                    year=values.year(year),
                )

    def _harbours(self, count: int) -> None:
        numbers = zip(
            self._sample(4, 40, count), self._sample(6, 420, count), self._sample(30, 95, count), strict=True
        )
        for i, (masts, elevation, age) in enumerate(numbers):
            word = self.names.word()
            harbour = self._entity("harbour", word.en.lower(), word.wrap("Port {}", "{}港", "{}港"))
            island = self.names.word()
            self._put(harbour, "island", values.named(island.wrap("{} Island", "{}岛", "{}島"), island.en))
            self._put(harbour, "opened", values.year(self.year - age))
            self._put(harbour, "masts", values.quantity(masts, units.MASTS))
            self._put(harbour, "elevation", values.quantity(elevation, units.METRES))
            if i < 4:
                self._terms(harbour, "master", "harbour")

    def _yards(self, count: int) -> None:
        numbers = zip(
            self._sample(2, 14, count),
            self._sample(110, 990, count),
            self._sample(12, 41, count),
            strict=True,
        )
        towns = self.rng.sample(self.region.entities["harbour"], count)
        for town, (slips, workers, age) in zip(towns, numbers, strict=True):
            word = self.names.word()
            yard = self._entity("yard", word.en.lower(), word.wrap("{} Yard", "{}船厂", "{}造船所"))
            founder = self._person("yard", self.year - age)
            self._put(yard, "founded", values.year(self.year - age))
            self._put(yard, "founder", values.named(founder.name), founder)
            self._put(yard, "town", values.named(town.name), town)
            self._put(yard, "slips", values.quantity(slips, units.SLIPS))
            self._put(yard, "workers", values.quantity(workers, units.WORKERS))

    def _makers(self, count: int) -> None:
        towns = self.rng.sample(self.region.entities["harbour"], count)
        for town, age in zip(towns, self._sample(12, 41, count), strict=True):
            word = self.names.word()
            maker = self._entity(
                "maker", word.en.lower(), word.wrap("{} Engine Works", "{}发动机厂", "{}機関工場")
            )
            founder = self._person("maker", self.year - age)
            self._put(maker, "founded", values.year(self.year - age))
            self._put(maker, "founder", values.named(founder.name), founder)
            self._put(maker, "town", values.named(town.name), town)

    def _engines(self, count: int) -> None:
        makers = self.region.entities["maker"]
        numbers = zip(self._sample(24, 95, count), self._sample(31, 140, count), strict=True)
        for i, (power, weight) in enumerate(numbers):
            code = self.names.code()
            engine = self._entity("engine", code.lower(), Text(code, code, code), "the ")
            maker = makers[i % len(makers)]
            academy = self.region.academy
            tested = power * 10 - self.rng.randrange(12, 60)
            self._put(engine, "maker", values.named(maker.name), maker)
            self._put(engine, "weight", values.quantity(weight * 10, units.KG))
            self._put(engine, "power_maker", values.quantity(power * 10, units.KW))
            self._put(engine, "power_test", values.quantity(tested, units.KW), academy=academy)

    def _ships(self, count: int) -> None:
        draws = [self._sample(*bounds, count) for bounds in ((94, 288), (24, 180), (96, 154), (10, 36))]
        for i, (length, capacity, speed, age) in enumerate(zip(*draws, strict=True)):
            word = self.names.word()
            ship = self._entity("ship", word.en.lower(), word.wrap("{}", "{}号", "{}号"), "the ")
            yard = self.region.entities["yard"][i % COUNTS["yard"]]
            engine = self.rng.choice(self.region.entities["engine"])
            refit = values.year(self.year - self.rng.randrange(2, 8))
            self._put(ship, "yard", values.named(yard.name), yard)
            self._put(ship, "engine", values.named(engine.name), engine)
            self._put(ship, "launched", values.year(self.year - age))
            self._put(ship, "length", values.quantity(length, units.METRES))
            self._put(ship, "refit", refit)
            after = capacity + self.rng.randrange(8, 60)
            self._put(
                ship,
                "capacity_before",
                values.quantity(capacity, units.PASSENGERS),
                as_of=str(int(refit.number) - 1),
                refit=refit,
            )
            self._put(
                ship, "capacity", values.quantity(after, units.PASSENGERS), as_of=str(self.year), refit=refit
            )
            self._put(ship, "speed_builder", values.quantity(speed, units.KMH))
            self._put(
                ship,
                "speed_register",
                values.quantity(speed - self.rng.randrange(5, 17), units.KMH),
                office=self.region.office,
            )

    def _lines(self, count: int) -> None:
        draws = [self._sample(*bounds, count) for bounds in ((25, 60), (5, 70), (8, 32), (61, 98))]
        bases = self.rng.sample(self.region.entities["harbour"], count)
        ships = self.rng.sample(self.region.entities["ship"], count)
        for i, (age, fleet, baggage, punctual) in enumerate(zip(*draws, strict=True)):
            word = self.names.word()
            line = self._entity("line", word.en.lower(), word.wrap(*LINE_NAMES[i % len(LINE_NAMES)]))
            last = values.year(self.year - 1)
            launched = int(self.region.get(ships[i], "launched").value.number)
            since = values.year(max(launched, self.year - age) + 1)
            self._put(line, "founded", values.year(self.year - age))
            self._put(line, "base", values.named(bases[i].name), bases[i])
            self._put(line, "flagship", values.named(ships[i].name), ships[i], year=since)
            self._put(line, "baggage", values.quantity(baggage, units.KG))
            self._put(
                line, "fleet", values.quantity(fleet, units.AIRSHIPS), as_of=str(self.year - 1), year=last
            )
            self._put(
                line,
                "punctuality",
                values.quantity(punctual, units.PERCENT),
                as_of=str(self.year - 1),
                year=last,
            )
            self._terms(line, "head", "line")

    def _routes(self, count: int) -> None:
        harbours, lines = self.region.entities["harbour"], self.region.entities["line"]
        pairs = self.rng.sample([(a, b) for i, a in enumerate(harbours) for b in harbours[i + 1 :]], count)
        draws = [self._sample(*bounds, count) for bounds in ((180, 1900), (19, 240))]
        for (a, b), distance, fare in zip(pairs, *draws, strict=True):
            minutes = distance * 60 // self.rng.randrange(68, 97)
            ends = [Text(h.name.en.removeprefix("Port "), h.name.zh[:-1], h.name.ja[:-1]) for h in (a, b)]
            name = Text(
                f"{ends[0].en}–{ends[1].en} route",
                f"{ends[0].zh}至{ends[1].zh}航线",
                f"{ends[0].ja}・{ends[1].ja}航路",
            )
            slug = f"{ends[0].en}-{ends[1].en}".lower()
            route = self._entity("route", slug, name, "the ")
            line = self.rng.choice(lines)
            self._put(route, "distance", values.quantity(distance, units.KM))
            self._put(route, "duration", values.duration(minutes))
            self._put(route, "fare", values.quantity(fare, units.CROWNS))
            self._put(route, "line", values.named(line.name), line)

    def _incidents(self, count: int) -> None:
        places = self.rng.sample(self.region.entities["harbour"], count)
        ships = self.rng.sample(self.region.entities["ship"], count)
        causes = self.rng.sample(CAUSES, count)
        for place, ship, cause in zip(places, ships, causes, strict=True):
            day = self.region.today - timedelta(days=self.rng.randrange(500, 1500))
            name = place.name.wrap(
                f"{{}} accident of {day.year}", f"{day.year}年{{}}事故", f"{day.year}年{{}}事故"
            )
            incident = self._entity("incident", f"{place.key[8:]}-{day.year}", name, "the ")
            incident.pronouns = ("the accident", "the accident's")
            injured = self.rng.randrange(12, 60)
            self._put(incident, "ship", values.named(ship.name), ship)
            self._put(incident, "date", values.date(day.isoformat()))
            self._put(incident, "cause", values.named(cause))
            self._put(incident, "injured_line", values.quantity(injured, units.INJURED))
            self._put(
                incident,
                "injured_inquiry",
                values.quantity(injured + self.rng.randrange(3, 30), units.INJURED),
            )
            self._put(incident, "chair", values.named(self.names.person()))
