"""Claims taken from sources, and rankings: things in the order of a number that sources state for each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .hops import reach
from .names import names, normal
from .page import Page
from .question import Question
from .steps import Step
from .text import HAN, Sentence, is_cjk, term_set
from .timing import time_fit
from .values import Value, dates, numbers

TIERS = {
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


def trust(page: Page) -> tuple[int, int]:
    """Credibility, then date."""
    digits = re.sub(r"\D", "", page.published)[:8]
    return (TIERS.get(page.tier, 1), int(digits.ljust(8, "0")) if digits else 0)


def rank_items(question: Question, pages: Sequence[Page]) -> list[Claim]:
    """Things with a number for what is asked, ordered: from the one page that lists them best, else over
    all pages."""
    found = [
        (page, claim) for page in pages for s in page.sentences if (claim := _ranked_claim(question, page, s))
    ]
    per_page: dict[str, list[Claim]] = {}
    for page, claim in found:
        per_page.setdefault(page.id, []).append(claim)
    asked = frozenset(question.terms)
    lists = [
        (len(asked & _reached(p, asked)), trust(p)[0], len(per_page[p.id]), p.id)
        for p in pages
        if len(per_page.get(p.id, ())) > 1
    ]
    claims = per_page[max(lists)[3]] if lists else [c for _, c in found]
    best: dict[str, Claim] = {}
    for claim in claims:
        best.setdefault(normal(claim.item), claim)
    ordered = sorted(
        best.values(), key=lambda c: (c.key, c.item), reverse=question.order in {"more", "later"}
    )
    return ordered[: max(question.count, 3)] if len(ordered) > 1 else []


def _reached(page: Page, asked: frozenset[str]) -> frozenset[str]:
    """Which asked words a page's title or headings say."""
    have = term_set(
        " ".join(
            [
                page.title,
                *{s.heading for s in page.sentences},
                page.sentences[0].text if page.sentences else "",
            ]
        )
    )
    return frozenset(t for t in asked if reach(t) & have)


def _shared_signs(question: Question, cell: str) -> int:
    """How many Chinese characters the name of a column shares with the question: 信 is in 送信 and 信件."""
    label = cell.partition(": ")[0]
    return len({sign for sign in label if re.match(f"[{HAN}]", sign)} & set(question.text))


def _ranked_claim(question: Question, page: Page, sentence: Sentence) -> Claim | None:
    context = f"{sentence.heading} {page.title}"
    if time_fit(question, sentence.text, context) < 0.9:
        return None
    asked = [t for t in sorted(question.terms) if not t.isdigit()]
    item = (
        sentence.text.split(" — ")[0].strip("*_ ")
        if sentence.kind == "row"
        else _first_name(question, sentence.text)
    )
    value = _value_for(asked, sentence, question, page.title)
    if not item or value is None:
        return None
    return Claim(item, value.text, Step(item, question.hops[-1], page, sentence, value.text, 1.0), value.key)


def _first_name(question: Question, text: str) -> str:
    found = [n.text for n in names(text) if all(normal(n.text) != normal(a) for a in question.anchors)]
    return found[0] if found else ""


def _value_for(asked: Sequence[str], sentence: Sentence, question: Question, title: str) -> Value | None:
    """The number in the cell or clause that says the most of the asked words, or that stands under the year
    asked in a table on them; none if no word is said."""
    text = sentence.text
    cells = text.split(" — ", 1)[1].split("; ") if sentence.kind == "row" and " — " in text else [text]
    fit = [sum(bool(reach(t) & term_set(cell)) for t in asked) for cell in cells]
    dated = [any(cell.startswith(year) for year in question.years) for cell in cells]
    if any(dated) and any(reach(t) & term_set(f"{title} {sentence.heading}") for t in asked):
        fit = [10 * at for at in dated]
    if not any(fit) and is_cjk(text) and sentence.kind == "row":
        fit = [_shared_signs(question, cell) for cell in cells]
    best = max(range(len(cells)), key=lambda i: (fit[i], -i))
    if not fit[best]:
        return None
    found = (
        dates(cells[best])
        if question.order in {"earlier", "later"}
        else numbers(cells[best].split(": ", 1)[-1])
    )
    return found[0] if found else None
