"""The virtual files of a run: its plan, draft, findings, todos and open gaps as texts.

Agents can read them, and they are kept with the report. All of them follow from the graph's state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from .draft import draft_text
from .research_plan import plan_text
from .state import Finding, Gap
from .typed_findings import Evidence


class Task(TypedDict):
    """What one sub-agent was sent out for: its branch, its topic, the section of the plan, the round."""

    branch: str
    topic: str
    section: int
    loop: int


def workspace(state: Mapping[str, Any]) -> dict[str, str]:
    """The files by path, as far as there is something to put into them."""
    plans = state.get("plans", [])
    versions = [f"# Version {n}\n\n{plan_text(plan)}" for n, plan in enumerate(plans, start=1)]
    tasks, findings, gaps = state.get("tasks", []), state.get("findings", []), state.get("gaps", [])
    files = {
        "/plan.md": "\n\n".join(versions),
        "/draft.md": draft_text(state.get("sections", {}), plans[-1], state["question"]) if plans else "",
        "/findings.md": findings_text(state.get("evidence", [])),
        "/todos.md": "\n".join([*todo_lines(tasks, findings, gaps), *_own(state.get("todos", []))]),
        "/gaps.md": "\n".join(dict.fromkeys(f"- {gap.message}" for gap in gaps)),
    }
    return {path: f"{text.strip()}\n" for path, text in files.items() if text.strip()}


def todo_lines(tasks: Sequence[Task], findings: Sequence[Finding], gaps: Sequence[Gap]) -> list[str]:
    """Each task with the status of its sub-agent: done (and how it ended), failed (and why), or open."""
    return [f"- [{_status(task, findings, gaps)}] {task['branch']}: {task['topic']}" for task in tasks]


def _status(task: Task, findings: Sequence[Finding], gaps: Sequence[Gap]) -> str:
    for finding in findings:
        if finding.branch == task["branch"]:
            return f"done, {finding.ended}, {len(finding.source_ids)} sources"
    reasons = [gap.kind for gap in gaps if gap.branch == task["branch"]]
    return f"failed, {reasons[0]}" if reasons else "open"


def _own(todos: Sequence[Mapping[str, str]]) -> list[str]:
    """The todos that the orchestrator itself has kept."""
    return [f"- [{todo['status']}] {todo['content']}" for todo in todos]


def findings_text(evidence: Sequence[Evidence]) -> str:
    """Typed findings, a line each: the statement, its source, the source's own words."""
    return "\n".join(f"- {one['claim']} [{one['source_id']}] “{one['quote']}”" for one in evidence)
