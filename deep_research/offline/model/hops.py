"""The relations that a question strings together, from the thing named outwards to what is asked.

"Where was the owner of the press that published X born?" has the hops publisher, owner, birthplace. Noun
phrases before the name are read from right to left, possessives after it from left to right. Known
relations are hops of their own; unknown words of one phrase make one hop together.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from . import lexicon, thesaurus
from .clauses import plain_order, told_in_turn
from .text import stem, term_set, terms, words

YEAR = re.compile(r"(?<!\d)(?:1\d{3}|2\d{3})(?!\d)")
_CLASS = re.compile(
    r"^\W*(?:which|what|(?:are|were|do|did|is|have|has)(?: both| the)*|both)(?: of the)?"
    r"(?: (?:two|three|four|five|six))?(?: of (?:these|those|the))? \w+\b(?!['’]s| of)"
)


@dataclass(frozen=True, slots=True)
class Hop:
    """One step: its relation if general language has one, the kind of value wanted, and the words as asked.

    `loose` are the stems of the words that are not the relation's own; `key` is one that cannot be missing.
    """

    relation: str = ""
    wants: str = "any"
    asked: str = ""
    loose: tuple[str, ...] = ()
    key: str = ""


_BY_KEY = {relation.key: relation for relation in lexicon.RELATIONS}
_BY_WORD: dict[str, list[str]] = {}
for _relation in lexicon.RELATIONS:
    for _word in (*_relation.asked.split(), _relation.key):
        _BY_WORD.setdefault(stem(_word), []).append(_relation.key)
_COMPARATIVES = lexicon.LATER | lexicon.EARLIER | lexicon.MORE | lexicon.LESS
_WHEN_ONLY = {stem(word) for word in "first last earlier later earliest latest".split()}
_MEASURED = {**{kind: kind for kind in thesaurus.UNITS}, **thesaurus.MEASURES, **lexicon.DIMENSIONS}
_DIMENSION_OF = {stem(word): quantity for word, quantity in _MEASURED.items()}
_QUANTITIES = {stem(word) for word in thesaurus.QUANTITIES}
_SYNONYMS: dict[str, frozenset[str]] = {}
for _group in thesaurus.SYNONYMS:
    for _word in _group.split():
        _SYNONYMS[stem(_word)] = _SYNONYMS.get(stem(_word), frozenset()) | {stem(w) for w in _group.split()}


def relation_hop(key: str, asked: str = "", loose: tuple[str, ...] = ()) -> Hop:
    """The hop for a relation of general language."""
    return Hop(key, _BY_KEY[key].wants, asked or key, loose)


@lru_cache(maxsize=16384)
def reach(term: str) -> frozenset[str]:
    """All stems that count as saying a word of a question: synonyms, the quantity of an adjective, the
    relation."""
    quantity = stem(_DIMENSION_OF.get(term, term))
    found = {term, quantity} | _SYNONYMS.get(term, frozenset()) | _SYNONYMS.get(quantity, frozenset())
    for key in _BY_WORD.get(term, ()):
        found |= {stem(w) for w in _BY_KEY[key].asked.split()}
    return frozenset(found)


def is_label(name: str, stems: Iterable[str]) -> bool:
    """Whether a name is nothing but words that were asked for, as the label of a row is ("Birthplace: …")."""
    own = term_set(name)
    return bool(own) and own <= {known for term in stems for known in reach(term)}


def find_hops(masked: str, listed: bool, compared: bool) -> tuple[Hop, ...]:
    """Hops in the order in which they must be followed; `masked` has § for each thing named.

    What cannot be cut into hops is one: all its words.
    """
    whole = masked.lower().replace("§", " ")
    found = _cut_hops(masked.lower(), listed, compared)
    return found or ((_bag(whole, asked_kind(whole)),) if terms(whole) else ())


def _cut_hops(text: str, listed: bool, compared: bool) -> tuple[Hop, ...]:
    for pattern, key in lexicon.PHRASES:
        text = re.sub(pattern, key, text)
    for number, (pattern, _) in enumerate(lexicon.COMPOSED):
        text = re.sub(pattern, f"composed{number}", text)
    text = text if compared else plain_order(text)
    clauses = told_in_turn(text) if not compared else []
    if clauses:
        return (*itertools.chain(*map(_told, clauses[:-1])), *find_hops(clauses[-1], False, False))
    kind = asked_kind(text)
    than = re.search(r"^(.*?)§(.*?)\bthan\b.*§", text) if compared else None
    if than and not re.search(r"\b(?:of|that|which)\b", than.group(2)):
        return (_bag(f"{than.group(1)} {than.group(2)}", kind),)
    left, right = _around(text, compared)
    if not right and not left:
        return _chain([text], kind)
    if not compared and _ONE_THING.match(left) and not re.search(r"^\W*wh.*\b(?:of|that)\b", left):
        return (_bag(f"{left} {right}", kind),)
    owned = re.match(r"['’]s?\s", right)
    if owned:
        return _chain([*_owned_parts(right[owned.end() :]), *_left_parts(left)], kind)
    if listed:
        bare = _CLASS.sub("", left)
        right = re.sub(r"^\W*(?:which|what)\s+\w+", "", right) if not terms(left) else right
        left = left if set(terms(f"{bare} {right}")) <= _WHEN_ONLY else bare
        return _chain([*_left_parts(left)[::-1], right], kind)
    parts = _left_parts(left)
    if not parts:
        return _chain([right], kind)
    place = next((i for i, part in enumerate(parts) if _CLAUSE.search(part.rstrip())), len(parts) - 1)
    apart = _EXTRAPOSED.match(parts[place])
    if apart and not any(terms(part) for part in parts[place + 1 :]):
        return _chain([*parts[:place], f"{apart.group(1)} {right}", apart.group(2)], kind)
    parts[place] = f"{parts[place].removesuffix('in which')} {right}"
    return _chain(parts, kind)


def _told(text: str) -> tuple[Hop, ...]:
    """The hops of a statement: what explains the thing named, then what the statement adds."""
    left, right = _around(text, False)
    owned = re.match(r"['’]s?\s", right)
    if owned:
        return _chain([*_owned_parts(right[owned.end() :]), *_left_parts(left)], "name", told=True)
    parts = _left_parts(left)
    kind = _IS_A.match(right)
    if kind and parts:
        return _chain([*parts[:-1], f"{parts[-1]} {kind.group(1)}", right[kind.end() :]], "name", told=True)
    place = next((i for i, part in enumerate(parts) if _CLAUSE.search(part.rstrip())), -1)
    if place < 0:
        return _chain([*parts, right], "name", told=True)
    parts[place] = f"{parts[place]} {right}"
    return _chain(parts, "name", told=True)


_IS_A = re.compile(r"^\s*(?:is|was|are|were) an? ((?:\w+ ){0,2}?\w+) (?:that|which|who|whom)\b")
"""A statement that tells of what kind the thing is before it tells more of it."""
_ONE_THING = re.compile(
    r"^\W*(?:(?:what|which) \w+(?: \w+)? (?:do|does|did)\b|how (?:did|do|does|has|have)\b|(?:is|are"
    r"|was|were|does|do|did|has|have)\b)"
)


def _around(text: str, compared: bool) -> tuple[str, str]:
    """What stands before and after the things named; between them too, where it belongs to the question."""
    first, last = text.find("§"), text.rfind("§")
    if first < 0:
        return text, ""
    if compared and not terms(text[:first] + text[last + 1 :]):
        return text[:first], text[first + 1 : last].replace("§", " ")
    return text[:first], (text[last + 1 :] if compared else text[first + 1 :].replace("§", " "))


_BEFORE_NAME = "of|by|in|at|on|for|from|to|with|where|which|that|who|whom|whose"
_CLAUSE = re.compile(r"\b(?:where|which|that|whom)\s*$")
"""A part that ends so is explained by a clause about the thing named: what follows the name belongs to it."""


_EXTRAPOSED = re.compile(
    r"^((?:the|an?) \w+) (\w+(?:ed|en|wn|rn|ug|ng|lt|ut|de|nd|id|ld|st)) "
    r"(?:(?:from|in|at|by|to|on|for|with|of) which|where)\s*$"
)
"""A clause after the verb that it has nothing to do with ("was the bridge built over which § flows")."""


def _left_parts(left: str) -> list[str]:
    """Noun phrases before the anchor, nearest first; a bare noun right before the anchor only labels it."""
    labelled = not re.search(rf"(?:\b(?:{_BEFORE_NAME})|[,:])(?: the| an?)?\s*$", left)
    left = re.sub(r"\bin which\b(?=\s+the\b)", "in which ", left)
    pieces = re.split(r"\bof\b|'s\b|’s\b|\bwhose\b|(?<=\w)\s+(?=(?:the|its|their|his|her)\s)", left)
    pieces = [p.strip() for p in pieces if p and p.strip()]
    if labelled and len(pieces) > 1 and _is_label(pieces[-1]):
        pieces = pieces[:-1]
    return pieces[::-1]


def _is_label(piece: str) -> bool:
    return (
        len(terms(piece)) <= 2
        and not _has_relation(piece)
        and not re.search(r"\b(?:that|which|who|by|at|in|on)\b", piece)
    )


def _owned_parts(right: str) -> list[str]:
    return [p for p in re.split(r"'s\b|’s\b|[.!]\s|(?<=\w)\s+(?=(?:the|an?)\s)", right) if p.strip()]


def _has_relation(text: str) -> bool:
    return any(t in _BY_WORD or t.startswith("composed") for t in terms(text))


_CLAUSE_OF_TIME = re.compile(r"^(\W*(?:is|are|was|were|do|does|did|has|have|had|can|could)\b.*?)\bwhen\b.*")
"""After a verb that asks for yes or no, "when" begins a clause and asks for no date."""
_KINDS = (
    (
        "number",
        r"\bhow (?:many|much|long|tall|high|fast|far|heavy|wide|deep|big|large|often|expensive)\b"
        r"|\bhow [a-z]+ (?:is|are|was|were)\b|\bmore [a-z]+ .*\bthan\b",
    ),
    ("date", r"\bwhen\b|\b(?:which|what) (?:year|date|day|month)\b|\bhow old\b"),
    ("place", r"\bwhere\b|\b(?:which|what) (?:city|town|place|village)\b"),
    ("text", r"\bwhy\b"),
    ("name", r"^\W*who(?:m)?\b"),
    ("any", r"\b(?:which|what)\b"),
)


def asked_kind(text: str) -> str:
    """The kind of value asked, by the first question word."""
    text = _CLAUSE_OF_TIME.sub(r"\1", text)
    found = [(m.start(), order, kind) for order, (kind, p) in enumerate(_KINDS) if (m := re.search(p, text))]
    return min(found)[2] if found else "any"


def _chain(parts: list[str], kind: str, told: bool = False) -> tuple[Hop, ...]:
    """The hops of noun phrases in order; in a statement (`told`) the last one is no mere class of answer."""
    hops: list[Hop] = []
    parts = [part for part in parts if terms(part)]
    where = kind == "place" and not (parts and _has_relation(parts[-1]))
    for number, part in enumerate(parts):
        hops += _part_hops(part, kind if number == len(parts) - 1 else "name")
    hops = _merged(hops)
    if not told and parts and _CLASS_ASKED.search(parts[-1]):
        hops = _drop_class(hops, kind)
    hops = _of_kind(hops, kind)
    if where and (not hops or (hops[-1].wants == "name" and hops[-1].relation)):
        hops.append(relation_hop("location"))
    return tuple(hops)


_CLASS_ASKED = re.compile(r"\b(?:which|what|whose|who) (?!(?:is|was|are|were|do|does|did|has|have|had)\b)\w")
"""The words after these may only name the class of the answer; all others say what is asked."""


def _of_kind(hops: list[Hop], kind: str) -> list[Hop]:
    """The last hop leads to the kind of value asked: a date although its word names a person's part in it,
    a number where a word is asked for that has numbers."""
    if not hops:
        return hops
    last = hops[-1]
    if last.relation and kind in {"any", "number"} and _QUANTITIES & set(last.loose):
        stems = tuple(dict.fromkeys([*last.loose, *(stem(w) for w in words(last.asked))]))
        return [*hops[:-1], Hop("", "number", last.asked, stems)]
    if kind == "date" and last.relation and last.wants == "name":
        stems = tuple(dict.fromkeys([*(stem(w) for w in words(last.asked)), *last.loose]))
        return [*hops[:-1], Hop("", "date", last.asked, stems)]
    if kind == "any" and not last.relation and (_QUANTITIES & set(last.loose) or last.key in _DIMENSION_OF):
        return [*hops[:-1], replace(last, wants="number")]
    return hops


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


def _drop_class(hops: list[Hop], kind: str) -> list[Hop]:
    """A last hop of unknown words after a known relation only names its class ("which *film* has the
    director")."""
    if len(hops) > 1 and not hops[-1].relation and hops[-2].relation and kind in {"place", "name", "any"}:
        return hops[:-1]
    return hops


def _part_hops(part: str, kind: str) -> list[Hop]:
    """The hops inside one noun phrase: known relations in order, unknown words together."""
    hops: list[Hop] = []
    loose: list[str] = []
    for word in words(part):
        term = stem(word)
        if word.lower() in lexicon.STOP or YEAR.fullmatch(word):
            continue
        if term.startswith("composed"):
            hops += [
                relation_hop(key, term) for key in lexicon.COMPOSED[int(term.removeprefix("composed"))][1]
            ]
        elif term in _BY_WORD and word != "found" and _leads_on(key := _choose(_BY_WORD[term], kind), kind):
            hops.append(relation_hop(key, word))
        else:
            loose.append(word)
    loose = [w for w in loose if not hops or w not in _COMPARATIVES]
    if not loose:
        return hops
    stems = tuple(dict.fromkeys(stem(w) for w in loose))
    if hops and (kind != "number" or hops[-1].wants == "date"):
        last = hops[-1]
        return [*hops[:-1], Hop(last.relation, last.wants, f"{last.asked} {' '.join(loose)}", stems)]
    return [_bag(part, kind)]


def _leads_on(key: str, kind: str) -> bool:
    """Whether a relation can stand where a name is wanted: a date leads nowhere."""
    return kind != "name" or _BY_KEY[key].wants != "date"


def _bag(part: str, kind: str) -> Hop:
    """A hop of words alone, whatever relations they may also name."""
    kept = [w for w in words(part) if w.lower() not in lexicon.STOP and not YEAR.fullmatch(w)]
    telling = [w for w in kept if w not in lexicon.LIGHT] or kept
    match = _KEY.search(part)
    key = stem(match.group(1) or match.group(2)) if match else ""
    stems = tuple(dict.fromkeys(stem(w) for w in telling))
    key = key if key in stems else dimension_in(stems)
    wants = "number" if kind == "any" and (_QUANTITIES & set(stems) or key in _DIMENSION_OF) else kind
    return Hop("", wants, " ".join(kept), stems, key)


def dimension_in(stems: tuple[str, ...]) -> str:
    """The word that names a measure ("long", "heaviest"), if there is one."""
    return next((t for t in stems if t in _DIMENSION_OF), "")


_KEY = re.compile(r"\bhow (?:many|much) (?:of )?([a-z]+)|\bwhat ([a-z]+) (?:do|does|did|has|have|had)\b")


def _choose(keys: list[str], kind: str) -> str:
    """Of several relations with one word, the one that has the wanted kind of value."""
    return next((key for key in keys if _BY_KEY[key].wants == kind), keys[0])


def with_measure(hops: tuple[Hop, ...], low: set[str], order: str) -> tuple[Hop, ...]:
    """End a comparison in something that can be compared: people by birth, works by release, things by
    number."""
    if order == "longer-lived":
        return (*(h for h in hops if h.relation not in {"lifespan", ""}), relation_hop("lifespan"))
    if order in {"more", "less"}:
        return _ending_in(hops, "number")
    if order == "same":
        known = hops and hops[-1].relation not in {"director", "producer", "composer"}
        return hops if known else (*hops, relation_hop("country"))
    if order not in {"later", "earlier"} or (hops and hops[-1].wants == "date"):
        return hops
    swap = {"birthplace": "birthdate", "deathplace": "deathdate", "founder": "inception"}
    if hops and hops[-1].relation in swap:
        return (*hops[:-1], relation_hop(swap[hops[-1].relation]))
    if low & {"older", "oldest", "younger", "youngest", "born"}:
        known = tuple(h for h in hops if h.relation and h.relation != "age")
        person = "who" in low or (known and known[-1].wants == "name")
        return (*known, relation_hop("birthdate" if person else "age"))
    return _ending_in(hops, "date")


def _ending_in(hops: tuple[Hop, ...], kind: str) -> tuple[Hop, ...]:
    """The last hop asks for a number or date: its words count, whatever relation they also name."""
    if not hops:
        return hops
    last = hops[-1]
    asked = [w.lower() for w in words(last.asked) if w.lower() not in lexicon.STOP]
    telling = [w for w in asked if w not in lexicon.LIGHT] or asked
    stems = tuple(dict.fromkeys([*map(stem, telling), *last.loose]))
    relation = "" if kind == "number" else last.relation
    return (*hops[:-1], Hop(relation, kind, last.asked, stems, last.key or dimension_in(stems)))
