"""What a report says was done to a thing, of pages that have both and bring them together nowhere."""

from __future__ import annotations

import pytest

from deep_research.components.verifier.claims import SourceText, check_claim

RULING = SourceText(
    "The Tuva Affair concerned Hale Library, to which the book belonged.\n\nThe affair was about a copy of "
    "Old Tales. The loan behind it was 12 years late.\n\n## Witnesses\n\nWitness 1 blamed the fog.\n\n"
    "## Ruling\n\nThe Court of Late Books ended the Tuva Affair with a fine of 1,097 florins and no more. In "
    "the end of the Tuva Affair the book was found inside a stool.",
    "Record of the Tuva Affair",
)
MUSEUM = SourceText(
    "The Orlen Museum owns a steam engine and 40 paintings. The roof is made of slate.\n\n## Storm\n\n"
    "An oak fell on the gate at night.\n\n## Tickets\n\nA levy of 2 crowns is added to each ticket. Pupils "
    "pay nothing.\n\n## Guard\n\nA dog watches the yard. The painter Lea Moss gave the museum her desk.",
    "Orlen Museum",
)
CAKE = SourceText(
    "The recipe needs butter, sugar and two eggs. The oven is set to 180 degrees.\n\n## Dough\n\nBeat the "
    "butter with the sugar. Then the eggs are stirred in.\n\n## Glaze\n\nThe glaze is made of lemon juice.",
    "Lemon cake",
)
PROBE = SourceText(
    "The probe carried a camera and a radio. A heater kept the battery warm.\n\n## Landing\n\nThe parachute "
    "opened at 9 km. The heat shield fell away over the crater.\n\n## Failure\n\nA short circuit in the "
    "radio ended the mission on day 41.",
    "Probe Lark 2",
)


@pytest.mark.parametrize(
    ("page", "claim"),
    [
        (RULING, "This fine was imposed on the book that was loaned late."),
        (RULING, "The fine of 1,097 florins was imposed on the loan."),
        (MUSEUM, "The levy of 2 crowns was charged on paintings."),
        (MUSEUM, "The slate roof was smashed by an oak."),
        (CAKE, "The glaze was sweetened with sugar."),
        (PROBE, "The battery was destroyed by a short circuit."),
        (PROBE, "The camera was smashed by the parachute."),
    ],
)
def test_things_that_no_page_brings_together_are_spliced(page: SourceText, claim: str) -> None:
    assert "spliced" in check_claim(claim, [page]).reasons


@pytest.mark.parametrize(
    ("page", "claim"),
    [
        (RULING, "A fine of 1,097 florins was handed down by the court."),
        (RULING, "The Tuva Affair was settled with a fine of 1,097 florins."),
        (MUSEUM, "The gate was smashed by an oak."),
        (MUSEUM, "A levy of 2 crowns is charged on each ticket."),
        (MUSEUM, "The roof was covered with slate."),
        (MUSEUM, "The museum's desk was donated by the painter Lea Moss."),
        (CAKE, "The eggs were mixed into the butter."),  # the sentence before
        (CAKE, "The glaze was prepared with lemon juice."),
        (PROBE, "The heat shield was dropped over the crater."),
        (PROBE, "The battery was warmed by a heater."),
    ],
)
def test_what_a_sentence_or_its_heading_brings_together_is_not(page: SourceText, claim: str) -> None:
    assert check_claim(claim, [page]).verdict == "evidence_found"
