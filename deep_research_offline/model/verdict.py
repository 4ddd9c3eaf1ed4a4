"""Verdicts that a schema asks for: is a question hard, does a text answer it, and what is missing.

A verdict is known by its form: a choice between two words of opposite sense ("shallow" or "deep",
"sufficient" or "insufficient"), or a yes/no whose name has such a sense ("escalate", "is_complete"). What
stands beside it is filled to agree with it: reasons always, what is missing only where something is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .answer import COVERED, Found, items_of, solve
from .conversation import Block, Conversation, cited, outside_fences
from .followup import standing_alone
from .gather import Gathered, gather
from .kinds import kind_of
from .names import mentions
from .notes import finding_pages
from .overview import is_broad, ranked_sides, side_named, side_title
from .phrases import join, say
from .query import items_in, parts_of, read_query
from .report_words import FACETS, READING
from .request import reading_order
from .schema import Schema, spaced
from .task import Task, read_task
from .text import language, stems, tidy
from .writing import asked_question

_EASY = stems("shallow simple quick fast easy direct short light basic brief single")
_HARD = stems("deep complex thorough hard slow difficult multi detailed long full research heavy")
_GOOD = stems("sufficient enough pass passed complete answered adequate accept satisfied approved done yes")
_BAD = stems(
    "insufficient incomplete fail failed revise escalate inadequate reject retry continue more no weak"
)
_MISSING = stems("missing gap gaps open lacking lacks unanswered absent todo needed next")
_ADMITS = re.compile(
    r"\b(?:no answer|the closest that the sources say|nothing (?:was|is|were) (?:found|known)"
    r"|(?:was|were|could|is|are) not (?:be )?(?:found|determined|settled)|none of the sources"
    r"|no source|(?:do|does|did) not (?:say|state|settle|mention)|says? nothing|unknown|unclear)\b"
    r"|来源中最接近的内容|来源没有说明|最も近い記述|没有找到|未找到|没有说明|没有提到|没有给出|見つかりません|記述(?:は|が)?ありません",
    re.IGNORECASE,
)
_DISPUTED = re.compile(
    r"\b(?:sources?|accounts?|reports?|figures?|numbers|statements) (?:\w+ )?(?:differ|disagree|agree"
    r"|conflict"
    r"|contradict)|\bdisagree|\bcontradict|\bwhy\b|\boverview\b|\bpros and cons\b|说法不一|不一致|矛盾|为什么"
    r"|違う|食い違|なぜ",
    re.IGNORECASE,
)
_OF = re.compile(r"\bof\b|\bwhose\b|\bthat [a-z]+(?:s|ed|t)\b|['’]s?\b(?= )|的", re.IGNORECASE)
_HEADING = re.compile(r"^#+ +(.+?)[ \t]*$", re.MULTILINE)
_FEWEST = 2
"""Statements that are enough to tell of a side."""
_NUMBERED = re.compile(r"^\s*(\d{1,2})[.)]\s+(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`good`: easy, or answered. `missing` are the parts that have no answer, each as a short text; `lacking`
    puts them in one line."""

    good: bool
    missing: tuple[str, ...]
    reason: str

    @property
    def lacking(self) -> str:
        return join(list(self.missing), language(" ".join(self.missing)))


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
    return stems(spaced(name))


def is_missing(name: str) -> bool:
    """Whether a field of this name holds what is missing."""
    return bool(_words(name) & _MISSING)


def judge(asked: Asked, talk: Conversation, name: str = "") -> Verdict:
    """The verdict on the question of a conversation; a number in `name` picks a question of a numbered
    plan."""
    if not asked.on_text:
        return hardness(read_task(standing_alone(talk)[0]))
    question, held = _judged(talk, name)
    task = read_task(question)
    if not held and re.search(r"\d+", name) and talk.blocks:
        return Verdict(False, (question,), say("judged_missing", language(question), it=question))
    if held and is_broad(task.question):
        return covers(task.question, held, talk, name)
    return answers(task, held, talk)


