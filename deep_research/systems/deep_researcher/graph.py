"""Deep researcher (NVIDIA AI-Q): agents that plan, research and orchestrate, round after round, on one draft.

    clarify → write_brief → plan → approve_plan → dispatch ⇉ research → collect_findings
        → update_draft → review_draft → orchestrate → dispatch (the next round) | check_complete
        check_complete → end | dispatch (once more)

    research:  researcher → compress

Planner, researchers and orchestrator are agents assembled from the parts of the `deepagents` library, all
with the same middleware (`agents`). The first round researches the approved plan; each later one works
on what a review finds missing in the draft. Plan, draft, findings and todos are kept as virtual files.

Main departures from the published design, and why (`docs/designs.md` has all): sub-agents are branches of
this graph instead of calls of the library's `task` tool, where the failure of one ends all and results come
in no order; the approved plan is started by code, so that it is what runs; the sections of the draft are
written by the writer and put together by code, so no agent needs a tool that writes, edits or deletes files;
typed findings are taken from the compressor's cited text, and their quotes looked up by code.

Read on in: `plan`, `research` (one sub-agent), `agents` and `agent_run` (how an agent is put together, and
what it works with), `draft` (the sections, the virtual files), `rounds`, `orchestrator`.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Annotated, Any, Literal, TypedDict

from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, Overwrite, Send, interrupt

from deep_research.components.brief_writer import write_brief_node
from deep_research.components.clarifier import clarify_node
from deep_research.components.others.critic import Critique, review_findings
from deep_research.components.writer import review_and_rewrite, write_report
from deep_research.components.writer.joining import Piece
from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.core.records import Finding, Gap, Material, Source, append
from deep_research.engine.branches import Branches
from deep_research.engine.context import Context
from deep_research.sources.ledger import merge_by_key
from deep_research.systems.shared import Node
from deep_research.systems.shared.approval import approval_request, read_decision
from deep_research.systems.shared.fresh_state import with_fresh_state
from deep_research.systems.shared.reflexion import reason_to_end

from . import rounds
from .draft import SubagentTask, finish_draft, is_one_piece, update_sections, virtual_files, write_ends
from .orchestrator import decide_next
from .plan import SectionPlan, plan_question, plan_research, read_plan, revise_plan
from .research import Evidence, build_research_agent


class DeepState(TypedDict, total=False):
    """The whole run. After each field: who writes it."""

    question: str  # the caller
    history: list[dict[str, str]]  # the caller, clarify
    verification: str  # clarify
    brief: str  # write_brief
    plans: Annotated[list[SectionPlan], append]  # plan, approve_plan, orchestrate: all versions
    remarks: Annotated[list[str], append]  # approve_plan: what a person wants changed
    todo: list[tuple[str, int]]  # approve_plan, orchestrate, check_complete: next topics, and their sections
    tasks: Annotated[list[SubagentTask], append]  # dispatch: what each sub-agent was sent out for
    loops: int  # dispatch, check_complete: rounds of research
    retries: int  # check_complete: how often the run was begun again
    findings: Annotated[list[Finding], append]  # research
    evidence: Annotated[list[Evidence], append]  # research: statement, quote and source id
    sources: Annotated[list[Source], merge_by_key]  # plan, research
    gaps: Annotated[list[Gap], append]  # every node
    sections: dict[int, str]  # update_draft: the draft, by section of the plan
    critique: Critique  # review_draft: sections that are not answered, and what they lack
    before: list[int]  # review_draft: weak sections and cited sources when it last looked
    todos: list[dict[str, str]]  # orchestrate: the agent's own list; only `todo` decides what is researched
    ended: str  # review_draft, orchestrate: why the rounds ended
    files: dict[str, str]  # check_complete: the virtual files
    draft: str  # check_complete: Markdown that cites ids
    status: str  # clarify, approve_plan


_Update = dict[str, Any]
_KEPT = ("question", "history", "verification")
"""What the brief begins with; of an earlier question on the same thread, nothing else is left."""


async def plan_sections_node(state: DeepState, runtime: Runtime[Context]) -> _Update:
    """Outline, search, revise; or revise once more, where a person has asked for it."""
    ctx, plans = runtime.context, state.get("plans", [])
    if plans:
        return await revise_plan(state["question"], state["brief"], plans[-1], state["remarks"][-1], ctx)
    planned = await plan_research(state["question"], state["brief"], ctx)
    return {"plans": planned.versions, "sources": planned.sources, "gaps": planned.gaps}


async def approve_plan(
    state: DeepState, runtime: Runtime[Context]
) -> Command[Literal["plan", "dispatch", "__end__"]]:
    """Put the plan to a person: it is approved, rejected, written anew by hand, or sent back with remarks."""
    ctx, planned, mode = runtime.context, state["plans"][-1], runtime.context.settings.approval
    left = ctx.settings.deep.max_plan_changes - len(state.get("remarks", []))
    reply = "accept"
    unchanged = bool(state.get("remarks")) and state["plans"][-2:-1] == [planned]
    if mode != "off":
        reply = str(interrupt(approval_request(plan_question(planned, left, unchanged), mode)) or "")
    if edited := read_plan(reply):
        return Command(goto="dispatch", update={"plans": [edited], "todo": rounds.first_topics(edited)})
    decision = read_decision(reply)
    if decision == "reject":
        return Command(goto="__end__", update={"status": "rejected"})
    if decision == "feedback" and left > 0:
        return Command(goto="plan", update={"remarks": [reply]})
    update: _Update = {"todo": rounds.first_topics(planned)}
    if decision == "feedback":
        gap = ctx.gap("refused_topic", "plan_fixed", "approval", remark=reply)
        update["gaps"] = [gap]
    return Command(goto="dispatch", update=update)


async def dispatch(
    state: DeepState, runtime: Runtime[Context]
) -> Command[Literal["research", "update_draft"]]:
    """Send out a sub-agent per topic of this round, each with its share of the budget."""
    ctx, done, loop = runtime.context, len(state.get("tasks", [])), state["loops"] + 1
    topics, keep, gaps = rounds.affordable_topics(state, ctx)
    tasks = [
        SubagentTask(branch=str(done + n), topic=topic, section=section, loop=loop)
        for n, (topic, section) in enumerate(topics, start=1)
    ]
    ctx.budget.observe("0", "sources", len(state.get("sources", [])))
    branches = Branches([task["branch"] for task in tasks], ctx)
    shares = branches.start(keep=keep)
    sends = [Send("research", rounds.subagent_input(task, state, shares[task["branch"]])) for task in tasks]
    return Command(goto=sends, update={"tasks": tasks, "loops": loop, "gaps": gaps})


async def join_round(state: DeepState, runtime: Runtime[Context]) -> _Update:
    """The join: what the sub-agents have not spent returns to the run."""
    branches = [task["branch"] for task in state["tasks"] if task["loop"] == state["loops"]]
    Branches(branches, runtime.context).join()
    return {"todo": []}


async def write_sections_node(state: DeepState, runtime: Runtime[Context]) -> _Update:
    """Write the sections that this round concerns anew, from all that was found."""
    ctx, planned, numbers = runtime.context, state["plans"][-1], rounds.sections_to_write(state)
    by_section, gaps = rounds.findings_by_section(state), rounds.gaps_of_earlier_rounds(state, numbers)
    findings = [finding for number in sorted(by_section) for finding in by_section[number]]
    material = replace(Material.of(state), findings=findings, gaps=gaps)
    if not findings or not material.sources:
        return {"sections": state["sections"], "gaps": Overwrite(gaps)}
    if is_one_piece(planned, state["question"]):
        draft, new = await write_report(material, ctx)
        draft, open_points = await review_and_rewrite(draft, material, ctx)
        return {"sections": {1: draft}, "gaps": Overwrite([*gaps, *new, *open_points])}
    sections, new = await update_sections(state["sections"], numbers, planned, material, by_section, ctx)
    return {"sections": sections, "gaps": Overwrite([*gaps, *new])}


async def review_draft(
    state: DeepState, runtime: Runtime[Context]
) -> Command[Literal["orchestrate", "check_complete"]]:
    """What does the draft lack? With that the next round begins, unless all is well or a limit says so."""
    ctx, planned = runtime.context, state["plans"][-1]
    drafted, vetted = rounds.reviewable_sections(state)
    critique = await review_findings([section["heading"] for section in planned], drafted, vetted, ctx)
    figures, more = [len(critique["weak"]), len(vetted)], state["loops"] < ctx.settings.deep.max_loops
    ended = reason_to_end(critique, figures, state["before"], more, ctx)
    update = {"critique": critique, "before": figures, "ended": ended}
    return Command(goto="check_complete" if ended else "orchestrate", update=update)


async def orchestrate(
    state: DeepState, runtime: Runtime[Context]
) -> Command[Literal["dispatch", "check_complete"]]:
    """Let the orchestrator turn the gaps into topics for the next round; the plan grows by what is new."""
    ctx = runtime.context
    try:
        decision = await decide_next(state, ctx)
    except (ModelError, BudgetExceeded) as error:
        gap = ctx.failure("orchestrator_failed", error, state["question"])
        return Command(goto="check_complete", update={"ended": "limit", "gaps": [gap]})
    plan, topics = rounds.grown_plan(state["plans"][-1], decision.topics, state["critique"]["weak"])
    update: _Update = {"todo": topics, "todos": decision.todos or state["todos"]}
    update |= {"plans": [plan]} if plan != state["plans"][-1] else {}
    if decision.topics:
        return Command(goto="dispatch", update=update)
    return Command(goto="check_complete", update=update | {"ended": "no_tool_call"})


async def check_complete(
    state: DeepState, runtime: Runtime[Context]
) -> Command[Literal["dispatch", "__end__"]]:
    """End with the draft; or begin again, where a section is missing that a failure has cost."""
    ctx = runtime.context
    if again := rounds.failed_topics(state, ctx):
        update: _Update = {"todo": again, "retries": state["retries"] + 1, "loops": 0, "before": []}
        return Command(goto="dispatch", update=update)
    gaps = rounds.gaps_to_keep(state, ctx)
    done: DeepState = {**state, "gaps": gaps}
    plan, question, ends = state["plans"][-1], state["question"], list[Piece]()
    if state["sections"] and len(plan) > 1:
        ends = await write_ends(plan, Material.of(state), ctx)
    draft = finish_draft(state["sections"], plan, question, rounds.bare_sections(state), ends)
    return Command(
        goto="__end__", update={"draft": draft, "gaps": Overwrite(gaps), "files": virtual_files(done)}
    )


def build_graph(
    *,
    clarify: Node = clarify_node,
    write_brief: Node = write_brief_node,
    plan: Node = plan_sections_node,
    approve: Node = approve_plan,
    research: Node | None = None,
    draft: Node = write_sections_node,
    review: Node = review_draft,
    orchestrate: Node = orchestrate,
    checkpointer: Any = None,
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The whole system; each part can be replaced by another function (or graph) with the same contract."""
    graph = StateGraph(DeepState, context_schema=Context)
    nodes = {
        "clarify": clarify, "write_brief": with_fresh_state(DeepState, write_brief, _KEPT),
        "plan": plan, "approve_plan": approve,
        "dispatch": dispatch, "research": research or build_research_agent(),
        "collect_findings": join_round, "update_draft": draft, "review_draft": review,
        "orchestrate": orchestrate, "check_complete": check_complete,
    }  # fmt: skip
    for name, node in nodes.items():
        graph.add_node(name, node)
    graph.add_edge(START, "clarify")
    for source, target in pairwise(("write_brief", "plan", "approve_plan")):
        graph.add_edge(source, target)
    for source, target in pairwise(("research", "collect_findings", "update_draft", "review_draft")):
        graph.add_edge(source, target)
    return graph.compile(checkpointer=checkpointer)


graph = build_graph()
"""The compiled graph, for `langgraph.json` and for drawing; it needs no key."""
