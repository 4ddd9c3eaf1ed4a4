"""One river delta: towns, spring forges, clockmakers, mechanical clerks, binderies, books, libraries, book
barges, affairs of overdue books.

All entities and all facts about them are drawn here; nothing here is text of a page. Things refer only to
older things (a clerk is younger than its maker, an overdue book younger than its author), so the dates agree
with one another.
"""

from __future__ import annotations

import random
from datetime import date, timedelta

from deep_research_offline.web import values
from deep_research_offline.web.names import NameMaker, Text
from deep_research_offline.web.prose import Entity
from deep_research_offline.web.region import Region, RegionMaker
from deep_research_offline.web.words import Words


class Delta(RegionMaker):
    """Draws one delta."""

    def __init__(self, rng: random.Random, names: NameMaker, today: date, words: Words) -> None:
        super().__init__(rng, names, today, words)
        self.charter = self.ago(rng.randrange(2, 7))  # membership fees changed in that year
        self.islets = [names.word() for _ in range(14)]

    def found(self, word: Text, today: date) -> Region:
        name = word.wrap("the {} Delta", "{}三角洲", "{}三角州")
        bodies = {
            "readers": word.wrap("{} Readers' Union", "{}读者联合会", "{}読者組合"),  # they time clerks
            "lab": self.names.word().wrap("{} Paper Laboratory", "{}纸张实验室", "{}紙質研究所"),
            "court": word.wrap("{} Court of Late Books", "{}逾期图书法庭", "{}延滞本法廷"),
        }
        return Region(name, word.en.lower(), today, bodies)

    def fill(self) -> None:
        self._towns()
        self._forges()
        self._makers()
        self._clerks()
        self._binderies()
        self._books()
        self._libraries()
        self._barges()
        self._affairs()
        self.annual("library", "loans", 11_000, 480_000)
        self.annual("library", "visitors", 1_300, 88_000)
        self.annual("barge", "joined", 1_050, 9_700)

    def _listed(self, name: str, count: int) -> list[Text]:
        return self.rng.sample(self.words.lists[name], count)

    def _person(self, trade: str, age: int) -> Entity:
        """Somebody with a page of their own and no word on it of what made them known."""
        person = self.somebody(trade)
        islet = self.rng.choice(self.islets)
        job, pet = (self.rng.choice(self.words.lists[name]) for name in ("jobs", "pets"))
        self.state(person, born=self.ago(age), islet=islet, job=job, pet=pet)
        return person

    def _head(self, subject: Entity, attr: str, has_page: bool) -> None:
        """The present holder of an office and the one before."""
        holder = self._person(attr, self.rng.randrange(36, 68)) if has_page else None
        since = self.year - self.rng.randrange(3, 8)
        self.office(subject, attr, since, since - self.rng.randrange(6, 12), holder)

    def _towns(self) -> None:
        markets, statues = self._listed("markets", 4), self._listed("statues", 4)
        for i, (town, (people, bridges)) in enumerate(self.new("town", (2_100, 48_000), (13, 96))):
            self.state(town, people=people, bridges=bridges, market=markets[i], statue=statues[i])

    def _forges(self) -> None:
        towns = self.drawn("town")
        for i, (forge, (ago, smiths, chimney)) in enumerate(self.new("forge", (70, 160), (14, 88), (18, 74))):
            self.state(forge, lit=self.ago(ago), town=towns[i], smiths=smiths, chimney=chimney)

    def _makers(self) -> None:
        for maker, (ago, staff) in self.new("maker", (34, 58), (11, 67)):
            self.put(maker, "opened", self.ago(ago))
            self.put(maker, "founder", self._person("founder", ago + self.rng.randrange(22, 36)))
            self.state(maker, spring=self.rng.choice(self.region.entities["forge"]), staff=staff)

    def _clerks(self) -> None:
        makers, tunes = self.region.entities["maker"], self._listed("tunes", 8)
        ranges = ((9, 31), (118, 247), (1_100, 9_700), (11, 48), (140, 490))
        for i, (clerk, (ago, height, cogs, hours, speed)) in enumerate(self.new("clerk", *ranges)):
            self.state(clerk, maker=makers[i % len(makers)], made=self.ago(ago), height=height)
            self.state(clerk, cogs=cogs, tune=tunes[i])
            overhaul = self.ago(self.rng.randrange(2, 8))
            self.changed(clerk, "winding", (hours, hours + self.rng.randrange(3, 29)), overhaul=overhaul)
            timed = speed - self.rng.randrange(21, 96)
            self.put(clerk, "speed_maker", speed)
            self.put(clerk, "speed_trial", timed, readers=self.region.bodies["readers"])

    def _binderies(self) -> None:
        leathers, towns = self._listed("leathers", 3), self.drawn("town")
        for i, (bindery, (ago, binders)) in enumerate(self.new("bindery", (60, 170), (12, 73))):
            self.state(bindery, opened=self.ago(ago), binders=binders, leather=leathers[i], town=towns[i])

    def _books(self) -> None:
        authors = [self._person("author", self.rng.randrange(80, 98)) for _ in range(5)]
        binderies, topics = self.region.entities["bindery"], self._listed("topics", 8)
        ranges = ((34, 56), (140, 980), (11, 88), (1_200, 9_900))
        for i, (book, (ago, pages, pictures, worth)) in enumerate(self.new("book", *ranges)):
            author, bindery = authors[i % len(authors)], binderies[i % len(binderies)]
            self.state(book, author=author, bindery=bindery, topic=topics[i], pages=pages, pictures=pictures)
            self.state(book, worth=worth, year_title=self.ago(ago))
            later = self.ago(ago - self.rng.randrange(3, 11))
            self.put(book, "year_lab", later, lab=self.region.bodies["lab"])

    def _libraries(self) -> None:
        clerks, books = self.drawn("clerk"), self.drawn("book")
        ranges = ((55, 240), (31, 390), (1_150, 9_800), (12, 60))
        for i, (library, (ago, seats, shelves, fee)) in enumerate(self.new("library", *ranges)):
            town = self.rng.choice(self.region.entities["town"])
            self.state(library, town=town, opened=self.ago(ago), seats=seats, shelves=shelves)
            self.state(library, clerk=clerks[i], treasure=books[i])
            self.changed(library, "fee", (fee, fee + self.rng.randrange(4, 27)), charter=self.charter)
            self._head(library, "librarian", i < 2)

    def _barges(self) -> None:
        libraries, books = self.drawn("library"), self.drawn("book")
        ranges = ((21, 60), (12, 49), (13, 66), (1_100, 9_400))
        for i, (barge, (ago, length, stops, stock)) in enumerate(self.new("barge", *ranges)):
            self.state(barge, launched=self.ago(ago), length=length, stops=stops, stock=stock)
            self.state(barge, home=libraries[i], favourite=books[i])
            self._head(barge, "captain", i < 4)

    def _affairs(self) -> None:
        libraries, books = self.drawn("library"), self.drawn("book")
        hidings = self._listed("hidings", 4)
        for i, (affair, (late, fine)) in enumerate(self.new("affair", (11, 20), (620, 4_900))):
            day = date(self.year - 1 - i, 2, 1) + timedelta(days=self.rng.randrange(300))
            self.state(affair, date=values.date(day.isoformat()), library=libraries[i], book=books[i])
            self.state(affair, hiding=hidings[i], late=late)
            less = fine - self.rng.randrange(110, 480)
            self.put(affair, "fine_library", fine)
            self.put(affair, "fine_court", less, court=self.region.bodies["court"])
