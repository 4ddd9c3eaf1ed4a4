"""Which evidence a report shows: few lines, each a step on the way or a statement of what is asked.

What several pages say alike is one line with all their ids. A line of a page that only stands beside the
way is shown if the page has no line yet and its subject was met, so that the whole chain can be checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .answer import ENOUGH, Answer
from .digest import OWN, corroborating, evidence, on_the_way
from .names import mentions, normal
from .page import Page, aboutness, is_about, setting
from .present import cite, readable
from .question import Question
from .ranking import Claim
from .steps import MIN_FIT, Step, fitness, quantities
from .task import Task
from .text import Sentence
from .timing import time_fit
from .values import same_amount

MOST = 6
_BESIDE = 2


@dataclass(slots=True)
class Line:
    """One statement: where it stands first, the pages that say the same, and what it says of whom."""

    sentence: Sentence
    pages: list[Page]
    subject: str
    values: list[str] = field(default_factory=list)

    def text(self) -> str:
        """The statement as a Markdown bullet."""
        return f"- {readable(self.sentence, self.pages[0], self.subject)} {cite(*self.pages)}"


def evidence_lines(task: Task, answer: Answer, pages: Sequence[Page]) -> list[str]:
    """The steps, then what else states the asked thing, then the pages met on the way; at most `MOST` beyond
    the steps' own."""
    question = task.question
    lines: list[Line] = []
    for trail in answer.trails:
        for step in trail.steps:
            _add(lines, step.page, step.sentence, step.subject, step.value)
    for claim in answer.claims[: max(question.count, len(question.anchors), 3)]:
        _add(lines, claim.step.page, claim.step.sentence, claim.step.subject, claim.value)
    most = max(MOST, len(lines))
    if answer.found and answer.verdict != "ranking":
        for page, sentence in evidence(task, pages):
            for claim in answer.claims:
                if _is_of(page, sentence, claim.step.subject) and states(question, claim, page, sentence):
                    _add(lines, page, sentence, claim.step.subject, _value(claim, sentence.text))
                    break
    lines = lines[:most]
    if answer.verdict != "ranking" and not question.multi:
        shown = {page.id for line in lines for page in line.pages}
        beside = [b for b in _beside(question, answer, pages) if b[0].id not in shown]
        lines += [Line(sentence, [page], page.title) for page, sentence in beside[:_BESIDE]]
    return [line.text() for line in lines]


def states(question: Question, claim: Claim, page: Page, sentence: Sentence) -> bool:
    """Whether a sentence states what a claim does: its relation, a value of its kind, in the time asked."""
    hop = claim.step.hop
    enough = ENOUGH if claim.value or hop.relation else MIN_FIT
    if fitness(hop, sentence, page.title) < enough or (claim.value and not _value(claim, sentence.text)):
        return False
    return time_fit(question, sentence.text, setting(page, sentence)) >= ENOUGH


def _value(claim: Claim, text: str) -> str:
    """What a sentence gives for a claim: any amount where one is asked, else the claim's value if it is
    there."""
    wants = claim.step.hop.wants
    if wants in {"date", "lifespan", "number"}:
        found = quantities(claim.step.hop, text)
        return found[0] if found else ""
    return claim.value if claim.value and mentions(text, claim.value) else ""


def _is_of(page: Page, sentence: Sentence, subject: str) -> bool:
    return mentions(sentence.text, subject) or is_about(page, subject)


def _add(lines: list[Line], page: Page, sentence: Sentence, subject: str, value: str) -> None:
    """A new line, or the ids of a page that says what a line says already."""
    for line in lines:
        alike = normal(line.subject) == normal(subject) and _says(line, value)
        if line.sentence.text == sentence.text and (page in line.pages or page.title == line.pages[0].title):
            alike = True
        if alike:
            line.pages += [page] if page not in line.pages else []
            return
    lines.append(Line(sentence, [page], subject, [value]))


def _says(line: Line, value: str) -> bool:
    return bool(value) and any(same_amount(value, known) for known in line.values if known)


def _beside(question: Question, answer: Answer, pages: Sequence[Page]) -> list[tuple[Page, Sentence]]:
    """Of the pages about names met on the way: a sentence that states a relation asked, or what it is."""
    steps = [step for trail in answer.trails for step in trail.steps if step.value]
    met = [n for t in answer.trails for n in (t.anchor, *(s.value for s in t.steps), t.lead) if n]
    found = []
    for page, best in on_the_way(question, answer.trails, pages):
        told = [s for s in page.sentences if any(_tells(step, s, page) for step in steps)]
        if told:
            found.append((page, best if best in told else told[0]))
        elif any(aboutness(page, name) > OWN for name in met):
            found.append((page, page.sentences[0]))
    found = found if len(question.hops) > 1 else []
    return list({page.id: (page, s) for page, s in [*corroborating(answer.trails, pages), *found]}.values())


def _tells(step: Step, sentence: Sentence, page: Page) -> bool:
    return mentions(sentence.text, step.value) and fitness(step.hop, sentence, page.title) >= ENOUGH
