"""`fork`, `diff` and `ask --after` as commands."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Command

QUESTION = "How many mooring masts does Port Brudoji have?"
SHORT = ("--set", "limits.max_researcher_iterations=1", "--yes", "--quiet")


def test_a_fork_is_a_run_of_its_own_that_pays_for_what_is_new_only(command: Command, tmp_path: Path) -> None:
    out = ("--out", str(tmp_path))
    first = json.loads(command("ask", QUESTION, *SHORT, *out, "--json").out)
    again = json.loads(command("fork", first["run_id"], "--at", "writer", *out, "--json").out)
    assert again["run_id"] != first["run_id"] and again["report"] == first["report"]
    assert (again["usage"]["model_calls"], again["usage"]["searches"]) == (1, 0)
    same = command("diff", first["run_id"], again["run_id"], *out)
    assert same.status == 0 and "kept" in same.out and "gone" not in same.out
    listed = json.loads(command("diff", first["run_id"], again["run_id"], *out, "--json").out)
    assert {claim["change"] for claim in listed["claims"]} == {"kept"}
    refused = command("fork", first["run_id"], "--at", "painter", *out)
    assert refused.status == 2 and "no step 'painter'" in refused.err


def test_a_fork_says_of_what_it_blocks_that_no_source_of_the_run_is_it(
    command: Command, tmp_path: Path
) -> None:
    """A slip of the pen made a run without any change, in silence."""
    out = ("--out", str(tmp_path))
    first = json.loads(command("ask", QUESTION, *SHORT, *out, "--json").out)
    known = first["sources"][0]["url"]
    blocked = ("--block", known, "--block", "https://no.example")
    told = command("fork", first["run_id"], *blocked, *out, "--quiet")
    assert [line for line in told.err.splitlines() if line.startswith("note:")] == [
        "note: no source of this run is 'https://no.example'."
    ]


def test_a_run_is_named_by_its_folder_too(command: Command, tmp_path: Path) -> None:
    first = json.loads(command("ask", QUESTION, *SHORT, "--out", str(tmp_path / "kept"), "--json").out)
    folder = (
        str(tmp_path / "kept" / first["run_id"]) + "/"
    )  # as "kept in …" says it, and a shell completes it
    for done in (command(name, folder, "--json") for name in ("show", "resume", "fork", "verify")):
        assert done.status == 0 and json.loads(done.out)["report"].startswith("# How many")
    assert "gone" not in command("diff", folder, folder).out
    later = json.loads(command("ask", "Who built it?", "--after", folder, "--json", "--quiet").out)
    asked = json.loads((tmp_path / "runs" / later["run_id"] / "run.json").read_text(encoding="utf-8"))
    assert asked["goes_on"] == {"how": "after", "run_id": first["run_id"]}


def test_a_follow_up_has_the_settings_of_its_report_and_needs_no_search(
    command: Command, tmp_path: Path
) -> None:
    out = ("--out", str(tmp_path))
    asked = (*SHORT, "--set", "web.seed=1", "--system", "shallow_researcher")
    first = json.loads(command("ask", "How long is the airship Vevinsa?", *asked, *out, "--json").out)
    done = command("ask", "Who built it?", "--after", first["run_id"], "--quiet", *out, "--json")
    report = json.loads(done.out)
    assert report["system"] == "shallow_researcher" and report["usage"]["searches"] == 0
    assert report["usage"]["model_calls"] == 2 and "Vevinsa" in report["report"]
    assert command("ask", "Who built it?", "--after", "abc", *out).status == 2
