"""From passages to an answer: for each part and item of a question the way that serves it best, how sure that
is, and what can be computed from values of one kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .certainty import SURE, certainty, of_kind
from .compare import Reading, reading, rivals
from .extremes import Things, row_ranking
from .lexicon import load
from .lists import items_in, sets_side_by_side
from .names import Named, Names, is_among, mentions, shown_by
from .page import Page
from .paths import Way, Ways
from .pointing import PERSON, pointer, with_name
from .query import Query, order_of, read_query
from .rank import HIT, Ranking, Scored, is_claimed
from .request import read_request
from .text import is_cjk, words
from .values import kind_of_unit

NEAR = 0.45
_SETTLED = 0.8
COVERED = 0.66
"""How much of a question is held where nothing more need be looked for."""
_SURE, _DETOUR = 0.5, 0.1
"""What certainty is worth among ways, and what a detour costs there."""
_TRIED = 12
_OF_YEAR = 0.5
"""How much a statement has to hold to be that of one of several years."""
_FOREIGN = re.compile(r"[ァ-ヺー・]{3,}|[『《「“]")
"""What looks like a name where letters are not divided: katakana, or marks around it."""
_SEVERAL = re.compile(r"\b(?:them|they|their|both)\b|两者|それぞれ", re.IGNORECASE)
"""What stands for all things that are set side by side."""


@dataclass(frozen=True)
class Found:
    """What pages hold on one thing that is asked: the best way to it, how much of what is asked that covers,
    what it reads as a value, and other values for the same."""

    asked: str
    item: str
    way: Way | None
    cover: float
    read: Reading | None = None
    others: tuple[Reading, ...] = ()
    more: tuple[Scored, ...] = ()
    near_by: tuple[Scored, ...] = ()
    lacking: tuple[str, ...] = ()
    sure: bool = False
    """Whether it may be given as the answer."""
    ranking: Ranking | None = None
    sides: tuple[Reading, ...] = ()
    """The values of the years that are asked, each read as that year's."""

    @property
    def settled(self) -> bool:
        """Whether it says nearly all that is asked, and not as somebody's claim, so that there is nothing
        more to look for."""
        claimed = self.way is not None and is_claimed(self.way.last.text)
        return self.sure and self.cover >= _SETTLED and not claimed

    @property
    def near(self) -> bool:
        """Whether it is worth being given as the closest."""
        lost = self.ranking is None or self.ranking.lost
        return self.sure or (self.cover >= NEAR and not lost)


@dataclass(frozen=True)
class Answer:
    """Per part of the question what was found; `ranked` are all rows or items in order, best first."""

    query: Query
    founds: tuple[Found, ...]
    ranked: tuple[Reading, ...] = ()
    slips: tuple[Named, ...] = ()
    partly: bool = False
    """Whether there may be more to put in order than what is ranked."""

    @property
    def first(self) -> tuple[Reading, ...]:
        """As many of those in order as are asked for; all where there may be more, or where all are named."""
        every = self.founds or self.partly or self.query.rolls or self.query.bound
        return self.ranked if every else self.ranked[: self.query.count]

    @property
    def sure(self) -> bool:
        """Whether every part has its answer."""
        told = all(found.sure for found in self.founds) and bool(self.founds or self.ranked)
        return told and not self.partly


def solve(question: str, pages: Sequence[Page], focus: Sequence[str] = ()) -> Answer:
    """What pages hold of a question. `focus` restricts it to some of the things that it names. What no page
    says of a Chinese or Japanese name is looked for by the Latin one."""
    book = shown_by(tuple(pages))
    asked = book.mend(question)
    answer = _solve(asked, pages, focus)
    if not answer.sure and (latin := book.in_latin(asked)) != asked:
        again = _solve(latin, pages, focus)
        answer = again if again.sure else answer
    return replace(answer, slips=tuple(n for n in book.find(asked) if n.slip))


def _solve(question: str, pages: Sequence[Page], focus: Sequence[str]) -> Answer:
    parts, items = read_request(question).parts, items_of(question, pages)
    if len(parts) > 1:
        return _part_by_part(question, parts, pages, focus)
    if len(items) > 1:
        return _side_by_side(question, items, pages, focus)
    query = read_query(question)
    names = [n.text for n in shown_by(tuple(pages)).find(question)]
    if query.order and not (names and query.kind == "yesno"):
        ranking = Ranking(query, pages, focus)
        order = row_ranking(ranking)
        order = order if order.sure else Things(ranking).order
        if rows := _beyond(query, order.rows):
            return Answer(query, (), rows, partly=not order.sure)
    things = Things(Ranking(query, pages, focus)) if query.rolls else None
    if things and things.roll.rows:
        return Answer(query, (), things.roll.rows, partly=not things.roll.sure)
    found = find(question, pages, focus)
    if things and not (names or things.rest):
        found = replace(found, sure=False)  # only a roll answers which there are
    if query.order and found.way and not order_of(found.way.last.text.lower())[0]:
        row = found.way.last.passage.sentence.cells[:1]
        if not names or (row and not any(mentions(row[0], n) for n in names)):
            found = replace(found, sure=False)  # one of many, and nobody says that it comes first
    apart = query.change or query.apart or sets_side_by_side(question)
    return Answer(query, (found,), _in_order(query, found.sides) if found.sure and apart else ())


