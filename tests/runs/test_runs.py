"""Starting, stopping and opening runs: refused with a reason, stopped at once, damage named."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import signal
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from deep_research.core.errors import RunError, SettingsError, UsageError
from deep_research.report import Report
from deep_research.runs import aresume, research
from deep_research.runs.bundle import list_runs
from tests.running import run


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Report]:
    """A finished run that anybody can resume, and the folder of runs that holds it."""
    out = tmp_path_factory.mktemp("finished")
    report = asyncio.run(run(options={"keep": True, "out": out}))
    settings = out / report.run_id / "settings.toml"
    settings.write_text(re.sub(r'"offline:\w+"', '"offline"', settings.read_text(encoding="utf-8")))
    return out, report


@pytest.fixture
def kept(finished: tuple[Path, Report], tmp_path: Path) -> Report:
    """A finished run in `tmp_path/runs`, this test's own."""
    shutil.copytree(finished[0], tmp_path / "runs")
    return finished[1]


async def test_a_run_is_opened_by_its_own_name_or_folder_only(kept: Report, tmp_path: Path) -> None:
    runs, run_id = tmp_path / "runs", kept.run_id
    (runs / "sub").mkdir()
    shutil.copytree(runs / run_id, runs / "copy")
    copy = str(runs / "copy")
    for name in (f"../runs/{run_id}", ".", "", f"./{run_id}", f"sub/../{run_id}", "copy", copy):
        with pytest.raises(RunError, match="There is no run"):
            await aresume(name, out=runs)
    (tmp_path / "link").symlink_to(runs)
    assert (await aresume(run_id, out=tmp_path / "link")).to_json() == kept.to_json()
    assert (await aresume(str(runs / run_id))).to_json() == kept.to_json()


