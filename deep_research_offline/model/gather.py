"""What sources say on a request: their statements, weighed by how well they serve it.

A statement counts by its paragraph: how much of the request stands in it, or in the heading, title and
opening above it (rare words weigh more; a page that tells of the same as those on the subject counts too);
whether it is on a side that the request asks for; and whether it tells anything: figures, names, causes.
What recurs in one shape on a page is filler. The same statement in several sources is one.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from .kinds import asking_stems, kind_of
from .lists import criteria, items_in
from .names import mentions, names_in, pieces_of, plain, shown_by, tokens
from .page import Page
from .parts import questions_in
from .passages import Sentence
from .points import Gathered, Point
from .query import read_query
from .report_words import CAUSE, FACETS, IT, READING, Facet, hits, subject_terms, without_asking
from .request import DULL, asked_sides, asking_sentence, chosen_kind, reading_order, subject_said
from .shared_names import is_proper, names_on, shared_names, siblings, years_in
from .text import FUNCTION, is_cjk, stem, term_set, words
from .thesaurus import asked_by, may_name, said_by, thesaurus
from .unknown import unknown
from .weighing import without_wishes_for
from .worth import alike, filler, speaks, told_once, worth_of

_NOUN = re.compile(r"[\u30a1-\u30ffー]{2,}|[\u3400-\u9fff々]{2,}|[A-Za-z][\w-]+")
LITTLE = 0.1
"""What a paragraph serves, of what the best does, that is noted, and told where there is room for it."""
_NEAR = 0.25
"""Share of the best paragraph's relevance below which one is left out."""
_NAMELESS = 1.5
"""How much nearer a paragraph has to be where a request names nothing, and one of its words is much."""
_BARE = 0.2
"""What a paragraph with a request's names is worth that has nothing of its matter."""
_NEAR_PLACE = 0.6
"""What a text that names what belongs to a place has of its name."""
_ON, _ON_WORD = 0.5, 0.6
"""Weight of the names, or else the words, of which a paragraph, or its page at the top, has to have one."""
_OFTEN = 3
"""Pages that have a word which may tell what is on the matter."""
_COMMON, _RARE = 0.5, 2.0
"""What a word counts that every page has, and at most one that hardly any has."""
_SHORT = 6
"""Paragraphs of a page that tells one story, so that its opening says what all of them are about."""
_LEAD = 2
"""Sentences that open a page, in which it says what it is about; the third may be on one matter of many."""
_KIN = 0.8
"""How like what pages on a thing tell a paragraph is that has to do with it, though it does not name it."""
_CORE = 10
"""Pages nearest to a subject among which reprints are looked for."""
_MOSTLY = 0.6
"""Share of what is asked that headings of a page have, so that its opening speaks for no other heading."""
_ENOUGH = {"": 0.35, "why": 0.7, "debate": 0.35}
"""How much of what is asked one paragraph has to hold; one that gives a cause, or tells of a dispute."""
_DISPUTED = frozenset().union(*(f.head | f.cue for f in FACETS if f.id in ("against", "debate")))
_ASPECTS = frozenset(w[:2] for f in FACETS if f.id != "events" for w in f.head | f.cue if is_cjk(w))
"""Beginnings of Chinese and Japanese words for sides of a subject."""
_CAUSES = frozenset().union(*(f.head for f in FACETS if f.id == "causes"))
_VIEWS = frozenset().union(*(f.head for f in FACETS if f.id in READING["debate"][:3]))
"""What views of a matter are called, which no page need call them so."""
_ARGUING = 2
"""Words of a dispute that a paragraph on one has at least."""
_FURTHER = re.compile(
    r"(?<=\w)(?: [-–—]|:|,(?= (?:with|including|plus) )) |："
    r"|[，、。？?](?=后来|最后|结果|然后|之后|事后|如今|现在|その後|結局|結果|今は)"
)
"""What stands before a side that is asked of a matter, too."""
_HEAD = 8
"""Words of a head before a list of what is asked of it."""
_COMPOUND = 7
"""Characters of a run of Chinese or Japanese that may be of several words."""
_MEMBER, _CLASS = 0.4, 3
"""What the page of one thing is worth to a request on all of its kind, if so many have one."""
_AROUND = 0.3
"""What a word around the sentence that asks counts, of one in it."""
_NO_ONE = frozenset("which what any some each every no a an".split())
"""What stands before a word for a thing that is not known."""
_DULL = frozenset(map(stem, DULL))
_ITS = re.compile(r"\bits?\b", re.IGNORECASE)
_WITHIN = r"\b(?:in|of|at|on|for|from|to|through|above|across|over) (?:the )?"
"""What stands before the name of a place."""
_AKIN = 0.7
"""How well a paragraph serves that is no more than like others on the subject."""
_PASSING, _ITSELF = 0.5, 0.5
"""How little like others on the subject a paragraph is that names it in passing; it counts from the sentence
on that holds so much of the request, of what the best one does."""
_CLOSE = 2
"""Words between those of what a request writes as a name."""
_SEVERAL = 2
"""Pages on other things that have a sentence which tells nothing of this one."""
_LATER = re.compile(r"\b(?:since|after) the [\w ]+", re.IGNORECASE)
"""What a title says that its matter came after."""
_SIDE = 1.0
"""Strength from which a side is told of."""


