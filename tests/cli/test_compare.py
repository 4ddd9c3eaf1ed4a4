"""`compare`: a grid file gives tables and pictures, or one clear line."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from deep_research.evaluation.samples import SHOWN

GRID = """
classes = ["single_fact"]
limit = 1
systems = ["single_shot"]
settings.search.results = 3
[variants.few]
search.results = 2
[variants.capped]
budget.tokens = 20_000
"""


def grid(folder: Path, text: str = GRID) -> str:
    path = folder / "grid.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_grid_becomes_tables_rows_and_pictures(command, tmp_path):
    done = command("compare", grid(tmp_path), "--out", str(tmp_path / "out"))
    assert done.status == 0 and re.search(r"^single_shot  capped   1       0 ", done.out, re.MULTILINE)
    assert "2/2 single_shot" in done.err
    rows = json.loads((tmp_path / "out/rows.json").read_text())
    with (tmp_path / "out/rows.csv").open() as file:
        assert [row["setting"] for row in csv.DictReader(file)] == ["few", "capped"]
    assert [row["setting"] for row in rows] == ["few", "capped"] and rows[0]["fact_recall"] is not None
    assert rows[0]["input_tokens"] < rows[1]["input_tokens"]
    assert "| single_shot | capped | 1 | 0 |" in (tmp_path / "out/tables.md").read_text()
    assert {path.suffix for path in (tmp_path / "out").iterdir()} == {".csv", ".json", ".md", ".png"}
    again = command("compare", grid(tmp_path), "--json")
    assert "kept" in again.err and json.loads(again.out) == rows


WIDE = f"""
questions = ["Who runs Port Brudoji?"]
classes = ["single_fact"]
limit = 1
systems = ["open_deep_research", "single_shot"]
[variants.{"a" * 30}]
search.results = 2
[variants.capped]
budget.tokens = 20_000
"""


def test_tables_fit_a_screen_and_lose_no_figure(command, tmp_path):
    done = command("compare", grid(tmp_path, WIDE), "--out", str(tmp_path / "out"), "--quiet")
    assert done.status == 0 and f"{'a' * 23}…" in done.out, done.err
    assert max(map(len, done.out.splitlines())) <= 80
    tables = (tmp_path / "out/tables.md").read_text().splitlines()
    heading, _, row = tables[tables.index("## All questions") + 2 :][:3]
    printed = done.out.partition("## Why loops ended")[0].split()
    assert {*heading.split(), *row.replace("a" * 30, f"{'a' * 23}…").split()} - {"|"} <= {*printed}


def test_bench_fits_a_screen_too(command, monkeypatch):
    result = {"open_deep_research": {"overall": dict.fromkeys(SHOWN, 0.5) | {"n": 8}, "classes": {}}}
    monkeypatch.setattr("deep_research.cli.compare.bench_samples", lambda *_: result)
    out = command("bench", "samples").out
    assert max(map(len, out.splitlines())) <= 80 and set(SHOWN.values()) <= set(out.split())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("questions = [", "not valid TOML"),
        ("question = ['Who?']", "Did you mean 'questions'?"),
        ("questions = 'Who?'", "questions: a list is wanted"),
        ("questions = ['Who?']\nsystems = ['single_shoot']", "single_shoot"),
        ("questions = ['Who?']\nsettings.serach.results = 2", "Did you mean 'search.results'?"),
        ("questions = ['Who?']\nvariants.few = 3", "variants.few: a table is wanted"),
        ("classes = ['multihop']", "Unknown class of questions 'multihop'"),
        ("", "a question or a system is missing"),
        ("questions = ['Who?']\nsettings.system = 'graph_agent'", "Name the designs in `systems`"),
        ("questions = ['Who?']\n[variants.a]\nsystem = 'graph_agent'", "Name the designs in `systems`"),
        ("questions = ['Who?', 'who? ']", "'who? ' stands in it twice"),
        ("questions = ['Who?']\nlimit = 2", "limit is about classes"),
    ],
)
def test_a_bad_grid_is_refused_in_one_line_with_a_way_out(command, tmp_path, text, said):
    done = command("compare", grid(tmp_path, text))
    assert done.status == 2 and said in done.err and len(done.err.splitlines()) <= 2 and not done.out


def test_a_grid_that_is_not_there_is_refused(command, tmp_path):
    done = command("compare", str(tmp_path / "none.toml"))
    assert done.status == 2 and "none.toml" in done.err


def test_a_live_grid_needs_a_yes(command, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("TAVILY_API_KEY", "k")
    done = command("compare", grid(tmp_path, "questions = ['Who?']\nsystems = ['auto']"))
    assert done.status == 2 and "1 of 1 runs are live" in done.err and "needs a yes" in done.err


def test_a_grid_takes_the_words_of_the_command_line(command, tmp_path):
    text = GRID.replace(
        "settings.search.results = 3", 'settings.model = "offline"\nsettings.preset = "quick"'
    )
    text = text.replace("search.results = 2", 'search = "offline"')
    assert command("compare", grid(tmp_path, text), "--quiet").status == 0
    done = command("compare", grid(tmp_path, 'preset = "quick"'))
    assert done.status == 2 and "Write settings.preset." in done.err
