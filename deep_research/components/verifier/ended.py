"""What a report says is so, and a page says was so: "the master is X" below "from 2039 to 2045 it was X".

A page that is out of date says of the present what has ended, and a sentence that repeats it has evidence. So
each statement in the present is looked for in all that was read: a clause with all of its words in the past,
for a time with an end, shows that it is so no longer. What ended in another clause is something else: "the
largest ship was the Gull, in service until 1938".

The other way round, too: "X was the master until 2047" of pages that have 2047 only as their date, and say
that X still is. What was still so when a page was written may have ended since. And an old copy of a page
bears out who held an office when it was made: to a question who holds it now, it tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from datetime import date

from deep_research.core.forms import form
from deep_research.core.records import Claim, Source
from deep_research.text.quantities import quantities
from deep_research.text.wording import nfkc, terms_in, terms_of_names

from .claims.contrasts import end_told
from .claims.evidence import SourcePassage, SourceReading, WantedTerms, terms_of
from .claims.found import told_in

_PRESENT = re.compile(
    r"\b(?:is|are|(?:has|have)(?! (?:\w+ly )?(?:been|\w+(?:ed|en|wn))\b)|current(?:ly)?|present(?:ly)?|now"
    r"|today|still|since)\b|现|現|目前|今"
)
_PAST = re.compile(r"\b(?:was|were|had|served|held)\b|曾|だった|でした")
_STILL = re.compile(r"\b(?:still|to this day)\b|仍|至今|迄今|依然|以来|一直|起(?!来)|今[もな]|現在[もま]")
_TIME = re.compile(
    r"(?:\bthe \w+ of )?(?:\b[A-Z][a-z]+ (?:\d{1,2}, )?)?[从自由]?(?<!\d)\d{4}(?!\d)(?:年[至到]?)?"
)
"""A year, with its month and a part of it."""
_VERB = re.compile(r"\b([a-z]{3,})(s|ed)\b")
_CUT = re.compile(
    r"[;；，]|,\s(?!(?:and that )?(?:from|between|until|till) \d)|[(（](?!\d|from|between|until|till)"
    r"|\b(?:who|which|where|when|while)\b"
    r"|\b(?:and|but)(?= (?:was|is|has|then|it|s?he|\w+ed)\b)"
)
_OPENING_TIME = re.compile(r"^((?:From|Between) [^,]{0,40}\d{4}),(?: (?:when|while|where|which)\b[^,]*,)?")
_OF_WHOM = re.compile(r"^([^,]{2,60}), (?:who|which) ([^,]+)")
"""Somebody or something, and what a clause behind it tells of that."""
_HOLDER = re.compile(
    r"\b(?:the|its) (?P<role>(?:current|present) [^,;:]{3,60}), (?P<who>[^,;:]{3,40}),"
    r"|(?P<name>[^\W\d_][^,;:]{3,40}), (?:the|its) (?P<office>(?:current|present) [^,;:]{3,60}),",
    re.IGNORECASE,
)
"""Who holds a place now, said beside something else: "The present master, Ada Moe, was born in 1980"."""
_OLD = 3
"""Years after which a page tells nothing of the present."""
_SAID = 0.85
"""The share of a statement's weight, but for words for the present, with which a clause says the same."""


def flag_ended(claims: Iterable[Claim], readings: Sequence[SourceReading]) -> None:
    """Flag the statements that say of the present what one of the pages read gives an end for, and those that
    give an end for what is still so."""
    for claim in claims:
        told = nfkc(claim.text)
        held = (f"{m['who'] or m['name']} is the {m['role'] or m['office']}" for m in _HOLDER.finditer(told))
        objections = (_ended(one, readings) or _goes_on(one, readings) for one in (told, *held))
        if claim.verdict == "evidence_found" and (other := next(filter(None, objections), None)):
            claim.verdict, claim.reasons = "flagged", ["date", f"“{other.text}”"]


