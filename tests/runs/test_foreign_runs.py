"""Run folders and settings from elsewhere: they read, write and send nothing outside themselves."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deep_research.core.errors import RunError, UsageError
from deep_research.engine.clients import endpoint_key
from deep_research.engine.providers import SearchHit
from deep_research.engine.store import PageStore
from deep_research.runs import aresearch, aresume
from deep_research.runs.bundle import find_run, list_runs
from deep_research.settings import load_settings
from deep_research.sources.search import MAX_DATE, MAX_TITLE, search
from tests.running import context_of

QUESTION = "How long is the airship Solvang Gull?"


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A run that somebody has sent us, as it was just before its report was written."""
    report = await aresearch(QUESTION, out=tmp_path / "runs")
    (tmp_path / "runs" / report.run_id / "report.json").unlink()
    return tmp_path / "runs" / report.run_id


@pytest.mark.parametrize("name", ["report.md.tmp", "steps.jsonl", "calls.sqlite", "pages/more.txt"])
async def test_a_link_in_a_run_folder_leads_nowhere(name: str, folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "mine"
    target.write_text("")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(target)
    with pytest.raises(RunError, match=f"holds a link: {name}"):
        await aresume(folder.name, out=folder.parent)
    assert target.read_text() == ""


async def test_a_call_log_names_no_file_outside_the_pages(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("canary")
    with sqlite3.connect(folder / "calls.sqlite") as log:
        rows = log.execute("SELECT id, response FROM calls WHERE kind = 'search'").fetchall()
        for number, response in rows:
            hits = [{**hit, "text": "../../../secret"} for hit in json.loads(response)]
            log.execute("UPDATE calls SET response = ? WHERE id = ?", (json.dumps(hits), number))
    (folder / "checkpoints.sqlite").unlink()
    assert rows and (await aresume(folder.name, out=folder.parent)).status == "failed"
    assert not any(b"canary" in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_page_comes_back_as_it_was_with_line_ends_of_any_kind(tmp_path: Path) -> None:
    text = "one\r\ntwo\rthree\n"
    key = PageStore(tmp_path).put(text)
    assert PageStore(tmp_path).get(key) == text


@pytest.mark.parametrize(
    "damage",
    [
        lambda asked: "[" * 100_000,
        lambda asked: json.dumps({**asked, "started": 5}),
        lambda asked: json.dumps({**asked, "history": ["x"]}),
        lambda asked: json.dumps({**asked, "run_id": ["x"]}),
    ],
)
def test_a_damaged_folder_is_listed_beside_the_others(
    damage: Callable[[dict[str, Any]], str], folder: Path
) -> None:
    other = folder.with_name("other")
    shutil.copytree(folder, other)
    asked = json.loads((other / "run.json").read_text(encoding="utf-8"))
    (other / "run.json").write_text(damage(asked), encoding="utf-8")
    assert sorted(run["status"] for run in list_runs(folder.parent)) == ["damaged", "unfinished"]
    with pytest.raises(RunError, match=r"run\.json cannot be read"):
        find_run("other", folder.parent)


def test_a_key_goes_to_no_address_that_only_a_file_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    key, address = {"OPENAI_API_KEY": "right"}, "https://elsewhere.example/v1"
    Path("deep-research.toml").write_text(f'base_url = "{address}"\n')
    with pytest.raises(UsageError, match=r"elsewhere\.example.* only deep-research\.toml names"):
        endpoint_key(load_settings(), key)
    assert endpoint_key(load_settings(), {}) == ""
    assert endpoint_key(load_settings(), key | {"OPENAI_BASE_URL": address}) == "right"
    assert endpoint_key(load_settings({"base_url": address}), key) == "right"


async def test_what_a_search_says_of_a_page_has_an_end() -> None:
    found = SearchHit("Gull " * 50_000, "s", "https://a.example/", published="2041 " * 50_000)

    class Talkative:
        name = "tavily"

        async def search(self, query: str, settings: Any) -> list[SearchHit]:
            return [found, replace(found, url=f"https://a.example/{'a' * 50_000}")]

        async def read(self, key: str) -> str | None:
            return None

        async def close(self) -> None:
            """Nothing is open."""

    (hit,) = await search("gull", "researcher", replace(context_of(), search=Talkative()))
    assert (len(hit.title), len(hit.published or "")) == (MAX_TITLE, MAX_DATE)


async def test_a_recording_that_cannot_be_written_is_refused_before_anything_is_spent(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="No recording can be written"):
        await aresearch(QUESTION, out=tmp_path / "runs", record=tmp_path / "file" / "run.json")
    assert not (tmp_path / "runs").exists()
