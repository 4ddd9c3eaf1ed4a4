"""Understanding a question: what it names, what it asks, in which order the answers must be found.

A question becomes *anchors* (the things named) and *hops* (the relations that lead from an anchor to the answer).
"Where was the founder of the firm that owns X born?" has the anchor X and the hops owner, founder, birthplace.
A comparison has two or more anchors that go the same way; what they are compared by is in `order`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from . import lexicon
from .names import Name, names
from .text import is_cjk, language, stem, term_set, terms, words

YEAR = re.compile(r"(?<!\d)(?:1\d{3}|2\d{3})(?!\d)")
_COMPARATIVE = re.compile(r"\b(?:\w+er|more|less|fewer)\b(?! of)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Hop:
    """One step: the stems that may name it, its key if general language has one, the kind of value, as asked."""

    words: frozenset[str]
    relation: str = ""
    wants: str = "any"
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, understood. `shape` is fact, compare, same, rank or list."""

    text: str
    language: str
    shape: str
    anchors: tuple[str, ...]
    hops: tuple[Hop, ...]
    order: str
    count: int
    years: tuple[str, ...]
    terms: frozenset[str]

    @property
    def multi(self) -> bool:
        """Whether several anchors are to be set side by side."""
        return len(self.anchors) > 1 and self.shape in {"compare", "same"}


@lru_cache(maxsize=4096)
def analyse(text: str) -> Question:
    """Understand a question in English, Chinese or Japanese."""
    if is_cjk(text) and language(text) != "en":
        from .question_cjk import analyse_cjk

        return analyse_cjk(text)
    region = _anchors(text)
    anchors = tuple(text[a:b].strip(" ,:;") for a, b in region)
    masked, tail_list = _mask(text, region)
    low = set(words(masked.lower()))
    shape, order = _shape(masked, low, anchors)
    hops = _hops(masked, tail_list and shape in {"compare", "same"})
    if order in {"later", "earlier", "longer-lived"} or shape == "same":
        hops = _with_measure(hops, low, order, masked)
    count = _count(masked)
    years = tuple(dict.fromkeys(YEAR.findall(masked)))
    return Question(text, "en", shape, anchors, hops, order, count, years, term_set(masked.replace("§", " ")))


# --- anchors -------------------------------------------------------------------------------------------------


def _anchors(text: str) -> list[tuple[int, int]]:
    """Spans of the things named; punctuation and small words between capitals belong to a name."""
    found = [n for n in names(text) if not _is_opening(text, n)]
    spans: list[list[int]] = []
    compared = bool(re.search(r"\b(or|and|than|versus|vs)\b", text))
    for name in found:
        gap = text[spans[-1][1] : name.start] if spans else None
        if gap is not None and _joins(gap, text, spans[-1], compared):
            spans[-1][1] = name.end
        else:
            spans.append([name.start, name.end])
    return [(a, _with_brackets(text, b)) for a, b in spans]


def _is_opening(text: str, name: Name) -> bool:
    return name.start == 0 and name.text.split()[0].lower() in lexicon.STOP and " " not in name.text


def _joins(gap: str, text: str, span: list[int], compared: bool) -> bool:
    if re.search(r"\b(?:or|and|than|vs|versus)\b", gap) or re.search(r"[a-z]{4,}", gap):
        return False
    if re.fullmatch(r"\s*[,:]\s*", gap) and compared and "," in gap:
        return not re.match(r"[^?]*,\s*(?:and|or)\b", text[span[1] + 1 :])
    return (
        len(gap) <= 8 and not re.search(r"[.?]\s+\w*$", gap.rstrip()) or bool(re.fullmatch(r"\W{1,6}", gap))
    )


def _with_brackets(text: str, end: int) -> int:
    """Take in a closing bracket, a qualifier in brackets, or the mark that belongs to a title."""
    if text[:end].count("(") > text[:end].count(")") and ")" in text[end:]:
        return text.index(")", end) + 1
    match = re.match(r"\s?\([^)]*\)|[!…]+|\s\d{1,4}(?=\s*(?:[,?]|or\b|and\b|$))", text[end:])
    return end + match.end() if match else end


def _mask(text: str, region: list[tuple[int, int]]) -> tuple[str, bool]:
    """The question with each anchor as §, and whether the anchors form a list after a comma or at the start."""
    out, last = [], 0
    for a, b in region:
        out += [text[last:a], "§"]
        last = b
    masked = "".join([*out, text[last:]])
    listed = bool(
        re.search(
            r"[,:?]\s*(?:the )?(?:\w+ ){0,2}§[^a-z]*(?:§|\bor\b|\band\b)|^\W*§.*(?:or|and) §\s*[:,]", masked
        )
    )
    return masked, listed


# --- shape ---------------------------------------------------------------------------------------------------


