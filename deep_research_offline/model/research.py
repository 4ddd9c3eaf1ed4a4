"""The researcher: which searches come next, and when it is enough.

First the question's own content words, with its parts and the things that it compares; then names that stand
beside the words asked on pages about what is known already.
No query is sent twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .answer import COVERED, items_of, of_year, solve
from .conversation import Call
from .extremes import Things
from .gather import gather
from .names import ABOUT, aboutness, shown_by, tokens
from .overview import searches as sides
from .page import Page
from .paths import Ways
from .query import Query, is_core, read_query
from .rank import Ranking
from .request import Request
from .text import is_cjk, tidy
from .thesaurus import said_by

AT_ONCE = 3
_ROUNDS = 3
"""Searches for one side of a broad subject."""
_IDLE, _LEADS, _COVERED = 2, 4, 0.93
"""Rounds without a new page after which a search ends; how many leads are followed, and up to what cover."""


@dataclass(frozen=True, slots=True)
class Move:
    """The next queries (none means: finished). `rest` is what could be a topic of its own: a name that the
    question lacks, with the words still open."""

    queries: tuple[str, ...] = ()
    rest: str = ""


def next_move(
    request: Request, searches: Sequence[Call], pages: Sequence[Page], limit: int, at_once: int = AT_ONCE
) -> Move:
    """Decide from what was searched and shown so far; `limit` is how many searches are allowed at most."""
    if request.broad:
        return _wide_move(request, searches, pages, limit, at_once)
    asked = [query for call in searches for query in queries_of(call)]
    if not asked:
        return Move(_fresh(_first(request), [], min(at_once, limit)))
    if len(searches) >= limit or searches[-1].refused or _is_settled(request, pages):
        return Move()
    leads = () if _is_idle(searches, pages, _IDLE) else _fresh(_leads(request, pages, asked), asked, at_once)
    asking, lead = set(tokens(read_query(request.question).spoken)), set(tokens("".join(leads[:1])))
    again = lead <= set(tokens(request.question)) or lead >= asking  # the question, perhaps in other words
    return Move(leads, "" if again else leads[0])


def open_leads(request: Request, pages: Sequence[Page], titles: Iterable[str]) -> Iterable[str]:
    """What pages that do not answer a question lead to, best first: names that none of these titles is about,
    each with the words that are still open."""
    known = list(titles)
    items = items_of(request.question, pages)
    for focus in [[item] for item in request.focus or items] or [[]]:
        others = [item for item in items if focus and item not in focus]
        ranking = Ranking(read_query(request.question), pages, focus, others)
        ways = Ways(ranking)
        if not ways.ends or ranking.cover(ways.ends[0].levels) < _COVERED:
            named = (way for way in ways.leads[:_LEADS] if not _is_title(way.lead, known))
            yield from (_with_words(way.lead, way.levels, ranking) for way in named)


def _is_settled(request: Request, pages: Sequence[Page]) -> bool:
    """Whether what is asked is answered so fully that further searches bring nothing."""
    query = read_query(request.question)
    several = query.disputed or query.change or query.order or query.rolls or len(request.parts) > 1
    found = [] if several else solve(request.question, pages).founds
    return len(found) == 1 and found[0].settled


def _is_idle(searches: Sequence[Call], pages: Iterable[Page], rounds: int) -> bool:
    """Whether the last rounds brought none of these pages that was not there before."""
    before = "".join(call.result for call in searches[:-rounds])
    late = "".join(call.result for call in searches[-rounds:])
    new = any(f'"{page.id}"' in late and f'"{page.id}"' not in before for page in pages)
    return len(searches) >= rounds and not new


def _wide_move(
    request: Request, searches: Sequence[Call], pages: Sequence[Page], limit: int, at_once: int
) -> Move:
    """For a report: one side of the subject after the other, as long as searches bring new pages on it."""
    if len(searches) >= min(limit, _ROUNDS):
        return Move()
    told = [point.page for point in gather(request.question, pages).points] if searches else []
    if _is_idle(searches, told, 1):
        return Move()
    asked = [query for call in searches for query in queries_of(call)]
    return Move(_fresh(sides(request.question, request.text, pages), asked, min(at_once, limit)))


def queries_of(call: Call) -> list[str]:
    """The queries of a search call, whatever its parameter is called."""
    values = [value if isinstance(value, list) else [value] for value in call.arguments.values()]
    return [query for value in values for query in value if isinstance(query, str)]


def _fresh(candidates: Iterable[str], asked: Sequence[str], most: int) -> tuple[str, ...]:
    """The first candidates that nobody has asked, each once."""
    known = {_key(query) for query in asked}
    found: dict[tuple[str, ...], str] = {}
    for query in candidates:
        if query and _key(query) not in known:
            found.setdefault(_key(query), tidy(query)[:300])
        if len(found) >= most:
            break
    return tuple(found.values())


def _key(query: str) -> tuple[str, ...]:
    return tuple(sorted(tokens(query)))


def _first(request: Request) -> Iterable[str]:
    """Each thing compared with the words that all share; each question; all the words."""
    query = read_query(request.question)
    for item, question in request.apart:
        yield _about_item(query, item, request.items) if item else read_query(question).spoken
    if not request.items:  # one that leans on the answer to another finds what that did not lead to
        yield from (read_query(part).spoken for part in request.parts)
    if len(query.years) > 1:
        yield from (of_year(query.text, year, query.years).spoken for year in query.years)
    yield query.spoken


def _about_item(query: Query, item: str, items: Sequence[str]) -> str:
    """A thing with the words that are asked of all."""
    others = {t for i in items if i != item for t in tokens(i)}
    if is_cjk(query.text):
        return item
    rest = [w for w in query.spoken.split() if not set(tokens(w)) <= others | set(tokens(item))]
    return f"{item} {' '.join(rest)}"


def _leads(request: Request, pages: Sequence[Page], asked: Sequence[str]) -> Iterable[str]:
    """What is worth a search of its own, best first: the question without its slips, names without a page,
    and names that the best ways lead to."""
    question = shown_by(tuple(pages)).mend(request.question)
    own = read_query(question)
    yield own.spoken
    if said := [word for c in own.concepts if c.sought != c.word for word in c.roles]:
        yield " ".join([own.spoken, *said])
    items, titles = items_of(question, pages), [page.title for page in pages]
    if (own.order or own.rolls) and not items:
        things = Things(Ranking(own, pages))
        kind = " ".join(things.ranking.concepts[n].word for n in sorted(things.kinds))
        if not things.listed:
            yield kind
        measure = [things.ranking.concepts[n].sought for n in sorted(things.wanted)]
        yield from (
            " ".join([name, *measure])
            for name in things.left((things.roll if own.rolls else things.order).rows)
        )
    groups = [([i], [j for j in items if j != i]) for i in request.focus or items] or [([], [])]
    known = {_key(query) for query in asked}
    shown = frozenset[str]().union(*(said_by(page.text)[0] for page in pages))
    other = [c.alike for c in own.concepts if c.alike and not (c.weak or is_core(c) or c.stems & shown)]
    late = [" ".join([own.spoken, *other])] if other else []
    for focus, without in groups:
        ranking = Ranking(read_query(question), pages, focus, without)
        ways = Ways(ranking)
        levels = ways.ends[0].levels if ways.ends else (0.0,) * len(ranking.weights)
        covered = ranking.cover(levels)
        leads = [(name, levels) for name in ranking.names if not _is_title(name, titles)]
        leads += [(way.lead, way.levels) for way in ways.leads[:_LEADS] if covered < _COVERED]
        for name, held in leads:
            query = _with_words(name, held, ranking)
            if _key(query) not in known:
                yield query
            elif not _is_title(name, titles):
                late.append(name)
        late += [way.lead for way in ways.idle[:_LEADS] if covered < COVERED]
        late += ranking.names if covered < COVERED or ranking.query.disputed else ()
    yield from late


def _is_title(name: str, titles: Iterable[str]) -> bool:
    return any(aboutness(title, name) >= ABOUT for title in titles)


def _with_words(name: str, levels: Sequence[float], ranking: Ranking) -> str:
    """A name with the words asked that nothing on the way to it says yet."""
    if is_cjk(name):
        return name
    unsaid = [c.sought for n, c in enumerate(ranking.concepts) if not c.weak and levels[n] < 0.8]
    return " ".join([name, *[word for word in unsaid if not is_cjk(word)][:3]])
