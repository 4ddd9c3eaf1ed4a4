"""Topic queue (DeepTutor): rephrase → decompose → a queue of topics that grows → outline → report.

    rephrase → decompose → research_topics → merge_topics → plan_report → write_report

    research_topics:  free worker → next topic: (is it enough? → what to ask, with which tool → note) ×n
                      what a topic leads to joins the queue at the tail as soon as that topic is finished

A *block* is one topic of the queue with all that became of it. Its number names its branch: `S2.1` is the
first source of block 2.

Workers are tasks inside one node, not `Send` branches: branches of a graph step wait for the slowest, and
these roll. It costs the picture (a task is not drawn) and little in checkpoints: one row per finished block
(some 15 kB) and the whole state once, after the last; offline, five topics leave 290 kB in eight checkpoints.

Main departures from the published design, and why (`docs/designs.md` has all): an added topic has a place of
its parent's, not the next one free, so that nobody waits and the same question gives the same report at any
concurrency; a topic ends when a round brings nothing new; models cite ids, and `CIT-2-01` is only how `S2.1`
is shown; a note is checked for numbers that no source has; the duplicates that a model names after research
are joined rather than removed.

Read on in: `planning`, `blocks` (the queue as data), `workers` (who takes what, when), `research` (one
block), `decisions` (its two questions to a model), `report` (the outline, and the text along it).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Annotated, Any, TypedDict

from langgraph.func import task
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from deep_research.components.compressor import quote_sources
from deep_research.components.writer import review_and_rewrite, write_report
from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.core.records import Finding, Gap, Material, Source, append
from deep_research.engine.context import Context
from deep_research.sources.ledger import merge_by_key
from deep_research.systems.shared import Node
from deep_research.systems.shared.fresh_state import with_fresh_state

from .blocks import TopicQueue
from .decisions import TopicTask
from .files import write_reporting
from .merge import merge_topics_node
from .planning import Planning, decompose_node, rephrase_node
from .report import ReportOutline, plan_outline, write_along_outline
from .research import BlockResult, research_topic
from .workers import run_queue

PLANNING = "0"
"""The branch of planning: its sources are S0.1, S0.2 …, shown as PLAN-01, PLAN-02 …"""
_KEPT = ("question", "history", "topic")
"""What the plan begins with; of an earlier question on the same thread, nothing else is left."""


class QueueState(TypedDict, total=False):
    """The whole run. After each field: who writes it."""

    question: str  # the caller
    history: list[dict[str, str]]  # the caller
    wording: str  # rephrase: the question in full words, before the user agrees
    wishes: list[str]  # rephrase: what the user wanted changed
    topic: str  # rephrase: what is passed on
    planning: Planning  # decompose
    free: dict[str, float]  # decompose: what research may spend of a capped budget
    queue: TopicQueue  # decompose, research_topics, merge_topics
    sources: Annotated[list[Source], merge_by_key]  # decompose, research_topics
    findings: Annotated[list[Finding], append]  # research_topics; merge_topics joins those of one topic
    gaps: Annotated[list[Gap], append]  # decompose, research_topics, write_report
    outline: ReportOutline | None  # plan_report: None if the report is written in one shot
    draft: str  # write_report: Markdown that cites ids


ResearchTopic = Callable[[TopicTask, Context], Awaitable[BlockResult]]


def research_with(research: ResearchTopic) -> Any:
    """The node that works the queue off; each block is a task, checkpointed when it is finished."""

    async def research_one(given: TopicTask, ctx: Context) -> BlockResult:
        result: BlockResult = await research(given, ctx)
        return result

    def task_of(block_id: str) -> Any:
        as_task: Any = task(name=block_id)  # its own type knows no function with arguments
        return as_task(research_one)

    async def research_topics(state: QueueState, runtime: Runtime[Context]) -> dict[str, Any]:
        """Research all topics, those that come up on the way too."""
        queue, planned = state["queue"].model_copy(deep=True), state.get("sources", [])
        question, ctx = state["question"], runtime.context
        results = await run_queue(queue, question, planned, state["free"], task_of, ctx)
        return {
            "queue": queue,
            "findings": [finding for result in results for finding in result.findings],
            "sources": [source for result in results for source in result.sources],
            "gaps": [gap for result in results for gap in result.gaps],
        }

    return research_topics


async def plan_report(state: QueueState, runtime: Runtime[Context]) -> dict[str, Any]:
    """The outline, if there are topics to divide, room in the budget, and no other sections are wanted."""
    ctx, findings = runtime.context, state.get("findings", [])
    calls = ctx.budget.left(ctx.branch, "writer").get("model_calls")
    few = calls is not None and calls < len(findings) + 3
    if len(findings) < 2 or few or ctx.settings.output.sections:  # wanted sections are the writer's to see to
        return {"outline": None}
    outline = await plan_outline(state["question"], findings, ctx)
    ctx.store.write("outline.json", outline.model_dump())
    return {"outline": outline}


async def write_queue_report(state: QueueState, runtime: Runtime[Context]) -> dict[str, Any]:
    """The draft: section by section along the outline, else in one shot, else from the local template."""
    ctx, outline = runtime.context, state.get("outline")
    told = [gap for gap in state.get("gaps", []) if gap.kind != "own_search"]  # the reader alone is told
    material = replace(Material.of(state), brief=state.get("topic") or "", gaps=told)
    draft, new = "", list[Gap]()
    if outline is not None:
        write = partial(write_along_outline, outline)
        try:
            draft, new = await write(material, ctx)
            draft, open_points = await review_and_rewrite(draft, material, ctx, write)
            new = [*new, *open_points]
        except (ModelError, BudgetExceeded) as error:
            new = [ctx.failure("no_part_written", error, "report")]
    if not draft:
        findings = [*planning_finding(state, ctx), *material.findings]
        material = replace(material, findings=findings, gaps=[*material.gaps, *new])
        draft, missing = await write_report(material, ctx)
        draft, open_points = await review_and_rewrite(draft, material, ctx)
        new = [*new, *missing, *open_points]
    sections = [section.title for section in outline.sections] if outline else []
    write_reporting(sections, len(new), material.sources, ctx)
    return {"draft": draft, "gaps": new}


def planning_finding(state: QueueState, ctx: Context) -> list[Finding]:
    """What planning found and no topic has read, as quotes: it can be cited like anything else."""
    read = {name for finding in state.get("findings", []) for name in finding.source_ids}
    retrieved = [
        source
        for source in state.get("sources", [])
        if source.id in state["planning"].retrieved and read.isdisjoint((source.id, *source.aliases))
    ]
    topic, queries, ids = state["planning"].main_topic, state["planning"].queries, [s.id for s in retrieved]
    text = quote_sources(retrieved, ctx)
    found = Finding(branch=PLANNING, topic=topic, text=text, source_ids=ids, queries=queries)
    return [found] if retrieved else []


def build_graph(
    *,
    rephrase: Node = rephrase_node,
    decompose: Node = decompose_node,
    research: ResearchTopic = research_topic,
    merge: Node = merge_topics_node,
    plan_report: Node = plan_report,
    write_report: Node = write_queue_report,
    checkpointer: Any = None,
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The whole system; each part can be replaced by another function with the same contract.

    `research` takes a `TopicTask` and the context and returns a `BlockResult`; the others are nodes.
    """
    graph = StateGraph(QueueState, context_schema=Context)
    graph.add_node("rephrase", rephrase)
    graph.add_node("decompose", with_fresh_state(QueueState, decompose, _KEPT))
    graph.add_node("research_topics", research_with(research))
    graph.add_node("merge_topics", merge)
    graph.add_node("plan_report", plan_report)
    graph.add_node("write_report", write_report)
    graph.add_edge(START, "rephrase")
    path = ("decompose", "research_topics", "merge_topics", "plan_report", "write_report", END)
    for source, target in pairwise(path):
        graph.add_edge(source, target)
    return graph.compile(checkpointer=checkpointer)


graph = build_graph()
"""The compiled graph, for `langgraph.json` and for drawing; it needs no key."""
