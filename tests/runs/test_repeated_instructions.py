"""What a model repeats of its instructions, as small ones do, is no part of the report."""

from __future__ import annotations

import pytest

from deep_research.text.source_ids import without_repetition
from tests.running import DAY, delegate, run
from tests.scripted import Script

GULL = "The Gull lighthouse is 41 metres tall."
GULL_DATE = "2040-05-01"


def _whole_prompt(request):
    """A writer that gives its instructions back, and then an answer."""
    said = request["messages"][0]["content"]
    return f"# Gull\n\n{said}\n\n{GULL}"


async def report_of(writer, **settings):
    return await run(Script(supervisor=delegate("Gull lighthouse height"), writer=writer), **settings)


@pytest.mark.parametrize(
    "instruction",
    [
        "No tool is left, and nothing more can be looked up.",
        "Write only about the subject. **Do not mention yourself, the search, the brief or “this report”.**",
        f"Today is {DAY}.",
        "Write the answer now, in English.",
        "Cite right after the sentence that needs it, with the id as it appears in the findings: [S1.1], or "
        "[S1.1][S1.1] if there are several.",
        "Right after every sentence that states a fact, cite the id of its source, as listed:.",
        f"- [Source: Gull lighthouse ({GULL_DATE}; unverified)]",
        f"Sources:\n- S1.1: Gull lighthouse ({GULL_DATE}; unverified)",
    ],
)
async def test_an_instruction_is_taken_out_and_noted(instruction):
    report = await report_of(f"# Gull\n\n{instruction}\n\n{GULL}")
    plain = await report_of(f"# Gull\n\n{GULL}")
    assert report.markdown == plain.markdown
    assert {one.reason.partition(":")[0] for one in report.removed} == {"instruction"}


@pytest.mark.parametrize("language", ["en", "zh", "ja"])
async def test_a_whole_prompt_leaves_no_sentence(language):
    report = await report_of(_whole_prompt, prompt_language=language)
    assert [claim.text for claim in report.claims] == [GULL]
    assert report.status == "complete"


async def test_nothing_but_instructions_is_no_report():
    report = await report_of("# Gull\n\nA sentence without an id counts as unsupported [S1.1].")
    assert report.status == "no_evidence"
    assert "counts as" not in report.markdown


async def test_instructions_of_a_users_own_are_known(tmp_path):
    own = tmp_path / "writer.md"
    own.write_text("Let the gulls have the last word in $language.")
    said = f"# Gull\n\nLet the gulls have the last word in English. {GULL}"
    report = await report_of(said, prompts={"writer": str(own)})
    assert "last word" not in report.markdown


async def test_what_only_resembles_an_instruction_stays():
    said = "The sources contradict each other, and both versions are given [S1.1]."
    report = await report_of(f"# Gull\n\n{said} {GULL}")
    assert "both versions are given" in report.markdown


async def test_a_writer_that_gives_back_what_it_was_given_leaves_no_tag():
    report = await report_of(lambda request: f"{request['messages'][1]['content']}\n\n{GULL}")
    body = report.markdown.partition("## Sources")[0]
    assert "findings" not in body and "Question:" not in body
    assert GULL.rstrip(".") in body


@pytest.mark.parametrize(
    "one",
    ["- Is {n} open? Yes.\n", "## {n}\n\nThe sources do not say.\n\n", "- {n}:\n  - Cost: free. [S1.1]\n"],
)
def test_what_is_said_of_one_thing_after_another_is_no_repetition(one):
    ports = "".join(one.format(n=n) for n in ("Alva", "Gull", "Heron", "Moe", "Tern"))
    assert without_repetition(ports) == (ports, [])
    assert without_repetition(ports * 5)[0].startswith(ports)
    assert len(without_repetition(ports * 5)[1]) == 1


async def test_what_a_model_says_over_and_over_stands_once():
    report = await report_of(f"# Gull\n\n{'The club is a club. ' * 300}\n\n{GULL}\n\n## In short\n\n{GULL}")
    assert (report.markdown.count("The club is a club"), report.markdown.count(GULL[:-1])) == (1, 2)
    assert {one.reason for one in report.removed} == {"repeated: The club is a club."}


@pytest.mark.parametrize("cited", [f" ({GULL_DATE}; unverified), S1.2]", " [S1.1], [S1.2]]"])
async def test_a_label_of_a_listed_source_is_no_part_of_a_statement(cited):
    said = f"The page Gull lighthouse ({GULL_DATE}; unverified) says that the lighthouse is 41 metres tall."
    report = await report_of(f"# Gull\n\n{said}\n\n[Gull lighthouse{cited}")
    assert "[Gull" not in report.markdown.replace("[Gull lighthouse](", "") and "[[" not in report.markdown
    assert "unverified)" not in report.markdown.partition("## Sources")[0]
    assert {claim.verdict for claim in report.claims} == {"evidence_found"}
    assert report.status == "complete"


@pytest.mark.parametrize("lead_in", ["### **Question:**\n", "### Question\n\n", "**Brief:** "])
async def test_a_question_that_is_only_repeated_is_no_statement(lead_in):
    asked = "The Gull lighthouse stands on a rock in the sea. How tall is it?"
    script = Script(
        supervisor=delegate("Gull"), writer=f"# Gull\n\n{lead_in}{asked}\n\n### In short\n\n{GULL} [S1.1]"
    )
    report = await run(script, asked)
    assert "Question" not in report.markdown and "on a rock" not in report.markdown
    assert [claim.text for claim in report.claims] == [GULL]
