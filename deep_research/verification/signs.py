"""What stands around a number and changes its value: a minus sign, words for one, a scale of temperature."""

from __future__ import annotations

import re

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
    told = _LESS_BEFORE.search(text, max(start - 40, 0), start) or _LESS_BEHIND.search(text, end, end + 15)
    return start, 0 if told else 1


def scale_before(text: str, start: int) -> tuple[int, str]:
    """Where a scale of temperature stands before the number that starts here (摄氏5度), and it; else ""."""
    found = _SCALE_BEFORE.search(text, max(start - 12, 0), start)
    return (found.start(), found["scale"]) if found else (start, "")
