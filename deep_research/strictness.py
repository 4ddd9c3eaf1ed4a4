"""Leaving out what a strict reader does not want: doubts, forecasts, opinions, what no primary source says.

Told by words and by who stands behind a source, both plain data (`strictness.toml`); no model is asked. A
sentence goes whole or stays whole; one that leans on the sentence before it ("It also …") goes with that one.
What stays cites primary sources only, so that the verifier compares it with those and with no other.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from .ledger import CITATION
from .settings import OutputSettings
from .source_rules import under
from .state import Removed, Source
from .text import outside_code
from .verification.claims import CitedSentence, all_sentences
from .verification.removal import without

RULES_FILE = Path(__file__).with_name("strictness.toml")


@cache
def _rules() -> dict[str, Any]:
    return tomllib.loads(RULES_FILE.read_text(encoding="utf-8"))


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    """What tells sentences of a kind, in all languages."""
    words = _rules()[kind]
    latin = "|".join(re.escape(word) for word in words["en"])
    others = "|".join(re.escape(word) for word in (*words["zh"], *words["ja"]))
    return re.compile(rf"\b(?:{latin})\b|{others}")


def is_primary(source: Source) -> bool:
    """Whether a source counts as primary."""
    primary = _rules()["primary"]
    named = source.tier in primary["tiers"] or source.kind in primary["kinds"]
    return bool(named or under(source.url, primary["hosts"]))


def strict(markdown: str, cited: Sequence[Source], output: OutputSettings) -> tuple[str, list[Removed]]:
    """A text with `[n]` markers without what the settings want left out, and what went, with the reason.

    `cited` are the sources by number. Without such settings the text stays as it is.
    """
    primary = {number for number, source in enumerate(cited, start=1) if is_primary(source)}
    gone: list[tuple[CitedSentence, str]] = []
    for said in all_sentences(markdown):
        reason = _unwanted(said, primary, output)
        if not reason and gone and _leans_on(said, gone[-1][0], markdown):
            reason = "leaning"
        gone += [(said, reason)] if reason else []

    def kept(match: re.Match[str]) -> str:
        return match[0] if int(match[1]) in primary else ""

    text = without(markdown, [(said.start, said.end) for said, _ in gone])
    if output.primary_only:
        text = outside_code(text, lambda part: CITATION.sub(kept, part))
        text = re.sub(r"[ \t]+(?=[.。!?]|$)", "", text, flags=re.MULTILINE)
    return text, [Removed(number="", reason=f"{reason}: {said.text}") for said, reason in gone]


def _unwanted(said: CitedSentence, primary: set[int], output: OutputSettings) -> str:
    """Why a sentence goes; "" if it stays."""
    for kind in output.drop:
        if _pattern(kind).search(said.text):
            return kind
    return "not_primary" if output.primary_only and not primary & set(said.numbers) else ""


def _leans_on(said: CitedSentence, before: CitedSentence, markdown: str) -> bool:
    """Whether a sentence stands right behind another one and opens with a word that points back to it."""
    together = "\n" not in markdown[before.end : said.start].strip(" \t")
    return together and bool(_opening().match(said.text))


@cache
def _opening() -> re.Pattern[str]:
    """How a sentence begins that cannot stand alone, in all languages."""
    words = _rules()["leaning"]
    latin = "|".join(re.escape(word) for word in words["en"])
    others = "|".join(re.escape(word) for word in (*words["zh"], *words["ja"]))
    return re.compile(rf"\W*(?:(?:{latin})\b|{others})")
