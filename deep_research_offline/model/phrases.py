"""The model's own words, from `phrases.toml`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .lexicon import load


def say(key: str, lang: str, **parts: Any) -> str:
    """A phrase in a language ("en", "zh" or "ja") with its parts filled in."""
    row = load("phrases")[key]
    text = str(row.get(lang, row["en"]))
    for name, value in parts.items():
        text = text.replace("{" + name + "}", str(value))
    return text


def tier_name(tier: str, lang: str) -> str:
    """What a kind of source is called in a language."""
    return str(load("phrases")["tier"].get(tier, {}).get(lang, tier.replace("_", " ")))


def join(items: Sequence[str], lang: str, last: str = "and") -> str:
    """`a, b and c` in a language, or with another word before the `last` one."""
    if len(items) < 2:
        return "".join(items)
    return say("comma", lang).join(items[:-1]) + say(last, lang) + items[-1]
