"""Does the cited text support a sentence? A deterministic check that finds evidence and proves nothing.

For each source it finds the window of up to three sentences that says most of the claim; the share of the
claim's words in that window is the score. Then it compares with the passages on the same matter what must not
differ: numbers with their units, dates, names, negation, degree and who did what to whom. A claim that
repeats a passage nearly word for word is held to that one passage. A sentence whose pieces stand apart on the
pages, or that is cut off, is no evidence though all its words are there.

The verdict is `evidence_found`, `flagged` (with reasons) or `uncheckable`: rules on words tell a page about
this from a page about something else, and catch what a careless writer changes. They cannot tell whether the
page supports the sentence; that takes a reader, or a judge model.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from deep_research.text.quantities import DateIndex, Quantity, is_stated, quantities
from deep_research.text.terms import cjk_count

from .bindings import (
    cell_is_under_other_label,
    counts_otherwise,
    is_in_other_row,
    number_is_about_other_name,
    roles_differ,
)
from .contrasts import (
    adds_superlative,
    contradicts_its_amounts,
    has_misplaced_name,
    has_other_cjk_name,
    lacks_limit,
    negation_differs,
    split_off_label,
    split_off_title,
)
from .directions import agreement, certainty, degree_differs
from .evidence import (
    SourcePassage,
    SourceReading,
    WantedTerms,
    Window,
    best_window,
    passages_with,
    read_source,
    terms_of,
)
from .splices import is_spliced
from .wording import Token, initials, is_abbreviation, names_in, nfkc, terms_in

RuleVerdict = Literal["evidence_found", "flagged", "uncheckable"]
Reason = Literal["number", "date", "name", "negation", "comparison", "spliced", "not_found"]
REASONS: tuple[Reason, ...] = ("number", "date", "name", "negation", "comparison", "spliced", "not_found")

# The numbers below were set by hand on the claims of `benchmarks.corruptions` and on the halves of WiCE and
# SciFact that `benchmarks.wice` leaves out, so that quoted sentences raise no alarm, reworded ones few, and
# as many corruptions as then possible are caught. Set them anew if the claims of your reports differ.
ENOUGH_EVIDENCE = 0.2
"""The share of a claim's words, by weight, below which a window is not about the claim."""
_SHARE_ABOUT = 0.5  # of the window's share: a passage that holds so much is about the claim, too
_SHARE_ALONE = 0.6  # of the window's share: a passage that holds so much stands for the window
_OPENING = 4  # characters before a name that opens a sentence: an article
_LEAST_REST = 2  # words of a claim besides its subject, so that they tell something
_PASSAGES_NEARBY = 3  # passages on both sides that count in part
_SCORE_FACTOR = {
    "number": 0.78,
    "date": 0.78,
    "negation": 0.7,
    "comparison": 0.7,
}  # what such a reason leaves
_OTHER_SCORE_FACTOR = 0.9  # a name is judged wrongly more often than a number
_OPPOSED, _CONFIRMED = -0.5, 0.1  # agreement at which passages contradict a direction, or confirm it
_SAYS_REST = 0.9  # of a claim without its subject in one passage: that is what the passage says of its own
_REPEATED_OF_CLAIM = 0.75  # of the claim's words in one passage, and
_REPEATED_OF_PASSAGE = 0.6  # of that passage's words in the claim: the claim repeats it
_DATED = re.compile(r"(.{0,240}?)(\d{4}-\d\d-\d\d)(?: ?[)）]|時点)?[:：]\s*(?=\S)")
_OTHER_WORDS = 3
"""Words that an introduction may have besides the title: what kind of source it is."""
_LONGEST_NAME = 40
_HYPHENATED = re.compile(r"\b([A-Z]+)-(\d+)$")
_PART = re.compile(r": | — |; ")
_SEMICOLON = re.compile(r"; |；")
_CJK_STATEMENT = re.compile(r"[^：:はが为是]{2,24}[：:はが为是][^：:]{0,24}\d")


