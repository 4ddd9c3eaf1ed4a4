"""A small sample of the benchmark: whatever a step answers, no run ends complete with a false statement."""

from __future__ import annotations

import pytest

from benchmarks.awkward import KINDS, STEPS, measure, untrue_statements
from deep_research_offline.web import build_web

WEB = build_web(0)
KIND = ("empty", "doubled braces", "echo of the instructions", "lying")
STEP = (("open_deep_research", "writer"), ("shallow_researcher", "researcher"), ("graph_agent", "planner"))


def test_there_are_forty_kinds_and_every_step_is_of_a_design():
    assert len(KINDS) == 40 and len(STEPS) == len({*STEPS})


def test_a_false_number_is_seen_unless_it_is_marked():
    page = next(page for page in WEB.pages if page.lang == "en")
    assert untrue_statements(f"{page.title} has 987,654,321 rooms.", WEB)
    assert not untrue_statements(f"{page.title} has 987,654,321 rooms. ⚠", WEB)


@pytest.mark.parametrize("step", STEP)
async def test_awkward_output_is_recovered_or_leaves_a_gap(step: tuple[str, str]):
    found = await measure({kind: KINDS[kind] for kind in KIND}, [step], WEB)
    assert {*found[step].values()} <= {"recovered", "gap"}
