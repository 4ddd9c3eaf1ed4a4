"""Reports put together from sections that were written apart: nothing, and no heading, stands twice."""

from __future__ import annotations

import re

import pytest

from deep_research.joining import Piece, joined
from deep_research.state import Finding, Gap
from deep_research.writer import from_template, with_gaps

TALL = "The Gull lighthouse is 41 metres tall [S1.1]."
OLD = "The Gull lighthouse was built in 1902 [S1.1]."


def headings(markdown: str) -> list[str]:
    return re.findall(r"(?m)^#+ .*$", markdown)


def test_the_section_that_bears_the_title_stands_first_under_it_without_a_heading_of_its_own() -> None:
    pieces = [
        Piece("The age", OLD),
        Piece("How tall is it? ", f"{TALL}\n\n### Evidence\n\n- A register [S2.1]"),
    ]
    assert joined("How tall is it?", pieces, "en") == (
        f"# How tall is it?\n\n{TALL}\n\n## Evidence\n\n- A register [S2.1]\n\n## The age\n\n{OLD}\n"
    )


def test_a_heading_stands_once_and_none_stands_over_nothing() -> None:
    inner = (
        "### Evidence\n\n- {0} shows it [S1.1]\n\n### What comes nearest\n\n- {0} is near [S1.2]\n\n### Empty"
    )
    pieces = [
        Piece(name, f"About {name} [S1.1].\n\n{inner.format(name)}") for name in ("Gull", "Heron", "gull")
    ]
    markdown = joined("Lighthouses", pieces, "en")
    assert headings(markdown) == [
        "# Lighthouses", "## Gull", "### Evidence", "### What comes nearest", "## Heron",
    ]  # fmt: skip
    assert (
        "About Heron [S1.1].\n\n- Heron shows it [S1.1]\n\n**What comes nearest**\n\n- Heron is" in markdown
    )


@pytest.mark.parametrize(
    ("language", "pointer"),
    [("en", "The same as under “A”."), ("zh", "与“A”一节相同。"), ("ja", "「A」の節と同じです。")],
)
def test_what_an_earlier_section_has_said_is_pointed_to(language: str, pointer: str) -> None:
    pieces = [Piece("A", f"{TALL}\n\n- {OLD}"), Piece("B", f"{TALL}\n\n- {OLD}\n- It is white [S1.1]")]
    assert f"## B\n\n{pointer}\n\n- It is white [S1.1]\n" in joined("T", pieces, language)
    assert joined("T", [*pieces, Piece("C", TALL)], language).endswith(f"## C\n\n{pointer}\n")
    assert "## C" not in joined("T", [*pieces, Piece("C", TALL, needed=False)], language)


def test_a_further_source_a_table_and_code_are_never_taken_for_a_repetition() -> None:
    table = "| Lighthouse | Height |\n| --- | --- |\n| The Gull lighthouse of Ormsund | 41 m [S1.1] |"
    code = "```\nThe Gull lighthouse is 41 metres tall.\n```"
    both = f"{TALL}\n\n{table}\n\n{code}"
    again = f"{TALL.replace('S1.1', 'S2.1')}\n\n{table}\n\n{code}"
    assert (
        joined("T", [Piece("A", both), Piece("B", again)], "en")
        == f"# T\n\n## A\n\n{both}\n\n## B\n\n{again}\n"
    )


def test_without_a_writer_a_researchers_brief_makes_no_heading_and_all_gaps_stand_together() -> None:
    brief = (
        "Research the Gull lighthouse. Find what the sources say about it that helps: names, places, dates."
    )
    findings = [
        Finding(branch=str(n), topic=brief + str(n), text=f"{text}") for n, text in enumerate((TALL, OLD))
    ]
    gaps = [
        Gap(kind="branch_failed", topic="t", message=message)
        for message in ("One failed.", "Another failed.")
    ]
    markdown = with_gaps(from_template("How tall?", findings, gaps[:1], "en"), gaps, "en")
    assert headings(markdown) == ["# How tall?", "## Findings", "## What could not be found"]
    assert markdown.endswith("- One failed.\n- Another failed.\n")
