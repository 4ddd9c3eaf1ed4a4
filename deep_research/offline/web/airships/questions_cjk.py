"""The Chinese and Japanese sample questions: one per class and language, answerable from that language's
pages.
"""

from __future__ import annotations

from deep_research.offline.web.airships.cjk import Cast
from deep_research.offline.web.airships.desk import Desk
from deep_research.offline.web.assembly import Ask
from deep_research.offline.web.prose import Datum

TEXTS = {
    "zh": {
        "single_fact": "{harbour}的海拔是多少？",
        "comparison": "{ship}和{sister}，哪一艘飞艇更长？",
        "multi_hop": "建造{line}旗舰的那家船厂，其创始人出生在哪里？",
        "ranking": "{year}年{region}旅客最多的三座飞艇港是哪几座？各有多少旅客？",
        "temporal": "{term}年时{line}的总经理是谁？",
        "contradiction": "{ship}的最高速度究竟是多少？各方说法一致吗？",
        "unanswerable": "{line}去年的净利润是多少？",
    },
    "ja": {
        "single_fact": "{harbour}には係留塔が何基ありますか。",
        "comparison": "{ship}と{sister}では、どちらの飛行船が長いですか。",
        "multi_hop": "{line}の旗艦を建造した造船所の創業者は誰で、どこの出身ですか。",
        "ranking": "{year}年に{region}で着陸回数が最も多かった二つの港はどこですか。",
        "temporal": "{ship}の定員は改装の前と後で何人ですか。",
        "contradiction": "{ship}の最高速度について、造船所と登録簿の数値は同じですか。",
        "unanswerable": "{ship}に積まれているヘリウムの量はどれくらいですか。",
    },
}


def ask_cjk(desk: Desk, kind: str, casts: dict[str, Cast]) -> list[Ask]:
    """The questions of one class, one per language."""
    return [
        Ask(kind, lang, _text(desk, lang, kind, casts[lang]), _gold(desk, lang, kind, casts[lang]))
        for lang in TEXTS
    ]


def _text(desk: Desk, lang: str, kind: str, people: Cast) -> str:
    term = desk.region.get(people.line, "head_before")
    names = {key: getattr(people, key).name.say(lang) for key in ("line", "ship", "sister", "harbour")}
    between = (term.year("since") + term.year("until")) // 2
    return TEXTS[lang][kind].format(
        **names, year=people.year, region=desk.region.name.say(lang), term=between
    )


def _gold(desk: Desk, lang: str, kind: str, people: Cast) -> tuple[Datum, ...]:
    region, ship = desk.region, people.ship
    if kind == "ranking":
        attr, count = ("passengers", 3) if lang == "zh" else ("landings", 2)
        table = [region.get(harbour, f"{attr}@{people.year}") for harbour in region.entities["harbour"]]
        return tuple(sorted(table, key=lambda datum: -datum.value.number)[:count])
    wanted = {
        "single_fact": [(people.harbour, "elevation" if lang == "zh" else "masts")],
        "comparison": [(ship, "length"), (people.sister, "length")],
        "multi_hop": [
            (people.line, "flagship"),
            (ship, "yard"),
            (people.yard, "founder"),
            (people.founder, "birthplace"),
        ],
        "temporal": [(people.line, "head_before")]
        if lang == "zh"
        else [(ship, "capacity_before"), (ship, "capacity")],
        "contradiction": [(ship, "speed_builder"), (ship, "speed_register")],
        "unanswerable": [],
    }
    return tuple(region.get(entity, attr) for entity, attr in wanted[kind])
