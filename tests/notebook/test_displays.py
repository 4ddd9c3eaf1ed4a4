"""Display helpers: one MIME bundle each, whose plain text states what the figure shows."""

from __future__ import annotations

import subprocess
import sys
from base64 import b64decode
from datetime import UTC, datetime
from typing import Any

import pytest

from deep_research.components.researcher.graph import build_researcher
from deep_research.core.records import CitedSource, Claim
from deep_research.engine.trace import Event, NodeVisit, TraceLine, simulated_seconds
from deep_research.notebook.bench import progress
from deep_research.notebook.display import Display
from deep_research.notebook.graphs import draw, layout_of, shape_of
from deep_research.notebook.growth import context_growth
from deep_research.notebook.messages import show_messages
from deep_research.notebook.sources import show_claims, show_sources
from deep_research.notebook.traces import show_trace
from deep_research.report import Report
from deep_research.systems import SYSTEMS
from deep_research.systems.open_deep_research.graph import graph
from tests.running import delegate, run
from tests.scripted import Script

PNG = b"\x89PNG\r\n"


def bundle(display: Display) -> dict[str, Any]:
    """What Jupyter gets; the plain text is always there."""
    data = display._repr_mimebundle_()
    assert data["text/plain"] == repr(display)
    return data


def call(name: str, *after: str, kind: Any = "model", role: str = "researcher") -> TraceLine:
    branch = name.partition("#")[0].partition("/")[0]
    return TraceLine(
        id=name, after=list(after), kind=kind, role=role, branch=branch, start=0, end=0, request_hash=""
    )


DIAMOND = [
    call("0#1", role="supervisor"),
    call("1#1", "0#1"),
    call("2#1", "0#1"),
    call("2/1.0#1", "2#1", kind="search"),
    call("2/1.1#1", "2#1", kind="search"),
    call("0#2", "1#1", "2/1.0#1", "2/1.1#1", role="writer"),
]


def test_importing_the_helpers_loads_no_heavy_library() -> None:
    code = "import sys, deep_research.notebook as n; dir(n); print({m.split('.')[0] for m in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for heavy in ("matplotlib", "langgraph", "langchain_core", "openai", "pandas"):
        assert f"'{heavy}'" not in loaded


def test_every_public_name_is_there() -> None:
    import deep_research.notebook as helpers

    for name in helpers.__all__:
        assert callable(getattr(helpers, name)), name


def test_draw_opens_sub_graphs_and_says_in_words_what_it_shows() -> None:
    drawn = draw(graph, highlight=["research", "clarify"], title="The system")
    text = bundle(drawn)["text/plain"]
    assert text.startswith("The system: 11 nodes, 17 edges\n")
    assert "  clarify * -> end?, clarify?, write_brief?" in text
    assert "  research:researcher * -> research:compress?, research:researcher_tools?" in text
    assert "  supervisor -> supervisor_tools?, write_report?" in text
    assert b64decode(bundle(drawn)["image/png"]).startswith(PNG)
    assert "subgraph research" in drawn.mermaid


def test_draw_refuses_a_node_that_is_not_there() -> None:
    with pytest.raises(ValueError, match=r"no node 'clarifier'.*clarify"):
        draw(graph, highlight=["clarifier"])


def test_drawing_twice_gives_the_same_bytes() -> None:
    assert draw(build_researcher()).png == draw(build_researcher()).png


def test_trace_starts_each_call_after_what_it_waited_for() -> None:
    shown = show_trace(DIAMOND)
    assert bundle(shown)["text/plain"].splitlines() == [
        "6 calls, 0.8 simulated seconds along the longest path; one after another 1.2 s; at most 2 at once",
        "  main     0.0 supervisor, 0.6 writer",
        "  topic 1  0.2 researcher",
        "  topic 2  0.2 researcher, 0.4 search",
        "           0.4 search",
    ]
    assert simulated_seconds(DIAMOND) == 0.8  # what the package itself says of this trace
    assert b64decode(bundle(shown)["image/png"]).startswith(PNG)


def test_an_empty_trace_is_shown_too() -> None:
    assert show_trace([]).text.startswith("0 calls, 0.0 simulated seconds")


def test_context_growth_counts_by_kind_and_names_the_calls_over_the_limit() -> None:
    first = [{"role": "system", "content": "x" * 400}, {"role": "user", "content": "y" * 40}]
    second = [*first, {"role": "tool", "content": "z" * 4000, "tool_call_id": "1"}]
    lines = bundle(context_growth([first, second], limit=1000))["text/plain"].splitlines()
    assert lines[2].split() == ["1", "111", "12", "0", "0", "123"]
    assert lines[3].split() == ["2", "111", "12", "0", "1,101", "1,224"]
    assert lines[-1] == "limit 1,000 tokens; over it: 2"


def test_messages_are_escaped_folded_and_show_their_tool_calls() -> None:
    from langchain_core.messages import AIMessage, HumanMessage

    search = {"name": "search", "args": {"queries": ["<b>"]}, "id": "1"}
    page = "<script>alert(1)</script> " + "long " * 200
    shown = bundle(show_messages([HumanMessage(page), AIMessage("", tool_calls=[search])]))
    assert "<script>" not in shown["text/html"] and "<b>" not in shown["text/html"]
    assert "<details>" in shown["text/html"] and "(1,026 characters)" in shown["text/html"]
    assert shown["text/plain"].splitlines()[1] == 'model         → search(queries=["<b>"])'


