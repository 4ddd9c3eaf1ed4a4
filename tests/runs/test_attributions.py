"""Attributions of a draft: to parts of its prompt they go, and a citation stands behind what it is for."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from deep_research.core.records import Source
from deep_research.runs.attributions import with_citations_moved, without_prompt_names

QUESTION = "How many masts does Port Gull have?"


def without_named(text: str, told: str) -> str:
    page = Source(id="S1.1", url="https://gull.example", title="Port Gull", snippet=told)
    return without_prompt_names(text, [page], SimpleNamespace())


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("According to the research brief, the port has 24 masts.", "The port has 24 masts."),
        ("It is old. The findings state that Port Gull has 24 masts.", "It is old. Port Gull has 24 masts."),
        ("Furthermore, the findings show that it has 24.", "Furthermore, it has 24."),
        ("- **Speed:** 130 km/h (as stated in the findings) [S1.1]", "- **Speed:** 130 km/h [S1.1]"),
        ("It has 24 masts, according to the brief.", "It has 24 masts."),
        (
            "According to the findings of the inquiry, it fell.",
            "According to the findings of the inquiry, it fell.",
        ),
        ("The findings do not say who.", "The findings do not say who."),
        ("In brief, according to the harbour, it fell.", "In brief, according to the harbour, it fell."),
        ("`according to the brief, x`", "`according to the brief, x`"),
        ("根据调查结果，该港有24座系留塔。", "该港有24座系留塔。"),
        ("依頼書によれば、港には24基ある。", "港には24基ある。"),
    ],
)
def test_parts_of_a_prompt_are_nobody_to_attribute_to(text: str, left: str) -> None:
    assert without_named(text, "Port Gull. In brief: 24 masts.") == left


def test_what_a_source_calls_so_is_left() -> None:
    text = "According to the findings, it fell."
    assert without_named(text, "The inquiry published the findings in May.") == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "It has 24 masts. This is stated in the text by [S1.1] and [S1.2].",
            "It has 24 masts [S1.1][S1.2].",
        ),
        ("It has 24 masts [S1.1]. See also [S1.2].", "It has 24 masts [S1.1] [S1.2]."),
        (f"{QUESTION} [S1.1] It has 24 masts.", "It has 24 masts [S1.1]."),
        ("It has 24 masts. This was disputed in [S1.1].", "It has 24 masts. This was disputed in [S1.1]."),
        (said := "It has 24 masts. The information is found in Gull News [S1.1].", said),
        (
            "# Port Gull\n\nThis information is found in [S1.1].",
            "# Port Gull\n\nThis information is found in [S1.1].",
        ),
        ("- It is old.\n- This is found in [S1.1].", "- It is old.\n- This is found in [S1.1]."),
        ("该港有24座系留塔。该信息来自[S1.1]。", "该港有24座系留塔 [S1.1]。"),
        ("港には24基ある。この情報は [S1.1] に記載されています。", "港には24基ある [S1.1]。"),
        (
            "Why? Since it is so. This is found in [S1.1]. It has 24 masts.",
            "Why? Since it is so [S1.1]. It has 24 masts.",
        ),
    ],
)
def test_a_citation_stands_behind_what_it_is_for(text: str, left: str) -> None:
    assert with_citations_moved(text, QUESTION) == left
