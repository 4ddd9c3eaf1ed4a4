"""A question as what a passage has to hold: weighted concepts, years, the kind of answer.

A concept is one content word or fixed phrase with the words of general language that may stand for it.
Sentences that ask weigh more than those around them; greetings and thanks weigh nothing, since they are made
of stop words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from .lexicon import IN_TIME, LESS, LESS_CJK, MORE, MORE_CJK, NUMBERS, SPELLED, STOP, WEAK, load, patterns
from .phrases import say
from .text import is_cjk, is_stop, language, split_prose, stem, terms, tidy, words
from .thesaurus import group_of, thesaurus, written
from .values import Value, numbers, unit_family

YEAR = re.compile(r"(?<![\d.,/-])[12]\d{3}(?![\d/]|[.,]\d|-\d{2}\b)")
_WEAK_CJK = re.compile(
    "|".join(sorted((w for w in WEAK | MORE_CJK | LESS_CJK if is_cjk(w)), key=len, reverse=True))
)
_AROUND, _WEAK, _BOUND = 0.3, 0.3, 0.45
_NOT_ASKING = ("own", "aside")
"""The clauses of a sentence that asks which ask nothing themselves."""
_RE = patterns("question")
ASKED, COUNTED = _RE["asked"], _RE["counted"]
INNER = frozenset("of to in for at on de la del da van von".split())
"""Words inside a name or between it and its place."""
KATAKANA = re.compile(r"[ァ-ヺー・]{3,}")
_WRITTEN_NAME = re.compile(r"(?<=[\w,] )[A-Z]\w{2,}")
"""A word with a capital inside a clause."""
_FEW = 2
"""How many words of its own a question has that leans on the names around it."""
_FREQUENT = frozenset("often frequently likely recent recently".split())
_ORDINAL = frozenset("first last".split())
_SOUGHT = 4
"""Words of one sense that a search has at most."""
_QUANTIFIERS = frozenset("most more least less fewest fewer".split())
_ARTICLES = frozenset("a an the of what which whose many much".split())
_AS_TYPED = [
    (re.compile(rf"(?<![a-zA-Z0-9_.'’-])(?:{typed})(?![a-zA-Z0-9_.'’-])"), meant)
    for typed, _, meant in (
        line.rpartition(": ") for line in load("words")["english"]["written_out"].splitlines()
    )
]
"""What people type for something else, and what they mean."""
_COUNT = re.compile(
    rf"\b(?:top|first|which|the|name|what)\s(?:the )?({SPELLED}|\d+)\b(?! years?\b)"
    rf"|(?:^\W*|\b(?:need|want|me) )({SPELLED}|\d)\b(?! (?:years?|months?|days?)\b)"
    rf"|\b(?:best|worst|highest|lowest|largest|smallest) ({SPELLED}|\d+)\b"
    r"|前?([二两三四五六七八九十\d]+)[个座家名艘つ]|(?:前|上位|トップ|ベスト)([二两三四五六七八九十\d]+)"
    r"|([一二三四五六七八九十]|[0-9])つの",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing that a passage may say: by its own stems, or by a word of the same group of the thesaurus."""

    word: str
    stems: frozenset[str]
    groups: frozenset[int]
    weight: float
    thing: bool = False
    """Whether it ends a phrase behind an article or a question word, as nouns do."""
    kin: frozenset[str] = frozenset()
    """Words of the pages that it ends, or that end it ("ship", "airship")."""

    @property
    def weak(self) -> bool:
        """Whether it says little about what is asked."""
        return self.weight < 0.5

    @property
    def sought(self) -> str:
        """The word to search by: for one of questions ("how high") a noun ("height")."""
        nouns = [w for n in sorted(self.groups) for w in thesaurus().groups[n]["words"][:1]]
        return nouns[0] if nouns and (" " in self.word or is_core(self)) else self.word

    @property
    def roles(self) -> tuple[str, ...]:
        """Some of the words by which pages may say what is asked, to search by all of them at once."""
        nouns = [w for n in sorted(self.groups) for w in thesaurus().groups[n]["words"] if not is_cjk(w)]
        return tuple(dict.fromkeys(w for w in nouns[:_SOUGHT] if " " not in w)) if is_core(self) else ()

    @property
    def alike(self) -> str:
        """Another word for it, to search by where no page has its own; "" if none is known."""
        both = [w for n in sorted(self.groups) for w in thesaurus().groups[n]["words"]]
        return next((w for w in both if not is_cjk(w + self.word) and stem(w) not in self.stems), "")


