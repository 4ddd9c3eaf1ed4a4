"""Rows h1–h7 and h9: the shallow researcher: two nodes, two caps, and the end at which it must answer."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deep_research.core.errors import SettingsError
from deep_research.engine.fitting import CUT, fit_messages, message_tokens
from deep_research.engine.providers import SearchHit
from deep_research.engine.trace import Event
from deep_research.report import Report
from deep_research.runs import aresearch, aresume
from deep_research.runs.environment import build_environment
from deep_research.settings import load_settings
from deep_research.settings.parts import SearchSettings
from deep_research.sources.documents import listing, load_documents
from deep_research.sources.index import build_index
from deep_research.sources.search import CombinedSearch, DocumentSearch
from deep_research.systems import get_system
from deep_research.systems.shallow_researcher.graph import build_graph, graph
from deep_research_offline.wire.faults import Fault
from tests.rows.test_shared import Strict
from tests.running import QUESTION, context_of, environment_of, page, run, settings_of, small_web, wire
from tests.scripted import Script, last_tool_results, sources_in

SYSTEM = "shallow_researcher"
ANSWER = "The Gull lighthouse is 41 metres tall [S1.1]."


def search(*queries: str) -> tuple[str, dict[str, Any]]:
    return ("search", {"queries": list(queries)})


def names_of(request: dict[str, Any]) -> list[str]:
    """The tools that a request offers."""
    return [tool["function"]["name"] for tool in request.get("tools") or []]


async def ask(script: Script, question: str = QUESTION, **more: Any) -> Report:
    return await run(script, question, system=SYSTEM, **more)


GULL = search("Gull lighthouse metres tall")


# h1 ------------------------------------------------------------------------------------------------


def test_h1_the_graph_has_two_nodes():
    drawn = graph.get_graph()
    assert set(drawn.nodes) == {"__start__", "agent", "tools", "__end__"}
    assert {(edge.source, edge.target) for edge in drawn.edges} == {
        ("__start__", "agent"),
        ("agent", "tools"),
        ("tools", "agent"),
        ("agent", "__end__"),
    }


async def test_h1_the_agent_answers_by_itself_when_it_calls_no_tool():
    events: list[Event] = []
    script = Script(researcher=([GULL], ANSWER))
    report = await ask(script, options={"on_event": events.append})
    assert report.status == "complete" and script.requests["writer"] == []
    assert [(event.role, event.text) for event in events if event.type == "token"] == [("writer", ANSWER)]
    assert "The Gull lighthouse is 41 metres tall [1]" in report.markdown
    assert [source.id for source in report.cited] == ["S1.1"]


async def test_h1_calls_of_one_message_run_side_by_side():
    class Meeting:
        """A search that answers nobody before two have asked."""

        name = "meeting"
        barrier = asyncio.Barrier(2)

        async def search(self, query: str, settings: SearchSettings) -> list[SearchHit]:
            async with asyncio.timeout(30):
                await self.barrier.wait()
            return [SearchHit(query, "It is 41 metres tall.", url=f"https://{query.split()[0]}.example/")]

    script = Script(researcher=([search("Gull"), search("Heron")], "It is 41 metres tall [S1.1][S1.2]."))
    chosen = settings_of(system=SYSTEM)
    outside = replace(environment_of(wire(script), chosen), search=Meeting())
    report = await aresearch(QUESTION, settings=chosen, environment=outside, keep=False)
    assert report.errors == [] and [source.id for source in report.cited] == ["S1.1", "S1.2"]


async def test_h1_an_answer_from_memory_is_made_to_search_first():
    script = Script(researcher=("It is 90 metres tall, as everybody knows.", ANSWER))
    report = await ask(script)
    assert report.usage.searches == 2 and "90 metres" not in report.markdown


# h2 ------------------------------------------------------------------------------------------------


async def test_h2_parallel_calls_count_and_those_over_the_budget_are_told_so():
    turns = ([search("Gull"), search("Heron"), search("Skua")], [search(f"tern {n}") for n in range(4)])
    script = Strict(researcher=turns, writer=ANSWER)
    report = await ask(script)
    assert report.usage.searches == 5
    told = last_tool_results(script.requests["researcher"][1])
    assert len(told) == 3 and all("<source id=" in text for text in told)
    assert len(script.requests["researcher"]) == 2 and script.refused == []


async def test_h2_thoughts_and_faulty_calls_count_too():
    turns = (
        [GULL, ("browse", {}), ("search", "{broken"), ("think", {"reflection": "Hm."})],
        [search("Heron")],
    )
    script = Script(researcher=turns, writer=ANSWER)
    report = await ask(script, tools={"researcher": ["search", "think"]}, limits__max_tool_iterations=4)
    assert report.usage.searches == 1
    assert (len(script.requests["researcher"]), len(script.requests["writer"])) == (1, 1)


@settings(max_examples=10, suppress_health_check=list(HealthCheck))
@given(sizes=st.lists(st.integers(1, 7), min_size=1, max_size=6), cap=st.integers(1, 6))
def test_h2_the_tool_budget_is_never_overshot(sizes: list[int], cap: int):
    turns = tuple([search(f"Gull {turn} {n}") for n in range(size)] for turn, size in enumerate(sizes))
    script = Strict(researcher=turns, writer=ANSWER)
    report = asyncio.run(ask(script, limits__max_tool_iterations=cap))
    assert report.usage.searches <= cap and script.refused == []
    assert report.usage.searches == cap or len(script.requests["researcher"]) == 9


# h3 ------------------------------------------------------------------------------------------------


async def test_h3_at_the_budget_the_anchor_is_the_last_message_and_no_tool_is_offered():
    script = Script(researcher=lambda request: [search(f"Gull {len(request['messages'])}")], writer=ANSWER)
    report = await ask(script)
    (request,) = script.requests["writer"]
    assert names_of(request) == [] and all(m["role"] != "tool" for m in request["messages"])
    last = request["messages"][-1]
    assert last["role"] == "user" and last["content"].startswith("The budget is spent. No tool is left")
    assert "Write the answer now" in last["content"]
    assert sources_in(request) and all(f"- {name} — " in last["content"] for name in sources_in(request))
    assert report.status == "complete" and report.usage.searches == 5


async def test_h3_what_the_answer_is_written_from_holds_each_source_once_and_no_error():
    turns = ([GULL, ("browse", {})], [search("Gull lighthouse"), search("zzyzx")])
    script = Script(researcher=turns, writer=ANSWER)
    await ask(script, limits__max_tool_iterations=4)
    text = script.prompts("writer")[0]
    assert text.count('<source id="S1.1"') == 1
    assert "browse" not in text and "No results" not in text and "Not done" not in text


async def test_h3_in_the_language_of_the_question():
    script = Script(researcher=([search("海鸥灯塔")], [search("灯塔")]), writer="海鸥灯塔高四十一米 [S1.1]。")
    report = await ask(script, "海鸥灯塔有多高？", limits__max_tool_iterations=2, prompt_language="zh")
    assert "用中文写出答案" in script.prompts("writer")[0] and "## 来源" in report.markdown


async def test_h3_a_writer_that_fails_costs_no_evidence():
    provider = wire(
        Script(researcher=([GULL], [GULL])),
        faults=lambda call: Fault("status", 400) if b'"offline:writer"' in call.body else None,
    )
    report = await run(provider=provider, system=SYSTEM, limits__max_tool_iterations=2)
    assert report.status == "partial" and "41 metres tall" in report.markdown and report.cited
    assert [gap.kind for gap in report.gaps] == ["branch_failed"]


# h4 ------------------------------------------------------------------------------------------------

REWRITTEN = "How tall was the Gull lighthouse of Ormsund in 2040?"
EARLIER = [
    {"role": "user", "content": "Which lighthouse of Ormsund is the oldest?"},
    {"role": "assistant", "content": "# The oldest\n\nThe Gull lighthouse."},
]


async def test_h4_the_rewritten_query_is_what_is_researched_and_can_be_seen():
    events: list[Event] = []
    rewriter = {"query": REWRITTEN, "added": ["last year is 2040", "it is the Gull lighthouse"]}
    script = Script(query_rewriter=rewriter, researcher=([GULL], ANSWER))
    report = await ask(
        script, "How tall was it last year?", options={"history": EARLIER, "on_event": events.append}
    )
    assert "Today is 2041-03-02" in script.prompts("query_rewriter")[0]
    assert "the oldest" in script.prompts("query_rewriter")[0]
    assert script.requests["researcher"][0]["messages"][1]["content"] == REWRITTEN
    assert [e.text for e in events if e.tool == "rewrite_query"] == [REWRITTEN]
    assert report.trace[0].role == "query_rewriter"
    assert report.markdown.startswith("# How tall was it last year?")


@pytest.mark.parametrize("answer", ["How tall is the lighthouse?", "no object at all"])
async def test_h4_a_rewriting_that_loses_a_detail_is_not_used(answer: str):
    rewriter = {"query": answer, "added": []} if answer.endswith("?") else answer
    script = Script(query_rewriter=rewriter, researcher=([GULL], ANSWER))
    await ask(script, "How tall is the Gull lighthouse?")
    assert script.requests["researcher"][0]["messages"][1]["content"] == "How tall is the Gull lighthouse?"


async def test_h4_it_is_a_setting_and_settings_of_scope_reach_it():
    off = Script(researcher=([GULL], ANSWER))
    await ask(off, scope__rewrite_query=False)
    assert off.requests["query_rewriter"] == []
    on = Script(researcher=([GULL], ANSWER))
    chosen = {"scope.period": "2030 to 2040", "scope.user_info.name": "Ada Quill"}
    await ask(on, **{key.replace(".", "__"): value for key, value in chosen.items()})
    (prompt,) = on.prompts("query_rewriter")
    assert "- Period: 2030 to 2040" in prompt and "Ada Quill" not in prompt


# h5 ------------------------------------------------------------------------------------------------

WINDOW = 9_000


async def test_h5_a_chain_of_fifty_calls_stays_within_the_window_and_cited_evidence_survives():
    pages = [
        page(f"long{n}.example/", f"Buoy {n}", f"Buoy number{n} has a bell. " + f"filler{n} " * 150)
        for n in range(52)
    ]

    def research(request: dict[str, Any]) -> Any:
        done = len(last_tool_results(request))
        thought = [("think", {"reflection": "The first one settles it [S1.1]."})] if done == 1 else []
        return [*thought, search(f"Buoy number{done}")]

    script = Script(researcher=research, writer="Buoy 0 has a bell [S1.1].")
    report = await run(
        provider=wire(script, web=small_web(*pages)),
        question="Which buoy has a bell?",
        system=SYSTEM,
        tools={"researcher": ["search", "think"]},
        context_window=WINDOW,
        output_tokens__decide=1_000,
        output_tokens__write=1_000,
        search__results=1,
        limits__max_tool_iterations=50,
        limits__max_llm_turns=60,
    )
    requests = [*script.requests["researcher"], *script.requests["writer"]]
    assert report.usage.searches == 49 and len(requests) == 50
    assert max(sum(message_tokens(m) for m in request["messages"]) for request in requests) <= WINDOW - 1_000
    for request in (script.requests["researcher"][-1], script.requests["writer"][0]):
        text = "\n".join(str(m.get("content") or "") for m in request["messages"])
        assert CUT in text and text.count("filler0") == 150
        assert len(sources_in(request)) >= 45  # what was cut keeps its id and title
    assert report.status == "complete"


def test_h5_a_source_that_the_model_cited_shrinks_after_all_others():
    def shown(name: str) -> str:
        return f'<source id="{name}" title="t">\n{name} ' + "word " * 400 + "\n</source>"

    def result(number: int) -> dict[str, Any]:
        return {"role": "tool", "tool_call_id": f"c{number}", "content": shown(f"S1.{number}")}

    messages = [
        {"role": "system", "content": "Instruction."},
        {"role": "user", "content": "Question."},
        result(1),
        result(2),
        {"role": "assistant", "content": "So it is 41 [S1.1]."},
        result(3),
    ]
    fitted, cut = fit_messages(messages, 900)
    assert cut == ["S1.2", "S1.3"]
    assert fitted[2] == messages[2]


# h6 ------------------------------------------------------------------------------------------------


def _documents(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "log.md").write_text("# Keeper's log\n\nThe Gull lamp burns 40 litres a night. Oil is dear.\n")
    return folder


def _outside(script: Script, folder: Path, chosen: Any) -> Any:
    provider = wire(script)
    world = environment_of(provider, chosen)
    found = load_documents(folder).documents
    return replace(
        world, search=CombinedSearch([DocumentSearch(build_index(found), listing(found)), world.search])
    ), provider


async def test_h6_documents_with_summaries_and_user_info_reach_prompt_and_tool_list(tmp_path: Path):
    script = Script(
        researcher=(
            [
                ("search_documents", {"queries": ["Gull lamp litres for Ada Quill"]}),
                search("Gull metres tall"),
            ],
            "It burns 40 litres [S1.1] and is 41 metres tall [S1.2].",
        )
    )
    chosen = settings_of(
        system=SYSTEM, scope__user_info={"name": "Ada Quill"}, search__exclude_domains=["a.example"]
    )
    world, provider = _outside(script, _documents(tmp_path), chosen)
    events: list[Event] = []
    report = await aresearch(QUESTION, settings=chosen, environment=world, keep=False, on_event=events.append)
    request = script.requests["researcher"][0]
    assert names_of(request) == ["search", "search_documents"]
    assert "Never use these sites: a.example." in request["tools"][0]["function"]["description"]
    text = script.prompts("researcher")[0]
    assert "- log.md — Keeper's log — The Gull lamp burns 40 litres a night. Oil is dear." in text
    assert "- Reader: Ada Quill" in request["messages"][0]["content"]
    assert request["messages"][0]["content"].count("log.md") == 0  # page text is no instruction
    assert [source.citation_key or source.url for source in report.cited] == [
        "log.md",
        "https://ormsund.example/gull",
    ]
    queries = [e.text for e in events if e.type == "call" and e.tool == "search"]
    assert sorted(queries) == ["Gull lamp litres for", "Gull metres tall"]
    assert provider.searches == 1  # the web was asked for its own query only


async def test_h6_the_filter_of_sources_decides_which_tools_there_are(tmp_path: Path):
    folder = _documents(tmp_path)
    script = Script(researcher=([("search_documents", {"queries": ["Gull lamp"]})], "40 litres [S1.1]."))
    chosen = settings_of(system=SYSTEM, search__docs=str(folder), tools={"researcher": ["search_documents"]})
    world, provider = _outside(script, folder, chosen)
    report = await aresearch(QUESTION, settings=chosen, environment=world, keep=False)
    assert names_of(script.requests["researcher"][0]) == ["search_documents"]
    assert provider.searches == 0 and [source.kind for source in report.sources] == ["document"]
    web_only = Script(researcher=([GULL], ANSWER))
    await ask(web_only)
    assert names_of(web_only.requests["researcher"][0]) == ["search"]
    assert "<documents>" not in web_only.prompts("researcher")[0]


def test_h6_documents_are_searched_beside_the_web_only_where_both_are_named(tmp_path: Path):
    folder = str(_documents(tmp_path))
    both = {"search.docs": folder, "search.providers": ["documents", "offline"]}
    assert build_environment(load_settings(both)).search.name == "documents+offline"
    assert build_environment(load_settings({"search.docs": folder})).search.name == "documents"


async def test_h6_a_tool_for_documents_that_are_not_there_is_refused():
    with pytest.raises(SettingsError, match=r"search_documents.*search\.docs"):
        await aresearch(QUESTION, system=SYSTEM, settings={"tools.researcher": ["search_documents"]})


async def test_an_answer_is_titled_by_its_question_without_thanks_and_with_names_as_it_writes_them():
    report = await ask(Script(researcher=([GULL], ANSWER)), "hi, how tall is the gull lighthouse? thanks!")
    assert report.markdown.startswith("# How tall is the Gull lighthouse?\n")


# h7 ------------------------------------------------------------------------------------------------


async def test_h7_an_answer_without_markers_is_asked_for_again_with_the_sources_by_id():
    script = Script(researcher=([GULL], "It is 41 metres tall."), writer=ANSWER)
    report = await ask(script)
    assert script.requests["writer"][0]["messages"][-1]["content"].startswith("The research is finished.")
    assert report.status == "complete" and report.cited


@pytest.mark.parametrize(
    ("question", "notice"), [(QUESTION, "names none of the"), ("海鸥灯塔有多高？", "没有注明")]
)
async def test_h7_if_the_markers_are_forgotten_and_no_source_says_it_the_report_says_so(
    question: str, notice: str
):
    script = Script(researcher=([GULL], "It is 43 metres tall."), writer="It is 43 metres tall.")
    report = await ask(script, question, verifier__least_supported=0.8)
    assert notice in report.markdown and report.markdown.count(notice) == 1
    assert "It is 43 metres tall. ⚠" in report.markdown
    assert [gap.said for gap in report.gaps] == ["lead_unsupported", "few_supported"]
    assert report.status == "no_evidence"


async def test_h7_if_the_markers_are_forgotten_the_program_finds_the_source_and_says_that_it_did():
    said = "The Gull lighthouse is 41 metres tall."
    report = await ask(Script(researcher=([GULL], said), writer=said), verifier__least_supported=0.8)
    assert "The Gull lighthouse is 41 metres tall [1]‡." in report.markdown
    assert "without naming any of the" in report.markdown.partition("\n\n")[2].partition("\n\n")[0]
    assert (report.status, report.gaps) == ("complete", [])


async def test_h7_a_report_with_a_marked_answer_is_not_complete_however_much_of_the_rest_has_evidence():
    text = "The Gull lighthouse is 41 metres tall [S1.1]. The Gull lighthouse is 43 metres tall [S1.1]."
    report = await ask(Script(researcher=([GULL], text)), verifier__least_supported=0.5)
    assert [claim.verdict for claim in report.claims] == ["evidence_found", "flagged"]
    assert (report.status, [gap.said for gap in report.gaps]) == ("partial", ["answer_unsupported"])


async def test_h7_citations_and_sentences_are_verified_as_in_every_system():
    text = "The Gull lighthouse is 41 metres tall [S1.1]. It has 900 rooms [S1.1]. It is blue [S9.9]."
    report = await ask(Script(researcher=([GULL], text)))
    assert [(gone.number, gone.reason) for gone in report.removed] == [("S9.9", "id_not_in_ledger")]
    assert [claim.verdict for claim in report.claims] == ["evidence_found", "flagged", "flagged"]
    assert report.claims[-1].reasons == ["citation_removed"]


async def test_h7_without_any_source_there_is_no_evidence_and_no_answer():
    script = Script(researcher=([search("zzyzx")], "It is 90 metres tall."))
    report = await ask(script, "What is the zzyzx qwfpgj?")
    assert report.status == "no_evidence" and "90 metres" not in report.markdown
    assert script.requests["writer"] == [] and [gap.kind for gap in report.gaps] == ["no_results"]


async def test_h7_a_search_that_fails_is_one_gap_and_its_loop_is_counted_once():
    provider = wire(Script(researcher=([GULL], ANSWER)), faults=[Fault(path="/search", status=400)])
    report = await run(provider=provider, system=SYSTEM)
    assert [gap.kind for gap in report.gaps] == ["branch_failed"]
    report = await ask(Script(researcher=([GULL], ANSWER)))
    assert report.ended == {"run": {"no_tool_call": 1}}


# h9 ------------------------------------------------------------------------------------------------


def test_h9_the_published_defaults_and_the_recursion_limit_that_follows_from_them():
    chosen = load_settings({"system": SYSTEM})
    assert (chosen.limits.max_llm_turns, chosen.limits.max_tool_iterations) == (10, 5)
    assert get_system(SYSTEM).recursion_limit(chosen) == 2 * 10 + 10
    assert get_system(SYSTEM).recursion_limit(load_settings({"limits.recursion_limit": 12})) == 12


@pytest.mark.parametrize("turns", [2, 4, 10])
async def test_h9_the_turn_cap_is_apart_from_the_tool_cap_and_ends_with_the_anchor(turns: int):
    script = Script(researcher=lambda request: [search(f"Gull {len(request['messages'])}")], writer=ANSWER)
    report = await ask(script, limits__max_llm_turns=turns, limits__max_tool_iterations=100)
    assert len(script.requests["researcher"]) + len(script.requests["writer"]) == turns
    assert script.requests["writer"][0]["messages"][-1]["content"].startswith("The budget is spent.")
    assert report.usage.searches == turns - 1 and report.status == "complete"


# what every system keeps to -------------------------------------------------------------------------


@pytest.mark.parametrize("calls", [1, 2, 3, 4])
async def test_s7_whatever_the_budget_it_is_kept_and_the_writer_has_its_call(calls: int):
    script = Script(researcher=lambda request: [search(f"Gull {len(request['messages'])}")], writer=ANSWER)
    report = await ask(script, budget__model_calls=calls)
    assert report.usage.model_calls <= calls and report.errors == []
    assert report.status == ("no_evidence" if calls == 1 else "partial")
    assert calls == 1 or len(script.requests["writer"]) == 1


async def test_s3_a_search_that_fails_is_a_gap_and_the_answer_rests_on_the_others():
    script = Script(researcher=([search("Gull", "REFUSED")], ANSWER))
    provider = wire(script, faults=lambda c: Fault("status", 400) if b"REFUSED" in c.body[:200] else None)
    report = await run(provider=provider, system=SYSTEM, retries=0)
    assert report.status == "partial" and [gap.kind for gap in report.gaps] == ["branch_failed"]


async def test_s6_two_questions_on_one_thread_do_not_mix():
    from langgraph.checkpoint.memory import InMemorySaver

    compiled = build_graph(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "one"}}
    for question, query in (("How tall is Gull?", "Gull lighthouse"), ("Do terns breed?", "terns island")):
        script = Script(researcher=([search(query)], "It is so [S1.1]."))
        asked = {"question": question, "history": [{"role": "user", "content": question}]}
        state = await compiled.ainvoke(asked, config, context=context_of(script))
    assert [finding.queries for finding in state["findings"]] == [["terns island"]]
    assert state["progress"].turns == 1 and len(state["messages"]) == 2
    assert {source.query for source in state["sources"]} == {"terns island"}


@pytest.mark.parametrize("system", [SYSTEM, "auto"])
async def test_a_run_that_was_stopped_goes_on_without_sending_a_call_again(system: str, tmp_path: Path):
    first: list[asyncio.Task[Any]] = []

    def stop(event: Event) -> None:
        if event.type == "started" and event.role == "writer":
            first[0].cancel()

    home = tmp_path / "runs"
    options = {"system": system, "out": home, "settings": {"web.seed": 0}}
    question = "How many mooring masts does Port Brudoji have?"
    first.append(asyncio.create_task(aresearch(question, on_event=stop, **options)))
    await asyncio.wait(first)
    (folder,) = home.iterdir()
    resumed = await aresume(folder.name, out=home)
    whole = await aresearch(question, **options)
    assert resumed.markdown == whole.markdown and resumed.usage.model_calls == whole.usage.model_calls
    assert json.loads((folder / "report.json").read_text())["status"] == "complete"


async def test_offline_it_gives_the_same_bytes_at_any_concurrency():
    question = "How many mooring masts does Port Brudoji have?"
    reports = [
        await aresearch(question, system=SYSTEM, settings={"concurrency": n}, keep=False) for n in (1, 8)
    ]
    assert reports[0].markdown == reports[1].markdown and "24 mooring masts" in reports[0].markdown
    assert reports[0].status == "complete"
