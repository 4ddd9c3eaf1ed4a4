"""What a run keeps when it is killed, runs out, or meets faults: always a report that says so."""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import os
import signal
import sqlite3
import sys
import threading
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from deep_research.core.errors import RunError, UsageError
from deep_research.core.extras import is_installed
from deep_research.engine.chat import ModelRequest, complete
from deep_research.engine.store import LOCK_FILE, RunLock, write_text, written
from deep_research.evaluation.fingerprint import fingerprint
from deep_research.runs import aresearch, aresume
from deep_research.runs.bundle import Request, begin_run, list_runs, logged_calls, read_request
from deep_research.runs.checkpoints import open_checkpoints
from deep_research.runs.forks import afork
from deep_research.settings import load_settings
from deep_research.systems import SYSTEMS
from deep_research_offline.wire import Response
from deep_research_offline.wire.faults import Fault, fault_plan, read_chaos
from tests.running import Wire, context_of, run, small_web, wire
from tests.scripted import Script

QUESTION = "How long is the airship Solvang Gull?"
SHORT = {"preset": "quick", "limits.max_searches": 1}
FILES = ("report.md", "report.html", "sources.json", "claims.json", "trace.jsonl", "report.json")
PLACES = range(1, len(FILES) + 5)


def run_and_die(place: int, out: Path) -> None:
    """Run, and kill the process before the n-th file but pages gets its name."""
    seen = itertools.count(1)

    def watch(event: str, about: tuple[Any, ...]) -> None:
        if event == "os.rename" and "/pages/" not in str(about[1]) and next(seen) == place:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    asyncio.run(aresearch(QUESTION, settings=SHORT, out=out))


def run_and_die_at_each_place(folder: Path) -> None:
    """In a process of its own, each run in a copy of it that has imported everything and knows the web."""
    asyncio.run(aresearch(QUESTION, settings=SHORT, keep=False))
    for place in PLACES:
        if not (child := os.fork()):
            run_and_die(place, folder / str(place))
            os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        (folder / str(place) / "code").write_text(str(code), encoding="utf-8")


