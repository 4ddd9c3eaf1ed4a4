"""The output specification: each of its fields changes the report, or what the roles are told."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from deep_research.components.brief_writer import write_brief
from deep_research.components.clarifier import clarify
from deep_research.core.errors import SettingsError
from deep_research.runs import aresearch
from deep_research.settings import load_settings
from deep_research.text.language import count_words
from tests.running import context_of, environment_of, run, settings_of, wire
from tests.scripted import Script

SYSTEMS = ("open_deep_research", "shallow_researcher", "graph_agent")
TEXT = """# Lighthouses

The Gull lighthouse is 41 metres tall [S1.1]. It was built in 1902 [S1.1].

## History

- The Gull was relit [S1.2].

| Lighthouse | Height |
|---|---|
| Gull | 41 metres [S1.1] |

## Executive summary

**Gull** is the tallest one [S1.1].
"""


def script() -> Script:
    return Script(writer=TEXT, researcher=([("search", {"queries": ["Gull lighthouse"]})], TEXT))


async def body(chosen: Script | None = None, **settings: Any) -> str:
    """The report without source list and verification."""
    report = await run(chosen or script(), verifier__mode="off", **settings)
    return re.split("\n## (?:Sources|What could not be found)", report.markdown)[0]


@pytest.mark.parametrize("system", SYSTEMS)
async def test_output_says_nothing_unless_it_is_asked(system: str):
    chosen = script()
    text = await body(chosen, system=system)
    assert "| Gull | 41 metres [1] |" in text and "## Executive summary" in text
    assert not [role for role in chosen.requests if "decide these points" in chosen.prompts(role)[0]]


@pytest.mark.parametrize("system", SYSTEMS)
async def test_output_form_is_kept_in_every_system(system: str):
    points = await body(system=system, output__form="key_points")
    assert "- The Gull lighthouse is 41 metres tall [1].\n- It was built in 1902 [1]." in points
    assert "- Gull; height: 41 metres [1]" in points and "|---|" not in points
    plain = await body(system=system, output__form="plain_text")
    assert plain.count("#") == 1 and not {"- ", "|", "**"} & {plain[n : n + 2] for n in range(len(plain))}
    assert "Gull; height: 41 metres [1]." in plain
    listed = await body(system=system, output__form="list")
    assert "\n1. The Gull lighthouse is 41 metres tall [1].\n2. It was built" in listed and "##" not in listed


async def test_output_form_slides_hold_few_points():
    many = Script(writer="# Heights\n\n" + " ".join(f"The tower {n} is tall [S1.1]." for n in range(7)))
    slides = (await body(many, output__form="slides")).split("\n## ")
    assert [slide.count("\n- ") for slide in slides] == [5, 2]
    assert slides[0].startswith("# Heights")


def _letters(number: int) -> str:
    """A word of its own for each number."""
    return "".join("abcdefghij"[int(digit)] for digit in f"{number:03d}")


async def test_output_length_cuts_whole_sentences_and_lists_them():
    report = await run(script(), verifier__mode="off", output__words=17, output__summary="none")
    text = report.markdown.partition("\n## Sources")[0]
    assert "It was built in 1902 [1]." in text and "| Gull |" not in text
    gone = [removed.reason for removed in report.removed]
    assert "over_length: Gull; height: 41 metres" in gone
    long = " ".join(f"The Gull is {name} [S1.1]." for name in map(_letters, range(200)))
    pages = await run(Script(writer=f"# T\n\n{long}"), output__pages=0.5)
    assert 190 < count_words(pages.markdown.partition("\n## Sources")[0].replace("[1]", "")) <= 202


@pytest.mark.parametrize("place", ["top", "end", "none"])
async def test_output_summary_stands_where_it_is_wanted(place: str):
    own = await body(output__summary=place)
    made = await body(Script(writer="# T\n\nThe Gull is tall [S1.1]. More [S1.1].\n"), output__summary=place)
    starts = [own.split("\n## ")[1].partition("\n")[0], own.split("\n## ")[-1].partition("\n")[0]]
    assert (starts[0] == "Summary", starts[1] == "Summary") == (place == "top", place == "end")
    assert ("Gull** is the tallest" in own) == (place != "none")
    assert made.count("The Gull is tall [1].") == (2 if place == "end" else 1)
    assert ("## Summary\n\nThe Gull is tall [1]. More [1]." in made) == (place == "top")


async def test_output_summary_repeats_no_short_opening_and_tells_of_no_other_perspective():
    opened = Script(writer="# T\n\nThe Gull is tall [S1.1].\n\n## More\n\nIt is old [S1.1].\n")
    text = await body(opened, output__summary="top")
    assert text.startswith("# T\n\n## Summary\n\nThe Gull is tall [1].\n\n## More\n\nIt is old [1].")
    other = "## Another perspective: piers\n\nA pier is low [S1.1].\n"
    apart = Script(writer=f"# T\n\n## Height\n\nThe Gull is tall [S1.1].\n\n{other}")
    summary = (await body(apart, output__summary="top")).split("\n## ")[1]
    assert "tall" in summary and "pier" not in summary


async def test_output_summary_is_the_opening_that_says_that_nothing_was_found():
    """Else a fact that answers nothing stood before it, and once more below."""
    denied = Script(writer="# T\n\nThe sources do not say this.\n\n## Nearest\n\nThe Gull is tall [S1.1].\n")
    text = await body(denied, output__summary="top")
    assert text.count("The Gull is tall") == 1
    assert text.index("do not say this") < text.index("The Gull is tall")


async def test_output_summary_words_are_a_cap():
    told = " ".join(f"The {_letters(n)} Gull is 41 metres tall [S1.1]." for n in range(9))
    long = Script(writer=f"# T\n\n## Summary\n\n{told}")
    assert (await body(long, output__summary="top", output__summary_words=15)).count("41 metres") == 2


async def test_output_sections_are_written_one_by_one():
    chosen = Script(writer=TEXT)
    report = await run(chosen, output__sections=["Height", "History"])
    assert [h for h in report.markdown.splitlines() if h.startswith("## ")][:2] == ["## Height", "## History"]
    assert len(chosen.requests["writer"]) == 2


async def test_output_sections_missing_from_an_answer_are_named():
    answer = "# T\n\nIt is tall [S1.1].\n\n## 2. history\n\nIt is old [S1.1].\n"
    chosen = Script(researcher=([("search", {"queries": ["Gull lighthouse"]})], answer))
    report = await run(chosen, system="shallow_researcher", output__sections=["Costs", "History"])
    headings = [line for line in report.markdown.splitlines() if line.startswith("## ")]
    assert headings[:2] == ["## Costs", "## History"]
    assert [gap.kind for gap in report.gaps] == ["unanswered"] and "“Costs”" in report.gaps[0].message


async def test_output_file_format_html_is_saved_and_others_are_refused(tmp_path: Path):
    chosen = settings_of(output__file_format="html")
    world = environment_of(wire(script()), chosen)
    report = await aresearch("How tall?", settings=chosen, environment=world, out=tmp_path)
    assert "<h1>Lighthouses</h1>" in (tmp_path / report.run_id / "report.html").read_text()
    alone = settings_of(output__file_format="md")
    plain = await aresearch("How tall?", settings=alone, environment=world, out=tmp_path)
    assert not (tmp_path / plain.run_id / "report.html").exists()
    with pytest.raises(SettingsError, match=r"cannot be written as 'docx' yet; there are md and html"):
        load_settings({"output.file_format": "docx"})


NOTES = {
    "output__tone": ("cheerful", "- Tone: cheerful"),
    "output__charts": ("some", "- Charts: one or two charts"),
    "output__form": ("slides", "- Form: slides."),
    "output__words": (200, "- Length: at most 200 words."),
    "output__summary": ("top", "- Summary: a section “Summary” of about 80 words"),
    "output__sections": (["Cost", "Risk"], "- Sections: exactly these, in this order: Cost; Risk"),
    "scope__period": ("since 2030", "- Period: since 2030"),
    "scope__regions": (["Ormsund"], "- Regions: Ormsund"),
    "scope__exclude_regions": (["Brud"], "- Regions to leave out: Brud"),
    "language": ("ja", "- Language of the report: Japanese"),
}


async def test_output_specification_reaches_clarifier_brief_writer_and_writer():
    chosen, shallow = script(), script()
    values = {field: value for field, (value, _) in NOTES.items()}
    await run(chosen, **values)
    await run(shallow, system="shallow_researcher", **values)
    for field, (_, note) in NOTES.items():
        for role in ("clarifier", "brief_writer", "writer"):
            assert note in chosen.prompts(role)[0], (field, role)
        assert note in shallow.prompts("researcher")[0], field


QUESTIONS = {
    "scope__period": ("since 2030", "Which period do you mean?"),
    "scope__regions": (["Ormsund"], "Which countries should I look at?"),
    "output__words": (200, "How long should the report be? A page or more?"),
    "output__form": ("slides", "In what form would you like it, slides or text?"),
}


@pytest.mark.parametrize("field", QUESTIONS)
async def test_o1_what_the_output_specification_states_is_not_asked(field: str):
    value, question = QUESTIONS[field]
    asks = {"need_clarification": True, "question": question, "verification": ""}
    user = [{"role": "user", "content": "Tell me about the lighthouses."}]
    assert (await clarify(user, context_of(Script(clarifier=asks)))).need_clarification
    if field != "output__words":  # its second question is about something else
        assert not (
            await clarify(user, context_of(Script(clarifier=asks), **{field: value}))
        ).need_clarification
    both = asks | {"question": f"{question} And which lighthouse?"}
    assert (await clarify(user, context_of(Script(clarifier=both), **{field: value}))).need_clarification


async def test_o2_regions_to_leave_out_are_in_the_brief_even_if_the_model_forgets_them():
    ctx = context_of(Script(brief_writer={"research_brief": "x"}), scope__exclude_regions=["Brud"])
    assert "Brud" in await write_brief([{"role": "user", "content": "Lighthouses?"}], ctx)
