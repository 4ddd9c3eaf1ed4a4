"""Rows v1 to v9: what verification does to the reports of any system."""

from __future__ import annotations

import pytest

from deep_research.components.verifier.citations import CitationResult, verify_citations
from deep_research.components.verifier.citations.parser import parse_report
from deep_research.text.matching import SourceIndex

A, B, C = "https://a.example/x/one", "https://b.example/y/two", "https://c.example/z/three"
FAKE = "https://fake.example/q"
SOURCES = [{"url": A}, {"url": B}, {"url": C}, {"citation_key": "report.pdf, p.15"}]


def verify(text: str, mode: str = "lenient") -> CitationResult:
    """Verify, and check on the way that a second run changes nothing."""
    result = verify_citations(text, SOURCES, mode=mode)
    assert verify_citations(result.report, SOURCES, mode=mode).report == result.report
    return result


def level(url: str, *registered: str, mode: str = "lenient") -> str | None:
    match = SourceIndex([{"url": address} for address in registered], mode).match_url(url)
    return match.level if match else None


@pytest.mark.parametrize(
    ("url", "registered", "expected"),
    [
        ("http://www.a.example/docs/guide/?utm_source=x#top", "https://a.example/docs/guide", "exact"),
        ("https://a.example/2024/deep-lear...", "https://a.example/2024/deep-learning", "truncated"),
        ("https://a.example/2024/deep…", "https://a.example/2024/deep-learning", "truncated"),
        ("https://a.example/docs", "https://a.example/docs/guide", "prefix"),
        ("https://a.example/docs/guide/install", "https://a.example/docs/guide", "child_path"),
        ("https://a.example/s?q=1", "https://a.example/s?q=1&page=2", "query_subset"),
        ("https://a.example/docs/gui", "https://a.example/docs/guide", None),
        ("https://a.example/2024/1", "https://a.example/2024/10", None),
        ("https://a.example/2024/1...", "https://a.example/2024/10", None),
        ("https://a.example/docs/guide", "https://a.example/docs", None),
        ("https://a.example.evil.example/docs", "https://a.example/docs", None),
        ("https://a.example", "https://a.example/docs", None),
        ("https://a.example/s?q=2", "https://a.example/s?q=1&page=2", None),
        ("https://[bad", "https://a.example/docs", None),
    ],
)
def test_v1_levels(url: str, registered: str, expected: str | None) -> None:
    assert level(url, registered) == expected
    assert level(url, registered, mode="strict") == (expected if expected == "exact" else None)


def test_v1_two_candidates_are_none() -> None:
    assert level("https://a.example/docs", "https://a.example/docs/one", "https://a.example/docs/two") is None
    assert level("https://a.example/do...", "https://a.example/dog", "https://a.example/dot") is None
    assert (
        level("https://a.example/s?q=1", "https://a.example/s?q=1&p=2", "https://a.example/s?q=1&p=3") is None
    )


@pytest.mark.parametrize(
    "written",
    ["doi:10.1000/AbC", "10.1000/abc", "https://dx.doi.org/10.1000/abc", "https://doi.org/10.1000%2Fabc"],
)
def test_v2_one_key_per_paper(written: str) -> None:
    assert level(written, "https://doi.org/10.1000/abc") == "exact"
    assert level("https://arxiv.org/pdf/2211.07748v2.pdf", "arXiv:2211.07748") == "exact"


def test_v3_documents_and_pages() -> None:
    result = verify(
        "Says [1][2][3].\n\n## Sources\n\n[1] Report.pdf (page 15)\n[2] report.pdf, p.16\n[3] no.pdf, p.1\n"
    )
    assert [(kept.number, kept.level, kept.matched) for kept in result.kept] == [
        (1, "exact", None),
        (2, "page_differs", "report.pdf, p.15"),
    ]
    assert [(gone.number, gone.citation_key, gone.reason) for gone in result.removed] == [
        (3, "no.pdf, p.1", "citation_key_not_in_registry")
    ]
    assert "[3]" not in result.report


