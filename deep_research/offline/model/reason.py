"""Following relations over pages: from a name to a value, to the page about that value, and on.

A *trail* is the way walked: one step per hop, each with the sentence that says it. Where a page is missing, the
trail ends in an open lead, the name that a researcher should look up next. The same walk serves the researcher
(what to search), the compressor (what to quote) and the writer (what to answer).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from . import lexicon
from .clean import is_noise
from .names import Name, likeness, mentions, names, normal
from .question import Hop, reach, relation_hop
from .text import Sentence, is_cjk, sentences, term_set, terms
from .values import dates, numbers

_PATTERNS = {
    r.key: (re.compile(r.leads, re.I), re.compile(r.trails, re.I) if r.trails else None)
    for r in lexicon.RELATIONS
}
ABOUT = 0.62
WIDTH = 3
_DETOUR = "(by a detour)"
_STARTS_WITH_PRONOUN = re.compile(r"^(?:he|she|it|they|his|her|its|their)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Page:
    """What a request shows of one source."""

    id: str
    title: str
    text: str
    published: str = ""
    tier: str = ""
    url: str = ""

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The page's content as sentences; notices and orders to the reader are no content."""
        return _content(self.text)


@lru_cache(maxsize=8192)
def _content(text: str) -> tuple[Sentence, ...]:
    return tuple(s for s in sentences(text) if not is_noise(s.text))


@dataclass(frozen=True, slots=True)
class Step:
    """One hop taken: on which page, by which sentence, to which value; `score` 0–1 says how surely."""

    subject: str
    hop: Hop
    page: Page
    sentence: Sentence
    value: str
    score: float


@dataclass(frozen=True, slots=True)
class Trail:
    """Steps from an anchor; `lead` is the name whose page is missing, "" if the end was reached."""

    anchor: str
    steps: tuple[Step, ...] = ()
    lead: str = ""
    todo: tuple[Hop, ...] = field(default=())

    @property
    def done(self) -> bool:
        """Whether the last hop was answered."""
        return not self.lead and bool(self.steps) and not self.todo

    @property
    def score(self) -> float:
        """How surely, over all steps."""
        total = 1.0
        for step in self.steps:
            total *= 0.4 + 0.6 * step.score
        return total


def follow(
    anchor: str, hops: Sequence[Hop], pages: Sequence[Page], closed: frozenset[str] = frozenset()
) -> Trail:
    """The best trail from `anchor`; names in `closed` (normalised) were looked up in vain and are no leads."""
    trails = _walk(anchor, tuple(hops), pages, closed, frozenset())
    return max(trails, key=_rank, default=Trail(anchor, (), anchor, tuple(hops)))


def all_leads(anchor: str, hops: Sequence[Hop], pages: Sequence[Page], closed: frozenset[str]) -> list[str]:
    """Names worth looking up next, best first."""
    trails = sorted(_walk(anchor, tuple(hops), pages, closed, frozenset()), key=_rank, reverse=True)
    return list(dict.fromkeys(t.lead for t in trails if t.lead and normal(t.lead) not in closed))


def _rank(trail: Trail) -> tuple[float, float]:
    """A trail that arrives beats an open lead, an open lead beats a dead end, at like certainty."""
    arrival = 1.0 if trail.done else 0.6 if trail.lead else 0.1
    return (trail.score * arrival, float(len(trail.steps)))


