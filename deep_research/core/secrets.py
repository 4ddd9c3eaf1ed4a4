"""Keys that must be told to nobody: known values are taken out of every text that leaves an error.

A service may echo in its refusal the key that it was sent; as a gap, that text would reach the report, the
log, and the next model's prompt. Known are the environment's variables that are named like keys, and what a
client was built with (`keep_secret`). A password of plain words is not taken out, unless a client was built
with it: nobody could tell it from the words of a report.
"""

from __future__ import annotations

import json
import os
import re
import string
from base64 import b64encode
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import lru_cache
from html import unescape
from typing import Any
from urllib.parse import unquote, urlsplit

from deep_research.text.fence import INVISIBLE

_NAMED_LIKE_KEYS = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)$", re.IGNORECASE)
_WORDS = re.compile(r"(?:[^\W\d_]{1,15}(?:[\s_./-]+|$))+|\d{1,11}")
_CAPITAL_INSIDE = re.compile(r"[a-z][A-Z]")
_ESCAPED = re.compile(r"(?<!\\)\\+u([0-9a-f]{4})", re.IGNORECASE)
_BETWEEN = re.compile(f"{INVISIBLE.pattern[:-1]}\u00ad\u200c\u200d]")
"""What nobody sees between two letters."""
_IN_KEYS = f"{string.ascii_letters}{string.digits}{string.punctuation}\u00ad\u200b\u200c\u200d\u2060\ufeff"
_LONGEST = 4_000
"""Characters of a word that no key has, however it is spelled."""
_SHORTEST = 8
"""Characters below which a value is no key, and taking it out would spoil words."""
NO_KEY = "not-needed"
"""What clients are given that insist on a key where the endpoint wants none."""
_kept: set[str] = set()


def keep_secret(value: str) -> None:
    """Remember a key that is not in the environment."""
    if value != NO_KEY:
        _kept.add(value)


def keep_password(address: str | None) -> None:
    """Remember the password that an address holds, if it does."""
    with suppress(ValueError):
        keep_secret(unquote(urlsplit(address or "").password or ""))


def without_keys(text: str) -> str:
    """The text with every known key left out, in either case, backwards, and as addresses, JSON, hexadecimal
    digits or base64 would write it.
    """
    return _without(_known(), text)


def _known() -> set[str]:
    named = (value.strip() for name, value in os.environ.items() if _NAMED_LIKE_KEYS.search(name))
    return {value for value in (*_kept, *filter(_is_no_words, named)) if len(value) >= _SHORTEST}


def _without(known: Collection[str], text: str) -> str:
    plain = _plain(text) if known else ""
    for value in sorted(known, key=len, reverse=True):
        forms, pattern = _spellings(value)
        if any(form in plain for form in forms):
            text = pattern.sub("(key)", text)
    return text


def without_keys_in(value: Any) -> Any:
    """The same for all texts in a JSON value; names of fields stay where a key is a word, as they are."""
    if isinstance(value, str):
        return without_keys(value)
    text = json.dumps(value, ensure_ascii=False)
    if without_keys(text) == text:  # nearly all
        return value
    if isinstance(value, Mapping):
        odd = [*filter(_is_no_words, _known())]
        return {_without(odd, name): without_keys_in(item) for name, item in value.items()}
    return [without_keys_in(item) for item in value] if isinstance(value, list) else value


def leave_out_keys(error: BaseException | None) -> None:
    """Take known keys out of the words of an error and of all that led to it, which a traceback shows."""
    seen, left = list[BaseException](), [error]
    while left:
        if (one := left.pop()) is not None and not any(one is known for known in seen):
            with suppress(AttributeError):  # of a client's own kind, whose words cannot be changed
                one.args = tuple(without_keys(part) if isinstance(part, str) else part for part in one.args)
            seen.append(one)
            left += [one.__cause__, one.__context__]


class KeyFilter:
    """A text that comes piece by piece, without keys: where some are known, no word leaves half."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """What may be shown now that this piece has come."""
        text = self._held + piece
        whole = text.rstrip(_IN_KEYS) if _known() else text
        whole = text if len(text) - len(whole) > _LONGEST else whole
        self._held = text[len(whole) :]
        return without_keys(whole)

    def rest(self) -> str:
        """What is left to be shown at the end."""
        held, self._held = self._held, ""
        return without_keys(held)


def _is_no_words(value: str) -> bool:
    return not _WORDS.fullmatch(value) or _CAPITAL_INSIDE.search(value) is not None


def _plain(text: str) -> str:
    """A text without what may stand between or for the letters of a key, in small letters."""
    plain = unquote(text) if "%" in text else text
    plain = unescape(plain) if "&#" in plain else plain
    if "\\" in plain:
        plain = _ESCAPED.sub(lambda code: chr(int(code[1], 16)), plain).replace("\\", "")
    return (plain if plain.isascii() else _BETWEEN.sub("", plain)).lower()


@lru_cache(maxsize=64)
def _spellings(value: str) -> tuple[list[str], re.Pattern[str]]:
    """What of a key to look for in plain text, and the pattern that finds it however it is spelled."""
    data = value.encode("utf-8", "surrogatepass")
    encoded = [
        b64encode(bytes(shift) + data).decode()[start : (shift + len(data)) * 8 // 6]
        for shift, start in enumerate((0, 2, 3))
    ]
    encoded += [text.replace("+", "-").replace("/", "_") for text in encoded if {*text} & {*"+/"}]
    spelled = [value, value[::-1], data.hex()]
    loose = (f"{_BETWEEN.pattern}{{0,3}}".join(map(_letter, form)) for form in spelled)
    pattern = "|".join([*(f"(?i:{form})" for form in loose), *(f"{re.escape(e)}[\\w+/=-]*" for e in encoded)])
    return [form.replace("\\", "").lower() for form in (*spelled, *encoded)], re.compile(pattern)


def _letter(letter: str) -> str:
    """The pattern for a letter as it is, or as addresses, JSON or HTML may write it."""
    code = "".join(f"%{byte:02x}" for byte in letter.encode("utf-8", "surrogatepass"))
    number = ord(letter)
    html = rf"&#(?:{number}|x0{{0,4}}{number:x});"
    return rf"(?:\\{{0,3}}{re.escape(letter)}|{code}|\\{{1,8}}u{number:04x}|{html})"