def _part_by_part(question: str, parts: Sequence[str], pages: Sequence[Page], focus: Sequence[str]) -> Answer:
    """What is found of each part of a question, or by one way that answers all of them."""
    query, whole = read_query(question), find(question, pages, focus)
    book = shown_by(tuple(pages))
    named = book.find(question)
    if whole.way and len(whole.way.steps) > 1 and whole.sure and not query.order:
        last = whole.way.steps[-len(parts) : -1]  # one step for each part; what leads there is told below
        return Answer(query, (replace(whole, more=last),))
    answers: list[Answer] = []
    for said in parts:
        part = said
        first = answers[-1].ranked[:1] if answers else ()  # "the longest route, and who flies it"
        back = first and re.search(load("words")["follow"]["pointing"], part, re.IGNORECASE)
        among = _SEVERAL.search(part) and items_of(question, pages)
        about = " / ".join(among) if among else first[0].item if back else named[0].text if named else ""
        about = _who(answers, part) or about
        if not about and answers and pointer(part):  # "what do they say of the levy, and how much is it"
            about = read_query(parts[0]).spoken
        if about and not any(mentions(part, said) for n in named for said in (n.text, n.slip)):
            part = with_name(part, about)[0]
        told = _solve(part, pages, focus)
        answers.append(replace(told, founds=tuple(replace(found, asked=said) for found in told.founds)))
    founds = tuple(found for answer in answers for found in answer.founds)
    ranked = next((answer.first for answer in answers if answer.ranked), ())
    return Answer(query, founds, ranked, partly=any(answer.partly for answer in answers))


def _who(answers: Sequence[Answer], part: str) -> str:
    """Whom the part before asks for, where this one asks of "him" or "her"; "" if nobody was found."""
    found = answers[-1].founds[-1] if answers and answers[-1].founds else None
    if not (found and found.sure and found.way and found.ranking and PERSON.search(part)):
        return ""
    known, shown = found.ranking.names, found.ranking.book.shown_in(found.way.last.text)
    asked = found.ranking.query.kind == "person"
    return next((name for name in shown if asked and not is_among(name, known)), "")


def _side_by_side(question: str, items: Sequence[str], pages: Sequence[Page], focus: Sequence[str]) -> Answer:
    """What is found of each of several things, and their order; of more than two that of those found, at
    least."""
    query = read_query(question)
    founds = tuple(
        find(question, pages, [item], [i for i in items if i != item])
        for item in items
        if not focus or item in focus
    )
    if not sets_side_by_side(question):
        return Answer(query, founds)
    near = [found.read for found in founds if found.near]
    if len(near) == len(founds) and (ranked := _in_order(query, near)):
        return Answer(query, tuple(replace(found, sure=True) for found in founds), ranked)
    known = _in_order(query, near) if len(items) > 2 else ()
    return Answer(query, founds, known, partly=bool(known))


def _beyond(query: Query, rows: Sequence[Reading]) -> tuple[Reading, ...]:
    """The rows beyond the amount that a question gives; all if it gives none that they compare with."""
    bound = query.bound
    counted = kind_of_unit(bound.unit) if bound else ""
    if bound is None or any(counted not in (row.kind, kind_of_unit(row.text.split()[-1])) for row in rows):
        return tuple(rows)
    limit, less = bound.key, query.order == "less"
    return tuple(row for row in rows if (row.key < limit if less else row.key > limit))


def items_of(question: str, pages: Sequence[Page]) -> tuple[str, ...]:
    """The things that a question sets side by side, by the names of pages where they have them."""
    book = shown_by(tuple(pages))
    named = [n.text for n in book.find(question)]
    known = {item: next((n for n in named if is_among(item, [n])), "") for item in items_in(question)}
    items = dict.fromkeys(known[item] or item for item in known if known[item] or _may_be_name(item, book))
    return tuple(items) if len(items) > 1 and any(known.values()) else ()


def _may_be_name(item: str, book: Names) -> bool:
    """Whether a phrase may name a thing that no page shows: it has a word that nobody knows."""
    return bool(_FOREIGN.search(item)) if is_cjk(item) else not all(map(book.is_known, words(item.lower())))


