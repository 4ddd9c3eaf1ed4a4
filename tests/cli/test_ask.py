"""`ask`, `resume` and `runs`, from the command to what a script or a person gets."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Command

Sample = Callable[..., str]

KEYS = [
    "run_id",
    "question",
    "system",
    "status",
    "report",
    "sources",
    "claims",
    "removed",
    "gaps",
    "errors",
    "usage",
]
SOURCE_KEYS = {"id", "number", "kind", "url", "citation_key", "page", "title", "tier", "published", "use"}
CLAIM_KEYS = {"text", "sources", "verdict", "reasons", "quote", "checked_by"}
USAGE_KEYS = {"model_calls", "searches", "input_tokens", "output_tokens", "cost_usd", "seconds", "by_role"}
SAME_BYTES = ("report", "sources", "claims", "removed", "gaps")


def test_json_is_the_contract_and_nothing_else_on_stdout(command: Command, sample: Sample) -> None:
    done = command("ask", sample("comparison"), "--json", "--quiet")
    assert (done.status, done.err) == (0, "")
    report = json.loads(done.out)
    assert [key for key in report if key in KEYS] == KEYS
    assert report["status"] == "complete"
    assert all(source.keys() >= SOURCE_KEYS for source in report["sources"])
    assert report["claims"] and all(claim.keys() >= CLAIM_KEYS for claim in report["claims"])
    assert report["usage"].keys() == USAGE_KEYS


def test_must2_the_same_question_gives_the_same_bytes(
    command: Command, process: Command, sample: Sample
) -> None:
    argv = ["ask", sample("comparison"), "--json", "--preset", "quick"]
    first, second = (json.loads(run(*argv).out) for run in (command, process))
    assert all(first[key] == second[key] for key in SAME_BYTES)
    assert first["run_id"] != second["run_id"]


def test_piped_report_is_the_markdown_of_the_run_folder(
    command: Command, sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(sample("single_fact") + "\n"))
    done = command("ask", "-", "--out", "kept")
    (run,) = (tmp_path / "kept").iterdir()
    assert done.out == (run / "report.md").read_text(encoding="utf-8")
    assert f"kept in kept/{run.name}" in done.err
    assert f"as a page: kept/{run.name}/report.html" in done.err and (run / "report.html").exists()
    assert "\x1b" not in done.out + done.err


def test_must6_the_first_line_comes_before_anything_slow_is_imported() -> None:
    argv = [
        sys.executable,
        "-X",
        "importtime",
        "-m",
        "deep_research",
        "ask",
        "What is the capital of France?",
    ]
    told = subprocess.run(argv, capture_output=True, text=True, check=False).stderr
    before, line, after = told.partition("deep-research: offline, seed 0, open_deep_research (medium)\n")
    assert line and "deep_research_offline.web" in after
    assert not [
        name for name in ("langchain_core", "langgraph", "openai", "tavily") if f" {name}\n" in before
    ]


def test_progress_names_what_is_researched_and_searched(command: Command, sample: Sample) -> None:
    told = command("ask", sample("comparison")).err
    assert all(
        f"  {word}" in told for word in ("clarifier", "supervisor", "research: ", "search: ", "writer")
    )


def test_without_a_terminal_a_question_back_is_status_4(command: Command) -> None:
    done = command("ask", "Tell me about it", "--yes", "--json")
    report = json.loads(done.out)
    assert done.status == 4
    assert report["status"] == "needs_input" and report["asked"]
    assert f"input needed: {report['asked']}" in done.err
    assert f"deep-research resume {report['run_id']}" in done.err


def test_no_evidence_is_status_3_with_a_report(command: Command) -> None:
    done = command("ask", "Which orchestra plays xylophones in Atlantis?", "--yes")
    assert done.status == 3
    assert done.out.startswith("# ")


def test_an_offline_run_that_failed_blames_no_setting_of_others(command: Command) -> None:
    done = command(
        "ask", "How many mooring masts does Port Brudoji have?", "--chaos", "1:1", "--set", "retries=0"
    )
    assert done.status == 1 and "error: " in done.err
    assert "OPENAI_BASE_URL" not in done.out + done.err


def test_finished_runs_are_listed_and_shown_again(command: Command, sample: Sample) -> None:
    asked = command("ask", sample("single_fact", "zh"), "--json")
    run_id = json.loads(asked.out)["run_id"]
    assert json.loads(command("runs", "--json").out)[0]["run_id"] == run_id
    listed = command("runs").out.splitlines()
    assert listed[2].startswith(run_id) and listed[3].strip() == sample("single_fact", "zh")
    shown = command("resume", run_id, "--json")
    assert (shown.status, json.loads(shown.out)) == (asked.status, json.loads(asked.out))


def test_runs_fit_eighty_columns_in_any_script(command: Command, tmp_path: Path) -> None:
    from rich.cells import cell_len

    for n, question in enumerate(("哪一艘飞艇更长，" * 20, "Which airship is longer, " * 20)):
        folder = tmp_path / "runs" / f"{n:012d}"
        folder.mkdir(parents=True)
        record = {
            "run_id": folder.name,
            "started": "2041-03-02T10:00:00+00:00",
            "system": "s",
            "question": question,
            "history": [],
        }
        (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    lines = command("runs").out.splitlines()
    assert [cell_len(line) <= 80 for line in lines] == [True] * 6
    assert all(cell_len(line) > 70 and line.endswith("…") for line in lines[3::2])


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
class TestTerminal:
    """A person at a terminal: stdin and stderr are a pseudo-terminal, stdout is a file."""

    def run(self, argv: list[str], typed: str, **env: str) -> tuple[int, str, str]:
        """Run a command, type lines as soon as it asks, and return status, stdout and what was on screen."""
        import pty

        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "deep_research", *argv],
            stdin=theirs, stderr=theirs, stdout=subprocess.PIPE, env={**os.environ, "TERM": "xterm", **env},
        )  # fmt: skip
        os.close(theirs)
        os.write(ours, typed.encode())
        screen = b""
        while True:
            try:
                screen += os.read(ours, 65536)
            except OSError:  # the other end is closed: the process has ended
                break
        os.close(ours)
        out, _ = process.communicate(timeout=100)
        return process.returncode, out.decode(), screen.decode(errors="replace")

    @pytest.fixture
    def docs(self, tmp_path: Path) -> list[str]:
        """Options for research in one document."""
        (tmp_path / "mill.md").write_text("The mill of Orbany is 31 metres high.\n", encoding="utf-8")
        return ["--docs", "mill.md"]

    def test_question_and_answer_are_typed(self, docs: list[str]) -> None:
        status, out, screen = self.run(["ask", *docs], "How high is it?\nThe mill of Orbany\n", NO_COLOR="1")
        assert "What do you want to find out?" in screen
        assert "What does “it” refer to?" in screen
        assert status == 0 and out.startswith("# ") and "31 metres" in out
        assert "model calls" in screen and "\x1b[33m" not in screen
        last = screen.rpartition("\x1b[2K")[2]  # what stays when the table is gone
        assert "✓ How high is it" in last or "✓ writer" in last, last

    def test_a_plan_of_several_lines_is_pasted_or_typed_as_one_answer(self, docs: list[str]) -> None:
        asks = [
            "ask",
            "How high is the mill of Orbany?",
            *docs,
            "--system",
            "deep_researcher",
            "--preset",
            "quick",
        ]
        for typed in ("## Height\n- Orbany height\n## Age\n- Orbany age\n", "## Height\\\n- Orbany height\n"):
            _, out, screen = self.run([*asks, "--set", "approval=wait", "--json"], typed)
            assert screen.count("(empty to stop") == 1
            assert "Orbany height" in out and ("Orbany age" in out) == ("Age" in typed)

    def test_an_empty_answer_stops_the_run(self) -> None:
        status, out, screen = self.run(["ask", "Tell me about it", "--yes", "--json"], "\n")
        assert (status, json.loads(out)["status"]) == (4, "needs_input")
        assert f"deep-research resume {json.loads(out)['run_id']}" in screen

    def test_a_run_that_waits_is_answered_when_it_is_resumed(self, command: Command, docs: list[str]) -> None:
        waiting = json.loads(command("ask", "How high is it?", *docs, "--json").out)
        status, out, screen = self.run(["resume", waiting["run_id"], "--json"], "The mill of Orbany\n")
        assert waiting["asked"] in screen
        assert (status, json.loads(out)["status"]) == (0, "complete") and not json.loads(out)["asked"]


def test_fail_on_partial_is_an_exit_status_of_its_own(command: Command, sample: Sample) -> None:
    open_, answered = sample("unanswerable", "en"), sample("single_fact", "en")
    done = command("ask", open_, "--json", "--quiet", "--fail-on", "partial")
    told = json.loads(done.out)
    assert (done.status, told["status"], told["gaps"][0]["kind"]) == (6, "partial", "unanswered")
    assert command("resume", told["run_id"], "--quiet", "--fail-on", "partial").status == 6
    assert command("resume", told["run_id"], "--quiet").status == 0
    assert command("ask", answered, "--quiet", "--fail-on", "partial").status == 0
    assert command("ask", answered, "--fail-on", "never").status == 2
