"""Where sources differ, and what has been overtaken by something newer.

A statement is a value with its unit, the words of its clause, what it names, its time, its role (a limit, a
request, a forecast) and who speaks. Two of them exclude each other if they give different values of one unit
in one role for one thing at one time, and the words around the values tell that the matter is one: a weighted
sum of what they share (`_WEIGHTS`). Copies of one story speak with one voice. Where the older statement
tells how things stood, it is dated and no other opinion.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .dating import APART, CUES, is_state, months
from .lexicon import load
from .names import mentions, pieces_of, plain
from .page import Page
from .passages import Sentence
from .phrases import say, tier_name
from .points import Gathered, pair_in
from .quantities import clause_of, values_in, words_in
from .report_words import CAUSE, DEPENDENT, trust
from .shared_names import AT_START, NAMES, is_proper, years_in
from .text import is_cjk, stem, term_set, words
from .thesaurus import said_by
from .values import unit_family

_ROLES = {name: re.compile(words, re.IGNORECASE) for name, words in load("differences")["roles"].items()}
_SAID = re.compile(f"{CUES['account'].pattern}|{CUES['current'].pattern}", re.IGNORECASE)
_JOINED = re.compile(r"\b[A-Z]\w+[–—-][A-Z]\w+")
"""What lies between two names, such as a route."""
_TYPE = re.compile(rf"[A-Z]+-\d+\w*|{_JOINED.pattern}")
_CAPITALS = re.compile(r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+|(?<=[a-z] )[A-Z][\w'’-]+")
_OF_NAME = re.compile(r"(?:(?<=\S )[A-Z][\w.+-]*|\b[Vv]ersions?|\bv\d[\w.]*)\s+$")
"""What a number behind it belongs to: "Python 3.6", "v0.3.1 2015-01-24"."""
_PEOPLE = frozenset(map(stem, ("people", "person", "persons")))
_NESTED = re.compile(rf"({NAMES.pattern}) (?:at|in|of|on)(?: the)? ({NAMES.pattern})")
_FIGURE = re.compile(r"(?<!\d)\d{1,3}(?!\d)")
_HEAD = re.compile(r"[,;:](?!\d)|[，；、]")
_OPENS = re.compile(r"^(?:When|While|As|If|After|Before|Because|Since|Although|Though)\b[^,]*, ")
"""A clause before that of a sentence, in which nothing is said of the next one."""
_WHICH = re.compile(
    r" (?:that|which|who) (?:has|have|had|is|are|was|were)\b[^,;]*?"
    r"(?= (?:has|have|had|is|are|was|were|will)\b)"
)
"""A clause that says which things are meant, and nothing of them: "boxes that had been lost are back"."""
_REASON = 3
"""Sentences behind a value up to the one that tells why it is not another."""
_EACH = re.compile(r"\s*(?:an?|per|each|/)\s*([a-z]+)", re.IGNORECASE)
"""What an amount is given for: "163 crowns a tonne"."""
_FEW = 2
"""Words besides its value and names that a sentence has to have to say of what the value is."""
_WEIGHTS = {
    "words": 1.2, "around": 1.8, "share": 1.1, "alone": 0.9, "voices": 2.0, "common": -1.9, "apart": -1.05,
}  # fmt: skip
"""What tells that two values are of one matter: the words that their clauses share, and as a share of the
shorter one; those of one clause near the other; that no page gives more values in this unit; for how
many of both somebody speaks; that anything is counted so; and how many times one value doubles the other.
Fitted to reports on three webs and rounded."""
_ENOUGH = 0.5
"""Sum from which two values are of one matter: so that no dispute is missed for one that is none."""
_NEAR = 0.7
"""Weight of the words of one clause near the other from which shares, or sums of money, may be of one matter
though the clauses share no word."""
_RARE = 0.4
"""Weight from which a word stands in so few sentences that it tells by itself of what a value is."""


_Pair = frozenset[tuple[tuple[float, ...], object]]
"""Two values of one unit."""


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A value as a sentence gives it: its unit, the words of its clause and those around that, the names of
    what it is about, and the years that it, or what stands above it, names; `ids` are all sources that say it
    in these words."""

    page: Page
    sentence: Sentence
    place: int
    text: str
    clause: str
    value: tuple[float, ...]
    unit: frozenset[str]
    own: frozenset[object]
    near: frozenset[object]
    names: frozenset[str]
    years: frozenset[int]
    ids: tuple[str, ...]

    @property
    def key(self) -> tuple[str, int]:
        """Which sentence of which source."""
        return self.page.id, self.place

    @property
    def roles(self) -> set[str]:
        """What kind of value it is: a limit, a request, a forecast, a part of a whole."""
        told = {"part": self.sentence.text}
        return {name for name, words in _ROLES.items() if words.search(told.get(name, self.clause))}

    @property
    def each(self) -> str:
        """What its value is given for, such as a tonne or an hour; "" if it is for the whole."""
        rate = _EACH.match(self.sentence.text.partition(self.text)[2])
        return stem(rate[1]) if rate else ""

    @property
    def before(self) -> Sentence | None:
        """The sentence before it in its paragraph, if it does not say by itself of what its value is."""
        bare = term_set(re.sub(r"\d", " ", self.sentence.text)) - self.unit - term_set(" ".join(self.names))
        if not self.place or not (len(bare) < _FEW or DEPENDENT.search(self.sentence.text)):
            return None
        said = self.page.sentences[self.place - 1]
        together = said.block == self.sentence.block and said.kind == self.sentence.kind == "prose"
        others = (
            self.names and NAMES.search(said.text) and not any(mentions(said.text, n) for n in self.names)
        )
        return said if together and not others else None

    @property
    def reason(self) -> tuple[int, ...]:
        """The places of the few sentences behind it that end with a cause: why it is not what others say."""
        said = self.page.sentences[self.place : self.place + 1 + _REASON]
        near = itertools.takewhile(lambda s: s.block == said[0].block and s.kind == "prose", said)
        told = [self.place + n for n, s in enumerate(near) if n and CAUSE.search(s.text)][:1]
        return tuple(range(self.place + 1, told[0] + 1)) if told and not CAUSE.search(said[0].text) else ()

    def has(self, *cues: str) -> bool:
        """Whether it has words of these kinds: in its clause, or who reports it and "now" anywhere."""
        return any(
            CUES[cue].search(self.sentence.text if cue in ("account", "own", "current") else self.clause)
            for cue in cues
        )


