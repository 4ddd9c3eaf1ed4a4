"""Chinese and Japanese pages. The Chinese ones follow a choir to its composer, the Japanese ones an abbey to
the inventor of its cheese.

Per language: lexicon articles of a cast of entities, the certificate and the ledger of one bell (which
contradict each other), and the almanac of one year. So every class of question can be answered inside the
language.
"""

from __future__ import annotations

from dataclasses import dataclass

from deep_research.offline.web import hazards
from deep_research.offline.web.abbeys.desk import LEXICON, Desk, slug
from deep_research.offline.web.abbeys.reference import SECTIONS, told
from deep_research.offline.web.abbeys.words_cjk import JA, ZH
from deep_research.offline.web.names import Text
from deep_research.offline.web.prose import Entity

TOPICS = {"zh": ZH, "ja": JA}
OPENING = {
    "abbey": Text("", "{0}（{1}）是{2}一座自产奶酪的修院。", "{0}（{1}）は{2}にあり、自前の酪農場をもつ。"),
    "choir": Text("", "{0}（{1}）是来自{2}的山地合唱队伍。", "{0}（{1}）は{2}の山の合唱隊である。"),
    "work": Text("", "{0}（{1}）是流传于{2}的无伴奏合唱曲。", "{0}（{1}）は{2}の無伴奏合唱曲である。"),
    "bell": Text("", "{0}（{1}）是{2}的一口塔钟。", "{0}（{1}）は{2}の塔の鐘である。"),
    "cheese": Text("", "{0}（{1}）是{2}出产的硬质奶酪。", "{0}（{1}）は{2}産の硬いチーズである。"),
    "person": Text("", "{0}（{1}）在{2}家喻户晓。", "{0}（{1}）は{2}で広く名を知られた人である。"),
}
HEADINGS = {
    "Sound": Text("", "音色", "音"),
    "In the cave": Text("", "窖藏", "洞窟にて"),
    "Trade": Text("", "买卖", "商い"),
    "House and tower": Text("", "院舍与钟楼", "建物と塔"),
    "Dairy": Text("", "奶坊", "酪農場"),
    "Score": Text("", "乐谱", "楽譜"),
    "Cantors": Text("", "历任领唱", "歴代の楽長"),
    "On stage": Text("", "登台", "舞台"),
    "Craft": Text("", "技艺", "技"),
}
COLOUR = {
    "abbey": Text("", "图书室的猫在唱诗席上有自己的座位。", "図書室の猫には聖歌隊席に自分の場所がある。"),
    "choir": Text("", "团员用木柴抵交罚款。", "団員は罰金を薪で払う。"),
    "work": Text("", "晒干草的日子里从不演唱此曲。", "干し草を干す日には決して歌われない。"),
    "bell": Text("", "敲响前一分钟，燕子便离开钟楼。", "鳴る一分前に燕が塔を離れる。"),
    "cheese": Text("", "用指节敲一敲，好奶酪会像鼓一样回响。", "指で叩くと太鼓のように鳴るのが良品だ。"),
    "person": Text("", "书房里摆满了压干的龙胆花。", "書斎の棚は押し花のリンドウで埋まっている。"),
}
CERTIFICATE = Text("", "{}称重证书", "{}の計量証明書")
SEAL = Text("", "本证书由{}签发，称重前已取下钟舌。", "この証明書は{}が発行した。計量の前に舌を外している。")
LEDGER = Text("", "我厂账簿：{}", "当所の台帳より:{}")
PROUD = Text("", "凡出自本厂的钟，账上都有一页。", "当所を出た鐘には、必ず台帳の一頁がある。")
ALMANAC = Text("", "{0}年鉴{1}：奶坊与朝圣者", "{0}年鑑 {1}年版:酪農場と巡礼者")
RETURNS = Text("", "以下为{1}年{0}各院上报并经核对的数字。", "{1}年に{0}の各院が届け出た確定値を示す。")
COLUMNS = Text("", "修院|奶酪（轮）|朝圣者", "院|チーズ(個)|巡礼者")


@dataclass(frozen=True, slots=True)
class Cast:
    """Whom the pages of one language are about: the chain from `first` on, a rival of one link, a bell."""

    chain: tuple[Entity, ...]
    pair: tuple[Entity, Entity]  # of one kind, to be compared
    bell: Entity
    year: int  # of its almanac

    @property
    def everyone(self) -> tuple[Entity, ...]:
        return tuple(dict.fromkeys((*self.chain, *self.pair, self.bell)))


