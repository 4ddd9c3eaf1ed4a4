"""Workers that roll over the queue: whoever is free takes the next topic, and nobody waits for a slow one.

Topics *start* in the order of the queue and *finish* in any order. What they propose is decided in the order
of the queue again: a block is settled when it and all before it are finished. So numbers, admissions and
shares of the budget are the same ones at any number of workers, and a slow block holds back only the
proposals of those behind it, not their research.

Each block is a LangGraph task inside one node. When it finishes, its result is written to the checkpoint as
one row of its own (the state is not copied), so a run that is killed takes finished blocks from there; the
block that was under way begins again, and its logged calls are not sent a second time. The state itself is
written once, when the queue is done.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .budget import split
from .context import Context
from .state import Source
from .topic_blocks import TopicBlock, TopicQueue
from .topic_decisions import TopicTask
from .topic_files import write_progress
from .topic_research import TopicResult

CALLS_OF_A_TOPIC = 3
"""Model calls below which no topic can be researched: one to ask, one to note, one to spare."""

_CALLS_AFTER = 4
"""Besides one per topic: merging, the outline, introduction and conclusion."""

Task = Callable[[TopicTask, Context], Any]
"""What researches a block: a coroutine function, or a LangGraph task, whose calls can be awaited."""


@dataclass
class _Pool:
    """The work in progress. `free` is what is left of the budget for topics that are still to come."""

    queue: TopicQueue
    question: str
    given: Sequence[Source]
    free: dict[str, float]
    results: dict[int, TopicResult] = field(default_factory=dict)
    started: int = 0
    settled: int = 0


async def run_queue(
    queue: TopicQueue,
    question: str,
    given: Sequence[Source],
    free: Mapping[str, float],
    task: Task,
    ctx: Context,
) -> list[TopicResult]:
    """Research all topics, those that are added on the way too; results in the order of the queue.

    `free` is what they may spend together, `task` researches one: `task(TopicTask, context)`. The queue is
    changed in place.
    """
    pool = _Pool(queue, question, given, dict(free))
    _open(pool, queue.blocks, ctx)
    ctx.trace.fork("0", [block.branch for block in queue.blocks])
    running: dict[Any, int] = {}
    while True:
        while len(running) < ctx.settings.queue.max_parallel_topics and pool.started < len(queue.blocks):
            pool.started += 1
            running[_start(pool.started, pool, task, ctx)] = pool.started
        if not running:
            break
        done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        for future in sorted(done, key=running.__getitem__):
            number = running.pop(future)
            pool.results[number] = future.result()
            queue.blocks[number - 1] = pool.results[number].block
        _settle(pool, ctx)
        write_progress(queue, ctx)
    branches = [block.branch for block in queue.blocks]
    ctx.budget.close(branches)
    ctx.trace.join("0", branches)
    return [pool.results[number] for number in sorted(pool.results)]


def _start(number: int, pool: _Pool, task: Task, ctx: Context) -> Any:
    """Start a topic of the queue."""
    block = pool.queue.get(number)
    known, refused = pool.queue.known_to(block)
    own = block.model_copy(deep=True)
    block.move("researching", ctx.clock.now().isoformat(timespec="seconds"))
    told = TopicTask(own, pool.question, list(known), list(refused), pool.given)
    return asyncio.ensure_future(task(told, ctx.on(block.branch, block.sub_topic)))


def _settle(pool: _Pool, ctx: Context) -> None:
    """Decide what the finished blocks have proposed, in the order of the queue, as far as that is known."""
    while (result := pool.results.get(pool.settled + 1)) is not None:
        pool.settled += 1
        for kind, amount in ctx.budget.left(result.block.branch).items():
            pool.free[kind] += max(amount, 0)
        now, most = ctx.clock.now().isoformat(timespec="seconds"), _affordable(pool.free)
        before = len(pool.queue.refused)
        admitted = pool.queue.admit(result.proposals, ctx.settings.queue, now, most)
        for block in admitted:
            ctx.emit("call", role="planner", tool="queue", text=block.sub_topic, refused="")
        for refusal in pool.queue.refused[before:]:
            ctx.emit("call", role="planner", tool="queue", text=refusal.title, refused=refusal.reason)
        _open(pool, admitted, ctx)
        ctx.trace.fork(result.block.branch, [block.branch for block in admitted])


def free_for_research(topics: int, ctx: Context) -> dict[str, float]:
    """What research may spend: what is left, less the calls that a report of so many topics needs.

    The report's calls are kept as far as they are a third of what is left.
    """
    free = ctx.budget.left("0")
    if "model_calls" in free:
        free["model_calls"] -= min(topics + _CALLS_AFTER, max(free["model_calls"], 0) // 3)
    return {kind: max(amount, 0) for kind, amount in free.items()}


def _affordable(free: Mapping[str, float]) -> int | None:
    """How many more topics the rest of the budget pays for; None is any number."""
    calls = free.get("model_calls")
    most = None if calls is None else int(calls) // CALLS_OF_A_TOPIC
    return 0 if any(amount < 1 for kind, amount in free.items() if kind != "cost_usd") else most


def _open(pool: _Pool, blocks: Sequence[TopicBlock], ctx: Context) -> None:
    """Equal shares of what is free for new blocks; what they leave is free again when they are settled."""
    if not blocks:
        return
    shares = split(pool.free, [block.branch for block in blocks])
    for block in blocks:
        ctx.budget.open(block.branch, shares[block.branch])
        for kind, amount in shares[block.branch].items():
            pool.free[kind] -= amount
