"""Open Deep Research (LangChain): clarify → brief → supervisor with parallel researchers → one-shot report.

    clarify → write_brief → supervisor ⇄ supervisor_tools ⇉ research (one branch per topic)
                                 ↑               └→ write_report
                                 └ collect_findings ←┘

    research:  researcher ⇄ researcher_tools → compress

Main departures from the published design, and why (`docs/designs.md` has all): researchers run as `Send`
branches rather than inside one tool node, so they show in the picture and each is checkpointed; models cite
ids and code renders the numbers; a failing researcher costs its own topic only.

Read on in `components/`: `supervisor` (delegating), `researcher/graph` (one branch: `researcher`, then
`compressor`), `writer`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, Send

from deep_research.components.brief_writer import write_brief_node
from deep_research.components.clarifier import clarify_node
from deep_research.components.researcher.graph import Messages, build_researcher
from deep_research.components.supervisor import (
    Assignment,
    delegate,
    report_back,
    supervise,
    undecided,
)
from deep_research.components.writer import review_and_rewrite, write_report
from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.core.records import Finding, Gap, Material, Source, append
from deep_research.engine.branches import Branches
from deep_research.engine.context import Context
from deep_research.sources.ledger import merge_by_key
from deep_research.systems.shared import Node
from deep_research.systems.shared.fresh_state import with_fresh_state


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


_KEPT = ("question", "history", "verification")
"""What the brief begins with; of an earlier question on the same thread, nothing else is left."""


async def supervisor_node(
    state: ResearchState, runtime: Runtime[Context]
) -> Command[Literal["supervisor_tools", "write_report"]]:
    """Let the model decide, as long as rounds and budget last; without any topic by then, code decides."""
    ctx, rounds = runtime.context, state.get("rounds", 0)
    if rounds >= ctx.settings.limits.max_researcher_iterations:
        if not state.get("topics"):
            return Command(goto="supervisor_tools", update={"supervisor_messages": [undecided()]})
        return Command(goto="write_report", update={"ended": "limit"})
    try:
        message = await supervise(state["brief"], state.get("supervisor_messages", []), ctx)
    except BudgetExceeded as error:
        gap = ctx.failure("no_new_topics", error, state["question"])
        return Command(goto="write_report", update={"ended": "limit", "gaps": [gap]})
    except ModelError as error:
        if not state.get("findings"):
            raise
        gap = ctx.failure("supervisor_failed", error, state["question"])
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
    shares = Branches([assignment.branch for assignment in plan.assignments], ctx).start()
    sends = [
        Send("research", {"branch": a.branch, "topic": a.topic, "share": shares[a.branch]})
        for a in plan.assignments
    ]
    return Command(goto=sends, update=update | {"topics": [a.topic for a in plan.assignments]})


async def collect_findings(state: ResearchState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Answer the delegating calls with what came back; unspent budget returns to the run."""
    assignments = state["assignments"]
    Branches([assignment.branch for assignment in assignments], runtime.context).join()
    messages = report_back(
        assignments, state.get("findings", []), state.get("gaps", []), state.get("sources", [])
    )
    return {"supervisor_messages": messages}


async def write_report_node(state: ResearchState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Write the draft from all findings; have it reviewed as often as the settings want."""
    ctx = runtime.context
    material = Material.of(state)
    draft, gaps = await write_report(material, ctx)
    draft, open_points = await review_and_rewrite(draft, material, ctx)
    return {"draft": draft, "gaps": [*gaps, *open_points]}


def add_deep_way(
    graph: Any,
    *,
    clarify: Node,
    write_brief: Node,
    supervise: Node,
    research: Node | None,
    write_report: Node,
) -> None:
    """Put the design into a graph whose state has these fields; it begins at `clarify`."""
    graph.add_node("clarify", clarify)
    graph.add_node("write_brief", write_brief)
    graph.add_node("supervisor", supervise)
    graph.add_node("supervisor_tools", supervisor_tools)
    graph.add_node("research", research or build_researcher())
    graph.add_node("collect_findings", collect_findings)
    graph.add_node("write_report", write_report)
    graph.add_edge("write_brief", "supervisor")
    graph.add_edge("research", "collect_findings")
    graph.add_edge("collect_findings", "supervisor")
    graph.add_edge("write_report", END)


def build_graph(
    *,
    clarify: Node = clarify_node,
    write_brief: Node = write_brief_node,
    supervise: Node = supervisor_node,
    research: Node | None = None,
    write_report: Node = write_report_node,
    checkpointer: Any = None,
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The whole system; each part can be replaced by another function (or graph) with the same contract."""
    graph = StateGraph(ResearchState, context_schema=Context)
    graph.add_edge(START, "clarify")
    begin = with_fresh_state(ResearchState, write_brief, _KEPT)
    add_deep_way(
        graph, clarify=clarify, write_brief=begin, supervise=supervise, research=research,
        write_report=write_report,
    )  # fmt: skip
    return graph.compile(checkpointer=checkpointer)


graph = build_graph()
"""The compiled graph, for `langgraph.json` and for drawing; it needs no key."""
