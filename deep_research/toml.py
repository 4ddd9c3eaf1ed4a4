"""Values and keys as TOML. Python's standard library reads TOML but does not write it.

JSON is close but not the same: it has no `inf`, leaves DEL as it is and quotes every key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_value(value: bool | int | float | str | Sequence[Any]) -> str:
    """A value as TOML on one line. Text must be valid Unicode (no lone surrogates)."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"[{', '.join(map(toml_value, value))}]"


def toml_key(name: str) -> str:
    """One part of a dotted key, in quotes where it needs them."""
    return name if _BARE.fullmatch(name) else toml_value(name)
