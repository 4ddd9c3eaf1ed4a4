"""One mountain country: valleys, mines, bell foundries, bells, cheeses, abbeys, choirs, works, echo contests.

`make_country` draws all entities and all facts about them; nothing here is text of a page. Things refer only
to older things (a bell is younger than its foundry, a foundry younger than its mine), so the dates agree with
one another.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from deep_research.offline.web import values
from deep_research.offline.web.abbeys import words_cjk as units
from deep_research.offline.web.names import NameMaker, Text
from deep_research.offline.web.prose import Entity
from deep_research.offline.web.region import Region, RegionMaker
from deep_research.offline.web.values import Value

COUNTS = {
    "valley": 4,
    "mine": 3,
    "foundry": 4,
    "bell": 8,
    "cheese": 8,
    "abbey": 8,
    "work": 6,
    "choir": 6,
    "contest": 4,
}
PATTERNS = {
    "valley": (("Val {}", "{}谷", "{}谷"),),
    "mine": (("{} Mine", "{}铜矿", "{}銅山"),),
    "foundry": (("{} Bell Foundry", "{}铸钟厂", "{}鋳鐘所"),),
    "bell": (
        ("Old {}", "老{}钟", "古鐘{}"),
        ("Mother {}", "母{}钟", "母鐘{}"),
        ("Long {}", "长{}钟", "長鐘{}"),
    ),
    "cheese": (
        ("{} Blue", "{}蓝纹奶酪", "{}青カビチーズ"),
        ("{} Grey", "{}灰皮奶酪", "{}灰チーズ"),
        ("{} Smoked", "{}烟熏奶酪", "{}燻製チーズ"),
    ),
    "abbey": (("{} Abbey", "{}修道院", "{}修道院"), ("{} Priory", "{}隐修院", "{}小修道院")),
    "work": (
        ("Lament for {}", "《{}挽歌》", "『{}の哀歌』"),
        ("Vespers of {}", "《{}晚祷》", "『{}の晩課』"),
        ("Carol of {}", "《{}颂歌》", "『{}の祝歌』"),
    ),
    "choir": (
        ("{} Choir", "{}合唱团", "{}合唱団"),
        ("{} Chorale", "{}圣咏团", "{}聖歌隊"),
        ("{} Consort", "{}重唱团", "{}重唱団"),
    ),
    "contest": (("{} Echo Contest", "{}回声赛", "{}こだま競唱会"),),
}
ARTICLES = {"contest": "the ", "choir": "the "}

MILKS = (
    Text("ewe's milk", "绵羊奶", "羊乳"),
    Text("goat's milk", "山羊奶", "山羊乳"),
    Text("yak's milk", "牦牛奶", "ヤク乳"),
    Text("buffalo milk", "水牛奶", "水牛乳"),
    Text("reindeer milk", "驯鹿奶", "トナカイ乳"),
    Text("mare's milk", "马奶", "馬乳"),
)
PRIZES = (
    Text("a copper cauldron", "一口铜锅", "銅の大鍋"),
    Text("a pair of ram's horns", "一对公羊角", "雄羊の角一対"),
    Text("a cartload of beechwood", "一车山毛榉木柴", "荷車一台分のブナ材"),
    Text("a quilted banner", "一面绗缝锦旗", "刺し子の旗"),
    Text("a barrel of plum brandy", "一桶李子白兰地", "プラム酒一樽"),
    Text("a white heifer", "一头白色小母牛", "白い若牛"),
)
INSTRUMENTS = (
    Text("the hurdy-gurdy", "手摇琴", "ハーディガーディ"),
    Text("the hammered dulcimer", "扬琴", "ダルシマー"),
    Text("the bone flute", "骨笛", "骨笛"),
    Text("the nail violin", "钉琴", "釘ヴァイオリン"),
    Text("the bowed psaltery", "弓弦琴", "弓奏プサルタリー"),
    Text("the goatskin bagpipe", "羊皮风笛", "山羊皮のバグパイプ"),
)
CALLINGS = {
    "composer": Text("the composer", "这位作曲家", "この作曲家"),
    "deviser": Text("the cheesemaker", "这位奶酪师", "このチーズ職人"),
    "cantor": Text("the musician", "这位音乐家", "この音楽家"),
    "cellarer": Text("the cellar keeper", "这位窖务长", "この蔵役"),
}


@dataclass(eq=False, kw_only=True)
class Country(Region):
    """One country, with the public bodies that its facts mention."""

    weights: Text  # the office that weighs bells
    dairy_lab: Text
    order: Value  # the year of the order that changed the price of cheese


def make_country(rng: random.Random, names: NameMaker, today: date) -> Country:
    """Draw one country."""
    word = names.word()
    country = Country(
        name=word.wrap("the {} Heights", "{}高地", "{}高地"),
        slug=word.en.lower(),
        weights=word.wrap("{} Office of Weights", "{}衡器局", "{}計量局"),
        dairy_lab=names.word().wrap("{} Dairy School", "{}乳业学校", "{}酪農学校"),
        today=today,
        order=values.year(today.year - rng.randrange(3, 7)),
    )
    _Maker(rng, names, country).run()
    return country


class _Maker(RegionMaker[Country]):
    counts, patterns, articles = COUNTS, PATTERNS, ARTICLES

    def __init__(self, rng: random.Random, names: NameMaker, region: Country) -> None:
        super().__init__(rng, names, region)
        self.villages = [names.word() for _ in range(14)]

    def run(self) -> None:
        """Each kind after those that it refers to."""
        self._valleys()
        self._mines()
        self._foundries()
        self._bells()
        self._cheeses()
        self._abbeys()
        self._works()
        self._choirs()
        self._contests()
        self.annual("abbey", "wheels", 2_100, 61_000, units.WHEELS)
        self.annual("abbey", "pilgrims", 1_100, 97_000, units.PILGRIMS)
        self.annual("choir", "tickets", 1_050, 38_000, units.TICKETS)

    def _person(self, calling: str, age: int) -> Entity:
        """Somebody with a page of their own and no word on it of what made them known."""
        person = self.somebody(CALLINGS[calling])
        self.dated(person, "born", age)
        self.put(person, "birthplace", values.named(self.rng.choice(self.villages)))
        self.put(person, "teacher", values.named(self.names.person()))
        self.put(person, "instrument", values.named(self.rng.choice(INSTRUMENTS)))
        return person

    def _head(self, subject: Entity, attr: str, holder: Entity | None = None) -> None:
        """The present holder of an office and the one before."""
        since = self.year - self.rng.randrange(3, 8)
        self.office(subject, attr, since, since - self.rng.randrange(6, 11), holder)

    def _valleys(self) -> None:
        for valley, (height, people) in self.new("valley", (1_420, 2_900), (1_100, 19_000)):
            self.count(valley, units.METRES, pass_height=height)
            self.count(valley, units.INHABITANTS, people=people)
            self.put(valley, "river", values.named(self.names.word().wrap("{} Water", "{}河", "{}川")))

    def _mines(self) -> None:
        for mine, (ago, depth, miners) in self.new("mine", (530, 800), (90, 780), (40, 390)):
            self.dated(mine, "opened", ago)
            self.count(mine, units.METRES, depth=depth)
            self.count(mine, units.MINERS, miners=miners)
            self.refer(mine, "valley", self.rng.choice(self.region.entities["valley"]))

    def _foundries(self) -> None:
        for foundry, (ago, furnaces, taught) in self.new("foundry", (360, 520), (3, 15), (11, 64)):
            self.dated(foundry, "lit", ago)
            self.refer(foundry, "copper", self.rng.choice(self.region.entities["mine"]))
            self.count(foundry, units.FURNACES, furnaces=furnaces)
            self.count(foundry, units.APPRENTICES, apprentices=taught)
            self._head(foundry, "master")

    def _bells(self) -> None:
        ranges = ((30, 340), (1_900, 9_800), (118, 246), (121, 390))
        for bell, (ago, weight, width, pitch) in self.new("bell", *ranges):
            self.dated(bell, "cast", ago)
            self.refer(bell, "foundry", self.rng.choice(self.region.entities["foundry"]))
            scale = values.quantity(weight - self.rng.randrange(70, 620), units.KG)
            self.count(bell, units.KG, weight_ledger=weight)
            self.put(bell, "weight_scale", scale, office=self.region.weights)
            self.count(bell, units.CM, diameter=width)
            retuned = values.year(self.year - self.rng.randrange(2, 10))
            pitches = pitch + self.rng.randrange(4, 23), pitch
            self.changed(bell, "pitch", units.HERTZ, pitches, retuned=retuned)

    def _cheeses(self) -> None:
        devisers = [self._person("deviser", self.rng.randrange(80, 93)) for _ in range(5)]
        ranges = ((12, 55), (4, 38), (41, 130), (31, 96), (41, 63))
        for i, (cheese, (ago, months, litres, price, fat)) in enumerate(self.new("cheese", *ranges)):
            self.refer(cheese, "deviser", devisers[i % len(devisers)])
            self.dated(cheese, "first", ago)
            self.put(cheese, "milk", values.named(self.rng.choice(MILKS)))
            self.count(cheese, units.MONTHS, months=months)
            self.count(cheese, units.LITRES, litres=litres)
            prices = price, price + self.rng.randrange(5, 24)
            self.changed(cheese, "price", units.THALERS, prices, order=self.region.order)
            self.count(cheese, units.PERCENT, fat_label=fat)
            found = values.quantity(fat - self.rng.randrange(2, 10), units.PERCENT)
            self.put(cheese, "fat_lab", found, lab=self.region.dairy_lab)

    def _abbeys(self) -> None:
        bells, cheeses = (self.shuffled(kind) for kind in ("bell", "cheese"))
        ranges = ((1_010, 2_350), (400, 900), (14, 160))
        for i, (abbey, (altitude, ago, members)) in enumerate(self.new("abbey", *ranges)):
            self.refer(abbey, "valley", self.rng.choice(self.region.entities["valley"]))
            self.count(abbey, units.METRES, altitude=altitude)
            self.dated(abbey, "hallowed", ago)
            self.count(abbey, units.MEMBERS, members=members)
            self.refer(abbey, "bell", bells[i])
            self.refer(abbey, "cheese", cheeses[i])
            holder = self._person("cellarer", self.rng.randrange(38, 71)) if i < 2 else None
            self._head(abbey, "cellarer", holder)

    def _works(self) -> None:
        composers = [self._person("composer", self.rng.randrange(48, 76)) for _ in range(4)]
        abbeys = self.shuffled("abbey")
        for i, (work, (ago, bars, parts)) in enumerate(self.new("work", (3, 23), (140, 990), (4, 41))):
            day = date(self.year - ago, 1, 1) + timedelta(days=self.rng.randrange(365))
            self.refer(work, "composer", composers[i % len(composers)])
            self.put(work, "premiere", values.date(day.isoformat()))
            self.count(work, units.BARS, bars=bars)
            self.count(work, units.PARTS, parts=parts)
            self.refer(work, "kept", abbeys[i])

    def _choirs(self) -> None:
        works, abbeys = self.shuffled("work"), self.shuffled("abbey")
        for i, (choir, (ago, singers)) in enumerate(self.new("choir", (21, 180), (13, 120))):
            self.dated(choir, "formed", ago)
            self.refer(choir, "home", abbeys[i])
            self.count(choir, units.SINGERS, singers=singers)
            self.refer(choir, "opener", works[i])
            holder = self._person("cantor", self.rng.randrange(35, 63)) if i < 4 else None
            self._head(choir, "cantor", holder)

    def _contests(self) -> None:
        choirs, abbeys = self.shuffled("choir"), self.shuffled("abbey")
        prizes = self.rng.sample(PRIZES, COUNTS["contest"])
        for i, (contest, (crowd,)) in enumerate(self.new("contest", (1_900, 9_700))):
            day = date(self.year - 1 - i, 5, 1) + timedelta(days=self.rng.randrange(160))
            self.put(contest, "date", values.date(day.isoformat()))
            self.refer(contest, "winner", choirs[i])
            self.refer(contest, "host", abbeys[i])
            fewer = crowd - self.rng.randrange(180, 1_100)
            self.count(contest, units.LISTENERS, crowd_organiser=crowd, crowd_constables=fewer)
            self.put(contest, "chair", values.named(self.names.person()))
            self.put(contest, "prize", values.named(prizes[i]))
