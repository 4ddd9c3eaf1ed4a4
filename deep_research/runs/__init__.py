"""Running research: start it, watch it, resume it.

`aresearch` is the one way in for all systems. `driving.drive` runs the graph until it ends or asks something,
and `outcome.build_report` turns its last state into a `Report`.
"""

from __future__ import annotations

import asyncio
import os
import re
import unicodedata
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Unpack

from deep_research.core.arguments import checked
from deep_research.core.errors import RunError, SettingsError, UsageError
from deep_research.core.extras import require_extra
from deep_research.engine.store import RunStore
from deep_research.engine.tools import (
    CALCULATE,
    CONDUCT_RESEARCH,
    EVIDENCE_TOOLS,
    LOOK_UP_TERM,
    RESEARCH_COMPLETE,
    SEARCH_DOCUMENTS,
    SEARCH_KNOWLEDGE,
    SEARCH_PAPERS,
    THINK,
    TOOLS,
)
from deep_research.engine.trace import Event
from deep_research.prompts import variables
from deep_research.report import Report
from deep_research.settings import (
    RECORDED,
    RUN_SETTINGS,
    Settings,
    at_present_endpoint,
    home_folder,
    load_settings,
    settings_of_run,
)
from deep_research.settings.choices import Choices, dotted_choices
from deep_research.settings.layers import dotted_items
from deep_research.systems import get_system
from deep_research.text.language import shorten

from .bundle import (
    Request,
    begin_run,
    check_call_log,
    find_run,
    hand_over,
    load_report,
    read_request,
    settings_toml,
)
from .driving import Sink, drive
from .environment import Environment, open_environment
from .follow_up import searches_before, settings_after, turns_before
from .greeting import AnswerFunction, greets
from .own_loop import in_own_loop
from .recording import check_recording, read_recording, write_recording

History = Sequence[Mapping[str, str]]

_SEARCHING = tuple(tool.name for tool in (*EVIDENCE_TOOLS, THINK, RESEARCH_COMPLETE))
ROLE_TOOLS = {
    "clarifier": (LOOK_UP_TERM.name,),
    "supervisor": (CONDUCT_RESEARCH.name, RESEARCH_COMPLETE.name, THINK.name),
    "orchestrator": (CONDUCT_RESEARCH.name, RESEARCH_COMPLETE.name, THINK.name),
    "planner": _SEARCHING,
    "researcher": _SEARCHING,
}
"""The tools that each role can carry out; the setting `tools.ROLE` says which of them it is offered."""


@checked
async def aresearch(
    question: str,
    *,
    settings: Settings | Mapping[str, Any] | None = None,
    history: History = (),
    after: str | Report | None = None,
    out: str | Path | None = None,
    keep: bool = True,
    answer: AnswerFunction | None = None,
    on_event: Sink | None = None,
    environment: Environment | None = None,
    parts: Mapping[str, Any] = MappingProxyType({}),
    record: str | Path | None = None,
    **choices: Unpack[Choices],
) -> Report:
    """Research a question and return its `Report`.

    The choices are those of the command line: `system`, `preset`, `persona`, `model`, `search`, `docs`,
    `knowledge`, `budget`; `live=True` takes model and search from the environment's keys. Without any it runs
    offline, whatever keys the environment holds. `settings` is a mapping of dotted keys, which the choices
    beat, or a finished `Settings`. `history` are earlier turns. With `after`, a run's id or report, the
    question follows that report, and its pages are looked at first. The run folder is `out/<run_id>`
    (default: see `settings.home_folder`); `keep=False` leaves nothing on disk. `answer` is asked when the
    system asks the user; without it the report's status is `needs_input`. `parts` replaces parts of the
    design by name (`parts={"write_report": my_node}`; its `build_graph` lists them). `record` writes the run
    as a file that can be replayed anywhere, as the model "recorded:FILE". Raises `UsageError` for a start
    that is refused; a run that fails later returns a report with status `failed` and its partial results on
    disk.
    """
    question = valid_text(question).strip()
    if not question:
        raise UsageError("There is no question.", "`deep-research questions` shows samples.")
    if not history and not any(character.isalnum() for character in question):
        raise UsageError(f"The question {shorten(question, 20)!r} has no words.", "Say what to find out.")
    before = find_run(after, out) if after else None
    chosen = _settings(settings, choices, before)
    if chosen.is_recorded():
        path, changes = chosen.models["model"].removeprefix(RECORDED), _explicit(chosen)
        return await areplay(
            path, question, changes=changes, out=out, keep=keep, on_event=on_event, parts=parts, record=record
        )
    check_settings(chosen)
    if record:
        check_recording(record, chosen, before)
    most = chosen.limits.max_question_length
    if len(question) > most:
        raise UsageError(
            f"The question has {len(question):,} characters, and {most:,} are allowed.",
            "Give long material with --docs, or raise limits.max_question_length.",
        )
    world = environment or await open_environment(chosen)
    meant = environment or answer or "search.providers" in chosen.origin
    known = before or history or chosen.knowledge.paths
    if not (meant or known or greets(question)):
        await _refuse_foreign(question, world)
    if parts:
        get_system(chosen.system).build_graph(parts)
    turns = [*(turns_before(before) if before else ()), *_turns(history)]
    request = Request(uuid.uuid4().hex[:12], question, turns, chosen, tuple(parts))
    folder = home_folder(out) / request.run_id if keep else None
    if before and after:
        request.goes_on = {"how": "after", "run_id": before.name}
        searches = partial(hand_over, before, searches_before(before))
        store = begin_run(folder, request, take_over=searches)
    else:
        store = begin_run(folder, request)
    replies: list[str | None] = []
    ask = _keeping(answer, replies) if answer else None
    try:
        report = await drive(request, store, world, ask, on_event, parts, fresh=True)
        if record:
            write_recording(record, store, request, report, replies if answer else None)
        return report
    finally:
        store.close()
        if environment is None:
            await world.close()


