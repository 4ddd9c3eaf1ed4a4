"""What gives a number its value in running text: number words, signs and units.

*Number words*: "two hundred and twenty-four" is 224, 四十一 is 41, 三百二十万 is 3,200,000. Chinese and
Japanese numerals are ordinary characters, so only what can hardly be anything else is read: a number of
several characters ("九州" and "三菱" hold none), or one character before a unit. *Signs*: a minus sign, words
for one ("fell by"), a scale of temperature. *Units* are data (`units.toml`). A sign that stands for several
currencies ($, ¥) agrees with each of them; nothing is converted between currencies, nor between Celsius and
Fahrenheit, since two statements in different ones are different statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .data import read_data

NUMBER_WORDS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen".split()
    )
} | {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_CJK_DIGITS = {digit: value for value, digit in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}
_TENS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}

CJK_DIGIT = f"[{''.join(_CJK_DIGITS)}]"
_DIGIT = "[一二三四五六七八九两]"
_BELOW_MYRIAD = rf"(?:{_DIGIT}?千)?[零〇]?(?:{_DIGIT}?百)?[零〇]?(?:{_DIGIT}?十)?[零〇]?{_DIGIT}?"
CJK_NUMERAL = (
    rf"(?<![数數几幾{''.join([*_CJK_DIGITS, *_TENS, *_MYRIADS])}])(?={_DIGIT}|[十百千])"
    rf"(?:{_BELOW_MYRIAD}[亿億])?(?:[零〇]?{_BELOW_MYRIAD}[万萬])?{_BELOW_MYRIAD}"
)
"""A pattern for a numeral; it also finds characters that are none, see `is_number`."""


def is_number(numeral: str, before_unit: bool) -> bool:
    """Whether characters that may be a numeral are one here: 千万 ("by all means") and 一 alone are not."""
    if len(numeral) == 1:
        return before_unit and numeral != "一"
    return numeral[0] in "十百" or any(digit in numeral for digit in _CJK_DIGITS)


def cjk_value(numeral: str) -> int:
    """The value of a numeral, or of digits in a row: 四十一 is 41, 二〇四一 is 2041."""
    if all(digit in _CJK_DIGITS for digit in numeral):
        return int("".join(str(_CJK_DIGITS[digit]) for digit in numeral))
    total = below = digit = 0
    for character in numeral:
        if character in _MYRIADS:
            total += (below + digit) * _MYRIADS[character]
            below = digit = 0
        elif character in _TENS:
            below += (digit or 1) * _TENS[character]
            digit = 0
        else:
            digit = _CJK_DIGITS[character]
    return total + below + digit


def english_value(words: str) -> int:
    """The value of English number words."""
    total = current = 0
    for word in re.split(r"[ -]+", words.lower()):
        if word == "hundred":
            current *= 100
        elif word == "thousand":
            total, current = (total + current) * 1000, 0
        elif word != "and":
            current += NUMBER_WORDS[word]
    return total + current


_SCALE = "[摄攝摂华華]氏"
_ABOUT = "大?[约約]"
_MINUS = re.compile(
    r"(?:(?:(?<![\w.,)°%\0”」』》])(?<!\d )|(?<=[为為是はが到至约約达達温率氏]))[-−–]"
    r"|(?<!\d )\b(?:minus|negative) "
    rf"|(?:零下|氷点下|マイナス|[负負])(?:{_ABOUT})?(?:{_SCALE})? ?)$",
    re.IGNORECASE,
)
"""A hyphen right behind a word is none ("5米-10米", "神舟-12号"), except behind what leads to a value."""
_SCALE_BEFORE = re.compile(rf"(?P<scale>{_SCALE})(?:{_ABOUT}|零下|氷点下|マイナス|[负負]|[-−–]| )*$")
_BELOW_ZERO = re.compile(r"(?: degrees?)?(?: °?[CF]| Celsius)? below (?:zero|freezing)\b", re.IGNORECASE)
_LESS_BEFORE = re.compile(
    r"\b(?:f[ae]ll|drop|declin|decreas|reduc|los[st]|deficit|down|shr[aiu]nk|lower|cut|minus)|[亏虧损損跌降减減落]|赤字",
    re.IGNORECASE,
)
_LESS_BEHIND = re.compile(
    r"\b(?:below|less|fewer|lower|under|down|loss)\b|[亏虧损損跌降减減落]|赤字", re.IGNORECASE
)
"""Words that say what a sign would: "fell by 5 %" is "−5 %", and both are right."""


def sign_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Where a number starts with its sign, and the sign: 0 where words leave it open."""
    if minus := _MINUS.search(text, max(start - 10, 0), start):
        return minus.start(), -1
    if _BELOW_ZERO.match(text, end):
        return start, -1
    has_loss_word = _LESS_BEFORE.search(text, max(start - 100, 0), start) or _LESS_BEHIND.search(
        text, end, end + 15
    )
    return start, 0 if has_loss_word else 1


