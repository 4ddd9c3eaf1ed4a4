"""What a run can search: its tools, the order in which they are offered, and the user's documents.

`sources.offer.build_offer` works it out once, when the run's context is made. Inside are the user's documents
and notes, outside the web and papers. Where `search.source_order` sets an order, a loop has two phases, and
the tools enforce it: each phase offers those of its side only. The messages go on from the first phase to the
second, so the second's prompt holds what was found first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from .tools import (
    LOOK_UP_ITEM,
    RESEARCH_COMPLETE,
    SEARCH,
    SEARCH_DOCUMENTS,
    SEARCH_KNOWLEDGE,
    SEARCH_PAPERS,
    Tool,
)

Side = Literal["inside", "outside"]
SIDES: tuple[Side, ...] = get_args(Side)
SIDE_OF_TOOL: dict[str, Side] = {
    SEARCH_DOCUMENTS.name: "inside",
    SEARCH_KNOWLEDGE.name: "inside",
    LOOK_UP_ITEM.name: "inside",
    SEARCH.name: "outside",
    SEARCH_PAPERS.name: "outside",
}


@dataclass(frozen=True, slots=True)
class Offer:
    """`tools` search what the run has, described with the filters in force; `documents` is a fenced list.

    `order` has a side for each phase of a loop; it is empty where everything is searched together. `sides`
    are the search tools of each side that the settings allow.
    """

    tools: tuple[Tool, ...]
    order: tuple[Side, ...]
    sides: Mapping[Side, Sequence[Tool]]
    documents: str = ""

    def tools_in_phase(self, tools: Sequence[Tool], phase: int) -> list[Tool]:
        """Of the tools of a loop those of a phase, and a way to end it while another one follows."""
        if not self.order:
            return list(tools)
        side = self.order[min(phase, len(self.order) - 1)]
        kept = [tool for tool in tools if SIDE_OF_TOOL.get(tool.name, side) == side]
        names = {tool.name for tool in kept}
        kept = [*(tool for tool in self.sides[side] if tool.name not in names), *kept]
        if not self.has_phase_after(phase) or RESEARCH_COMPLETE.name in names:
            return kept
        return [*kept, RESEARCH_COMPLETE]

    def has_phase_after(self, phase: int) -> bool:
        """Whether another phase follows."""
        return phase + 1 < len(self.order)
