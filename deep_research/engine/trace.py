"""One recorder for what a run did: which call waited for which, and what it cost.

A *strand* is one sequence of calls inside a branch. Parallel calls open a strand each, and the strand that
waits for them goes on after all of them, so the trace's `after` links are the true waiting order and do not
depend on scheduling (`sent_by_first` sees to those of shared calls). Figures for seconds come from the links,
never from the machine's clock.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextvars import Context as ContextVars
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, Field

EventType = Literal["started", "call", "source", "token", "gap", "budget", "retry", "interrupt", "done"]
SECONDS_PER_CALL = 0.2
T = TypeVar("T")


class Event(BaseModel):
    """One piece of progress, as `astream` yields it.

    The `token` events of one role and topic are a text, piece after piece. One with `retract` in its data
    takes the last so many characters back: a stream broke, and if it is tried again, they come again.
    """

    type: EventType
    run_id: str
    role: str = ""
    topic: str = ""
    tool: str = ""
    text: str = ""
    data: dict[str, Any] = Field(default_factory=dict)
    at: datetime


class TraceLine(BaseModel):
    """One finished call. `start` and `end` are seconds of the run's clock since the run began.

    `tokens` are those read and written together; `about` is a search's query or a page's address.
    """

    id: str
    after: list[str]
    kind: Literal["model", "search", "fetch", "calculation"]
    role: str
    branch: str
    start: float
    end: float
    request_hash: str
    model: str = ""
    tokens: int = 0
    cost: float = 0.0
    status: str = "ok"
    input_tokens: int = 0
    topic: str = ""
    about: str = ""


class NodeVisit(BaseModel):
    """A node of the graph that ran: how often, how often it failed, and the nodes that it came after."""

    node: str
    times: int
    failed: int = 0
    after: list[str] = Field(default_factory=list)


@dataclass
class Strand:
    """Where a sequence of calls stands: the ids that the next one comes after, and a counter for its id."""

    name: str
    after: tuple[str, ...] = ()
    calls: int = 0
    splits: int = 0

    def next_id(self) -> str:
        """A call id that depends on the strand's own history only."""
        self.calls += 1
        return f"{self.name}#{self.calls}"


class Recorder:
    """Keeps one main strand per branch, and opens strands for calls that run side by side."""

    def __init__(self) -> None:
        self._main: dict[str, Strand] = {}
        self._current: ContextVar[Strand | None] = ContextVar("strand", default=None)

    def restore(self, call_id: str) -> None:
        """Take up where a call of an earlier sitting left its branch, so that no id is given twice."""
        name, _, number = call_id.rpartition("#")
        branch, _, side = name.partition("/")
        strand = self._main.setdefault(branch, Strand(branch))
        if side:
            strand.splits = max(strand.splits, int(side.split(".")[0]))
        else:
            strand.calls = max(strand.calls, int(number))
        strand.after = (call_id,)

    def strand(self, branch: str) -> Strand:
        """The strand that a call made now in this branch belongs to."""
        current = self._current.get()
        if current is not None and current.name.split("/")[0] == branch:
            return current
        return self._main.setdefault(branch, Strand(branch))

    def fork(self, parent: str, children: Iterable[str]) -> None:
        """Branches that start, or go on in a later round, when the parent branch has come this far."""
        after = self.strand(parent).after
        for child in children:
            strand = self._main.setdefault(child, Strand(child))
            strand.after = _union(strand.after, after)

    def join(self, parent: str, children: Iterable[str]) -> None:
        """The parent goes on after all of these branches."""
        strand = self.strand(parent)
        strand.after = _union(strand.after, *(self.strand(child).after for child in children))

    async def gather(self, branch: str, jobs: Sequence[Coroutine[Any, Any, T]]) -> list[T | BaseException]:
        """Run jobs side by side, each in a strand of its own; results and errors in the order given."""
        parent = self.strand(branch)
        parent.splits += 1
        strands = [Strand(f"{parent.name}/{parent.splits}.{n}", parent.after) for n in range(len(jobs))]
        tasks = [
            asyncio.create_task(job, context=self._inside(strand))
            for job, strand in zip(jobs, strands, strict=True)
        ]
        results = await asyncio.gather(*tasks, return_exceptions=True)
        parent.after = _union(*(strand.after for strand in strands)) or parent.after
        for result in results:
            if isinstance(result, asyncio.CancelledError):
                raise result
        return results

    def _inside(self, strand: Strand) -> ContextVars:
        """The present context variables, with this strand as the current one."""
        variables = copy_context()
        variables.run(self._current.set, strand)
        return variables


def _union(*groups: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(call for group in groups for call in group))


def simulated_seconds(trace: Sequence[TraceLine], concurrency: int | None = None) -> float:
    """How long the run takes if every call takes 0.2 s: the longest path through the `after` links.

    With `concurrency`, at most so many calls run at once (list scheduling in the trace's order).
    """
    return max((end for _, end in schedule(trace, concurrency).values()), default=0.0)


