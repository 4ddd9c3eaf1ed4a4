"""Where sources differ, and what has been overtaken by something newer.

Two statements exclude each other if they give different values of one kind (unit and role: a limit, a
request, a forecast) for one matter of one thing at one time. The matter is judged by the words around the
two values, and by those that stand in one sentence and near the other. Copies of one story speak with one
voice. Where the older statement tells how things stood, it is dated and no other opinion.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .gather import has_name, is_proper, names_of
from .lexicon import load
from .page import Page
from .passages import Sentence
from .quantities import clause_of, values_in, words_in
from .query import group_of
from .report_words import trust
from .text import split_prose, term_set
from .values import unit_family

_DATA = load("differences")
_FIXED = frozenset(_DATA["measures"]["fixed"].split())
_CUES = {name: re.compile(words, re.IGNORECASE) for name, words in _DATA["cues"].items()}
_ROLES = {name: re.compile(words, re.IGNORECASE) for name, words in _DATA["roles"].items()}
_CAPITALS = re.compile(r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+|(?<=[a-z] )[A-Z][\w'’-]+")
_YEAR = re.compile(r"(?<![\d.,])(?:1[5-9]|20|21)\d\d(?![\d]|[.,]\d)")
_CELL = re.compile(r"(?<=\| )([^|\[\]\n]+?) ((?:\[[^\]\n|]+\])+)(?= \|)")
_CITED = re.compile(r"(^(?:[-*] |\d+\. )?|(?<=\] ))(.+?)((?:\s?\[[A-Z]{1,4}\d[^\]]*\])+)")
_OF_NAME = re.compile(r"(?:(?<=\S )[A-Z][\w.+-]*|\b[Vv]ersions?|\bv\d[\w.]*)\s+$")
"""What a number behind it belongs to: "Python 3.6", "v0.3.1 2015-01-24"."""
_QUALIFIED = re.compile(r"([^()（）]+?) ?[(（]")
"""A title that says in brackets what kind of thing it names."""
_THE = re.compile(r"\b[Tt]he ([A-Z][\w-]+)\b(?! [A-Z])")
_CLAUSE = re.compile(r"(?<!\d)[,;]\s|[，；、]")
_HOLDER = re.compile(r"\b(?:is|are) [A-Z][\w'’-]+ [A-Z]")
ENOUGH = 1.5
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
        show = _show(lang)
        names = sorted(frozenset.intersection(*(s.names for s in self.sides)), key=lambda n: (-len(n), n))
        values = show["now" if self.older else "or"].join(dict.fromkeys(s.text for s in self.sides))
        lead = show["about"].format(names=names[0]) if names else ""
        lines = [f"**{lead}{values}**" if len(self.sides) > 1 else "", ""]
        for side in self.sides:
            if self.older and side.key in said:
                continue
            page, date = side.page, side.page.published[:10]
            notes = show["comma"].join(filter(None, (page.tier, date))) or show["undated"]
            key = "as_of" if date and self.older and side is not self.sides[0] else "who"
            who = show[key].format(title=page.title or page.id, notes=notes, date=date)
            lines.append(f"- {who}{side.sentence.text} {''.join(f'[{i}]' for i in side.ids)}")
        return "\n".join([*lines, "", self._verdict(show)]).strip()

    def _verdict(self, show: Mapping[str, str]) -> str:
        best, other = self.sides[0].page, self.sides[-1].page
        if best is other or self.older:
            return ""
        if trust(best.tier) > trust(other.tier):
            return show["tier"].format(better=best.tier, worse=other.tier or "–")
        return show["newer" if best.published[:10] > other.published[:10] > "" else "equal"]


def _show(lang: str) -> Mapping[str, str]:
    texts: Mapping[str, Mapping[str, str]] = _DATA["show"]
    return texts.get(lang, texts["en"])


def differences(
    pages: Sequence[Page], names: Sequence[str] = (), others: Collection[str] = ()
) -> list[Difference]:
    """What sources state differently, the surest first; `names` are what the request is about, `others` what
    is of the same kind."""
    reader = _Reader(list({page.id: page for page in pages}.values()), [*names, *others])
    said = [statement for page in reader.pages for statement in reader.statements(page)]
    by_unit, owners = (
        defaultdict[str, list[Statement]](list),
        defaultdict[object, dict[str, frozenset[str]]](dict),
    )
    for statement in said:
        held = owners[statement.value, statement.unit]  # each sentence counts once, wherever it stands
        held[statement.sentence.text] = held.get(statement.sentence.text, frozenset()) | statement.names
        for unit in statement.unit:
            by_unit[unit].append(statement)
    together, scored = _told_together(said), dict[tuple[int, int], tuple[float, Statement, Statement]]()
    for found in by_unit.values():
        rarity = 1 - math.log(1 + len(found)) / math.log(2 + max(20, len(said)))
        for a, b in itertools.combinations(found, 2):
            if (a.value, b.value) in together or not _may_exclude(a, b):
                continue
            if any(_is_of_other(one, owners[other.value, other.unit]) for one, other in ((a, b), (b, a))):
                continue
            likeness = max(reader.likeness(a, b, rarity), scored.get((id(a), id(b)), (0.0,))[0])
            scored[id(a), id(b)] = (likeness, a, b)
    return [*_within(said), *_chosen([s for s in scored.values() if s[0] >= ENOUGH], frozenset(names))]


class _Reader:
    """Reads statements out of pages that stand beside each other."""

    def __init__(self, pages: Sequence[Page], names: Iterable[str]) -> None:
        self.pages = pages
        found = {
            _bare(n) for p in pages for n in (*names_of(p.title), *_CAPITALS.findall(p.title)) if is_proper(n)
        }
        told = "\n".join(s.text for p in pages for s in p.sentences)
        told += "".join(f" a {title[1]}" for p in pages if (title := _QUALIFIED.match(p.title)))
        self.names = frozenset(names) | {n for n in found if len(n) < 60 and _is_named(n, told)}
        self.words = frozenset(word for name in self.names if " " in name for word in name.split())
        self.read: dict[str, frozenset[str]] = {}
        self.spread = Counter(t for p in pages for s in p.sentences for t in words_in(s.text))
        self.total = math.log(2 + max(60, sum(len(p.sentences) for p in pages)))

    def weight(self, terms: Iterable[object]) -> float:
        """What words tell together: rare ones more, mere likeness of meaning less."""
        rare = {t: max(0.0, 1 - math.log(1 + self.spread[t]) / self.total) for t in terms}
        return math.fsum(0.5 * weight if isinstance(t, int) else weight for t, weight in rare.items())

    def named(self, text: str) -> frozenset[str]:
        """The names in a text."""
        if text not in self.read:
            self.read[text] = frozenset(n for n in self.names if has_name(text, n))
        return self.read[text]

    def _strange(self, text: str) -> frozenset[str]:
        """The names in a text that no title has: those that share a word with one that has, and what stands
        behind "the", unless it may be who says something."""
        found = {n.removesuffix("'s").removesuffix("’s") for n in _CAPITALS.findall(text) if " " in n}
        alike = {n for n in found if self.words & set(n.split())}
        alone = set() if _CUES["account"].search(text) else set(_THE.findall(text)) - self.words
        return frozenset(
            n for n in alike | alone if not any(has_name(one, n) or has_name(n, one) for one in self.names)
        )

    def statements(self, page: Page) -> Iterator[Statement]:
        """The values of a page; what a sentence does not name is what was named before it."""
        opening = (self.named(said.text) for said in page.sentences[:3])
        titled = frozenset(map(_bare, names_of(page.title))) & self.names
        last = titled or next(filter(None, opening), self.named(page.title))
        named, times = dict[int, frozenset[str]](), dict[int, frozenset[str]]()
        for place, said in enumerate(page.sentences):
            own = self.named(said.text)
            last = own or named.get(said.block, frozenset()) | self.named(said.heading) or last
            about = last if own else self._strange(said.text) or last
            named[said.block] = named.get(said.block, titled) | last
            years = frozenset(_YEAR.findall(_CUES["since"].sub("", said.text)))
            times[said.block] = years or times.get(said.block, years)
            before = [s.text for s in page.sentences[max(0, place - 2) : place] if s.block == said.block]
            near = words_in(" ".join([said.text, page.title, said.heading, *before]))
            for value, unit, start, end in values_in(said.text):
                if said.text[:start].rstrip().endswith(tuple(self.names)) or _OF_NAME.search(
                    said.text[:start]
                ):
                    continue  # the number is part of a name, or tells of a version
                clause = clause_of(said.text, start, end)
                yield Statement(
                    page, said, place, said.text[start:end], clause, value, unit,
                    words_in(clause.replace(said.text[start:end], " ")) | unit, near, about,
                    times[said.block] if _CUES["happened"].search(clause) else years,
                    frozenset(_YEAR.findall(said.heading) or _YEAR.findall(page.title)), (page.id,),
                )  # fmt: skip

    def likeness(self, a: Statement, b: Statement, rarity: float) -> float:
        """How surely two statements speak of one matter."""
        called = self.named(a.clause) & self.named(b.clause)
        both = frozenset.intersection(*(self.named(f"{s.page.title}\n{s.sentence.text}") for s in (a, b)))
        unit = max(a.unit & b.unit, key=lambda word: (self.spread[word], word))
        known = {unit} | {t for name in called for t in words_in(name)}
        own = (a.own & b.own) - known
        cross = ((a.own & b.near) | (b.own & a.near)) - own - known
        around, words = (a.near & b.near) - own - cross - known, self.weight(own)
        share = words / (max(self.weight(a.own - known), self.weight(b.own - known)) or 1.0)
        if "date" in a.unit:
            return words if share > 0.5 and bool(a.value[2]) == bool(b.value[2]) else 0.0
        accounts = sum(s.has("account", "own") for s in (a, b))
        told_of = words + 0.6 * self.weight(cross)
        if "%" in a.unit and (
            told_of < (0.5 if accounts < 2 else 0.3) or (min(words, share) < 0.3 and accounts < 2)
        ):
            return 0.0
        if not own and accounts < 2 and unit_family(unit) and not both:
            return 0.0  # what lasts or costs so much may be anything
        few, many = sorted(abs(s.value[0]) or 1.0 for s in (a, b))
        told = 0.3 * (bool(a.names & b.names) + bool(a.roles)) + 0.35 * accounts
        told += 0.5 * (
            bool(a.names & b.names) and min(len(s.own - known) for s in (a, b)) < 2
        )  # it says no more
        rest = 0.6 * self.weight(cross) + 0.15 * min(3.0, self.weight(around))
        return words + rest + 1.3 * rarity + told - 0.2 * math.log2(many / few)


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
    if (a.names and b.names and not a.names & b.names) or any(s.has("ended", "change") for s in (a, b)):
        return False
    return "date" in a.unit or (_may_be_one_role(a, b) and _may_be_one_time(a, b))


def _is_row_of_other(row: Statement, said: Statement) -> bool:
    """Whether a row of a table is headed by a name of which another statement has at most half."""
    cells = row.sentence.cells
    label = term_set(cells[0]) if len(cells) > 2 and cells[0][:1].isupper() else frozenset()
    return bool(label) and 2 * len(label & term_set(f"{said.page.title} {said.sentence.text}")) <= len(label)


def _may_be_one_role(a: Statement, b: Statement) -> bool:
    """Whether two values are of one kind; what somebody arrives at may be what another expects, and what
    somebody finds of a whole may be what another says of it."""
    apart = set(a.roles) ^ set(b.roles)
    if apart == {"future"}:
        return any(not s.roles and s.has("account") for s in (a, b))
    return not apart or (apart == {"part"} and any("part" in s.roles and s.has("account") for s in (a, b)))


def _may_be_one_time(a: Statement, b: Statement) -> bool:
    """Whether two statements may speak of one time, by the years that they name or that stand above them."""
    mine, other = a.years or a.frame, b.years or b.frame
    if "future" in a.roles or mine & other:
        return True
    if mine and other:
        told = [s for s in (a, b) if s.sentence.kind != "row" and not s.years]
        return len(told) == 2 or (any(s.has("happened") for s in told) and not (a.frame and b.frame))
    undated = [s for s in (a, b) if not s.years and s.page.published and not s.has("happened")]
    gaps = [_months(s.page.published) // 12 - int(year) for s in undated for year in a.years | b.years]
    return not gaps or any(0 <= gap <= 2 for gap in gaps)


def _is_of_other(one: Statement, named: Mapping[str, frozenset[str]]) -> bool:
    """Whether a value is mostly given for things that a statement is not about."""
    votes = [-1 if n & one.names else 1 for n in named.values() if n]
    return bool(one.names and votes) and sum(votes) >= 0


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
        rivals = rivals and not a.has("change")
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
        on_subject = any(has_name(said.page.title, name) for name in names)
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
    told_before = any("" < s.page.published <= older.page.published for s in by_value[newer.value])
    if not told_before and _has_changed(newer, older):
        return Difference((newer, older), tuple(by_value[older.value]))
    if newer.frame and older.frame and not newer.frame & older.frame:
        return None
    return Difference(tuple(sorted((newer, older), key=lambda s: -trust(s.page.tier))))


def _has_changed(newer: Statement, older: Statement) -> bool:
    """Whether the older one of two statements tells how things stood, rather than what others deny."""
    apart = _months(newer.page.published) - _months(older.page.published)
    fixed = newer.unit & older.unit & _FIXED and not newer.has("current")
    forecast = "future" in newer.roles and "date" not in newer.unit
    if not older.page.published or apart < APART or fixed or forecast:
        return False
    tells = newer.has("happened") or (newer.has("account") and older.has("happened"))
    if tells and not newer.has("current"):
        return False
    if all(s.has("account", "own") for s in (newer, older)) and any(s.has("account") for s in (newer, older)):
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
        return "" if known else str(_show(lang)["as_of"].format(date=date))

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
    return bool(said or holds) and not any(_CUES[cue].search(clause) for cue in ("ended", "happened"))
