"""Rows v4, v6, v10 for foreign styles: nothing true is deleted, every cited sentence is checked."""

from __future__ import annotations

import pytest

from deep_research.components.verifier import verify
from deep_research.components.verifier.citations import CitationResult, verify_citations
from deep_research.components.verifier.marks import OUTSIDE_MARK
from deep_research.text.cited_sentences import cited_sentences

GULL, HERON, WIKI = (
    "https://a.example/x/gull",
    "https://b.example/y/heron",
    "https://c.example/wiki/Dreriscas_(isle)",
)
SOURCES = [
    {"url": GULL, "title": "Gull", "text": "The Gull lighthouse is 41 metres tall."},
    {"url": HERON, "title": "Heron", "text": "The Heron lighthouse is 28 metres tall."},
    {"url": WIKI},
    {"citation_key": "report.pdf, p.3", "text": "The Skua lighthouse is 36 metres tall."},
]
LIST = f"\n\n## Sources\n\n1. Gull: <{GULL}>\n2. Heron: <{HERON}>\n"
FALSE, TRUE = "The Gull lighthouse is 43 metres tall", "The Heron lighthouse is 28 metres tall"


def checked(text: str) -> CitationResult:
    return verify_citations(text, SOURCES)


@pytest.mark.parametrize(
    "items",
    [
        f"- The tower is 41 metres tall ([Gull (2020)]({GULL}))\n- It is white ([Gull (2020)]({GULL}))\n",
        f"- The tower is 41 metres tall. {GULL}\n- It is white. {GULL}\n- Another is black. {HERON}\n",
        f"1. The tower is 41 metres tall. [Gull]({GULL})\n2. Another is black. [Heron]({HERON})\n",
        f"- Gull: 41 metres {GULL}\n- Gull, colour: white {GULL}\n",
    ],
)
@pytest.mark.parametrize(
    "heading", ["## Evidence", "## Do the sources agree?", f"Seen [here]({HERON}).\n\n## More"]
)
def test_v4_items_that_make_claims_are_no_reference_list(heading: str, items: str) -> None:
    text = f"# Towers\n\nThere are two.\n\n{heading}\n\n{items}"
    result = checked(text)
    assert result.report == text and result.removed == [] and result.flag is None
    false = checked(text.replace(HERON, "https://invented.example/q"))
    assert "invented.example" not in false.report
    assert all(words in false.report for words in ("41 metres", "white" if "white" in items else "black"))


def test_v4_a_sentence_under_a_heading_that_names_sources_is_no_list() -> None:
    text = (
        f"The tower is 41 metres tall. {GULL}\n\n## Evidence\n\n- It is white. {GULL}\n\n"
        f"## Where the sources disagree\n\n- They give 41 metres {GULL} ; and for the width of it 12 metres "
        f"(Heron, 2020) {HERON} . Preferred is 41 metres, from the better kind of source. {GULL}\n"
    )
    assert checked(text).report == text
    listed = text + f"\n## Sources\n\n- [Gull]({GULL})\n- [Heron]({HERON})\n"
    assert checked(listed).report == listed


def test_v4_titles_under_an_unknown_heading_that_nobody_cites_may_be_text() -> None:
    text = f"There are two.\n\n## Wo das steht\n\n- [Gull]({GULL})\n- Heron: {HERON}\n"
    result = checked(text)
    assert result.report == text and [kept.number for kept in result.kept] == [1, 2]
    assert "- Heron:\n" in checked(text.replace(HERON, "https://invented.example/q")).report


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("One.<sup>1</sup><sup>2</sup> Two.<sup>7</sup>", "One.<sup>1</sup><sup>2</sup> Two."),
        (
            "One word <sup>1</sup> <sup>2</sup>. Twofold <sup>7</sup>.",
            "One word <sup>1</sup> <sup>2</sup>. Twofold.",
        ),
        ("One.¹ Two.² Three.⁹", "One.¹ Two.² Three."),
        ("A thing.1 Another.2 A third.9", "A thing.1 Another.2 A third."),
        ("One.¹ Two.² Some square metres² and <sup>12</sup>C at 5 km <sup>2</sup>.", None),
    ],
)
def test_v6_raised_and_bare_numbers_without_an_entry_are_told(before: str, after: str | None) -> None:
    result = checked(before + LIST)
    assert result.report == (after or before) + LIST and result.uncited == []
    assert [gone.reason for gone in result.removed] == ["unverifiable"] * (after is not None)


