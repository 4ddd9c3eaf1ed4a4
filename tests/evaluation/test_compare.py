"""Comparisons: one row per question, system and setting; kept by content; failures are rows."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from deep_research.core.clock import FrozenClock, RealClock
from deep_research.core.errors import SettingsError, UsageError
from deep_research.core.records import Gap
from deep_research.engine.trace import simulated_seconds
from deep_research.evaluation.cells import Cell, CellStore, cell_name
from deep_research.evaluation.compare import acompare, compare, is_sound, plan_cells, run_cells
from deep_research.evaluation.comparison_rows import ended_shares, markdown, means, rows_of
from deep_research.evaluation.fingerprint import fingerprint
from deep_research.evaluation.single_shot import single_shot
from deep_research.notebook.comparisons import show_bars, show_tradeoff
from deep_research.runs import aresearch
from deep_research.settings import load_settings
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web import build_web
from deep_research_offline.web.types import Question
from deep_research_offline.wire.faults import Fault
from deep_research_offline.wire.server import running_server
from tests.running import QUESTION, environment_of, run, settings_of, wire
from tests.scripted import Script

SYSTEMS = ["open_deep_research", "single_shot"]
FEW_AND_MANY = {
    "few": {"preset": "small", "search.results": 2},
    "many": {"preset": "small", "search.results": 6},
}


def sample(kind: str, place: int = 0) -> Question:
    return [q for q in build_web().questions if (q.kind, q.lang) == (kind, "en")][place]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    questions = [sample("comparison"), "What is the moon made of?"]
    return compare(questions, systems=SYSTEMS, settings=FEW_AND_MANY, cache=tmp_path_factory.mktemp("cells"))


def test_compare_has_a_row_per_question_system_and_setting_in_this_order(table):
    expected = [
        (question, system, setting)
        for question in (sample("comparison").text, "What is the moon made of?")
        for system in SYSTEMS
        for setting in FEW_AND_MANY
    ]
    assert [(r.question, r.system, r.setting) for r in table.itertuples()] == expected


def test_compare_scores_sample_questions_and_leaves_the_rest_empty(table):
    known = table[table["class"] == "comparison"]
    assert len(known) == 4 and known.fact_recall.between(0, 1).all() and (known.right_abstention == 1).all()
    unknown = table[table["class"] == ""]
    assert len(unknown) == 4 and unknown.fact_recall.isna().all() and unknown.right_abstention.isna().all()
    assert (table.model_calls > 0).all() and (table.seconds > 0).all() and (table.searches > 0).all()


def test_compare_takes_figures_from_the_run_itself(table):
    report = asyncio.run(aresearch(sample("comparison").text, settings=FEW_AND_MANY["few"], keep=False))
    row = table.iloc[0]
    assert (row.model_calls, row.searches) == (report.usage.model_calls, report.usage.searches)
    assert row.seconds == simulated_seconds(report.trace, report.settings.concurrency)
    ends = sum((Counter(loop) for loop in report.ended.values()), Counter())
    assert {why: row[f"ended_{why}"] for why in ends} == dict(ends) and ends.total() >= 2


def test_s20_every_loop_says_why_it_ended_and_comparisons_show_the_shares(table):
    research, baseline = ended_shares(table, by=["system"])
    reasons = ("done", "no_tool_call", "limit", "nothing_new", "enough")
    assert research["loops"] >= 4 and sum(research[why] for why in reasons) == pytest.approx(1)
    assert baseline["loops"] == 0 and baseline["done"] is None


async def test_s20_a_limit_is_why_a_loop_ended():
    def never_done(request):
        return [("search", {"queries": [f"lighthouse {len(request['messages'])}"]})]

    from tests.scripted import Script

    report = await run(Script(researcher=never_done), limits__max_searches=2)
    assert report.ended["branch"] == {"limit": 1} and report.ended["run"] == {"done": 1}


def test_a_repeated_cell_is_free_and_the_same(table, tmp_path, monkeypatch):
    kept: list[bool] = []
    options = {"systems": ["single_shot"], "cache": tmp_path, "on_cell": lambda c, r, k: kept.append(k)}
    first = compare([sample("comparison")], **options)
    again = compare([sample("comparison"), sample("comparison", 1)], **options)
    assert kept == [False, True, False] and first.equals(again.iloc[:1])


async def test_the_same_cell_twice_is_run_once(tmp_path):
    cells = plan_cells([sample("temporal")] * 3, ["single_shot"])
    reports = await run_cells(cells, cache=tmp_path)
    assert reports[0] is reports[1] is reports[2] and len(list(tmp_path.iterdir())) == 1


def test_a_cell_is_named_by_all_that_decides_its_report(tmp_path: Path):
    notes = tmp_path / "notes.md"
    notes.write_text("The club was founded in 1921.")
    clock = FrozenClock("2041-03-02")

    def name(question="Who?", system="auto", clock=clock, **values):
        return cell_name(Cell(question, system, "default", load_settings(values)), clock)

    with_notes = {"knowledge.paths": [str(notes)]}
    names = [
        name(), name("When?"), name(system="single_shot"), name(concurrency=1), name(clock=RealClock()),
        name(**with_notes),
    ]  # fmt: skip
    notes.write_text("The club was founded in 1922.")
    names.append(name(**with_notes))
    assert len(set(names)) == 7 and name() == names[0]


def test_a_damaged_cell_is_run_again(tmp_path):
    compare(["Who?"], systems=["single_shot"], cache=tmp_path)
    (path,) = tmp_path.iterdir()
    path.write_text("{")
    assert CellStore(tmp_path).get(path.stem) is None
    assert compare(["Who?"], systems=["single_shot"], cache=tmp_path).status[0] != "failed"


async def test_what_an_outage_has_touched_is_not_kept():
    sound = await run()
    gap = Gap(kind="branch_failed", topic="a", message="HTTP 503")
    assert is_sound(sound)
    assert not is_sound(sound.model_copy(update={"gaps": [gap], "status": "partial"}))
    assert not is_sound(sound.model_copy(update={"errors": ["HTTP 503"]}))


def test_a_failure_is_a_row_and_nothing_of_it_is_kept(tmp_path):
    (tmp_path / "notes.md").write_text("# Club\n\nMary Ferris founded the club in 1921.\n")
    docs = {"search.docs": str(tmp_path / "notes.md")}
    with running_server(OfflineProvider(api_key="another")) as url:  # it answers, and refuses every call
        refused = {"models.model": "openai:small", "base_url": f"{url}/v1", "retries": 0}
        table = compare(
            ["Who founded the club?"],
            systems=["shallow_researcher"],
            settings={"down": docs | refused, "up": docs},
            cache=tmp_path / "cells",
        )
    assert list(table.status) == ["failed", "complete"] and table.error[0] and not table.error[1]
    assert len(list((tmp_path / "cells").iterdir())) == 1


async def test_the_baseline_says_when_its_model_was_down():
    down = wire(Script(), faults=lambda call: Fault("status", 400) if "chat" in call.path else None)
    chosen = settings_of()
    report = await single_shot(QUESTION, chosen, environment_of(down, chosen))
    assert report.status == "partial" and [gap.kind for gap in report.gaps] == ["branch_failed"]
    assert report.gaps[0].message.split("\n")[0] in report.markdown


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"questions": []}, UsageError, "nothing to compare"),
        ({"questions": [" "]}, UsageError, "nothing to compare"),
        ({"systems": []}, UsageError, "nothing to compare"),
        ({"systems": ["open_deep_reserch"]}, SettingsError, "'open_deep_research'"),
        ({"systems": ["singel_shot"]}, SettingsError, "Did you mean 'single_shot'"),
        ({"systems": ["??"]}, SettingsError, "One of: .*, single_shot"),
        ({"settings": {"serach.results": 2}}, SettingsError, "search.results"),
        ({"settings": {"a": {"search.results": 0}}}, SettingsError, "search.results"),
        ({"settings": {"a": {"search.providers": ["none"]}}}, UsageError, "no search"),
    ],
)
async def test_a_grid_that_cannot_run_is_refused_before_anything_does(arguments, error, said):
    ran: list[Cell] = []
    with pytest.raises(error, match=said):
        await acompare(
            **{"questions": ["Who?"], **arguments}, cache=False, on_cell=lambda cell, *_: ran.append(cell)
        )
    assert not ran


def test_without_systems_all_of_them_and_the_baseline():
    from deep_research.systems import SYSTEMS

    assert [cell.system for cell in plan_cells(["Who?"])] == [*SYSTEMS, "single_shot"]
    assert {cell.setting for cell in plan_cells(["Who?"])} == {"default"}


def test_a_preset_means_the_row_of_each_system():
    quick = {cell.system: cell.settings for cell in plan_cells(["Who?"], settings={"preset": "quick"})}
    assert quick["shallow_researcher"].limits.max_tool_iterations == 2
    assert quick["open_deep_research"].limits.max_researcher_iterations == 2


def test_tables_hold_the_means_of_each_system_and_class(table):
    text = markdown(table)
    baseline = next(group for group in means(table, ["system"]) if group["system"] == "single_shot")
    assert baseline["n"] == 4 and f"{baseline['searches']:.1f}" == "1.0"
    assert text.count("| single_shot | few | 2 | 0 |") == 1 and "| answered |" in text


def test_pictures_state_the_figures_that_they_show(table):
    bars, tradeoff = show_bars(table), show_tradeoff(table)
    groups = [g for g in means(table) if g["fact_recall"] is not None]
    for group in groups:
        assert f"{100 * group['fact_recall']:.1f} %" in bars.text
        assert f"{group['system']}, {group['setting']}: {100 * group['fact_recall']:.1f} %" in tradeoff.text
        assert f"{group['input_tokens'] + group['output_tokens']:,.0f} tokens" in tradeoff.text
    assert all(display.png and display.png.startswith(b"\x89PNG") for display in (bars, tradeoff))
    assert show_bars(rows_of([], [])).png and show_tradeoff([]).png
    with pytest.raises(ValueError, match="no measure 'beauty'"):
        show_bars(table, "beauty")


async def test_must3_five_questions_at_once_mix_no_sources_budgets_or_files(tmp_path):
    questions = [sample(kind) for kind in ("single_fact", "comparison", "multi_hop", "ranking", "temporal")]
    settings = {"preset": "quick", "budget.model_calls": 14, "budget.searches": 3}
    alone = [await aresearch(q.text, settings=settings, out=tmp_path / "alone") for q in questions]
    together = await asyncio.gather(
        *(aresearch(q.text, settings=settings, out=tmp_path / "together") for q in questions)
    )
    shared = await run_cells(
        plan_cells(questions, ["open_deep_research"], settings), cache=tmp_path / "cells"
    )
    for one, other, cell in zip(alone, together, shared, strict=True):
        assert fingerprint(one) == fingerprint(other) == fingerprint(cell)
        assert one.usage == other.usage == cell.usage and one.trace == other.trace == cell.trace
    for report in together:
        folder = tmp_path / "together" / report.run_id
        urls = {source.url for source in report.sources}
        pages = {path.stem for path in (folder / "pages").iterdir()}
        own = tmp_path / "alone" / alone[together.index(report)].run_id
        assert report.question in (folder / "run.json").read_text() and urls
        assert pages == {path.stem for path in (own / "pages").iterdir()}
    assert len({report.run_id for report in together}) == 5