def matter(question: str, names: Sequence[str], pages: Sequence[Page] = ()) -> list[str]:
    """The words of a request that are neither names nor criteria; of Chinese and Japanese its nouns, by the
    script, and in the parts that several pages have."""
    apart = {t for name in (*names, *criteria(question)) for t in term_set(name)}
    question = without_wishes_for(question)
    if not is_cjk(question):
        return [t for t in subject_terms(question) if t not in apart and not t.isdigit()]
    bare = without_asking(question)
    for name in names:
        bare = bare.replace(name, " ")
    runs = [run for run in _NOUN.findall(FUNCTION.sub(" ", bare)) if term_set(run) - apart]
    return [part for run in runs for part in _parts(run, [f"{page.title}\n{page.text}" for page in pages])]


def _parts(run: str, texts: Sequence[str]) -> list[str]:
    """A run of Chinese or Japanese in the longest parts that several texts have; whole if they have none."""
    found, at = list[str](), 0
    if len(run) < _COMPOUND:
        return [run]
    while at < len(run) - 1:
        ends = range(len(run), at + 1, -1)
        end = next((n for n in ends if sum(run[at:n] in text for text in texts) > 1), at)
        found += [run[at:end]] if end > at else []
        at = max(end, at + 1)
    return found or [run]


def on_offer(question: str, names: Sequence[str], pages: Sequence[Page]) -> list[str]:
    """What a request for advice chooses from: the words of its kind, if it says one, and those of what it
    asks that titles have. The rest of it tells who asks, and what for."""
    if kind_of(question) != "recommendation":
        return []
    titled = frozenset().union(*(term_set(page.title) for page in pages))
    own = matter(asking_sentence(question), names)
    kind = matter(chosen_kind(question), names)
    return list(dict.fromkeys([*kind, *(word for word in own if word in titled)]))


def gather(question: str, pages: Sequence[Page], extra: Sequence[str] = (), near: float = _NEAR) -> Gathered:
    """The points that bear on a question, best first; `extra` are further names that count. A paragraph that
    serves it less than `near` of what the best one does is worth nothing."""
    return _gathered(question, tuple({page.id: page for page in pages}.values()), tuple(extra), near)


