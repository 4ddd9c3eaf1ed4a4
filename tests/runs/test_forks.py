"""Forks: a kept run once more with something changed; what the change does not concern is not asked again."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from deep_research.core.errors import UsageError
from deep_research.evaluation.fingerprint import fingerprint
from deep_research.report import Report
from deep_research.runs import aresearch, aresume
from deep_research.runs.bundle import find_run, read_request
from deep_research.runs.forks import afork, diff, logged_calls
from deep_research.systems import SYSTEMS
from tests.running import Wire, delegate, environment_of, run, settings_of, wire
from tests.scripted import Script

GULL = "https://ormsund.example/gull"
MADE: list[tuple[Report, Path]] = []
SAMPLE = "How long is the airship Solvang Gull?"


def researched() -> Script:
    return Script(supervisor=delegate("Gull lighthouse height", "Heron lighthouse height"))


@pytest.fixture
async def first(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A kept run; it is made once, and each test has a copy of it."""
    if not MADE:
        out = tmp_path_factory.mktemp("first")
        MADE.append((await run(researched(), options={"keep": True, "out": out}), out))
    report, out = MADE[0]
    shutil.copytree(out / report.run_id, tmp_path / report.run_id)
    return report


async def forked(first: Report, out: Path, provider: Wire, **changes: Any) -> Report:
    world = environment_of(provider, settings_of())
    return await afork(first.run_id, out=out, environment=world, **changes)


@pytest.mark.parametrize("system", SYSTEMS)
async def test_a_fork_without_a_change_is_the_same_report_and_asks_nobody(
    system: str, tmp_path: Path
) -> None:
    first = await run(provider=wire(None), options={"keep": True, "out": tmp_path}, system=system)
    provider = wire(None)
    again = await forked(first, tmp_path, provider)
    assert again.run_id != first.run_id and fingerprint(again) == fingerprint(first)
    assert (provider.chats, provider.searches) == (0, 0)
    assert (again.usage.model_calls, again.usage.searches) == (0, 0)


async def test_a_kept_run_is_named_by_its_id_or_its_report(first: Report, tmp_path: Path) -> None:
    world = environment_of(wire(researched()), settings_of())
    again = await afork(first, out=tmp_path, environment=world)
    assert diff(first.run_id, again, out=tmp_path).claims == diff(first, again).claims != []
    assert (await aresume(first, out=tmp_path)).run_id == first.run_id
    world = environment_of(wire(researched()), settings_of())
    later = await aresearch("And the Heron?", after=first, out=tmp_path, environment=world)
    assert read_request(tmp_path / later.run_id).goes_on == {"how": "after", "run_id": first.run_id}


async def test_from_a_step_on_models_are_asked_anew_and_nothing_before_it(
    first: Report, tmp_path: Path
) -> None:
    provider = wire(Script(writer="The Gull lighthouse is 41 metres tall [S1.1]. It is new."))
    again = await forked(first, tmp_path, provider, at="writer")
    assert (provider.chats, provider.searches) == (1, 0)
    assert "It is new." in again.markdown and again.sources != first.sources
    (writer,) = [line for line in again.trace if line.status == "ok"]
    assert writer.role == "writer"


async def test_a_step_inside_a_branch_leaves_the_other_branches_alone(first: Report, tmp_path: Path) -> None:
    step = next(line.id for line in first.trace if (line.branch, line.kind) == ("2", "model"))
    provider = wire(researched())
    again = await forked(first, tmp_path, provider, at=step)
    sent = {line.branch for line in again.trace if line.status == "ok"}
    assert "1" not in sent and "2" in sent and provider.searches == 0


async def test_another_model_for_a_role_is_asked_and_no_other(first: Report, tmp_path: Path) -> None:
    again = await forked(first, tmp_path, wire(None), settings={"models.writer": "offline:critic"})
    assert {line.model for line in again.trace if line.status == "ok"} == {"offline:critic"}