@dataclass(frozen=True, slots=True)
class Query:
    """What a question asks, without any name: those are found in what pages show."""

    text: str
    lang: str
    concepts: tuple[Concept, ...]
    years: tuple[str, ...]
    kind: str
    units: frozenset[str]
    order: str
    extreme: str
    """The word that says of what there shall be most or least, where the order does not say it itself."""
    count: int
    time: str
    change: bool
    disputed: bool
    apart: bool
    """Whether it asks how far two values lie apart."""
    several: bool
    """Whether it asks for more than one thing."""
    asked: frozenset[str]
    """The words next to the question word, or the last one where that asks for a place, time or reason."""
    when: str
    """The words that ask for a time besides: "who runs it, and since when"."""

    @property
    def rolls(self) -> bool:
        """Whether it asks which things of a kind there are, or how many."""
        counts = not self.units and COUNTED.search(self.text.lower()) is not None
        return (self.several or counts) and not self.order and not self.years

    @property
    def bound(self) -> Value | None:
        """The amount of which there shall be more or less ("longer than 200 m"), if one is given."""
        behind = re.search(r"\bthan\s(.+)", self.text.lower())
        found = numbers(behind[1]) if behind and self.order else ()
        return found[0] if found and found[0].start < 2 and found[0].unit else None

    @property
    def spoken(self) -> str:
        """The question's content words as a search query."""
        if is_cjk(self.text) and self.lang != "en":
            return split_asking(self.text).asking.rstrip("？?。")
        asking = split_asking(self.text).asking
        telling = [w for w in words(asking) if (terms(w) and w.lower() not in WEAK) or w.lower() == "why"]
        return " ".join(w for n, w in enumerate(telling) if w not in telling[:n]) or self.text


def is_core(concept: Concept) -> bool:
    """Whether a concept is what the question asks for: a measure, a cause, a date, a place …"""
    book = thesaurus().groups
    return not concept.weak and any(book[n].get("unit") or book[n].get("kind") for n in concept.groups)


def _in_places(low: str) -> str:
    """A question in small letters with "top three" for first, second and third, and for the third alone."""
    low = _RE["places"].sub(lambda m: " top three " if m[1] or m[2] else " top two ", low)
    return _RE["place"].sub(lambda m: "top two " if m[1] in ("second", "2nd") else "top three ", low)


# --- reading a question ----------------------------------------------------------------------------------


def in_full(text: str) -> str:
    """A question on one line, with "whats" as "what is", "ppl" as "people" and 长一些 as 更长."""
    text = tidy(text)
    for typed, meant in _AS_TYPED:
        text = typed.sub(meant, text)
    return _RE["rather"].sub(r"更\1", text)


@lru_cache(maxsize=4096)
def read_query(text: str, whole: bool = False) -> Query:
    """What a question asks for; with `whole` the clauses around those that ask are leant on."""
    text = in_full(text)
    lang = language(text)
    parts = split_asking(text)
    found = _leaning(parts, whole)
    book = thesaurus().groups
    low = _in_places(parts.asking.lower())
    meant = [book[n] for c in found if not c.weak for n in c.groups]
    own = next((group["kind"] for group in meant if group.get("kind")), "")
    second = _RE["bare_second"].search(parts.point.lower())
    point = _RE["second"].sub(r"\1 that", _RE["bare_second"].sub("", parts.point.lower()))
    kinds = kinds_in(point)
    if kinds[:2] == ["person", "place"]:  # "who is she, and where is she from": the last one asks
        known = load("words")["kinds"]
        kinds = sorted(kinds[:2], key=lambda k: -max(m.start() for m in re.finditer(known[k], point)))
    kind = kinds[0] if kinds else own or "plain"
    units = frozenset(group["unit"] for group in meant if group.get("unit"))
    order, ordering = order_of(low)
    if order and not units and (ordering in IN_TIME or own == "date"):
        kind = "date"
        order = "less" if re.search(r"\blong(?:er|est)\b", low) else order  # "open longer" is older
    elif (
        (units and order and kind != "date")
        or (units and kind in {"plain", "yesno", "name", "person"})
        or (order and kind in {"plain", "yesno", "name", "person"} and low == parts.asking.lower())
        or (kind == "place" and ordering in _QUANTIFIERS)  # "where are the most boats?"
    ):
        kind = "number"
    asked = _asked(point, found)
    if _RE["one_of"].match(point) and any(written(c.groups) for c in found if c.word in asked):
        kind, units = "name", frozenset()  # "which option prints the number of …"
    if kind == "reason" and not any(group_of("reason") & c.groups for c in found):
        found.append(Concept(say("reason", lang), frozenset(), group_of("reason"), 1.0, True))
    times = times_in(low)
    return Query(
        text,
        lang,
        tuple(found),
        _years(parts.asking) or _years(text),
        kind,
        units,
        order,
        _extreme(low, ordering) if order else "",
        _count(_in_places(text.lower())),
        times[0] if times else "",
        {"before", "now"} <= {*times} or bool(re.search(load("words")["time"]["change"], low)),
        bool(re.search(load("words")["time"]["disagree"], text.lower())),
        bool(re.search(load("words")["time"]["apart"], low)),
        bool(re.search(load("words")["several"]["asks"], low)),
        asked,
        second[1] if second and "when" in second[1] and kind != "date" else "",
    )


