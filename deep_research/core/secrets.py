"""Keys that must be told to nobody: known values are taken out of every text that leaves an error.

A service may echo in its refusal the key that it was sent; as a gap, that text would reach the report, the
log, and the next model's prompt. Known are the environment's variables that are named like keys, and what a
client was built with (`keep_secret`).
"""

from __future__ import annotations

import os
import re
from urllib.parse import quote

_NAMED_LIKE_KEYS = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)$", re.IGNORECASE)
_SHORTEST = 8
"""Characters below which a value is no key, and taking it out would spoil words."""
NO_KEY = "not-needed"
"""What clients are given that insist on a key where the endpoint wants none."""
_kept: set[str] = set()


def keep_secret(value: str) -> None:
    """Remember a key that is not in the environment."""
    if value != NO_KEY:
        _kept.add(value)


def without_keys(text: str) -> str:
    """The text with every known key left out, also as an address or JSON would write it."""
    named = (value for name, value in os.environ.items() if _NAMED_LIKE_KEYS.search(name))
    known = {value for value in (*_kept, *named) if len(value) >= _SHORTEST}
    for value in sorted({*known, *(quote(v, safe="") for v in known)}, key=len, reverse=True):
        text = text.replace(value, "(key)")
    return text
