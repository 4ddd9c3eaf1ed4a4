"""Which numbers and names of a sentence a source bears out by itself.

A number counts where a passage about a thing that the sentence names states it with the noun that the
sentence counts: the 20 in another accident's report is none of a harbour's 20 masts. A name counts where such
a passage, or one with half of the sentence's words, has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from deep_research.text.quantities import Quantity, is_stated, quantities
from deep_research.text.wording import nfkc, terms_in

from .evidence import SourceReading, WantedTerms, passages_with, terms_of
from .stated_values import values_of_kind
from .subjects import Name, names_of, share_name

Part = Quantity | Name
_HALF = 0.5
_NOUN = re.compile(r"\s?([^\W\d_]+)")


def parts_of(sentence: str, readings: Iterable[SourceReading]) -> set[Part]:
    """The numbers and names of a sentence; a small number in words may be the writer's own count."""
    names = {name for reading in readings for name in names_of(sentence, reading)}
    return {*names, *(value for value in quantities(sentence) if not value.counted)}


def parts_in(sentence: str, parts: Iterable[Part], reading: SourceReading) -> set[Part]:
    """Those of these parts of a sentence that a source bears out."""
    names = [part for part in parts if isinstance(part, frozenset)]
    numbers = [part for part in parts if isinstance(part, Quantity)]
    close = {*passages_with(WantedTerms(terms_of(sentence), reading), _HALF)}
    found = set[Part]()
    for place, passage in enumerate(reading.passages):
        known = passage.terms | passage.context
        about = {name for name in names if name <= known}
        stated = set[Part]()
        for number in numbers:
            noun = "" if number.unit or number.date else _noun_behind(sentence, number)
            if noun and not terms_in(noun) & known:
                continue
            for said in values_of_kind(number, passage, reading):
                subject = said.subject.possible()
                if is_stated(number, [said.value]) and (not names or about or share_name(names, subject)):
                    stated.add(number)
                    about |= {name for name in names if share_name([name], subject)}
        if stated or place in close:
            found |= stated | about
    return found


def _noun_behind(sentence: str, number: Quantity) -> str:
    match = _NOUN.match(nfkc(sentence), number.end)
    return match[1] if match else ""