def test_v6_a_list_that_starts_at_two_is_told_for_superscripts() -> None:
    result = checked(f"One.<sup>1</sup>\n\n## Sources\n\n[2] Gull: {GULL}\n")
    assert [(gone.number, gone.reason) for gone in result.removed] == [(1, "unverifiable")]


@pytest.mark.parametrize(("text", "gone"), [("One heron.1", [1]), ("A heron.1 A gull.1,2 An owl.2", [1, 2])])
def test_v6_bare_numbers_that_count_up_are_told_by_a_list_that_starts_late(
    text: str, gone: list[int]
) -> None:
    result = checked(f"{text}\n\n## Sources\n\n7. Gull, {GULL}\n8. Heron, {HERON}\n")
    assert [removed.number for removed in result.removed] == gone


def test_v6_a_bare_number_may_stand_before_a_comma() -> None:
    result = checked(f"Two gulls.1,6, against one heron.2{LIST}")
    assert [gone.number for gone in result.removed] == [6]
    assert result.report == f"Two gulls.1, against one heron.2{LIST}"


def test_v9_a_cut_off_address_keeps_its_underscore() -> None:
    result = checked("One [1].\n\n## Sources\n\n[1] Isle: https://c.example/wiki/Dreriscas_...\n")
    assert [mended.after for mended in result.repaired] == [WIKI] and result.removed == []


def test_v9_entries_that_nobody_cites_are_told_and_stay() -> None:
    result = checked(f"One [1].{LIST}")
    assert [(kept.number, kept.url) for kept in result.uncited] == [(2, HERON)]
    assert result.report == f"One [1].{LIST}"
    assert checked(f"One [1], see [this]({HERON}).{LIST}").uncited == []


CITED = {
    "footnotes": f"{FALSE}[^1]. {TRUE}[^2].\n\n[^1]: {GULL}\n[^2]: {HERON}\n",
    "lenticular": f"{FALSE}【1†L2-L4】. {TRUE}【2†L5】.{LIST}",
    "superscripts": f"{FALSE}.<sup>1</sup> {TRUE}.²{LIST}",
    "bare numbers": f"{FALSE}.1 {TRUE}.2{LIST}",
    "links": f"{FALSE} ([Gull (2020)]({GULL})). {TRUE} [source]({HERON}).",
    "links behind": f"{FALSE}. [Gull]({GULL})\n\n{TRUE}. {HERON}\n",
    "numbered links": f"{FALSE} [[1]]({GULL}). {TRUE} [[2]]({HERON}).",
    "HTML links": f'{FALSE} <a class="c" href="{GULL}">[1]</a>. {TRUE} <a href=\'{HERON}\'><b>2</b></a>.',
    "private use": f"{FALSE} \ue200cite\ue2021\ue201. {TRUE} \ue200cite\ue2022\ue201.{LIST}",
    "anchors": f"{FALSE} [[CIT-3-01](#r)]. {TRUE} [[CIT-3-02](#s)].\n\n## References\n\n"
    f'- <a id="r"></a>[CIT-3-01] One: {GULL}\n- <a id="s"></a>[CIT-3-02] Two: {HERON}\n',
}


