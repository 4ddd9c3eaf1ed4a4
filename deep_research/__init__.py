"""Deep research agents to learn from and to work with.

    from deep_research import research
    report = research("Which shipyard built the flagship of …?")

Importing this package loads no heavy library, builds no client and reads no key: each public name is
imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .experiments import acompare, compare
    from .report import Report
    from .runs import aresearch, aresume, astream, research
    from .settings import Settings, load_settings
    from .tracing import Event
    from .verifier import verify

_HOME = {
    "Event": "tracing",
    "Report": "report",
    "Settings": "settings",
    "acompare": "experiments",
    "aresearch": "runs",
    "aresume": "runs",
    "astream": "runs",
    "compare": "experiments",
    "load_settings": "settings",
    "research": "runs",
    "verify": "verifier",
}

__all__ = [
    "Event",
    "Report",
    "Settings",
    "acompare",
    "aresearch",
    "aresume",
    "astream",
    "compare",
    "load_settings",
    "research",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
