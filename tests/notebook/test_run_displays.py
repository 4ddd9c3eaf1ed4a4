"""Displays of a whole run: their words are the figures of its trace, whatever became of the run."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

import pytest

from deep_research.core.records import Gap
from deep_research.engine.trace import simulated_seconds
from deep_research.notebook.display import COLOURS, OTHER, Display
from deep_research.notebook.graphs import draw
from deep_research.notebook.growth import context_growth
from deep_research.notebook.sources import show_sources
from deep_research.notebook.timeline import timeline
from deep_research.notebook.traces import lane_labels, show_side_by_side, show_trace
from deep_research.report import Report
from deep_research.systems import SYSTEMS
from deep_research.systems.open_deep_research.graph import graph
from tests.notebook.test_displays import DIAMOND, PNG, bundle, call
from tests.running import delegate, run
from tests.scripted import Script

EMPTY = Report(run_id="r", question="?", system="open_deep_research", status="failed")
DISPLAYS: dict[str, Callable[[Report], Display]] = {
    "path": lambda report: draw(graph, report),
    "timeline": show_trace,
    "context": context_growth,
    "sources": show_sources,
    "side by side": lambda report: show_side_by_side(report, EMPTY),
}


def broken(request: object) -> None:
    raise RuntimeError("no answer today")


def live(report: Report) -> Report:
    """The same run with seconds as a machine measures them."""
    lines = [line.model_copy() for line in report.trace]
    for place, line in enumerate(lines):
        line.start, line.end = 1.37 * place, 1.37 * place + 0.9137
    return report.model_copy(update={"trace": lines})


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    """One run of every system, and one of which a branch has failed."""

    async def runs() -> dict[str, Report]:
        made = {
            name: await run(Script(supervisor=delegate("Gull", "Heron")), system=name) for name in SYSTEMS
        }
        script = Script(supervisor=delegate("Gull", "Heron"), compressor=broken)
        return made | {"failed branch": await run(script, retries=0)}

    return asyncio.run(runs())


@pytest.fixture
def report(reports: dict[str, Report]) -> Report:
    """A run with two topics."""
    return reports["open_deep_research"]


@pytest.mark.parametrize("name", DISPLAYS)
def test_every_display_survives_any_run_and_shows_it_the_same_way_again(
    name: str, reports: dict[str, Report], report: Report
) -> None:
    with_gap = report.model_copy(update={"gaps": [Gap(kind="timeout", topic="x", message="late")]})
    for shown in (reports["failed branch"], with_gap, live(report), EMPTY):
        first = bundle(DISPLAYS[name](shown))
        assert first["text/plain"] and len({"image/png", "text/html"} & first.keys()) == 1
    assert bundle(DISPLAYS[name](report)) == bundle(DISPLAYS[name](report.model_copy(deep=True)))


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_words_of_a_timeline_are_the_figures_of_the_trace(
    system: str, reports: dict[str, Report]
) -> None:
    report = reports[system]
    sent = [line for line in report.trace if line.status != "reused"]
    shown = timeline(report)
    assert sorted(bar.line.id for bar in shown.bars) == sorted(line.id for line in sent)
    assert shown.end == simulated_seconds(report.trace, report.settings.concurrency)
    head = show_trace(report).text.splitlines()[0]
    assert head.startswith(f"{len(sent)} calls, {simulated_seconds(report.trace):.1f} simulated seconds")


def test_a_limit_on_calls_shows_who_was_held_back_and_how_long() -> None:
    lines = bundle(show_trace(DIAMOND, concurrency=1))["text/plain"].splitlines()
    assert lines[1] == "1.2 s with at most 1 in flight: calls waited 0.4 s in all"
    assert "  topic 2  0.4 researcher (waited 0.2), 0.6 search" in lines
    assert timeline(DIAMOND, 1).most_at_once == 1


def test_the_longest_path_runs_through_what_was_taken_over_from_another_branch() -> None:
    reused = call("2#1", "0#1", "1#1", kind="search").model_copy(update={"status": "reused"})
    trace = [call("0#1"), call("1#1", "0#1", kind="search"), reused, call("2#2", "2#1")]
    assert timeline(trace).longest_path() == ["0#1", "1#1", "2#2"]


def test_context_growth_of_a_report_shows_what_each_call_has_read(report: Report) -> None:
    lines = bundle(context_growth(report, limit=99))["text/plain"].splitlines()
    calls = [line.split() for line in lines[2:-1]]
    assert len(calls) == report.usage.model_calls
    assert sum(int(words[-1].replace(",", "")) for words in calls) == report.usage.input_tokens
    assert [words[1] for words in calls[-1:]] == ["topic"] and lines[-1].startswith(
        "limit 99 tokens; over it: 1,"
    )


def test_side_by_side_compares_two_systems_on_one_time_axis(reports: dict[str, Report]) -> None:
    first, second = reports["open_deep_research"], reports["shallow_researcher"]
    lines = bundle(show_side_by_side(first, second))["text/plain"].splitlines()
    calls = next(line.split() for line in lines if line.startswith("model calls"))
    a, b = first.usage.model_calls, second.usage.model_calls
    assert calls[2:] == [str(a), str(b), f"×{b / a:.2f}"]
    assert "shallow_researcher:" in lines and lines[0].split()[0] == "open_deep_research"
    with pytest.raises(ValueError, match="two names, not 1"):
        show_side_by_side(first, second, names=["one"])
    alike = bundle(show_side_by_side(first, first))["text/plain"]
    assert alike.split()[:2] == ["first", "second"] and alike.count("\nfirst and second:\n") == 1
    fewer = first.model_copy(update={"gaps": [], "sources": first.sources[:-1]})
    table = bundle(show_side_by_side(first, fewer))["text/plain"]
    assert re.search(r"^sources found .* -1$", table, re.MULTILINE)


def test_side_by_side_takes_bare_traces_too() -> None:
    shown = bundle(show_side_by_side(DIAMOND, DIAMOND[:1], names=["a", "b"]))
    assert "status" not in shown["text/plain"] and "simulated seconds" in shown["text/plain"]


def test_topics_on_the_same_things_show_in_which_side_they_differ() -> None:
    topics = [
        "Hasel Mill",
        *(f"The lamp of the Gull and the horn of Orsk Mill: {it}" for it in ("cost", "age")),
    ]
    lines = [call(f"{n}#1").model_copy(update={"topic": topic}) for n, topic in enumerate(topics, 1)]
    labels = lane_labels(timeline(lines).lanes)
    assert [label.rpartition(": ")[2] for label in labels] == ["Hasel Mill", "cost", "age"]


def test_chinese_and_japanese_titles_are_drawn_without_a_complaint() -> None:
    trace = [call("1#1").model_copy(update={"topic": "海鸥灯塔有多高"})]
    assert show_trace(trace).png.startswith(PNG)  # type: ignore[union-attr]


BLIND = {
    "none": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "red": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "green": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "blue": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""What people see who lack a kind of cones: linear RGB to linear RGB (Machado and others, 2009)."""


