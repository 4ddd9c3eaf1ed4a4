"""Units, trilingual labels and nouns, and the Chinese and Japanese sentences about libraries and their world.

Only attributes that Chinese or Japanese pages tell need sentences; the keys are those of `words_en`.
"""

from deep_research.offline.web.names import Text
from deep_research.offline.web.values import Unit

METRES = Unit(("m", "metres"), "米", "メートル")
CM = Unit(("cm", "centimetres"), "厘米", "センチ")
HOURS = Unit(("hours",), "小时", "時間")
YEARS = Unit(("years",), "年", "年")
FLORINS = Unit(("florins",), "弗罗林", "フローリン")
LOANS = Unit(("loans",), "次借阅", "件の貸出")
VISITORS = Unit(("visitors",), "名访客", "人の来館者")
NEW_MEMBERS = Unit(("new members",), "名新会员", "人の新会員")
INHABITANTS = Unit(("inhabitants",), "名居民", "人の住民")
BRIDGES = Unit(("bridges",), "座桥", "本の橋")
SMITHS = Unit(("smiths",), "名铁匠", "人の鍛冶師")
CLOCKMAKERS = Unit(("clockmakers",), "名钟表匠", "人の時計師")
BINDERS = Unit(("binders",), "名装订工", "人の製本師")
COGS = Unit(("cogwheels",), "个齿轮", "枚の歯車")
BOOKS_AN_HOUR = Unit(("books an hour", "books per hour"), "本/小时", "毎時{}冊")
PAGES = Unit(("pages",), "页", "ページ")
WOODCUTS = Unit(("woodcuts",), "幅木版画", "点の木版画")
SEATS = Unit(("seats",), "个座位", "席")
STOPS = Unit(("stops",), "个停靠点", "か所の寄港地")
BOOKS = Unit(("books",), "本书", "冊の本")

NOUNS = {
    "town": Text("the town", "该镇", "この町"),
    "forge": Text("the forge", "该厂", "この鍛冶場"),
    "maker": Text("the workshop", "该坊", "この工房"),
    "clerk": Text("the clerk", "这位机械馆员", "この機械司書"),
    "bindery": Text("the bindery", "该坊", "この製本所"),
    "book": Text("the book", "这本书", "この本"),
    "library": Text("the library", "该馆", "同館"),
    "barge": Text("the boat", "该船", "この船"),
    "affair": Text("the affair", "此案", "この事件"),
    "person": Text("this person", "此人", "この人物"),
}

