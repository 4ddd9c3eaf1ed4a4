"""A request for a report: planning what there is to say.

    items       what is to be compared or chosen       criteria   by what
    topics      what to research, each with a query    outline    the headings of a report

Everything works from the question alone; with pages at hand it names what they name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import TypeVar

from .dating import CUES
from .gather import gather, on_offer
from .kinds import has_sign, kind_of
from .lexicon import NUMBERS, SPELLED
from .lists import criteria, items_in
from .names import pieces_of, plain, shown_by, tokens
from .page import Page
from .passages import Sentence
from .phrases import join, say
from .points import Gathered, Point
from .quantities import clause_of, values_in
from .report_words import FACETS, OPINION, READING, Facet, hits, subject_terms, without_asking
from .request import asking_sentence, asks_of_one, chosen_kind, reading_order
from .shared_names import NAMES, is_proper, names_on, runs_in, shared_names, years_in
from .text import is_cjk, language, term_set, terms, tidy, words
from .thesaurus import is_measure, measure_in, said_by, thesaurus
from .values import numbers, unit_family
from .weighing import is_advised, weighed, without_wishes_for

_FEWEST = 2
"""Points that make a section of their own, where there is much to say."""
_OWN = 5
"""Points under a heading of the pages for which that makes a section."""
_MUCH = 24
MOST_ITEMS = 10
_MOST_NAMES = 12
_AT_ONCE = 5
"""Sides that several researchers take at a time."""
_LONG = 3
"""Words of a thing in a list that is no clause."""
_SHORT = 70
"""Characters of a subject that may stand in a title."""
_T = TypeVar("_T")
_WHERE = r"\b(?:in|of|for|from|to|at|on) (?:the )?"
_AROUND = re.compile(rf"(?<!where )(?<!how ){_WHERE}[^:,;]+", re.IGNORECASE)
"""What a title says of where its things are or what they are for, which is not what they are."""
_MAIN = 0.3
"""Share of what the page that tells most tells, from which a page may say what there is to choose from."""
_CLAUSE = re.compile(r"(?<!incl)[,;:.?!] | [-–—] ")
_BY_ID = {facet.id: facet for facet in FACETS}
_ASKED_BY = {"stance": ("debate",), "cause": ("events", "causes"), "effect": ("measures",)}
"""The sides that signs of a request ask for."""
_OPEN = ("overview", "why", "development")
"""Kinds of requests that say little of what there is to find."""
_FEWEST_WORDS, _MOST_WORDS = 3, 9
"""Words of a statement that are searched for."""


@dataclass(frozen=True, slots=True)
class Topic:
    """One side of a subject: a short title, what it is on, and the words of its side to search for."""

    title: str
    about: str
    side: str

    @property
    def query(self) -> str:
        """The search for it."""
        return tidy(f"{self.about} {self.side}")


def searches(question: str, topic: str, pages: Sequence[Page]) -> list[str]:
    """What to search for on one topic: its side, and the whole; then what pages mention, and further sides.
    The words of its side one by one, and with fewer names, were tried: they found nothing more.

    Several researchers share a subject. Each begins its lists at its own place, so that together they ask
    for all sides and names and none asks what another has asked.
    """
    found, order, lang = topics(question, (), _AT_ONCE), research_order(question), language(question)
    about, head = subject(question, pages), topic.partition(question)[0] or topic
    titled = [n for n, t in enumerate(found) if plain(t.title) in plain(head)]
    own = max(titled, key=lambda n: len(found[n].title), default=0)
    if own_side := side_named(head, lang):
        own = order.index(own_side.id) if own_side.id in order else 0
        found = [Topic("", subject(question), own_side.query[lang])] * (own + 1)
    elif not titled and question not in head and "\n\n" in head:  # a thing, or a heading of pages, by itself
        found = [Topic("", head.partition("\n\n")[0], ""), *found]
    mine = found[own] if own < len(found) else Topic("", about, "")
    things, open_ended = items(question), kind_of(question) in _OPEN
    about = mine.about if mine.about in things else about
    word = next((word for word in mine.side.split() if term_set(word)), "")
    met = [] if things or not pages else _from(recurring_names(question, pages), 2 * own)
    rest = [w for w in words(subject(question)) if term_set(w) - term_set(" ".join(things))]
    every = f"{say('comma', lang).join(things)} {' '.join(rest)}" if things else subject(question)
    whole = _from([every, *(_runs(question) if open_ended else ())], own)[:1]
    of_all = every if things else about
    of = [of_all] if things or not pages else shared_names(question, pages) or [of_all]
    checks = _from([f"{name} {told}" for told in claims(question, pages) for name in of], 2 * own)
    led = _from(leads(question, pages), 2 * own) if open_ended else []
    named = [f"{name} {word}" for name in met]
    further = [f"{about} {_BY_ID[side].query[lang]}" for side in order[_AT_ONCE + own :: _AT_ONCE]]
    asked = [mine.query, *whole, *led[:2], *checks[:2], *named[:2], *further, *(t.query for t in found)]
    return list(dict.fromkeys(filter(None, map(tidy, asked))))


def research_order(question: str) -> list[str]:
    """The sides of a request in the order in which they are looked into: first those that it asks for."""
    signs = _ASKED_BY.items() if kind_of(question) in _OPEN else ()
    asked = (side for sign, sides in signs if has_sign(question, sign) for side in sides)
    return [*dict.fromkeys([*asked, *reading_order(question)])]


def _runs(question: str) -> list[str]:
    """The runs of a request's own words, without those of asking, where there are several."""
    wanted = frozenset(subject_terms(question))
    parts = re.split(r"[^\w\s'’-]", question)
    runs = [
        list(run)
        for part in parts
        for told, run in groupby(words(part), lambda w: bool(wanted & {*terms(w)}))
        if told
    ]
    return [] if is_cjk(question) or len(runs) < 2 else [" ".join(run) for run in runs]


