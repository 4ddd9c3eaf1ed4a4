"""Numbers and names that a text adds to what was given: a model that plans may pass these on, and add none.

A clause with a number or a name that nobody gave is taken out; where it is the first one, its sentence is.
Names are told by their capitals inside a sentence, and by katakana; Title Case tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .fence import without_copied_tags
from .language import split_sentences
from .terms import STOP_WORDS, cjk_count
from .wording import CALENDAR

_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])\d+(?:[.,:-]\d+)*(?![A-Za-z0-9_])")
_LISTED = re.compile(r"^\s*\d+[.)]\s", re.MULTILINE)
_NAME = re.compile(
    r"(?<=[\w,;)’'] )(?<!\. )([A-Z][\w’'-]+)|([\u30a1-\u30fa\u30fc]{3,})"  # inside a sentence; katakana
)
_POSSESSIVE = re.compile(r"[’']s?$")
_WORD = re.compile(r"\w{4,}")
_CLAUSE = re.compile(r"(?<=[,;，；、])\s*|\s+(?=[(—–])|(?<=[)）])\s*")
_STEM = 5
_NO_NAMES = CALENDAR | STOP_WORDS
_ENDS = ".。!！?？"


def without_inventions(text: str, given: str) -> str:
    """The text without the clauses that hold a number or a name which is not in what was `given`.

    Where no clause would be left, only the numbers and names go.
    """
    numbers = _numbers(given)
    years = {str(int(one) + step) for one in numbers if re.fullmatch(r"\d{4}", one) for step in (-1, 1)}
    words = {word[:_STEM] for word in re.findall(r"\w+", given.casefold())}
    known = given.casefold()

    def is_given(clause: str) -> bool:
        if not _numbers(clause) <= numbers | years:
            return False
        names = [] if _is_title(text) else [a or b for a, b in _NAME.findall(clause)]
        plain = [name.casefold() for name in names]
        return all(name in known or name[:_STEM] in words or name in _NO_NAMES for name in plain)

    kept = "\n".join(
        line
        if is_given(line)
        else " ".join(filter(None, (_kept(s, is_given) for s in split_sentences(line))))
        for line in text.split("\n")
    ).strip()
    if kept or not text.strip():
        return kept
    bare = _NAME.sub(lambda name: name[0] if is_given(f"a {name[0]}") else "", text)
    bare = _NUMBER.sub(lambda number: number[0] if is_given(number[0]) else "", bare)
    return " ".join(bare.split())


def names_in_text(text: str) -> list[str]:
    """The names inside the sentences of a text, words that follow each other as one."""
    runs = re.finditer(rf"(?:{_NAME.pattern})(?: [A-Z][\w’'-]+)*", text)
    return list(dict.fromkeys(_POSSESSIVE.sub("", run[0]) for run in runs))


def given_only(value: Any, given: str) -> Any:
    """The same for every text of a JSON value, without tags copied from prompts.

    Texts of which nothing is left are left out of lists.
    """
    if isinstance(value, str):
        return without_inventions(without_copied_tags(value), given)
    if isinstance(value, list):
        changed = [given_only(item, given) for item in value]
        return [item for item, before in zip(changed, value, strict=True) if item or not before]
    if isinstance(value, dict):
        return {name: given_only(item, given) for name, item in value.items()}
    return value


def _kept(sentence: str, is_given: Callable[[str], bool]) -> str:
    if is_given(sentence):
        return sentence
    clauses = [clause for clause in _CLAUSE.split(sentence) if clause]
    left = [clause for clause in clauses if is_given(f"a {clause}")]
    if not left or left[0] != clauses[0]:
        return ""
    end = sentence.rstrip()[-1:]
    return (" " if sentence.isascii() else "").join(left).rstrip(" ,;，；、") + (
        end if end in _ENDS and left[-1] != clauses[-1] else ""
    )


def _numbers(text: str) -> set[str]:
    parts = (part for one in _NUMBER.findall(_LISTED.sub(" ", text)) for part in re.split(r"[:-]", one))
    return {part.replace(",", "").lstrip("0") for part in parts}


def _is_title(text: str) -> bool:
    """Whether a text is in Title Case: no word of content begins small."""
    words = [word for word in _WORD.findall(text) if word.casefold() not in STOP_WORDS]
    return bool(words) and not any(word[0].islower() or cjk_count(word) for word in words)
