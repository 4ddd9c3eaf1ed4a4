"""What a report quotes: a few consecutive statements of one paragraph, or a table; chosen for what they
tell, for what is new in them, and so that no side of the subject and no page crowds out the others."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from .names import mentions
from .points import Gathered, Point
from .report_words import ANNOUNCING, TURN
from .shared_names import years_in
from .text import count_cjk, term_set
from .worth import alike

LONGEST = 4
"""Statements of a quote at most."""
_MOST_WORDS = 95
_LEAST_GAIN = 0.42
"""The worth that a statement must exceed to lengthen a quote."""
_LEAST_WORTH = 0.22
_MOST_ROWS = 8
_FEW = 3
"""Content words of a sentence that says little alone."""
_ID = re.compile(r"\s?\[[A-Z]{1,4}\d[^\]]*\]")


def length(text: str) -> int:
    """Words, or characters of Chinese and Japanese; citations and marks do not count."""
    text = re.sub(r"[#*|\-]", " ", _ID.sub(" ", text))
    return count_cjk(text) + len(re.findall(r"[A-Za-z0-9][^\s]*", text))


@dataclass(frozen=True, slots=True)
class Quote:
    """Consecutive statements of one paragraph, or rows of one table, with what they are worth together."""

    points: tuple[Point, ...]
    worth: float

    @property
    def page(self) -> str:
        """The id of its page."""
        return self.points[0].page.id

    @property
    def place(self) -> tuple[str, int]:
        """Where it stands."""
        return self.points[0].key

    @property
    def heading(self) -> str:
        """The heading above it."""
        return self.points[0].sentence.heading

    @property
    def is_table(self) -> bool:
        """Whether it is rows of a table."""
        return self.points[0].sentence.kind == "row"

    @property
    def side(self) -> str:
        """The side of the subject that it tells of."""
        return self.points[0].side

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join(point.text for point in self.points)

    @property
    def size(self) -> int:
        """Its length in words or characters."""
        return length(self.text)


def quotes_of(
    gathered: Gathered, used: Collection[tuple[str, int]] = (), longest: int = LONGEST, wide: bool = False
) -> list[Quote]:
    """All quotes of what was gathered, without the statements that are used; `wide` keeps paragraphs whole,
    those that do not serve too."""
    told = {point.key for point in gathered.points}
    blocks: dict[tuple[str, int, bool, tuple[str, ...]], list[Point]] = defaultdict(list)
    for point in gathered.every.values():
        said = point.sentence
        blocks[point.page.id, said.block, said.kind == "row", said.columns].append(point)
    found: list[Quote] = []
    for points in blocks.values():
        points.sort(key=lambda p: p.place)
        if points[0].sentence.kind == "row":
            on_subject = [p for p in points if any(mentions(p.text, name) for name in p.named)]
            rows = [p for p in on_subject or points if not p.stray]
            new = [p for p in rows if p.key in told and p.key not in used]
            found += _table(rows, new, wide)
            continue

        def breaks(p: Point) -> bool:
            strange = p.stray or (p.key not in told and p.score > 0) or (p.is_pair and not wide)
            return p.key in used or strange

        for run in (list(run) for broken, run in itertools.groupby(points, breaks) if not broken):
            whole = Quote(tuple(run), sum(p.score for p in run) / len(run) ** 0.5)
            found += [whole] if wide else _windows(gathered, run, longest)
    return sorted(found, key=lambda q: (-q.worth, q.place))


def _table(rows: Sequence[Point], new: Sequence[Point], wide: bool) -> list[Quote]:
    """All rows of a table by what the new ones are worth, if they are a few and no series; of a longer table
    `wide` keeps the new ones, each by itself."""
    if wide and len(rows) > _MOST_ROWS:
        return [Quote((p,), p.score) for p in new]
    series = [p for p in rows if not any(p.sentence.columns) or years_in(p.sentence.cells[0])]
    if not new or len(rows) > _MOST_ROWS or (not wide and (len(new) < 2 or series)):
        return []
    return [Quote(tuple(rows), 0.5 * sum(sorted((p.score for p in new), reverse=True)[:4]))]


def goes_on(gathered: Gathered, point: Point) -> bool:
    """Whether the next sentence of the paragraph takes back some of what a statement says, or tells what it
    announces."""
    after = gathered.beside(point)
    return bool(after and (TURN.search(after.text) or ANNOUNCING.search(point.text)))


def _says_little(point: Point) -> bool:
    """Whether a sentence is no quote alone: a few words, none of them of the request, and no figure."""
    own = term_set(point.text)
    return not (point.own or len(own) > _FEW or re.search(r"\d", point.text))


def _windows(gathered: Gathered, run: Sequence[Point], longest: int) -> list[Quote]:
    """The best runs of statements that do not overlap, each beginning with one that stands alone."""
    best: tuple[float, int, int] | None = None
    for start, point in enumerate(run):
        titled = any(mentions(point.page.title, name) for name in point.named)
        if point.depends or (point.leans and (start or not titled)) or point.score <= 0:
            continue
        gain, words = 0.0, 0
        for end in range(start, min(start + longest, len(run))):
            words += length(run[end].text)
            if run[end].score <= 0 or (end > start and words > _MOST_WORDS):
                break
            gain += run[end].score / run[end].serves - _LEAST_GAIN
            if goes_on(gathered, run[end]) or (end == start and _says_little(point)):
                continue
            if best is None or gain > best[0] + 1e-9:
                best = (gain, start, end + 1)
    if best is None:
        return []
    gain, start, end = best
    serves = run[0].serves
    worth = 0.5 * sum(p.score for p in run[start:end]) / serves + max(gain, 0.0)
    quote = [Quote(tuple(run[start:end]), serves * worth)] if worth >= _LEAST_WORTH else []
    rest = _windows(gathered, run[end:], longest) if len(run) - end > 1 else []
    return [*quote, *rest, *(_windows(gathered, run[:start], longest) if start > 1 else [])]


class Choice:
    """Quotes chosen one by one: each the one that adds most for its length."""

    def __init__(self, said: Iterable[Point] = ()) -> None:
        self.said = list(said)
        self.terms = Counter(t for p in self.said for t in term_set(p.text))
        self.sides = Counter[str]()
        self.pages = Counter[str]()

    def take(self, candidates: Iterable[Quote], room: int) -> list[Quote]:
        """Quotes for so many words, in the order of choice."""
        left = list(candidates)
        chosen: list[Quote] = []
        while left and room > 10:
            best = max(left, key=lambda q: (self._adds(q), q.place))
            left.remove(best)
            if best.size > room * 1.15 + 5 or self.repeats(best.points):
                continue
            room -= best.size
            chosen.append(best)
            self.note(best)
        return chosen

    def note(self, quote: Quote) -> None:
        """Note that a quote is said."""
        self.said += quote.points
        self.terms.update(t for p in quote.points for t in term_set(p.text))
        self.sides[quote.side] += 1
        self.pages[quote.page] += 1

    def _adds(self, quote: Quote) -> float:
        own = term_set(quote.text)
        new = sum(1 for t in own if not self.terms[t]) / (len(own) or 1)
        crowd = 0.9 ** self.sides[quote.side] * 0.95 ** self.pages[quote.page]
        return quote.worth * (0.3 + 0.7 * new) * crowd / max(quote.size, 15) ** 0.5

    def repeats(self, points: Sequence[Point]) -> bool:
        """Whether statements say what is said already: any of a few, half of many, all rows of a table. A row
        and a sentence tell each in its own way."""
        again = sum(any(p.is_pair == o.is_pair and alike(p.text, o.text) for o in self.said) for p in points)
        if any(p.sentence.kind == "row" for p in points):
            return again == len(points)
        return again > (0 if len(points) <= LONGEST else len(points) // 2)
