"""Keys that must be told to nobody: known values are taken out of every text that leaves an error.

A service may echo in its refusal the key that it was sent; as a gap, that text would reach the report, the
log, and the next model's prompt. Known are the environment's variables that are named like keys, and what a
client was built with (`keep_secret`). Some are plain words, like "anything" for a server of one's own: nobody
could tell these from the words of a report. So they are taken out of errors; elsewhere only where they stand
as a key does ("Bearer anything", "api_key=anything", in an address), or encoded.
"""

from __future__ import annotations

import json
import os
import re
import string
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from html import unescape
from typing import Any
from urllib.parse import unquote, urlsplit

from deep_research.text.fence import INVISIBLE

_NAMED_LIKE_KEYS = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)$", re.IGNORECASE)
_WORDS = re.compile(
    r"(?:(?:(?:[^\W\d_]{0,4}[aeiouAEIOU\x80-\U0010ffff]){1,5}[^\W\d_]{0,5})(?:[\s_./-]+|$)){1,2}|\d{1,8}"
)
"""One or two words as people speak them, or a date."""
_CAPITAL_INSIDE = re.compile(r"[a-z][A-Z]")
_NAMES = r"(?:key|token|secret|passw(?:or)?d|passphrase|pwd)"
_QUOTE = r"(?:\\{0,4}[\"']|&quot;)"
_AS_KEY = (
    rf"\bbearer\s+|authorization:\s*(?:basic\s+)?|(?:[-_ ]|\b(?:api|pass)){_NAMES}:\s*"
    rf"|{_NAMES}{_QUOTE}?\s*(?:[=:]\s*{_QUOTE}|(?:=|%3d)\s*)|--[\w-]{{0,20}}{_NAMES}\s+"
    rf"|[?&](?:auth|pass|appid)=|\b(?:password|passphrase):\s*|(?:[\w./%-]:|//)(?=[^\s:@/,]{{1,99}}@)"
)
"""What stands before a key where no other word does."""
_BEGINS_AS_KEY = re.compile(
    rf"(?:\bbearer|authorization:(?:\s*basic)?|{_NAMES}{_QUOTE}?\s*[=:]?|--[\w-]{{0,20}}{_NAMES})\s*\Z",
    re.IGNORECASE,
)
"""The end of a text behind which a key may stand."""
_NAMED_AS_KEY = re.compile(rf"(?:{_NAMES}|authorization)\Z", re.IGNORECASE)
_ESCAPED = re.compile(r"(?<!\\)\\+u([0-9a-f]{4})", re.IGNORECASE)
_BETWEEN = re.compile(f"{INVISIBLE.pattern[:-1]}\u00ad\u200c\u200d]")
"""What nobody sees between two letters."""
_IN_KEYS = f"{string.ascii_letters}{string.digits}{string.punctuation}\u00ad\u200b\u200c\u200d\u2060\ufeff"
_LONGEST = 4_000
"""Characters of a word that no key has, however it is spelled."""
_SHORTEST = 8
"""Characters below which taking a value out wherever it stands would spoil words."""
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


def without_keys(text: str, is_error: bool = False) -> str:
    """The text with every known key left out, in either case, backwards, and as addresses, JSON, hexadecimal
    digits or base64 would write it. `is_error`: it is what others say of an error.
    """
    known = _known()
    plain = _plain(text) if known else ""
    for value in sorted(known, key=len, reverse=True):
        forms, pattern = _spellings(value, is_error)
        if any(form in plain for form in forms):
            text = pattern.sub(lambda found: f"{found['before'] or ''}(key)", text)
    return text


def _known() -> set[str]:
    named = (value.strip() for name, value in os.environ.items() if _NAMED_LIKE_KEYS.search(name))
    return {*filter(None, (*_kept, *named))}


def without_keys_in(value: Any) -> Any:
    """The same for all texts in a JSON value."""
    if isinstance(value, str):
        return without_keys(value)
    known, plain = _known(), _plain(json.dumps(value, ensure_ascii=False))
    if not any(form in plain for one in known for form in _spellings(one, False)[0]):  # nearly all
        return value
    if isinstance(value, Mapping):
        given = {n: isinstance(v, str) and v in known and _NAMED_AS_KEY.search(n) for n, v in value.items()}
        return {without_keys(n): "(key)" if given[n] else without_keys_in(v) for n, v in value.items()}
    return [without_keys_in(item) for item in value] if isinstance(value, list) else value


