"""General words of English, Chinese and Japanese: function words, relations, comparatives. Data only.

This is the knowledge that the offline model has: grammar and common vocabulary, the kind that a dictionary
holds. There is no name, fact or subject matter here; those come from the request alone.
"""

# ruff: noqa: E501 - tables of words and patterns are read by the row

from __future__ import annotations

from dataclasses import dataclass

STOP = frozenset(
    """a an the this that these those it its he she they them his her their theirs i you we us me my our your and or
    but nor so if then than as of in on at to for from by with without into onto over under about between among
    through during before after since until while is are was were be been being am do does did done doing have has
    had having will would shall should can could may might must not no yes what which who whom whose when where why
    how there here also just very more most much many some any each every all both either neither such only own
    same other another one out up down off again further once please tell find know want give say says said
    got get gets let 's 't really actually exactly ever still currently already today now regarding concerning
    compare compared comparison difference differ versus vs according""".split()
)

CJK_FUNCTION = """的 了 是 在 和 与 及 或 吗 呢 吧 哪 谁 什么 多少 几 怎么 怎样 如何 为什么 哪里 哪儿 哪个 哪些 哪一个 哪家 哪座 哪位 请问
    请 告诉 我 你 他 她 它 们 这 那 个 都 也 就 还 对 把 被 从 到 于 由 为 以 其 之 而 并 有 没有 吧 更 最 比 比较 之间 还是
    は が を に で と も の へ や か から まで より です ます でした ました あり あります ありますか なり である だ った して した する され れた れて いる いた ある
    あった こと もの どの どこ どれ どちら 誰 だれ 何 なに なん いつ いくつ どう なぜ ください 教え について という それ これ その この
    ですか ますか さん および または くらい ぐらい ほど いちばん それぞれ どんな どういう によって 資料 違う ようですが""".split()

CONNECTORS = frozenset(
    "of the de la le du des del della di da do dos von van der den zu bin ibn al el y e en for to a in on".split()
)

LIGHT = frozenset(
    """people person persons kind type way thing things take takes make give gives deliver delivers report reports state
    states lie lies stand stands come came go goes number numbers amount figure figures total extra per each pay paying
    two three four five six seven eight nine ten different really actually name names say says work works happen happened change changed next match
    matches agree agrees correct consistent various according source sources find finding""".split()
)
"""Words that say little about what is asked; they count only where there is no other."""

TITLE_WORDS = frozenset(
    """letter letters rain evening night nights morning day days song songs lament carol ballad dance dances waltz march hymn ode elegy requiem
    mass concerto sonata symphony portrait view views road journey voyage return flight story tale tales notes lessons life death love war
    peace winter summer spring autumn snow storm wind fire water light shadow shadows dream dreams echo echoes memory memories moon sun star
    stars sea river island garden house city bridge window door mirror farewell greetings dialogue conversation walk walks meeting murder
    trouble escape sunset sunrise midnight noon silence music dust ashes blood tears gold silver roses lilies birds wolves horses""".split()
)
"""Words that begin titles such as "Letter from Home", where a preposition does not end the name."""

FIRMS = frozenset("sons daughters brothers sisters company co partners associates family cie".split())
"""What follows `and` in the name of a firm."""

TITLES = frozenset(
    """duke duchess prince princess king queen count countess earl baron baroness lord lady margrave emperor empress
    archduke archduchess elector landgrave marquess viscount jr sr ii iii iv v vi inc ltd llc bishop pope sir dame
    1st 2nd 3rd 4th 5th 6th 7th 8th 9th""".split()
)