LIST = f"[1] First: {A}\n[2] Fake: {FAKE}\n[3] Third: {C}\n"
LIST_AFTER = f"[1] First: {A}\n[2] Third: {C}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("One [1]. Two [2]. Three [3].", "One [1]. Two. Three [2]."),
        ("Groups [1, 2], [2;3] and [1-3].", "Groups [1], [2] and [1, 2]."),
        ("Rows [1][2][3] and [2].", "Rows [1][2] and."),
        (
            "It cost $5 million [1], then US$ 6 in 2021[2] and AI[3].",
            "It cost $5 million [1], then US$ 6 in 2021 and AI[2].",
        ),
        ("Glued[1], glued[2] and glued[3].", "Glued[1], glued and glued[2]."),
        ("Escaped \\[2\\] and \\[3\\].", "Escaped and \\[2\\]."),
        ("书上说【1】。另说【2†L2-L4】。又说【3†L5】", "书上说【1】。另说。又说【2†L5】"),
        (
            "Raised<sup>1</sup> words<sup>[2]</sup>, more<sup>2,3</sup>.",
            "Raised<sup>1</sup> words, more<sup>2</sup>.",
        ),
        ("Raised¹ words² more²,³ at 5 km² or 10².", "Raised¹ words more² at 5 km² or 10²."),
        (f"Link [[1]]({A})[[2]]({FAKE}) [[3]]({C}).", f"Link [[1]]({A}) [[2]]({C})."),
        (
            "Marks \ue200cite\ue2021\ue2022\ue201 and \ue200cite\ue2023\ue201.",
            "Marks \ue200cite\ue2021\ue201 and \ue200cite\ue2022\ue201.",
        ),
        (
            "A thing.1 Another.2 A third.3 It is 3.5 of fig.2 here.",
            "A thing.1 Another. A third.2 It is 3.5 of fig.2 here.",
        ),
        ("| a | b [3] |\n|---|---|\n| 2 | x [2] |", "| a | b [2] |\n|---|---|\n| 2 | x |"),
    ],
)
def test_v4_v6_markers(before: str, after: str) -> None:
    result = verify(f"{before}\n\n## References\n\n{LIST}")
    assert result.report == f"{after}\n\n## References\n\n{LIST_AFTER}"
    assert [(kept.number, kept.url, kept.was) for kept in result.kept] == [(1, A, None), (2, C, "3")]
    assert [(gone.number, gone.url, gone.reason) for gone in result.removed] == [
        (2, FAKE, "url_not_in_registry")
    ]
    assert result.cited == [(1, 0), (2, 2)] and not result.flagged


@pytest.mark.parametrize(
    ("listed", "after"),
    [
        (LIST, LIST_AFTER),
        (
            f"1. [First]({A})\n2. [Fake [Invited]]({FAKE})\n3. [Third]({C})\n",
            f"1. [First]({A})\n2. [Third]({C})\n",
        ),
        (f"- [1] First {A}\n- [2] Fake {FAKE}\n- [3] Third {C}\n", f"- [1] First {A}\n- [2] Third {C}\n"),
        (
            f"[1] First\n    {A}\n\n[2] Fake\n    {FAKE}\n\n[3] Third\n    {C}\n",
            f"[1] First\n    {A}\n\n\n[2] Third\n    {C}\n",
        ),
        (f"[1] F: {A} [2] X: {FAKE} [3] T: {C}\n", f"[1] F: {A} [2] T: {C}\n"),
        (f"**Sources:** [1] {A}, [2] {FAKE}, [3] {C}\n", f"**Sources:** [1] {A}, [2] {C}\n"),
        (
            f"[1] First\n\n{A}\n\n[2] Fake\n\n{FAKE}\n\n[3] Third\n{C}\n",
            f"[1] First\n\n{A}\n\n\n[2] Third\n{C}\n",
        ),
        (f"[1] {A} - First\n[2] {FAKE} - Fake\n[3] {C} - Third\n", f"[1] {A} - First\n[2] {C} - Third\n"),
        (f"【1】First {A}\n【2】Fake {FAKE}\n【3】Third {C}\n", f"【1】First {A}\n【2】Third {C}\n"),
        (f"[1]: {A}\n[2]: {FAKE}\n[3]: {C}\n", f"[1]: {A}\n[2]: {C}\n"),
        (f"1. First: <{A}>\n1. Fake: <{FAKE}>\n1. Third: <{C}>\n", f"1. First: <{A}>\n1. Third: <{C}>\n"),
    ],
)
@pytest.mark.parametrize("heading", ["## Sources", "参考文献：", "**Källor**", "## Wo das steht", ""])
def test_v4_lists(heading: str, listed: str, after: str) -> None:
    result = verify(f"One [1]. Two [2]. Three [3].\n\n{heading}\n\n{listed}")
    assert result.report == f"One [1]. Two. Three [2].\n\n{heading}\n\n{after}"


