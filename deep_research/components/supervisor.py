"""The supervisor: decides what is researched next, and hands each topic to a researcher.

Two steps: `supervise` lets the model decide, `delegate` acts on the decision. Every tool call of the model is
answered: those that start a researcher when the findings are in, all others at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from deep_research.core.records import Ended, Finding, Gap, Source
from deep_research.engine.chat import chat
from deep_research.engine.context import Context
from deep_research.engine.evidence import as_attribute
from deep_research.engine.prompting import system_prompt, user_message
from deep_research.engine.tools import (
    CONDUCT_RESEARCH,
    RESEARCH_COMPLETE,
    THINK,
    ToolCall,
    read_calls,
    tool_answer,
    tools_of_role,
)
from deep_research.sources.ledger import by_any_id
from deep_research.text.fence import fence
from deep_research.text.source_ids import is_only_ids

SUPERVISOR_TOOLS = (CONDUCT_RESEARCH, RESEARCH_COMPLETE, THINK)


@dataclass(frozen=True, slots=True)
class Assignment:
    """One topic for one researcher; `call_id` is the tool call that its findings answer."""

    branch: str
    topic: str
    call_id: str


@dataclass
class Delegation:
    """What a decision comes to: topics to research, answers to the other calls, or why the loop ends."""

    assignments: list[Assignment] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)
    ended: Ended | None = None


async def supervise(brief: str, messages: Sequence[Any], ctx: Context) -> Any:
    """The model's next decision: an assistant message, usually with tool calls."""
    limits = ctx.settings.limits
    prompt = system_prompt(
        "supervisor",
        ctx,
        max_rounds=limits.max_researcher_iterations,
        max_topics=limits.max_concurrent_research_units,
    )
    tools = tools_of_role("supervisor", SUPERVISOR_TOOLS, ctx.settings)
    return await chat("supervisor", [prompt, user_message(brief), *messages], ctx, tools=tools)


def undecided() -> Any:
    """The decision of a model that has found no word for one: the brief is researched (see `delegate`)."""
    from langchain_core.messages import AIMessage

    return AIMessage("Nothing was delegated.")


def delegate(
    message: Any, brief: str, done: Sequence[str], started: int, ctx: Context, role: str = "supervisor"
) -> Delegation:
    """Turn a decision of `role` into assignments and answers.

    `done` are topics researched before; `started` is how many researchers have run, which names the branches.
    A model that asks for nothing at all before any research gets the whole brief researched as one topic.
    """
    result = Delegation()
    calls = read_calls(message, tools_of_role(role, SUPERVISOR_TOOLS, ctx.settings))
    idle = all(call.problem or call.name == RESEARCH_COMPLETE.name for call in calls)
    if idle and not started and (not calls or any(not call.problem for call in calls)):
        result.answers = [tool_answer(call, "The whole brief is researched first.") for call in calls]
        result.assignments = [Assignment(str(started + 1), brief, "")]
        return result
    wants_end = any(call.name == RESEARCH_COMPLETE.name and not call.problem for call in calls)
    most = ctx.settings.limits.max_concurrent_research_units
    for call in calls:
        topics = [*done, *(assignment.topic for assignment in result.assignments)]
        if told := _answer_at_once(call, topics, len(result.assignments) < most, ctx, role):
            result.answers.append(tool_answer(call, told))
        else:
            branch = str(started + len(result.assignments) + 1)
            result.assignments.append(Assignment(branch, call.arguments.research_topic, call.id))
    if not result.assignments:
        result.ended = "done" if wants_end else ("no_tool_call" if not calls else None)
    return result


def _answer_at_once(call: ToolCall, topics: Sequence[str], room: bool, ctx: Context, role: str) -> str:
    """The answer to a call that starts no researcher, else ''. `topics` were delegated before."""
    limit = ctx.settings.limits.max_concurrent_research_units
    if call.problem:
        return f"Error: {call.problem}"
    if call.name == THINK.name:
        ctx.emit("call", role=role, tool="think", text=call.arguments.reflection)
        return "Noted."
    if call.name == RESEARCH_COMPLETE.name:
        return "Noted. Topics delegated in the same message are researched first."
    if is_only_ids(call.arguments.research_topic):
        return "Error: a topic is said in words, not in ids."
    if call.arguments.research_topic in topics:
        return "Not done: this very topic was delegated before."
    full = f"Not done: at most {limit} topics at a time. Delegate it again in the next round."
    return "" if room else full


def report_back(
    assignments: Sequence[Assignment],
    findings: Sequence[Finding],
    gaps: Sequence[Gap],
    sources: Sequence[Source],
) -> list[Any]:
    """The findings as messages to the supervisor: tool results, in the order of the assignments.

    An assignment that no tool call asked for (see `delegate`) comes back as a user message.
    """
    by_branch = {finding.branch: finding for finding in findings}
    known = by_any_id(sources)
    messages = []
    for assignment in assignments:
        text = _result_text(assignment, by_branch.get(assignment.branch), gaps, known)
        call = ToolCall(assignment.call_id, CONDUCT_RESEARCH.name, None)
        messages.append(tool_answer(call, text) if assignment.call_id else user_message(text))
    return messages


def _result_text(
    assignment: Assignment, finding: Finding | None, gaps: Sequence[Gap], known: dict[str, Source]
) -> str:
    reasons = [fence(gap.message) for gap in gaps if gap.branch == assignment.branch]
    if finding is None:
        return f"Not found: {' '.join(reasons) or 'no source was found.'}"
    titles = "; ".join(
        f"{source_id} {as_attribute(known[source_id].title)}"
        for source_id in finding.source_ids
        if source_id in known
    )
    missing = "".join(f"\nNot complete: {reason}" for reason in reasons)
    return f"{fence(finding.text)}\nSources: {titles}{missing}"
