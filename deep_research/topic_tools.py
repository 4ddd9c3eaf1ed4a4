"""What a topic may be asked with, round by round: the phase decides which tools a model is offered.

Early rounds look into what is at hand (notes, documents, labelled items), middle ones search outside (web and
papers), late ones close gaps with everything. It is enforced by the offer: a tool of another phase, or one
that is switched off or has nothing behind it, is not there. A phase without any tool takes the next one's.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from .context import Context
from .data_sources import search_tools
from .setting_parts import QueueSettings
from .tools import SEARCH, SEARCH_DOCUMENTS, THINK, Arguments, Tool

Phase = Literal["early", "middle", "late"]

_SWITCHES = {
    SEARCH.name: "use_web",
    SEARCH_DOCUMENTS.name: "use_knowledge",
}
_PHASES: dict[Phase, tuple[str, ...]] = {
    "early": (SEARCH_DOCUMENTS.name,),
    "middle": (SEARCH.name,),
    "late": (SEARCH_DOCUMENTS.name, SEARCH.name),
}


class ProposeArguments(Arguments):
    title: str = Field(description="A few words that stand on their own.")
    overview: str = Field("", description="What is to be found out, in a sentence or two.")
    score: Any = Field(0, description="From 0 to 1: how much the answer would lack without it.")
    because: str = Field("", description="Which note led to it.")


PROPOSE = Tool(
    "propose_another",
    "Suggest something that belongs to the whole question, came up here, and is in nobody's hands yet.",
    ProposeArguments,
)


def phase_of(iteration: int, rounds: int) -> Phase:
    """The phase of a round: the first third is early and the last third late; a single round is late."""
    third = max(rounds // 3, 1)
    if iteration > rounds - third:
        return "late"
    return "early" if iteration <= third else "middle"


def tools_for(phase: Phase, ctx: Context) -> list[Tool]:
    """What a model is offered in this phase, besides thinking and proposing."""
    able = {tool.name: tool for tool in available(ctx)}
    order: tuple[Phase, ...] = ("early", "middle", "late")
    for one in order[order.index(phase) :]:
        if tools := [able[name] for name in _PHASES[one] if name in able]:
            return tools
    return list(able.values())


def available(ctx: Context) -> list[Tool]:
    """All tools of a run: there is something behind them, and no setting leaves them out."""
    chosen: QueueSettings = ctx.settings.queue
    return [tool for tool in search_tools(ctx) if getattr(chosen, _SWITCHES.get(tool.name, "use_web"))]


def offer(phase: Phase, ctx: Context) -> list[Tool]:
    """All that a model is offered in this phase."""
    return [*tools_for(phase, ctx), THINK, PROPOSE]