@pytest.mark.parametrize("style", CITED)
def test_v10_sentences_are_checked_whatever_the_markers_look_like(style: str) -> None:
    done = verify(CITED[style], SOURCES)
    assert done.report.replace(f" {OUTSIDE_MARK}", "") == CITED[style] and not done.flagged
    assert [(claim.text.rstrip("."), claim.sources, claim.verdict) for claim in done.claims] == [
        (FALSE, [1], "flagged"),
        (TRUE, [2], "evidence_found"),
    ]
    assert [kept.place for kept in done.kept] == [1, 2]
    first, second = (done.report[start:end] for start, end in done.spans)
    assert first.startswith(FALSE) and second.startswith(TRUE) and done.report.count(first) == 1
    assert done.report.startswith(first + "\n") or done.report.startswith(first + " ")


def test_v4_a_link_in_html_that_nobody_retrieved_goes_and_leaves_its_words() -> None:
    invented = "https://invented.example/x"
    done = verify(f'Gull has <a href="{invented}">41 metres</a>. See <a href="{HERON}">it</a>.', SOURCES)
    assert done.report == f'Gull has 41 metres. ⚠\ufe0e See <a href="{HERON}">it</a>. ⚠\ufe0e'
    assert [(gone.url, gone.reason) for gone in done.removed] == [(invented, "url_not_in_registry")]


@pytest.mark.parametrize(
    "entry",
    [
        "1. Title [2020]: https://x.example/a",
        "- Title [20]: <https://x.example/a>",
        "- [1] Title (2020). https://x.example/a",
        "[1] Title [12] (2020).\nhttps://x.example/a",
    ],
)
def test_v10_entries_of_a_list_that_is_not_recognised_are_no_claims(entry: str) -> None:
    assert [said.text for said in cited_sentences(f"It is [1].\n\n{entry}\n")] == ["It is."]


def test_v10_citation_keys_and_tables_of_links() -> None:
    row = f"| Tower | Height |\n|---|---|\n| Gull lighthouse | 43 metres ([Gull]({GULL})) |\n"
    done = verify(f"The Skua lighthouse is 35 metres tall (report.pdf, p.3).\n\n{row}", SOURCES)
    assert [(claim.sources, claim.verdict) for claim in done.claims] == [([1], "flagged"), ([2], "flagged")]
    assert [kept.citation_key or kept.url for kept in done.kept] == ["report.pdf, p.3", GULL]


@pytest.mark.parametrize(
    ("head", "entry", "tail"),
    [
        ("<ul>\n", "<li>[{n}] {title} {url}</li>\n", "</ul>\n"),
        ("<ol>\n", '<li>{title} <a href="{url}">open</a></li>\n', "</ol>\n"),
        ("| # | Source | Address |\n|---|---|---|\n", "| {n} | {title} | {url} |\n", ""),
        ("| No. | Source |\n|:--|---|\n", "| [{n}] | [{title}]({url}) |\n", ""),
    ],
)
def test_lists_in_html_and_in_tables_are_reference_lists(head: str, entry: str, tail: str) -> None:
    listed = (("Gull", GULL), ("Fake", "https://invented.example/f"), ("Heron", HERON))

    def report(text: str, *kept: int) -> str:
        entries = [
            entry.format(n=n, title=listed[i][0], url=listed[i][1]) for n, i in enumerate(kept, start=1)
        ]
        return f"# Towers\n\n{text}\n\n## References\n\n{head}{''.join(entries)}{tail}"

    result = checked(report("One is tall [1]. One is white [2]. One is new [3].", 0, 1, 2))
    assert result.report == report("One is tall [1]. One is white. One is new [2].", 0, 2)
    assert [(gone.number, gone.url) for gone in result.removed] == [(2, "https://invented.example/f")]
    assert [kept.was for kept in result.kept] == [None, "3"] and result.flag is None
    assert checked(result.report).report == result.report


def test_a_table_that_no_heading_names_is_no_reference_list() -> None:
    text = (
        f"# Towers\n\n| # | Tower | Page |\n|---|---|---|\n| 1 | Gull | {GULL} |\n| 2 | Heron | {HERON} |\n"
    )
    assert checked(text).report == text
