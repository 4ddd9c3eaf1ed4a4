"""Auto: a router sends a question the shallow or the deep way, and a shallow answer that is not enough deep.

    route ─ simple → agent ⇄ tools → assess ─ enough → end
      └─ hard ─→ clarify              └─ not enough → clarify
                 clarify → write_brief → supervisor … → write_report → end

The two ways are the nodes of `shallow_researcher` and `open_deep_research`, in one graph with one state. What
the shallow way has found goes on as the supervisor's first delegation, with its answer: findings, sources and
gaps stay, ids included, and the next researcher is number 2. The other way round there is no edge, so a run
escalates once at most.

Main departures from the published router, and why (`docs/designs.md` has all): the first answer is judged by
a verdict with a reason, not by words in it; the deep way is Open Deep Research, so that both ways share their
components.

Read on in: `router` (both decisions), then the files of the two ways.
"""

from __future__ import annotations

from typing import Any, Literal

from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, Overwrite

from deep_research.components.brief_writer import write_brief_node
from deep_research.components.clarifier import clarify_node
from deep_research.components.supervisor import Assignment, report_back
from deep_research.engine.context import Context
from deep_research.engine.tools import CONDUCT_RESEARCH
from deep_research.sources.ledger import sources_cited_in
from deep_research.systems.open_deep_research.graph import (
    ResearchState,
    add_deep_way,
    supervisor_node,
    write_report_node,
)
from deep_research.systems.shallow_researcher.graph import BRANCH, ShallowState, add_shallow_way
from deep_research.systems.shared import Node
from deep_research.systems.shared.fresh_state import fresh_state

from .router import assess_answer, route_node


class AutoState(ShallowState, ResearchState, total=False):
    """The fields of both ways. After each further field: who writes it."""

    depth: str  # route
    reason: str  # route
    missing: list[str]  # assess: what the shallow answer lacks
    escalations: int  # route, assess


def route_question(route: Any) -> Any:
    """The router's node; nothing of an earlier question on the same thread is left after it."""

    async def choose_way(state: AutoState, runtime: Runtime[Context]) -> Command[Literal["agent", "clarify"]]:
        routed = await route(state, runtime)
        way: Literal["agent", "clarify"] = "agent" if routed["depth"] == "shallow" else "clarify"
        return Command(goto=way, update=fresh_state(AutoState, routed, keep=("question", "history")))

    return choose_way


async def assess_node(state: AutoState, runtime: Runtime[Context]) -> Command[Literal["clarify", "__end__"]]:
    """End with the shallow answer, or set it aside for deep research. What it found is kept in any case."""
    ctx = runtime.context
    if state["escalations"] >= ctx.settings.limits.max_escalations:
        return Command(goto="__end__")
    cited = sources_cited_in(state["draft"], state["sources"])
    verdict = await assess_answer(state["question"], state["draft"], len(cited), ctx)
    if not verdict.escalate:
        return Command(goto="__end__", update={"missing": verdict.missing})
    gaps = [gap for gap in state["gaps"] if gap.kind != "no_results"]  # of that answer only
    findings = [found.model_copy(update={"ended": state["ended"]}) for found in state["findings"]]
    update = {"missing": verdict.missing, "gaps": Overwrite(gaps), "draft": "", "ended": ""}
    update["findings"] = Overwrite(findings)  # the shallow loop is a researcher's now, and counted as one
    return Command(goto="clarify", update=update | {"escalations": state["escalations"] + 1})


def continue_deep(write_brief: Any) -> Any:
    """The brief writer's node; what the shallow way found stands as the first topic that was researched."""

    async def write_brief_onwards(state: AutoState, runtime: Runtime[Context]) -> dict[str, Any]:
        update: dict[str, Any] = await write_brief(state, runtime)
        if not state["findings"]:
            return update
        return update | {"topics": [state["query"]], "supervisor_messages": first_delegation(state)}

    return write_brief_onwards


def first_delegation(state: AutoState) -> list[Any]:
    """A call to research the query, and its result with what it lacks, as the supervisor sees its others."""
    from langchain_core.messages import AIMessage

    done = Assignment(BRANCH, state["query"], "shallow")
    arguments = {"research_topic": done.topic}
    call = {"name": CONDUCT_RESEARCH.name, "args": arguments, "id": done.call_id}
    (result,) = report_back([done], state["findings"], state["gaps"], state["sources"])
    if state["missing"]:
        lacking = f"{result.content}\nNot answered yet: {'; '.join(state['missing'])}"
        result = result.model_copy(update={"content": lacking})
    return [AIMessage("", tool_calls=[call]), result]


def build_graph(
    *,
    route: Node = route_node,
    assess: Node = assess_node,
    clarify: Node = clarify_node,
    write_brief: Node = write_brief_node,
    supervise: Node = supervisor_node,
    research: Node | None = None,
    write_report: Node = write_report_node,
    checkpointer: Any = None,
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Both ways and what chooses between them; the parts after `assess` are those of the deep way."""
    graph = StateGraph(AutoState, context_schema=Context)
    graph.add_node("route", route_question(route))
    graph.add_node("assess", assess)
    graph.add_edge(START, "route")
    add_shallow_way(graph, answered="assess")
    add_deep_way(
        graph, clarify=clarify, write_brief=continue_deep(write_brief), supervise=supervise,
        research=research, write_report=write_report,
    )  # fmt: skip
    return graph.compile(checkpointer=checkpointer)


graph = build_graph()
"""The compiled graph, for `langgraph.json` and for drawing; it needs no key."""
