"""One researcher as a graph of its own: search and read in a loop, then compress.

    researcher ⇄ researcher_tools → compress

A system starts it once per topic, as a `Send` branch. What goes wrong in here costs this topic only: it
becomes a typed gap, and the evidence found so far is still compressed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from copy import deepcopy
from typing import Annotated, Any, Literal, TypedDict, get_type_hints

from langgraph.channels.delta import DeltaChannel
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from deep_research.components.compressor import compress
from deep_research.components.researcher import (
    LoopProgress,
    force_search_if_idle,
    research_step,
    researcher_loop,
    run_tools,
)
from deep_research.core.records import Finding, Gap, Source, append, append_batches
from deep_research.engine.branches import gap_instead_of_error
from deep_research.engine.context import Context
from deep_research.sources.ledger import Ledger, merge_by_key

_EXPLAINS = ("branch_failed", "timeout", "budget")
"""Gaps that say why nothing was found."""
Messages = Annotated[list[Any], DeltaChannel(append_batches)]


class TopicState(TypedDict, total=False):
    """One researcher's own state; it sees nothing of its siblings."""

    branch: str  # the Send
    topic: str
    share: dict[str, float]
    context: str  # the Send, or nothing: what the topic is part of, and what to mend
    given: list[Source]  # the Send, or nothing: what is known without a search
    messages: Messages  # researcher, researcher_tools
    progress: LoopProgress  # researcher_tools
    sources: Annotated[list[Source], merge_by_key]  # researcher_tools
    gaps: Annotated[list[Gap], append]  # all nodes
    findings: Annotated[list[Finding], append]  # compress


class BranchResult(TypedDict, total=False):
    """What a researcher hands back."""

    findings: Annotated[list[Finding], append]
    sources: Annotated[list[Source], merge_by_key]
    gaps: Annotated[list[Gap], append]


TopicNode = Callable[[TopicState, Context], Awaitable[Any]]


def contain_errors(node: TopicNode, on_error: str) -> Callable[..., Awaitable[Any]]:
    """A researcher's node whose failure is a typed gap and leads to `on_error`; its siblings go on."""

    async def run(state: TopicState, runtime: Runtime[Context]) -> Any:
        ctx = runtime.context.on(state["branch"], state["topic"])
        ctx.budget.open(ctx.branch, state["share"])
        # Kept outside the state, since a clock's seconds mean nothing in the process that resumes.
        started = ctx.shared.branch_started.setdefault(ctx.branch, ctx.clock.seconds())
        time_left = started + ctx.settings.branch_timeout - ctx.clock.seconds()
        done = await gap_instead_of_error(node(state, ctx), time_left, ctx)
        return Command(goto=on_error, update={"gaps": [done]}) if isinstance(done, Gap) else done

    run.__name__, run.__doc__ = node.__name__, node.__doc__
    run.__annotations__["return"] = get_type_hints(node)["return"]  # LangGraph draws the edges from it
    return run


async def researcher_node(
    state: TopicState, ctx: Context
) -> Command[Literal["researcher_tools", "compress"]]:
    """Let the model decide about its topic."""
    ctx.budget.reserve(ctx.branch, "compressor", {"model_calls": 1})
    messages, sources = state.get("messages", []), state.get("sources", [])
    progress = state.get("progress") or LoopProgress()
    loop = researcher_loop(ctx, progress.phase)
    message = await research_step(current_task(state), messages, sources, ctx, state.get("given", []), loop)
    message = force_search_if_idle(message, state["topic"], bool(messages), progress, loop)
    return Command(goto="researcher_tools", update={"messages": [message]})


async def researcher_tools(state: TopicState, ctx: Context) -> Command[Literal["researcher", "compress"]]:
    """Search, read, and count; on a copy, since the state may still be on its way to the checkpoint."""
    progress = deepcopy(state.get("progress")) or LoopProgress()
    ledger = Ledger(ctx.branch, state.get("sources", []))
    loop = researcher_loop(ctx, progress.phase)
    answers, gaps = await run_tools(
        state["messages"][-1], progress, ledger, ctx, loop, state.get("given", [])
    )
    update = {"messages": answers, "progress": progress, "sources": ledger.sources, "gaps": gaps}
    return Command(goto="compress" if progress.ended else "researcher", update=update)


async def compress_topic(state: TopicState, ctx: Context) -> Command[Literal["__end__"]]:
    """Boil the evidence down to a finding; without evidence there is none, and one gap that says why."""
    sources = [*state.get("given", []), *state.get("sources", [])]
    progress = state.get("progress") or LoopProgress()
    if not sources:
        return Command(goto="__end__", update={"gaps": nothing_found(ctx.topic, state.get("gaps", []), ctx)})
    finding = await compress(
        current_task(state),
        sources,
        state.get("messages", []),
        progress.queries,
        progress.ended or "limit",
        ctx,
    )
    finding.topic = state["topic"]
    return Command(goto="__end__", update={"findings": [finding]})


def nothing_found(topic: str, gaps: Sequence[Gap], ctx: Context, about: str | None = None) -> list[Gap]:
    """The gap that no source was found; none where a failure before it has its own and says why."""
    if any(gap.kind in _EXPLAINS for gap in gaps):
        return []
    return [ctx.gap("no_results", "no_source", about, query=topic)]


def current_task(state: TopicState) -> str:
    """What the researcher is told: its topic, and the context that a design gives with it."""
    return "\n\n".join(filter(None, (state["topic"], state.get("context"))))


def limited(cap: Callable[[Context], int], researcher: Any) -> Callable[..., Awaitable[Any]]:
    """A researcher's graph as a node of which at most `cap(ctx)` branches work at a time; the rest wait."""

    async def research(state: TopicState, runtime: Runtime[Context]) -> Any:
        ctx = runtime.context
        async with ctx.shared.gate("research", cap(ctx)):
            return await researcher.ainvoke(state, context=ctx)

    return research


def build_researcher() -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph of one researcher."""
    graph = StateGraph(TopicState, context_schema=Context, output_schema=BranchResult)
    graph.add_node("researcher", contain_errors(researcher_node, "compress"))
    graph.add_node("researcher_tools", contain_errors(researcher_tools, "compress"))
    graph.add_node("compress", contain_errors(compress_topic, END))
    graph.add_edge(START, "researcher")
    return graph.compile()
