"""What a run leaves behind: the call log, the page store, and the files of the run folder.

The call log is the only truth about spending and is written before a response is used, so a run killed at
any moment can go on without sending a logged call again. Keys and headers are never part of a request here.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deep_research.core.errors import RunError
from deep_research.core.safety import safe_join

from .path import STEPS_FILE, StepLog

CALLS_FILE = "calls.sqlite"
EARLIER_FILE = "earlier.sqlite"
LOCK_FILE = "lock"
CHECKPOINTS_FILE = "checkpoints.sqlite"
_COLUMNS = (
    "id, after, kind, role, branch, topic, occurrence, request_hash, request, response, model, input_tokens, "
    "output_tokens, cost, start, end, status"
)


_SENT = ("ok", "kept")
NOT_PAID = ("reused", "kept")
"""What a call is whose answer comes from another branch, or from an earlier run."""


@dataclass(frozen=True, slots=True)
class CallRow:
    """One finished call. `request` and `response` are JSON-ready; times are seconds since the run began.

    `status` is `ok`, `failed`, `reused` (the answer to another branch's call) or `kept` (an earlier run's).
    """

    id: str
    after: list[str]
    kind: str
    role: str
    branch: str
    topic: str
    occurrence: int
    request_hash: str
    request: Any
    response: Any
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    start: float = 0.0
    end: float = 0.0
    status: str = "ok"


def digest(value: Any) -> str:
    """A short, stable hash of anything JSON-ready."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


class CallLog:
    """Append-only log of finished calls, in a SQLite file or in memory.

    With `recorded` calls it replays: one of them that is looked for becomes the log's own, failed ones too.
    """

    def __init__(self, path: Path | None = None, recorded: Iterable[CallRow] = ()) -> None:
        self._rows: list[CallRow] = []
        self.recorded = {self._key(row): row for row in recorded}
        """What is still to be replayed."""
        self.on_replay: Callable[[CallRow], None] = lambda row: None
        self._path = path or Path(CALLS_FILE)
        try:
            with written(self._path):
                self._open(path)
        except (sqlite3.DatabaseError, ValueError, TypeError) as error:
            raise RunError(
                f"The call log '{path}' is damaged: {error}.", "Without it a run cannot go on; ask again."
            ) from error
        self._known = {self._key(row): row for row in self._rows}
        self._shared = {(row.kind, row.request_hash): row for row in self._rows if row.status in _SENT}

    def _open(self, path: Path | None) -> None:
        self._db = sqlite3.connect(path or ":memory:", check_same_thread=False)
        if path:
            self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute(f"CREATE TABLE IF NOT EXISTS calls ({_COLUMNS}, UNIQUE (id))")
        self._rows += map(self._row, self._db.execute(f"SELECT {_COLUMNS} FROM calls"))

    def find(self, kind: str, branch: str, request_hash: str, occurrence: int) -> CallRow | None:
        """The row of this very call, if it was finished before; a failed call may be made again."""
        key = (branch, request_hash, occurrence, kind)
        if (replayed := self.recorded.pop(key, None)) is not None:
            self.add(replayed)
            self.on_replay(replayed)
            return replayed
        row = self._known.get(key)
        return row if row is not None and row.status != "failed" else None

    def find_shared(self, kind: str, request_hash: str) -> CallRow | None:
        """A finished call with the same request, in whichever branch."""
        return self._shared.get((kind, request_hash))

    def add(self, row: CallRow) -> None:
        """Write a finished call; it is on disk when this returns."""
        values = [
            json.dumps(value, ensure_ascii=True) if name in ("after", "request", "response") else value
            for name, value in ((name, getattr(row, name)) for name in _COLUMNS.split(", "))
        ]
        with written(self._path), self._db:
            self._db.execute(f"INSERT OR REPLACE INTO calls VALUES ({', '.join('?' * len(values))})", values)
        self._rows.append(row)
        self._known[self._key(row)] = row
        if row.status in _SENT:
            self._shared.setdefault((row.kind, row.request_hash), row)

    def __iter__(self) -> Iterator[CallRow]:
        """All rows, in the order in which they finished."""
        return iter(self._rows)

    def close(self) -> None:
        """Close the file; the log cannot be used after that."""
        self._db.close()

    @staticmethod
    def _key(row: CallRow) -> tuple[str, str, int, str]:
        return (row.branch, row.request_hash, row.occurrence, row.kind)

    @staticmethod
    def _row(record: tuple[Any, ...]) -> CallRow:
        values = dict(zip(_COLUMNS.split(", "), record, strict=True))
        for name in ("after", "request", "response"):
            values[name] = json.loads(values[name])
        return CallRow(**values)


