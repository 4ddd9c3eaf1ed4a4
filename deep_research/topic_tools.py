"""What a topic may be asked with, round by round: the phase decides which tools a model is offered.

Early rounds look into what is at hand (notes, documents, labelled items), middle ones search outside (web and
papers), late ones close gaps with everything. It is enforced by the offer: a tool of another phase, or one
that is switched off or has nothing behind it, is not there. A phase without any tool takes the next one's.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Literal

from pydantic import Field

from .context import Context
from .data_sources import search_tools
from .tools import (
    CALCULATE,
    LOOK_UP_ITEM,
    SEARCH,
    SEARCH_DOCUMENTS,
    SEARCH_KNOWLEDGE,
    SEARCH_PAPERS,
    THINK,
    Arguments,
    Tool,
)

Phase = Literal["early", "middle", "late"]

_PHASES: dict[Phase, tuple[Tool, ...]] = {
    "early": (SEARCH_KNOWLEDGE, SEARCH_DOCUMENTS, LOOK_UP_ITEM),
    "middle": (SEARCH, SEARCH_PAPERS, CALCULATE),
    "late": (SEARCH, SEARCH_PAPERS, SEARCH_KNOWLEDGE, SEARCH_DOCUMENTS, LOOK_UP_ITEM, CALCULATE),
}
_STARTERS = {tool.name for tool in (SEARCH, SEARCH_PAPERS, SEARCH_KNOWLEDGE, SEARCH_DOCUMENTS)}
"""Tools that need nothing to start from: a phase is only one with such a tool."""


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
    """What a model may ask with in this phase."""
    able = available(ctx)
    order: tuple[Phase, ...] = ("early", "middle", "late")
    for one in order[order.index(phase) :]:
        tools = [able[tool.name] for tool in _PHASES[one] if tool.name in able]
        if any(tool.name in _STARTERS for tool in tools):
            return tools
    return [tool for tool in able.values() if tool.name in _STARTERS]


def available(ctx: Context) -> dict[str, Tool]:
    """All tools of a run by name: there is something behind them, and no setting leaves them out."""
    chosen, names = ctx.settings.queue, ctx.settings.tools.get("researcher")
    able = {tool.name: tool for tool in search_tools(ctx)}
    if ctx.knowledge is not None:
        able[SEARCH_KNOWLEDGE.name] = SEARCH_KNOWLEDGE
    if find_spec("pydantic_monty") is not None:
        able[CALCULATE.name] = CALCULATE
    able[LOOK_UP_ITEM.name] = LOOK_UP_ITEM
    wanted = {
        SEARCH.name: chosen.use_web,
        SEARCH_PAPERS.name: chosen.use_papers,
        SEARCH_KNOWLEDGE.name: chosen.use_knowledge,
        SEARCH_DOCUMENTS.name: chosen.use_knowledge,
        LOOK_UP_ITEM.name: chosen.use_items,
        CALCULATE.name: chosen.use_code,
    }
    return {n: tool for n, tool in able.items() if wanted.get(n, True) and (names is None or n in names)}


def offer(phase: Phase, ctx: Context) -> list[Tool]:
    """All that a model is offered in this phase: the tools to ask with, its notebook, and proposing."""
    return [*tools_for(phase, ctx), THINK, PROPOSE]
