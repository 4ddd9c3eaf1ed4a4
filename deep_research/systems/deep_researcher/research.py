"""One researcher as an agent: it searches until its topic is settled, and hands back typed findings.

    researcher → compress

The agent is assembled from the library's parts (`agents.py`); its searches go through the ledger of its
branch. What goes wrong in here costs this topic only: it becomes a typed gap, and the evidence found so far
is still compressed.

Code takes the compressor's text apart into findings, so nothing depends on a model's skill with schemas: a
statement is what stands before a citation, its quote is the passage of the cited page that says most of it,
and what cites nothing is no finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from deep_research.components.researcher import researcher_loop, researcher_variables
from deep_research.components.researcher.graph import (
    BranchResult,
    TopicNode,
    TopicState,
    compress_topic,
    contain_errors,
    current_task,
)
from deep_research.components.verifier.claims.evidence import WantedTerms, best_window, read_source, terms_of
from deep_research.core.records import Finding, Gap, Source, append
from deep_research.engine.branches import gap_instead_of_error
from deep_research.engine.context import Context
from deep_research.engine.prompting import system_prompt, user_message
from deep_research.engine.tools import RESEARCH_COMPLETE, THINK, Tool, tools_of_role
from deep_research.prompts import render
from deep_research.sources.ledger import Ledger, by_any_id, full_text
from deep_research.text.source_ids import cited_statements

from .agent_run import SearchRun

_TIME_TO_SEARCH = 0.8
"""The part of a branch's time after which its agent is stopped, so that there is time to compress."""


class AgentTopicState(TopicState, total=False):
    """One researcher's own state, with what its findings rest on."""

    evidence: Annotated[list[Evidence], append]  # compress


class AgentTopicResult(BranchResult, total=False):
    """What a researcher hands back."""

    evidence: Annotated[list[Evidence], append]


def research_tools(role: str, ctx: Context) -> list[Tool]:
    """The tools of an agent that searches: those for the run's sources, to think, and to end."""
    tools = {tool.name: tool for tool in (*ctx.offer.tools, THINK, RESEARCH_COMPLETE)}
    return tools_of_role(role, list(tools.values()), ctx.settings)


def agent_instructions(prompt: str, ctx: Context, **variables: Any) -> Any:
    """A role's instructions, and what every agent is told of its todos and files."""
    own, chosen = system_prompt(prompt, ctx, **variables), ctx.settings
    override = chosen.prompts.get("agent_files")
    files = render("agent_files", chosen.prompt_language, override=override)
    return own.model_copy(update={"content": f"{own.content}\n\n{files}"})


async def research_topic_with_agent(state: TopicState, ctx: Context) -> Command[Literal["compress"]]:
    """Let the agent work; what it has found when it is stopped is kept."""
    from .agents import run_agent

    ctx.budget.reserve(ctx.branch, "compressor", {"model_calls": 1})
    run = research_agent_run(current_task(state), state["topic"], ctx)
    spent = ctx.clock.seconds() - ctx.shared.branch_started.get(ctx.branch, ctx.clock.seconds())
    seconds = ctx.settings.branch_timeout * _TIME_TO_SEARCH - spent
    work = run_agent("researcher", run, [user_message(current_task(state))])
    done = await gap_instead_of_error(work, seconds, ctx, late="search_late")
    gaps = [done] if isinstance(done, Gap) else []
    stopped = gaps or run.ended == "limit"
    run.progress.ended = run.progress.ended or ("limit" if stopped else "no_tool_call")
    found = {"messages": run.said, "progress": run.progress, "sources": run.ledger.sources}
    return Command(goto="compress", update={**found, "gaps": [*run.gaps, *gaps]})


def research_agent_run(task: str, topic: str, ctx: Context) -> SearchRun:
    """What a researcher works with in its branch."""
    turns, tools = ctx.settings.limits.max_react_tool_calls + 1, research_tools("researcher", ctx)
    instructions = agent_instructions("researcher", ctx, **researcher_variables(tools, ctx))
    whole = researcher_loop(ctx, len(ctx.offer.order))  # `SearchRun` divides it into phases
    return SearchRun(
        ctx, instructions, tools, turns, kept=[task], topic=topic,
        loop=replace(whole, tools=tools), ledger=Ledger(ctx.branch),
    )  # fmt: skip


async def compress_typed(state: TopicState, ctx: Context) -> Command[Literal["__end__"]]:
    """Boil the evidence down to statements, each with its source and a passage of it."""
    done = await compress_topic(state, ctx)
    update: dict[str, Any] = {**done.update}  # type: ignore[dict-item]  # LangGraph types it loosely
    sources = state.get("sources", [])
    for finding in update.get("findings", []):
        update["evidence"] = typed_findings(finding, sources, ctx)
        finding.text = findings_as_text(update["evidence"])
    return Command(goto="__end__", update=update)


def build_research_agent(
    *, research: TopicNode = research_topic_with_agent
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph of one researcher."""
    graph = StateGraph(AgentTopicState, context_schema=Context, output_schema=AgentTopicResult)
    graph.add_node("researcher", contain_errors(research, "compress"))
    graph.add_node("compress", contain_errors(compress_typed, END))
    graph.add_edge(START, "researcher")
    return graph.compile()


class Evidence(TypedDict):
    """A statement and one source that it rests on; plain data, for checkpoints.

    `quote` is verbatim; empty if no passage of the source has anything of the statement.
    """

    branch: str
    claim: str
    quote: str
    source_id: str


def typed_findings(finding: Finding, sources: Sequence[Source], ctx: Context) -> list[Evidence]:
    """The statements of a finding, one entry for each source that one cites; unknown ids are left out."""
    known = by_any_id(sources)
    return [
        Evidence(branch=finding.branch, claim=claim, quote=_quote(claim, known[name], ctx), source_id=name)
        for claim, names in cited_statements(finding.text)
        for name in names
        if name in known
    ]


def _quote(claim: str, source: Source, ctx: Context) -> str:
    """The passage of a source that says most of a claim."""
    text = full_text(source, ctx)
    reading, terms = read_source(text, source.title), terms_of(claim)
    window = best_window(WantedTerms(terms, reading)) if terms and reading.passages else None
    if window is None:
        return ""
    return text[reading.passages[window.first].start : reading.passages[window.last].end]


def findings_as_text(evidence: Iterable[Evidence]) -> str:
    """Statements as the writer sees them: a line each, with the ids of all its sources."""
    by_claim: dict[str, list[str]] = {}
    for one in evidence:
        by_claim.setdefault(one["claim"], []).append(one["source_id"])
    cited = {claim: "".join(f"[{name}]" for name in names) for claim, names in by_claim.items()}
    return "\n".join(f"- {claim} {names}" for claim, names in cited.items())