@pytest.mark.timeout(300)
async def test_a_run_killed_before_any_of_its_files_is_whole_after_it_is_resumed(tmp_path: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(target=run_and_die_at_each_place, args=(tmp_path,))
    process.start()
    process.join()
    codes, reports = list[int](), list[Any]()
    for place in PLACES:
        out = tmp_path / str(place)
        codes.append(int((out / "code").read_text(encoding="utf-8")))
        if not list_runs(out):  # there is no question yet that could be lost
            assert place <= 3
            assert not [path for path in out.glob("*/") if not path.name.startswith(".")]
            continue
        (run,) = list_runs(out)
        report = await aresume(run["run_id"], out=out)
        assert {path.name for path in (out / report.run_id).iterdir()} >= {
            *FILES,
            "run.json",
            "settings.toml",
        }
        assert (out / report.run_id / "report.md").read_text(encoding="utf-8") == report.markdown
        reports.append(fingerprint(report))
    assert codes == [-signal.SIGKILL] * (len(FILES) + 3) + [0]
    assert reports == [reports[-1]] * (len(FILES) + 1)


class Beginning(threading.Thread):
    """Another run, which stops while its folder has no name until it is told to go on."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self.folder, self.is_in, self.go_on = folder, threading.Event(), threading.Event()

    def run(self) -> None:
        request = Request(self.folder.name, QUESTION, [], load_settings())
        begin_run(self.folder, request, take_over=lambda _: (self.is_in.set(), self.go_on.wait())).close()


def test_what_a_kill_left_without_a_name_is_cleared_by_who_begins_next_and_nothing_that_is_at_work(
    tmp_path: Path,
) -> None:
    for name in ("run", ".git", f".{uuid.uuid4().hex[:12]}"):
        (tmp_path / name).mkdir()
    other, mine, last = (tmp_path / uuid.uuid4().hex[:12] for _ in range(3))
    at_work = Beginning(other)
    at_work.start()
    at_work.is_in.wait()
    left = tmp_path / f".{uuid.uuid4().hex[:12]}"
    left.mkdir()
    begun = ["run", ".git", f".{other.name}"]
    begin_run(mine, Request(mine.name, QUESTION, [], load_settings())).close()
    assert {path.name for path in tmp_path.iterdir()} == {*begun, left.name, mine.name}
    at_work.go_on.set()
    at_work.join()
    begin_run(last, Request(last.name, QUESTION, [], load_settings())).close()
    assert {path.name for path in tmp_path.iterdir()} == {"run", ".git", other.name, mine.name, last.name}


def settings_kept(out: Path) -> Path:
    """The file of settings of a run that has begun."""
    begin_run(out / "run", Request("run", QUESTION, [], load_settings())).close()
    return out / "run" / "settings.toml"


def test_emptied_settings_are_refused_and_not_replaced_by_defaults(tmp_path: Path) -> None:
    path = settings_kept(tmp_path)
    path.write_text("", encoding="utf-8")
    with pytest.raises(RunError, match=r"settings\.toml cannot be read \(it is empty"):
        read_request(path.parent)


@pytest.mark.parametrize("kept", [1, 40, -10])
def test_settings_that_lack_what_was_written_are_refused(kept: int, tmp_path: Path) -> None:
    path = settings_kept(tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:kept]), encoding="utf-8")
    with pytest.raises(RunError, match=r"settings\.toml cannot be read \('.*' was written and is not in it"):
        read_request(path.parent)


async def unfinished(out: Path) -> tuple[Path, str]:
    """The folder of a run whose last step is to be done again, and what it is to say."""
    report = await aresearch(QUESTION, settings=SHORT, out=out)
    folder = out / report.run_id
    (folder / "report.json").unlink()
    (folder / "checkpoints.sqlite").unlink()
    return folder, report.markdown


@pytest.mark.parametrize("left", ["", "cut", "200 bytes"])
async def test_pages_that_were_damaged_are_searched_for_again(left: str, tmp_path: Path) -> None:
    folder, markdown = await unfinished(tmp_path)
    calls = sum(row.kind == "model" for row in logged_calls(folder))
    for page in (folder / "pages").glob("*.txt"):
        page.write_bytes({"": b"", "cut": page.read_bytes()[:-3]}.get(left, bytes(range(56, 256))))
    report = await aresume(folder.name, out=tmp_path)
    assert report.markdown == markdown
    assert sum(row.kind == "model" for row in logged_calls(folder)) == calls
    assert (await afork(folder.name, out=tmp_path)).markdown == markdown


@pytest.mark.parametrize("left", [None, b""])
async def test_a_run_that_has_lost_its_call_log_does_not_go_on(left: bytes | None, tmp_path: Path) -> None:
    folder, _ = await unfinished(tmp_path)
    (folder / "calls.sqlite").unlink()
    if left is not None:
        (folder / "calls.sqlite").write_bytes(left)
    with pytest.raises(RunError, match="has no call log"):
        await aresume(folder.name, out=tmp_path)


async def test_a_run_that_cannot_begin_leaves_nothing_and_is_not_to_be_resumed(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(RunError, match="cannot be written") as refused:
        await aresearch(QUESTION, out=tmp_path / "out")
    assert "ask again" in str(refused.value.hint)


def to_a_full_disk(folder: Path) -> None:
    (folder / "report.md.tmp").symlink_to("/dev/full")
    write_text(folder / "report.md", "text")


def to_a_full_database(folder: Path) -> None:
    database = sqlite3.connect(folder / "calls.sqlite")
    database.execute("PRAGMA max_page_count = 1")
    with written(folder / "calls.sqlite"):
        database.execute("CREATE TABLE calls (id)")


def to_a_file_that_may_not_grow(folder: Path) -> None:
    resource = pytest.importorskip("resource")
    database = sqlite3.connect(folder / "calls.sqlite")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        with written(folder / "calls.sqlite"):
            database.execute("CREATE TABLE calls (id)")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        database.close()


def to_full_checkpoints(folder: Path) -> None:
    async def fill() -> None:
        async with open_checkpoints(folder / "checkpoints.sqlite") as saver:
            await saver.conn.execute("PRAGMA max_page_count = 1")  # type: ignore[attr-defined]
            await saver.conn.commit()  # type: ignore[attr-defined]
            await saver.aget({"configurable": {"thread_id": "1"}})  # its first use makes the tables

    asyncio.run(fill())


def to_a_file_for_a_folder(folder: Path) -> None:
    (folder / "pages").write_text("", encoding="utf-8")
    write_text(folder / "pages" / "1.txt", "text")


def with_a_damaged_lock(folder: Path) -> None:
    (folder / LOCK_FILE).write_bytes(b"no database " * 300)
    RunLock(folder)


def with_a_folder_for_a_lock(folder: Path) -> None:
    (folder / LOCK_FILE).mkdir()
    RunLock(folder)


@pytest.mark.parametrize(
    ("write", "said"),
    [
        (to_a_full_disk, "report.md' cannot be written: the disk is full"),
        (to_a_full_database, "calls.sqlite' cannot be written: the disk is full"),
        (to_a_file_that_may_not_grow, "calls.sqlite' cannot be written: disk I/O error"),
        (to_full_checkpoints, "checkpoints.sqlite' cannot be written: the disk is full"),
        (to_a_file_for_a_folder, "1.txt' cannot be written"),
        (with_a_damaged_lock, "lock' is damaged: file is not a database"),
        (with_a_folder_for_a_lock, "lock' cannot be written: unable to open database file"),
    ],
)
def test_what_cannot_be_written_says_why(write: Callable[[Path], None], said: str, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=said) as raised:
        write(tmp_path)
    assert raised.value.hint


async def test_checkpoints_in_postgres_are_refused_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is missing is named: the package, the address, or whoever should answer there."""
    chosen = {"checkpoints": "postgres", "budget.seconds": 60}
    installed = is_installed("langgraph.checkpoint.postgres")
    with pytest.raises(
        UsageError, match="DEEP_RESEARCH_POSTGRES" if installed else r"deep-research\[postgres\]"
    ):
        await aresearch(QUESTION, settings=chosen, out=tmp_path)
    assert not list_runs(tmp_path)
    if installed:
        monkeypatch.setenv("DEEP_RESEARCH_POSTGRES", "postgresql://me:hunter-2-canary@127.0.0.1:9/runs")
        with pytest.raises(RunError, match="database cannot be used") as refused:
            await aresearch(QUESTION, settings=chosen, out=tmp_path)
        assert "canary" not in str(refused.value)
        assert not logged_calls(tmp_path / list_runs(tmp_path)[0]["run_id"])


# Always a report -------------------------------------------------------------------------------------

UNREADABLE = (
    "empty", "html", "malformed", "unfinished", "truncated", "error_inside", "encoding",
    "no_choices", "no_urls",
)  # fmt: skip
LIBRARY_WORDS = (
    "JSON",
    "nginx",
    "<html",
    "object has no",
    "NoneType",
    "KeyError",
    "codec",
    "pydantic",
    "Expecting",
)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("calls", [1, 2, 3, 8, 12])
async def test_s7_however_few_model_calls_there_are_a_report_names_what_is_missing(
    system: str, calls: int
) -> None:
    report = await run(system=system, budget__model_calls=calls)
    assert not report.errors and 0 < report.usage.model_calls <= calls
    assert report.status == "complete" or report.gaps[0].message in report.markdown


@pytest.mark.parametrize("system", SYSTEMS)
async def test_s8_faults_that_pass_cost_nothing_and_those_that_stay_are_named_in_plain_words(
    system: str,
) -> None:
    for seed in range(3):
        provider = wire(Script(), faults=fault_plan(seed, 0.3))
        report = await run(provider=provider, system=system, retries=2)
        assert report.markdown and not report.asked
        assert report.status == "complete" or report.gaps
        assert not [word for word in LIBRARY_WORDS if word in report.markdown + str(report.errors)]


@pytest.mark.parametrize("kind", UNREADABLE)
async def test_s8_an_answer_that_nobody_can_read_is_asked_for_again_and_then_a_gap(kind: Any) -> None:
    path = "/search" if kind == "no_urls" else "/v1/chat/completions"
    once = await run(provider=wire(Script(), faults=[Fault(kind, path=path)]))
    assert once.status == "complete" and not once.gaps
    always = await run(provider=wire(Script(), faults=lambda call: Fault(kind, path="/search")))
    assert always.status in ("failed", "no_evidence") and always.gaps and always.markdown


async def test_o1_a_clarifier_that_fails_asks_nothing_and_ends_nothing() -> None:
    for faults in [[Fault("status", 400)], [Fault("html")] * 3]:
        report = await run(provider=wire(Script(), faults=faults), retries=2)
        assert report.status == "complete" and not report.asked


def test_a_fault_follows_from_seed_request_and_attempt() -> None:
    drawn = [
        [(fault := faults.next("/search", b"%d" % n)) and fault.kind for n in range(400)]
        for faults in (read_chaos("7:0.3"), read_chaos("7:0.3"), read_chaos("8:0.3"))
    ]
    assert drawn[0] == drawn[1] != drawn[2] and 80 < sum(kind is not None for kind in drawn[0]) < 160
    assert len(set(drawn[0])) > 12


class Keys(Wire):
    """Notes the idempotency key of each request."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.keys: list[str] = []

    def handle(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
        self.keys.append({name.lower(): value for name, value in headers.items()}["idempotency-key"])
        return super().handle(method, path, headers, body)


@pytest.mark.parametrize(("shared", "keys"), [(True, 1), (False, 2)])
async def test_a_call_that_branches_share_keeps_its_key_when_after_a_kill_another_branch_sends_it(
    shared: bool, keys: int
) -> None:
    provider = Keys(web=small_web(), model=Script(summarizer="Fine."))
    for branch in "12":  # each in a sitting of its own
        ctx = context_of(provider=provider).on(branch, "topic")
        await complete(
            ModelRequest("summarizer", [{"role": "user", "content": "Sum up."}], shared=shared), ctx
        )
    assert len(provider.keys) == 2 and len(set(provider.keys)) == keys
