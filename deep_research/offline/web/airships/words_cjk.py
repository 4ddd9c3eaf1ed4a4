"""Chinese and Japanese sentences about airships, and the trilingual labels and nouns.

Only kinds that have Chinese or Japanese pages need sentences; the keys are those of `words_en`.
"""

from deep_research.offline.web.names import Text
from deep_research.offline.web.values import Unit

KM = Unit(("km", "kilometres"), "公里", "キロメートル")
METRES = Unit(("m", "metres"), "米", "メートル")
KMH = Unit(("km/h", "kilometres per hour"), "公里/小时", "時速{}キロメートル")
KW = Unit(("kW", "kilowatts"), "千瓦", "キロワット")
KG = Unit(("kg", "kilograms"), "公斤", "キログラム")
CROWNS = Unit(("crowns",), "克朗", "クローネ")
PERCENT = Unit(("%", "per cent", "percent"), "%", "%")
AIRSHIPS = Unit(("airships",), "艘飞艇", "隻の飛行船")
PASSENGERS = Unit(("passengers",), "名乘客", "人")
LANDINGS = Unit(("landings",), "次降落", "回の着陸")
MASTS = Unit(("mooring masts",), "座系留塔", "基の係留塔")
SLIPS = Unit(("slips",), "座船台", "基の船台")
WORKERS = Unit(("workers",), "名工人", "人の従業員")
INJURED = Unit(("injured people", "injured"), "人受伤", "人の負傷者")

NOUNS = {
    "line": Text("the line", "该公司", "同社"),
    "ship": Text("the airship", "该飞艇", "同船"),
    "yard": Text("the yard", "该船厂", "同造船所"),
    "maker": Text("the firm", "该厂", "同工場"),
    "engine": Text("the engine", "该发动机", "このエンジン"),
    "harbour": Text("the port", "该港", "同港"),
    "person": Text("this person", "此人", "この人物"),
    "route": Text("the route", "该航线", "この航路"),
    "incident": Text("the accident", "该事故", "この事故"),
}

