"""Driving a run: its graph runs until it ends or waits for the user, then `outcome` makes its report."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from deep_research.core.errors import ResearchError
from deep_research.engine.context import Context
from deep_research.engine.path import step_watcher
from deep_research.engine.prompting import user_words
from deep_research.engine.store import RunStore
from deep_research.engine.trace import Event
from deep_research.report import Report
from deep_research.sources.search import restore_pages
from deep_research.systems import get_system
from deep_research.systems.shared.perspectives import with_perspectives
from deep_research.text.fence import without_citations

from .bundle import Request, write_request, write_run_files
from .environment import Environment
from .follow_up import answer_from_earlier
from .greeting import AnswerFunction, answer_greeting, is_greeting
from .outcome import build_report
from .status import outages

Sink = Callable[[Event], None]
T = TypeVar("T")


async def drive(
    request: Request,
    store: RunStore,
    environment: Environment,
    answer: AnswerFunction | None,
    on_event: Sink | None,
    parts: Mapping[str, Any],
    *,
    fresh: bool,
) -> Report:
    """Run the graph until it ends or waits for the user, then write the bundle."""
    settings = request.settings
    if is_greeting(request):
        greeted = answer_greeting(request, answer)
        if isinstance(greeted, Report):
            write_run_files(store, greeted)
            return greeted
        request = greeted
        write_request(store, request)
    ctx = environment.context(settings, run_id=request.run_id, store=store, sink=on_event)
    ctx = replace(ctx, question=request.question, said=user_words(request.as_input()["history"]))
    ctx.emit("started", text=request.question)
    if not fresh:
        await restore_pages(ctx)
    from langgraph.errors import GraphRecursionError

    from .checkpoints import last_state, open_checkpoints

    errors: list[str] = []
    asked = ""
    state: dict[str, Any] = {}
    async with open_checkpoints(store.checkpoints, settings.checkpoints) as checkpointer:
        system = get_system(settings.system)
        graph = system.build_graph(parts, checkpointer)
        config = {
            "configurable": {"thread_id": request.run_id},
            "recursion_limit": system.recursion_limit(settings),
            "callbacks": [step_watcher(store.steps)],
        }
        before = await last_state(graph, config, store.checkpoints)
        try:
            lost = not before.next and outages(store.calls)  # it ended without one answer: from the beginning
            begun = not fresh and bool(before.values) and not lost
            if not begun:
                state = await _stoppable(answer_from_earlier(request, ctx))
            if not state:
                given = None if begun else request.as_input()
                state, asked = await _stoppable(_invoke(graph, given, config, ctx, answer))
            if not asked:
                state = await with_perspectives(str(state["question"]), state, ctx)
        except (ResearchError, GraphRecursionError) as error:
            errors.append(str(error))
            state = dict((await graph.aget_state(config)).values)
    if state.get("question", request.question) != request.as_input()["question"]:
        ctx = ctx.about(state["question"])  # the user was asked, and has said what it is about
    gaps = environment.gaps(ctx.question, bool(request.history))
    report = await build_report(request, state, gaps, errors, asked, ctx)
    write_run_files(store, report)
    ctx.emit("done", text=report.summary(), report=report.to_json())
    return report


async def _stoppable(job: Coroutine[Any, Any, T]) -> T:
    """Await a graph; if this is cancelled, until the graph has stopped too.

    A graph that ends all the same, because the cancellation came too late for it, is cancelled nevertheless:
    nobody waits for its report any more.
    """
    task = asyncio.create_task(job)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait([task])
        raise


async def _invoke(
    graph: Any, given: Any, config: dict[str, Any], ctx: Context, answer: AnswerFunction | None
) -> tuple[dict[str, Any], str]:
    """Run, and answer the system's questions as long as somebody is there to answer them."""
    if given is None and answer is not None and (pending := _pending(await graph.aget_state(config))):
        given = _reply(pending, ctx, answer)
    while True:
        result = await graph.ainvoke(given, config, context=ctx)
        interrupts = result.pop("__interrupt__", None)
        if not interrupts:
            return result, ""
        question = str(interrupts[0].value["question"])
        given = _reply(interrupts[0].value, ctx, answer)
        if given is None:
            return result, question


def _pending(snapshot: Any) -> dict[str, Any]:
    """What a paused run waits for: the value of its interrupt, or nothing."""
    values = [item.value for task in snapshot.tasks for item in task.interrupts]
    return dict(values[0]) if values else {}


def _reply(asked: Mapping[str, Any], ctx: Context, answer: AnswerFunction | None) -> Any:
    """The user's answer to an interrupt; its stated default, if it has one, where nobody is there."""
    from langgraph.types import Command

    question = str(asked["question"])
    ctx.emit("interrupt", text=question)
    reply = answer(question) if answer else asked.get("default")
    return Command(resume=without_citations(reply)) if reply and reply.strip() else None
