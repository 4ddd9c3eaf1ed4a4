"""After research: topics that turned out to be one are merged, with all that was found for each.

The model names pairs; code checks them and joins the later topic to the earlier one. Nothing is dropped: the
findings become one finding with the lines and sources of both. An answer that names nothing, or cannot be
had, keeps all topics apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite
from pydantic import BaseModel, Field

from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.core.records import Finding
from deep_research.engine.context import Context
from deep_research.engine.prompting import system_prompt, user_message
from deep_research.engine.structured import structured
from deep_research.systems.shared.reflexion import join_findings
from deep_research.text.fence import fence

from .blocks import TopicBlock, TopicQueue
from .files import write_progress
from .likeness import same_topic

_PAIR = re.compile(r"\s*block_(\d+)\s*=\s*block_(\d+)\s*")


class Duplicates(BaseModel):
    """Topics that are the same."""

    same: list[str] = Field(description="Pairs such as block_2=block_5; empty if all topics are different.")


async def find_duplicates(blocks: Sequence[TopicBlock], ctx: Context) -> dict[int, int]:
    """Later block → the earliest one that is the same topic, as code can tell or a model names it."""
    if len(blocks) < 2:
        return {}
    numbers = {block.number for block in blocks}
    alike = [
        f"{a.block_id}={b.block_id}"
        for a, b in combinations(blocks, 2)
        if same_topic(a.sub_topic, b.sub_topic)
    ]
    named = {b.block_id: " — ".join(filter(None, (b.sub_topic, b.overview))) for b in blocks}
    listed = "\n".join(f"{block_id}: {fence(name)}" for block_id, name in named.items())
    try:
        messages = [system_prompt("topic_merger", ctx), user_message(f"Topics:\n{listed}")]
        answer = await structured("planner", messages, Duplicates, ctx)
    except (ModelError, BudgetExceeded):
        return duplicate_pairs(alike, numbers)
    return duplicate_pairs([*alike, *answer.same], numbers)


def duplicate_pairs(lines: Iterable[str], numbers: set[int]) -> dict[int, int]:
    """Lines `block_2=block_5` as later → earliest, chains followed; what names no two blocks is left out."""
    first = {number: number for number in numbers}
    for line in lines:
        match = _PAIR.fullmatch(line)
        if match and {int(match[1]), int(match[2])} <= numbers:
            one, other = sorted(first[int(number)] for number in match.groups())
            first = {number: one if root == other else root for number, root in first.items()}
    return {number: root for number, root in sorted(first.items()) if number != root}


def merge_blocks(findings: Sequence[Finding], into: dict[int, int]) -> list[Finding]:
    """The findings, those of merged topics joined to the earlier one, in the order of the queue."""
    groups: dict[int, list[Finding]] = {}
    for finding in sorted(findings, key=lambda finding: int(finding.branch)):
        number = int(finding.branch)
        groups.setdefault(into.get(number, number), []).append(finding)
    return [join_findings(group[0].topic, group, group[0]) for group in groups.values()]


async def merge_topics_node(state: dict[str, Any], runtime: Runtime[Context]) -> dict[str, Any]:
    """Join duplicate topics that have findings; the queue notes what was joined to what."""
    ctx, findings = runtime.context, state.get("findings", [])
    queue: TopicQueue = state["queue"].model_copy(deep=True)
    known = {finding.branch for finding in findings}
    into = await find_duplicates([block for block in queue.blocks if block.branch in known], ctx)
    for later, earlier in into.items():
        queue.get(later).metadata["merged_into"] = f"block_{earlier}"
        ctx.emit("call", role="planner", tool="merge", text=f"block_{later} joined to block_{earlier}")
    write_progress(queue, ctx)
    return {"queue": queue, "findings": Overwrite(merge_blocks(findings, into))}
