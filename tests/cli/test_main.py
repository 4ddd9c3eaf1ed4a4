"""What every command promises: quick help, one line per error, the right exit status, no traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from deep_research.cli.parser import COMMANDS

from .conftest import Command

HEAVY = {
    "pydantic",
    "rich",
    "httpx",
    "httpx2",
    "openai",
    "langchain_core",
    "langgraph",
    "tavily",
    "asyncio",
    "logging",
}


def test_must6_help_imports_the_standard_library_only(process: Command) -> None:
    code = (
        "import sys, deep_research.__main__ as m\ntry: m.main(['ask', '--help'])\nexcept SystemExit: pass\n"
    )
    code += "import json; print(json.dumps([name for name in sys.modules if '.' not in name]))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not HEAVY & set(json.loads(shown.splitlines()[-1]))


def test_must6_help_takes_less_than_400_ms(process: Command) -> None:
    began = sum(os.times()[2:4])  # processor time of finished children, which other load does not lengthen
    assert process("--help").status == 0
    assert sum(os.times()[2:4]) - began < 0.4


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from deep_research.__main__ import main

    with pytest.raises(SystemExit) as left:
        main([name, "--help"])
    assert left.value.code == 0
    assert f"deep-research {name}" in capsys.readouterr().out


def test_ask_help_names_every_option_of_the_contract(process: Command) -> None:
    shown = process("ask", "--help").out
    for option in (
        "--system",
        "--preset",
        "--model",
        "--settings",
        "--set",
        "--docs",
        "--search",
        "--budget",
    ):
        assert option in shown
    assert all(option in shown for option in ("--yes", "--json", "--out"))


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["aks"], "Did you mean 'ask'?"),
        (["ask", "--modle", "x"], "Did you mean '--model'?"),
        (["questions", "multihop"], "Did you mean 'multi_hop'?"),
        ([], "No command"),
        (["serve-offline", "--port", "many"], "--port"),
        (["serve-offline", "--host", "192.0.2.1"], "not loopback"),
    ],
)
def test_bad_usage_is_one_line_and_status_2(command: Command, argv: list[str], said: str) -> None:
    done = command(*argv)
    assert (done.status, done.out) == (2, "")
    last = done.err.splitlines()[-1]
    assert last.startswith("error: ") and said in last


def test_a_reader_that_leaves_is_no_error() -> None:
    shell = f"{sys.executable} -m deep_research settings | head -n 1"
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.skipif(os.name == "nt", reason="the shell's words")
def test_a_program_without_output_streams_runs() -> None:
    shell = f"{sys.executable} -m deep_research questions >&- 2>&- <&-"
    assert subprocess.run(shell, shell=True, check=False).returncode == 0


def pressing_ctrl_c(tmp_path: Path, latency_ms: int, until: str) -> subprocess.Popen[str]:
    """A run of its own process; Ctrl-C is pressed when a line of its progress holds these words."""
    argv = ["ask", "Which airship is longer?", "--yes", "--set", f"web.latency_ms={latency_ms}"]
    process = subprocess.Popen(
        [sys.executable, "-m", "deep_research", *argv, "--out", str(tmp_path)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    read_until(process, until)
    process.send_signal(signal.SIGINT)
    read_until(process, "finishing with what was found")
    return process


def read_until(process: subprocess.Popen[str], words: str) -> None:
    assert process.stderr is not None
    assert any(words in line for line in process.stderr)


def test_ctrl_c_ends_a_run_with_what_it_has(tmp_path: Path) -> None:
    process = pressing_ctrl_c(tmp_path, 300, "s  search:")
    out, err = process.communicate(timeout=100)
    assert process.returncode in (0, 3) and "The user ended the research early." in out
    assert "partial" in err or "no_evidence" in err


def test_a_second_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    process = pressing_ctrl_c(tmp_path, 60_000, "clarifier")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=100)
    (run_id,) = [path.name for path in tmp_path.iterdir()]
    assert (process.returncode, out) == (130, "")
    assert f"deep-research resume {run_id} --out {tmp_path}" in err
    assert "Traceback" not in err


def test_unexpected_errors_have_no_traceback_unless_asked_for(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(COMMANDS, "runs", ("listing:a_function_that_is_missing", "list"))
    done = command("runs")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("error: unexpected AttributeError: ") and "Traceback" not in done.err
    monkeypatch.setenv("DEEP_RESEARCH_DEBUG", "1")
    with pytest.raises(AttributeError):
        command("runs")


def test_output_in_any_script_survives_a_plain_locale(process: Command) -> None:
    done = process("questions", "single_fact", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.status == 0
    assert "布鲁多吉" in done.out or "港" in done.out


def test_version_is_the_installed_one(command: Command) -> None:
    from importlib.metadata import version

    assert command("--version").out.strip() == version("deep-research")
