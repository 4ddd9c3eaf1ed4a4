"""Every test starts as on a fresh machine: no keys, no settings, no network, its own working folder."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

NO_NETWORK = Path(__file__).resolve().parent.parent / "scripts" / "no_network"
PERSONAL = re.compile(
    r"(OPENAI|TAVILY|DEEP_RESEARCH|LANGSMITH|LANGCHAIN)_|.*_API_KEY$|(HTTPS?|ALL)_PROXY$", re.I
)

runpy.run_path(str(NO_NETWORK / "sitecustomize.py"))

# Properties hold on any machine, however slow, and for the same examples in each run.
settings.register_profile(
    "anywhere", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("anywhere")

# A shell that starts the tests in the background has all processes ignore Ctrl-C, which some tests press.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Keep what tests write in memory, where there is much: a kept run waits half its time for a disk.

    With `--basetemp=FOLDER` it stays there to be looked at.
    """
    memory = "/dev/shm"
    if not config.option.basetemp and os.path.isdir(memory) and shutil.disk_usage(memory).free > 2**31:
        tempfile.tempdir = folder = os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="pytest-", dir=memory)
        config.option.basetemp = f"{folder}/tests"
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


@pytest.fixture(autouse=True)
def fresh_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Clear what the developer's shell brings along; processes that a test starts inherit this."""
    for name in list(os.environ):
        if PERSONAL.match(name):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)  # a settings file where pytest was started counts for nothing
    monkeypatch.setenv("DEEP_RESEARCH_HOME", str(tmp_path / "runs"))
    monkeypatch.setenv("PYTHONPATH", str(NO_NETWORK), prepend=os.pathsep)
