"""The lists are generated from code, complete, and readable by programs too."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from deep_research.settings import Settings, flat_settings, load_settings
from deep_research.settings.presets import PRESETS
from deep_research.systems import SYSTEMS
from deep_research_offline.web import build_web
from deep_research_offline.web.types import KINDS

from .conftest import Command


def test_questions_lists_every_sample_with_class_and_language(command: Command) -> None:
    shown = json.loads(command("questions", "--json").out)
    assert sorted(q["id"] for q in shown) == sorted(q.id for q in build_web().questions)
    assert {q["class"] for q in shown} == set(KINDS)
    assert all(q["text"] in command("questions").out for q in shown[:3])


@pytest.mark.parametrize("kind", KINDS)
def test_questions_of_one_class(command: Command, kind: str) -> None:
    shown = json.loads(command("questions", kind, "--json").out)
    assert len(shown) >= 6 and {q["class"] for q in shown} == {kind}


def test_systems_names_each_design_and_its_origin(command: Command) -> None:
    shown = command("systems").out
    assert all(system.name in shown and system.origin in shown for system in SYSTEMS.values())


def test_systems_say_which_extra_a_design_needs_and_whether_it_is_there(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs = "needs the package 'deepagents' (extra 'deepagents'), which"
    assert f"{needs} is installed" in command("systems").out
    lacking = replace(SYSTEMS["deep_researcher"], needs=("no_such_library", "deepagents"))
    monkeypatch.setitem(SYSTEMS, "deep_researcher", lacking)
    assert "is not installed: pip install 'deep-research[deepagents]'" in command("systems").out
    rows = {row["name"]: row["needs"] for row in json.loads(command("systems", "--json").out)}
    assert rows["deep_researcher"]["installed"] is False and rows["graph_agent"] is None


def test_presets_show_what_a_preset_really_sets(command: Command) -> None:
    grid = json.loads(command("presets", "--json").out)
    assert grid.keys() == PRESETS.keys()
    for system, rows in grid.items():
        for preset in ("small", "quick", "medium", "deep", "auto"):
            in_force = {
                k: v for k, v, _ in flat_settings(load_settings({"system": system, "preset": preset}))
            }
            assert all(row[preset] == in_force[key] for key, row in rows.items())
    limits = {key for key, _, _ in flat_settings(Settings()) if key.startswith(("limits.", "budget."))}
    assert all(limits <= rows.keys() for rows in grid.values())


def test_presets_fit_eighty_columns(command: Command) -> None:
    assert max(len(line) for line in command("presets").out.splitlines()) <= 80


def test_a_limit_that_is_the_same_in_all_designs_stands_once(command: Command) -> None:
    grid = json.loads(command("presets", "--json").out)
    first = grid["open_deep_research"]
    same = [key for key, row in first.items() if all(rows.get(key) == row for rows in grid.values())]
    told = [line.split()[0] for line in command("presets").out.splitlines() if line.strip()]
    assert len(same) > 15 and all(told.count(key) == 1 for key in same)


def test_settings_say_where_each_value_comes_from(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEEP_RESEARCH_MODEL_WRITER", "offline:rambling")
    (tmp_path / "deep-research.toml").write_text(
        "concurrency = 2\nlimits.max_searches = 4\n", encoding="utf-8"
    )
    shown = command("settings", "--set", "limits.max_searches=3", "--preset", "quick", "--json")
    found = {row["key"]: (row["value"], row["from"]) for row in json.loads(shown.out)}
    assert found["limits.max_searches"] == (3, "argument")
    assert found["concurrency"] == (2, "deep-research.toml")
    assert found["models.writer"] == ("offline:rambling", "environment")
    assert found["search.results"] == (3, "preset quick")
    assert found["language"] == ("auto", "default")


def test_printed_settings_are_a_settings_file(command: Command, tmp_path: Path) -> None:
    shown = command("settings", "--set", "scope.glossary.飞艇=airship", "--budget", "tokens=5000")
    assert shown.status == 2  # --budget belongs to ask
    shown = command("settings", "--set", "scope.glossary.飞艇=airship", "--set", "budget.tokens=5000")
    (tmp_path / "copy.toml").write_text(shown.out, encoding="utf-8")
    expected = load_settings({"scope.glossary.飞艇": "airship", "budget.tokens": 5000})
    assert load_settings(file=tmp_path / "copy.toml").model_dump() == expected.model_dump()
    assert all(meaning in shown.out for _, _, meaning in flat_settings(expected))


def test_the_time_of_a_run_is_that_which_passed_not_the_sum_of_calls_side_by_side(
    command: Command, tmp_path: Path
) -> None:
    question = next(one.text for one in build_web().questions if one.kind == "comparison")
    report = json.loads(command("ask", question, "--json", "--quiet", "--out", "kept").out)
    lines = (tmp_path / "kept" / report["run_id"] / "trace.jsonl").read_text(encoding="utf-8").splitlines()
    (run,) = json.loads(command("runs", "--json", "--out", "kept").out)
    assert run["seconds"] == max(json.loads(line)["end"] for line in lines)
    assert 0 < run["seconds"] < report["usage"]["seconds"]


def test_runs_say_what_they_took_and_show_prints_or_opens_their_report(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    asked = command("ask", build_web().questions[0].text, "--system", "shallow_researcher", "--quiet")
    (run,) = json.loads(command("runs", "--json").out)
    assert (run["system"], run["status"], run["cost_usd"]) == ("shallow_researcher", "complete", 0.0)
    assert (
        "shallow_researcher  complete" in (shown := command("runs").out)
        and f"{run['seconds']:.0f} s" in shown
    )
    assert command("show", run["run_id"]).out == asked.out and not opened
    assert command("show", run["run_id"], "--open").status == 0
    assert opened and Path(opened[0].removeprefix("file://")).read_text().startswith("<!doctype html>")
