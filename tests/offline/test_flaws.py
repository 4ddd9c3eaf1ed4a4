"""What becomes of the offline model's faults: no design ends complete with a statement that is false."""

from __future__ import annotations

import pytest

from benchmarks.awkward import untrue_statements
from deep_research.runs import aresearch
from deep_research.settings import load_settings
from deep_research.systems import SYSTEMS
from deep_research_offline.web import build_web

WEB = build_web(0)
ASKED = next(question for question in WEB.questions if question.kind == "single_fact")
FLAWS = ("uncited", "lying", "inventing", "texting", "endless", "silent", "cramped")


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("flaw", FLAWS)
async def test_no_design_ends_complete_with_a_false_statement(flaw: str, system: str):
    settings = load_settings({"models.model": f"offline:{flaw}", "system": system, "preset": "quick"})
    report = await aresearch(ASKED.text, settings=settings, keep=False)
    assert untrue_statements(report.markdown, WEB) == []
    assert report.status in ("complete", "partial", "no_evidence", "failed")
    if flaw in ("lying", "silent"):
        assert report.status != "complete"
