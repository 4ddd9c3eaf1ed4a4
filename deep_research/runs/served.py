"""The designs as LangGraph's own server runs them (`langgraph dev`, see `langgraph.json`).

Each is a graph with one node, in which the design's own graph runs: the server keeps its checkpoints, shows
its nodes, and hands its questions (a plan to approve, a point to clarify) to the caller as interrupts. A
caller gives a question and, as the run's context, settings by dotted keys; the finished report comes back.

    client.runs.wait(None, "graph_agent", input={"question": "…"}, context={"settings": {"preset": "quick"}})
"""

from __future__ import annotations

import os
import uuid
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from deep_research.core.errors import ResearchError, UsageError
from deep_research.core.extras import is_installed
from deep_research.engine.context import Context
from deep_research.engine.prompting import user_words
from deep_research.engine.store import RunStore
from deep_research.settings import Settings, load_settings
from deep_research.systems import SYSTEMS, get_system

from . import check_settings
from .bundle import Request
from .environment import Environment, open_environment
from .outcome import build_report


@dataclass(frozen=True)
class Choice:
    """What a caller may choose: settings by dotted keys, such as {"preset": "quick", "approval": "wait"}."""

    settings: dict[str, Any] = field(default_factory=dict)


class Asked(TypedDict):
    """What a caller gives: the question, and earlier turns if there are any."""

    question: str
    history: list[dict[str, str]]


class Answered(TypedDict):
    """What a caller gets."""

    report: str  # Markdown
    status: str
    details: dict[str, Any]  # all of `Report`, as JSON


class Served(Asked, Answered):
    """Question and report."""


class Refused(UsageError, ValueError):
    """A run that is refused. Of errors that are no ValueError the server tells the name alone."""


_OPEN: dict[str, tuple[Context, Environment]] = {}
"""Runs that have not ended, by thread: what they have spent and found holds over an interrupt."""


def served(system: str) -> CompiledStateGraph[Any, Any, Any, Any]:
    """A design as a graph that builds its own context."""
    design = get_system(system).module().build_graph()

    async def run_design(state: Served, config: RunnableConfig, runtime: Runtime[Choice]) -> dict[str, Any]:
        thread = str(config.get("configurable", {}).get("thread_id") or uuid.uuid4())
        try:
            settings = _settings(system, runtime.context)
            request = Request(thread, _question(state), state.get("history") or [], settings)
            ctx, environment = _OPEN.get(thread) or _OPEN.setdefault(thread, await _begun(request))
        except UsageError as error:
            raise Refused(error.message, error.hint) from error
        errors: list[str] = []
        found: dict[str, Any] = {}
        try:
            found = await design.ainvoke(request.as_input(), context=ctx)
        except ResearchError as error:
            errors.append(str(error))
        ctx, environment = _OPEN.pop(thread)  # an interrupt goes on with them
        await environment.close()
        gaps = environment.gaps(ctx.question, bool(request.history))
        report = await build_report(request, found, gaps, errors, "", ctx)
        return {"report": report.markdown, "status": report.status, "details": report.model_dump(mode="json")}

    graph: Any = StateGraph(Served, context_schema=Choice, input_schema=Asked, output_schema=Answered)
    graph.add_node("design", run_design)
    graph.add_edge(START, "design")
    graph.add_edge("design", END)
    compiled: CompiledStateGraph[Any, Any, Any, Any] = graph.compile(name=system)
    return compiled


def _question(state: Served) -> str:
    question = (state.get("question") or "").strip()
    if not question:
        raise UsageError("There is no question.", 'For example: {"question": "How long is …?"}')
    return question


def _settings(system: str, choice: Choice | None) -> Settings:
    settings = load_settings({**(choice.settings if choice else {}), "system": system}, env=os.environ)
    check_settings(settings)
    return settings


async def _begun(request: Request) -> tuple[Context, Environment]:
    environment = await open_environment(request.settings)
    ctx = environment.context(request.settings, run_id=request.run_id, store=RunStore(None))
    said = user_words(request.as_input()["history"])
    return replace(ctx, question=request.question, said=said), environment


# `langgraph dev` ends a run at its first call that blocks, be it a row of the call log, unless it is told not
# to; it looks here once its graphs are loaded.
if os.environ.get("LANGGRAPH_ALLOW_BLOCKING") == "false":
    os.environ["LANGGRAPH_ALLOW_BLOCKING"] = "true"

for _system in SYSTEMS.values():
    if not _system.needs or is_installed(_system.needs[0]):
        globals()[_system.name] = served(_system.name)
