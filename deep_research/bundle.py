"""The run folder: what is written there, and how it is read back.

`run.json` and `settings.toml` say what was asked; report, sources, claims and trace are written at the end.
The call log, the checkpoints and the pages are kept by `store` while the run goes on.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .report import Report
from .settings import Settings, flatten, home, load_settings
from .store import RunStore
from .tracing import TraceLine


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


def read_request(store: RunStore) -> Request:
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
                f"{key}.{json.dumps(name, ensure_ascii=False)} = {json.dumps(item, ensure_ascii=False)}"
                for name, item in value.items()
            ]
        elif value is not None:
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


def write_report(store: RunStore, report: Report) -> None:
    """Write everything that a finished or paused run leaves behind."""
    store.write("report.md", report.markdown)
    store.write("report.json", report.to_json())
    store.write("sources.json", [source.model_dump(mode="json") for source in report.sources])
    store.write("claims.json", [claim.model_dump(mode="json") for claim in report.claims])
    store.write("trace.jsonl", "".join(line.model_dump_json() + "\n" for line in report.trace))


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
    request = read_request(store)
    store.close()
    lines = (folder / "trace.jsonl").read_text(encoding="utf-8").splitlines()
    trace = [TraceLine.model_validate_json(line) for line in lines]
    markdown = data.pop("report")
    return Report(**data, markdown=markdown, settings=request.settings, trace=trace)
