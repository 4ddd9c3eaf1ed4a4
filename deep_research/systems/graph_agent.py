"""Graph agent (Loki): a fixed graph that plans, researches each question, reviews, revises, asks a person.

    parse_request → (ask_topic →) bootstrap_research → plan ‖ knowledge_lookup
        → research_each_question ⇉ research_one_question → combine_findings → vet_sources → critique
        → reflexion_gate → research_each_question (revise) | synthesize
        → verify_sources → approve → end_accepted | end_rejected | incorporate_feedback
        incorporate_feedback → research_each_question

Departures from the published design, and why: a question is researched by the same researcher as elsewhere,
at most `map_cap` at a time; rules vet every cited source and the model only remarks on it; an empty plan
goes straight to the join; where nobody is there to approve, the report is accepted. Read on in: `planner`,
`researcher_graph` (one branch), `reflexion` (passes, and when they end), `critic`, `vetter`, `approval`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, Overwrite, Send, interrupt

from ..approval import approval_question, approval_request, read_decision
from ..brief_writer import write_brief
from ..context import Context
from ..critic import Critique, review
from ..knowledge import knowledge_node
from ..ledger import by_any_id, cited_ids, merge_by_key, report_language
from ..link_check import Link, check_links, dead_links
from ..planner import plan_node
from ..reflexion import Pass, branch_input, combined, decide, first_look, settled, unfinished
from ..researcher_graph import at_most, build_researcher
from ..state import Finding, Gap, Source, append
from ..topic import ask_topic_node, has_topic
from ..vetter import Vetted, cited_by, vet
from ..visits import add_counts, check_visits, counted
from ..writer import with_all_citations, write_report


class GraphState(TypedDict, total=False):
    """The whole run. After each field: who writes it."""

    question: str  # the caller, ask_topic
    history: list[dict[str, str]]  # the caller, ask_topic
    brief: str  # bootstrap_research
    first_look: list[Source]  # bootstrap_research: what the plan may build on
    plan: list[str]  # plan: the questions; their numbers count from 1
    knowledge: list[str]  # knowledge_lookup: ids of passages that every branch is given
    todo: list[int]  # reflexion_gate, incorporate_feedback: which questions come next; at first, all
    passes: Annotated[list[Pass], append]  # research_each_question: which branch took which question
    findings: Annotated[list[Finding], append]  # research_one_question
    sources: Annotated[list[Source], merge_by_key]  # bootstrap, knowledge_lookup, research_one_question
    gaps: Annotated[list[Gap], append]  # every node; synthesize drops those that were mended
    combined: dict[int, Finding]  # combine_findings: all that was found, by number of the question
    vetted: list[Vetted]  # vet_sources
    critique: Critique  # critique
    revisions: int  # reflexion_gate
    before: list[int]  # reflexion_gate: weak questions and cited sources when it last looked
    ended: str  # reflexion_gate: why the loop ended
    draft: str  # synthesize: Markdown that cites ids
    links: list[Link]  # verify_sources
    remarks: str  # approve
    feedback: Annotated[list[str], append]  # incorporate_feedback
    visits: Annotated[dict[str, int], add_counts]  # every node
    status: str  # end_rejected


Update = dict[str, Any]
_AFRESH: dict[str, Any] = {
    **{key: Overwrite([]) for key in ("passes", "findings", "sources", "gaps", "feedback")},
    "visits": Overwrite({}), "critique": Critique(weak=[], unreviewed={}), "first_look": [], "todo": [],
    "combined": {}, "vetted": [], "revisions": 0, "before": [], "draft": "", "status": "",
}  # fmt: skip


async def parse_request(
    state: GraphState, runtime: Runtime[Context]
) -> Command[Literal["ask_topic", "bootstrap_research"]]:
    """Is there a topic? Nothing of an earlier question on the same thread is left."""
    known = has_topic(state["question"])
    return Command(goto="bootstrap_research" if known else "ask_topic", update=_AFRESH)


async def bootstrap_research(state: GraphState, runtime: Runtime[Context]) -> Update:
    """Write the brief, and look once at what there is, so that the plan speaks of things that exist."""
    ctx = runtime.context
    brief = await write_brief(state["history"], ctx)
    return {"brief": brief, **await first_look([state["question"]], ctx)}


async def research_each_question(
    state: GraphState, runtime: Runtime[Context]
) -> Command[Literal["research_one_question", "combine_findings"]]:
    """Start a branch per question, with what it is to mend; no question at all leads to the join too."""
    ctx, plan, done = runtime.context, state["plan"], len(state.get("passes", []))
    numbers = state.get("todo") or list(range(1, len(plan) + 1))
    if not numbers:
        return Command(goto="combine_findings")
    check_visits("research_one_question", done + len(numbers), ctx)
    ctx.budget.observe("0", "sources", len(state.get("sources", [])))
    passes = [Pass(branch=str(done + n), number=number) for n, number in enumerate(numbers, start=1)]
    branches = [one["branch"] for one in passes]
    with ctx.budget.keeping("0", {"model_calls": 2}):  # the vetter's and the critic's
        shares = ctx.budget.share("0", branches)
    ctx.trace.fork("0", branches)
    sends = [Send("research_one_question", branch_input(one, state, shares[one["branch"]])) for one in passes]
    return Command(goto=sends, update={"passes": passes})


async def combine_findings(state: GraphState, runtime: Runtime[Context]) -> Update:
    """All findings by question, of this pass and those before; unspent budget returns to the run."""
    ctx, passes = runtime.context, state.get("passes", [])
    branches = [one["branch"] for one in passes]
    ctx.budget.close(branches)
    ctx.trace.join("0", branches)
    return {"combined": combined(state["plan"], state.get("findings", []), passes)}


async def vet_sources(state: GraphState, runtime: Runtime[Context]) -> Update:
    """A tier with its reason for every source that a finding cites."""
    cited = cited_by(list(state["combined"].values()), state.get("sources", []))
    return {"vetted": await vet(cited, state.get("vetted", []), runtime.context)}


async def critique(state: GraphState, runtime: Runtime[Context]) -> Update:
    """A verdict on every question of the plan."""
    return {"critique": await review(state["plan"], state["combined"], state["vetted"], runtime.context)}


async def reflexion_gate(
    state: GraphState, runtime: Runtime[Context]
) -> Command[Literal["research_each_question", "synthesize"]]:
    """Once more for the weak questions, or write: when all is well, nothing improves, or a limit says so."""
    ended, before = decide(state, runtime.context)
    if ended:
        return Command(goto="synthesize", update={"ended": ended, "before": before})
    todo = [weak["number"] for weak in state["critique"]["weak"]]
    update = {"todo": todo, "revisions": state["revisions"] + 1, "before": before}
    return Command(goto="research_each_question", update=update)


async def synthesize(state: GraphState, runtime: Runtime[Context]) -> Update:
    """The draft, from the findings of all passes; it cites what they cite."""
    ctx, question, sources = runtime.context, state["question"], state.get("sources", [])
    findings = [finding for _, finding in sorted(state["combined"].items())]
    gaps = [*settled(state), *unfinished(state, ctx)]
    history, brief = state["history"], state["brief"]
    draft, new = await write_report(question, brief, history, findings, sources, gaps, ctx)
    language = report_language(question, ctx.settings.language)
    return {"draft": with_all_citations(draft, findings, sources, language), "gaps": Overwrite([*gaps, *new])}


async def verify_sources(state: GraphState, runtime: Runtime[Context]) -> Update:
    """Do the links that the draft cites still open? A dead one is named; it stops nothing."""
    ctx, known = runtime.context, by_any_id(state.get("sources", []))
    cited = list(
        {known[name].id: known[name] for name in cited_ids(state["draft"]) if name in known}.values()
    )
    links = await check_links(cited, ctx)
    return {"links": links, "gaps": dead_links(links, cited, ctx)}


async def approve(
    state: GraphState, runtime: Runtime[Context]
) -> Command[Literal["end_accepted", "end_rejected", "incorporate_feedback"]]:
    """Put the draft to a person, with all that speaks for and against it; nothing else happens here."""
    settings = runtime.context.settings
    left = settings.graph.max_feedback_passes - len(state.get("feedback", []))
    if settings.approval == "off" or not state["combined"]:
        return Command(goto="end_accepted")
    reply = str(interrupt(approval_request(approval_question(state, left), settings.approval)) or "")
    decision = read_decision(reply)
    if decision != "feedback":
        return Command(goto="end_accepted" if decision == "accept" else "end_rejected")
    if left > 0:
        return Command(goto="incorporate_feedback", update={"remarks": reply})
    gap = runtime.context.gap("refused_topic", "no_pass_left", "approval", remark=reply)
    return Command(goto="end_accepted", update={"gaps": [gap]})


async def incorporate_feedback(state: GraphState, runtime: Runtime[Context]) -> Update:
    """Every question comes again, with the reviewer's remarks; what was found stays."""
    return {"feedback": [state["remarks"]], "todo": list(range(1, len(state["plan"]) + 1))}


