"""Rows d5–d9: the deep researcher's typed findings, its rounds on one draft, its limits; s4, s6, s7."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from deep_research.components.others.critic import Weak
from deep_research.components.writer import without_repeats
from deep_research.core.records import Finding, Source
from deep_research.evaluation.fingerprint import fingerprint
from deep_research.report import Report
from deep_research.runs import aresearch, aresume
from deep_research.systems.deep_researcher.agents import run_agent
from deep_research.systems.deep_researcher.draft import unfinished_sections
from deep_research.systems.deep_researcher.graph import build_graph
from deep_research.systems.deep_researcher.orchestrator import without_brief
from deep_research.systems.deep_researcher.research import research_agent_run, typed_findings
from deep_research.systems.deep_researcher.rounds import grown_plan
from deep_research.systems.shared.reflexion import unfinished_gaps
from tests.rows.test_deep_researcher import deep, restless, told, tools_of, topic_of, topics
from tests.rows.test_graph_agent import stopped_at
from tests.running import context_of, environment_of, page, settings_of, small_web, stops, wire
from tests.scripted import PLANNED, Script, default_answers, last_tool_results

COMPARISON = "Which airship is longer, the Quilelsa or the Casmaji?"


# d5 --------------------------------------------------------------------------------------------------


def say_what_pages_say(request: dict[str, Any]) -> str:
    """A compressor that repeats each page, and adds a sentence that rests on nothing."""
    pages = re.findall(r'<source id="(S[\d.]+)"[^>]*>\n(.+)', told(request))
    return "\n".join([*(f"{text.strip()} [{name}]" for name, text in pages), "Nobody has ever said this."])


async def test_d5_findings_are_statements_with_a_quote_and_a_source_not_free_text() -> None:
    script = Script(compressor=say_what_pages_say)
    report = await deep(script)
    lines = report.files["/findings.md"].splitlines()
    found = [re.fullmatch(r"- (.+) \[(S\d+\.\d+)\] “(.+)”", line) for line in lines]
    assert lines and all(found)
    gull = next(match for match in found if match and "41 metres" in match[1])
    assert gull[3] == "The Gull lighthouse is 41 metres tall. Built in 1902."
    assert "Nobody has ever said this" not in told(script.requests["writer"][0])


def test_d5_a_statement_of_several_sources_has_a_quote_from_each() -> None:
    ctx = context_of()
    sources = [
        Source(id="S1.1", url="https://a.example", snippet="It is old. The Gull is 41 metres tall."),
        Source(id="S1.2", url="https://b.example", snippet="The tall Gull has 41 metres. It was relit."),
    ]
    text = "The Gull is 41 metres tall [S1.1][S1.2]. Terns breed there. It was relit. [S1.2] See [S9.9]."
    found = typed_findings(Finding(branch="1", topic="Gull", text=text), sources, ctx)
    assert [(one["claim"], one["source_id"], one["quote"]) for one in found] == [
        ("The Gull is 41 metres tall", "S1.1", "The Gull is 41 metres tall."),
        ("The Gull is 41 metres tall", "S1.2", "The tall Gull has 41 metres."),
        ("Terns breed there. It was relit.", "S1.2", "It was relit."),
    ]


def test_d5_a_quote_is_taken_from_the_whole_page_where_it_was_read() -> None:
    ctx = context_of()
    read = ctx.store.pages.put("It is old. Since its second storey was built, the Gull is 41 metres tall.")
    source = Source(id="S1.1", url="https://a.example", snippet="The Gull is old.", content_hash=read)
    found = typed_findings(
        Finding(branch="1", topic="Gull", text="The Gull is 41 metres tall [S1.1]."), [source], ctx
    )
    assert [one["quote"] for one in found] == [
        "Since its second storey was built, the Gull is 41 metres tall."
    ]


# d6 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loops", [1, 2, 3])
async def test_d6_max_loops_bounds_the_rounds_of_research(loops: int) -> None:
    more = itertools.count(1)
    pages = [page(f"more.example/{n}", f"Number {n}", f"Number {n} of the ferries.") for n in range(1, 5)]
    script = restless()
    script.answers["orchestrator"] = lambda request: [
        ("ConductResearch", {"research_topic": f"Number {next(more)}"})
    ]
    script.answers["researcher"] = lambda request: (
        [("ResearchComplete", {})]
        if last_tool_results(request)
        else [("search", {"queries": [topic_of(request)]})]
    )
    await deep(provider=wire(script, web=small_web(*pages)), deep__max_loops=loops, search__results=1)
    assert len(topics(script)) == len(PLANNED) + loops - 1
    assert len(script.requests["orchestrator"]) == loops - 1
    assert len(script.requests["critic"]) == loops


async def test_d6_the_next_round_works_on_the_gaps_found_in_the_draft_and_its_section_is_written_anew() -> (
    None
):
    script = restless("Ferry of Heron point, which lives there?")
    script.answers["critic"] = lambda request: {
        "question_1": {"verdict": "sufficient", "missing": ""},
        "question_2": {"verdict": "insufficient", "missing": "Is there a ferry?"},
    }
    report = await deep(script)
    assert "What lives there?: Is there a ferry?" in told(script.requests["orchestrator"][0])
    asked = [told(r) for r in script.requests["researcher"] if topic_of(r).startswith("Ferry")]
    assert "A reviewer of what was found before says: Is there a ferry?" in asked[0]
    written = [re.search(r"Question: (.+)", told(request))[1] for request in script.requests["writer"]]  # type: ignore[index]
    assert [written.count(one) for one in ("How tall are they?", "What lives there?")] == [1, 2]
    assert written[-2:] == ["How tall are the lighthouses of Ormsund?", "Where the sources disagree"]
    assert "## How tall are they?" in report.files["/draft.md"]


def test_d6_what_no_heading_names_gets_a_section_of_its_own_and_is_asked_for_once() -> None:
    plan = [{"heading": f"Gull: {name}", "queries": [name]} for name in ("Tower", "Keepers")]
    lacks = {1: "Cost and finance", 2: "Cost and finance"}
    weak = [Weak(number=n, missing=missing) for n, missing in lacks.items()]
    grown, topics = grown_plan(plan, [("What did it cost?", 1), ("Its price", 2)], weak)  # type: ignore[arg-type]
    assert [section["heading"] for section in grown] == [
        "Gull: Tower",
        "Gull: Keepers",
        "Gull: Cost and finance",
    ]
    assert topics == [("What did it cost?", 3)]
    for missing in ("Gull: Keepers", "The findings do not say who kept it.", ""):
        weak = [Weak(number=1, missing=missing)]
        assert grown_plan(plan, [("Who kept it?", 1)], weak) == (plan, [("Who kept it?", 1)])  # type: ignore[arg-type]


async def test_d6_what_several_researchers_found_is_shown_to_the_writer_once() -> None:
    script = Script(compressor=say_what_pages_say)
    report = await deep(script)
    shown = told(script.requests["writer"][0])
    found = report.files["/findings.md"]
    assert found.count("The Gull lighthouse is 41 metres tall.") > 2
    assert shown.count("The Gull lighthouse is 41 metres tall.") == 1


def test_d6_a_finding_is_left_out_only_if_no_line_of_it_is_new() -> None:
    tall, unknown = "Gull is 41 metres tall [S1.1].", "No source gives the age of the Heron."
    texts = [f"## A\n{tall}", f"## B\n{tall}\n\n{unknown}", f"## C\n{tall}\n", f"{tall}\n{unknown}", unknown]
    findings = [Finding(branch=str(n), topic=str(n), text=text) for n, text in enumerate(texts)]
    left = [(one.branch, one.text) for one in without_repeats(findings, [])]
    assert left == [("0", texts[0]), ("1", f"## B\n\n{unknown}"), ("4", unknown)]


async def test_d6_the_rounds_end_when_one_has_brought_nothing_new() -> None:
    script = restless("The keepers of the Gull lighthouse")  # it brings the same sources each time
    await deep(script, deep__max_loops=9)
    assert len(script.requests["critic"]) == 2


# d7, d9 ----------------------------------------------------------------------------------------------


async def test_d7_a_researcher_that_fails_leaves_the_others_and_an_outage_is_no_finding() -> None:
    def research(request: dict[str, Any]) -> Any:
        if topic_of(request).startswith("Heron"):
            raise RuntimeError("the model's server is down")
        return default_answers()["researcher"](request)

    report = await deep(Script(researcher=research), retries=0)
    assert report.status == "partial" and report.cited
    assert [gap.branch for gap in report.gaps if gap.kind == "branch_failed"] == ["2"]
    assert "[failed, branch_failed] 2: Heron lighthouse height" in report.files["/todos.md"]
    assert "failed" not in report.files["/findings.md"] and "down" not in report.files["/draft.md"]
    assert "Heron lighthouse height” failed" in report.markdown


async def test_d7_what_was_found_before_a_failure_is_kept() -> None:
    turns = itertools.count()

    def research(request: dict[str, Any]) -> Any:
        if last_tool_results(request):
            raise RuntimeError("gone")
        return [("search", {"queries": [f"{topic_of(request)} {next(turns)}"]})]

    report = await deep(Script(researcher=research), retries=0)
    assert report.cited and len([gap for gap in report.gaps if gap.kind == "branch_failed"]) == 4


def failing_at_first(times: int) -> Any:
    """Researchers whose model is out of order for the first calls."""
    calls = itertools.count()

    def research(request: dict[str, Any]) -> Any:
        if next(calls) < times:
            raise RuntimeError("out of order")
        return default_answers()["researcher"](request)

    return research


@pytest.mark.parametrize(
    ("failures", "retries", "status"), [(4, 0, "partial"), (4, 1, "complete"), (99, 2, "partial")]
)
async def test_d9_a_run_that_failures_left_incomplete_is_begun_again_so_often_and_no_more(
    failures: int, retries: int, status: str
) -> None:
    script = Script(researcher=failing_at_first(failures))
    report = await deep(script, retries=0, deep__max_loops=1, deep__max_run_retries=retries)
    assert report.status == status
    assert len(report.files["/todos.md"].splitlines()) == len(PLANNED) * (1 + retries)


@pytest.mark.parametrize(
    ("draft", "missing"),
    [
        ({1: "## Heights\n\nIt is 41 m tall [S1.1].", 2: "## 鸟\n\n燕鸥在岛上繁殖[S1.2]。"}, []),
        ({1: "## Heights\n\nIt is 41 m tall.", 2: "## 鳥\n\nアジサシがいる【S1.2】。"}, [1]),
        ({1: "## Heights\n\nIt is 41 m tall [S9.9]."}, [1, 2]),
    ],
)
def test_d9_completeness_is_told_by_code_in_any_language(draft: dict[int, str], missing: list[int]) -> None:
    plan = [{"heading": "Heights", "queries": ["Gull"]}, {"heading": "Birds", "queries": ["Terns"]}]
    sources = [Source(id=f"S1.{n}", url=f"https://{n}.example") for n in (1, 2)]
    assert unfinished_sections(draft, plan, sources) == missing  # type: ignore[arg-type]


# d8 --------------------------------------------------------------------------------------------------


async def test_d8_a_summary_at_a_small_window_keeps_task_sources_and_what_is_known() -> None:
    pages = [page(f"long.example/{n}", f"Lamp {n}", f"Lamp {n}. " + "It burns oil. " * 150) for n in range(8)]
    turns = tuple([("search", {"queries": [f"Lamp {n}"]})] for n in range(5))
    script = Script(researcher=turns, summarizer="They looked at lamps [S1.1].")
    ctx = context_of(
        provider=wire(script, web=small_web(*pages)), context_window=3_000, output_tokens__decide=500,
        limits__summarize_above=50_000, search__results=1, limits__enough_sources=9,
    )  # fmt: skip
    task = "Lamp oil: how much do they burn?\n\nThis is one question of a larger piece of research."
    run = research_agent_run(task, "Lamp oil", ctx.on("1", "Lamp oil"))
    left = await run_agent("researcher", run, [HumanMessage(task)])
    last = told(script.requests["researcher"][-1])
    assert "They looked at lamps [S1.1]." in last and task in last
    for source in run.ledger.sources[:-1]:
        assert f"- {source.id}: {source.title}" in last
    history = left["files"]["/conversation_history/branch_1.md"]["content"]
    assert "Lamp 0" in history and len(told(script.requests["researcher"][-1])) < 16_000


async def test_d8_a_summary_of_the_orchestrators_keeps_plan_and_open_gaps() -> None:
    script = restless()
    look = [
        ("grep", {"pattern": "known", "output_mode": "content"}),
        ("read_file", {"file_path": "/plan.md"}),
    ]
    script.answers |= {"orchestrator": look, "summarizer": "It looked around."}
    await deep(
        script, context_window=3_000, output_tokens__decide=500, deep__summarize_at=0.4, deep__keep_messages=2
    )
    last = script.requests["orchestrator"][-1]["messages"]
    shown = "\n".join(str(message["content"]) for message in last[1:] if "It looked around." in str(message))
    assert "## How tall are they?\n- Gull lighthouse height" in shown
    assert "Still open:\n- How tall are they?: " in shown


async def test_d8_large_results_are_evicted_to_files_and_stay_retrievable() -> None:
    pages = [page("long.example/lamp", "Lamp", "It burns oil. " * 300 + "The lamp's maker was Ada Quill.")]
    read: list[str] = []

    def research(request: dict[str, Any]) -> Any:
        results = last_tool_results(request)
        if not results:
            return [("search", {"queries": ["Lamp"]})]
        read.extend(results)
        path = re.search(r"/large_tool_results/[\w-]+", results[0])
        if len(results) == 1 and path:
            return [("grep", {"pattern": "Ada Quill", "path": path[0], "output_mode": "content"})]
        return [("ResearchComplete", {})]

    script = Script(researcher=research)
    provider = wire(script, web=small_web(*pages))
    await deep(provider=provider, deep__evict_above=200, limits__summarize_above=50_000)
    assert "Ada Quill" not in read[0] and "Ada Quill" in "".join(read[1:])


# Shared promises -------------------------------------------------------------------------------------


async def test_the_same_bytes_come_out_at_any_concurrency() -> None:
    prints = set()
    for concurrency in (1, 6):
        script = restless("Heron point ferry", "Terns of the island")
        provider = wire(script, latency_ms=concurrency)
        prints.add(fingerprint(await deep(provider=provider, concurrency=concurrency)))
    assert len(prints) == 1


@pytest.mark.parametrize(
    "caps", [{}, {"budget.model_calls": 14, "budget.searches": 4}], ids=["free", "capped"]
)
async def test_a_run_stopped_anywhere_goes_on_and_sends_no_logged_call_again(
    caps: dict[str, Any], tmp_path: Path
) -> None:
    settings, events = {"system": "deep_researcher", "preset": "quick", **caps}, list[Any]()
    calm = await aresearch(COMPARISON, settings=settings, out=tmp_path / "calm", on_event=events.append)
    for place in stops(events, 1):
        out = tmp_path / str(place)
        await stopped_at(place, settings, out)
        (folder,) = out.iterdir()
        resumed = await aresume(folder.name, out=out)
        assert fingerprint(resumed) == fingerprint(calm), place
        assert (resumed.usage.model_calls, resumed.usage.searches) == (
            calm.usage.model_calls,
            calm.usage.searches,
        )


@pytest.mark.parametrize("calls", [1, 3, 5, 8, 12, 20])
async def test_s7_caps_on_calls_and_searches_hold_and_end_in_a_report(calls: int) -> None:
    provider = wire(restless("Heron point ferry"))
    report = await deep(provider=provider, budget__model_calls=calls, budget__searches=3)
    assert provider.chats <= calls and provider.searches <= 3
    assert report.status in ("partial", "no_evidence") and not report.errors


async def test_s6_a_second_question_on_the_thread_sees_nothing_of_the_first() -> None:
    chosen = settings_of(system="deep_researcher", approval="off")
    compiled = build_graph(checkpointer=InMemorySaver())
    for bird, script in (("Gull", restless("Heron point ferry")), ("Terns", Script())):
        question = f"What of the {bird} of Ormsund?"
        ctx = environment_of(wire(script), chosen).context(chosen)
        given = {"question": question, "history": [{"role": "user", "content": question}]}
        state = await compiled.ainvoke(given, {"configurable": {"thread_id": "one"}}, context=ctx)
    assert "What of the Gull" not in "\n".join("\n".join(script.prompts(role)) for role in script.requests)
    assert len(state["tasks"]) == len(PLANNED) and "Heron point ferry" not in str(state["files"])


async def test_s4_a_question_without_any_source_ends_without_evidence() -> None:
    nothing = [("search", {"queries": ["zzyzx qwfpgj"]})]
    script = Script(
        researcher=nothing, planner=lambda request: nothing if tools_of(request) else plan(request)
    )
    plan = default_answers()["planner"]
    report = await deep(script, "What is the zzyzx qwfpgj?")
    assert report.status == "no_evidence" and not script.requests["writer"]


async def test_the_offline_model_runs_a_plan_with_several_sections(tmp_path: Path) -> None:
    plan = "## Quilelsa\n- How long is the Quilelsa?\n## Casmaji\n- How long is the Casmaji?"
    report: Report = await aresearch(
        COMPARISON, system="deep_researcher", out=tmp_path, answer=lambda question: plan
    )
    assert (
        report.exit_status == 0 and "## Quilelsa\n" in report.markdown and "## Casmaji\n" in report.markdown
    )
    assert "161" in report.markdown and "184" in report.markdown


async def test_a_section_that_cites_nothing_stands_and_its_statements_are_checked() -> None:
    script = restless()
    write = script.answers["writer"]

    def forgetful(request: dict[str, Any]) -> Any:
        written = write(request)
        cites_none = isinstance(written, str) and "Question: How tall are they?" in told(request)
        return "The Gull lighthouse is 41 metres tall." if cites_none else written

    script.answers["writer"] = forgetful
    report = await deep(script)
    section = report.markdown.partition("## How tall are they?")[2].partition("\n## ")[0]
    assert "41 metres tall [" in section and "‡" in section
    assert not [gap for gap in report.gaps if "How tall are they?" in gap.message]


@pytest.mark.parametrize(
    ("missing", "offer"),
    [("Cost and finance", True), ("Height of the Gull", False), ("No height is stated.", False), ("", False)],
)
def test_a_topic_that_a_reviewer_offers_is_no_gap_of_the_question(missing: str, offer: bool) -> None:
    question = "Gull lighthouse: height"
    finding = Finding(branch="1", topic=question, text="It stands [S1.1]", source_ids=["S1.1"])
    critique = {"weak": [{"number": 1, "missing": missing}], "unreviewed": {}}
    state = {"plan": [question], "combined": {1: finding}, "critique": critique, "sources": []}
    assert bool(unfinished_gaps(state, context_of(Script()))) is not offer


def test_d6_a_topic_is_left_without_what_only_introduces_the_brief() -> None:
    brief = "I want to know the following: “Which company makes the engines of the flagship of Gull Lines?”"
    led = (
        "Osprey company engines? This is what the findings lead to, for this question: “Which company makes "
    )
    topic = f"{led}the engines of the flagship of Gull Lines?”"
    assert without_brief(topic, brief) == "Osprey company engines?"
