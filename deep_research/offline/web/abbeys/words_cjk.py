"""Units, trilingual labels and nouns, and the Chinese and Japanese sentences about abbeys and their world.

Only attributes that Chinese or Japanese pages tell need sentences; the keys are those of `words_en`.
"""

from deep_research.offline.web.names import Text
from deep_research.offline.web.values import Unit

METRES = Unit(("m", "metres"), "米", "メートル")
CM = Unit(("cm", "centimetres"), "厘米", "センチ")
KG = Unit(("kg", "kilograms"), "公斤", "キロ")
HERTZ = Unit(("Hz", "hertz"), "赫兹", "ヘルツ")
LITRES = Unit(("litres",), "升", "リットル")
MONTHS = Unit(("months",), "个月", "か月")
PERCENT = Unit(("%", "per cent", "percent"), "%", "%")
THALERS = Unit(("thalers",), "塔勒", "ターレル")
WHEELS = Unit(("wheels",), "轮奶酪", "個のチーズ")
PILGRIMS = Unit(("pilgrims",), "名朝圣者", "人の巡礼者")
TICKETS = Unit(("tickets",), "张门票", "枚の切符")
MEMBERS = Unit(("monks and nuns",), "名修士修女", "人の修道者")
SINGERS = Unit(("singers",), "名歌手", "人の歌い手")
LISTENERS = Unit(("listeners",), "名听众", "人の聴衆")
INHABITANTS = Unit(("inhabitants",), "名居民", "人の住民")
MINERS = Unit(("miners",), "名矿工", "人の坑夫")
FURNACES = Unit(("furnaces",), "座熔炉", "基の炉")
APPRENTICES = Unit(("apprentices",), "名学徒", "人の徒弟")
BARS = Unit(("bars",), "小节", "小節")
PARTS = Unit(("voice parts",), "个声部", "声部")

NOUNS = {
    "valley": Text("the valley", "该山谷", "この谷"),
    "mine": Text("the mine", "该矿", "この鉱山"),
    "foundry": Text("the foundry", "该厂", "同所"),
    "bell": Text("the bell", "这口钟", "この鐘"),
    "cheese": Text("the cheese", "这种奶酪", "このチーズ"),
    "abbey": Text("the house", "该院", "同院"),
    "choir": Text("the choir", "该团", "同団"),
    "work": Text("the piece", "该曲", "この曲"),
    "contest": Text("the contest", "这届比赛", "この大会"),
    "person": Text("this person", "此人", "この人物"),
}