def leads(question: str, pages: Sequence[Page]) -> list[str]:
    """What pages on the matter mention of events and quarrels, in their words: what a report on how things
    stand has to follow up."""
    gathered = gather(question, pages)
    weight = defaultdict[str, float](float)
    for point in gathered.points:
        weight[point.page.id] += point.score * (point.page.id not in gathered.members)
    main = {page for page, n in weight.items() if n > _MAIN * max(weight.values(), default=0.0)}
    known, found = term_set(question), dict[str, float]()
    for point in (p for p in gathered.every.values() if p.page.id in main and not p.stray):
        if count := sum(hits(point.text, _BY_ID[side].head) for side in ("events", "causes", "debate")):
            told = dict.fromkeys(w for w in words(point.text) if term_set(w) - known)
            if len(told) < _FEWEST_WORDS:
                continue
            named = 1 + len(NAMES.findall(point.text))
            found[" ".join([*told][:_MOST_WORDS])] = count * named * weight[point.page.id]
    return sorted(found, key=lambda lead: -found[lead])


def side_named(text: str, lang: str) -> Facet | None:
    """The side that a topic's title names after its subject; the last one, where it names several."""
    places = {text.rfind(say("topic_title", lang, subject="", side=f.title[lang])): f for f in FACETS}
    return places[max(places)] if max(places) >= 0 else None


def _from(members: Sequence[_T], first: int) -> list[_T]:
    """The members from a place on, and then those before it."""
    at = first % (len(members) or 1)
    return [*members[at:], *members[:at]]


def recurring_names(question: str, pages: Sequence[Page]) -> list[str]:
    """Names that several statements on the question have in them and the question has not."""
    gathered = gather(question, pages)
    told = [p for p in gathered.points[:120] if p.page.id not in gathered.members]
    count = Counter(name for p in told for name in {*names_on(p.text)})
    titled = Counter(name for p in told for name in set(pieces_of(p.page.title)) if is_proper(name))
    known = plain(f"{question} {' '.join(p.title for p in pages if p.id in gathered.members)}")
    often = sorted((count + titled).items(), key=lambda item: (-item[1], item[0]))[:40]
    found = [name for name, n in often if n > 1 and plain(name) not in known]
    return [n for n in found if not any(plain(n) in plain(o) for o in found if o != n)][:_MOST_NAMES]


