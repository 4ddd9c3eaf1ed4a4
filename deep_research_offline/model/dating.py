"""What may change in time: words that tell of now, of then and of a change, and reports in which what an
older source says of how things stand carries its date."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .lexicon import load
from .page import Page
from .phrases import say
from .quantities import values_in, words_in
from .shared_names import years_in
from .text import split_prose
from .thesaurus import group_of

CUES = {name: re.compile(words, re.IGNORECASE) for name, words in load("differences")["cues"].items()}
APART = 4
"""Months after which an account of how things stand may be out of date."""
_FIXED = frozenset(load("differences")["measures"]["fixed"].split())
_CELL = re.compile(r"(?<=\| )([^|\[\]\n]+?) ((?:\[[^\]\n|]+\])+)(?= \|)")
_CITED = re.compile(r"(^(?:[-*] |\d+\. )?|(?<=\] ))(.+?)((?:\s?\[[A-Z]{1,4}\d[^\]]*\])+)")
_CLAUSE = re.compile(r"(?<!\d)[,;]\s|[，；、]")
_MINE = re.compile(r"\b(?:i|me|mine|my)\b", re.IGNORECASE)
"""Of what somebody paid or waited, which tells others how things stand."""
_HOLDER = re.compile(r"\b(?:is|are) [A-Z][\w'’-]+ [A-Z]")

_NOW = r"\b(?:has|have|is|are)\b"
_SINCE = r"\bsince\b[^,;]*\d{4}"
_LASTS = re.compile(rf"{_NOW}[^,;]*{_SINCE}|{_SINCE}[^;]*{_NOW}|\bstill \w+s\b", re.IGNORECASE)


def months(date: str) -> int:
    """A date as a number of months; 0 if it tells no year."""
    found = re.search(r"(\d{4})(?:-(\d\d))?", date)
    return 12 * int(found[1]) + int(found[2] or 0) if found else 0


def is_state(text: str) -> bool:
    """Whether a sentence tells in one of its clauses, without a date, how much there is of what may change,
    or who leads, or what has been so since a year."""
    if _LASTS.search(text):
        return True
    dated = years_in(text) or CUES["dated"].search(text)
    return not dated and any(map(_clause_is_state, _CLAUSE.split(text)))


def _clause_is_state(clause: str) -> bool:
    said = [unit for _, unit, _, _ in values_in(clause) if not unit & _FIXED]
    holds = _HOLDER.search(clause) and words_in(clause) & group_of("person")
    over = CUES["ended"].search(clause) or (CUES["happened"].search(clause) and not _MINE.search(clause))
    return bool(said or holds) and not over


def with_dates(markdown: str, pages: Sequence[Page], lang: str) -> str:
    """A report in which what an older source says of how things stand is marked with its date."""
    by_id = {page.id: page.published[:10] for page in pages if page.published}
    newest = max(map(months, by_id.values()), default=0)

    def date_of(said: str, ids: str) -> str:
        """The date to be told with it, in the words of the language; empty if none is."""
        dates_of = [by_id.get(i, "") for i in re.findall(r"\[([^\]]+)\]", ids)]
        date = max(dates_of) if all(dates_of) else ""
        known = not date or newest - months(date) < APART or date in said
        return "" if known else say("as_of", lang, date=date)

    def in_row(line: str) -> str:
        """A row with the dates of its older values; rows of a year need none."""
        first, rest = line[: line.find("|", 1)], line[line.find("|", 1) :]
        return line if years_in(first) else first + _CELL.sub(in_cell, rest)

    def in_cell(found: re.Match[str]) -> str:
        lead = date_of(found[1], found[2]) if is_state(found[1]) else ""
        return f"{found[1]} ({lead[:1].lower()}{lead[1:].rstrip(':： ')}) {found[2]}" if lead else found[0]

    def marked(found: re.Match[str]) -> str:
        if not (lead := date_of(found[2], found[3])):
            return found[0]
        return found[1] + " ".join(lead + s if is_state(s) else s for s in split_prose(found[2])) + found[3]

    lines = markdown.split("\n")
    return "\n".join(
        in_row(line) if line[:1] == "|" else line if line[:1] == "#" else _CITED.sub(marked, line)
        for line in lines
    )