LABELS = {
    "valley.pass_height": Text("Height of the pass", "垭口高度", "峠の高さ"),
    "valley.people": Text("Population", "人口", "人口"),
    "valley.river": Text("River", "河流", "川"),
    "mine.opened": Text("Worked since", "开采年份", "採掘開始"),
    "mine.depth": Text("Depth", "深度", "深さ"),
    "mine.miners": Text("Miners", "矿工", "坑夫"),
    "mine.valley": Text("Valley", "山谷", "谷"),
    "foundry.lit": Text("First fire", "点火年份", "火入れ"),
    "foundry.copper": Text("Source of copper", "铜料来源", "銅の産地"),
    "foundry.furnaces": Text("Furnaces", "熔炉", "炉"),
    "foundry.apprentices": Text("Apprentices", "学徒", "徒弟"),
    "foundry.master": Text("Master founder (from {since})", "铸钟师（{since}起）", "鋳造長({since}から)"),
    "foundry.master_before": Text(
        "Master founder, {since}–{until}", "铸钟师（{since}—{until}）", "鋳造長({since}〜{until})"
    ),
    "bell.foundry": Text("Cast by", "铸造者", "鋳造元"),
    "bell.cast": Text("Year of casting", "铸造年份", "鋳造年"),
    "bell.weight_ledger": Text("Weight (foundry ledger)", "重量（铸厂账簿）", "重さ(鋳造元の台帳)"),
    "bell.weight_scale": Text("Weight (official scale)", "重量（官方称重）", "重さ(公式計量)"),
    "bell.diameter": Text("Width at the lip", "口径", "口径"),
    "bell.pitch": Text("Pitch (retuned {retuned})", "音高（{retuned}调音后）", "音高({retuned}の調律後)"),
    "bell.pitch_before": Text("Pitch up to {retuned}", "音高（{retuned}调音前）", "音高({retuned}の調律前)"),
    "cheese.deviser": Text("Devised by", "创制者", "考案者"),
    "cheese.first": Text("First sold", "首次出售", "初出荷"),
    "cheese.milk": Text("Milk", "奶源", "原料乳"),
    "cheese.months": Text("Ripening", "熟成时间", "熟成期間"),
    "cheese.litres": Text("Milk per wheel", "每轮用奶", "一個あたりの乳量"),
    "cheese.price": Text(
        "Price of a wheel since {order}", "每轮价格（{order}起）", "一個の価格({order}から)"
    ),
    "cheese.price_before": Text(
        "Price of a wheel before {order}", "每轮价格（{order}之前）", "一個の価格({order}より前)"
    ),
    "cheese.fat_label": Text("Fat (label)", "脂肪（标签）", "脂肪分(表示)"),
    "cheese.fat_lab": Text("Fat (analysis)", "脂肪（化验）", "脂肪分(分析)"),
    "abbey.valley": Text("Valley", "山谷", "谷"),
    "abbey.altitude": Text("Altitude", "海拔", "標高"),
    "abbey.hallowed": Text("Hallowed", "祝圣年份", "献堂"),
    "abbey.members": Text("Community", "成员", "修道者"),
    "abbey.bell": Text("Great bell", "大钟", "大鐘"),
    "abbey.cheese": Text("Cheese", "奶酪", "チーズ"),
    "abbey.cellarer": Text("Cellarer (from {since})", "窖务长（{since}起）", "蔵役({since}から)"),
    "abbey.cellarer_before": Text(
        "Cellarer, {since}–{until}", "窖务长（{since}—{until}）", "蔵役({since}〜{until})"
    ),
    "abbey.wheels": Text("Wheels sold, {year}", "{year}奶酪销量", "{year}のチーズ出荷数"),
    "abbey.pilgrims": Text("Pilgrims, {year}", "{year}朝圣人数", "{year}の巡礼者数"),
    "choir.formed": Text("First rehearsal", "成团年份", "結成"),
    "choir.home": Text("Rehearses at", "排练地", "稽古場"),
    "choir.singers": Text("Singers", "歌手", "歌い手"),
    "choir.cantor": Text("Cantor (from {since})", "领唱（{since}起）", "楽長({since}から)"),
    "choir.cantor_before": Text(
        "Cantor, {since}–{until}", "领唱（{since}—{until}）", "楽長({since}〜{until})"
    ),
    "choir.opener": Text("Opening piece", "开场曲", "開幕曲"),
    "choir.tickets": Text("Tickets, {year}", "{year}售票", "{year}の切符"),
    "work.composer": Text("Composer", "作曲者", "作曲者"),
    "work.premiere": Text("First performance", "首演", "初演"),
    "work.bars": Text("Length", "长度", "長さ"),
    "work.parts": Text("Voices", "声部", "声部"),
    "work.kept": Text("Manuscript", "手稿", "手稿"),
    "contest.date": Text("Day", "日期", "開催日"),
    "contest.winner": Text("Winner", "冠军", "優勝"),
    "contest.host": Text("Host", "主办", "会場"),
    "contest.crowd_organiser": Text("Audience (organisers)", "观众（主办方）", "聴衆(主催者)"),
    "contest.crowd_constables": Text("Audience (constables)", "观众（巡警）", "聴衆(巡査)"),
    "contest.chair": Text("Head of the jury", "评委会主席", "審査長"),
    "contest.prize": Text("Prize", "奖品", "賞品"),
    "person.born": Text("Born", "出生", "生年"),
    "person.birthplace": Text("Birth village", "出生村庄", "生まれた村"),
    "person.teacher": Text("Teacher", "师承", "師匠"),
    "person.instrument": Text("Instrument", "乐器", "楽器"),
}

