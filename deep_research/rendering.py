"""Markdown as safe HTML, for notebooks and exports: citations become links to the source list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .ledger import CITATION
from .state import CitedSource
from .text import outside_code

if TYPE_CHECKING:
    from markdown_it.token import Token


def markdown_to_html(markdown: str, cited: Sequence[CitedSource] = ()) -> str:
    """HTML of a report. Raw HTML in the text is shown as text; only http and https links are kept."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.validateLink = lambda url: url.lower().startswith(("http://", "https://", "#"))  # type: ignore[method-assign]
    titles = {str(source.number): source.title for source in cited}

    def link(match: re.Match[str]) -> str:
        number = match.group(1)
        title = titles.get(number, "").replace('"', "'").replace("\\", "").replace("\n", " ")
        return f'[\\[{number}\\]](#source-{number} "{title}")' if number in titles else match.group(0)

    tokens = parser.parse(outside_code(markdown, lambda part: CITATION.sub(link, part)))
    _anchor_sources(tokens, set(titles))
    return str(parser.renderer.render(tokens, parser.options, {}))


def _anchor_sources(tokens: Sequence[Token], numbers: set[str]) -> None:
    """Give the entries of the last ordered list (the source list) the anchors that citations point to."""
    lists = [
        place for place, token in enumerate(tokens) if token.type == "ordered_list_open" and not token.level
    ]
    for token in tokens[lists[-1] :] if lists else ():
        if token.type == "list_item_open" and token.level == 1 and token.info in numbers:
            token.attrSet("id", f"source-{token.info}")