async def test_an_edited_brief_is_what_the_supervisor_reads(first: Report, tmp_path: Path) -> None:
    provider = wire(researched())
    again = await forked(first, tmp_path, provider, brief="How tall are the lighthouses of Ormsund by night?")
    rows = logged_calls(find_run(again.run_id, tmp_path))
    briefs = [row for row in rows if row.role == "brief_writer"]
    supervised = next(row for row in rows if row.role == "supervisor")
    assert [row.status for row in briefs] == ["kept"]
    assert "by night" in str(supervised.request) and supervised.status == "ok"
    assert provider.searches == 0


async def test_an_edit_that_no_file_could_hold_is_mended_as_a_question_is(
    first: Report, tmp_path: Path
) -> None:
    again = await forked(first, tmp_path, wire(researched()), brief="Only the \x00\ud800Heron.")
    (answer,) = (row.response for row in logged_calls(tmp_path / again.run_id) if row.role == "brief_writer")
    assert "Only the \ufffdHeron." in answer["content"]


async def test_an_edited_plan_is_what_is_researched(tmp_path: Path) -> None:
    first = await run(None, options={"keep": True, "out": tmp_path}, system="graph_agent")
    plan = '{"questions": ["How tall is the Skua lighthouse?", "How tall is the Heron lighthouse?"]}'
    again = await forked(first, tmp_path, wire(None), at="planner", edit=plan)
    assert {line.topic for line in again.trace if line.branch != "0"} == {
        "How tall is the Skua lighthouse?",
        "How tall is the Heron lighthouse?",
    }


@pytest.mark.parametrize("blocked", ["http://www.ormsund.example/gull/", "ormsund.example"])
async def test_a_blocked_source_is_gone_and_what_never_saw_it_is_kept(
    blocked: str, first: Report, tmp_path: Path
) -> None:
    assert GULL in [source.url for source in first.sources]
    provider = wire(researched())
    again = await forked(first, tmp_path, provider, block=[blocked])
    assert GULL not in [source.url for source in again.sources]
    assert provider.searches == 0 and 0 < again.usage.model_calls < first.usage.model_calls


async def test_a_fork_is_resumed_and_forked_without_the_run_that_it_goes_on_from(tmp_path: Path) -> None:
    first = await aresearch(SAMPLE, settings={"limits.max_researcher_iterations": 1}, out=tmp_path)
    second = await afork(first.run_id, out=tmp_path, at="writer")
    (tmp_path / first.run_id).rename(tmp_path / "away")
    for name in ("report.json", "checkpoints.sqlite"):
        (tmp_path / second.run_id / name).unlink()
    with closing(sqlite3.connect(tmp_path / second.run_id / "calls.sqlite")) as log:
        log.execute("DELETE FROM calls")
        log.commit()
    resumed = await aresume(second.run_id, out=tmp_path)
    assert fingerprint(resumed) == fingerprint(second) and resumed.usage.model_calls == 1
    third = await afork(second.run_id, out=tmp_path)
    assert fingerprint(third) == fingerprint(second) and third.usage.model_calls == 0
    assert read_request(tmp_path / third.run_id).goes_on["run_id"] == second.run_id


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"at": "painter"}, "no step 'painter' in this run. Its roles: clarifier"),
        ({"edit": "Some text."}, "Nothing says which step is edited"),
        ({"at": "1/1.0#1", "edit": "Some text."}, "is no model's answer"),
        ({"settings": {"preset": "deep"}}, "keeps its run's preset"),
        ({"at": "brief_writer", "edit": "Only the Heron."}, "object, and the edit has no 'research_brief'"),
        ({"at": "brief_writer", "edit": '{"brief": "Heron"}'}, "Its fields: research_brief"),
    ],
)
async def test_what_cannot_be_forked_is_refused(
    changes: dict[str, Any], said: str, first: Report, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=said):
        await forked(first, tmp_path, wire(None), **changes)
    assert [path.name for path in tmp_path.iterdir()] == [first.run_id]