ZH: dict[str, tuple[str, ...]] = {
    "abbey.valley": ("{s}坐落在{v}。",),
    "abbey.altitude": ("{s}的大门位于海拔{v}处。", "香客要爬到海拔{v}才能望见{s}的屋顶。"),
    "abbey.hallowed": ("{s}于{v}祝圣。",),
    "abbey.members": ("{s}现有{v}。",),
    "abbey.bell": ("{s}钟楼里最大的钟是{v}。",),
    "abbey.cheese": ("{s}只做一种奶酪，即{v}。",),
    "abbey.cellarer": ("{v}从{since}起掌管{s}的地窖钥匙。",),
    "abbey.cellarer_before": ("{since}到{until}，掌管{s}地窖钥匙的是{v}。",),
    "choir.formed": ("{s}的首次排练是在{v}。", "{v}，{s}组建成团。"),
    "choir.home": ("{s}平时在{v}排练。",),
    "choir.singers": ("{s}共有{v}。",),
    "choir.cantor": ("{s}现任领唱{v}于{since}接过音叉。",),
    "choir.cantor_before": (
        "{since}到{until}，{s}的领唱一职由{v}承担。",
        "{v}在{since}到{until}是{s}的领唱。",
    ),
    "choir.opener": ("{s}每场音乐会都以{v}开场。",),
    "work.composer": ("{s}的作曲者是{v}。", "{v}写下了{s}。"),
    "work.premiere": ("{s}首演于{v}。",),
    "work.bars": ("{s}全曲共{v}。",),
    "work.parts": ("{s}由{v}交织而成。",),
    "work.kept": ("{s}的手稿保存在{v}的藏书楼。",),
    "bell.foundry": ("{s}出自{v}。",),
    "bell.cast": ("{s}铸成于{v}。",),
    "bell.diameter": ("{s}的口径为{v}。",),
    "bell.weight_ledger": ("铸厂账簿记载{s}重{v}。",),
    "bell.weight_scale": ("{office}称得{s}的重量为{v}。",),
    "bell.pitch_before": ("{retuned}调音之前，{s}的音高是{v}。",),
    "bell.pitch": ("{retuned}调音之后，{s}的音高改为{v}。",),
    "person.born": ("{s}生于{v}。",),
    "person.birthplace": ("{s}在小村{v}出生。", "{v}是{s}出生的村庄。"),
    "person.teacher": ("{s}师从{v}。",),
    "person.instrument": ("{s}擅长{v}。",),
}

JA: dict[str, tuple[str, ...]] = {
    "abbey.valley": ("{s}は{v}に建つ。",),
    "abbey.altitude": ("{s}の門は標高{v}にある。",),
    "abbey.hallowed": ("{s}は{v}に献堂された。",),
    "abbey.members": ("{s}では{v}が暮らす。",),
    "abbey.bell": ("{s}の塔でいちばん大きな鐘は{v}という。",),
    "abbey.cheese": ("{s}が作るチーズは{v}ただ一つである。", "{s}の蔵で熟すのは{v}だ。"),
    "abbey.cellarer": ("{s}の蔵の鍵は{since}から{v}が預かる。",),
    "abbey.cellarer_before": ("{since}から{until}まで{s}の蔵の鍵を預かったのは{v}だった。",),
    "cheese.deviser": ("{s}を考え出したのは{v}である。", "{s}の製法は{v}の考案による。"),
    "cheese.first": ("{s}が初めて売られたのは{v}である。",),
    "cheese.milk": ("{s}の原料は{v}だけである。",),
    "cheese.months": ("{s}は洞窟で{v}寝かされる。", "{s}の熟成には{v}かかる。"),
    "cheese.litres": ("{s}を一個作るのに{v}の乳を使う。",),
    "cheese.price_before": ("{order}の価格令より前、{s}は一個{v}だった。",),
    "cheese.price": ("{order}の価格令により、{s}は一個{v}と定められた。",),
    "bell.foundry": ("{s}は{v}で鋳られた。",),
    "bell.cast": ("{s}の鋳造は{v}である。",),
    "bell.diameter": ("{s}の口径は{v}ある。",),
    "bell.weight_ledger": ("鋳造元の台帳では{s}の重さは{v}とされる。",),
    "bell.weight_scale": ("{office}の大秤で量ると{s}は{v}だった。",),
    "bell.pitch_before": ("{retuned}の調律まで{s}は{v}で鳴っていた。",),
    "bell.pitch": ("{retuned}の調律で{s}は{v}になった。",),
    "person.born": ("{s}は{v}の生まれである。",),
    "person.birthplace": ("{s}の生まれた村は{v}である。",),
    "person.teacher": ("{s}に技を教えたのは{v}である。", "{s}は{v}に師事した。"),
    "person.instrument": ("{s}は{v}を弾きこなす。",),
}
