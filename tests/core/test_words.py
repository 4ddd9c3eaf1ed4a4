"""Texts in three languages: every language has every text, with the same fields and as many lines."""

from __future__ import annotations

import tomllib
from pathlib import Path
from string import Formatter

import pytest

from deep_research.core import words
from deep_research.core.gaps import WORDS_FILE

FILES = [WORDS_FILE, *sorted(Path(words.__file__).parent.glob("*.toml"))]


def fields(text: str) -> set[str]:
    """The names that are filled in; an empty one is a place without a name."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_text_stands_in_every_language_with_the_same_fields(path: Path) -> None:
    for table, entries in tomllib.loads(path.read_text(encoding="utf-8")).items():
        for key, texts in entries.items():
            where = f"{table}.{key}"
            assert list(texts) == list(words.LANGUAGES) and all(texts.values()), where
            assert len({frozenset(fields(text)) for text in texts.values()}) == 1, where
            assert len({len(text.splitlines()) for text in texts.values()}) == 1, where


def test_a_text_that_a_language_lacks_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "some.toml"
    path.write_text('[table]\nkey.en = "a"\nkey.zh = "b"\n')
    with pytest.raises(KeyError, match="ja"):
        words.read(path)
