"""A report that is handed on says of itself that it is partial: once, at its top, and as no claim."""

from __future__ import annotations

import pytest

from deep_research.components.verifier import verify
from deep_research.core.words import phrases
from deep_research.evaluation.reading import lead
from deep_research.evaluation.samples import answer_sample
from deep_research.runs.environment import build_environment
from deep_research.settings import load_settings
from deep_research.systems import SYSTEMS
from tests.running import delegate, run
from tests.scripted import Script

GULL = "The Gull lighthouse is 41 metres tall [S1.1]."
LINES = phrases("reports.partial")


def line_of(report) -> str:
    return report.markdown.splitlines()[2]


async def asked(question: str, draft: str):
    return await run(Script(supervisor=delegate("Gull lighthouse height"), writer=draft), question)


@pytest.mark.parametrize(
    ("question", "draft", "language", "key"),
    [
        ("How tall is the Gull lighthouse, and who is its favourite painter?", GULL, "en", "named"),
        ("Who painted the Gull lighthouse?", f"The closest that the sources say: {GULL}", "en", "open"),
        ("海鸥灯塔的高度和守塔人姓名是什么？", "海鸥灯塔的高度是四十一米[S1.1]。", "zh", "named"),
        ("谁画了海鸥灯塔？", "来源中没有说明这一点。\n\n海鸥灯塔高四十一米[S1.1]。", "zh", "open"),
        (
            "カモメ灯台の高さと完成した年は何ですか。",
            "カモメ灯台の高さは四十一メートルです[S1.1]。",
            "ja",
            "named",
        ),
        (
            "カモメ灯台を描いたのは誰ですか。",
            "情報源には記載がありません。\n\n高さは41メートル[S1.1]。",
            "ja",
            "open",
        ),
    ],
)
async def test_a_partial_report_says_so_below_its_title(question, draft, language, key):
    report = await asked(question, f"# Gull\n\n{draft}")
    assert (report.status, line_of(report)) == ("partial", f"*{LINES[language][key]}*")
    assert LINES[language][key] in report.to_page()


async def test_the_line_is_no_claim_no_lead_and_no_denial():
    report = await asked(
        "Who painted the Gull lighthouse?", f"# Gull\n\nThe closest that the sources say: {GULL}"
    )
    line = line_of(report).strip("*")
    assert all(claim.text != line for claim in report.claims)
    assert all(said.text != line for statement in lead(report.markdown) for said in statement)
    sources = [source.model_dump(mode="json") for source in report.sources]
    again = verify(report.markdown, sources)
    assert line_of(report) in again.report and all(claim.text != line for claim in again.claims)


async def test_a_complete_report_says_nothing_of_its_status():
    report = await asked("How tall is the Gull lighthouse?", f"# Gull\n\n{GULL}")
    assert report.status == "complete" and "partial" not in report.markdown


@pytest.mark.parametrize("system", sorted(SYSTEMS))
async def test_every_design_says_it(system):
    settings = load_settings({"system": system})
    world = build_environment(settings)
    try:
        question = next(one.text for one in world.provider.web.questions if one.kind == "unanswerable")
        report = await answer_sample(question, system, settings, world)
    finally:
        await world.close()
    assert report.status == "partial"
    assert (
        report.markdown.count("This report is partial")
        == line_of(report).count("This report is partial")
        == 1
    )