def casts(desk: Desk) -> dict[str, Cast]:
    """The cast per language."""
    country = desk.country
    choir, abbey = country.entities["choir"][0], country.entities["abbey"][1]
    work, cheese = country.target(choir, "opener"), country.target(abbey, "cheese")
    composer, deviser = country.target(work, "composer"), country.target(cheese, "deviser")
    home, bells = country.target(choir, "home"), country.entities["bell"]
    houses = [other for other in country.entities["abbey"] if other not in (home, abbey)]
    rivals = [other for other in country.entities["cheese"] if other is not cheese]
    return {
        "zh": Cast((choir, work, composer), (home, houses[0]), bells[3], country.years[-1]),
        "ja": Cast((abbey, cheese, deviser), (cheese, rivals[0]), bells[4], country.years[-2]),
    }


def write_language(desk: Desk, lang: str, cast: Cast) -> None:
    """All pages of one language."""
    for entity in cast.everyone:
        name = entity.name.say(lang)
        style = "biography" if entity.kind == "person" else "encyclopedia"
        path = name.strip("《》『』")
        url = f"https://{lang}.{LEXICON}/entry/{path}"
        desk.homes[entity.key, lang] = desk.page(url, name, style, lang, desk.ago(15, 500))
    for entity in cast.everyone:
        _article(desk, lang, entity)
    _weights(desk, lang, cast.bell)
    _almanac(desk, lang, cast.year)
    hazards.inject(desk.homes[cast.pair[1].key, lang], 0)
    hazards.boilerplate(desk.homes[cast.chain[-1].key, lang], desk.rng)


def _article(desk: Desk, lang: str, entity: Entity) -> None:
    draft, country = desk.homes[entity.key, lang], desk.country
    name, named = entity.name.say(lang), []
    opening = OPENING[entity.kind].say(lang).format(name, entity.name.en, country.name.say(lang))
    for heading, *attrs in SECTIONS[entity.kind]:
        data = told(country, entity, tuple(attrs), TOPICS[lang])
        if heading:
            draft.heading(HEADINGS[heading].say(lang))
        draft.para(*(() if heading else (opening,)), *data)
        named += [datum.target for datum in data]
    draft.para(COLOUR[entity.kind].say(lang))
    desk.link(draft, *named)


def _weights(desk: Desk, lang: str, bell: Entity) -> None:
    """The two sides on the weight of one bell."""
    country, name, path = desk.country, bell.name.say(lang), f"{lang}/{slug(bell.name.en)}"
    foundry, ledger, scale = country.all(bell, "foundry", "weight_ledger", "weight_scale")
    office, owner = country.weights.say(lang), foundry.value.say(lang)
    url = f"https://{desk.office('weights')}/certificates/{path}"
    title, day = CERTIFICATE.say(lang).format(name), desk.ago(400, 3_000)
    certificate = desk.page(url, title, "certificate", lang, day, office)
    certificate.para(SEAL.say(lang).format(office), scale, country.get(bell, "diameter"))
    url = f"https://www.{slug(foundry.value.say('en'))}.example/ledger/{path}"
    book = desk.page(url, LEDGER.say(lang).format(name), "company", lang, None, owner)
    book.para(PROUD.say(lang), country.get(bell, "cast"), ledger)
    for draft in (certificate, book):
        draft.flag("contradiction")
        desk.link(draft, bell)


def _almanac(desk: Desk, lang: str, year: int) -> None:
    country, name = desk.country, desk.country.name.say(lang)
    url = f"https://{desk.office('almanac')}/{lang}/vol/{year}/abbeys"
    title = ALMANAC.say(lang).format(name, year)
    draft = desk.page(url, title, "statistics", lang, desk.in_year(year + 1))
    draft.para(RETURNS.say(lang).format(name, year))
    rows = [
        [abbey.name.say(lang), *map(draft.count, country.all(abbey, f"wheels@{year}", f"pilgrims@{year}"))]
        for abbey in country.entities["abbey"]
    ]
    draft.table(COLUMNS.say(lang).split("|"), rows)