def _walk(
    subject: str, hops: tuple[Hop, ...], pages: Sequence[Page], closed: frozenset[str], seen: frozenset[str]
) -> list[Trail]:
    """All trails worth considering from one subject."""
    if not hops or len(seen) > 5:
        return []
    known = any(is_about(page, subject) for page in pages)
    if not known and normal(subject) not in closed:
        return [Trail(subject, (), subject, hops)]
    steps = candidates(subject, hops[0], pages)
    seen = seen | {normal(subject)}
    trails: list[Trail] = []
    for step in steps[:WIDTH]:
        if len(hops) == 1:
            trails.append(Trail(subject, (step,)))
            continue
        onward = [] if normal(step.value) in seen else _walk(step.value, hops[1:], pages, closed, seen)
        trails += [Trail(subject, (step, *rest.steps), rest.lead, rest.todo) for rest in onward]
    if hops[0].relation in lexicon.DETOURS and (not steps or steps[0].score < 0.4) and _DETOUR not in seen:
        around = tuple(relation_hop(key) for key in lexicon.DETOURS[hops[0].relation])
        trails += _walk(subject, (*around, *hops[1:]), pages, closed, seen | {_DETOUR})
    return trails or [Trail(subject, (), "", hops)]


# --- one hop -------------------------------------------------------------------------------------------------


def is_about(page: Page, name: str) -> bool:
    """Whether a page's subject is the named thing: by its title, or by the words that it opens with."""
    return aboutness(page, name) >= ABOUT


def aboutness(page: Page, name: str) -> float:
    """How surely a page is about a name, 0–1; a qualifier in brackets has to fit as well."""
    score = likeness(name, page.title)
    qualifier = re.search(r"\(([^)]+)\)", name)
    if qualifier and score >= ABOUT:
        wanted = term_set(qualifier.group(1))
        score -= 0 if wanted & term_set(page.title + " " + page.text[:300]) else 0.2
    if score < 0.9 and page.sentences:
        opening = normal(page.sentences[0].text[: len(name) + 12])
        if normal(name) and f"{opening} ".startswith(f"{normal(name)} "):
            score = max(score, 0.7)
    return score


def candidates(subject: str, hop: Hop, pages: Sequence[Page]) -> list[Step]:
    """What pages give as the value of a relation of `subject`, most likely first."""
    found: list[Step] = []
    for page in pages:
        about = aboutness(page, subject)
        for number, sentence in enumerate(page.sentences):
            if about < ABOUT and not mentions(sentence.text, subject):
                continue
            near = about if about >= ABOUT else 0.45
            found += _values(subject, hop, page, sentence, near - 0.02 * min(number, 10))
    found.sort(key=lambda step: (-step.score, step.page.id, step.value))
    best: dict[str, Step] = {}
    for step in found:
        best.setdefault(normal(step.value), step)
    return list(best.values())


def _values(subject: str, hop: Hop, page: Page, sentence: Sentence, near: float) -> list[Step]:
    fit = fitness(hop, sentence)
    if fit <= 0:
        return []
    if hop.wants in {"date", "number", "lifespan"}:
        found = quantities(hop, sentence.text)
        return [
            Step(subject, hop, page, sentence, value, near * fit * (1 - 0.1 * i))
            for i, value in enumerate(found[:2])
        ]
    if hop.wants in {"country", "text"}:
        return [Step(subject, hop, page, sentence, _after_cue(hop, sentence.text), near * fit)]
    steps = []
    for name, closeness in _near_names(subject, hop, sentence.text):
        steps.append(Step(subject, hop, page, sentence, name, near * fit * closeness))
    return steps


@lru_cache(maxsize=65536)
def fitness(hop: Hop, sentence: Sentence) -> float:
    """How well a sentence speaks of a relation, 0–1: a cue of general language, or the words of the question."""
    text = sentence.text
    if hop.relation:
        leads, trails = _PATTERNS[hop.relation]
        if leads.search(text) or (trails and trails.search(text)):
            return 1.0
        return 0.0
    have = term_set(f"{text} {sentence.heading}")
    asked = terms(hop.asked)
    return sum(1.0 for word in asked if reach(word) & have) / len(asked) if asked else 0.0


