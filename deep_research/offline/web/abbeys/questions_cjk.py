"""The Chinese and Japanese sample questions: one per class and language, answerable from that language's
pages.
"""

from __future__ import annotations

from deep_research.offline.web.asking import Translated

WEIGHTS = (("bell", "weight_ledger"), ("bell", "weight_scale"))

TRANSLATED = {
    "zh": {
        "single_fact": Translated("{home}里住着多少修士修女？", (("home", "members"),)),
        "comparison": Translated(
            "去{home}和去{rival}，哪一座的海拔更高？", (("home", "altitude"), ("rival", "altitude"))
        ),
        "multi_hop": Translated(
            "{choir}开场必唱的那首曲子是谁写的？这位作曲者是哪个村子的人？",
            (("choir", "opener"), ("work", "composer"), ("author", "birthplace")),
        ),
        "ranking": Translated(
            "{year}年{region}接待朝圣者最多的三座修院是哪些？", (("abbey", "pilgrims"),), 3
        ),
        "temporal": Translated("{term}年担任{choir}领唱的是谁？", (("choir", "cantor_before"),)),
        "contradiction": Translated("{bell}到底有多重？铸厂和衡器局的数字一样吗？", WEIGHTS),
        "unanswerable": Translated("{choir}的赞助商是谁？"),
    },
    "ja": {
        "single_fact": Translated(
            "{cheese}を一個作るには、どれだけの乳が要りますか。", (("cheese", "litres"),)
        ),
        "comparison": Translated(
            "{cheese}と{rival}では、どちらのほうが長く熟成させますか。",
            (("cheese", "months"), ("rival", "months")),
        ),
        "multi_hop": Translated(
            "{abbey}のチーズを考案した人は、誰に師事しましたか。",
            (("abbey", "cheese"), ("cheese", "deviser"), ("author", "teacher")),
        ),
        "ranking": Translated(
            "{year}年、{region}でチーズの出荷数が多かった修道院を上から二つ挙げてください。",
            (("abbey", "wheels"),),
            2,
        ),
        "temporal": Translated(
            "価格令の前後で、{cheese}の値段はいくらからいくらになりましたか。",
            (("cheese", "price_before"), ("cheese", "price")),
        ),
        "contradiction": Translated(
            "{bell}の重さは資料によって違うのですか。それぞれ何キロですか。", WEIGHTS
        ),
        "unanswerable": Translated("{abbey}ではインターネットの料金に毎月いくら払っていますか。"),
    },
}
