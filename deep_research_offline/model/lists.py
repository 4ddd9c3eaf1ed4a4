"""What a request lists: things, and criteria by which they are to be compared."""

from __future__ import annotations

import re
from functools import lru_cache

from .lexicon import NUMBERS, SPELLED
from .report_words import AT_LEAST, AT_MOST, CRITERIA, ITEMS, LESS_IS_BETTER, MEMBERS, MORE_IS_BETTER
from .text import split_prose, term_set, tidy, words
from .thesaurus import asked_by
from .values import Value, numbers

_NUMBER = re.compile(rf"\b(?:{SPELLED})\b(?= [a-z])", re.IGNORECASE)
_LEADING = re.compile(
    r"^(?:the|an?|both|either|these|those|by|in|on|of|its|their|how|what)\s+|^(?:这|各|它们的?|两者的?)",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"(?:的|を|の|で|が|は|等|など)$| for (?:me|us)$|(?:,? (?:please|pls|plz|thanks|thx))+\W*$", re.I
)
_ONE_CRITERION = re.compile(
    r"\bcompare\b[^.?!:]{3,160} (?:by|on|in|for) (?:their |its |the )?([\w-]+(?: [\w-]+)?)\W*$", re.IGNORECASE
)
_KIND_BEFORE = re.compile(r"^(?:[a-z][\w-]* )+(?=[A-Z])")
_KIND_BEHIND = re.compile(r"(?<=\w)(?: [a-z][\w-]*)+$")
"""What kind of thing a list says that its last member is ("Oslo and Bergen harbours")."""


@lru_cache(maxsize=1024)
def criteria(question: str) -> tuple[str, ...]:
    """By what things are to be compared or judged, in the request's words."""
    found = [_members(match[1]) for pattern in CRITERIA for match in pattern.finditer(question)]
    fits = [ps for ps in found if 1 < len(ps) <= 8 and not any(len(words(part)) > 4 for part in ps)]
    one = _ONE_CRITERION.search(_TRAILING.sub("", question))
    known = one and (asked_by(one[1]) or term_set(one[1]) & (MORE_IS_BETTER | LESS_IS_BETTER))
    return max(fits, key=len, default=(one[1],) if one and known else ())


@lru_cache(maxsize=1024)
def needs(question: str) -> tuple[tuple[Value, bool], ...]:
    """The amounts that a choice has to reach, or may cost at most, each with whether it is the least."""
    said = _NUMBER.sub(lambda m: str(NUMBERS[m[0].lower()]), question)
    found = [
        (value, least)
        for value in numbers(said)
        for pattern, least in ((AT_LEAST, True), (AT_MOST, False))
        if value.unit and pattern.search(said[: value.start])
    ]
    return tuple(found)


@lru_cache(maxsize=1024)
def listed(question: str) -> tuple[str, ...]:
    """The things that a request lists."""
    for said, pattern in ((said, pattern) for pattern in ITEMS for said in split_prose(question)):
        found = pattern.search(said)
        parts = _members(_without_criteria(found[1], question)) if found else ()
        named = [_KIND_BEHIND.sub("", part) for part in parts if re.search(r"[A-Z]", part)]
        parts = tuple(named) if len(named) > 1 else parts
        if len(parts) > 1:
            return tuple(part for part in parts if part not in criteria(question))
    return ()


def _without_criteria(text: str, question: str) -> str:
    """A list of things without the criteria behind it, as in "A and B on price"."""
    first = next(iter(criteria(question)), "")
    return (
        re.split(rf" (?:on|in|by|for) (?:the |their |its )?{re.escape(first)}\b", text)[0] if first else text
    )


def _members(text: str) -> tuple[str, ...]:
    """The members of a list in words."""
    parts = []
    for part in MEMBERS.split(text):
        part = _TRAILING.sub("", _LEADING.sub("", _LEADING.sub("", tidy(part or "")))).strip(
            " \"'“”‘’「」《》*.:：?？"
        )
        part = _KIND_BEFORE.sub("", part)
        if part and term_set(part):
            parts.append(part)
    return tuple(dict.fromkeys(parts))
