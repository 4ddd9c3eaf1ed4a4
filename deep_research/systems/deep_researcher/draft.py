"""The draft: the report as it grows, section by section, and whether it is complete.

After each round of research the sections that it concerns are written anew from all findings; the others
stay. The opening and what sources say differently are written last, once. What is complete is decided by
code, in any language: each section of the plan is there and cites a source.

With plan, findings, todos and open gaps, the draft is also a virtual file, which agents can read and which is
kept with the report; all files follow from the graph's state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from deep_research.components.writer import writer_input
from deep_research.components.writer.joining import Piece, clean_piece, join_pieces
from deep_research.components.writer.sections import (
    SectionTask,
    cited_piece,
    differing_part,
    without_common_lead,
    write_section_tasks,
)
from deep_research.core.forms import topic_title
from deep_research.core.records import Finding, Gap, Material, Source
from deep_research.engine.context import Context
from deep_research.sources.ledger import by_any_id
from deep_research.text.fence import without_ids
from deep_research.text.language import shorten
from deep_research.text.source_ids import cited_ids

from .plan import SectionPlan, plan_text

_ENDS = 2
"""Model calls for what is written last: the opening, and what sources say differently."""
Draft = Mapping[int, str]
"""Number of the section in the plan (from 1) → its text, heading included."""


async def update_sections(
    draft: Draft,
    numbers: Sequence[int],
    plan: SectionPlan,
    material: Material,
    by_section: Mapping[int, Sequence[Finding]],
    ctx: Context,
) -> tuple[dict[int, str], list[Gap]]:
    """The draft with these sections written anew, and new gaps.

    A section that no model can write keeps its text, or is put together from its own findings.
    """
    parts = _parts(plan, material, ctx)
    results = await write_section_tasks(material.question, parts, ctx, [n + 1 for n in numbers])
    ctx.budget.reserve(ctx.branch, "writer", {"model_calls": _ENDS})
    updated, missing = dict(draft), list[Gap]()
    for number, result in zip(numbers, results, strict=True):
        if isinstance(result, str):
            updated[number] = result
        else:
            missing.append(result)
            found = (finding.text for finding in by_section.get(number, []))
            updated.setdefault(number, "\n\n".join([f"## {parts[number].heading}", *found]))
    return updated, missing


def _parts(plan: SectionPlan, material: Material, ctx: Context) -> list[SectionTask]:
    """What the report consists of: an opening, the sections of the plan, and what sources say differently."""
    message = writer_input(material, ctx)
    headings = without_common_lead([section["heading"] for section in plan])
    sections = [SectionTask(heading, message) for heading in (material.question, *headings)]
    return [*sections, differing_part(message, ctx)]


async def write_ends(plan: SectionPlan, material: Material, ctx: Context) -> list[Piece]:
    """The opening and the part on what sources say differently, as far as there is something to cite."""
    parts = _parts(plan, material, ctx)
    opened, apart = await write_section_tasks(material.question, parts, ctx, (1, len(parts)))
    opening = cited_piece(opened) or Piece("", "")
    return [opening._replace(heading=""), *filter(None, [cited_piece(apart)])]


def is_one_piece(plan: SectionPlan, question: str) -> bool:
    """Whether the report is one piece: a plan whose only section is the question itself."""
    return len(plan) == 1 and shorten(plan[0]["heading"], 200) == shorten(without_ids(question), 200)


def draft_text(draft: Draft, plan: SectionPlan, question: str) -> str:
    """The draft as one Markdown text, in the order of the plan; empty if nothing is written."""
    parts = [draft[number] for number in range(1, len(plan) + 1) if draft.get(number)]
    if not parts or is_one_piece(plan, question):
        return "".join(parts)
    return "\n\n".join([f"# {without_ids(question)}", *parts]) + "\n"


def finish_draft(
    draft: Draft, plan: SectionPlan, question: str, bare: Sequence[int], ends: Sequence[Piece] = ()
) -> str:
    """The draft as the report, its opening first: what its sections have in common is said once.

    Those that are `bare`, with nothing under their heading that was found, are left out beside others; of
    nothing but such the first says so, without its heading.
    """
    written = draft_text(draft, plan, question)
    if not written or is_one_piece(plan, question):
        return written
    kept = [number for number in sorted(draft) if number not in bare]
    pieces = [clean_piece(draft[number]) for number in kept if draft[number]]
    pieces = pieces or [clean_piece(draft[number])._replace(heading="") for number in sorted(draft)[:1]]
    return join_pieces(question, [*ends[:1], *pieces, *ends[1:]])


def unfinished_sections(draft: Draft, plan: SectionPlan, sources: Sequence[Source]) -> list[int]:
    """The sections that are missing, or that cite nothing that was found."""
    known = by_any_id(sources).keys()
    return [
        number for number in range(1, len(plan) + 1) if known.isdisjoint(cited_ids(draft.get(number, "")))
    ]


class SubagentTask(TypedDict):
    """What one sub-agent was sent out for: its branch, its topic, the section of the plan, the round."""

    branch: str
    topic: str
    section: int
    loop: int


def virtual_files(state: Mapping[str, Any]) -> dict[str, str]:
    """The files by path, as far as there is something to put into them."""
    plans, gaps = state.get("plans", []), state.get("gaps", [])
    versions = [f"# Version {n}\n\n{plan_text(plan)}" for n, plan in enumerate(plans, start=1)]
    lines = [
        f"- [{_status(one, state)}] {one['branch']}: {topic_title(one['topic'], state['question'])}"
        for one in state.get("tasks", [])
    ]
    own = [f"- [{todo['status']}] {todo['content']}" for todo in state.get("todos", [])]
    evidence = [f"- {e['claim']} [{e['source_id']}] “{e['quote']}”" for e in state.get("evidence", [])]
    files = {
        "/plan.md": "\n\n".join(versions),
        "/draft.md": draft_text(state.get("sections", {}), plans[-1], state["question"]) if plans else "",
        "/findings.md": "\n".join(evidence),
        "/todos.md": "\n".join([*lines, *own]),
        "/gaps.md": "\n".join(dict.fromkeys(f"- {gap.message}" for gap in gaps)),
    }
    return {path: f"{text.strip()}\n" for path, text in files.items() if text.strip()}


def _status(task: SubagentTask, state: Mapping[str, Any]) -> str:
    """The status of a sub-agent: done (and how it ended), failed (and why), or open."""
    for finding in state.get("findings", []):
        if finding.branch == task["branch"]:
            return f"done, {finding.ended}, {len(finding.source_ids)} sources"
    reasons = [gap.kind for gap in state.get("gaps", []) if gap.branch == task["branch"]]
    return f"failed, {reasons[0]}" if reasons else "open"
