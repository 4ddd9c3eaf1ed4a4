"""Row o9: the report section by section is a setting; ids, budget and failures hold as in one shot."""

from __future__ import annotations

from typing import Any

import pytest

from deep_research.components.writer.sections import distinct_headings, without_common_lead
from deep_research.runs import aresearch
from deep_research_offline.web import build_web
from tests.running import TOPICS, delegate, run, wire
from tests.scripted import Script

HEADINGS = ["The tallest one", "The oldest one", "What is not known"]


def writes(headings: Any = HEADINGS, **sections: Any) -> Any:
    """A writer that plans these headings; `oldest=…` is its text for the section with this second word."""

    def write(request: dict[str, Any]) -> Any:
        if request.get("response_format"):
            return {"topics": headings} if isinstance(headings, list) else headings
        task = request["messages"][1]["content"]
        if "Question: Where the sources disagree" in task:
            return "They agree."
        asked = next((heading for heading in HEADINGS if f"Question: {heading}\n" in task), "one shot")
        text = f"# {asked}\n\nOf {asked} [S1.1].\n\n## More\n\nAnd [S2.1] [S9.9]."
        return sections.get(asked.split()[1], text)

    return write


def script(*args: Any, **sections: Any) -> Script:
    return Script(supervisor=delegate(*TOPICS[:2]), writer=writes(*args, **sections))


async def test_o9_one_shot_by_default_and_sections_as_a_setting() -> None:
    once = script()
    report = await run(once)
    assert len(once.requests["writer"]) == 1 and report.markdown.startswith("# one shot\n")
    asked = script()
    report = await run(asked, writer__mode="sections", verifier__mode="off")
    assert len(asked.requests["writer"]) == 2 + len(HEADINGS)  # the outline, and what sources say differently
    assert report.usage.by_role["writer"].model_calls == 2 + len(HEADINGS)
    lines = [line for line in report.markdown.splitlines() if line.startswith("#")]
    first, *others = [f"## {heading}" for heading in HEADINGS]
    parts = [first, "### More", *others]
    assert lines == [f"# {report.question}", *parts, "## Sources"]
    assert report.status == "complete" and report.gaps == []
    assert "Of The tallest one [1]." in report.markdown and "Of The oldest one [1]." in report.markdown
    assert {removed.reason for removed in report.removed} == {"id_not_in_ledger"}


async def test_o9_every_section_sees_the_findings_the_plan_and_its_own_question() -> None:
    asked = script()
    await run(asked, writer__mode="sections")
    _, *sections = asked.prompts("writer")
    for prompt in sections:
        assert (
            "<findings" in prompt and "[S1.1]" in prompt and "1. The tallest one\n2. The oldest one" in prompt
        )
    assert sorted(h for h in HEADINGS for p in sections if f"Question: {h}\n" in p) == sorted(HEADINGS)


async def test_o9_a_section_that_fails_is_a_gap_and_the_others_stay() -> None:
    report = await run(script(oldest=""), writer__mode="sections")
    assert "## The oldest one" not in report.markdown and "## The tallest one" in report.markdown
    assert [gap.topic for gap in report.gaps] == ["The oldest one"] and report.status == "partial"
    assert "The section “The oldest one” could not be written" in report.markdown


async def test_o9_without_any_section_the_findings_are_put_together() -> None:
    report = await run(script(tallest="", oldest="", **{"is": ""}), writer__mode="sections")
    assert report.status == "partial" and report.cited and "Written from a template" in report.markdown


@pytest.mark.parametrize("headings", [["Only one"], [], "no outline", ["Gulls", "About gulls", "gulls"]])
async def test_o9_an_outline_without_two_sections_means_one_shot(headings: Any) -> None:
    report = await run(script(headings), writer__mode="sections")
    assert report.markdown.startswith("# one shot\n") and report.gaps == [] and report.status == "complete"


@pytest.mark.parametrize(("cap", "sections"), [(14, 3), (13, 2), (12, 0), (11, 0)])
async def test_o9_sections_keep_the_budget(cap: int, sections: int) -> None:
    report = await run(script(), writer__mode="sections", budget__model_calls=cap)
    assert report.usage.model_calls <= cap and report.cited
    assert sum(f"## {heading}\n" in report.markdown for heading in HEADINGS) == sections


async def test_o9_the_same_bytes_whatever_runs_side_by_side() -> None:
    reports = [
        await run(provider=wire(script(), latency_ms=ms), writer__mode="sections", concurrency=calls)
        for calls, ms in ((1, 0), (5, 0), (5, 3))
    ]
    assert len({report.markdown for report in reports}) == 1
    waited = [sorted((line.id, line.after) for line in report.trace) for report in reports]
    assert waited[0] == waited[1] == waited[2]


async def test_o9_sections_of_the_offline_model_answer_the_question() -> None:
    for question in [q for q in build_web().questions if q.kind == "comparison"][::4]:
        once, apart = [
            await aresearch(question.text, settings={"writer.mode": mode, "preset": "quick"}, keep=False)
            for mode in ("one_shot", "sections")
        ]
        assert (apart.status, apart.gaps) == (once.status, once.gaps)
        assert {source.url for source in apart.cited} >= {source.url for source in once.cited}


def test_o9_a_topic_that_another_contains_is_no_section() -> None:
    headings = ["## Costs ", "Costs and risks", "costs and risks", "Dates\nand places", ""]
    assert distinct_headings(headings) == ["Costs and risks", "Dates and places"]


def test_what_all_headings_begin_with_tells_none_from_another_and_goes() -> None:
    assert without_common_lead(["Gull: Tower", "Gull: Keepers"]) == ["Tower", "Keepers"]
    for headings in (["Gull: Tower"], ["Gull: Tower", "Heron: Tower"], ["Gull tower", "Gull keepers"]):
        assert without_common_lead(headings) == headings