def _shape(masked: str, low: set[str], anchors: tuple[str, ...]) -> tuple[str, str]:
    order = _order(masked, low)
    linked = bool(
        re.search(r"§\W*(?:,|or|and|than|versus|vs|with|to|as)\b.*§|§,.*§", masked.replace("'s", ""))
    )
    several = len(anchors) > 1
    if several and low & lexicon.SAME:
        return "same", "same"
    if several and re.match(r"\W*(?:are|were|do|did|is|was|does)\b.*\bsame\b", masked.lower()):
        return "same", "same"
    if several and (
        re.search(r"§.*\b(?:or|than|versus|vs)\b.*§", masked)
        or (linked and order)
        or "compare" in low
        or "difference" in low
    ):
        return "compare", order
    if (
        several
        and re.search(r"§(?:,| and| or).*§", masked)
        and re.search(r"\bboth\b|\beach\b|respective", masked.lower())
    ):
        return "compare", order
    if several and re.search(r"§,? (?:and|or) (?:the )?(?:\w+ )?§", masked) and not order:
        return "compare", order
    if order and re.search(r"\b(?:which|what|who|top|rank|list|name)\b", masked.lower()):
        return "rank", order
    return "fact", order


def _order(masked: str, low: set[str]) -> str:
    if re.search(r"\blived? longer\b|\bwho lived longe", masked):
        return "longer-lived"
    timed = bool(
        re.search(
            r"\b(?:born|die|died|death|released|came|come|out|established|founded|opened|published|built|launched|started|entered|began|joined)\b",
            masked,
        )
    )
    if low & lexicon.LATER and (
        timed or low & {"younger", "youngest", "newer", "newest", "recently", "latest"}
    ):
        return "later"
    if low & lexicon.EARLIER and (timed or low & {"older", "oldest"}):
        return "earlier"
    if low & lexicon.LESS:
        return "less"
    if low & lexicon.MORE or re.search(r"\btop (?:\w+ )", masked):
        return "more"
    return ""


_COUNT_WORDS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}


def _count(masked: str) -> int:
    match = re.search(
        r"\b(?:top|which|what|the|name|list|first|biggest|largest)\s+(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)\b",
        masked.lower(),
    )
    if not match:
        return 1
    return int(match.group(1)) if match.group(1).isdigit() else _COUNT_WORDS[match.group(1)]


def _with_measure(hops: tuple[Hop, ...], low: set[str], order: str, masked: str) -> tuple[Hop, ...]:
    """End the chain in something that can be compared: people by birth, works by release."""
    if order == "longer-lived":
        return (*(h for h in hops if h.relation not in {"lifespan", ""}), relation_hop("lifespan"))
    if hops and hops[-1].wants in {"date", "country", "place"}:
        return hops
    swap = {"birthplace": "birthdate", "deathplace": "deathdate"}
    if order == "same":
        return (
            hops
            if hops and hops[-1].relation not in {"director", "producer", "composer"}
            else (*hops, relation_hop("country"))
        )
    if hops and hops[-1].relation in swap:
        return (*hops[:-1], relation_hop(swap[hops[-1].relation]))
    kept = tuple(h for h in hops if h.relation)
    if kept and kept[-1].wants == "date":
        return kept
    if low & {"older", "oldest", "younger", "youngest", "born"}:
        return (*kept, relation_hop("birthdate"))
    return hops


# --- hops ----------------------------------------------------------------------------------------------------

_BY_KEY = {relation.key: relation for relation in lexicon.RELATIONS}
_BY_WORD: dict[str, list[str]] = {}
for _relation in lexicon.RELATIONS:
    for _word in (*_relation.asked.split(), _relation.key):
        _BY_WORD.setdefault(stem(_word), []).append(_relation.key)
_DIMENSION_OF = {stem(word): quantity for word, quantity in lexicon.DIMENSIONS.items()}
_SYNONYMS = {stem(w): frozenset(map(stem, g.split())) for g in lexicon.SYNONYMS for w in g.split()}


def relation_hop(key: str, asked: str = "", extra: frozenset[str] = frozenset()) -> Hop:
    """The hop for a relation of general language."""
    relation = _BY_KEY[key]
    stems = frozenset(stem(w) for w in relation.asked.split()) | extra
    return Hop(stems, key, relation.wants, asked or key)


def synonyms(term: str) -> frozenset[str]:
    """A stem with the stems that general language uses for it."""
    return _SYNONYMS.get(term, frozenset()) | {term}


@lru_cache(maxsize=16384)
def reach(term: str) -> frozenset[str]:
    """All stems that count as saying a word of a question: synonyms, the quantity of an adjective, the relation."""
    found = synonyms(term) | synonyms(stem(_DIMENSION_OF.get(term, term)))
    for key in _BY_WORD.get(term, ()):
        found |= {stem(w) for w in _BY_KEY[key].asked.split()}
    return found