def claims(question: str, pages: Sequence[Page]) -> list[str]:
    """What those count or measure who have a part in the matter, each figure in the words of its clause, so
    that a search may find what others say."""
    gathered = gather(question, pages)
    central = {p.page.id for p in gathered.points}
    known = term_set(question)
    found: dict[frozenset[str], str] = {}
    told_by = [p for p in gathered.every.values() if p.page.id in central and not p.stray]
    mine, others = ([p for p in told_by if bool(OPINION.search(p.text)) is own] for own in (True, False))
    told_apart = kind_of(question) in ("why", "debate")  # elsewhere others tell of much beside the matter
    said = (p for p in others if told_apart and CUES["account"].search(p.text))
    for point in [*sorted(mine, key=_by_service), *sorted(said, key=_by_service)]:
        for _, unit, start, end in values_in(point.text):
            value = point.text[start:end]
            before, _, after = clause_of(point.text, start, end).partition(value)
            counted, *told = (
                [w for w in words(re.sub(r"\d", " ", part)) if term_set(w) - known]
                for part in (value, before, after)
            )
            if "date" not in unit and any(told):
                found.setdefault(unit, " ".join(dict.fromkeys([*counted, *told[0][-2:], *told[1][:3]])))
    return list(found.values())


def _by_service(point: Point) -> tuple[float, tuple[str, int]]:
    return -point.serves, point.key


def items(question: str, pages: Sequence[Page] = ()) -> tuple[str, ...]:
    """What is to be compared or chosen from: things listed in the request, or named in it and in titles."""
    if len(items_in(question)) > 1:
        return written(items_in(question), pages)
    if kind_of(question) not in {"comparison", "recommendation"}:
        return ()
    named = sorted(shared_names(question, pages), key=lambda name: question.lower().find(name.lower()))
    if kind_of(question) == "recommendation":  # "websockets in Python" sets nothing side by side
        named = [name for name in named if not re.search(rf"{_WHERE}{re.escape(name)}\b", question, re.I)]
    if asks_of_one(question, named):
        return ()
    return tuple(named) if len(named) > 1 else _compared(question, pages)


def written(things: Sequence[str], pages: Sequence[Page]) -> tuple[str, ...]:
    """The members of a list as pages write them: the names in each, also in short, where all have one; more
    where it is made of several without a comma ("Orsk Veld or Hasel Mill"). A long one without a name is no
    member."""
    book = shown_by(tuple(pages))
    found = [
        [n.text for n in book.find(one) if not is_cjk(one) and set(tokens(n.text)) - book.small]
        for one in things
    ]
    if sum(map(bool, found)) > 1:
        found = [names for one, names in zip(things, found, strict=True) if names or len(words(one)) <= _LONG]
    if not all(found):
        found = [[as_written(one, pages)] for one in things]
    return tuple(dict.fromkeys(name for names in found for name in names))


def as_written(name: str, pages: Sequence[Page]) -> str:
    """A name as pages write it, whatever its capitals or small slips; as it stands if no page has it."""
    shown, key = shown_by(tuple(pages)), tokens(name)
    meant = tuple(shown.near(one) or one for one in key)
    return shown.known.get(key) or shown.known.get(meant) or name


def _compared(question: str, pages: Sequence[Page]) -> tuple[str, ...]:
    """What the pages themselves set side by side: the rows of the one table that is on the matter of a
    request and has most of its criteria as columns, or what a sentence on it lists."""
    judged = criteria(question)
    best: tuple[float, tuple[str, ...]] = (0.0, ())
    apart = {t for name in judged for t in term_set(name)}
    offered = {*on_offer(question, (), pages)} - apart
    wanted = (term_set(chosen_kind(question)) or offered or term_set(subject(question))) - apart
    weight = defaultdict[str, float](float)
    for point in gather(question, pages).points:
        weight[point.page.id] += point.score
    most = max(weight.values(), default=0.0)
    for page in pages:
        main = weight[page.id] > _MAIN * most
        tables: dict[int, list[Sentence]] = defaultdict(list)
        rows: list[tuple[list[str], list[str], Sequence[str]]] = []
        for said in page.sentences:
            if said.kind == "row" and len(said.cells) > 1 and any(said.columns):
                tables[said.block].append(said)
            rows += [(run, [said.text], judged) for run in runs_in(said.text) if all(" " in n for n in run)]
        for told in tables.values():
            first = [row.cells[0] for row in told]
            rows.append((first, [told[0].heading, *told[0].columns], told[0].columns))
        for things, around, columns in rows:
            names = [name for name in things if is_proper(name) and not years_in(name)]
            about = term_set(" ".join([_AROUND.sub(" ", page.title), *around, *names]))
            asked = sum(bool(term_set(name) & term_set(" ".join(columns))) for name in judged)
            advised = sum(any(is_advised(s.text, name) for s in page.sentences) for name in names)
            fit = (
                (advised > 1)
                + asked
                + len(wanted & about) / (len(wanted) or 1)
                + 0.1 * len(names)
                + weight[page.id] / (most or 1)
            )
            guides = advised > 1 and (main or offered & about)
            enough = guides or (main and 2 * len(wanted & about) >= max(1, len(wanted)))
            if 1 < len(names) <= MOST_ITEMS and enough and (asked or not judged):
                best = max(best, (fit, tuple(dict.fromkeys(names))), key=lambda b: b[0])
    return best[1] or _offered_by(chosen_kind(question), pages)


