"""Does the cited text support a sentence? A deterministic check that finds evidence and proves nothing.

For each source it finds the window of up to three sentences that says most of the claim, and the passages on
the same matter (`found`). Two small fitted models weigh how much of the claim is there, and whether it is
said the same way round (`weighing`). Rules object where something differs that must not: numbers with their
units, dates, names, negation, degree, who did what to whom; and to sentences that nobody put together so.

Rules on words tell a page about this from a page about something else, and catch what a careless writer
changes. They cannot tell whether the page supports the sentence; that takes a reader, or a judge model.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from deep_research.text.cited_sentences import LONGEST_SENTENCE, sentence_spans
from deep_research.text.quantities import (
    DateIndex,
    Quantity,
    differences,
    differences_in_points,
    is_stated,
    quantities,
)
from deep_research.text.terms import cjk_count
from deep_research.text.wording import Token, initials, is_code, names_in, nfkc, terms_in

from .belonging import KINDS, is_in_other_column, is_under_other_label, of_others
from .comparisons import comparison_holds
from .contrasts import (
    has_misplaced_name,
    has_other_cjk_name,
    has_other_name,
    limits_differ,
    negation_differs,
)
from .directions import opposites
from .evidence import WantedTerms, passages_with, terms_of
from .found import Evidence, gather
from .found import SourceText as SourceText
from .passives import is_brought_together, is_done_to_other
from .roles import joined_names, roles_differ
from .splices import is_misquoted, is_spliced
from .subjects import Name, is_about_other, is_name
from .weighing import weigh

RuleVerdict = Literal["evidence_found", "flagged", "uncheckable"]
Reason = Literal["number", "date", "name", "negation", "comparison", "spliced", "not_found"]
REASONS: tuple[Reason, ...] = ("number", "date", "name", "negation", "comparison", "spliced", "not_found")

LIKELY, AGREES = 0.5, 0.55
"""How likely pages have to speak of a claim, and to say the same, for their sentences to be evidence.

