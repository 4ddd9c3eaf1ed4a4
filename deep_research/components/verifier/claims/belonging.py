"""Which words of a sentence are said of which of its values: those of one are not to be said of another.

Values are numbers and dates. Between two of a kind a sentence has a joint: what stands before it is said of
the first, what stands behind it of the second. In the row of a table the row's label and the column's go with
each cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from deep_research.text.quantities import RANGE, Quantity, is_stated, quantities
from deep_research.text.terms import is_cjk
from deep_research.text.wording import nfkc, stem, terms_in, word_tokens

from .evidence import BEGINNING, SourcePassage, SourceReading
from .found import told_in
from .stated_values import measure_of, of_one_kind

_STRONG = re.compile(r"[;；。]|\b(?:up|down)(?= from\b)|[(（](?=\W{0,3}\w)|:\s")
_WEAK = re.compile(
    r"(?<!\d)[,，、]|[,，、](?!\d)|\b(?:and|but|or|to|while|whereas|compared|versus|vs|against)\b|[和与及而]",
    re.IGNORECASE,
)
"""The joint is the last of the former, or else the first of these."""
_FROM = re.compile(r"\bfrom (?:\S+ )?\S?$|[从從由]\S?$")
_FROM_JA = re.compile(r"\w{0,4}から")
_GOES_ON = re.compile(r"(?:, )?(?:and|but|or)\b(?! (?:the|an?|its?|his|her|their|s?he|they|[A-Z]))|, (?=\d)")
"""What joins a value to the one before it, of the same subject."""
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
"""What makes of two values one change: what stands before it is said of both."""
_EMPTY = re.compile(r"\d|[年月日]?[为為是达達はがにのでも]$")
"""What says nothing of a value: numbers, and what joins a year with it ("2022年为35亿元")."""
_OF_ANYTHING = frozenset(stem(word) for word in "people person number total nearly almost roughly".split())
_LABELLED = re.compile(r"(?:^|[;；—–] ?)([^:;；—–|]{1,60}: )([^:;；—–|]+?)(?=[;；—–]|\.?$)")
Kind = Literal["number", "date"]
KINDS: tuple[Kind, ...] = ("number", "date")


class Stated(NamedTuple):
    """A value, the words that are said of it, in order, what it measures, what is the same near it, whether
    it stands in a table, the words of the headings over it, whether it shares its words with others, and
    whether it goes on about the subject of the value before it."""

    value: Quantity
    words: tuple[str, ...]
    measure: str | None = None
    near: str = ""
    in_row: bool = False
    over: frozenset[str] = frozenset()
    in_series: bool = False
    leans: bool = False


def of_others(claim: str, passages: Iterable[SourcePassage], kind: Kind) -> list[Quantity]:
    """The values of which a claim says what pages say of another of their kind, wherever they state them.

    "It has 444 woodcuts" is wrong where the page has 444 pages and 15 woodcuts, "born in 1963" where somebody
    was born in 1950 and published in 1963. A value that the claim has, too, is another's only if the claim
    exchanges the two. A length is another where it is a height.
    """
    said = _stated_in(nfkc(claim), kind)
    known = [one for number, p in enumerate(passages) for one in _stated_on(p, number, kind)] if said else []
    return [one.value for one in said if one.words and _is_of_other(one, said, known)]


def _is_of_other(ours: Stated, said: Iterable[Stated], known: Iterable[Stated]) -> bool:
    value = ours.value
    own = [one for one in known if is_stated(value, [one.value])]
    others = [one for one in known if one not in own and of_one_kind(value, one.value)]
    twins = [(other, mine) for other in others for mine in said if is_stated(mine.value, [other.value])]
    exchanged = {o: all(_fits_better(mine, o, one, True) for one in own) for o, mine in twins}
    rivals = [other for other in others if exchanged.get(other, True)]
    return bool(own) and all(
        any(_fits_better(ours, one, other, other in exchanged) for other in rivals)
        or len({one.measure, ours.measure} - {None}) > 1
        for one in own
    )


def _fits_better(ours: Stated, own: Stated, other: Stated, both: bool) -> bool:
    """Whether what a claim says of a value is said of another: of the words that tell both apart it has some
    of the other's and none of its own. Elsewhere on a page, a
    word of many tells little; and words before a value may be said of those behind it, too, unless the claim
    has `both`."""
    said, here, there = {*ours.words}, {*own.words}, {*other.words}
    leads = not (both or own.in_row or own.in_series) and other.value.start < own.value.start
    if leads and own.near == other.near and len(said) > 1:
        there -= {*other.words[:1]}  # what a sentence opens with may be said of all of it
    if other.leans and own.near == other.near and own.value.start < other.value.start:
        here -= {*own.words[:1]}  # "it opened in 1884 and closed in 1962"
    told = said & (there - here)
    if own.near != other.near:
        told, said = told - (own.over & other.over), said - (own.over & other.over)
        return bool(here) and 2 * len(told) > len(said) and not said & (here - there)
    in_pairs = any(map(is_cjk, said))  # there each pair of characters is a word
    enough = own.in_row or (own.in_series and in_pairs) or 4 * len(told) >= len(said)
    mine = here if leads and not (in_pairs and here - there) else here - there
    return bool(told) and enough and not said & mine


def _stated_on(passage: SourcePassage, number: int, kind: Kind) -> Iterator[Stated]:
    """The values of a passage. The rows of a table stand near each other, as do paragraphs with headings."""
    text, is_row = nfkc(told_in(passage)), passage.text[:1] == "|"
    near = passage.setting if is_row else "" if passage.label else str(number)
    label, *cells = text.split("; ") if is_row else (" ".join(sorted(passage.label)), text)
    over = frozenset(term if is_cjk(term) else term[:BEGINNING] for term in passage.context)
    for cell in cells:
        before, stated = tuple[str, ...](), _stated_in(cell, kind)
        told = [tuple(word for word in one.words if not _EMPTY.match(word)) for one in stated]
        for at, one in enumerate(stated):
            in_series = not is_row and not all(told[at : at + 2])
            goes_on = at and of_one_kind(one.value, stated[at - 1].value)
            before = told[at] or (before if goes_on else ())  # "5 % in 2021, 4 % in 2022" opens for both
            years = one.words if in_series else ()  # of a column or a series, a year tells much
            own = dict.fromkeys((*_words(label), *before, *(word for word in years if word[0].isdigit())))
            words = _words(f"{label} {cell}") if is_row else tuple(own)
            yield one._replace(words=words, near=near, in_row=is_row, over=over, in_series=in_series)


@lru_cache(maxsize=4096)
def _stated_in(text: str, kind: Kind) -> tuple[Stated, ...]:
    """The values of a text with their words; those of a range have all of them."""
    runs = list[list[Quantity]]()
    for one in _values(text, kind):
        if runs and RANGE.fullmatch(text, runs[-1][-1].end, one.start):
            runs[-1].append(one)
        else:
            runs.append([one])
    if not runs:
        return ()
    cuts = [_joint(text, one[-1].end, other[0].start) for one, other in pairwise(runs)]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    goes_on = [_GOES_ON.match(text, start) is not None for start, _ in cuts]
    alike = (of_one_kind(one[-1], other[0]) for one, other in pairwise(runs))
    goes_on = [False, *(joined and same for joined, same in zip(goes_on, alike, strict=True))]
    found, opening, shared = list[Stated](), "", ""
    for run, start, end, leans in zip(runs, starts, ends, goes_on, strict=True):
        lead, tail = text[start : run[0].start], text[run[-1].end : end]
        shared = lead = shared if leans and not _words(lead) else lead  # "won 16 gold and 12 silver medals"
        is_first = _FROM.search(lead) or _FROM_JA.match(text, run[0].end)
        words = _words(f"{opening} {_YEAR.sub('', lead) if is_first else lead} {tail}")
        opening = lead if is_first and len(run) == 1 else ""
        for one in run:
            length = one if one.unit == "m" else None
            measure = measure_of(length, text, start, end) if length else None
            found.append(Stated(one, words, measure, leans=leans))
    return tuple(found)


def _values(text: str, kind: Kind) -> Iterator[Quantity]:
    amounts = (one for one in quantities(text) if (one.date is not None) == (kind == "date"))
    return (one for one in amounts if not one.counted)


def _joint(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the words of one value end and those of the next begin: without a joint, both have them all."""
    strong, weak = [*_STRONG.finditer(text, start, end)], _WEAK.search(text, start, end)
    cut = strong[-1] if strong else weak
    return cut.span() if cut else (end, start)


