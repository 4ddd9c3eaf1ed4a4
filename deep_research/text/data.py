"""Data beside the code: word lists and rules, as TOML files."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def read_data(module: str, name: str) -> dict[str, Any]:
    """The TOML file of this name beside a module, which is given by its `__file__`."""
    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))
