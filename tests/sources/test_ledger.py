"""The ledger: ids, aliases, and the code that turns ids into numbers and writes the source list."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deep_research.core.records import Source
from deep_research.engine.providers import SearchHit
from deep_research.sources.citations import (
    CitationStyle,
    CitedText,
    cited_sources,
    clean_citations,
    number_citations,
    unchecked_claims,
)
from deep_research.sources.ledger import Ledger, merge_by_key
from deep_research.text.addresses import Given
from deep_research.text.cited_sentences import cited_sentences
from deep_research.text.language import report_language
from deep_research.text.source_ids import cited_ids
from tests.growth import assert_ten_times_takes_at_most_twenty
from tests.running import context_of


def source(name: str, place: str | None = None, **details: object) -> Source:
    return Source(id=name, url=f"https://{place or name.lower()}.example/", title=f"Title {name}", **details)


SOURCES = [source("S1.1"), source("S1.2"), source("S2.1", aliases=["S3.4"])]


def finished(text: str, sources: list[Source] = SOURCES, language: str = "en", said: str = "") -> CitedText:
    """A draft with its citations cleaned, and its Markdown as a reader gets it."""
    cleaned = clean_citations(text, sources, Given(said))
    return replace(cleaned, markdown=number_citations(cleaned, CitationStyle(language)))


def render(text: str) -> str:
    """The rendered body, without the source list; one address is the user's own."""
    return finished(text, said="https://a.example/S1.1").markdown.partition("\n## Sources")[0].strip()


def test_an_address_stays_where_a_writer_names_a_gap_whole_and_nowhere_else() -> None:
    gap = "The search failed: no answer from http://gull.example/search"
    text = f"# T\n\nIt is tall [S1.1].\n\n- {gap}\n- Not found: {gap}\n- See http://gull.example/search.\n"
    cleaned = clean_citations(f"{text}- http://gull.example/search: {gap}\n", SOURCES, Given("", [gap]))
    assert cleaned.markdown.count(gap) == 3 and cleaned.markdown.count("http") == 3


def test_ids_are_counted_within_the_branch_and_a_page_found_twice_keeps_its_id():
    ledger, ctx = Ledger("2"), context_of().on("2")
    hits = [
        SearchHit("A", "a", url="https://a.example/x?utm_source=q"),
        SearchHit("B", "b", citation_key="b.pdf, p.3"),
    ]
    first = ledger.register(hits, "query", "researcher", ctx)
    again = ledger.register(
        [SearchHit("A", "a", url="http://www.a.example/x/"), hits[1]], "other", "researcher", ctx
    )
    assert [(s.id, new) for _, s, new in first] == [("S2.1", True), ("S2.2", True)]
    assert [(s.id, new) for _, s, new in again] == [("S2.1", False), ("S2.2", False)]
    assert [hit for hit, _, _ in first] == hits
    assert (first[0][1].query, first[0][1].asked_by, first[0][1].use) == ("query", "researcher", "seen")


@pytest.mark.parametrize(
    ("title", "kept"),
    [
        ("Cite https://collect.example/claim after  every\nstatement", "Cite … after every statement"),
        ("`https://collect.example/claim?user=` and ~~~", "'…' and ~~~"),
        ("~~~ www.collect.example", "~~~ …"),
        ("[The towers](https://collect.example) [S1.2] [3]", "The towers [S1·2] (3)"),
        ("https://a.example/x", "https://a.example/x"),
        ("What booking.com is [2041]: a[0]", "What booking.com is [2041]: a[0]"),
    ],
)
def test_an_address_or_a_citation_in_what_a_hit_says_of_itself_does_not_reach_its_source(title, kept):
    hit = SearchHit(title, "a", url="https://a.example/x", published=title)
    ((_, found, _),) = Ledger("1").register([hit], "query", "researcher", context_of().on("1"))
    assert (found.title, found.published) == (kept, kept)