@dataclass(frozen=True, slots=True)
class Difference:
    """Statements that exclude each other, one per value, the one to go by first; `older` holds all those that
    are only older states of what has changed."""

    sides: tuple[Statement, ...]
    older: tuple[Statement, ...] = ()

    def shown(self, lang: str, said: Container[tuple[str, int]] = ()) -> str:
        """What it is about, who says what, and what speaks for which side, as Markdown; without the newer
        statement if that was `said` before."""
        names = sorted(frozenset.intersection(*(s.names for s in self.sides)), key=lambda n: (-len(n), n))
        between = say("difference_now" if self.older else "difference_or", lang)
        values = between.join(dict.fromkeys(s.text for s in self.sides))
        about = names[0] if names else self._shared_words()
        lead = say("difference_about", lang, names=about) if about else ""
        lines = [f"### {lead}{values}" if len(self.sides) > 1 else "", ""]
        for side in self.sides:
            if not (self.older and side is self.sides[0] and side.key in said):
                shown = "".join(f"[{i}]" for i in side.ids)
                before = f"{side.before.text} {shown} " if side.before else ""
                why = [side.page.sentences[n].text for n in side.reason if not self.older]
                after = "".join(f" {text} [{side.page.id}]" for text in why)
                lines.append(f"- {self._who(side, lang)}{before}{side.sentence.text} {shown}{after}")
        return "\n".join([*lines, "", self._verdict(lang)]).strip()

    def _who(self, side: Statement, lang: str) -> str:
        """The title of the page of a side with what vouches for it, or, of what has changed, since when it is
        known."""
        page, date = side.page, side.page.published[:10]
        newest = max(months(one.page.published) for one in self.sides)
        stale = date and newest - months(date) >= APART and is_state(side.sentence.text)
        as_of = say("as_of", lang, date=date) if stale or (self.older and side is not self.sides[0]) else ""
        if self.older and as_of:
            return as_of
        notes = say("difference_comma", lang).join(
            filter(None, (tier_name(page.tier, lang), "" if stale else date))
        )
        notes = notes or say("difference_undated", lang)
        return say("difference_who", lang, title=page.title or page.id, notes=notes) + as_of

    def _shared_words(self) -> str:
        """What all sides speak of, in the words of the first, where it has no name."""
        first = self.sides[0]
        shared = frozenset.intersection(*(s.own for s in self.sides)) - first.unit
        told = words(_SAID.sub(" . ", first.clause))
        runs = "".join(f"{w} " if term_set(w) & shared and "'" not in w else "\n" for w in told).split("\n")
        return "" if is_cjk(first.clause) else max(runs[::-1], key=len).strip()

    def _verdict(self, lang: str) -> str:
        best, other = self.sides[0].page, self.sides[-1].page
        if best is other or self.older:
            return ""
        if trust(best.tier) > trust(other.tier):
            return say(
                "difference_tier",
                lang,
                better=tier_name(best.tier, lang),
                worse=tier_name(other.tier, lang) or "–",
            )
        newer = best.published[:10] > other.published[:10] > ""
        return say("difference_newer" if newer else "difference_equal", lang)


