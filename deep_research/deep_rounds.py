"""The deep researcher's rounds: which topics come next, what each is told, what is written and reviewed.

Pure functions over the graph's state. Nothing here calls a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .context import Context
from .critic import Critique
from .draft import unfinished_sections
from .ledger import cited_ids
from .orchestrator import Situation
from .reflexion import affordable, notes_for, settled, unfinished
from .research_plan import Plan
from .state import Finding, Gap
from .vetter import Vetted, by_rules, cited_by
from .workspace import Task, workspace

_FAILED = ("branch_failed", "timeout")


def first_topics(plan: Plan) -> list[tuple[str, int]]:
    """The queries of a plan, each with the number of its section (from 1)."""
    return [(query, n) for n, section in enumerate(plan, start=1) for query in section["queries"]]


def branch_input(task: Task, state: Mapping[str, Any], share: Mapping[str, float]) -> dict[str, Any]:
    """What a sub-agent starts with: its topic, what that is part of and has to mend, its budget."""
    context = notes_for(task["section"], state)
    return {"branch": task["branch"], "topic": task["topic"], "context": context, "share": dict(share)}


def by_section(state: Mapping[str, Any]) -> dict[int, list[Finding]]:
    """The findings by number of their section, in order of their branches."""
    sections = {task["branch"]: task["section"] for task in state["tasks"]}
    grouped: dict[int, list[Finding]] = {}
    for finding in sorted(state.get("findings", []), key=lambda finding: int(finding.branch)):
        grouped.setdefault(sections[finding.branch], []).append(finding)
    return grouped


def to_write(state: Mapping[str, Any]) -> list[int]:
    """The sections that are to be written now: all at first, then those that the round was about."""
    plan, written = state["plans"][-1], state["sections"]
    concerned = {task["section"] for task in state["tasks"] if task["loop"] == state["loops"]}
    return [n for n in range(1, len(plan) + 1) if n in concerned or n not in written]


def gaps_before(state: Mapping[str, Any], numbers: Sequence[int]) -> list[Gap]:
    """The gaps that hold, without those that an earlier writing of these sections has left."""
    written = {f"0.{number}" for number in numbers}
    return [gap for gap in lasting_gaps(state) if gap.branch not in written and gap.topic != "report"]


def reviewable(state: Mapping[str, Any]) -> tuple[dict[int, Finding], list[Vetted]]:
    """The sections of the draft that cite something, as a critic takes them, and whom they cite."""
    plan, sources = state["plans"][-1], state.get("sources", [])
    bare = unfinished_sections(state["sections"], plan, sources)
    drafted = {
        number: Finding(branch="0", topic=plan[number - 1]["heading"], text=text, source_ids=cited_ids(text))
        for number, text in sorted(state["sections"].items())
        if number not in bare
    }
    return drafted, by_rules(cited_by(list(drafted.values()), sources))


def figures_of(critique: Critique, vetted: Sequence[Vetted]) -> list[int]:
    """By what the next round is measured: weak sections, cited sources."""
    return [len(critique["weak"]), len(vetted)]


def situation(state: Mapping[str, Any]) -> Situation:
    """The run as the orchestrator sees it."""
    return Situation(
        state["question"],
        state["brief"],
        state["history"],
        state.get("verification", ""),
        state["plans"][-1],
        state["critique"]["weak"],
        [task["topic"] for task in state["tasks"]],
        workspace(state),
    )


def why_over(error: Exception, state: Mapping[str, Any], ctx: Context) -> Gap:
    """The gap that is left where the orchestrator failed, or cannot be paid for."""
    return ctx.failure("orchestrator_failed", error, state["question"])


def to_repeat(state: Mapping[str, Any], ctx: Context) -> list[tuple[str, int]]:
    """The topics to begin again with: those of a section that has nothing to show because something failed.

    None where all sections cite something, where there was simply nothing to find, or when the retries or the
    budget are used up.
    """
    if state["retries"] >= ctx.settings.deep.max_run_retries or not affordable(ctx):
        return []
    bare = unfinished_sections(state["sections"], state["plans"][-1], state.get("sources", []))
    failed = {gap.branch for gap in state.get("gaps", []) if gap.kind in _FAILED}
    have = {finding.branch for finding in state.get("findings", [])}
    again = [
        (task["topic"], task["section"])
        for task in state["tasks"]
        if task["section"] in bare and task["branch"] in failed - have
    ]
    return list(dict.fromkeys(again))


def lasting_gaps(state: Mapping[str, Any], ctx: Context | None = None) -> list[Gap]:
    """The gaps that still hold: not those of a topic that was researched again and found something.

    With a `ctx`, as at the end, also what the last review leaves open.
    """
    topics = list(dict.fromkeys(task["topic"] for task in state["tasks"]))
    passes = [{"branch": t["branch"], "number": topics.index(t["topic"])} for t in state["tasks"]]
    gaps = settled({**state, "passes": passes})
    if ctx is None:
        return gaps
    headings = [section["heading"] for section in state["plans"][-1]]
    return [*gaps, *unfinished({**state, "plan": headings, "combined": state["sections"]}, ctx)]
