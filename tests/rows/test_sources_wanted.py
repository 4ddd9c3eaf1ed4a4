"""Row s19, and the rules on sources: what may become one, what comes first, and in which order they come."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deep_research.components.researcher import LoopLimits, loop_in_phase
from deep_research.core.errors import SettingsError
from deep_research.engine.providers import SearchHit
from deep_research.engine.tools import LOOK_UP_ITEM, SEARCH, THINK
from deep_research.report import Report
from deep_research.runs import aresearch
from deep_research.settings import load_settings
from deep_research.sources.documents import load_documents
from deep_research.sources.index import build_index
from deep_research.sources.knowledge import KnowledgeSearch, open_knowledge
from deep_research.sources.offer import build_offer
from deep_research.sources.search import CombinedSearch, DocumentSearch, is_blocked, search
from deep_research.systems.topic_queue.decisions import tools_for
from tests.running import QUESTION, context_of, environment_of, page, settings_of, small_web, wire
from tests.scripted import Script, default_answers, last_tool_results, sources_in

SEARCHES = {"search", "search_documents", "search_knowledge"}
SYSTEMS = ("open_deep_research", "shallow_researcher", "graph_agent", "auto", "deep_researcher")


def offered(request: dict[str, Any]) -> set[str]:
    return {tool["function"]["name"] for tool in request.get("tools") or []}


def diligent(request: dict[str, Any]) -> Any:
    """A researcher that uses the search it is offered, once each, and then has enough."""
    (name,) = offered(request) & SEARCHES or {"search"}
    asked = [call["function"]["name"] for m in request["messages"] for call in m.get("tool_calls") or []]
    if name in asked:
        return [("ResearchComplete", {})] if "ResearchComplete" in offered(request) else "Done [S1.1][S1.2]."
    return [(name, {"queries": ["Gull lighthouse lamp metres tall"]})]


async def ordered_run(system: str, order: str, folder: Path, script: Script, **more: Any) -> Report:
    """A run with one document beside the small web."""
    (folder / "log.md").write_text("# Keeper's log\n\nThe Gull lighthouse lamp burns 40 litres a night.\n")
    found = load_documents(folder).documents
    chosen = settings_of(system=system, search__source_order=order, **more)
    world = environment_of(wire(script), chosen)
    both = CombinedSearch([DocumentSearch(build_index(found)), world.search])
    return await aresearch(QUESTION, settings=chosen, environment=replace(world, search=both), keep=False)


@pytest.mark.parametrize("order", ["internal_first", "external_first"])
@pytest.mark.parametrize("system", SYSTEMS)
async def test_s19_one_side_after_the_other_and_its_finds_are_in_the_next_prompt(
    system: str, order: str, tmp_path: Path
):
    script = Script(researcher=diligent)
    report = await ordered_run(system, order, tmp_path, script)
    first, second = (
        ("search_documents", "search") if order == "internal_first" else ("search", "search_documents")
    )
    sides = [offered(request) & SEARCHES for request in script.requests["researcher"]]
    assert {first} in sides and {second} in sides and SEARCHES not in sides  # never both are offered
    for request in script.requests["researcher"]:
        if offered(request) & SEARCHES == {second} and not any(
            "This part of the search is over" in text for text in last_tool_results(request)
        ):
            raise AssertionError("the second side was offered before the first one was searched")
    at_second = next(r for r in script.requests["researcher"] if offered(r) & SEARCHES == {second})
    text = "\n".join(str(message.get("content") or "") for message in at_second["messages"])
    assert ("40 litres" in text) == (order == "internal_first") and sources_in(at_second)
    kinds = {source.kind for source in report.sources}
    assert kinds == {"web", "document"}


@pytest.mark.parametrize("system", ["open_deep_research", "shallow_researcher"])
async def test_s19_a_model_that_stops_after_the_first_side_has_to_look_at_the_other(
    system: str, tmp_path: Path
):
    def lazy(request: dict[str, Any]) -> str:
        return "Enough [S1.1]."

    script = Script(researcher=lazy)
    report = await ordered_run(system, "internal_first", tmp_path, script)
    assert {source.kind for source in report.sources} == {"web", "document"}


async def test_s19_together_is_the_default_and_one_side_alone_has_no_phases(tmp_path: Path):
    script = Script(researcher=diligent)
    await ordered_run("open_deep_research", "together", tmp_path, script)
    assert all(offered(r) & SEARCHES == {"search"} for r in script.requests["researcher"])
    alone = Script(researcher=diligent)
    chosen = settings_of(search__source_order="internal_first")
    await aresearch(QUESTION, settings=chosen, environment=environment_of(wire(alone), chosen), keep=False)
    assert not any(
        "part of the search" in text for r in alone.requests["researcher"] for text in last_tool_results(r)
    )


@pytest.mark.parametrize(("order", "inside_at"), [("internal_first", 0), ("external_first", 1)])
def test_s19_each_phase_has_the_tools_of_its_side_and_the_first_one_half_of_the_limits(
    order: str, inside_at: int
):
    ctx = context_of(search__source_order=order)
    assert ctx.search
    search_of_both = CombinedSearch([DocumentSearch(build_index([])), ctx.search])
    ctx = replace(ctx, search=search_of_both, offer=build_offer(ctx.settings, search_of_both, None))
    whole = LoopLimits([SEARCH, LOOK_UP_ITEM, THINK], turns=9, calls=6, searches=1)
    loops = [loop_in_phase(whole, phase, ctx) for phase in (0, 1)]
    names = [{tool.name for tool in loop.tools} for loop in loops]
    ends = [{"ResearchComplete"}, set()]  # the last phase ends as the loop does
    assert names[inside_at] == {"search_documents", "look_up_item", "think"} | ends[inside_at]
    assert names[1 - inside_at] == {"search", "think"} | ends[1 - inside_at]
    assert [(loop.turns, loop.calls, loop.searches) for loop in loops] == [(4, 3, 1), (9, 6, 1)]


async def test_s19_external_first_keeps_the_notes_back_until_the_web_was_searched(tmp_path: Path):
    (tmp_path / "lamp.md").write_text("# Lamps\n\nThe Gull lighthouse lamp burns 40 litres a night.\n")
    for order in ("external_first", "internal_first"):
        script = Script(researcher=diligent)
        chosen = settings_of(
            system="graph_agent", search__source_order=order, knowledge__paths=[str(tmp_path)]
        )
        world = environment_of(wire(script), chosen)
        notes = open_knowledge(chosen.knowledge)[0]
        assert notes
        both = CombinedSearch([world.search, KnowledgeSearch(notes, 4)])
        world = replace(world, search=both, knowledge=notes)
        await aresearch("Gull lighthouse lamp", settings=chosen, environment=world, keep=False)
        first = script.prompts("researcher")[0]
        assert ("40 litres" in first) == (order == "internal_first")


@pytest.mark.parametrize("order", ["internal_first", "external_first"])
def test_s19_the_rounds_of_the_topic_queue_look_at_one_side_first(order: str, tmp_path: Path):
    (tmp_path / "lamp.md").write_text("# Lamps\n\nThe Gull lighthouse lamp burns 40 litres a night.\n")
    ctx = context_of(search__source_order=order)
    found = load_documents(tmp_path).documents
    assert ctx.search
    both = CombinedSearch([DocumentSearch(build_index(found)), ctx.search])
    ctx = replace(ctx, search=both, offer=build_offer(ctx.settings, both, None))
    inside, outside = {"search_documents"}, {"search"}
    first, second = (inside, outside) if order == "internal_first" else (outside, inside)
    early = {tool.name for tool in tools_for("early", ctx)} & SEARCHES
    middle = {tool.name for tool in tools_for("middle", ctx)} & SEARCHES
    assert (early, middle) == (first, second)


MORE = (
    page("gulls.reddit.com.example/1", "Gull chat", "The Gull lighthouse is 41 metres tall, I think."),
    page("keels.gov.example/1", "Register", "The Gull lighthouse is 41 metres tall."),
)


async def titles(**settings: Any) -> list[str]:
    ctx = context_of(provider=wire(Script(), web=small_web(*MORE)), **settings)
    return [hit.title for hit in await search("Gull lighthouse metres tall", "researcher", ctx)]


async def test_rules_on_sources_ban_allow_and_prefer_by_kind_and_domain():
    everything = await titles(search__results=10)
    assert {"Gull chat", "Register", "Gull lighthouse"} <= set(everything)
    assert "Gull chat" not in await titles(search__results=10, search__ban_kinds=["social"])
    assert await titles(search__allow_kinds=["government"]) == ["Register"]
    assert (await titles(search__results=10, search__prefer_kinds=["government"]))[0] == "Register"
    preferred = await titles(search__results=10, search__prefer_domains=["gulls.reddit.com.example"])
    assert preferred[0] == "Gull chat" and sorted(preferred) == sorted(everything)
    assert await titles(search__results=2, search__ban_kinds=["social"]) != []
    assert len(await titles(search__results=2, search__ban_kinds=["social"])) == 2  # asked for more


@pytest.mark.parametrize("block", ["report.pdf", "report.pdf, p.2", "https://www.a.example/x/"])
def test_a_document_is_blocked_with_all_its_pages(block: str):
    """Only its single pages could be named: `report.pdf` blocked nothing."""
    pages = [
        SearchHit("R", "", citation_key="report.pdf, p.2", page=2),
        SearchHit("X", "", url="https://a.example/x"),
        SearchHit("O", "", citation_key="other report.pdf, p.2", page=2),
    ]
    assert [is_blocked(one, [block]) for one in pages] == [block[0] == "r", block[0] == "h", False]


async def test_rules_on_sources_reach_brief_and_tools_and_unknown_kinds_are_refused():
    script = Script(brief_writer=default_answers()["brief_writer"])
    rules = {"search__ban_kinds": ["social"], "search__prefer_domains": ["keels.gov.example"]}
    chosen = settings_of(**rules, output__primary_only=True)
    await aresearch(QUESTION, settings=chosen, environment=environment_of(wire(script), chosen), keep=False)
    (prompt,) = script.prompts("brief_writer")
    assert "- Sources never to use: social" in prompt and "- Sources to prefer: keels.gov.example" in prompt
    assert "- Only primary sources count: an office" in prompt
    with pytest.raises(SettingsError, match="'forum' is no tier or kind of source"):
        load_settings({"search.ban_kinds": ["forum"]})
