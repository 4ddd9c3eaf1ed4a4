"""The way a run took through its graph: which nodes ran, how often, and what each of them came after.

LangGraph tells a callback about every task that it starts, at every depth and in every system, so no node and
no state has to count for itself. A task's name says where it stands (`research:1f…|compress:9a…`) and stays
the same when the run is resumed, so a node that starts again after a pause or a kill counts once. The names
are random; what is made of them is not.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .trace import NodeVisit

STEPS_FILE = "steps.jsonl"
START, END = "__start__", "__end__"


@dataclass(frozen=True, slots=True)
class Step:
    """One task of the graph. `joined` are the nodes of a join that it waited for; `step` counts per graph."""

    task: str
    step: int
    joined: tuple[str, ...] = ()
    failed: bool = False

    @property
    def node(self) -> str:
        """The node as a drawn graph names it: `research:compress`."""
        return ":".join(part.partition(":")[0] for part in _nodes(self.task))

    @property
    def within(self) -> str:
        """The task whose sub-graph this one belongs to, with the number of that call; '' at the top."""
        return self.task.rpartition("|")[0]


def _nodes(task: str) -> list[str]:
    """The parts of a task's name that are nodes; a bare number counts calls of a sub-graph."""
    return [part for part in task.split("|") if ":" in part]


class StepLog:
    """All steps of a run, in memory and, line by line, in a file; the last word on a task counts."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._steps: dict[str, Step] = {}
        if path is not None and path.exists():
            self._read(path)

    def _read(self, path: Path) -> None:
        """What an earlier sitting wrote; a line that a kill has cut short is left out."""
        text = path.read_text(encoding="utf-8", errors="replace")
        for line in text.splitlines():
            try:
                step = Step(**json.loads(line))
            except (ValueError, TypeError, RecursionError):
                continue
            self._steps[step.task] = Step(step.task, step.step, tuple(step.joined), step.failed)
        if text and not text.endswith("\n"):
            self._append("")

    def add(self, step: Step) -> None:
        """Note a step, or what has become of it."""
        self._steps[step.task] = step
        self._append(json.dumps(asdict(step), ensure_ascii=True))

    def _append(self, line: str) -> None:
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")

    def __iter__(self) -> Iterator[Step]:
        return iter(self._steps.values())


def step_watcher(log: StepLog) -> Any:
    """A LangChain callback that notes every step of the graphs that it is handed to."""
    from langchain_core.callbacks import BaseCallbackHandler
    from langgraph.errors import GraphBubbleUp

    class Watcher(BaseCallbackHandler):
        run_inline = True  # in the order of events, and not in a thread
        ignore_llm = True

        def __init__(self) -> None:
            self._begun: dict[Any, Step] = {}

        def on_chain_start(self, serialized: Any, inputs: Any, *, run_id: Any, **about: Any) -> None:
            step = step_of(about.get("metadata") or {}, about.get("tags") or [])
            if step is not None:
                self._begun[run_id] = step
                log.add(step)

        def on_chain_error(self, error: BaseException, *, run_id: Any, **about: Any) -> None:
            step = self._begun.get(run_id)
            if step is not None and isinstance(error, Exception) and not isinstance(error, GraphBubbleUp):
                log.add(Step(step.task, step.step, step.joined, failed=True))

    return Watcher()


def step_of(metadata: dict[str, Any], tags: Iterable[str]) -> Step | None:
    """The step that a callback speaks of; None for whatever else runs inside a node."""
    task = metadata.get("langgraph_checkpoint_ns")
    if not task or not any(tag.startswith("graph:step:") for tag in tags):
        return None
    joins = [trigger for trigger in metadata["langgraph_triggers"] if trigger.startswith("join:")]
    joined = tuple(name for join in joins for name in join.split(":")[1].split("+"))
    return Step(task, metadata["langgraph_step"], joined)


def node_visits(steps: Iterable[Step], ended: bool) -> list[NodeVisit]:
    """Every node that ran, by name; sub-graphs stand beside the nodes in them.

    A step comes after those of the step before it in its graph, the first one of a sub-graph after whatever
    led there, and a join after the nodes that it names. `ended` adds the graph's end.
    """
    graphs: dict[str, list[Step]] = defaultdict(list)
    for step in steps:
        graphs[step.within].append(step)
    way = _Way(graphs)
    visits = {step.node: NodeVisit(node=step.node, times=0) for graph in graphs.values() for step in graph}
    for step in (step for graph in graphs.values() for step in graph):
        visit = visits[step.node]
        visit.times += 1
        visit.failed += step.failed
        visit.after = sorted({*visit.after, *way.before(step)})
    if ended and graphs:
        visits[END] = NodeVisit(node=END, times=1, after=sorted(way.last("")))
    return [visits[node] for node in sorted(visits)]


class _Way:
    """Looks up what came before a step, down to the nodes that have no sub-graph."""

    def __init__(self, graphs: dict[str, list[Step]]) -> None:
        self._graphs = graphs
        self._tasks = {step.task: step for graph in graphs.values() for step in graph}
        self._inner: dict[str, list[str]] = defaultdict(list)
        for graph in graphs:
            self._inner["|".join(_nodes(graph))].append(graph)

    def before(self, step: Step) -> set[str]:
        earlier = [other for other in self._graphs[step.within] if other.step < step.step]
        if not earlier:
            outer = self._tasks.get("|".join(_nodes(step.within)))
            return self.before(outer) if outer else {START}
        latest = max(other.step for other in earlier)
        previous = [other for other in earlier if other.step == latest]
        if any(_own(other) in step.joined for other in previous):  # the join fired, and not another edge
            previous = [other for other in earlier if _own(other) in step.joined]
        return self._exits(previous)

    def last(self, graph: str) -> set[str]:
        """The nodes that a graph ended with."""
        latest = max(step.step for step in self._graphs[graph])
        return self._exits([step for step in self._graphs[graph] if step.step == latest])

    def _exits(self, steps: Iterable[Step]) -> set[str]:
        names: set[str] = set()
        for step in steps:
            inner = self._inner.get("|".join(_nodes(step.task)), [])
            names |= set().union(*(self.last(graph) for graph in inner)) if inner else {step.node}
        return names


def _own(step: Step) -> str:
    return step.node.rpartition(":")[2]