def differences(pages: Sequence[Page], on: Gathered | None = None) -> list[Difference]:
    """What sources state differently, the surest first, and what bears on the matter before the rest; of
    another event than what was gathered nothing."""
    on = on or Gathered((), ())
    reader = Reader([page for page in pages if page.id not in on.elsewhere], [*on.names, *on.siblings])
    scored = [(reader.likeness(a, b), a, b) for a, b in reader.pairs()]
    told = {point.key for point in on.points}
    bears = [(n + (a.key in told) + (b.key in told), a, b) for n, a, b in scored if n >= _ENOUGH]
    return [*reader.within, *_chosen(bears, frozenset(on.names))]


class Reader:
    """Reads statements out of pages that stand beside each other."""

    def __init__(self, pages: Sequence[Page], names: Iterable[str]) -> None:
        self.pages = pages = list({page.id: page for page in pages}.values())
        told = "\n".join(s.text for p in pages for s in p.sentences)
        parts = [part for page in pages for part in pieces_of(page.title)]
        heads = {
            part.partition(", ")[0] for part in parts if ", " in part
        }  # "Letters to Ada, read to the end"
        titled = {n for part in parts for n in ([part] if is_proper(part) else _CAPITALS.findall(part))}
        self.common = frozenset(re.findall(r"\b[a-z]{3,}\b", told))
        known = {n for n in map(_bare, titled) if len(n) < 60 and n.lower() not in self.common}
        runs = {_bare(AT_START.sub("", re.sub("['’]s?$", "", n))) for n in NAMES.findall(told)}
        self.names = {n for n in known if _is_named(n, told)} | runs | {*names, *_JOINED.findall(told)}
        self.names |= {head for head in heads if " " in head and is_proper(head)}
        self.by_word = defaultdict[str, list[str]](list)
        for name in sorted(self.names):
            self.by_word["" if is_cjk(name) else plain(name).partition(" ")[0]].append(name)
        self.subjects = frozenset().union(*map(self.subject, pages))
        self.nested = {frozenset(map(_bare, pair)) for pair in _NESTED.findall(told)}
        self.read: dict[str, frozenset[str]] = {}
        self.on = Counter(n for p in pages for n in self.named(f"{p.title}\n{p.text}"))
        self.spread = Counter(t for p in pages for s in p.sentences for t in words_in(s.text))
        self.total = math.log(2 + max(60, sum(len(p.sentences) for p in pages)))
        self.said = [statement for page in pages for statement in self.statements(page)]
        self.within = _within(self.said)
        self.counts = Counter((s.page.id, s.names, unit) for s in self.said for unit in s.unit)

    def weight(self, terms: Iterable[object]) -> float:
        """What words tell together: rare ones more, mere likeness of meaning less."""
        rare = {t: max(0.0, 1 - math.log(1 + self.spread[t]) / self.total) for t in terms}
        return math.fsum(0.5 * weight if isinstance(t, int) else weight for t, weight in rare.items())

    def named(self, text: str) -> frozenset[str]:
        """The names in a text, none inside another."""
        if text not in self.read:
            near = [n for word in {"", *plain(text).split()} for n in self.by_word.get(word, ())]
            found = [n for n in near if mentions(text, n)]
            self.read[text] = frozenset(n for n in found if not any(n != o and mentions(o, n) for o in found))
        return self.read[text]

    def alike(self, one: str, other: str) -> bool:
        """Whether two names are of different things of one kind, such as "Orsk Mill" and "Vell Mill": they
        share their last word, or one that is a common word as well, or both are types or ways ("RB-600")."""
        if mentions(one, other) or mentions(other, one):
            return False
        if _TYPE.fullmatch(one) and _TYPE.fullmatch(other):
            return True
        mine, theirs = plain(one).split(), plain(other).split()
        return mine[-1] == theirs[-1] or bool(set(mine) & set(theirs) & self.common)

    def subject(self, page: Page) -> frozenset[str]:
        """What a page is about by a part of its title that is a name."""
        return frozenset(map(_bare, pieces_of(page.title))) & self.names

    def things(self, texts: Iterable[str]) -> frozenset[str]:
        """The names in texts, the nearest first, of each kind only those in the first text with one."""
        found = frozenset[str]()
        for text in texts:
            found |= {n for n in self.named(text) if not any(self.alike(n, one) for one in found)}
        return found

    def carried(self, texts: Iterable[str], page: Page) -> frozenset[str]:
        """The names in the first text with one; a single word counts where the title of its page has it."""
        known = self.named(page.title)
        sure = (frozenset(n for n in self.named(t) if " " in n or is_cjk(n) or n in known) for t in texts)
        return next(filter(None, sure), frozenset())

    def statements(self, page: Page) -> Iterator[Statement]:
        """The values of a page; what a sentence does not name is what was named before it."""
        opening = next(filter(self.named, (s.text for s in page.sentences[:3])), "")
        times = dict[int, list[int]]()
        for place, said in enumerate(page.sentences):
            years = years_in(CUES["since"].sub("", said.text))
            years = times[said.block] = years or times.get(said.block, [])
            if not (years_in(said.text) or CUES["happened"].search(said.text)):
                years = []  # what is so is so when the page is written
            above = [s.text for s in page.sentences[:place] if s.block == said.block][::-1]
            around = [_OPENS.sub("", text) for text in above[:2]]
            near = words_in(" ".join([_WHICH.sub("", said.text), page.title, said.heading, *around]))
            for value, unit, start, end in values_in(said.text):
                before = said.text[:start]
                in_name = before.rstrip().endswith(tuple(self.names)) or _OF_NAME.search(before)
                if in_name or CUES["other"].search(said.text):
                    continue  # the number is part of a name or version, or it is of an unnamed other thing
                clause = _with_head(clause_of(said.text, start, end), said.text)
                bare = CUES["account"].sub(" ", _WHICH.sub("", clause.replace(said.text[start:end], " ")))
                named = self.things([clause, *_HEAD.split(before)[::-1]]) or self.named(said.text)
                carried = self.carried([*above, said.heading, page.title, opening], page)
                yield Statement(
                    page, said, place, said.text[start:end], clause, value, unit,
                    words_in(bare) | said_by(said.text[start:end])[1] | unit, near,
                    named or self.subject(page) or carried,
                    frozenset(years or years_in(said.heading) or years_in(page.title)), (page.id,),
                )  # fmt: skip

    def are_apart(self, a: Statement, b: Statement) -> bool:
        """Whether two statements are about two things: their pages are, or each has its own; a bell that is
        somewhere said to be at a church is no other thing than the church."""
        mine, other = (self.subject(s.page) for s in (a, b))
        shared = mine & other
        if mine and other and not (mine | a.names) & other and not mine & b.names:
            return True
        mine, other = (self._own_names(s, shared) for s in (a, b))
        whole = (mentions(x, y) or mentions(y, x) or {x, y} in self.nested for x in mine for y in other)
        if mine and other and not any(whole):
            return True
        return any(self.alike(x, y) for x in a.names - b.names for y in b.names - a.names)

    def _own_names(self, said: Statement, subjects: frozenset[str]) -> frozenset[str]:
        """The names of a statement without those that most pages have and no title has; if its page is on
        one of these subjects, those of titles alone."""
        titled = self.subjects | self.named(said.page.title)
        return frozenset(
            n for n in said.names if n in titled or (not subjects and 2 * self.on[n] <= len(self.pages))
        )

    def pairs(self) -> Iterator[tuple[Statement, Statement]]:
        """The statements that may exclude each other if they are of one matter."""
        together = _told_together(self.said)
        opposed = {s.sentence.text for found in self.within for s in found.sides}
        left = [s for s in self.said if s.sentence.text not in opposed]
        for a, b in itertools.combinations(left, 2):
            may = a.unit & b.unit and (a.value, b.value) not in together and _may_exclude(a, b)
            if may and not self.are_apart(a, b):
                yield a, b

    def likeness(self, a: Statement, b: Statement) -> float:
        """How surely two statements speak of one matter, least if nothing shows it; dates do if they are as
        exact and most of the words around them are the same."""
        own, cross, known = self._shared(a, b)
        if "date" in a.unit:
            most = max(self.weight(s.own - known) for s in (a, b))
            told = self.weight(own) * (bool(a.value[2]) == bool(b.value[2]))
            return told if 2 * told > most else -math.inf
        unit, is_common = a.unit & b.unit, _is_common(a.unit & b.unit)
        is_rare = self.weight(unit) >= _RARE * len(unit)
        anything = any(u in _PEOPLE or u == "%" for u in unit)  # is counted so
        is_rare = self.weight(cross) >= _NEAR if anything else is_rare
        is_shown = own or (a.names & b.names and not is_common) or is_rare
        labels = (self.weight(s.own - known) for s in (a, b) if pair_in(s.sentence))
        if any(2 * self.weight(own) < label for label in labels):
            return -math.inf  # "Lost in the fire" is not all that was lost
        return math.fsum(_WEIGHTS[n] * told for n, told in self.told(a, b).items()) if is_shown else -math.inf

    def told(self, a: Statement, b: Statement) -> dict[str, float]:
        """What tells whether two statements are of one matter, as `_WEIGHTS` weighs it."""
        own, cross, known = self._shared(a, b)
        less = min(self.weight(s.own - known) for s in (a, b))
        few, many = sorted(abs(s.value[0]) or 1.0 for s in (a, b))
        return {
            "words": self.weight(own),
            "around": min(1.5, self.weight(cross)),
            "share": min(1.0, self.weight(own) / (less or 1.0)),
            "alone": all(self.counts[s.page.id, s.names, u] == 1 for s in (a, b) for u in a.unit & b.unit),
            "voices": sum(s.has("account", "own") for s in (a, b)),
            "common": _is_common(a.unit & b.unit),
            "apart": math.log2(many / few),
        }

    @staticmethod
    def _shared(a: Statement, b: Statement) -> tuple[frozenset[object], frozenset[object], frozenset[object]]:
        """The words of both clauses, those of one near the other, and those of units and common names, which
        tell nothing."""
        shared = " ".join("per cent" if u == "%" else str(u) for u in a.unit & b.unit)
        known: frozenset[object] = a.unit | b.unit | said_by(shared)[1]
        known |= {t for name in a.names & b.names for t in words_in(name)}
        own = (a.own & b.own) - known
        cross = ((a.own & b.near) | (b.own & a.near)) - own - known
        if not (a.names and b.names):  # then titles may be about anything
            cross -= words_in(f"{a.page.title} {b.page.title}")
        return own, cross, known