def find(
    question: str, pages: Sequence[Page], focus: Sequence[str] = (), without: Sequence[str] = ()
) -> Found:
    """The best way to what is asked, of one item if `focus` says so."""
    query = read_query(question)
    ranking = Ranking(query, pages, focus, without)
    item = focus[0] if focus else ""
    ways = Ways(ranking)
    if not ways.ends:
        return Found(question, item, None, 0.0, lacking=tuple(c.word for c in ranking.concepts if not c.weak))
    best, own, sure = _choose(ranking, ways, item)
    cover = ranking.cover(best.levels) * (1.0 if of_kind(ranking, best) else 0.6)
    by_year = _by_year(ranking, query)
    more = tuple(one for one, _ in by_year) or _more(ranking, best, query)
    others: tuple[Reading, ...] = ()
    given = {"number", "plain", "yesno"} | ({"date"} if query.disputed else set())
    is_over = query.time == "before" and not query.disputed
    if query.kind in given and ranking.names and len(best.steps) == 1 and not is_over:
        value = own or reading(ranking, best.last, item, any_fit=True)
        others = tuple(rivals(ranking, best.last, value)) if value else ()
    return Found(
        question,
        item,
        best,
        cover,
        own,
        others if len(others) > 1 else (),
        more,
        () if ranking.lost else tuple(ranking.best(8)),
        _lacking(ranking, best),
        sure and (len(ranking.years) < 2 or len(by_year) == len(ranking.years)),
        ranking,
        tuple(read for _, read in by_year if read),
    )


def _lacking(ranking: Ranking, way: Way) -> tuple[str, ...]:
    """The words asked that neither a way nor any passage about all that is named holds."""
    about = [way.levels, *(one.levels for one in ranking.scored if not ranking.missed(one.levels))]
    asked = [(n, c.word) for n, c in enumerate(ranking.concepts) if not c.weak]
    gone = [word for n, word in asked if all(levels[n] < 0.5 for levels in about)]
    return tuple(word for word in gone if word in ranking.query.text.lower()) or tuple(gone)


def _choose(ranking: Ranking, ways: Ways, item: str) -> tuple[Way, Reading | None, bool]:
    """The best way, what it reads as a value, and whether it is sure."""
    tried = []
    for way in ways.ends[:_TRIED]:
        own = reading(ranking, way.last, item)
        sure = 0.0 if _is_one_of_many(ranking, way.last) else certainty(ranking, way, own, item)
        worth = way.score + _SURE * sure - _DETOUR * (len(way.steps) > 1)
        tried.append((worth, way, own, sure >= SURE))
    _, best, own, sure = max(tried, key=lambda t: t[0])
    return best, own, sure


def _is_one_of_many(ranking: Ranking, one: Scored) -> bool:
    """Whether a passage is a row about something not named, where the sum or mean of many is asked for."""
    whole, said = load("words")["whole"]["asks"], one.passage.sentence
    asked = said.kind == "row" and re.search(whole, ranking.query.text.lower())
    return bool(asked) and not any(mentions(said.cells[0], name) for name in ranking.names)


def _more(ranking: Ranking, best: Way, query: Query) -> tuple[Scored, ...]:
    """The other side of a change, if one is asked for."""
    own = reading(ranking, best.last) if query.change else None
    for one in ranking.scored[:25] if own else ():
        other = reading(ranking, one)
        if own and other and other.kind == own.kind and other.key != own.key:
            return (one,)
    return ()


def _by_year(ranking: Ranking, query: Query) -> list[tuple[Scored, Reading | None]]:
    """The statement on each of several years that are asked, and its value."""
    found = []
    for year in ranking.years if len(ranking.years) > 1 else ():
        single = Ranking(of_year(query.text, year, ranking.years), ranking.pages, ranking.names)
        best = next(iter(single.scored), None)
        if best and single.cover(best.levels) >= _OF_YEAR and best.levels[len(single.concepts)] >= HIT:
            found.append((best, reading(single, best, year)))
    return found


def of_year(text: str, year: str, years: Sequence[str]) -> Query:
    """What a question about several years asks of one of them."""
    text = re.sub(load("words")["time"]["year_before"], " ", text, flags=re.IGNORECASE)
    for other in years:
        text = text.replace(other, " ") if other != year else text
    text = text if year in text else f"{year} {text}"
    return read_query(re.sub(r"\bfrom\s+to\b|\b(?:change|changed)\b", " ", text))


def _in_order(query: Query, reads: Sequence[Reading | None]) -> tuple[Reading, ...]:
    """Values of one kind in the order asked for; none if one is missing or of another kind."""
    known = [r for r in reads if r is not None]
    if len(reads) < 2 or len(known) < len(reads) or len({r.kind for r in known}) > 1:
        return ()
    return tuple(sorted(known, key=lambda r: r.key, reverse=query.order != "less"))
