"""`doctor` says what a run would use and why, shows no key, and checks the offline side in-process."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Command


def test_a_sound_installation_is_all_well(command: Command, tmp_path: Path) -> None:
    done = command("doctor")
    assert done.status == 0, done.out
    assert "would be offline, at no cost" in done.out
    assert "the model answers" in done.out
    assert not (tmp_path / "runs").exists()  # looking changes nothing


def test_keys_are_reported_but_never_shown(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    done = command("doctor")
    assert "secret" not in done.out + done.err
    assert "openai:gpt-5-mini (environment)" in done.out and "tavily (environment)" in done.out
    assert "http://127.0.0.1:9/v1" in done.out


def test_a_key_in_an_address_is_refused_and_not_shown(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1?key=hunter2")
    done = command("doctor")
    assert done.status == 1 and "base_url" in done.out and "OPENAI_API_KEY" in done.out
    assert "hunter2" not in done.out + done.err


def test_a_start_that_would_be_refused_is_found(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    done = command("doctor")
    assert done.status == 1
    assert "would be refused" in done.out and "TAVILY_API_KEY" in done.out


def test_a_bad_settings_file_is_found(command: Command, tmp_path: Path) -> None:
    (tmp_path / "deep-research.toml").write_text("concurency = 2\n", encoding="utf-8")
    done = command("doctor")
    assert done.status == 1
    assert "Did you mean 'concurrency'?" in done.out
