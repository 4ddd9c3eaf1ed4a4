"""Statements of sources, as a report is made of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .names import mentions
from .page import Page
from .passages import Sentence
from .report_words import DEPENDENT, LEANING

_PAIR = re.compile(r"^\W{0,2}([^:：.。]{2,40}?)\W{0,2}[:：]\s*(\S.{0,80}?)(?:(?![%‰])\W){0,2}$")
_OF_CODE = re.compile(r"[<>{}=\\|\"`]|//|::|__|\(\)")
ENDS = re.compile(r"[.!?。！？…][\"'”’)\]」』）*_]*$")


@dataclass(frozen=True, slots=True)
class Point:
    """A statement: where it stands, what it is worth, which side of the subject its paragraph tells of, and
    the ids of all sources that say it; `first` if it opens its paragraph; `own` is
    how much of the request its own words hold, `headed` the title and heading above it, and `serves` how well
    its paragraph serves the request; `stray` if
    it tells of another thing of the same kind; `about` are the names that it holds or refers back to, or, if
    it has no other names, those in the title."""

    page: Page
    sentence: Sentence
    place: int
    score: float
    side: str = ""
    ids: tuple[str, ...] = ()
    named: frozenset[str] = frozenset()
    first: bool = False
    own: float = 0.0
    serves: float = 1.0
    stray: bool = False
    about: frozenset[str] = frozenset()
    headed: float = 0.0

    @property
    def text(self) -> str:
        """Its words."""
        return self.sentence.text

    @property
    def key(self) -> tuple[str, int]:
        """Which statement of which source."""
        return self.page.id, self.place

    @property
    def is_pair(self) -> bool:
        """Whether it is a label with a value, and no sentence."""
        return self.sentence.kind == "row" or pair_in(self.sentence) is not None

    @property
    def depends(self) -> bool:
        """Whether it only makes sense after the statement before it."""
        return bool(DEPENDENT.search(self.text))

    @property
    def leans(self) -> bool:
        """Whether it reads better after the statement before it: "The delay was caused by ..."."""
        if self.first:
            return self.depends
        return self.depends or (
            bool(LEANING.search(self.text)) and not any(mentions(self.text, n) for n in self.named)
        )


@dataclass(frozen=True, slots=True)
class Gathered:
    """The points on a question, best first, with the names that the question has in common with titles, and
    the things that it asks about and no page has, in its words, or, where it names nothing and asks yes or
    no, its other words that none has (`strangers`); `members` are pages on single
    things that it does not name, `elsewhere` those on another event; `lacks` is "all" if no paragraph is on
    it, or the kind of request whose point, a cause or a dispute, none tells."""

    points: tuple[Point, ...]
    names: tuple[str, ...]
    every: dict[tuple[str, int], Point] = field(default_factory=dict, hash=False, compare=False)
    siblings: frozenset[str] = frozenset()
    unsaid: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()
    lacks: str = ""
    members: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()

    def beside(self, point: Point, places: int = 1) -> Point | None:
        """The statement so many places behind one in its paragraph."""
        other = self.every.get((point.page.id, point.place + places))
        return other if other and other.sentence.block == point.sentence.block else None


def pair_in(sentence: Sentence) -> tuple[str, str] | None:
    """Label and value of a list item or line such as "Length: 232 m"."""
    if sentence.kind == "row" or ENDS.search(sentence.text) or _OF_CODE.search(sentence.text):
        return None
    found = _PAIR.match(sentence.text)
    if not found:
        return None
    label = found[1].strip(" *_")
    return f"{label})" if label.count("(") > label.count(")") else label, found[2].strip(" *_")
