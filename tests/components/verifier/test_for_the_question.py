"""What bears a sentence out, and does not answer what was asked: an old page on the present, and an echo."""

from __future__ import annotations

from datetime import date

import pytest

from deep_research.components.verifier.additions import flag_echoes
from deep_research.components.verifier.claims import SourceText
from deep_research.components.verifier.ended import flag_dated
from deep_research.components.verifier.uncited import share_with_evidence
from deep_research.core.records import Claim, Source

COPY = Source(id="S1.1", title="Port Gull (copy)", published="2031-04-02")
PAGE = Source(id="S1.2", title="Port Gull", published="2039-04-02")
UNDATED = Source(id="S1.3", title="About Port Gull")
NOW = "Who is master of Port Gull now?"


def claim(text: str, *numbers: int) -> Claim:
    return Claim(text=text, sources=[*numbers], verdict="evidence_found", checked_by="rules")


@pytest.mark.parametrize(
    ("question", "sentence", "numbers", "flagged"),
    [
        (NOW, "The master of Port Gull is Ada Moe.", [1], True),
        ("格尔港现在的港务长是谁？", "格尔港现任港务长是莫艾达。", [1], True),
        (NOW, "The master of Port Gull is Ada Moe.", [1, 2], False),
        (NOW, "The master of Port Gull is Ada Moe.", [1, 3], False),
        (NOW, "Ada Moe was master of Port Gull in 2031.", [1], False),
        (NOW, "The Elk is a tavern.", [1], False),
        ("How many masts does Port Gull have?", "Port Gull has 24 masts.", [1], False),
        (NOW, "As of 2031-04-02: The master of Port Gull is Ada Moe.", [1], False),
        ("Who built Port Gull, now a museum?", "Port Gull is a museum.", [1], False),
        ("How many people were present at Port Gull?", "Port Gull is for 40 people.", [1], False),
    ],
)
def test_an_old_page_does_not_tell_who_it_is_now(
    question: str, sentence: str, numbers: list[int], flagged: bool
) -> None:
    said = claim(sentence, *numbers)
    flag_dated([said], [COPY, PAGE, UNDATED], question, date(2040, 5, 1))
    assert (said.verdict == "flagged") is flagged
    assert not flagged or said.reasons == ["date", "“Port Gull (copy)” (2031-04-02)"]


@pytest.mark.parametrize(
    ("sentence", "other_page", "missing"),
    [
        ("The weekly market of the town that owns the Gull is on Friday.", "", ["market", "week"]),
        ("The weekly market of the town that owns the Gull is on Friday.", "A market is held weekly.", []),
        ("The town that owns the Gull has its market on Friday.", "", []),  # one word may be a synonym
        ("Every Friday night the Gull returns to Port Elk.", "", []),
    ],
)
def test_an_answer_needs_what_it_is_about_in_something_that_was_read(
    sentence: str, other_page: str, missing: list[str]
) -> None:
    page = SourceText("Each Friday night the Gull returns to Port Elk, the town that owns it.", "Gull")
    said, beside = claim(sentence, 1), claim("The Gull is a boat, held on one line.", 1)
    question = "On which day is the weekly market of the town that owns the Gull?"
    flag_echoes([said, beside], [page, SourceText(other_page)], question)
    assert (said.verdict, said.differs) == (("flagged", missing) if missing else ("evidence_found", []))
    assert beside.verdict == "evidence_found"


@pytest.mark.parametrize(
    ("text", "counts"),
    [("See also", 0), ("Refit", 0), ("Built 1902", 1), ("Home: Port Elk", 1), ("It sank.", 1)],
)
def test_a_heading_copied_from_a_page_does_not_count_as_a_statement(text: str, counts: int) -> None:
    assert share_with_evidence([claim(text, 1)]) == (counts, counts)
