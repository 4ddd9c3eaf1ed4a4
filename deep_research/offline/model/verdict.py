"""Verdicts that a schema asks for: is a question hard, does a text answer it, and what is missing.

A verdict is known by its form: a choice between two words of opposite sense ("shallow" or "deep",
"sufficient" or "insufficient"), or a yes/no whose name has such a sense ("escalate", "is_complete"). What
stands beside it is filled to agree with it: reasons always, what is missing only where something is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .answer import solve
from .conversation import Block, Conversation, cited, outside_fences
from .followup import standing_alone
from .hops import Hop
from .names import likeness, mentions, names
from .page import ABOUT
from .phrases import join, say
from .question import Question
from .report import asked_question
from .steps import MIN_FIT, fitness, quantities
from .supervise import finding_pages, questions_in
from .task import Task, read_task
from .text import Sentence, language, stem, tidy

Schema = Mapping[str, Any]


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


_EASY = _stems("shallow simple quick fast easy direct short light basic brief single")
_HARD = _stems("deep complex thorough hard slow difficult multi detailed long full research heavy")
_GOOD = _stems("sufficient enough pass passed complete answered adequate accept satisfied approved done yes")
_BAD = _stems(
    "insufficient incomplete fail failed revise escalate inadequate reject retry continue more no weak"
)
_MISSING = _stems("missing gap gaps open lacking lacks unanswered absent todo needed next")
_ADMITS = re.compile(
    r"\b(?:no answer|nothing (?:was|is|were) (?:found|known)"
    r"|(?:was|were|could|is|are) not (?:be )?(?:found|determined|settled)|none of the sources"
    r"|no source|(?:do|does|did) not (?:say|state|settle|mention)|says? nothing|unknown|unclear)\b"
    r"|没有找到|未找到|没有说明|没有提到|没有给出|見つかりません|記述(?:は|が)?ありません",
    re.IGNORECASE,
)
_DISPUTED = re.compile(
    r"\b(?:sources?|accounts?|reports?|figures?|numbers|statements) (?:\w+ )?(?:differ|disagree|agree"
    r"|conflict"
    r"|contradict)|\bdisagree|\bcontradict|\bwhy\b|\boverview\b|\bpros and cons\b|说法不一|不一致|矛盾|为什么"
    r"|違う|食い違|なぜ",
    re.IGNORECASE,
)
_ID = re.compile(r"\[[A-Z]{1,4}\d[^\]]*\]")
_LISTED = re.compile(r"[-*+•|<]\s|\d+[.)]\s|[|<]")
_NUMBERED = re.compile(r"^\s*(\d{1,2})[.)]\s+(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`good`: easy, or answered. `missing` are the parts that have no answer, each as a short text."""

    good: bool
    missing: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The field that holds the verdict, what to put there if it is good and if it is bad, and on what."""

    field: str
    good: Any
    bad: Any
    on_text: bool


def asked_for(fields: Mapping[str, Schema]) -> Asked | None:
    """What verdict an object asks for, by its resolved fields; None if it asks for none."""
    for name, field in fields.items():
        options = [str(o) for o in field.get("enum") or ()]
        for good, bad, on_text in ((_EASY, _HARD, False), (_GOOD, _BAD, True)):
            yes = [o for o in options if _words(o) & good and not _words(o) & bad]
            no = [o for o in options if _words(o) & bad]
            if len(options) == 2 and yes and no:
                return Asked(name, yes[0], no[0], on_text)
            if field.get("type") == "boolean" and _words(name) & (good | bad) and on_text:
                positive = not _words(name) & bad
                return Asked(name, positive, not positive, True)
    return None


def _words(name: str) -> frozenset[str]:
    return _stems(" ".join(re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)))


def is_missing(name: str) -> bool:
    """Whether a field of this name holds what is missing."""
    return bool(_words(name) & _MISSING)


def judge(asked: Asked, talk: Conversation, name: str = "") -> Verdict:
    """The verdict on the question of a conversation; a number in `name` picks a question of a numbered
    plan."""
    if not asked.on_text:
        return hardness(read_task(standing_alone(talk)[0]))
    question, held = _judged(talk, name)
    return answers(read_task(question), held, talk)


def hardness(task: Task) -> Verdict:
    """Hard is what compares, ranks, goes over several steps, asks several things, or is in dispute."""
    question = task.question
    text = question.text
    several = len(questions_in(text)) > 1 and len(question.hops) > 1
    hard = question.shape != "fact" or len(question.hops) > 1 or several or bool(_DISPUTED.search(text))
    hard = hard or (len(question.anchors) > 1 and bool(question.hops)) or len(question.years) > 1
    key = "think_plan_many" if question.multi else "judged_hard" if hard else "judged_easy"
    named = join(list(question.anchors), question.language) or text
    return Verdict(not hard, (), say(key, question.language, it=named))


def _judged(talk: Conversation, name: str) -> tuple[str, list[Block]]:
    """The question to judge by, and the blocks of text that may answer it."""
    number = re.search(r"\d+", name)
    if number:
        plan = dict(_NUMBERED.findall(outside_fences(talk.evidence_text)))
        own = [b for b in talk.blocks if number.group(0) in b.attributes.values()]
        return plan.get(number.group(0), asked_question(talk)), own
    return asked_question(talk), list(talk.blocks)


def answers(task: Task, held: list[Block], talk: Conversation) -> Verdict:
    """Whether blocks of cited text answer a question, with all that it sets side by side."""
    task = _own_part(task)
    question = task.question
    text = "\n".join(b.text for b in held) if held else outside_fences(talk.said[-1] if talk.said else "")
    admitted = _admitted(text)
    missing = admitted or _unsaid(question, text)
    pages = finding_pages(text, talk.listed) or talk.sources
    if not missing and not _opens_with_answer(question, held) and not solve(task, pages).found:
        missing = (question.text,)
    lang = language(question.text)
    told = join(list(missing), lang)
    if admitted:
        return Verdict(False, missing, told)
    key = "judged_enough" if not missing else "judged_nothing" if told == question.text else "judged_missing"
    return Verdict(not missing, missing, say(key, lang, it=told))


def _own_part(task: Task) -> Task:
    """Of a comparison, the question on the one thing that the task names outside it ("What is said of X for
    the question “Is X longer than Y?”")."""
    if not task.question.multi or len(task.focus) != 1:
        return task
    return replace(task, question=replace(task.question, anchors=task.focus, shape="fact"))


def _opens_with_answer(question: Question, held: list[Block]) -> bool:
    """Whether the blocks begin, below their headings, with a cited statement of what is asked, its value
    included: so an answer is written, while mere findings are a list."""
    lines = [line.strip() for block in held for line in block.text.splitlines()]
    text = [line for line in lines if line and not line.startswith("#")]
    if not text or _LISTED.match(text[0]) or _ADMITS.search(text[0]) or not cited(text[0]):
        return False
    far = len(question.hops) > 1 or question.shape == "rank"
    told = "\n".join(text) if far else text[0]
    if question.anchors and not any(mentions(told, anchor) for anchor in question.anchors):
        return False
    hop = question.hops[-1] if question.hops else Hop()
    fits = not question.hops or fitness(hop, Sentence(text[0], "prose", "")) >= MIN_FIT
    return fits and _has_value(hop, question, _ID.sub("", text[0]))


def _has_value(hop: Hop, question: Question, line: str) -> bool:
    """Whether a line has a value of the kind asked: a number, a date, or a name besides those asked about."""
    if hop.wants in {"number", "date", "lifespan"}:
        return bool(quantities(hop, line))
    others = [
        n.text for n in names(line) if max((likeness(n.text, a) for a in question.anchors), default=0) < ABOUT
    ]
    return bool(others) or (hop.wants == "any" and bool(quantities(hop, line))) or hop.wants == "text"


def _admitted(text: str) -> tuple[str, ...]:
    """The sentences in which a text says that it has no answer; quoted sources say so of other things."""
    lines = [tidy(line.strip("-* ")) for line in text.splitlines() if _ADMITS.search(line)]
    return tuple(line for line in lines if not cited(line))


def _unsaid(question: Question, text: str) -> tuple[str, ...]:
    return tuple(a for a in question.anchors if not mentions(text, a)) if question.multi else ()
