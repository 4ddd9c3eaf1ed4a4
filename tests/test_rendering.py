"""Reports as HTML and on a terminal: each citation leads to its own entry, and to nothing else."""

from __future__ import annotations

import re
from types import SimpleNamespace

from deep_research.cli.show import linked
from deep_research.ledger import cited_sources, render_citations
from deep_research.rendering import markdown_to_html
from deep_research.state import Source

SOURCES = [
    Source(id="S1.1", url="https://gull.example/", title="1. Introduction"),
    Source(id="S1.2", citation_key="heron.pdf, p.3", title="Heron"),
]


def test_anchors_stand_at_the_entry_with_their_number():
    rendered = render_citations("1. Gull [S1.1]\n2. Heron [S1.2], a[1]", SOURCES, "en")
    page = markdown_to_html(rendered.markdown, cited_sources(SOURCES, rendered.cited))
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
