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

from .lexicon import ASKING, IN_TIME, LESS, LESS_CJK, MORE, MORE_CJK, NUMBERS, STOP, WEAK, load
from .phrases import say
from .text import is_cjk, language, split_prose, stem, terms, tidy, words

YEAR = re.compile(r"(?<![\d.,/-])[12]\d{3}(?![\d/]|[.,]\d|-\d{2}\b)")
_WEAK_CJK = re.compile(
    "|".join(sorted((w for w in WEAK | MORE_CJK | LESS_CJK if is_cjk(w)), key=len, reverse=True))
)
_AROUND, _WEAK, _PHRASE = 0.3, 0.3, 1.0
_ASKED = re.compile(
    r"[?？]|\b(?:who|what|when|where|why|how|which|whose)\b|谁|什么|何|哪|多少|几|吗|怎|为什么|どこ|誰|いつ|なぜ|どれ|か。?$",
    re.IGNORECASE,
)
_QUESTION_WORD = re.compile(r"\b(?:what|which|who|whose|whom|how|where|when|why)\b")
_CLAUSE = re.compile(
    r"(?<=[?？])\s*|[;；]\s+|,? and (?:also )?(?=(?:who|what|when|where|why|how|which)\b)"
    r"|[，、](?=(?:谁|什么|何时|为什么|哪|誰|いつ|なぜ|どこ))"
)
_FREQUENT = frozenset("often frequently likely recent recently of".split())
_ORDINAL = frozenset("first last".split())
_ARTICLES = frozenset("a an the of what which whose many much".split())
_SPELLED = "|".join(k for k in NUMBERS if k.isascii())
_COUNT = re.compile(
    rf"\b(?:top|first|which|the|name|what)\s(?:the )?({_SPELLED}|\d+)\b(?! years?\b)"
    rf"|\b(?:need|want|me) ({_SPELLED})\b"
    r"|([二两三四五六七八九十\d]+)[个座家名艘位つ]|([一二三四五六七八九十]|[0-9])つの",
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

    @property
    def weak(self) -> bool:
        """Whether it says little about what is asked."""
        return self.weight < 0.5


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
    count: int
    time: str
    change: bool
    disputed: bool
    asked: frozenset[str]
    """The words next to the question word, or the last one where that asks for a place, time or reason."""

    @property
    def spoken(self) -> str:
        """The question's content words as a search query."""
        if is_cjk(self.text) and self.lang != "en":
            return self.text.rstrip("？?。")
        telling = [w for w in words(self.text) if (terms(w) and w.lower() not in WEAK) or w.lower() == "why"]
        return " ".join(w for n, w in enumerate(telling) if w not in telling[:n]) or self.text


# --- the thesaurus ---------------------------------------------------------------------------------------


class _Thesaurus:
    """Groups by single word (stem) and by phrase."""

    def __init__(self) -> None:
        self.asked: dict[str, set[int]] = {}
        self.asks: set[str] = set()
        self.said: dict[str, set[int]] = {}
        phrases: dict[str, set[int]] = {}
        told: dict[str, set[int]] = {}
        self.groups = load("thesaurus")["group"]
        for number, group in enumerate(self.groups):
            both = group["words"]
            for word in [*both, *group.get("ask", ())]:
                self._add(word, number, self.asked, phrases)
            self.asks |= {stem(w) for w in group.get("ask", ())}
            for word in [*both, *group.get("say", ())]:
                self._add(word, number, self.said, told)
        self.asked_phrases, self.said_phrases = phrases, told
        self.asked_pattern, self.said_pattern = _pattern(phrases), _pattern(told)

    @staticmethod
    def _add(word: str, number: int, single: dict[str, set[int]], phrases: dict[str, set[int]]) -> None:
        if " " in word or is_cjk(word):
            phrases.setdefault(word, set()).add(number)
        else:
            single.setdefault(stem(word), set()).add(number)


def _pattern(phrases: dict[str, set[int]]) -> re.Pattern[str]:
    longest = [re.escape(p) for p in sorted(phrases, key=lambda p: (-len(p), p))]
    plain = "|".join(p for p in longest if not is_cjk(p))
    wide = "|".join(p for p in longest if is_cjk(p))
    return re.compile(rf"(?<![\w-])(?:{plain})(?![\w-])|(?=[^\x00-\x7f])(?:{wide})")


@lru_cache(maxsize=1)
def thesaurus() -> _Thesaurus:
    """The thesaurus, read once."""
    return _Thesaurus()


@lru_cache(maxsize=65536)
def said_by(text: str) -> tuple[frozenset[str], frozenset[int]]:
    """What a text says: stems, and groups of the thesaurus."""
    book = thesaurus()
    wide = "".join(w for w in words(text) if is_cjk(w))
    stems = frozenset(t for t in (*terms(text), *(stem(w) for w in words(text) if not is_cjk(w)), *wide) if t)
    groups: set[int] = set()
    for one in stems:
        groups |= book.said.get(one, set())
    for match in book.said_pattern.finditer(text.lower()):
        groups |= book.said_phrases[match.group(0)]
    return stems, frozenset(groups)


@lru_cache(maxsize=8192)
def asked_by(heading: str) -> frozenset[int]:
    """The groups of the thesaurus that a heading names, as a question does or as a statement."""
    book = thesaurus()
    single = (book.asked.get(stem(w), set()) for w in words(heading))
    phrases = (book.asked_phrases[m.group(0)] for m in book.asked_pattern.finditer(heading.lower()))
    return said_by(heading)[1].union(*single, *phrases)


def group_of(kind: str) -> frozenset[int]:
    """The groups that a kind of answer is known by."""
    return frozenset(n for n, g in enumerate(thesaurus().groups) if g.get("kind") == kind)


@lru_cache(maxsize=4096)
def units_of(groups: frozenset[int]) -> frozenset[str]:
    """The families of units that groups of the thesaurus are measured in."""
    return frozenset(g["unit"] for n in groups if (g := thesaurus().groups[n]).get("unit"))


def is_core(concept: Concept) -> bool:
    """Whether a concept is what the question asks for: a measure, a cause, a date, a place …"""
    book = thesaurus().groups
    return not concept.weak and any(book[n].get("unit") or book[n].get("kind") for n in concept.groups)


# --- reading a question ----------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def read_query(text: str, whole: bool = False) -> Query:
    """What a question asks for; with `whole` the sentences around the one that asks count as much."""
    text = tidy(text)
    lang = language(text)
    asking, around = (text, "") if whole else split_asking(text)
    concepts: dict[frozenset[str], Concept] = {}
    for part, factor in ((asking, 1.0), (around, _AROUND)):
        for concept in _concepts(part, factor):
            known = concepts.get(concept.stems)
            if known is None or known.weight < concept.weight:
                concepts[concept.stems] = concept
    found = tuple(concepts.values())
    book = thesaurus().groups
    low = asking.lower()
    numbers = [n for c in found if not c.weak for n in c.groups]
    kinds = [k for k, p in load("words")["kinds"].items() if re.search(p, low)]
    kind = kinds[0] if kinds else next((book[n]["kind"] for n in numbers if book[n].get("kind")), "plain")
    units = frozenset(book[n]["unit"] for n in numbers if book[n].get("unit"))
    order, ordering = _order(low)
    own = next((book[n]["kind"] for n in numbers if book[n].get("kind")), "")
    if order and not units and (ordering in IN_TIME or own == "date"):
        kind = "date"
        order = "less" if re.search(r"\blong(?:er|est)\b", low) else order
    elif (units and order and kind != "date") or ((units or order) and kind in {"plain", "yesno", "name"}):
        kind = "number"
    if kind == "reason" and not any(group_of("reason") & c.groups for c in found):
        found = (*found, Concept(say("reason", lang), frozenset(), group_of("reason"), 1.0, True))
    time = next((k for k in ("before", "after", "now") if re.search(load("words")["time"][k], low)), "")
    return Query(
        text,
        lang,
        found,
        tuple(dict.fromkeys(YEAR.findall(asking))) or tuple(dict.fromkeys(YEAR.findall(text))),
        kind,
        units,
        order,
        max(_count(low), _count(text.lower())),
        time,
        bool(re.search(load("words")["time"]["change"], low)),
        bool(re.search(load("words")["time"]["disagree"], low)),
        _asked(low, found),
    )


def _asked(low: str, concepts: Sequence[Concept]) -> frozenset[str]:
    match = _QUESTION_WORD.search(low)
    if not match:
        return frozenset()
    placed = [
        (low.find(c.word, match.end()), c.word) for c in concepts if c.weight >= 1 and c.word not in match[0]
    ]
    behind = [word for place, word in sorted(placed) if place >= 0]
    last = match[0] in {"where", "when", "why"} or re.match(r"\s(?:do|does|did)\b", low[match.end() :])
    return frozenset(behind[-1:] if last else behind[:2])


def split_asking(text: str) -> tuple[str, str]:
    """The sentences that ask, and those around them; a question that points back takes all."""
    parts = list(split_prose(text))
    asking = [
        p
        for p in parts
        if p.rstrip("\"'”」』）)").endswith(("?", "？")) or _opens_asking(p) or p.endswith("か。")
    ]
    if not asking or len(asking) == len(parts):
        return text, ""
    around = " ".join(p for p in parts if p not in asking)
    asked = " ".join(asking)
    if re.search(load("words")["follow"]["pointing"], asked, re.IGNORECASE) and len(parts) <= 4:
        return f"{around} {asked}", ""
    return asked, around


def _opens_asking(part: str) -> bool:
    first = [w.lower() for w in words(part)[:2]]
    return any(w in ASKING for w in first[:1])


def _concepts(text: str, factor: float) -> list[Concept]:
    book = thesaurus()
    found: list[Concept] = []
    low = text.lower()
    for match in book.asked_pattern.finditer(low):
        groups = frozenset(book.asked_phrases[match.group(0)])
        weight = _PHRASE if terms(match.group(0)) or is_cjk(match.group(0)) else _WEAK
        found.append(Concept(match.group(0), frozenset(terms(match.group(0))), groups, weight * factor))
    rest = book.asked_pattern.sub(
        lambda m: " " if " " in m.group(0) or is_cjk(m.group(0)) else m.group(0), low
    )
    named = False
    told = words(rest)
    for word, after in zip(told, (*told[1:], ""), strict=False):
        named = word in _ARTICLES or (named and word not in STOP)
        head = named and (not after or after in STOP)
        if is_cjk(word):
            rare = _WEAK_CJK.sub(" ", word)
            pairs = [(t, 0.6 if len(t) > 1 else 0.2) for t in terms(rare)]
            found += [Concept(t, frozenset({t}), frozenset(), factor * weight) for t, weight in pairs]
            continue
        if word in STOP or not terms(word):
            continue
        one = stem(word)
        groups = frozenset(book.asked.get(one, ()))
        measured = one in book.asks
        dull = (word in WEAK | MORE | LESS and not measured) or (word.isdigit() and len(word) < 2)
        weight = factor * (_WEAK if dull else 1.0)
        found.append(Concept(word, frozenset({one}), groups, weight, head))
    return found


def joined_pairs(concepts: Sequence[Concept], shown: frozenset[str]) -> tuple[Concept, ...]:
    """Concepts in which character pairs that overlap, and that nothing shows, are one word."""
    found: list[Concept] = []
    for one in concepts:
        pair = len(one.word) > 1 and is_cjk(one.word) and not one.groups and not one.stems & shown
        last = found[-1] if found else None
        if pair and last and last.word[-1] == one.word[0] and not last.groups and not last.stems & shown:
            found[-1] = replace(last, word=last.word + one.word[1:], stems=last.stems | one.stems)
        else:
            found.append(one)
    return tuple(found)


def _order(low: str) -> tuple[str, str]:
    """`more` or `less` where a question asks for an extreme, and the first word that does; "the first job"
    and "most often" ask for none."""
    for match in re.finditer(r"[a-z]+(?= ?([a-z]*))", low):
        word, after = match[0], match[1]
        plain = word in _ORDINAL and after and after not in STOP and not NUMBERS.get(after)
        if (word in MORE or word in LESS) and not plain and after not in _FREQUENT:
            return ("more" if word in MORE else "less"), word
    wide = [("more", w) for w in sorted(MORE_CJK) if w in low] + [
        ("less", w) for w in sorted(LESS_CJK) if w in low
    ]
    return wide[0] if wide else ("", "")


def _count(low: str) -> int:
    match = _COUNT.search(low)
    said = next((g for g in match.groups() if g), "") if match else ""
    return NUMBERS.get(said) or (int(said) if said.isdigit() and len(said) < 3 else 1) if said else 1


@lru_cache(maxsize=4096)
def parts_of(text: str) -> tuple[str, ...]:
    """The questions of a text that stand on their own; the text itself if there is only one."""
    asking, _ = split_asking(tidy(text))
    found = [p.strip(" ,") for p in _CLAUSE.split(asking) if p and p.strip(" ,.?？")]
    telling: list[str] = []
    known: set[frozenset[str]] = set()
    for part in found:
        own = {c.stems for c in read_query(part).concepts if not c.weak}
        if own - known and (_ASKED.search(part) or _opens_asking(part)):
            telling.append(part)
        known |= own
    return tuple(telling) if len(telling) > 1 else (tidy(text),)


_CONNECTOR = re.compile(
    r"\s*(?:,\s*(?:or|and)\s|,|\bor\b|\band\b|\bvs\.?|\bversus\b|和|与|或|还是|、|と|や)\s*"
)
SIDE_BY_SIDE = re.compile(r"\b(?:or|versus|vs|compare|between|among)\b|还是|比|どちら")
"""What sets things side by side."""
_INNER = frozenset("of to in for at on de la del da van von".split())
"""Words inside a name or between it and its place."""


@lru_cache(maxsize=4096)
def items_in(text: str) -> tuple[str, ...]:
    """Things that a question sets side by side, by its own words: phrases around "or", "and", "than" and
    commas that are as alike in form as names in a row are. Empty where it names no row."""
    asking, _ = split_asking(tidy(text))
    if not read_query(text).order and not SIDE_BY_SIDE.search(asking.lower()):
        return ()
    parts = [_named_part(p) for p in re.split(_CONNECTOR, re.sub(r"\bthan\b", " or ", asking)) if p]
    runs = [_runs(p) for p in parts if p.strip()]
    if len(runs) < 2:
        return ()
    found = [r for r in [runs[0][-1] if runs[0] else "", *(r[0] if r else "" for r in runs[1:])] if r]
    return tuple(dict.fromkeys(found)) if 2 <= len(found) == len(runs) else ()


def _named_part(part: str) -> str:
    """A part between connectors; of one that asks only what stands behind a colon."""
    if is_cjk(part):
        return next((p for p in re.split(r"[，,：:]", part) if p and not _ASKED.search(p)), "")
    if re.match(r"\W*(?:which|what|who|where|when|how|whose)\b", part, re.IGNORECASE):
        return part.partition(":")[2] or part.partition("：")[2]
    return part


def _runs(part: str) -> list[str]:
    """Runs of content words between function words, commas and comparatives."""
    if is_cjk(part):
        return [
            r for r in re.split(r"[，,：:？?。]|では|哪|谁|どちら|の(?=[^ァ-ヺ])|更|最", part) if len(r) > 1
        ]
    runs: list[list[str]] = [[]]
    for word in re.findall(r"[\w–'’-]+|[,:;?.]", part):
        low = word.lower()
        if low in _INNER and runs[-1]:
            runs[-1].append(word)
        elif low in STOP or low in MORE or low in LESS or not re.match(r"\w", word) or low in ASKING:
            runs.append([])
        else:
            runs[-1].append(word)
    return [" ".join(run) for run in map(_from_capital, runs) if run]


def _from_capital(run: list[str]) -> list[str]:
    """A run from its first to its last word that looks like part of a name; all but prepositions else."""
    marked = [n for n, w in enumerate(run) if w[0].isupper() or w[0].isdigit() or "-" in w]
    marked = marked or [n for n, w in enumerate(run) if w.lower() not in _INNER]
    return run[marked[0] : marked[-1] + 1] if marked else []
