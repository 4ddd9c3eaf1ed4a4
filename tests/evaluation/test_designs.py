"""The designs under one budget: the proof itself, in small."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchmarks.designs import overview, refresh, report
from deep_research.evaluation.compare import plan_cells, run_cells
from deep_research.evaluation.comparison_rows import ComparisonRows, rows_of
from deep_research.systems import SYSTEMS
from deep_research_offline.web import build_web

CALLS, SEARCHES = 30, 8


@pytest.fixture(scope="module")
def rows() -> ComparisonRows:
    """Every design on one question, and the two quickest on another."""
    comparison, chain = (
        next(q for q in build_web().questions if q.kind == kind) for kind in ("comparison", "multi_hop")
    )
    budget = {"budget.model_calls": CALLS, "budget.searches": SEARCHES}
    cells = plan_cells([comparison], [*SYSTEMS, "single_shot"], budget)
    cells += plan_cells([chain], ["shallow_researcher", "single_shot"], budget)
    return rows_of(cells, asyncio.run(run_cells(cells, cache=False)))


def test_must2_every_design_answers_within_one_budget_and_no_worse_than_one_search(
    rows: ComparisonRows,
) -> None:
    baseline = {row["class"]: row["answered"] for row in rows if row["system"] == "single_shot"}
    for row in rows:
        told = f"{row['system']}, {row['class']}"
        assert row["status"] in ("complete", "partial"), told
        assert row["model_calls"] <= CALLS and row["searches"] <= SEARCHES, told
        assert row["answered"] >= baseline[row["class"]] and row["citation_precision"] >= 0.9, told


def test_must2_the_tables_hold_every_design_beside_one_search(rows: ComparisonRows) -> None:
    shown = report(rows)
    for title in (
        "All questions",
        "comparison",
        "multi_hop",
        "Answered or covered, by class",
        "Why loops ended",
    ):
        assert f"## {title}\n" in shown
    assert f"| class | measure | {' | '.join([*SYSTEMS, 'single_shot'])} |" in shown
    assert shown.endswith("## Worse than one search\n\nNone.\n")


def test_must2_a_design_that_is_worse_than_one_search_is_named(rows: ComparisonRows) -> None:
    worse = [row | {"answered": 0.0} if row["system"] == "auto" else row for row in rows]
    assert "| auto | comparison | answered | 0.0 % | " in report(worse)


def test_the_figures_of_the_page_are_replaced_and_the_rest_of_it_stays(
    rows: ComparisonRows, tmp_path: Path
) -> None:
    page = tmp_path / "designs.md"
    page.write_text("# Before\n\n<!-- measured -->\nold\n<!-- /measured -->\n\nAfter.\n")
    for _ in range(2):
        refresh(page, overview(rows))
    shown = page.read_text()
    assert shown.startswith("# Before\n\n<!-- measured -->\n\n| system |") and "old" not in shown
    assert shown.endswith("<!-- /measured -->\n\nAfter.\n") and shown.count("| single_shot | 2 | 0 |") == 1
