"""Markdown as safe HTML, for notebooks and exports: citations become links to the source list.

Resting the pointer on a citation shows where it leads: title, date and kind of the source, and the passage
that the verifier found in it for this very sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from .ledger import CITATION
from .state import CitedSource, Claim
from .text import outside_code, shorten
from .verification.claims import cited_sentences

if TYPE_CHECKING:
    from markdown_it.token import Token

_QUOTE = 240
_ANCHOR = re.compile(r"&lt;a id=&quot;(ref-(?:plan-\d+|cit-\d+-\d+))&quot;&gt;&lt;/a&gt;")
"""The only raw HTML of a report: the anchors that code writes into a source list by topic."""
_BREAKS_TITLE = str.maketrans(
    {'"': "'", "\\": "", "|": "¦", "`": "'", "*": "", "<": "‹", ">": "›", "[": "(", "]": ")"}
)


def markdown_to_html(markdown: str, cited: Sequence[CitedSource] = (), claims: Sequence[Claim] = ()) -> str:
    """HTML of a report. Raw HTML in the text is shown as text; only http and https links are kept."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.validateLink = lambda url: url.lower().startswith(("http://", "https://", "#"))  # type: ignore[method-assign]
    sources = {str(source.number): source for source in cited if source.number is not None}
    text = _with_quotes(markdown, sources, claims)
    tokens = parser.parse(outside_code(text, lambda part: CITATION.sub(_linker(sources), part)))
    _anchor_sources(tokens, set(sources))
    return _ANCHOR.sub(r'<a id="\1"></a>', str(parser.renderer.render(tokens, parser.options, {})))


def _with_quotes(markdown: str, sources: Mapping[str, CitedSource], claims: Sequence[Claim]) -> str:
    """The citations of each checked sentence as links whose hint holds the passage found for it."""
    known = {(claim.text, *claim.sources): claim for claim in claims if claim.quote}
    for said in reversed(cited_sentences(markdown)):
        claim = known.get((said.text, *said.numbers))
        if claim:
            link = partial(CITATION.sub, _linker(sources, claim))
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