Set on the halves of the labelled claims to which the weights are fitted.
"""
_OPENING = 4  # characters before a name that opens a sentence: an article
_AS_CLOSE = 0.1  # of a claim: passages that say so much less are as close
_LEAST_REST = 2  # words of a claim besides its subject, so that they tell something
_LEFT_BY_OBJECTION = 0.8  # of the score, for each reason against a claim
_SAYS_REST = 0.6  # of a claim without its subject in one passage: that is what the passage says of its own
_LONGEST_NAME = 40
_BESIDE_OPPOSITES = 2
"""Words at least beside two opposites where the claim does not repeat the passage."""
_HYPHENATED = re.compile(r"\b([A-Z]+)-(\d+)$")
_PART = re.compile(r": | — |; ")
_DIFFERENCE = re.compile(r"\bdifference of $|相差$|差は$")
_BY = re.compile(r"\bby (?:about |around |some |nearly |almost )?$")
_MORE = re.compile(
    r" (?:more|less|fewer|(?:high|low|long|short|old|young|tall|lat|earli|cheap)er|after|before|apart)\b"
)
"""What stands beside how far two values lie apart."""
_BY_WHOM = re.compile(r"\bby (?:(?:the|its|his|her|their) )?(?:(?!an? )[a-z-]+ ){0,2}$")
"""What leads to the name of who does something, with what this is: "by the architect Ada Moe"."""
_INFORMS = re.compile(
    r"\b(?:information|details) (?:on|about|of|regarding)\b|\b(?:source|page)s? (?:[a-z]+s|[a-z]+ed)\b"
)
_ONE_PAGE = re.compile(r"\b(?:source|page) (?!was\b|has\b)[a-z]*s\b")
"""What is said of a single page, so that all of it has to stand on one."""
_JOINT = re.compile(r"; |；|, (?=against |while |whereas |compared )|，而")
_CJK_STATEMENT = re.compile(r"[^：:はが为是]{2,24}[：:はが为是][^：:]{0,24}\d")


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """What the check says of one claim.

    `score` runs from 0 to 1: how likely the sources speak of the claim and say the same, less a part for each
    reason against it.
    `quote` is `sources[source].text[start:end]`, the best window even of a flagged claim; None where nothing
    was found. `differs` are the words of the claim that a reason is about, where it is about single ones.
    `each` holds the checks against each source alone, where the claim cites several.
    """

    verdict: RuleVerdict
    reasons: tuple[Reason, ...] = ()
    score: float = 0.0
    quote: str | None = None
    source: int | None = None
    start: int | None = None
    end: int | None = None
    differs: tuple[str, ...] = ()
    each: tuple[ClaimCheck, ...] = field(default=())

    @property
    def tells_otherwise(self) -> bool:
        """Whether the sources say something else than the claim, or nothing of it."""
        return not {*self.reasons} <= {"spliced", "comparison"}


def check_claim(sentence: str, sources: Sequence[SourceText | str]) -> ClaimCheck:
    """Check a sentence (without markers and markup) against the sources that it cites, alone and together.

    Linear in the length of the sources. A claim without words, or whose sources have no text or none in its
    script, is `uncheckable`. A row of statements, "A: 1; B: 2", has evidence if each of them has, so that no
    value is taken for another's. What is longer than any sentence is checked piece by piece: it is as good as
    its worst.
    """
    if len(sentence) > LONGEST_SENTENCE:
        pieces = (sentence[start:end] for start, end in sentence_spans(sentence))
        return min((check_claim(piece, sources) for piece in pieces), key=_badness)
    whole = _check_whole(sentence, sources)
    row = row_of(sentence)
    alone = [_check_whole(one, sources) for one in row]  # one of the sources has to bear each out
    checks = [max(c.each, key=lambda one: (_is_borne(one), one.score)) if c.each else c for c in alone]
    if not checks or whole.verdict == "uncheckable" or "comparison" in whole.reasons:
        return whole
    denied = [check.reasons for check in checks if not _is_borne(check)]
    if not denied:
        weakest = min(checks, key=lambda check: check.score)
        return replace(weakest, verdict="evidence_found", reasons=(), each=whole.each)
    several = len({statement.partition(":")[0] for statement in row}) > 1
    wrong = tuple(reason for reason in denied[0] if reason in ("number", "name") and several)
    return whole if whole.reasons or not wrong else replace(whole, verdict="flagged", reasons=wrong)


def _badness(check: ClaimCheck) -> tuple[bool, bool, float]:
    return check.verdict != "flagged", check.verdict != "uncheckable", check.score


def _is_borne(check: ClaimCheck) -> bool:
    return check.reasons in ((), ("spliced",)) and check.quote is not None  # a label is no sentence


def row_of(sentence: str) -> list[str]:
    """The statements that a sentence strings together by semicolons, or sets against each other, each with a
    name and a number.

    The row of a table is one, too: a name, then a label and a value for each column. In Japanese and Chinese
    a row may have commas, if each of its statements says a value of a name: "A：1、Bは2".
    """
    pieces = [piece.strip() for piece in _JOINT.split(sentence)]
    if len(pieces) == 1 and all(map(_CJK_STATEMENT.match, sentence.split("、"))):
        pieces = sentence.split("、")
    if len(pieces) > 2 and not re.search(r"\d|[:：]", pieces[0]):
        return [f"{pieces[0]}: {piece}" for piece in pieces[1:] if re.search(r"\d", piece)]
    told = all(re.search(r"\d", p) and (names_in(p, initial=True) or cjk_count(p)) for p in pieces)
    return pieces if told and len(pieces) > 1 else []


def _check_whole(sentence: str, sources: Sequence[SourceText | str]) -> ClaimCheck:
    texts = [source if isinstance(source, SourceText) else SourceText(source) for source in sources]
    sentence, found = gather(sentence, texts)
    if not found:
        return _check_figures(sentence, texts)
    holds = comparison_holds(sentence, [one for one in found.values() if one])
    together = _check_against(sentence, [one for one in found.values() if one], holds)
    if len(texts) == 1:
        return together
    alone = {i: _check_against(sentence, [one] if one else [], holds) for i, one in found.items()}
    each = tuple(alone.get(i, ClaimCheck("uncheckable")) for i in range(len(texts)))
    repeated = any(one.repeated for one in found.values() if one)
    whole = max(each, key=lambda check: (check.verdict == "evidence_found", check.score))
    best = together if repeated and whole.reasons else max(together, whole, key=lambda check: check.score)
    return replace(best, each=() if holds else each)  # each may have its part of what is compared


def _check_figures(sentence: str, texts: Sequence[SourceText]) -> ClaimCheck:
    """The check of a claim in another script than its sources: its figures alone can be compared.

    They read the same in every script, so one that is nowhere in the sources is wrong.
    """
    told = "\n".join(f"{one.title}\n{one.published}\n{one.text}" for one in texts if one.text.strip())
    values = [value for value in quantities(sentence) if not value.counted] if told else []
    known = [value for line in told.split("\n") for value in quantities(line)] if values else []
    wrong = [value for value in values if not is_stated(value, known)]
    if not wrong:
        return ClaimCheck("uncheckable")
    plain, kinds = nfkc(sentence), {"date" if value.date else "number" for value in wrong}
    differs = tuple(plain[value.start : value.end] for value in wrong)
    return ClaimCheck("flagged", tuple(reason for reason in REASONS if reason in kinds), differs=differs)


def _check_against(sentence: str, found: Sequence[Evidence], holds: bool | None) -> ClaimCheck:
    """The check against all this evidence at once, or against the sources alone that repeat the claim.

    `holds` tells of a comparison whether figures bear it out. If so, no other word or order of names that the
    pages have speaks against it; only its score does against a sentence that a page has word for word.
    """
    found = [one for one in found if one.repeated and not holds] or found
    if not found:
        return ClaimCheck("flagged", ("not_found",))
    best = max(found, key=lambda one: one.window.share)
    likely = weigh(sentence, found)
    quoted = any(one.quotes(sentence) for one in found)
    objections = [] if quoted else _objections(sentence, found, best)
    objections += [("not_found", "")] if likely.found < LIKELY else []
    holds = quoted or holds
    objections += [("comparison", "")] if (likely.agrees < AGREES and not holds) or holds is False else []
    objections = [one for one in objections if not holds or one[0] not in ("comparison", "name")]
    reasons = {reason for reason, _ in objections}
    start = best.reading.passages[best.window.first].start
    end = best.reading.passages[best.window.last].end
    return ClaimCheck(
        "flagged" if reasons else "evidence_found",
        tuple(reason for reason in REASONS if reason in reasons),
        round(likely.score * _LEFT_BY_OBJECTION ** len(reasons), 4),
        best.reading.text[start:end],
        best.index,
        start,
        end,
        tuple(dict.fromkeys(words for _, words in objections if words)),
    )


def _objections(sentence: str, found: Sequence[Evidence], best: Evidence) -> list[tuple[Reason, str]]:
    """What speaks against the claim, though its words are there, each with what differs."""
    texts = [passage.text for passage in best.passages]
    closest = [one.text for one in best.closest()] or texts
    limited = best.repeated and limits_differ(sentence, texts[0])
    rules: list[tuple[Reason, bool]] = [
        ("name", _exchanges_names(sentence, found, best) or _has_other_subject(sentence, found)),
        ("name", is_done_to_other(sentence, [one.reading for one in found])),
        ("name", is_in_other_column(sentence, [passage for one in found for passage in one.passages])),
        ("spliced", is_brought_together(sentence, [one.reading for one in found])),
        ("comparison", limited),
        ("spliced", is_spliced(sentence, [(one.reading, one.window) for one in found])),
        ("spliced", is_misquoted(sentence, [one.reading for one in found])),
    ]
    reasons = [(reason, "") for reason, differs in rules if differs]
    reasons += _reversals(sentence, closest, best.repeated, texts)
    values = [*_wrong_values(sentence, found), *_names_of_other_rows(sentence, found)]
    return [*values, *_unknown_names(sentence, found), *reasons]


def _reversals(
    sentence: str, closest: Sequence[str], repeated: bool, passages: Sequence[str]
) -> list[tuple[Reason, str]]:
    """A reason for each opposite that no passage has, and for a denial that has no opposite in its place."""
    least = 1 if repeated else _BESIDE_OPPOSITES
    said = frozenset[str]() if repeated else terms_in("\n".join(passages))
    opposed = [
        word for text in closest for word in opposites(sentence, text, least) if not terms_in(word) & said
    ]
    denied = negation_differs(sentence, closest, repeated)
    denied = denied and not any(opposites(sentence, text, least, denied=True) for text in closest)
    reasons: list[tuple[Reason, str]] = [("comparison", word) for word in opposed]
    return [*reasons, ("negation", "")] if denied else reasons


def _has_other_subject(sentence: str, found: Sequence[Evidence]) -> bool:
    """Whether what the passages say that are closest to the rest of the claim is said of something else.

    Such a passage lacks the name that the claim opens with, and opens with another, or it opens with none and
    its page is about something that the claim does not speak of.
    """
    subject = _opening_name(sentence, found)
    rest = [term for term in terms_of(sentence) if term not in subject]
    if len(rest) < _LEAST_REST or not subject:
        return False
    claim, said_of = terms_in(sentence), list[tuple[float, bool]]()
    for one in found:
        wanted = WantedTerms(rest, one.reading)
        for place in passages_with(wanted, _SAYS_REST):
            passage = one.reading.passages[place]
            if (share := wanted.share(passage.terms)) >= _SAYS_REST and passage.text[0] != "|":
                said_of.append((share, is_about_other(subject, claim, place, one.reading)))
    closest = max((share for share, _ in said_of), default=0.0) - _AS_CLOSE
    return bool(said_of) and all(other for share, other in said_of if share >= closest)


def _opening_name(sentence: str, found: Sequence[Evidence]) -> Name:
    """The terms of the name of a page that a claim opens with: "The Lord of Ormsund", "Hop and the Bear"."""
    known = "\n".join(f"{one.reading.title}\n{one.reading.text}" for one in found)
    names = joined_names(nfkc(sentence), known)
    if not names or names[0][0].start > _OPENING or not is_name(names[0], known):
        return frozenset()
    return frozenset(token.term for token in names[0])


def _exchanges_names(sentence: str, found: Sequence[Evidence], best: Evidence) -> bool:
    """Whether names of the claim stand in each other's place: in one passage, or over all sources."""
    passage, title = best.passages[0], best.reading.title
    if best.repeated and has_misplaced_name(sentence, passage, title):
        return True
    closest = best.closest()
    texts = [one.text for one in (*best.around(0), *closest)]
    if has_other_name(sentence, texts, title) or has_other_cjk_name(sentence, texts, title):
        return True
    return roles_differ(sentence, closest, title)