def cut(path: Path) -> None:
    """Cut a file where a value should follow: cut at the end of a line, it could pass for a whole one."""
    data = path.read_bytes()
    value = re.compile(rb"[:=]").search(data, len(data) // 2)
    assert value
    path.write_bytes(data[: value.end()])


def binary(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00 not a database " * 300)


def empty_object(path: Path) -> None:
    path.write_text("{}", encoding="utf-8")


def folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


@pytest.mark.parametrize("damage", [cut, binary, empty_object, folder])
@pytest.mark.parametrize("name", ["run.json", "settings.toml", "report.json"])
async def test_a_damaged_file_is_named(
    kept: Report, tmp_path: Path, name: str, damage: Callable[[Path], None]
) -> None:
    damage(tmp_path / "runs" / kept.run_id / name)
    with pytest.raises(RunError, match=f"is damaged: {name}") as raised:
        await aresume(kept.run_id, out=tmp_path / "runs")
    assert raised.value.hint and "\n" not in str(raised.value)


@pytest.mark.parametrize("name", ["calls.sqlite", "checkpoints.sqlite"])
async def test_a_damaged_database_is_named_when_the_run_goes_on(
    kept: Report, tmp_path: Path, name: str
) -> None:
    place = tmp_path / "runs" / kept.run_id
    for side in place.glob(f"{name}-*"):
        side.unlink()
    binary(place / name)
    assert (await aresume(kept.run_id, out=tmp_path / "runs")).to_json() == kept.to_json()
    (place / "report.json").unlink()
    with pytest.raises(RunError, match=name):
        await aresume(kept.run_id, out=tmp_path / "runs")


async def test_a_state_that_nobody_can_read_is_named_when_the_run_goes_on(
    kept: Report, tmp_path: Path
) -> None:
    place = tmp_path / "runs" / kept.run_id
    with closing(sqlite3.connect(place / "checkpoints.sqlite")) as database:
        database.execute("UPDATE checkpoints SET checkpoint = ?", (b"\xa1\xff\xfe",))
        database.commit()
    (place / "report.json").unlink()
    with pytest.raises(RunError, match=r"checkpoints\.sqlite' cannot be used: .* delete it and resume"):
        await aresume(kept.run_id, out=tmp_path / "runs")


@pytest.mark.parametrize("damage", [cut, binary, folder, Path.unlink])
async def test_a_report_is_shown_without_its_trace(
    kept: Report, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    damage(tmp_path / "runs" / kept.run_id / "trace.jsonl")
    assert (await aresume(kept.run_id, out=tmp_path / "runs")).markdown == kept.markdown


async def test_one_damaged_folder_does_not_hide_the_other_runs(kept: Report, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    (runs / "a" / "run.json").mkdir(parents=True)
    (runs / "b").mkdir()
    (runs / "b" / "run.json").write_text(json.dumps([1]), encoding="utf-8")
    shutil.copytree(runs / kept.run_id, runs / "c")
    folder(runs / "c" / "report.json")
    assert {run["run_id"]: run["status"] for run in list_runs(runs)} == {
        kept.run_id: kept.status, "a": "damaged", "b": "damaged", "c": "damaged",
    }  # fmt: skip


@pytest.mark.parametrize("to_thread", [threading.main_thread, threading.current_thread])
def test_an_interrupt_of_the_caller_stops_the_run(to_thread: Callable[[], threading.Thread]) -> None:
    seen: list[str] = []

    def stop(event: Any) -> None:
        seen.append(event.type)
        if len(seen) == 2:  # the first call is under way
            ident = to_thread().ident  # the system may hand a signal to any thread
            assert ident is not None
            signal.pthread_kill(ident, signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        research("Which airship is longer?", keep=False, on_event=stop, settings={"web.latency_ms": 60_000})
    ended = len(seen)
    for thread in threading.enumerate():
        if thread.name == "deep-research":
            thread.join(60)
            assert not thread.is_alive()
    assert len(seen) == ended and "done" not in seen


async def test_a_watcher_that_fails_does_not_touch_the_run() -> None:
    def broken(event: Any) -> None:
        raise ValueError("the watcher is broken")

    watched = await run(options={"on_event": broken})
    calm = await run()
    assert (watched.markdown, watched.gaps, watched.status) == (calm.markdown, calm.gaps, calm.status)


@pytest.mark.parametrize("turn", [{"role": "user"}, {"content": "x"}, {"role": "user", "content": None}, "x"])
async def test_a_history_turn_without_role_or_content_is_refused(turn: Any) -> None:
    with pytest.raises(UsageError, match=r"(?:Turn|Item) 2 of"):
        await run(options={"history": [{"role": "user", "content": "x"}, turn]})


async def test_text_that_no_file_can_hold_is_replaced_at_the_door(tmp_path: Path) -> None:
    turns = [{"role": "user", "content": "Caf\udce9?"}]
    options = {"keep": True, "out": tmp_path, "history": turns}
    report = await run(question="How tall is Gull \udce9 \ud83d\ude00?", options=options)
    assert report.question == "How tall is Gull \ufffd \U0001f600?"
    assert (await aresume(report.run_id, out=tmp_path)).to_json() == report.to_json()


@pytest.mark.parametrize(
    ("key", "tools", "said"),
    [
        (
            "tools__supervisor",
            ["search", "ConductResearch"],
            "supervisor cannot use 'search'.*ConductResearch",
        ),
        ("tools__researcher", ["ConductResearch"], "researcher cannot use"),
        ("tools__writer", ["search"], "writer cannot use 'search'.*no tools"),
        ("tools__clarifier", ["serch"], "Unknown tool 'serch'.*look_up_term"),
    ],
)
async def test_a_role_is_given_only_tools_that_it_can_carry_out(key: str, tools: Any, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        await run(**{key: tools})


async def test_control_characters_of_a_question_reach_no_report() -> None:
    report = await run(question="How tall is the Gull\x1b[31m lighthouse?\x00")
    assert report.question == "How tall is the Gull[31m lighthouse?"
    assert "\x1b" not in report.markdown and "\x00" not in report.markdown
