"""Must show 7: whatever is wrong with the input, one clear line, the right exit status, and nothing lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deep_research_offline.provider import OfflineProvider
from deep_research_offline.wire.server import running_server

from .conftest import Command, Outcome


def refused(done: Outcome, status: int, *said: str) -> None:
    """The last line is the error, it says all this, and nothing was printed as a result."""
    assert (done.status, done.out) == (status, "")
    last = done.err.splitlines()[-1]
    assert last.startswith("error: ")
    assert all(part in last for part in said), last


def runs_in(folder: Path) -> list[Path]:
    return [path for path in folder.glob("runs/*") if path.is_dir()]


@pytest.mark.parametrize("argv", [["ask"], ["ask", ""], ["ask", "  "], ["ask", "-"]])
def test_must7_no_question(process: Command, tmp_path: Path, argv: list[str]) -> None:
    refused(process(*argv), 4, "no question")
    assert not runs_in(tmp_path)


@pytest.mark.parametrize("question", ["?!?", "🙂🙂", "…"])
def test_must7_a_question_without_words_is_refused(command: Command, tmp_path: Path, question: str) -> None:
    refused(command("ask", question, "--yes"), 2, "has no words", question)
    assert not runs_in(tmp_path)


def test_must7_a_question_as_long_as_a_book_is_refused(command: Command, tmp_path: Path) -> None:
    done = command("ask", "How many mooring masts does Port Brudoji have? " * 300)
    refused(done, 2, "characters", "--docs", "limits.max_question_length")
    assert not runs_in(tmp_path)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--system", "nope"], ["Unknown system 'nope'. `deep-research systems`"]),
        (["--system", "open_deep_reserch"], ["Unknown system", "'open_deep_research'"]),
        (["--set", "limits.max_serches=3"], ["Unknown setting", "'limits.max_searches'"]),
        (["--set", "concurrency"], ["not of the form key=value"]),
        (["--set", "concurrency=many"], ["concurrency", "many"]),
        (["--budget", "tokns=5000"], ["Unknown setting", "'budget.tokens'"]),
        (["--preset", "huge"], ["preset", "huge"]),
        (["--settings", "nowhere.toml"], ["no settings file 'nowhere.toml'"]),
        (["--search", "bing"], ["Unknown search 'bing'", "tavily"]),
        (["--search", "none"], ["no search", "--docs PATH"]),
        (["--search", "tavily"], ["real web", "OPENAI_API_KEY"]),
        (["--model", "openai:gpt-5-mini"], ["invented web", "TAVILY_API_KEY"]),
        (["--docs", "nowhere"], ["nowhere"]),
        (["--docs", ""], ["--docs"]),
        (["--docs", "a", "--docs", "b"], ["--docs", "given twice"]),
        (["--search", ""], ["--search has no value"]),
        (["--model", " "], ["--model has no value"]),
        (["--model", "offlin"], ["provider:name", "did you mean 'offline'?"]),
        (["--model", "offline:hasti"], ["no offline model", "'offline:hasty'"]),
        (["--model", "offline:lazy"], ["One of: offline, offline:hasty,", "rambling, offline:obeying."]),
        (["--set", "own_files=nowhere", "--persona", "speed"], ["no folder 'nowhere'"]),
        (
            ["--model", "openia:gpt", "--search", "offline", "--yes"],
            ["'openia:gpt'", "Did you mean 'openai'?"],
        ),
    ],
)
def test_must7_a_refused_start_says_the_way_out(
    command: Command, tmp_path: Path, options: list[str], said: list[str]
) -> None:
    refused(command("ask", "Which airship is longer?", *options), 2, *said)
    assert not runs_in(tmp_path)


@pytest.mark.parametrize("typed", ["question.txt", "@question.txt"])
def test_must7_a_file_in_place_of_a_question(command: Command, tmp_path: Path, typed: str) -> None:
    (tmp_path / "question.txt").write_text("Which airship is longer?", encoding="utf-8")
    refused(command("ask", typed), 2, "is a file", "deep-research ask - < question.txt")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_must7_settings_and_reports_as_windows_writes_them(
    command: Command, tmp_path: Path, encoding: str
) -> None:
    (tmp_path / "own.toml").write_text('system = "shallow_researcher"\r\n', encoding=encoding)
    done = command("settings", "--settings", "own.toml")
    assert done.status == 0 and 'system = "shallow_researcher"' in done.out
    report = "# Mill\r\n\r\nIt is high [1].\r\n\r\n## Sources\r\n1. A: https://a.example/x\r\n"
    (tmp_path / "report.md").write_text(report, encoding=encoding)
    (tmp_path / "sources.json").write_text('[{"url": "https://a.example/x"}]', encoding=encoding)
    assert "1 kept, 0 removed" in command("verify", "report.md", "--sources", "sources.json").err


def test_must7_empty_folder(command: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    refused(command("ask", "Anything?", "--docs", "empty"), 2, "empty")


def test_must7_unreadable_pdf(command: Command, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "broken.pdf").write_bytes(b"%PDF-1.4 this is not a PDF")
    refused(command("ask", "Anything?", "--docs", "docs"), 2, "docs", "broken.pdf")


def test_must7_an_unreadable_pdf_among_others_is_named_and_left_out(command: Command, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "broken.pdf").write_bytes(b"%PDF-1.4 this is not a PDF")
    (tmp_path / "docs" / "mill.md").write_text(
        "# The mill\n\nThe mill of Orbany is 31 metres high.\n", encoding="utf-8"
    )
    done = command("ask", "How high is the mill of Orbany?", "--docs", "docs", "--json")
    assert done.status == 0
    assert "skipped broken.pdf: " in done.err
    assert {source["citation_key"] for source in json.loads(done.out)["sources"]} == {"mill.md"}


def test_many_files_that_are_not_read_are_told_by_reason(command: Command, tmp_path: Path) -> None:
    """A folder with 40 archives: a wall of 40 lines hid the answer."""
    (tmp_path / "docs").mkdir()
    for name in ("README", *(f"old-{n}.gz" for n in range(39))):
        (tmp_path / "docs" / name).write_text("x", encoding="utf-8")
    (tmp_path / "docs" / "mill.md").write_text("The mill of Orbany is 31 metres high.\n", encoding="utf-8")
    done = command("ask", "How high is the mill of Orbany?", "--docs", "docs", "--quiet")
    assert done.err.splitlines() == [
        "skipped old-0.gz and 38 more: files ending in .gz are not read",
        "skipped README: files without an ending are not read",
    ]
    assert "old-0.gz and 38 more (files ending in .gz are not read); README (" in done.out


def test_a_plan_of_faults_that_cannot_be_read_is_refused_before_anything_is_said(command: Command) -> None:
    for chaos in ("often", "1:7"):
        done = command("ask", "hi", "--chaos", chaos, "--quiet")
        refused(done, 2, chaos, "RATE", "between 0 and 1")
        assert "You can ask" not in done.err


@pytest.mark.parametrize("made", [None, "# No recording"])
def test_a_recording_that_is_none_is_refused(command: Command, tmp_path: Path, made: str | None) -> None:
    if made:
        (tmp_path / "run.json").write_text(made, encoding="utf-8")
    refused(command("replay", "run.json"), 2, "run.json")


def test_must7_a_folder_that_cannot_be_written(command: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    refused(command("ask", "Which airship is longer?", "--out", "file/runs"), 2, "file/runs", "--out")


@pytest.fixture
def live_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Options of a live run over one document, without waiting between tries."""
    (tmp_path / "mill.md").write_text("The mill of Orbany is 31 metres high.\n", encoding="utf-8")
    monkeypatch.setenv("OPENAI_API_KEY", "wrong")
    return ["--docs", "mill.md", "--yes", "--set", "retries=0"]