def scale_before(text: str, start: int) -> tuple[int, str]:
    """Where a scale of temperature stands before the number that starts here (摄氏5度), and it; else ""."""
    found = _SCALE_BEFORE.search(text, max(start - 12, 0), start)
    return (found.start(), found["scale"]) if found else (start, "")


UNITS = {
    name.replace("_", " "): (kind, float(factor))
    for head, names in read_data(__file__, "units.toml").items()
    for kind, factor in [head.split(" ")]
    for name in names.split()
}
"""Name → kind and factor. `unit_of` looks up other letter cases, too."""
_BY_LOWER_CASE = {name.lower(): unit for name, unit in UNITS.items()} | {"per cent": ("%", 1.0)}
_DOLLARS = frozenset(("$", "USD", "CAD", "AUD", "HKD", "TWD"))
_CROWNS = frozenset(("kr", "NOK", "SEK", "DKK"))
_MONEY = _DOLLARS | _CROWNS | {"€", "£", "¥", "JPY", "CNY", "KRW", "INR", "CHF"}
_COMPATIBLE = {
    "$": _DOLLARS, "kr": _CROWNS, "¥": frozenset(("JPY", "CNY")), "°": frozenset(("°C",)),
    "k": frozenset(("m", "g")),
}  # fmt: skip
"""Kinds of which a name may be short for several: キロ for a kilometre and a kilogram."""


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


_NOT_IN_WORD = {"元": "元(?![素组件旦月年论次方首气老])", "克": "克(?!朗)"}
UNIT = "|".join(
    _NOT_IN_WORD.get(name, name.replace("\\ ", "[ -]")) for name in any_of(["per cent", *UNITS]).split("|")
)
"""A pattern for any name of a unit; a blank in it may be a hyphen."""
_SIGN = re.compile(r"[A-Z]{0,3}[$€£¥₩₹]|[A-Z]{3}|人民币")
CURRENCY_BEFORE = any_of(
    name for name, (kind, _) in UNITS.items() if kind in _MONEY and _SIGN.fullmatch(name)
)
"""What may stand before an amount of money: a sign or a code, no word."""


def unit_of(name: str) -> tuple[str, float]:
    """The kind of a unit and its factor; without a name no kind."""
    plain = name.replace("-", " ")
    return UNITS.get(plain) or _BY_LOWER_CASE.get(plain.lower(), ("", 1.0))


_IN_LABEL = re.compile(
    rf"(?P<label>.*?)(?:\s*[(\[（［]|, ?| in )(?:in )?(?:(?P<alone>{UNIT})|(?P<sign>{CURRENCY_BEFORE})?\s?"
    r"(?:(?P<magnitude>thousand|million|billion|trillion|mn|bn|(?<=[$€£¥])[mb]|[百千万萬亿億]+)s?\s?)?"
    rf"(?P<unit>{UNIT}|(?<=[千万萬亿億])\w)?)[)\]）］]?\s*"
)
_BARE = re.compile(r"[-−–+~≈<>≤≥]?\s?\d[\d.,]*")
_OF_MONEY = {"m": "million", "b": "billion"}


def with_unit_of_label(label: str, cell: str) -> tuple[str, str]:
    """A column's label without its unit, and a bare number of that column with it.

    "Sales (€m)" and "3.1" are "Sales" and "3.1 million €"; others are as they were.
    """
    found = _IN_LABEL.fullmatch(label)
    parts = [found[name] or "" for name in ("magnitude", "sign", "unit", "alone")] if found else []
    if not found or not any(parts) or not _BARE.fullmatch(cell):
        return label, cell
    joint = "" if parts[0] and parts[0][0] in {*_TENS, *_MYRIADS} else " "
    return found["label"], joint.join(filter(None, (cell, _OF_MONEY.get(parts[0], parts[0]), *parts[1:])))


def same_kind(one: str, other: str) -> bool:
    """Whether two kinds of unit may be one; a kind that is not given may be any."""
    return (
        not one
        or not other
        or one == other
        or other in _COMPATIBLE.get(one, ())
        or one in _COMPATIBLE.get(other, ())
    )
