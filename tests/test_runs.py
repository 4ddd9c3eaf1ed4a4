"""What a run folder promises: it is found by its own name only, and damage is named, not stumbled over."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from deep_research import Report, aresume
from deep_research.bundle import list_runs
from deep_research.errors import RunError
from tests.running import run


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Report]:
    """A finished run, and the folder of runs that holds it."""
    out = tmp_path_factory.mktemp("finished")
    return out, asyncio.run(run(options={"keep": True, "out": out}))


@pytest.fixture
def kept(finished: tuple[Path, Report], tmp_path: Path) -> Report:
    """A finished run in `tmp_path/runs`, this test's own."""
    shutil.copytree(finished[0], tmp_path / "runs")
    return finished[1]


async def test_a_run_is_opened_by_its_own_name_only(kept: Report, tmp_path: Path) -> None:
    runs, run_id = tmp_path / "runs", kept.run_id
    (runs / "sub").mkdir()
    shutil.copytree(runs / run_id, runs / "copy")
    for name in (f"../runs/{run_id}", str(runs / run_id), ".", "", f"./{run_id}", f"sub/../{run_id}", "copy"):
        with pytest.raises(RunError, match="There is no run"):
            await aresume(name, out=runs)
    (tmp_path / "link").symlink_to(runs)
    assert (await aresume(run_id, out=tmp_path / "link")).to_json() == kept.to_json()


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


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
