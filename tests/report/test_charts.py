"""Charts in reports: every number cites a source, picture and table are one, and no block can crash."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deep_research.core.records import Source
from deep_research.report import Report
from deep_research.report.chart_picture import picture
from deep_research.report.charts import Chart, Point, Series, place_charts
from deep_research.report.html_page import markdown_to_html
from deep_research.runs import research
from deep_research.runs.bundle import load_report
from deep_research.settings import load_settings
from deep_research.text.cited_sentences import DOUBT_MARK
from deep_research_offline.web import build_web
from tests.running import context_of, run
from tests.scripted import Script

PAGES = {"Gull lighthouse": ("Gull", 41), "Heron lighthouse": ("Heron", 28), "Skua lighthouse": ("Skua", 36)}
SOURCES = [Source(id=f"S1.{n}", url=f"https://a.example/{n}") for n in range(1, 4)]


def block(points: list[dict[str, Any]], **more: Any) -> str:
    chart = {"kind": "bar", "title": "Heights", "unit": "m", "series": [{"points": points}], **more}
    return f"```chart\n{json.dumps(chart, ensure_ascii=False)}\n```\n"


def writes_chart(wrong: int = 0, **more: Any) -> Any:
    """A writer that draws the heights of three lights; `wrong` is added to the last of them."""

    def write(request: dict[str, Any]) -> str:
        import re

        listed = re.findall(r"^- (S\d+\.\d+): ([^(]+) \(", request["messages"][1]["content"], re.MULTILINE)
        ids = {title: source for source, title in listed}
        points = [{"label": PAGES[t][0], "value": PAGES[t][1], "source": ids[t]} for t in PAGES if t in ids]
        points[-1]["value"] += wrong
        sentence = f"The Gull lighthouse is 41 metres tall [{points[0]['source']}]."
        return f"# Heights\n\n{sentence}\n\n{block(points, **more)}"

    return write


async def charted(wrong: int = 0, out: Path | None = None, **settings: Any) -> Report:
    script = Script(writer=writes_chart(wrong), supervisor=_all_lights)
    options = {"keep": True, "out": out} if out else None
    return await run(script, options=options, **{"output__charts": "some", **settings})


def _all_lights(request: dict[str, Any]) -> Any:
    if any(message["role"] == "tool" for message in request["messages"]):
        return [("ResearchComplete", {})]
    return [("ConductResearch", {"research_topic": f"{title} height in metres"}) for title in PAGES]


async def test_a_chart_is_a_picture_and_a_table_with_a_citation_for_each_number() -> None:
    report = await charted()
    [chart] = report.charts
    assert [(point.label, point.value) for point in chart.points] == [*PAGES.values()]
    assert not any(point.flagged for point in chart.points)
    assert (
        f"![Heights](charts/{chart.name}.svg)\n\n| Item | Value |\n|---|---|\n| Gull | 41 m [1] |"
        in report.markdown
    )
    numbers = {source.id: source.number for source in report.cited}
    for point in chart.points:
        assert f"| {point.label} | {point.value:g} m [{numbers[point.sources[0]]}] |" in report.markdown
    rows = [claim for claim in report.claims if "; value:" in claim.text]
    assert len(rows) == 3 and all(claim.verdict == "evidence_found" for claim in rows)


async def test_a_number_that_its_source_does_not_state_is_flagged_in_table_and_picture() -> None:
    report = await charted(wrong=7)
    [chart] = report.charts
    assert [point.flagged for point in chart.points] == [False, False, True]
    row = next(line for line in report.markdown.splitlines() if line.startswith("| Skua | 43 m"))
    assert DOUBT_MARK in row and b"Skua" in picture(chart)
    assert picture(chart) != picture((await charted()).charts[0])


async def test_in_the_strict_mode_a_wrong_number_is_in_neither() -> None:
    report = await charted(wrong=7, verifier__mode="strict")
    [chart] = report.charts
    assert [point.label for point in chart.points] == ["Gull", "Heron"]
    assert "43 m" not in report.markdown.partition("## How")[0]
    assert any("43" in removed.reason for removed in report.removed)


async def test_charts_are_kept_in_the_run_folder_and_in_exports(tmp_path: Path) -> None:
    report = await charted(out=tmp_path, output__file_format="html")
    [chart] = report.charts
    path = f"charts/{chart.name}.svg"
    folder = tmp_path / report.run_id
    assert (folder / path).read_bytes() == picture(chart) == report.pictures()[path]
    assert load_report(folder).charts == report.charts
    for page in (report.to_html(), report._repr_html_(), (folder / "report.html").read_text()):
        assert '<img src="data:image/svg+xml;base64,' in page and path not in page
    report.export(tmp_path / "own" / "report.md") if (tmp_path / "own").mkdir() is None else None
    assert (tmp_path / "own" / path).read_bytes() == picture(chart)
    bare = markdown_to_html(report.markdown, report.cited, report.claims)  # where nothing can draw
    assert "<img" not in bare and "<strong>Heights</strong>" in bare and "<td>Gull</td>" in bare


async def test_without_charts_in_the_output_the_numbers_stay_as_a_table() -> None:
    report = await charted(output__charts="none")
    assert not report.charts and "**Heights**" in report.markdown and "| Gull | 41 m [1] |" in report.markdown


async def test_the_writer_is_told_how_to_write_a_chart_only_where_one_is_wanted() -> None:
    for charts in ("none", "some"):
        script = Script()
        await run(script, output__charts=charts)
        assert ("```chart" in script.prompts("writer")[0]) == (charts == "some")


GOOD = {"label": "Gull", "value": 41, "source": "S1.1"}


@pytest.mark.parametrize(
    ("body", "points", "drawn"),
    [
        (block([GOOD, {"x": "Heron", "y": "1,028", "sources": ["[S1.2]"]}]), [41, 1028], True),
        (block([GOOD, GOOD | {"label": 1902, "value": 2.5}], kind="pie"), [41, 2.5], True),
        (block([GOOD, {"label": "Heron", "value": 28}]), [41], False),
        (block([GOOD, {"label": "Heron", "value": 28, "source": "S9.9"}]), [41], False),
        (block([GOOD, {"label": "Heron", "value": "tall", "source": "S1.2"}, 7, None]), [41], False),
        ('```chart\n{"title": "x", "points": [' + json.dumps(GOOD) + ",]\n```\n", [41], False),
        ("```chart\nno JSON at all\n```\n", [], False),
        ('```chart\n{"series": 3}\n```\n', [], False),
        ('```chart\n{"series": [{"points": "none"}, 4]}\n```\n', [], False),
        ("```chart\n[1, 2]\n```\n", [], False),
        ("```chart\n", [], False),
        ('```chart\n{"points": [' + json.dumps(GOOD) + "]\n", [41], False),
        (block([GOOD | {"label": "a|b\n# [S1.2] <b>", "unit": 1}, GOOD], title="T](x) [1]"), [41, 41], True),
    ],
)
def test_a_bad_block_becomes_a_table_or_is_named_and_never_crashes(
    body: str, points: list[float], drawn: bool
) -> None:
    placed = place_charts(f"Before.\n\n{body}\nAfter.\n", SOURCES, context_of(output__charts="some"))
    rows = [line for line in placed.markdown.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == len(points) and all("[S1." in row for row in rows)
    assert bool(placed.charts) == drawn
    assert [point.value for chart in placed.charts for point in chart.points] == (points if drawn else [])
    assert bool(placed.missing) == (not points)
    assert placed.markdown.startswith("Before.\n") and placed.markdown.endswith("\nAfter.\n")


def test_more_charts_than_wanted_are_tables() -> None:
    drafts = "\n".join(block([GOOD, GOOD | {"label": f"Heron {n}"}]) for n in range(3))
    for amount, pictures in (("none", 0), ("some", 2), ("many", 3)):
        placed = place_charts(drafts, SOURCES, context_of(output__charts=amount))
        assert len(placed.charts) == placed.markdown.count("![") == pictures
        assert placed.markdown.count("| Gull |") == 3


def a_chart(**more: Any) -> Chart:
    points = [Point(label=label, value=n + 0.5, sources=["S1.1"]) for n, label in enumerate(("2040", "2041"))]
    return Chart(
        **{"name": "chart-00000000", "series": [Series(name="a", points=points)], "unit": "m", **more}
    )


@pytest.mark.parametrize("kind", ["bar", "line"])
def test_a_picture_has_the_same_bytes_each_time_and_no_date(kind: Any) -> None:
    several = [a_chart().series[0], Series(name="b", points=a_chart().points)]
    for chart in (a_chart(kind=kind), a_chart(kind=kind, series=several, title="灯塔 $x_1$ <b>", unit="$")):
        svg = picture(chart)
        assert svg == picture(chart) and b"<dc:date>" not in svg and b"<b>" not in svg
        assert picture(chart, "png") == picture(chart, "png")


WEB = build_web(0, 150, "airships")
COMPARISON = next(question for question in WEB.questions if question.kind == "comparison")


def offline(text: str, **settings: Any) -> Report:
    return research(text, settings=load_settings({"output.charts": "some", **settings}), keep=False)


def test_a_report_that_compares_numbers_gets_its_chart_without_a_model() -> None:
    plain, report = offline(COMPARISON.text, **{"output.charts": "none"}), offline(COMPARISON.text)
    [chart] = report.charts
    assert not plain.charts and len(chart.points) == 2
    assert all(point.label in COMPARISON.text and point.sources for point in chart.points)
    values = {f"{point.value:g}" for point in chart.points}
    gold = " ".join(WEB.facts[fact].value for fact in COMPARISON.facts)
    assert all(value in gold for value in values)
    without_chart = [line for line in report.markdown.splitlines() if not line.startswith(("|", "!", "#"))]
    assert {line for line in plain.markdown.splitlines() if line.startswith("- ")} <= {*without_chart}
    assert offline(COMPARISON.text).markdown == report.markdown


def test_the_columns_of_a_reports_tables_are_drawn_under_their_own_names() -> None:
    asked = [question.text for question in build_web().questions if question.kind == "report"]
    comparing = next(text for text in asked if "compare the freight airships" in text)
    [ranges] = offline(comparing, preset="quick").charts
    assert (ranges.title, ranges.unit, len(ranges.points)) == ("Range", "kilometres", 3)
    [years] = offline(next(text for text in asked if "developed since 2040" in text), preset="quick").charts
    assert years.kind == "line" and [point.label for point in years.points] == [
        str(2040 + n) for n in range(8)
    ]


def test_a_ranking_is_drawn_by_name_and_a_single_fact_is_not() -> None:
    ranking = next(question for question in WEB.questions if question.kind == "ranking")
    [chart] = offline(ranking.text).charts
    assert len(chart.points) == 3 and chart.unit == "passengers"
    single = next(question for question in WEB.questions if question.kind == "single_fact")
    assert not offline(single.text).charts


def test_forms_without_room_for_a_chart_have_none() -> None:
    assert not offline(COMPARISON.text, **{"output.form": "plain_text"}).charts
