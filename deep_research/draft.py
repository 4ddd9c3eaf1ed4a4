"""The draft: the report as it grows, section by section, and whether it is complete.

After each round of research the sections that it concerns are written anew from all findings; the others
stay. What is complete is decided by code, in any language: each section of the plan is there and cites a
source.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .context import Context
from .gaps import told
from .guard import without_ids
from .joining import joined, piece
from .ledger import by_any_id, cited_ids, report_language
from .research_plan import Plan
from .sections import Part, write_parts
from .state import Finding, Gap, Source
from .text import shorten
from .writer import write_report, writer_input

Draft = Mapping[int, str]
"""Number of the section in the plan (from 1) → its text, heading included."""


async def update_draft(
    draft: Draft,
    numbers: Sequence[int],
    plan: Plan,
    request: tuple[str, str, Sequence[Mapping[str, str]]],
    findings: Mapping[int, Sequence[Finding]],
    sources: Sequence[Source],
    gaps: Sequence[Gap],
    ctx: Context,
) -> tuple[dict[int, str], list[Gap]]:
    """The draft with these sections written anew, and new gaps.

    `request` is the question, the brief and the conversation; `findings` are grouped by section. A section
    that no model can write keeps its text, or is put together from its own findings.
    """
    question, brief, history = request
    everything = [finding for number in sorted(findings) for finding in findings[number]]
    if not sources or not everything:
        return dict(draft), []
    if is_whole(plan, question):
        text, new = await write_report(question, brief, history, everything, sources, gaps, ctx)
        return {1: text}, new
    language = report_language(question, ctx.settings.language)
    missed = [told(gap, language) for gap in gaps]
    material = writer_input(question, brief, history, everything, sources, missed)
    parts = [Part(section["heading"], material) for section in plan]
    results = await write_parts(parts, question, language, ctx, numbers)
    updated, missing = dict(draft), list[Gap]()
    for number, result in zip(numbers, results, strict=True):
        if isinstance(result, str):
            updated[number] = result
        else:
            missing.append(result)
            updated.setdefault(number, _put_together(parts[number - 1].heading, findings.get(number, [])))
    return updated, missing


def is_whole(plan: Plan, question: str) -> bool:
    """Whether the report is one piece: a plan whose only section is the question itself."""
    return len(plan) == 1 and shorten(plan[0]["heading"], 200) == shorten(without_ids(question), 200)


def _put_together(heading: str, findings: Sequence[Finding]) -> str:
    return "\n\n".join([f"## {heading}", *(finding.text for finding in findings)])


def draft_text(draft: Draft, plan: Plan, question: str) -> str:
    """The draft as one Markdown text, in the order of the plan; empty if nothing is written."""
    parts = [draft[number] for number in range(1, len(plan) + 1) if draft.get(number)]
    if not parts or is_whole(plan, question):
        return "".join(parts)
    return "\n\n".join([f"# {without_ids(question)}", *parts]) + "\n"


def finished(draft: Draft, plan: Plan, question: str, language: str) -> str:
    """The draft as the report: what its sections have in common is said once."""
    written = draft_text(draft, plan, question)
    if not written or is_whole(plan, question):
        return written
    pieces = [piece(draft[number]) for number in range(1, len(plan) + 1) if draft.get(number)]
    return joined(question, pieces, language)


def unfinished_sections(draft: Draft, plan: Plan, sources: Sequence[Source]) -> list[int]:
    """The sections that are missing, or that cite nothing that was found."""
    known = by_any_id(sources).keys()
    return [
        number for number in range(1, len(plan) + 1) if known.isdisjoint(cited_ids(draft.get(number, "")))
    ]