def _wrong_values(sentence: str, found: Sequence[Evidence]) -> Iterator[tuple[Reason, str]]:
    """A reason for each number that no passage about the claim states, and for each date that no source has.

    A date is often given once for a whole page, so it may stand anywhere in it, and is only wrong where the
    page gives other dates. Small numbers in words are checked only in a claim that repeats a passage, and one
    that stands twice in it must stand twice there ("from 2044 to 2044").
    """
    repeated = found[0].repeated
    plain, readings = nfkc(sentence), [one.reading for one in found]
    passages = [passage for one in found for passage in one.passages]
    stated = [one.values_of(passage) for one in found for passage in one.passages]
    near = [value for values in stated for value in (*values, *differences_in_points(values))]
    whole = [DateIndex(near)] if repeated else [one.reading.dates for one in found]
    told = list(quantities(sentence))
    own_days = [DateIndex(quantities(one.reading.published)) for one in found]
    own_days = [] if any(value.date for value in near) else own_days  # of a page that gives no other
    taken = {one.start for kind in KINDS for one in of_others(plain, passages, kind)}
    figures = [value for value in told if not value.date]
    said, there = (Counter((one.date, one.unit, one.value) for one in values) for values in (told, near))
    doubled = {value for value, times in said.items() if repeated and times > max(there[value], 1)}
    apart: list[Quantity] | None = None
    for value in told:
        if _DIFFERENCE.search(plain[: value.start]):
            wrong = not is_stated(value, [*near, *differences([one for one in told if one is not value])])
        elif value.date:
            rivals = repeated or any(dates.has_year for dates in whole)
            wrong = rivals and not any(dates.states(value) for dates in whole)
            wrong = wrong and not (value.date[2] and any(dates.states(value) for dates in own_days))
        else:
            wrong = (repeated or not value.counted) and not is_stated(value, near)
            if wrong and (_BY.search(plain[: value.start]) or _MORE.match(plain, value.end)):
                apart = differences(near) if apart is None else apart
                wrong = value.unit == "%" or not is_stated(value, apart)
        label = plain[value.start : value.end], frozenset(terms_of(plain)), readings
        wrong = wrong or is_under_other_label(*label, alone=len(figures) == 1)
        wrong = wrong or value.start in taken or (value.date, value.unit, value.value) in doubled
        name = _HYPHENATED.search(plain[max(value.end - _LONGEST_NAME, 0) : value.end])
        joined = re.compile(rf"\b{name[1]}{name[2]}\b") if name else None  # "F-16" in a source that has "F16"
        if wrong and not (joined and any(joined.search(one.text) for one in readings)):
            yield "date" if value.date else "number", plain[value.start : value.end]


