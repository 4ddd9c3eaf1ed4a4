"""One region of the airship world: lines, airships, yards, engine makers, harbours, people, routes,
accidents.

`make_region` draws all entities and all facts about them; nothing here is text of a page.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from deep_research.offline.web import values
from deep_research.offline.web.airships import words_cjk as units
from deep_research.offline.web.names import NameMaker, Text
from deep_research.offline.web.prose import Entity
from deep_research.offline.web.region import Region, RegionMaker

COUNTS = {"line": 6, "ship": 10, "yard": 5, "maker": 3, "engine": 4, "harbour": 9, "route": 8, "incident": 5}
ARTICLES = {"ship": "the ", "engine": "the ", "route": "the ", "incident": "the "}
PATTERNS = {
    "harbour": (("Port {}", "{}港", "{}港"),),
    "yard": (("{} Yard", "{}船厂", "{}造船所"),),
    "maker": (("{} Engine Works", "{}发动机厂", "{}機関工場"),),
    "ship": (("{}", "{}号", "{}号"),),
    "line": (
        ("{} Skyways", "{}航空公司", "{}航空"),
        ("{} Air Lines", "{}飞艇公司", "{}飛行船"),
        ("{} Aerial Company", "{}空运公司", "{}空運"),
    ),
}
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


@dataclass(eq=False, kw_only=True)
class Isles(Region):
    """One archipelago, with the public bodies that its facts mention."""

    office: Text
    academy: Text


def make_region(rng: random.Random, names: NameMaker, today: date) -> Isles:
    """Draw one archipelago."""
    word = names.word()
    region = Isles(
        name=word.wrap("the {} Isles", "{}群岛", "{}諸島"),
        slug=word.en.lower(),
        office=word.wrap("{} Air Office", "{}航空局", "{}航空局"),
        academy=names.word().wrap("{} Polytechnic", "{}理工学院", "{}工科大学"),
        today=today,
    )
    _Maker(rng, names, region).run()
    return region


class _Maker(RegionMaker[Isles]):
    counts, patterns, articles = COUNTS, PATTERNS, ARTICLES

    def __init__(self, rng: random.Random, names: NameMaker, region: Isles) -> None:
        super().__init__(rng, names, region)
        self.towns = [names.word() for _ in range(14)]
        rng.shuffle(self.towns)
        self.academies = [names.word().wrap("{} Academy", "{}学院", "{}学院") for _ in range(5)]

    def run(self) -> None:
        """Each kind after those that it refers to."""
        self._harbours()
        self._yards()
        self._makers()
        self._engines()
        self._ships()
        self._lines()
        self._routes()
        self._incidents()
        self.annual("harbour", "passengers", 21_000, 985_000, units.PASSENGERS)
        self.annual("harbour", "landings", 1_050, 9_800, units.LANDINGS)
        self.annual("line", "passengers", 33_000, 890_000, units.PASSENGERS)

    def _person(self, trade: str, ago: int = 14) -> Entity:
        """Somebody grown up `ago` years ago, with a page of their own and no word on it of what made them
        known.
        """
        person = self.somebody(TRADES[trade])
        self.dated(person, "born", ago + self.rng.randrange(24, 46))
        self.put(person, "birthplace", values.named(self.rng.choice(self.towns)))
        self.put(person, "studied", values.named(self.rng.choice(self.academies)))
        return person

    def _head(self, subject: Entity, attr: str, trade: str) -> None:
        """The present holder of an office, with a page, and the one before."""
        since = self.year - self.rng.randrange(3, 7)
        start = since - self.rng.randrange(5, 9)
        self.office(subject, attr, since, start, self._person(trade))

    def _works(self, works: Entity, age: int, town: Entity) -> None:
        """What is true of a yard and of an engine maker: founded `age` years ago, by whom and where."""
        founder = self._person(works.kind, age)
        self.dated(works, "founded", age)
        self.refer(works, "founder", founder)
        self.refer(works, "town", town)

    def _harbours(self) -> None:
        harbours = self.new("harbour", (4, 40), (6, 420), (30, 95))
        for i, (harbour, (masts, elevation, age)) in enumerate(harbours):
            island = self.names.word()
            self.put(harbour, "island", values.named(island.wrap("{} Island", "{}岛", "{}島"), island.en))
            self.dated(harbour, "opened", age)
            self.count(harbour, units.MASTS, masts=masts)
            self.count(harbour, units.METRES, elevation=elevation)
            if i < 4:
                self._head(harbour, "master", "harbour")

    def _yards(self) -> None:
        yards = self.new("yard", (2, 14), (110, 990), (12, 41))
        towns = self.rng.sample(self.region.entities["harbour"], self.counts["yard"])
        for (yard, (slips, workers, age)), town in zip(yards, towns, strict=True):
            self._works(yard, age, town)
            self.count(yard, units.SLIPS, slips=slips)
            self.count(yard, units.WORKERS, workers=workers)

    def _makers(self) -> None:
        towns = self.rng.sample(self.region.entities["harbour"], self.counts["maker"])
        for (maker, (age,)), town in zip(self.new("maker", (12, 41)), towns, strict=True):
            self._works(maker, age, town)

    def _engines(self) -> None:
        makers = self.region.entities["maker"]
        for i, (power, weight) in enumerate(self.rows("engine", (24, 95), (31, 140))):
            code = self.names.code()
            engine = self.entity("engine", code.lower(), Text(code, code, code))
            tested = values.quantity(power * 10 - self.rng.randrange(12, 60), units.KW)
            self.refer(engine, "maker", makers[i % len(makers)])
            self.count(engine, units.KG, weight=weight * 10)
            self.count(engine, units.KW, power_maker=power * 10)
            self.put(engine, "power_test", tested, academy=self.region.academy)

    def _ships(self) -> None:
        yards = self.region.entities["yard"]
        ships = self.new("ship", (94, 288), (24, 180), (96, 154), (10, 36))
        for i, (ship, (length, capacity, speed, age)) in enumerate(ships):
            engine = self.rng.choice(self.region.entities["engine"])
            refit = values.year(self.year - self.rng.randrange(2, 8))
            self.refer(ship, "yard", yards[i % len(yards)])
            self.refer(ship, "engine", engine)
            self.dated(ship, "launched", age)
            self.count(ship, units.METRES, length=length)
            self.put(ship, "refit", refit)
            berths = capacity, capacity + self.rng.randrange(8, 60)
            self.changed(ship, "capacity", units.PASSENGERS, berths, refit=refit)
            self.count(ship, units.KMH, speed_builder=speed)
            measured = values.quantity(speed - self.rng.randrange(5, 17), units.KMH)
            self.put(ship, "speed_register", measured, office=self.region.office)

    def _lines(self) -> None:
        lines = self.new("line", (25, 60), (5, 70), (8, 32), (61, 98))
        bases = self.rng.sample(self.region.entities["harbour"], self.counts["line"])
        ships = self.rng.sample(self.region.entities["ship"], self.counts["line"])
        last = self.year - 1
        for (line, (age, fleet, baggage, punctual)), base, ship in zip(lines, bases, ships, strict=True):
            launched = self.region.get(ship, "launched").value.whole
            since = values.year(max(launched, self.year - age) + 1)
            self.dated(line, "founded", age)
            self.refer(line, "base", base)
            self.put(line, "flagship", values.named(ship.name), ship, year=since)
            self.count(line, units.KG, baggage=baggage)
            for attr, value in (
                ("fleet", values.quantity(fleet, units.AIRSHIPS)),
                ("punctuality", values.quantity(punctual, units.PERCENT)),
            ):
                self.put(line, attr, value, as_of=last, year=values.year(last))
            self._head(line, "head", "line")

    def _routes(self) -> None:
        harbours, lines = self.region.entities["harbour"], self.region.entities["line"]
        pairs = [(a, b) for i, a in enumerate(harbours) for b in harbours[i + 1 :]]
        pairs = self.rng.sample(pairs, self.counts["route"])
        for pair, (distance, fare) in zip(pairs, self.rows("route", (180, 1900), (19, 240)), strict=True):
            minutes = distance * 60 // self.rng.randrange(68, 97)
            a, b = (
                Text(end.name.en.removeprefix("Port "), end.name.zh[:-1], end.name.ja[:-1]) for end in pair
            )
            name = Text(f"{a.en}–{b.en} route", f"{a.zh}至{b.zh}航线", f"{a.ja}・{b.ja}航路")
            route = self.entity("route", f"{a.en}-{b.en}".lower(), name)
            line = self.rng.choice(lines)
            self.count(route, units.KM, distance=distance)
            self.put(route, "duration", values.duration(minutes))
            self.count(route, units.CROWNS, fare=fare)
            self.refer(route, "line", line)

    def _incidents(self) -> None:
        count = self.counts["incident"]
        places = self.rng.sample(self.region.entities["harbour"], count)
        ships = self.rng.sample(self.region.entities["ship"], count)
        causes = self.rng.sample(CAUSES, count)
        for place, ship, cause in zip(places, ships, causes, strict=True):
            day = self.region.today - timedelta(days=self.rng.randrange(500, 1500))
            of_year = f"{day.year}年{{}}事故"
            name = place.name.wrap(f"{{}} accident of {day.year}", of_year, of_year)
            incident = self.entity("incident", f"{place.key[8:]}-{day.year}", name)
            incident.pronouns = ("the accident", "the accident's")
            first = self.rng.randrange(12, 60)
            later = first + self.rng.randrange(3, 30)
            self.refer(incident, "ship", ship)
            self.put(incident, "date", values.date(day.isoformat()))
            self.put(incident, "cause", values.named(cause))
            self.count(incident, units.INJURED, injured_line=first, injured_inquiry=later)
            self.put(incident, "chair", values.named(self.names.person()))
