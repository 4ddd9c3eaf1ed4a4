"""Sentences that say what the sources do not have: of the material, too, a report may say what is false.

"The mooring masts of Port Gull are not covered" is checked against all that the run has found: a passage that
tells a number, date or name of all that the sentence says is missing shows it false. Of questions only one
for a number can be told by words to be answered, so "who", "when" or "why" are left alone, and so are denials
of degree ("in detail"), of some of the sources, of a time ("before 2020"), or of more than was told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from deep_research.core.forms import QUOTED, denies, denies_more, form
from deep_research.core.records import Claim, Source
from deep_research.engine.context import Context
from deep_research.sources.citations import CitedText
from deep_research.sources.ledger import full_text
from deep_research.text.cited_sentences import CitedSentence, headings_above
from deep_research.text.quantities import quantities
from deep_research.text.terms import cjk_count, is_cjk
from deep_research.text.wording import content_words, nfkc, terms_in, terms_of_names

from .claims import SourceText
from .claims.evidence import SourcePassage
from .claims.found import told_in
from .marks import DENIED, Checked

_FEWEST_PAIRS = 4
"""Pairs of characters at least, of a denial in Chinese or Japanese."""
_AGENT = re.compile(r"\b[a-z]{2,}[eo]rs?\b")
"""Who does something: "the founder"."""
_NOUN = 30
"""Characters behind a number in which its noun stands; in Chinese and Japanese it may stand before it."""
_OF_QUESTION = 0.6
"""The share of a question's pairs of characters, which tell no names, in a passage on the same matter."""


def false_denials(
    text: CitedText, sources: Sequence[Source], is_own: Callable[[str, CitedSentence], bool], ctx: Context
) -> list[Checked]:
    """A flagged claim for each sentence that says the sources lack what one of them tells."""
    found = list[Checked]()
    denying = (said for said in text.sentences() if not said.numbers and not is_own(text.markdown, said))
    for said in denying:
        about = [*headings_above(text.markdown, said.start)[1:], ctx.question]
        wanted = _denied(said.text)
        ranked = [*text.cited, *(source for source in sources if source not in text.cited)]
        passage = wanted and _telling(said.text, wanted, about[-2:], ranked, ctx)
        if passage:
            claim = Claim(text=said.text, verdict="flagged", reasons=[DENIED], checked_by="rules")
            found.append((said, claim.model_copy(update={"quote": passage.text})))
    return found


def _denied(sentence: str) -> frozenset[str]:
    """The terms of all that a sentence says the sources lack; empty where no page could show it false."""
    plain = QUOTED.sub(" ", nfkc(sentence))
    unsettled = denies_more(plain) or form("denials.unsettled").search(plain)
    if unsettled or not (denies(plain, cited=True) and form("denials.whole").search(plain)):
        return frozenset()
    return _terms(form("denials.empty").sub(" ", plain))


def _telling(
    sentence: str, wanted: frozenset[str], about: Sequence[str], sources: Sequence[Source], ctx: Context
) -> SourcePassage | None:
    """The passage that says most of what is `wanted`, and a value or name of it.

    A sentence that names nothing speaks of what its heading or the question names.
    """
    names = next(filter(None, map(terms_of_names, (sentence, *about))), frozenset[str]())
    pairs = frozenset(filter(is_cjk, _terms(about[-1]))) if not names else frozenset[str]()
    if not names and (len(pairs) < _FEWEST_PAIRS or len(wanted) < _FEWEST_PAIRS):
        return None
    telling = list[SourcePassage]()
    for source in sources:
        reading = SourceText(full_text(source, ctx), source.title).read()
        for place in dict.fromkeys(n for term in wanted for n in reading.around(term)):
            passage = reading.passages[place]
            known = passage.terms | passage.context
            on_it = wanted | names <= known and len(pairs & known) >= _OF_QUESTION * len(pairs)
            if on_it and _tells(passage, sentence, wanted | names):
                telling.append(passage)
    return max(telling, key=lambda one: len(wanted & one.terms), default=None)


def _tells(passage: SourcePassage, sentence: str, known: frozenset[str]) -> bool:
    """Whether a passage has a number, date or name besides what is `known`; if a number is said to be
    missing, one of that."""
    text = nfkc(told_in(passage))
    if denies(text):
        return False
    values = [
        value for value in quantities(text) if terms_in(text[value.start : value.end]).isdisjoint(known)
    ]
    if form("denials.numbers").search(sentence):
        behind = (text[value.end : value.end + _NOUN] for value in values if not value.date)
        return any(known & terms_in(text if cjk_count(text) else words) for words in behind)
    wants_value = form("denials.values").search(sentence) is not None
    told = any(not (wants_value and (value.date or value.counted)) for value in values)
    return told or (bool(terms_of_names(text) - known) and not (wants_value and not _AGENT.search(sentence)))


def _terms(text: str) -> frozenset[str]:
    return frozenset(token.term for token in content_words(text) if not token.filler)
