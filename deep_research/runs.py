"""Running research: start, resume, list.

`aresearch` is the one way in for all systems. Everything a run needs is put together here (`_context`), the
graph runs until it ends or asks something, and `_finish` turns its last state into a `Report`.
"""

from __future__ import annotations

import asyncio
import json
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .budget import Budget
from .calls import logged_amounts
from .clock import FrozenClock
from .context import Context, Shared
from .environment import Environment, build_environment
from .errors import ResearchError, RunError, SettingsError, UsageError
from .ledger import cited_sources, merge_by_key, render_citations, report_language, unchecked_claims
from .prompts import variables
from .report import Report, trace_of, usage_of
from .settings import Settings, flatten, home, load_settings
from .state import RECORDS, Gap, Status
from .store import RunStore
from .systems import get_system
from .tools import TOOLS
from .tracing import Event, Recorder, TraceLine
from .writer import from_template, with_gaps

Answer = Callable[[str], str | None]
Sink = Callable[[Event], None]
History = Sequence[Mapping[str, str]]
_PARTIAL = {"branch_failed", "timeout", "budget", "no_results"}


@dataclass
class Request:
    """What was asked, as the run folder keeps it."""

    run_id: str
    question: str
    history: list[dict[str, str]]
    settings: Settings

    def as_input(self) -> dict[str, Any]:
        """The graph's first input."""
        turns = [*self.history, {"role": "user", "content": self.question}]
        return {"question": self.question, "history": turns}


async def aresearch(
    question: str,
    *,
    system: str | None = None,
    settings: Settings | Mapping[str, Any] | None = None,
    history: History = (),
    out: str | Path | None = None,
    keep: bool = True,
    answer: Answer | None = None,
    on_event: Sink | None = None,
    environment: Environment | None = None,
) -> Report:
    """Research a question and return its `Report`.

    `settings` is a `Settings` or a mapping of dotted keys; None is the offline default, whatever keys the
    environment holds. `history` are earlier turns. The run folder is `out/<run_id>` (default: see
    `settings.home`); `keep=False` leaves nothing on disk. `answer` is asked when the system asks the user;
    without it the report's status is `needs_input`. Raises `UsageError` for a start that is refused; a run
    that fails later returns a report with status `failed` and its partial results on disk.
    """
    if not question.strip():
        raise UsageError("There is no question.", "For example: deep-research questions shows samples.")
    chosen = _settings(settings, system)
    check_settings(chosen)
    world = environment or build_environment(chosen)
    request = Request(uuid.uuid4().hex[:12], question.strip(), [dict(turn) for turn in history], chosen)
    folder = Path(out or home()) / request.run_id if keep else None
    store = RunStore(folder)
    _write_request(store, request)
    try:
        return await _drive(request, store, world, answer, on_event, fresh=True)
    finally:
        if environment is None:
            await world.close()


def _settings(given: Settings | Mapping[str, Any] | None, system: str | None) -> Settings:
    """The settings of a run; `system` wins over what they say."""
    if isinstance(given, Settings):
        return given.model_copy(update={"system": system}) if system else given
    return load_settings({**(given or {}), **({"system": system} if system else {})})


def check_settings(settings: Settings) -> None:
    """Refuse, before anything is spent, a system, a prompt or a tool that does not exist."""
    get_system(settings.system)
    for role, path in settings.prompts.items():
        variables(role, settings.prompt_language, override=path)
    for role, names in settings.tools.items():
        unknown = [name for name in names if name not in TOOLS]
        if unknown:
            raise SettingsError(
                f"Unknown tool '{unknown[0]}' (tools.{role}).", f"One of: {', '.join(TOOLS)}."
            )


def research(question: str, **options: Any) -> Report:
    """`aresearch` for code without an event loop, and for notebook cells: it runs in a thread of its own."""
    outcome: dict[str, Any] = {}

    def work() -> None:
        try:
            outcome["report"] = asyncio.run(aresearch(question, **options))
        except BaseException as error:
            outcome["error"] = error

    thread = threading.Thread(target=work, name="deep-research")
    thread.start()
    thread.join()
    if "error" in outcome:
        raise outcome["error"]
    report: Report = outcome["report"]
    return report


async def astream(question: str, **options: Any) -> AsyncIterator[Event]:
    """Research a question and yield its events; the last one, `done`, holds the report as JSON in `data`."""
    events: asyncio.Queue[Event | None] = asyncio.Queue()
    task = asyncio.create_task(aresearch(question, **options, on_event=events.put_nowait))
    task.add_done_callback(lambda _: events.put_nowait(None))
    try:
        while (event := await events.get()) is not None:
            yield event
        await task
    finally:
        task.cancel()