def _hops(masked: str, listed: bool) -> tuple[Hop, ...]:
    """Hops in the order in which they must be followed, from the anchor outwards."""
    text = masked.lower()
    for pattern, key in lexicon.PHRASES:
        text = re.sub(pattern, key, text)
    for number, (pattern, _) in enumerate(lexicon.COMPOSED):
        text = re.sub(pattern, f"composed{number}", text)
    kind = _asked_kind(text)
    first, last = text.find("§"), text.rfind("§")
    if first < 0:
        return _chain([text], kind)
    left, right = text[:first], text[last + 1 :]
    owned = re.match(r"['’]s?\s", right)
    if owned:
        return _chain([*_owned_parts(right[owned.end() :]), *_left_parts(left, keep_label=False)], kind)
    if listed:
        left = _CLASS.sub("", left)
        return _chain([*_left_parts(left, keep_label=False)[::-1], right], kind)
    parts = _left_parts(left, keep_label=True)
    return _chain([*parts[:-1], (parts[-1] if parts else "") + " " + right], kind)


_CLASS = re.compile(
    r"^\W*(?:which|what|(?:are|were|do|did|is|have|has)(?: both| the)*|both)(?: of the)? \w+\b(?!['’]s| of)"
)


def _left_parts(left: str, keep_label: bool) -> list[str]:
    """Noun phrases before the anchor, nearest first; a bare noun right before the anchor only labels it."""
    pieces = re.split(r"\bof\b|'s\b|’s\b|\bwhose\b|(?<=\w)\s+(?=(?:the|its|their|his|her)\s)", left)
    pieces = [p for p in pieces if p and p.strip()]
    if (
        keep_label
        and len(pieces) > 1
        and len(terms(pieces[-1])) <= 2
        and not _has_relation(pieces[-1])
        and not re.search(r"\b(?:that|which|who|by)\b", pieces[-1])
    ):
        pieces = pieces[:-1]
    return pieces[::-1]


def _owned_parts(right: str) -> list[str]:
    return [p for p in re.split(r"'s\b|’s\b|(?<=\w)\s+(?=the\s)", right) if p.strip()]


def _has_relation(text: str) -> bool:
    return any(t in _BY_WORD or t.startswith("composed") for t in terms(text))


def _asked_kind(text: str) -> str:
    if re.search(
        r"\bhow (?:many|much|long|tall|high|fast|far|heavy|wide|deep|big|large|old|often|expensive)\b", text
    ):
        return "number"
    if re.search(r"\bwhen\b|\b(?:which|what) (?:year|date|day|month)\b", text):
        return "date"
    if re.search(r"\bwhere\b|\b(?:which|what) (?:city|town|place|village)\b", text):
        return "place"
    if re.search(r"\bwhy\b", text):
        return "text"
    return "name" if re.search(r"\bwho(?:m)?\b", text) else "any"


def _chain(parts: list[str], kind: str) -> tuple[Hop, ...]:
    hops: list[Hop] = []
    parts = [part for part in parts if terms(part)]
    for number, part in enumerate(parts):
        hops += _part_hops(part, kind if number == len(parts) - 1 else "name")
    return tuple(_drop_labels(_merged(hops), kind))


def _merged(hops: list[Hop]) -> list[Hop]:
    """Without the same relation said twice in a row, or a location where the country is asked."""
    kept: list[Hop] = []
    for hop in hops:
        if kept and hop.relation == "country" and kept[-1].relation == "location":
            kept.pop()
        if not (
            kept
            and hop.relation
            and hop.relation == kept[-1].relation
            and not hop.asked.startswith("composed")
        ):
            kept.append(hop)
    return kept


def _drop_labels(hops: list[Hop], kind: str) -> list[Hop]:
    """A last hop of unknown words after a known relation only names its class ("which *film* has the director")."""
    if (
        len(hops) > 1
        and not hops[-1].relation
        and hops[-2].relation
        and kind in {"date", "place", "name", "any"}
    ):
        return hops[:-1]
    return hops


def _part_hops(part: str, kind: str) -> list[Hop]:
    """The hops inside one noun phrase: known relations in order, unknown words together."""
    hops: list[Hop] = []
    loose: list[str] = []
    for word, term in _worded(part):
        if term.startswith("composed"):
            hops += [
                relation_hop(key, term) for key in lexicon.COMPOSED[int(term.removeprefix("composed"))][1]
            ]
        elif term in _BY_WORD:
            hops.append(relation_hop(_choose(_BY_WORD[term], kind), word))
        elif not YEAR.fullmatch(term):
            loose.append(word)
    if not loose:
        return hops
    wide = frozenset().union(*(reach(stem(w)) for w in loose))
    if kind == "number":
        return [Hop(wide, "", kind, " ".join(loose))]
    if hops and len(loose) <= 2:
        return [*hops[:-1], replace(hops[-1], words=hops[-1].words | wide)]
    return [*hops, Hop(wide, "", kind, " ".join(loose))]


def _worded(part: str) -> list[tuple[str, str]]:
    """Content words with their stems."""
    return [(word, stem(word)) for word in words(part) if word.lower() not in lexicon.STOP]


def _choose(keys: list[str], kind: str) -> str:
    if len(keys) > 1:
        for key in keys:
            if _BY_KEY[key].wants == kind:
                return key
    return keys[0]
