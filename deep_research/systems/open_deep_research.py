"""Open Deep Research (LangChain): clarify → brief → supervisor with parallel researchers → one-shot report.

    clarify → write_brief → supervisor ⇄ supervisor_tools ⇉ research (one branch per topic)
                                 ↑               └→ write_report
                                 └ collect_findings ←┘

    research:  researcher ⇄ researcher_tools → compress

Departures from the published design, and why: researchers run as `Send` branches rather than inside one tool
node, so they show in the picture and each is checkpointed; models cite ids and code renders the numbers; a
failing researcher costs its own topic only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal, TypedDict, get_type_hints

from langgraph.channels.delta import DeltaChannel
from langgraph.errors import GraphBubbleUp
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, Send

from ..brief_writer import write_brief_node
from ..clarifier import clarify_node
from ..compressor import compress
from ..context import Context
from ..errors import BudgetExceeded, ModelError
from ..ledger import Ledger, merge_by_key
from ..researcher import Progress, or_search, research_step, run_tools
from ..state import Finding, Gap, Source, append, append_batches
from ..supervisor import Assignment, delegate, report_back, supervise
from ..writer import write_report

Messages = Annotated[list[Any], DeltaChannel(append_batches)]


class ResearchState(TypedDict, total=False):
    """The whole run. After each field: who writes it."""

    question: str  # the caller
    history: list[dict[str, str]]  # the caller, clarify
    verification: str  # clarify
    status: str  # clarify, when the user gives no answer
    brief: str  # write_brief
    supervisor_messages: Messages  # supervisor, supervisor_tools, collect_findings
    rounds: int  # supervisor
    assignments: list[Assignment]  # supervisor_tools: the topics of this round
    topics: Annotated[list[str], append]  # supervisor_tools: all topics so far
    ended: str  # supervisor, supervisor_tools: why the loop ended
    findings: Annotated[list[Finding], append]  # research
    sources: Annotated[list[Source], merge_by_key]  # research
    gaps: Annotated[list[Gap], append]  # research, supervisor, write_report
    draft: str  # write_report: Markdown that cites ids


class TopicState(TypedDict, total=False):
    """One researcher's own state; it sees nothing of its siblings."""

    branch: str  # the Send
    topic: str
    share: dict[str, float]
    started: float
    messages: Messages  # researcher, researcher_tools
    progress: Progress  # researcher_tools
    sources: Annotated[list[Source], merge_by_key]  # researcher_tools
    gaps: Annotated[list[Gap], append]  # all nodes
    findings: Annotated[list[Finding], append]  # compress


class TopicResult(TypedDict, total=False):
    """What a researcher hands back."""

    findings: Annotated[list[Finding], append]
    sources: Annotated[list[Source], merge_by_key]
    gaps: Annotated[list[Gap], append]


async def supervisor(
    state: ResearchState, runtime: Runtime[Context]
) -> Command[Literal["supervisor_tools", "write_report"]]:
    """Let the model decide, as long as rounds and budget last."""
    ctx, rounds = runtime.context, state.get("rounds", 0)
    if rounds >= ctx.settings.limits.max_researcher_iterations:
        return Command(goto="write_report", update={"ended": "limit"})
    try:
        message = await supervise(state["brief"], state.get("supervisor_messages", []), ctx)
    except BudgetExceeded as error:
        gap = ctx.gap("budget", f"No new topics: {error}", state["question"])
        return Command(goto="write_report", update={"ended": "limit", "gaps": [gap]})
    except ModelError as error:
        if not state.get("findings"):
            raise
        gap = ctx.gap(
            "branch_failed", f"The supervisor failed, so research ended early: {error}", state["question"]
        )
        return Command(goto="write_report", update={"ended": "limit", "gaps": [gap]})
    return Command(goto="supervisor_tools", update={"supervisor_messages": [message], "rounds": rounds + 1})


async def supervisor_tools(
    state: ResearchState, runtime: Runtime[Context]
) -> Command[Literal["supervisor", "research", "write_report"]]:
    """Answer the calls and start one researcher per topic."""
    ctx, topics = runtime.context, state.get("topics", [])
    plan = delegate(state["supervisor_messages"][-1], state["brief"], topics, len(topics), ctx)
    update: dict[str, Any] = {"supervisor_messages": plan.answers, "assignments": plan.assignments}
    if plan.ended:
        return Command(goto="write_report", update=update | {"ended": plan.ended})
    if not plan.assignments:
        return Command(goto="supervisor", update=update)
    ctx.budget.observe("0", "sources", len(state.get("sources", [])))
    branches = [assignment.branch for assignment in plan.assignments]
    shares = ctx.budget.share("0", branches)
    ctx.trace.fork("0", branches)
    sends = [
        Send(
            "research",
            {"branch": a.branch, "topic": a.topic, "share": shares[a.branch], "started": ctx.clock.seconds()},
        )
        for a in plan.assignments
    ]
    return Command(goto=sends, update=update | {"topics": [a.topic for a in plan.assignments]})


