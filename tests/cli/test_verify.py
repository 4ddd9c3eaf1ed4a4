"""`verify` and `recheck` on the command line: their contract, and what they say of bad input."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import pytest

from deep_research.components.verifier.citations import Flag
from deep_research.components.verifier.claims import REASONS
from deep_research.components.verifier.marks import LOST
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.wire.server import running_server
from tests.scripted import Script

from .conftest import Command

KEYS = ["report", "kept", "removed", "claims", "sanitized"]
REPORT = """# Towers

The Gull lighthouse is 43 metres tall [1]. It was built in 1902 [2].

| Tower | Height |
|---|---|
| Gull lighthouse | 41 metres [1] |

## References

[1] Gull: https://ormsund.example/gull
[2] https://invented.example/gull
"""
SOURCES = [
    {"url": "https://ormsund.example/gull", "title": "Gull", "text": "The Gull lighthouse is 41 metres tall."}
]


@pytest.fixture
def report(tmp_path: Path) -> str:
    path = tmp_path / "report.md"
    path.write_text(REPORT, encoding="utf-8")
    return str(path)


def sources(tmp_path: Path, data: Any) -> str:
    path = tmp_path / "sources.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return str(path)


def test_verify_json_has_the_keys_of_the_contract(command: Command, report: str, tmp_path: Path) -> None:
    done = command("verify", report, "--sources", sources(tmp_path, SOURCES), "--json")
    found = json.loads(done.out)
    assert (done.status, done.err) == (0, "")
    assert [key for key in found if key in KEYS] == KEYS
    assert [(k["number"], k["url"]) for k in found["kept"]] == [(1, SOURCES[0]["url"])]
    assert [(gone["number"], gone["url"], gone["reason"]) for gone in found["removed"]] == [
        (2, "https://invented.example/gull", "url_not_in_registry")
    ]
    assert [claim["verdict"] for claim in found["claims"]] == ["flagged", "flagged", "evidence_found"]
    assert found["claims"][1]["reasons"] == ["citation_removed"]
    assert found["claims"][0]["reasons"] == ["number"] and found["claims"][0]["checked_by"] == "rules"


def test_verify_prints_the_marked_report_and_says_what_was_wrong(
    command: Command, report: str, tmp_path: Path
) -> None:
    done = command("verify", report, "--sources", sources(tmp_path, SOURCES))
    assert done.status == 0
    assert "The Gull lighthouse is 43 metres tall [1]. ⚠\ufe0e It was built in 1902. ⚠\ufe0e\n" in done.out
    assert "| Gull lighthouse | 41 metres [1] |\n" in done.out and "invented" not in done.out
    assert (
        "citations: 1 kept, 1 removed" in done.err
        and "invented.example/gull: url_not_in_registry" in done.err
    )
    assert "2 cited sentences" in done.err and "evidence found for 1, flagged 1" in done.err


def test_verify_strict_takes_exact_addresses_only(command: Command, tmp_path: Path, report: str) -> None:
    deeper = [{"url": "https://ormsund.example/gull?page=2", "text": SOURCES[0]["text"]}]
    given = sources(tmp_path, deeper)
    lenient, strict = (
        json.loads(command("verify", report, "--sources", given, "--json", *more).out)
        for more in ((), ("--strict",))
    )
    assert len(lenient["kept"]) == 1 and strict["kept"] == []


def test_files_with_a_byte_order_mark_are_read(command: Command, tmp_path: Path, report: str) -> None:
    given = tmp_path / "sources.json"
    given.write_text(json.dumps(SOURCES), encoding="utf-8-sig")
    done = command("verify", report, "--sources", str(given), "--json")
    assert done.status == 0 and len(json.loads(done.out)["kept"]) == 1


def test_verify_without_a_reference_list_says_so(command: Command, tmp_path: Path) -> None:
    (tmp_path / "bare.md").write_text("The Gull is tall [1].\n", encoding="utf-8")
    done = command("verify", str(tmp_path / "bare.md"), "--sources", sources(tmp_path, []))
    assert done.status == 0 and "unverified" in done.err


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("{", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ({"url": "https://a.example"}, "holds no list"),
        ([{"url": "https://a.example"}, {"title": "x"}], "Entry 2"),
        (["https://a.example"], "Entry 1"),
        ([{"url": 5}], "url is no text"),
        ([{"url": "https://a.example", "text": ["x"]}], "text is no text"),
        ([{"url": "https://a.example", "published": [2040]}], "published is no text"),
    ],
)
def test_bad_sources_are_one_clear_line(
    command: Command, report: str, tmp_path: Path, data: Any, said: str
) -> None:
    done = command("verify", report, "--sources", sources(tmp_path, data))
    assert (done.status, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert line.startswith("error: ") and said in line and "needs a list of" in line


@pytest.mark.parametrize("missing", ["report", "sources"])
def test_missing_files_are_one_clear_line(
    command: Command, report: str, tmp_path: Path, missing: str
) -> None:
    given = {"report": report, "sources": sources(tmp_path, SOURCES), missing: "nowhere"}
    done = command("verify", given["report"], "--sources", given["sources"])
    assert (done.status, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1 and "Cannot read 'nowhere'" in done.err


def test_verify_takes_the_files_of_a_run_folder(command: Command, sample: Any, tmp_path: Path) -> None:
    assert command("ask", sample("single_fact"), "--quiet").status == 0
    (folder,) = (tmp_path / "runs").iterdir()
    done = command("verify", str(folder / "report.md"), "--sources", str(folder / "sources.json"), "--json")
    found = json.loads(done.out)
    assert found["report"] == (folder / "report.md").read_text(encoding="utf-8") and found["removed"] == []
    assert {claim["verdict"] for claim in found["claims"]} == {"evidence_found"}
    for named in (folder.name, str(folder)):
        assert json.loads(command("verify", named, "--json").out) == found
    for page in (folder / "pages").iterdir():
        page.write_bytes(b"\xff what nobody has read")
    assert command("verify", folder.name).status == 0


def test_verify_of_a_file_without_sources_and_of_no_run_says_what_is_needed(
    command: Command, report: str
) -> None:
    assert "--sources" in command("verify", report).err and "no run" in command("verify", "nowhere").err
    assert "There is no file 'nowhere.md'" in command("verify", "nowhere.md").err


@pytest.mark.parametrize("shape", ["lines", "results", "null"])
def test_verify_takes_sources_in_every_usual_shape(
    command: Command, report: str, tmp_path: Path, shape: str
) -> None:
    given = [*SOURCES, {"url": "https://ormsund.example/empty", "text": None}]
    lines = "".join(json.dumps(source) + "\n" for source in given)
    data = {"lines": lines, "results": {"results": given}, "null": given}[shape]
    done = command("verify", report, "--sources", sources(tmp_path, data), "--json")
    assert done.status == 0 and len(json.loads(done.out)["kept"]) == 1


def test_verify_tells_what_was_not_retrieved_and_what_is_kept_because_it_is_registered(
    command: Command, tmp_path: Path
) -> None:
    text = "The Gull lighthouse is 41 metres tall [1]. It is white [2].\n\n## Sources\n\n"
    report = tmp_path / "near.md"
    report.write_text(
        f"{text}[1] https://ormsund.example/towers/gull/height\n[2] https://bit.ly/gull\n", encoding="utf-8"
    )
    known = [
        {"url": "https://ormsund.example/towers/gull", "text": SOURCES[0]["text"]},
        {"url": "https://bit.ly/gull", "text": "It is white."},
    ]
    done = command("verify", str(report), "--sources", sources(tmp_path, known))
    assert "not retrieved [1] https://ormsund.example/towers/gull/height: only https://ormsund" in done.err
    assert "kept because it is registered [2] https://bit.ly/gull: shorteners" in done.err
    assert "evidence found for 1, flagged 0, uncheckable 1" in done.err


def test_v13_recheck_on_the_offline_web_finds_all_still_there(
    command: Command, sample: Any, tmp_path: Path
) -> None:
    assert command("ask", sample("comparison"), "--quiet").status == 0
    (folder,) = (tmp_path / "runs").iterdir()
    by_folder, by_id = command("recheck", str(folder), "--json"), command("recheck", folder.name)
    found = json.loads(by_folder.out)
    assert found and {one["status"] for one in found} == {"still_there"}
    assert by_id.status == 0 and f"still there: {len(found)}, changed: 0, gone: 0" in by_id.err
    assert by_id.out.splitlines()[0].split() == ["now", "cites", "claim"]


def test_v13_recheck_of_documents_sees_an_edited_and_a_deleted_file(command: Command, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    gull, heron = docs / "gull.md", docs / "heron.md"
    gull.write_text("# Gull\n\nThe Gull lighthouse is 41 metres tall.\n", encoding="utf-8")
    heron.write_text("# Heron\n\nThe Heron lighthouse is 28 metres tall.\n", encoding="utf-8")
    question = "Which lighthouse is taller, the Gull lighthouse or the Heron lighthouse?"
    assert command("ask", question, "--docs", str(docs), "--quiet").status == 0
    (folder,) = (tmp_path / "runs").iterdir()
    assert {one["status"] for one in json.loads(command("recheck", folder.name, "--json").out)} == {
        "still_there"
    }
    gull.write_text("# Gull\n\nThe Gull lighthouse is 47 metres tall.\n", encoding="utf-8")
    heron.unlink()
    found = json.loads(command("recheck", folder.name, "--json").out)
    states = {one["text"].split()[1]: one["status"] for one in found if len(one["sources"]) == 1}
    assert states == {"Gull": "changed", "Heron": "gone"}
    assert "changed: " in command("recheck", folder.name).err


def test_v13_recheck_of_no_run_is_one_clear_line(command: Command, tmp_path: Path) -> None:
    done = command("recheck", str(tmp_path / "nowhere"))
    assert (done.status, done.out) != (0, "") and len(done.err.splitlines()) == 1
    assert "There is no run" in done.err


def test_fail_on_flagged_makes_doubts_an_exit_status(command: Command, report: str, tmp_path: Path) -> None:
    given = ("--sources", sources(tmp_path, SOURCES), "--fail-on-flagged")
    assert [command("verify", report, *given, *more).status for more in ((), ("--json",))] == [1, 1]
    right = tmp_path / "right.md"
    right.write_text(
        "The Gull lighthouse is 41 metres tall [1].\n\n## References\n\n[1] https://ormsund.example/gull\n",
        encoding="utf-8",
    )
    assert command("verify", str(right), *given).status == 0


def test_v13_recheck_of_a_live_run_asks_first(
    command: Command, sample: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("ask", sample("comparison"), "--quiet").status == 0
    (folder,) = (tmp_path / "runs").iterdir()
    monkeypatch.setattr("deep_research.settings.Settings.is_live", lambda settings: True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nobody-agreed"))
    refused = command("recheck", folder.name)
    assert refused.status == 2 and refused.out == "" and "Add --yes" in refused.err
    assert "Add --yes" not in command("recheck", folder.name, "--yes").err


# findings with codes ------------------------------------------------------------------------------------


def test_sarif_puts_each_finding_on_its_line_of_the_file_as_it_came(
    command: Command, report: str, tmp_path: Path
) -> None:
    Path(report).write_text(f"```markdown\n{REPORT}```\n", encoding="utf-8")
    done = command("verify", report, "--sources", sources(tmp_path, SOURCES), "--format", "sarif")
    log = json.loads(done.out)
    (run,) = log["runs"]
    assert (done.status, log["version"], run["tool"]["driver"]["name"]) == (
        0,
        "2.1.0",
        "deep-research verify",
    )
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    lines = Path(report).read_text(encoding="utf-8").splitlines()
    found = {}
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        region = place["region"]
        assert rules[result["ruleIndex"]] == result["ruleId"] and result["message"]["text"]
        assert result["level"] in ("error", "warning", "note") and region["startLine"] == region["endLine"]
        assert Path(place["artifactLocation"]["uri"]).name == "report.md"
        line = lines[region["startLine"] - 1]
        found[result["ruleId"]] = line[region["startColumn"] - 1 : region["endColumn"] - 1]
    assert found == {
        "number": "The Gull lighthouse is 43 metres tall [1].",
        "citation_removed": "It was built in 1902 [2].",
        "url_not_in_registry": "https://invented.example/gull",
    }


def test_every_reason_that_verify_gives_has_a_code_with_a_line_and_an_example(command: Command) -> None:
    known = json.loads(command("codes", "--json").out)
    given = {*REASONS, LOST, "other_page", *get_args(Flag), "contradicted", "unsupported", "partial"}
    removed = {"url_not_in_registry", "citation_key_not_in_registry", "duplicate", "unverifiable"}
    assert given | removed | {"uncited", "uncheckable"} == set(known)
    listed = command("codes").out
    for code, rule in known.items():
        assert f"{code} ({rule['level']}): {rule['says']}\n    {rule['example']}" in listed


def test_verify_says_what_differs_and_which_checks_ran(command: Command, report: str, tmp_path: Path) -> None:
    done = command("verify", report, "--sources", sources(tmp_path, SOURCES))
    differs = "Not there: “43 metres”. The closest passage, in [1]: “The Gull lighthouse is 41 metres tall.”"
    assert differs in done.err
    assert "checked: each citation" in done.err and "not checked: sentences without a citation" in done.err


def test_an_unknown_format_is_refused_with_the_nearest(command: Command, report: str, tmp_path: Path) -> None:
    done = command("verify", report, "--sources", sources(tmp_path, SOURCES), "--format", "sarfi")
    assert done.status == 2 and "Did you mean 'sarif'?" in done.err


# a judge ------------------------------------------------------------------------------------------------


@contextmanager
def judge(monkeypatch: pytest.MonkeyPatch, model: Any) -> Iterator[None]:
    with running_server(OfflineProvider(model=model)) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "right")
        yield


@pytest.mark.parametrize(
    ("said", "verdicts", "told"),
    [
        (
            {"verdict": "supported", "reason": "I say so."},
            ["supported", "flagged", "supported"],
            ["read 2 of 2", "agrees with the rules on 1 of 2", "differs on “The Gull lighthouse is 43"],
        ),
        (
            {"verdict": "contradicted", "reason": "No."},
            ["contradicted", "flagged", "contradicted"],
            ["agrees with the rules on 1 of 2", "differs on “Gull lighthouse; height: 41"],
        ),
        (
            "I would rather not.",
            ["flagged", "flagged", "evidence_found"],
            ["read 0 of 2", "no verdict on 2, the rules' word stays", "agrees with the rules on 0 of 0"],
        ),
    ],
)
def test_a_judge_that_lies_or_answers_garbage_is_told_beside_the_rules(
    monkeypatch: pytest.MonkeyPatch, command: Command, report: str, tmp_path: Path,
    said: Any, verdicts: list[str], told: list[str],
) -> None:  # fmt: skip
    given = ("verify", report, "--sources", sources(tmp_path, SOURCES), "--judge", "openai:gpt-5-mini")
    with judge(monkeypatch, Script(writer=said, verifier=said)):
        refused = command(*given)
        done = command(*given, "--json", "--yes")
    assert refused.status == 2 and "2 sentences" in refused.err and "--yes" in refused.err
    data = json.loads(done.out)
    assert done.status == 0 and [claim["verdict"] for claim in data["claims"]] == verdicts
    doubted = [verdict for verdict in verdicts if verdict in ("flagged", "contradicted")]
    assert data["report"].count("⚠") == len(doubted)
    assert "number" in data["claims"][0]["reasons"]  # what the rules found stays beside the judge's word
    assert [line for line in told if line not in done.err] == []
    assert data["judge"]["usage"]["model_calls"] > 0 and "US dollars" in done.err


def test_the_offline_model_speaks_as_a_judge_only_behind_a_live_name(
    monkeypatch: pytest.MonkeyPatch, command: Command, report: str, tmp_path: Path
) -> None:
    given = ("verify", report, "--sources", sources(tmp_path, SOURCES), "--judge")
    refused = command(*given, "offline", "--yes")
    assert (refused.status, refused.out) == (2, "") and "cannot judge" in refused.err
    with judge(monkeypatch, None):
        done = command(*given, "openai:gpt-5-mini", "--yes")
    assert done.status == 0 and "judge openai:gpt-5-mini: read" in done.err and "calls," in done.err
