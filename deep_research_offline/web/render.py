"""Markdown to HTML for the few constructs that pages use: headings, paragraphs, lists, tables, links, bold,
italics.

Everything is escaped before it is marked up, so page text (fake tags included) can never become HTML of its
own.
"""

from __future__ import annotations

import html
import re

_INLINE = re.compile(
    r"\[(?P<label>[^\]\n]+)\]\((?P<url>https?://(?:[^\s()]|\([^\s()]*\))+)\)"
    r"|\*\*(?P<bold>[^*\n]+)\*\*|\*(?P<italic>[^*\n]+)\*"
)
_PAGE = """<!DOCTYPE html>
<html lang="{lang}">
<head><meta charset="utf-8"><title>{title}</title>{meta}</head>
<body>
<article>
<h1>{title}</h1>
{body}
</article>
</body>
</html>
"""


def html_page(title: str, text: str, lang: str, author: str | None, published: str | None) -> str:
    """A complete HTML document; author and date stand in the head as `<meta>` elements."""
    meta = "".join(
        f'<meta name="{name}" content="{html.escape(content)}">'
        for name, content in (("author", author), ("date", published))
        if content
    )
    return _PAGE.format(lang=lang, title=html.escape(title), meta=meta, body=html_body(text))


def html_body(text: str) -> str:
    """The blocks of a Markdown text (separated by blank lines) as HTML."""
    return "\n".join(_block(block) for block in re.split(r"\n{2,}", text.strip()) if block.strip())


def _block(block: str) -> str:
    lines = block.split("\n")
    if heading := re.fullmatch(r"(#{1,6}) (.+)", block):
        level = len(heading[1])
        return f"<h{level}>{_inline(heading[2])}</h{level}>"
    if len(lines) > 1 and lines[0].startswith("|") and re.fullmatch(r"[|\s:-]+", lines[1]):
        return _table(lines)
    for marker, tag in ((r"- ", "ul"), (r"\d+\. ", "ol")):
        if all(re.match(marker, line) for line in lines):
            items = "".join(f"<li>{_inline(re.sub(marker, '', line, count=1))}</li>" for line in lines)
            return f"<{tag}>{items}</{tag}>"
    if all(line.startswith(">") for line in lines):
        return f"<blockquote>{'<br>'.join(_inline(line.lstrip('> ')) for line in lines)}</blockquote>"
    return f"<p>{'<br>'.join(_inline(line) for line in lines)}</p>"


def _table(lines: list[str]) -> str:
    def row(line: str, cell: str) -> str:
        parts = line.strip().strip("|").split("|")
        return "<tr>" + "".join(f"<{cell}>{_inline(part.strip())}</{cell}>" for part in parts) + "</tr>"

    return "<table>" + row(lines[0], "th") + "".join(row(line, "td") for line in lines[2:]) + "</table>"


def _inline(text: str) -> str:
    pieces, end = [], 0
    for match in _INLINE.finditer(text):
        pieces.append(html.escape(text[end : match.start()]))
        if match["url"]:
            pieces.append(f'<a href="{html.escape(match["url"])}">{html.escape(match["label"])}</a>')
        else:
            tag, inner = ("strong", match["bold"]) if match["bold"] else ("em", match["italic"])
            pieces.append(f"<{tag}>{html.escape(inner)}</{tag}>")
        end = match.end()
    return "".join(pieces) + html.escape(text[end:])
