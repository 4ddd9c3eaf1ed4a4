"""Shallow researcher (NVIDIA AI-Q): one agent and its tools, under two caps; at the end it has to answer.

    agent ⇄ tools

The agent's first turn begins with the rewriting of the query. The loop ends when the agent writes instead of
calling a tool, or at a cap: `max_tool_iterations` calls of tools, `max_llm_turns` turns, whichever comes
first. Then the agent is called without tools; its last message is the *synthesis anchor*, which tells it to
answer now, from the sources that it has.

Main departures from the published design, and why (`docs/designs.md` has all): one call of the search may
hold up to three queries, as in the other designs; the last call shows each source once instead of the
conversation, so that no error or repeated result is in it, and because some endpoints refuse old tool calls
where no tool is offered; a model that answers from memory at once is made to search first; an answer without
a citation is asked for once more.

Read on in: `agent` (a decision, and the answer), `researcher` (how its calls are carried out).
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Annotated, Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from deep_research.components.researcher import LoopProgress, run_tools
from deep_research.components.researcher.graph import Messages
from deep_research.components.writer import review_and_rewrite
from deep_research.core.records import Finding, Gap, Material, Source, append
from deep_research.engine.context import Context, check_start
from deep_research.settings import Settings
from deep_research.sources.ledger import Ledger, merge_by_key
from deep_research.systems.shared import Node
from deep_research.systems.shared.fresh_state import fresh_state

from .agent import (
    ShallowRun,
    cited_answer,
    conclude_answer,
    decide,
    rewrite_query,
    shallow_instructions,
    shallow_loop,
    synthesize_answer,
)

BRANCH = "1"
"""The branch that names the sources: S1.1, S1.2 …; there is one only."""


class ShallowState(TypedDict, total=False):
    """The whole run. After each field: who writes it."""

    question: str  # the caller
    history: list[dict[str, str]]  # the caller
    asked: str  # agent, first turn: the question that all fields below belong to
    query: str  # agent, first turn: the question as rewritten
    messages: Messages  # agent, tools
    progress: LoopProgress  # agent, tools: what counts against the caps
    sources: Annotated[list[Source], merge_by_key]  # tools
    gaps: Annotated[list[Gap], append]  # agent, tools
    ended: str  # agent, last turn: why the loop ended
    findings: Annotated[list[Finding], append]  # agent, last turn: the answer, for whoever goes on
    draft: str  # agent, last turn: Markdown that cites ids


async def agent_node(state: ShallowState, runtime: Runtime[Context]) -> dict[str, Any]:
    """One turn. The first one of a question clears what an earlier question on this thread has left."""
    check_start(state, runtime.context)
    begun: dict[str, Any] = {}
    if state.get("asked") != state["question"] or state.get("ended"):
        query = await rewrite_query(state["history"], runtime.context)
        begun = {**empty_state(state["question"]), "query": query}
    now: Any = {**state, **begun}
    update = {**begun, **await turn(now, runtime.context.on("0", now["query"]))}
    return fresh_state(ShallowState, update, keep=("question", "history")) if begun else update


def empty_state(question: str) -> ShallowState:
    """The state before the first turn on a question."""
    return {
        "asked": question, "query": question, "messages": [], "progress": LoopProgress(), "sources": [],
        "gaps": [], "ended": "", "findings": [], "draft": "",
    }  # fmt: skip


async def turn(state: ShallowState, ctx: Context) -> dict[str, Any]:
    """Let the agent search on, or end with its answer, which a critic may send back to be written again."""
    run = ShallowRun(
        state["question"], state["query"], shallow_instructions(state["question"], ctx), state["messages"],
        state["sources"], state["gaps"],
    )  # fmt: skip
    decision = await decide(run, state["progress"], ctx)
    if not decision.ended:
        return {"messages": [decision.message]}
    run = replace(run, gaps=[*run.gaps, *decision.gaps])
    answer = await conclude_answer(run, decision.written, decision.ended == "limit", ctx)

    async def rewrite(material: Material, ctx: Context) -> tuple[str, list[Gap]]:
        return await synthesize_answer(run, False, ctx, material.remark), []

    if answer.is_cited:
        material = Material(run.question, sources=run.sources)
        text, open_points = await review_and_rewrite(answer.finding, material, ctx, rewrite)
        answer = cited_answer(run, text, open_points)
    finding = Finding(
        branch=BRANCH, topic=run.query, text=answer.finding,
        source_ids=[source.id for source in run.sources], queries=state["progress"].queries,
        ended=None,  # the state's own `ended` tells it: there is one loop
    )  # fmt: skip
    found = [finding] if run.sources else []
    gaps = [*decision.gaps, *answer.gaps]
    return {"draft": answer.draft, "findings": found, "gaps": gaps, "ended": decision.ended}


async def tools_node(state: ShallowState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Carry out the calls, side by side, and count each one."""
    ctx = runtime.context.on("0", state["query"])
    progress, ledger = deepcopy(state["progress"]), Ledger(BRANCH, state.get("sources", []))
    answers, gaps = await run_tools(
        state["messages"][-1], progress, ledger, ctx, shallow_loop(ctx, progress.phase)
    )
    return {"messages": answers, "progress": progress, "sources": ledger.sources, "gaps": gaps}


def next_step(state: ShallowState) -> Literal["tools", "answered"]:
    """Tools, until there is an answer."""
    return "answered" if state["ended"] else "tools"


def recursion_limit(settings: Settings) -> int:
    """Graph steps of a run at most: two per turn, and a few to spare."""
    return 2 * settings.limits.max_llm_turns + 10


def add_shallow_way(
    graph: Any, *, answered: str = END, agent: Node = agent_node, tools: Node = tools_node
) -> None:
    """Put the design into a graph whose state has these fields; from its answer it goes on to `answered`."""
    graph.add_node("agent", agent)
    graph.add_node("tools", tools)
    graph.add_conditional_edges("agent", next_step, {"tools": "tools", "answered": answered})
    graph.add_edge("tools", "agent")


def build_graph(
    *, agent: Node = agent_node, tools: Node = tools_node, checkpointer: Any = None
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The whole system; each part can be replaced by another function with the same contract."""
    graph = StateGraph(ShallowState, context_schema=Context)
    graph.add_edge(START, "agent")
    add_shallow_way(graph, agent=agent, tools=tools)
    return graph.compile(checkpointer=checkpointer)


graph = build_graph()
"""The compiled graph, for `langgraph.json` and for drawing; it needs no key."""