def test_v4_inline_links() -> None:
    text = (
        f"As [the study]({A}) and [another]({FAKE}) say ([One, 2021]({A}); [Two, 2020]({FAKE})),"
        f" （[张, 2020]({FAKE})）, [source]({FAKE}) \\[[Three]({B})\\]."
    )
    result = verify(text)
    assert result.report == f"As [the study]({A}) and another say ([One, 2021]({A})),, \\[[Three]({B})\\]."
    assert [(kept.number, kept.url) for kept in result.kept] == [(1, A), (2, B)]
    assert [(gone.url, gone.reason) for gone in result.removed] == [(FAKE, "url_not_in_registry")]
    assert not result.flagged


def test_v4_a_list_grouped_by_topic_is_one_and_further_reading_is_not_part_of_it() -> None:
    groups = "### Web\n\n[1] First: {}\n{}\n### Papers\n\n[{}] Third: {}\n\n## Further reading\n\n1. Z {}\n"
    result = verify(
        "One [1]. Two [2]. Three [3].\n\n## Sources\n\n" + groups.format(A, f"[2] {FAKE}\n", 3, C, B)
    )
    assert result.report == "One [1]. Two. Three [2].\n\n## Sources\n\n" + groups.format(A, "", 2, C, B)


def test_v4_a_list_without_labels_is_cited_by_place() -> None:
    result = verify(f"One [1], two [2], three [3].\n\n## Sources\n\n- [F]({A})\n- [X]({FAKE})\n- [T]({C})\n")
    assert result.report == f"One [1], two, three [2].\n\n## Sources\n\n- [F]({A})\n- [T]({C})\n"


def test_v4_footnotes_and_anchors() -> None:
    notes = verify(f"One[^1], two[^2], note[^3].\n\n[^1]: {FAKE}\n[^2]: {B}\n[^3]: In dollars of 2020.\n")
    assert notes.report == f"One, two[^1], note[^2].\n\n[^1]: {B}\n[^2]: In dollars of 2020.\n"
    anchors = verify(
        "One [[CIT-3-01](#ref-cit-3-01)], two [[CIT-3-02](#ref-cit-3-02)].\n\n## References\n\n"
        f'- <a id="ref-cit-3-01"></a>[CIT-3-01] One: {FAKE}\n- <a id="ref-cit-3-02"></a>[CIT-3-02] Two: {B}\n'
    )
    assert [kept.number for kept in anchors.kept] == ["CIT-3-02"]
    assert "CIT-3-01" not in anchors.report


def test_v4_private_use_marks_without_a_list_are_flagged() -> None:
    result = verify("Text. \ue200cite\ue202turn1search2\ue202turn0view1\ue201 End.")
    assert result.report == "Text. End." and result.flag == "no_reference_list"
    assert [gone.citation_key for gone in result.removed] == ["turn1search2", "turn0view1"]


