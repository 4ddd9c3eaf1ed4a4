"""The Chinese and Japanese sample questions: one per class and language, answerable from that language's
pages.
"""

from __future__ import annotations

from deep_research.offline.web.asking import Translated

COMPARED = (("ship", "length"), ("sister", "length"))
CHAIN = (("line", "flagship"), ("ship", "yard"), ("yard", "founder"), ("founder", "birthplace"))
SPEEDS = (("ship", "speed_builder"), ("ship", "speed_register"))

TRANSLATED = {
    "zh": {
        "single_fact": Translated("{harbour}的海拔是多少？", (("harbour", "elevation"),)),
        "comparison": Translated("{ship}和{sister}，哪一艘飞艇更长？", COMPARED),
        "multi_hop": Translated("建造{line}旗舰的那家船厂，其创始人出生在哪里？", CHAIN),
        "ranking": Translated(
            "{year}年{region}旅客最多的三座飞艇港是哪几座？各有多少旅客？", (("harbour", "passengers"),), 3
        ),
        "temporal": Translated("{term}年时{line}的总经理是谁？", (("line", "head_before"),)),
        "contradiction": Translated("{ship}的最高速度究竟是多少？各方说法一致吗？", SPEEDS),
        "unanswerable": Translated("{line}去年的净利润是多少？"),
    },
    "ja": {
        "single_fact": Translated("{harbour}には係留塔が何基ありますか。", (("harbour", "masts"),)),
        "comparison": Translated("{ship}と{sister}では、どちらの飛行船が長いですか。", COMPARED),
        "multi_hop": Translated("{line}の旗艦を建造した造船所の創業者は誰で、どこの出身ですか。", CHAIN),
        "ranking": Translated(
            "{year}年に{region}で着陸回数が最も多かった二つの港はどこですか。", (("harbour", "landings"),), 2
        ),
        "temporal": Translated(
            "{ship}の定員は改装の前と後で何人ですか。", (("ship", "capacity_before"), ("ship", "capacity"))
        ),
        "contradiction": Translated("{ship}の最高速度について、造船所と登録簿の数値は同じですか。", SPEEDS),
        "unanswerable": Translated("{ship}に積まれているヘリウムの量はどれくらいですか。"),
    },
}