def quantities(hop: Hop, text: str) -> list[str]:
    """Dates or numbers in a sentence, those nearest after the words of the hop first."""
    if hop.wants == "lifespan":
        found = [v for v in dates(text) if v.key[0] > 0]
        return [f"{found[0].text} – {found[1].text}"] if len(found) > 1 else []
    values = dates(text) if hop.wants == "date" else numbers(text)
    cue = _cue_position(hop, text)
    if hop.relation == "deathdate":
        after = [v for v in values if v.start > cue]
        if not re.search(r"\b(?:died|death|killed|d\.)", text) and len(values) > 1 and values[0].start < 80:
            after = list(values[1:])
        return [v.text for v in sorted(after, key=lambda v: v.start)]
    return [
        v.text
        for v in sorted(values, key=lambda v: (abs(v.start - cue) + (15 if v.start < cue else 0), v.start))
    ]


def _cue_position(hop: Hop, text: str) -> int:
    if hop.relation:
        match = _PATTERNS[hop.relation][0].search(text)
        return match.end() if match else 0
    lowered = text.lower()
    places = [lowered.find(word[:6]) for word in sorted(hop.words) if word[:6] in lowered]
    return max(places, default=0)


def _after_cue(hop: Hop, text: str) -> str:
    match = _PATTERNS[hop.relation][0].search(text) if hop.relation else None
    return text[match.end() :].strip(" ,.")[:60] if match else text[:60]


def _near_names(subject: str, hop: Hop, text: str) -> list[tuple[str, float]]:
    """Names in a sentence with how well their place fits the relation's cue, 0–1."""
    spots = [n for n in names(text) if likeness(n.text, subject) < 0.75 or _kin_of_same_name(subject, n.text)]
    spots = [n for n in spots if not _is_adjective(n, text)]
    scored: dict[str, float] = {}
    for position, forward, weight in _cues(hop, text) if spots else ():
        ahead = (
            [n for n in spots if n.start >= position - 1]
            if forward
            else [n for n in spots if n.end <= position + 1][::-1]
        )
        for skipped, name in enumerate(ahead[:4]):
            between = text[position : name.start] if forward else text[name.end : position]
            score = (
                weight
                / (1 + 0.4 * skipped + len(between) / 90)
                * (0.5 if re.search(r"[;.]\s", between) else 1.0)
            )
            score *= 1.0 if " " in name.text or is_cjk(name.text) else 0.8
            if hop.relation == "mother":
                score *= 1.0 if _second_parent(between, text[: name.start]) else 0.6
            scored[name.text] = max(scored.get(name.text, 0.0), min(1.0, score))
    return sorted(scored.items(), key=lambda item: (-item[1], item[0]))


def _is_adjective(name: Name, text: str) -> bool:
    """A single capitalised word before a plain noun ("a French writer") describes and names nobody."""
    after = re.match(r"[\s-]+([a-z][\w-]*)", text[name.end :])
    return " " not in name.text and bool(after) and after.group(1) not in lexicon.STOP | lexicon.CONNECTORS


def _second_parent(between: str, before: str) -> bool:
    return bool(re.search(r"\b(?:and|by|mother)\b", between)) or bool(
        re.search(r"\bmother\W*(?:was|is|,)?\W*$", before)
    )


def _kin_of_same_name(subject: str, name: str) -> bool:
    return (
        normal(subject) != normal(name)
        and len(name.split()) >= 2
        and not set(normal(name).split()) <= set(normal(subject).split())
    )


def _cues(hop: Hop, text: str) -> list[tuple[int, bool, float]]:
    """Places in a sentence from where a value is to be looked for: position, forward or back, weight."""
    if hop.relation:
        leads, trails = _PATTERNS[hop.relation]
        cues = [(m.end(), True, 1.0) for m in leads.finditer(text)]
        return cues + [(m.start(), False, 0.8) for m in (trails.finditer(text) if trails else ())]
    cues = []
    lowered = text.lower()
    for word in sorted(hop.words):
        root = word if is_cjk(word) else word[: max(4, len(word))]
        for match in re.finditer(re.escape(root), lowered):
            cues += [(match.end(), True, 0.9), (match.start(), False, 0.8)]
    return cues