@dataclass(frozen=True, slots=True)
class SourceText:
    """What a claim is checked against: the full text of a cited source, its title and ISO date if known."""

    text: str
    title: str = ""
    published: str = ""


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """What the check says of one claim.

    `score` runs from 0 to 1: how much of the claim's words was found, less a part for each objection and for
    a direction that is not confirmed.
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


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What one source has on a claim: the window, the passages about it, whether one is repeated in it."""

    index: int
    reading: SourceReading
    wanted: WantedTerms
    window: Window
    passages: tuple[SourcePassage, ...]
    repeated: bool

    def around(self, passages: int) -> tuple[SourcePassage, ...]:
        """The window with so many passages on both sides."""
        return self.reading.passages[max(self.window.first - passages, 0) : self.window.last + 1 + passages]

    def closest(self) -> list[SourcePassage]:
        """The passages that alone hold most of what the window holds, the best first."""
        shares = [(self.wanted.share([p.terms, p.context]), p) for p in self.passages]
        shares.sort(key=lambda pair: -pair[0])
        return [passage for share, passage in shares if share >= _SHARE_ALONE * self.window.share]


def check_claim(sentence: str, sources: Sequence[SourceText | str]) -> ClaimCheck:
    """Check a sentence (without markers and markup) against the sources that it cites, alone and together.

    Linear in the length of the sources. A claim without words, or whose sources have no text or none in its
    script, is `uncheckable`. A row of statements, "A: 1; B: 2", has evidence if each of them has.
    """
    whole = _check_whole(sentence, sources)
    checks = [_check_alone(one, sources) for one in (_row(sentence) if whole.verdict == "flagged" else [])]
    if checks and all(_is_borne(check) for check in checks):
        weakest = min(checks, key=lambda check: check.score)
        return replace(weakest, verdict="evidence_found", reasons=(), each=whole.each)
    return whole


def _check_alone(statement: str, sources: Sequence[SourceText | str]) -> ClaimCheck:
    """The check of one statement of a row, which one of the sources has to bear out alone."""
    check = _check_whole(statement, sources)
    return next(filter(_is_borne, check.each), check.each[0]) if check.each else check


def _is_borne(check: ClaimCheck) -> bool:
    return check.reasons in ((), ("spliced",)) and check.quote is not None  # a label is no sentence


def _row(sentence: str) -> list[str]:
    """The statements that a sentence strings together by semicolons, each with a name and a number.

    The row of a table is one, too: a name, then a label and a value for each column. In Japanese and Chinese
    a row may have commas, if each of its statements says a value of a name: "A：1、Bは2".
    """
    pieces = [piece.strip() for piece in _SEMICOLON.split(sentence)]
    if len(pieces) == 1 and all(map(_CJK_STATEMENT.match, sentence.split("、"))):
        pieces = sentence.split("、")
    if len(pieces) > 2 and not re.search(r"\d|[:：]", pieces[0]):
        return [f"{pieces[0]}: {piece}" for piece in pieces[1:] if re.search(r"\d", piece)]
    told = all(re.search(r"\d", p) and (names_in(p, initial=True) or cjk_count(p)) for p in pieces)
    return pieces if told and len(pieces) > 1 else []


def _statement_around(sentence: str, place: int) -> str:
    """The statement of a row that stands at a place; of another sentence all."""
    statements = _row(sentence)
    return next((one for one in statements if place < sentence.find(one) + len(one)), sentence)


def _check_whole(sentence: str, sources: Sequence[SourceText | str]) -> ClaimCheck:
    texts = [source if isinstance(source, SourceText) else SourceText(source) for source in sources]
    sentence = without_attribution(sentence, texts)
    readings = [(i, read_source(t.text, t.title, t.published)) for i, t in enumerate(texts) if t.text.strip()]
    in_cjk = cjk_count(sentence) * 4 > len(sentence)
    readings = [(i, reading) for i, reading in readings if reading.is_cjk == in_cjk]
    if not readings or not (terms := terms_of(sentence)):
        return ClaimCheck("uncheckable")
    found = {i: _evidence(sentence, terms, i, reading) for i, reading in readings}
    together = _check_against(sentence, [one for one in found.values() if one])
    if len(texts) == 1:
        return together
    alone = {i: _check_against(sentence, [one] if one else []) for i, one in found.items()}
    each = tuple(alone.get(i, ClaimCheck("uncheckable")) for i in range(len(texts)))
    repeated = any(one.repeated for one in found.values() if one)
    best = together if repeated else max(together, *each, key=lambda check: check.score)
    return replace(best, each=each)


