"""From evidence to an answer: what the sources state, compared where the question compares.

An answer is given only if a sentence speaks of what is asked about the thing that is asked about. Facts nearby
are not passed off as one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .names import likeness, mentions, names, normal
from .question import Hop, Question
from .rank import Pick, score_all
from .reason import Page, Step, Trail, aboutness, candidates, fitness, follow
from .task import Task
from .text import Sentence, term_set
from .values import Value, bare, dates, numbers

ENOUGH = 0.5
_TIERS = {
    "government": 3,
    "academic": 3,
    "preprint": 2,
    "organization": 2,
    "document": 2,
    "unverified": 1,
    "social": 0,
}


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement taken from a source: the item it is about, the value in it, and where it stands."""

    item: str
    value: str
    step: Step
    key: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """Claims in the order to present; `verdict` is a winner, yes, no, tie or "", `missing` the items without value."""

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
    question = task.question
    if question.multi:
        return _compared(question, pages)
    if question.shape == "rank" and question.hops:
        ranked = rank_items(question, pages)
        if ranked:
            return Answer(tuple(ranked), "ranking", (), ())
    trails = tuple(follow(anchor, question.hops, pages) for anchor in question.anchors)
    done = [t for t in trails if t.done and convincing(t.steps[-1], question)]
    claims = tuple(Claim(t.anchor, t.steps[-1].value, t.steps[-1]) for t in done[:1])
    if not claims and (not question.anchors or len(question.hops) <= 1):
        claims = tuple(_by_words(task, pages))
    return Answer(claims, "", () if claims else question.anchors, trails)


def convincing(step: Step, question: Question) -> bool:
    """Whether a step states the relation asked, of its own subject."""
    named = mentions(step.sentence.text, step.subject) or aboutness(step.page, step.subject) >= 0.62
    return named and fitness(step.hop, step.sentence) >= 0.6 and _years_fit(question, step)


def _years_fit(question: Question, step: Step) -> bool:
    if not question.years:
        return True
    text = f"{step.sentence.text} {step.sentence.heading} {step.page.title} {step.page.published[:4]}"
    return any(year in text for year in question.years)


def _by_words(task: Task, pages: Sequence[Page]) -> list[Claim]:
    """Sentences that say nearly all the words asked, of the thing asked about."""
    question = task.question
    hop = question.hops[-1] if question.hops else Hop(question.terms, "", "any", question.text)
    claims = []
    for pick in score_all(question, question.anchors, pages)[:3]:
        named = not question.anchors or any(_is_of(pick, anchor) for anchor in question.anchors)
        if named and pick.cover >= 0.7:
            step = Step(
                question.anchors[0] if question.anchors else "", hop, pick.page, pick.sentence, "", pick.cover
            )
            claims.append(Claim(step.subject, "", step))
    return claims[:1]


def _is_of(pick: Pick, anchor: str) -> bool:
    return mentions(pick.sentence.text, anchor) or aboutness(pick.page, anchor) >= 0.62


# --- comparing -----------------------------------------------------------------------------------------------


def _compared(question: Question, pages: Sequence[Page]) -> Answer:
    trails = tuple(follow(anchor, question.hops, pages) for anchor in question.anchors)
    claims, missing = [], []
    for trail in trails:
        last = trail.steps[-1] if trail.done else None
        if last and convincing(last, question):
            claims.append(Claim(trail.anchor, last.value, last, sort_key(last, question)))
        else:
            missing.append(trail.anchor)
    verdict = _verdict(question, claims) if not missing else ""
    return Answer(tuple(claims), verdict, tuple(missing), trails)


def sort_key(step: Step, question: Question) -> tuple[float, ...]:
    """What a value is compared by: a date, a number, a span of years."""
    if question.order == "longer-lived":
        found = [v for v in dates(step.value)]
        return (found[1].key[0] - found[0].key[0],) if len(found) > 1 else ()
    found = list(dates(step.value)) if step.hop.wants == "date" else []
    found = found or list(numbers(step.value)) or list(dates(step.value))
    return found[0].key if found else ()


def _verdict(question: Question, claims: Sequence[Claim]) -> str:
    if question.shape == "same":
        shared = set.intersection(*(set(_country_words(c.value)) for c in claims)) if claims else set()
        return "yes" if shared else "no"
    keyed = [c for c in claims if c.key]
    if len(keyed) < 2 or not question.order:
        return ""
    keys = [c.key for c in keyed]
    if len(set(keys)) == 1:
        return "tie"
    low = question.order in {"earlier", "less"}
    best = min(keyed, key=lambda c: c.key) if low else max(keyed, key=lambda c: c.key)
    return best.item


def _country_words(value: str) -> list[str]:
    """Capitalised words, cut short so that a country and its people meet (Italy, Italian)."""
    return [normal(w)[:4] for w in re.findall(r"[^\W\d_a-zß-ÿ][\w-]{2,}", value)]