async def end_accepted(state: GraphState, runtime: Runtime[Context]) -> Update:
    """The draft is the report."""
    return {"status": ""}


async def end_rejected(state: GraphState, runtime: Runtime[Context]) -> Update:
    """The draft is kept, and marked as rejected."""
    return {"status": "rejected"}


PATHS = (
    (START, "parse_request"),
    ("ask_topic", "bootstrap_research", "plan"),
    ("bootstrap_research", "knowledge_lookup"),
    ("research_one_question", "combine_findings", "vet_sources", "critique", "reflexion_gate"),
    ("synthesize", "verify_sources", "approve"),
    ("incorporate_feedback", "research_each_question"),
    ("end_accepted", END),
    ("end_rejected", END),
)
"""What always comes next; where a node chooses, its return type says so."""


def map_cap(ctx: Context) -> int:
    """How many questions are researched side by side."""
    return ctx.settings.graph.max_concurrent_questions


def build_graph(
    *,
    ask_topic: Any = ask_topic_node,
    plan: Any = plan_node,
    look_up: Any = knowledge_node,
    research: Any = None,
    vet: Any = vet_sources,
    review: Any = critique,
    write: Any = synthesize,
    check_links: Any = verify_sources,
    approve: Any = approve,
    checkpointer: Any = None,
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The whole system; each part can be replaced by another function with the same contract."""
    nodes = {
        "parse_request": parse_request, "ask_topic": ask_topic, "bootstrap_research": bootstrap_research,
        "plan": plan, "knowledge_lookup": look_up, "research_each_question": research_each_question,
        "combine_findings": combine_findings, "vet_sources": vet, "critique": review,
        "reflexion_gate": reflexion_gate, "synthesize": write, "verify_sources": check_links,
        "approve": approve, "incorporate_feedback": incorporate_feedback,
        "end_accepted": end_accepted, "end_rejected": end_rejected,
    }  # fmt: skip
    graph = StateGraph(GraphState, context_schema=Context)
    for name, node in nodes.items():
        graph.add_node(name, counted(name, node))
    graph.add_node("research_one_question", at_most(map_cap, research or build_researcher()))
    for path in PATHS:
        for source, target in pairwise(path):
            graph.add_edge(source, target)
    graph.add_edge(["plan", "knowledge_lookup"], "research_each_question")
    return graph.compile(checkpointer=checkpointer)


graph = build_graph()
"""The compiled graph, for `langgraph.json` and for drawing; it needs no key."""
