"""Rows q2, q3 and q12–q18: before and after the queue — wording, plan, notes, outline, report, files."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from deep_research.core.records import Finding
from deep_research.evaluation.fingerprint import fingerprint
from deep_research.runs import aresearch, aresume
from deep_research.sources.citations import display_id, with_source_ids
from deep_research.systems.topic_queue.graph import build_graph
from deep_research.systems.topic_queue.merge import duplicate_pairs, merge_blocks
from deep_research.systems.topic_queue.notes import bounded_note, new_lines, note_words, take_note
from deep_research.systems.topic_queue.planning import read_topics
from deep_research.systems.topic_queue.report import ReportOutline, repaired_outline
from deep_research_offline.web import build_web
from tests.queueing import queue_context, queue_run, queue_script, research_state, schema_of, title_of, titles
from tests.running import QUESTION, TOPICS
from tests.scripted import sources_in

FILES = (
    "queue.json", "citations.json", "step1_planning.json", "planning_progress.json",
    "researching_progress.json", "reporting_progress.json", "outline.json", "token_cost_summary.json",
    "report.md", "report.json",
)  # fmt: skip


# q2 --------------------------------------------------------------------------------------------------


async def rephrasing(replies: list[str], **settings: Any) -> tuple[Any, Any, int]:
    """The last state of a run whose wording is discussed, its script, and how often the user was asked."""
    wordings = iter(f"Wording {n}: the heights in metres." for n in range(1, 9))
    verdicts = {
        "change": {"satisfied": False, "wishes": "in feet"},
        "good": {"satisfied": True, "wishes": ""},
    }

    def verdict(request: Any) -> Any:
        reply = request["messages"][-1]["content"].rpartition("Reply: ")[2]
        return verdicts["good" if "fine" in reply else "change"]

    script = queue_script(planner={"Satisfaction": verdict, "": lambda request: next(wordings)})
    ctx = queue_context(script, queue__rephrase=True, queue__max_iterations=1, **settings)
    graph, config = build_graph(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "t"}}
    given: Any = {"question": QUESTION, "history": [{"role": "user", "content": QUESTION}]}
    asked = 0
    while True:
        state = await graph.ainvoke(given, config, context=ctx)
        if "__interrupt__" not in state:
            return state, script, asked
        asked += 1
        given = Command(resume=replies[min(asked, len(replies)) - 1])


async def test_q2_the_users_answer_changes_the_topic_that_is_passed_on() -> None:
    state, script, asked = await rephrasing(["Please in feet.", "fine, thank you"])
    assert asked == 2 and state["topic"].startswith("Wording 2")
    told = [r["messages"][-1]["content"] for r in script.requests["planner"] if not schema_of(r)]
    assert "in feet" in told[1] and "Wording 1" in told[1]
    planned = next(r for r in script.requests["planner"] if schema_of(r) == "Decomposition")
    assert "Wording 2" in planned["messages"][1]["content"]


async def test_q2_at_most_three_rounds_and_plain_consent_needs_no_model() -> None:
    state, script, asked = await rephrasing(["change it"])
    assert asked == 3 and state["topic"].startswith("Wording 3")
    state, script, asked = await rephrasing(["yes"])
    assert asked == 1 and state["topic"].startswith("Wording 1")
    assert not any(schema_of(request) == "Satisfaction" for request in script.requests["planner"])


async def test_q2_it_is_off_by_default_bounded_and_accepted_where_nobody_is_there() -> None:
    script = queue_script()
    assert (await research_state(script))["topic"] == QUESTION
    assert all(schema_of(request) for request in script.requests["planner"])
    long = queue_script(planner={"": "word " * 900})
    report = await queue_run(long, queue__rephrase=True, queue__max_iterations=1)
    assert report.status == "complete" and not report.asked
    planned = next(r for r in long.requests["planner"] if schema_of(r) == "Decomposition")
    assert planned["messages"][1]["content"].count("word") <= 400


# q3 --------------------------------------------------------------------------------------------------


async def test_q3_manual_adds_nothing_to_a_question_with_fewer_parts_unless_it_is_told_to() -> None:
    script = queue_script(topics=TOPICS[:1])
    few = await research_state(script, queue__decompose="manual", queue__max_iterations=1)
    assert titles(few) == [TOPICS[0]] and few["planning"].fallback == ""


async def test_q3_manual_gives_exactly_n_topics_if_it_is_told_to_and_one_search_each() -> None:
    for topics in (TOPICS, TOPICS[:1], [f"{name} at Ormsund {n}" for n in range(5) for name in TOPICS]):
        script = queue_script(topics=topics)
        ctx_state = await research_state(
            script, queue__decompose="manual", queue__initial_topics=3, queue__max_iterations=1,
            queue__fill_up=True,
        )  # fmt: skip
        planning = ctx_state["planning"]
        assert planning.total == len(titles(ctx_state)) == 3 and planning.mode == "manual"
        assert len(planning.queries) == min(len(topics), 3)
        assert bool(planning.fallback) == (len(topics) < 3)


def test_q3_topics_that_share_a_title_are_told_apart_by_what_is_to_be_found_out() -> None:
    lines = ["Gull lighthouse: its height", "Gull lighthouse: its keepers", "Terns: where they breed"]
    found = [(topic.title, topic.overview) for topic in read_topics([*lines, lines[0], lines[2]])]
    assert found[:2] == [(line, "") for line in lines[:2]] and found[2] == ("Terns", "where they breed")
    assert len(found) == 3


async def test_q3_auto_takes_at_most_the_maximum_and_searches_once() -> None:
    many = [f"Lighthouse {n} of Ormsund: its height" for n in range(1, 12)]
    state = await research_state(queue_script(topics=many), queue__auto_max_topics=4, queue__max_iterations=1)
    assert titles(state) == [f"Lighthouse {n} of Ormsund" for n in range(1, 5)]
    assert {block.overview for block in state["queue"].blocks} == {"its height"}
    assert state["planning"].queries == [QUESTION] and state["planning"].main_topic == "Lighthouses"


async def test_q3_planning_finds_have_ids_and_can_be_cited() -> None:
    script = queue_script()
    state = await research_state(script, queue__max_iterations=1)
    retrieved = state["planning"].retrieved
    assert retrieved and all(name.startswith("S0.") for name in retrieved)
    planned = next(r for r in script.requests["planner"] if schema_of(r) == "Decomposition")
    assert set(sources_in(planned)) == set(retrieved)
    asked = next(r for r in script.requests["researcher"] if not schema_of(r))
    assert set(retrieved) <= set(sources_in(asked))
    without = await research_state(queue_script(), queue__planning_retrieval=False, queue__max_iterations=1)
    assert without["planning"].retrieved == without["planning"].queries == []


async def test_q3_where_searches_are_few_planning_leaves_them_to_the_topics() -> None:
    script = queue_script(planner={"Decomposition": {"main_topic": "", "approach": "", "topics": [*TOPICS]}})
    settings = {"queue__decompose": "manual", "queue__initial_topics": 3, "queue__max_iterations": 1}
    few = await research_state(script, budget__searches=8, **settings)
    assert few["planning"].queries == [QUESTION]
    assert len((await research_state(script, budget__searches=9, **settings))["planning"].queries) == 3


async def test_q3_a_bad_plan_is_retried_and_then_visibly_replaced() -> None:
    bad = iter(["no JSON", "{broken"])
    good = {"main_topic": "Lighthouses", "approach": "", "topics": list(TOPICS)}
    retried = queue_script(planner={"Decomposition": lambda request: next(bad, good)})
    assert (await research_state(retried, queue__max_iterations=1))["planning"].fallback == ""
    report = await queue_run(queue_script(planner={"Decomposition": "never JSON"}))
    assert report.status == "partial" and any("Planned without a model" in gap.message for gap in report.gaps)
    assert report.cited


# q13, q14, q15 ------------------------------------------------------------------------------------------


async def test_q13_notes_are_bounded_and_the_whole_answer_is_kept_aside() -> None:
    events: list[Any] = []
    long = "\n".join(f"Line {'a' * n} says {'word ' * 20}here [S1.1]." for n in range(40))
    script = queue_script(topics=TOPICS[:1], compressor=long)
    state = await research_state(script, queue__max_iterations=1, sink=events.append)
    trace = state["queue"].blocks[0].tool_traces[0]
    assert 400 < note_words(trace.summary) <= 500
    assert state["queue"].blocks[0].metadata["cut"] == {
        "1.1": note_words(script.answers["compressor"]) - note_words(trace.summary)
    }
    assert any("note was cut" in event.text for event in events)
    raw = state["ctx"].store.pages.get(trace.raw_answer)
    assert "The Gull lighthouse is 41 metres tall" in raw


async def test_q13_a_note_has_room_for_every_query_that_found_something() -> None:
    long = "\n".join(f"Line {'a' * n} {'word ' * 20}here [S0.1]." for n in range(1, 60))
    state = await research_state(queue_script(topics=TOPICS[:1], compressor=long), queue__max_iterations=1)
    one, two, *_ = state["sources"]
    apart = [one.model_copy(update={"query": "Gull"}), two.model_copy(update={"query": "Heron"})]
    for sources, most in ((apart[:1], 500), (apart, 1000)):
        note = await take_note("Towers", "Gull; Heron", sources, state["ctx"])
        assert most - 50 < note_words(note.text) <= most


async def test_q13_a_later_round_is_told_which_sources_a_search_brought() -> None:
    script = queue_script(topics=TOPICS[:1])
    await research_state(script, queue__max_iterations=2)
    last = "\n".join(str(m.get("content")) for m in script.requests["researcher"][-1]["messages"])
    assert 'Noted above, under "S1.1"' in last


async def test_q13_of_too_many_notes_a_decision_sees_the_newest() -> None:
    notes = iter(f"Note {'abcdef'[n]}: {'word ' * 60} [S1.1]." for n in range(6))
    script = queue_script(topics=TOPICS[:1], compressor=lambda request: next(notes))
    await research_state(script, queue__max_iterations=4, queue__shown_notes_words=140)
    last = "\n".join(str(m.get("content")) for m in script.requests["researcher"][-1]["messages"])
    assert "Note c" in last and "Note b" in last and "Note a" not in last


def test_q13_a_bounded_text_ends_with_whole_lines_or_sentences() -> None:
    assert bounded_note("One two. Three four. Five six.", 4).text == "One two. Three four."
    assert bounded_note("一二三。\n四五六。", 4) == ("一二三。", 3)


def test_q13_what_is_noted_once_stands_below_the_heading_of_its_own_source() -> None:
    noted = ["### Gull", "It is high. [S1]", "### Heron", "It is low. [S2]"]
    again = [*noted, "### Gull", "It is high. [S1]", "It is white. [S1]", "", "### Heron", "It is low. [S2]"]
    assert new_lines(again) == [*noted, "### Gull", "It is white. [S1]"]
    assert new_lines(again, noted) == ["### Gull", "It is white. [S1]"]


async def test_q14_shown_ids_are_unique_under_parallelism_and_one_number_is_one_source(
    tmp_path: Path,
) -> None:
    report = await queue_run(
        queue_script(), queue__max_parallel_topics=3, options={"keep": True, "out": tmp_path}
    )
    listed = json.loads((tmp_path / report.run_id / "citations.json").read_text())
    shown = [one["citation_id"] for one in listed] + [i for one in listed for i in one["duplicates"]]
    assert len(set(shown)) == len(shown) and any(one["duplicates"] for one in listed)
    assert all(re.fullmatch(r"PLAN-\d\d|CIT-\d+-\d\d", name) for name in shown)
    urls = [source.url for source in report.cited]
    assert len(set(urls)) == len(urls) and [s.number for s in report.cited] == list(range(1, len(urls) + 1))


def test_q14_the_shown_form_is_understood_where_a_model_writes_it() -> None:
    assert [display_id(name) for name in ("S0.3", "S12.4", "S2.110")] == ["PLAN-03", "CIT-12-04", "CIT-2-110"]
    text = "High [CIT-2-01], old [[PLAN-03](#ref-plan-03)], code `a[2] [CIT-1-01]`."
    assert with_source_ids(text) == "High [S2.1], old [S0.3], code `a[2] [CIT-1-01]`."


async def test_q15_duplicate_topics_are_merged_with_their_evidence() -> None:
    alone = await research_state(queue_script(), queue__max_iterations=1)
    script = queue_script(same=["block_3=block_1"])
    state = await research_state(script, queue__max_iterations=1)
    assert [finding.branch for finding in state["findings"]] == ["1", "2"]
    joined = state["findings"][0]
    kept = {name for finding in alone["findings"] if finding.branch in "13" for name in finding.source_ids}
    assert set(joined.source_ids) == kept
    assert state["queue"].blocks[2].metadata["merged_into"] == "block_1"
    assert len(state["queue"].blocks) == 3


@pytest.mark.parametrize(
    ("lines", "into"),
    [
        ([], {}),
        (["block_2=block_1", "block_3=block_2"], {2: 1, 3: 1}),
        (["block_3 = block_2", "block_1=block_3"], {2: 1, 3: 1}),
        (["block_2=block_9", "2=1", "all of them", "block_2=block_2"], {}),
    ],
)
def test_q15_what_names_no_two_topics_merges_nothing(lines: list[str], into: dict[int, int]) -> None:
    assert duplicate_pairs(lines, {1, 2, 3}) == into
    findings = [
        Finding(branch=str(n), topic=f"T{n}", text=f"Line {n} [S{n}.1].", source_ids=[f"S{n}.1"])
        for n in (1, 2, 3)
    ]
    lines_left = "\n".join(finding.text for finding in merge_blocks(findings, into))
    assert all(finding.text in lines_left for finding in findings)


# q16 ---------------------------------------------------------------------------------------------------


def outline_of(*sections: tuple[str, list[str]]) -> dict[str, Any]:
    return {
        "title": "The lighthouses of Ormsund",
        "introduction": "Say how tall they are.",
        "sections": [
            {"title": title, "instruction": f"Tell of {title}.", "blocks": blocks,
             "subsections": [{"title": f"More on {title}", "instruction": "The rest."}]}
            for title, blocks in sections
        ],
        "conclusion": "Say which is tallest.",
    }  # fmt: skip


BLOCKS = {"block_1": "Gull", "block_2": "Heron", "block_3": "Skua"}


@pytest.mark.parametrize(
    ("sections", "wanted"),
    [
        ([("All", ["block_1", "block_2", "block_3"])], [["block_1", "block_2", "block_3"]]),
        ([("A", ["block_2"]), ("B", ["block_2", "block_9"])], [["block_2"], ["block_1"], ["block_3"]]),
        ([("A", ["nonsense"])], [["block_1"], ["block_2"], ["block_3"]]),
        ([], [["block_1"], ["block_2"], ["block_3"]]),
    ],
)
def test_q16_code_sees_to_it_that_every_block_has_one_section(sections: Any, wanted: Any) -> None:
    outline = repaired_outline(ReportOutline(**outline_of(*sections)), QUESTION, BLOCKS)
    assert [section.blocks for section in outline.sections] == wanted


def test_q16_a_title_that_repeats_the_list_of_blocks_is_replaced_by_the_question() -> None:
    given = outline_of(("All", ["block_1"])) | {"title": f"{QUESTION} Blocks: block_1: Gull"}
    assert repaired_outline(ReportOutline(**given), QUESTION, BLOCKS).title == QUESTION


async def test_q16_each_section_is_told_its_part_and_sees_what_all_blocks_found() -> None:
    outline = outline_of(("Gull and Skua", ["block_1", "block_3"]), ("Heron", ["block_2"]))
    script = queue_script(outline=outline)
    state = await research_state(script, queue__max_iterations=1)
    assert state["draft"].startswith("# The lighthouses of Ormsund\n")
    asked = {
        r["messages"][1]["content"].split("\n")[0]: r for r in script.requests["writer"] if not schema_of(r)
    }
    heron = next(request for line, request in asked.items() if line.startswith("Question: Heron"))
    assert (
        "Tell of Heron." in heron["messages"][1]["content"]
        and "More on Heron" in heron["messages"][1]["content"]
    )
    assert f'topic="{TOPICS[0]}"' in heron["messages"][2]["content"]
    assert heron["messages"][1]["content"].endswith("Your section is number 3.")  # after the introduction
    assert "Say how tall they are." in "".join(script.prompts("writer"))


@pytest.mark.parametrize(("told", "stands"), [("40 m [S1.1], 41 m [S2.1].", True), ("They agree.", False)])
async def test_q16_what_sources_say_differently_has_a_part_if_there_is_any(told: str, stands: bool) -> None:
    script = queue_script()
    write = script.answers["writer"]

    def differ(request: Any) -> Any:
        apart = request["messages"][1]["content"].startswith("Question: Where the sources disagree")
        return told if apart else write(request)

    script.answers["writer"] = differ
    report = await queue_run(script)
    assert ("## Where the sources disagree" in report.markdown) == stands


async def test_q16_one_topic_needs_no_outline() -> None:
    script = queue_script(topics=TOPICS[:1])
    await queue_run(script)
    assert len(script.requests["writer"]) == 1


async def test_q16_a_failing_section_degrades_alone() -> None:
    script = queue_script(
        outline=outline_of(("Gull", ["block_1"]), ("Heron", ["block_2"]), ("Skua", ["block_3"]))
    )
    write = script.answers["writer"]

    def fail_on_heron(request: Any) -> Any:
        if not schema_of(request) and request["messages"][1]["content"].startswith("Question: Heron"):
            raise RuntimeError("cut")
        asked = request["messages"][1]["content"].splitlines()[0]
        return write(request) if schema_of(request) else f"{write(request)}\n\n{asked}"

    script.answers["writer"] = fail_on_heron
    report = await queue_run(script, retries=0)
    assert report.status == "partial" and any(
        "“Heron” could not be written" in g.message for g in report.gaps
    )
    heron = report.markdown.partition("## Heron")[2].partition("\n## ")[0]
    assert "Something is known" in heron  # the notes stand in its place
    assert "## Skua" in report.markdown and report.markdown.count("could not be written") == 1


async def test_q16_a_local_template_writes_the_report_if_no_model_can() -> None:
    def broken(request: Any) -> Any:
        raise RuntimeError("no writer today")

    report = await queue_run(queue_script(writer=broken), retries=0)
    assert report.status == "partial" and report.cited
    for topic in TOPICS:
        assert f"## {topic}" in report.markdown


# q17 ---------------------------------------------------------------------------------------------------


async def anchor_report(**more: Any) -> Any:
    outline = outline_of(("Gull", ["block_1"]), ("Heron", ["block_2"]), ("Skua", ["block_3"]))

    def write(request: Any) -> Any:
        if schema_of(request):
            return outline
        ids = re.findall(r"\[(S\d+\.\d+)\]", request["messages"][2]["content"])
        return f"Tall [{']['.join(dict.fromkeys(ids))}]. Invented [S9.9] and `a[2]` stays."

    return await queue_run(queue_script(writer=write), writer__citation_style="anchors", **more)


async def test_q17_anchors_link_to_a_list_by_topic_with_tool_and_query() -> None:
    report = await anchor_report()
    body, _, listed = report.markdown.partition("\n## Sources")
    links = re.findall(r"\[\[((?:CIT|PLAN)-[\d-]+)\]\(#(ref-[a-z\d-]+)\)\]", body)
    targets = re.findall(r'<a id="(ref-[a-z\d-]+)"></a>', listed)
    assert links and {anchor for _, anchor in links} == set(targets) and len(set(targets)) == len(targets)
    assert not re.search(r"\[\d+\]", body.replace("`a[2]`", ""))
    groups = re.findall(r"^### (.+)$", listed, re.MULTILINE)
    assert groups[0] == "Planning" and set(groups[1:]) <= set(TOPICS)
    assert f"search for “{QUESTION}”" in listed


async def test_q17_duplicates_point_to_the_first_id_and_unknown_markers_are_counted() -> None:
    report = await anchor_report(queue__planning_retrieval=False)
    pointing = re.findall(r"- (CIT-\d-\d\d): the same as \[(CIT-\d-\d\d)\]\(#ref-cit", report.markdown)
    assert pointing and all(later > first for later, first in pointing)
    assert "S9.9" not in report.markdown and "`a[2]`" in report.markdown
    assert any(one.reason == "id_not_in_ledger" for one in report.removed)


async def test_q17_the_anchors_of_a_page_shown_as_html_lead_somewhere() -> None:
    shown = (await anchor_report()).to_html()
    links, targets = re.findall(r'href="#(ref-[^"]+)"', shown), re.findall(r'<a id="(ref-[^"]+)">', shown)
    assert links and set(links) == set(targets)


# q18 ---------------------------------------------------------------------------------------------------


async def test_q18_the_run_folder_holds_what_the_design_keeps(tmp_path: Path) -> None:
    report = await queue_run(options={"keep": True, "out": tmp_path})
    folder = tmp_path / report.run_id
    kept = {name: (folder / name).read_text(encoding="utf-8") for name in FILES}
    queue = json.loads(kept["queue.json"])
    assert queue["research_id"] == report.run_id and queue["statistics"]["completed"] == 3
    assert queue["blocks"][0]["tool_traces"][0]["tool_type"] == "search"
    assert [t["title"] for t in json.loads(kept["step1_planning.json"])["sub_topics"]] == list(TOPICS)
    outline = json.loads(kept["outline.json"])
    assert [name for s in outline["sections"] for name in s["blocks"]] == ["block_1", "block_2", "block_3"]
    assert json.loads(kept["reporting_progress.json"])["failed"] == 0
    costs = json.loads(kept["token_cost_summary.json"])
    assert costs["model_calls"] == sum(role["model_calls"] for role in costs["by_role"].values())
    assert json.loads(kept["researching_progress.json"])["blocks"][2]["status"] == "completed"


COMPARISON = next(q.text for q in build_web().questions if (q.kind, q.lang) == ("comparison", "en"))
SMALL = {"system": "topic_queue", "queue.decompose": "auto", "queue.max_iterations": 2}
CAPPED = {
    **SMALL, "budget.model_calls": 30, "budget.tokens": 200_000, "budget.searches": 6, "budget.sources": 40,
    "budget.cost_usd": 1.0,
}  # fmt: skip


async def stopped_at(place: int, settings: Any, out: Path) -> str:
    """Let a run be cancelled at its n-th event, and give its id."""
    seen = itertools.count(1)
    job = asyncio.ensure_future(
        aresearch(
            COMPARISON, settings=settings, out=out, on_event=lambda _: next(seen) == place and job.cancel()
        )
    )
    with contextlib.suppress(asyncio.CancelledError):
        await job
    return next(out.iterdir()).name


@pytest.mark.parametrize("settings", [SMALL, CAPPED], ids=["free", "capped"])
async def test_q18_a_stopped_run_repeats_no_finished_block_and_sends_no_logged_call(
    settings: Any, tmp_path: Path
) -> None:
    events: list[Any] = []
    calm = await aresearch(COMPARISON, settings=settings, out=tmp_path / "calm", on_event=events.append)
    decided = [n for n, event in enumerate(events, start=1) if event.tool == "decision"]
    places = (decided[2], decided[len(decided) // 2], decided[-1], len(events) - 3)
    for place in places[1::2] if settings is CAPPED else places:
        out = tmp_path / str(place)
        run_id = await stopped_at(place, settings, out)
        queue = json.loads((out / run_id / "queue.json").read_text(encoding="utf-8"))
        finished = {b["sub_topic"] for b in queue["blocks"] if b["status"] == "completed"}
        again: list[Any] = []
        resumed = await aresume(run_id, out=out, on_event=again.append)
        assert fingerprint(resumed) == fingerprint(calm), place
        assert resumed.usage.model_calls == calm.usage.model_calls, place
        assert resumed.usage.searches == calm.usage.searches, place
        assert not finished & {event.topic for event in again if event.tool == "decision"}, place


# Rows of all systems, where this one could break them ---------------------------------------------------


async def test_s3_a_failing_topic_is_a_gap_and_the_others_reach_the_report() -> None:
    script = queue_script()
    research = script.answers["researcher"]

    def fail_on_heron(request: Any) -> Any:
        if not schema_of(request) and title_of(request) == TOPICS[1]:
            raise RuntimeError("no heron")
        return research(request)

    script.answers["researcher"] = fail_on_heron
    report = await queue_run(script, retries=0)
    assert report.status == "partial" and [gap.topic for gap in report.gaps] == [TOPICS[1]]
    assert f"Research on “{TOPICS[1]}” failed" in report.markdown and report.cited


async def test_s4_without_sources_there_is_no_report_and_no_writer() -> None:
    script = queue_script(
        topics=["Zzyzx qqq", "Wwvvxx"], ask=lambda request: [("search", {"queries": ["zzyzx"]})]
    )
    report = await queue_run(script, question="Zzyzx qqq wwvvxx?")
    assert report.status == "no_evidence" and not script.requests["writer"]


async def test_s6_two_questions_on_one_thread_do_not_mix() -> None:
    graph, config = build_graph(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "t"}}
    states = []
    for question, topics in ((QUESTION, TOPICS[:1]), ("And the terns?", ["Terns of Ormsund"])):
        given = {"question": question, "history": [{"role": "user", "content": question}]}
        ctx = queue_context(queue_script(topics=topics), queue__max_iterations=1)
        states.append(await graph.ainvoke(given, config, context=ctx))
    second = states[1]
    assert titles(second) == ["Terns of Ormsund"] and len(second["findings"]) == 1
    assert {source.query for source in second["sources"]} <= {"And the terns?", "Terns of Ormsund"}


async def test_s7_caps_hold_at_any_concurrency_and_the_report_is_still_written() -> None:
    for parallel in (1, 5):
        report = await queue_run(
            queue_script(), queue__max_parallel_topics=parallel, budget__model_calls=12, budget__searches=3
        )
        assert report.status == "partial" and report.cited
        assert report.usage.model_calls <= 12 and report.usage.searches <= 3


async def test_q16_a_section_that_cites_nothing_stands_and_its_statements_are_checked() -> None:
    script = queue_script(outline=outline_of(("Gull", ["block_1"]), ("Heron", ["block_2", "block_3"])))
    write = script.answers["writer"]

    def forgetful(request: Any) -> Any:
        cites_none = request["messages"][1]["content"].startswith("Question: Gull") and not schema_of(request)
        return "The Gull lighthouse is 41 metres tall." if cites_none else write(request)

    script.answers["writer"] = forgetful
    report = await queue_run(script)
    section = report.markdown.partition("## Gull")[2].partition("\n## ")[0]
    assert "41 metres tall" in section and ("‡" in section or "⚠" in section)
    assert not [gap for gap in report.gaps if "“Gull”" in gap.message]
