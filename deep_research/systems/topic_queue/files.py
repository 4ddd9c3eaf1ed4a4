"""What the topic queue leaves in the run folder, besides what every run does.

Written as the run goes along, so that somebody can watch it: plan, queue, progress of each phase, outline,
citations, costs. They are read by people and scripts only; a run that is resumed reads its checkpoint.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deep_research.core.records import Source
from deep_research.engine.context import Context
from deep_research.report import usage_of
from deep_research.sources.citations import display_id

from .blocks import TopicQueue


def write_planning(planning: Mapping[str, Any], queue: TopicQueue, ctx: Context) -> None:
    """`step1_planning.json`, `planning_progress.json` and the first `queue.json`."""
    ctx.store.write("step1_planning.json", dict(planning))
    steps = {"phase": "planning", "stage": "done", "topics": [b.sub_topic for b in queue.blocks]}
    ctx.store.write("planning_progress.json", steps | {"at": now_text(ctx)})
    write_progress(queue, ctx)


def write_progress(queue: TopicQueue, ctx: Context) -> None:
    """`queue.json` with all blocks, and `researching_progress.json` with where each of them stands."""
    ctx.store.write("queue.json", queue.model_dump(mode="json") | {"statistics": queue.statistics()})
    blocks = [
        {
            "block_id": block.block_id, "sub_topic": block.sub_topic, "status": block.status,
            "iterations": block.iteration_count, "ended": block.ended,
            "decisions": [decision.model_dump() for decision in block.decisions],
        }
        for block in queue.blocks
    ]  # fmt: skip
    progress = {"phase": "researching", "statistics": queue.statistics(), "blocks": blocks}
    ctx.store.write("researching_progress.json", progress | {"at": now_text(ctx)})


def write_reporting(sections: Sequence[str], failed: int, sources: Sequence[Source], ctx: Context) -> None:
    """`reporting_progress.json`, `citations.json` and `token_cost_summary.json` (up to the report's text)."""
    progress = {"phase": "reporting", "sections": list(sections), "failed": failed, "at": now_text(ctx)}
    ctx.store.write("reporting_progress.json", progress)
    ctx.store.write("citations.json", [_citation(source) for source in sources])
    usage = usage_of(list(ctx.store.calls), simulated=False)
    ctx.store.write("token_cost_summary.json", usage.model_dump(mode="json"))


def _citation(source: Source) -> dict[str, Any]:
    """A source under its shown id, with what found it, and the shown ids under which it was found again."""
    return {
        "citation_id": display_id(source.id), "id": source.id, "kind": source.kind, "title": source.title,
        "url": source.url, "citation_key": source.citation_key, "tool": source.tool, "query": source.query,
        "use": source.use, "duplicates": [display_id(alias) for alias in source.aliases],
    }  # fmt: skip


def now_text(ctx: Context) -> str:
    """The run's time, as the queue keeps it."""
    return ctx.clock.now().isoformat(timespec="seconds")