def test_must7_missing_key(
    command: Command, live_documents: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    done = command("ask", "How high?", "--model", "openai:gpt-5-mini", *live_documents)
    refused(done, 2, "OPENAI_API_KEY is not set")


def test_must7_wrong_key(
    command: Command, live_documents: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with running_server(OfflineProvider(api_key="right")) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        done = command("ask", "How high is the mill of Orbany?", *live_documents)
        assert (done.status, done.out) == (1, "")
        assert "error: " in done.err and "key is wrong" in done.err and "OPENAI_API_KEY" in done.err
        (run,) = runs_in(tmp_path)
        assert f"deep-research resume {run.name}" in done.err

        monkeypatch.setenv("OPENAI_API_KEY", "right")  # nothing was lost: the same run goes on
        resumed = command("resume", run.name)
        assert resumed.status == 0 and "error: " not in resumed.err


@pytest.mark.parametrize("key", [" right\n", "\tright"])
@pytest.mark.parametrize("path", ["/v1/", "/v1/chat/completions", "/v1 "])
def test_must7_a_key_and_an_address_as_they_are_copied(
    command: Command, live_documents: list[str], monkeypatch: pytest.MonkeyPatch, key: str, path: str
) -> None:
    with running_server(OfflineProvider(api_key="right")) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}{path}")
        monkeypatch.setenv("OPENAI_API_KEY", key)
        done = command("ask", "How high is the mill of Orbany?", *live_documents)
    assert done.status == 0 and "31 metres high" in done.out


@pytest.mark.parametrize("key", ["sk-ä”", "Bearer sk-right", "sk-\nright"])
def test_must7_a_key_that_no_request_can_carry(
    command: Command, live_documents: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, key: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    done = command("ask", "How high is the mill of Orbany?", *live_documents)
    refused(done, 2, "OPENAI_API_KEY holds a character that no key has")
    assert key not in done.err and not runs_in(tmp_path)


def test_must7_server_down(
    command: Command, live_documents: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_server(OfflineProvider()) as url:
        pass
    monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
    done = command("ask", "How high?", *live_documents)
    refused(done, 2, "Nobody answers at", "OPENAI_BASE_URL")  # at once, and not after five tries of each role


def test_resuming_an_unknown_run_names_the_list(command: Command) -> None:
    refused(command("resume", "nosuchrun"), 2, "nosuchrun", "deep-research runs")


def test_a_run_whose_id_was_cut_is_named(command: Command, tmp_path: Path) -> None:
    done = command("ask", "Hello!", "--quiet")
    (run,) = runs_in(tmp_path)
    assert done.status == 4
    refused(command("show", run.name[:9]), 2, f"Did you mean '{run.name}'?")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("serve-offline", "--port", "abc"), "--port takes a whole number, not 'abc'"),
        (("ask", "How high?", "--system"), "--system has no value"),
        (("ask", "How high?", "--docs", ".", "--search", "arxiv"), "--docs and --search exclude each other"),
        (("diff", "one"), "not given: RUN_B"),
        (("verify", "report.md", "--sources", "none.json"), "Check the path"),
    ],
)
def test_what_the_command_line_cannot_read_is_said_in_plain_words(
    command: Command, argv: tuple[str, ...], said: str
) -> None:
    refused(command(*argv), 2, said)
