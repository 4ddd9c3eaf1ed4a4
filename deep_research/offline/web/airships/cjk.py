"""Chinese and Japanese pages. Each language follows one line through the whole chain, on pages of its own.

Per language: a line, its flagship and a sister from another yard, yard, founder, harbour (encyclopedia), the
register entry and the builder's brochure of the flagship (which contradict each other), and a table of annual
statistics. So every class of question can be answered inside the language.
"""

from __future__ import annotations

from dataclasses import dataclass

from deep_research.offline.web import hazards
from deep_research.offline.web.airships.desk import ENCYCLOPEDIA, Desk
from deep_research.offline.web.airships.reference import SECTIONS, present
from deep_research.offline.web.assembly import Draft
from deep_research.offline.web.names import Text
from deep_research.offline.web.prose import Entity

INTRO = {
    "line": Text("", "{0}（{1}）是{2}的一家飞艇公司。", "{0}（{1}）は{2}の飛行船会社である。"),
    "ship": Text("", "{0}（{1}）是在{2}注册的客运飞艇。", "{0}（{1}）は{2}に登録された旅客飛行船である。"),
    "yard": Text("", "{0}（{1}）是{2}的一家飞艇船厂。", "{0}（{1}）は{2}の飛行船造船所である。"),
    "person": Text(
        "", "{0}（{1}）是{2}飞艇界的知名人物。", "{0}（{1}）は{2}の飛行船業界で知られる人物である。"
    ),
    "harbour": Text("", "{0}（{1}）是{2}的一座飞艇港。", "{0}（{1}）は{2}の飛行船港である。"),
}
HEADINGS = {
    "History": Text("", "历史", "歴史"),
    "Operations": Text("", "运营", "運航"),
    "Design": Text("", "设计", "設計"),
    "Refit": Text("", "改装", "改装"),
    "Origins": Text("", "起源", "起源"),
    "Today": Text("", "现状", "現在"),
    "Facilities": Text("", "设施", "施設"),
    "Administration": Text("", "管理", "管理"),
    "Education": Text("", "求学经历", "学歴"),
}
COLOUR = {
    "line": Text("", "老乘客都说船上的汤比毯子好。", "常連客は毛布よりもスープを褒める。"),
    "ship": Text(
        "", "无风的夜晚，船员会为观星者打开走廊。", "風のない夜には星を見る人のために回廊が開かれる。"
    ),
    "yard": Text("", "每当艇体出棚，厂里就会敲钟。", "船体が格納庫を出るたびに鐘が鳴らされる。"),
    "person": Text("", "同事们记得此人不喜欢冗长的会议。", "同僚によれば、長い会議を嫌ったという。"),
    "harbour": Text("", "雾钟响起时，港口的咖啡馆才会打烊。", "霧の鐘が鳴るときだけ、港の喫茶店は閉まる。"),
}
REGISTER_TITLE = Text("", "飞艇登记簿：{}", "飛行船登録簿:{}")
BROCHURE_TITLE = Text("", "{}：我们的骄傲", "{}:私たちの誇り")
BROCHURE_OPENING = Text("", "欢迎了解我们建造的{}。", "私たちが建造した{}をご紹介します。")
REGISTER_OPENING = Text("", "以下内容摘自{}的登记簿。", "以下は{}の登録簿からの抜粋である。")
STATISTICS_TITLE = Text("", "{1}年{0}各飞艇港统计", "{0}の飛行船港統計 {1}年")
STATISTICS_OPENING = Text("", "下表列出{1}年{0}各港的最终数字。", "次の表は{1}年の{0}各港の確定値である。")
STATISTICS_HEADER = Text("", "港口|旅客|降落", "港|旅客|着陸")


@dataclass(frozen=True, slots=True)
class Cast:
    """Whom the pages of one language are about."""

    line: Entity
    ship: Entity
    sister: Entity
    yard: Entity
    founder: Entity
    harbour: Entity
    year: int  # of its statistics page

    @property
    def everyone(self) -> tuple[Entity, ...]:
        return self.line, self.ship, self.sister, self.yard, self.founder, self.harbour