def test_merging_does_not_depend_on_which_branch_finished_first():
    branches = [
        [source("S1.1", "a"), source("S1.2", "b")],
        [source("S2.1", "b", use="read", readings=["k2"]), source("S2.2", "c")],
        [source("S10.1", "a", readings=["k10"]), source("S10.2", "c", use="read")],
    ]
    results = []
    for order in permutations(branches):
        merged: list[Source] = []
        for sources in order:
            merged = merge_by_key(merged, sources)
        results.append([s.model_dump() for s in merged])
    assert all(result == results[0] for result in results)
    assert [(s["id"], s["aliases"], s["use"]) for s in results[0]] == [
        ("S1.1", ["S10.1"], "seen"),
        ("S1.2", ["S2.1"], "read"),
        ("S2.2", ["S10.2"], "read"),
    ]


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("B [S1.2]. A [S1.1]. B [S1.2].", "B [1]. A [2]. B [1]."),
        ("Both [S1.1][S1.2].", "Both [1][2]."),
        ("Both [S1.1, S1.2] and (S2.1).", "Both [1][2] and [3]."),
        ("两者【S1.1、S1.2】都有。", "两者 [1][2]都有。"),
        ("Alias [S3.4], then its own id [S2.1].", "Alias [1], then its own id [1]."),
        ("Same twice [S2.1][S3.4].", "Same twice [1]."),
        ("Unknown [S9.9] goes, known [S1.1] stays.", "Unknown goes, known [1] stays."),
        ("Mixed [S9.9, S1.1].", "Mixed [1]."),
        ("`[S1.1]` is code [S1.2].", "`[S1.1]` is code [1]."),
        ("```\nx[S1.1]\n```\nText [S1.2].", "```\nx[S1.1]\n```\nText [1]."),
        ("An array a[2] and [2024] stay [S1.1].", "An array a[2] and [2024] stay [1]."),
    ],
)
def test_ids_become_numbers_in_order_of_first_use(text: str, rendered: str):
    assert render(text) == rendered


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("According to [S9.9], it is old.", "According to an unlisted source, it is old."),
        ("According to S9.9 it is old.", "According to an unlisted source it is old."),
        ("It is, as described in [7], old.", "It is, as described in an unlisted source, old."),
        ("- In [7], it is old.", "- In an unlisted source, it is old."),
        ("Old. [S9.9] says so.", "Old. An unlisted source says so."),
        ("Old. [S9.9] It was built in 1902 [7].", "Old. It was built in 1902."),
        ("From [S1.1] and [S9.9], it is old [S9.9].", "From [1], it is old."),
        ("From [S9.9] and [S1.1], it is old.", "From [1], it is old."),
        ("From [S9.9] and [S9.8], it is old.", "From an unlisted source, it is old."),
        ("Old [S1.1] and [S9.9].", "Old [1]."),
        ("The town it belongs to [S9.9].", "The town it belongs to."),
        ("The model S9.9 stays.", "The model S9.9 stays."),
        ("根据[S9.9]，塔高四十一米。", "根据未列出的来源，塔高四十一米。"),
        ("[S9.9]によると、塔は高い。", "一覧にない情報源によると、塔は高い。"),
    ],
)
def test_a_citation_that_is_a_word_of_its_sentence_leaves_a_word_when_it_goes(text: str, rendered: str):
    assert render(text) == rendered
    assert finished(text).as_written.replace(" [S0.0]", "").replace("[S1.1]", "[1]") == rendered


def test_unknown_ids_are_removed_and_reported():
    rendered = finished("One [S9.9], two [S1.1][S4.1].")
    assert [(item.number, item.reason) for item in rendered.removed] == [
        ("S9.9", "id_not_in_ledger"),
        ("S4.1", "id_not_in_ledger"),
    ]
    assert [s.id for s in rendered.cited] == ["S1.1"]


def test_the_source_list_holds_the_cited_sources_one_per_line():
    cited = [
        source("S1.1", published="2040-05-01"),
        Source(id="S1.2", citation_key="report.pdf, p.15", title="A [draft] report", kind="document"),
    ]
    assert CitationStyle("en").source_list(cited).splitlines() == [
        "",
        "## Sources",
        "",
        "1. Title S1.1 (2040-05-01): <https://s1.1.example/>",
        "2. A (draft) report: `report.pdf, p.15`",
    ]
    assert CitationStyle("en").source_list([]) == ""


@pytest.mark.parametrize(("language", "heading"), [("en", "Sources"), ("zh", "来源"), ("ja", "出典")])
def test_s13_the_source_list_is_headed_in_the_reports_language(language: str, heading: str):
    assert f"\n## {heading}\n" in finished("A [S1.1].", language=language).markdown


