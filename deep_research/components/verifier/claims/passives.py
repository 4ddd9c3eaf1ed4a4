"""To whom something was done: "X was fined" of a page that fines somebody else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from deep_research.text.wording import names_in, nfkc, stem, terms_in, word_tokens

from .contrasts import PASSIVE
from .evidence import SourceReading

_POINTS = re.compile(r"\b(?:it|s?he|they|him|her|them|who|whom|which|whose|its|his|their)\b", re.IGNORECASE)
_RELATED = 5  # letters of a stem: "design" in "designer"


def is_done_to_other(sentence: str, readings: Sequence[SourceReading]) -> bool:
    """Whether a claim says that something was done to what it names, "X was fined", and pages that tell of
    such a thing, with a figure of the claim, say of nobody that may be X that it was: none of the sentences
    with a word of that stem has X, its page, or a word that points back, but where X does it."""
    plain = nfkc(sentence)
    names = {
        run[-1].start + len(run[-1].word): frozenset(token.term for token in run)
        for run in names_in(plain, initial=True)
    }
    figures = {term for term in terms_in(plain) if term[0].isdigit()}
    for done in PASSIVE.finditer(plain):
        name, verb = names.get(done.start() - 1), stem(done[1])
        told = [
            (one, at)
            for one in readings if name
            for at, passage in enumerate(one.passages)
            if any(word[:_RELATED] == verb[:_RELATED] for word in passage.terms)
        ]  # fmt: skip
        is_this = any(not figures.isdisjoint(one.passages[at].terms) for one, at in told)
        if name and is_this and not any(_may_speak_of(name, done[1], one, at) for one, at in told):
            return True
    return False


def _may_speak_of(name: frozenset[str], done: str, reading: SourceReading, at: int) -> bool:
    """Whether a sentence may say that something was done to this: not if it did it itself, or if somebody did
    it to another that is named behind the verb."""
    passage = reading.passages[at]
    behind = re.search(rf"\b{done} ((?:the )?[A-Z]\S*(?: \S+){{0,5}})", passage.text)
    if behind and name.isdisjoint(terms_in(behind[1])) and done not in PASSIVE.findall(passage.text):
        return False
    if name & passage.terms:
        words = word_tokens(passage.text)
        places = [before.term in name for before, word in pairwise(words) if word.word == done]
        return not places or not all(places)
    before = reading.passages[at - 1].terms if at else frozenset[str]()
    leans = name & before and re.search(rf"^(?:The|This) |\b{done} (?:the|this) [a-z]", passage.text)
    return bool(name & passage.context or leans or _POINTS.search(passage.text))