def _bare(name: str) -> str:
    return re.sub(r"^(?:the|an?) ", "", name, flags=re.IGNORECASE)


def _is_named(name: str, text: str) -> bool:
    """Whether a text has a name, spelled like this; one word only inside a sentence and for itself."""
    alone = rf"(?<=[^\W\d_A-Z] )(?<![A-Z]\w\w ){re.escape(name)}\b(?! [A-Z])"
    return bool(re.search(alone if name.isascii() and " " not in name else re.escape(name), text))


def _with_head(clause: str, text: str) -> str:
    """A clause behind the first one of its sentence, which says of what it is, unless that counts something
    itself or tells what happened."""
    head = _HEAD.split(text)[0]
    tells = CUES["happened"].search(head) and not CUES["ended"].search(f"{head},")
    return clause if head in clause or _FIGURE.search(head) or tells else f"{head}, {clause}"


def _may_exclude(a: Statement, b: Statement) -> bool:
    """Whether two values can be of one thing, in one role, at one time."""
    if a.value == b.value or a.page is b.page or a.sentence.kind == b.sentence.kind == "row":
        return False
    if any(s.has("ended", "change") for s in (a, b)) or (a.each and b.each and a.each != b.each):
        return False
    if (one := _happened_to(a)) and (other := _happened_to(b)) and not _is_alike(one, other):
        return False
    return "date" in a.unit or (_may_be_one_role(a, b) and _may_be_one_time(a, b))