def _goes_on(sentence: str, readings: Sequence[SourceReading]) -> SourcePassage | None:
    """A passage by which what a sentence gives an end for goes on, if none of them gives this end."""
    end, plain, found = end_told(sentence), _TIME.sub(" ", sentence), None
    names = terms_of_names(plain, initial=True)
    terms, is_state = terms_of(plain), _PAST.search(sentence)
    for reading in readings if end and terms else ():
        wanted, is_newer = WantedTerms(terms, reading), reading.published[:4] >= end
        told_of = wanted.weights.keys() - names - terms_in(reading.title)
        for passage in (reading.passages[place] for place in wanted.places):
            text, above = told_in(passage), passage.terms | passage.context
            if end in text and (told_of & passage.terms or not told_of):
                return None
            still = _STILL.search(text) or (is_state and _PRESENT.search(text) and not _PAST.search(text))
            if still and is_newer and names <= above and wanted.share(above) >= _SAID:
                found = found or passage
    return found


def _ended(sentence: str, readings: Iterable[SourceReading]) -> SourcePassage | None:
    """A passage in which what a sentence says of the present has ended."""
    names = terms_of_names(sentence, initial=True)
    amounts = (sentence[one.start : one.end] for one in quantities(sentence) if not one.date)
    own, terms = names | terms_in(" ".join(amounts)), terms_of(_PRESENT.sub(" ", sentence))
    verbs = {verb for verb, end in _VERB.findall(sentence) if end == "s"}
    if not (_PRESENT.search(sentence) or verbs) or _PAST.search(sentence) or not (names and terms):
        return None
    for reading in readings:
        wanted = WantedTerms(terms, reading)
        near = (reading.passages[n] for n in wanted.places if wanted.share(wanted.terms_at(n)) >= _SAID)
        same = [one for one in near if names <= one.terms | one.context and own & one.terms]
        told = [nfkc(told_in(one)) for one in same]
        if any(_PRESENT.search(text) and not _PAST.search(text) for text in told):
            continue  # it was so before, and is so again
        for passage, text in zip(same, told, strict=True):
            clauses = _CUT.split(_OPENING_TIME.sub(r"\1", text)) + list(map(" ".join, _OF_WHOM.findall(text)))
            ended = any(_tells_of_end(one, sentence, verbs, wanted, passage.context) for one in clauses)
            if ended and (names <= passage.terms or terms_of_names(passage.text, initial=True) <= names):
                return passage  # with another name, what stands above may not be what it speaks of
    return None


def _tells_of_end(
    clause: str, sentence: str, verbs: Set[str], wanted: WantedTerms, above: frozenset[str]
) -> bool:
    """Whether a clause says the same of the past alone, up to an end that the sentence does not name."""
    end = end_told(clause)
    if not end or end in sentence or wanted.share(terms_in(clause) | above) < _SAID:
        return False
    was = _PAST.search(clause) or any(verb in verbs and end == "ed" for verb, end in _VERB.findall(clause))
    return bool(was) and not _PRESENT.search(clause)


def flag_dated(claims: Iterable[Claim], cited: Sequence[Source], question: str, today: date) -> None:
    """Flag who is said to hold a place, to a question who holds it now, if all pages cited for it are old; a
    statement that gives their date leaves nobody in doubt."""
    asked = terms_of_names(question) or terms_in(question)
    oldest = f"{today.year - _OLD}{today.isoformat()[4:]}"
    for claim in claims if form("questions.now").search(question) else ():
        plain, pages = nfkc(claim.text), [cited[number - 1] for number in claim.sources]
        is_old = max((page.published or "9" for page in pages), default="9") < oldest
        is_now = _PRESENT.search(plain) and not _PAST.search(plain) and asked & terms_in(plain)
        is_dated = any((page.published or "-") in plain for page in pages)
        if claim.verdict == "evidence_found" and is_now and is_old and not is_dated:
            told = (f"“{page.title}” ({page.published})" for page in pages)
            claim.verdict, claim.reasons = "flagged", ["date", *told]