def test_sources_link_only_to_web_addresses() -> None:
    common = {"kind": "web", "citation_key": None, "page": None, "tier": "unverified", "published": None}
    hostile = CitedSource(id="S1.1", number=1, url="javascript:alert(1)", title="<i>", use="cited", **common)
    plain = CitedSource(
        id="S1.2", number=None, url="https://a.example/?x=1&y=2", title="B", use="read", **common
    )
    report = Report(run_id="r", question="?", system="s", status="complete", sources=[hostile, plain])
    shown = bundle(show_sources(report))
    assert "javascript" not in shown["text/html"] and "<i>" not in shown["text/html"]
    assert 'href="https://a.example/?x=1&amp;y=2"' in shown["text/html"]
    assert shown["text/plain"].startswith("2 sources: 1 cited, 1 read, 0 seen")


def test_claims_show_verdict_reasons_and_passage_and_escape_the_text() -> None:
    wrong = Claim(
        text="The <b>port</b> has 42 masts.", sources=[1, 2], verdict="flagged", reasons=["number"],
        quote="The port\nhas 24 masts.", quoted_from=2,
    )  # fmt: skip
    shown = bundle(show_claims([wrong, Claim(text="It opened.", sources=[3], verdict="uncheckable")]))
    assert shown["text/plain"].splitlines()[:3] == [
        "2 claims: 1 flagged, 1 uncheckable",
        "flagged (number)  The <b>port</b> has 42 masts. [1][2]",
        "    [2] “The port has 24 masts.”",
    ]
    assert "<b>" not in shown["text/html"] and shown["text/html"].count("<tr>") == 3
    assert bundle(show_claims([]))["text/plain"] == "0 claims"


def event(**values: Any) -> Event:
    return Event(run_id="secret", at=datetime(2026, 1, 1, tzinfo=UTC), **values)


def test_progress_prints_stable_lines_without_ids_and_times() -> None:
    lines: list[str] = []
    sink = progress(lines.append)
    sink(event(type="started", text="How long?"))
    sink(event(type="started", role="researcher", tool="search", topic="A", text="length A"))
    sink(event(type="source", role="researcher", topic="A", text="Page"))
    sink(event(type="token", role="writer", text="word"))
    sink(event(type="call", role="compressor", tool="model", topic="A"))
    sink(event(type="gap", topic="B", text="No source was found."))
    sink(event(type="done", text="complete"))
    assert lines == [
        "question: How long?",
        "researcher (A): searches “length A”",
        "compressor (A): has 1 source",
        "not found: No source was found.",
        "done: complete",
    ]


def test_progress_does_not_show_how_parallel_researchers_interleave() -> None:
    def told(order: str) -> list[str]:
        lines: list[str] = []
        sink = progress(lines.append)
        steps = {topic: iter(("one", "two")) for topic in "AB"}
        for topic in order:
            sink(
                event(type="started", role="researcher", tool="search", topic=topic, text=next(steps[topic]))
            )
        sink(event(type="done", text="complete"))
        return lines

    assert told("ABAB") == told("AABB") == told("ABBA")
    assert [line[-4:-1] for line in told("ABAB")[:-1]] == ["one", "two", "one", "two"]


async def test_draw_lights_up_what_a_run_took() -> None:
    report = await run(Script(supervisor=delegate("A", "B")))
    shown = draw(graph, report, title="The way")
    lines = bundle(shown)["text/plain"].splitlines()
    assert lines[0] == "The way: 11 nodes, 17 edges; 9 of 9 nodes ran, 12 edges taken"
    assert "  clarify ×1 -> end?, clarify?, write_brief?!" in lines
    assert "  research:compress ×2 -> collect_findings!" in lines
    assert "class clarify," in shown.mermaid and "research\\3acompress" in shown.mermaid.splitlines()[-1]
    assert draw(graph, path=report, title="The way").png == shown.png != draw(graph, title="The way").png


async def test_draw_says_what_failed_and_what_is_not_in_the_picture() -> None:
    path = [
        NodeVisit(node="clarify", times=2, failed=1),
        NodeVisit(node="clarify:model", times=3, after=["__start__"]),
        NodeVisit(node="polish", times=1),
        NodeVisit(node="write_brief", times=1, after=["clarify:model"]),
    ]
    text = draw(graph, path=path).text
    assert "2 of 9 nodes ran, 1 of them failed" in text and "  clarify ×2 (1 failed) ->" in text
    assert text.endswith("\n  inside clarify: model ×3\n  not in this picture: polish ×1")
    assert "write_brief?!" in text  # the way from a part is the way from the whole


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_line_of_a_drawn_design_runs_through_a_box_or_over_another(name: str) -> None:
    shape, _ = shape_of(SYSTEMS[name].module().graph)
    found = layout_of(shape).metrics()
    assert [found[fault] for fault in ("node_edge_hits", "node_overlaps", "overlaps", "crossings")] == [0] * 4


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_frame_holds_the_nodes_of_its_sub_graph_and_no_others(name: str) -> None:
    shape, _ = shape_of(SYSTEMS[name].module().graph)
    drawing = layout_of(shape)
    for frame, drawn in zip(drawing.ids, drawing.nodes, strict=True):
        if frame not in shape.nodes:
            (x, y), size = drawing.positions()[frame], drawn["size"]
            held = {
                node
                for node, (across, down) in drawing.positions().items()
                if abs(across - x) < size["width"] / 2 and abs(down - y) < size["height"] / 2
            }
            assert held - {frame} == {node for node in shape.nodes if node.startswith(f"{frame}:")}


def test_a_drawing_runs_downwards_from_the_start_and_only_repetition_leads_up() -> None:
    shape, _ = shape_of(graph)
    height = {node: y for node, (_, y) in layout_of(shape).positions().items()}
    upwards = {edge for edge in shape.edges if height[edge[0]] > height[edge[1]]}
    assert upwards == {
        ("supervisor_tools", "supervisor"),
        ("collect_findings", "supervisor"),
        ("research:researcher_tools", "research:researcher"),
    }
