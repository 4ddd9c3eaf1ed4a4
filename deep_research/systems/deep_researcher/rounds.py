"""The deep researcher's rounds: which topics come next, what each is told, what is written and reviewed.

Pure functions over the graph's state. Nothing here calls a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deep_research.components.others.critic import Weak
from deep_research.components.others.vetter import Vetted, cited_by, vetted_by_rules
from deep_research.components.writer import states_findings, told_elsewhere
from deep_research.components.writer.sections import common_lead
from deep_research.core.errors import BudgetExceeded
from deep_research.core.records import Finding, Gap
from deep_research.engine.context import Context
from deep_research.systems.shared.reflexion import (
    affordable_questions,
    is_name,
    notes_for,
    repeats,
    settled_gaps,
    unfinished_gaps,
)
from deep_research.text.source_ids import cited_ids

from .draft import SubagentTask, unfinished_sections
from .plan import SectionPlan, SectionQueries

_FAILED = ("branch_failed", "timeout")
_CALLS_OF_A_TOPIC = 2
"""Model calls without which a topic is not worth a branch: to search, and to put together what was found."""


def first_topics(plan: SectionPlan) -> list[tuple[str, int]]:
    """The queries of a plan, each with the number of its section (from 1)."""
    return [(query, n) for n, section in enumerate(plan, start=1) for query in section["queries"]]


def grown_plan(
    plan: SectionPlan, topics: Sequence[tuple[str, int]], weak: Sequence[Weak]
) -> tuple[SectionPlan, list[tuple[str, int]]]:
    """The plan for the next round, and its topics: what a section lacks and no heading names gets a section
    of its own, once, if it is named in a few words; else, and in a report of one piece, it is written into
    the section."""
    missing = {one["number"]: one["missing"] for one in weak}
    lead, grown = common_lead([section["heading"] for section in plan]), list(plan)
    placed = list[tuple[str, int]]()
    for topic, number in topics:
        lacks = missing[number]
        if len(plan) == 1 or not is_name(lacks) or any(repeats(lacks, one["heading"]) for one in plan):
            placed.append((topic, number))
        elif not any(repeats(lacks, one["heading"]) for one in grown):
            grown.append(SectionQueries(heading=f"{lead} {lacks}".strip(), queries=[topic]))
            placed.append((topic, len(grown)))
    return grown, placed


def affordable_topics(state: Mapping[str, Any], ctx: Context) -> tuple[list[tuple[str, int]], int, list[Gap]]:
    """The next topics, as many as there are calls for, the model calls to keep, a gap for each topic left.

    Kept are calls to write the sections and to review them, half of what is left at most. Where not all
    topics can be researched, each section gets its first before any gets its second.
    """
    topics, keep = state["todo"], len(state["plans"][-1]) + 1
    left = ctx.budget.left(ctx.branch)
    calls = int(left.get("model_calls", len(topics) * _CALLS_OF_A_TOPIC + 2 * keep))
    keep = min(keep, calls // 2)
    most = max(min((calls - keep) // _CALLS_OF_A_TOPIC, int(left.get("searches", len(topics)))), 1)
    sections = [section for _, section in topics]
    order = sorted(range(len(topics)), key=lambda place: (sections[:place].count(sections[place]), place))
    chosen = [topics[place] for place in sorted(order[:most])]
    caps = ctx.settings.budget
    limit = "model_calls" if caps.model_calls is not None else "searches"
    reached = BudgetExceeded(limit, getattr(caps, limit) or 0)
    gaps = [ctx.failure("topic_failed", reached, about=topics[place][0]) for place in sorted(order[most:])]
    return chosen, keep, gaps


def subagent_input(
    task: SubagentTask, state: Mapping[str, Any], share: Mapping[str, float]
) -> dict[str, Any]:
    """What a sub-agent starts with: its topic, what that is part of and has to mend, its budget."""
    context = notes_for(task["section"], state)
    return {"branch": task["branch"], "topic": task["topic"], "context": context, "share": dict(share)}


def findings_by_section(state: Mapping[str, Any]) -> dict[int, list[Finding]]:
    """The findings by number of their section, in order of their branches."""
    sections = {task["branch"]: task["section"] for task in state["tasks"]}
    grouped: dict[int, list[Finding]] = {}
    for finding in sorted(state.get("findings", []), key=lambda finding: int(finding.branch)):
        grouped.setdefault(sections[finding.branch], []).append(finding)
    return grouped


def sections_to_write(state: Mapping[str, Any]) -> list[int]:
    """The sections that are to be written now: all at first, then those that the round was about."""
    plan, written = state["plans"][-1], state["sections"]
    concerned = {task["section"] for task in state["tasks"] if task["loop"] == state["loops"]}
    return [n for n in range(1, len(plan) + 1) if n in concerned or n not in written]


def gaps_of_earlier_rounds(state: Mapping[str, Any], numbers: Sequence[int]) -> list[Gap]:
    """The gaps that hold, without those that an earlier writing of these sections has left."""
    written = {f"0.{number + 1}" for number in numbers}  # the opening is the first part
    return [gap for gap in gaps_to_keep(state) if gap.branch not in written and gap.topic != "report"]


def reviewable_sections(state: Mapping[str, Any]) -> tuple[dict[int, Finding], list[Vetted]]:
    """The sections of the draft that cite something, as a critic takes them, and whom they cite."""
    plan, sources = state["plans"][-1], state.get("sources", [])
    bare = unfinished_sections(state["sections"], plan, sources)
    drafted = {
        number: Finding(branch="0", topic=plan[number - 1]["heading"], text=text, source_ids=cited_ids(text))
        for number, text in sorted(state["sections"].items())
        if number not in bare
    }
    return drafted, vetted_by_rules(cited_by(list(drafted.values()), sources))


def failed_topics(state: Mapping[str, Any], ctx: Context) -> list[tuple[str, int]]:
    """The topics to begin again with: those of a section that has nothing to show because something failed.

    None where all sections cite something, where there was simply nothing to find, or when the retries or the
    budget are used up.
    """
    if state["retries"] >= ctx.settings.deep.max_run_retries or not affordable_questions(ctx):
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


def gaps_to_keep(state: Mapping[str, Any], ctx: Context | None = None) -> list[Gap]:
    """The gaps that still hold: not those of a topic that was researched again and found something.

    With a `ctx`, as at the end, also what the last review leaves open.
    """
    topics = list(dict.fromkeys(task["topic"] for task in state["tasks"]))
    passes = [{"branch": t["branch"], "number": topics.index(t["topic"])} for t in state["tasks"]]
    gaps = settled_gaps({**state, "passes": passes})
    if ctx is None:
        return gaps
    headings, bare = [section["heading"] for section in state["plans"][-1]], bare_sections(state)
    found, draft = findings_by_section(state), "\n".join(state["sections"].values())
    empty = [
        ctx.gap("no_results", "section_empty", "review", heading=headings[n - 1])
        for n in bare
        if not told_elsewhere(found.get(n, []), draft, state.get("sources", []))
    ]
    drafted, _ = reviewable_sections(state)  # what cites nothing no critic has seen
    return [*gaps, *unfinished_gaps({**state, "plan": headings, "combined": drafted}, ctx), *empty]


def bare_sections(state: Mapping[str, Any]) -> list[int]:
    """The sections of a draft of several that are missing, or say nothing that a source can be found for."""
    plan, sections = state["plans"][-1], state["sections"]
    bare = unfinished_sections(sections, plan, state.get("sources", [])) if len(plan) > 1 else []
    return [number for number in bare if not states_findings(sections.get(number, ""))]
