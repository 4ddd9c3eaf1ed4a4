"""Chinese and Japanese pages. The Chinese ones follow a choir to its composer, the Japanese ones an abbey to
the inventor of its cheese.

Per language: lexicon articles of a cast of entities, the certificate and the ledger of one bell (which
contradict each other), and the almanac of one year. So every class of question can be answered inside the
language.
"""

from __future__ import annotations

from deep_research.offline.web import hazards
from deep_research.offline.web.abbeys.desk import Desk
from deep_research.offline.web.abbeys.reference import LEXICON
from deep_research.offline.web.desk import slug
from deep_research.offline.web.names import Text
from deep_research.offline.web.prose import Entity
from deep_research.offline.web.reference import Cast

CERTIFICATE = Text("", "{}称重证书", "{}の計量証明書")
SEAL = Text("", "本证书由{}签发，称重前已取下钟舌。", "この証明書は{}が発行した。計量の前に舌を外している。")
LEDGER = Text("", "我厂账簿：{}", "当所の台帳より:{}")
PROUD = Text("", "凡出自本厂的钟，账上都有一页。", "当所を出た鐘には、必ず台帳の一頁がある。")
ALMANAC = Text("", "{0}年鉴{1}：奶坊与朝圣者", "{0}年鑑 {1}年版:酪農場と巡礼者")
RETURNS = Text("", "以下为{1}年{0}各院上报并经核对的数字。", "{1}年に{0}の各院が届け出た確定値を示す。")
COLUMNS = Text("", "修院|奶酪（轮）|朝圣者", "院|チーズ(個)|巡礼者")


def write_languages(desk: Desk) -> dict[str, Cast]:
    """All pages of both languages; whom they are about."""
    casts = {"zh": _sung(desk), "ja": _eaten(desk)}
    for lang, cast in casts.items():
        LEXICON.translate(desk, lang, cast.everyone)
        _weights(desk, lang, cast.roles["bell"])
        _almanac(desk, lang, cast.year)
        hazards.inject(desk.homes[cast.roles["rival"].key, lang], 0)
        hazards.boilerplate(desk.homes[cast.roles["author"].key, lang], desk.rng)
    return casts


def _sung(desk: Desk) -> Cast:
    """A choir, the piece that it opens with, who composed that; its home, and an abbey to compare with."""
    region = desk.region
    choir, bell = region.entities["choir"][0], region.entities["bell"][3]
    work, home = region.target(choir, "opener"), region.target(choir, "home")
    others = [abbey for abbey in region.pick("abbey", 0, 2) if abbey is not home]
    author = region.target(work, "composer")
    roles = {"choir": choir, "work": work, "author": author, "home": home, "rival": others[0], "bell": bell}
    return Cast(roles, region.years[-1])


def _eaten(desk: Desk) -> Cast:
    """An abbey, its cheese, who devised that; a cheese to compare with."""
    region = desk.region
    abbey, bell = region.entities["abbey"][1], region.entities["bell"][4]
    cheese = region.target(abbey, "cheese")
    others = [other for other in region.entities["cheese"] if other is not cheese]
    author = region.target(cheese, "deviser")
    roles = {"abbey": abbey, "cheese": cheese, "author": author, "rival": others[0], "bell": bell}
    return Cast(roles, region.years[-2])


def _weights(desk: Desk, lang: str, bell: Entity) -> None:
    """The two sides on the weight of one bell."""
    region, name, path = desk.region, bell.name.say(lang), f"{lang}/{slug(bell.name.en)}"
    foundry, ledger, scale = region.all(bell, "foundry", "weight_ledger", "weight_scale")
    office, owner = region.weights.say(lang), foundry.value.say(lang)
    url = f"https://{desk.bureau('weights')}/certificates/{path}"
    title, day = CERTIFICATE.say(lang).format(name), desk.ago(400, 3_000)
    certificate = desk.page(url, title, "certificate", day, office, lang)
    certificate.para(SEAL.say(lang).format(office), scale, region.get(bell, "diameter"))
    url = f"https://www.{slug(foundry.value.say('en'))}.example/ledger/{path}"
    book = desk.page(url, LEDGER.say(lang).format(name), "company", None, owner, lang)
    book.para(PROUD.say(lang), region.get(bell, "cast"), ledger)
    for draft in (certificate, book):
        draft.flag("contradiction")
        desk.link(draft, bell)


def _almanac(desk: Desk, lang: str, year: int) -> None:
    region, name = desk.region, desk.region.name.say(lang)
    url = f"https://{desk.bureau('almanac')}/{lang}/vol/{year}/abbeys"
    title = ALMANAC.say(lang).format(name, year)
    draft = desk.page(url, title, "statistics", desk.in_year(year + 1), lang=lang)
    draft.para(RETURNS.say(lang).format(name, year))
    rows = desk.rows(draft, region.entities["abbey"], f"wheels@{year}", f"pilgrims@{year}")
    draft.table(COLUMNS.say(lang).split("|"), rows)
