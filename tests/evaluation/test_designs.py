"""The designs under one budget, on one question of two classes: the proof itself, in small."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from deep_research.evaluation.comparison import rows_of
from deep_research.experiments import plan, run_cells
from deep_research.offline.web import build_web
from deep_research.systems import SYSTEMS

ROOT = Path(__file__).resolve().parents[2]
CALLS, SEARCHES = 30, 8


async def test_must2_every_design_answers_within_one_budget_and_no_worse_than_one_search():
    questions = [
        next(q for q in build_web().questions if q.kind == kind) for kind in ("comparison", "multi_hop")
    ]
    budget = {"budget.model_calls": CALLS, "budget.searches": SEARCHES}
    cells = plan(questions, [*SYSTEMS, "single_shot"], budget)
    rows = rows_of(cells, await run_cells(cells, cache=False))
    baseline = {row["class"]: row["fact_recall"] for row in rows if row["system"] == "single_shot"}
    for row in rows:
        told = f"{row['system']}, {row['class']}"
        assert row["status"] in ("complete", "partial"), told
        assert row["model_calls"] <= CALLS and row["searches"] <= SEARCHES, told
        assert row["fact_recall"] >= baseline[row["class"]] and row["citation_precision"] >= 0.9, told


def test_must2_the_proof_prints_every_design_beside_one_search():
    command = [sys.executable, "-m", "benchmarks.designs", "--systems", "shallow_researcher", "--limit", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=50)
    assert done.returncode == 0, done.stderr
    assert "Budget of a run: 40 model calls, 12 searches." in done.stdout
    for title in ("All questions", "multi_hop", "Fact recall by class", "Why loops ended"):
        assert f"## {title}\n" in done.stdout
    assert "| class | shallow_researcher | single_shot |" in done.stdout
