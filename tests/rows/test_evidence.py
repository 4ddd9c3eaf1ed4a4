"""Rows o7, o8 and o9 in a whole run: what is searched and read, what a finding keeps, what a writer makes."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from deep_research.components.compressor import compress
from deep_research.components.researcher import LoopProgress, run_tools
from deep_research.core.records import Source
from deep_research.engine.evidence import sources_in_answer, with_source_texts
from deep_research.engine.providers import SearchHit
from deep_research.runs import aresearch
from deep_research.sources.ledger import Ledger
from deep_research.systems import SYSTEMS
from deep_research.text.source_ids import cited_ids
from deep_research_offline.wire.faults import Call, Fault
from tests.running import (
    TOPICS,
    context_of,
    delegate,
    environment_of,
    page,
    run,
    settings_of,
    small_web,
    wire,
)
from tests.scripted import Script, last_tool_results

LONG = "The Gull lighthouse is 41 metres tall. " + "It stands on a rock in the bay of Ormsund. " * 80
COMPLETE = ("ResearchComplete", {})


def search(*queries: str) -> tuple[str, dict[str, Any]]:
    return ("search", {"queries": list(queries)})


# o7, the researcher


async def test_o7_several_queries_in_one_call_are_all_searched():
    script = Script(researcher=([search("Gull", "Heron", "Skua")], [COMPLETE]))
    report = await run(script)
    assert report.usage.searches == 3
    shown = last_tool_results(script.requests["researcher"][1])[0]
    assert [f"Results for “{name}”" in shown for name in ("Gull", "Heron", "Skua")] == [True] * 3


async def test_o7_one_page_under_several_addresses_is_one_source():
    twins = [
        page("news.example/tower?utm_source=mail", "Tower opened", "The Ormsund tower opened."),
        page("www.news.example/tower/", "Tower opened", "The Ormsund tower opened."),
    ]
    script = Script(researcher=([search("Ormsund tower opened"), search("tower opened")], [COMPLETE]))
    report = await run(provider=wire(script, web=small_web(*twins)))
    assert sum("/tower" in (source.url or "") for source in report.sources) == 1


@pytest.mark.parametrize(
    "again", ["https://a.example/p", "http://www.a.example/p/", "https://a.example/p?utm_medium=mail"]
)
async def test_o7_a_source_that_returns_under_another_address_keeps_its_own_text(again: str):
    answers = [
        [SearchHit("A", "a", url="https://a.example/p?utm_source=x", text="Text of A.")],
        [
            SearchHit("B", "b", url="https://b.example/q", text="Text of B."),
            SearchHit("A", "a", url=again, text="Text of A, later."),
        ],
    ]

    class Searcher:
        name = "scripted"

        async def search(self, query: str, settings: Any) -> list[SearchHit]:
            return answers.pop(0)

    ctx, ledger = replace(context_of(), search=Searcher()), Ledger("1")
    for query in ("one", "two"):
        call = {"name": "search", "args": {"queries": [query]}, "id": query}
        await run_tools(AIMessage("", tool_calls=[call]), LoopProgress(), ledger, ctx)
    read = {source.title: [ctx.store.pages.get(key) for key in source.readings] for source in ledger.sources}
    assert read == {"A": ["Text of A.", "Text of A, later."], "B": ["Text of B."]}


async def test_o7_hits_over_the_cap_on_sources_are_a_gap_and_end_the_search():
    script = Script(supervisor=delegate("lighthouse tall"), researcher=[search("lighthouse tall")])
    report = await run(script, budget__sources=2)
    assert [gap.kind for gap in report.gaps] == ["budget"]
    assert "limit on sources (2)" in report.markdown
    assert len(report.sources) == 2
    assert report.usage.searches == 1


@pytest.mark.parametrize(("suffix", "summaries"), [(0, 1), (5, 2)])
async def test_o7_a_page_is_summarized_once_per_question_across_researchers(suffix: int, summaries: int):
    def look(request: dict[str, Any]) -> Any:
        topic = request["messages"][1]["content"]
        return [COMPLETE] if last_tool_results(request) else [search(f"Gull lighthouse {topic[:suffix]}")]

    script = Script(supervisor=delegate(*TOPICS[:2]), researcher=look)
    web = small_web(page("long.example/gull", "Gull lighthouse", LONG))
    await run(provider=wire(script, web=web))
    assert len(script.requests["compressor"]) == 2
    assert len(script.requests["summarizer"]) == summaries


async def test_o7_a_summary_that_times_out_leaves_the_snippet_in_the_finding():
    web = small_web(page("long.example/gull", "Gull lighthouse height", LONG + "LASTWORD"))
    script = Script(supervisor=delegate(TOPICS[0]))

    def slow(call: Call) -> Fault | None:
        return Fault("timeout") if b"PageSummary" in call.body else None

    report = await run(provider=wire(script, web=web, faults=slow), retries=1)
    assert report.status == "complete"
    assert not script.requests["summarizer"]
    assert "long.example" in report.markdown
    evidence = script.prompts("compressor")[0]
    assert "41 metres" in evidence
    assert "LASTWORD" not in evidence


async def test_o7_broad_then_narrow_and_the_stop_rules_are_in_the_prompt():
    script = Script()
    await run(script, limits__max_searches=4, limits__max_react_tool_calls=7)
    prompt = " ".join(script.prompts("researcher")[0].split())
    for rule in (
        "Start broad", "then go narrow", "the topic is answered", "three good sources",
        "last two searches returned much the same results", "two or three searches", "at most 4 searches",
        "at most 7 tool calls",
    ):  # fmt: skip
        assert rule in prompt


@pytest.mark.parametrize(
    ("turns", "limits", "ended", "searches"),
    [
        (([search("Gull")], [COMPLETE]), {}, "done", 1),
        (([search("Gull")], "I know enough."), {}, "no_tool_call", 1),
        (
            ([search("Gull")], [search("Gull x")], [search("Gull y")], [COMPLETE]),
            {},
            "nothing_new",
            3,
        ),
        (tuple([search(f"Ormsund {n}")] for n in range(9)), {"limits__max_searches": 2}, "limit", 2),
        (tuple([search(f"x{n}")] for n in range(9)), {"limits__max_react_tool_calls": 1}, "limit", 1),
    ],
)
async def test_o7_the_loop_ends_on_completion_no_tool_call_repetition_or_a_limit(
    turns: Any, limits: dict[str, int], ended: str, searches: int
):
    ctx, progress, ledger = context_of(**limits), LoopProgress(), Ledger("1")
    for turn in turns:
        made = turn if isinstance(turn, list) else []
        calls = [{"name": name, "args": args, "id": f"c{n}"} for n, (name, args) in enumerate(made)]
        await run_tools(AIMessage("", tool_calls=calls), progress, ledger, ctx)
        if progress.ended:
            break
    assert progress.ended == ended
    assert progress.searches == searches


@pytest.mark.parametrize(
    ("note", "limits", "ended"),
    [
        ("[S1.1] and [S1.2] say so, and [S1.3].", {}, "enough"),
        ("[S1.1] and [S1.1] say so, and [S1.2].", {}, None),  # two
        ("Neither S1.1 nor S1.2 nor S1.3 says it.", {}, None),  # named, but not cited
        ("[S1.1], [S1.2] and [S1.4] say so.", {}, None),  # one of nobody known
        ("[S1.1] says so.", {"limits__enough_sources": 1}, "enough"),
        ("[S1.1], [S1.2] and [S1.3] say so.", {"limits__enough_sources": 4}, None),
    ],
)
async def test_o7_good_sources_that_the_researcher_cites_are_enough(
    note: str, limits: dict[str, int], ended: str | None
):
    hosts = ("a.gov.example", "b.gov.example", "c.edu.example", "d.example")
    pages = [page(f"{host}/gull", f"Gull height {n}", "Gull height: 41.") for n, host in enumerate(hosts)]
    ctx, progress, ledger = (
        context_of(provider=wire(None, web=small_web(*pages)), **limits),
        LoopProgress(),
        Ledger("1"),
    )
    for call in (search("Gull height"), ("think", {"reflection": note})):
        calls = [{"name": call[0], "args": call[1], "id": "c"}]
        await run_tools(AIMessage("", tool_calls=calls), progress, ledger, ctx)
    assert {s.id: s.tier for s in ledger.sources}.items() >= {("S1.1", "government"), ("S1.4", "unverified")}
    assert progress.ended == ended


async def test_an_answer_keeps_its_sources_beside_its_text_and_checkpoints_keep_both() -> None:
    ctx, ledger = context_of(), Ledger("1")
    calls = [{"name": "search", "args": {"queries": ["lighthouse tall"]}, "id": "c"}]
    [told], _ = await run_tools(AIMessage("", tool_calls=calls), LoopProgress(), ledger, ctx)
    assert sources_in_answer(told) == [source.id for source in ledger.sources]
    serde = JsonPlusSerializer()
    kept = serde.loads_typed(serde.dumps_typed(told))
    assert kept.artifact == told.artifact == json.loads(json.dumps(told.artifact))
    before = kept.model_copy(deep=True)
    [shown] = with_source_texts([kept], ledger.sources, ctx)
    assert kept == before and all(ctx.store.pages.get(key) in shown.content for key in _readings(ledger))


def _readings(ledger: Ledger) -> list[str]:
    return [key for source in ledger.sources for key in source.readings]


async def test_o7_the_number_of_good_sources_in_the_prompt_is_the_one_that_counts():
    for language, words in (("en", "have two good"), ("zh", "有两个"), ("ja", "二件ある")):
        script = Script()
        await run(script, limits__enough_sources=2, prompt_language=language)
        assert words in script.prompts("researcher")[0]


async def test_o7_at_most_five_search_calls_by_default():
    script = Script(researcher=lambda r: [search(f"Ormsund lighthouse {len(r['messages'])}")])
    found = iter(range(100))

    class Endless:
        name = "endless"

        async def search(self, query: str, settings: Any) -> list[SearchHit]:
            return [SearchHit("New", "Something new.", url=f"https://new.example/{next(found)}")]

    chosen = settings_of()
    outside = replace(environment_of(wire(script), chosen), search=Endless())
    report = await aresearch("How tall?", settings=chosen, environment=outside, keep=False)
    assert report.usage.searches == 5


# o8, the compressor

ALL = ("S1.1", "S1.2", "S1.3")


def found(*names: str) -> list[Source]:
    texts = {
        "S1.1": "Gull is 41 metres tall.",
        "S1.2": "Heron is 28 metres tall.",
        "S1.3": "Skua is 36.5 m tall.",
    }
    return [
        Source(id=name, url=f"https://{name}.example", title=f"About {name}", snippet=texts[name])
        for name in names
    ]


async def finding(script: Script, messages: Any = ()) -> Any:
    return await compress("heights", found(*ALL), list(messages), ["q1", "q2"], "done", context_of(script))


async def test_o8_a_finding_keeps_its_queries_its_text_and_all_its_sources():
    result = await finding(Script(compressor="Gull is 41 metres tall [S1.1]."))
    assert result.text == "Gull is 41 metres tall [S1.1]."
    assert result.queries == ["q1", "q2"]
    assert result.source_ids == list(ALL)


async def test_o8_no_source_that_the_researcher_cited_is_lost():
    thought = {"name": "think", "args": {"reflection": "Heron is in [S1.2]."}, "id": "c"}
    said = [AIMessage("Skua stands in [S1.3], and [S9.9] is invented.", tool_calls=[thought])]
    result = await finding(Script(compressor="Gull is 41 metres tall [S1.1]."), said)
    assert set(cited_ids(result.text)) == set(ALL)
    assert "Heron is 28 metres tall." in result.text


async def test_o8_a_number_that_no_source_has_is_sent_back_once():
    right = "Gull is 41 metres tall [S1.1].\nHeron is 28 [S1.2].\nSkua is 36.5 m [S1.3]."
    script = Script(compressor=(right.replace("28", "30").replace("36.5", "37"), right))
    assert (await finding(script)).text == right
    assert "30, 37" in script.requests["compressor"][1]["messages"][-1]["content"]


async def test_o8_a_line_whose_number_stays_wrong_gives_way_to_the_source_itself():
    script = Script(compressor="1. Gull is 41 metres tall [S1.1].\n2. Heron is 30 metres tall [S1.2].")
    text = (await finding(script)).text
    assert len(script.requests["compressor"]) == 2
    assert "30" not in text
    assert "Heron is 28 metres tall. [S1.2]" in text
    assert "1. Gull is 41 metres tall [S1.1]." in text


async def test_o8_without_a_model_the_sources_are_quoted():
    text = (await finding(Script(compressor=""))).text
    assert set(cited_ids(text)) == set(ALL)
    assert "Skua is 36.5 m tall." in text


async def test_o8_raw_notes_are_kept_aside_and_enter_no_later_prompt(tmp_path: Any):
    secret = page("raw.example/gull", "Gull lighthouse height", "The Gull is tall. RAWPAGETEXT stays.")
    script = Script(supervisor=delegate(TOPICS[0]))
    report = await run(provider=wire(script, web=small_web(secret)), options={"keep": True, "out": tmp_path})
    assert "RAWPAGETEXT" in script.prompts("compressor")[0]
    assert "RAWPAGETEXT" not in "".join(script.prompts("supervisor") + script.prompts("writer"))
    kept = (tmp_path / report.run_id / "pages").glob("*.txt")
    assert any("RAWPAGETEXT" in path.read_text() for path in kept)


# o9, the writer


async def test_o9_one_shot_by_default_from_everything_at_once():
    def own_words(request: Any) -> str:
        shown = str(request["messages"])
        topic = next(topic for topic in TOPICS if f"Topic: {topic}" in shown)
        return f"- {topic}: measured. [{re.findall(r'S[0-9]+[.][0-9]+', shown)[-1]}]"

    script = Script(supervisor=delegate(*TOPICS), compressor=own_words)
    await run(script)
    assert len(script.requests["writer"]) == 1
    material = script.prompts("writer")[0]
    assert material.count("<findings topic=") == 3
    assert [material.count(f"- {topic}: measured.") for topic in TOPICS] == [1, 1, 1]


async def test_o9_the_writer_cites_ids_and_code_writes_numbers_and_the_list_one_source_per_line():
    script = Script(
        writer=lambda r: "# Heights\n\nTwo [S1.2]. One [S1.1]. Both [S1.2][S1.1]. Nothing [S7.7]."
    )
    report = await run(script, verifier__mode="off")
    body, _, listed = report.markdown.partition("## Sources")
    assert "Two [1]. One [2]. Both [1][2]. Nothing." in body
    lines = listed.strip().splitlines()
    assert [line[:3] for line in lines] == ["1. ", "2. "]
    assert all(re.fullmatch(r"\d\. .+ \(2040-05-01\): <https://\S+>", line) for line in lines)
    assert [(r.number, r.reason) for r in report.removed] == [("S7.7", "id_not_in_ledger")]
    assert "https://" not in script.prompts("writer")[0].partition("Sources:")[2]


async def test_o9_the_prompt_asks_for_the_shape_that_the_question_has():
    script = Script()
    await run(script)
    prompt = " ".join(script.prompts("writer")[0].split())
    for rule in (
        "A single answer: give it in the first sentence", "A comparison: the things compared",
        "without an introduction", "An overview: the main point first", "one `#` title, `##` for", "`###`",
        "Write paragraphs by default", "this report", "no list of sources",
    ):  # fmt: skip
        assert rule in prompt


async def test_a_name_that_looks_like_an_id_is_searched_as_it_was_typed() -> None:
    def look(request: dict[str, Any]) -> Any:
        return (
            [("search", {"queries": ["Gull firmware S2·1"]})] if not last_tool_results(request) else "Done."
        )

    script = Script(supervisor=delegate("What does firmware S2.1 of the Gull do?"), researcher=look)
    report = await run(script, "What does firmware S2.1 of the Gull do?")
    assert {source.query for source in report.sources} == {"Gull firmware S2.1"}


@pytest.mark.parametrize("system", SYSTEMS)
async def test_ids_and_numbers_that_a_user_types_never_become_citations(system: str) -> None:
    """Models that repeat what they were asked, as weak ones do."""
    question = "Is the Gull lighthouse of S1.1 and S0.1, as [1] says, 41 metres tall?"
    asked: list[str] = []

    def repeating(request: dict[str, Any]) -> str:
        told = "\n".join(str(message["content"]) for message in request["messages"])
        asked.append(told)
        return "# Report\n\nYou asked: " + re.findall(r"Is the Gull lighthouse of [^\n?]*", told)[-1] + "?"

    options = {"history": [{"role": "user", "content": question}]}
    report = await run(Script(writer=repeating), question, system=system, options=options)
    assert asked and not any("S1.1 and S0.1" in told or "as [1]" in told for told in asked)
    assert report.question == question and not re.search(r"tall\?.*\[\d\]|of \[1\]", report.markdown)