def leave_out_keys(error: BaseException | None) -> None:
    """Take known keys out of the words of an error and of all that led to it, which a traceback shows."""
    seen, left = list[BaseException](), [error]
    while left:
        if (one := left.pop()) is not None and not any(one is known for known in seen):
            with suppress(AttributeError):  # of a client's own kind, whose words cannot be changed
                one.args = tuple(without_keys(a, True) if isinstance(a, str) else a for a in one.args)
            seen.append(one)
            left += [one.__cause__, one.__context__]


class KeyFilter:
    """A text that comes piece by piece, without keys: where some are known, no word leaves half."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """What may be shown now that this piece has come."""
        text, known = self._held + piece, _known()
        whole = text.rstrip(_IN_KEYS) if known else text
        if known and (before := _BEGINS_AS_KEY.search(whole, max(0, len(whole) - 80))):
            whole = whole[: whole.rfind(" ", 0, max(before.start() - 1, 0)) + 1]  # with the word before it
        for phrase in (one for one in known if " " in one):
            whole = whole[: len(whole) - _begun(phrase, text, len(whole))]
        whole = text if len(text) - len(whole) > _LONGEST else whole
        self._held = text[len(whole) :]
        return without_keys(whole)

    def rest(self) -> str:
        """What is left to be shown at the end."""
        held, self._held = self._held, ""
        return without_keys(held)


def _begun(phrase: str, text: str, end: int) -> int:
    """How many characters before a place a phrase begins that the text may end in."""
    places = range(max(0, len(text) - len(phrase)), end)
    return next((end - n for n in places if phrase.lower().startswith(text[n:].lower())), 0)


def _plain(text: str) -> str:
    """A text without what may stand between or for the letters of a key, in small letters."""
    plain = unquote(text) if "%" in text else text
    plain = unescape(plain) if "&#" in plain else plain
    if "\\" in plain:
        plain = _ESCAPED.sub(lambda code: chr(int(code[1], 16)), plain).replace("\\", "")
    return (plain if plain.isascii() else _BETWEEN.sub("", plain)).lower()


@lru_cache(maxsize=64)
def _spellings(value: str, is_error: bool) -> tuple[list[str], re.Pattern[str]]:
    """What of a key to look for in plain text, and the pattern that finds it however it is spelled.

    `before` is what shows that a word, or what is too short to be known for a key, stands there as one.
    """
    data = value.encode("utf-8", "surrogatepass")
    encoded = [
        b64encode(bytes(shift) + data).decode()[start : (shift + len(data)) * 8 // 6]
        for shift, start in enumerate((0, 2, 3))
    ]
    encoded += [text.replace("+", "-").replace("/", "_") for text in encoded if {*text} & {*"+/"}]
    is_long = len(value) >= _SHORTEST
    is_word = _WORDS.fullmatch(value) is not None and not _CAPITAL_INSIDE.search(value)
    spelled = [value, data.hex(), *([] if is_word else [value[::-1]])]
    loose = [f"{_BETWEEN.pattern}{{0,3}}".join(map(_letter, form)) for form in spelled]
    as_key = rf"(?i:(?P<before>{_AS_KEY}){loose[0]})(?!\w)"
    if is_word:
        loose[0] = rf"(?<!\w){loose[0]}(?!\w)" if is_error else "(?!)"
    anywhere = [*(f"(?i:{form})" for form in loose), *(rf"{re.escape(e)}[\w+/=-]*" for e in encoded)]
    forms = [form.replace("\\", "").lower() for form in (*spelled, *(encoded if is_long else []))]
    return forms, re.compile("|".join([as_key, *(anywhere if is_long else [])]))


def _letter(letter: str) -> str:
    """The pattern for a letter as it is, or as addresses, JSON or HTML may write it."""
    code = "".join(f"%{byte:02x}" for byte in letter.encode("utf-8", "surrogatepass"))
    number = ord(letter)
    html = rf"&#(?:{number}|x0{{0,4}}{number:x});"
    return rf"(?:\\{{0,3}}{re.escape(letter)}|{code}|\\{{1,8}}u{number:04x}|{html})"
