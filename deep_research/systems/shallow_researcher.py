"""Shallow researcher (NVIDIA AI-Q): one agent and its tools, under two caps; at the end it has to answer.

    agent ⇄ tools

The agent's first turn begins with the rewriting of the query. The loop ends when the agent writes instead of
calling a tool, or at a cap: `max_tool_iterations` calls of tools, `max_llm_turns` turns, whichever comes
first. Then the agent is called without tools; its last message is the *synthesis anchor*, which tells it to
answer now, from the sources that it has.

Departures from the published design, and why: one call of the search may hold up to three queries, as in the
other designs; the last call shows each source once instead of the conversation, so that no error or repeated
result is in it, and because some endpoints refuse old tool calls where no tool is offered; a model that
answers from memory at once is made to search first; an answer without a citation is asked for once more.

Read on in: `shallow_agent` (a turn, and the end), `researcher` (how its calls are carried out).
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Annotated, Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from ..context import Context
from ..errors import BudgetExceeded, ModelError
from ..ledger import Ledger, merge_by_key
from ..query_rewriter import rewrite_query
from ..researcher import Progress, kept_on, run_tools
from ..researcher_graph import Messages
from ..settings import Settings
from ..shallow_agent import Standing, agent_turn, conclude, shallow_loop
from ..state import Ended, Finding, Gap, Source, append

BRANCH = "1"
"""The branch that names the sources: S1.1, S1.2 …; there is one only."""
_MERGED = ("messages", "sources", "gaps", "findings")


class ShallowState(TypedDict, total=False):
    """The whole run. After each field: who writes it."""

    question: str  # the caller
    history: list[dict[str, str]]  # the caller
    asked: str  # agent, first turn: the question that all fields below belong to
    query: str  # agent, first turn: the question as rewritten
    messages: Messages  # agent, tools
    progress: Progress  # agent, tools: what counts against the caps
    sources: Annotated[list[Source], merge_by_key]  # tools
    gaps: Annotated[list[Gap], append]  # agent, tools
    ended: str  # agent, last turn: why the loop ended
    findings: Annotated[list[Finding], append]  # agent, last turn: the answer, for whoever goes on
    draft: str  # agent, last turn: Markdown that cites ids


async def agent(state: ShallowState, runtime: Runtime[Context]) -> dict[str, Any]:
    """One turn. The first one of a question clears what an earlier question on this thread has left."""
    if state.get("asked") == state["question"] and not state.get("ended"):
        return await turn(state, runtime.context.on("0", state["query"]))
    begun = empty_state(state["question"])
    begun["query"] = await rewrite_query(state["history"], runtime.context)
    update = {**begun, **await turn({**state, **begun}, runtime.context.on("0", begun["query"]))}
    return {key: Overwrite(value) if key in _MERGED else value for key, value in update.items()}


def empty_state(question: str) -> ShallowState:
    """The state before the first turn on a question."""
    return {
        "asked": question, "query": question, "messages": [], "progress": Progress(), "sources": [],
        "gaps": [], "ended": "", "findings": [], "draft": "",
    }  # fmt: skip


async def turn(state: ShallowState, ctx: Context) -> dict[str, Any]:
    """Let the agent search on, as long as caps and budget last, or end with its answer."""
    progress = state["progress"]
    loop = shallow_loop(ctx, progress.phase)
    if progress.ended or progress.turns >= loop.turns:
        return await finish(state, progress.ended or "limit", ctx)
    try:
        message = await agent_turn(standing(state), ctx, loop)
    except BudgetExceeded as error:
        return await finish(state, "limit", ctx, gap=ctx.failure("no_new_searches", error))
    except ModelError as error:
        if not state["sources"]:
            raise
        failed = ctx.failure("agent_failed", error)
        return await finish(state, "limit", ctx, gap=failed)
    message = kept_on(message, state["query"], bool(state["messages"]), progress, loop)
    if message.tool_calls or message.invalid_tool_calls:
        return {"messages": [message]}
    return await finish(state, "no_tool_call", ctx, written=message.text)


def standing(state: ShallowState) -> Standing:
    """The state as the components see it."""
    return Standing(state["question"], state["query"], state["messages"], state["sources"], state["gaps"])


async def finish(
    state: ShallowState, ended: Ended, ctx: Context, *, written: str = "", gap: Gap | None = None
) -> dict[str, Any]:
    """The answer, whether the agent has written it by itself or is made to now, and what it rests on."""
    new = [gap] if gap else []
    run = replace(standing(state), gaps=[*state["gaps"], *new])
    answer = await conclude(run, written, ended == "limit", ctx)
    finding = Finding(
        branch=BRANCH,
        topic=run.query,
        text=answer.finding,
        source_ids=[source.id for source in run.sources],
        queries=state["progress"].queries,
        ended=None,  # the state's own `ended` tells it: there is one loop
    )
    found = [finding] if run.sources else []
    return {"draft": answer.draft, "findings": found, "gaps": [*new, *answer.gaps], "ended": ended}


async def tools(state: ShallowState, runtime: Runtime[Context]) -> dict[str, Any]:
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


def add_nodes(graph: Any, *, answered: str = END, agent: Any = agent, tools: Any = tools) -> None:
    """Put the design into a graph whose state has these fields; from its answer it goes on to `answered`."""
    graph.add_node("agent", agent)
    graph.add_node("tools", tools)
    graph.add_conditional_edges("agent", next_step, {"tools": "tools", "answered": answered})
    graph.add_edge("tools", "agent")


def build_graph(*, checkpointer: Any = None, **components: Any) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The whole system; its parts `agent` and `tools` can be replaced by functions with the same contract."""
    graph = StateGraph(ShallowState, context_schema=Context)
    graph.add_edge(START, "agent")
    add_nodes(graph, **components)
    return graph.compile(checkpointer=checkpointer)


graph = build_graph()
"""The compiled graph, for `langgraph.json` and for drawing; it needs no key."""
