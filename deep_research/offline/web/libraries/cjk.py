"""Chinese and Japanese pages. The Chinese ones follow a library to the founder of the workshop that built its
clerk, the Japanese ones a book to its author.

Per language: articles on a cast of entities, two pages that contradict each other (in Chinese on the speed of
a clerk, in Japanese on the age of a book), and the yearbook of one year. So every class of question can be
answered inside the language.
"""

from __future__ import annotations

from deep_research.offline.web import hazards
from deep_research.offline.web.desk import slug
from deep_research.offline.web.libraries.desk import PAPER_STUDIES, Desk
from deep_research.offline.web.libraries.reference import HANDBOOK
from deep_research.offline.web.names import Text
from deep_research.offline.web.prose import Entity
from deep_research.offline.web.reference import Cast

TRIAL = "机械馆员取书实测：{}"
RULES = "实测在普通书架间进行，共三轮，由{}派人计时。"
PRAISE = "本坊杰作：{}"
BOAST = "手工打造，靠腿检验。"
DATING = "{}の紙を調べる"
METHOD = "夜間に四葉を顕微鏡で観察した。"
OFFER = "今週の入荷:{}"
CHARM = "帽子箱に入って届き、林檎の香りがする。"
YEARBOOK = Text("", "{0}{1}年统计年鉴：{2}", "{0}統計年鑑 {1}年版:{2}")
CHECKED = Text("", "下表是{0}在{1}年全年的数字，已逐一核对。", "{0}における{1}年の一年間の数字である。")
TABLES = {
    "zh": ("library", ("loans", "visitors"), "公共图书馆", ("图书馆", "借阅（次）", "访客（名）")),
    "ja": ("barge", ("joined",), "図書船の新会員", ("船", "新会員(人)")),
}


def write_languages(desk: Desk) -> dict[str, Cast]:
    """All pages of both languages; whom they are about."""
    casts = {"zh": _wound(desk), "ja": _read(desk)}
    for lang, cast in casts.items():
        HANDBOOK.translate(desk, lang, cast.everyone)
        _yearbook(desk, lang, cast.year)
        hazards.inject(desk.homes[cast.roles["rival"].key, lang], 0)
        hazards.boilerplate(desk.homes[cast.roles["author"].key, lang], desk.rng)
    _speeds(desk, casts["zh"].roles["clerk"])
    _ages(desk, casts["ja"].roles["rival"])
    return casts


def _wound(desk: Desk) -> Cast:
    """A library, its chief clerk, the clerk's maker and who founded that; another library."""
    region = desk.region
    library, rival = region.pick("library", 0, 4)
    clerk = region.target(library, "clerk")
    maker = region.target(clerk, "maker")
    author = region.target(maker, "founder")
    roles = {"library": library, "clerk": clerk, "maker": maker, "author": author, "rival": rival}
    return Cast(roles, region.years[-1])


def _read(desk: Desk) -> Cast:
    """A book and its author; another book, a barge and a library."""
    region = desk.region
    book, rival = region.pick("book", 2, 5)
    barge, library = region.entities["barge"][3], region.entities["library"][7]
    author = region.target(book, "author")
    roles = {"book": book, "author": author, "rival": rival, "barge": barge, "library": library}
    return Cast(roles, region.years[-2])


def _speeds(desk: Desk, clerk: Entity) -> None:
    """The two sides on the speed of one clerk, in Chinese."""
    region, name, path = desk.region, clerk.name.zh, f"zh/{slug(clerk.name.en)}"
    maker, claimed, timed = region.all(clerk, "maker", "speed_maker", "speed_trial")
    url, day = f"https://{desk.union}/trials/{path}", desk.ago(200, 900)
    trial = desk.page(url, TRIAL.format(name), "trial_sheet", day, region.readers.zh, "zh")
    trial.para(RULES.format(region.readers.zh), timed, region.get(clerk, "height"))
    url = f"https://www.{slug(maker.value.say('en'))}.example/models/{path}"
    praise = desk.page(url, PRAISE.format(name), "company", None, maker.value.say("zh"), "zh")
    praise.para(BOAST, claimed, region.get(clerk, "cogs"))
    for draft in (trial, praise):
        draft.flag("contradiction")
        desk.link(draft, clerk)


def _ages(desk: Desk, book: Entity) -> None:
    """The two sides on the age of one book, in Japanese."""
    region, name, path = desk.region, book.name.ja, f"ja/{slug(book.name.en)}"
    printed, dated = region.all(book, "year_title", "year_lab")
    url, day = f"https://{PAPER_STUDIES}/articles/{path}", desk.ago(100, 900)
    study = desk.page(url, DATING.format(name), "journal", day, region.lab.ja, "ja")
    study.para(METHOD, dated, region.get(book, "pictures"))
    url, day = f"https://blog.{region.slug}-rare-books.example/{path}", desk.ago(60, 900)
    offer = desk.page(url, OFFER.format(name), "vendor_blog", day, None, "ja")
    offer.para(CHARM, printed, region.get(book, "bindery"))
    for draft in (study, offer):
        draft.flag("contradiction")
        desk.link(draft, book)


def _yearbook(desk: Desk, lang: str, year: int) -> None:
    region, name = desk.region, desk.region.name.say(lang)
    kind, attrs, about, header = TABLES[lang]
    url = f"https://{desk.bureau('statistics')}/{lang}/yearbook/{year}/{kind}"
    title = YEARBOOK.say(lang).format(name, year, about)
    draft = desk.page(url, title, "statistics", desk.in_year(year + 1), lang=lang)
    draft.para(CHECKED.say(lang).format(name, year))
    draft.table(header, desk.rows(draft, region.entities[kind], *(f"{attr}@{year}" for attr in attrs)))
