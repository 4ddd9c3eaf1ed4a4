"""The Chinese and Japanese sample questions: one per class and language, answerable from that language's
pages.
"""

from __future__ import annotations

from deep_research.offline.web.abbeys.cjk import Cast
from deep_research.offline.web.abbeys.world import Country
from deep_research.offline.web.assembly import Ask
from deep_research.offline.web.prose import Datum

TEXTS = {
    "zh": {
        "single_fact": "{pair0}里住着多少修士修女？",
        "comparison": "去{pair0}和去{pair1}，哪一座的海拔更高？",
        "multi_hop": "{first}开场必唱的那首曲子是谁写的？这位作曲者是哪个村子的人？",
        "ranking": "{year}年{country}接待朝圣者最多的三座修院是哪些？",
        "temporal": "{term}年担任{first}领唱的是谁？",
        "contradiction": "{bell}到底有多重？铸厂和衡器局的数字一样吗？",
        "unanswerable": "{first}的赞助商是谁？",
    },
    "ja": {
        "single_fact": "{pair0}を一個作るには、どれだけの乳が要りますか。",
        "comparison": "{pair0}と{pair1}では、どちらのほうが長く熟成させますか。",
        "multi_hop": "{first}のチーズを考案した人は、誰に師事しましたか。",
        "ranking": "{year}年、{country}でチーズの出荷数が多かった修道院を上から二つ挙げてください。",
        "temporal": "価格令の前後で、{pair0}の値段はいくらからいくらになりましたか。",
        "contradiction": "{bell}の重さは資料によって違うのですか。それぞれ何キロですか。",
        "unanswerable": "{first}ではインターネットの料金に毎月いくら払っていますか。",
    },
}


def ask_cjk(country: Country, kind: str, casts: dict[str, Cast]) -> list[Ask]:
    """The questions of one class, one per language."""
    return [
        Ask(kind, lang, _text(country, lang, kind, cast), _gold(country, lang, kind, cast))
        for lang, cast in casts.items()
    ]


def _text(country: Country, lang: str, kind: str, cast: Cast) -> str:
    entities = {"first": cast.chain[0], "pair0": cast.pair[0], "pair1": cast.pair[1], "bell": cast.bell}
    names = {key: entity.name.say(lang) for key, entity in entities.items()}
    office = country.get(cast.chain[0], "cantor_before" if lang == "zh" else "cellarer_before")
    term = (office.year("since") + office.year("until")) // 2
    return TEXTS[lang][kind].format(**names, country=country.name.say(lang), year=cast.year, term=term)


def _gold(country: Country, lang: str, kind: str, cast: Cast) -> tuple[Datum, ...]:
    first, *_ = cast.chain
    one, other = cast.pair
    chinese = lang == "zh"
    if kind == "ranking":
        attr, count = ("pilgrims", 3) if chinese else ("wheels", 2)
        table = [country.get(abbey, f"{attr}@{cast.year}") for abbey in country.entities["abbey"]]
        return tuple(sorted(table, key=lambda datum: -datum.value.number)[:count])
    path = ("opener", "composer", "birthplace") if chinese else ("cheese", "deviser", "teacher")
    compared = "altitude" if chinese else "months"
    wanted = {
        "single_fact": [(one, "members" if chinese else "litres")],
        "comparison": [(one, compared), (other, compared)],
        "multi_hop": list(zip(cast.chain, path, strict=True)),
        "temporal": [(first, "cantor_before")] if chinese else [(one, "price_before"), (one, "price")],
        "contradiction": [(cast.bell, "weight_ledger"), (cast.bell, "weight_scale")],
        "unanswerable": [],
    }
    return tuple(country.get(entity, attr) for entity, attr in wanted[kind])