LABELS = {
    "town.people": Text("Population", "人口", "人口"),
    "town.bridges": Text("Bridges", "桥梁", "橋"),
    "town.market": Text("Market day", "集市日", "市の立つ日"),
    "town.statue": Text("Statue on the square", "广场雕像", "広場の像"),
    "forge.lit": Text("First lit", "点火年份", "火入れ"),
    "forge.town": Text("Town", "城镇", "町"),
    "forge.smiths": Text("Smiths", "铁匠", "鍛冶師"),
    "forge.chimney": Text("Chimney", "烟囱高度", "煙突の高さ"),
    "maker.opened": Text("Opened", "开业年份", "開業"),
    "maker.founder": Text("Founder", "创办人", "創業者"),
    "maker.spring": Text("Mainsprings from", "发条来源", "ぜんまいの仕入先"),
    "maker.staff": Text("Staff", "员工", "職人"),
    "clerk.maker": Text("Maker", "制造者", "製作所"),
    "clerk.made": Text("Built", "制造年份", "製作年"),
    "clerk.height": Text("Height", "身高", "背丈"),
    "clerk.cogs": Text("Cogwheels", "齿轮", "歯車"),
    "clerk.tune": Text("Whistles", "所吹曲调", "口笛の曲"),
    "clerk.winding": Text(
        "Hours per winding (since {overhaul})",
        "上弦一次可运行（{overhaul}大修后）",
        "稼働時間({overhaul}から)",
    ),
    "clerk.winding_before": Text(
        "Hours per winding (before {overhaul})",
        "上弦一次可运行（{overhaul}大修前）",
        "稼働時間({overhaul}より前)",
    ),
    "clerk.speed_maker": Text("Speed (maker)", "取书速度（作坊）", "速さ(工房)"),
    "clerk.speed_trial": Text("Speed (trial)", "取书速度（实测）", "速さ(実測)"),
    "bindery.opened": Text("Opened", "开业年份", "開業"),
    "bindery.binders": Text("Binders", "装订工", "製本師"),
    "bindery.leather": Text("Leather", "皮料", "革"),
    "bindery.town": Text("Town", "城镇", "町"),
    "book.author": Text("Author", "作者", "著者"),
    "book.topic": Text("Subject", "题材", "題材"),
    "book.pages": Text("Length", "页数", "ページ数"),
    "book.pictures": Text("Pictures", "插图", "挿絵"),
    "book.bindery": Text("Bound at", "装订", "製本"),
    "book.worth": Text("Insured for", "保额", "保険額"),
    "book.year_title": Text("Printed (title page)", "印行（扉页）", "刊行(扉)"),
    "book.year_lab": Text("Printed (laboratory)", "印行（实验室）", "刊行(研究所)"),
    "library.town": Text("Town", "城镇", "町"),
    "library.opened": Text("Opened", "开馆年份", "開館"),
    "library.seats": Text("Reading room", "阅览座位", "閲覧席"),
    "library.shelves": Text("Length of shelves", "书架长度", "書架の長さ"),
    "library.clerk": Text("Chief mechanical clerk", "首席机械馆员", "機械司書長"),
    "library.treasure": Text("Most precious book", "镇馆之书", "至宝"),
    "library.librarian": Text("Head librarian (from {since})", "馆长（{since}起）", "館長({since}から)"),
    "library.librarian_before": Text(
        "Head librarian, {since}–{until}", "馆长（{since}—{until}）", "館長({since}〜{until})"
    ),
    "library.fee": Text("Yearly fee since {charter}", "年费（{charter}起）", "年会費({charter}から)"),
    "library.fee_before": Text(
        "Yearly fee before {charter}", "年费（{charter}之前）", "年会費({charter}より前)"
    ),
    "library.loans": Text("Loans, {year}", "{year}借阅量", "{year}の貸出数"),
    "library.visitors": Text("Visitors, {year}", "{year}访客", "{year}の来館者数"),
    "barge.launched": Text("Launched", "下水年份", "進水"),
    "barge.length": Text("Length", "船长", "全長"),
    "barge.stops": Text("Stops", "停靠点", "寄港地"),
    "barge.stock": Text("Books on board", "载书量", "積載冊数"),
    "barge.home": Text("Parent library", "所属图书馆", "親館"),
    "barge.favourite": Text("Most borrowed", "最常借出", "一番人気"),
    "barge.captain": Text("Captain (from {since})", "船长（{since}起）", "船長({since}から)"),
    "barge.captain_before": Text(
        "Captain, {since}–{until}", "船长（{since}—{until}）", "船長({since}〜{until})"
    ),
    "barge.joined": Text("New members, {year}", "{year}新会员", "{year}の新会員"),
    "affair.date": Text("Book returned on", "还书日期", "返却日"),
    "affair.library": Text("Library", "图书馆", "図書館"),
    "affair.book": Text("Book", "书", "本"),
    "affair.hiding": Text("Found", "发现处", "見つかった場所"),
    "affair.late": Text("Overdue by", "逾期", "延滞"),
    "affair.fine_library": Text("Fine (library)", "罚金（图书馆）", "罰金(図書館)"),
    "affair.fine_court": Text("Fine (court)", "罚金（法庭）", "罰金(法廷)"),
    "person.born": Text("Born", "出生", "生年"),
    "person.islet": Text("Grew up on", "成长的小岛", "育った小島"),
    "person.job": Text("First job", "第一份工作", "最初の仕事"),
    "person.pet": Text("Pet", "宠物", "飼っている動物"),
}