def test_v5_left_alone() -> None:
    text = (
        "Real [1]. In [2024], arr[0] and arr[1], [0, 1], [[9,1,3]], `x[2]`, $a[2]$, \\(x_{[2]}\\), m².\n\n"
        "```python\nvalue = rows[2]  # [2]\n```\n\n"
        "| n | 2 |\n|---|---|\n| [0, 1] | 3 |\n\n![chart [2]](chart.png)\n"
    )
    result = verify(f"{text}\n## Sources\n\n{LIST}")
    assert result.report == f"{text}\n## Sources\n\n{LIST_AFTER}"


def test_v6_reasons_and_redirects() -> None:
    text = (
        "One [1][2], two [2], three [3], four [4], five [5], six [9].\n\n## Sources\n\n"
        f"[1] First: {A}\n[2] Again: http://www.a.example/x/one/#top\n[3] Fake: {FAKE}\n"
        f"[4] Nothing at all\n[5] {B}\n"
    )
    result = verify(text)
    body, listed = "One [1], two [1], three, four, five [2], six.", f"[1] First: {A}\n[2] {B}\n"
    assert result.report == f"{body}\n\n## Sources\n\n{listed}"
    assert [(gone.number, gone.reason) for gone in result.removed] == [
        (2, "duplicate_of_1"),
        (3, "url_not_in_registry"),
        (4, "unverifiable"),
        (9, "unverifiable"),
    ]


def test_v6_a_second_invented_address_of_an_entry_goes() -> None:
    result = verify(f"One [1].\n\n## Sources\n\n1. First {A} and {FAKE}\n")
    assert FAKE not in result.report and A in result.report
    assert [(gone.number, gone.url) for gone in result.removed] == [(1, FAKE)]


@pytest.mark.parametrize(
    "text", ["Facts [1] and more [2].", "No citation at all.", "## Sources\n\n- various books\n", ""]
)
def test_v7_without_a_list_flagged(text: str) -> None:
    result = verify(text)
    assert result.flagged and result.flag == "no_reference_list" and result.report == text


def test_v7_in_sections_with_lists_of_their_own_numbers_stay_and_lead_to_the_next_list() -> None:
    chapters = "".join(
        f"# {n}\n\nFact [1]. More [2].\n\nSources:\n\n[1] {url}\n[2] {C}\n\n" for n, url in ((1, A), (2, B))
    )
    result = verify(chapters)
    assert result.flag is None and result.report == chapters
    assert [(kept.number, kept.url, kept.place) for kept in result.kept] == [
        (1, A, 1),
        (2, C, 2),
        (1, B, 3),
        (2, C, 4),
    ]
    less = verify(chapters.replace(B, FAKE))
    assert less.report == chapters.replace("2\n\nFact [1]", "2\n\nFact").replace(f"[1] {B}\n", "")


def test_v7_numbers_without_a_list_are_flagged_beside_good_links() -> None:
    assert verify(f"Fact [1], see [this]({A}).").flag == "no_reference_list"


def test_v7_other_flags() -> None:
    assert verify(f"Facts.\n\n## Sources\n\n[1] {A}\n").flag == "no_markers"
    assert verify(f"Facts [1].\n\n## Sources\n\n[1] {FAKE}\n").flag == "nothing_verified"


def test_v9_audit_trail() -> None:
    result = verify("One [1].\n\n## Sources\n\n[1] First https://a.example/x/o...\n")
    assert f"[1] First {A}\n" in result.report
    assert [(r.number, r.before, r.after) for r in result.repaired] == [(1, "https://a.example/x/o...", A)]
    assert result.kept[0].level == "truncated" and result.kept[0].url == A
    assert (
        verify("One [1].\n\n## Sources\n\n[1] First https://a.example/x/o...\n", "strict").flag
        == "nothing_verified"
    )


def test_the_parser_alone() -> None:
    parsed = parse_report(f"One [1, 3]. See [this]({B}).\n\n## Quellen\n\n{LIST}\nAfter.")
    assert [(m.style, m.numbers, m.url) for m in parsed.markers] == [
        ("brackets", ("1", "3"), None),
        ("link", (), B),
    ]
    assert [(e.label, e.url) for e in parsed.entries] == [("1", A), ("2", FAKE), ("3", C)]
