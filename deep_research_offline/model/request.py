"""What a request asks, read once for all roles: its question, kind, parts, and what it sets side by side.

A brief or topic quotes the user's question, between the first opening and the last closing quotation mark;
what a topic names before it is what the topic is for. Anything else, written by another model or by hand, is
taken as it stands. A part that leans on a thing named before is completed with its name; one that leans on
the answer to another ("the longest route, and who flies it") is looked into together with that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from .conversation import outside_fences
from .kinds import LOOKUP, is_title, kind_of, likely_kinds
from .lexicon import LESS, MORE, WEAK, patterns
from .lists import items_in, sets_side_by_side
from .parts import questions_in
from .phrases import say
from .pointing import completed
from .query import asks, in_full, split_asking
from .report_words import FACETS, MEMBERS, READING, SUBJECT, subject_terms
from .text import is_cjk, language, split_prose, term_set, tidy
from .wishes import wishes_a_report, without_wishes

BEFORE_THINGS = frozenset(
    "a an the this that of in on at to for from with by about to and or , : ; between".split()
)
AUXILIARY = frozenset("has have had do does did".split())
DULL = WEAK | MORE | LESS
"""Words that say little of what a request is about."""
_QUOTE = re.compile(r"(?:“(.+)”|『(.+)』|「(.+)」|«(.+)»)", re.DOTALL)
_PART_OF = re.compile(r"([^“”『』「」«»]+?)[(（][^()（）“『「«]*[“『「«](.+)[”』」»][)）]", re.DOTALL)
"""A part of a larger question, which stands behind it in brackets."""
_ENDS_ASKING = re.compile(r"(?:[?？]|か。?)[”」』»]?\s*$")
_WHOLE = 400
_SURELY = 0.9
"""How likely a look-up is that stays one if it is to be written for somebody."""
_SHORT = re.compile(r"(?<![A-Za-z])[A-Z]{2,6}(?![A-Za-z])")
_RE = patterns("request")
_MARK = re.compile(r"^[ \t]*(?:[-*•·]|\(?\d{1,2}[.)、])[ \t]*(?=\S)(.+?)[ \t]*$", re.MULTILINE)
"""A line of a list."""
_ASKED_SIDES = {"why": 4, "debate": 8}
_SIDE_WORDS = frozenset(w for f in FACETS for query in f.query.values() for w in query.split())


@dataclass(frozen=True, slots=True)
class Request:
    """What a text, a brief or a topic asks: the question without wishes about form; whether it is `broad`,
    for a report and not for one fact; its `parts` as questions, where one that leans on the answer to another
    stands as it is; the `pieces` that can be looked into apart, each complete in itself; the `items` set side
    by side, and on which of them a topic has its `focus` (none: all)."""

    question: str
    text: str
    broad: bool
    parts: tuple[str, ...]
    pieces: tuple[str, ...]
    items: tuple[str, ...]
    focus: tuple[str, ...]

    @property
    def apart(self) -> list[tuple[str, str]]:
        """What to hand out or to search for: each thing compared, or "", and the question of it."""
        named = [(item, self.question) for item in self.focus or self.items]
        return named or [("", piece) for piece in self.pieces]


@lru_cache(maxsize=4096)
def read_request(text: str, told: str = "") -> Request:
    """What a brief, topic or plain question asks; `told` may say what abbreviations in it mean."""
    asked = inner_question(text)
    question = _spelled_out(asked, told or text)
    before = text.partition(asked)[0].lower() if asked and asked in text else ""
    items = items_in(question)
    focus = tuple(item for item in items if item.lower() in before)
    focus = focus if len(focus) < len(items) else ()
    broad = bool(kind_of(question) or is_title(question))
    said = (question,) if broad else questions_in(question)
    parts, pieces = completed(said, question[: max(0, question.find(said[0]))], items)
    pieces = pieces if len(parts) > 1 else (question,)
    return Request(question, text, broad, parts, pieces, items, focus)


def _spelled_out(asked: str, text: str) -> str:
    """A question without its wishes about form, but as a request for a report where they tell that it is one,
    and with its abbreviations replaced by what a text says that they mean ("PB is …", "PB: …")."""
    bare = without_wishes(in_full(asked))
    bare = tidy(_RE["for_and_against"].sub("", bare)) if sets_side_by_side(bare) else bare
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


@lru_cache(maxsize=4096)
def inner_question(text: str) -> str:
    """The question that a text quotes or asks; else the text, or the first sentence of a long one.

    A question above the quotation of a larger one, or before it in brackets, is what is asked. A quotation
    after a colon is what is asked, whatever stands behind it; one that asks nothing, inside a question, is a
    name. Questions in a list are sentences.
    """
    text = outside_fences(text).strip() or text.strip()
    own, _, rest = text.partition("\n\n")
    text = own if _ENDS_ASKING.search(own) and _QUOTE.search(rest) else text
    if (part := _PART_OF.fullmatch(text)) and term_set(part[1]) & term_set(part[2]):
        return tidy(part[1])
    if match := _QUOTE.search(text):
        quoted = match[match.lastindex or 0]
        introduced = text[: match.start()].rstrip().endswith((":", "："))
        if introduced or asks(quoted) or not asks(text.replace(match[0], " ")):
            return tidy(quoted)
    text = in_line(text)
    plain = text if is_title(text) else _RE["label"].sub("", text)
    if len(plain) <= _WHOLE:
        return plain
    said = split_prose(plain)
    asked = [s for s in said if s.rstrip("\"'”」』）)").endswith(("?", "？"))]
    return " ".join(asked) or next((s for s in said if term_set(s)), plain)


def in_line(text: str) -> str:
    """A text on one line, where the questions of a list are sentences."""
    return tidy(_MARK.sub(_as_sentence, text))


def _as_sentence(line: re.Match[str]) -> str:
    """A line of a list as a sentence, if it asks."""
    said = line[1]
    return (said if said[-1] in "?？.。" else f"{said}?") if asks(said) else line[0]


def asking_sentence(question: str) -> str:
    """What of a request asks; what stands around it tells why. Where it has a single word of its own ("Which
    library should I choose?") it leans on that."""
    asking = split_asking(question).asking
    return asking if len(subject_terms(asking)) > 1 or is_cjk(asking) else question


def chosen_kind(question: str) -> str:
    """What a choice is between: what follows "which" of a request for advice, or what is wanted; "" if none
    is said. The rest of it tells who asks, and what for."""
    if kind_of(question) != "recommendation":
        return ""
    said = _RE["of_kind"].search(asking_sentence(question)) or _RE["object"].search(question)
    return said[1] if said else ""


def asks_of_one(question: str, names: Sequence[str]) -> bool:
    """Whether a request for advice is on one of these things alone: "is the Orsk Mill any good?"."""
    return len(names) == 1 and not chosen_kind(question)


def subject_said(question: str) -> str:
    """What a request says that the report, essay … is on, "" if it does not."""
    said = SUBJECT.search(question)
    return _RE["asked_too"].sub("", said[1]) if said else ""


def side_terms(text: str) -> frozenset[str]:
    """The stems that tell of the sides named in a topic's title, and of its own words."""
    own = frozenset(subject_terms(text))
    return own.union(*(f.head | f.cue for f in FACETS if any(t in text for t in f.title.values())))


def asks_for_causes(topic: str) -> bool:
    """Whether a topic's title names the causes among its sides, or no side at all."""
    named = {f.id for f in FACETS if any(title in topic for title in f.title.values())}
    return not named or "causes" in named


def asks_for_a_side(query: str) -> bool:
    """Whether a search is for one side of a subject, as topics have it."""
    said = query.split()
    return len(said) > 1 and said[-1] in _SIDE_WORDS


def listed_sides(question: str) -> list[str]:
    """The ids of the sides that an open request lists: "report on the Orsk Mill: history, owners, costs"."""
    listed = _RE["listed"].search(question) if kind_of(question) in ("overview", "development") else None
    told = [term_set(part) for part in MEMBERS.split(listed[1])] if listed else []
    found = (next((f.id for f in FACETS if part & f.head), "") for part in told)
    return list(dict.fromkeys(filter(None, found)))


def reading_order(question: str) -> list[str]:
    """The ids of all sides in the order in which a report of this kind tells them, those that the request
    lists first; what speaks for or against something and what was decided are sides of a debate only."""
    first = [*listed_sides(question), *READING.get(kind_of(question) or "overview", ())]
    rest = (f.id for f in FACETS if f.id not in READING["debate"][:3])
    return list(dict.fromkeys([*first, *rest]))


def asked_sides(question: str) -> frozenset[str]:
    """The sides without which a paragraph does not answer a request of this kind; none where all count."""
    kind = kind_of(question)
    return frozenset(READING[kind][: _ASKED_SIDES.get(kind, 0)]) if kind else frozenset()


def usual_sides(planned: Sequence[str]) -> Sequence[str]:
    """The sides of the kind of report for which these are planned: early in its order, or no other's."""

    def fits(kind: str) -> float:
        return sum(1 / (1 + READING[kind].index(side)) for side in planned if side in READING[kind])

    debated = not {*planned}.isdisjoint(READING["debate"][:3])
    kind = "debate" if debated else max(READING, key=fits)
    return READING[kind][: _ASKED_SIDES.get(kind)]