def without_attribution(sentence: str, sources: Sequence[SourceText]) -> str:
    """A sentence without its introduction, if that says who says it and when: the title of a source and the
    date of its publication, or that date alone ("As of 2024-05-01: ...")."""
    for source in sources:
        opening = _DATED.match(sentence)
        is_its_date = opening and source.published[:10] == opening[2]
        if opening and is_its_date and len(terms_in(opening[1]) - terms_in(source.title)) <= _OTHER_WORDS:
            return sentence[opening.end() :]
    return sentence


def _evidence(sentence: str, terms: Sequence[str], index: int, reading: SourceReading) -> _Evidence | None:
    wanted = WantedTerms(terms, reading)
    window = best_window(wanted)
    if window is None:
        return None
    inside = list(reading.passages[window.first : window.last + 1])
    inside += [reading.passages[place] for place in passages_with(wanted, window.share)]
    closest = max(inside, key=lambda passage: sum(_best_overlap(sentence, passage)))
    own, its = _best_overlap(sentence, closest)
    if own >= _REPEATED_OF_CLAIM and its >= _REPEATED_OF_PASSAGE:
        return _Evidence(index, reading, wanted, window, (closest,), True)
    return _Evidence(index, reading, wanted, window, _passages_about(wanted, window), False)


def _best_overlap(sentence: str, passage: SourcePassage) -> tuple[float, float]:
    """The shares that a sentence, or what stands behind its label, and a passage have of each other's words.

    The page's title in the claim is no loss, and neither is one name that the passage lacks: the sentence
    then repeats the passage with another name in it.
    """
    return max((_overlap(part, passage) for part in (sentence, split_off_label(sentence)[1])), key=sum)


def _overlap(text: str, passage: SourcePassage) -> tuple[float, float]:
    ours = terms_in(text)
    other, replaced = _one_unknown_name(text, passage.terms), _one_unknown_name(passage.text, ours)
    own = ours - (passage.context - passage.terms) - other or ours
    its = passage.terms - replaced if other else passage.terms
    mine, theirs = _numbers_among(own - its), _numbers_among(its - own)
    if len(mine) == len(theirs):
        own, its = own - mine or own, its - theirs or its
    shared = len(own & passage.terms)
    return shared / (len(own) or 1), shared / (len(its) or 1)


def _numbers_among(terms: Iterable[str]) -> set[str]:
    return {term for term in terms if term[0].isdigit()}


def _one_unknown_name(text: str, known: Collection[str]) -> frozenset[str]:
    """What is unknown of the name in the text that is not known, if there is just one."""
    unknown = [frozenset(token.term for token in run) - {*known} for run in names_in(text, initial=True)]
    found = [run for run in unknown if run]
    return found[0] if len(found) == 1 else frozenset()


def _passages_about(wanted: WantedTerms, window: Window) -> tuple[SourcePassage, ...]:
    """The passages about the claim: the window's, those beside it, and any that hold half as much."""
    passages = wanted.reading.passages
    close = set(range(max(window.first - 1, 0), min(window.last + 2, len(passages))))
    close.update(passages_with(wanted, _SHARE_ABOUT * window.share))
    return tuple(passages[place] for place in sorted(close))


def _check_against(sentence: str, found: Sequence[_Evidence]) -> ClaimCheck:
    """The check against all this evidence at once, or against the sources alone that repeat the claim."""
    found = [one for one in found if one.repeated] or found
    if not found:
        return ClaimCheck("flagged", ("not_found",))
    best = max(found, key=lambda one: one.window.share)
    share = _coverage(found, best)
    way = agreement(sentence, [(one.wanted, one.passages) for one in found])
    objections = _objections(sentence, found, best, way)
    found_nothing = share < ENOUGH_EVIDENCE or _has_only_name(sentence, found)
    against = {reason for reason, _ in objections}
    reasons = against | ({"not_found"} if found_nothing else set())
    start = best.reading.passages[best.window.first].start
    end = best.reading.passages[best.window.last].end
    left = math.prod(_SCORE_FACTOR.get(reason, _OTHER_SCORE_FACTOR) for reason in against)
    return ClaimCheck(
        "flagged" if reasons else "evidence_found",
        tuple(reason for reason in REASONS if reason in reasons),
        round(share * left * certainty(way), 4),
        best.reading.text[start:end],
        best.index,
        start,
        end,
        tuple(dict.fromkeys(words for _, words in objections if words)),
    )