def _leaning(parts: Clauses, whole: bool) -> list[Concept]:
    """The concepts of the clauses that ask, and of those around by how far the question leans on them."""
    ordering = order_of(parts.asking.lower())[1]
    bare = ordering in _QUANTIFIERS and not _extreme(parts.asking.lower(), ordering)  # "which has the most?"
    head, bound = split_bound(parts.asking)
    found = _concepts(head, 1.0) + _concepts(bound, _BOUND)
    leans = whole or bare or (parts.leans and not any(map(is_core, found)))
    for concept in _concepts(parts.around, 1.0):
        kept = leans and concept.groups
        found.append(concept if kept else replace(concept, weight=_AROUND * concept.weight))
    heaviest: dict[frozenset[str], Concept] = {}
    for concept in found:
        if concept.weight > getattr(heaviest.get(concept.stems), "weight", 0.0):
            heaviest[concept.stems] = concept
    return list(heaviest.values())


def split_bound(text: str) -> tuple[str, str]:
    """A question, and what it says to end the time that it asks of ("… before they rebuilt it"); "" where
    nothing else would be asked."""
    head, *bound = re.split(load("words")["time"]["bound"], text, maxsplit=1, flags=re.IGNORECASE)
    asks = bound and any(not c.weak for c in _concepts(head, 1.0))
    return (head, bound[0]) if asks else (text, "")


def _years(text: str) -> tuple[str, ...]:
    """The years of a text; "the year before" is one, too."""
    years = tuple(dict.fromkeys(YEAR.findall(text)))
    before = len(years) == 1 and re.search(load("words")["time"]["year_before"], text.lower())
    return (*years, str(int(years[0]) - 1)) if before else years


def kinds_in(low: str) -> list[str]:
    """The kinds of answer that a text asks for by its words, the most telling first."""
    return [kind for kind, words_of in load("words")["kinds"].items() if re.search(words_of, low)]


def times_in(low: str) -> list[str]:
    """The times of which a text speaks: `before` something, `after` it, or `now`."""
    return [k for k in ("before", "after", "now") if re.search(load("words")["time"][k], low)]


def _asked(low: str, concepts: Sequence[Concept]) -> frozenset[str]:
    match = _RE["question_word"].search(low)
    start = match.end() if match else 0
    placed = [(low.find(c.word, start), c.word) for c in concepts if c.weight >= 1]
    behind = [word for place, word in sorted(placed) if place >= 0]
    if not match and len(owned := re.split("[的の]", re.split("[。？?]", low)[0].rstrip("的"))) > 1:
        held = ({c.word for c in concepts if not c.weak and c.word in part} for part in reversed(owned[1:]))
        return frozenset(next(filter(None, held), ()))
    if not match and patterns("clauses")["opens"].match(low):
        return frozenset()
    if not match:  # a noun, which ends before what belongs to it
        head = _RE["preposition"].search(low)
        end = head.start() if head else len(low)
        told = [word for place, word in sorted(placed) if 0 <= place < end]
        both = not head and " ".join(told[-2:]) in low  # "engine make"
        return frozenset(told[-2 if both else -1 :] or behind[:1])
    last = match[0] in {"where", "when", "why"} or re.match(r"\s(?:do|does|did)\b", low[match.end() :])
    return frozenset(behind[-1:] if last else behind[:2])


