"""The run folder: what is written there, and how it is read back.

`run.json` and `settings.toml` say what was asked; report, sources, claims and trace are written at the end.
The call log, the checkpoints and the pages are kept by `store` while the run goes on. Whatever is found
damaged here is a `RunError` that names the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from shutil import rmtree
from typing import Any

from pydantic import BaseModel

from deep_research.core.errors import RunError, SettingsError, UnknownRun, UnsafeAddressError, nearest_hint
from deep_research.core.safety import safe_join
from deep_research.engine.path import STEPS_FILE, StepLog, node_visits
from deep_research.engine.store import CALLS_FILE, CallLog, CallRow, PageStore, RunStore, read_text, written
from deep_research.engine.trace import TraceLine
from deep_research.report import UNENDED, Report
from deep_research.settings import Settings, home_folder, load_settings
from deep_research.settings.layers import dotted_items
from deep_research.text.fence import without_citations


@dataclass
class Request:
    """What was asked, as the run folder keeps it.

    `goes_on` is how this run goes on from an earlier one (`fork` or `after`), with the earlier one's id and
    the day that its prompts were told.
    """

    run_id: str
    question: str
    history: list[dict[str, str]]
    settings: Settings
    parts: tuple[str, ...] = ()
    """The design's parts that were replaced; the functions themselves cannot be kept."""
    goes_on: dict[str, str] = field(default_factory=dict)

    def as_input(self) -> dict[str, Any]:
        """The graph's first input; what was typed, or answered before, never turns into a citation."""
        turns = [*self.history, {"role": "user", "content": self.question}]
        spoken = [{**turn, "content": without_citations(turn["content"])} for turn in turns]
        return {"question": without_citations(self.question), "history": spoken}


def begin_run(
    folder: Path | None,
    request: Request,
    open_store: Callable[[Path | None], RunStore] = RunStore,
    take_over: Callable[[RunStore], None] = lambda store: None,
) -> RunStore:
    """The store of a new run, whose folder gets its name when all that was asked stands in it.

    So there is no moment at which a run is there that could not be resumed.
    """
    draft = folder and folder.with_name(f".{folder.name}")
    try:
        with _beginning(folder):
            store = open_store(draft)
            take_over(store)
            write_request(store, request)
            if folder and draft:
                store.close()
                with written(folder):
                    draft.rename(folder)
        return open_store(folder) if folder else store
    except RunError as error:
        if draft:
            rmtree(draft, ignore_errors=True)
        raise RunError(error.message, "Nothing was asked yet: mend that and ask again.") from error