async def collect_findings(state: ResearchState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Answer the delegating calls with what came back; unspent budget returns to the run."""
    ctx, assignments = runtime.context, state["assignments"]
    branches = [assignment.branch for assignment in assignments]
    ctx.budget.close(branches)
    ctx.trace.join("0", branches)
    messages = report_back(
        assignments, state.get("findings", []), state.get("gaps", []), state.get("sources", [])
    )
    return {"supervisor_messages": messages}


async def write_report_node(state: ResearchState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Write the draft from all findings, in the order of their branches."""
    findings = sorted(state.get("findings", []), key=lambda finding: int(finding.branch))
    gaps = state.get("gaps", [])
    draft, new_gaps = await write_report(
        state["question"],
        state["brief"],
        state["history"],
        findings,
        state.get("sources", []),
        gaps,
        runtime.context,
    )
    return {"draft": draft, "gaps": new_gaps}


TopicNode = Callable[[TopicState, Context], Awaitable[Any]]


def contained(node: TopicNode, on_error: str) -> Callable[..., Awaitable[Any]]:
    """A researcher's node whose failure is a typed gap and leads to `on_error`; its siblings go on."""

    async def run(state: TopicState, runtime: Runtime[Context]) -> Any:
        ctx = runtime.context.on(state["branch"], state["topic"])
        ctx.budget.open(ctx.branch, state["share"])
        time_left = state["started"] + ctx.settings.branch_timeout - ctx.clock.seconds()
        try:
            async with asyncio.timeout(max(time_left, 0)):
                return await node(state, ctx)
        except GraphBubbleUp:
            raise
        except TimeoutError:
            gap = ctx.gap(
                "timeout", f"Research on “{ctx.topic}” took longer than {ctx.settings.branch_timeout:g} s."
            )
        except BudgetExceeded as error:
            gap = ctx.gap("budget", str(error))
        except Exception as error:
            gap = ctx.gap(
                "branch_failed", f"Research on “{ctx.topic}” failed: {error or type(error).__name__}"
            )
        return Command(goto=on_error, update={"gaps": [gap]})

    run.__name__, run.__doc__ = node.__name__, node.__doc__
    run.__annotations__["return"] = get_type_hints(node)["return"]  # LangGraph draws the edges from it
    return run


async def researcher(state: TopicState, ctx: Context) -> Command[Literal["researcher_tools", "compress"]]:
    """Let the model decide about its topic."""
    ctx.budget.reserve(ctx.branch, "compressor", {"model_calls": 1})
    messages, sources = state.get("messages", []), state.get("sources", [])
    message = await research_step(state["topic"], messages, sources, ctx)
    if not messages:
        message = or_search(message, state["topic"])
    return Command(goto="researcher_tools", update={"messages": [message]})


async def researcher_tools(state: TopicState, ctx: Context) -> Command[Literal["researcher", "compress"]]:
    """Search, read, and count."""
    progress = state.get("progress") or Progress()
    ledger = Ledger(ctx.branch, state.get("sources", []))
    answers, gaps = await run_tools(state["messages"][-1], progress, ledger, ctx)
    update = {"messages": answers, "progress": progress, "sources": ledger.sources, "gaps": gaps}
    return Command(goto="compress" if progress.ended else "researcher", update=update)


async def compress_topic(state: TopicState, ctx: Context) -> Command[Literal["__end__"]]:
    """Boil the evidence down to a finding; without evidence there is none."""
    sources, progress = state.get("sources", []), state.get("progress") or Progress()
    if not sources:
        gap = ctx.gap("no_results", f"No source was found for “{ctx.topic}”.")
        return Command(goto="__end__", update={"gaps": [gap]})
    finding = await compress(
        state["topic"], sources, state.get("messages", []), progress.queries, progress.ended or "limit", ctx
    )
    return Command(goto="__end__", update={"findings": [finding]})


def build_researcher(
    *,
    research: TopicNode = researcher,
    tools: TopicNode = researcher_tools,
    finish: TopicNode = compress_topic,
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph of one researcher."""
    graph = StateGraph(TopicState, context_schema=Context, output_schema=TopicResult)
    graph.add_node("researcher", contained(research, "compress"))
    graph.add_node("researcher_tools", contained(tools, "compress"))
    graph.add_node("compress", contained(finish, END))
    graph.add_edge(START, "researcher")
    return graph.compile()


def build_graph(
    *,
    clarify: Any = clarify_node,
    write_brief: Any = write_brief_node,
    supervise: Any = supervisor,
    research: Any = None,
    write_report: Any = write_report_node,
    checkpointer: Any = None,
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The whole system; each part can be replaced by another function (or graph) with the same contract."""
    graph = StateGraph(ResearchState, context_schema=Context)
    graph.add_node("clarify", clarify)
    graph.add_node("write_brief", write_brief)
    graph.add_node("supervisor", supervise)
    graph.add_node("supervisor_tools", supervisor_tools)
    graph.add_node("research", research or build_researcher())
    graph.add_node("collect_findings", collect_findings)
    graph.add_node("write_report", write_report)
    graph.add_edge(START, "clarify")
    graph.add_edge("write_brief", "supervisor")
    graph.add_edge("research", "collect_findings")
    graph.add_edge("collect_findings", "supervisor")
    graph.add_edge("write_report", END)
    return graph.compile(checkpointer=checkpointer)


graph = build_graph()
"""The compiled graph, for `langgraph.json` and for drawing; it needs no key."""
