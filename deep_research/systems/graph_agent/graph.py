"""Graph agent (Loki): a fixed graph that plans, researches each question, reviews, revises, asks a person.

    parse_request → (ask_topic →) bootstrap_research → plan ‖ knowledge_lookup
        → research_each_question ⇉ research_one_question → combine_findings → vet_sources → critique
        → reflexion_gate → research_each_question (revise) | synthesize
        → verify_sources → approve → end_accepted | end_rejected | incorporate_feedback
        incorporate_feedback → research_each_question

Main departures from the published design, and why (`docs/designs.md` has all): a question is researched by
the same researcher as elsewhere, at most so many at a time; only for weak questions more is asked; rules
vet every cited source and the model only remarks on it; where nobody is there to approve, the report is
accepted.

Read on in `components/others/` (planner, critic, vetter) and `shared/reflexion` (passes).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Annotated, Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, Overwrite, Send, interrupt

from deep_research.components.brief_writer import write_brief
from deep_research.components.others.critic import Critique, review_findings
from deep_research.components.others.planner import plan_node
from deep_research.components.others.vetter import Vetted, cited_by, vet
from deep_research.components.researcher.graph import build_researcher, limited
from deep_research.components.writer import review_and_rewrite, with_all_citations, write_report
from deep_research.core.records import Finding, Gap, Material, Source, append
from deep_research.engine.branches import Branches
from deep_research.engine.context import Context
from deep_research.sources.knowledge import knowledge_node
from deep_research.sources.ledger import merge_by_key, sources_cited_in
from deep_research.systems.shared import Node, reflexion
from deep_research.systems.shared.approval import approval_request, read_decision
from deep_research.systems.shared.fresh_state import fresh_state
from deep_research.systems.shared.reflexion import Pass

from .asking import approval_question, ask_topic_node, has_topic
from .link_check import Link, check_links, dead_links
from .visits import add_counts, check_visits, with_visit_count


class GraphState(TypedDict, total=False):
    """The whole run. After each field: who writes it."""

    question: str  # the caller, ask_topic
    history: list[dict[str, str]]  # the caller, ask_topic
    brief: str  # bootstrap_research
    first_look: list[Source]  # bootstrap_research: what the plan may build on
    plan: list[str]  # plan: the questions; their numbers count from 1
    knowledge: list[str]  # knowledge_lookup: ids of passages that every branch is given
    todo: list[int]  # reflexion_gate, incorporate_feedback: which questions come next; at first, all
    asks: dict[int, str]  # reflexion_gate: what is asked for them now, instead of their words in the plan
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


_Update = dict[str, Any]


async def parse_request(
    state: GraphState, runtime: Runtime[Context]
) -> Command[Literal["ask_topic", "bootstrap_research"]]:
    """Is there a topic? Nothing of an earlier question on the same thread is left."""
    known = has_topic(state["question"])
    update = fresh_state(GraphState, {}, keep=("question", "history"))
    return Command(goto="bootstrap_research" if known else "ask_topic", update=update)


async def bootstrap_research(state: GraphState, runtime: Runtime[Context]) -> _Update:
    """Write the brief, and look once at what there is, so that the plan speaks of things that exist."""
    ctx = runtime.context
    brief = await write_brief(state["history"], ctx)
    return {"brief": brief, **await reflexion.first_pass([state["question"]], ctx)}


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
    shares = Branches([one["branch"] for one in passes], ctx).start(keep=2)  # the vetter's and the critic's
    inputs = [reflexion.question_input(one, state, shares[one["branch"]]) for one in passes]
    sends = [Send("research_one_question", given) for given in inputs]
    return Command(goto=sends, update={"passes": passes})


async def combine_findings(state: GraphState, runtime: Runtime[Context]) -> _Update:
    """All findings by question, of this pass and those before; unspent budget returns to the run."""
    passes = state.get("passes", [])
    Branches([one["branch"] for one in passes], runtime.context).join()
    return {"combined": reflexion.combine_passes(state["plan"], state.get("findings", []), passes)}


async def vet_sources(state: GraphState, runtime: Runtime[Context]) -> _Update:
    """A tier with its reason for every source that a finding cites."""
    cited = cited_by(list(state["combined"].values()), state.get("sources", []))
    return {"vetted": await vet(cited, state.get("vetted", []), runtime.context)}


async def critique_node(state: GraphState, runtime: Runtime[Context]) -> _Update:
    """A verdict on every question of the plan."""
    critique = await review_findings(state["plan"], state["combined"], state["vetted"], runtime.context)
    return {"critique": critique}


async def reflexion_gate(
    state: GraphState, runtime: Runtime[Context]
) -> Command[Literal["research_each_question", "synthesize"]]:
    """Ask what the weak questions lack, or write: when all is well, nothing improves, or a limit says so."""
    ended, before, asks = reflexion.decide_revision(state, runtime.context)
    if ended:
        return Command(goto="synthesize", update={"ended": ended, "before": before})
    revisions = state["revisions"] + 1
    update = {"todo": list(asks), "asks": asks, "revisions": revisions, "before": before}
    return Command(goto="research_each_question", update=update)


async def synthesize_node(state: GraphState, runtime: Runtime[Context]) -> _Update:
    """The draft, from the findings of all passes, reviewed if settings want it; it cites what they cite."""
    ctx = runtime.context.about(state["question"])
    findings = [finding for _, finding in sorted(state["combined"].items())]
    gaps = [*reflexion.settled_gaps(state), *reflexion.unfinished_gaps(state, ctx)]
    remark = "\n\n".join(reflexion.reader_notes(state))
    material = replace(Material.of(state), findings=findings, gaps=gaps, remark=remark)
    draft, new = await write_report(material, ctx)
    draft, open_points = await review_and_rewrite(draft, material, ctx)
    draft = with_all_citations(draft, material, ctx)
    return {"draft": draft, "gaps": Overwrite([*gaps, *new, *open_points])}


async def verify_sources(state: GraphState, runtime: Runtime[Context]) -> _Update:
    """Do the links that the draft cites still open? A dead one is named; it stops nothing."""
    cited = sources_cited_in(state["draft"], state.get("sources", []))
    links = await check_links(cited, runtime.context)
    return {"links": links, "gaps": dead_links(links, cited, runtime.context)}


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


async def incorporate_feedback(state: GraphState, runtime: Runtime[Context]) -> _Update:
    """Every question comes again, with the reviewer's remarks; what was found stays."""
    return {"feedback": [state["remarks"]], "todo": list(range(1, len(state["plan"]) + 1)), "asks": {}}


async def end_accepted(state: GraphState, runtime: Runtime[Context]) -> _Update:
    """The draft is the report."""
    return {"status": ""}


async def end_rejected(state: GraphState, runtime: Runtime[Context]) -> _Update:
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


def build_graph(
    *,
    ask_topic: Node = ask_topic_node,
    plan: Node = plan_node,
    look_up: Node = knowledge_node,
    research: Node | None = None,
    vet: Node = vet_sources,
    review: Node = critique_node,
    write: Node = synthesize_node,
    check_links: Node = verify_sources,
    approve: Node = approve,
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
        graph.add_node(name, with_visit_count(name, node))
    research = limited(
        lambda ctx: ctx.settings.graph.max_concurrent_questions, research or build_researcher()
    )
    graph.add_node("research_one_question", research)
    for path in PATHS:
        for source, target in pairwise(path):
            graph.add_edge(source, target)
    graph.add_edge(["plan", "knowledge_lookup"], "research_each_question")
    return graph.compile(checkpointer=checkpointer)


graph = build_graph()
"""The compiled graph, for `langgraph.json` and for drawing; it needs no key."""
