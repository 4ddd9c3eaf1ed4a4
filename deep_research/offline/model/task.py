"""What a request is about: the question inside a brief or topic, and which of its things this call is for.

A brief or topic quotes the user's question, between the first opening and the last closing quotation mark;
a part of a larger question stands above it.
Anything else, written by another model or by hand, is taken as it stands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from .names import normal
from .question import Question, analyse
from .text import is_cjk, split_prose, term_set, tidy

_QUOTE = re.compile(r"“(.+)”|『(.+)』|「(.+)」|«(.+)»", re.DOTALL)
_ASKS = re.compile(
    r"[?？]|か[。\s]*$|^\W*(?i:rank|list|name|compare|sort|order) (?:the|all|these|those|both)\b"
)
"""The mark of a question; without it, what stands in quotation marks inside one is a name."""
_OTHER_SOURCES = re.compile(
    r"(?:which|what|do any) sources? (?:give|say|state|report)s? (?:some|any)thing (?:else|different)"
    r" (?:for|on|about) ([^?“”]+)\?$",
    re.IGNORECASE,
)
_ASKED_WORD = re.compile(r"(?:who|whose|what|which|when|where|why|how)\b", re.IGNORECASE)
"""Who would say it differently can only be told once it is known what is said."""
_ENDS_ASKING = re.compile(r"(?:[?？]|か。?)[”」』»]?\s*$")
WHOLE = 300
_SHORT = re.compile(r"(?<![A-Za-z])[A-Z]{2,6}(?![A-Za-z])")
_LABEL = re.compile(
    r"^\s*(?!(?i:which|what|who|whose|where|when|how|why|is|are|was|were|does|do|did|of)\b)"
    r"(?:[\w-]+(?: [\w-]+){0,2}|[^\x00-\x7f]{1,6})\s*[:：]\s*"
)


@dataclass(frozen=True, slots=True)
class Task:
    """A question, understood, and the anchors that this call has to deal with."""

    question: Question
    focus: tuple[str, ...]
    text: str

    @property
    def terms(self) -> frozenset[str]:
        """Stems of the whole question, names included."""
        return term_set(self.question.text)


@lru_cache(maxsize=1024)
def read_task(text: str) -> Task:
    """The task in a brief, topic or plain question."""
    asked = inner_question(text)
    question = analyse(spelled_out(asked, text))
    around = text.replace(asked, " ")
    focus = tuple(a for a in question.anchors if normal(a) and _named(a, around)) if around.strip() else ()
    return Task(question, focus or question.anchors, text)


def _named(anchor: str, text: str) -> bool:
    plain = normal(text)
    wanted = normal(anchor)
    return (
        wanted.replace(" ", "") in plain.replace(" ", "") if is_cjk(wanted) else f" {wanted} " in f" {plain} "
    )


def spelled_out(asked: str, text: str) -> str:
    """A question with its abbreviations replaced by what a text says that they mean ("PB is …", "PB: …")."""
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
    """The question that a text quotes or asks; else its first sentence with content.

    A question above the quotation of a larger one is what is asked.
    """
    own, _, rest = text.strip().partition("\n\n")
    text = own if _ENDS_ASKING.search(own) and _QUOTE.search(rest) else text
    match = _QUOTE.search(text)
    quoted = next(group for group in match.groups() if group) if match else ""
    if match and (_ASKS.search(quoted) or not _ASKS.search(text.replace(match.group(0), " "))):
        return tidy(quoted)
    plain = tidy(_LABEL.sub("", text))
    if about := _OTHER_SOURCES.match(plain):
        told = about[1]
        return f"{told[0].upper()}{told[1:]}?" if _ASKED_WORD.match(told) else f"What is {told}?"
    asked = [s for s in split_prose(plain) if s.rstrip("\"'”」』）)").endswith(("?", "？"))]
    if len(plain) <= WHOLE:
        return plain
    return " ".join(asked) if asked else next((s for s in split_prose(plain) if term_set(s)), plain)
