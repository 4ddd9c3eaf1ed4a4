"""One researcher as an agent: it searches until its topic is settled, and hands back typed findings.

    researcher → compress

The agent is assembled from the library's parts (`deep_agents`); its searches go through the ledger of its
branch. What goes wrong in here costs this topic only: it becomes a typed gap, and the evidence found so far
is still compressed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from .context import Context
from .data_sources import search_tools
from .desk import ResearchDesk
from .errors import BudgetExceeded
from .ledger import Ledger, merge_by_key
from .prompting import spelled, system_prompt
from .prompts import render
from .researcher import Loop, Progress, researcher_loop
from .researcher_graph import TopicNode, TopicState, compress_topic, contained, task_of
from .source_order import sides
from .state import Finding, Gap, Source, append
from .supervisor import offered
from .tools import RESEARCH_COMPLETE, THINK, Tool
from .tools.lines import tool_lines
from .typed_findings import Evidence, as_text, typed

_TIME_TO_SEARCH = 0.8
"""The part of a branch's time after which its agent is stopped, so that there is time to compress."""


class AgentTopicState(TopicState, total=False):
    """One researcher's own state, with what its findings rest on."""

    evidence: Annotated[list[Evidence], append]  # compress


class AgentTopicResult(TypedDict, total=False):
    """What a researcher hands back."""

    findings: Annotated[list[Finding], append]
    evidence: Annotated[list[Evidence], append]
    sources: Annotated[list[Source], merge_by_key]
    gaps: Annotated[list[Gap], append]


def research_tools(role: str, ctx: Context) -> list[Tool]:
    """The tools of an agent that searches: those for the run's sources, to think, and to end."""
    tools = {tool.name: tool for tool in (*search_tools(ctx), THINK, RESEARCH_COMPLETE)}
    return offered(role, list(tools.values()), ctx)


def desk_instructions(prompt: str, ctx: Context, **variables: Any) -> Any:
    """A role's instructions, and what every agent is told of its todos and files."""
    own, chosen = system_prompt(prompt, ctx, **variables), ctx.settings
    override = chosen.prompts.get("agent_files")
    files = render("agent_files", chosen.prompt_language, override=override)
    return own.model_copy(update={"content": f"{own.content}\n\n{files}"})


def tools_named(tools: Sequence[Tool], ctx: Context) -> dict[str, str]:
    """How many tools there are for a role's task, and what each is for, as prompts say it."""
    language = ctx.settings.prompt_language
    return {"tool_count": spelled(len(tools), language), "tools": tool_lines(tools, language)}


async def researcher(state: TopicState, ctx: Context) -> Command[Literal["compress"]]:
    """Let the agent work; what it has found when it is stopped is kept."""
    from langchain_core.messages import HumanMessage

    from .deep_agents import run_agent

    ctx.budget.reserve(ctx.branch, "compressor", {"model_calls": 1})
    desk, gaps = research_desk(task_of(state), state["topic"], ctx), list[Gap]()
    spent = ctx.clock.seconds() - ctx.shared.branch_started.get(ctx.branch, ctx.clock.seconds())
    try:
        async with asyncio.timeout(max(ctx.settings.branch_timeout * _TIME_TO_SEARCH - spent, 0)):
            await run_agent("researcher", desk, [HumanMessage(task_of(state))])
    except TimeoutError:
        gaps.append(ctx.gap("timeout", "search_late", about=ctx.topic))
    except BudgetExceeded as error:
        gaps.append(ctx.failure("limit_reached", error))
    except Exception as error:
        gaps.append(ctx.failure("topic_failed", error, about=ctx.topic))
    stopped = gaps or desk.ended == "limit"
    desk.progress.ended = desk.progress.ended or ("limit" if stopped else "no_tool_call")
    found = {"messages": desk.said, "progress": desk.progress, "sources": desk.ledger.sources}
    return Command(goto="compress", update={**found, "gaps": [*desk.gaps, *gaps]})


def research_desk(task: str, topic: str, ctx: Context) -> ResearchDesk:
    """The desk of a researcher in its branch."""
    limits, tools = ctx.settings.limits, research_tools("researcher", ctx)
    instructions = desk_instructions(
        "researcher",
        ctx,
        **tools_named(tools, ctx),
        max_searches=limits.max_searches,
        max_tool_calls=limits.max_react_tool_calls,
        enough_sources=spelled(limits.enough_sources, ctx.settings.prompt_language),
    )
    return ResearchDesk(
        ctx, instructions, tools, limits.max_react_tool_calls + 1, kept=[task], topic=topic,
        loop=_loop(tools, ctx), ledger=Ledger(ctx.branch), progress=Progress(),
    )  # fmt: skip


def _loop(tools: Sequence[Tool], ctx: Context) -> Loop:
    own = researcher_loop(ctx, len(sides(ctx)))  # the whole of it: the desk divides it into phases
    return Loop(tools, own.turns, own.calls, own.searches, own.enough, own.alike)


async def compress_typed(state: TopicState, ctx: Context) -> Command[Literal["__end__"]]:
    """Boil the evidence down to statements, each with its source and a passage of it."""
    done = await compress_topic(state, ctx)
    update: dict[str, Any] = {**done.update}  # type: ignore[dict-item]  # LangGraph types it loosely
    sources = state.get("sources", [])
    for finding in update.get("findings", []):
        update["evidence"] = typed(finding, sources, ctx)
        finding.text = as_text(update["evidence"])
    return Command(goto="__end__", update=update)


def build_research_agent(
    *, research: TopicNode = researcher, finish: TopicNode = compress_typed
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph of one researcher."""
    graph = StateGraph(AgentTopicState, context_schema=Context, output_schema=AgentTopicResult)
    graph.add_node("researcher", contained(research, "compress"))
    graph.add_node("compress", contained(finish, END))
    graph.add_edge(START, "researcher")
    return graph.compile()
