"""What a model passes on holds no number and no name that nobody gave."""

from __future__ import annotations

import pytest

from deep_research.text.inventions import given_only, names_in_text, without_inventions
from tests.running import QUESTION, run
from tests.scripted import Script

GIVEN = "How tall are the lighthouses of Ormsund? Today is 2041-03-02."


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "How tall are the lighthouses of Ormsund, above all the 37 of Halvorsen?",
            "How tall are the lighthouses of Ormsund?",
        ),
        ("The heights (in Norwegian feet) in 2040, please.", "The heights in 2040, please."),
        ("Which lighthouses are tall? Keep to those of Berlin.", "Which lighthouses are tall?"),
        ("奥姆松德的灯塔有多高，特别是1687年的？", "奥姆松德的灯塔有多高？"),
        ("The height of the lighthouses in 2041.", "The height of the lighthouses in 2041."),
        ("Captain Jack Smith's service in Ormsund from 1951 on", "Captain service in Ormsund from on"),
        ("In March 2041, the head of Ormsund is Jack Smith. How tall?", "In March 2041. How tall?"),
        ("Height Of The Tallest Lighthouses", "Height Of The Tallest Lighthouses"),
    ],
)
def test_clauses_with_numbers_and_names_that_nobody_gave_go(said: str, kept: str):
    assert without_inventions(said, GIVEN) == kept


async def test_a_brief_and_a_topic_hold_no_number_and_no_name_that_nobody_gave():
    invented = ", above all the 1,437 workers of the Halvorsen yard."
    topic = f"The height of the lighthouses{invented}"
    script = Script(
        brief_writer={"research_brief": f"I want to know: {QUESTION[:-1]}{invented}"},
        supervisor=([("ConductResearch", {"research_topic": topic})], [("ResearchComplete", {})]),
    )
    await run(script)
    told = "\n".join(script.prompts("researcher") + script.prompts("writer") + script.prompts("supervisor"))
    assert "Halvorsen" not in told and "1,437" not in told
    assert "The height of the lighthouses" in script.prompts("researcher")[0]


def test_words_of_a_name_that_follow_each_other_are_one_name() -> None:
    asked = "How deep is the channel of Port Casmatu, and who are the Gull Line and カスマジ?"
    assert names_in_text(asked) == ["Port Casmatu", "Gull Line", "カスマジ"]
    assert names_in_text("The masts of Port Alva’s harbour and the Gulls' yard") == ["Port Alva", "Gulls"]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("How tall is it? (Source: <source id='S0·2' title='Gull' url='…'>)", "How tall is it?"),
        ("How tall is <source id=S1.1> the Gull?", "How tall is the Gull?"),
        ("What does the <data> element mean, and <b title='x'>bold</b>?", None),
    ],
)
def test_tags_that_a_model_has_copied_from_its_prompt_go(said: str, kept: str | None) -> None:
    assert given_only({"questions": [said]}, said) == {"questions": [kept or said]}