def _happened_to(said: Statement) -> str:
    """What was done to what a statement counts ("410 sacks were lost"); "" if it does not say it so."""
    behind = said.clause.partition(said.text)[2]
    match = re.match(r"[\w\s-]{0,30}?\b(?:was|were|been|be)\s+(?:\w+ly\s)?(\w+(?:ed|en|t))\b", behind)
    return match[1] if match else ""


def _is_alike(one: str, other: str) -> bool:
    """Whether two words say nearly the same."""
    return stem(one) == stem(other) or bool(said_by(one)[1] & said_by(other)[1])


def _is_common(unit: Collection[object]) -> bool:
    """Whether a unit says little of what is counted: shares, people, money, what is measured."""
    told = [u in _PEOPLE or u == "%" or bool(unit_family(str(u))) for u in unit]
    return any(told) if is_cjk("".join(map(str, unit))) else all(told)


def _may_be_one_role(a: Statement, b: Statement) -> bool:
    """Whether two values are of one kind; what somebody arrives at may be what another expects, and what
    somebody finds of a whole may be what another says of it."""
    apart = a.roles ^ b.roles
    if apart == {"future"}:
        return not _is_common(a.unit & b.unit) and any(s.has("account") for s in (a, b))
    return not apart or (apart == {"part"} and any("part" in s.roles and s.has("account") for s in (a, b)))


