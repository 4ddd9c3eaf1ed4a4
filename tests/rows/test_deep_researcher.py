"""Rows d1–d4 and d10–d12: the deep researcher's agents, their tools, the plan and its approval."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deep_research.core.errors import UsageError
from deep_research.report import Report
from deep_research.runs import aresearch
from deep_research.runs.bundle import load_report
from deep_research.settings import load_settings
from deep_research.sources.documents import listing, load_documents
from deep_research.sources.index import build_index
from deep_research.sources.search import CombinedSearch, DocumentSearch
from deep_research.systems import SYSTEMS
from deep_research.systems.deep_researcher.draft import finish_draft
from deep_research.systems.deep_researcher.plan import SectionQueries
from deep_research.text.source_ids import cited_ids
from deep_research_offline.wire.faults import Fault
from tests.running import QUESTION, SteppingClock, environment_of, run, settings_of, wire
from tests.scripted import PLANNED, Script, default_answers, last_tool_results, passing, sources_in

OWN_FILES = ["write_todos", "ls", "read_file", "grep"]
SEARCHES = ["search", "think", "ResearchComplete"]
FORBIDDEN = {"delete", "edit_file", "execute", "write_file", "task"}


async def deep(script: Any = None, question: str = QUESTION, *, answer: Any = None, **more: Any) -> Report:
    """A run of the deep researcher with its published rounds; `answer` is asked whatever the graph asks."""
    options = {"answer": answer, **more.pop("options", {})}
    return await run(
        script, question, system="deep_researcher", options=options, **{"preset": "auto", **more}
    )


def insufficient(request: dict[str, Any]) -> Any:
    """A review that is content with nothing."""
    return passing(request, "insufficient")


def tools_of(request: Mapping[str, Any]) -> list[str]:
    return [tool["function"]["name"] for tool in request.get("tools") or []]


def told(request: Mapping[str, Any]) -> str:
    """Everything that a request tells, its instructions included."""
    return "\n".join(str(message.get("content") or "") for message in request["messages"])


def topic_of(request: Mapping[str, Any]) -> str:
    """What a researcher was sent out for."""
    return str(request["messages"][1]["content"]).partition("\n")[0]


def topics(script: Script) -> list[str]:
    """What researchers were sent out for, in the order of their first requests, each once."""
    return list(dict.fromkeys(topic_of(request) for request in script.requests["researcher"]))


def restless(*more: str) -> Script:
    """A run whose review is never content; the orchestrator hands out these topics."""
    calls = [("think", {"reflection": "What is missing?"})]
    calls += [("ConductResearch", {"research_topic": topic}) for topic in more]
    return Script(critic=insufficient, orchestrator=calls)


# d1, d2, d3 ------------------------------------------------------------------------------------------


async def test_d1_each_role_gets_its_tools_and_none_that_deletes_edits_or_executes() -> None:
    script = restless("Heron point ferry")
    await deep(script)
    wanted = {
        "planner": [*SEARCHES, *OWN_FILES],
        "researcher": [*SEARCHES, *OWN_FILES],
        "orchestrator": ["ConductResearch", "ResearchComplete", "think", *OWN_FILES],
    }
    for role, names in wanted.items():
        offered = {tuple(tools_of(request)) for request in script.requests[role]} - {()}
        assert offered == {tuple(names)}, role
        assert not FORBIDDEN & set(names)
    assert not any("general-purpose" in str(requests) for requests in script.requests.values())


def test_d1_the_library_is_pinned_exactly() -> None:
    pyproject = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(r'"deepagents==\d+\.\d+\.\d+"', pyproject)


def test_d1_without_the_library_the_system_is_refused_with_the_way_out() -> None:
    lacking = replace(SYSTEMS["deep_researcher"], needs=("no_such_library", "deepagents"))
    with pytest.raises(UsageError) as refused:
        lacking.check()
    assert "pip install 'deep-research[deepagents]'" in str(refused.value)


async def test_d2_every_tool_that_a_prompt_names_exists_for_that_role() -> None:
    script = restless("Heron point ferry")
    await deep(script)
    for role in ("planner", "researcher", "orchestrator"):
        for request in filter(tools_of, script.requests[role]):
            named = set(re.findall(r"`([A-Za-z_]+)`", request["messages"][0]["content"]))
            assert named == set(tools_of(request)), role


async def test_d3_leaky_tool_names_are_cleaned_for_every_role() -> None:
    def leaky(name: str, arguments: dict[str, Any]) -> Any:
        def say(request: dict[str, Any]) -> Any:
            return "I am done." if last_tool_results(request) else [(name, arguments)]

        return say

    plan = Script().answers["planner"]
    look = leaky("search<|channel|>json", {"queries": ["Gull"]})
    script = Script(
        planner=lambda request: look(request) if tools_of(request) else plan(request),
        researcher=leaky("search.exec", {"queries": ["Heron lighthouse"]}),
        critic=insufficient,
        orchestrator=leaky("functions.ConductResearch", {"research_topic": "Skua point"}),
    )
    report = await deep(script)
    assert report.usage.by_role["planner"].searches == 1 and report.usage.by_role["researcher"].searches == 1
    assert "Skua point" in topics(script)
    assert not any("no tool" in text for r in script.requests["researcher"] for text in last_tool_results(r))


async def test_d3_an_empty_message_is_asked_for_again_in_every_role() -> None:
    def silent_at_first(answer: Any) -> Any:
        def say(request: dict[str, Any]) -> Any:
            return answer(request) if "was empty" in told(request) or last_tool_results(request) else ""

        return say

    plan, research = Script().answers["planner"], Script().answers["researcher"]
    look = silent_at_first(plan)
    script = Script(
        planner=lambda request: look(request) if tools_of(request) else plan(request),
        researcher=silent_at_first(research),
        critic=insufficient,
        orchestrator=silent_at_first(lambda request: [("ResearchComplete", {})]),
    )
    report = await deep(script)
    assert report.cited
    for role in ("planner", "researcher", "orchestrator"):
        assert any("Your last message was empty" in told(request) for request in script.requests[role]), role


async def test_d3_the_searches_of_every_role_go_through_the_ledger_of_its_branch() -> None:
    report = await deep()
    branches = {source.id.partition(".")[0] for source in report.sources} | {
        name.partition(".")[0] for name in cited_ids(report.files["/findings.md"])
    }
    assert branches == {"S0", "S1", "S2", "S3", "S4"}


async def test_d3_every_call_gets_one_answer_whatever_a_model_asks_for() -> None:
    turn = [
        ("search", {"queries": ["Gull"]}),
        ("browse", {"url": "x"}),
        ("search", "{not json"),
        ("ls", {"path": "/"}),
        ("delete", {"file_path": "/plan.md"}),
        ("think", {}),
        ("write_todos", {"todos": [{"content": "look", "status": "pending"}]}),
    ]
    script = Script(researcher=(turn, [("ResearchComplete", {})]))
    report = await deep(script, concurrency=1)
    assert report.cited
    for request in script.requests["researcher"]:
        asked = [c["id"] for m in request["messages"] for c in m.get("tool_calls") or []]
        answered = [m["tool_call_id"] for m in request["messages"] if m["role"] == "tool"]
        assert sorted(asked) == sorted(answered)


# d4, d10 ---------------------------------------------------------------------------------------------


def revising(request: dict[str, Any]) -> Any:
    """A planner whose second outline, after its searches, has other sections than the first."""
    if tools_of(request):
        return (
            [("ResearchComplete", {})] if last_tool_results(request) else [("search", {"queries": ["Gull"]})]
        )
    heading = "Heights by the sources" if sources_in(request) else "Heights"
    sections = [(heading, PLANNED[:3]), ("Birds", PLANNED[3:])]
    return {
        "sections": [{"question": q, "queries": list(queries)} for q, queries in sections],
    }


async def test_d4_the_outline_is_revised_after_the_planners_searches_and_the_report_follows_it() -> None:
    def write(request: dict[str, Any]) -> str:
        return f"{re.search('Question: (.+)', told(request))[1]}: that is known [S1.1]."  # type: ignore[index]

    report = await deep(script := Script(planner=revising, writer=write))
    first, second = report.files["/plan.md"].split("# Version 2")
    assert "## Heights\n" in first and "## Heights by the sources\n" in second
    headings = re.findall(r"^## (.+)$", report.markdown, re.MULTILINE)
    assert headings[:2] == ["Heights by the sources", "Birds"]
    assert topics(script) and set(topics(script)) == set(PLANNED)


@pytest.mark.parametrize(
    ("queries", "wanted"),
    [(["Gull", "gull", "Heron"], {"Gull", "Heron"}), ([f"light {n * 3}" for n in "abcdefghi"], 6)],
    ids=["too few", "too many"],
)
async def test_d4_a_plan_has_as_many_different_queries_as_are_wanted_or_is_sent_back_once(
    queries: list[str], wanted: Any
) -> None:
    stubborn = {"sections": [{"question": "Heights", "queries": queries}]}
    plan = Script().answers["planner"]
    script = Script(planner=lambda request: plan(request) if tools_of(request) else stubborn)
    await deep(script, deep__min_queries=4)
    asked = [request for request in script.requests["planner"] if not tools_of(request)]
    assert len(asked) == 4 and all("Make it again" in told(request) for request in asked[1::2])
    assert len(topics(script)) == wanted if isinstance(wanted, int) else set(topics(script)) == wanted


async def test_d4_ids_are_no_queries_and_a_section_without_others_asks_its_question() -> None:
    def ids(request: dict[str, Any]) -> Any:
        if request.get("tools"):
            return default_answers()["planner"](request)
        return {"sections": [{"question": "How tall is the Gull lighthouse?", "queries": ["S0.1", "[S0.2]"]}]}

    script = Script(planner=ids)
    await deep(script, deep__min_queries=1)
    assert topics(script) == ["How tall is the Gull lighthouse?"]


async def test_d10_an_approved_plan_runs_a_rejected_one_does_not() -> None:
    shown: list[str] = []
    script = Script()
    await deep(script, answer=lambda question: shown.append(question) or "approve")
    assert len(shown) == 1 and all(query in shown[0] for query in PLANNED)
    assert set(topics(script)) == set(PLANNED)
    refused = Script()
    report = await deep(refused, answer=lambda question: "reject")
    assert report.status == "rejected" and not refused.requests["researcher"]


async def test_d10_an_edited_plan_is_what_runs_and_remarks_bring_a_new_version() -> None:
    own = "## Ferries\n- Heron point ferry\n- Ormsund ferry timetable"
    script = Script()
    report = await deep(script, answer=lambda question: own)
    assert topics(script) == ["Heron point ferry", "Ormsund ferry timetable"]
    assert "## Ferries" in report.markdown and "# Version 3\n\n## Ferries" in report.files["/plan.md"]
    replies = iter(("Leave out the birds, please.", "ok"))
    changed = Script()
    await deep(changed, answer=lambda question: next(replies))
    assert "Leave out the birds" in told(changed.requests["planner"][-1])


async def test_a_remark_that_changes_nothing_is_answered_with_why_and_how_to_write_a_plan() -> None:
    replies, asked = iter(("- Heron point ferry\n- Ormsund ferry timetable", "ok")), list[str]()

    def answer(question: str) -> str:
        asked.append(question)
        return next(replies)

    await deep(Script(), answer=answer)
    assert "has changed nothing" not in asked[0] and "Your remark has changed nothing" in asked[1]
    assert "a heading (## …) over its items (- …)" in asked[1]


async def test_d10_the_orchestrator_sees_what_was_agreed_and_what_there_is_to_search(tmp_path: Path) -> None:
    (tmp_path / "tides.md").write_text("# Tides of Ormsund\n\nHigh water is at noon.", encoding="utf-8")
    said = [(True, "Which island?", ""), (False, "", "The island of Ormsund it is.")]
    script = restless()
    script.answers["clarifier"] = tuple(
        {"need_clarification": need, "question": question, "verification": agreed}
        for need, question, agreed in said
    )
    chosen = settings_of(system="deep_researcher", preset="auto", scope__user_info={"name": "Ada Quill"})
    world = environment_of(wire(script), chosen)
    found = load_documents(tmp_path).documents
    both = CombinedSearch([DocumentSearch(build_index(found), listing(found)), world.search])
    replies = iter(("The big one.", "## Heights\n- Gull lighthouse height"))
    await aresearch(
        QUESTION, settings=chosen, environment=replace(world, search=both), keep=False,
        answer=lambda question: next(replies),
    )  # fmt: skip
    instructions, task = (
        message["content"] for message in script.requests["orchestrator"][0]["messages"][:2]
    )
    assert "Ada Quill" in instructions and "The island of Ormsund it is." in instructions
    assert "- Search the web." in instructions and "- Search the user's own documents." in instructions
    assert "assistant: Which island?\nuser: The big one." in task
    assert "## Heights\n- Gull lighthouse height" in task and "Still open:\n- Heights:" in task
    assert "Tides of Ormsund — High water is at noon." in task and "noon" not in instructions


# d11, d12 --------------------------------------------------------------------------------------------


async def test_d11_todos_files_and_the_status_of_each_sub_agent_are_kept_with_the_result(
    tmp_path: Path,
) -> None:
    script = restless("Heron point ferry")
    todos = [{"content": "Ask for the ferry", "status": "in_progress"}]
    script.answers["orchestrator"] = lambda request: (
        [("ConductResearch", {"research_topic": "Heron point ferry"})]
        if last_tool_results(request)
        else [("write_todos", {"todos": todos})]
    )
    script.answers["researcher"] = lambda request: (
        [("search", {"queries": ["zzyzx"]})]
        if topic_of(request).startswith("Skua")
        else default_answers()["researcher"](request)
    )
    report = await deep(script, options={"keep": True, "out": tmp_path})
    assert set(report.files) == {f"/{n}.md" for n in ("plan", "draft", "findings", "todos", "gaps")}
    lines = report.files["/todos.md"].splitlines()
    assert lines[0] == "- [done, done, 5 sources] 1: Gull lighthouse height"
    assert lines[2] == "- [failed, no_results] 3: Skua lighthouse height"
    assert lines[-1] == "- [in_progress] Ask for the ferry"
    kept = tmp_path / report.run_id
    assert (kept / "plan.md").read_text(encoding="utf-8") == report.files["/plan.md"]
    assert load_report(kept).files == report.files


async def test_d11_every_role_has_the_think_tool_and_a_thought_costs_no_search() -> None:
    script = restless("Heron point ferry")
    think = [("think", {"reflection": "Well."})]
    research, plan = default_answers()["researcher"], default_answers()["planner"]

    def thoughtful(answer: Any) -> Any:
        return lambda request: [*think, *answer(request)] if tools_of(request) else answer(request)

    script.answers |= {"researcher": thoughtful(research), "planner": thoughtful(plan)}
    events: list[Any] = []
    report = await deep(script, options={"on_event": events.append})
    roles = {event.role for event in events if event.tool == "think"}
    assert roles == {"planner", "researcher", "orchestrator"}
    assert report.usage.searches == 6  # the planner's, one for each of four queries, one for the ferry
    assert "Well." not in report.files["/findings.md"]


def test_d12_planner_and_researcher_fall_back_to_the_orchestrators_model() -> None:
    chosen = {"models.model": "offline:rest", "models.orchestrator": "offline:boss"}
    settings = load_settings({"system": "deep_researcher", **chosen})
    models = {role: settings.model_for(role) for role in ("orchestrator", "planner", "researcher", "writer")}
    boss, rest = "offline:boss", "offline:rest"
    assert models == {"orchestrator": boss, "planner": boss, "researcher": boss, "writer": rest}
    apart = load_settings({"system": "deep_researcher", **chosen, "models.planner": "offline:own"})
    assert apart.model_for("planner") == "offline:own"
    other = load_settings({"system": "open_deep_research", **chosen})
    assert other.model_for("researcher") == rest


async def test_d12_a_model_that_is_busy_is_tried_ten_times_more_with_back_off() -> None:
    assert load_settings({"system": "deep_researcher"}).retries == 10
    clock = SteppingClock()
    busy = [Fault("status", 429)] * 10
    report = await deep(provider=wire(Script(), faults=busy, clock=clock), clock=clock, retries=10)
    assert report.status == "complete" and clock.elapsed > 60


def test_a_draft_of_bare_sections_says_once_without_a_heading_that_nothing_was_found() -> None:
    draft = {1: "## Costs\n\nNothing was found.", 2: "## Crew\n\nNothing was found."}
    plan = [SectionQueries(heading=one, queries=[one]) for one in ("Costs", "Crew")]
    assert finish_draft(draft, plan, "The Gull", [1, 2]).split("\n\n") == [
        "# The Gull",
        "Nothing was found.\n",
    ]
