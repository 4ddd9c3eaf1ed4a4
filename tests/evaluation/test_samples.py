"""The benchmark over the sample questions, on a few of them, with the real offline provider."""

import pytest

from deep_research.core.errors import SettingsError, UsageError
from deep_research.evaluation.samples import (
    Score,
    bench_samples,
    markdown_table,
    rows_of_samples,
    score_samples,
    summarize,
)
from deep_research.evaluation.single_shot import single_shot
from deep_research.runs.environment import build_environment
from deep_research.settings import load_settings

SHARES = {"fact_recall", "citation_precision", "right_abstention"}
CONTRACT = {"n", *SHARES, "model_calls", "searches", "input_tokens", "seconds"}


@pytest.fixture(scope="module")
def result():
    return bench_samples(limit=1, settings={"preset": "small"})


def test_bench_samples_has_the_contract_shape(result):
    assert list(result) == ["open_deep_research", "single_shot"]
    for groups in result.values():
        assert set(groups) == {"overall", "classes"} and len(groups["classes"]) == 8
        for means in [groups["overall"], *groups["classes"].values()]:
            assert set(means) >= CONTRACT
        assert groups["overall"]["n"] == 8 and groups["overall"]["failed"] == 0
        assert groups["classes"]["unanswerable"]["fact_recall"] is None


def test_must3_no_citation_is_unknown(result):
    assert all(groups["overall"]["unknown_citations"] == 0 for groups in result.values())


def test_table_fits_a_screen_and_names_every_class(result):
    table = markdown_table(*rows_of_samples(result))
    lines = table.splitlines()
    assert len(lines) == 2 + 2 * 9 and max(map(len, lines)) <= 160
    assert all(kind in table for kind in result["single_shot"]["classes"])


def test_means_leave_out_what_does_not_apply():
    one = Score(
        system="s", id="a", kind="comparison", lang="en", status="complete", fact_recall=0.5, model_calls=4
    )
    none = Score(system="s", id="b", kind="unanswerable", lang="en", status="failed")
    overall = summarize([one, none])["s"]["overall"]
    assert (overall["n"], overall["failed"], overall["fact_recall"], overall["model_calls"]) == (2, 1, 0.5, 2)


async def test_scores_name_system_question_and_class():
    scores = await score_samples(["shallow_researcher"], {"preset": "small"}, limit=1)
    assert [s.system for s in scores] == 8 * ["shallow_researcher"] + 8 * ["single_shot"]
    assert len({s.id for s in scores}) == 8


async def test_must4_single_shot_searches_once():
    settings = load_settings()
    environment = build_environment(settings)
    report = await single_shot("Which airship is the longest?", settings, environment)
    await environment.close()
    assert report.usage.searches == 1 and report.cited and not report.removed


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"systems": ["open_deep_reserch"]}, SettingsError),
        ({"settings": {"web.domain": "zeppelins"}}, UsageError),
        ({"settings": {"models.model": "openai:gpt-5-mini"}}, UsageError),
    ],
)
def test_bench_refuses_what_it_cannot_measure(options, error):
    with pytest.raises(error):
        bench_samples(limit=1, **options)
