"""One mountain country: valleys, mines, bell foundries, bells, cheeses, abbeys, choirs, works, echo contests.

`make_country` draws all entities and all facts about them; nothing here is text of a page. Every number of
one kind is drawn without repetition inside a country, so comparisons and rankings never tie. Things refer
only to older things (a bell is younger than its foundry, a foundry younger than its mine), so the dates agree
with one another.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from deep_research.offline.web import values
from deep_research.offline.web.abbeys import words_cjk as units
from deep_research.offline.web.names import NameMaker, Text
from deep_research.offline.web.prose import Datum, Entity
from deep_research.offline.web.values import Value

YEARS = 5  # of annual figures, up to the year before the web's own
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


@dataclass(eq=False)
class Country:
    """The entities of one country, by kind, and every fact by (entity, attribute)."""

    name: Text
    slug: str
    weights: Text  # the office that weighs bells
    dairy_lab: Text
    today: date
    order: Value  # the year of the order that changed the price of cheese
    entities: dict[str, list[Entity]] = field(default_factory=dict)
    data: dict[tuple[str, str], Datum] = field(default_factory=dict)

    def get(self, entity: Entity, attr: str) -> Datum:
        return self.data[entity.key, attr]

    def all(self, entity: Entity, *attrs: str) -> list[Datum]:
        return [self.data[entity.key, attr] for attr in attrs]

    def target(self, entity: Entity, attr: str) -> Entity:
        """The entity that the attribute names."""
        found = self.data[entity.key, attr].target
        assert found is not None, f"{entity.key}.{attr} names no entity"
        return found

    @property
    def years(self) -> range:
        """The years of annual figures."""
        return range(self.today.year - YEARS, self.today.year)


def web_date(seed: int) -> date:
    """The day on which the web of `seed` was frozen."""
    rng = random.Random(f"abbeys:{seed}:date")
    return date(2051 + rng.randrange(9), 3, 1) + timedelta(days=rng.randrange(270))


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


class _Maker:
    """Draws the entities in an order in which each finds those that it refers to."""

    def __init__(self, rng: random.Random, names: NameMaker, country: Country) -> None:
        self.rng, self.names, self.country = rng, names, country
        self.year = country.today.year
        self.villages = [names.word() for _ in range(14)]

    def run(self) -> None:
        self.country.entities = {kind: [] for kind in (*COUNTS, "person")}
        for kind in COUNTS:
            getattr(self, f"_{kind}")()
        self._annual("abbey", "wheels", 2_100, 61_000, units.WHEELS)
        self._annual("abbey", "pilgrims", 1_100, 97_000, units.PILGRIMS)
        self._annual("choir", "tickets", 1_050, 38_000, units.TICKETS)

    def _new(self, kind: str, *ranges: tuple[int, int]) -> Iterator[tuple[Entity, list[int]]]:
        """The entities of a kind, each with one number out of every range; no number comes twice."""
        columns = [self.rng.sample(range(*bounds), COUNTS[kind]) for bounds in ranges]
        for i in range(COUNTS[kind]):
            word = self.names.word()
            name = word.wrap(*PATTERNS[kind][i % len(PATTERNS[kind])])
            entity = Entity(kind, f"{kind}-{word.en.lower()}", name, ARTICLES.get(kind, ""))
            self.country.entities[kind].append(entity)
            yield entity, [column[i] for column in columns]

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
        self.country.data[subject.key, attr] = datum

    def _refer(self, subject: Entity, attr: str, target: Entity) -> None:
        self._put(subject, attr, values.named(target.name), target)

    def _count(self, subject: Entity, unit: values.Unit, **numbers: int) -> None:
        for attr, number in numbers.items():
            self._put(subject, attr, values.quantity(number, unit))

    def _dated(self, subject: Entity, attr: str, ago: int) -> None:
        self._put(subject, attr, values.year(self.year - ago))

    def _person(self, calling: str, age: int) -> Entity:
        """Somebody with a page of their own and no word on it of what made them known."""
        name = self.names.person()
        person = Entity("person", f"person-{name.en.lower().replace(' ', '-')}", name)
        person.pronouns = self.rng.choice((("she", "her"), ("he", "his")))
        person.noun = CALLINGS[calling]
        self.country.entities["person"].append(person)
        self._dated(person, "born", age)
        self._put(person, "birthplace", values.named(self.rng.choice(self.villages)))
        self._put(person, "teacher", values.named(self.names.person()))
        self._put(person, "instrument", values.named(self.rng.choice(INSTRUMENTS)))
        return person

    def _office(self, subject: Entity, attr: str, holder: Entity | None = None) -> None:
        """Who holds an office now and who did before, each with years; only `holder` may have a page."""
        since = self.year - self.rng.randrange(3, 8)
        start = since - self.rng.randrange(6, 11)
        now = holder.name if holder else self.names.person()
        began, ended = values.year(since), values.year(since)
        self._put(subject, attr, values.named(now), holder, str(self.year), since=began)
        earlier = values.named(self.names.person())
        term = {"since": values.year(start), "until": ended}
        self._put(subject, f"{attr}_before", earlier, None, str(since - 1), **term)

    def _annual(self, kind: str, attr: str, low: int, high: int, unit: values.Unit) -> None:
        entities = self.country.entities[kind]
        for year in self.country.years:
            numbers = self.rng.sample(range(low, high), len(entities))
            for entity, number in zip(entities, numbers, strict=True):
                value = values.quantity(number, unit)
                self._put(entity, f"{attr}@{year}", value, as_of=str(year), year=values.year(year))

    def _valley(self) -> None:
        for valley, (height, people) in self._new("valley", (1_420, 2_900), (1_100, 19_000)):
            self._count(valley, units.METRES, pass_height=height)
            self._count(valley, units.INHABITANTS, people=people)
            self._put(valley, "river", values.named(self.names.word().wrap("{} Water", "{}河", "{}川")))

    def _mine(self) -> None:
        for mine, (ago, depth, miners) in self._new("mine", (530, 800), (90, 780), (40, 390)):
            self._dated(mine, "opened", ago)
            self._count(mine, units.METRES, depth=depth)
            self._count(mine, units.MINERS, miners=miners)
            self._refer(mine, "valley", self.rng.choice(self.country.entities["valley"]))

    def _foundry(self) -> None:
        for foundry, (ago, furnaces, taught) in self._new("foundry", (360, 520), (3, 15), (11, 64)):
            self._dated(foundry, "lit", ago)
            self._refer(foundry, "copper", self.rng.choice(self.country.entities["mine"]))
            self._count(foundry, units.FURNACES, furnaces=furnaces)
            self._count(foundry, units.APPRENTICES, apprentices=taught)
            self._office(foundry, "master")

    def _bell(self) -> None:
        ranges = ((30, 340), (1_900, 9_800), (118, 246), (121, 390))
        for bell, (ago, weight, width, pitch) in self._new("bell", *ranges):
            self._dated(bell, "cast", ago)
            self._refer(bell, "foundry", self.rng.choice(self.country.entities["foundry"]))
            scale = values.quantity(weight - self.rng.randrange(70, 620), units.KG)
            self._count(bell, units.KG, weight_ledger=weight)
            self._put(bell, "weight_scale", scale, office=self.country.weights)
            self._count(bell, units.CM, diameter=width)
            retuned = values.year(self.year - self.rng.randrange(2, 10))
            before = values.quantity(pitch + self.rng.randrange(4, 23), units.HERTZ)
            year = str(int(retuned.number) - 1)
            self._put(bell, "pitch_before", before, as_of=year, retuned=retuned)
            now = values.quantity(pitch, units.HERTZ)
            self._put(bell, "pitch", now, as_of=str(self.year), retuned=retuned)

    def _cheese(self) -> None:
        devisers = [self._person("deviser", self.rng.randrange(80, 93)) for _ in range(5)]
        ranges = ((12, 55), (4, 38), (41, 130), (31, 96), (41, 63))
        for i, (cheese, (ago, months, litres, price, fat)) in enumerate(self._new("cheese", *ranges)):
            self._refer(cheese, "deviser", devisers[i % len(devisers)])
            self._dated(cheese, "first", ago)
            self._put(cheese, "milk", values.named(self.rng.choice(MILKS)))
            self._count(cheese, units.MONTHS, months=months)
            self._count(cheese, units.LITRES, litres=litres)
            order = self.country.order
            dearer = values.quantity(price + self.rng.randrange(5, 24), units.THALERS)
            cheaper, year = values.quantity(price, units.THALERS), str(int(order.number) - 1)
            self._put(cheese, "price_before", cheaper, as_of=year, order=order)
            self._put(cheese, "price", dearer, as_of=str(self.year), order=order)
            self._count(cheese, units.PERCENT, fat_label=fat)
            found = values.quantity(fat - self.rng.randrange(2, 10), units.PERCENT)
            self._put(cheese, "fat_lab", found, lab=self.country.dairy_lab)

    def _abbey(self) -> None:
        bells, cheeses = (self._shuffled(kind) for kind in ("bell", "cheese"))
        ranges = ((1_010, 2_350), (400, 900), (14, 160))
        for i, (abbey, (altitude, ago, members)) in enumerate(self._new("abbey", *ranges)):
            self._refer(abbey, "valley", self.rng.choice(self.country.entities["valley"]))
            self._count(abbey, units.METRES, altitude=altitude)
            self._dated(abbey, "hallowed", ago)
            self._count(abbey, units.MEMBERS, members=members)
            self._refer(abbey, "bell", bells[i])
            self._refer(abbey, "cheese", cheeses[i])
            holder = self._person("cellarer", self.rng.randrange(38, 71)) if i < 2 else None
            self._office(abbey, "cellarer", holder)

    def _work(self) -> None:
        composers = [self._person("composer", self.rng.randrange(48, 76)) for _ in range(4)]
        abbeys = self._shuffled("abbey")
        for i, (work, (ago, bars, parts)) in enumerate(self._new("work", (3, 23), (140, 990), (4, 41))):
            day = date(self.year - ago, 1, 1) + timedelta(days=self.rng.randrange(365))
            self._refer(work, "composer", composers[i % len(composers)])
            self._put(work, "premiere", values.date(day.isoformat()))
            self._count(work, units.BARS, bars=bars)
            self._count(work, units.PARTS, parts=parts)
            self._refer(work, "kept", abbeys[i])

    def _choir(self) -> None:
        works, abbeys = self._shuffled("work"), self._shuffled("abbey")
        for i, (choir, (ago, singers)) in enumerate(self._new("choir", (21, 180), (13, 120))):
            self._dated(choir, "formed", ago)
            self._refer(choir, "home", abbeys[i])
            self._count(choir, units.SINGERS, singers=singers)
            self._refer(choir, "opener", works[i])
            holder = self._person("cantor", self.rng.randrange(35, 63)) if i < 4 else None
            self._office(choir, "cantor", holder)

    def _contest(self) -> None:
        choirs, abbeys = self._shuffled("choir"), self._shuffled("abbey")
        prizes = self.rng.sample(PRIZES, COUNTS["contest"])
        for i, (contest, (crowd,)) in enumerate(self._new("contest", (1_900, 9_700))):
            day = date(self.year - 1 - i, 5, 1) + timedelta(days=self.rng.randrange(160))
            self._put(contest, "date", values.date(day.isoformat()))
            self._refer(contest, "winner", choirs[i])
            self._refer(contest, "host", abbeys[i])
            fewer = crowd - self.rng.randrange(180, 1_100)
            self._count(contest, units.LISTENERS, crowd_organiser=crowd, crowd_constables=fewer)
            self._put(contest, "chair", values.named(self.names.person()))
            self._put(contest, "prize", values.named(prizes[i]))

    def _shuffled(self, kind: str) -> list[Entity]:
        entities = self.country.entities[kind]
        return self.rng.sample(entities, len(entities))
