"""From evidence to an answer: what the sources state, compared where the question compares.

An answer is given only if a sentence speaks of what is asked about the thing that is asked about. Facts
nearby are not passed off as one.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .dating import in_its_year
from .hops import Hop
from .names import likeness, mentions, names, normal
from .page import ABOUT, Page, aboutness, is_about, setting
from .question import Question
from .rank import Pick, score_all
from .ranking import Claim, rank_items, trust
from .reason import OWN_PAGE, Trail, follow
from .steps import MIN_FIT, Step, candidates, fitness, measure
from .task import Task
from .text import stem, term_set, terms
from .thesaurus import UNITS
from .timing import time_fit
from .values import dates, numbers, same_amount

ENOUGH = 0.5
SAID = 0.62
"""After several steps a fitting unit is not enough; a word of what is asked has to stand there too."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Claims in the order to present; `verdict` is a winner, yes, no, tie, ranking or ""; `missing` has no
    value."""

    claims: tuple[Claim, ...]
    verdict: str
    missing: tuple[str, ...]
    trails: tuple[Trail, ...]

    @property
    def found(self) -> bool:
        """Whether there is an answer at all."""
        return bool(self.claims)


def solve(task: Task, pages: Sequence[Page]) -> Answer:
    """Answer a question from pages."""
    question, dated = in_its_year(task.question, pages)
    if question.multi:
        return _compared(question, pages)
    if question.shape == "rank" and question.hops:
        ranked = rank_items(question, pages)
        return Answer(tuple(ranked), "ranking", (), ())
    trails = tuple(follow(question, anchor, pages) for anchor in question.anchors)
    done = [t for t in trails if t.done and convincing(t.steps[-1], question, t)]
    claims = tuple(
        Claim(t.anchor, t.steps[-1].value, t.steps[-1]) for t in sorted(done, key=lambda t: -t.score)[:1]
    )
    if claims and len(question.years) > 1:
        claims = tuple(_per_year(question, claims[0], pages))
    if not claims and (not question.anchors or len(question.hops) <= 1):
        claims = tuple(_by_words(question, pages))
    return Answer(claims, "", () if claims else question.anchors, (*trails, dated) if dated else trails)


def convincing(step: Step, question: Question, trail: Trail) -> bool:
    """Whether a step states the relation asked, of its own subject, in the time asked, with all that is
    named."""
    named = mentions(step.sentence.text, step.subject) or is_about(step.page, step.subject)
    enough = SAID if len(trail.steps) > 1 and step.hop.wants == "number" else ENOUGH
    fits = fitness(step.hop, step.sentence, step.page.title) >= enough
    timely = time_fit(question, step.sentence.text, setting(step.page, step.sentence))
    led = all(
        before.score >= MIN_FIT or aboutness(after.page, before.value) >= OWN_PAGE
        for before, after in itertools.pairwise(trail.steps)
    )
    return named and fits and led and timely >= 0.5 and _names_all(question, trail)


def _names_all(question: Question, trail: Trail) -> bool:
    """Every other thing that the question names occurs on the way; else it asks about something that is not
    there."""
    if question.multi:
        return True
    told = " ".join(f"{s.page.title} {s.sentence.text}" for s in trail.steps)
    others = [a for a in question.anchors if a != trail.anchor]
    return all(mentions(told, a) or any(is_about(s.page, a) for s in trail.steps) for a in others)


def _per_year(question: Question, claim: Claim, pages: Sequence[Page]) -> list[Claim]:
    """For a question over several years, the best statement for each."""
    found = []
    for year in question.years:
        single = replace(question, years=(year,))
        steps = candidates(single, claim.step.subject, claim.step.hop, pages)
        timely = [s for s in steps if year in f"{s.sentence.text} {s.sentence.heading} {s.page.title}"]
        found += [Claim(year, s.value, s) for s in timely[:1]]
    return found or [claim]


def _by_words(question: Question, pages: Sequence[Page]) -> list[Claim]:
    """A sentence that says nearly all the words asked, of the thing asked about."""
    hop = question.hops[-1] if question.hops else Hop("", "any", question.text, tuple(terms(question.text)))
    for pick in score_all(question, question.anchors, pages)[:3]:
        named = all(_is_of(pick, anchor) for anchor in question.anchors)
        if named and pick.cover >= 0.7 and _of_kind(hop, pick.sentence.text, question.anchors):
            step = Step(
                question.anchors[0] if question.anchors else "", hop, pick.page, pick.sentence, "", pick.cover
            )
            return [Claim(step.subject, "", step)]
    return []


def _of_kind(hop: Hop, text: str, anchors: Sequence[str]) -> bool:
    """Whether a sentence has a value of the kind asked at all."""
    if hop.wants == "number":
        return bool(numbers(text))
    if hop.wants in {"date", "lifespan"}:
        return bool(dates(text))
    if hop.wants in {"name", "place"}:
        return any(all(likeness(name.text, a) < ABOUT for a in anchors) for name in names(text))
    return True


def _is_of(pick: Pick, anchor: str) -> bool:
    return mentions(pick.sentence.text, anchor) or aboutness(pick.page, anchor) >= ABOUT


# --- comparing -----------------------------------------------------------------------------------------


def _compared(question: Question, pages: Sequence[Page]) -> Answer:
    trails = _in_one_unit(question, [follow(question, anchor, pages) for anchor in question.anchors], pages)
    claims, missing = [], []
    for trail in trails:
        last = trail.steps[-1] if trail.done else None
        if last and convincing(last, question, trail):
            claims.append(Claim(trail.anchor, last.value, last, sort_key(last, question)))
        else:
            missing.append(trail.anchor)
    if question.count > 1 and all(c.key for c in claims):
        claims.sort(key=lambda c: c.key, reverse=question.order in {"more", "later"})
        return Answer(tuple(claims), "ranking" if not missing else "", tuple(missing), trails)
    verdict = _verdict(question, claims) if not missing else ""
    return Answer(tuple(claims), verdict, tuple(missing), trails)


def _in_one_unit(question: Question, trails: Sequence[Trail], pages: Sequence[Page]) -> tuple[Trail, ...]:
    """Trails whose values have one unit, best that of the measure asked for, if other statements about the
    things allow it: a length is not compared with a time on the road."""
    if not all(t.done and t.steps[-1].hop.wants == "number" for t in trails):
        return tuple(trails)
    last = [t.steps[-1] for t in trails]
    if len({_unit(s.value) for s in last}) == 1 and (_sureness(trails)[0] or not measure(last[0].hop.key)):
        return tuple(trails)
    found = [[s, *candidates(question, s.subject, s.hop, pages)] for s in last]
    by_unit = [{_unit(s.value): s for s in reversed(steps) if s.value} for steps in found]
    shared = [unit for unit in by_unit[0] if unit and all(unit in steps for steps in by_unit)]
    chosen: list[Sequence[Trail]] = [
        [replace(t, steps=(*t.steps[:-1], steps[unit])) for t, steps in zip(trails, by_unit, strict=True)]
        for unit in shared
    ]
    best: Sequence[Trail] = max(chosen, key=_sureness, default=trails)
    return tuple(best)


def _sureness(trails: Sequence[Trail]) -> tuple[bool, float]:
    """How surely trails compare what is asked: first by the unit of the measure asked for."""
    lasts = [t.steps[-1] for t in trails]
    units = measure(lasts[0].hop.key)
    return (bool(units and units.search(lasts[0].value)), min(t.score for t in trails))


def sort_key(step: Step, question: Question) -> tuple[float, ...]:
    """What a value is compared by: a date, a number, a span of years."""
    if question.order == "longer-lived":
        found = list(dates(step.value))
        return tuple(b - a for a, b in zip(found[0].key, found[1].key, strict=True)) if len(found) > 1 else ()
    found = list(dates(step.value)) if step.hop.wants == "date" else []
    found = found or list(numbers(step.value)) or list(dates(step.value))
    return found[0].key if found else ()


def _verdict(question: Question, claims: Sequence[Claim]) -> str:
    if question.shape == "same":
        shared = set.intersection(*(set(_shared_words(c)) for c in claims)) if claims else set()
        return "yes" if shared else "no"
    keyed = [c for c in claims if c.key]
    if len(keyed) < 2 or not question.order:
        return ""
    if len({c.key for c in keyed}) == 1:
        return "tie"
    low = question.order in {"earlier", "less"}
    return (min if low else max)(keyed, key=lambda c: c.key).item


def _shared_words(claim: Claim) -> list[str]:
    """Capitalised words, cut short so that a country and its people meet (Italy, Italian).

    Of a country, the whole statement after its verb counts, since regions may come before it.
    """
    value = claim.value
    if claim.step.hop.wants == "country":
        text = re.sub(r"\([^()]*\)", " ", claim.step.sentence.text)
        value = re.sub(r"^.*?\b(?:is|was|are|were)\b", "", text)
    value = re.sub(r"\b(?:U\.S\.A?\.?|USA|United States)", "American", value)
    return [normal(w)[:4] for w in re.findall(r"[^\W\d_a-zß-ÿ][\w-]{2,}", value)]


# --- disagreement --------------------------------------------------------------------------------------


def disagreements(question: Question, answer: Answer, pages: Sequence[Page]) -> list[list[Claim]]:
    """Values that pages give differently for the same thing and the same last relation, best source first."""
    found: dict[tuple[str, ...], list[Claim]] = {}
    for claim in answer.claims if answer.verdict != "ranking" else ():
        hop = claim.step.hop
        if hop.wants not in {"number", "date"} or len(question.years) > 1:
            continue
        different = rivals(question, claim.step, pages)
        if len(different) > 1:
            key = tuple(sorted(step.value for step in different))
            found.setdefault(key, [Claim(claim.item, s.value, s) for s in different])
    return list(found.values())


def rivals(question: Question, known: Step, pages: Sequence[Page], per_page: int = 1) -> list[Step]:
    """One step for each value that pages give for what a step states, best source first; of a page, the
    statements that fit best."""
    steps = [s for page in pages for s in candidates(question, known.subject, known.hop, [page])[:per_page]]
    steps = [s for s in steps if s.value and _rivals(s, known)]
    different: list[Step] = []
    for step in sorted(steps, key=lambda s: (*(-x for x in trust(s.page)), s.page.id)):
        if not any(same_amount(step.value, other.value) for other in different):
            different.append(step)
    return different


def _rivals(step: Step, known: Step) -> bool:
    """Whether a step states the same relation of the same thing as surely, in the same unit.

    Of a date of birth, release and the like, only pages with one title count: much that is named alike has
    dates of its own.
    """
    unit = _unit(step.value)
    enough = MIN_FIT if unit else ENOUGH
    surely = step.score >= 0.5 * known.score and fitness(step.hop, step.sentence, step.page.title) >= enough
    if step.hop.relation:
        own = step.page.id == known.page.id or term_set(step.page.title) == term_set(known.page.title)
    else:
        own = mentions(step.sentence.text, step.subject) or aboutness(step.page, step.subject) >= 0.8
    return surely and own and unit == _unit(known.value)


def _unit(value: str) -> str:
    """The unit of a quantity in one spelling, "" for none or a date."""
    found = numbers(value) if not dates(value) else ()
    unit = found[0].unit if found else ""
    kind = next(
        (
            k
            for k in ("length", "weight", "speed", "power")
            if re.search(UNITS[k], f"1 {unit}", re.IGNORECASE)
        ),
        "",
    )
    return kind or stem(unit)


def related(pages: Sequence[Page], anchors: Sequence[str]) -> list[str]:
    """Titles of pages about what the question names, for an honest word on what was looked at."""
    return list(dict.fromkeys(p.title for p in pages if p.title and any(is_about(p, a) for a in anchors)))
