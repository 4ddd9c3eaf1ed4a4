"""One river delta: towns, spring forges, clockmakers, mechanical clerks, binderies, books, libraries, book
barges, affairs of overdue books.

`make_delta` draws all entities and all facts about them; nothing here is text of a page. Things refer only to
older things (a clerk is younger than its maker, an overdue book younger than its author), so the dates agree
with one another.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from deep_research.offline.web import values
from deep_research.offline.web.libraries import words_cjk as units
from deep_research.offline.web.names import NameMaker, Text
from deep_research.offline.web.prose import Entity
from deep_research.offline.web.region import Region, RegionMaker
from deep_research.offline.web.values import Value

COUNTS = {
    "town": 4,
    "forge": 3,
    "maker": 4,
    "clerk": 8,
    "bindery": 3,
    "book": 8,
    "library": 8,
    "barge": 6,
    "affair": 4,
}
PATTERNS = {
    "town": (("{} Bridge", "{}桥镇", "{}橋町"),),
    "forge": (("{} Spring Forge", "{}发条厂", "{}ぜんまい鍛冶"),),
    "maker": (("{} Clockworks", "{}钟表坊", "{}時計工房"),),
    "clerk": (
        ("Brother {}", "{}兄弟", "{}兄さん"),
        ("Tin {}", "铁皮{}", "ブリキの{}"),
        ("Patient {}", "耐心{}", "辛抱の{}"),
    ),
    "bindery": (("{} Bindery", "{}装订坊", "{}製本所"),),
    "book": (
        ("Travels of {}", "《{}游记》", "『{}旅行記』"),
        ("Letters to {}", "《致{}书简》", "『{}への手紙』"),
        ("The Widow of {}", "《{}的寡妇》", "『{}の未亡人』"),
    ),
    "library": (("{} Library", "{}图书馆", "{}図書館"), ("{} Athenaeum", "{}书院", "{}書院")),
    "barge": (("{} Book Barge", "{}书船", "{}図書船"), ("{} Lending Boat", "{}借书船", "{}貸本船")),
    "affair": (("{} Affair", "{}逾期案", "{}延滞事件"),),
}
ARTICLES = {"barge": "the ", "affair": "the "}

MARKETS = (
    Text("Monday", "星期一", "月曜日"),
    Text("Tuesday", "星期二", "火曜日"),
    Text("Thursday", "星期四", "木曜日"),
    Text("Saturday", "星期六", "土曜日"),
)
STATUES = (
    Text("a kneeling fishwife", "跪着的渔妇", "ひざまずく魚売り"),
    Text("two wrestling monks", "两个摔跤的僧人", "相撲を取る二人の僧"),
    Text("a judge without a head", "没有头的法官", "首のない判事"),
    Text("a boy riding a pike", "骑狗鱼的男孩", "川魚にまたがる少年"),
)
LEATHERS = (
    Text("goatskin", "山羊皮", "山羊革"),
    Text("eelskin", "鳗鱼皮", "鰻の革"),
    Text("pigskin", "猪皮", "豚革"),
)
TUNES = (
    Text("a cradle song", "摇篮曲", "子守唄"),
    Text("a wedding march", "婚礼进行曲", "結婚行進曲"),
    Text("a drinking song", "祝酒歌", "酒盛り歌"),
    Text("a slow waltz", "慢华尔兹", "ゆるやかなワルツ"),
    Text("a rowing song", "划船歌", "舟漕ぎ歌"),
    Text("a fast polka", "快步波尔卡", "速いポルカ"),
    Text("a funeral hymn", "送葬曲", "葬送の歌"),
    Text("a hunting call", "狩猎号子", "狩りの合図"),
)
TOPICS = (
    Text("the history of umbrellas", "雨伞的历史", "傘の歴史"),
    Text("a duel over a pudding", "为一块布丁进行的决斗", "菓子をめぐる決闘"),
    Text("a family of ferrymen", "一个摆渡人家族", "渡し守の一家"),
    Text("the education of parrots", "鹦鹉的教育", "鸚鵡の教育"),
    Text("a stolen staircase", "一座被偷走的楼梯", "盗まれた階段"),
    Text("a marriage by telegraph", "电报上的婚姻", "電信での結婚"),
    Text("the art of whistling", "吹口哨的艺术", "口笛の技法"),
    Text("a town without doors", "没有门的小镇", "扉のない町"),
)
HIDINGS = (
    Text("inside a piano stool", "琴凳里", "ピアノ椅子の中"),
    Text("under a henhouse", "鸡舍底下", "鶏小屋の下"),
    Text("behind a church organ", "管风琴背后", "教会のオルガンの裏"),
    Text("inside a stuffed pike", "一条狗鱼标本里", "川魚の剥製の中"),
    Text("beneath a billiard table", "台球桌底下", "玉突き台の下"),
)
JOBS = (
    Text("a lamplighter", "点灯人", "街灯の点灯夫"),
    Text("a rat catcher", "捕鼠人", "鼠捕り"),
    Text("a wigmaker", "假发匠", "かつら師"),
    Text("a chimney sweep", "扫烟囱工", "煙突掃除夫"),
    Text("a lock keeper", "船闸看守", "閘門の番人"),
    Text("a piano tuner", "调琴师", "ピアノ調律師"),
)
PETS = (
    Text("a lame heron", "瘸腿苍鹭", "足の悪い鷺"),
    Text("a blind otter", "盲眼水獭", "目の見えない川獺"),
    Text("a talking jackdaw", "会说话的寒鸦", "言葉を話す小鴉"),
    Text("a hairless cat", "无毛猫", "毛のない猫"),
    Text("a pair of toads", "一对蟾蜍", "つがいの蟇"),
    Text("a tame badger", "驯服的獾", "飼い慣らした穴熊"),
)
CALLINGS = {
    "founder": Text("the clockmaker", "这位钟表匠", "この時計師"),
    "author": Text("the writer", "这位作家", "この作家"),
    "librarian": Text("the librarian", "这位馆长", "この館長"),
    "captain": Text("the captain", "这位船长", "この船長"),
}


@dataclass(eq=False, kw_only=True)
class Delta(Region):
    """One delta, with the public bodies that its facts mention."""

    readers: Text  # the readers' union, which times mechanical clerks
    lab: Text  # where paper is dated
    court: Text  # where overdue books are judged
    charter: Value  # the year in which membership fees changed


def make_delta(rng: random.Random, names: NameMaker, today: date) -> Delta:
    """Draw one delta."""
    word = names.word()
    delta = Delta(
        name=word.wrap("the {} Delta", "{}三角洲", "{}三角州"),
        slug=word.en.lower(),
        readers=word.wrap("{} Readers' Union", "{}读者联合会", "{}読者組合"),
        lab=names.word().wrap("{} Paper Laboratory", "{}纸张实验室", "{}紙質研究所"),
        court=word.wrap("{} Court of Late Books", "{}逾期图书法庭", "{}延滞本法廷"),
        today=today,
        charter=values.year(today.year - rng.randrange(2, 7)),
    )
    _Maker(rng, names, delta).run()
    return delta


class _Maker(RegionMaker[Delta]):
    counts, patterns, articles = COUNTS, PATTERNS, ARTICLES

    def __init__(self, rng: random.Random, names: NameMaker, region: Delta) -> None:
        super().__init__(rng, names, region)
        self.islets = [names.word() for _ in range(14)]

    def run(self) -> None:
        """Each kind after those that it refers to."""
        self._towns()
        self._forges()
        self._makers()
        self._clerks()
        self._binderies()
        self._books()
        self._libraries()
        self._barges()
        self._affairs()
        self.annual("library", "loans", 11_000, 480_000, units.LOANS)
        self.annual("library", "visitors", 1_300, 88_000, units.VISITORS)
        self.annual("barge", "joined", 1_050, 9_700, units.NEW_MEMBERS)

    def _person(self, calling: str, age: int) -> Entity:
        """Somebody with a page of their own and no word on it of what made them known."""
        person = self.somebody(CALLINGS[calling])
        self.dated(person, "born", age)
        self.put(person, "islet", values.named(self.rng.choice(self.islets)))
        self.put(person, "job", values.named(self.rng.choice(JOBS)))
        self.put(person, "pet", values.named(self.rng.choice(PETS)))
        return person

    def _head(self, subject: Entity, attr: str, has_page: bool) -> None:
        """The present holder of an office and the one before."""
        holder = self._person(attr, self.rng.randrange(36, 68)) if has_page else None
        since = self.year - self.rng.randrange(3, 8)
        self.office(subject, attr, since, since - self.rng.randrange(6, 12), holder)

    def _towns(self) -> None:
        markets, statues = self.rng.sample(MARKETS, 4), self.rng.sample(STATUES, 4)
        for i, (town, (people, bridges)) in enumerate(self.new("town", (2_100, 48_000), (13, 96))):
            self.count(town, units.INHABITANTS, people=people)
            self.count(town, units.BRIDGES, bridges=bridges)
            self.put(town, "market", values.named(markets[i]))
            self.put(town, "statue", values.named(statues[i]))

    def _forges(self) -> None:
        towns = self.shuffled("town")
        for i, (forge, (ago, smiths, chimney)) in enumerate(self.new("forge", (70, 160), (14, 88), (18, 74))):
            self.dated(forge, "lit", ago)
            self.refer(forge, "town", towns[i])
            self.count(forge, units.SMITHS, smiths=smiths)
            self.count(forge, units.METRES, chimney=chimney)

    def _makers(self) -> None:
        for maker, (ago, staff) in self.new("maker", (34, 58), (11, 67)):
            self.dated(maker, "opened", ago)
            self.refer(maker, "founder", self._person("founder", ago + self.rng.randrange(22, 36)))
            self.refer(maker, "spring", self.rng.choice(self.region.entities["forge"]))
            self.count(maker, units.CLOCKMAKERS, staff=staff)

    def _clerks(self) -> None:
        makers, tunes = self.region.entities["maker"], self.rng.sample(TUNES, self.counts["clerk"])
        ranges = ((9, 31), (118, 247), (1_100, 9_700), (11, 48), (140, 490))
        for i, (clerk, (ago, height, cogs, hours, speed)) in enumerate(self.new("clerk", *ranges)):
            self.refer(clerk, "maker", makers[i % len(makers)])
            self.dated(clerk, "made", ago)
            self.count(clerk, units.CM, height=height)
            self.count(clerk, units.COGS, cogs=cogs)
            self.put(clerk, "tune", values.named(tunes[i]))
            overhaul = values.year(self.year - self.rng.randrange(2, 8))
            spans = hours, hours + self.rng.randrange(3, 29)
            self.changed(clerk, "winding", units.HOURS, spans, overhaul=overhaul)
            timed = values.quantity(speed - self.rng.randrange(21, 96), units.BOOKS_AN_HOUR)
            self.count(clerk, units.BOOKS_AN_HOUR, speed_maker=speed)
            self.put(clerk, "speed_trial", timed, readers=self.region.readers)

    def _binderies(self) -> None:
        leathers, towns = self.rng.sample(LEATHERS, 3), self.shuffled("town")
        for i, (bindery, (ago, binders)) in enumerate(self.new("bindery", (60, 170), (12, 73))):
            self.dated(bindery, "opened", ago)
            self.count(bindery, units.BINDERS, binders=binders)
            self.put(bindery, "leather", values.named(leathers[i]))
            self.refer(bindery, "town", towns[i])

    def _books(self) -> None:
        authors = [self._person("author", self.rng.randrange(80, 98)) for _ in range(5)]
        binderies, topics = self.region.entities["bindery"], self.rng.sample(TOPICS, self.counts["book"])
        ranges = ((34, 56), (140, 980), (11, 88), (1_200, 9_900))
        for i, (book, (ago, pages, pictures, worth)) in enumerate(self.new("book", *ranges)):
            self.refer(book, "author", authors[i % len(authors)])
            self.refer(book, "bindery", binderies[i % len(binderies)])
            self.put(book, "topic", values.named(topics[i]))
            self.count(book, units.PAGES, pages=pages)
            self.count(book, units.WOODCUTS, pictures=pictures)
            self.count(book, units.FLORINS, worth=worth)
            self.dated(book, "year_title", ago)
            later = values.year(self.year - ago + self.rng.randrange(3, 11))
            self.put(book, "year_lab", later, lab=self.region.lab)

    def _libraries(self) -> None:
        clerks, books = self.shuffled("clerk"), self.shuffled("book")
        ranges = ((55, 240), (31, 390), (1_150, 9_800), (12, 60))
        for i, (library, (ago, seats, shelves, fee)) in enumerate(self.new("library", *ranges)):
            self.refer(library, "town", self.rng.choice(self.region.entities["town"]))
            self.dated(library, "opened", ago)
            self.count(library, units.SEATS, seats=seats)
            self.count(library, units.METRES, shelves=shelves)
            self.refer(library, "clerk", clerks[i])
            self.refer(library, "treasure", books[i])
            fees = fee, fee + self.rng.randrange(4, 27)
            self.changed(library, "fee", units.FLORINS, fees, charter=self.region.charter)
            self._head(library, "librarian", i < 2)

    def _barges(self) -> None:
        libraries, books = self.shuffled("library"), self.shuffled("book")
        ranges = ((21, 60), (12, 49), (13, 66), (1_100, 9_400))
        for i, (barge, (ago, length, stops, stock)) in enumerate(self.new("barge", *ranges)):
            self.dated(barge, "launched", ago)
            self.count(barge, units.METRES, length=length)
            self.count(barge, units.STOPS, stops=stops)
            self.count(barge, units.BOOKS, stock=stock)
            self.refer(barge, "home", libraries[i])
            self.refer(barge, "favourite", books[i])
            self._head(barge, "captain", i < 4)

    def _affairs(self) -> None:
        libraries, books = self.shuffled("library"), self.shuffled("book")
        hidings = self.rng.sample(HIDINGS, self.counts["affair"])
        for i, (affair, (late, fine)) in enumerate(self.new("affair", (11, 20), (620, 4_900))):
            day = date(self.year - 1 - i, 2, 1) + timedelta(days=self.rng.randrange(300))
            self.put(affair, "date", values.date(day.isoformat()))
            self.refer(affair, "library", libraries[i])
            self.refer(affair, "book", books[i])
            self.put(affair, "hiding", values.named(hidings[i]))
            self.count(affair, units.YEARS, late=late)
            less = values.quantity(fine - self.rng.randrange(110, 480), units.FLORINS)
            self.count(affair, units.FLORINS, fine_library=fine)
            self.put(affair, "fine_court", less, court=self.region.court)
