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
    from .components import brief_writer, clarifier, compressor, researcher, supervisor, verifier, writer
    from .components.verifier import verify
    from .engine.trace import Event
    from .evaluation.compare import acompare, compare
    from .report import Report
    from .runs import aresearch, aresume, astream, research, resume
    from .runs.forks import afork, diff, fork
    from .settings import Settings, load_settings

_HOME = {
    "Event": "engine.trace",
    "Report": "report",
    "Settings": "settings",
    "acompare": "evaluation.compare",
    "afork": "runs.forks",
    "aresearch": "runs",
    "aresume": "runs",
    "astream": "runs",
    "compare": "evaluation.compare",
    "diff": "runs.forks",
    "fork": "runs.forks",
    "load_settings": "settings",
    "research": "runs",
    "resume": "runs",
    "verify": "components.verifier",
}
_COMPONENTS = (
    "brief_writer", "clarifier", "compressor", "researcher", "supervisor", "verifier", "writer",
)  # fmt: skip
"""Modules of `components` that can be imported from here."""

__all__ = [
    "Event", "Report", "Settings", "acompare", "afork", "aresearch", "aresume", "astream", "brief_writer",
    "clarifier", "compare", "compressor", "diff", "fork", "load_settings", "research", "researcher",
    "resume", "supervisor", "verifier", "verify", "writer",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    if name in _COMPONENTS:
        return import_module(f".components.{name}", __name__)
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
