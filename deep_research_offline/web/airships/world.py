"""One archipelago of the airship world: harbours, yards, engine makers, airships, lines, people, routes,
accidents.

All entities and all facts about them are drawn here; nothing here is text of a page.
"""

from __future__ import annotations

import random
from datetime import date, timedelta

from deep_research_offline.web import values
from deep_research_offline.web.names import NameMaker, Text
from deep_research_offline.web.prose import Entity
from deep_research_offline.web.region import Region, RegionMaker
from deep_research_offline.web.words import Words


class Isles(RegionMaker):
    """Draws one archipelago."""

    def __init__(self, rng: random.Random, names: NameMaker, today: date, words: Words) -> None:
        super().__init__(rng, names, today, words)
        self.towns = [names.word() for _ in range(14)]
        rng.shuffle(self.towns)
        self.academies = [names.word().wrap("{} Academy", "{}学院", "{}学院") for _ in range(5)]

    def found(self, word: Text, today: date) -> Region:
        name = word.wrap("the {} Isles", "{}群岛", "{}諸島")
        bodies = {
            "office": word.wrap("{} Air Office", "{}航空局", "{}航空局"),
            "statisticians": word.wrap("{} Isles Statistical Service", "", ""),
            "academy": self.names.word().wrap("{} Polytechnic", "{}理工学院", "{}工科大学"),
        }
        return Region(name, word.en.lower(), today, bodies)

    def fill(self) -> None:
        self._harbours()
        self._yards()
        self._makers()
        self._engines()
        self._ships()
        self._lines()
        self._routes()
        self._incidents()
        self.annual("harbour", "passengers", 21_000, 985_000)
        self.annual("harbour", "landings", 1_050, 9_800)
        self.annual("line", "passengers", 33_000, 890_000)

    def _person(self, trade: str, ago: int = 14) -> Entity:
        """Somebody grown up `ago` years ago, with a page of their own and no word on it of what made them
        known.
        """
        person, age = self.somebody(trade), self.rng.randrange(24, 46)
        town, school = self.rng.choice(self.towns), self.rng.choice(self.academies)
        self.state(person, born=self.ago(ago + age), birthplace=town, studied=school)
        return person

    def _head(self, subject: Entity, attr: str) -> None:
        """The present holder of an office, with a page, and the one before."""
        since = self.year - self.rng.randrange(3, 7)
        start = since - self.rng.randrange(5, 9)
        self.office(subject, attr, since, start, self._person(subject.kind))

    def _works(self, works: Entity, age: int, town: Entity) -> None:
        """What is true of a yard and of an engine maker: founded `age` years ago, by whom and where."""
        founder = self._person(works.kind, age)
        self.state(works, founded=self.ago(age), founder=founder, town=town)

    def _harbours(self) -> None:
        harbours = self.new("harbour", (4, 40), (6, 420), (30, 95))
        for i, (harbour, (masts, elevation, age)) in enumerate(harbours):
            word = self.names.word()
            island = values.named(word.wrap("{} Island", "{}岛", "{}島"), word.en)
            self.state(harbour, island=island, opened=self.ago(age), masts=masts, elevation=elevation)
            if i < 4:
                self._head(harbour, "master")

    def _yards(self) -> None:
        yards = self.new("yard", (2, 14), (110, 990), (12, 41))
        for (yard, (slips, workers, age)), town in zip(yards, self.drawn("harbour", 5), strict=True):
            self._works(yard, age, town)
            self.state(yard, slips=slips, workers=workers)

    def _makers(self) -> None:
        towns = self.drawn("harbour", 3)
        for (maker, (age,)), town in zip(self.new("maker", (12, 41)), towns, strict=True):
            self._works(maker, age, town)

    def _engines(self) -> None:
        makers = self.region.entities["maker"]
        for i, (power, weight) in enumerate(self.rows("engine", (24, 95), (31, 140))):
            code = self.names.code()
            engine = self.entity("engine", code.lower(), Text(code, code, code))
            tested = power * 10 - self.rng.randrange(12, 60)
            self.state(engine, maker=makers[i % len(makers)], weight=weight * 10, power_maker=power * 10)
            self.put(engine, "power_test", tested, academy=self.region.bodies["academy"])

    def _ships(self) -> None:
        yards = self.region.entities["yard"]
        ships = self.new("ship", (94, 288), (24, 180), (96, 154), (10, 36))
        for i, (ship, (length, capacity, speed, age)) in enumerate(ships):
            engine = self.rng.choice(self.region.entities["engine"])
            refit = self.ago(self.rng.randrange(2, 8))
            self.state(ship, yard=yards[i % len(yards)], engine=engine, launched=self.ago(age))
            self.state(ship, length=length, refit=refit)
            self.changed(ship, "capacity", (capacity, capacity + self.rng.randrange(8, 60)), refit=refit)
            self.put(ship, "speed_builder", speed)
            measured = speed - self.rng.randrange(5, 17)
            self.put(ship, "speed_register", measured, office=self.region.bodies["office"])

    def _lines(self) -> None:
        lines = self.new("line", (25, 60), (5, 70), (8, 32), (61, 98))
        bases, ships = self.drawn("harbour", 6), self.drawn("ship", 6)
        last = self.year - 1
        for (line, (age, fleet, baggage, punctual)), base, ship in zip(lines, bases, ships, strict=True):
            launched = self.region.get(ship, "launched").value.whole
            self.state(line, founded=self.ago(age), base=base)
            self.put(line, "flagship", ship, year=values.year(max(launched, self.year - age) + 1))
            self.put(line, "baggage", baggage)
            self.put(line, "fleet", fleet, last, year=values.year(last))
            self.put(line, "punctuality", punctual, last, year=values.year(last))
            self._head(line, "head")

    def _routes(self) -> None:
        harbours, lines = self.region.entities["harbour"], self.region.entities["line"]
        pairs = [(a, b) for i, a in enumerate(harbours) for b in harbours[i + 1 :]]
        rows = self.rng.sample(pairs, 8), self.rows("route", (180, 1900), (19, 240))
        for ends, (distance, fare) in zip(*rows, strict=True):
            minutes = distance * 60 // self.rng.randrange(68, 97)
            a, b = (
                Text(end.name.en.removeprefix("Port "), end.name.zh[:-1], end.name.ja[:-1]) for end in ends
            )
            name = Text(f"{a.en}–{b.en} route", f"{a.zh}至{b.zh}航线", f"{a.ja}・{b.ja}航路")
            route = self.entity("route", f"{a.en}-{b.en}".lower(), name)
            line = self.rng.choice(lines)
            self.state(route, distance=distance, duration=values.duration(minutes), fare=fare, line=line)

    def _incidents(self) -> None:
        places, ships = self.drawn("harbour", 5), self.drawn("ship", 5)
        causes = self.rng.sample(self.words.lists["causes"], 5)
        for place, ship, cause in zip(places, ships, causes, strict=True):
            day = self.region.today - timedelta(days=self.rng.randrange(500, 1500))
            of_year = f"{day.year}年{{}}事故"
            name = place.name.wrap(f"{{}} accident of {day.year}", of_year, of_year)
            incident = self.entity("incident", f"{place.key[8:]}-{day.year}", name)
            incident.pronouns = ("the accident", "the accident's")
            first = self.rng.randrange(12, 60)
            later = first + self.rng.randrange(3, 30)
            self.state(incident, ship=ship, date=values.date(day.isoformat()), cause=cause)
            self.state(incident, injured_line=first, injured_inquiry=later)
            self.put(incident, "chair", self.names.person())