def _names_of_other_rows(sentence: str, found: Sequence[Evidence]) -> Iterator[tuple[Reason, str]]:
    """A reason for each name that tables give to others than to what the claim names."""
    readings, claim = [one.reading for one in found], frozenset(terms_of(sentence))
    names = [" ".join(token.word for token in run) for run in names_in(sentence, initial=True)]
    for name in names:
        if is_under_other_label(name, claim, readings, alone=len(names) == 2):
            yield "name", name


def _unknown_names(sentence: str, found: Sequence[Evidence]) -> list[tuple[Reason, str]]:
    """A reason where half of the claim's names or more are missing from the sources.

    A name counts as missing with half of its words or more, and one that is said twice is one name. None may
    be missing where the claim opens with one that is, or says of what a source tells. A claim that repeats a
    passage is held to it, name by name and word by word, but for whom a pronoun there stands; in another a
    code or an abbreviation may stand for what the page writes out.
    """
    if len(found) > 1 and _ONE_PAGE.search(sentence):
        return min((_unknown_names(sentence, [one]) for one in found), key=len)
    repeated, plain = found[0].repeated, nfkc(sentence)
    known: list[Container[str]] = [one.passages[0].context for one in found]
    known += [passage.terms for one in found for passage in one.known_from_before()]
    known += [one.passages[0].terms if repeated else one.reading.places for one in found]

    short = initials("\n".join([plain, *(one.passages[0].text for one in found)])) if repeated else None

    def is_known(word: Token) -> bool:
        if is_code(word, plain) and (short is None or word.term in short):
            return True  # the page may have written it out
        return any(word.term in terms for terms in known)

    runs = names_in(sentence, initial=repeated)
    enough = 1.0 if repeated else 0.51
    missing = [run for run in runs if sum(map(is_known, run)) < enough * len(run)]
    parts = [terms_in(part) for part in _PART.split(sentence)]  # a label, and what is given under it
    is_part = len(parts) > 1 and any({token.term for token in run} in parts for run in missing)
    different = {frozenset(token.term for token in run) for run in runs}
    opens = any(run[0].start <= _OPENING for run in missing)
    is_agent = any(_BY_WHOM.search(plain, 0, run[0].start) for run in missing)
    is_all = repeated or opens or is_part or is_agent or _INFORMS.search(sentence)
    tolerated = 0 if is_all else max(len(different) - 1, 0) // 2
    named = [" ".join(token.word for token in run) for run in missing]
    return [("name", words) for words in named] if len(missing) > tolerated else []
