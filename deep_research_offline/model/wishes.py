"""What a request wishes of a report's form, its length, layout and reader, which is no matter of research."""

from __future__ import annotations

import re

from .lexicon import NUMBERS
from .report_words import WISHES
from .text import is_cjk, split_prose, term_set, tidy

_EDGES = re.compile(r"\s+(?=[,.;:?!])|^[\s,;:，、。.]+|[,，、]\s*(?=[.?!。？！]|$)|(?<=[.?!。？！])[.。]")
_PLACES = {"千": 1000, "百": 100, "十": 10}
_SIZE = {"words": 1, "sentences": 25, "paragraphs": 90, "pages": 400, "brief": 250}
"""Words of one: Chinese and Japanese have twice as many characters, apart from those that are counted."""


def without_wishes(text: str) -> str:
    """A request without its wishes about form; a sentence of nothing else is left out."""
    kept = []
    for said in split_prose(text):
        bare = said
        for pattern in WISHES.values():
            bare = pattern.sub("" if is_cjk(text) else " ", bare)
        bare = said if bare == said else _EDGES.sub("", tidy(bare))
        if bare == said or term_set(bare):
            kept.append(bare)
    return ("" if is_cjk(text) else " ").join(kept) or text


def wishes_a_report(text: str) -> bool:
    """Whether a request says for whom or on how many pages something is to be written."""
    return any(WISHES[name].search(text) for name in ("reader", "pages", "paragraphs"))


def wished_words(text: str) -> int | None:
    """How many words at most a request wishes; characters in Chinese and Japanese."""
    found = []
    for unit, size in _SIZE.items():
        for match in WISHES[unit].finditer(text):
            said = next(filter(None, match.groups()))
            wide = 2 if is_cjk(text) and unit != "words" else 1
            found.append(round(wide * size * (1 if unit == "brief" else _number(said))))
    return min(found, default=None)


def _number(said: str) -> float:
    """The number that ends an expression: "200 to 300", "half a", "three hundred"."""
    if digits := re.findall(r"\d+", said.replace(",", "")):
        return float(digits[-1])
    if is_cjk(said):
        runs = re.findall(r"([^千百十])?([千百十])?", said)
        return sum(NUMBERS.get(n, 1) * _PLACES.get(place, 1) for n, place in runs if n or place)
    told = [NUMBERS.get(word, 1) for word in said.lower().split()[:1]]
    return 0.5 if said.lower().startswith("half") else told[0] * (100 if "hundred" in said.lower() else 1)
