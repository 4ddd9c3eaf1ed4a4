"""To whom something was done: "X was fined" of a page that fines somebody else, or tells of no such thing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deep_research.text.wording import names_in, nfkc, stem, terms_in, word_tokens

from .contrasts import PASSIVE
from .evidence import ANAPHOR, SourceReading

_POINTS = re.compile(r"\b(?:it|s?he|they|him|her|them|who|whom|which|whose|its|his|their)\b", re.IGNORECASE)
_TO_WHAT = re.compile(
    r"\s(?:on|onto|upon|to|against|by|with) "  # behind "in" and "from" stands the setting of a page
    r"(?:(?:the|an?|its?|his|her|their|th[ei]se?) )?"
    r"((?:[a-z-]+ ?){1,3}?)"
    r"(?=[,.;:]|$| ?\b(?:that|which|who|and|or|but|when|after|of|in|on|at|by|for|from|to|with)\b)"
)
"""To or by what it was done, behind the verb; names are left to the rules on names."""
_WITHOUT_OBJECT = frozenset("in on at from for to by with as and but or after before since until".split())
"""What shows behind a verb that it was done to nothing else: of a mine that "opened in 1921" one says that it
was opened then."""
_CLAUSE = re.compile(r"[,;:]|\b(?:and|but|that|which|who)\b")
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
        words = [*word_tokens(passage.text), None]
        places = [
            before.term in name and behind is not None and behind.word not in _WITHOUT_OBJECT
            for before, word, behind in zip(words, words[1:], words[2:], strict=False)
            if before and word and word.word == done
        ]
        return not places or not all(places)
    before = reading.passages[at - 1].terms if at else frozenset[str]()
    leans = name & before and re.search(rf"^(?:The|This) |\b{done} (?:the|this) [a-z]", passage.text)
    return bool(name & passage.context or leans or _POINTS.search(passage.text))


def is_brought_together(sentence: str, readings: Sequence[SourceReading]) -> bool:
    """Whether a claim says that something was done to a thing, "the fine was imposed on the book", that pages
    have both and never together: in no sentence, with what stands over it, and without the verb. A sentence
    that names nothing, or points back, goes with the one before it; a word within a name is another."""
    plain = nfkc(sentence)
    told = [(done, to[1]) for done in PASSIVE.finditer(plain) if (to := _TO_WHAT.match(plain, done.end()))]
    verbs = {word[:_RELATED] for reading in readings for word in reading.places} if told else ()
    for done, to_what in told:
        subject, thing = _common(_CLAUSE.split(plain[: done.start()])[-1]), _common(to_what)
        if stem(done[1])[:_RELATED] in verbs or not (subject and thing):
            continue
        places = [place for reading in readings for place in _places(reading)]
        both = any(subject & place and thing & place for place in places)
        if not both and all(any(some & place for place in places) for some in (subject, thing)):
            return True
    return False


def _places(reading: SourceReading) -> Iterator[frozenset[str]]:
    """The words of each sentence that are no names, with those over it and of the one that it leans on."""
    before = frozenset[str]()
    for one in reading.passages:
        own, leans = _common(one.text), ANAPHOR.search(one.text) or not names_in(one.text)
        yield own | one.context | (before if leans else frozenset())
        before = own


def _common(text: str) -> frozenset[str]:
    """The words of content of a text that are neither in names nor numbers."""
    names = {word.start for run in names_in(text) for word in run}
    words = (one for one in word_tokens(text) if not one.filler and one.start not in names)
    return frozenset(one.term for one in words if not one.term[0].isdigit())
