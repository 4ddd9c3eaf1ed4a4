"""The Chinese and Japanese sample questions: one per class and language, answerable from that language's
pages.
"""

from __future__ import annotations

from deep_research.offline.web.asking import Translated

LOADS = (("dog", "load_kennel"), ("dog", "load_test"))

TRANSLATED = {
    "zh": {
        "single_fact": Translated("在{hut}吃饭，能尝到什么招牌菜？", (("hut", "dish"),)),
        "comparison": Translated(
            "邮犬{dog}和{rival}，哪条狗更重？", (("dog", "weight"), ("rival", "weight"))
        ),
        "multi_hop": Translated(
            "{line}的头犬是在一家犬舍长大的。那家犬舍的创办人是哪个村子出生的？",
            (("line", "leader"), ("dog", "kennel"), ("kennel", "breeder"), ("author", "birthplace")),
        ),
        "ranking": Translated("{year}年{region}送信最多的三条邮线是哪几条？", (("line", "letters"),), 3),
        "temporal": Translated("{term}年的时候，{line}的邮长是谁？", (("line", "postmaster_before"),)),
        "contradiction": Translated("邮犬{dog}到底能拉动多少公斤？犬舍说的和官方测的一样吗？", LOADS),
        "unanswerable": Translated("{line}每年要交多少保险费？"),
    },
    "ja": {
        "single_fact": Translated("{rival}がこれまでに一番高く売れたときの値段は。", (("rival", "record"),)),
        "comparison": Translated(
            "{stamp}と{rival}では、どちらが多くの色で刷られていますか。",
            (("stamp", "colours"), ("rival", "colours")),
        ),
        "multi_hop": Translated(
            "{stamp}の絵を描いた人は、どこの学校に通いましたか。",
            (("stamp", "designer"), ("author", "school")),
        ),
        "ranking": Translated(
            "{year}年に{region}で泊まった客が多かった小屋を、多い順に二つ教えてください。",
            (("hut", "guests"),),
            2,
        ),
        "temporal": Translated(
            "{line}の手紙の料金は、料金改定でいくらからいくらに変わりましたか。",
            (("line", "postage_before"), ("line", "postage")),
        ),
        "contradiction": Translated(
            "郵便犬の{dog}は最大で何キロの荷を引けますか。資料で数字が違うようです。", LOADS
        ),
        "unanswerable": Translated("{line}の犬たちは、一日にビスケットを何枚もらいますか。"),
    },
}