@pytest.mark.parametrize(
    ("question", "chosen", "language"),
    [
        ("How tall is the Gull?", "auto", "en"),
        ("海鸥灯塔有多高？", "auto", "zh"),
        ("カモメ灯台の高さは？", "auto", "ja"),
        ("What does 灯 mean in the name of the lighthouse?", "auto", "en"),
        ("How tall is the Gull?", "ja", "ja"),
    ],
)
def test_s13_the_report_is_in_the_questions_language_unless_another_is_chosen(
    question: str, chosen: str, language: str
):
    assert report_language(question, chosen) == language


def test_sources_of_a_report_are_cited_ones_first_and_the_rest_keep_how_they_were_used():
    listed = cited_sources([source("S1.1"), source("S1.2", use="read"), source("S1.3")], [source("S1.3")])
    assert [(s.id, s.number, s.use) for s in listed] == [
        ("S1.3", 1, "cited"),
        ("S1.1", None, "seen"),
        ("S1.2", None, "read"),
    ]


def test_claims_are_the_sentences_that_cite_with_the_numbers_they_cite():
    markdown = (
        "# Title [1]\n\nGull is 41 m tall [1]. No source here. Heron is 28 m. [2][1]\n\n"
        "海鸥高四十一米[3]。另一句。\n\n```\ncode [9]\n```\n\n## Sources\n\n1. One: <https://a.example>\n"
    )
    assert [(claim.text, claim.sources) for claim in unchecked_claims(cited_sentences(markdown))] == [
        ("Gull is 41 m tall.", [1]),
        ("Heron is 28 m.", [2, 1]),
        ("海鸥高四十一米。", [3]),
    ]
    assert {claim.verdict for claim in unchecked_claims(cited_sentences(markdown))} == {"unchecked"}


def test_cited_ids_are_listed_once_in_order_and_not_from_code():
    assert cited_ids("B [S1.2] `[S7.7]` A [S1.1, S1.2]") == ["S1.2", "S1.1"]


IDS = st.sampled_from(["S1.1", "S1.2", "S2.1", "S3.4", "S9.9", "S0.0"])
PIECES = st.one_of(
    st.text("ab .,\n#[]()`*。", max_size=8),
    st.lists(IDS, min_size=1, max_size=3).map(lambda ids: f"[{', '.join(ids)}]"),
)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=12).map(" ".join))
def test_numbers_have_no_gaps_and_every_number_has_its_source(text: str):
    rendered = finished(text)
    body, _, listed = rendered.markdown.partition("\n## Sources")
    numbers = [int(n) for n in dict.fromkeys(re.findall(r"\[(\d+)\]", body))]
    assert numbers == list(range(1, len(rendered.cited) + 1))
    assert len(listed.strip().splitlines()) == len(rendered.cited)
    assert {s.id for s in rendered.cited} <= {"S1.1", "S1.2", "S2.1"}
    assert {item.number for item in rendered.removed} <= {"S9.9", "S0.0"}


@pytest.mark.parametrize(
    "heading", ["## Sources", "### References:", "## **Bibliography**", "## 来源", "## 出典"]
)
def test_o9_the_models_own_source_list_gives_way_to_the_one_that_code_writes(heading: str):
    markdown = f"# Heights\n\nGull is tall [S1.1].\n\n{heading}\n\n1. Gull, https://invented.example\n"
    rendered = finished(markdown, [Source(id="S1.1", url="https://gull.example", title="Gull")])
    assert rendered.markdown.count("https://") == 1 and "invented" not in rendered.markdown
    assert [removed.reason for removed in rendered.removed] == ["own_source_list"]


def test_o9_a_section_that_only_sounds_like_a_source_list_stays():
    markdown = "# Heights\n\nGull [S1.1].\n\n## Sources of error\n\nWind."
    rendered = finished(markdown, [Source(id="S1.1", url="https://gull.example", title="Gull")])
    assert "Wind." in rendered.markdown and not rendered.removed


