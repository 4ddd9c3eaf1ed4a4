"""Promises of the search index: it finds, it never raises on a query, and its order is always the same."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from deep_research.core.errors import DocumentsError
from deep_research.sources.index import Document, Filters, Index, build_index
from deep_research.text.passages import best_snippet
from tests.growth import assert_ten_times_takes_at_most_twenty

PAGES = [
    Document(
        "https://stats.harbour.gov.example/yearbook",
        "Harbour yearbook",
        "Passengers are counted at every mast. Veldmoor handled 41,200 passengers in 2041.",
        url="https://stats.harbour.gov.example/yearbook",
        published="2042-03-01",
    ),
    Document(
        "https://www.veldmoor.example/",
        "Veldmoor",
        "A town on a cliff. Its airships were moored by hand.",
        url="https://www.veldmoor.example/",
        published="2039-07-12",
    ),
    Document(
        "https://notveldmoor.example/",
        "Gossip",
        "Somebody moored an airship at Veldmoor again.",
        url="https://notveldmoor.example/",
    ),
    Document(
        "zh",
        "飞艇公司",
        "蓝鸥航空公司的总部设在北湾市。它拥有12艘飞艇。",
        citation_key="公司.md",
        kind="document",
    ),
    Document(
        "ja", "飛行船", "蒼い鯨号は全長240メートルの飛行船で、ヴェルドモアで建造された。Engine: Korvane 7。"
    ),
]


HEAVY_OR_ODD = ["\ud800vel", "x" * 100_000, "vel " * 25_000, "()[]{}^~:\\", "𠮷野家", "e\u0301tude हिन्दी"]


@pytest.fixture
def index() -> Index:
    return build_index(PAGES)


def found(
    index: Index,
    query: str,
    k: int = 5,
    domains: Sequence[str] = (),
    exclude_domains: Sequence[str] = (),
    after: str | None = None,
    before: str | None = None,
) -> list[str]:
    filters = Filters.of(domains, exclude_domains, after, before)
    return [hit.document.id for hit in index.search(query, k, filters)]


def test_stems_match_and_titles_weigh_more(index: Index) -> None:
    assert found(index, "mooring of an airship")[0] in {
        "https://www.veldmoor.example/",
        "https://notveldmoor.example/",
    }
    assert found(index, "Veldmoor")[0] == "https://www.veldmoor.example/"
    assert found(index, "how many passengers did Veldmoor handle?")[0].startswith("https://stats.")


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("北湾", "zh"),
        ("湾", "zh"),
        ("蓝鸥航空公司的总部在哪里？", "zh"),
        ("鯨", "ja"),
        ("ＫＯＲＶＡＮＥ飛行船", "ja"),
        ("ヴェルドモア", "ja"),
    ],
)
def test_chinese_and_japanese_are_found_down_to_one_character(index: Index, query: str, page: str) -> None:
    assert found(index, query)[0] == page


@pytest.mark.parametrize(
    "query",
    ["", "   ", "?!", '"', "a AND (b", 'title:"x', "veldmoor* NEAR/2 -x", "\0veldmoor", "🛩️🛩️", *HEAVY_OR_ODD],
)
def test_no_query_text_can_raise(index: Index, query: str) -> None:
    assert isinstance(index.search(query), list)


def test_stop_words_count_only_when_nothing_else_is_left(index: Index) -> None:
    assert "zh" not in found(index, "the of at")
    assert found(index, "at") == found(index, "AT")
    assert len(found(index, "at")) == 2


def test_domain_filter_keeps_label_boundaries(index: Index) -> None:
    assert found(index, "Veldmoor", domains=["veldmoor.example"]) == ["https://www.veldmoor.example/"]
    assert found(index, "Veldmoor", domains=["https://www.harbour.gov.example/x"]) == [PAGES[0].id]
    assert set(found(index, "Veldmoor", exclude_domains=["gov.example"])) == {PAGES[1].id, PAGES[2].id}
    assert found(index, "Veldmoor", domains=["nowhere.example"]) == []


def test_date_filter_includes_both_ends_and_leaves_undated_pages_out(index: Index) -> None:
    assert found(index, "Veldmoor", after="2042-03-01") == [PAGES[0].id]
    assert found(index, "Veldmoor", before="2039") == [PAGES[1].id]
    assert set(found(index, "Veldmoor", after="2039-07", before="2042-03-01")) == {PAGES[0].id, PAGES[1].id}


@pytest.mark.parametrize(
    ("title", "filler", "fact", "question"),
    [
        (
            "Report of the inquiry into the Port Tarn accident",
            "The witness saw the airship above the port and heard nothing.",
            "The rudder chain had been mended with copper wire.",
            "rudder chain mended copper wire",
        ),
        (
            "タルン港事故の調査報告書",
            "証人は港の上に飛行船を見たが何も聞かなかった。",
            "舵の鎖は銅線で直してあった。",
            "舵の鎖の銅線",
        ),
    ],
)
def test_a_very_long_page_is_found_by_its_title_and_by_a_fact_deep_inside(
    title: str, filler: str, fact: str, question: str
) -> None:
    paragraphs = [f"{number}. {filler * 5}" for number in range(200)]
    long = Document("z", title, "\n\n".join([*paragraphs[:150], fact, *paragraphs[150:]]))
    short = [
        Document(f"d{n}", f"Notes {n}: {title[len(title) // 2 :]}", f"{title}. {filler}") for n in range(20)
    ]
    short += [Document(f"e{n}", f"Rudder {n} 舵", f"A chain, a wire. 鎖と銅。 {filler}") for n in range(20)]
    index = build_index([*short, long])
    assert len(long.text) > 20_000 and len(index) == 41
    assert found(index, title)[0] == "z"
    assert found(index, title, k=41).count("z") == 1
    best = index.search(question)[0]
    assert best.document == long and fact in best.snippet


def test_many_good_passages_of_one_document_leave_room_for_others() -> None:
    long = Document("a", "Keels", "A keel is a keel is a keel. " * 4_000)
    others = [
        Document(f"b{n}", "Notes", f"Item {n} in the yard: a keel among other things.") for n in range(5)
    ]
    index = build_index([long, *others])
    assert found(index, "keel", k=6) == ["a", "b0", "b1", "b2", "b3", "b4"]


def test_ties_are_ordered_by_id_whatever_the_order_of_arrival() -> None:
    twins = [Document(f"d{n:03}", "Same", "the same text about keels") for n in range(200)]
    forward, backward = build_index(twins), build_index(twins[::-1])
    assert found(forward, "keel", k=7) == found(backward, "keel", k=7) == [f"d{n:03}" for n in range(7)]


def test_knows_tells_which_words_occur(index: Index) -> None:
    words = ["airship", "Veldmoor", "北湾市", "bitcoin", "湾北", "!"]
    assert index.knows(words) == {"airship", "Veldmoor", "北湾市"}


def test_two_documents_with_one_id_are_refused() -> None:
    with pytest.raises(DocumentsError, match="Two documents"):
        build_index([PAGES[0], PAGES[0]])
    assert build_index([]).search("anything") == []


def test_snippet_is_the_passage_that_answers_on_sentence_boundaries() -> None:
    filler = "The weather of the islands is mild and the masts are painted white. " * 40
    fact = "The **Tarn Works** built [nine hulls](https://x.example/a_(b)) in 2040."
    text = f"# Notes\n\n{filler}\n\n{fact} {filler}"
    snippet = best_snippet(text, ["tarn", "hulls"])
    assert "The Tarn Works built nine hulls in 2040." in snippet
    assert len(snippet) <= 420
    assert snippet.startswith("The") and snippet.endswith(".")


def test_snippet_of_chinese_text_is_cut_at_its_own_sentences() -> None:
    text = "天气很好，港口很忙。" * 60 + "蓝鸥公司在2040年建造了九艘飞艇。" + "天气很好，港口很忙。" * 60
    snippet = best_snippet(text, ["蓝鸥", "飞艇"])
    assert "蓝鸥公司在2040年建造了九艘飞艇。" in snippet and snippet.endswith("。") and len(snippet) <= 420


def test_snippet_keeps_rows_and_items_apart() -> None:
    text = (
        "# Port\n\n| Item | Value |\n|---|---|\n| Opened | 1999 |\n\n- one\n- two\n1. three\nfour\n\n> five"
    )
    assert best_snippet(text, ["opened"]).split("\n") == [
        "Port", "Item | Value", "Opened | 1999", "one", "two", "1. three four", "five"
    ]  # fmt: skip


def test_snippet_without_a_match_is_the_opening_and_long_text_costs_little() -> None:
    assert best_snippet("First sentence. Second.", ["absent"]) == "First sentence. Second."
    assert best_snippet("", ["x"]) == ""
    assert len(best_snippet("keel " * 1_000_000, ["keel"])) <= 420
    assert_ten_times_takes_at_most_twenty(
        lambda text: best_snippet(text, ["keel"]), lambda n: "keel " * n, 50_000
    )
