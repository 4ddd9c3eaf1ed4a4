"""Parts that more than one design uses: approval, fresh state, perspectives, reflexion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from langchain_core.runnables import Runnable

Node: TypeAlias = Callable[..., Any] | Runnable[Any, Any]
"""What `build_graph` takes in place of a part: a function of state and runtime, or a compiled graph."""