async def _refuse_foreign(question: str, world: Environment) -> None:
    """Refuse a question about the real world where nothing but the invented one would be searched; what an
    abbreviation stands for, the clarifier asks."""
    words = world.foreign(question)
    if words and not re.fullmatch(r"[A-Z]{2,5}", words):
        await world.close()
        raise UsageError(
            f"The invented web knows nothing of: {words}.",
            "For the real one set OPENAI_API_KEY and TAVILY_API_KEY and give live=True; docs= searches "
            "documents of your own, search='offline' the invented web all the same.",
        )


def _keeping(answer: AnswerFunction, replies: list[str | None]) -> AnswerFunction:
    """An answer function whose answers are kept."""

    def ask(question: str) -> str | None:
        replies.append(answer(question))
        return replies[-1]

    return ask


def _explicit(settings: Settings) -> dict[str, Any]:
    """What was said of the settings in so many words, by dotted keys, besides the model."""
    flat = dotted_items(settings.model_dump())
    said = (key for key, where in settings.origin.items() if where == "argument" and key != "models.model")
    return {key: flat[key] for key in said}


async def areplay(
    path: str | Path,
    question: str = "",
    *,
    changes: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    keep: bool = False,
    on_event: Sink | None = None,
    parts: Mapping[str, Any] = MappingProxyType({}),
    record: str | Path | None = None,
) -> Report:
    """Make a recorded run again from its recording: the same report, and nothing is sent.

    `changes` are settings by dotted keys, such as those of the output. `record` writes the same calls with
    the report that they lead to now, where it is no longer the recorded one. Raises `UsageError` for another
    question than the recorded one, and `RunError` for a damaged file or one that no longer fits: prompts,
    code or settings have changed since.
    """
    recording = read_recording(path)
    if question not in ("", recording.asked["question"]):
        hint = f"It answers: {recording.asked['question']}"
        raise UsageError("The recording is one of another question.", hint)
    request = replace(recording.request(changes), parts=tuple(parts))
    check_settings(request.settings)
    folder = home_folder(out) / request.run_id if keep else None
    if folder and folder.exists():
        request = replace(request, run_id=uuid.uuid4().hex[:12])
        folder = folder.with_name(request.run_id)
    store, replies = begin_run(folder, request, recording.store), iter(recording.answers or ())
    answer: AnswerFunction | None = None if recording.answers is None else lambda _: next(replies, None)
    try:
        world = recording.environment(request.settings)
        report = await drive(request, store, world, answer, on_event, parts, fresh=True)
        if misfit := recording.misfit(store):
            raise RunError(
                f"The recording '{path}' no longer fits: {misfit}.",
                f"The report that it keeps opens all the same: deep-research show {path}",
            )
        if record:
            write_recording(record, store, request, report, recording.answers, recording.began)
        return report
    finally:
        store.close()


def valid_text(text: str) -> str:
    """Text for files and terminals: no lone surrogates, no control characters but tab and line end."""
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) != "Cc")


def _turns(history: History) -> list[dict[str, str]]:
    """Earlier turns as the run keeps them; raises `UsageError` for one that is no turn."""
    turns, hint = [], 'A turn is {"role": "user" or "assistant", "content": "..."}.'
    for number, turn in enumerate(history, start=1):
        if turn.get("role") not in ("user", "assistant") or not isinstance(turn.get("content"), str):
            raise UsageError(f"Turn {number} of the history is no turn.", hint)
        turns.append({key: valid_text(value) for key, value in turn.items() if isinstance(value, str)})
    return turns


