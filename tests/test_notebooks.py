"""The form of the course: what each stored lesson and its solutions must look like.

That their outputs are what a fresh run gives is checked by nbval in `make test`; that a notebook cannot reach
the network, in `test_setup.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import nbformat
import pytest

import deep_research.notebook as displays

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
LESSONS = sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))
SOLUTIONS = sorted((NOTEBOOKS / "solutions").glob("*.ipynb"))
LAST_SECTIONS = ["What broke and how it was fixed", "Takeaways", "Exercises"]
MACHINE = re.compile(r"/(?:home|root|tmp|usr|Users|work)/|[A-Z]:\\\\|\b0x[0-9a-f]{6,}|site-packages|run_id=")

each_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
each_notebook = pytest.mark.parametrize("path", [*LESSONS, *SOLUTIONS], ids=lambda path: path.stem)


def cells(path: Path, kind: str = "") -> list[Any]:
    return [c for c in nbformat.read(path, as_version=4).cells if kind in ("", c.cell_type)]


def headings(path: Path) -> list[str]:
    text = "\n".join(cell.source for cell in cells(path, "markdown"))
    return re.findall(r"^## (.+)$", text, re.MULTILINE)


def output_texts(path: Path) -> Iterator[str]:
    """All text that is stored as output, pictures aside."""
    for cell in cells(path, "code"):
        for output in cell.outputs:
            yield output.get("text", "")
            yield from (text for kind, text in output.get("data", {}).items() if kind.startswith("text/"))


def test_lessons_have_a_number_each_and_the_title_shows_it() -> None:
    numbers = [int(path.stem[:2]) for path in LESSONS]
    assert numbers[0] == 0 and len(set(numbers)) == len(numbers)
    for path, number in zip(LESSONS, numbers, strict=True):
        assert cells(path)[0].source.startswith(f"# {number} · ")


@each_lesson
def test_cells_are_short(path: Path) -> None:
    lines = sorted(len(cell.source.splitlines()) for cell in cells(path, "code"))
    assert median(lines) <= 5
    assert lines[len(lines) * 9 // 10 - 1] < 15
    assert lines[-1] <= 25


@each_lesson
def test_lesson_opens_with_versions_and_the_place_in_the_system(path: Path) -> None:
    first, second = cells(path, "code")[:2]
    assert "show_versions(" in first.source
    assert first.metadata.tags == ["nbval-ignore-output"]
    assert headings(path)[0] == "Where we are"
    assert "draw(graph" in second.source
    assert list(second.outputs[0].data) == ["image/png", "text/plain"]


@each_lesson
def test_lesson_ends_with_a_repaired_defect_takeaways_and_three_solved_exercises(path: Path) -> None:
    assert headings(path)[-3:] == LAST_SECTIONS
    last = cells(path)[-1].source
    titles = re.findall(r"^(\d)\. \*\*(.+?)\.?\??\*\*", last, re.MULTILINE)
    assert [number for number, _ in titles] == ["1", "2", "3"]
    solution = NOTEBOOKS / "solutions" / f"{path.stem}_solutions.ipynb"
    assert f"(solutions/{solution.name})" in last
    solved = [heading.rstrip("?.") for heading in headings(solution)]
    assert solved == [f"{number}. {title}" for number, title in titles]


@each_notebook
def test_notebook_is_executed_in_order_and_without_error(path: Path) -> None:
    code = cells(path, "code")
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    kinds = [output.output_type for cell in code for output in cell.outputs]
    assert kinds and "error" not in kinds
    assert not [o for c in code for o in c.outputs if o.get("name") == "stderr"]


@each_notebook
def test_stored_outputs_hold_nothing_of_the_machine(path: Path) -> None:
    for text in output_texts(path):
        found = MACHINE.search(text)
        assert found is None, f"{found and found.group()} in: {text[:200]}"


@each_notebook
def test_notebook_is_small_and_its_metadata_minimal(path: Path) -> None:
    assert path.stat().st_size < 300_000
    notebook = nbformat.read(path, as_version=4)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert {key for cell in notebook.cells for key in cell.metadata} <= {"tags"}


def test_the_map_names_every_lesson_and_only_modules_and_displays_that_exist() -> None:
    readme = (NOTEBOOKS / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| \[.+?\]\((\d\d_\w+\.ipynb)\)", readme, re.MULTILINE) == [p.name for p in LESSONS]
    for row in re.findall(r"^\| \[.+\| ([^|]+) \|$", readme, re.MULTILINE):
        for module in re.findall(r"`([\w.]+)`", row):
            assert find_spec(module if "offline" in module else f"deep_research.{module}"), module
    shown = set(re.findall(r"^\| `(\w+)\(", readme, re.MULTILINE))
    assert shown == set(displays.__all__) - {"Display"}
