"""Units, trilingual labels and nouns, and the Chinese and Japanese sentences about post dogs and their world.

Only attributes that Chinese or Japanese pages tell need sentences; the keys are those of `words_en`.
"""

from deep_research.offline.web.names import Text
from deep_research.offline.web.values import Unit

KM = Unit(("km", "kilometres"), "公里", "キロメートル")
CM = Unit(("cm", "centimetres"), "厘米", "センチ")
MM = Unit(("mm", "millimetres"), "毫米", "ミリ")
KG = Unit(("kg", "kilograms"), "公斤", "キロ")
TONNES = Unit(("tonnes",), "吨", "トン")
HOURS = Unit(("hours",), "小时", "時間")
PENCE = Unit(("pence",), "便士", "ペンス")
CROWNS = Unit(("crowns",), "克朗", "クラウン")
LETTERS = Unit(("letters",), "封信", "通の手紙")
PARCELS = Unit(("parcels",), "件包裹", "個の小包")
GUESTS = Unit(("overnight guests",), "名过夜客", "人の宿泊客")
COPIES = Unit(("copies",), "枚", "枚")
INKS = Unit(("colours",), "种颜色", "色")
BUNKS = Unit(("bunks",), "个铺位", "台の寝台")
DOGS = Unit(("dogs",), "条狗", "頭の犬")
PUPPIES = Unit(("puppies",), "只幼犬", "頭の子犬")
PENS = Unit(("pens",), "间犬栏", "か所の囲い")
PRESSES = Unit(("presses",), "台印刷机", "台の印刷機")
WORKERS = Unit(("workers",), "名工人", "人の職人")

NOUNS = {
    "mill": Text("the mill", "该厂", "この製紙場"),
    "printer": Text("the printer", "该厂", "この印刷所"),
    "workshop": Text("the workshop", "该厂", "この工房"),
    "sled": Text("the sled", "这架雪橇", "この橇"),
    "kennel": Text("the kennel", "该犬舍", "この犬舎"),
    "dog": Text("the dog", "这条狗", "この犬"),
    "hut": Text("the hut", "这座小屋", "この小屋"),
    "line": Text("the line", "该邮线", "この路線"),
    "stamp": Text("the stamp", "这枚邮票", "この切手"),
    "blizzard": Text("the storm", "这场风雪", "この吹雪"),
    "person": Text("this person", "此人", "この人物"),
}

