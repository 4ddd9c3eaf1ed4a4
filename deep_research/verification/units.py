"""The units that the claim check knows: what they measure, and what one is in the base unit of its kind.

A sign that stands for several currencies ($, ¥) agrees with each of them. Nothing is converted between
currencies, nor between Celsius and Fahrenheit: two statements in different ones are different statements.
"""

# ruff: noqa: E501 - one unit a line

from __future__ import annotations

import re
from collections.abc import Iterable

_UNIT_TABLE = """
m 1: m metre metres meter meters 米 メートル
m 1000: km kilometre kilometres kilometer kilometers 公里 千米 キロメートル
m 0.01: cm centimetre centimetres centimeter centimeters 厘米 センチ センチメートル
m 0.001: mm millimetre millimetres millimeter millimeters 毫米 ミリ ミリメートル
m 1609.344: mi mile miles 英里 マイル
m 0.3048: ft foot feet 英尺 フィート
kg 1: kg kilogram kilograms kilo kilos 公斤 千克 キログラム キロ
kg 0.001: g gram grams 克 グラム
kg 1000: t tonne tonnes 吨 トン
kg 0.45359237: lb lbs 磅 ポンド
m2 1: m2 sqm sq_m square_metre square_metres square_meter square_meters 平方米 平方メートル
m2 0.09290304: ft2 sqft sq_ft square_foot square_feet 平方英尺 平方フィート
m2 4046.8564224: acre acres 英亩 エーカー
m2 10000: ha hectare hectares 公顷 ヘクタール
m2 1000000: km2 sqkm sq_km square_kilometre square_kilometres square_kilometer square_kilometers 平方公里 平方千米 平方キロメートル 平方キロ
m2 2589988.110336: mi2 sqmi sq_mi square_mile square_miles 平方英里 平方マイル
m3 1: m3 cubic_metre cubic_metres cubic_meter cubic_meters 立方米 立方メートル
m3 0.001: litre litres liter liters 升 リットル
m3 0.028316846592: ft3 cu_ft cubic_foot cubic_feet 立方英尺 立方フィート
m3 1000000000: km3 cubic_kilometre cubic_kilometres cubic_kilometer cubic_kilometers 立方公里 立方千米 立方キロメートル
W 1: W watt watts 瓦 ワット
W 1000: kW kilowatt kilowatts 千瓦 キロワット
W 1000000: MW megawatt megawatts 兆瓦 メガワット
W 1000000000: GW gigawatt gigawatts 吉瓦 ギガワット
Hz 1: Hz hertz 赫兹 ヘルツ
m/s 0.2777777777777778: kmh kph
m/s 0.44704: mph
m/s 0.5144444444444445: knot knots ノット
s 1: sec secs second seconds 秒
s 60: min mins minute minutes 分钟
s 3600: h hr hrs hour hours 小时 時間
s 86400: day days 天 日間
s 604800: week weeks 周 週間
month 1: month months 个月 か月 ヶ月 カ月
month 12: year years 年间 年間
% 1: % percent 百分点 パーセント
° 1: degrees degree 度
°C 1: °C degrees_Celsius degree_Celsius 摄氏度 攝氏度 摂氏度
°F 1: °F degrees_Fahrenheit degree_Fahrenheit 华氏度 華氏度
$ 1: $ dollar dollars ドル
USD 1: US$ USD US_dollar US_dollars 美元 米ドル
CAD 1: C$ CA$ CAD Canadian_dollars 加元 カナダドル
AUD 1: A$ AU$ AUD Australian_dollars 澳元 豪ドル
HKD 1: HK$ HKD Hong_Kong_dollars 港元 香港ドル
TWD 1: NT$ TWD Taiwan_dollars 新台币 台湾ドル
€ 1: € euro euros EUR 欧元 ユーロ
£ 1: £ GBP British_pounds pounds_sterling 英镑 英ポンド
¥ 1: ¥
JPY 1: JPY JP¥ yen Japanese_yen 日元 円
CNY 1: CNY RMB CN¥ yuan renminbi 元 人民币 元人民币 人民元
KRW 1: ₩ KRW Korean_won 韩元 ウォン
INR 1: ₹ INR rupee rupees 卢比 ルピー
CHF 1: CHF Swiss_franc Swiss_francs 瑞士法郎 スイスフラン
"""
UNITS = {
    name.replace("_", " "): (kind, float(factor))
    for line in _UNIT_TABLE.split("\n")
    if line
    for head, names in [line.split(": ")]
    for kind, factor in [head.split(" ")]
    for name in names.split()
}
"""Name → kind and factor. `unit_of` looks up other letter cases, too."""
_FOLDED = {name.lower(): unit for name, unit in UNITS.items()} | {"per cent": ("%", 1.0)}
_DOLLARS = frozenset(("$", "USD", "CAD", "AUD", "HKD", "TWD"))
_MONEY = _DOLLARS | {"€", "£", "¥", "JPY", "CNY", "KRW", "INR", "CHF"}
_MEANT = {"$": _DOLLARS, "¥": frozenset(("JPY", "CNY")), "°": frozenset(("°C", "°F"))}


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


_YUAN = "元(?![素组件旦月年论次方首气老])"
UNIT = "|".join(
    name.replace("\\ ", "[ -]") if name != "元" else _YUAN for name in any_of(["per cent", *UNITS]).split("|")
)
"""A pattern for any name of a unit; a blank in it may be a hyphen."""
_SIGN = re.compile(r"[A-Z]{0,3}[$€£¥₩₹]|[A-Z]{3}|人民币")
BEFORE = any_of(name for name, (kind, _) in UNITS.items() if kind in _MONEY and _SIGN.fullmatch(name))
"""What may stand before an amount of money: a sign or a code, no word."""


def unit_of(name: str) -> tuple[str, float]:
    """The kind of a unit and its factor; without a name no kind."""
    plain = name.replace("-", " ")
    return UNITS.get(plain) or _FOLDED.get(plain.lower(), ("", 1.0))


def same_kind(one: str, other: str) -> bool:
    """Whether two kinds of unit may be one; a kind that is not given may be any."""
    return (
        not one or not other or one == other or other in _MEANT.get(one, ()) or one in _MEANT.get(other, ())
    )
