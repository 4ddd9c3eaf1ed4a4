"""What a design's `build_graph` takes in place of one of its own parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from langchain_core.runnables import Runnable

Node: TypeAlias = Callable[..., Any] | Runnable[Any, Any]
"""A function of state and runtime that returns an update or a `Command`, or a compiled graph."""