def _offered_by(kind: str, pages: Sequence[Page]) -> tuple[str, ...]:
    """The things each of which has a page of its own that says the kind sought, and what pages list with
    them: "Boat passes at Orsk", "Hasel: boat passes"."""
    if " " not in kind:  # one word is said of too much
        return ()
    told = re.compile(rf"\b{re.escape(kind.rstrip('s'))}", re.IGNORECASE)
    own = [page for page in pages if told.search(f"{page.title} {page.text}")]
    found = tuple(dict.fromkeys(name for page in own for name in names_on(page.title)[:1]))
    runs = (run for page in pages for said in page.sentences for run in runs_in(said.text))
    known = max((tuple(run) for run in runs if len({*run} & {*found}) > 1), key=len, default=found)
    return known if 1 < len(known) <= MOST_ITEMS else ()


def subject(question: str, pages: Sequence[Page] = ()) -> str:
    """What a request is about: the names that it shares with pages, else its own words, as it says them where
    they stand in one place."""
    if named := shared_names(question, pages):
        return " ".join(sorted(named, key=lambda name: question.lower().find(name.lower())))
    question = without_wishes_for(question)
    amounts = re.sub(rf"\b(?:{SPELLED})\b", lambda word: str(NUMBERS[word[0]]), question.lower())
    needed = (value.text for value in numbers(amounts) if unit_family(value.unit))
    apart = {t for name in (*criteria(question), *items_in(question), *needed) for t in term_set(name)}
    every, wanted = (
        {t for t in subject_terms(said) if not t.isdigit()} for said in (question, asking_sentence(question))
    )
    if wanted - apart:
        question = asking_sentence(question)
    wanted = wanted - apart or every - apart or every
    if is_cjk(question):
        runs = [w for w in re.split(r"[，。？、！?,\s]+", without_asking(question)) if wanted & term_set(w)]
        return tidy(" ".join(_bare(run) for run in runs))
    told = [w for w in words(question) if wanted & set(terms(w))]
    clauses = [[w for w in words(clause) if w in told] for clause in _CLAUSE.split(question)]
    best = max(clauses, key=len)
    whole = re.search(rf"\b{r'[^,;:.?!]{1,12}'.join(map(re.escape, best))}\b", question)
    return whole[0] if whole and 2 * len(best) > len(told) else " ".join(told)


def _bare(run: str) -> str:
    """A run of Chinese or Japanese without words of asking at its ends."""
    wanted = set(subject_terms(run))
    pairs = [i for i in range(len(run) - 1) if run[i : i + 2] in wanted]
    return run[pairs[0] : pairs[-1] + 2] if pairs else run


def topics(question: str, pages: Sequence[Page], most: int) -> list[Topic]:
    """At most so many sides of the subject to research.

    What the request itself names comes first (things to compare, criteria), then what the pages tell of most,
    then the sides that a report of this kind usually has.
    """
    lang = language(question)
    about = subject(question) if len(subject(question)) < _SHORT else subject(question, pages)
    found: list[Topic] = []
    asked = items(question, pages)
    judged = criteria(question)
    if len(asked) > 1:
        usual = " ".join(_BY_ID[name].query[lang] for name in reading_order(question)[:2])
        words_of, shown = " ".join(judged) or usual, say("comma", lang).join(judged)
        found += [Topic(_title(name, shown, lang), name, words_of) for name in asked]
    if judged and (len(judged) > 1 or not found):
        of = join(list(asked), lang) if len(asked) > 1 else about
        every = say("comma", lang).join(asked) or about
        found += [Topic(_title(of, name, lang), every, name) for name in judged]
    if not found:
        found += [
            Topic(_title(about, title, lang), about, side) for title, side in _sides(question, pages, lang)
        ]
    return list({topic.title: topic for topic in found if topic.query}.values())[: max(1, most)]


