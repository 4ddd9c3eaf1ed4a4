"""A run as one file that anybody can replay without a key: what was asked, every call, and what came of it.

The run's call log is the recording. A replay builds the run again from it, with today's prompts and code, and
sends nothing: a call that the file does not hold means that the recording no longer fits, and is named. The
report that is kept in the file opens all the same.

The file is JSON below one line with a hash of all the rest, so that a changed byte is found. What occurs more
than once in it (a prompt, a message, a page) stands once, under its own hash.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NoReturn

from deep_research.core.clock import Clock, FrozenClock, ReplayClock
from deep_research.core.errors import RunError, UnknownRun, UsageError
from deep_research.core.secrets import without_keys_in
from deep_research.engine.clients import Models
from deep_research.engine.providers import PageStatus, SearchHit
from deep_research.engine.store import CallRow, RunStore, digest, read_text, write_text
from deep_research.report import Report, trace_of
from deep_research.settings import Settings, load_settings
from deep_research.settings.layers import dotted_items
from deep_research.settings.parts import SearchSettings
from deep_research.sources.search import CombinedSearch, logged_hits

from .bundle import Request
from .environment import Environment, is_invented
from .offline import invented_web

_FORMAT = 1
_PART = "$part"
_SMALL = 120
"""Characters up to which a text or a message is written wherever it occurs."""
Answers = list[str | None]
"""What a person said to the run's questions, in order."""


@dataclass
class Recording:
    """What the file holds, read back."""

    asked: dict[str, Any]
    settings: dict[str, Any]
    began: str
    simulated: bool
    calls: list[CallRow]
    kept: dict[str, Any]
    answers: Answers | None = None
    pages: list[str] = field(default_factory=list)

    def request(self, changes: Mapping[str, Any] | None = None) -> Request:
        """What was asked, with settings changed by dotted keys."""
        settings = load_settings(changes, template=dotted_items(self.settings), complete=True)
        return Request(self.asked["run_id"], self.asked["question"], self.asked["history"], settings)

    def report(self) -> Report:
        """The report as it was when the run was recorded."""
        data, settings = dict(self.kept), self.request().settings
        trace = trace_of(self.calls, self.simulated, settings.concurrency, settings.workers)
        return Report(markdown=data.pop("report"), settings=settings, trace=trace, **data)

    def store(self, folder: Path | None) -> RunStore:
        """Where a replay is kept: its calls come from the recording."""
        store = RunStore(folder, self.calls)
        for page in self.pages:
            store.pages.put(page)
        return store

    def environment(self, settings: Settings) -> Environment:
        """An outside world in which nothing can be asked."""
        began = datetime.fromisoformat(self.began)
        clock: Clock = FrozenClock(self.began[:10]) if self.simulated else ReplayClock(began)
        parts = [_Silent(name) for name in settings.search.providers]
        search = parts[0] if len(parts) == 1 else CombinedSearch([*parts])
        return Environment(_NoModels(settings, env={}), search, clock, pages=_Silent("pages"))

    def misfit(self, store: RunStore) -> str:
        """Why the recording does not fit the replay that this store holds; empty where it fits."""
        known = {row.id: number for number, row in enumerate(self.calls, start=1)}
        left = sorted(store.calls.recorded.values(), key=lambda row: known[row.id])
        new = next((row for row in store.calls if row.request_hash not in self._hashes()), None)
        if new is None:
            return f"{len(left)} of its {len(self.calls)} calls were not made again" if left else ""
        beside = [row for row in left if (row.role, row.branch) == (new.role, new.branch)]
        if not beside:
            return f"a call by the {new.role} is not in it"
        what = _difference(beside[0].request, new.request)
        return f"its call {known[beside[0].id]} of {len(self.calls)} (by the {new.role}) has {what}"

    def _hashes(self) -> set[str]:
        return {row.request_hash for row in self.calls}


def _difference(old: Any, new: Any) -> str:
    """What differs between two requests of a role."""
    if "messages" not in old or "messages" not in new:
        return "another query"
    pairs = zip(old["messages"], new["messages"], strict=False)
    changed = next((one for one, other in pairs if one != other), None)
    if changed is None:
        return "other settings" if len(old["messages"]) == len(new["messages"]) else "more or fewer messages"
    return "another prompt now" if changed["role"] == "system" else f"another {changed['role']} message now"


def check_recording(target: str | Path, settings: Settings, before: Path | None = None) -> None:
    """Refuse, before anything is spent, a recording of what should not be passed on, one that rests on the
    pages of a run `before`, and a place where nothing can be written.
    """
    if before:
        raise UsageError("A follow-up is not recorded.", "Record the run that it follows.")
    if settings.search.docs or settings.knowledge.paths:
        raise UsageError("A run on your own documents is not recorded.", "A recording holds what was read.")
    folder = Path(target).parent if Path(target).suffix == ".json" else Path(target)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except OSError as error:
        raise UsageError(f"No recording can be written to '{target}': {error.strerror}.") from None


