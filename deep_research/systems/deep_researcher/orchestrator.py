"""The orchestrator: an agent that reads what the draft lacks and decides what is researched next.

It sees the whole run (what was agreed with the user, the plan that was approved, the draft, what is open) in
its prompt and as virtual files. Its decisions are topics; code ties each to the section that it concerns, and
lets none be researched again in the same words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from deep_research.components.others.critic import Weak
from deep_research.components.supervisor import SUPERVISOR_TOOLS
from deep_research.core.records import Finding
from deep_research.engine.context import Context
from deep_research.engine.output_requests import scope_notes
from deep_research.engine.prompting import user_message
from deep_research.engine.tools import tools_of_role
from deep_research.systems.shared.reflexion import asked_before, next_question
from deep_research.text.fence import fence
from deep_research.text.terms import query_terms

from .agent_run import DelegationRun
from .draft import virtual_files
from .plan import plan_text
from .research import agent_instructions

TURNS = 6
"""Turns of one decision: a few looks into the files, a thought, the decision."""


@dataclass
class NextTopics:
    """The next topics, each with the number of its section, and the todos that the agent has kept."""

    topics: list[tuple[str, int]] = field(default_factory=list)
    todos: list[Mapping[str, str]] = field(default_factory=list)


async def decide_next(state: Mapping[str, Any], ctx: Context) -> NextTopics:
    """Let the agent decide on the state of the run; no topic means that the research is over.

    Raises `ModelError` and `BudgetExceeded` as the agent's calls do.
    """
    from .agents import run_agent

    plan, done = state["plans"][-1], [task["topic"] for task in state["tasks"]]
    run = DelegationRun(
        ctx, _instructions(state, ctx), tools_of_role("orchestrator", SUPERVISOR_TOOLS, ctx.settings), TURNS,
        kept=[plan_text(plan), open_text(state)], brief=state["brief"], done=done, started=len(done),
    )  # fmt: skip
    left = await run_agent("orchestrator", run, [user_message(_task(state, ctx))], virtual_files(state))
    topics = (without_brief(one.topic, state["brief"]) for one in run.assignments)
    decided = dict.fromkeys(_new_topic(topic, done, state) for topic in topics)
    return NextTopics([one for one in decided if one[0]], left.get("todos", []))


_INTRODUCES = re.compile(r"(?<=[.?!。？！])[^.?!。？！]*$")


def without_brief(topic: str, brief: str) -> str:
    """A topic without what a model has copied of the brief into it: its researcher is told the brief, too."""
    same = SequenceMatcher(None, topic, brief, autojunk=False).find_longest_match()
    own = topic
    if same.size >= 40:  # with what only introduces it: "…? The question is"
        own = _INTRODUCES.sub("", topic[: same.a]) + topic[same.a + same.size :]
    return " ".join(own.split()).strip(' :：“”"') or topic


def _new_topic(topic: str, done: Sequence[str], state: Mapping[str, Any]) -> tuple[str, int]:
    """A topic with its section; where it repeats an old one, what is missing there, or ""."""
    section = section_of(topic, state)
    if not asked_before(topic, done):
        return topic, section
    weak = next(one for one in state["critique"]["weak"] if one["number"] == section)
    heading, drafted = state["plans"][-1][section - 1]["heading"], state["sections"].get(section, "")
    found = Finding(branch="0", topic=heading, text=drafted)
    return next_question(heading, weak["missing"], found, done), section


def _instructions(state: Mapping[str, Any], ctx: Context) -> Any:
    notes = scope_notes(ctx.settings, state["question"], agreed=state.get("verification", ""))
    return agent_instructions(
        "orchestrator",
        ctx,
        max_loops=ctx.settings.deep.max_loops,
        max_topics=ctx.settings.limits.max_concurrent_research_units,
        scope_notes=notes,
        data_sources="\n".join(f"- {tool.description}" for tool in ctx.offer.tools),
    )


def _task(state: Mapping[str, Any], ctx: Context) -> str:
    """The one message: the conversation so far, the plan, what is open."""
    said = [f"{turn['role']}: {fence(turn['content'])}" for turn in state["history"]]
    parts = [
        "<conversation>\n" + "\n".join(said) + "\n</conversation>",
        ctx.offer.documents,
        f"<plan>\n{fence(plan_text(state['plans'][-1]))}\n</plan>",
        f"Brief: {fence(state['brief'])}",
        open_text(state),
    ]
    return "\n\n".join(part for part in parts if part)


def open_text(state: Mapping[str, Any]) -> str:
    """The open gaps, a line each."""
    plan, weak = state["plans"][-1], state["critique"]["weak"]
    lines = [f"- {plan[one['number'] - 1]['heading']}: {fence(one['missing'])}" for one in weak]
    return "Still open:\n" + "\n".join(lines)


def section_of(topic: str, state: Mapping[str, Any]) -> int:
    """The number of the open section that a topic concerns: the one with most words in common."""
    wanted = set(query_terms(topic))

    def shared(one: Weak) -> int:
        section = state["plans"][-1][one["number"] - 1]
        text = " ".join([section["heading"], *section["queries"], one["missing"]])
        return len(wanted & set(query_terms(text)))

    number: int = max(state["critique"]["weak"], key=shared)["number"]
    return number
