"""Markdown as safe HTML, for notebooks and exports: citations become links to the source list."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .state import CitedSource

_CITATION = re.compile(r"\[(\d+)\](?!\()")


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

    body = parser.render(_outside_code(markdown, link))
    return _anchor_sources(body, len(cited))


def _outside_code(markdown: str, link: object) -> str:
    parts = re.split(r"(```.*?(?:```|\Z)|`[^`\n]+`)", markdown, flags=re.DOTALL)
    return "".join(part if place % 2 else _CITATION.sub(link, part) for place, part in enumerate(parts))  # type: ignore[call-overload]


def _anchor_sources(body: str, count: int) -> str:
    """Give the entries of the last ordered list (the source list) the anchors that citations point to."""
    head, found, tail = body.rpartition("<ol>")
    if not found or not count:
        return body
    numbers = iter(range(1, count + 1))
    return head + found + re.sub(r"<li>", lambda _: f'<li id="source-{next(numbers, 0)}">', tail)
