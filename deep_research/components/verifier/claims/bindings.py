"""What belongs to what: values to names, cells to labels, and roles to names.

*Roles.* "Of" and "'s" mark an owner, "by" an agent, who else comes first, before a verb that is no form of
"to be": so "Y wrote X" and "X is signed by Y" agree, and "X wrote Y" does not. Both names must stand in one
passage; a pronoun ("its", "he"), a label or a noun ("of the choir") stands there for the page's or section's
name. "The author of Y is X" and a cell below "Author" name the agent, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from deep_research.text.data import read_data
from deep_research.text.wording import Token, names_in, nfkc, terms_in, word_tokens

from .contrasts import LABELLED_LINE
from .evidence import SourcePassage, SourceReading


def cell_is_under_other_label(claim: str, row: SourcePassage, title: str) -> bool:
    """Whether behind a label the claim has a name that the row, or the title, has elsewhere.

    Labels are the column's header, and the first cell in a table of two columns.
    """
    header = _cells(row.setting[row.setting.find("|") :]) if "|" in row.setting else []
    cells = _cells(row.text)
    labelled = [
        *zip(header[1:], cells[1:], strict=False),
        *([(cells[0], cells[1])] if len(cells) == 2 else []),
    ]
    for label, cell in labelled:
        others = [other for other in (title, *cells) if other and other not in (cell, label)]
        for match in re.finditer(rf"(?:^|[;:,—] ){re.escape(label)}:? ", claim) if label else ():
            if any(claim.startswith(other, match.end()) for other in others):
                return not claim.startswith(cell, match.end())
    return False


def is_in_other_row(
    number: str, claim: frozenset[str], readings: Sequence[SourceReading], alone: bool = False
) -> bool:
    """Whether a number stands only in rows of tables, and in none of those that the claim names.

    A row is named by its first cell; nothing follows where the claim names no row of these tables. In a table
    of two columns that cell is an attribute, of which a claim may have other words. A number that stands
    `alone` in its claim is of what the claim names: prose counts only if it speaks of that.
    """
    words = terms_in(number)
    terms = {term for term in words if term[0].isdigit()} or words  # its unit may be written in another way
    places = [(one, n) for one in readings for n in one.places.get(min(terms, default=""), ())]
    stating = [one.passages[n] for one, n in places if terms <= one.passages[n].terms]
    prose = [one for one in stating if "|" not in one.text]
    if prose and not alone:
        return False
    tables = {one.setting for one in stating if "|" in one.text}
    labelled = (row for one in readings for term in claim for row in one.rows.get(term, ()))
    whose = [(row, label) for row, label in labelled if alone or len(_cells(row.text)) > 2]
    named = {row: label for row, label in whose if label <= claim and row.setting in tables}
    is_said = any(one.terms & label for one in prose for label in named.values())
    return bool(named) and not is_said and not any(one in named for one in stating)


def _cells(row: str) -> list[str]:
    """The cells of a table row without the blanks around them."""
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


_WORDS = {name: words.split() for name, words in read_data(__file__, "roles.toml").items()}
_ROLE_OF_WORD = {word: role for role in ("owner", "agent", "other") for word in _WORDS[role]}
_PRONOUNS = dict.fromkeys(_WORDS["possessives"], "owner") | dict.fromkeys(_WORDS["pronouns"], "")
_ARTICLES, _LIST_WORDS = frozenset(_WORDS["articles"]), frozenset(_WORDS["lists"])
_FORMS_OF_BE, _AGENT_NOUNS = frozenset(_WORDS["be"]), frozenset(_WORDS["agents"])
_NAMES = 2  # in a claim: of more it is not told which two have to do with each other


class NamePlace(NamedTuple):
    """Where a name stands in a sentence, and the role that a small word beside it marks, if any."""

    at: int
    role: str | None


class Pair(NamedTuple):
    """The places of two names in one sentence, and the sentence's words."""

    a: NamePlace
    b: NamePlace
    words: Sequence[Token]

    def marked(self, role: str) -> int | None:
        """Which of the two alone has the role, 0 or 1."""
        has = [place.role == role for place in (self.a, self.b)]
        return has.index(True) if sum(has) == 1 else None

    def actor(self) -> int | None:
        """Which of the two acts, where that is told: the author of Y, but for Y."""
        if (by := self.marked("agent")) is not None:
            return by
        owner = self.marked("owner")
        if owner is not None and any(token.word.lower() in _AGENT_NOUNS for token in self.words):
            return 1 - owner
        first, second = sorted((self.a, self.b), key=lambda place: place.at)
        between = self.words[max(first.at, 0) : second.at]
        if first.role or any(token.word.lower() in _FORMS_OF_BE for token in between):
            return None
        return 0 if first == self.a else 1


