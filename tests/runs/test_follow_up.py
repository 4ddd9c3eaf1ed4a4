"""A question after a report: answered from the report's pages where they have the answer, else researched."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deep_research.core.errors import RunError
from deep_research.report import Report
from deep_research.runs import aresearch
from deep_research.runs.offline import offline_search
from deep_research.sources.search import CombinedSearch
from deep_research_offline.wire.faults import Fault
from tests.running import Wire, delegate, environment_of, run, settings_of, wire
from tests.scripted import Script

TOPICS = delegate("Gull lighthouse height", "Heron lighthouse height")
NEXT = "And when was the Gull lighthouse built?"
STANDALONE = {"query": NEXT, "added": []}
ANSWER = "The Gull lighthouse was built in 1902 [S1.1]."


async def first_report(out: Path, **settings: Any) -> Report:
    return await run(Script(supervisor=TOPICS), options={"keep": True, "out": out}, **settings)


async def followed(first: Report, out: Path, provider: Wire, question: str = NEXT, **options: Any) -> Report:
    world = environment_of(provider, settings_of())
    return await aresearch(question, after=first.run_id, out=out, environment=world, **options)


async def test_what_the_pages_of_the_report_tell_takes_two_calls_and_no_search(tmp_path: Path) -> None:
    first = await first_report(tmp_path, preset="quick")
    script = Script(query_rewriter=STANDALONE, writer=ANSWER)
    provider = wire(script)
    report = await followed(first, tmp_path, provider)
    assert (provider.chats, provider.searches) == (2, 0)
    assert "built in 1902" in report.markdown and report.status == "complete"
    assert {source.url for source in report.sources} <= {source.url for source in first.sources}
    (claim,) = report.claims
    assert claim.verdict == "evidence_found"
    assert report.settings.preset == "quick"
    asked = script.requests["query_rewriter"][0]["messages"]
    assert [message["role"] for message in asked] == ["system", "user", "assistant", "user"]


async def test_the_pages_of_each_thing_that_is_named_are_looked_at(tmp_path: Path) -> None:
    first = await first_report(tmp_path)
    asked = "Is the height of the Gull lighthouse or that of the Heron lighthouse the greater?"
    script = Script(query_rewriter={"query": asked, "added": []}, writer=ANSWER)
    await followed(first, tmp_path, wire(script), asked, settings={"search.results": 1})
    shown = str(script.requests["writer"][0]["messages"])
    assert "S1.1 — Gull" in shown and "S1.2 — Heron" in shown


async def test_pages_of_a_search_in_which_another_provider_failed_serve_too(tmp_path: Path) -> None:
    chosen = settings_of(retries=0)
    world = environment_of(wire(Script(supervisor=TOPICS)), chosen)
    down = offline_search(wire(Script(), faults=lambda call: Fault("status", 500)))
    down.name = "tavily"
    world = replace(world, search=CombinedSearch([down, world.search]))
    first = await aresearch("Gull lighthouse height", settings=chosen, environment=world, out=tmp_path)
    report = await followed(first, tmp_path, wire(Script(query_rewriter=STANDALONE, writer=ANSWER)))
    assert first.status == "partial" and "built in 1902" in report.markdown


@pytest.mark.parametrize(
    "answer",
    ["Nothing was found on this.", "The Gull lighthouse was built in 1902.", ""],
    ids=["denies", "cites nothing", "is empty"],
)
async def test_what_they_do_not_tell_is_researched_and_a_search_made_before_is_not_paid_again(
    answer: str, tmp_path: Path
) -> None:
    first = await first_report(tmp_path)
    script = Script(query_rewriter=STANDALONE, supervisor=TOPICS, writer=(answer, ANSWER))
    provider = wire(script)
    report = await followed(first, tmp_path, provider)
    assert "built in 1902" in report.markdown and script.requests["supervisor"]
    assert provider.searches == 0 and {line.status for line in report.trace if line.kind == "search"} == {
        "kept"
    }


async def test_a_follow_up_can_be_followed_up(tmp_path: Path) -> None:
    first = await first_report(tmp_path)
    script = Script(query_rewriter=STANDALONE, writer=ANSWER)
    second = await followed(first, tmp_path, wire(script))
    provider = wire(script)
    third = await followed(second, tmp_path, provider, question="Built when?", keep=False)
    assert provider.chats == 2 and third.cited
    shown = script.requests["query_rewriter"][-1]["messages"]
    assert [message["role"] for message in shown][1:] == ["user", "assistant"] * 2 + ["user"]


async def test_a_page_that_is_blocked_since_is_not_used(tmp_path: Path) -> None:
    first = await first_report(tmp_path)
    provider = wire(Script(query_rewriter=STANDALONE, supervisor=TOPICS))
    report = await followed(
        first, tmp_path, provider, settings={"search.block": ["https://ormsund.example/gull"]}
    )
    assert "https://ormsund.example/gull" not in [source.url for source in report.sources]


async def test_a_run_without_a_report_cannot_be_followed_up(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no run 'abc'"):
        await aresearch(NEXT, after="abc", out=tmp_path)