def write_recording(
    target: str | Path,
    store: RunStore,
    request: Request,
    report: Report,
    answers: Answers | None,
    began: str | None = None,
) -> Path:
    """Write a finished run as a recording; a folder gets a file that has the run's id as its name."""
    path = Path(target)
    path = path if path.suffix == ".json" else path / f"{request.run_id}.json"
    settings, rows = request.settings, list(store.calls)
    web = invented_web(settings.web) if is_invented(settings.search.providers, settings) else None
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    searches = (row for row in rows if row.kind == "search" and row.status != "failed")
    texts = dict.fromkeys(hit["text"] for row in searches for hit in logged_hits(row.response) if hit["text"])
    body = {
        "run_id": request.run_id,
        "question": request.question,
        "history": request.history,
        "settings": settings.model_dump(exclude_none=True, exclude={"base_url"}),
        "began": began or (f"{web.date}{now[10:]}" if web else now),
        "simulated": web is not None and not settings.is_live(),
        "answers": answers,
        "pages": [store.pages.get(key) for key in texts],
        "calls": [asdict(row) for row in rows],
        "report": {**report.to_json(), "path": [visit.model_dump() for visit in report.path]},
    }
    parts: dict[str, Any] = {}
    folded = {**_folded(body, parts), "parts": parts}
    text = json.dumps(without_keys_in(folded), ensure_ascii=True, indent=0)
    write_text(path, f"{_header(text)}\n{text}\n")
    return path


def _header(text: str) -> str:
    return json.dumps({"recording": _FORMAT, "sha256": hashlib.sha256(text.encode()).hexdigest()})


def _folded(value: Any, parts: dict[str, Any]) -> Any:
    """A value in which everything long, or a message or an entry of a list, is a reference into `parts`."""
    if isinstance(value, dict):
        return {key: _folded(item, parts) for key, item in value.items()}
    if isinstance(value, list):
        return [_part(_folded(item, parts), parts) for item in value]
    return _part(value, parts) if isinstance(value, str) else value


def _part(value: Any, parts: dict[str, Any]) -> Any:
    if len(value if isinstance(value, str) else json.dumps(value)) <= _SMALL:
        return value
    key = digest(value)
    parts[key] = value
    return {_PART: key}


def _unfolded(value: Any, parts: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        if set(value) == {_PART}:
            return _unfolded(parts[value[_PART]], parts)
        return {key: _unfolded(item, parts) for key, item in value.items()}
    return [_unfolded(item, parts) for item in value] if isinstance(value, list) else value


def read_recording(path: str | Path) -> Recording:
    """Read a recording; raises `UnknownRun` for a file that is none, `RunError` if it was changed."""
    try:
        header, _, text = read_text(Path(path)).partition("\n")
    except OSError as error:
        raise UnknownRun(f"'{path}' cannot be read: {error.strerror}.", "Check the path.") from error
    except UnicodeDecodeError:
        header = text = ""
    if not header.startswith('{"recording": '):
        raise UnknownRun(f"'{path}' is no recording.", "`deep-research ask … --record FILE` makes one.")
    if f"{header}\n{text}" != f"{_header(text[:-1])}\n{text[:-1]}\n":
        raise RunError(f"The recording '{path}' was changed after it was written.", "Get it once more.")
    data = json.loads(text)
    parts = data.pop("parts")
    body = _unfolded(data, parts)
    return Recording(
        asked={key: body[key] for key in ("run_id", "question", "history")},
        settings=body["settings"],
        began=body["began"],
        simulated=body["simulated"],
        calls=[CallRow(**row) for row in body["calls"]],
        kept=body["report"],
        answers=body["answers"],
        pages=body["pages"],
    )


def _refuse() -> NoReturn:
    raise RunError("The recording holds no such call, and a replay sends none.")


class _NoModels(Models):
    """Models of a replay, of which none can be called."""

    def client(self, spec: str) -> Any:
        _refuse()


class _Silent:
    """A search, or pages, of a replay: what is recorded never comes as far as this."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.resolve: Callable[[str], Iterable[str]] | None = None

    async def search(self, query: str, settings: SearchSettings) -> list[SearchHit]:
        _refuse()

    async def read(self, key: str) -> str | None:
        _refuse()

    async def open(self, method: str, url: str) -> PageStatus:
        _refuse()

    async def close(self) -> None:
        """Nothing is open."""
