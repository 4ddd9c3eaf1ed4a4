"""Numbers in words: "two hundred and twenty-four" is 224, 四十一 is 41, 三百二十万 is 3,200,000.

Chinese and Japanese numerals are written like every other character, so only what can hardly be anything
else is read: a number of several characters ("九州" and "三菱" hold none), or one character before a unit.
"""

from __future__ import annotations

import re

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
"""A pattern for a numeral; it also finds characters that are none, which `is_number` tells."""


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
