"""Displays for notebooks: graphs and the ways through them, timelines, sources, contexts. No run needs them.

Each display is one object that shows a figure or HTML, and whose plain text states the same facts, so that a
stored notebook can be compared as text. Nothing here calls a web service. Names are imported on first use,
so importing this package loads neither matplotlib nor LangGraph.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .bench import sample_questions, show_versions, workbench
    from .claims import show_claims
    from .comparisons import show_bars, show_tradeoff
    from .display import Display
    from .graphs import draw
    from .growth import context_growth
    from .lines import progress
    from .messages import show_messages
    from .side_by_side import show_side_by_side
    from .source_map import show_source_map
    from .sources import show_sources
    from .traces import show_trace
    from .usage import show_usage

_HOME = {
    "Display": "display",
    "context_growth": "growth",
    "draw": "graphs",
    "progress": "lines",
    "sample_questions": "bench",
    "show_bars": "comparisons",
    "show_claims": "claims",
    "show_messages": "messages",
    "show_sources": "sources",
    "show_trace": "traces",
    "show_side_by_side": "side_by_side",
    "show_source_map": "source_map",
    "show_usage": "usage",
    "show_tradeoff": "comparisons",
    "show_versions": "bench",
    "workbench": "bench",
}

__all__ = [
    "Display",
    "context_growth",
    "draw",
    "progress",
    "sample_questions",
    "show_bars",
    "show_claims",
    "show_messages",
    "show_side_by_side",
    "show_source_map",
    "show_sources",
    "show_trace",
    "show_tradeoff",
    "show_usage",
    "show_versions",
    "workbench",
]


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