def _settings(
    given: Settings | Mapping[str, Any] | None, choices: Choices, before: Path | None = None
) -> Settings:
    """The settings of a run; a choice wins over what they say, and they over those of a run before it."""
    chosen = dotted_choices(choices)
    if isinstance(given, Settings):
        if others := [name for name in choices if name != "system"]:
            beside = f"`settings` is finished, and '{others[0]}' is given beside it."
            raise UsageError(beside, "Set it in there.")
        return given.model_copy(update=chosen)
    changed = {**(given or {}), **chosen}
    if before and not choices.get("live") and (settled := settings_after(before, changed)):
        return settled
    settings = at_present_endpoint(load_settings(changed, env=os.environ if choices.get("live") else None))
    if choices.get("live") and not settings.is_live():
        raise UsageError(
            "Nothing in the environment says which model to use.",
            "Set OPENAI_API_KEY, and TAVILY_API_KEY for the web, or give model= and search=.",
        )
    return settings


def check_settings(settings: Settings) -> None:
    """Refuse, before anything is spent, a system, a prompt or a tool that does not exist."""
    get_system(settings.system).check()
    for role, path in settings.prompts.items():
        variables(role, settings.prompt_language, override=path)
    for role, names in settings.tools.items():
        able = ROLE_TOOLS.get(role, ())
        for name in names:
            if name not in able:
                fault = f"The {role} cannot use '{name}'" if name in TOOLS else f"Unknown tool '{name}'"
                hint = f"One of: {', '.join(able)}." if able else "This role has no tools."
                raise SettingsError(f"{fault} (tools.{role}).", hint)
            _check_tool(name, role, settings)


def _check_tool(name: str, role: str, settings: Settings) -> None:
    """Refuse a tool that could only fail: there is nothing to search, or a package is missing."""
    if name == SEARCH_DOCUMENTS.name and not (settings.search.docs or settings.knowledge.paths):
        hint = "Set search.docs or knowledge.paths."
        raise SettingsError(f"There are no documents for '{name}' (tools.{role}).", hint)
    if name == SEARCH_PAPERS.name and "arxiv" not in settings.search.providers:
        raise SettingsError(f"There are no papers for '{name}' (tools.{role}).", "Add --search arxiv.")
    if name == SEARCH_KNOWLEDGE.name and not settings.knowledge.paths:
        raise SettingsError(f"There are no notes for '{name}' (tools.{role}).", "Give --knowledge PATH.")
    if name == CALCULATE.name:
        require_extra("pydantic_monty", "calculation", f"The tool '{name}'")


research = in_own_loop(aresearch)


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
        await asyncio.wait([task])  # the run is let go of before anybody may resume it


@checked
async def aresume(
    run_id: str | Report,
    *,
    settings: Mapping[str, Any] = MappingProxyType({}),
    out: str | Path | None = None,
    answer: AnswerFunction | None = None,
    on_event: Sink | None = None,
    parts: Mapping[str, Any] = MappingProxyType({}),
) -> Report:
    """Go on with a run that was interrupted, killed or is waiting for an answer; a finished one is returned.

    It is named by its id or its report. No call in its call log is sent again. `settings` changes some of its
    settings; what OPENAI_BASE_URL names today holds by itself. Raises `RunError` for an unknown run or a
    damaged folder, and `UsageError` if the run began with other `parts`.
    """
    folder = find_run(run_id, out)
    if report := finished_report(folder):
        return report
    request = resumed_request(folder, settings)
    check_parts(request, parts)
    check_call_log(folder)
    world = await open_environment(request.settings, request.goes_on.get("day", ""))
    store = RunStore(folder)
    store.write(RUN_SETTINGS, settings_toml(request.settings))
    try:
        return await drive(request, store, world, answer, on_event, parts, fresh=False)
    finally:
        store.close()
        await world.close()


resume = in_own_loop(aresume)


def finished_report(folder: Path) -> Report | None:
    """The report of a run folder, unless the run failed, waits for an answer, or has none yet."""
    report = load_report(folder) if (folder / "report.json").exists() else None
    return report if report and report.status not in ("failed", "needs_input") else None


def resumed_request(folder: Path, changed: Mapping[str, Any]) -> Request:
    """What was asked in a run folder, under settings of today; another design would be another run."""
    request = read_request(folder)
    if whole := next((name for name in ("system", "preset", "persona") if name in changed), None):
        raise UsageError(f"A resumed run keeps its {whole}.", "Change single settings: --set KEY=VALUE.")
    settings = settings_of_run(folder / RUN_SETTINGS, changed)
    check_settings(settings)
    return replace(request, settings=settings)


def check_parts(request: Request, parts: Mapping[str, Any]) -> None:
    """Refuse to go on with a run that began with other parts than these."""
    if sorted(request.parts) != sorted(parts):
        began = f"with parts of its own ({', '.join(request.parts)})" if request.parts else "without parts"
        raise UsageError(f"Run '{request.run_id}' began {began}.", "Go on with the same: parts={...}.")
