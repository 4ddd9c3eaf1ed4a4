"""Reports put together from sections that were written apart: nothing, and no heading, stands twice."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from deep_research.components.writer import from_template, with_gaps
from deep_research.components.writer.joining import Piece, join_pieces
from deep_research.core.records import Finding, Gap, Material

TALL = "The Gull lighthouse is 41 metres tall [S1.1]."
OLD = "The Gull lighthouse was built in 1902 [S1.1]."


def told_in(language: str) -> SimpleNamespace:
    """A context, as far as joining looks at one."""
    return SimpleNamespace(language=language)


EN = told_in("en")


def headings(markdown: str) -> list[str]:
    return re.findall(r"(?m)^#+ .*$", markdown)


def test_the_section_that_bears_the_title_stands_first_under_it_without_a_heading_of_its_own() -> None:
    pieces = [
        Piece("The age", OLD),
        Piece("How tall is it? ", f"{TALL}\n\n### Evidence\n\n- A register [S2.1]"),
    ]
    assert join_pieces("How tall is it?", pieces) == (
        f"# How tall is it?\n\n{TALL}\n\n## Evidence\n\n- A register [S2.1]\n\n## The age\n\n{OLD}\n"
    )


def test_a_heading_stands_once_and_none_stands_over_nothing() -> None:
    inner = (
        "### Evidence\n\n- {0} shows it [S1.1]\n\n### What comes nearest\n\n- {0} is near [S1.2]\n\n### Empty"
    )
    pieces = [
        Piece(name, f"About {name} [S1.1].\n\n{inner.format(name)}") for name in ("Gull", "Heron", "gull")
    ]
    markdown = join_pieces("Lighthouses", pieces)
    assert headings(markdown) == [
        "# Lighthouses", "## Gull", "### Evidence", "### What comes nearest", "## Heron",
    ]  # fmt: skip
    assert (
        "About Heron [S1.1].\n\n- Heron shows it [S1.1]\n\n**What comes nearest**\n\n- Heron is" in markdown
    )


def test_what_an_earlier_section_has_said_is_left_out_and_a_section_of_nothing_else_with_it() -> None:
    pieces = [Piece("A", f"{TALL}\n\n- {OLD}"), Piece("B", f"{TALL}\n\n- {OLD}\n- It is white [S1.1]")]
    assert join_pieces("T", pieces).endswith(f"## B\n\n{TALL}\n\n- It is white [S1.1]\n")
    assert "## C" not in join_pieces("T", [*pieces, Piece("C", TALL)])
    assert "## C" not in join_pieces("T", [*pieces, Piece("C", TALL, needed=False)])


LISTED = f"- {TALL}\n- {OLD}"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("White [S1.1].\n\nThe figures are:\n\n{}", "White [S1.1]."),
        ("The figures [S1.1]:\n{}\n\n| Lamp |\n| --- |", "| Lamp |\n| --- |"),
        ("- White [S1.1]\n\n  Figures:\n\n  {}\n- Red", "- White [S1.1]\n\n- Red"),
        ("White [S1.1].\n\n**Figures:**\n{}\n\nRed [S1.1].", "White [S1.1].\n\nRed [S1.1]."),
    ],
)
def test_of_a_list_that_has_been_told_nothing_is_left_nor_of_the_line_that_opens_it(
    text: str, left: str
) -> None:
    pieces = [Piece("A", LISTED), Piece("B", text.format(LISTED))]
    assert join_pieces("T", pieces).endswith(f"## B\n\n{left}\n")


@pytest.mark.parametrize(
    "text",
    [
        f"The figures are:\n\n{LISTED}\n- It is white [S1.1]",
        f"It has a lamp [S2.1]. The figures are:\n\n{LISTED}\n\nIt is white [S1.1].",
        f"The register [S2.1] says:\n\n{LISTED}\n\nIt is white [S1.1].",
        f"It is white [S1.1].\n\n- Gull:\n  - {TALL}\n  - {OLD}",
        f"The figures are:\n\n```\n41\n```\n\n{LISTED}",
    ],
)
def test_a_line_that_opens_a_list_never_stands_over_nothing_and_what_else_it_says_is_kept(text: str) -> None:
    markdown = join_pieces("T", [Piece("A", LISTED), Piece("B", text)])
    opening = text.partition(":\n")[0]
    section = markdown.partition("## B\n\n")[2]
    assert f"{opening}:\n" in section
    assert re.search(r":\s+(-|```)", section)


def test_a_section_that_holds_a_list_told_in_two_others_goes() -> None:
    pieces = [Piece("A", TALL), Piece("B", OLD), Piece("C", f"The figures are:\n\n{LISTED}")]
    assert "## C" not in join_pieces("T", pieces)


@pytest.mark.parametrize(
    "under", ["  - It was rebuilt in 1990 [S1.2]", "\n  It was rebuilt.", "  ```\n  41\n  ```"]
)
def test_an_item_stays_as_long_as_anything_under_it_does(under: str) -> None:
    text = f"- Heron is white [S1.1]\n- {TALL}\n{under}\n- {OLD}"
    markdown = join_pieces("T", [Piece("A", LISTED), Piece("B", text)])
    assert markdown.endswith(f"## B\n\n- Heron is white [S1.1]\n- {TALL}\n{under}\n")


@pytest.mark.parametrize(
    "unknown",
    ["The sources do not state when it was built or opened.", "所查阅的资料均未说明该灯塔的建造或启用时间。"],
)
def test_what_cites_nothing_is_said_under_each_heading_that_it_may_be_about(unknown: str) -> None:
    pieces = [
        Piece("Gull", f"41 m [S1.1].\n\n{unknown}"),
        Piece("Heron", f"28 m [S1.2].\n\n{unknown}"),
    ]
    assert join_pieces("T", pieces).count(unknown) == 2
    closing = Piece("Conclusion", unknown, needed=False)
    assert "## Conclusion" not in join_pieces("T", [*pieces, closing])


def test_a_table_that_the_other_section_does_not_have_keeps_the_sentence_that_opens_it() -> None:
    told = "The costs of the lighthouse are those of its lamps [S1.1]."
    pieces = [
        Piece(f"Costs in {year}", f"{told}\n\n| Lamp | Cost |\n| --- | --- |\n| Red | {cost} [S1.1] |")
        for year, cost in ((2040, 10), (2041, 20))
    ]
    markdown = join_pieces("T", pieces)
    assert f"## Costs in 2041\n\n{told}\n\n| Lamp" in markdown


def test_a_further_source_a_table_and_code_are_never_taken_for_a_repetition() -> None:
    table = "| Lighthouse | Height |\n| --- | --- |\n| The Gull lighthouse of Ormsund | 41 m [S1.1] |"
    code = "```\nThe Gull lighthouse is 41 metres tall.\n```"
    both = f"{TALL}\n\n{table}\n\n{code}"
    again = f"{TALL.replace('S1.1', 'S2.1')}\n\n{table}\n\n{code}"
    assert (
        join_pieces("T", [Piece("A", both), Piece("B", again)])
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
    markdown = with_gaps(from_template(Material("How tall?", findings=findings, gaps=gaps[:1]), EN), gaps, EN)
    assert headings(markdown) == ["# How tall?", "## the Gull lighthouse", "## What could not be found"]
    assert markdown.endswith("- One failed.\n- Another failed.\n")


def test_gaps_stand_with_those_that_are_named_and_not_behind_what_follows_them() -> None:
    named = "# T\n\n## What could not be found\n\n- Its age.\n{}\nLeft out: doubts 1.\n"
    gap = Gap(kind="branch_failed", topic="t", message="One failed.")
    for rest in ("", "\n## Sources\n\n1. A\n"):
        told = with_gaps(f"{named.format('')}{rest}", [gap], EN)
        assert told == f"{named.format('- One failed.' + chr(10))}{rest}"
