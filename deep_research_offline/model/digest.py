"""Summarizing a page and compressing a researcher's sources: choosing passages, never rewording them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from .answer import items_of
from .conversation import Conversation, outside_fences
from .extremes import Things, row_ranking
from .notes import MOST_EXCERPTS, MOST_WORDS, notes, page_digest
from .offer import avoided_sources, limit
from .page import Page, Passage
from .paths import Ways
from .phrases import say
from .query import read_query
from .rank import Ranking, Scored, is_asked_above
from .request import Request, asks_for_a_side, inner_question, read_request
from .text import language, term_set, tidy

SHORT_PAGE = 450
"""Characters of a page that a summary may always have: a short page loses too much in a third of it."""
_SURE = 0.8
"""How much of a limit is used up: others count words in another way, and titles too."""
_PER_PAGE, _MOST, _MOST_ROWS = 4, 18, 30
_RESULTS = re.compile(r"^\s*(?:Results|No results) for\b.*$", re.MULTILINE)
_LABEL = re.compile(r"^\s*[^:：\n]{2,30}[:：]\s*")


def summarize(talk: Conversation) -> tuple[str, list[str]]:
    """What a page says on the query, at most about a third of its length: running text in the order of the
    page, and verbatim excerpts."""
    block = next(block for block in talk.blocks if block.text.strip())
    page = Page("P", block.attributes.get("title", ""), block.text)
    query = tidy(_LABEL.sub("", outside_fences(talk.said[-1]).strip())) if talk.said else ""
    asked = read_request(query)
    why = any(read_query(part).kind == "reason" for part in asked.parts)  # a cause may fill a paragraph
    if not query or why or asks_for_a_side(query) or asked.broad:
        return page_digest(page, query)
    ranking = Ranking(read_query(query), [page])
    room = max(SHORT_PAGE, int(len(block.text) * 0.3))
    chosen: list[Scored] = []
    useful = [s for s in ranking.scored if ranking.serves(s)]
    for one in (useful or sorted(ranking.scored, key=lambda s: s.passage.place))[:12]:
        if len(one.text) <= room:
            chosen.append(one)
            room -= len(one.text) + 1
    kept = [text for text in dict.fromkeys(one.text for one in chosen) if text in block.text]
    lines: dict[str, None] = {}
    under = ""
    for one in sorted(chosen, key=lambda s: s.passage.place):
        heading = one.passage.sentence.heading
        if is_asked_above(ranking.query, heading) or (heading and under not in ("", heading)):
            lines[f"## {heading}"] = None  # what stands below another has to be told apart from it
            under = heading
        lines[one.text] = None
    return "\n".join(lines), kept[:MOST_EXCERPTS]


def compress(talk: Conversation) -> str:
    """The passages of the sources that serve the topic, verbatim, each with the ids of its sources."""
    said = next((text for text in map(outside_fences, talk.said) if text.strip()), "")
    request = read_request(tidy(_LABEL.sub("", tidy(_RESULTS.sub("", said)), count=1)))
    avoided = avoided_sources(talk.system)
    pages = [page for page in talk.sources if not avoided & term_set(f"{page.tier} {page.url} {page.title}")]
    if request.broad:
        most = limit(talk.system, "words")
        side = request.text.partition(inner_question(request.text))[0]
        told = notes(request.question, pages, side=side, words=int(_SURE * most) if most else MOST_WORDS)
        return told or say("nothing", language(request.question))
    lines, below = [], []
    for passage, ids in _merged(evidence(request, pages)):
        if is_asked_above(read_query(request.question), passage.sentence.heading):
            below += [f"### {passage.page.title} — {passage.sentence.heading}", f"- {passage.text} {ids}"]
        else:
            title = passage.page.title  # without which its words may say nothing
            lines.append(f"- {'' if title in passage.text else f'{title}: '}{passage.text} {ids}")
    return "\n".join([*lines, *below]) or say("nothing", language(request.question))


def evidence(request: Request, pages: Sequence[Page]) -> list[Passage]:
    """What to quote: every step of the ways to the answer, then what else serves the question."""
    chosen: dict[tuple[str, int], Passage] = {}
    for question in request.pieces:
        query, items = read_query(question), request.focus or items_of(question, pages)
        for focus in [[i] for i in items] or [[]]:
            ranking = Ranking(query, pages, focus, [i for i in items if i not in focus])
            ways = Ways(ranking).ends[:3]
            taken = [one.passage for way in ways for one in way.steps]
            if query.order and len(items) < 2:
                taken += [read.scored.passage for read in row_ranking(ranking).rows[:_MOST_ROWS]]
            if query.rolls:
                taken += [read.scored.passage for read in Things(ranking).roll.rows]
            for one in [*taken, *(best.passage for best in _best(ranking))]:
                chosen.setdefault((one.page.id, one.place), one)
            for way in ways if query.kind == "reason" else ():
                chosen[way.last.page.id, way.last.passage.place] = way.last.passage.in_paragraph()
    told = [(p.page.id, p.text) for p in chosen.values()]
    return [
        p
        for p in chosen.values()
        if not any(p.page.id == page and p.text != other and p.text in other for page, other in told)
    ]


def _best(ranking: Ranking) -> Iterator[Scored]:
    """The passages that come near the best, a few per page."""
    counts: Counter[str] = Counter()
    for one in ranking.scored[:60]:
        room = counts[one.page.id] < _PER_PAGE and counts.total() < _MOST
        if one.score >= 0.5 * ranking.scored[0].score and room and ranking.serves(one):
            counts[one.page.id] += 1
            yield one


def _merged(found: Sequence[Passage]) -> list[tuple[Passage, str]]:
    """One entry per statement: the same words under the same title carry all their ids."""
    groups: dict[tuple[str, str], list[Passage]] = {}
    for passage in found:
        groups.setdefault((passage.text, passage.page.title), []).append(passage)
    return [(group[0], "".join(dict.fromkeys(f"[{p.page.id}]" for p in group))) for group in groups.values()]
