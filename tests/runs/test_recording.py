"""Recordings: the same report without a key, on any machine, and never a silent difference."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from deep_research import aresearch
from deep_research.__main__ import main
from deep_research.core.errors import RunError, UsageError
from deep_research.report import Report
from deep_research.runs import areplay
from deep_research.runs.recording import read_recording
from deep_research.systems import SYSTEMS
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web import build_web
from deep_research_offline.wire.server import running_server

QUESTION = next(q.text for q in build_web().questions if q.kind == "comparison")


async def recorded(file: Path, **options: object) -> Report:
    chosen: dict[str, object] = {"system": "shallow_researcher", "preset": "quick", **options}
    return await aresearch(QUESTION, record=file, keep=False, **chosen)  # type: ignore[arg-type]


@pytest.mark.parametrize("system", SYSTEMS)
async def test_every_design_replays_as_it_was(system: str, tmp_path: Path) -> None:
    report = await recorded(tmp_path / "run.json", system=system)
    again = await areplay(tmp_path / "run.json")
    assert again.to_json() == report.to_json()
    assert (again.trace, again.path) == (report.trace, report.path)


def test_a_live_run_replays_in_a_new_process_without_key_or_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_server(OfflineProvider(web=build_web(), api_key="right-key")) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        monkeypatch.setenv("TAVILY_BASE_URL", url)
        monkeypatch.setenv("OPENAI_API_KEY", "right-key")
        monkeypatch.setenv("TAVILY_API_KEY", "right-key")
        report = asyncio.run(recorded(tmp_path / "run.json", live=True))
    for name in ("OPENAI_API_KEY", "TAVILY_API_KEY", "OPENAI_BASE_URL", "TAVILY_BASE_URL"):
        monkeypatch.delenv(name)
    text = (tmp_path / "run.json").read_text()
    assert report.status == "complete" and "right-key" not in text and url not in text
    done = subprocess.run(
        [sys.executable, "-m", "deep_research", "replay", "run.json"], capture_output=True, cwd=tmp_path,
        env=os.environ, check=False, timeout=100,
    )  # fmt: skip
    assert (done.returncode, done.stdout.decode()) == (0, report.markdown), done.stderr
    for words in (["ask", QUESTION, "--model", "recorded:run.json", "--quiet"], ["show", "run.json"]):
        assert (main(words), capsys.readouterr().out) == (0, report.markdown)


async def test_what_failed_fails_again(tmp_path: Path) -> None:
    report = await recorded(
        tmp_path / "run.json", system="open_deep_research", chaos="3:0.8", settings={"retries": 0}
    )
    assert any(line.status == "failed" for line in report.trace)
    assert (await areplay(tmp_path / "run.json")).to_json() == report.to_json()


async def test_what_a_person_said_is_said_again(tmp_path: Path) -> None:
    answers = iter(["Leave out the history of both.", "yes"])
    report = await recorded(
        tmp_path / "run.json", system="graph_agent", settings={"approval": "wait"},
        answer=lambda _: next(answers, "yes"),
    )  # fmt: skip
    assert report.status in ("complete", "partial")
    assert (await areplay(tmp_path / "run.json")).to_json() == report.to_json()


async def test_any_changed_byte_is_found(tmp_path: Path) -> None:
    await recorded(tmp_path / "run.json")
    whole = (tmp_path / "run.json").read_bytes()
    for place in (0, 15, 40, whole.index(b"\n"), whole.index(b"\n") + 9, len(whole) // 2, len(whole) - 1):
        changed = bytearray(whole)
        changed[place] ^= 1
        (tmp_path / "changed.json").write_bytes(changed)
        with pytest.raises(RunError):
            read_recording(tmp_path / "changed.json")


async def test_a_changed_prompt_names_the_call_that_no_longer_fits(tmp_path: Path) -> None:
    report = await recorded(tmp_path / "run.json", system="open_deep_research")
    (tmp_path / "writer.md").write_text("Write it as a poem.")
    with pytest.raises(RunError, match=r"its call \d+ of \d+ \(by the writer\) has another prompt now"):
        await areplay(tmp_path / "run.json", changes={"prompts.writer": str(tmp_path / "writer.md")})
    kept = read_recording(tmp_path / "run.json").report()
    assert (kept.markdown, kept.trace, kept.path) == (report.markdown, report.trace, report.path)


async def test_what_costs_no_call_may_change(tmp_path: Path) -> None:
    await recorded(tmp_path / "run.json")
    unchecked = await aresearch(
        QUESTION, model=f"recorded:{tmp_path / 'run.json'}", settings={"verifier.mode": "off"}, keep=False
    )
    assert {claim.verdict for claim in unchecked.claims} == {"unchecked"}


async def test_refusals_say_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n\nA line.")
    with pytest.raises(UsageError, match="own documents"):
        await recorded(tmp_path / "run.json", docs=tmp_path)
    await recorded(tmp_path / "run.json")
    with pytest.raises(UsageError, match="another question"):
        await aresearch("Who?", model=f"recorded:{tmp_path / 'run.json'}", keep=False)
    with pytest.raises(RunError, match="no recording"):
        await areplay(tmp_path / "notes.md")
