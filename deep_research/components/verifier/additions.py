"""What a sentence adds to its source, looked for where a report has not earned to be believed.

"The master was trained at a school for riggers, which is in the isles" has a name, a verb and a whole clause
of its page, so most of its words are there. People's paraphrases look the same, so this alone is no reason to
mark a sentence. In a report of which too few statements have evidence to be complete, it is: there each part
between commas or colons has to have half of its weight in one place, two passages that follow each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from deep_research.core.forms import form
from deep_research.core.records import Claim
from deep_research.text.quantities import is_stated, quantities
from deep_research.text.terms import is_cjk
from deep_research.text.wording import content_words, names_in, nfkc, terms_in, terms_of_names

from .claims import SourceText
from .claims.conflicts import SourceName
from .claims.evidence import SourcePassage, SourceReading, WantedTerms, terms_of
from .claims.found import told_in, without_attribution
from .uncited import share_with_evidence

_CUT = re.compile(r"[;；]|[,:]\s|[，：、]")
_FEWEST = 2
"""Words of a part that tells something."""
_HALF = 0.5


def flag_additions(claims: Sequence[Claim], texts: Mapping[SourceName, SourceText], least: float) -> None:
    """Flag what the statements of a report add to their sources, if fewer than `least` have evidence."""
    found, n = share_with_evidence(claims)
    for claim in claims if found < n * least else ():
        cited = [texts[number] for number in claim.sources if number in texts]
        sentence, readings = without_attribution(claim.text, cited), [text.read() for text in cited]
        if claim.verdict == "evidence_found" and (added := [*_added(sentence, readings)]):
            claim.verdict, claim.reasons, claim.differs = "flagged", ["not_found"], added


def flag_echoes(claims: Sequence[Claim], texts: Sequence[SourceText], question: str) -> None:
    """Flag those statements with most of the question's words whose words nothing that was read has.

    "The weekly market is on Friday" has its market from "On which day is the weekly market?", and a page on
    something else on Fridays bears out the rest. People say in the question's words what pages say in theirs:
    so it counts only where no page of the run has them. One may be a synonym: two have to be missing, and be
    half of what is shared.
    """
    asked = {one.term for one in content_words(question) if not (one.filler or is_cjk(one.term))}
    asked -= terms_of_names(question, initial=True)
    shared = [terms_in(claim.text) & asked for claim in claims]
    most = max(map(len, shared), default=0)
    if most < _FEWEST:
        return
    told = terms_in("\n".join(f"{text.title}\n{text.text}" for text in texts))
    for claim, words in zip(claims, shared, strict=True):
        missing = sorted(words - told)
        is_answer = claim.verdict == "evidence_found" and len(words) == most
        if is_answer and len(missing) >= max(_FEWEST, most / 2):
            claim.verdict, claim.reasons, claim.differs = "flagged", ["not_found"], missing


def _added(sentence: str, readings: Sequence[SourceReading]) -> Iterator[str]:
    """The parts of a sentence of which no place has half, but for what leads to its first name or figure, and
    talk of the sources."""
    begun = False
    for part in map(str.strip, _CUT.split(sentence)):
        named = bool(names_in(part) or quantities(part))
        begun = begun or named
        told = begun and (named or not form("talk.marks").search(part)) and len(terms_of(part)) >= _FEWEST
        if told and all(_share_in_one_place(part, one) < _HALF for one in readings):
            yield part


def _share_in_one_place(part: str, reading: SourceReading) -> float:
    """The share of a part's weight that one place of a source has with its title, amounts in any notation."""
    plain, wanted = nfkc(part), WantedTerms(terms_of(part), reading)
    values = quantities(plain)

    def held(place: Sequence[SourcePassage]) -> frozenset[str]:
        lines = [line for one in place for line in (told_in(one), one.setting, reading.title)]
        said = [value for line in lines if values for value in quantities(line)]
        stated = (terms_in(plain[one.start : one.end]) for one in values if is_stated(one, said))
        return terms_in(reading.title).union(*(one.terms | one.context for one in place), *stated)

    places = [reading.passages[max(place - 1, 0) : place + 1] for place in wanted.places]
    return max(wanted.share(held(place)) for place in [(), *places])
