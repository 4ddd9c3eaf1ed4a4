"""The things that a question names, and the question with them masked.

Punctuation and small words between capitals belong to a name; `or` and `and` in lower case part two of them.
"""

from __future__ import annotations

import re

from . import lexicon
from .names import Name, names

MARK = "§"
_NAME_LINKS = frozenset("of for the de la le du des von van der den bin al n".split())
_COMPARING = re.compile(r"\b(?:or|and|than|versus|vs)\b")
_SUPERLATIVE = re.compile(r"\b(?:most|least|best|worst|among|between|compare|\w{2,}est)\b", re.IGNORECASE)
_NOT_ENUMERATED = re.compile(
    r"\b(?:earliest|latest|first|interest|request|west|guest|test|best-\w+)\b", re.IGNORECASE
)
_FOLLOWING = re.compile(r"(?:\s[a-z]{3,}){1,3}\b")
_IMPERATIVES = frozenset(
    "name rank list compare give tell find show describe explain summarize please how i".split()
)


def find_anchors(text: str) -> list[tuple[int, int]]:
    """Spans of the things named, in order."""
    enumerated = bool(_SUPERLATIVE.search(_NOT_ENUMERATED.sub(" ", text))) or bool(re.match(r"\W*Of\s", text))
    spans: list[list[int]] = []
    for name in names(text):
        if _no_name(text, name):
            continue
        if spans and name.start < _with_brackets(text, spans[-1][1]):
            spans[-1][1] = max(spans[-1][1], name.end)
            continue
        gap = text[spans[-1][1] : name.start] if spans else None
        if gap is not None and _joins(gap, text, spans[-1][1], enumerated):
            spans[-1][1] = name.end
        else:
            spans.append([name.start, name.end])
    spans = [[a, b + len(_shared_noun(text, b, [o for _, o in spans if o != b]))] for a, b in spans]
    return [(a, _with_event(text, _with_brackets(text, b))) for a, b in spans]


def _shared_noun(text: str, end: int, others: list[int]) -> str:
    """The plain words after a name that also follow another: in "the Alpine newt or the marbled newt" they
    belong to both."""
    run = _FOLLOWING.match(text, end)
    words = re.findall(r"\s[a-z]+", run.group(0)) if run else []
    for length in range(len(words), 0, -1):
        noun = "".join(words[:length])
        plain = words[0].strip() not in lexicon.STOP | lexicon.CONNECTORS
        if plain and any(re.match(rf"{noun}\b", text[other:]) for other in others):
            return noun
    return ""


def _with_event(text: str, end: int) -> int:
    """Take in what makes a place or body the name of an event: "the X election of 1987"."""
    match = re.match(r"\s[a-z]+ of [12]\d{3}\b", text[end:])
    return end + match.end() if match else end


def _no_name(text: str, name: Name) -> bool:
    """A question's or sentence's first word is capitalised without being a name."""
    single = " " not in name.text
    if single and (name.text.lower() in lexicon.STOP or name.text.lower() in _IMPERATIVES):
        return True
    opens = name.start == 0 or bool(re.search(r"[.?!]\s+$", text[: name.start]))
    return single and opens and bool(re.match(r"\s+[a-z]", text[name.end :])) and text[:1].isalpha()


def _joins(gap: str, text: str, end: int, enumerated: bool) -> bool:
    """Whether two capitalised parts are one name."""
    words = re.findall(r"[^\W\d_]+", gap)
    if _COMPARING.search(gap) or any(word not in _NAME_LINKS for word in words) or re.search(r"[.?!]\s", gap):
        return False
    if "," in gap:
        compared = bool(_COMPARING.search(text))
        return (
            not words
            and not enumerated
            and not (compared and re.match(r"[^?]*,\s*(?:and|or)\b", text[end + 1 :]))
        )
    return len(gap) <= 8


def _with_brackets(text: str, end: int) -> int:
    """Take in a closing bracket, a qualifier in brackets, or the mark or number that belongs to a title."""
    if text[:end].count("(") > text[:end].count(")") and ")" in text[end:]:
        return text.index(")", end) + 1
    match = re.match(r"\s?\([^)]*\)|[!…]+|\s\d{1,4}(?=\s*(?:[,?]|or\b|and\b|$))", text[end:])
    return end + match.end() if match else end


def mask(text: str, spans: list[tuple[int, int]]) -> str:
    """The question with each anchor as one mark."""
    out, last = [], 0
    for a, b in spans:
        out += [text[last:a], MARK]
        last = b
    return "".join([*out, text[last:]])


def is_listed(masked: str) -> bool:
    """Whether the anchors stand as a list of their own, after a comma or colon or before one."""
    inside = r"[,:?]\s*(?:the )?(?:\w+ ){0,2}§[^a-z]*(?:§|\b(?:or|and|the)\b)"
    before = r"^\W*(?:of |among |between )?(?:the )?§.*(?:or|and) (?:the )?§\s*[:,]"
    return bool(re.search(f"{inside}|{before}", masked, re.IGNORECASE))