LABELS = {
    "line.founded": Text("Founded", "成立年份", "設立年"),
    "line.base": Text("Home port", "基地港", "本拠港"),
    "line.flagship": Text("Flagship", "旗舰", "旗艦"),
    "line.fleet": Text("Fleet at the end of {year}", "{year}底机队规模", "{year}末の保有数"),
    "line.baggage": Text("Free baggage", "免费行李额", "無料手荷物"),
    "line.punctuality": Text("Departures on time, {year}", "{year}准点率", "{year}の定時運航率"),
    "line.head": Text("Managing director (since {since})", "总经理（{since}起）", "社長({since}から)"),
    "line.head_before": Text(
        "Managing director, {since} to {until}", "总经理（{since}至{until}）", "社長({since}から{until}まで)"
    ),
    "line.passengers": Text("Passengers carried in {year}", "{year}载客量", "{year}の輸送人員"),
    "ship.yard": Text("Builder", "建造厂", "建造所"),
    "ship.launched": Text("Launched", "首航年份", "進空年"),
    "ship.length": Text("Length", "长度", "全長"),
    "ship.engine": Text("Engines", "发动机", "エンジン"),
    "ship.capacity": Text(
        "Capacity since the refit of {refit}", "{refit}改装后载客量", "{refit}の改装後の定員"
    ),
    "ship.capacity_before": Text(
        "Capacity before the refit of {refit}", "{refit}改装前载客量", "{refit}の改装前の定員"
    ),
    "ship.refit": Text("Refit", "改装年份", "改装年"),
    "ship.speed_builder": Text("Top speed (builder)", "最高速度（船厂数据）", "最高速度(造船所発表)"),
    "ship.speed_register": Text(
        "Top speed (acceptance trials)", "最高速度（验收试飞）", "最高速度(受領試験)"
    ),
    "yard.founded": Text("Founded", "成立年份", "設立年"),
    "yard.founder": Text("Founder", "创始人", "創業者"),
    "yard.town": Text("Location", "所在地", "所在地"),
    "yard.workers": Text("Workforce", "员工人数", "従業員数"),
    "yard.slips": Text("Slips", "船台", "船台"),
    "maker.founded": Text("Founded", "成立年份", "設立年"),
    "maker.founder": Text("Founder", "创始人", "創業者"),
    "maker.town": Text("Seat", "所在地", "所在地"),
    "engine.maker": Text("Manufacturer", "制造商", "製造元"),
    "engine.weight": Text("Dry weight", "净重", "乾燥重量"),
    "engine.power_maker": Text("Output (maker)", "功率（厂家数据）", "出力(製造元発表)"),
    "engine.power_test": Text("Output (independent test)", "功率（独立测试）", "出力(第三者試験)"),
    "harbour.island": Text("Island", "岛屿", "島"),
    "harbour.opened": Text("Opened", "启用年份", "開港年"),
    "harbour.masts": Text("Mooring masts", "系留塔", "係留塔"),
    "harbour.elevation": Text("Elevation", "海拔", "標高"),
    "harbour.master": Text("Harbour master (since {since})", "港务长（{since}起）", "港長({since}から)"),
    "harbour.master_before": Text(
        "Harbour master, {since} to {until}", "港务长（{since}至{until}）", "港長({since}から{until}まで)"
    ),
    "harbour.passengers": Text("Passengers in {year}", "{year}旅客量", "{year}の旅客数"),
    "harbour.landings": Text("Landings in {year}", "{year}降落次数", "{year}の着陸回数"),
    "person.born": Text("Born", "出生年份", "生年"),
    "person.birthplace": Text("Birthplace", "出生地", "出生地"),
    "person.studied": Text("Studied at", "就读院校", "出身校"),
    "route.distance": Text("Distance", "航程", "距離"),
    "route.duration": Text("Flying time", "飞行时间", "所要時間"),
    "route.fare": Text("Single fare", "单程票价", "片道運賃"),
    "route.line": Text("Operator", "运营公司", "運航会社"),
    "incident.ship": Text("Airship", "涉事飞艇", "当該船"),
    "incident.date": Text("Date", "日期", "日付"),
    "incident.cause": Text("Cause", "原因", "原因"),
    "incident.injured_line": Text("Injured (operator)", "受伤人数（公司）", "負傷者(運航会社)"),
    "incident.injured_inquiry": Text("Injured (inquiry)", "受伤人数（调查）", "負傷者(調査委員会)"),
    "incident.chair": Text("Chair of the inquiry", "调查主席", "調査委員長"),
}

ZH: dict[str, tuple[str, ...]] = {
    "line.founded": ("{s}成立于{v}。", "{v}，{s}正式成立。"),
    "line.base": ("{s}的基地设在{v}。", "{s}以{v}为基地港。"),
    "line.flagship": ("{s}的旗舰是{v}。", "{v}是{s}的旗舰。"),
    "line.fleet": ("{year}底，{s}拥有{v}。",),
    "line.baggage": ("{s}的旅客每人可免费携带{v}行李。",),
    "line.punctuality": ("{year}{s}的准点率为{v}。",),
    "line.head": ("自{since}起，{v}担任{s}总经理。", "{s}现任总经理是{v}，{since}上任。"),
    "line.head_before": ("{since}至{until}间，{s}总经理为{v}。", "{v}曾于{since}至{until}担任{s}总经理。"),
    "line.passengers": ("{year}，{s}运送了{v}。",),
    "ship.yard": ("{s}由{v}建造。", "建造{s}的是{v}。"),
    "ship.launched": ("{s}于{v}首航。",),
    "ship.length": ("{s}全长{v}。", "从艇首到艇尾，{s}长{v}。"),
    "ship.engine": ("{s}装有四台{v}发动机。",),
    "ship.capacity": ("{refit}改装之后，{s}可载{v}。",),
    "ship.capacity_before": ("{refit}改装之前，{s}只能载{v}。",),
    "ship.refit": ("{s}于{v}接受改装。",),
    "ship.speed_builder": ("船厂公布{s}的最高速度为{v}。",),
    "ship.speed_register": ("{office}验收试飞测得{s}的最高速度为{v}。",),
    "yard.founded": ("{s}创立于{v}。",),
    "yard.founder": ("{s}的创始人是{v}。", "{v}创办了{s}。"),
    "yard.town": ("{s}位于{v}。",),
    "yard.workers": ("{s}雇有{v}。",),
    "yard.slips": ("{s}有{v}。",),
    "harbour.island": ("{s}位于{v}。",),
    "harbour.opened": ("{s}于{v}启用。",),
    "harbour.masts": ("{s}设有{v}。",),
    "harbour.elevation": ("{s}海拔{v}。",),
    "harbour.master": ("自{since}起，{s}港务长由{v}担任。",),
    "harbour.master_before": ("{since}至{until}，{s}港务长是{v}。",),
    "harbour.passengers": ("{year}，{s}接待了{v}。",),
    "harbour.landings": ("{year}，{s}共有{v}。",),
    "person.born": ("{s}生于{v}。",),
    "person.birthplace": ("{s}出生于{v}。", "{s}的故乡是{v}。"),
    "person.studied": ("{s}曾就读于{v}。",),
}

