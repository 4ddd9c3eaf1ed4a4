"""A label in a source ("Foundry", "Built by", "Home port") tells which of two names made the other."""

import pytest

from deep_research.verification.claim_check import SourceText, check_claim

BELLS = SourceText(
    "Bells rung in the county on feast days.\n\n| Bell | Foundry | Cast in |\n|---|---|---|\n"
    "| Old Marrow | Tamber Foundry | 1794 |\n| Long Sorrel | Ivel Foundry | 1858 |\n",
    "Bells of the county",
)
LINE = SourceText("| Home port | Port Senna |\n|---|---|\n| Founded | 2031 |\n", "Heron Air Lines")
SLEDS = SourceText("The Blue Otter was built by Wending Works. It won the race of 2040.", "Sleds")


@pytest.mark.parametrize(
    ("right", "turned", "source"),
    [
        ("Tamber Foundry cast Old Marrow.", "Old Marrow cast Tamber Foundry.", BELLS),
        ("Old Marrow was cast at Tamber Foundry.", "Tamber Foundry was cast at Old Marrow.", BELLS),
        ("Old Marrow came from the pit of Tamber Foundry.", "Tamber Foundry came from Old Marrow.", BELLS),
        ("Heron Air Lines is based at Port Senna.", "Port Senna is based at Heron Air Lines.", LINE),
        (
            "The maker's plate of the Blue Otter reads Wending Works.",
            "The maker's plate of the Wending Works reads Blue Otter.",
            SLEDS,
        ),
    ],
)
def test_v10_a_label_tells_who_made_what_and_what_is_where(
    right: str, turned: str, source: SourceText
) -> None:
    assert "name" not in check_claim(right, [source]).reasons
    assert "name" in check_claim(turned, [source]).reasons


def test_v10_a_label_that_names_neither_maker_nor_place_says_nothing() -> None:
    keepers = SourceText(
        "| Keeper | Ally | Since |\n|---|---|---|\n| Ada Wern | Tomas Kell | 2031 |\n", "Keepers"
    )
    for claim in ("Ada Wern was helped at sea by Tomas Kell.", "Tomas Kell was helped at sea by Ada Wern."):
        assert "name" not in check_claim(claim, [keepers]).reasons
