"""Sentences that rank or compare things: do the cited pages say so, in words or in figures?

"The Gull comes first, at 44 km/h" is more than the page of the Gull says. Such a sentence has evidence if a
passage that names what it compares ranks or compares in the same sense; or if the pages give figures of one
kind for these things that lie as the sentence says. Whose a figure is, is told by its row, by the names in
its sentence, or by what its page is about; figures are of one kind if they have one unit and stand beside
the same words as far as there are any.

Figures count more than words: of two things, "faster than her sisters" may say the opposite.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain
from typing import NamedTuple

from deep_research.core.forms import offers_nearest
from deep_research.text.data import read_data
from deep_research.text.quantities import Quantity, is_stated, quantities
from deep_research.text.wording import NEGATION, names_in, nfkc, terms_in, word_tokens

from .evidence import SourcePassage
from .found import Evidence, told_in
from .rankings import Ranking, ranking
from .stated_values import StatedValue, of_one_kind
from .subjects import Name, is_name, topic_of

_WORDS = read_data(__file__, "comparing.toml")["rivals"]
_BESIDE = re.compile(rf"(?P<behind>{_WORDS['before']})|{_WORDS['behind']}", re.IGNORECASE)
_SCOPE = re.compile(_WORDS["scope"], re.IGNORECASE)
_BREAK = re.compile(r"[;；,，。、](?!\d)|\.\s|\band\b|[和与]")
_BY = re.compile(r"\bby (?:about |some |only )?$")
_YEAR = re.compile(r"\s*[12]\d{3}\s*")
"""A row of a series: the years are what is compared."""
_FIRST_PASSAGES = 200
"""Passages of a page of which the figures are read whatever they speak of."""


class Figure(NamedTuple):
    """What a page gives for a thing: the value, the names of the thing, the words beside it, its measure."""

    value: Quantity
    owners: tuple[Name, ...]
    beside: Set[str]
    measure: str | None = None


def comparison_holds(claim: str, found: Sequence[Evidence]) -> bool | None:
    """Whether things lie as a claim ranks or compares them: True if figures say so, False if they deny it or
    neither they nor words say so; None where words do, and for a claim that ranks nothing."""
    plain = nfkc(claim)
    if offers_nearest(plain):  # "The closest that the sources say: ..."
        plain = re.split("[:：]", plain, maxsplit=1)[-1]
    said = ranking(plain)
    if not said or NEGATION.search(plain):
        return None
    if (said.of_two or not said.key.isascii()) and _denies_itself(plain, said):
        return False
    told = _figures_agree(plain, said, found)
    if told or (told is False and said.of_two):
        return told
    return None if _is_told_in_words(plain, said, found) else False


def _denies_itself(plain: str, said: Ranking) -> bool:
    """Whether a sentence gives figures of one kind for both sides that lie the other way: "449, more than
    the 853 of Gull". What stands right before the comparative is how far they lie apart."""
    beside = _BESIDE.search(plain, said.start)
    values = [one for one in quantities(plain) if not (one.counted or one.date)]
    other = next((one for one in values if beside and one.start >= beside.start()), None)
    if not other or not beside or beside["behind"] or said.of_former:
        return False
    before = [one for one in values if one.end < said.start and one.unit == other.unit]
    ways = [
        said.way(one, set()) * (one.value - said.times * other.value)
        for one in before
        if plain[one.end : said.start].strip() and not _BY.search(plain, 0, one.start)
    ]
    return bool(ways) and max(ways) < 0


def _is_told_in_words(plain: str, said: Ranking, found: Sequence[Evidence]) -> bool:
    """Whether a passage with all names of a claim ranks or compares in its sense, and in its order."""
    pages = "\n".join(f"{one.reading.title}\n{one.reading.text}" for one in found)
    runs = [run for run in names_in(plain, initial=True) if is_name(run, pages)]
    names = [frozenset(token.term for token in run) for run in runs]
    before = sum(run[0].start < said.start for run in runs)
    pair = names[before - 1 : before + 1] if 0 < before < len(names) else []
    subject = {token.term for token in word_tokens(plain[: said.start]) if not token.filler}
    for one in found:
        for passage in dict.fromkeys((*one.passages, *one.around(1))):
            near = passage.terms | passage.context | one.wanted.terms_at(one.window.first)
            if all(name & near for name in names) and (
                names or subject & (passage.terms | passage.context) or not said.of_two
            ):
                texts = (*_clauses_with(names, passage), passage.setting)
                sense = next(filter(None, (said.sense_in(nfkc(text)) for text in texts if text)), 0)
                if (sense > 0 or (sense and said.of_two)) and _has_order(pair, nfkc(passage.text), sense):
                    return True
    return False


def _clauses_with(names: Iterable[Name], passage: SourcePassage) -> Sequence[str]:
    """The parts of a passage between semicolons that have of these names what the passage has, if any do; a
    row of a table is one."""
    own, text = [name for name in names if name & passage.terms], told_in(passage)
    parts = text.split("; ") if own and passage.text[0] != "|" else ()
    return [part for part in parts if all(name & terms_in(part) for name in own)] or [text]


def _has_order(pair: Sequence[Name], text: str, sense: int) -> bool:
    """Whether a text that has both of two names has them in this order, or in the other if it is turned."""
    places = [[token.start for token in word_tokens(text) if token.term in name] for name in pair]
    return not places or not all(places) or (min(places[0]) < min(places[1])) == (sense > 0)


