"""Forks: a finished or broken-off run once more, with something changed, from the step where that matters.

A fork is a run of its own that begins at the beginning and is given the calls of the run that it goes on
from: all that the change does not concern are taken over from the call log and never sent again. So any step
of any design can be changed, in whichever sub-graph it stands. (LangGraph's own time travel runs a whole
sub-graph again when it is to go on inside one, and its checkpoints know nothing of what was paid.)
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Unpack

from deep_research.core.arguments import checked
from deep_research.core.errors import UsageError
from deep_research.engine.store import CallRow
from deep_research.engine.structured import objects_in
from deep_research.report import Report
from deep_research.report.diff import ReportDiff, diff_reports
from deep_research.settings import RUN_SETTINGS, Settings, settings_of_run
from deep_research.settings.choices import Choices, dotted_choices

from . import check_parts, check_settings, valid_text
from .bundle import (
    Request,
    begin_run,
    find_run,
    hand_over,
    load_report,
    logged_calls,
    read_request,
    started_on,
)
from .driving import Sink, drive
from .environment import Environment, open_environment
from .greeting import AnswerFunction
from .own_loop import in_own_loop

BRIEF_WRITER = "brief_writer"
_WHOLE = ("preset", "persona")


@checked
async def afork(
    run_id: str | Report,
    *,
    at: str = "",
    brief: str = "",
    edit: str = "",
    block: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    answer: AnswerFunction | None = None,
    on_event: Sink | None = None,
    parts: Mapping[str, Any] = MappingProxyType({}),
    environment: Environment | None = None,
    **choices: Unpack[Choices],
) -> Report:
    """Run a kept run again with something changed, and return the new run's report.

    The run is named by its id or its report. `at` is a step: a role, or the id of a call in the trace. With
    `edit` the step answers with this text (for an object: its JSON); without, it and what follows it are
    asked anew. `brief` is the edited answer of the brief writer. `block` are addresses that must not be used.
    `settings` and `choices` change settings; where no step is named, the roles that get another model are
    asked anew, and whatever reads another prompt.
    Raises `UsageError` for a step that the run has not made, and `RunError` for an unknown run.
    """
    brief, edit = map(valid_text, (brief, edit))
    folder = find_run(run_id, out)
    check_parts(read_request(folder), parts)
    changed = {**(settings or {}), **dotted_choices(choices)}
    request, rows = fork_request(folder, changed, block), logged_calls(folder)
    if brief:
        at, edit = at or BRIEF_WRITER, json.dumps({"research_brief": brief}, ensure_ascii=False)
    kept = calls_to_keep(rows, request.settings, at, edit)
    world = environment or await open_environment(request.settings, request.goes_on["day"])
    target = folder.parent / request.run_id
    store = begin_run(target, request, take_over=partial(hand_over, folder, kept))
    try:
        return await drive(request, store, world, answer, on_event, parts, fresh=True)
    finally:
        store.close()
        if environment is None:
            await world.close()


fork = in_own_loop(afork)


@checked
def diff(before: str | Report, after: str | Report, *, out: str | Path | None = None) -> ReportDiff:
    """What changed from one report to another; one that is named by its run's id is read from `out`."""
    return diff_reports(
        *(run if isinstance(run, Report) else load_report(find_run(run, out)) for run in (before, after))
    )


def fork_request(folder: Path, settings: Mapping[str, Any], block: Sequence[str] = ()) -> Request:
    """What a fork of the run in this folder asks: the same question, under changed settings."""
    earlier = read_request(folder)
    if whole := next((name for name in _WHOLE if name in settings), None):
        raise UsageError(f"A fork keeps its run's {whole}.", "Change single settings: --set KEY=VALUE.")
    if block:
        settings = {**settings, "search.block": [*earlier.settings.search.block, *block]}
    chosen = settings_of_run(folder / RUN_SETTINGS, settings)
    check_settings(chosen)
    goes_on = {"how": "fork", "run_id": earlier.run_id, "day": started_on(folder)}
    return replace(earlier, run_id=uuid.uuid4().hex[:12], settings=chosen, goes_on=goes_on)


def calls_to_keep(rows: Sequence[CallRow], settings: Settings, at: str, edit: str) -> list[CallRow]:
    """The calls that a fork takes over: all but the step, the models' calls that came after, and failed ones.

    Searches that came after are kept, too: what is asked for once more in the same words is known. An edited
    step is kept with its new answer. Without a step, those are left out that another model is to answer.
    """
    begun = [row.id for row in rows if _is_step(row, at, settings)]
    if at and not begun:
        steps = ", ".join(dict.fromkeys(row.role for row in rows if row.kind == "model"))
        hint = f"Its roles: {steps}; trace.jsonl has all ids."
        raise UsageError(f"There is no step '{at}' in this run.", hint)
    if edit and not at:
        raise UsageError("Nothing says which step is edited.", "Name it with --at.")
    if edit:
        begun = begun[:1]
    after, kept = set(begun), list[CallRow]()
    for row in rows:
        if row.id in begun:
            kept += [_edited(row, edit)] if edit else []
            continue
        if after & {*row.after}:
            after.add(row.id)
        if row.status != "failed" and (row.kind != "model" or row.id not in after):
            kept.append(row)
    return kept


def _is_step(row: CallRow, at: str, settings: Settings) -> bool:
    if at:
        return at == row.id or (row.kind == "model" and at == row.role)
    return row.kind == "model" and row.model != settings.model_for(row.role)


def _edited(row: CallRow, answer: str) -> CallRow:
    if row.kind != "model":
        raise UsageError(f"Step {row.id} is no model's answer.", "Block what it found with --block instead.")
    if "response_format" in row.request["options"]:
        wanted, given = ({**next(iter(objects_in(text)), {})} for text in (row.response["content"], answer))
        if lost := [name for name in wanted if name not in given]:
            said = f"The {row.role} answers with an object, and the edit has no '{lost[0]}'."
            raise UsageError(said, f"Its fields: {', '.join(wanted)}.")
    response = {"content": answer, "tool_calls": [], "invalid_tool_calls": [], "finish_reason": "stop"}
    return replace(row, response=response)