JA: dict[str, tuple[str, ...]] = {
    "line.founded": ("{s}は{v}に設立された。", "{s}の設立は{v}である。"),
    "line.base": ("{s}は{v}を本拠とする。",),
    "line.flagship": ("{s}の旗艦は{v}である。", "{v}は{s}の旗艦を務める。"),
    "line.fleet": ("{year}末の時点で、{s}は{v}を保有していた。",),
    "line.baggage": ("{s}では乗客一人につき{v}までの手荷物が無料である。",),
    "line.punctuality": ("{year}の{s}の定時運航率は{v}だった。",),
    "line.head": ("{since}以来、{s}の社長は{v}である。", "{v}は{since}から{s}の社長を務めている。"),
    "line.head_before": ("{since}から{until}まで、{s}の社長は{v}だった。",),
    "line.passengers": ("{year}に{s}は{v}を運んだ。",),
    "ship.yard": ("{s}は{v}で建造された。", "{s}を建造したのは{v}である。"),
    "ship.launched": ("{s}は{v}に進空した。",),
    "ship.length": ("{s}の全長は{v}である。",),
    "ship.engine": ("{s}は{v}エンジンを四基備える。",),
    "ship.capacity": ("{refit}の改装後、{s}の定員は{v}となった。",),
    "ship.capacity_before": ("{refit}の改装前、{s}の定員は{v}だった。",),
    "ship.refit": ("{s}は{v}に改装された。",),
    "ship.speed_builder": ("造船所は{s}の最高速度を{v}と発表している。",),
    "ship.speed_register": ("{office}の受領試験で{s}の最高速度は{v}と測定された。",),
    "yard.founded": ("{s}は{v}に創業した。",),
    "yard.founder": ("{s}の創業者は{v}である。", "{s}を創業したのは{v}である。"),
    "yard.town": ("{s}は{v}にある。",),
    "yard.workers": ("{s}には{v}がいる。",),
    "yard.slips": ("{s}には{v}がある。",),
    "harbour.island": ("{s}は{v}にある。",),
    "harbour.opened": ("{s}は{v}に開港した。",),
    "harbour.masts": ("{s}には{v}がある。",),
    "harbour.elevation": ("{s}の標高は{v}である。",),
    "harbour.master": ("{since}から{s}の港長は{v}が務めている。",),
    "harbour.master_before": ("{since}から{until}まで、{s}の港長は{v}だった。",),
    "harbour.passengers": ("{year}に{s}を利用したのは{v}だった。",),
    "harbour.landings": ("{year}の{s}では{v}が記録された。",),
    "person.born": ("{s}は{v}に生まれた。",),
    "person.birthplace": ("{s}の出生地は{v}である。", "{s}は{v}の出身である。"),
    "person.studied": ("{s}は{v}で学んだ。",),
}
