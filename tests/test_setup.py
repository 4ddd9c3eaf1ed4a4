"""The set-up promises: one set of packages in three files, every import declared, no network in any run."""

from __future__ import annotations

import ast
import importlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import distributions, packages_distributions
from pathlib import Path
from shutil import which

import nbformat
import pytest
import yaml
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCK = [
    Requirement(line)
    for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def direct_requirements() -> Iterator[Requirement]:
    """What pyproject.toml asks for, its extras included, the project itself left out."""
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    for text in (text for group in groups for text in group):
        requirement = Requirement(text)
        if requirement.name != PROJECT["name"]:
            yield requirement


def test_lock_pins_every_direct_dependency_within_its_range() -> None:
    pins = {canonicalize_name(pin.name): pin for pin in LOCK}
    for wanted in direct_requirements():
        pin = pins.get(canonicalize_name(wanted.name))
        assert pin is not None, f"{wanted.name} is not in requirements.lock: run `make lock`"
        version = next(iter(pin.specifier)).version
        assert wanted.specifier.contains(version), f"requirements.lock has {pin}, not {wanted}"


def test_lock_holds_names_and_exact_versions_only() -> None:
    for pin in LOCK:
        assert pin.url is None
        assert [specifier.operator for specifier in pin.specifier] == ["=="], f"not an exact version: {pin}"


CHOSEN_LICENCES = {"forbiddenfruit": "License :: OSI Approved :: MIT License"}
"""Which licence a package is used under that leaves the choice."""


def test_no_package_has_a_licence_that_binds_what_uses_it() -> None:
    installed = {canonicalize_name(one.name): one.metadata for one in distributions()}
    for about in (installed[name] for pin in LOCK if (name := canonicalize_name(pin.name)) in installed):
        named = about.get_all("Classifier") or []
        if (chosen := CHOSEN_LICENCES.get(about["Name"])) in named:
            named = [chosen]
        licence = [about.get("License-Expression") or about.get("License", "")[:100], *named]
        bound = re.search(r"\bA?GPL|(?<!Lesser )General Public|Affero", "; ".join(licence))
        assert not bound, f"{about['Name']} has the licence {bound[0] if bound else ''}"


def test_every_extra_is_part_of_all() -> None:
    extras = PROJECT["optional-dependencies"]
    (everything,) = map(Requirement, extras["all"])
    assert everything.extras == extras.keys() - {"all"}


def test_environment_yml_installs_what_the_makefile_installs() -> None:
    text = (ROOT / "environment.yml").read_text(encoding="utf-8")
    python, _, pip = yaml.safe_load(text)["dependencies"]
    assert pip == {"pip": ["-c requirements.lock", "-e .[all]"]}
    assert Requirement(python).specifier.contains("3.11")
    assert PROJECT["requires-python"] in str(Requirement(python).specifier)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "--constraint requirements.lock" in makefile
    assert "--editable '.[all]'" in makefile


@pytest.mark.parametrize("name", ["pyproject.toml", "requirements.lock", "environment.yml"])
def test_no_package_address_is_written_down(name: str) -> None:
    assert "://" not in (ROOT / name).read_text(encoding="utf-8")


def test_s1_langgraph_json_lists_every_system_as_a_compiled_graph() -> None:
    """Importing a system's module is enough to draw its graph; no key is set here."""
    listed = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"]
    folders = [path.parent.name for path in (ROOT / "deep_research" / "systems").glob("*/graph.py")]
    assert listed == {name: f"deep_research.runs.served:{name}" for name in folders}
    for name in listed:
        graph = vars(importlib.import_module("deep_research.runs.served"))[name]
        assert "graph TD" in graph.get_graph(xray=True).draw_mermaid()


@pytest.mark.parametrize(
    ("module", "line", "kept"),
    [
        ("text/urls.py", "", True),
        ("text/urls.py", "from deep_research.core.records import Source", False),
        ("engine/calls.py", "from deep_research_offline.provider import OfflineProvider", False),
    ],
)
def test_the_contract_refuses_an_import_against_the_order_of_the_rooms(
    module: str, line: str, kept: bool, tmp_path: Path
) -> None:
    for package in ("deep_research", "deep_research_offline"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / "deep_research" / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    checked = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (checked.returncode == 0) is kept, checked.stdout


def imported_modules(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


@pytest.mark.parametrize(
    "folder", ["deep_research", "deep_research_offline", "tests", "benchmarks", "scripts"]
)
def test_every_imported_package_is_declared(folder: str) -> None:
    declared = {canonicalize_name(requirement.name) for requirement in direct_requirements()}
    own = {"deep_research", "deep_research_offline", "benchmarks", "tests", *sys.stdlib_module_names}
    distributions = packages_distributions()
    undeclared = {
        f"{path.relative_to(ROOT)}: {module}"
        for path in (ROOT / folder).rglob("*.py")
        for module in set(imported_modules(path)) - own
        if not declared & {canonicalize_name(name) for name in distributions.get(module, [])}
    }
    assert not undeclared, "imported, but not in pyproject.toml: " + ", ".join(sorted(undeclared))


def execute(code: str) -> str:
    """Run one cell in a fresh kernel and return what it printed."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    NotebookClient(notebook, timeout=100, kernel_name="python3").execute()
    return "".join(output.get("text", "") for output in notebook.cells[0].outputs)


def test_a_notebook_that_calls_out_fails() -> None:
    for call in ('create_connection(("192.0.2.1", 80), timeout=5)', 'getaddrinfo("tavily.example", 443)'):
        with pytest.raises(CellExecutionError, match="NetworkBlocked"):
            execute(f"import socket; socket.{call}")


def test_a_notebook_reaches_servers_on_this_machine() -> None:
    cell = 'import socket; s = socket.create_server(("127.0.0.1", 0)); '
    cell += 'socket.create_connection(("localhost", s.getsockname()[1])); print("connected")'
    assert execute(cell) == "connected\n"


def test_offline_script_hides_keys_and_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OTHER_API_KEY", "DEEP_RESEARCH_MODEL_WRITER", "LANGSMITH_TRACING"):
        monkeypatch.setenv(name, "secret")
    shown = subprocess.run([ROOT / "scripts" / "offline", "env"], capture_output=True, text=True, check=True)
    assert "secret" not in shown.stdout


@pytest.mark.skipif(not which("make"), reason="needs make")
def test_make_lets_processes_share_bytecode_where_the_shell_forbids_it_beside_the_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    (tmp_path / "module.py").write_text("", encoding="utf-8")
    venv = tmp_path / "venv"
    target = f'import-it:\n\t@cd "{tmp_path}" && "{sys.executable}" -c "import module"\n'
    (tmp_path / "more.mk").write_text(target, encoding="utf-8")
    makefiles = ["-f", str(ROOT / "Makefile"), "-f", str(tmp_path / "more.mk")]
    subprocess.run(["make", *makefiles, f"VENV={venv.name}", "import-it"], cwd=tmp_path, check=True)
    assert list(venv.rglob("module.*.pyc")), "every process compiles the module again"
    assert not (tmp_path / "__pycache__").exists()


def test_a_python_that_is_too_old_is_named_with_the_way_out(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\ncase "$2" in *print*) echo 3.9 ;; *) exit 1 ;; esac\n', encoding="utf-8")
    old.chmod(0o755)
    found = subprocess.run(
        [ROOT / "scripts" / "find-python"],
        env={"PATH": f"{tmp_path}:/bin", "PYTHON": str(old)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 1
    assert "3.11 or newer" in found.stderr and "3.9" in found.stderr and "PYTHON=" in found.stderr
