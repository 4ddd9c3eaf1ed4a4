"""What the README and docs/using.md promise: every command in them runs, every file they name is there."""

from __future__ import annotations

import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from benchmarks.evidence import figure, read
from benchmarks.typed import VERDICTS
from deep_research.__main__ import main
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web import build_web
from deep_research_offline.wire.server import running_server

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
USING = (ROOT / "docs" / "using.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README + USING, re.DOTALL)
SHELL = [line.split("#")[0].strip() for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
COMMANDS = [line for line in SHELL if line.startswith("deep-research ")]
TARGETS = [line.split()[1] for line in SHELL if line.startswith("make ")]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_readme_runs(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "club.md").write_text("# The chess club\n\nMary Ferris founded the club in 1921.\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    arguments = [part.replace("~", str(tmp_path)) for part in shlex.split(command)[1:]]
    if "openai:NAME" not in arguments:
        assert main(arguments) == 0
        return
    assert any(line.startswith("export OPENAI_BASE_URL=http://127.0.0.1") for line in SHELL)
    with running_server(OfflineProvider(web=build_web())) as address:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
        assert main([*arguments, "--yes"]) == 0


@pytest.mark.parametrize("target", TARGETS)
def test_every_make_target_of_the_readme_exists(target: str) -> None:
    planned = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True)
    assert planned.returncode == 0, planned.stderr


@pytest.mark.parametrize(
    ("code", "shows"),
    list(zip([text for kind, text in BLOCKS if kind == "python"], ["## Sources", "answered"], strict=True)),
)
def test_every_python_example_of_the_readme_runs(
    code: str, shows: str, capsys: pytest.CaptureFixture[str]
) -> None:
    names: dict[str, Any] = {}
    exec(compile(code, "README.md", "exec"), names)
    assert shows in capsys.readouterr().out
    if "table" in names:  # an example of a comparison has to show a difference
        assert (names["table"].groupby("setting").answered.sum() > 0).to_dict() == {
            "few hits": False,
            "many": True,
        }


def test_every_file_that_the_readme_names_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README) + [
        f"docs/{to}" for to in re.findall(r"\]\(([^)#]+)\)", USING)
    ]
    paths = re.findall(r"`([a-z_]+/[a-z_/]*(?:\.py|\.md|/)?)`", README + USING)
    places = ("", "deep_research", "tests", "deep_research/settings")
    missing = [path for path in links if not path.startswith("http") and not (ROOT / path).exists()]
    missing += [path for path in paths if not any((ROOT / place / path).exists() for place in places)]
    assert not missing


def test_the_map_has_one_row_per_room_in_the_order_of_the_contract() -> None:
    tree = re.findall(r"```\n(deep_research/.*?)```", README, re.DOTALL)[0]
    rows = re.findall(r"^    ([a-z_]+)/ ", tree, re.MULTILINE)
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = [layer.removeprefix("deep_research.") for layer in contracts["contracts"][0]["layers"]]
    assert rows == layers
    assert {*rows} == {path.parent.name for path in (ROOT / "deep_research").glob("*/__init__.py")}


def test_what_the_readme_says_of_the_offline_model_is_what_was_measured() -> None:
    typed = [figure(f"typed|kept aside: together|{name}", read()) for name in ("n", *VERDICTS)]
    said = re.search(
        r"Of (\d+) look-ups.*?gets (\d+) right and (\d+) more .*?; (\d+) .*? declines, (\d+) it misses"
        r".*? (\d+) are",
        README,
    )
    assert said and [*said.groups()] == typed
    samples = [
        figure(f"samples|all look-ups|{name}", read()) for name in ("mean of the later seeds", "libraries")
    ]
    samples.append(figure("samples|report|mean of the later seeds", read()))
    samples.append(
        figure("report_phrasings|kept aside: together//everyday|coverage", read()).removesuffix(" %")
    )
    told = re.search(
        r"answers (\d+) % on webs.*? (\d+) % in the other domain.*?about (\d+) %.*?and (\d+) % where", README
    )
    assert told and [*told.groups()] == [f"{float(share):.0f}" for share in samples]


def test_what_a_learner_does_stands_before_everything_else() -> None:
    assert len(README.splitlines()) < 150
    headings = re.findall(r"^## (.+)$", README, re.MULTILINE)
    assert headings[:3] == ["What to expect", "Learn", "Ask"]
    assert not any(word in README for word in ("sarif", "recheck", "--chaos", "serve-offline"))


def test_the_first_command_stands_within_the_first_200_words() -> None:
    assert len(README[: README.index("make demo")].split()) < 200
