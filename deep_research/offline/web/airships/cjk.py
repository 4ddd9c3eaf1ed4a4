"""Chinese and Japanese pages. Each language follows one line through the whole chain, on pages of its own.

Per language: a line, its flagship and a sister from another yard, yard, founder, harbour (encyclopedia), the
register entry and the builder's brochure of the flagship (which contradict each other), and a table of annual
statistics. So every class of question can be answered inside the language.
"""

from __future__ import annotations

from deep_research.offline.web import hazards
from deep_research.offline.web.airships.desk import Desk
from deep_research.offline.web.airships.reference import ENCYCLOPEDIA
from deep_research.offline.web.names import Text
from deep_research.offline.web.prose import Entity
from deep_research.offline.web.reference import Cast

REGISTER_TITLE = Text("", "飞艇登记簿：{}", "飛行船登録簿:{}")
BROCHURE_TITLE = Text("", "{}：我们的骄傲", "{}:私たちの誇り")
BROCHURE_OPENING = Text("", "欢迎了解我们建造的{}。", "私たちが建造した{}をご紹介します。")
REGISTER_OPENING = Text("", "以下内容摘自{}的登记簿。", "以下は{}の登録簿からの抜粋である。")
STATISTICS_TITLE = Text("", "{1}年{0}各飞艇港统计", "{0}の飛行船港統計 {1}年")
STATISTICS_OPENING = Text("", "下表列出{1}年{0}各港的最终数字。", "次の表は{1}年の{0}各港の確定値である。")
STATISTICS_HEADER = Text("", "港口|旅客|降落", "港|旅客|着陸")


def write_languages(desk: Desk) -> dict[str, Cast]:
    """All pages of both languages; whom they are about."""
    casts = {"zh": _cast(desk, 0), "ja": _cast(desk, 1)}
    for lang, cast in casts.items():
        ENCYCLOPEDIA.translate(desk, lang, cast.everyone)
        _register(desk, lang, cast.roles["ship"])
        _brochure(desk, lang, cast.roles["ship"], cast.roles["yard"])
        _statistics(desk, lang, cast.year)
        hazards.inject(desk.homes[cast.roles["sister"].key, lang], 0)
        hazards.boilerplate(desk.homes[cast.roles["yard"].key, lang], desk.rng)
    return casts


def _cast(desk: Desk, number: int) -> Cast:
    """The cast that starts from the region's line `number`."""
    region = desk.region
    line, harbour = region.entities["line"][number], region.entities["harbour"][number]
    ship = region.target(line, "flagship")
    yard = region.target(ship, "yard")
    others = [other for other in region.entities["ship"] if region.target(other, "yard") is not yard]
    roles = {
        "line": line,
        "ship": ship,
        "sister": others[number],
        "yard": yard,
        "founder": region.target(yard, "founder"),
        "harbour": harbour,
    }
    return Cast(roles, region.years[-1 - number])


def _register(desk: Desk, lang: str, ship: Entity) -> None:
    launched, length, speed = desk.region.all(ship, "launched", "length", "speed_register")
    office = desk.region.office.say(lang)
    url = f"https://{desk.bureau('registry')}/{lang}/airships/{ship.name.en.lower()}"
    title = REGISTER_TITLE.say(lang).format(ship.name.say(lang))
    draft = desk.page(url, title, "register", desk.in_year(launched.value.whole + 1), office, lang)
    draft.para(REGISTER_OPENING.say(lang).format(office))
    draft.para(launched, length, speed)
    draft.flag("contradiction")
    desk.link(draft, ship)


def _brochure(desk: Desk, lang: str, ship: Entity, yard: Entity) -> None:
    name = ship.name.say(lang)
    url = f"https://www.{yard.key[5:]}-yard.example/{lang}/{ship.name.en.lower()}"
    draft = desk.page(url, BROCHURE_TITLE.say(lang).format(name), "company", None, yard.name.say(lang), lang)
    draft.para(BROCHURE_OPENING.say(lang).format(name), desk.region.get(ship, "speed_builder"))
    draft.flag("contradiction")
    desk.link(draft, yard)


def _statistics(desk: Desk, lang: str, year: int) -> None:
    region, name = desk.region, desk.region.name.say(lang)
    url = f"https://{desk.bureau('stats')}/{lang}/air-transport/{year}/harbours"
    title = STATISTICS_TITLE.say(lang).format(name, year)
    draft = desk.page(url, title, "statistics", desk.in_year(year + 1), region.office.say(lang), lang)
    draft.para(STATISTICS_OPENING.say(lang).format(name, year))
    rows = desk.rows(draft, region.entities["harbour"], f"passengers@{year}", f"landings@{year}")
    draft.table(STATISTICS_HEADER.say(lang).split("|"), rows)
