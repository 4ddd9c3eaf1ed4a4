"""What a label tells of its value: that it is the maker of something, or the place where something is.

"Foundry" over a column, "Printed by:" before a name, or "was built by" in a sentence say which of two names
is the maker; "Home port" says which is the place. A claim turns that round where it has the maker made ("the
foundry was cast at the bell"), the thing making ("the bell cast the foundry"), or gives the maker or the
place one of its own ("the terminus of the hut", "the maker's plate of the foundry"). Labels of other kinds
tell nothing here, and neither does a claim that has not both names.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from .evidence import Passage
from .roles import BEING
from .wording import Token, names, tokens

Kind = Literal["maker", "place"]

_MAKER = frozenset(
    "by author brewer brewery builder company composer creator designer developer factory firm foundry "
    "founder house kennel maker manufacturer mill painter press printer producer publisher shipyard studio "
    "works workshop writer yard".split()
)
_PLACE = frozenset(
    "base city country destination harbour headquarters home location port seat station stop terminus town "
    "venue village".split()
)
_KINDS: dict[str, Kind] = {**dict.fromkeys(_MAKER, "maker"), **dict.fromkeys(_PLACE, "place")}
_AT = frozenset(("at", "by", "in", "from"))
_OUT = frozenset(("from", "off", "out"))
_OWNED = frozenset(("of", "on"))
_NEAR = 4
_PASSIVE = re.compile(r"\b(?:was|were|is|are) [a-z]{3,} by (?=the [A-Z]|[A-Z])")
_LABEL = re.compile(r"(?:[-*] )?([^.:|]{1,40}): ([^:|]{1,80})")


class Fact(NamedTuple):
    """The name that a label speaks of, the name that is its value, and what kind of value that is."""

    subject: frozenset[str]
    value: frozenset[str]
    kind: Kind


def label_turned(claim: str, passages: Sequence[Passage], title: str) -> bool:
    """Whether the claim has subject and value of a label in each other's place."""
    claim = unicodedata.normalize("NFKC", claim)  # the offsets of its words are those of this form
    words = tokens(claim)
    return any(_turned(claim, words, fact) for passage in passages for fact in _facts(passage, title))


def _facts(passage: Passage, title: str) -> Iterator[Fact]:
    """What a table row, a line with a label, or a sentence in the passive tells."""
    cells = row_cells(passage.text) if passage.text.startswith("|") else []
    header = row_cells(passage.setting[passage.setting.find("|") :]) if "|" in passage.setting else []
    told = [(cells[0], *pair) for pair in zip(header[1:], cells[1:], strict=False)] if len(cells) > 2 else []
    if len(cells) == 2:
        told.append((title, cells[0], cells[1]))
    if label := _LABEL.fullmatch(passage.text.strip()):
        told.append((title, label[1], label[2]))
    for subject, label_text, value in told:
        kinds = {
            _KINDS[token.word.lower()] for token in tokens(label_text)[-1:] if token.word.lower() in _KINDS
        }
        for kind in kinds:
            yield from _fact(subject, value, kind)
    if not cells and (
        by := re.search(r"\b(?:was|were|is|are) [a-z]{3,} by (?=the [A-Z]|[A-Z])", passage.text)
    ):
        before = passage.text[: by.start()]
        yield from _fact(before if names(before) else title, passage.text[by.end() :], "maker")


def _fact(subject: str, value: str, kind: Kind) -> Iterator[Fact]:
    about, given = names(subject, initial=True), names(value, initial=True)
    if about and given:
        a, b = ({token.term for token in run} for run in (about[0], given[0]))
        if a - b and b - a:
            yield Fact(frozenset(a - b), frozenset(b - a), kind)


def _turned(claim: str, words: Sequence[Token], fact: Fact) -> bool:
    subject, value = _place(fact.subject, words), _place(fact.value, words)
    if subject is None or value is None:
        return False
    if _has_its_own(words, value[0], fact.kind):
        return True
    if value[0] > subject[0]:
        between = words[subject[1] + 1 : value[0]]
        acts = fact.kind == "maker" and len(between) == 1 and _before(words, subject[0]) not in _AT | _OWNED
        return acts and between[0].word.lower() not in BEING and not between[0].filler
    joint = [token.word.lower() for token in words[value[1] + 1 : subject[0]] if token.word != "the"]
    if not joint or "," in claim[words[value[1]].start : words[subject[0]].start]:
        return False
    marked = joint[-1] in _AT or (joint[-1] == "of" and not _OUT.isdisjoint(joint))
    return marked and _before(words, value[0]) not in _AT | _OWNED


def _has_its_own(words: Sequence[Token], first: int, kind: Kind) -> bool:
    """Whether a noun of its own kind is the name's: "the terminus of X", "the maker's plate of X"."""
    before = [token.word.lower() for token in words[max(0, first - _NEAR - 1) : first]]
    while before and before[-1] in ("the", "a", "an"):
        before.pop()
    if not before or before.pop() not in _OWNED:
        return False
    return any(_KINDS.get(word) == kind for word in before[-3:])


def _place(name: frozenset[str], words: Sequence[Token]) -> tuple[int, int] | None:
    """The first and last word of a name in the claim; None unless all its words stand there together."""
    at = [place for place, token in enumerate(words) if token.capital and token.term in name]
    whole = {words[place].term for place in at} == name and at[-1] - at[0] < len(name) + 1
    return (at[0], at[-1]) if whole else None


def _before(words: Sequence[Token], first: int) -> str:
    """The word before a name and its article."""
    at = first - 1
    while at >= 0 and words[at].word.lower() in ("the", "a", "an"):
        at -= 1
    return words[at].word.lower() if at >= 0 else ""


def row_cells(row: str) -> list[str]:
    """The cells of a table row without the blanks around them."""
    return [cell.strip() for cell in row.strip().strip("|").split("|")]