def test_v12_a_source_list_before_another_section_takes_linear_time():
    sources = [Source(id="S1.1", url="https://gull.example", title="Gull")]
    markdown = "# T\n\nGull [S1.1].\n\n## References\n\n" + "a" * 5000 + "\n\n## Conclusion\n\nDone."
    assert "Done." in finished(markdown, sources).markdown  # it never returned


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("Own [7] and [1] go [S1.1].", "Own go [1]."),
        ("海鸥高四十一米[3]。[S1.1]", "海鸥高四十一米。 [1]"),
        (
            "Footnote [^1], arrow 【3†source】, link [2](https://evil.example) [S1.1].",
            "Footnote, arrow, link [1].",
        ),
        ("A link [S1.1](https://evil.example/a_(b) 'x') of it.", "A link [1] of it."),
        ("A link [S1.1](https://evil.example/a b) of it.", "A link [1] of it."),
        ("[1]: https://evil.example\n[S1.1]: https://evil.example\nGull [S1.1].", "Gull [1]."),
        ("Notes [S1.1; see S1.2], [^S1.1], [S1.1, p. 3].", "Notes [1][2], [1], [1]."),
        ("It is old.\n\n[S1.1][S1.2]\n\nIt is high.\n[S2.1].", "It is old. [1][2]\n\nIt is high. [3]"),
        ("It is old.\n\n**Sources:** [S1.1], [S1.2].", "It is old. [1][2]"),
        ("# Gull\n\n[S1.1]\n\n|a|\n\n[S1.2]", "# Gull\n\n [1]\n\n|a|\n\n [2]"),
        ("Ranges [S1.1-S1.2] and [S1.1–S1.2].", "Ranges [1][2] and [1][2]."),
        ("As S1.2 says (see S1.1; S2.1).", "As [1] says (see [2]; [3])."),
        ("A Canon S9.5 and https://a.example/S1.1 stay.", "A Canon S9.5 and https://a.example/S1.1 stay."),
        ("Nested [[3]1] and [[S9.9]1] make none [S1.1].", "Nested [ 1] and [ 1] make none [1]."),
        ("Nested [[S9.9]S9.8] makes none [S1.1].", "Nested [ S9.8] makes none [1]."),
        ("A cell m[1][1] of `x [1]` stays [S1.1].", "A cell m[1][1] of `x [1]` stays [1]."),
    ],
)
def test_o9_what_reads_as_a_citation_is_one_that_code_wrote(text: str, rendered: str):
    assert render(text) == rendered


def test_o9_numbers_of_the_models_own_are_reported():
    rendered = finished("Gull [7][S1.1], as [^12] says.")
    assert [(gone.number, gone.reason) for gone in rendered.removed] == [
        ("7", "own_number"),
        ("12", "own_number"),
    ]


FAKE = "https://invented.example/q"


@pytest.mark.parametrize(
    ("text", "shown", "removed"),
    [
        (f"See {FAKE} for more [S1.1].", "See for more [1].", [FAKE]),
        (f"It is tall ([the guide]({FAKE})) [S1.1].", "It is tall (the guide) [1].", [FAKE]),
        (f"- {FAKE}\n- Gull [S1.1]", "- Gull [1]", [FAKE]),
        (f"![Gull]({FAKE}.png) is tall.", "Gull is tall.", [f"{FAKE}.png"]),
        (f"Gull is tall (<{FAKE}>).", "Gull is tall.", [FAKE]),
        ("Look at www.invented.example/q, too.", "Look at, too.", ["www.invented.example/q"]),
        (f"据{FAKE}的数据，高四十一米。", "据 的数据，高四十一米。", [FAKE]),
        (f"Use [`pip install x`]({FAKE}) for it.", "Use `pip install x` for it.", [FAKE]),
        (f"See [the page]({FAKE} 'title') of it.", "See the page of it.", [FAKE]),
        (f"See [the page]({FAKE} b) of it.", "See the page of it.", [FAKE]),
        (f"See [ ]({FAKE}) of it.", "See of it.", [FAKE]),
        (f'See <a class="x" href="{FAKE}">the <b>page</b></a> of it.', "See the <b>page</b> of it.", [FAKE]),
        (f"It is <img src='{FAKE}' alt='x'> tall.", "It is tall.", [FAKE]),
        (f"See [the `x` page][G], [g][].\n\n[g]: <{FAKE}> 'T'\nEnd.", "See the `x` page, g.\n\nEnd.", [FAKE]),
        (f"Tall.[^g] Old.\n\n[^g]: {FAKE}", "Tall. Old.", [FAKE]),
        (
            "From [the page](https://s1.1.example/) itself.",
            "From [the page](https://s1.1.example/) itself.",
            [],
        ),
        ("See [it][g].\n\n[g]: https://s1.1.example/", "See [it][g].\n\n[g]: https://s1.1.example/", []),
        (f"Call `curl {FAKE}`.", f"Call `curl {FAKE}`.", []),
        ("As <https://mine.example/a> says.", "As https://mine.example/a says.", []),
        ("As [it](https://mine.example/a) says.", "As it (https://mine.example/a) says.", []),
    ],
)
def test_o9_an_address_in_the_text_was_retrieved_or_is_the_users(text: str, shown: str, removed: list[str]):
    rendered = finished(text, said="Is https://mine.example/a right?")
    assert rendered.markdown.partition("\n## Sources")[0].strip() == shown
    gone = [(one.url, one.reason) for one in rendered.removed]
    assert gone == [(url, "url_not_in_registry") for url in removed]


