"""Workers that roll over the queue: whoever is free takes the next topic, and nobody waits for a slow one.

First topics start in the order of the queue; what a topic leads to goes to the tail when that topic is
finished, whatever the others do (`blocks` says how that is decided). An added topic lives on what its parent
leaves of its share of the budget. So numbers, admissions, shares and texts are the same at any number of
workers, and only the order of the work differs. In simulated time, who takes which topic is worked out from
the trace afterwards (`engine.trace`), for the same reason.

Each block is a LangGraph task with a name of its own, since the place of its call may differ from run to run.
Its result is one row of the checkpoint (the state is not copied): a run that is killed takes finished blocks
from there; one that was under way begins again, and its logged calls are not sent a second time.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from deep_research.core.records import Source
from deep_research.engine.branches import Branches
from deep_research.engine.context import Context

from .blocks import TopicBlock, TopicQueue
from .decisions import TopicTask
from .files import now_text, write_progress
from .research import BlockResult

CALLS_OF_A_TOPIC = 3
"""Model calls below which no topic can be researched: one to ask, one to note, one to spare."""

_CALLS_AFTER = 5
"""Besides one per topic: merging, the outline, introduction, what sources say differently, conclusion."""

BlockTask = Callable[[TopicTask, Context], Any]
"""What researches a block: a coroutine function, or a LangGraph task, whose calls can be awaited."""


async def run_queue(
    queue: TopicQueue,
    question: str,
    given: Sequence[Source],
    free: Mapping[str, float],
    task_of: Callable[[str], BlockTask],
    ctx: Context,
) -> list[BlockResult]:
    """Research all topics, those that are added on the way too; results in the order of the queue.

    `free` is what the first ones may spend together, `task_of(block_id)` gives what researches a block. The
    queue is changed in place.
    """
    Branches([block.branch for block in queue.blocks], ctx).start(free=free)
    waiting, running, results = deque(queue.blocks), dict[Any, int](), dict[int, BlockResult]()
    while waiting or running:
        while waiting and len(running) < ctx.settings.queue.max_parallel_topics:
            block = waiting.popleft()
            view = queue.known_to(block), queue.refused_before(block)
            told = TopicTask(block.model_copy(deep=True), question, *view, given)
            block.move("researching", now_text(ctx))
            work = task_of(block.block_id)(told, ctx.on(block.branch, block.sub_topic))
            running[asyncio.ensure_future(work)] = block.number
        done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        for future in sorted(done, key=running.__getitem__):
            number = running.pop(future)
            results[number] = future.result()
            queue.put(results[number].block.model_copy(deep=True))  # a checkpoint keeps the result as it is
            waiting += _grow(results[number], queue, ctx)
        write_progress(queue, ctx)
    Branches([block.branch for block in queue.blocks], ctx).join()
    return [results[number] for number in sorted(results)]


def _grow(result: BlockResult, queue: TopicQueue, ctx: Context) -> list[TopicBlock]:
    """What a finished block leads to; the new blocks share what it has left of its budget."""
    own = ctx.on(result.block.branch)
    left = {kind: max(amount, 0) for kind, amount in ctx.budget.left(own.branch).items()}
    before = len(result.block.refused)
    admitted = queue.admit(result.proposals, ctx.settings.queue, now_text(ctx), _affordable(left))
    for block in admitted:
        ctx.emit("call", role="planner", tool="queue", text=block.sub_topic, refused="")
    for refusal in queue.get(result.block.number).refused[before:]:
        ctx.emit("call", role="planner", tool="queue", text=refusal.title, refused=refusal.reason)
    Branches([block.branch for block in admitted], own).start(free=left)
    return admitted


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