@dataclass(frozen=True, slots=True)
class Clauses:
    """A text by its clauses: those `asking`, with all that they lean on, and those only `around` them."""

    asking: str
    around: str
    point: str
    """What of `asking` is a question or request by itself."""
    leans: bool = False
    """Whether it points back, so that what stands around it may be what it asks of."""


@lru_cache(maxsize=4096)
def split_asking(text: str) -> Clauses:
    """The clauses that ask, and those around them; a question that points back takes the sentences before it,
    as does one that asks nothing by itself ("Could you look that up?"); a short one that names nothing takes
    those that do ("The Heron and the Mule. Which wins?")."""
    sentences = [_clauses(said) for said in split_prose(in_full(text))]
    asked = [any(kind == "asks" and tells(c) for kind, c in clauses) for clauses in sentences]
    glue = " " if language(text) == "en" else ""
    asking = glue.join(
        c for s, asks in zip(sentences, asked, strict=True) if asks for k, c in s if k not in _NOT_ASKING
    )
    whole = not asking or re.search(load("words")["follow"]["pointing"], asking, re.IGNORECASE)
    point = glue.join(c for s in sentences for k, c in s if k == "asks" and tells(c))
    if whole:
        own = glue.join(c for s in sentences for k, c in s if k == "own")
        told = glue.join(c for s in sentences for k, c in s if k != "own")
        return Clauses(told, own, point or told, True) if tells(told) else Clauses(text, "", text)
    short = not _WRITTEN_NAME.search(asking) and sum(not c.weak for c in _concepts(point, 1.0)) <= _FEW
    kept, rest = list[str](), list[str]()
    for said, asks in zip(sentences, asked, strict=True):
        names = short and any(_WRITTEN_NAME.search(clause) for _, clause in said)
        for kind, clause in said:
            (kept if (asks or names) and kind not in _NOT_ASKING else rest).append(clause)
    return Clauses(glue.join(kept), glue.join(rest), point)


def asks(text: str) -> bool:
    """Whether a clause of a text is a question or a request."""
    clauses = [kind for said in split_prose(in_full(text)) for kind, _ in _clauses(said)]
    return "asks" in clauses


def is_keywords(text: str) -> bool:
    """Whether a text lists words and asks no whole question."""
    return "," in text and not ASKED.search(text) and not asks(text)


def tells(clause: str) -> bool:
    """Whether a clause names anything that is asked."""
    return any(not c.weak for c in _concepts(clause, 1.0)) or bool(order_of(clause.lower())[0])


def _clauses(sentence: str) -> list[tuple[str, str]]:
    """The clauses of a sentence, each with what it does: it `asks`, tells of the `own` affairs of who asks,
    or `aside` what somebody says of it, or anything else ("")."""
    book = patterns("clauses")
    found: list[tuple[str, str]] = []
    for clause in filter(None, map(str.strip, book["ends"].split(sentence))):
        opens = book["opens"].match(clause)
        asks = bool(
            opens or clause.endswith(("?", "？", "か。")) or (is_cjk(clause) and ASKED.search(clause))
        )
        own = not opens and book["own"].match(clause)
        head = None if opens else book["head"].search(clause)
        if head and (own or head["embedded"]):
            found.append(("own", clause[: head.end()]))
            clause, asks, own = clause[head.end() :], not head["told"], None
        aside = found and not asks and book["aside"].match(clause)  # what somebody else says of it
        found.append(("own" if own else "asks" if asks else "aside" if aside else "", clause))
    return found


