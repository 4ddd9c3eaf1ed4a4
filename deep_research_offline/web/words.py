"""The words of a domain, read from its `words.toml` (which says at its top what stands where)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .names import Text
from .values import Unit

LANGS = ("en", "zh", "ja")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of entity: how many a region has, their names, and English sentences of local colour."""

    noun: Text
    count: int
    article: str
    names: Sequence[Text]
    colour: Sequence[str]


@dataclass(frozen=True, slots=True)
class Topic:
    """An attribute of a kind: its label, the unit of its quantities, and sentences by language."""

    label: Text
    unit: Unit | None
    sentences: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Words:
    """`topics` by `kind.attribute`; `trades` may stand for a person's name, `lists` are drawn from."""

    kinds: Mapping[str, Kind]
    topics: Mapping[str, Topic]
    trades: Mapping[str, Text]
    lists: Mapping[str, Sequence[Text]]


@cache
def read_table(path: Path) -> Mapping[str, Any]:
    """A TOML file, read once."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def texts(table: Mapping[str, Sequence[str]]) -> dict[str, Text]:
    """Rows of English, Chinese, Japanese by name."""
    return {name: Text(*row) for name, row in table.items()}


@cache
def read_words(path: Path) -> Words:
    table = read_table(path)
    units = {name: Unit(tuple(en), zh, ja) for name, (en, zh, ja) in table["units"].items()}
    topics = {
        f"{kind}.{attr}": _topic(row, units)
        for kind, rows in table["facts"].items()
        for attr, row in rows.items()
    }
    kinds = {name: _kind(row) for name, row in table["kinds"].items()}
    lists = {name: tuple(Text(*row) for row in rows) for name, rows in table["lists"].items()}
    return Words(kinds, topics, texts(table["trades"]), lists)


def _kind(row: Mapping[str, Any]) -> Kind:
    names = tuple(Text(*name) for name in row.get("names", ()))
    return Kind(Text(*row["noun"]), row.get("count", 0), row.get("article", ""), names, row.get("colour", ()))


def _topic(row: Mapping[str, Any], units: Mapping[str, Unit]) -> Topic:
    unit = units[row["unit"]] if "unit" in row else None
    return Topic(Text(*row["label"]), unit, {lang: row[lang] for lang in LANGS if lang in row})