LABELS = {
    "mill.opened": Text("First sheet", "投产年份", "操業開始"),
    "mill.tonnes": Text("Yearly output", "年产量", "年産"),
    "mill.hands": Text("Workers", "工人", "職人"),
    "mill.river": Text("River", "河流", "川"),
    "printer.opened": Text("Opened", "开业年份", "開業"),
    "printer.presses": Text("Presses", "印刷机", "印刷機"),
    "printer.mill": Text("Paper from", "纸张来源", "用紙の仕入先"),
    "workshop.opened": Text("Building since", "建厂年份", "創業"),
    "workshop.founder": Text("Founder", "创办人", "創業者"),
    "workshop.hands": Text("Workers", "工人", "職人"),
    "sled.workshop": Text("Built by", "制造者", "製造元"),
    "sled.built": Text("Year built", "建造年份", "製造年"),
    "sled.length": Text("Length", "长度", "長さ"),
    "sled.weight": Text("Weight empty", "空重", "空の重さ"),
    "sled.room": Text("Room (since {rebuilt})", "容量（{rebuilt}起）", "積載数({rebuilt}から)"),
    "sled.room_before": Text("Room (before {rebuilt})", "容量（{rebuilt}之前）", "積載数({rebuilt}より前)"),
    "kennel.opened": Text("Opened", "开办年份", "開設"),
    "kennel.breeder": Text("Set up by", "创办人", "創設者"),
    "kennel.village": Text("Village", "村庄", "村"),
    "kennel.pups": Text("Puppies a year", "每年幼犬", "年間の子犬"),
    "kennel.pens": Text("Pens", "犬栏", "囲い"),
    "dog.kennel": Text("Bred at", "出生犬舍", "出身犬舎"),
    "dog.born": Text("Born", "出生年份", "生年"),
    "dog.weight": Text("Weight", "体重", "体重"),
    "dog.run": Text("Longest run", "最长奔跑距离", "最長走行"),
    "dog.load_kennel": Text("Greatest load (kennel)", "最大拉力（犬舍）", "最大牽引(犬舎)"),
    "dog.load_test": Text("Greatest load (official test)", "最大拉力（官方测试）", "最大牽引(公式試験)"),
    "hut.built": Text("Built", "建造年份", "建築年"),
    "hut.bunks": Text("Beds", "铺位", "寝台"),
    "hut.snow": Text("Deepest snow", "最大积雪", "最深積雪"),
    "hut.dish": Text("House dish", "招牌菜", "名物料理"),
    "hut.keeper": Text("Keeper (from {since})", "店主（{since}起）", "主人({since}から)"),
    "hut.keeper_before": Text("Keeper, {since}–{until}", "店主（{since}—{until}）", "主人({since}〜{until})"),
    "hut.guests": Text("Overnight guests, {year}", "{year}过夜客", "{year}の宿泊客"),
    "line.founded": Text("First mailbag", "开通年份", "開業"),
    "line.length": Text("Length of the trail", "线路长度", "路線の長さ"),
    "line.team": Text("Dogs in harness", "在役犬只", "現役の犬"),
    "line.terminus": Text("Last stop", "终点", "終点"),
    "line.leader": Text("Lead dog", "头犬", "先導犬"),
    "line.sled": Text("Main sled", "主力雪橇", "主力の橇"),
    "line.postage": Text("Letter, since {reform}", "信资（{reform}起）", "郵便料金({reform}から)"),
    "line.postage_before": Text(
        "Letter, before {reform}", "信资（{reform}之前）", "郵便料金({reform}より前)"
    ),
    "line.postmaster": Text("Postmaster (from {since})", "邮长（{since}起）", "局長({since}から)"),
    "line.postmaster_before": Text(
        "Postmaster, {since}–{until}", "邮长（{since}—{until}）", "局長({since}〜{until})"
    ),
    "line.letters": Text("Letters, {year}", "{year}信件", "{year}の手紙"),
    "line.parcels": Text("Parcels, {year}", "{year}包裹", "{year}の小包"),
    "stamp.designer": Text("Drawn by", "设计者", "図案"),
    "stamp.printer": Text("Printed by", "印刷者", "印刷"),
    "stamp.motif": Text("Dog shown", "图案上的狗", "描かれた犬"),
    "stamp.issued": Text("First day of issue", "发行日", "発行日"),
    "stamp.colours": Text("Colours", "颜色", "刷色"),
    "stamp.height": Text("Height", "高度", "高さ"),
    "stamp.record": Text("Record price", "最高成交价", "最高落札額"),
    "stamp.run_printer": Text("Print run (printers)", "印量（印刷厂）", "発行枚数(印刷所)"),
    "stamp.run_club": Text("Print run (collectors)", "印量（集邮会）", "発行枚数(切手会)"),
    "blizzard.date": Text("Day", "日期", "発生日"),
    "blizzard.hours": Text("Duration", "持续时间", "続いた時間"),
    "blizzard.line": Text("Line stopped", "受阻邮线", "止まった路線"),
    "blizzard.hut": Text("Shelter", "避难处", "避難先"),
    "blizzard.lost_line": Text("Lost mail (the line)", "遗失邮件（邮线）", "紛失(路線)"),
    "blizzard.lost_ombudsman": Text("Lost mail (ombudsman)", "遗失邮件（申诉专员）", "紛失(苦情委員)"),
    "person.born": Text("Born", "出生", "生年"),
    "person.birthplace": Text("Birthplace", "出生地", "出生地"),
    "person.school": Text("School", "学校", "学校"),
    "person.hobby": Text("Hobby", "爱好", "趣味"),
}