@contextmanager
def _beginning(folder: Path | None) -> Iterator[None]:
    """Hold the folder around a run's while the run has no name; others may begin theirs there meanwhile.

    Who begins there alone first removes what kills have left without a name. Windows locks no folders, nor do
    some servers of files; there it stays.
    """
    if not folder or os.name == "nt":
        yield
        return
    import fcntl

    with written(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        around = os.open(folder.parent, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(around, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for left in folder.parent.glob(_NAMELESS):
                rmtree(left, ignore_errors=True)
        with suppress(OSError):
            fcntl.flock(around, fcntl.LOCK_SH)
        yield
    finally:
        os.close(around)


_NAMELESS = "." + 12 * "[0-9a-f]"


def write_request(store: RunStore, request: Request) -> None:
    """Write what was asked; `run.json`, which says what stands in the settings, last."""
    store.write("settings.toml", settings_toml(request.settings))
    store.write(
        "run.json",
        {
            "run_id": request.run_id,
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            "settings": sorted(dotted_items(request.settings.model_dump(exclude_none=True))),
            "system": request.settings.system,
            "question": request.question,
            "history": request.history,
            "parts": request.parts,
            **({"goes_on": request.goes_on} if request.goes_on else {}),
        },
    )


def find_run(run: str | Report, out: str | Path | None = None) -> Path:
    """The folder of a run: of one in `out` (default: `settings.home_folder`) by its id, of any by its path.

    Raises `RunError` if there is none, and for one with links in it: what is read or written by their names
    could be any file of this machine.
    """
    run_id, runs = run if isinstance(run, str) else run.run_id, home_folder(out)
    if os.path.isfile(os.path.join(run_id, "run.json")):
        named = Path(os.path.realpath(run_id))
        run_id, runs = named.name, named.parent
    try:
        folder = safe_join(runs, run_id)
        known = (folder / "run.json").exists()
    except (UnsafeAddressError, OSError):
        known = False
    if not known or _asked(folder)["run_id"] != run_id:
        others = [name for name in os.listdir(runs) if name != run_id] if runs.is_dir() else []
        hint = nearest_hint(run_id, others, "`deep-research runs` lists them.")
        raise UnknownRun(f"There is no run '{run_id}' in '{runs}'.", hint)
    if link := next((path for path in sorted(folder.rglob("*")) if path.is_symlink()), None):
        hint = "Put the file itself in its place, if you know it."
        raise RunError(f"Run folder '{folder}' holds a link: {link.relative_to(folder)}.", hint)
    return folder


def read_request(folder: Path) -> Request:
    """What was asked in a run folder."""
    data = _asked(folder)
    with _intact(folder, "settings.toml", "Take the file from another run and edit it, or ask again."):
        settings = load_settings(file=folder / "settings.toml", complete=True)
        if settings.system != data["system"] or not settings.origin:
            raise ValueError("it is empty or that of another run")
        if lost := sorted({*data["settings"]} - settings.origin.keys()):
            raise ValueError(f"'{lost[0]}' was written and is not in it")
    parts = tuple(data["parts"])
    return Request(data["run_id"], data["question"], data["history"], settings, parts, data["goes_on"])


def started_on(folder: Path) -> str:
    """The day that a run's prompts were told: that of its start, or of the run that it goes on from."""
    data = _asked(folder)
    return str(data["goes_on"].get("day") or data["started"][:10])


class _Asked(BaseModel):
    """What stands in `run.json`."""

    run_id: str
    started: str
    system: str
    question: str
    history: list[dict[str, str]]
    parts: list[str] = []
    settings: list[str] = []
    goes_on: dict[str, str] = {}


def _asked(folder: Path) -> dict[str, Any]:
    """`run.json`, with the keys that `write_request` gave it."""
    with _intact(folder, "run.json", "Nothing of this run can be used; ask again."):
        return _Asked.model_validate(json.loads(read_text(folder / "run.json"))).model_dump()


_BROKEN = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, SettingsError)


@contextmanager
def _intact(folder: Path, name: str, hint: str) -> Iterator[None]:
    """Turn whatever a broken file leads to into a `RunError` that names it."""
    try:
        yield
    except _BROKEN as error:
        reason = f"it has no {error}" if isinstance(error, KeyError) else " ".join(str(error).split())[:200]
        message = f"Run folder '{folder}' is damaged: {name} cannot be read ({reason})."
        raise RunError(message, hint) from error


def settings_toml(settings: Settings) -> str:
    """All settings as TOML; what is None is left out."""
    import tomli_w

    return tomli_w.dumps(settings.model_dump(exclude_none=True))


def check_call_log(folder: Path) -> None:
    """Refuse to go on with a run of which nobody knows any more what it has asked and spent."""
    path = folder / CALLS_FILE
    if not (path.is_file() and path.stat().st_size):
        raise RunError(
            f"The run '{folder.name}' has no call log.",
            "What it has asked and spent stood there, so it cannot go on; ask again.",
        )


def logged_calls(folder: Path) -> list[CallRow]:
    """The calls of a kept run, in the order in which they finished."""
    check_call_log(folder)
    log = CallLog(folder / CALLS_FILE)
    try:
        return list(log)
    finally:
        log.close()


def hand_over(folder: Path, rows: Iterable[CallRow], store: RunStore) -> None:
    """Give a new run the calls that it takes over, and the pages that they have brought."""
    pages = PageStore(folder / "pages")
    for page in sorted((folder / "pages").glob("*.txt")):
        store.pages.put(pages.get(page.stem))
    store.earlier.add(rows)


def write_run_files(store: RunStore, report: Report) -> None:
    """Write everything that a finished or paused run leaves behind; `report.json`, which says so, last."""
    store.write("report.md", report.markdown)
    if report.settings.output.file_format == "html":
        store.write("report.html", report.to_page())
    for path, svg in report.pictures().items():
        store.write(path, svg.decode())
    store.write("sources.json", [source.model_dump(mode="json") for source in report.sources])
    store.write("claims.json", [claim.model_dump(mode="json") for claim in report.claims])
    for path, text in report.files.items():
        store.write(path.lstrip("/"), text)
    store.write("trace.jsonl", "".join(line.model_dump_json() + "\n" for line in report.trace))
    store.write("report.json", report.to_json())


def list_runs(out: str | Path | None = None) -> list[dict[str, Any]]:
    """All runs in the folder, oldest first: run_id, started, system, question, status, seconds and cost.

    `seconds` passed on the run's clock while it was at work: calls side by side count once, and what lay
    between its sittings does not.
    """
    runs = [_listed(path.parent) for path in sorted(home_folder(out).glob("[!.]*/run.json"))]
    return sorted(runs, key=lambda run: (run["started"], run["run_id"]))


def _listed(folder: Path) -> dict[str, Any]:
    """One line of the list; a folder that cannot be read is listed as damaged."""
    finished = folder / "report.json"
    try:
        data = _asked(folder)
        ended = {"status": "unfinished", "seconds": 0.0, "cost_usd": 0.0}
        if finished.exists():
            with _intact(folder, finished.name, ""):
                report = json.loads(read_text(finished))
                passed = max((line.end for line in _trace(folder)), default=0.0)
                ended = {key: (report["usage"] | report | {"seconds": passed})[key] for key in ended}
    except RunError:
        asked = {"run_id": folder.name, "started": "", "system": "", "question": ""}
        return {**asked, "status": "damaged", "seconds": 0.0, "cost_usd": 0.0}
    return {key: data[key] for key in ("run_id", "started", "system", "question")} | ended


def load_report(folder: Path) -> Report:
    """The report of a finished run, from its folder. Raises `RunError` if it cannot be read."""
    settings = read_request(folder).settings
    with _intact(folder, "report.json", "Delete this file and resume: the run's calls are kept."):
        data = json.loads(read_text(folder / "report.json"))
        path = node_visits(StepLog(folder / STEPS_FILE), ended=data["status"] not in UNENDED)
        return Report(markdown=data.pop("report"), settings=settings, trace=_trace(folder), path=path, **data)


def _trace(folder: Path) -> list[TraceLine]:
    """The trace of a run, as far as it can be read: a report is good without it."""
    lines: list[TraceLine] = []
    with suppress(OSError, ValueError):
        for line in read_text(folder / "trace.jsonl").splitlines():
            lines.append(TraceLine.model_validate_json(line))
    return lines