# --- ranking -------------------------------------------------------------------------------------------------


def rank_items(question: Question, pages: Sequence[Page]) -> list[Claim]:
    """Things with a number for what is asked, ordered; a row or sentence names the thing and states the number."""
    hop = question.hops[-1]
    best: dict[str, Claim] = {}
    for page in pages:
        for sentence in page.sentences:
            for claim in _ranked_claims(question, hop, page, sentence):
                old = best.get(normal(claim.item))
                if old is None or _trust(claim.step.page) > _trust(old.step.page):
                    best[normal(claim.item)] = claim
    ordered = sorted(best.values(), key=lambda c: (c.key, c.item))
    if question.order in {"more", "later"}:
        ordered.reverse()
    return ordered[: max(question.count, 3)] if len(ordered) > 1 else []


def _ranked_claims(question: Question, hop: Hop, page: Page, sentence: Sentence) -> list[Claim]:
    if fitness(hop, sentence) < ENOUGH or not _year_ok(question, page, sentence.text, sentence.heading):
        return []
    item = _row_label(sentence.text) if sentence.kind == "row" else _first_name(sentence.text, page)
    value = _value_for(hop, sentence.text, question)
    if not item or not value:
        return []
    step = Step(item, hop, page, sentence, value.text, 1.0)
    return [Claim(item, value.text, step, value.key)]


def _row_label(text: str) -> str:
    return text.split(" — ")[0].strip("*_ ")


def _first_name(text: str, page: Page) -> str:
    found = [n.text for n in names(text) if not n.text.isdigit()]
    return found[0] if found else page.title


def _year_ok(question: Question, page: Page, text: str, heading: str) -> bool:
    if not question.years:
        return True
    return any(y in f"{text} {heading} {page.title}" for y in question.years)


def _value_for(hop: Hop, text: str, question: Question) -> Value | None:
    """The number in the cell or clause that says the asked words best."""
    cells = text.split(" — ", 1)[1].split("; ") if " — " in text else [text]
    asked = hop.words
    by_fit = sorted(range(len(cells)), key=lambda i: (-_cell_fit(cells[i], asked, question), i))
    for i in by_fit:
        found = (
            dates(cells[i])
            if question.order in {"earlier", "later"}
            else numbers(cells[i].split(": ", 1)[-1])
        )
        if found:
            return found[0]
    return None


def _cell_fit(cell: str, asked: frozenset[str], question: Question) -> int:
    have = term_set(cell)
    return len(have & asked) + 2 * sum(year in cell for year in question.years)


# --- disagreement --------------------------------------------------------------------------------------------


def disagreements(question: Question, pages: Sequence[Page]) -> list[list[Claim]]:
    """Values that pages give differently for the same thing and the same last relation, best source first."""
    found: list[list[Claim]] = []
    subjects = _last_subjects(question, pages)
    for subject in subjects:
        hop = question.hops[-1]
        if hop.wants not in {"number", "date", "any", "name", "place"}:
            continue
        steps = [
            s
            for page in pages
            for s in candidates(subject, hop, [page])[:1]
            if fitness(hop, s.sentence) >= 0.6
        ]
        steps = [s for s in steps if s.value and _years_fit(question, s)]
        groups: dict[str, Step] = {}
        for step in sorted(steps, key=lambda s: (-_trust(s.page)[0], -newest_key(s.page), s.page.id)):
            groups.setdefault(_same_value(step.value), step)
        if len(groups) > 1:
            found.append([Claim(subject, s.value, s) for s in groups.values()])
    return found


def _last_subjects(question: Question, pages: Sequence[Page]) -> list[str]:
    if not question.hops:
        return []
    trails = [follow(anchor, question.hops, pages) for anchor in question.anchors]
    return list(dict.fromkeys(t.steps[-1].subject for t in trails if t.done))


def _same_value(value: str) -> str:
    return bare(value) if numbers(value) else str(dates(value)[0].key) if dates(value) else normal(value)


def _trust(page: Page) -> tuple[int, str]:
    return (_TIERS.get(page.tier, 1), page.published or "")


def better(claims: Sequence[Claim]) -> Claim:
    """Which of several claims to prefer: the more credible source, then the more recent."""
    return max(claims, key=lambda c: (*_trust(c.step.page), c.step.page.id))


def newest_key(page: Page) -> int:
    """A page's date as a number, 0 if unknown."""
    digits = re.sub(r"\D", "", page.published)[:8]
    return int(digits.ljust(8, "0")) if digits else 0


def related(pages: Sequence[Page], anchors: Sequence[str]) -> list[str]:
    """Titles of pages about what the question names, for an honest word on what was looked at."""
    return [p.title for p in pages if p.title and any(likeness(a, p.title) >= 0.62 for a in anchors)]
