"""Scripted runs of the topic queue: what its roles answer, and the last state of its graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from deep_research.engine.context import Context
from deep_research.systems.topic_queue.graph import build_graph
from tests.running import QUESTION, TOPICS, context_of, run, wire
from tests.scripted import Script

Proposals = Mapping[str, Sequence[Mapping[str, Any]]]


def schema_of(request: Mapping[str, Any]) -> str:
    """The name of the object that a request wants; '' if it wants none."""
    return str(request.get("response_format", {}).get("json_schema", {}).get("name", ""))


def title_of(request: Mapping[str, Any]) -> str:
    """The topic that a researcher's request is about."""
    said = [m["content"] for m in request["messages"] if m["role"] == "user"]
    return next(text for text in reversed(said) if "One topic of" in text).split("\n")[0].split(". ")[0]


def rounds_of(request: Mapping[str, Any]) -> int:
    """How many calls of tools a researcher's request looks back on."""
    return sum(message["role"] == "assistant" for message in request["messages"])


def tools_of(request: Mapping[str, Any]) -> set[str]:
    """The tools that a request offers."""
    return {tool["function"]["name"] for tool in request.get("tools") or []}


def searching(proposals: Proposals | None = None) -> Callable[[Mapping[str, Any]], Any]:
    """A researcher that searches for its topic every round, and proposes these in its first one."""

    def ask(request: Mapping[str, Any]) -> Any:
        title, round_ = title_of(request), rounds_of(request)
        new = (proposals or {}).get(title, ()) if round_ == 0 else ()
        words = title if round_ == 0 else f"{title} {round_}"
        return [("search", {"queries": [words]}), *(("propose_another", dict(one)) for one in new)]

    return ask


def queue_script(
    *,
    topics: Sequence[str] = TOPICS,
    proposals: Proposals | None = None,
    ask: Any = None,
    enough: Any = False,
    same: Sequence[str] = (),
    outline: Any = None,
    planner: Mapping[str, Any] | None = None,
    **answers: Any,
) -> Script:
    """A script in which these topics are planned, searched for, and written about."""
    objects = {
        "Decomposition": {"main_topic": "Lighthouses", "approach": "One each.", "topics": list(topics)},
        "Duplicates": {"same": list(same)},
        **(planner or {}),
    }
    asks = ask or searching(proposals)

    def plan(request: dict[str, Any]) -> Any:
        answer = objects.get(schema_of(request), "The heights of the lighthouses, in metres, today.")
        return answer(request) if callable(answer) else answer

    def research(request: dict[str, Any]) -> Any:
        if schema_of(request) == "Sufficiency":
            verdict = enough(request) if callable(enough) else enough
            return {
                "sufficient": verdict,
                "reason": "Its height stands there." if verdict else "No height yet.",
            }
        return asks(request)

    def write(request: dict[str, Any]) -> Any:
        if schema_of(request) == "ReportOutline":
            return outline(request) if callable(outline) else outline or {}
        return Script().answers["writer"]({"messages": [{}, request["messages"][-1]]})

    return Script(**{"planner": plan, "researcher": research, "writer": write, **answers})


def queue_context(script: Any = None, *, provider: Any = None, sink: Any = None, **settings: Any) -> Context:
    """The context of a run that takes the topics that its script plans."""
    provider = provider or wire(script or queue_script())
    chosen = {"system": "topic_queue", "queue__decompose": "auto", "queue__room": 1, **settings}
    return context_of(provider=provider, sink=sink, **chosen)


async def research_state(
    script: Any = None, question: str = QUESTION, *, provider: Any = None, sink: Any = None, **settings: Any
) -> dict[str, Any]:
    """The last state of the graph, and its context under `ctx`."""
    ctx = queue_context(script, provider=provider, sink=sink, **settings)
    history = [{"role": "user", "content": question}]
    state = await build_graph().ainvoke({"question": question, "history": history}, context=ctx)
    return {**state, "ctx": ctx}


def titles(state: Mapping[str, Any]) -> list[str]:
    """The topics of a run, in the order of the queue."""
    return [block.sub_topic for block in state["queue"].blocks]


async def queue_run(script: Any = None, question: str = QUESTION, **settings: Any) -> Any:
    """A whole run with its report; topics as the script plans them."""
    chosen = {"queue__decompose": "auto", "queue__max_iterations": 2, "queue__room": 1, **settings}
    return await run(script or queue_script(), question, system="topic_queue", **chosen)
