"""Where people were born, died or were buried, and of what: the set forms in which life stories say it.

A life stands in brackets after a name ("6 June 1906, Graz – 2 November 1994, Lyon"), or in a sentence after
a verb ("born to immigrants in Hoboken, New Jersey"). A place keeps the region after its comma.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .lexicon import DAYS, MONTHS
from .values import dates

_BIG = r"(?:(?:St|Mt|Ft)\. )?[^\W\d_a-zß-ÿ][\w'’]*(?:-[\w'’]+)*"
_LINK = r"(?:of|de|da|do|del|di|la|le|el|upon|am|im|in|on|sur|the|d')"
_PLACE = re.compile(
    rf"{_BIG}(?: (?:{_LINK} (?:{_LINK} )?)?{_BIG})*(?:, ?{_BIG}(?: (?:{_LINK} )?{_BIG})*){{0,2}}"
)
_MONTH = "|".join(m.capitalize() for m in MONTHS if len(m) > 3 or m == "may")
_NO_PLACE = re.compile(
    r"(?:Unknown|Unrecorded|Not|None|N|Died|Born)\b"
    rf"|(?:BCE?|CE|AD|[ON]S|{_MONTH}|{'|'.join(d.capitalize() for d in DAYS)})\b"
)
_IN = r"(?:in|at|near)\s+(?:an? |the )?(?=[^\W\d_a-zß-ÿ])"
_SAID = r"(?:\s*[:—–]|\s+(?:is|was))"
"""Between the name of a relation and its value, in a row or a sentence."""
_VERBS = {
    "birthplace": (
        rf"\b(?i:born)\b(?! as\b)[^.;()]{{0,80}}?\b{_IN}",
        rf"\b(?:(?i:birthplace|place of birth|hometown){_SAID}|native of|hometown of|birthplace,?|hometown,?)"
        r"\s+(?:the )?",
        rf"\b(?:raised|grew up)\b[^.;()]{{0,30}}?\b{_IN}",
        r"\b(?:is|was) an? [^.;]{0,60}?\bfrom\s+(?=[^\W\d_a-zß-ÿ])",
    ),
    "deathplace": (
        rf"\b(?i:died|dying|killed|executed|assassinated|murdered|death)\b[^.;()]{{0,90}}?\b{_IN}",
        rf"\b(?i:deathplace|place of death){_SAID}\s+(?:the )?",
    ),
    "burial": (rf"\b(?i:buried|interred|entombed|laid to rest|burial|grave|tomb)\b[^.;()]{{0,80}}?\b{_IN}",),
}
PLACES = frozenset(_VERBS)
"""The relations that `place` knows."""
_BRACKETS = re.compile(r"\(([^()]{6,220})\)")
_FROM_TO = re.compile(rf"\s*[–—]\s*|\s+-\s+|-\s*(?=(?:{_MONTH}|\d{{1,2}} |\d{{4}}|died))|;\s*(?=died\b)")
_CAUSE = re.compile(
    r"\b(?:died|dies|dying|killed|death)\b[^.;]{0,60}?\b(?:of|from|due to|caused by|by|in)\s+"
    r"(?!(?:his|her|their|the age)\b|\d)((?:an? |the )?[a-z][\w' -]{2,50}?|[A-Z][\w-]+['’]s disease)"
    r"(?=[.,;]|$| (?:at|on|in|aged?|while|and|when|during|after)\b)"
)


@lru_cache(maxsize=32768)
def place(relation: str, text: str) -> tuple[str, float]:
    """The place that a sentence gives for a relation of `PLACES`, and how plainly, 0–1; ("", 0) for none."""
    bracketed = _in_brackets(relation, text)
    if bracketed:
        return bracketed, 1.0
    for rank, pattern in enumerate(_VERBS[relation]):
        for match in re.finditer(pattern, text):
            found = _PLACE.match(text, match.end())
            if found and not _NO_PLACE.match(found.group(0)):
                return _ended(found.group(0), text[found.end() :]), 1.0 - 0.15 * rank
    return "", 0.0


def _ended(found: str, after: str) -> str:
    """A place without a last part that is the subject of what follows ("…, Missouri, Berry had")."""
    clause = re.match(
        r"\s+(?!(?:and|or|on|in|to|at|as|but|from|for|with|where|while|who|near|during)\b)[a-z]", after
    )
    return found.rpartition(",")[0] if clause and "," in found else found


def _in_brackets(relation: str, text: str) -> str:
    """The place beside the first date of a life in brackets, or beside the second for a death."""
    for match in _BRACKETS.finditer(text[:400]):
        parts = _FROM_TO.split(match.group(1))
        number = {"birthplace": 0, "deathplace": 1}.get(relation, len(parts))
        if number < len(parts) and dates(parts[0]):
            return _beside_date(parts[number])
    return ""


def _beside_date(part: str) -> str:
    """The place in one half of a life: after its date, else before it, unless that is a birth name."""
    found = dates(part)
    if not found:
        return ""
    before, after = part[: found[0].start], part[found[0].start + len(found[0].text) :]
    named = re.search(r"\b(?:born|né|née)\s+(?!in\b)", before)
    for side in (after, "" if named else before):
        match = _PLACE.search(side.split(";")[0] if side is after else side.rpartition(";")[2])
        if match and not _NO_PLACE.match(match.group(0)):
            return match.group(0)
    return ""


@lru_cache(maxsize=32768)
def cause_of_death(text: str) -> str:
    """What a sentence says somebody died of, "" for nothing."""
    match = _CAUSE.search(text)
    return match.group(1) if match else ""
