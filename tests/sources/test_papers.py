"""Promises of the paper search: arXiv's own client on our call path, offline and against a server."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from deep_research.core.clock import FrozenClock
from deep_research.core.errors import SearchError, SettingsError
from deep_research.engine.calls import is_temporary
from deep_research.report import Report
from deep_research.runs import check_settings, research
from deep_research.runs.environment import build_environment
from deep_research.runs.offline import offline_papers
from deep_research.settings import load_settings
from deep_research.settings.parts import SearchSettings
from deep_research.sources.papers import PAUSE, ArxivSearch, arxiv_client
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web import build_web
from deep_research_offline.wire.faults import Fault, Faults
from tests.running import SteppingClock

WEB = build_web(0, 150, "airships")
PAPER = next(page for page in WEB.pages if page.style == "preprint")
ALONE = {"search.providers": ["arxiv"]}


def papers(**options: Any) -> ArxivSearch:
    return offline_papers(OfflineProvider(web=WEB, **options), FrozenClock(WEB.date))


def ask(**settings: Any) -> Report:
    name = PAPER.title.rpartition(" ")[2]
    return research(f"How long is the hull of the {name}?", settings=load_settings(settings), keep=False)


async def test_q12_papers_are_found_by_their_abstracts_and_read_again_by_address() -> None:
    search = papers()
    hits = await search.search(PAPER.title, SearchSettings())
    first = hits[0]
    assert (first.title, first.url, first.published) == (PAPER.title, PAPER.url, PAPER.published)
    assert first.kind == "paper" and first.tool == "arxiv"
    assert first.text.startswith(f"Authors: {PAPER.author}") and "turning circles" in first.text
    assert await search.read(PAPER.url) == first.text
    assert await search.read("https://nowhere.example/abs/1") is None


async def test_q12_dates_domains_and_the_number_of_results_are_obeyed() -> None:
    search, host = papers(), PAPER.url.split("/")[2]
    many = await search.search("airship engine hull", SearchSettings(results=20))
    assert len(many) > 2 and len(await search.search("airship engine", SearchSettings(results=1))) == 1
    dated = await search.search("airship engine hull", SearchSettings(results=20, after=PAPER.published))
    assert dated and all(hit.published >= PAPER.published for hit in dated) and len(dated) < len(many)
    assert not await search.search(PAPER.title, SearchSettings(exclude_domains=[host], results=1))
    assert await search.search("？！", SearchSettings()) == []


@pytest.mark.parametrize("system", ["open_deep_research", "shallow_researcher", "graph_agent"])
def test_q12_a_run_on_papers_alone_cites_them(system: str) -> None:
    report = ask(**ALONE, system=system)
    assert report.status == "complete" and {source.kind for source in report.sources} == {"paper"}
    assert report.cited[0].url == PAPER.url and report.cited[0].tier == "preprint"
    sent = [line for line in report.trace if line.kind == "search" and line.status == "ok"]
    assert report.usage.searches == len(sent)


def test_q12_papers_and_pages_together_are_one_source_per_address() -> None:
    urls = [source.url for source in ask(**{"search.providers": ["offline", "arxiv"]}).sources]
    assert len(urls) == len(set(urls)) and PAPER.url in urls


def test_q12_papers_have_a_tool_of_their_own_where_a_design_tells_kinds_apart() -> None:
    for others, names in (([], ["search_papers"]), (["offline"], ["search", "search_papers"])):
        settings = load_settings({"search.providers": [*others, "arxiv"]})
        ctx = build_environment(settings).context(settings)
        assert [tool.name for tool in ctx.offer.tools] == names


FAULTS = (Fault("status", 503), Fault("status", 429), Fault("refused"), Fault("timeout"), Fault("malformed"))


@pytest.mark.parametrize("fault", FAULTS)
async def test_s8_a_busy_or_broken_server_is_an_error_that_is_tried_again(fault: Fault) -> None:
    search = papers(faults=Faults([fault]))
    with pytest.raises(Exception) as caught:  # each stack has its own classes
        await search.search("airship", SearchSettings())
    assert is_temporary(caught.value)
    assert await search.search("airship", SearchSettings())


async def test_requests_keep_the_pause_that_arxiv_asks_for() -> None:
    from deep_research_offline.wire.transports import RequestsAdapter

    clock = SteppingClock(WEB.date)
    search = ArxivSearch(arxiv_client(RequestsAdapter(OfflineProvider(web=WEB))), clock, home="https://")
    await asyncio.gather(*(search.search(word, SearchSettings()) for word in ("hull", "engine", "wake")))
    assert [wait for wait in clock.slept if wait] == [PAUSE, PAUSE]


async def test_a_refused_query_is_an_error_and_no_empty_result() -> None:
    import arxiv

    search = papers()
    with pytest.raises(arxiv.HTTPError, match="400"):
        await search._fetch(arxiv.Search(query="", max_results=1), 1)
    with pytest.raises(SearchError, match="refused the query: bad syntax"):
        await ArxivSearch(_Refusing(), FrozenClock(WEB.date)).search("hull", SearchSettings())


class _Refusing:
    """A client that gets arXiv's way of refusing: a feed with one entry, which is the error."""

    page_size = 1

    def results(self, wanted: Any) -> Any:
        import arxiv

        return [arxiv.Result("https://arxiv.org/api/errors#bad", title="Error", summary="bad syntax")]


def test_the_tool_for_papers_is_refused_without_a_search_for_them() -> None:
    with pytest.raises(SettingsError, match='Add search="arxiv"'):
        check_settings(load_settings({"tools.researcher": ["search", "search_papers"]}))
