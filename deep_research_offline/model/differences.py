"""Where sources differ, and what has been overtaken by something newer.

Two statements exclude each other if they give different values of one kind (unit and role: a limit, a
request, a forecast) for one matter of one thing at one time. The thing is what a sentence names nearest to
the value, else what its page is about; two pages on two things never differ. The matter is judged by the
words around the two values, and by those that stand in one sentence and near the other. What is in doubt is
no difference. Copies of one story speak with one voice. Where the older statement tells how things stood,
it is dated and no other opinion.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from .lexicon import load
from .names import mentions, pieces_of, plain
from .page import Page
from .passages import Sentence
from .phrases import say
from .quantities import clause_of, values_in, words_in
from .report_words import DEPENDENT, trust
from .shared_names import AT_START, NAMES, is_proper
from .text import is_cjk, split_prose, stem, term_set, words
from .thesaurus import group_of, said_by
from .values import unit_family

_DATA = load("differences")
_FIXED = frozenset(_DATA["measures"]["fixed"].split())
_CUES = {name: re.compile(words, re.IGNORECASE) for name, words in _DATA["cues"].items()}
_SAID = re.compile(f"{_CUES['account'].pattern}|{_CUES['current'].pattern}", re.IGNORECASE)
_ROLES = {name: re.compile(words, re.IGNORECASE) for name, words in _DATA["roles"].items()}
_JOINED = re.compile(r"\b[A-Z]\w+[–—-][A-Z]\w+")
"""What lies between two names, such as a route."""
_TYPE = re.compile(r"[A-Z]+-\d+\w*")
_CAPITALS = re.compile(r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+|(?<=[a-z] )[A-Z][\w'’-]+")
_YEAR = re.compile(r"(?<![\d.,])(?:1[5-9]|20|21)\d\d(?![\d]|[.,]\d)")
_CELL = re.compile(r"(?<=\| )([^|\[\]\n]+?) ((?:\[[^\]\n|]+\])+)(?= \|)")
_CITED = re.compile(r"(^(?:[-*] |\d+\. )?|(?<=\] ))(.+?)((?:\s?\[[A-Z]{1,4}\d[^\]]*\])+)")
_OF_NAME = re.compile(r"(?:(?<=\S )[A-Z][\w.+-]*|\b[Vv]ersions?|\bv\d[\w.]*)\s+$")
"""What a number behind it belongs to: "Python 3.6", "v0.3.1 2015-01-24"."""
_PEOPLE = frozenset(map(stem, ("people", "person", "persons")))
_NESTED = re.compile(rf"({NAMES.pattern}) (?:at|in|of|on)(?: the)? ({NAMES.pattern})")
_CLAUSE = re.compile(r"(?<!\d)[,;]\s|[，；、]")
_FIGURE = re.compile(r"(?<!\d)\d{1,3}(?!\d)")
_MINE = re.compile(r"\b(?:i|me|mine|my)\b", re.IGNORECASE)
"""Of what somebody paid or waited, which tells others how things stand."""
_HEAD = re.compile(r"[,;:](?!\d)|[，；、]")
_HOLDER = re.compile(r"\b(?:is|are) [A-Z][\w'’-]+ [A-Z]")
_FEW = 2
"""Words besides its value and names that a sentence has to have to say of what the value is."""
_EVERYWHERE = 0.4
"""Weight below which a word stands in so many sentences that it tells nothing apart."""
ENOUGH = 0.4
"""How much two statements must have in common to be about one matter."""
APART = 4
"""Months after which an account of how things stand may be out of date."""


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A value as a sentence gives it: its unit, the words of its clause and those around that, the names of
    what it is about, its years and those above it; `ids` are all sources that say it in these words."""

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
    years: frozenset[str]
    frame: frozenset[str]
    ids: tuple[str, ...]

    @property
    def key(self) -> tuple[str, int]:
        """Which sentence of which source."""
        return self.page.id, self.place

    @property
    def roles(self) -> list[str]:
        """What kind of value it is: a limit, a request, a forecast, a part of a whole."""
        told = {"part": self.sentence.text}
        return [name for name, words in _ROLES.items() if words.search(told.get(name, self.clause))]

    @property
    def before(self) -> Sentence | None:
        """The sentence before it, if it does not say by itself of what its value is."""
        if not self.place or self.sentence.kind != "prose":
            return None
        said = self.page.sentences[self.place - 1]
        if self.names and (others := NAMES.findall(said.text)) and not self.names & {*map(_bare, others)}:
            return None
        bare = term_set(re.sub(r"\d", " ", self.sentence.text)) - self.unit - term_set(" ".join(self.names))
        leans = len(bare) < _FEW or DEPENDENT.search(self.sentence.text)
        return said if leans and (said.block, said.kind) == (self.sentence.block, "prose") else None

    def has(self, *cues: str) -> bool:
        """Whether it has words of these kinds: in its clause, or who reports it and "now" anywhere."""
        return any(
            _CUES[cue].search(self.sentence.text if cue in ("account", "own", "current") else self.clause)
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
        newest = max(_months(side.page.published) for side in self.sides)
        for side in self.sides:
            if self.older and side.key in said:
                continue
            page, date = side.page, side.page.published[:10]
            stale = date and newest - _months(date) >= APART and _is_state(side.sentence.text)
            notes = say("difference_comma", lang).join(filter(None, (page.tier, "" if stale else date)))
            notes = notes or say("difference_undated", lang)
            who = say("difference_who", lang, title=page.title or page.id, notes=notes)
            as_of = (
                say("as_of", lang, date=date) if stale or (self.older and side is not self.sides[0]) else ""
            )
            who = as_of if self.older and as_of else who + as_of
            shown = "".join(f"[{i}]" for i in side.ids)
            before = f"{side.before.text} {shown} " if side.before else ""
            lines.append(f"- {who}{before}{side.sentence.text} {shown}")
        return "\n".join([*lines, "", self._verdict(lang)]).strip()

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
            return say("difference_tier", lang, better=best.tier, worse=other.tier or "–")
        newer = best.published[:10] > other.published[:10] > ""
        return say("difference_newer" if newer else "difference_equal", lang)


def differences(
    pages: Sequence[Page], names: Sequence[str] = (), others: Collection[str] = ()
) -> list[Difference]:
    """What sources state differently, the surest first; `names` are what the request is about, `others` what
    is of the same kind."""
    reader = _Reader(list({page.id: page for page in pages}.values()), [*names, *others])
    said = reader.said
    within, together = _within(said), _told_together(said)
    opposed = {s.sentence.text for found in within for s in found.sides}
    scored = [
        (reader.likeness(a, b), a, b)
        for a, b in itertools.combinations([s for s in said if s.sentence.text not in opposed], 2)
        if a.unit & b.unit and (a.value, b.value) not in together and _may_exclude(a, b)
        if not reader.are_apart(a, b)
    ]
    return [*within, *_chosen([s for s in scored if s[0] >= ENOUGH], frozenset(names))]


class _Reader:
    """Reads statements out of pages that stand beside each other."""

    def __init__(self, pages: Sequence[Page], names: Iterable[str]) -> None:
        self.pages = pages
        told = "\n".join(s.text for p in pages for s in p.sentences)
        parts = [part for page in pages for part in pieces_of(page.title)]
        titled = {_bare(part) for part in parts if is_proper(part)}
        met = {n for part in parts if not is_proper(part) for n in _CAPITALS.findall(part)}
        titled |= {n for n in map(_bare, met) if not any(mentions(one, n) for one in titled)}
        self.common = frozenset(re.findall(r"\b[a-z]{3,}\b", told))
        known = {n for n in titled if len(n) < 60 and n.lower() not in self.common and _is_named(n, told)}
        runs = {_bare(AT_START.sub("", re.sub("['’]s?$", "", n))) for n in NAMES.findall(told)}
        self.names = frozenset({*known, *names, *runs, *_JOINED.findall(told)})
        self.nested = {frozenset(map(_bare, pair)) for pair in _NESTED.findall(told)}
        self.by_word = defaultdict[str, list[str]](list)
        for name in sorted(self.names):
            self.by_word["" if is_cjk(name) else plain(name).partition(" ")[0]].append(name)
        self.subjects = frozenset(_bare(n) for p in pages for n in pieces_of(p.title)) & self.names
        self.read: dict[str, frozenset[str]] = {}
        self.on = Counter(n for p in pages for n in self.named(f"{p.title}\n{p.text}"))
        self.spread = Counter(t for p in pages for s in p.sentences for t in words_in(s.text))
        self.total = math.log(2 + max(60, sum(len(p.sentences) for p in pages)))
        self.said = [statement for page in pages for statement in self.statements(page)]
        self.counts = Counter((s.page.id, unit) for s in self.said for unit in s.unit)

    def weight(self, terms: Iterable[object]) -> float:
        """What words tell together: rare ones more, mere likeness of meaning less."""
        rare = {t: max(0.0, 1 - math.log(1 + self.spread[t]) / self.total) for t in terms}
        return math.fsum(0.5 * weight if isinstance(t, int) else weight for t, weight in rare.items())

    def named(self, text: str) -> frozenset[str]:
        """The names in a text."""
        if text not in self.read:
            near = [n for word in {"", *plain(text).split()} for n in self.by_word.get(word, ())]
            self.read[text] = frozenset(n for n in near if mentions(text, n))
        return self.read[text]

    def alike(self, one: str, other: str) -> bool:
        """Whether two names are of different things of one kind, such as "Orsk Mill" and "Vell Mill": they
        share their last word, or one that is a common word as well, or both are types ("RB-600")."""
        if mentions(one, other) or mentions(other, one):
            return False
        if _TYPE.fullmatch(one) and _TYPE.fullmatch(other):
            return True
        mine, theirs = plain(one).split(), plain(other).split()
        return mine[-1] == theirs[-1] or bool(set(mine) & set(theirs) & self.common)

    def things(self, texts: Iterable[str]) -> frozenset[str]:
        """The names in texts, the nearest first, of each kind only those in the first text with one."""
        found = frozenset[str]()
        for text in texts:
            found |= {n for n in self.named(text) if not any(self.alike(n, one) for one in found)}
        return found

    def carried(self, texts: Iterable[str], page: Page) -> frozenset[str]:
        """The names in the first text with one; a single word counts where the title of its page has it."""
        known = self.named(page.title)
        found = (
            frozenset(n for n in self.named(text) if " " in n or is_cjk(n) or n in known) for text in texts
        )
        return next(filter(None, found), frozenset())

    def subject(self, page: Page) -> frozenset[str]:
        """What a page is about by a part of its title that is a name."""
        return self.names & {*map(_bare, pieces_of(page.title))}

    def statements(self, page: Page) -> Iterator[Statement]:
        """The values of a page; what a sentence does not name is what was named before it."""
        opening = next(filter(self.named, (s.text for s in page.sentences[:3])), "")
        subject = self.subject(page)
        times = dict[int, frozenset[str]]()
        for place, said in enumerate(page.sentences):
            years = frozenset(_YEAR.findall(_CUES["since"].sub("", said.text)))
            times[said.block] = years or times.get(said.block, years)
            above = [s.text for s in page.sentences[:place] if s.block == said.block][::-1]
            near = words_in(" ".join([said.text, page.title, said.heading, *above[:2]]))
            for value, unit, start, end in values_in(said.text):
                before = said.text[:start]
                in_name = before.rstrip().endswith(tuple(self.names)) or _OF_NAME.search(before)
                if in_name or _CUES["other"].search(said.text):
                    continue  # the number is part of a name or version, or it is of an unnamed other thing
                clause, head = clause_of(said.text, start, end), _HEAD.split(said.text)[0]
                tells = _CUES["happened"].search(head) and not _CUES["ended"].search(f"{head},")
                if head not in clause and not _FIGURE.search(head) and not tells:
                    clause = f"{head}, {clause}"
                bare = _CUES["account"].sub(" ", clause.replace(said.text[start:end], " "))
                own = self.things([clause, *_CLAUSE.split(before)[::-1]]) or self.named(said.text)
                yield Statement(
                    page, said, place, said.text[start:end], clause, value, unit,
                    words_in(bare) | said_by(said.text[start:end])[1] | unit, near,
                    own or subject or self.carried([*above, said.heading, page.title, opening], page),
                    years,
                    frozenset(_YEAR.findall(said.heading) or _YEAR.findall(page.title)), (page.id,),
                )  # fmt: skip

    def specific(self, names: Collection[str]) -> frozenset[str]:
        """Names without those that most pages have."""
        return frozenset(n for n in names if 2 * self.on[n] <= len(self.pages))

    def are_apart(self, a: Statement, b: Statement) -> bool:
        """Whether two statements are about two things: their pages are, or each has its own; a bell that is
        somewhere said to be at a church is no other thing than the church."""
        mine, other = (self.subject(s.page) for s in (a, b))
        if mine and other and not (mine | a.names) & other and not mine & b.names:
            return True
        mine, other = (
            self.specific(s.names) | (s.names & (self.subjects | self.named(s.page.title))) for s in (a, b)
        )
        if mine and other and not mine & other:
            one, two = (min(names, key=lambda n: (self.on[n], n)) for names in (mine, other))
            if not (mentions(one, two) or mentions(two, one) or {one, two} in self.nested):
                return True
        return any(self.alike(x, y) for x in a.names - b.names for y in b.names - a.names)

    def likeness(self, a: Statement, b: Statement) -> float:
        """How surely two statements speak of one matter, 0 if the words around their values do not show it.

        They must show it the more where anything may be counted so, where nobody speaks for one of the two,
        and where they do not name the same thing."""
        unit, shared = a.unit & b.unit, a.names & b.names
        called = self.named(a.clause) & self.named(b.clause)
        known: frozenset[object] = a.unit | b.unit | said_by(" ".join(map(str, unit)))[1]
        known |= {t for name in shared | called for t in words_in(name)}
        own = (a.own & b.own) - known
        cross = ((a.own & b.near) | (b.own & a.near)) - own - known
        if not (a.names and b.names):  # then titles may be about anything
            cross -= words_in(f"{a.page.title} {b.page.title}")
        rows = [s for s in (a, b) if s.sentence.kind == "row"]
        if (
            rows
            and {unit_family(str(u)) for u in unit} == {"money"}
            and not any(isinstance(t, str) for t in own)
        ):
            return 0.0  # what a label says in other words may be another price
        words, around = self.weight(own), self.weight(cross)
        if "date" in unit:
            share = words / (max(self.weight(s.own - known) for s in (a, b)) or 1.0)
            return words + 0.5 if share > 0.5 and bool(a.value[2]) == bool(b.value[2]) else 0.0
        voices = sum(s.has("account", "own") for s in (a, b))
        claims = voices if any(s.has("account") for s in (a, b)) else 0
        said = words + 0.6 * around
        if not (own or shared or called) and self.weight(unit) < _EVERYWHERE * len(unit):
            return 0.0  # what the pages are about may be counted anywhere
        titled = self.subject(a.page) & self.subject(b.page)
        alone = titled and all(self._is_alone(s, unit) for s in (a, b))
        if alone or called or self.specific(shared) or shared & titled:
            least = 0.0 if alone or called or claims > 1 else 0.7 if titled else 1.2
            agrees = not _is_common(unit) or words + around >= least
        elif not _is_common(unit):
            agrees = said >= (0.5, 0.1, 0.0)[claims]
        elif a.names and b.names:
            agrees = said >= (1.0, 1.0, 0.25)[claims]
        elif claims > 1:
            agrees = said >= 0.55
        else:
            least = 0.5 * min(self.weight(s.near - known) for s in (a, b))
            agrees = words >= 1.2 or self.weight((a.near & b.near) - known) >= (least or 1.0)
        few, many = sorted(abs(s.value[0]) or 1.0 for s in (a, b))
        told = 0.3 * (bool(shared) + bool(alone)) + (0.0, 0.35, 1.05)[voices]
        return (words + 0.6 * min(1.5, around) + told - 0.2 * math.log2(many / few)) * agrees

    def _is_alone(self, said: Statement, unit: Collection[str]) -> bool:
        """Whether a value is the only one on its page in a unit that measures one thing, as tonnes do."""
        measured = {unit_family(str(u)) for u in unit} - {"", "money", "time"}
        return bool(measured) and all(self.counts[said.page.id, u] == 1 for u in unit)


def _bare(name: str) -> str:
    return re.sub(r"^(?:the|an?) ", "", name, flags=re.IGNORECASE)


def _is_named(name: str, text: str) -> bool:
    """Whether a text has a name, spelled like this; one word only inside a sentence and for itself."""
    alone = rf"(?<=[^\W\d_A-Z] )(?<![A-Z]\w\w ){re.escape(name)}\b(?! [A-Z])"
    return bool(re.search(alone if name.isascii() and " " not in name else re.escape(name), text))


def _may_exclude(a: Statement, b: Statement) -> bool:
    """Whether two values can be of one thing, in one role, at one time."""
    if a.value == b.value or a.page is b.page or a.sentence.kind == b.sentence.kind == "row":
        return False
    if _is_row_of_other(a, b) or _is_row_of_other(b, a):
        return False
    if any(s.has("ended", "change") for s in (a, b)):
        return False
    return "date" in a.unit or (_may_be_one_role(a, b) and _may_be_one_time(a, b))


def _is_row_of_other(row: Statement, said: Statement) -> bool:
    """Whether a row of a table is headed by a name of which another statement has at most half."""
    cells = row.sentence.cells
    label = term_set(cells[0]) if len(cells) > 2 and cells[0][:1].isupper() else frozenset()
    return bool(label) and 2 * len(label & term_set(f"{said.page.title} {said.sentence.text}")) <= len(label)


def _is_common(unit: Collection[object]) -> bool:
    """Whether a unit says little of what is counted: shares, people, money, what is measured."""
    told = [u in _PEOPLE or u == "%" or bool(unit_family(str(u))) for u in unit]
    return any(told) if is_cjk("".join(map(str, unit))) else all(told)


def _may_be_one_role(a: Statement, b: Statement) -> bool:
    """Whether two values are of one kind; what somebody arrives at may be what another expects, and what
    somebody finds of a whole may be what another says of it."""
    apart = set(a.roles) ^ set(b.roles)
    if apart == {"future"}:
        return not _is_common(a.unit & b.unit) and any(not s.roles and s.has("account") for s in (a, b))
    return not apart or (apart == {"part"} and any("part" in s.roles and s.has("account") for s in (a, b)))


def _may_be_one_time(a: Statement, b: Statement) -> bool:
    """Whether two statements may speak of one time, by the years that they name or that stand above them."""
    mine, other = a.years or a.frame, b.years or b.frame
    if "future" in a.roles or not (mine or other):
        return True
    mine, other = mine or _around(a), other or _around(b)
    return not mine or not other or bool(mine & other)


def _around(said: Statement) -> frozenset[str]:
    """The years that a statement without a year may speak of: that of its page and two before; any if it
    tells what happened."""
    year = _months(said.page.published) // 12
    return frozenset() if not year or said.has("happened") else frozenset(str(year - n) for n in range(3))


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
        rivals = rivals and not a.has("change") and a.sentence.kind != "row"  # labels are nobody's words
        same = tuple(dict.fromkeys(s.page.id for s in said if s.sentence.text == text))[:3]
        if rivals and a.key == b.key and len(_CUES["account"].findall(text)) > 1:
            found.setdefault(text, Difference((replace(a, ids=same),)))
        elif rivals and b.place == a.place + 1 and a.sentence.block == b.sentence.block:
            both = all(s.has("account") for s in (a, b)) and not b.has("change")
            found |= {text: Difference((replace(a, ids=same), replace(b, ids=same)))} if both else {}
    return list(found.values())


def _chosen(scored: Sequence[tuple[float, Statement, Statement]], names: frozenset[str]) -> list[Difference]:
    """The surest pairs, each value of a matter in one only, with everybody who gives the same two values."""
    groups, taken = defaultdict[object, list[Statement]](list), dict[object, object]()
    for _, a, b in sorted(scored, key=lambda s: (-s[0], s[1].key, s[2].key)):
        values = [(s.value, min(a.unit & b.unit)) for s in (a, b)]
        if all(taken.setdefault(value, set(values)) == set(values) for value in values):
            groups[frozenset(values)] += [a, b]
    return [d for group in groups.values() if (d := _difference(list(dict.fromkeys(group)), names))]


def _difference(group: Sequence[Statement], names: frozenset[str]) -> Difference | None:
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
    apart = _months(newer.page.published) - _months(older.page.published)
    forecast = "future" in newer.roles and "date" not in newer.unit
    if not older.page.published or apart < APART or forecast:
        return False
    tells = newer.has("happened") or (newer.has("account") and older.has("happened"))
    if tells and not newer.has("current"):
        return False
    if older.has("account") or all(s.has("account", "own") for s in (newer, older)):
        return newer.has("current") and older.has("current")
    return True


def _months(date: str) -> int:
    found = re.search(r"(\d{4})(?:-(\d\d))?", date)
    return 12 * int(found[1]) + int(found[2] or 0) if found else 0


def with_dates(markdown: str, pages: Sequence[Page], lang: str) -> str:
    """A report in which what an older source says of how things stand is marked with its date."""
    by_id = {page.id: page.published[:10] for page in pages if page.published}
    newest = max(map(_months, by_id.values()), default=0)

    def date_of(said: str, ids: str) -> str:
        """The date to be told with it, in the words of the language; empty if none is."""
        dates_of = [by_id.get(i, "") for i in re.findall(r"\[([^\]]+)\]", ids)]
        date = max(dates_of) if all(dates_of) else ""
        known = not date or newest - _months(date) < APART or date in said
        return "" if known else say("as_of", lang, date=date)

    def in_row(line: str) -> str:
        """A row with the dates of its older values; rows of a year need none."""
        first, rest = line[: line.find("|", 1)], line[line.find("|", 1) :]
        return line if _YEAR.search(first) else first + _CELL.sub(in_cell, rest)

    def in_cell(found: re.Match[str]) -> str:
        lead = date_of(found[1], found[2]) if _is_state(found[1]) else ""
        return f"{found[1]} ({lead[:1].lower()}{lead[1:].rstrip(':： ')}) {found[2]}" if lead else found[0]

    def marked(found: re.Match[str]) -> str:
        if not (lead := date_of(found[2], found[3])):
            return found[0]
        return found[1] + " ".join(lead + s if _is_state(s) else s for s in split_prose(found[2])) + found[3]

    lines = markdown.split("\n")
    return "\n".join(
        in_row(line) if line[:1] == "|" else line if line[:1] == "#" else _CITED.sub(marked, line)
        for line in lines
    )


def _is_state(text: str) -> bool:
    """Whether a sentence tells in one of its clauses, without a date, how much there is of what may change,
    or who leads."""
    if _YEAR.search(text) or _CUES["dated"].search(text):
        return False
    return any(map(_clause_is_state, _CLAUSE.split(text)))


def _clause_is_state(clause: str) -> bool:
    said = [unit for _, unit, _, _ in values_in(clause) if not unit & _FIXED]
    holds = _HOLDER.search(clause) and words_in(clause) & group_of("person")
    over = _CUES["ended"].search(clause) or (_CUES["happened"].search(clause) and not _MINE.search(clause))
    return bool(said or holds) and not over