def _concepts(text: str, factor: float) -> list[Concept]:
    book = thesaurus().asked
    found: list[Concept] = []
    low = text.lower()
    for match in book.pattern.finditer(low):
        groups = frozenset(book.phrases[match[0]])
        stems = frozenset(t for t in terms(match.group(0)) if len(t) > 1)  # 人 of 哪里人 says nothing
        if words(match[0])[0] in INNER and not _RE["question_word"].search(
            match[0]
        ):  # "time" is not "on time"
            stems = frozenset()
        found.append(Concept(match.group(0), stems, groups, factor))
    rest = book.pattern.sub(" ", low)
    named = False
    told = words(rest)
    units = {word for word in _RE["in_units"].findall(low) if unit_family(word)}
    for before, word, after in zip(("", *told), told, (*told[1:], ""), strict=False):
        named = word in _ARTICLES or (named and not is_stop(word))
        head = named and (not after or is_stop(after))
        if is_cjk(word):
            rare = _WEAK_CJK.sub(" ", word)
            for run in KATAKANA.findall(rare):
                found.append(Concept(run, frozenset(terms(run)), frozenset(), factor))
            rare = KATAKANA.sub(" ", rare)
            pairs = [(t, 0.6 if len(t) > 1 else 0.2) for t in terms(rare)]
            found += [Concept(t, frozenset({t}), frozenset(), factor * weight) for t, weight in pairs]
            continue
        one = stem(word)
        if not terms(word) and (after or one not in book.single):  # "What is it about?"
            continue
        groups = frozenset(book.single.get(one, ()))
        measured = one in thesaurus().asks
        unit = before == "per" or (not groups and word in units)
        dull = unit or bool(times_in(word)) or (word in WEAK | MORE | LESS and not measured) or len(word) < 2
        weight = factor * (_WEAK if dull else 1.0)
        found.append(Concept(word, frozenset({one}), groups, weight, head))
    places = [c for c in found if _RE["question_word"].search(c.word) and c.groups & group_of("place")]
    if "where is" not in low and any(c.groups and not c.weak for c in found if c not in places):
        # "in which town was she born": what happened there says more
        return [replace(c, weight=_WEAK * factor) if c in places else c for c in found]
    return found


def lifted(concepts: Sequence[Concept]) -> tuple[Concept, ...]:
    """Concepts of which some say something: who asks by words that say little asks by them."""
    weak = all(c.weak for c in concepts)
    return tuple(replace(c, weight=1.0) if weak else c for c in concepts)


def joined_pairs(concepts: Sequence[Concept], shown: frozenset[str]) -> tuple[Concept, ...]:
    """Concepts in which character pairs that overlap, and that nothing shows, are one word."""
    found: list[Concept] = []
    for one in concepts:
        pair = len(one.word) > 1 and is_cjk(one.word) and not one.groups and not one.stems & shown
        last = found[-1] if found else None
        if pair and last and last.word[-1] == one.word[0] and not last.stems & shown:
            found[-1] = replace(last, word=last.word + one.word[1:], stems=last.stems | one.stems)
        else:
            found.append(one)
    return tuple(found)


def order_of(low: str) -> tuple[str, str]:
    """`more` or `less` where a question asks for an extreme, and the first word that does; "the first job"
    and "most often" ask for none."""
    low = low if re.search(r"\b(?:which|who)\b", low) else _RE["top_value"].sub("", low)
    for word, after in re.findall(
        r"([a-z]+)(?= ?([a-z]*))", _RE["first_place"].sub("top", _RE["sorted"].sub("", low))
    ):
        plain = word in _ORDINAL and after and after not in STOP and after not in NUMBERS
        if word in MORE | LESS and not plain and after not in _FREQUENT:
            return ("more" if word in MORE else "less"), word
    wide = [*(("more", w) for w in sorted(MORE_CJK)), *(("less", w) for w in sorted(LESS_CJK))]
    return next((one for one in wide if one[1] in low), ("", ""))


def _extreme(low: str, ordering: str) -> str:
    """What stands behind "by", or else the first word behind one that asks for most or least of something;
    behind others ("the top three", "the biggest") stands what is put in order."""
    behind = re.findall(r"\bby (?:the )?(?:number of )?([a-z]+)", low) or [""]
    if behind[-1] in MORE | LESS | {""}:
        behind = [re.split("[:,?]", low.partition(ordering)[2])[0] if ordering in _QUANTIFIERS else ""]
    telling = (w for w in words(behind[-1]) if not is_stop(w) and w not in WEAK | MORE | LESS)
    found = next(telling, "")
    return "" if found.isdigit() else found


def _count(low: str) -> int:
    match = _COUNT.search(low)
    said = next(filter(None, match.groups()), "") if match else ""
    return NUMBERS.get(said) or (int(said) if said.isdigit() and len(said) < 3 else 1)
