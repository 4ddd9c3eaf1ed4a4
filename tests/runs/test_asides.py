"""A false number is marked wherever it stands: in a title, a table's head, code, a label, a question."""

from __future__ import annotations

import pytest

from tests.running import delegate, run
from tests.scripted import Script

GULL = "The Gull lighthouse is 41 metres tall. Built in 1902."
QUESTION = "How tall is the Gull lighthouse, which was lit in 1902?"


async def report_of(draft: str, **settings):
    script = Script(supervisor=delegate("Gull lighthouse height"), writer=draft)
    return await run(script, QUESTION, **settings)


@pytest.mark.parametrize(
    "said",
    [
        "## It is 97 metres tall",
        "## Ninety-seven metres",
        "It is 97 metres tall:",
        "Did you know that it is 97 metres tall?",
        "```\nheight = 97\n```",
        "| Of the 97 metres | Share |\n|---|---|\n| Tower | most |",
        "No source says who built it, but it is 97 metres tall.",
        "It is not known who built it, although 97 metres were measured.",
    ],
)
async def test_a_number_that_nobody_gave_is_marked(said: str):
    report = await report_of(f"# Gull\n\n{GULL}\n\n{said}\n\nThe lamp.")
    told = next(line for line in report.markdown.split("\n") if "97" in line or "inety" in line)
    assert told.rstrip("| ").endswith("⚠")
    strict = await report_of(f"# Gull\n\n{GULL}\n\n{said}\n\nThe lamp.", verifier__mode="strict")
    body = strict.markdown.partition("## How this report was checked")[0]
    assert "97" not in body and "inety" not in body
    assert "41 metres" in body


async def test_a_false_title_is_no_complete_report():
    report = await report_of(
        f"# The Gull lighthouse is 97 metres tall\n\n{GULL}", verifier__least_supported=0.8
    )
    assert report.markdown.startswith("# The Gull lighthouse is 97 metres tall ⚠\n")
    assert report.status == "partial"


@pytest.mark.parametrize(
    "said",
    [
        "## 1. Lit in 1902",
        "## 2.3 Height: 41 metres",
        "Of 1902:",
        "No source says who built the Gull, but it was built in 1902.",
    ],
)
async def test_numbers_of_the_user_and_of_sources_are_not_marked(said: str):
    report = await report_of(f"# Gull\n\n{GULL}\n\n{said}\n\nThe lamp.")
    assert "⚠" not in report.markdown


async def test_what_a_reviewer_adds_is_no_part_of_a_gap():
    weak = {"verdict": "insufficient", "missing": "The 97 metres of its tower, built by King Harald."}
    script = Script(critic=lambda request: {
        name: weak for name in request["response_format"]["json_schema"]["schema"]["properties"]
    })  # fmt: skip
    report = await run(script, system="graph_agent", approval="off")
    told = report.markdown + report.model_dump_json(include={"gaps"})
    assert "is not settled" in report.markdown
    assert "97" not in told and "Harald" not in told


async def test_headings_that_begin_too_low_are_raised_to_a_title_and_its_sections():
    report = await report_of(
        f"### Gull\n\n#### Height\n\n{GULL} [S1.1]\n\n#### Light\n\n{GULL}\n\n## More\n\nRain."
    )
    assert report.markdown.startswith("# Gull\n\n## Height\n\nThe Gull") and "\n## Light\n" in report.markdown
