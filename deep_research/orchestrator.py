"""The orchestrator: an agent that reads what the draft lacks and decides what is researched next.

It sees the whole run (what was agreed with the user, the plan that was approved, the draft, what is open) in
its prompt and as virtual files. Its decisions are topics; code ties each to the section that it concerns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .context import Context
from .critic import Weak
from .data_sources import documents_text, search_tools
from .desk import DelegationDesk
from .glossary import shown
from .guard import fence
from .prompting import scope_notes
from .research_agent import desk_instructions
from .research_plan import Plan, plan_text
from .supervisor import TOOLS_OFFERED, offered
from .terms import query_terms

TURNS = 6
"""Turns of one decision: a few looks into the files, a thought, the decision."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The run as the orchestrator sees it. `open` are the weak sections, `files` the virtual ones by path."""

    question: str
    brief: str
    history: Sequence[Mapping[str, str]]
    verification: str
    plan: Plan
    open: Sequence[Weak]
    topics: Sequence[str]
    files: Mapping[str, str]


@dataclass
class Decision:
    """The next topics, each with the number of its section, and the todos that the agent has kept."""

    topics: list[tuple[str, int]] = field(default_factory=list)
    todos: list[Mapping[str, str]] = field(default_factory=list)


async def decide_next(situation: Situation, ctx: Context) -> Decision:
    """Let the agent decide; no topic means that the research is over.

    Raises `ModelError` and `BudgetExceeded` as the agent's calls do.
    """
    from langchain_core.messages import HumanMessage

    from .deep_agents import run_agent

    kept = [plan_text(situation.plan), open_text(situation)]
    desk = DelegationDesk(
        ctx, _instructions(situation, ctx), offered("orchestrator", TOOLS_OFFERED, ctx), TURNS, kept=kept,
        brief=situation.brief, done=situation.topics, started=len(situation.topics),
    )  # fmt: skip
    outcome = await run_agent("orchestrator", desk, [HumanMessage(_task(situation, ctx))], situation.files)
    decided = [(one.topic, section_of(one.topic, situation)) for one in desk.assignments]
    return Decision(decided, list(outcome.todos))


def _instructions(situation: Situation, ctx: Context) -> Any:
    scope, language = ctx.settings.scope, ctx.settings.prompt_language
    notes = scope_notes(scope, shown(scope.glossary, situation.question), language, situation.verification)
    return desk_instructions(
        "orchestrator",
        ctx,
        max_loops=ctx.settings.deep.max_loops,
        max_topics=ctx.settings.limits.max_concurrent_research_units,
        scope_notes=notes,
        data_sources="\n".join(f"- {tool.description}" for tool in search_tools(ctx)),
    )


def _task(situation: Situation, ctx: Context) -> str:
    """The one message: the conversation so far, the plan, what is open."""
    said = [f"{turn['role']}: {fence(turn['content'])}" for turn in situation.history]
    parts = [
        "<conversation>\n" + "\n".join(said) + "\n</conversation>",
        documents_text(ctx),
        f"<plan>\n{fence(plan_text(situation.plan))}\n</plan>",
        f"Brief: {fence(situation.brief)}",
        open_text(situation),
    ]
    return "\n\n".join(part for part in parts if part)


def open_text(situation: Situation) -> str:
    """The open gaps, a line each."""
    lines = [
        f"- {situation.plan[one['number'] - 1]['heading']}: {fence(one['missing'])}" for one in situation.open
    ]
    return "Still open:\n" + "\n".join(lines)


def section_of(topic: str, situation: Situation) -> int:
    """The number of the open section that a topic concerns: the one with most words in common."""
    wanted = set(query_terms(topic))

    def shared(one: Weak) -> int:
        section = situation.plan[one["number"] - 1]
        text = " ".join([section["heading"], *section["queries"], one["missing"]])
        return len(wanted & set(query_terms(text)))

    return max(situation.open, key=shared)["number"]