@lru_cache(maxsize=32)
def _gathered(question: str, pages: tuple[Page, ...], extra: tuple[str, ...], near: float) -> Gathered:
    request = _Request(question, pages, extra)
    blocks = [block for page in pages for block in request.blocks_of(page)]
    top = sorted((b.serves for b in blocks), reverse=True)[:8]
    best = sum(top) / (len(top) or 1)
    near *= 1.0 if request.names else _NAMELESS
    points = [p for b in blocks for p in request.points_of(b, b.serves / best if best else 0.0, near)]
    every = {point.key: point for point in points}
    told = told_once([p for p in points if p.score > 0])
    ranked = tuple(sorted(told, key=lambda p: (-p.score, p.key)))
    lacks = request.lacks(b for b in blocks if b.serves > 0)
    return Gathered(
        ranked, tuple(request.names), every, request.siblings, request.unsaid, request.strangers, lacks,
        request.members,
        frozenset(page.id for page in pages if request.is_on_another_event(page)),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph or table with its statements and their places: how well it serves the request, which side
    it tells of, and its rank under its heading."""

    page: Page
    said: tuple[tuple[int, Sentence], ...]
    serves: float
    side: str
    named: frozenset[str]
    rank: int
    filler: frozenset[int]
    passing: bool
    """Whether it is of another matter, and names this one in passing."""


class _Request:
    """What a request asks, weighed against all pages at hand."""

    def __init__(self, question: str, pages: Sequence[Page], extra: Sequence[str]) -> None:
        met = [n for n in shared_names(question, pages) if not any(plain(n) in plain(one) for one in extra)]
        self.names = list(dict.fromkeys([*extra, *met]))
        self.any_of = frozenset(extra) if len(extra) > 1 else frozenset()
        self.question, self.kind, self.pages = question, kind_of(question), pages
        self.siblings = siblings(self.names, pages) if self.names else frozenset()
        self.sides = asked_sides(question)
        apart, order = term_set(question) if self.sides else frozenset(), reading_order(question)
        self.facets = [replace(f, head=f.head - apart) for f in FACETS if f.id in order]
        if self.sides:  # of the other sides headings alone tell
            usual = READING[kind_of(question)]
            self.facets = [f if f.id in usual else replace(f, cue=frozenset()) for f in self.facets]
        texts = [f"{page.title}\n{page.text}" for page in pages]

        def counted(features: Iterable[str]) -> dict[str, float]:
            held = {one: sum(self._holds(text, one) for text in texts) for one in dict.fromkeys(features)}
            return {one: n for one, n in held.items() if n}

        told = matter(question, self.names, pages)
        self.names += _meant(question, self.names, pages)
        self.heads = _phrases(question, told, texts)
        self.phrased = frozenset[str]().union(*self.heads.values())  # "late fees" are not any costs
        book, places = shown_by(tuple(pages)), places_in(self.names, pages)
        self.near = {n: frozenset(t for t in tokens(n) if t not in book.small) for n in places}
        narrow = len(self.names) == 1 and told and kind_of(question) != "overview" and not is_cjk(question)
        where = places if narrow else frozenset[str]()
        named = counted(name for name in self.names if name not in self.any_of | where)
        rarest = min(named.values(), default=1.0)
        self.named = {n: min(_RARE, rarest / k + math.log(len(texts) / k)) for n, k in named.items()}
        if self.any_of:
            self.named["*"] = 3.0
        judged = [t for name in criteria(question) for t in term_set(name)] if self.any_of else []
        held = counted([*told, *judged, *where])
        self.words = {one: min(_RARE, _COMMON + math.log(len(texts) / n)) for one, n in held.items()}
        asking = asking_sentence(question)
        head = _FURTHER.split(question)[0]  # what is asked of it behind that is no other matter
        titled = len(words(head)) <= _HEAD and any(mentions(head, name) for name in self.names)
        said = [head] if titled else _FURTHER.split(asking)
        matters = {one: matter(subject_said(one) or one, self.names, pages) for one in said}
        on = (
            o for o in said if any(n in held for n in matters[o]) or any(mentions(o, n) for n in self.names)
        )
        alone = next(on, said[0])
        asked = matters[alone]
        asked = on_offer(question, self.names, pages) or asked
        self.often = {one: n for one, n in self.words.items() if held[one] >= _OFTEN and one not in where}
        self.alone = not asked and any(mentions(asking, name) for name in self.names)
        shown = frozenset().union(*(term_set(text) for text in texts))
        lacking = [n for n in asked if n not in held and not any(t.startswith(n) for t in shown)]  # "mil"
        compared = items_in(question)
        self.lost = bool(compared) and not self.names and all(term_set(one) - shown for one in compared)
        foreign = is_cjk(question) and len(lacking) == len(asked)  # pages are in another language
        strange = unknown(
            question, [] if foreign else [n for n in lacking if not _is_change(n)], self.names, book
        )
        self.called = list[str]()
        for run in names_on(f" {asking}"):  # "in the Vorn Valley" of pages that have "the Vorn Court"
            within = re.search(rf"{_WITHIN}{re.escape(run)}", asking, re.IGNORECASE)
            by = [w for w in run.split() if w.lower() not in book.small] if within else [run]
            told_of = book.find(run) or any(mentions(text, name) for text in texts for name in by)
            self.called += [run] if not told_of and term_set(run) <= {*asked} else []
        if self.any_of:  # of things compared there is something to tell, whatever else is said of them
            strange = [t for t in strange if t.named]
        unsaid = (t.text for t in strange if t.ends and not (book.find(t.text) or hits(t.text, _VIEWS)))
        written = [n for n in names_in(f" {asking}") if " and " not in n and not book.find(n)]
        whole = (next((n for n in written if mentions(n, t)), t) for t in unsaid)
        self.unsaid = tuple(dict.fromkeys(whole))
        first, *rest = questions_in(alone)  # one of several can be told without what the others ask
        self.strangers = tuple[str, ...]()
        if read_query(first).kind == "yesno" and not (self.unsaid or self.names):  # "is flying safe?"
            other = {*lacking} - asking_stems(question)
            self.strangers = tuple(w for w in words(first) if stem(w) in other and not _is_change(w))
        known = self.names or any(n in held for n in asked)  # then what is asked of it may be told
        every = [n for n in asked if n in held or n in lacking]
        things = term_set(" ".join(t.text for t in unknown(question, every, self.names, book)))
        required = [n for n in asked if n in things] if known else lacking
        partly = any(n in held for n in required) and kind_of(question) not in ("why", "debate")
        if partly:  # of what is known there may be much to tell
            called = term_set(" ".join(thing.text for thing in strange if thing.named))
            choice = matter(chosen_kind(alone), self.names, pages) or asked
            required = [n for n in required if n in choice and (n in held or n in called)]
        own = matter(first, self.names, pages) if rest else asked
        self.asked = {n: self.words.get(n, _RARE) for n in required if n in own and not _is_change(n)}
        self.points = frozenset[str]()
        if asked or self.alone:
            full = {one for one in asked if one in self.heads or one not in _DULL}
            self.points = frozenset(full - self.heads.keys())
            self.words = {one: n * (1.0 if one in full else _AROUND) for one, n in self.words.items()}
        self.members = frozenset[str]() if extra or self.alone else members_of(question, self.names, pages)
        self.kin = self._kin([page for page in pages if page.id not in self.members])

    def _holds(self, text: str, one: str) -> float:
        """How far a text has a name, a word or another word for it, or the parts of a Chinese or Japanese
        word; a word before another that pages know it with, as in "air freight", counts only with that. Of a
        place a word that only names have tells, too: "the Lorne Council" of the Lorne Valley."""
        if one == "*":
            return float(any(mentions(text, name) for name in self.any_of))
        if one in self.names:
            near = self.near.get(one, frozenset()) & {*tokens(text)}
            return 1.0 if mentions(text, one) else _NEAR_PLACE * bool(near)
        if is_cjk(one):
            parts, others = term_set(one), thesaurus().said.phrases.get(one, set())
            held = len(parts & term_set(text)) / (len(parts) or 1)
            return 1.0 if held < 1 and others & said_by(text)[1] else held
        if one in self.heads and not any(self._holds(text, head) for head in self.heads[one]):
            return 0.0
        stems, groups = said_by(text)
        alike = thesaurus().asked.single.get(one, set[int]())
        if one in self.phrased:
            alike = {n for n in alike if not thesaurus().groups[n].get("unit")}
        return float(one in stems or bool(groups & alike))

    def cover(self, *levels: tuple[float, str]) -> float:
        """How well texts serve the request, each counting for so much: its names, and as much its matter."""
        told = math.fsum(w * max(n * self._holds(t, one) for n, t in levels) for one, w in self.words.items())
        matter = told / (sum(self.words.values()) or 1.0)
        if not self.named:
            return matter
        names = [w * max(n * self._holds(text, one) for n, text in levels) for one, w in self.named.items()]
        about = 0.6 * max(names) / max(self.named.values()) + 0.4 * sum(names) / sum(self.named.values())
        if not self.words:
            return about
        weight = 1.3 * max(self.named.values())
        share = min(1.5 * weight, sum(self.words.values()))
        return (weight * about + share * matter) / (weight + share) * (1.0 if matter or self.alone else _BARE)

    def _is_on(self, text: str) -> bool:
        """Whether a text is on the matter: it has a phrase of it that pages know, or one of the names that
        tell most, if any is known, and else one of the words."""
        if any(self._holds(text, one) > 0.5 for one in self.heads):
            return True
        told = self.named or self.often or self.words
        least = (_ON if self.named else _ON_WORD) * max(told.values(), default=0.0)
        if is_cjk(self.question):  # where names are left out, and no word is split from its neighbours
            told, least = {one: 1.0 for one in (*self.named, *self.words) if one[:2] not in _ASPECTS}, 0.0
        return not told or any(n >= least and self._holds(text, one) > 0.5 for one, n in told.items())

    def _kin(self, pages: Sequence[Page]) -> dict[tuple[str, int], float]:
        """How much of what the pages nearest to the subject have in common each paragraph tells, 0 to 1."""

        def told_there(page: Page) -> float:
            heads = " ".join(dict.fromkeys(s.heading for s in page.sentences))
            strength = _sides(self.facets, heads, page.title, "", _opening(page))
            head, whole = (1.0, f"{page.title} {_opening(page)}"), (0.5, page.text)
            told = [self.cover((1.0, s.text)) for s in page.sentences]
            cover = self.cover(head, whole) * min(1.0, 0.2 + 4 * sum(told) / (len(told) or 1))
            off = self.sides and max(strength[s] for s in self.sides) < _SIDE
            return cover * ((0.2 if self.alone else 0.5) if off else 1.0)

        near = {page.id: told_there(page) for page in pages}
        once: list[Page] = []  # a reprint says nothing of what pages on the subject have in common
        for page in sorted(pages, key=lambda p: -near[p.id]):
            once += [page] * (not near[page.id] or not any(alike(page.text, p.text) for p in once[:_CORE]))
        least = 0.8 * near[once[0].id] if once else 0.0
        least = min(least, near[once[2].id]) if len(once) > 5 else least
        core = [p for p in once if near[p.id] >= least > 0]
        rest = [p for p in once if p not in core]
        if len(core) < 2 or not rest:
            return {}
        told = {p.id: term_set(f"{p.title} {p.text}") for p in pages}
        shared = Counter(t for p in core for t in told[p.id])
        other = Counter(t for p in rest for t in told[p.id])
        apart = {t: n / len(core) - other[t] / len(rest) for t, n in shared.items() if n > 1}
        top = dict(sorted(apart.items(), key=lambda i: (-i[1], i[0]))[:60])
        share: dict[tuple[str, int], float] = {}
        for page in pages:
            if self.cover((1.0, f"{page.title} {page.text}")):
                under: dict[int, list[str]] = defaultdict(list)
                for said in page.sentences:
                    under[said.block] += [said.heading, said.text]
                whole = self._likeness(told[page.id], top)
                for block, texts in under.items():
                    own = self._likeness(term_set(" ".join([page.title, *texts])), top)
                    share[page.id, block] = whole if len(under) <= _SHORT else own
        near_ids = {p.id for p in core}
        held = [n for (page_id, _), n in share.items() if page_id in near_ids]
        full = sum(held) / (len(held) or 1) or 1.0
        return {place: min(1.0, n / full) for place, n in share.items()}

    @staticmethod
    def _likeness(own: Collection[str], top: Mapping[str, float]) -> float:
        """How much terms have of those that tell pages on the subject apart, for their number."""
        return math.fsum(top.get(t, 0.0) for t in own) / (len(own) or 1) ** 0.5

    def blocks_of(self, page: Page) -> list[_Block]:
        """The paragraphs and tables of a page."""
        held: dict[tuple[int, bool], list[tuple[int, Sentence]]] = defaultdict(list)
        under: dict[str, list[str]] = defaultdict(list)
        for place, said in enumerate(page.sentences):
            held[said.block, said.kind == "row"].append((place, said))
            under[said.heading].append(said.text)
        idle, opening = filler(page) | self._recurring(page), _opening(page)
        titled = any(mentions(page.title, n) for n in self.named)
        weight = {one: self.words.get(one, _RARE) for one in self.points}
        headed = (n for one, n in weight.items() if any(self._holds(h, one) for h in under))
        lead = _opening(page, _LEAD) * (sum(headed) <= _MOSTLY * sum(weight.values()))
        whole, leads = titled or self._is_on(page.title), self._is_on(lead)
        around = ((0.6, opening),) if len(held) <= _SHORT else ()
        another = titled and self.is_on_another_event(page)
        debate, voice = bool(self.sides & set(READING["debate"][:1])), speaks(page)
        ranks = Counter[str]()
        found = []
        for told in held.values():
            heading = told[0][1].heading
            kin = self.kin.get((page.id, told[0][1].block), 0.0)
            text = " ".join(said.text for _, said in told)
            own = heading if plain(heading) not in plain(page.title) else ""
            strength = _sides(self.facets, own, page.title, " ".join(under[heading]), text)
            spoken = self.sides & set(READING["debate"][:3])
            strength = {s: n * (1.6 if s in spoken else 1.0) for s, n in strength.items()}
            side = max(strength, key=lambda s: strength[s])
            cover = self.cover((1.0, text), (0.9, f"{page.title} {own}"), *around)
            serves = max(cover, _AKIN * kin)
            of_it = self.kind == "debate" or any(self._holds(own, one) > 0.5 for one in self.words)
            led = whole or (leads and (not own or of_it))  # arguments do not name their matter
            if not (led or (self.alone and kin > _KIN) or self._is_on(f"{page.title} {own} {text}")):
                serves = 0.0  # another matter, on a page that names this one elsewhere
            if self.sides and max(strength[s] for s in self.sides) < _SIDE:
                serves *= max(kin if self.kin else 0.5, self.cover((1.0, page.title)), 0.2)
            serves *= _MEMBER if page.id in self.members else 1.0
            serves *= not another
            named = [n for n in self.names if mentions(text, n)] or [
                n for n in self.names if mentions(f"{page.title} {own}", n)
            ]
            side = side if strength[side] >= _SIDE else f"# {own}" if own else ""
            passing = kin < _PASSING and not (led or named)
            titled_so = any(f.id == side and hits(f"{page.title} {own}", f.head) for f in self.facets)
            if debate and (voice or (side in READING["debate"][:2] and not titled_so)):
                side = "debate"  # words of arguing alone do not tell for which side they are
            found.append(
                _Block(page, tuple(told), serves, side, frozenset(named), ranks[heading], idle, passing)
            )
            ranks[heading] += 1
        return found

    def is_on_another_event(self, page: Page) -> bool:
        """Whether a page that has a name of a request on an event is on one of a year, and has no word, or
        not the rarest name, of this one: an accident at the place of a fire."""
        told = f"{page.title}\n{page.text}"
        dated = self.kind == "why" and {*years_in(page.title)} - {*years_in(self.question)}
        rarest = max(self.named, key=self.named.__getitem__) if len(self.named) > 1 else ""
        bare = self.points and not any(self._holds(told, one) > 0.5 for one in self.points)
        return bool(dated) and bool(bare or (rarest and not self._holds(told, rarest)))

    def _recurring(self, page: Page) -> frozenset[int]:
        """Places of what a page has in common with several that name nothing of a profile's subject, figures
        apart: "Entry 12 of the register"."""
        if self.kind != "overview" or not self._named_in(f"{page.title}\n{page.text}"):
            return frozenset()
        return frozenset(
            n
            for n, said in enumerate(page.sentences)
            if self._elsewhere[_shape(said)] >= _SEVERAL and not self._named_in(said.text)
        )

    @cached_property
    def _elsewhere(self) -> Counter[str]:
        """On how many pages that name nothing of the request a sentence stands, figures apart."""
        others = [page for page in self.pages if not self._named_in(f"{page.title}\n{page.text}")]
        return Counter(shape for page in others for shape in {_shape(said) for said in page.sentences})

    def lacks(self, blocks: Iterable[_Block]) -> str:
        """What no paragraph tells: the matter ("all"), or, though some are on it, the cause or the dispute
        asked for. A word that no page has counts, but of things compared, and in Chinese and Japanese, it
        is not clear which words are the matter: there only things count of which no page shows one."""
        blocks = list(blocks)
        if self.lost or not all(any(self._tells_of(block, run) for block in blocks) for run in self.called):
            return "all"
        kind, most = self.kind, dict.fromkeys(_ENOUGH, 0.0)
        whole = math.fsum(self.asked.values())
        for block in blocks:
            text = " ".join(said.text for _, said in block.said)
            head = f"{block.page.title} {block.said[0][1].heading}"
            kin = self.kin.get((block.page.id, block.said[0][1].block), 0.0)
            least = {one: kin if one in self.words else 0.0 for one in self.asked}
            levels = {one: max(least[one], self._holds(f"{head} {text}", one)) for one in self.asked}
            held = math.fsum(n * levels[one] for one, n in self.asked.items())
            causes = CAUSE.search(text) or hits(head, _CAUSES) or block.side == "events"
            argues = block.side == "decided" or hits(f"{head} {text}", _DISPUTED) >= _ARGUING
            for name, told in (("", True), ("why", causes), ("debate", argues)):
                most[name] = max(most[name], held / whole if whole else 1.0) if told else most[name]
        if self.any_of or is_cjk(self.question):
            return ""
        return "all" if most[""] < _ENOUGH[""] else kind * (most.get(kind, 1.0) < _ENOUGH.get(kind, 0.0))

    def _tells_of(self, block: _Block, run: str) -> bool:
        """Whether a paragraph, or what stands above it, has all words close together of what a request
        writes as a name and no page has as one."""
        own, near = term_set(run), len(run.split()) + _CLOSE
        texts = [block.page.title, block.said[0][1].heading, *(said.text for _, said in block.said)]
        said = (words(text) for text in texts if all(self._holds(text, one) for one in own))
        parts = (" ".join(told[n : n + near]) for told in said for n in range(max(1, len(told) - near + 1)))
        return any(all(self._holds(part, one) for one in own) for part in parts)

    def points_of(self, block: _Block, serves: float, near: float) -> Iterable[Point]:
        """The statements of a paragraph; of one that does not serve the request they are worth nothing."""
        lead = 1.0 + 0.2 / (1 + block.rank)
        head = f"{block.page.title} {block.said[0][1].heading}"
        stray, headed = self._strays(head), self.cover((1.0, head))
        titled = about = self._named_in(block.page.title)
        covers = [self.cover((1.0, said.text)) for _, said in block.said]
        passing = block.passing
        for (place, said), own in zip(block.said, covers, strict=True):
            other = titled if _ITS.search(said.text) or not names_on(said.text) else frozenset[str]()
            about = self._named_in(said.text) or (about if IT.search(said.text) else other)
            told = self._strays(said.text)
            stray = stray if told is None else told
            passing = passing and own < _ITSELF * max(covers)
            counts = serves >= near and place not in block.filler and not (stray or passing)
            worth = worth_of(said, block.page, place, own) if counts else 0.0
            first = place == block.said[0][0]
            ids = (block.page.id,)
            yield Point(
                block.page,
                said,
                place,
                serves * lead * worth,
                block.side,
                ids,
                block.named,
                first,
                own,
                serves,
                bool(stray) or passing,
                about,
                headed,
            )

    def _named_in(self, text: str) -> frozenset[str]:
        return frozenset(name for name in self.names if mentions(text, name))

    def _strays(self, text: str) -> bool | None:
        """Whether a text names another thing of the kind asked about, and none that is; None if neither."""
        if any(mentions(text, name) for name in self.names):
            return False
        return True if any(mentions(text, name) for name in self.siblings) else None


def members_of(question: str, names: Sequence[str], pages: Sequence[Page]) -> frozenset[str]:
    """The pages whose title is the name of a thing that a request does not name, alone or beside what many
    titles have ("Register of mills: Orsk"), if there are many; none if things are to be set side by side,
    which may be these."""
    if kind_of(question) in ("", "comparison", "recommendation"):
        return frozenset()
    pieces = {page.id: pieces_of(page.title) for page in pages if not is_cjk(page.title)}
    often = Counter(itertools.chain.from_iterable(pieces.values()))
    alone = ((page, [one for one in told if often[one] < _CLASS]) for page, told in pieces.items())
    found = {
        page: parts[0]
        for page, parts in alone
        if len(parts) == 1 and is_proper(parts[0]) and (" " in parts[0] or may_name(parts[0]))
    }
    others = (page for page, name in found.items() if not any(mentions(name, one) for one in names))
    return members if len(members := frozenset(others)) >= _CLASS else frozenset()


def _meant(question: str, names: Sequence[str], pages: Sequence[Page]) -> list[str]:
    """The one thing that titles have by a name which ends in a word of the request: "the mill at Orsk"."""
    told = {*subject_terms(question)} - {t for name in names for t in term_set(name)}
    said = itertools.pairwise(["", *words(question.lower())])
    one = {w for before, w in said if before not in _NO_ONE and w[-1] != "s" and stem(w) in told}
    found = {n for p in pages for n in names_on(p.title) if n.split()[-1].lower() in one}
    found = {n for n in found if not any(mentions(n, one) or mentions(one, n) for one in names)}
    return [*found] if names and len(found) == 1 else []


def _phrases(question: str, told: Sequence[str], texts: Sequence[str]) -> Mapping[str, set[str]]:
    """Words of the matter, each with those behind it, if these two stand side by side in a text."""
    said = [word for word in words(question.lower()) if word.isascii()]
    heads = defaultdict[str, set[str]](set)
    for a, b in itertools.pairwise(said):
        if {stem(a), stem(b)} <= {*told}:
            known = re.compile(rf"\b[{a[0]}{a[0].upper()}]{re.escape(a[1:])}[ -]{re.escape(b.rstrip('s'))}")
            if any(map(known.search, texts)):
                heads[stem(a)].add(stem(b))
    return heads


def places_in(names: Sequence[str], pages: Sequence[Page]) -> frozenset[str]:
    """Names that lines have behind a preposition only: where things are, and no things."""
    told = "\n".join(t for p in pages for t in (*pieces_of(p.title), *(s.text for s in p.sentences)))
    within = {n: len(re.findall(rf"{_WITHIN}{re.escape(n)}", told, re.IGNORECASE)) for n in names}
    return frozenset(n for n, many in within.items() if many == told.count(n) > 0)


def _is_change(word: str) -> bool:
    """Whether a word says which way something went, which those who tell why need not repeat."""
    return bool(asked_by(word) & asked_by("grow fall"))


def _shape(said: Sentence) -> str:
    """The words of a sentence without its figures."""
    return re.sub(r"\d+", "", plain(said.text))


def _opening(page: Page, most: int = 3) -> str:
    return " ".join([s.text for s in page.sentences if s.kind == "prose"][:most])


def _sides(of: Sequence[Facet], heading: str, title: str, under: str, text: str) -> dict[str, float]:
    """How strongly heading, title, what stands under the heading and the paragraph speak for each side."""
    return {
        f.id: (2.0 if f.cue else 1.0) * min(1, hits(heading, f.head))
        + 1.2 * min(1, hits(_LATER.sub(" ", title), f.head))
        + 0.15 * min(4, hits(under, f.cue))
        + 0.35 * min(3, hits(text, f.cue))
        for f in of
    }