class EarlierCalls:
    """Calls of an earlier run that this one takes over instead of paying for them again.

    A call is taken over when the same branch asks the same. Which model was asked, and how long its answer
    could be, makes no difference: whoever chose the calls has left out those that must be made anew.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.rows: list[CallRow] = []
        self._path = path
        self._asked: Counter[tuple[str, str, str]] = Counter()
        self._known: dict[tuple[str, str, str], list[CallRow]] = defaultdict(list)
        self._shared: dict[tuple[str, str], CallRow] = {}
        if path is not None and path.exists():
            self.add(())

    def add(self, rows: Iterable[CallRow]) -> None:
        """Keep calls, in their order; in a folder, for good."""
        log = CallLog(self._path)
        for row in rows:
            log.add(row)
        for row in log:
            asked = _asked_for(row.request)
            self._known[row.kind, row.branch, asked].append(row)
            self._shared.setdefault((row.kind, asked), row)
        self.rows += log
        log.close()

    def find(self, kind: str, branch: str, request: Any, shared: bool) -> CallRow | None:
        """The call that this one repeats, as often as it was made; of any branch if they share its result."""
        key = (kind, branch, _asked_for(request)) if self.rows else (kind, branch, "")
        known, place = self._known.get(key, []), self._asked[key]
        self._asked[key] += 1
        if place < len(known):
            return known[place]
        return self._shared.get((kind, key[2])) if shared else None


def _asked_for(request: Any) -> str:
    """A hash of what was asked, whoever was asked."""
    if isinstance(request, dict) and "messages" in request:
        request = {name: value for name, value in request.items() if name not in ("model", "max_tokens")}
    return digest(request)


class PageStore:
    """Texts of pages, each kept once under the hash of its content; in memory, and in a folder if given."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._texts: dict[str, str] = {}

    def put(self, text: str) -> str:
        """Keep a text and return its key."""
        key = digest(text)
        if key not in self._texts:
            self._texts[key] = text
            if self._folder:
                self._folder.mkdir(parents=True, exist_ok=True)
                if self._read(key) is None:
                    write_text(self._folder / f"{key}.txt", text)
        return key

    def get(self, key: str) -> str:
        """The text kept under a key; a file of another text, or of another place, is not it."""
        if not self.holds(key):
            raise RunError(
                f"Page {key} is damaged or missing in this run's folder.",
                "The page has changed since, or was no search's: ask again.",
            )
        return self._texts[key]

    def holds(self, key: str) -> bool:
        """Whether the text kept under a key is there, and whole."""
        if key not in self._texts and (text := self._read(key)) is not None:
            self._texts[key] = text
        return key in self._texts

    def _read(self, key: str) -> str | None:
        """The text in the file of a key; None if it is missing, or no longer that text."""
        try:
            text = read_text(self._folder / f"{key}.txt") if self._folder else None
        except (OSError, ValueError):
            return None
        return text if text is not None and digest(text) == key else None


def write_text(path: Path, text: str) -> None:
    """Write a file so that it is whole on the disk or as it was before; raises `RunError` if it cannot be."""
    draft = path.with_name(path.name + ".tmp")
    with written(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("w", encoding="utf-8", errors="surrogatepass", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        _sync_names(path.parent)


def _sync_names(folder: Path) -> None:
    """Make what was renamed in a folder last; Windows opens no folders, and does it by itself."""
    if os.name != "nt":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


@contextmanager
def written(path: Path) -> Iterator[None]:
    """Turn what keeps a file from being written, such as a full disk, into a `RunError` that says so."""
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without what its further bits say of the place
        if isinstance(error, sqlite3.Error) and code not in _UNWRITTEN:
            raise
        full = code == sqlite3.SQLITE_FULL or getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
        why = "the disk is full" if full else getattr(error, "strerror", None) or str(error)
        raise RunError(
            f"'{path}' cannot be written: {why}.", "Mend that and resume: calls that were made are kept."
        ) from error


_UNWRITTEN = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
"""What SQLite says of a file that it cannot write, damaged or not."""


def read_text(path: Path) -> str:
    """What `write_text` wrote: lone surrogates and line ends of any kind come back as they were."""
    with path.open(encoding="utf-8", errors="surrogatepass", newline="") as file:
        return file.read()


def _locked(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=0, check_same_thread=False)
    try:
        database.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error:
        database.close()
        raise
    return database


class RunLock:
    """Held by whoever works on a run, one at a time; the operating system frees it if that process dies."""

    def __init__(self, folder: Path) -> None:
        path = folder / LOCK_FILE
        try:
            with written(path):
                self._db = _locked(path)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise RunError(
                    f"The run '{folder.name}' is being worked on by another process.",
                    "Wait until that ends, or stop it; then resume.",
                ) from error
            hint = "It holds nothing: delete it and resume."
            raise RunError(f"The lock '{path}' is damaged: {error}.", hint) from error

    def close(self) -> None:
        """Let others work on the run."""
        self._db.close()


class RunStore:
    """Everything kept of a run: calls, graph steps, pages; in a folder or only in memory (`folder=None`).

    Raises `RunError` for a folder that another process works on.
    """

    def __init__(self, folder: Path | None = None, recorded: Iterable[CallRow] = ()) -> None:
        self.folder = folder
        if folder:
            with written(folder):
                folder.mkdir(parents=True, exist_ok=True)
        self._lock = RunLock(folder) if folder else None
        self.calls = CallLog(folder / CALLS_FILE if folder else None, recorded)
        self.earlier = EarlierCalls(folder / EARLIER_FILE if folder else None)
        self.steps = StepLog(folder / STEPS_FILE if folder else None)
        self.pages = PageStore(folder / "pages" if folder else None)

    def write(self, name: str, content: str | Any) -> None:
        """Write a file of the bundle: text as it is, anything else as JSON. Nothing happens in memory."""
        if self.folder:
            as_json = "" if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=1)
            write_text(safe_join(self.folder, name), f"{as_json}\n" if as_json else content)

    @property
    def checkpoints(self) -> Path | None:
        """Where LangGraph's checkpoints of this run are."""
        return self.folder / CHECKPOINTS_FILE if self.folder else None

    def close(self) -> None:
        """Close what is open; files stay."""
        self.calls.close()
        if self._lock:
            self._lock.close()
