"""The Chinese and Japanese sample questions: one per class and language, answerable from that language's
pages.
"""

from __future__ import annotations

from deep_research.offline.web.asking import Translated

TRANSLATED = {
    "zh": {
        "single_fact": Translated("想去{library}看书，那里的阅览室有多少座位？", (("library", "seats"),)),
        "comparison": Translated(
            "{library}的书架和{rival}的书架，哪个加起来更长？", (("library", "shelves"), ("rival", "shelves"))
        ),
        "multi_hop": Translated(
            "{library}的首席机械馆员是一家作坊造出来的。创办那家作坊的人小时候住在哪个岛上？",
            (("library", "clerk"), ("clerk", "maker"), ("maker", "founder"), ("author", "islet")),
        ),
        "ranking": Translated("{region}有哪三座图书馆在{year}年借出的书最多？", (("library", "loans"),), 3),
        "temporal": Translated(
            "我{term}年去过{library}，当时的馆长叫什么名字？", (("library", "librarian_before"),)
        ),
        "contradiction": Translated(
            "{clerk}一小时究竟能取多少本书？听说有两种说法。",
            (("clerk", "speed_maker"), ("clerk", "speed_trial")),
        ),
        "unanswerable": Translated("{library}晚上用的是什么牌子的灯泡？"),
    },
    "ja": {
        "single_fact": Translated("{barge}は一巡りするあいだに何か所に寄りますか。", (("barge", "stops"),)),
        "comparison": Translated(
            "{book}と{rival}、ページ数が多いのはどちらでしょうか。", (("book", "pages"), ("rival", "pages"))
        ),
        "multi_hop": Translated(
            "{book}を書いた作家の家には、どんな動物がいますか。", (("book", "author"), ("author", "pet"))
        ),
        "ranking": Translated(
            "{region}の図書船のうち、{year}年に新しい会員をたくさん集めた上位二隻はどれですか。",
            (("barge", "joined"),),
            2,
        ),
        "temporal": Translated(
            "{library}の年会費は憲章が変わる前はいくらで、今はいくらですか。",
            (("library", "fee_before"), ("library", "fee")),
        ),
        "contradiction": Translated(
            "{rival}が刷られたのは何年ですか。扉の年は本当ですか。",
            (("rival", "year_title"), ("rival", "year_lab")),
        ),
        "unanswerable": Translated("{barge}ではコーヒーを一杯いくらで売っていますか。"),
    },
}
