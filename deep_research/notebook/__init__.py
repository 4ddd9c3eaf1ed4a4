"""Displays for notebooks: graphs and the ways through them, timelines, sources, contexts. No run needs them.

Each display is one object that shows a figure or HTML, and whose plain text states the same facts, so that a
stored notebook can be compared as text. Nothing here calls a web service. Names are imported on first use,
so importing this package loads neither matplotlib nor LangGraph.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOME = {
    "comparisons": ("show_bars", "show_tradeoff"),
    "display": ("Display",),
    "graphs": ("draw",),
    "growth": ("context_growth",),
    "bench": ("progress", "sample_questions", "show_versions", "workbench"),
    "messages": ("show_messages",),
    "sources": ("show_claims", "show_sources"),
    "traces": ("show_side_by_side", "show_trace"),
}

__all__ = sorted(name for names in _HOME.values() for name in names)


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    for module, names in _HOME.items():
        if name in names:
            return getattr(import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
