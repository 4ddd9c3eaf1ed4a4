"""How values, quotations and comparisons read: full units, rows as text, the question's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .anchors import mask
from .hops import reach
from .lexicon import DIMENSIONS, STOP
from .names import mentions
from .page import Page
from .phrases import say
from .question import Question
from .ranking import Claim
from .text import ROW, Sentence, is_cjk, stem
from .values import numbers

_PREDICATE = re.compile(
    r"^\W*(?:who|which|what)\b(?P<noun>[^,:?]*?)\s*"
    r"\b(?P<verb>(?:is|are|was|were|has|have|had|can|came|flew|lived|won|died|began|got|\w{3,}(?:s|ed))\s[^,:?§]+)"
    r"[,:]?\s*(?:the )?§",
    re.IGNORECASE,
)
_IS = re.compile(r"^\W*(?:is|are|was|were) (?:the )?§ (?P<verb>(?:\w+ ){0,3}?\w+) than\b", re.IGNORECASE)
_MORE_CJK = {
    "zh": re.compile(r"(?:更|较|最)\w{1,2}?(?=[，？?、的]|$)|更[长短高低大小快慢重轻早晚多少新]"),
    "ja": re.compile(
        r"[長短高低大小速遅早重軽新古多少深広若](?:かった|きかった|い|きい|く\w{2,6}(?=か|[？?]|$))"
    ),
}
_MORE_WORDS = 3


def full_value(claim: Claim) -> str:
    """A claim's value with its whole unit as the sentence has it: "12 spare wheels", not "12 spare"."""
    value, text = claim.value, claim.step.sentence.text
    found = numbers(value) if claim.step.hop.wants == "number" or claim.key else ()
    place = text.find(value)
    if not found or place < 0 or is_cjk(value) or found[0].kind == "date":
        return value
    asked = frozenset().union(*(reach(t) for t in claim.step.hop.loose))
    rest = re.match(rf"(?:[ -][a-z]+){{1,{_MORE_WORDS}}}", text[place + len(value) :])
    parts = re.findall(r"[ -][a-z]+", rest.group(0)) if rest else []
    last = max((i for i, part in enumerate(parts, 1) if _counted(part[1:], asked)), default=0)
    value = re.sub(rf" (?:{'|'.join(sorted(STOP))})$", "", value + "".join(parts[:last]))
    return f"{value} {_column(text, place)}".strip() if not found[0].unit else value


def _counted(word: str, asked: frozenset[str]) -> bool:
    """Whether a word after a number says what is counted; "long" and "high" only repeat the question."""
    return stem(word) in asked and word not in DIMENSIONS


def _column(text: str, place: int) -> str:
    """The heading of the table column that a bare number stands in, as a unit if it is a plain plural."""
    match = re.search(r"([^—;:]+): $", text[:place])
    heading = match.group(1).strip().lower() if match else ""
    return heading if re.fullmatch(r"[a-z]+s", heading) else ""


def readable(sentence: Sentence, page: Page, subject: str = "") -> str:
    """A sentence that can stand alone: rows as "Title — attribute: value", and under its page's title unless
    it names its subject."""
    text = sentence.text
    if is_row(sentence):
        label, _, cells = text.partition(" — ")
        text = f"{label}: {cells.replace(': ', ' ')}"
        return f"{page.title} — {text}" if page.title and page.title not in text else text
    named = not page.title or page.title in text or (subject and mentions(text, subject))
    return text if named else f"{page.title}{'：' if is_cjk(text) else ': '}{text}"


def is_row(sentence: Sentence) -> bool:
    """Whether a sentence was read from a table."""
    return " — " in sentence.text and (sentence.kind == "row" or bool(ROW.match(sentence.text)))


def cite(*pages: Page) -> str:
    """Ids in the order given, each once."""
    return "".join(dict.fromkeys(f"[{page.id}]" for page in pages))


def compared(question: Question, winner: str, claims: Sequence[Claim], lang: str) -> str:
    """The outcome of a comparison in the question's own words: who, by which value, against which."""
    first = next(c for c in claims if c.item == winner)
    others = say("separator", lang).join(
        say("against", lang, item=c.item, value=full_value(c)) + f" {cite(c.step.page)}"
        for c in claims
        if c is not first
    )
    said = _predicate(question, winner, lang)
    key = "wins_as" if said else "wins"
    own = f"{full_value(first)} {cite(first.step.page)}"
    return say(key, lang, winner=winner, said=said, value=own, others=others)


def _predicate(question: Question, winner: str, lang: str) -> str:
    """What the question asks of the one it seeks, said of the winner; "" where its form is another."""
    masked = _masked(question)
    if lang in _MORE_CJK:
        match = _MORE_CJK[lang].search(masked)
        word = re.sub(r"[最较]", "更", match.group(0)) if match else ""
        return (f"{winner}{word}" if lang == "zh" else f"{winner}の方が{word}") if word else ""
    match = _PREDICATE.match(masked)
    if match:
        owned = re.search(r"\bwhose (.+)$", match.group("noun"))
        if owned:
            return f"it is {winner} whose {owned.group(1)} {match.group('verb').strip()}"
        return f"{winner} {match.group('verb').strip()}"
    match = _IS.match(masked)
    return f"{winner} is {match.group('verb')}" if match else ""


def _masked(question: Question) -> str:
    spans = []
    for anchor in question.anchors:
        start = question.text.find(anchor)
        spans += [(start, start + len(anchor))] if start >= 0 else []
    return mask(question.text, sorted(spans))
