"""Rewordings of the sample questions are asked and scored like the plain wording."""

from __future__ import annotations

from benchmarks import everyday
from benchmarks.rewordings import KINDS, RewordedScore, rewordings_table, score_rewordings
from deep_research.settings import load_settings


async def test_each_kind_is_asked_beside_the_plain_wording_and_a_follow_up_after_its_first_question():
    asked = []

    def reword(question, kind, web):
        asked.append((kind, question.id))
        return (question.text, "And why?") if kind == "follow_up" else f"Hello! {question.text} Thanks!"

    settings = load_settings({"system": "shallow_researcher"})
    scores = await score_rewordings(reword, settings, ("thanks", "follow_up"), limit=1)
    assert [one.kind for one in scores] == ["plain", "thanks", "follow_up"]
    assert [kind for kind, _ in asked] == ["thanks", "follow_up"] and len({one.id for one in scores}) == 1
    assert scores[0].answered == 1
    assert scores[0].status == "complete"


def test_the_kinds_are_those_of_the_web():
    assert set(KINDS) == set(everyday.REWORDINGS)


def test_the_table_has_a_row_per_kind_and_what_it_costs():
    scores = [RewordedScore(kind, str(n), "complete", found, 0) for kind, n, found in (
        ("plain", 1, 1), ("plain", 2, 1), ("typo", 1, 1), ("typo", 2, 0),
    )]  # fmt: skip
    assert rewordings_table(scores).splitlines()[2:] == [
        "| plain | 2 | 100.0 | 0.0 | +0.0 |",
        "| typo | 2 | 50.0 | 0.0 | -50.0 |",
    ]
