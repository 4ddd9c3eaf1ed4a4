"""Markdown as safe HTML, for notebooks and exports: citations become links to the source list.

Resting the pointer on a citation shows where it leads: title, date and kind of the source, and the passage
that the verifier found in it for this very sentence.
"""

from __future__ import annotations

import html
import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from deep_research.core.records import CitedSource, Claim
from deep_research.sources.citations import NUMBER_CITATION
from deep_research.text.cited_sentences import cited_sentences
from deep_research.text.language import outside_code, shorten

from .charts import CHART_FOLDER

if TYPE_CHECKING:
    from markdown_it.token import Token


_QUOTE = 240
_CHART = re.compile(rf"^!\[(?P<title>[^\n]*)\]\((?P<path>{CHART_FOLDER}/[\w-]+\.svg)\)$", re.MULTILINE)
_ANCHOR = re.compile(r"&lt;a id=&quot;(ref-(?:plan-\d+|cit-\d+-\d+))&quot;&gt;&lt;/a&gt;")
"""The only raw HTML of a report: the anchors that code writes into a source list by topic."""
_BREAKS_TITLE = str.maketrans(
    {'"': "'", "\\": "", "|": "¦", "`": "'", "*": "", "<": "‹", ">": "›", "[": "(", "]": ")"}
)


_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""What a browser may load for a page: the pictures and the style that stand in it, nothing else."""


def as_page(body: str, title: str) -> str:
    """A piece of HTML as a file of its own, with the style of reports."""
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{style}</style>\n{body}\n"
    )


def markdown_to_html(
    markdown: str,
    cited: Sequence[CitedSource] = (),
    claims: Sequence[Claim] = (),
    pictures: Mapping[str, bytes] | None = None,
) -> str:
    """HTML of a report. Raw HTML in the text is shown as text; only http and https links are kept.

    `pictures` are SVG files by the path that the text names; they become part of the HTML, and an image of
    any other path of this machine becomes its title.
    """
    from markdown_it import MarkdownIt

    known = pictures or {}
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.validateLink = lambda url: (  # type: ignore[method-assign]
        url in known or url.lower().startswith(("http://", "https://", "#"))
    )
    text = _CHART.sub(lambda chart: chart[0] if chart["path"] in known else f"**{chart['title']}**", markdown)
    sources = {str(source.number): source for source in cited if source.number is not None}
    text = _with_quotes(text, sources, claims)
    tokens = parser.parse(outside_code(text, lambda part: NUMBER_CITATION.sub(_linker(sources), part)))
    _anchor_sources(tokens, set(sources))
    _embed(tokens, known)
    return _ANCHOR.sub(r'<a id="\1"></a>', str(parser.renderer.render(tokens, parser.options, {})))


def _embed(tokens: Sequence[Token], pictures: Mapping[str, bytes]) -> None:
    """Put pictures in place of their paths, and a link in place of every other image, which is not loaded.

    Of an SVG in an image nothing is ever carried out.
    """
    for token in tokens:
        for child in [child for child in token.children or () if child.type == "image"]:
            if svg := pictures.get(str(child.attrGet("src"))):
                child.attrSet("src", f"data:image/svg+xml;base64,{b64encode(svg).decode('ascii')}")
                child.attrSet("style", "max-width: 100%")
            elif token.children is not None:
                place = token.children.index(child)
                token.children[place : place + 1] = _link_to(child)


def _link_to(image: Token) -> list[Token]:
    from markdown_it.token import Token

    address = str(image.attrGet("src"))
    words = Token("text", "", 0, content=image.content or address)
    return [Token("link_open", "a", 1, attrs={"href": address}), words, Token("link_close", "a", -1)]


def _with_quotes(markdown: str, sources: Mapping[str, CitedSource], claims: Sequence[Claim]) -> str:
    """The citations of each checked sentence as links whose hint holds the passage found for it."""
    known = {(claim.text, *claim.sources): claim for claim in claims if claim.quote}
    for said in reversed(cited_sentences(markdown)):
        claim = known.get((said.text, *said.numbers))
        if claim:
            link = partial(NUMBER_CITATION.sub, _linker(sources, claim))
            linked = outside_code(markdown[said.start : said.end], link)
            markdown = markdown[: said.start] + linked + markdown[said.end :]
    return markdown


def _linker(sources: Mapping[str, CitedSource], claim: Claim | None = None) -> Callable[[re.Match[str]], str]:
    def link(match: re.Match[str]) -> str:
        source = sources.get(match[1])
        return f'[\\[{match[1]}\\]](#source-{match[1]} "{_hint(source, claim)}")' if source else match[0]

    return link


def _hint(source: CitedSource, claim: Claim | None) -> str:
    """What a citation's hint says: title, date, tier, and the passage if it is from this source."""
    parts = [source.title, source.published or "", source.tier]
    if claim and claim.quoted_from == source.number:
        parts.append(f"“{shorten(claim.quote or '', _QUOTE)}”")
    return " · ".join(" ".join(part.split()) for part in parts if part).translate(_BREAKS_TITLE)


def _anchor_sources(tokens: Sequence[Token], numbers: set[str]) -> None:
    """Give the entries of the last ordered list (the source list) the anchors that citations point to."""
    lists = [
        place for place, token in enumerate(tokens) if token.type == "ordered_list_open" and not token.level
    ]
    for token in tokens[lists[-1] :] if lists else ():
        if token.type == "list_item_open" and token.level == 1 and token.info in numbers:
            token.attrSet("id", f"source-{token.info}")
