"""What code says in three languages, as data: one TOML file per theme, a line per text and language.

`reports.toml` is what reports say besides what writers write, `prompts.toml` what prompts say besides their
instructions, `users.toml` what users are asked. A text that a language lacks is an error when its file is
read; that all three have the same fields is tested.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "zh", "ja")

_FOLDER = Path(__file__).parent


@cache
def read(path: Path) -> dict[str, dict[str, dict[str, str]]]:
    """A file as table → language → key → text."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        name: {language: {key: texts[language] for key, texts in table.items()} for language in LANGUAGES}
        for name, table in tables.items()
    }


def phrases(name: str) -> dict[str, dict[str, str]]:
    """A table such as `reports.checks`, as language → key → text."""
    theme, table = name.split(".")
    return read(_FOLDER / f"{theme}.toml")[table]


def phrase(name: str) -> dict[str, str]:
    """One text such as `reports.headings.sources`, in every language."""
    table, _, key = name.rpartition(".")
    return {language: texts[key] for language, texts in phrases(table).items()}