def _title(about: str, side: str, lang: str) -> str:
    return say("topic_title", lang, subject=about, side=side) if side and about else side or about


def _sides(question: str, pages: Sequence[Page], lang: str) -> list[tuple[str, str]]:
    """Sides as titles with search words: the usual ones that pages tell of, what else they tell of, the most
    telling first, and the other usual ones."""
    usual = research_order(question)[:5]
    told = ranked_sides(gather(question, pages)) if pages else []
    sides = dict.fromkeys([*(side for side in usual if side in told), *told, *usual])
    titles = {side: side_title(side, lang) for side in sides}
    return [(title, _BY_ID[s].query[lang] if s in _BY_ID else title) for s, title in titles.items()]


def ranked_sides(gathered: Gathered) -> list[str]:
    """The sides that have enough points to speak of, those with the most weight first."""
    weight = Counter[str]()
    count = Counter[str]()
    for point in gathered.points:
        if point.side and not point.is_pair:
            weight[point.side] += point.score  # type: ignore[assignment]
            count[point.side] += 1
    fewest = _FEWEST if sum(count.values()) > _MUCH else 1
    return [
        side
        for side, _ in weight.most_common()
        if count[side] >= (fewest if side in _BY_ID else max(fewest, _OWN))
    ]


def side_title(side: str, lang: str) -> str:
    """The heading of a side in a language."""
    return _BY_ID[side].title[lang] if side in _BY_ID else side.lstrip("# ")


def plan_sides(question: str, gathered: Gathered, most: int) -> list[str]:
    """The sides that make sections, in reading order; headings of pages stand after the usual ones."""
    lang = language(question)
    ranked = [side for side in ranked_sides(gathered) if side in _BY_ID or language(side) == lang][:most]
    order = reading_order(question)
    known = sorted((side for side in ranked if side in _BY_ID), key=order.index)
    own = [side for side in ranked if side not in _BY_ID]
    head = [side for side in known if side in READING.get(kind_of(question) or "overview", ())]
    return [*head, *own, *(side for side in known if side not in head)]


def outline(question: str, pages: Sequence[Page], most: int) -> list[str]:
    """Headings for a report on these pages, in reading order."""
    lang = language(question)
    judged = weighed(question)
    gathered = gather(question, pages, [*items(question, pages), *judged])
    titles = [
        name[0].upper() + name[1:] for name in judged if any(serves(p, name) >= 0.3 for p in gathered.points)
    ]
    rest = max(2, most - len(titles)) if not titles else max(1, min(2, most - len(titles)))
    titles += [side_title(side, lang) for side in plan_sides(question, gathered, rest)]
    kept = {plain(title): title for title in titles}
    return list(kept.values())[: max(1, most)]


@lru_cache(maxsize=1024)
def _side_of(criterion: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words that tell of the sides of a subject that a criterion belongs to, and the Chinese and Japanese
    ones among them."""
    own = term_set(criterion)
    sides = (f for f in FACETS if own & f.head or any(is_cjk(w) and w in criterion for w in f.head))
    near = frozenset[str]().union(*(side.head | side.cue for side in sides))
    return near, frozenset(filter(is_cjk, near))


def serves(point: Point, criterion: str) -> float:
    """How much a point says on a criterion, 0 to 1."""
    own, (near, wide), above = term_set(criterion), _side_of(criterion), point.sentence.heading
    heading = (
        says(above, criterion) if is_measure(criterion) else len(own & term_set(above)) / (len(own) or 1)
    )
    cues = len(near & said_by(point.text)[0]) + sum(word in point.text for word in wide)
    return max(says(point.text, criterion), 0.8 * heading, min(0.45, 0.3 * cues))


@lru_cache(maxsize=16384)
def says(text: str, criterion: str) -> float:
    """How much of a criterion a text says, in its words and phrases or in others for them, 0 to 1."""
    book, (stems, groups) = thesaurus(), said_by(text)
    known = [book.asked.phrases[match[0]] for match in book.asked.pattern.finditer(criterion.lower())]
    rest = term_set(book.asked.pattern.sub(" ", criterion.lower())) if known else term_set(criterion)
    found = [t in stems or bool(groups & book.asked.single.get(t, frozenset())) for t in rest]
    found += [bool(groups & meant) for meant in known]
    weighed = is_measure(criterion) and bool(measure_in(text) & measure_in(criterion))
    return 1.0 if weighed else sum(found) / (len(found) or 1)