MONTHS = (
    "january february march april may june july august september october november december jan feb mar apr jun jul "
    "aug sep sept oct nov dec"
).split()
DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of general language.

    `asked` are the words that name it; `leads` are patterns after which the value stands, `trails` patterns
    before which it stands; `wants` is the kind of value: name, place, date, country, number or text.
    """

    key: str
    wants: str
    asked: str
    leads: str
    trails: str = ""


RELATIONS = (
    Relation(
        "director", "name", "director directors directed directs directorial 导演 監督",
        r"direct(?:ed|or|orial|ion|s)?\b[\w\s,-]{0,40}?\bby|\bdirectors?\b|(?:film|filmed|movie|drama|comedy)s? by|导演|監督",
        r"\bdirected\b|'s (?:film|movie)",
    ),
    Relation(
        "composer", "name", "composer composed composes music 作曲",
        r"(?:music|scor(?:e|ed)|soundtrack|songs?|lyrics)\b[\w\s,]{0,40}?\bby|compos(?:ed|er|ers)\b(?:[\w\s,]{0,30}?\bby)?|\bwritten\b[\w\s,-]{0,40}?\bby"
        r"|music director|作曲",
        r"\bcomposed|'s (?:music|score|song)",
    ),
    Relation(
        "performer", "name", "performer performed performs singer sang sung artist 演唱 歌手 歌",
        r"(?:performed|recorded|sung|released)\b[\w\s,]{0,30}?\bby"
        r"|(?:song|single|track|album|hit|ballad|duet)\b[^.]{0,60}?\b(?:by|of|from)|\bby\b|rapper|singer|band|artist|vocals|演唱|歌手",
        r"'s|\brecorded\b|\bperformed\b",
    ),
    Relation("producer", "name", "producer produced produces 制片 製作", r"produc(?:ed|er|tion)\b[\w\s,]{0,30}?\bby|producer"),
    Relation(
        "publisher", "name", "publisher published publishes 出版",
        r"publish(?:ed|er|ers|ing)?\b[\w\s,]{0,30}?\bby|publisher", r"\bpublish(?:es|ed)",
    ),
    Relation(
        "founder", "name", "founder founded founders cofounder 创始 创办 创立 創業 創設",
        r"(?:found|establish|start|creat|launch|set up|form)\w*\b[\w\s,]{0,30}?\bby|(?:co-?)?founders?\b|创始人|创办人|由|創業者|(?:创办|创立)[^。，]{0,12}?的?是|(?:創業|設立|創設)したのは",
        r"(?:co-?)?founded|established|started|创办|创立|創業|設立",
    ),
    Relation("editor", "name", "editor edited edits 编辑 編集", r"edited\b[\w\s,]{0,30}?\bby|editor(?:-in-chief)?|编辑"),
    Relation(
        "author", "name", "author wrote written writer writes novelist 作者 著者",
        r"(?:written|authored|novel|book|story|work|poem|play)\b[\w\s,]{0,40}?\bby|author|作者|著者", r"\bwrote\b",
    ),
    Relation(
        "designer", "name", "designer designed designs architect 设计 設計",
        r"design(?:ed|er|s)?\b[\w\s,]{0,30}?\bby|architect|designer|由|设计师|設計者", r"\bdesigned\b|设计|設計",
    ),
    Relation(
        "maker", "name", "maker made makes built build builder builds builders manufacturer manufactured constructed "
        "assembled 建造 制造 製造 建造 造",
        r"(?:buil[td]|made|manufactured|constructed|produced|assembled|supplied)\b[\w\s,]{0,30}?\bby|manufacturer|maker|builder"
        r"|由|建造商|制造商|(?:建造|制造)[^。，]{0,12}?的?是|(?:建造|製造)したのは",
        r"\b(?:built|builds|made|makes|manufactur\w+|constructed|assembled)\b|建造|制造|製造",
    ),
    Relation("owner", "name", "owner owned owns ownership 拥有 所有", r"own(?:ed|er)\b[\w\s,]{0,20}?\bby|owner|属于", r"\bowns|owned"),
    Relation(
        "operator", "name", "operator operated operates run runs 运营 経営 運航",
        r"(?:operat|run|managed)\w*\b[\w\s,]{0,20}?\bby|operator|运营", r"\boperates|\bruns|运营",
    ),
    Relation(
        "head", "name",
        "head ceo chief leader led leads president chair chairman executive manager 总经理 总裁 首席 负责人 社長 代表 会長",
        r"(?:head|led|chair|run|manag)\w*\b[\w\s,]{0,20}?\bby|chief executive|president|chair\w*|leader|head"
        r"|(?:managing )?director(?: general)?\b[^.;]{0,50}?\b(?:was|is|:)|总经理|总裁|負責人|负责人|社長",
        r"\b(?:heads?|leads?|led|chairs?|runs?|became|took over|succeeded|appointed)\b|\bas\b|出任|担任|上任|就任|が務め",
    ),
    Relation(
        "father", "name", "father dad 父亲 父",
        r"\b(?:son|daughter|child|sons|daughters|children|heir|heiress|born)\b[^.;]{0,45}?\b(?:of|to)\b|fathered by|\bfather\b|\bparents\b (?:were|are|of)|父亲|父は|父",
        r"(?:was|is) the father of|['’]s?(?: and [^.,]{0,30}['’]s?)? (?:\w+ )?(?:son|daughter|child)\b",
    ),
    Relation(
        "mother", "name", "mother mum mom 母亲 母",
        r"\bmother\b|\bparents\b (?:were|are)[^.;]*?\band\b|\b(?:son|daughter|child|sons|daughters|children)\b[^.;]{0,60}?\bof\b[^.;]*?\b(?:and|by)\b|母亲|母は|母",
        r"(?:was|is) the mother of|['’]s? (?:\w+ )?(?:son|daughter|child)\b",
    ),
    Relation(
        "spouse", "name", "spouse wife husband married marry marries consort partner widow widower 丈夫 妻子 配偶 夫 妻",
        r"(?:wife|husband|spouse|consort|widow|widower|queen|wedded|engaged)\b(?:[^.;]{0,20}?\b(?:of|to))?"
        r"|marri(?:ed|age|es)\b(?:[^.;]{0,25}?\b(?:to|with))?|妻子|丈夫|結婚|妻は|夫は",
        r"\bmarried|'s (?:wife|husband|widow)",
    ),
    Relation(
        "sibling", "name", "sibling siblings brother sister brothers sisters 兄弟 姐妹 哥哥 弟弟 兄 弟 姉 妹",
        r"(?:brothers?|sisters?|siblings?)\b(?: (?:of|to|was|were|is|are|include))?|兄弟|姉妹", r"'s (?:brother|sister)",
    ),
    Relation(
        "child", "name", "child children son daughter sons daughters kids 儿子 女儿 子女 息子 娘",
        r"(?:father|mother|parents?) of|\b(?:sons?|daughters?|child(?:ren)?)\b|儿子|女儿|息子|娘",
        r"(?:son|daughter|child) of",
    ),
    Relation("birthdate", "date", "birthdate birthday born birth 出生日期 生日 生年月日", r"\bborn\b|\(|出生|生まれ"),
    Relation(
        "birthplace", "place", "birthplace born native hometown 出生地 家乡 故乡 老家 籍贯 出生 生まれ 出身 故郷",
        r"\bborn\b[^.;]{0,60}?\b(?:in|at|near)\b|\bborn\b|native of|birthplace|raised in|grew up|hails? from|home ?town|出生于|出生在|生于|来自", r"出身|に生まれ|で生まれ",
    ),
    Relation(
        "deathdate", "date", "deathdate died die dies death 去世日期 逝世 死去",
        r"\bdied\b|\bdeath\b|\bkilled\b|\bd\.|[–-]|去世|死去",
    ),
    Relation(
        "deathplace", "place", "deathplace died die dies 去世地点 逝世地",
        r"\b(?:died|death|killed|executed)\b[^.;]{0,60}?\b(?:in|at|near)\b|\bdied\b|\bdeath\b",
    ),
    Relation("burial", "place", "burial buried grave interred tomb 葬", r"\b(?:buried|interred|burial|tomb|grave)\b|葬"),
    Relation("deathcause", "text", "deathcause", r"\b(?:died|death|killed|suicide)\b|死因"),
    Relation("lifespan", "lifespan", "lifespan lived 寿命", r"\b(?:born|died)\b|\d\s?[–—-]\s?(?:\d|[A-Z])"),
    Relation(
        "nationality", "country", "nationality citizenship citizen nationalities 国籍",
        r"\b(?:is|was)\b(?: an?| the)?|\bcitizen\b|国籍",
    ),
    Relation(
        "education", "name", "study studied studies educated education graduate graduated attended alma school university 毕业 就读 卒業",
        r"\b(?:studied|graduat\w+|attended|educated|alumn\w+|degree|enrolled|train\w+)\b(?:[^.;]{0,40}?\b(?:at|from|of|in))?|毕业于|就读于|卒業|で学",
    ),
    Relation(
        "employer", "name", "work works worked employer employed 工作 任职 勤務",
        r"\b(?:work(?:s|ed)?|employed|professor|taught|teaches|joined|lectur\w+|fellow)\b(?:[^.;]{0,40}?\b(?:at|for|by|of))?",
    ),
    Relation("award", "any", "award awards prize won win received honor honour 奖 賞", r"\b(?:award\w*|prize|won|received|medal|honou?r\w*)\b"),
    Relation("detention", "name", "detained imprisoned jailed incarcerated", r"\b(?:detain|imprison|incarcerat|jail|held|prison|sentence)\w*"),
    Relation(
        "release", "date", "released release published debuted premiered premiere issued 发行 上映 発売 公開",
        r"\b(?:releas\w+|issu\w+|on sale|premier\w+|publish\w+|debut\w*|film|song|album|single|magazine)\b|上映|公開|发行",
    ),
    Relation(
        "inception", "date", "established establishment inception founded opened opening created formed started 成立 创建 创立 设立 開業 設立 創業",
        r"\b(?:establish\w*|found\w*|open\w*|creat\w*|form\w*|start\w*|launch\w*|began|since)\b|成立|创立|開業|設立|創業",
    ),
    Relation(
        "country", "country", "country nation countries 国家 国",
        r"\b(?:in|from|of)\b|\b(?:is|was|are|were)\b(?: an?| the)?|位于|国",
    ),
    Relation(
        "location", "place", "located location situated lies based headquarters headquartered headquarter seat 位于 所在地 总部 本社",
        r"\b(?:located|situated|lies|stands?|based|headquarter\w*|(?:head|main) office|seat)\b(?: (?:in|at|on|near))?|位于|位於|总部设在|在|本社",
        r"に位置|にある|に本社",
    ),
    Relation(
        "age", "date", "age old",
        r"\b(?:born|founded|established|launched|built|opened|created|completed|since)\b|成立|创立|創業|設立|生まれ"
        r"|\b(?:was|were)(?: first| originally)? \w+ in (?=[12]\d{3})|\bdates? (?:from|back|on)\b|\b\w+ in: (?=[12]\d{3})|^\w+ in (?=[12]\d{3})",
    ),
    Relation("capital", "name", "capital 首都", r"\bcapital\b|首都"),
)  # fmt: skip
"""Tried in this order when several share a word; wh-words and phrases choose between date and place first."""

KINDS = {
    "education": r"Universit|College|School|Academy|Institut|Conservator|Polytechnic|大学|学院|学校",
    "award": r"Award|Prize|Medal|Order|Honou?r|Oscar|Hall of Fame|Fellow|奖|賞",
}
"""Words by which names of the kind that a relation leads to are known."""

PHRASES = (
    (r"^\W*(?:i|we)\b[^.?§]*[.!] ", ""),
    (r"\bi (?:can't|cannot|couldn't|could not) (?:decide|choose)\b(?: between)?", ""),
    (r"\b(?:should|can|could|must|would) (?:i|we|one) \w+\b", ""),
    (r"\bhead ?office\b", "headquarters"),
    (
        r"\b(?:come|comes|came) from(?=\W*$)|\b(?:grow|grew|grows) up\b|\bhails? from\b|\bhome ?town\b",
        "hometown",
    ),
    (r"^(.*§[^?]*)\? (?:i mean|that is|in other words),? ([^?]*)", r"\2 of §"),
    (r"\bin charge of\b|\b(?:look|looks|looked|looking) after\b", "head of"),
    (r"\b(?:present|current|nowadays)(?= [a-z])|\bnowadays\b", ""),
    (r"\b(?:whoever|somebody|someone) (?:who |that )?", "the person who "),
    (r"\blives? (?:the )?long(?:est|er)?\b|\b(?:get|gets|grow|grows) old(?:er)?\b", "live duration"),
    (r"^\W*i(?:'m| am) looking for\b|^\W*if (?:i|you|we|one) \w+ (?:with|on|to|in|by)\b", ""),
    (
        r"^\W*(?:put|place|arrange|sort|order) (?:these|those|the|them)?(?: \w+)? ?(?:in order of|in the order of|by)"
        r"(?: their)?\b",
        "",
    ),
    (r"(?<=[.:]) (?:which|who|what) (?:is|are|comes?) (?:it|they|first|(?:the )?(?:top|first) \w+)\W*$", ""),
    (
        r"\b(?:the )?(?:sources|accounts|figures|reports|numbers)(?: seem to| appear to| do not| don't)? "
        r"(?:differ|disagree|vary|agree|contradict\w*)\b[^?]*",
        "",
    ),
    (r"\bwhat work\b", "what job"),
    (r"\bfurther down\b", "deeper"),
    (r"\bfar(?:ther|thest)? (?:out|off|away)\b", "far"),
    (
        r"\b(?:chief|head|leading|lead|principal) (?!of\b|and\b|is\b|was\b|in\b|at\b|executive\b)(?=[a-z]{3,})",
        "",
    ),
    (r"\b(?:set|sets) (?:out|off)\b", "departed"),
    (r"\btook part\b|\btake part\b", "participated"),
    (
        r"^\W*(?:(?:can|could|would) you (?:please )?(?:tell|give|show) me|do you know|i(?:'d| would) like to know|i want to know)\b",
        "",
    ),
    (r"\b(?:the )?number of\b", "how many"),
    (r"\bwhat (?:kind|type|sort|variety) of (\w+)", r"what \1"),
    (r"\b(?:(?:on )?(?:which|what) )?day of (?:the )?week\b", "what weekday"),
    (r"\b(?:in|on) (?:which|what) (?:year|day|date|month)\b|\b(?:which|what) (?:year|date|day)\b", "when"),
    (r"\b(?:in|at) (?:which|what) (?:village|town|city|place|hamlet)\b", "where"),
    (r"\bhow long (?=(?:do|does|did|has|have|had|will|can|must|should|may)\b)", "how many duration "),
    (r"\bhow heavy\b", "how many weight"),
    (r"\bfor the first time\b", "first"),
    (r"\b(?:these days|at present|right now)\b", "now"),
    (r"\bback in (?=[12]\d{3})", "in "),
    (r"\bwho (?:has |have )?(?:won|wins)\b", "who winner"),
    (r"\b(?:that|which) won\b", "that winner"),
    (r"\b(?:place|location|city|town) of birth\b", "birthplace"),
    (r"\b(?:date|day|year) of birth\b", "birthdate"),
    (r"\b(?:place|location|city) of death\b", "deathplace"),
    (r"\b(?:date|year) of death\b", "deathdate"),
    (r"\bcause of death\b", "deathcause"),
    (r"\bplace of burial\b", "burial"),
    (r"\bcountry of (?:citizenship|origin)\b", "nationality"),
    (r"\bsame (?:place|city|town)\b", "birthplace"),
    (r"\b(?:which|what|same) (?:country|nation)\b", "country"),
    (r"\bcome out|came out|comes out\b", "released"),
    (r"\b(?:chief executive(?: officer)?|managing director|general manager|director general)\b", "ceo"),
    (r"\bwho (?:runs|leads|heads)\b", "who ceo"),
    (r"\bheld? the (?:office|post|position|job) of\b", ""),
    (r"\b(?:above|over) (?:the )?sea(?: level)?\b", "elevation"),
    (r"\bhow (?:far|high) elevation\b", "how many elevation"),
    (r"^\W*(?:please )?(?:name|rank|list|compare|give|tell|find|show|describe|explain)(?: me)?\b", ""),
    (r"(?<=[,:] )which \w+ (?=(?:has|have|had|is|was|are|were|does|did|do)\b)", "which "),
    (r"\bwho (?:gives|says|claims|states|reports) (?:which|what)\b\W*$", ""),
    (
        r"\bwhat (?:do|does) (?:the |each )?(?:\w+ )?(?:sources?|accounts|reports|people|papers|experts) (?:say|state|report|claim|give)s?(?: about| on| for| of)?\b",
        "what is",
    ),
    (r"\b(?:according to|by|in) (?:the )?(?:\w+ )?(?:sources|accounts|reports)\b", ""),
    (r"\b(?:(?:is|are|was|were) )?made (?:from|of|out of)\b", "material"),
    (r"\b(?:do|did) (?:the |all )?(?:sources|accounts|figures|numbers|reports) agree\b", ""),
    (
        r"\bi (?:have|'ve|keep|kept)(?: just| often)? (?:read|heard|seen|found|reading|hearing|seeing|finding|getting)\b(?:[^:;,.§]*[:;,.])?",
        "",
    ),
)
"""Fixed expressions, rewritten to one word before a question is cut into relations."""

COMPOSED = (
    (r"\b(?:maternal grandfather)\b|外祖父|外公", ("mother", "father")),
    (r"\b(?:maternal grandmother)\b|外祖母|外婆", ("mother", "mother")),
    (r"\b(?:paternal )?grandmother\b|祖母|奶奶", ("father", "mother")),
    (r"\b(?:paternal )?grandfather\b|祖父|爷爷", ("father", "father")),
    (r"\bfather-in-law\b|岳父|義父", ("spouse", "father")),
    (r"\bmother-in-law\b|岳母|義母", ("spouse", "mother")),
    (r"\b(?:sibling|brother|sister)-in-law\b", ("spouse", "sibling")),
    (r"\b(?:son|daughter|child)-in-law\b", ("child", "spouse")),
    (r"\bstep-?mother\b|继母|継母", ("father", "spouse")),
    (r"\bstep-?father\b|继父|継父", ("mother", "spouse")),
    (r"\b(?:paternal )?(?:uncle|aunt)\b", ("father", "sibling")),
    (r"\b(?:grandson|granddaughter|grandchild|grandchildren)\b|孙子|孫", ("child", "child")),
)
"""Words that stand for two relations in a row, read outwards from the one who is named."""

DETOURS = {"mother": ("father", "spouse"), "father": ("mother", "spouse")}
"""Another way round when a page does not state a relation: somebody's mother is the father's spouse."""

LATER = frozenset(
    "later latest last newer newest younger youngest recently recent newly 更晚 最晚 较晚 最新 年轻 遅い 新しい 若い".split()
)
EARLIER = frozenset(
    "earlier earliest first older oldest sooner eldest 更早 最早 较早 先 年长 早い 古い 年上".split()
)
MORE = frozenset(
    """more most larger largest bigger biggest greater greatest higher highest longer longest taller tallest faster
    fastest heavier heaviest deeper deepest wider widest stronger strongest top best busiest busier costliest 更多 更大
    更高 更长 更快 更重 最多 最大 最高 最长 最快 最重 多い 大きい 高い 長い 速い 重い""".split()
)
LESS = frozenset(
    """less least fewer fewest smaller smallest lower lowest shorter shortest slower slowest lighter lightest cheaper
    cheapest worst 更少 更小 更低 更短 更慢 更轻 最少 最小 最低 最短 最慢 最轻 少ない 小さい 低い 短い 遅い 軽い""".split()
)
SAME = frozenset("same share both equal identical 相同 一样 同じ 共通".split())

DIMENSIONS = {
    "long": "length", "longer": "length", "longest": "length", "tall": "height", "taller": "height", "tallest": "height",
    "high": "height", "higher": "height", "highest": "height", "wide": "width", "wider": "width", "widest": "width",
    "fast": "speed", "faster": "speed", "fastest": "speed", "slower": "speed", "slowest": "speed", "quick": "speed",
    "heavy": "weight", "heavier": "weight", "heaviest": "weight", "lighter": "weight", "lightest": "weight",
    "expensive": "price", "cheaper": "price", "cheapest": "price", "costliest": "price", "old": "age", "older": "age",
    "deep": "depth", "deeper": "depth", "deepest": "depth", "busiest": "traffic", "busier": "traffic",
    "far": "distance", "farther": "distance", "farthest": "distance",
    "长": "长度", "更长": "长度", "最长": "长度", "高": "高度", "快": "速度", "更快": "速度", "最快": "速度", "重": "重量",
    "長い": "全長", "速い": "速度", "重い": "重量",
}  # fmt: skip
"""Adjectives and the quantity that they compare."""

TRANSLITERATION = (
    "阿埃艾安奥巴班贝本比宾波博布查达丹道德登迪丁杜多厄恩尔法范费芬弗福盖冈戈格古哈海汉赫亨霍吉加杰金卡凯坎康考科克肯"
    "库夸奎昆拉莱兰朗劳雷里利列林隆卢鲁伦罗洛吕马玛迈曼梅门蒙米明莫穆纳南内尼宁纽诺努欧帕潘佩皮平蓬普奇乔切琴热荣瑞若萨"
    "塞桑森沙莎舍圣施什史斯松苏索塔泰坦汤陶特腾蒂田廷通图托瓦万旺威韦维文翁温沃乌西希锡夏谢辛休许雅亚扬尧耶叶伊因英尤约"
    "扎泽詹赞芝治朱祖佐丝丽娜琳娅菲甘默墨茨兹琪葛顿敦柯奈妮彭薇蕾黛贾勒鲍蔡楚戴邓丰哥根夫"
)
"""Characters that Chinese uses to spell foreign names by sound."""

NAME_ENDINGS_ZH = (
    "公司 集团 大学 学院 银行 医院 协会 群岛 研究所 研究院 研究站 实验室 博物馆 图书馆 天文台 观测站 气象站 基金会 委员会 俱乐部 "
    "合唱团 剧团 乐团 舞团 修道院 教堂 剧院 剧场 戏院 工厂 作坊 工坊 农场 果园 花园 牧场 酒庄 矿山 山谷 峡谷 海峡 "
    "海湾 海沟 高地 高原 盆地 平原 三角洲 半岛 灯塔 号 市 县 省 州 岛 港 山 河 湖 桥 站 厂 寺 庙 宫 殿 塔 路 街 城 镇 村 乡 谷 湾 峰 岭 "
    "泉 井 矿 园 馆 院 所 团 队 社 会 奖 杯 节 钟 门 堡 庄 坊 店"
).split()
COMMON_KATAKANA = frozenset(
    """メートル キロメートル センチメートル キロ センチ ミリ キログラム グラム トン パーセント データ ページ ドル ユーロ リットル キロワット ワット ヘクタール
    ニュース サイト シェア ログイン ホーム アーカイブ ニュースレター クッキー インターネット メール ウェブ ブログ コメント テスト クラス チーム メンバー
    リーダー マスター スタッフ ボランティア コーチ ガイド モデル タイプ サイズ デザイン スピード エンジン モーター バッテリー ガス ガソリン ヘリウム
    チーズ ミルク バター パン ワイン ビール コーヒー ジュース ソース スープ ケーキ チョコレート リンゴ オレンジ レモン ナッツ オイル
    コンサート オーケストラ コンテスト コンクール フェスティバル イベント ゲーム レース リーグ クラブ グループ バンド ステージ ダンス ピアノ
    ギター バイオリン フルート トランペット ドラム メロディー リズム ホテル レストラン カフェ バス タクシー トラック ボート ヨット
    トンネル ダム タワー ビル ドア ガラス プラスチック ゴム ロープ カメラ レンズ ランプ カード チケット テーブル ベッド カレンダー
    シーズン スケジュール プログラム プロジェクト システム サービス センター コスト ボーナス ローン スポンサー メーカー ブランド オーナー デザイナー ドライバー パイロット モデル エンジニア アーティスト ピアニスト プロデューサー""".split()
)
"""Loanwords of everyday Japanese, which are written like foreign names and name nothing."""