def _words(text: str) -> tuple[str, ...]:
    tokens = (one for one in word_tokens(text) if not one.filler and one.term not in _OF_ANYTHING)
    return tuple(dict.fromkeys(one.term if is_cjk(one.term) else one.term[:BEGINNING] for one in tokens))


def is_under_other_label(
    number: str, claim: frozenset[str], readings: Sequence[SourceReading], alone: bool = False
) -> bool:
    """Whether a number stands only under labels, and under none of those that the claim names.

    A label is the first cell of a row, or a heading in its paragraph ("**Cost.** 44,000 crowns"). Nothing
    follows where the claim names no row of these tables, or says of a paragraph's number more than that. In a
    table of two columns the label is an attribute, of which a claim may have other words. A number that
    stands `alone` in its claim is of what the claim names: prose counts only if it speaks of that.
    """
    words = terms_in(number)
    digits = {term for term in words if term[0].isdigit()}  # its unit may be written in another way
    terms = digits or words
    places = [(one, n) for one in readings for n in one.places.get(min(terms, default=""), ())]
    stating = [one.passages[n] for one, n in places if terms <= one.passages[n].terms]
    prose = [one for one in stating if not one.label]
    if prose and not (alone and digits):
        return False
    tables = {_table_of(one) for one in stating if one.label}
    rest = [{term for term in claim - one.terms if not term[0].isdigit()} for one in stating]

    def counts(one: SourcePassage) -> bool:
        says_no_more = "|" in one.text or any(more <= one.label for more in rest)
        return says_no_more and (alone or one.text.strip("| ").count("|") > 1)

    labelled = (one for reading in readings for term in claim for one in reading.labelled.get(term, ()))
    named = [one for one in labelled if one.label <= claim and _table_of(one) in tables and counts(one)]
    is_said = any(one.terms & other.label for one in prose for other in named)
    return bool(named) and not is_said and not any(one in named for one in stating)


def is_in_other_column(claim: str, passages: Iterable[SourcePassage]) -> bool:
    """Whether a claim gives under the label of a column what rows have in another: "Maker: ..."."""
    tables = (one for one in passages if one.text[:1] == "|" and "|" in one.setting)
    rows = [nfkc(told_in(one)).casefold().split("; ") for one in tables]
    for label, value in _LABELLED.findall(nfkc(claim).casefold()):
        wanted, among = terms_in(value), [row for row in rows if any(cell.startswith(label) for cell in row)]
        cells = [cell for row in among for cell in row if wanted <= terms_in(cell)]
        if wanted and cells and not any(cell.startswith(label) for cell in cells):
            return True
    return False


def _table_of(passage: SourcePassage) -> str:
    """What tells a table from others: its header; the paragraphs of a page with headings are one."""
    return passage.setting if "|" in passage.text else ""