def seen(fill: str, kind: str) -> tuple[float, float, float]:
    """A colour in CIE Lab, as seen with that kind of colour blindness."""
    srgb = [int(fill[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    light = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in srgb]
    r, g, b = (min(max(sum(m * c for m, c in zip(row, light, strict=True)), 0), 1) for row in BLIND[kind])
    white = ((0.4124, 0.3576, 0.1805, 0.95), (0.2126, 0.7152, 0.0722, 1.0), (0.0193, 0.1192, 0.9505, 1.089))
    x, y, z = (
        t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116
        for t in ((u * r + v * g + w * b) / white_point for u, v, w, white_point in white)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("kind", BLIND)
def test_the_palette_can_be_told_apart_without_full_colour_vision(kind: str) -> None:
    fills = sorted({*COLOURS.values(), OTHER})
    for place, one in enumerate(fills):
        for other in fills[:place]:
            pairs = zip(seen(one, kind), seen(other, kind), strict=True)
            assert sum((a - b) ** 2 for a, b in pairs) ** 0.5 > 12, (one, other)


def test_a_lane_is_labelled_with_what_tells_its_topic_from_the_others() -> None:
    subject = "The fall of the great mast at the western quay"
    topics = {"1#1": f"{subject}: Causes", "2#1": f"{subject}: Consequences"}
    lines = [call(name).model_copy(update={"topic": topic}) for name, topic in topics.items()]
    part = call("0.1#1").model_copy(update={"topic": "Conclusion"})
    labels = lane_labels(timeline([call("0#1"), *lines, part]).lanes)
    assert labels == ["main", "topic 1: Causes", "topic 2: Consequences", "part 1: Conclusion"]
