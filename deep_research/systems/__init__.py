"""The published designs, one folder each, and the register that finds them by name.

Each `graph.py` reads from top to bottom: the state, the nodes, the wiring, the compiled graph. Nodes are
short: they read the state, call a component (a module of the package with the real work) and return what
changes. A node that chooses what comes next returns a `Command`, and its return type names the choices. In
the pictures at the top of the files, `⇄` is a loop, `⇉` one branch per topic, `‖` side by side.

`runs/` starts a graph with the question and the conversation. The graph ends with a `draft` that cites ids of
sources. Then, the same for every design, `runs/outcome.py` has the sentences checked, puts numbers for ids
and makes the `Report`; so no graph has a node for that. `runtime.context` is `engine.context.Context`:
settings, models, search, budget, trace. `engine.branches.Branches` starts researchers, each under its share
of what is left, and joins them. The branch of the run itself is "0".
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deep_research.core.errors import SettingsError, UsageError, nearest_hint
from deep_research.core.extras import require_extra
from deep_research.settings import Settings


@dataclass(frozen=True, slots=True)
class System:
    """What is known of a design without importing it."""

    name: str
    description: str
    origin: str
    needs: tuple[str, str] | None = None
    """A package that is not always installed, and the extra that brings it."""

    def module(self) -> Any:
        """The module with the system's `build_graph` and compiled `graph`."""
        return importlib.import_module(f".{self.name}.graph", __name__)

    def parts(self) -> list[str]:
        """The names of the parts that `build_graph` lets others replace."""
        able = inspect.signature(self.module().build_graph).parameters
        return [name for name in able if name != "checkpointer"]

    def build_graph(self, parts: Mapping[str, Any], checkpointer: Any = None) -> Any:
        """The graph with some parts replaced; raises `UsageError` for a part that it does not have."""
        for name in parts:
            if name not in self.parts():
                hint = nearest_hint(name, self.parts(), f"Its parts: {', '.join(self.parts())}.")
                raise UsageError(f"The system {self.name} has no part '{name}'.", hint)
            if not (callable(parts[name]) or hasattr(parts[name], "invoke")):
                raise UsageError(
                    f"The part '{name}' cannot be {parts[name]!r:.40}.", "It takes a node: a function."
                )
        return self.module().build_graph(**parts, checkpointer=checkpointer)

    def check(self) -> None:
        """Raise `UsageError` if a package that the system needs is not installed."""
        if self.needs:
            require_extra(*self.needs, f"The system {self.name}")

    def recursion_limit(self, settings: Settings) -> int:
        """The most graph steps of a run: the design's own figure if it has one, at most what is set."""
        own = getattr(self.module(), "recursion_limit", None)
        most = settings.limits.recursion_limit
        return min(own(settings), most) if own else most


SYSTEMS = {
    system.name: system
    for system in (
        System(
            "open_deep_research",
            "clarify, write a brief, supervise parallel researchers, compress, report in one shot",
            "LangChain Open Deep Research",
        ),
        System(
            "shallow_researcher",
            "one agent searches under two caps and then has to answer",
            "NVIDIA AI-Q shallow researcher",
        ),
        System(
            "auto",
            "a router sends simple questions to shallow_researcher and hard ones to open_deep_research",
            "this project, after the router of NVIDIA AI-Q",
        ),
        System(
            "graph_agent",
            "plan beside local notes, research each question, vet, review, revise, ask a person",
            "Loki deep-research graph agent",
        ),
        System(
            "deep_researcher",
            "plan with an outline, send out research agents, draft by section, go on where it has gaps",
            "NVIDIA AI-Q deep researcher",
            ("deepagents", "deepagents"),
        ),
        System(
            "topic_queue",
            "take the question apart, research a queue of topics that grows, write along an outline",
            "DeepTutor deep research",
        ),
    )
}


def get_system(name: str, also: Sequence[str] = ()) -> System:
    """A system by its name; an unknown one is refused with the nearest name, of these or of `also`."""
    if name not in SYSTEMS:
        raise SettingsError(f"Unknown system '{name}'.", nearest_hint(name, [*SYSTEMS, *also], cutoff=0.5))
    return SYSTEMS[name]
