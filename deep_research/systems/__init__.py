"""The published designs, one file each, and the register that finds them by name."""

from __future__ import annotations

import difflib
import importlib
from dataclasses import dataclass
from typing import Any

from ..errors import SettingsError


@dataclass(frozen=True, slots=True)
class System:
    """What is known of a design without importing it."""

    name: str
    description: str
    origin: str

    def module(self) -> Any:
        """The module with the system's `build_graph` and compiled `graph`."""
        return importlib.import_module(f".{self.name}", __name__)


SYSTEMS = {
    system.name: system
    for system in (
        System(
            "open_deep_research",
            "clarify, write a brief, supervise parallel researchers, compress, report in one shot",
            "LangChain Open Deep Research",
        ),
        System(
            "graph_agent",
            "plan beside local notes, research each question, vet, review, revise, ask a person",
            "Loki deep-research graph agent",
        ),
    )
}


def get_system(name: str) -> System:
    """A system by its name; an unknown one is refused with the nearest name."""
    if name not in SYSTEMS:
        near = difflib.get_close_matches(name, SYSTEMS, n=1, cutoff=0.3)
        hint = f"Did you mean '{near[0]}'?" if near else f"One of: {', '.join(SYSTEMS)}."
        raise SettingsError(f"Unknown system '{name}'.", hint)
    return SYSTEMS[name]