def hardness(task: Task) -> Verdict:
    """Hard is what compares, ranks, asks several things, goes over several steps, or is in dispute."""
    query = read_query(task.question)
    items = items_in(task.question)
    telling = [c for c in query.concepts if not c.weak]
    several = len(parts_of(task.question)) > 1 or len(query.years) > 1
    related = [c for c in telling if c.groups]
    chained = len(related) > 1 or len(_OF.findall(task.question)) > 1 or len(telling) > 6
    hard = bool(len(items) > 1 or query.order or several or chained or _DISPUTED.search(task.question))
    key = "think_plan_many" if len(items) > 1 else "judged_hard" if hard else "judged_easy"
    return Verdict(not hard, (), say(key, query.lang, it=join(items, query.lang) or task.question))


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
    lang = language(task.question)
    text = "\n".join(b.text for b in held) if held else outside_fences(talk.said[-1] if talk.said else "")
    if admitted := _admitted(text):
        return Verdict(False, admitted, join(list(admitted), lang))
    pages = finding_pages(text, talk.listed) or talk.sources
    items = task.focus or items_of(task.question, pages)
    missing = tuple(i for i in items if not mentions(text, i)) if len(items) > 1 else ()
    if not missing:
        answer = solve(task.question, pages, task.focus)
        missing = tuple(f.item or f.asked for f in answer.founds if not (f.sure or _is_order(f)))
        missing = () if answer.ranked else missing
        missing = missing if pages else (task.question,)
    told = join(list(missing), lang)
    key = "judged_enough" if not missing else "judged_missing"
    return Verdict(not missing, missing, say(key, lang, it=told))


def _is_order(found: Found) -> bool:
    """Whether what is found is an order that findings have computed, and holds most of what is asked."""
    return bool(found.ranking and found.ranking.query.order and found.cover >= COVERED)


def covers(question: str, held: Sequence[Block], talk: Conversation, name: str) -> Verdict:
    """Whether findings tell of the side that is asked for, or of all that a report of this kind has.

    Each question of a plan is handed, besides, a side that no finding tells of and no question asks for: so a
    plan is revised as a whole.
    """
    lang, number = language(question), re.search(r"\d+", name)
    told, missing = ranked_sides(_gathered(question, talk.blocks, talk)), list[str]()
    told += _headed("\n".join(block.text for block in talk.blocks), lang)
    if not side_named(question, lang):
        missing = [side for side in READING[kind_of(question) or "overview"] if side not in told]
    elif len(_gathered(question, held, talk).points) < _FEWEST:
        return Verdict(False, (question,), say("judged_missing", lang, it=question))
    if number and not missing:
        plan = outside_fences(talk.evidence_text)
        new = [s for s in reading_order(question) if s not in told and side_title(s, lang) not in plan]
        missing = new[int(number.group(0)) - 1 :][:1]
    titles = [side_title(side, lang) for side in missing]
    key = "judged_missing" if missing else "judged_enough"
    return Verdict(not missing, tuple(titles), say(key, lang, it=join(titles, lang)))


def _headed(text: str, lang: str) -> list[str]:
    """The sides that headings of a text name, with something cited below."""
    sides = {facet.title[lang]: facet.id for facet in FACETS}
    _, *parts = _HEADING.split(text)
    return [sides[h] for h, below in zip(parts[::2], parts[1::2], strict=True) if h in sides and cited(below)]


def _gathered(question: str, blocks: Sequence[Block], talk: Conversation) -> Gathered:
    """What blocks of findings tell on a subject."""
    text = "\n".join(block.text for block in blocks)
    return gather(question, finding_pages(text, talk.listed))


def _admitted(text: str) -> tuple[str, ...]:
    """The sentences in which a text says that it has no answer; quoted sources say so of other things."""
    lines = [
        tidy(line.strip("-* ")) for line in text.splitlines() if _ADMITS.search(line) and line[:1] != "#"
    ]
    return tuple(line for line in lines if not cited(line))
