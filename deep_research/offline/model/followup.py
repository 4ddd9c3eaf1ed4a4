"""A question that stands on its own: words that point back replaced by names, implied years said."""

from __future__ import annotations

import re
from dataclasses import replace

from .conversation import Conversation
from .names import names
from .phrases import say
from .question import Question, analyse
from .scope import main_question
from .task import inner_question
from .text import is_cjk, language, terms, tidy

_PERSON = r"\b(?:he|she|him|her|his)\b|她|他(?!们)|彼女|彼(?!女)"
_THING = (
    r"\b(?:it|its|they|them|their|"
    r"(?:this|that|the same) (?:one|thing|place|company|person)|there(?! (?:is|are|was|were)\b))"
    r"(?!\w)|它们?|那[个里座家]|这[个里座家]|それ|あれ|これ|そこ|その(?=[^\u3040-\u309f])"
)
_POSSESSIVE = re.compile(r"(?:its|their|his)$|その$", re.IGNORECASE)
_YEARS_AGO = ((r"\blast year\b|去年|昨年", 1), (r"\bthis year\b|今年", 0), (r"\bnext year\b|明年|来年", -1))
_TODAY = re.compile(r"(?<!\d)([12]\d{3})-\d{2}-\d{2}(?!\d)")
_BOLD = re.compile(r"\*\*(.+?)\*\*")


def standing_alone(talk: Conversation) -> tuple[str, tuple[str, ...]]:
    """The last question, complete in itself, and what was made explicit in it."""
    asked = inner_question(main_question(talk)[0]) if talk.said else ""
    earlier, answer = _before(talk, asked)
    text, added = _pointing_back(asked, earlier, answer)
    year = _TODAY.search(talk.system)
    for pattern, ago in _YEARS_AGO if year else ():
        match = re.search(pattern, text, re.IGNORECASE)
        if match and year:
            said = f"{int(year.group(1)) - ago}"
            text = f"{text[: match.end()]} ({said}){text[match.end() :]}"
            added = (*added, f"{match.group(0)}: {said}")
    return text, added


def _before(talk: Conversation, asked: str) -> tuple[Question | None, str]:
    """The last earlier question that names something, and the value in bold of the answer to it."""
    earlier: Question | None = None
    answer = ""
    for role, text in talk.turns:
        plain = tidy(text)
        if role == "user" and plain != asked and analyse(plain).anchors:
            earlier, answer = analyse(plain), ""
        elif role == "assistant":
            bold = _BOLD.search(text)
            answer = bold.group(1) if bold else answer
    return earlier, answer


def _pointing_back(asked: str, earlier: Question | None, answer: str) -> tuple[str, tuple[str, ...]]:
    """A question with names for its pronouns; a bare "And X?" asks of X what was asked before."""
    question = analyse(asked)
    if earlier is None:
        return asked, ()
    if question.anchors:
        return _elliptic(question, earlier) if not _says_more(question) else (asked, ())
    named = answer if names(answer) or is_cjk(answer) else ""
    for pattern, referent in ((_PERSON, named or earlier.anchors[0]), (_THING, earlier.anchors[0])):
        match = re.search(pattern, asked, re.IGNORECASE)
        if match:
            said = referent + _owning(match.group(0), asked[match.end() :], language(asked))
            text = asked[: match.start()] + said + asked[match.end() :]
            return text, (say("refers", language(asked), word=match.group(0), it=referent),)
    return asked, ()


def _owning(word: str, after: str, lang: str) -> str:
    """The mark of possession that a pronoun carries in itself ("her" has it before a noun)."""
    if lang != "en":
        return "の" if word == "その" else ""
    her = word.lower() == "her" and re.match(r"\s+[a-z]", after)
    return "'s" if _POSSESSIVE.search(word) or her else ""


def _says_more(question: Question) -> bool:
    """Whether a question asks anything besides naming something."""
    rest = question.text
    for anchor in question.anchors:
        rest = rest.replace(anchor, " ")
    return bool(terms(rest)) or len(question.anchors) > 1


def _elliptic(question: Question, earlier: Question) -> tuple[str, tuple[str, ...]]:
    if len(earlier.anchors) != 1:
        return question.text, ()
    text = earlier.text.replace(earlier.anchors[0], question.anchors[0])
    return replace(earlier, text=text).text, (text,)