def _figures_agree(plain: str, said: Ranking, found: Iterable[Evidence]) -> bool | None:
    """Whether what the pages give for the thing that a claim puts first, and for the others, lies so."""
    figures = list(chain.from_iterable(map(_figures, found)))
    places = _places({name for figure in figures for name in figure.owners}, plain, said)
    first, rivals = _sides(plain, said, sorted({*places.values()}))
    own, known = [one for one in quantities(plain) if not (one.counted or one.date)], terms_in(plain)
    ours, theirs = list[tuple[bool, bool, int, Figure]](), dict[tuple[Name, ...], list[Figure]]()
    for one in figures:
        at = {places[name] for name in one.owners if name in places}
        if first in at:
            is_measured = None in (one.measure, said.measure) or one.measure == said.measure
            is_meant = is_measured and said.way(one.value, one.beside) != 0
            ours.append((is_stated(one.value, own), is_meant, len(one.beside & known), one))
        elif not rivals or not at.isdisjoint(rivals):
            theirs.setdefault(one.owners, []).append(one)
    is_closed = rivals or said.of_two or not said.key or not _SCOPE.match(plain, said.end)
    for is_own, is_meant, _, figure in sorted(ours, key=lambda found: found[:3], reverse=True):
        others = [_most_alike(figure, known, rival) for rival in theirs.values() if is_own or is_meant]
        told = [_size(one, said.times) for one in chain.from_iterable(others)]
        enough = sum(map(bool, others)) >= max(len(rivals), 1)
        if enough and _size(figure) not in told:
            way, size = said.way(figure.value, figure.beside), _size(figure)
            holds = (way >= 0 and size > max(told)) or (way <= 0 and size < min(told))
            return None if holds and not is_closed else holds
    return None


def _figures(evidence: Evidence) -> Iterator[Figure]:
    """What a page gives for things: where it speaks of the claim, and at its beginning."""
    reading = evidence.reading
    topic, places = topic_of(reading), {*evidence.wanted.places, *range(_FIRST_PASSAGES)}
    for passage in (reading.passages[place] for place in sorted(places) if place < len(reading.passages)):
        text, cells = nfkc(told_in(passage)), passage.text.strip("| ").split("|")
        values = quantities(text)
        breaks = [*(cut.span() for cut in _BREAK.finditer(text)), *((v.start, v.end) for v in values)]
        for value in values:
            stated = StatedValue(value, text, reading, passage.start)
            owners: tuple[Name, ...] = (terms_in(cells[0]),)
            if len(cells) == 1:
                owners = stated.subject.certain() or stated.subject.near
            if not owners or (len(cells) == 2 and topic and not _YEAR.fullmatch(cells[0])):
                owners = topic
            start = max((end for _, end in breaks if end <= value.start), default=0)
            stop = min((begin for begin, _ in breaks if begin >= value.end), default=len(text))
            words = word_tokens(f"{text[start : value.start]} {text[value.end : stop]}")
            beside = {word.term for word in words if not word.filler}.difference(*owners)
            if owners and not value.counted:
                yield Figure(value, owners, beside, stated.measure if value.unit == "m" else None)


def _places(names: Set[Name], plain: str, said: Ranking) -> dict[Name, int]:
    """Where a claim speaks of each of these names by the words that no other of them has, first behind the
    mark before the words that rank: "43 t (2047); highest 43 t (2047)"."""
    tokens, terms = word_tokens(plain), terms_in(plain)
    begin = _clause_start(plain, said)
    runs = [{token.term for token in run} for run in names_in(plain, initial=True)]
    found = dict[Name, int]()
    for name in names:
        others = (other for other in names if not (other <= name or name <= other))
        own = name.difference(*others) or name
        if own & terms and (name <= terms or any(run <= name for run in runs)):
            starts = (token.start for token in tokens if token.term in own)
            found[name] = min(starts, key=lambda start: (start < begin, start))
    return found


def _clause_start(plain: str, said: Ranking) -> int:
    return max((cut.end() for cut in _BREAK.finditer(plain, 0, said.start)), default=0)


def _sides(plain: str, said: Ranking, places: Sequence[int]) -> tuple[int | None, Sequence[int]]:
    """Where the thing stands that a claim puts first, and what it is set against; none: all others."""
    beside = _BESIDE.search(plain, said.start if said.key.isascii() else 0)
    if beside and (beside["behind"] or said.of_former):
        end = _clause_start(plain, said) if said.of_former else beside.start()
        rivals = [place for place in places if place < end][-1:]
    else:
        rivals = [place for place in places if beside and place >= beside.end()]
    rest = [place for place in places if place not in rivals]
    lacks_rival = said.of_two and beside and not rivals
    near = [place for place in rest if place >= _clause_start(plain, said)] or rest
    return (near[0] if near and not lacks_rival else None), rivals


def _most_alike(figure: Figure, known: Set[str], others: Sequence[Figure]) -> list[Figure]:
    """Of these figures those of one kind with another: one unit, the most words in common."""
    same = [
        (len(other.beside & (figure.beside | known)), other)
        for other in others
        if of_one_kind(figure.value, other.value) and len({figure.measure, other.measure, None}) <= 2
    ]
    most = max((shared for shared, _ in same), default=0)
    return [other for shared, other in same if shared == most and (shared or figure.value.unit)]


def _size(figure: Figure, times: float = 1.0) -> tuple[float, ...]:
    date = figure.value.date
    return tuple(part or 0 for part in date) if date else (times * figure.value.value,)
