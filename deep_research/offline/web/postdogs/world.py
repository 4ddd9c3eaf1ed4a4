"""One mountain range: paper mills, printers, sled builders, kennels, post dogs, huts, postal lines, stamps,
blizzards.

`make_range` draws all entities and all facts about them; nothing here is text of a page. Things refer only to
older things (a dog is younger than its kennel, a stamp younger than the dog on it), so the dates agree with
one another.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from deep_research.offline.web import values
from deep_research.offline.web.names import NameMaker, Text
from deep_research.offline.web.postdogs import words_cjk as units
from deep_research.offline.web.prose import Entity
from deep_research.offline.web.region import Region, RegionMaker
from deep_research.offline.web.values import Value

COUNTS = {
    "mill": 3,
    "printer": 3,
    "workshop": 3,
    "sled": 6,
    "kennel": 4,
    "dog": 8,
    "hut": 8,
    "line": 6,
    "stamp": 6,
    "blizzard": 4,
}
PATTERNS = {
    "mill": (("{} Paper Mill", "{}造纸厂", "{}製紙場"),),
    "printer": (("{} Printing House", "{}印刷厂", "{}印刷所"),),
    "workshop": (("{} Sledworks", "{}雪橇厂", "{}橇工房"),),
    "sled": (
        ("Swift {}", "快橇{}", "早橇{}"),
        ("Blue {}", "蓝橇{}", "青橇{}"),
        ("Lady {}", "{}夫人橇", "{}夫人橇"),
    ),
    "kennel": (("{} Kennel", "{}犬舍", "{}犬舎"),),
    "dog": (("{}", "{}", "{}"),),
    "hut": (("{} Hut", "{}小屋", "{}小屋"), ("{} Refuge", "{}避风站", "{}避難小屋")),
    "line": (
        ("{} Snow Post", "{}雪邮线", "{}雪郵便"),
        ("{} Ridge Mail", "{}山脊邮线", "{}尾根郵便"),
        ("{} Winter Express", "{}冬季快邮", "{}冬急便"),
    ),
    "stamp": (
        ("Red {}", "红色{}票", "赤の{}切手"),
        ("{} Penny", "{}便士票", "{}ペニー切手"),
        ("{} Jubilee", "{}纪念票", "{}記念切手"),
    ),
    "blizzard": (("{} Blizzard", "{}暴风雪", "{}吹雪"),),
}
ARTICLES = {"sled": "the ", "line": "the ", "stamp": "the ", "blizzard": "the "}

DISHES = (
    Text("barley soup with bacon", "培根大麦汤", "ベーコン入り大麦スープ"),
    Text("potato dumplings in gravy", "肉汁土豆团子", "肉汁がけの芋団子"),
    Text("fried trout with onions", "洋葱煎鳟鱼", "玉葱を添えた鱒の揚げ焼き"),
    Text("apple strudel", "苹果卷饼", "林檎の渦巻きパイ"),
    Text("lentil stew with sausage", "香肠扁豆炖菜", "ソーセージと豆の煮込み"),
    Text("buckwheat pancakes", "荞麦煎饼", "蕎麦粉のパンケーキ"),
    Text("rabbit pie", "兔肉馅饼", "兎肉のパイ"),
    Text("pumpkin noodles", "南瓜面条", "南瓜の麺"),
)
HOBBIES = (
    Text("carving chess pieces", "雕刻棋子", "将棋の駒彫り"),
    Text("skating backwards", "倒着滑冰", "後ろ向きのスケート"),
    Text("mending clocks", "修理钟表", "時計の修理"),
    Text("knitting socks", "织袜子", "靴下編み"),
    Text("collecting old keys", "收集旧钥匙", "古い鍵集め"),
    Text("playing the accordion", "拉手风琴", "手風琴"),
)
TRADES = {
    "breeder": Text("the breeder", "这位育犬人", "この育種家"),
    "founder": Text("the sled builder", "这位造橇人", "この橇職人"),
    "designer": Text("the artist", "这位画家", "この画家"),
    "postmaster": Text("the post official", "这位邮政官员", "この郵便官"),
    "keeper": Text("the innkeeper", "这位店主", "この宿の主人"),
}


@dataclass(eq=False, kw_only=True)
class Range(Region):
    """One mountain range, with the public bodies that its facts mention."""

    inspectors: Text  # who tests what post dogs can pull
    club: Text  # the stamp collectors, who count
    ombudsman: Text  # who looks into lost mail
    reform: Value  # the year in which postage changed


def make_range(rng: random.Random, names: NameMaker, today: date) -> Range:
    """Draw one mountain range."""
    word = names.word()
    region = Range(
        name=word.wrap("the {} Mountains", "{}山区", "{}山地"),
        slug=word.en.lower(),
        inspectors=word.wrap("{} Postal Inspectorate", "{}邮政监察处", "{}郵便監察局"),
        club=names.word().wrap("{} Stamp Club", "{}集邮会", "{}切手会"),
        ombudsman=word.wrap("{} Mail Ombudsman", "{}邮件申诉专员", "{}郵便苦情委員"),
        today=today,
        reform=values.year(today.year - rng.randrange(2, 6)),
    )
    _Maker(rng, names, region).run()
    return region


class _Maker(RegionMaker[Range]):
    counts, patterns, articles = COUNTS, PATTERNS, ARTICLES

    def __init__(self, rng: random.Random, names: NameMaker, region: Range) -> None:
        super().__init__(rng, names, region)
        self.villages = [names.word() for _ in range(14)]
        self.schools = [names.word().wrap("{} School", "{}学校", "{}学校") for _ in range(6)]

    def run(self) -> None:
        """Each kind after those that it refers to."""
        self._mills()
        self._printers()
        self._workshops()
        self._sleds()
        self._kennels()
        self._dogs()
        self._huts()
        self._lines()
        self._stamps()
        self._blizzards()
        self.annual("line", "letters", 41_000, 980_000, units.LETTERS)
        self.annual("line", "parcels", 1_200, 38_000, units.PARCELS)
        self.annual("hut", "guests", 1_100, 23_000, units.GUESTS)

    def _person(self, trade: str, age: int) -> Entity:
        """Somebody with a page of their own and no word on it of what made them known."""
        person = self.somebody(TRADES[trade])
        self.dated(person, "born", age)
        self.put(person, "birthplace", values.named(self.rng.choice(self.villages)))
        self.put(person, "school", values.named(self.rng.choice(self.schools)))
        self.put(person, "hobby", values.named(self.rng.choice(HOBBIES)))
        return person

    def _head(self, subject: Entity, attr: str, has_page: bool) -> None:
        """The present holder of an office and the one before."""
        holder = self._person(attr, self.rng.randrange(37, 66)) if has_page else None
        since = self.year - self.rng.randrange(3, 8)
        self.office(subject, attr, since, since - self.rng.randrange(6, 12), holder)

    def _mills(self) -> None:
        for mill, (ago, tonnes, hands) in self.new("mill", (140, 260), (310, 990), (22, 96)):
            self.dated(mill, "opened", ago)
            self.count(mill, units.TONNES, tonnes=tonnes)
            self.count(mill, units.WORKERS, hands=hands)
            self.put(mill, "river", values.named(self.names.word().wrap("{} River", "{}河", "{}川")))

    def _printers(self) -> None:
        mills = self.shuffled("mill")
        for i, (printer, (ago, presses)) in enumerate(self.new("printer", (60, 130), (11, 48))):
            self.dated(printer, "opened", ago)
            self.count(printer, units.PRESSES, presses=presses)
            self.refer(printer, "mill", mills[i])

    def _workshops(self) -> None:
        for workshop, (ago, hands) in self.new("workshop", (28, 55), (12, 75)):
            self.dated(workshop, "opened", ago)
            self.refer(workshop, "founder", self._person("founder", ago + self.rng.randrange(22, 41)))
            self.count(workshop, units.WORKERS, hands=hands)

    def _sleds(self) -> None:
        workshops = self.region.entities["workshop"]
        ranges = ((9, 27), (240, 690), (110, 480), (140, 420))
        for i, (sled, (ago, length, weight, room)) in enumerate(self.new("sled", *ranges)):
            self.refer(sled, "workshop", workshops[i % len(workshops)])
            self.dated(sled, "built", ago)
            self.count(sled, units.CM, length=length)
            self.count(sled, units.KG, weight=weight)
            rebuilt = values.year(self.year - self.rng.randrange(2, 8))
            rooms = room, room + self.rng.randrange(15, 95)
            self.changed(sled, "room", units.PARCELS, rooms, rebuilt=rebuilt)

    def _kennels(self) -> None:
        villages = self.rng.sample(self.villages, self.counts["kennel"])
        for i, (kennel, (ago, pups, pens)) in enumerate(self.new("kennel", (24, 48), (12, 88), (14, 70))):
            self.dated(kennel, "opened", ago)
            self.refer(kennel, "breeder", self._person("breeder", ago + self.rng.randrange(20, 39)))
            self.put(kennel, "village", values.named(villages[i]))
            self.count(kennel, units.PUPPIES, pups=pups)
            self.count(kennel, units.PENS, pens=pens)

    def _dogs(self) -> None:
        kennels = self.region.entities["kennel"]
        ranges = ((4, 14), (31, 78), (120, 290), (210, 460))
        for i, (dog, (ago, weight, run, load)) in enumerate(self.new("dog", *ranges)):
            self.refer(dog, "kennel", kennels[i % len(kennels)])
            self.dated(dog, "born", ago)
            self.count(dog, units.KG, weight=weight)
            self.count(dog, units.KM, run=run)
            tested = values.quantity(load - self.rng.randrange(25, 95), units.KG)
            self.count(dog, units.KG, load_kennel=load)
            self.put(dog, "load_test", tested, inspectors=self.region.inspectors)

    def _huts(self) -> None:
        dishes = self.rng.sample(DISHES, self.counts["hut"])
        for i, (hut, (ago, bunks, snow)) in enumerate(self.new("hut", (45, 190), (12, 84), (310, 940))):
            self.dated(hut, "built", ago)
            self.count(hut, units.BUNKS, bunks=bunks)
            self.count(hut, units.CM, snow=snow)
            self.put(hut, "dish", values.named(dishes[i]))
            self._head(hut, "keeper", i < 2)

    def _lines(self) -> None:
        dogs, sleds, huts = (self.shuffled(kind) for kind in ("dog", "sled", "hut"))
        ranges = ((21, 130), (34, 210), (13, 95), (21, 60))
        for i, (line, (ago, length, team, price)) in enumerate(self.new("line", *ranges)):
            self.dated(line, "founded", ago)
            self.count(line, units.KM, length=length)
            self.count(line, units.DOGS, team=team)
            self.refer(line, "terminus", huts[i])
            self.refer(line, "leader", dogs[i])
            self.refer(line, "sled", sleds[i])
            prices = price, price + self.rng.randrange(4, 30)
            self.changed(line, "postage", units.PENCE, prices, reform=self.region.reform)
            self._head(line, "postmaster", i < 4)

    def _stamps(self) -> None:
        designers = [self._person("designer", self.rng.randrange(31, 74)) for _ in range(4)]
        printers, dogs = self.region.entities["printer"], self.shuffled("dog")
        ranges = ((470, 1_000), (11, 29), (22, 61), (120, 890), (210, 980))
        for i, (stamp, (days, colours, height, record, run)) in enumerate(self.new("stamp", *ranges)):
            self.refer(stamp, "designer", designers[i % len(designers)])
            self.refer(stamp, "printer", printers[i % len(printers)])
            self.refer(stamp, "motif", dogs[i])
            issued = self.region.today - timedelta(days=days)
            self.put(stamp, "issued", values.date(issued.isoformat()))
            self.count(stamp, units.INKS, colours=colours)
            self.count(stamp, units.MM, height=height)
            self.count(stamp, units.CROWNS, record=record)
            counted = values.quantity(run * 1_000 - self.rng.randrange(9, 90) * 500, units.COPIES)
            self.count(stamp, units.COPIES, run_printer=run * 1_000)
            self.put(stamp, "run_club", counted, club=self.region.club)

    def _blizzards(self) -> None:
        lines, huts = self.shuffled("line"), self.shuffled("hut")
        for i, (blizzard, (hours, lost)) in enumerate(self.new("blizzard", (26, 97), (120, 870))):
            day = date(self.year - 1 - i, 1, 4) + timedelta(days=self.rng.randrange(75))
            self.put(blizzard, "date", values.date(day.isoformat()))
            self.count(blizzard, units.HOURS, hours=hours)
            self.refer(blizzard, "line", lines[i])
            self.refer(blizzard, "hut", huts[i])
            more = values.quantity(lost + self.rng.randrange(30, 400), units.LETTERS)
            self.count(blizzard, units.LETTERS, lost_line=lost)
            self.put(blizzard, "lost_ombudsman", more, ombudsman=self.region.ombudsman)
