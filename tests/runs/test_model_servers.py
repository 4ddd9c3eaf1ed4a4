"""A model's server is looked at before a run, by whichever door: where nobody answers, none begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deep_research import aresearch
from deep_research.__main__ import main
from deep_research.core.errors import UsageError
from deep_research.evaluation.compare import acompare
from deep_research.report import Report
from deep_research.runs import areplay, aresume
from deep_research.runs.forks import afork
from deep_research.settings import RUN_SETTINGS
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web import build_web
from deep_research_offline.wire.server import running_server
from tests.running import Wire

QUESTION = build_web().questions[0].text
SHALLOW = {"system": "shallow_researcher", "preset": "small"}
LOCAL = {"models.model": "local", "search.providers": ["offline"]}
RECORDING = Path(__file__).parents[2] / "deep_research_offline" / "recordings" / "shallow_single_fact.json"
Serve = Callable[[str], None]


@pytest.fixture
def gone(monkeypatch: pytest.MonkeyPatch) -> str:
    """An address on this machine at which nobody answers, for every model that is not offline."""
    with running_server(OfflineProvider()) as url:
        pass
    monkeypatch.setattr("deep_research.engine.clients.LOCAL_URL", f"{url}/v1")
    monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
    return url


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> Iterator[Wire]:
    """A server that answers as the offline model does, and counts what it is asked."""
    served = Wire(web=build_web())
    with running_server(served) as url:
        monkeypatch.setattr("deep_research.engine.clients.LOCAL_URL", f"{url}/v1")
        yield served


async def kept(folder: Path) -> Report:
    return await aresearch(QUESTION, settings=SHALLOW, out=folder)


async def test_a_run_is_refused_where_nobody_answers_and_leaves_nothing(gone: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"Nobody answers at {gone}"):
        await aresearch(QUESTION, settings=SHALLOW | LOCAL, out=tmp_path)
    assert not list(tmp_path.iterdir())


async def test_a_fork_and_a_run_that_goes_on_are_refused_too(gone: str, tmp_path: Path) -> None:
    report = await kept(tmp_path)
    with pytest.raises(UsageError, match="Nobody answers"):
        await afork(report, settings=LOCAL, out=tmp_path)
    assert [run.name for run in tmp_path.iterdir()] == [report.run_id]
    (tmp_path / report.run_id / "report.json").unlink()
    with pytest.raises(UsageError, match="Nobody answers"):
        await aresume(report.run_id, settings=LOCAL, out=tmp_path)
    assert "local" not in (tmp_path / report.run_id / RUN_SETTINGS).read_text(encoding="utf-8")


async def test_a_finished_run_is_shown_again_without_its_server(
    there: Wire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = await aresearch(QUESTION, settings=SHALLOW | LOCAL, out=tmp_path)
    monkeypatch.setattr("deep_research.engine.clients.LOCAL_URL", "http://127.0.0.1:9/v1")
    assert (await aresume(report, out=tmp_path)).markdown == report.markdown


async def test_a_comparison_is_refused_before_anything_runs_but_needs_no_server_for_what_is_kept(
    there: Wire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid = {"systems": ["shallow_researcher"], "settings": {"preset": "small"} | LOCAL, "cache": tmp_path}
    await acompare([QUESTION], **grid)
    monkeypatch.setattr("deep_research.engine.clients.LOCAL_URL", "http://127.0.0.1:9/v1")
    assert list((await acompare([QUESTION], **grid)).status) == ["complete"]
    with pytest.raises(UsageError, match="Nobody answers"):
        await acompare([QUESTION, "How high is Port Brudoji?"], **grid)


async def test_nobody_is_asked_for_an_offline_or_a_recorded_run(gone: str, tmp_path: Path) -> None:
    report = await kept(tmp_path)
    await afork(report, at="researcher", out=tmp_path)
    await acompare([QUESTION], ["shallow_researcher"], {"preset": "small"}, cache=False)
    assert report.status == (await areplay(RECORDING)).status == "complete"


@pytest.mark.parametrize("command", ["resume", "fork"])
def test_the_command_line_says_so_in_one_line(
    command: str, gone: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept_in = ["--out", str(tmp_path), "--quiet"]
    main(
        [
            "ask",
            QUESTION,
            "--system",
            "shallow_researcher",
            "--model",
            "offline",
            "--search",
            "offline",
            *kept_in,
        ]
    )
    (run,) = tmp_path.iterdir()
    (run / "report.json").unlink()
    capsys.readouterr()
    changed = ["--set", "models.model=local", "--set", 'search.providers=["offline"]']
    assert main([command, run.name, *changed, *kept_in]) == 2
    assert "Nobody answers" in capsys.readouterr().err