def _may_be_one_time(a: Statement, b: Statement) -> bool:
    """Whether two statements may speak of one time, by the years that they name; one that names none speaks
    of the year of its page or two before, or tells what happened at any time."""
    if "future" in a.roles or not (a.years or b.years):
        return True
    mine, other = (s.years or _around(s) for s in (a, b))
    return not mine or not other or bool(mine & other)


def _around(said: Statement) -> frozenset[int]:
    year = months(said.page.published) // 12
    return frozenset() if not year or said.has("happened") else frozenset({year, year - 1, year - 2})


def _told_together(said: Sequence[Statement]) -> set[tuple[object, object]]:
    """Pairs of values that one page gives side by side, so that they belong to different matters, unless it
    reports both as what somebody says."""
    found: set[tuple[object, object]] = set()
    for _, group in itertools.groupby(said, key=lambda s: s.page.id):
        for a, b in itertools.combinations(group, 2):
            if a.unit & b.unit and not (a.has("account") and b.has("account")):
                found |= {(a.value, b.value), (b.value, a.value)}
    return found


def _within(said: Sequence[Statement]) -> list[Difference]:
    """Sentences that themselves, or one after the other, set two accounts of one thing against each other."""
    found: dict[str, Difference] = {}
    for a, b in itertools.pairwise(said):
        text = a.sentence.text
        rivals = a.page is b.page and a.unit == b.unit and a.value != b.value and a.roles == b.roles
        rivals = rivals and a.sentence.kind == "prose" and not any(s.has("change") for s in (a, b))
        same = tuple(dict.fromkeys(s.page.id for s in said if s.sentence.text == text))[:3]
        if rivals and a.key == b.key and len(CUES["account"].findall(text)) > 1:
            found.setdefault(text, Difference((replace(a, ids=same),)))
        elif rivals and b.place == a.place + 1 and a.sentence.block == b.sentence.block:
            both = all(s.has("account") for s in (a, b))
            found |= {text: Difference((replace(a, ids=same), replace(b, ids=same)))} if both else {}
    return list(found.values())