async def aresume(
    run_id: str,
    *,
    out: str | Path | None = None,
    answer: Answer | None = None,
    on_event: Sink | None = None,
) -> Report:
    """Go on with a run that was interrupted, killed or is waiting for an answer; a finished one is returned.

    No call in its call log is sent again.
    """
    folder = Path(out or home()) / run_id
    if not (folder / "run.json").is_file():
        raise RunError(
            f"There is no run '{run_id}' in '{folder.parent}'.", "`deep-research runs` lists them."
        )
    if (folder / "report.json").is_file():
        report = load_report(folder)
        if report.status not in ("failed", "needs_input"):
            return report
    store = RunStore(folder)
    request = _read_request(store)
    world = build_environment(request.settings)
    try:
        return await _drive(request, store, world, answer, on_event, fresh=False)
    finally:
        await world.close()


def list_runs(out: str | Path | None = None) -> list[dict[str, Any]]:
    """All runs in the folder, oldest first: run_id, started, status, system and question."""
    runs = [_listed(path.parent) for path in sorted(Path(out or home()).glob("*/run.json"))]
    return sorted(runs, key=lambda run: (run["started"], run["run_id"]))


def _listed(folder: Path) -> dict[str, Any]:
    """One line of the list; a folder that cannot be read is listed as damaged."""
    finished = folder / "report.json"
    try:
        data = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        status = (
            json.loads(finished.read_text(encoding="utf-8"))["status"] if finished.is_file() else "unfinished"
        )
        return {**{key: data[key] for key in ("run_id", "started", "system", "question")}, "status": status}
    except (ValueError, KeyError, TypeError):
        return {"run_id": folder.name, "started": "", "system": "", "question": "", "status": "damaged"}


def load_report(folder: Path) -> Report:
    """The report of a finished run, from its folder."""
    data = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    store = RunStore(folder)
    request = _read_request(store)
    store.close()
    lines = (folder / "trace.jsonl").read_text(encoding="utf-8").splitlines()
    trace = [TraceLine.model_validate_json(line) for line in lines]
    markdown = data.pop("report")
    return Report(**data, markdown=markdown, settings=request.settings, trace=trace)


async def _drive(
    request: Request,
    store: RunStore,
    environment: Environment,
    answer: Answer | None,
    on_event: Sink | None,
    *,
    fresh: bool,
) -> Report:
    """Run the graph until it ends or waits for the user, then write the bundle."""
    ctx = _context(request, store, environment, on_event)
    ctx.emit("started", text=request.question)
    from langgraph.errors import GraphRecursionError

    errors: list[str] = []
    asked = ""
    state: dict[str, Any] = {}
    async with _graph(request, store) as graph:
        config = {
            "configurable": {"thread_id": request.run_id},
            "recursion_limit": request.settings.limits.recursion_limit,
        }
        try:
            begun = not fresh and bool((await graph.aget_state(config)).values)
            given = None if begun else request.as_input() | {"gaps": environment.gaps()}
            state, asked = await _invoke(graph, given, config, ctx, answer)
        except (ResearchError, GraphRecursionError) as error:
            errors.append(str(error))
            state = dict((await graph.aget_state(config)).values)
    report = _finish(request, state, errors, asked, ctx)
    store.write("report.md", report.markdown)
    store.write("report.json", report.to_json())
    store.write("sources.json", [source.model_dump(mode="json") for source in report.sources])
    store.write("claims.json", [claim.model_dump(mode="json") for claim in report.claims])
    store.write("trace.jsonl", "".join(line.model_dump_json() + "\n" for line in report.trace))
    ctx.emit("done", text=report.summary(), report=report.to_json())
    store.close()
    return report


async def _invoke(
    graph: Any, given: Any, config: dict[str, Any], ctx: Context, answer: Answer | None
) -> tuple[dict[str, Any], str]:
    """Run, and answer the system's questions as long as somebody is there to answer them."""
    from langgraph.types import Command

    if given is None and answer is not None and (pending := _pending(await graph.aget_state(config))):
        given = await _reply(pending, ctx, answer)
    while True:
        result = await graph.ainvoke(given, config, context=ctx)
        interrupts = result.pop("__interrupt__", None)
        if not interrupts:
            return result, ""
        question = str(interrupts[0].value["question"])
        ctx.emit("interrupt", text=question)
        reply = answer(question) if answer else None
        if reply is None or not reply.strip():
            return result, question
        given = Command(resume=reply)


def _pending(snapshot: Any) -> str:
    """The question that a paused run waits for, or ''."""
    values = [item.value for task in snapshot.tasks for item in task.interrupts]
    return str(values[0]["question"]) if values else ""