def schedule(trace: Sequence[TraceLine], concurrency: int | None = None) -> dict[str, tuple[float, float]]:
    """Simulated start and end of each call, in seconds; a result that was there already takes no time."""
    reused = {line.id for line in trace if line.status in ("reused", "kept")}
    free = [0.0] * (concurrency or max(len(trace), 1))

    def run(call: str, ready: float) -> tuple[float, float]:
        if call in reused:
            return ready, ready
        start = max(ready, heapq.heappop(free))
        end = round(start + SECONDS_PER_CALL, 6)
        heapq.heappush(free, end)
        return start, end

    return _one_by_one({line.id: line.after for line in trace}, run)


def sent_by_first(trace: Sequence[TraceLine], workers: int | None = None) -> list[TraceLine]:
    """The trace of a simulated run, in which what several branches share is sent by the first that needs it.

    Which of them really sent it depends on how the machine came to schedule them. In simulated time it is the
    one whose own calls before it end first; the others wait for that one. So does who takes which branch,
    where only so many `workers` research branches at a time: in simulated time, whoever is free first.
    """
    sender = {line.id: line.after[-1] for line in trace if line.status == "reused" and line.after}
    shared = {*sender, *sender.values()}
    needs = {line.id: line.after[:-1] if line.id in sender else line.after for line in trace}
    if workers:
        needs |= _after_workers(needs, workers)
    first: dict[str, str] = {}
    ends: dict[str, float] = {}
    status = {line.id: line.status for line in trace}

    def run(call: str, ready: float) -> tuple[float, float]:
        owner = first.setdefault(sender.get(call, call), call)
        ends[call] = ready + SECONDS_PER_CALL if owner == call else max(ready, ends[owner])
        return ready, ends[call]

    _one_by_one(needs, run)

    def settled(line: TraceLine) -> TraceLine:
        if line.id not in shared:
            return line.model_copy(update={"after": needs[line.id]})
        owner = first.get(sender.get(line.id, line.id), line.id)
        if owner == line.id:
            sent = status.get(sender.get(line.id, line.id), "ok")
            return line.model_copy(update={"after": needs[line.id], "status": sent})
        return line.model_copy(update={"after": [*needs[line.id], owner], "status": "reused"})

    return [settled(line) for line in trace]


def _after_workers(needs: Mapping[str, Sequence[str]], workers: int) -> dict[str, list[str]]:
    """What the first calls of each branch come after, if the branch waits until a worker is free for it."""
    branches: dict[str, dict[str, Sequence[str]]] = {}
    for call, after in needs.items():
        if (branch := branch_of(call)).strip("0").isdigit():
            branches.setdefault(branch, {})[call] = after
    before = {branch: {need for after in own.values() for need in after} for branch, own in branches.items()}
    led_to: dict[str, list[str]] = {}
    for branch, needed in before.items():
        parents = sorted({*map(branch_of, needed)} & branches.keys() - {branch})
        led_to.setdefault(parents[0] if parents else "", []).append(branch)
    waiting = [(0.0, int(branch), branch) for branch in sorted(led_to.get("", []), key=int)]
    free, later = [(0.0, "")] * workers, dict[str, list[str]]()
    while waiting:
        ready, _, branch = heapq.heappop(waiting)
        since, earlier = heapq.heappop(free)
        own = branches[branch]
        times = _one_by_one(own, lambda _, at: (at, at + SECONDS_PER_CALL))
        end = max(ready, since) + max(end for _, end in times.values())
        heapq.heappush(free, (end, branch))
        for child in led_to.get(branch, []):
            heapq.heappush(waiting, (end, int(child), child))
        last = branches.get(earlier, {}).keys() - before.get(earlier, set())
        later |= {call: [*after, *sorted(last)] for call, after in own.items() if not {*after} & own.keys()}
    return later


def branch_of(call: str) -> str:
    """The branch of a call, from its id."""
    return call.partition("#")[0].partition("/")[0]


def _one_by_one(
    after: Mapping[str, Sequence[str]], run: Callable[[str, float], tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """Start and end of each call. `run` gives them for one that may start from a time on, earliest first."""
    waiting = {call: {need for need in needs if need in after} for call, needs in after.items()}
    followers: dict[str, list[str]] = {call: [] for call in after}
    for call, needs in waiting.items():
        for need in needs:
            followers[need].append(call)
    order = {call: place for place, call in enumerate(sorted(after))}
    ready = [(0.0, order[call], call) for call, needs in waiting.items() if not needs]
    heapq.heapify(ready)
    times: dict[str, tuple[float, float]] = {}
    while ready:
        earliest, _, call = heapq.heappop(ready)
        times[call] = run(call, earliest)
        for follower in followers[call]:
            waiting[follower].discard(call)
            if not waiting[follower]:
                begin = max(times[need][1] for need in after[follower] if need in after)
                heapq.heappush(ready, (begin, order[follower], follower))
    return times
