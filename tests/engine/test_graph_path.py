"""The way of a run through its graph: recorded for every system, the same after a pause or a kill."""

from __future__ import annotations

from pathlib import Path

import pytest

from deep_research.engine.path import STEPS_FILE, Step, StepLog, node_visits
from deep_research.report import Report
from deep_research.runs.bundle import load_report
from deep_research.systems import SYSTEMS
from tests.running import delegate, run
from tests.scripted import Script


def times(report: Report) -> dict[str, int]:
    return {visit.node: visit.times for visit in report.path}


async def test_a_report_knows_which_nodes_ran_how_often_and_after_what(tmp_path: Path) -> None:
    report = await run(Script(supervisor=delegate("A", "B")), options={"keep": True, "out": tmp_path})
    ran = times(report)
    assert (ran["clarify"], ran["supervisor"], ran["research:compress"], ran["write_report"]) == (1, 2, 2, 1)
    after = {visit.node: visit.after for visit in report.path}
    assert after["collect_findings"] == ["research:compress"]
    assert after["research:researcher"] == ["research:researcher_tools", "supervisor_tools"]
    assert after["__end__"] == ["write_report"]
    assert load_report(tmp_path / report.run_id).path == report.path


@pytest.mark.parametrize("system", SYSTEMS)
async def test_the_path_of_every_system_is_part_of_its_graph(system: str) -> None:
    nodes = SYSTEMS[system].module().graph.get_graph(xray=True).nodes
    report = await run(system=system)
    assert report.path[0].node == "__end__"
    for visit in report.path:  # a node, a sub-graph, or a part of a node that is put together as it runs
        inside = any(visit.node.startswith(f"{node}:") for node in nodes)
        assert inside or any(f"{node}:".startswith(f"{visit.node}:") for node in nodes), visit


async def test_a_join_comes_after_all_that_it_waits_for() -> None:
    report = await run(system="graph_agent")
    after = {visit.node: visit.after for visit in report.path}
    assert after["research_each_question"] == ["knowledge_lookup", "plan"]


async def test_a_failed_run_names_the_node_that_failed_and_has_no_end() -> None:
    def broken(request: object) -> None:
        raise RuntimeError("no topics today")

    report = await run(Script(supervisor=broken), retries=0)
    assert report.status == "failed"
    assert {visit.node: visit.failed for visit in report.path} == {
        "clarify": 0,
        "write_brief": 0,
        "supervisor": 1,
    }


async def test_a_node_that_waits_for_a_person_and_goes_on_counts_once() -> None:
    asked: list[str] = []
    report = await run(system="graph_agent", options={"answer": lambda q: asked.append(q) or "accept"})
    assert len(asked) == 1 and times(report)["approve"] == 1


def test_what_a_kill_has_cut_short_is_left_out_and_the_rest_goes_on(tmp_path: Path) -> None:
    file = tmp_path / STEPS_FILE
    StepLog(file).add(Step("plan:1", 1))
    with file.open("a") as log:
        log.write('{"task": "wri')
    again = StepLog(file)
    again.add(Step("plan:1", 1))
    again.add(Step("write:2", 2))
    assert [(v.node, v.times) for v in node_visits(StepLog(file), ended=False)] == [("plan", 1), ("write", 1)]