def _has_only_name(sentence: str, found: Sequence[_Evidence]) -> bool:
    """Whether the sources have nothing of a claim but the one name in it; numbers would tell more."""
    known: list[Container[str]] = [one.reading.places for one in found]
    runs = [run for run in names_in(sentence, initial=True) if _count_known(run, known, ()) == len(run)]
    if len(runs) != 1 or quantities(sentence):
        return False
    rest = [term for term in terms_of(sentence) if term not in {token.term for token in runs[0]}]
    windows = [best_window(WantedTerms(rest, one.reading)) for one in found] if rest else []
    return bool(rest) and all(window is None or window.share < ENOUGH_EVIDENCE for window in windows)


def _coverage(found: Sequence[_Evidence], best: _Evidence) -> float:
    """How much of the claim the evidence holds: mostly by its windows, in part by what stands around them."""

    def share(passages: int) -> float:
        near = [passage for one in found for passage in one.around(passages)]
        return best.wanted.share(terms for passage in near for terms in (passage.terms, passage.context))

    titles = [passage.context for one in found for passage in one.around(0)]
    whole = best.wanted.share([*(one.reading.places for one in found), *titles])
    return 0.6 * share(0) + 0.2 * share(_PASSAGES_NEARBY) + 0.2 * whole


def _objections(
    sentence: str, found: Sequence[_Evidence], best: _Evidence, way: float | None
) -> list[tuple[Reason, str]]:
    """The reasons against the claim, other than that its words are not there, each with what differs."""
    opposed = way is not None and way <= _OPPOSED
    confirmed = way is not None and way >= _CONFIRMED and not best.repeated
    texts = [passage.text for passage in best.passages]
    closest = [one.text for one in best.closest()] or texts
    lacks = best.repeated and lacks_limit(sentence, texts[0])
    rules: list[tuple[Reason, bool]] = [
        ("name", _exchanges_names(sentence, found, best) or _has_other_subject(sentence, found)),
        ("comparison", opposed or degree_differs(sentence, closest, confirmed)),
        ("comparison", lacks or _adds_superlative(sentence, found)),
        ("comparison", contradicts_its_amounts(sentence)),
        ("negation", negation_differs(sentence, closest, best.repeated)),
        ("spliced", is_spliced(sentence, [(one.reading, one.window) for one in found])),
    ]
    reasons = [(reason, "") for reason, differs in rules if differs]
    return [*_wrong_values(sentence, found), *_unknown_names(sentence, found), *reasons]


def _adds_superlative(sentence: str, found: Sequence[_Evidence]) -> bool:
    """Whether no source has the claim's superlative in or around what it says about the claim."""
    passages = [passage for one in found for passage in (*one.passages, *one.around(_PASSAGES_NEARBY))]
    titles = [one.reading.title for one in found]
    return adds_superlative(sentence, [*(f"{p.setting}\n{p.text}" for p in passages), *titles])


def _has_other_subject(sentence: str, found: Sequence[_Evidence]) -> bool:
    """Whether all passages that say the rest of the claim open with another name than the claim does.

    A single word is a name only where a page has it inside a sentence, too: "Mice" or "Rebuilt" opens one.
    """
    subject = next(iter(names_in(sentence, initial=True)), [])
    own = {token.term for token in subject}
    rest = [term for term in terms_of(sentence) if term not in own]
    if len(rest) < _LEAST_REST or not any(_opens(subject, one.reading) for one in found):
        return False
    openings = []
    for one in found:
        wanted = WantedTerms(rest, one.reading)
        for place in passages_with(wanted, _SAYS_REST):
            passage = one.reading.passages[place]
            if passage.text[0] != "|" and wanted.share([passage.terms]) >= _SAYS_REST:
                other = next(iter(names_in(passage.text, initial=True)), [])
                openings.append(own.isdisjoint(passage.terms) and _opens(other, one.reading))
    return bool(openings) and all(openings)


def _opens(name: Sequence[Token], reading: SourceReading) -> bool:
    """Whether a name opens its sentence, and is one."""
    inside = rf"\w[,;]? {re.escape(name[0].word)}\b" if name else ""
    return (
        bool(name) and name[0].start <= _OPENING and (len(name) > 1 or bool(re.search(inside, reading.text)))
    )