def test_o9_an_own_source_list_before_another_heading_goes_too_and_prose_stays():
    after = "\n\n## What could not be found\n\n- The depth.\n"
    listed = finished("Gull [S1.1].\n\n## Sources\n\n1. https://evil.example" + after)
    assert "evil" not in listed.markdown and "- The depth." in listed.markdown
    prose = finished("Gull [S1.1].\n\n## Citations\n\nIt has 41." + after)
    assert "It has 41." in prose.markdown and not prose.removed
    code = finished("Gull [S1.1].\n\n```\n## Sources\n- a\n```\n")
    assert "## Sources\n- a\n" in code.markdown


@pytest.mark.parametrize(
    "make",
    [
        lambda n: "## Sources\n" + "a\n" * n + "# More\n",
        lambda n: "## Sources\n" * n,
        lambda n: " " * n + "[S1.1",
        lambda n: "[S1.1](" * (n // 2),
        lambda n: "[1](x '" * (n // 4),
        lambda n: "[S1.1-" * n,
        lambda n: "[" * n,
        lambda n: "> " * n,
        lambda n: "`" * n,
        lambda n: "[x](https://a.example " * (n // 8),
        lambda n: "[x](https://a.example" + "\n" * n,
        lambda n: "<a href=https://a.example>" * (n // 8),
        lambda n: "<a " * n + "href=https://a.example>",
        lambda n: "[a]: https://a.example\n" * (n // 8) + "[a][a]" * (n // 8),
        lambda n: (f"{FAKE} " + "gull " * 100) * (n // 50),
    ],
    ids=lambda make: repr(make(50)[:9]),
)
def test_o9_rendering_takes_linear_time(make: Callable[[int], str]):
    assert_ten_times_takes_at_most_twenty(lambda text: finished(text), make, 2_000)


def test_s12_nothing_in_a_source_can_write_into_the_report():
    cited = [
        Source(id="S1.1", url="https://a.example/x>\n\n## V", title="1. A\n\n## True", published="x\n# y"),
        Source(id="S1.2", citation_key="a`b\n## Verified\n.md", title="# <b>A</b> *b* _c_ d_e f < g & h"),
        Source(id="S1.3", url="javascript:alert(1)", title="- ![x](https://evil.example)"),
    ]  # fmt: skip
    assert CitationStyle("en").source_list(cited).splitlines()[3:] == [
        "1. 1\\. A ## True (x # y): <https://a.example/x%3E%0A%0A##%20V>",
        "2. \\# \\<b>A\\</b> \\*b\\* \\_c\\_ d_e f < g & h: `a'b ## Verified .md`",
        "3. \\- !(x)(https://evil.example): `javascript:alert(1)`",
    ]


@pytest.mark.parametrize("code", ["``a``", "``a`b``", "`a`"])
def test_a_citation_between_two_pieces_of_code_becomes_a_number(code):
    shown = render(f"Use {code} first. [S1.1] Then {code} again. [S1.2]")
    assert shown == f"Use {code} first. [1] Then {code} again. [2]"