ZH: dict[str, tuple[str, ...]] = {
    "line.founded": ("{s}从{v}开始送信。", "{v}，{s}送出了第一袋邮件。"),
    "line.length": ("{s}全长{v}。",),
    "line.team": ("{s}共有{v}在役。", "{s}的名册上有{v}。"),
    "line.terminus": ("{s}的终点是{v}。",),
    "line.leader": ("{s}的头犬叫{v}。", "跑在{s}队伍最前面的是{v}。"),
    "line.postage_before": ("{reform}资费改革之前，{s}寄一封信要{v}。",),
    "line.postage": ("{reform}资费改革之后，{s}寄一封信要{v}。",),
    "line.postmaster": ("{s}的现任邮长是{v}，{since}上任。",),
    "line.postmaster_before": ("{since}到{until}，{s}的邮长是{v}。", "{v}从{since}到{until}担任{s}的邮长。"),
    "dog.kennel": ("{s}出生在{v}。", "{s}由{v}培育。"),
    "dog.born": ("{s}生于{v}。",),
    "dog.weight": ("{s}体重{v}。",),
    "dog.run": ("{s}最远一口气跑过{v}。",),
    "dog.load_kennel": ("犬舍称{s}能拉动{v}。",),
    "dog.load_test": ("{inspectors}测得{s}最多拉动{v}。",),
    "kennel.opened": ("{s}开办于{v}。",),
    "kennel.breeder": ("{s}的创办人是{v}。", "{s}是{v}创办的。"),
    "kennel.village": ("{s}就在{v}村口。",),
    "kennel.pups": ("{s}每年养大{v}。",),
    "kennel.pens": ("{s}有{v}。",),
    "hut.built": ("{s}建于{v}。",),
    "hut.bunks": ("{s}设有{v}。", "{s}的屋顶下有{v}。"),
    "hut.snow": ("{s}测得的最大积雪是{v}。",),
    "hut.dish": ("{s}的招牌菜是{v}。",),
    "hut.keeper": ("{s}的店主是{v}，{since}接手。",),
    "hut.keeper_before": ("{since}到{until}，{s}的店主是{v}。",),
    "person.born": ("{s}生于{v}。",),
    "person.birthplace": ("{s}出生在{v}村。", "{s}的出生地是{v}。"),
    "person.school": ("{s}曾就读于{v}。",),
    "person.hobby": ("{s}的爱好是{v}。",),
}

JA: dict[str, tuple[str, ...]] = {
    "stamp.designer": ("{s}の図案は{v}が描いた。", "{s}を描いたのは{v}である。"),
    "stamp.printer": ("{s}は{v}で刷られた。",),
    "stamp.motif": ("{s}には郵便犬の{v}が描かれている。",),
    "stamp.issued": ("{s}は{v}に発売された。",),
    "stamp.colours": ("{s}は{v}で刷られている。", "{s}の印刷には{v}を使う。"),
    "stamp.height": ("{s}の高さは{v}である。",),
    "stamp.record": ("{s}の最高落札額は{v}である。",),
    "dog.kennel": ("{s}は{v}で生まれ育った。",),
    "dog.born": ("{s}は{v}生まれである。",),
    "dog.weight": ("{s}の体重は{v}ある。",),
    "dog.run": ("{s}は休まずに{v}を走ったことがある。",),
    "dog.load_kennel": ("犬舎によれば、{s}は{v}を引ける。",),
    "dog.load_test": ("{inspectors}の試験で{s}が引いた最大の荷は{v}だった。",),
    "line.founded": ("{s}は{v}に開業した。",),
    "line.length": ("{s}の全長は{v}である。",),
    "line.team": ("{s}では{v}が働く。",),
    "line.postage_before": ("{reform}の料金改定まで、{s}の手紙は一通{v}だった。",),
    "line.postage": ("{reform}の料金改定で、{s}の手紙は一通{v}になった。",),
    "hut.built": ("{s}は{v}に建てられた。",),
    "hut.bunks": ("{s}には{v}がある。",),
    "hut.snow": ("{s}で測られた最も深い雪は{v}である。",),
    "hut.dish": ("{s}の名物は{v}である。",),
    "person.born": ("{s}は{v}に生まれた。",),
    "person.birthplace": ("{s}は{v}村の出である。",),
    "person.school": ("{s}は{v}に通った。", "{s}の母校は{v}である。"),
    "person.hobby": ("{s}の趣味は{v}である。",),
}
