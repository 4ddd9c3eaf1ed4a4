"""What a request is about: the question inside a brief or topic, and which of its things this call is for.

A brief or topic quotes the user's question, between the first opening and the last closing quotation mark;
what a topic names before it is what the topic is for. Anything else, written by another model or by hand, is
taken as it stands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from .conversation import outside_fences
from .kinds import LOOKUP, is_title, kind_of, likely_kinds
from .lists import items_in
from .phrases import say
from .query import asks
from .text import language, split_prose, term_set, tidy
from .wishes import wishes_a_report, without_wishes

_QUOTE = re.compile(r"(?:“(.+)”|『(.+)』|「(.+)」|«(.+)»)", re.DOTALL)
_ENDS_ASKING = re.compile(r"(?:[?？]|か。?)[”」』»]?\s*$")
_WHOLE = 400
_SURELY = 0.9
"""How likely a look-up is that stays one if it is to be written for somebody."""
_SHORT = re.compile(r"(?<![A-Za-z])[A-Z]{2,6}(?![A-Za-z])")
_LABEL = re.compile(
    r"^\W*(?:(?:the|user|user's|research|search|main|sub)[ -])*"
    r"(?:question|query|topic|task|request|subject|prompt|q|问题|主题|课题|任务|質問|課題|問い|テーマ)"
    r"(?: \d+)?\W*[:：]\s*(?=\S)",
    re.IGNORECASE,
)
"""What introduces a question, and is no part of it."""


@dataclass(frozen=True, slots=True)
class Task:
    """A question, and which of the things that it compares this call has to deal with (none: all)."""

    question: str
    focus: tuple[str, ...]
    text: str


@lru_cache(maxsize=1024)
def read_task(text: str) -> Task:
    """The task in a brief, topic or plain question."""
    asked = inner_question(text)
    question = spelled_out(asked, text)
    before = text.partition(asked)[0].lower() if asked and asked in text else ""
    items = items_in(question)
    focus = tuple(item for item in items if item.lower() in before)
    return Task(question, focus if len(focus) < len(items) else (), text)


def spelled_out(asked: str, text: str) -> str:
    """A question without its wishes about form, but as a request for a report where they tell that it is one,
    and with its abbreviations replaced by what a text says that they mean ("PB is …", "PB: …")."""
    bare = without_wishes(asked)
    doubtful = not kind_of(bare) and likely_kinds(bare)[LOOKUP] < _SURELY and wishes_a_report(asked)
    asked = say("as_report", language(bare), it=bare.strip(" ?？.。")) if doubtful else bare
    for short in dict.fromkeys(_SHORT.findall(asked)):
        match = re.search(
            rf"(?<![A-Za-z]){short}[”」\"']?\s*"
            r"(?:is|means|stands for|refers to|=|:|：|是指|是|指|とは|は)\s*(?:the )?"
            r"[“「\"']?([^.。;；,，、\n“”「」\"'()（）?？]{2,60}?)\s*(?:のこと|です|を指|[.。;；,，、\n”」\"')）]|$)",
            text.replace(asked, " "),
        )
        if match and short not in match.group(1):
            asked = re.sub(rf"(?<![A-Za-z]){short}(?![A-Za-z])", match.group(1).strip(), asked)
    return asked


@lru_cache(maxsize=1024)
def inner_question(text: str) -> str:
    """The question that a text quotes or asks; else the text, or the first sentence of a long one.

    A question above the quotation of a larger one is what is asked. A quotation after a colon is what is
    asked, whatever stands behind it; one that asks nothing, inside a question, is a name.
    """
    text = outside_fences(text).strip() or text.strip()
    own, _, rest = text.partition("\n\n")
    text = own if _ENDS_ASKING.search(own) and _QUOTE.search(rest) else text
    if match := _QUOTE.search(text):
        quoted = match[match.lastindex or 0]
        introduced = text[: match.start()].rstrip().endswith((":", "："))
        if introduced or asks(quoted) or not asks(text.replace(match[0], " ")):
            return tidy(quoted)
    plain = tidy(text if is_title(text) else _LABEL.sub("", text))
    if len(plain) <= _WHOLE:
        return plain
    said = split_prose(plain)
    asked = [s for s in said if s.rstrip("\"'”」』）)").endswith(("?", "？"))]
    return " ".join(asked) or next((s for s in said if term_set(s)), plain)
