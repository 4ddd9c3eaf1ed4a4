"""Chinese and Japanese pages. The Chinese ones follow a line to the breeder of its lead dog, the Japanese
ones a stamp to the artist who drew it.

Per language: articles on a cast of entities, the kennel's praise and the inspectors' test of one dog (which
contradict each other), and the yearbook of one year. So every class of question can be answered inside the
language.
"""

from __future__ import annotations

from deep_research.offline.web import hazards
from deep_research.offline.web.desk import slug
from deep_research.offline.web.names import Text
from deep_research.offline.web.postdogs.desk import Desk
from deep_research.offline.web.postdogs.reference import COMPANION
from deep_research.offline.web.prose import Entity
from deep_research.offline.web.reference import Cast

TEST = Text("", "邮犬拉力测试记录：{}", "郵便犬の牽引試験記録:{}")
RULES = Text(
    "", "测试在平坦的硬雪上进行，由{}主持，每犬三次。", "試験は平らな固い雪の上で{}が行い、三回引かせた。"
)
PRAISE = Text("", "我们的骄傲：{}", "わが犬舎の誇り、{}")
BRAG = Text("", "来看看我们养大的好狗。", "手塩にかけた犬を見に来てください。")
YEARBOOK = Text("", "{0}邮政年报{1}：{2}", "{0}郵便年報 {1}年版:{2}")
CHECKED = Text("", "下表为{1}年{0}各处上报、核对无误的数字。", "{1}年に{0}の各所から届いた確定値である。")
TABLES = {
    "zh": ("line", ("letters", "parcels"), "信件与包裹", ("邮线", "信件（封）", "包裹（件）")),
    "ja": ("hut", ("guests",), "宿泊客", ("小屋", "宿泊客(人)")),
}


def write_languages(desk: Desk) -> dict[str, Cast]:
    """All pages of both languages; whom they are about."""
    casts = {"zh": _delivered(desk), "ja": _collected(desk)}
    for lang, cast in casts.items():
        COMPANION.translate(desk, lang, cast.everyone)
        _loads(desk, lang, cast.roles["dog"])
        _yearbook(desk, lang, cast.year)
        hazards.inject(desk.homes[cast.roles["rival"].key, lang], 0)
        hazards.boilerplate(desk.homes[cast.roles["author"].key, lang], desk.rng)
    return casts


def _delivered(desk: Desk) -> Cast:
    """A line, its lead dog, the dog's kennel and who set that up; another dog and a hut."""
    region = desk.region
    line, hut = region.entities["line"][0], region.entities["hut"][6]
    dog = region.target(line, "leader")
    kennel = region.target(dog, "kennel")
    rival = next(other for other in region.entities["dog"] if other is not dog)
    author = region.target(kennel, "breeder")
    roles = {"line": line, "dog": dog, "kennel": kennel, "author": author, "rival": rival, "hut": hut}
    return Cast(roles, region.years[-2])


def _collected(desk: Desk) -> Cast:
    """A stamp, the artist, the dog on it; another stamp, a line and a hut."""
    region = desk.region
    stamp, rival = region.pick("stamp", 0, 5)
    author, dog = region.target(stamp, "designer"), region.target(stamp, "motif")
    line, hut = region.entities["line"][5], region.entities["hut"][4]
    roles = {"stamp": stamp, "author": author, "dog": dog, "rival": rival, "line": line, "hut": hut}
    return Cast(roles, region.years[-1])


def _loads(desk: Desk, lang: str, dog: Entity) -> None:
    """The two sides on what one dog can pull."""
    region, name, path = desk.region, dog.name.say(lang), f"{lang}/{slug(dog.name.en)}"
    kennel, praised, tested = region.all(dog, "kennel", "load_kennel", "load_test")
    office, owner = region.inspectors.say(lang), kennel.value.say(lang)
    url, day = f"https://{desk.bureau('inspectorate')}/tests/{path}", desk.ago(200, 900)
    test = desk.page(url, TEST.say(lang).format(name), "test_record", day, office, lang)
    test.para(RULES.say(lang).format(office), tested, region.get(dog, "weight"))
    url = f"https://www.{slug(kennel.value.say('en'))}.example/our-dogs/{path}"
    page = desk.page(url, PRAISE.say(lang).format(name), "company", None, owner, lang)
    page.para(BRAG.say(lang), praised, region.get(dog, "born"))
    for draft in (test, page):
        draft.flag("contradiction")
        desk.link(draft, dog)


def _yearbook(desk: Desk, lang: str, year: int) -> None:
    region, name = desk.region, desk.region.name.say(lang)
    kind, attrs, about, header = TABLES[lang]
    url = f"https://{desk.bureau('yearbook')}/{lang}/{year}/{kind}s"
    title = YEARBOOK.say(lang).format(name, year, about)
    draft = desk.page(url, title, "statistics", desk.in_year(year + 1), lang=lang)
    draft.para(CHECKED.say(lang).format(name, year))
    draft.table(header, desk.rows(draft, region.entities[kind], *(f"{attr}@{year}" for attr in attrs)))
