"""Files as text: word lists and rules beside the code, as TOML, and what users have written."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def read_data(module: str, name: str) -> dict[str, Any]:
    """The TOML file of this name beside a module, which is given by its `__file__`."""
    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))


def decoded(data: bytes, errors: str = "strict") -> str:
    """The text of a user's file, in what its byte order mark says or UTF-8: Windows writes either."""
    return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", errors)