def _exchanges_names(sentence: str, found: Sequence[_Evidence], best: _Evidence) -> bool:
    """Whether names of the claim stand in each other's place: in one passage, or over all sources."""
    passage, title = best.passages[0], best.reading.title
    if best.repeated and (
        has_misplaced_name(sentence, passage.text, title)
        or cell_is_under_other_label(sentence, passage, title)
    ):
        return True
    stating = [(passage, _values_of(one.reading, passage)) for one in found for passage in one.passages]
    texts = [one.text for one in best.closest()]
    if number_is_about_other_name(sentence, stating) or has_other_cjk_name(sentence, texts):
        return True
    _, tail = split_off_title(sentence, title, passage.text)
    return roles_differ(tail, texts, title)


def _wrong_values(sentence: str, found: Sequence[_Evidence]) -> Iterator[tuple[Reason, str]]:
    """A reason for each number that no passage about the claim states, and for each date that no source has.

    A date is often given once for a whole page, so it may stand anywhere in it, and is only wrong where the
    page gives other dates. Small numbers in words are checked only in a claim that repeats a passage.
    """
    repeated = found[0].repeated
    plain, readings = nfkc(sentence), [one.reading for one in found]
    near = [value for one in found for passage in one.passages for value in _values_of(one.reading, passage)]
    about = [passage for one in found for passage in one.passages]
    whole = [DateIndex(near)] if repeated else [one.reading.dates for one in found]
    for value in quantities(sentence):
        if value.date:
            rivals = repeated or any(dates.has_year for dates in whole)
            wrong = rivals and not any(dates.states(value) for dates in whole)
        else:
            wrong = (repeated or not value.counted) and not is_stated(value, near)
            told = _statement_around(plain, value.start)
            alone = len(quantities(told)) == 1
            wrong = wrong or is_in_other_row(plain[value.start : value.end], terms_in(told), readings, alone)
            wrong = wrong or counts_otherwise(plain, value, about)
        if wrong and not _is_in_joined_name(plain[: value.end], readings):
            yield "date" if value.date else "number", plain[value.start : value.end]


def _is_in_joined_name(text: str, readings: Iterable[SourceReading]) -> bool:
    """Whether a text ends in a name with a number, "F-16", that a source writes without the hyphen."""
    name = _HYPHENATED.search(text[-_LONGEST_NAME:])
    joined = re.compile(rf"\b{name[1]}{name[2]}\b") if name else None
    return joined is not None and any(joined.search(one.text) for one in readings)


def _values_of(reading: SourceReading, passage: SourcePassage) -> tuple[Quantity, ...]:
    """The numbers and dates of a passage, its heading and header, and the page's title."""
    return quantities(passage.text) + quantities(passage.setting) + quantities(reading.title)


def _unknown_names(sentence: str, found: Sequence[_Evidence]) -> list[tuple[Reason, str]]:
    """A reason where half of the claim's names or more are missing from the sources.

    A name counts as missing with half of its words or more, and one that is said twice is one name. A claim
    that repeats a passage is held to it, name by name and word by word.
    """
    repeated = found[0].repeated
    known: list[Container[str]] = [one.passages[0].context for one in found]
    known += [one.passages[0].terms if repeated else one.reading.places for one in found]
    runs = names_in(sentence, initial=repeated)
    enough = 1.0 if repeated else 0.51
    whole = [one.reading.abbreviations for one in found] + [initials(sentence)]
    missing = [run for run in runs if _count_known(run, known, whole) < enough * len(run)]
    different = {frozenset(token.term for token in run) for run in runs}
    tolerated = 0 if repeated or _is_whole_part(sentence, missing) else max(len(different) - 1, 0) // 2
    named = [" ".join(token.word for token in run) for run in missing]
    return [("name", words) for words in named] if len(missing) > tolerated else []


def _is_whole_part(sentence: str, found: Sequence[Sequence[Token]]) -> bool:
    """Whether one of these names is all of a part of the claim: a label, or what is given under one."""
    parts = [terms_in(part) for part in _PART.split(sentence)]
    return len(parts) > 1 and any({token.term for token in name} in parts for name in found)


def _count_known(
    name: Sequence[Token], sets: Iterable[Container[str]], short: Iterable[Container[str]]
) -> int:
    """How many words of a name any of the sets holds, or of abbreviations what the `short` ones hold."""
    return sum(
        any(token.term in known for known in (*sets, *(short if is_abbreviation(token) else ())))
        for token in name
    )
