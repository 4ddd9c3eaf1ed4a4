"""Commands are called in this process for speed, and as real processes where that is the point."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from deep_research.__main__ import main


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command left: its exit status and what it printed."""

    status: int
    out: str
    err: str


Command = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def own_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whether the developer ever agreed to live runs counts for nothing here."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Call the command line in this process."""

    def call(*argv: str) -> Outcome:
        capsys.readouterr()
        status = main(argv)
        printed = capsys.readouterr()
        return Outcome(status, printed.out, printed.err)

    return call


@pytest.fixture
def process() -> Command:
    """Call the command line as a process of its own, without a terminal."""

    def call(*argv: str, stdin: str = "", **env: str) -> Outcome:
        done = subprocess.run(
            [sys.executable, "-m", "deep_research", *argv],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, **env},
            timeout=100,
            check=False,
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture(scope="session")
def sample() -> Callable[[str, str], str]:
    """A sample question of the default web, by class and language."""
    from deep_research_offline.web import build_web

    def text(kind: str, language: str = "en") -> str:
        return next(q.text for q in build_web().questions if (q.kind, q.lang) == (kind, language))

    return text
