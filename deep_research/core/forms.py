"""How sentences sound, whoever wrote them: as denials, hedges, statements about the past, disagreements.

One table (`forms.toml`) serves the outcome of a run and the measures of its report, in English, Chinese
and Japanese. Words that a report quotes count as the page's, not as its own.
"""

from __future__ import annotations

import re
from functools import cache

from deep_research.text.data import read_data
from deep_research.text.language import shorten, split_sentences
from deep_research.text.terms import query_terms

TITLE = 90
"""Characters of a title at most."""
QUOTED = re.compile(r'"[^"\n]*"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|^>.*$', re.MULTILINE)


@cache
def form(name: str) -> re.Pattern[str]:
    """All forms of a table such as `denials.own`, of every language."""
    theme, table = name.split(".")
    languages = read_data(__file__, "forms.toml")[theme][table].values()
    return re.compile("|".join(form for forms in languages for form in forms), re.IGNORECASE)


def _has(name: str, sentence: str) -> bool:
    return form(name).search(QUOTED.sub(" ", sentence)) is not None


def denies(sentence: str, cited: bool = False) -> bool:
    """Whether a sentence says that there is no answer.

    Of a `cited` one only what it says about the sources counts: that something "could not be determined" may
    be what its source found out.
    """
    return _has("denials.sources", sentence) or (not cited and _has("denials.own", sentence))


def denies_more(sentence: str) -> bool:
    """Whether what a denial denies is only that there is more than was said: "Nothing else was found."."""
    return _has("denials.more", sentence)


def undenied(sentence: str) -> str:
    """What a denial is about: the sentence without the words that deny."""
    for name in ("denials.sources", "denials.own"):
        sentence = re.sub(f"(?:{form(name).pattern})[a-z]*", " ", sentence, flags=re.IGNORECASE)
    return " ".join(sentence.split()).strip(" :：,，.。")


def offers_nearest(sentence: str) -> bool:
    """Whether a sentence presents what follows as the nearest thing found, in place of an answer."""
    return _has("hedges.nearest", sentence)


def hedges(sentence: str) -> bool:
    """Whether a sentence says that what it states, or what follows, is not certain."""
    return offers_nearest(sentence) or _has("hedges.weak", sentence)


_LONE_QUOTE = re.compile(r"^[“‘「『\"'](?=[^”’」』\"']*$)")
"""What opens a quotation whose end belongs to the next sentence."""


def topic_title(topic: str, question: str = "") -> str:
    """A topic as a reader is shown it: its subject in one line, never the instruction that it is worded as.

    An instruction that names no subject, such as "Research the following question", is on the question.
    """
    first = next(iter(split_sentences(topic.strip())), "")
    subject = form("instructions.openings").sub("", first.rstrip(" .。"), count=1)
    subject = _LONE_QUOTE.sub("", form("instructions.closings").sub("", subject).strip())
    if len(first) == len(topic.strip()) <= TITLE and subject == first.rstrip(" .。"):
        return " ".join(topic.split())
    known = not question or not {*query_terms(subject)}.isdisjoint(query_terms(question))
    named = any(word[0].isupper() for word in subject.split()[1:])
    return shorten(subject if subject and (known or named) else question or first, TITLE)


def marks_past(sentence: str) -> bool:
    """Whether a sentence dates what it states, or says that it is over."""
    return _has("past.marks", sentence)


def names_disagreement(text: str) -> bool:
    """Whether a sentence or heading says that sources or people differ."""
    return _has("disagreements.marks", text)