async def _reply(question: str, ctx: Context, answer: Answer) -> Any:
    from langgraph.types import Command

    ctx.emit("interrupt", text=question)
    reply = answer(question)
    return Command(resume=reply) if reply and reply.strip() else None


def _finish(
    request: Request, state: Mapping[str, Any], errors: list[str], asked: str, ctx: Context
) -> Report:
    """The report of the graph's last state: citations rendered, claims listed, status decided."""
    sources = merge_by_key([], state.get("sources", []))
    gaps: list[Gap] = list(state.get("gaps", []))
    language = report_language(request.question, request.settings.language)
    draft = state.get("draft") or ""
    if errors and state.get("findings"):  # what was found is never thrown away
        draft = draft or from_template(request.question, state["findings"], [], language)
    draft = with_gaps(draft, gaps, language) if draft else ""
    rendered = render_citations(draft, sources, language)
    status = _status(state, errors, asked, bool(rendered.cited), gaps)
    rows, simulated = list(ctx.store.calls), isinstance(ctx.clock, FrozenClock)
    return Report(
        run_id=request.run_id,
        question=request.question,
        system=request.settings.system,
        status=status,
        markdown=rendered.markdown if draft else "",
        sources=cited_sources(sources, rendered.cited),
        claims=unchecked_claims(rendered.markdown),
        removed=rendered.removed,
        gaps=gaps,
        errors=errors,
        usage=usage_of(rows, simulated),
        settings=request.settings,
        trace=trace_of(rows, simulated, request.settings.concurrency),
        asked=asked,
    )


def _status(state: Mapping[str, Any], errors: list[str], asked: str, cited: bool, gaps: list[Gap]) -> Status:
    """The first that holds: failed, needs_input, no_evidence, partial, complete."""
    if errors and not cited:
        return "failed"
    if asked or state.get("status") == "needs_input":
        return "needs_input"
    if not cited:
        return "no_evidence"
    return "partial" if errors or any(gap.kind in _PARTIAL for gap in gaps) else "complete"


def _context(request: Request, store: RunStore, environment: Environment, on_event: Sink | None) -> Context:
    """Everything that nodes get besides the state; the budget knows what earlier sittings spent."""
    settings = request.settings
    clock = environment.clock
    budget = Budget(settings.budget, clock)
    trace = Recorder()
    for row in store.calls:
        trace.restore(row.id)
        if row.status == "ok":
            budget.book(row.branch, logged_amounts(row))
        elif row.status == "reused":
            budget.book_share(row.branch, logged_amounts(row))
    writing = settings.output_tokens.write
    budget.reserve("0", "writer", {"model_calls": 1, "tokens": 2 * writing})
    return Context(
        run_id=request.run_id,
        settings=settings,
        clock=clock,
        models=environment.models,
        search=environment.search,
        budget=budget,
        store=store,
        trace=trace,
        shared=Shared(asyncio.Semaphore(settings.concurrency), clock.seconds()),
        sink=on_event or (lambda event: None),
    )


@asynccontextmanager
async def _graph(request: Request, store: RunStore) -> AsyncIterator[Any]:
    """The run's graph with its checkpoints, in the run folder or in memory."""
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    from .researcher import Progress
    from .supervisor import Assignment

    serde = JsonPlusSerializer(allowed_msgpack_modules=[*RECORDS, Progress, Assignment])
    build = get_system(request.settings.system).module().build_graph
    if store.checkpoints is None:
        from langgraph.checkpoint.memory import InMemorySaver

        yield build(checkpointer=InMemorySaver(serde=serde))
        return
    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    async with aiosqlite.connect(store.checkpoints) as connection:
        yield build(checkpointer=AsyncSqliteSaver(connection, serde=serde))


def _write_request(store: RunStore, request: Request) -> None:
    from datetime import UTC, datetime

    store.write(
        "run.json",
        {
            "run_id": request.run_id,
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            "system": request.settings.system,
            "question": request.question,
            "history": request.history,
        },
    )
    store.write("settings.toml", settings_toml(request.settings))


def _read_request(store: RunStore) -> Request:
    data = store.read("run.json")
    assert store.folder is not None
    settings = load_settings(file=store.folder / "settings.toml")
    return Request(data["run_id"], data["question"], data["history"], settings)


def settings_toml(settings: Settings) -> str:
    """All settings as TOML with dotted keys; what is None is left out."""
    lines = []
    for key, value, _ in flatten(settings):
        if isinstance(value, dict):
            lines += [
                f"{key}.{json.dumps(name)} = {json.dumps(item, ensure_ascii=False)}"
                for name, item in value.items()
            ]
        elif value is not None:
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"