def _chosen(scored: Sequence[tuple[float, Statement, Statement]], names: frozenset[str]) -> list[Difference]:
    """The pairs that are surest together, with everybody who gives the same two values."""
    groups, sure = defaultdict[_Pair, list[Statement]](list), dict[_Pair, float]()
    for likeness, a, b in sorted(scored, key=lambda s: (-s[0], s[1].key, s[2].key)):
        pair = frozenset((s.value, min(a.unit & b.unit)) for s in (a, b))
        groups[pair] += [a, b]
        sure.setdefault(pair, likeness)
    matched = _matched(sure)
    return [_difference(list(dict.fromkeys(groups[pair])), names) for pair in sure if pair in matched]


def _matched(sure: Mapping[_Pair, float]) -> set[_Pair]:
    """The surest pairs, each value of a matter in one only; one gives way to two others with its values that
    are surer together."""
    found = set[_Pair]()
    for pair in sure:
        if not any(pair & one for one in found):
            found.add(pair)
    for pair in [p for p in sure if p in found]:
        taken = frozenset().union(*found - {pair})
        left, right = ([p for p in sure if p & pair == {value} and not p & taken] for value in sorted(pair))
        both = max(
            (pairs for pairs in itertools.product(left, right) if not pairs[0] & pairs[1]),
            key=lambda pairs: sure[pairs[0]] + sure[pairs[1]],
            default=(pair,),
        )
        if sum(map(sure.__getitem__, both)) > sure[pair]:
            found = (found - {pair}) | {*both}
    return found


def _difference(group: Sequence[Statement], names: frozenset[str]) -> Difference:
    """Of each of two values the best vouched for who gives it, with those who use the same words; before
    others a page on what the request is about."""

    def rank(said: Statement) -> tuple[object, ...]:
        on_subject = any(mentions(said.page.title, name) for name in names)
        return trust(said.page.tier), on_subject, said.page.published, said.key

    by_value = defaultdict[object, list[Statement]](list)
    for statement in group:
        by_value[statement.value].append(statement)
    sides = []
    for told in by_value.values():
        best = max(told, key=rank)
        same = [best.page.id, *(s.page.id for s in told if s.sentence.text == best.sentence.text)]
        sides.append(replace(best, ids=tuple(dict.fromkeys(same))[:3]))
    newer, older = sorted(sides, key=lambda s: s.page.published, reverse=True)
    if _has_changed(newer, older):
        return Difference((newer, older), tuple(by_value[older.value]))
    return Difference(tuple(sorted((newer, older), key=lambda s: -trust(s.page.tier))))


def _has_changed(newer: Statement, older: Statement) -> bool:
    """Whether the older one of two statements tells how things stood, rather than what others deny."""
    apart = months(newer.page.published) - months(older.page.published)
    if "date" not in newer.unit and ("future" in newer.roles or newer.years & older.years):
        return False  # a forecast, or of one and the same year
    if not older.page.published or apart < (1 if _stands(newer) and _stands(older) else APART):
        return False
    tells = newer.has("happened") or (newer.has("account") and older.has("happened"))
    if tells and not newer.has("current"):
        return False
    if older.has("account") or all(s.has("account", "own") for s in (newer, older)):
        return newer.has("current") and older.has("current")
    return True


def _stands(said: Statement) -> bool:
    """Whether a statement tells how things stand, or when something ahead is due, in nobody's account."""
    ahead = "date" in said.unit and 12 * said.value[0] + said.value[1] > months(said.page.published)
    return (ahead or said.has("current")) and not CUES["account"].search(said.clause)