ZH: dict[str, tuple[str, ...]] = {
    "library.town": ("{s}位于{v}的运河边。", "{s}就在{v}。"),
    "library.opened": ("{s}于{v}开馆。", "{v}，{s}借出了第一本书。"),
    "library.seats": ("{s}的阅览室有{v}。",),
    "library.shelves": ("把{s}的书架首尾相接，总长{v}。", "{s}的书架共长{v}。"),
    "library.clerk": ("{s}的首席机械馆员叫{v}。", "在{s}柜台后忙碌的首席机械馆员是{v}。"),
    "library.treasure": ("{s}最珍贵的一本书是{v}。",),
    "library.librarian": ("{s}的馆长是{v}，{since}上任。",),
    "library.librarian_before": ("{since}到{until}，{s}的馆长是{v}。", "{v}在{since}到{until}主管{s}。"),
    "library.fee_before": ("{charter}新章程之前，{s}的年费是{v}。",),
    "library.fee": ("{charter}新章程之后，{s}的年费是{v}。",),
    "clerk.maker": ("{s}由{v}制造。", "{s}背后的铭牌写着{v}。"),
    "clerk.made": ("{s}造于{v}。",),
    "clerk.height": ("{s}身高{v}。", "从鞋跟到帽顶，{s}高{v}。"),
    "clerk.cogs": ("{s}体内有{v}。",),
    "clerk.tune": ("整理卡片时，{s}爱吹{v}。",),
    "clerk.winding_before": ("{overhaul}大修之前，{s}上一次弦可走{v}。",),
    "clerk.winding": ("{overhaul}大修之后，{s}上一次弦可走{v}。",),
    "clerk.speed_maker": ("作坊宣称{s}的取书速度为{v}。",),
    "clerk.speed_trial": ("{readers}实测{s}的取书速度为{v}。",),
    "maker.opened": ("{s}开业于{v}。",),
    "maker.founder": ("{s}由{v}创办。", "{s}的创办人是{v}。"),
    "maker.spring": ("{s}用的发条来自{v}。",),
    "maker.staff": ("{s}雇有{v}。",),
    "person.born": ("{s}生于{v}。",),
    "person.islet": ("{s}在小岛{v}长大。", "{s}的童年是在小岛{v}度过的。"),
    "person.job": ("{s}的第一份工作是{v}。",),
    "person.pet": ("{s}养着{v}。",),
}

JA: dict[str, tuple[str, ...]] = {
    "book.author": ("{s}の著者は{v}である。", "{s}を書いたのは{v}である。"),
    "book.topic": ("{s}の題材は{v}である。",),
    "book.pages": ("{s}は全部で{v}ある。", "{s}の長さは{v}に及ぶ。"),
    "book.pictures": ("{s}には{v}が入っている。",),
    "book.bindery": ("{s}は{v}で製本された。",),
    "book.worth": ("{s}の原本には{v}の保険が掛けられている。",),
    "book.year_title": ("{s}の扉には{v}刊とある。",),
    "book.year_lab": ("{lab}は紙を調べ、{s}の刊行を{v}とした。",),
    "barge.launched": ("{s}は{v}に進水した。",),
    "barge.length": ("{s}の全長は{v}である。",),
    "barge.stops": ("{s}は一巡りで{v}を回る。", "{s}には{v}がある。"),
    "barge.stock": ("{s}は{v}を積んでいる。",),
    "barge.home": ("{s}は{v}に属する。",),
    "barge.favourite": ("{s}で一番よく借りられるのは{v}である。",),
    "barge.captain": ("{s}の船長は{since}から{v}が務める。",),
    "barge.captain_before": ("{since}から{until}まで{s}の船長は{v}だった。",),
    "library.opened": ("{s}は{v}に開館した。",),
    "library.seats": ("{s}の閲覧室には{v}ある。",),
    "library.fee_before": ("{charter}の新憲章まで、{s}の年会費は{v}だった。",),
    "library.fee": ("{charter}の新憲章で、{s}の年会費は{v}になった。",),
    "person.born": ("{s}は{v}に生まれた。",),
    "person.islet": ("{s}は小島{v}で育った。",),
    "person.job": ("{s}の最初の仕事は{v}だった。",),
    "person.pet": ("{s}は{v}と暮らしている。", "{s}は{v}を飼っている。"),
}
