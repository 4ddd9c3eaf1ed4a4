"""Reports as HTML and on a terminal: each citation leads to its own entry, and to nothing else."""

from __future__ import annotations

import re
from types import SimpleNamespace

from deep_research.cli.ask import linked
from deep_research.core.records import Claim, Source
from deep_research.report.html_page import markdown_to_html
from deep_research.sources.citations import CitationStyle, cited_sources, clean_citations, number_citations

SOURCES = [
    Source(id="S1.1", url="https://gull.example/", title="1. Introduction"),
    Source(id="S1.2", citation_key="heron.pdf, p.3", title="Heron"),
]


def test_anchors_stand_at_the_entry_with_their_number():
    text = clean_citations("1. Gull [S1.1]\n2. Heron [S1.2], a[1]", SOURCES)
    page = markdown_to_html(number_citations(text, CitationStyle("en")), cited_sources(SOURCES, text.cited))
    assert re.findall(r'<li id="source-(\d)">([^:]*):', page) == [("1", "1. Introduction"), ("2", "Heron")]
    assert page.count('href="#source-') == 2 and "a[1]" in page


def test_a_nested_list_in_an_older_report_moves_no_anchor():
    cited = cited_sources(SOURCES, SOURCES)
    page = markdown_to_html("## Sources\n\n1. 1. Introduction: x\n2. Heron: y\n", cited)
    assert re.search(r'<li id="source-2">Heron', page) and page.count("id=") == 2


def test_s12_the_terminal_links_web_addresses_only():
    cited = [
        SimpleNamespace(number=1, url="https://a.example/x>\n## y"),
        SimpleNamespace(number=2, url="javascript:alert(1)"),
    ]
    shown = linked("A [1], b [2], `c [1]`, d[1].", SimpleNamespace(cited=cited))  # type: ignore[arg-type]
    assert shown == r"A [\[1\]](<https://a.example/x%3E%0A##%20y>), b [2], `c [1]`, d[1]."


HOSTILE = 'He said "41 m" [2] | \\ `x` <b>*bold*</b>\n\n# Not a heading'


def test_a_citation_shows_title_date_tier_and_the_passage_found_for_this_sentence():
    said = "Gull is 41 m [1]. ⚠ Heron is 28 m [2][1]. Heron is 28 m [1]."
    claims = [
        Claim(text="Gull is 41 m.", sources=[1], quote="It is 41 m tall.", quoted_from=1),
        Claim(text="Heron is 28 m.", sources=[2, 1], quote="It is 28 m tall.", quoted_from=2),
    ]
    dated = SOURCES[0].model_copy(update={"published": "2040-05-01", "tier": "academic"})
    page = markdown_to_html(said, cited_sources([], [dated, SOURCES[1]]), claims)
    first = "1. Introduction · 2040-05-01 · academic"
    assert re.findall(r'href="#source-(\d)" title="([^"]*)">\[\d\]<', page) == [
        ("1", f"{first} · “It is 41 m tall.”"),
        ("2", "Heron · unverified · “It is 28 m tall.”"),
        ("1", first),
        ("1", first),
    ]


def test_v11_words_of_a_page_cannot_leave_the_hint_of_a_citation():
    source = SOURCES[0].model_copy(update={"title": HOSTILE})
    claim = Claim(text="Gull is 41 m.", sources=[1], quote=HOSTILE, quoted_from=1)
    text = "Gull is 41 m [1].\n\n| a | b |\n|---|---|\n| x | y [1] |\n"
    row = Claim(text="x; b: y", sources=[1], quote=HOSTILE, quoted_from=1)
    page = markdown_to_html(text, cited_sources([], [source, SOURCES[1]]), [claim, row])
    assert len(re.findall(r'<a href="#source-1" title="[^"<>]*">\[1\]</a>', page)) == 2
    assert page.count("<a ") == 2 and page.count("<td>") == 2
    assert not re.search(r"<(b|em|h1|code)>", page)


def test_code_of_a_checked_sentence_stays_code():
    claim = Claim(text="Gull is read with all [1] and 41 m.", sources=[1], quote="41 m", quoted_from=1)
    text = "Gull is read with `all [1]` and 41 m [1]."
    page = markdown_to_html(text, cited_sources([], SOURCES), [claim])
    assert "<code>all [1]</code>" in page and page.count("<a ") == 1 and "“41 m”" in page