def roles_differ(claim: str, passages: Sequence[SourcePassage], title: str) -> bool:
    """Whether any of the passages has the two names of the claim in exchanged roles."""
    claim = nfkc(claim)  # the offsets of its words are those of this form
    words = word_tokens(claim)
    named = [name for name in names_in(claim, initial=True) if not all(t.word.isupper() for t in name)]
    known = "\n".join([title, *(f"{passage.setting}\n{passage.text}" for passage in passages)])
    found = _joined_names(named, words, claim, nfkc(known))
    if len(found) != _NAMES:
        return False
    return any(_are_exchanged(claim, passage, *found) for passage in passages)


def _joined_names(
    found: Sequence[list[Token]], words: Sequence[Token], claim: str, known: str
) -> list[list[Token]]:
    """The names, those taken as one that "of" or a word links that links them on the pages, too."""
    joined: list[list[Token]] = []
    for name in found:
        link = words.index(name[0]) - 1
        if joined and link >= 1 and words[link - 1] == joined[-1][-1]:
            phrase = claim[joined[-1][0].start : name[-1].start + len(name[-1].word)]
            if words[link].word == "of" or (words[link].word not in _LIST_WORDS and phrase in known):
                joined[-1] += name
                continue
        joined.append(list(name))
    return joined


def _are_exchanged(claim: str, passage: SourcePassage, a: list[Token], b: list[Token]) -> bool:
    """Whether two names have each other's role: by the first of marks and actors that tells."""
    here = _name_pair(a, b, claim, frozenset())
    is_row = passage.text.strip("| ").count("|") > 1
    there = _pair_in_row(a, b, passage) if is_row else _name_pair(a, b, nfkc(passage.text), passage.context)
    if here is None or there is None:
        return False
    answers = [(here.marked("owner"), there.marked("owner")), (here.actor(), there.actor())]
    first = next((both for both in answers if None not in both), None)
    return first is not None and first[0] != first[1]


def _pair_in_row(a: list[Token], b: list[Token], row: SourcePassage) -> Pair | None:
    """Two names that are cells of a row; the one below "Maker" or the like is the agent."""
    cells = [terms_in(cell) for cell in _cells(row.text)]
    names = [frozenset(token.term for token in name) for name in (a, b)]
    if "|" not in row.setting or not all(name in cells for name in names):
        return None
    header = _cells(row.setting[row.setting.find("|") :])
    agents = [at for at, label in enumerate(header) if label.lower() in _AGENT_NOUNS]
    first, second = (NamePlace(at, "agent" if at in agents else "") for at in map(cells.index, names))
    return Pair(first, second, ()) if "agent" in (first.role, second.role) else None


def _name_pair(a: list[Token], b: list[Token], text: str, topic: frozenset[str]) -> Pair | None:
    words = word_tokens(text)
    first, second = _place_of_name(a, words, text, topic), _place_of_name(b, words, text, topic)
    return Pair(first, second, words) if first and second and first.at != second.at else None


def _place_of_name(
    name: Sequence[Token], words: Sequence[Token], text: str, topic: frozenset[str]
) -> NamePlace | None:
    """The place of a name in a sentence, or of what stands there for the name that is the page's topic."""
    places = {token.term: at for at, token in reversed(list(enumerate(words))) if token.capital or not topic}
    if all(token.term in places for token in name):
        first, last = places[name[0].term], places[name[-1].term]
        return NamePlace(last, _marked_role(words, min(first, last), last, text))
    return _place_of_topic(words, text) if topic and all(token.term in topic for token in name) else None


def _place_of_topic(words: Sequence[Token], text: str) -> NamePlace | None:
    """The place of the page's topic: a pronoun, a label's owner, "of the choir"."""
    for at, token in enumerate(words):
        if token.word.lower() in _PRONOUNS:
            return NamePlace(at, _PRONOUNS[token.word.lower()] or _marked_role(words, at, at, text))
    if LABELLED_LINE.match(text):
        return NamePlace(-1, "owner")
    for at, (before, article, noun) in enumerate(zip(words, words[1:], words[2:], strict=False), 2):
        if before.word == "of" and article.word == "the" and not noun.capital:
            return NamePlace(at, "owner")
    return None


def _marked_role(words: Sequence[Token], first: int, last: int, text: str) -> str | None:
    """The role that the word before a name, or the "'s" behind it, gives it."""
    end = words[last].start + len(words[last].word)
    if text[end : end + 2] in ("'s", "’s", "' ", "’ "):
        return "owner"
    before = first - 1
    while before >= 0 and _is_part_of_name(words[before]):
        before -= 1
    return _ROLE_OF_WORD.get(words[before].word.lower()) if before >= 0 else None


def _is_part_of_name(token: Token) -> bool:
    """Whether a word before a name is a part of it or its article."""
    return token.word in _ARTICLES or (token.capital and not token.filler)
