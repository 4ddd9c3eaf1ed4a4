"""Topic queue (DeepTutor): rephrase → decompose → a queue of topics that grows → outline → report.

    rephrase → decompose → research_topics → merge_topics → plan_report → write_report

    research_topics:  free worker → next topic: (is it enough? → what to ask, with which tool → note) ×n
                      what a topic proposes is decided in the order of the queue, and joins it at the tail

A *block* is one topic of the queue with all that became of it. Its number names its branch: `S2.1` is the
first source of block 2.

Workers are tasks inside one node, not `Send` branches: branches of a graph step wait for the slowest, and
these roll. It costs the picture (a task is not drawn) and little in checkpoints: one row per finished block
(some 15 kB) and the whole state once, after the last; offline, five topics leave 290 kB in eight checkpoints.

Departures from the published design, and why: what blocks propose is decided in the order of the queue rather
than as it comes, so that the same question gives the same report at any concurrency; models cite ids, and
`CIT-2-01` is only how `S2.1` is shown; a note is checked for numbers that no source has; the duplicates that
a model names after research are joined rather than removed.

Read on in: `topic_blocks` (the queue as data), `topic_workers` (who takes what, when), `topic_research` (one
block), `topic_decisions` (its two questions to a model), `outline` and `topic_report` (the report).
"""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from langgraph.func import task
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from ..compressor import quote_sources
from ..context import Context
from ..decomposer import Planning, decompose_node
from ..draft_review import reviewed
from ..errors import BudgetExceeded, ModelError
from ..ledger import merge_by_key, report_language
from ..outline import ReportOutline, plan_outline
from ..rephraser import rephrase_node
from ..state import Finding, Gap, Source, append
from ..topic_blocks import TopicQueue
from ..topic_decisions import TopicTask
from ..topic_files import write_outline, write_reporting
from ..topic_merge import merge_topics_node
from ..topic_report import write_topic_report
from ..topic_research import TopicResult, research_topic
from ..topic_workers import run_queue
from ..writer import write_report

PLANNING = "0"
"""The branch of planning: its sources are S0.1, S0.2 …, shown as PLAN-01, PLAN-02 …"""
_MERGED = ("findings", "sources", "gaps")


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


def afresh(decompose: Any) -> Any:
    """The decomposer's node; with its plan, nothing of an earlier question on the same thread is left."""

    async def decompose_afresh(state: QueueState, runtime: Runtime[Context]) -> dict[str, Any]:
        planned = await decompose({**state, "topic": state.get("topic", "")}, runtime)
        empty = {"wording": "", "wishes": [], "findings": Overwrite([]), "outline": None, "draft": ""}
        new = {key: Overwrite(value) if key in _MERGED else value for key, value in planned.items()}
        return {**empty, **new}

    return decompose_afresh


def research_with(research: Any) -> Any:
    """The node that works the queue off; each block is a task, checkpointed when it is finished."""

    async def research_one(given: TopicTask, ctx: Context) -> TopicResult:
        result: TopicResult = await research(given, ctx)
        return result

    as_task: Any = task(name="research_topic")  # its own type knows no function with arguments
    research_one_topic = as_task(research_one)

    async def research_topics(state: QueueState, runtime: Runtime[Context]) -> dict[str, Any]:
        """Research all topics, those that come up on the way too."""
        queue, planned = state["queue"].model_copy(deep=True), state.get("sources", [])
        question, ctx = state["question"], runtime.context
        results = await run_queue(queue, question, planned, state["free"], research_one_topic, ctx)
        return {
            "queue": queue,
            "findings": [finding for result in results for finding in result.findings],
            "sources": [source for result in results for source in result.sources],
            "gaps": [gap for result in results for gap in result.gaps],
        }

    return research_topics


async def plan_report(state: QueueState, runtime: Runtime[Context]) -> dict[str, Any]:
    """The outline, if the budget has room for a report in sections and no others are wanted."""
    ctx, findings = runtime.context, state.get("findings", [])
    calls = ctx.budget.left(ctx.branch, "writer").get("model_calls")
    few = calls is not None and calls < len(findings) + 3
    if not findings or few or ctx.settings.output.sections:  # wanted sections are the writer's to see to
        return {"outline": None}
    language = report_language(state["question"], ctx.settings.language)
    outline = await plan_outline(state["question"], findings, language, ctx)
    write_outline(outline.model_dump(), ctx)
    return {"outline": outline}


async def write_report_node(state: QueueState, runtime: Runtime[Context]) -> dict[str, Any]:
    """The draft: section by section along the outline, else in one shot, else from the local template."""
    ctx, question, outline = runtime.context, state["question"], state.get("outline")
    findings, sources, gaps = state.get("findings", []), state.get("sources", []), state.get("gaps", [])
    brief, history = state.get("topic") or question, state["history"]
    language = report_language(question, ctx.settings.language)
    draft, new = "", list[Gap]()
    if outline is not None:
        try:
            draft, new = await write_topic_report(
                question, brief, history, outline, findings, sources, language, ctx
            )

            async def rewrite(remark: str) -> str:
                again = await write_topic_report(
                    question, brief, history, outline, findings, sources, language, ctx, remark
                )
                return again[0]

            draft, open_points = await reviewed(question, draft, sources, rewrite, ctx)
            new = [*new, *open_points]
        except (ModelError, BudgetExceeded) as error:
            new = [ctx.failure("no_part_written", error, "report")]
    if not draft:
        everything = [*planning_finding(state, ctx), *findings]
        draft, more = await write_report(question, brief, history, everything, sources, [*gaps, *new], ctx)
        new = [*new, *more]
    sections = [section.title for section in outline.sections] if outline else []
    write_reporting(sections, len(new), sources, ctx)
    return {"draft": draft, "gaps": new}


def planning_finding(state: QueueState, ctx: Context) -> list[Finding]:
    """What planning found, as quotes: it can be cited like anything else."""
    retrieved = [source for source in state.get("sources", []) if source.id in state["planning"].retrieved]
    if not retrieved:
        return []
    planning = state["planning"]
    return [
        Finding(
            branch=PLANNING,
            topic=planning.main_topic,
            text=quote_sources(retrieved, ctx),
            source_ids=[source.id for source in retrieved],
            queries=planning.queries,
        )
    ]


def build_graph(
    *,
    rephrase: Any = rephrase_node,
    decompose: Any = decompose_node,
    research: Any = research_topic,
    merge: Any = merge_topics_node,
    plan_report: Any = plan_report,
    write_report: Any = write_report_node,
    checkpointer: Any = None,
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The whole system; each part can be replaced by another function with the same contract.

    `research` takes a `TopicTask` and the context and returns a `TopicResult`; the others are nodes.
    """
    graph = StateGraph(QueueState, context_schema=Context)
    graph.add_node("rephrase", rephrase)
    graph.add_node("decompose", afresh(decompose))
    graph.add_node("research_topics", research_with(research))
    graph.add_node("merge_topics", merge)
    graph.add_node("plan_report", plan_report)
    graph.add_node("write_report", write_report)
    graph.add_edge(START, "rephrase")
    for source, target in (
        ("decompose", "research_topics"),
        ("research_topics", "merge_topics"),
        ("merge_topics", "plan_report"),
        ("plan_report", "write_report"),
        ("write_report", END),
    ):
        graph.add_edge(source, target)
    return graph.compile(checkpointer=checkpointer)


graph = build_graph()
"""The compiled graph, for `langgraph.json` and for drawing; it needs no key."""
