"""What is handed on for a report: passages of sources on a broad topic, kept whole, and read back as pages.

A researcher who may keep only a part keeps passages in the order of their page, under its title and headings,
so that whoever writes the report still sees what stood together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from statistics import median

from .conversation import cited
from .differences import Difference, differences
from .gather import LITTLE, gather, places_in
from .kinds import asks_why, kind_of
from .layout import ids
from .overview import items
from .page import Page
from .points import ENDS, Point
from .quotes import Choice, Quote, quotes_of
from .report_words import CAUSE
from .request import asks_for_causes, side_terms
from .text import language, split_prose, term_set

MOST_WORDS = 2000
MOST_EXCERPTS = 5
_HEAD = " — "
_LISTED = re.compile(r"([A-Z]{1,4}\d+(?:[.\-]\d+)*)\s+([^;]+?)\s*(?:;|$)")
_UNSURE = 0.01
"""What words of a search count where a paragraph alone does not show that it is on the matter."""
_WANTED = 2.0
"""What a passage counts that is on the side asked for, or gives the cause asked for."""


def notes(question: str, pages: Sequence[Page], *, side: str = "", words: int = MOST_WORDS) -> str:
    """What sources say on a broad question, above all on one side of it: each passage a line with the ids of
    its sources, under the title and the heading that it stands below."""
    gathered = gather(question, pages, items(question, pages), LITTLE)
    wanted, why = side_terms(side), kind_of(question) == "why" and asks_for_causes(side)

    def worth(quote: Quote) -> float:
        told = wanted & term_set(f"{quote.text} {quote.heading} {quote.points[0].page.title}")
        causal = why and CAUSE.search(quote.text)
        return quote.worth * _WANTED ** (bool(told) + bool(causal))

    every = [Quote(q.points, worth(q)) for q in quotes_of(gathered, wide=True)]
    overall = kind_of(question) == "overview" and {*gathered.names} <= places_in(gathered.names, pages)
    every = _with_rivals(every, differences(pages, gathered), wide=overall)
    chosen = Choice().take(every, words if language(question) == "en" else 2 * words)
    lines: list[str] = []
    head = ""
    for quote in sorted(chosen, key=lambda q: q.place):
        here = _HEAD.join(dict.fromkeys(filter(None, (quote.points[0].page.title, quote.heading))))
        if here != head:
            lines.append(f"\n### {here}")
        head = here
        mark = "  -" if quote.points[0].sentence.kind == "item" else "-"
        lines += [f"{mark} {text} {sources}" for text, sources in _lines(quote)]
    return "\n".join(lines).strip()


def _with_rivals(quotes: Sequence[Quote], found: Sequence[Difference], wide: bool) -> list[Quote]:
    """Quotes, where those that sources disagree on are worth twice as much, all as much as the best; on a
    `wide` matter none less than others, if one stands on a page of which anything is told."""
    holding = {p.key: n for n, quote in enumerate(quotes) for p in quote.points}
    worth = [quote.worth for quote in quotes]
    usual = median([n for n in worth if n] or [0.0]) * wide
    central = {quote.page for quote in quotes if quote.worth}
    for difference in found:
        sides = {holding[s.key] for s in difference.sides if s.key in holding}
        least = usual * any(quotes[n].page in central for n in sides)
        best = max((2.0 * quotes[n].worth for n in sides), default=0.0) or least
        for n in sides:
            worth[n] = max(worth[n], best)
    return [Quote(quote.points, worth[n]) for n, quote in enumerate(quotes) if worth[n]]


def _lines(quote: Quote) -> list[tuple[str, str]]:
    """The statements of a quote with their ids; those of a paragraph with the same ids on one line. What ends
    no sentence of running text is a heading or torn."""
    found: list[tuple[str, str]] = []
    block = -1
    for point in (p for p in quote.points if p.sentence.kind != "prose" or p.is_pair or ENDS.search(p.text)):
        same = point.sentence.block == block and point.sentence.kind == "prose"
        block = point.sentence.block
        if found and same and found[-1][1] == ids(point):
            found[-1] = (f"{found[-1][0]} {point.text}", ids(point))
        else:
            found.append((_bare(point.text, ""), ids(point)))
    return found


def sources_named(text: str) -> list[tuple[str, str]]:
    """The sources that findings name below their text, cited or not: each id with its title."""
    lines = re.findall(r"^Sources?:\s*(.+)$", text, re.MULTILINE)
    return [source for line in lines for source in _LISTED.findall(line)]


def finding_pages(text: str, titles: Mapping[str, tuple[str, str, str]] | None = None) -> list[Page]:
    """Findings as pages again: per id its passages under their headings, each once however many researchers
    noted it, with the title that a list or the passage itself gives."""
    listed = dict(titles or {})
    for source, title in sources_named(text):
        listed.setdefault(source, (title, "", ""))
    heads = [line[4:].strip().partition(_HEAD) for line in text.splitlines() if line.startswith("### ")]
    known = {title for title, _, _ in (*listed.values(), *heads) if title}
    named = sorted(known, key=lambda title: (-len(title), title))
    held: dict[str, dict[str, list[str]]] = {}
    title = heading = ""
    for line in text.splitlines():
        if line.startswith("### ") or not line.strip():
            title, _, heading = line[4:].strip().partition(_HEAD)
        mark = "- " if line.startswith("  -") else ""
        for passage, sources in cited(line):
            own = next((t for t in named if passage.startswith((f"{t}:", f"{t}："))), "")
            heading = "" if own else heading
            for source in sources:
                listed.setdefault(source, (own or title, "", ""))
                _note(held.setdefault(source, {"": []}).setdefault(heading, []), mark + _bare(passage, own))
    for told in held.values():  # what one researcher noted under its heading, another may have without
        under = "\n".join(line for heading, lines in told.items() if heading for line in lines)
        apart = (groupby(split_prose(line), under.__contains__) for line in told[""])
        told[""] = [" ".join(run) for runs in apart for known, run in runs if not known]
    return [
        Page(source, listed[source][0], _text(told), *listed[source][1:]) for source, told in held.items()
    ]


def _note(lines: list[str], passage: str) -> None:
    """Add a passage to others unless one of them holds it; one that it holds itself it replaces."""
    if not any(passage in line for line in lines):
        at = next((n for n, line in enumerate(lines) if line in passage), len(lines))
        lines[at:] = [passage, *(line for line in lines[at:] if line not in passage)]


def _text(told: Mapping[str, Sequence[str]]) -> str:
    """Passages under their headings as Markdown; items of a list stay together."""
    blocks = [block for head, lines in told.items() for block in (f"## {head}" * bool(head), *lines)]
    return re.sub(r"(?m)^(- .+)\n\n(?=- )", r"\1\n", "\n\n".join(filter(None, blocks)))


_RUN_IN = re.compile(r"^(\*{1,2})([^*.:。]{1,40})[.:。]?\s?\1[.:。]?\s*(?=[^\sa-z.:。*])(\d?)")
"""An emphasized heading before a sentence; emphasized words of the sentence itself are none."""


def _bare(passage: str, title: str) -> str:
    """A passage without the title of its page or a bold heading before it, and without marks of emphasis; a
    figure keeps the heading, which says what it is of."""
    titled = title and passage.startswith((f"{title}:", f"{title}："))
    bare = passage[len(title) + 1 :].strip() if titled else passage
    return _RUN_IN.sub(lambda m: f"{m[2]}: {m[3]}" * bool(m[3]), bare).replace("**", "")


def page_digest(page: Page, query: str) -> tuple[str, list[str]]:
    """A long page for a query on one side of a subject: its most telling paragraphs and tables, above all
    those that give a cause where it asks why, in their order, each a line under its heading, and the best
    sentences apart; half of the page at most, since more would be cut off at its end."""
    why = asks_why(query)
    points = gather(query, [page], near=0.0).every
    blocks: dict[tuple[int, bool], list[Point]] = {}
    for point in (p for p in points.values() if p.sentence.kind != "code"):
        blocks.setdefault((point.sentence.block, point.sentence.kind == "row"), []).append(point)
    worth: dict[tuple[int, bool], float] = {}
    for n, said in blocks.items():
        causal = why and any(CAUSE.search(p.text) for p in said)
        worth[n] = _WANTED ** bool(causal) * sum(p.score + _UNSURE * p.own for p in said) / len(said)
    room = int(0.5 * len(page.text))
    kept: list[tuple[int, bool]] = []
    for n in sorted((n for n in blocks if worth[n]), key=lambda n: (-worth[n], n)):
        size = sum(len(p.text) + 1 for p in blocks[n]) + len(blocks[n][0].sentence.heading)
        if size <= room:
            kept.append(n)
            room -= size
    lines: list[str] = []
    heading = ""
    for n in sorted(kept, key=lambda n: blocks[n][0].place):
        if blocks[n][0].sentence.heading != heading:
            heading = blocks[n][0].sentence.heading
            lines.append(f"## {heading}")
        is_table = blocks[n][0].sentence.kind == "row"
        lines.append(("\n" if is_table else " ").join(p.text for p in blocks[n]))
    best = sorted((p for p in points.values() if not p.is_pair), key=lambda p: (-p.score, p.place))
    return "\n".join(lines), [p.text for p in sorted(best[:MOST_EXCERPTS], key=lambda p: p.place)]