def cast(desk: Desk, number: int) -> Cast:
    """The cast that starts from the region's line `number`."""
    region = desk.region
    line = region.entities["line"][number]
    ship = _target(desk, line, "flagship")
    yard = _target(desk, ship, "yard")
    others = [other for other in region.entities["ship"] if region.get(other, "yard").target is not yard]
    founder, harbour = _target(desk, yard, "founder"), region.entities["harbour"][number]
    return Cast(line, ship, others[number], yard, founder, harbour, region.years[-1 - number])


def write_language(desk: Desk, lang: str, people: Cast) -> None:
    """All pages of one language."""
    host = f"{lang}.{ENCYCLOPEDIA}"
    for entity in people.everyone:
        name = entity.name.say(lang)
        style = "biography" if entity.kind == "person" else "encyclopedia"
        url = f"https://{host}/wiki/{name}"
        desk.homes[entity.key, lang] = desk.page(url, name, style, lang, desk.ago(20, 420))
    for entity in people.everyone:
        _article(desk, lang, entity)
    _register(desk, lang, people.ship)
    _brochure(desk, lang, people.ship, people.yard)
    _statistics(desk, lang, people.year)
    hazards.inject(desk.homes[people.sister.key, lang], 0)
    hazards.boilerplate(desk.homes[people.yard.key, lang], desk.rng)


def _target(desk: Desk, entity: Entity, attr: str) -> Entity:
    target = desk.region.get(entity, attr).target
    assert target is not None, f"{entity.key}.{attr} names no entity"
    return target


def _article(desk: Desk, lang: str, entity: Entity) -> None:
    draft = desk.homes[entity.key, lang]
    named: list[Entity | None] = []
    opening = (
        INTRO[entity.kind].say(lang).format(entity.name.say(lang), entity.name.en, desk.region.name.say(lang))
    )
    for heading, *attrs in SECTIONS[entity.kind]:
        data = present(desk.region, entity, attrs)
        if heading and data:
            draft.heading(HEADINGS[heading].say(lang))
        if data:
            draft.para(*(() if heading else (opening,)), *data)
        named += [datum.target for datum in data]
    draft.para(COLOUR[entity.kind].say(lang))
    desk.link(draft, *named)


def _register(desk: Desk, lang: str, ship: Entity) -> None:
    region = desk.region
    launched, length, speed = region.all(ship, "launched", "length", "speed_register")
    url = f"https://{desk.bureau('registry')}/{lang}/airships/{ship.name.en.lower()}"
    title = REGISTER_TITLE.say(lang).format(ship.name.say(lang))
    published = desk.in_year(int(launched.value.number) + 1)
    draft = desk.page(url, title, "register", lang, published, region.office.say(lang))
    draft.para(REGISTER_OPENING.say(lang).format(region.office.say(lang)))
    draft.para(launched, length, speed)
    draft.flag("contradiction")
    desk.link(draft, ship)


def _brochure(desk: Desk, lang: str, ship: Entity, yard: Entity) -> None:
    name = ship.name.say(lang)
    url = f"https://www.{yard.key[5:]}-yard.example/{lang}/{ship.name.en.lower()}"
    draft = desk.page(url, BROCHURE_TITLE.say(lang).format(name), "company", lang, None, yard.name.say(lang))
    draft.para(BROCHURE_OPENING.say(lang).format(name), desk.region.get(ship, "speed_builder"))
    draft.flag("contradiction")
    desk.link(draft, yard)


def _statistics(desk: Desk, lang: str, year: int) -> Draft:
    region = desk.region
    name = region.name.say(lang)
    url = f"https://{desk.bureau('stats')}/{lang}/air-transport/{year}/harbours"
    title = STATISTICS_TITLE.say(lang).format(name, year)
    draft = desk.page(url, title, "statistics", lang, desk.in_year(year + 1), region.office.say(lang))
    draft.para(STATISTICS_OPENING.say(lang).format(name, year))
    rows = [
        [
            harbour.name.say(lang),
            *map(draft.count, region.all(harbour, f"passengers@{year}", f"landings@{year}")),
        ]
        for harbour in region.entities["harbour"]
    ]
    draft.table(STATISTICS_HEADER.say(lang).split("|"), rows)
    return draft
