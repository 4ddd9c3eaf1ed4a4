"""General words, read once from the TOML files beside this module."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=8)
def load(name: str) -> Mapping[str, Any]:
    """A TOML file of this package."""
    return tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


@cache
def patterns(section: str) -> Mapping[str, re.Pattern[str]]:
    """The expressions of a table of `words.toml`."""
    return {name: re.compile(told) for name, told in load("words")[section].items()}


def _words(section: str, key: str) -> frozenset[str]:
    return frozenset(str(load("words")[section][key]).split())


STOP = _words("english", "stop")
STOP |= {word.replace("'", "") for word in STOP if len(word) > 3}  # "dont"
WEAK = _words("english", "weak") | _words("cjk", "weak")
ASKING = _words("english", "asking")
MORE, LESS = _words("english", "more"), _words("english", "less")
COMPARING = _words("english", "comparing")
MORE_CJK, LESS_CJK = _words("cjk", "more"), _words("cjk", "less")
CJK_FUNCTION = _words("cjk", "function")
_IRREGULAR = (line.split() for line in str(load("words")["english"]["irregular"]).split(","))
IRREGULAR: Mapping[str, str] = {form: verb for verb, *forms in _IRREGULAR for form in forms}
"""Verbs by their irregular forms."""
MONTHS: tuple[str, ...] = tuple(str(load("words")["english"]["months"]).split())
DAYS = _words("english", "days")
IN_TIME = _words("english", "in_time")
ABBREVIATIONS = _words("english", "abbreviations")
"""Those that need no explanation."""
NUMBERS: Mapping[str, int] = load("words")["numbers"]
SPELLED = "|".join(word for word in NUMBERS if word.isascii())
"""Numbers in English words, as a part of a pattern."""


def spelled(number: int, lang: str) -> str:
    """A small number in words of a language; "" for others."""
    return next((word for word, n in NUMBERS.items() if n == number and word.isascii() == (lang == "en")), "")
