"""The run folder: what is written there, and how it is read back.

`run.json` and `settings.toml` say what was asked; report, sources, claims and trace are written at the end.
The call log, the checkpoints and the pages are kept by `store` while the run goes on. Whatever is found
damaged here is a `RunError` that names the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .errors import RunError, SettingsError, UnsafeAddressError
from .graph_path import STEPS_FILE, StepLog, path_of
from .guard import cites_nothing, safe_join
from .report import UNENDED, Report
from .settings import Settings, flatten, home, load_settings
from .store import RunStore, read_text
from .toml import toml_key, toml_value
from .tracing import TraceLine


@dataclass
class Request:
    """What was asked, as the run folder keeps it."""

    run_id: str
    question: str
    history: list[dict[str, str]]
    settings: Settings

    def as_input(self) -> dict[str, Any]:
        """The graph's first input; what was typed, or answered before, never turns into a citation."""
        turns = [*self.history, {"role": "user", "content": self.question}]
        spoken = [{**turn, "content": cites_nothing(turn["content"])} for turn in turns]
        return {"question": cites_nothing(self.question), "history": spoken}


def write_request(store: RunStore, request: Request) -> None:
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


def find_run(run_id: str, out: str | Path | None = None) -> Path:
    """The folder of a run. Raises `RunError` if `out` (default: `settings.home`) has no run of this name."""
    runs = Path(out or home())
    try:
        folder = safe_join(runs, run_id)
        known = (folder / "run.json").exists()
    except (UnsafeAddressError, OSError):
        known = False
    if not known or _asked(folder)["run_id"] != run_id:
        raise RunError(f"There is no run '{run_id}' in '{runs}'.", "`deep-research runs` lists them.")
    return folder


def read_request(folder: Path) -> Request:
    """What was asked in a run folder."""
    data = _asked(folder)
    with _intact(folder, "settings.toml", "Take the file from another run and edit it, or ask again."):
        settings = load_settings(file=folder / "settings.toml", complete=True)
    return Request(data["run_id"], data["question"], data["history"], settings)


def _asked(folder: Path) -> dict[str, Any]:
    """`run.json`, with the keys that `write_request` gave it."""
    with _intact(folder, "run.json", "Nothing of this run can be used; ask again."):
        data = json.loads(read_text(folder / "run.json"))
        return {key: data[key] for key in ("run_id", "started", "system", "question", "history")}


@contextmanager
def _intact(folder: Path, name: str, hint: str) -> Iterator[None]:
    """Turn whatever a broken file leads to into a `RunError` that names it."""
    try:
        yield
    except (OSError, ValueError, LookupError, TypeError, AttributeError, SettingsError) as error:
        reason = f"it has no {error}" if isinstance(error, KeyError) else " ".join(str(error).split())[:200]
        message = f"Run folder '{folder}' is damaged: {name} cannot be read ({reason})."
        raise RunError(message, hint) from error


def settings_toml(settings: Settings) -> str:
    """All settings as TOML with dotted keys; what is None is left out."""
    lines = []
    for key, value, _ in flatten(settings):
        if isinstance(value, dict):
            lines += [f"{key}.{toml_key(name)} = {toml_value(item)}" for name, item in value.items()]
        elif value is not None:
            lines.append(f"{key} = {toml_value(value)}")
    return "\n".join(lines) + "\n"


def write_report(store: RunStore, report: Report) -> None:
    """Write everything that a finished or paused run leaves behind."""
    store.write("report.md", report.markdown)
    if report.settings.output.file_format == "html":
        store.write("report.html", report.to_page())
    store.write("report.json", report.to_json())
    for path, svg in report.pictures().items():
        store.write(path, svg.decode())
    store.write("sources.json", [source.model_dump(mode="json") for source in report.sources])
    store.write("claims.json", [claim.model_dump(mode="json") for claim in report.claims])
    for path, text in report.files.items():
        store.write(path.lstrip("/"), text)
    store.write("trace.jsonl", "".join(line.model_dump_json() + "\n" for line in report.trace))


def list_runs(out: str | Path | None = None) -> list[dict[str, Any]]:
    """All runs in the folder, oldest first: run_id, started, status, system and question."""
    runs = [_listed(path.parent) for path in sorted(Path(out or home()).glob("*/run.json"))]
    return sorted(runs, key=lambda run: (run["started"], run["run_id"]))


def _listed(folder: Path) -> dict[str, Any]:
    """One line of the list; a folder that cannot be read is listed as damaged."""
    finished = folder / "report.json"
    try:
        data = _asked(folder)
        status = "unfinished"
        if finished.exists():
            with _intact(folder, finished.name, ""):
                status = json.loads(read_text(finished))["status"]
    except RunError:
        return {"run_id": folder.name, "started": "", "system": "", "question": "", "status": "damaged"}
    return {key: data[key] for key in ("run_id", "started", "system", "question")} | {"status": status}


def load_report(folder: Path) -> Report:
    """The report of a finished run, from its folder. Raises `RunError` if it cannot be read."""
    settings = read_request(folder).settings
    with _intact(folder, "report.json", "Delete this file and resume: the run's calls are kept."):
        data = json.loads(read_text(folder / "report.json"))
        path = path_of(StepLog(folder / STEPS_FILE), ended=data["status"] not in UNENDED)
        return Report(markdown=data.pop("report"), settings=settings, trace=_trace(folder), path=path, **data)


def _trace(folder: Path) -> list[TraceLine]:
    """The trace of a run, as far as it can be read: a report is good without it."""
    lines: list[TraceLine] = []
    try:
        for line in read_text(folder / "trace.jsonl").splitlines():
            lines.append(TraceLine.model_validate_json(line))
    except (OSError, ValueError):
        return lines
    return lines
