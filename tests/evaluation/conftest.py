"""A web of five pages with three facts, and reports written by hand about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from deep_research.core.records import CitedSource
from deep_research.evaluation.truth import GroundTruth
from deep_research.report import Report
from deep_research.sources.citations import unchecked_claims
from deep_research.text.cited_sentences import cited_sentences
from deep_research_offline.web.types import Fact, Page, Question, Web

MILL = "https://mill.example/wiki/North_Mill_(windmill)"
COPY = "https://copy.example/north-mill"
OLD = "https://mill.example/old"
FORUM = "https://forum.example/t/7"
ENGINE = "https://mill.example/wiki/Mill_7"
CHINESE = "https://mill.example/zh/北风车"


def _page(url: str, title: str, text: str, lang: str = "en") -> Page:
    return Page(url, title, text, "encyclopedia", lang, "2041-01-05", None, (), ())


def _fact(id: str, answers: Sequence[str], pages: Sequence[str], wrong: Sequence[str] = ()) -> Fact:
    return Fact(id, "North Mill", id, answers[0], tuple(answers), tuple(pages), (), tuple(wrong), None)


@pytest.fixture
def truth() -> GroundTruth:
    table = "| Mill | Flour in sacks |\n|---|---|\n| North Mill | 2,412 |\n| South Mill | 1,980 |"
    body = f"The mill is 31 metres high.\n\n## Owners\n\nIt belongs to Ada Brell.\n\n{table}\n"
    pages = (
        _page(MILL, "North Mill", body),
        _page(COPY, "A visit", "North Mill, 31 m high, made 2,412 sacks of flour."),
        _page(ENGINE, "Mill 7", "It stands on a hill by the river and is 80 m high."),
        _page(FORUM, "Mill talk", "I am sure North Mill is 35 m high."),
        _page(CHINESE, "北风车", "北风车高31米，属于阿达·布雷尔。", "zh"),
    )
    facts = {
        "height": _fact("height", ("31 m", "31 metres", "31米"), (MILL, COPY, CHINESE), (FORUM,)),
        "flour": _fact("flour", ("2,412", "2,412 sacks"), (MILL, COPY)),
        "owner": _fact("owner", ("Ada Brell", "阿达·布雷尔"), (MILL, CHINESE)),
    }
    return GroundTruth(Web(0, "mills", "2041-03-02", pages, facts, (), {OLD: MILL}, frozenset()))


@pytest.fixture
def ask() -> Callable[..., Question]:
    def question(*facts: str) -> Question:
        return Question(
            "q", "single_fact" if facts else "unanswerable", "en", "What of North Mill?", facts, ()
        )

    return question


@pytest.fixture
def written() -> Callable[..., Report]:
    def report(body: str, *urls: str, status: str = "complete") -> Report:
        sources = [
            CitedSource(
                id=f"S1.{n}", number=n, kind="web", url=url, citation_key=None, page=None, title=url,
                tier="unverified", published=None, use="cited",
            )
            for n, url in enumerate(urls, start=1)
        ]  # fmt: skip
        listed = "\n".join(f"{n}. <{url}>" for n, url in enumerate(urls, start=1))
        markdown = f"# What of North Mill?\n\n{body}\n\n## Sources\n\n{listed}\n"
        return Report(
            run_id="r", question="What of North Mill?", system="by_hand", status=status,  # type: ignore[arg-type]
            markdown=markdown, sources=sources, claims=unchecked_claims(cited_sentences(markdown)),
        )  # fmt: skip

    return report
