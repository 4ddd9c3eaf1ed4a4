"""Verdicts that a schema asks for: is a question hard, does a text answer it, and what is missing.

A verdict is known by its form: a choice between two words of opposite sense ("shallow" or "deep",
"sufficient" or "insufficient"), or a yes/no whose name has such a sense ("escalate", "is_complete"). What
stands beside it is filled to agree with it: reasons always, what is missing only where something is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from .answer import COVERED, solve
from .conversation import Block, Conversation, cited, outside_fences
from .gather import gather
from .kinds import kind_of
from .names import shown_by, tokens
from .notes import finding_pages
from .overview import ranked_sides, side_named, side_title
from .page import Page
from .phrases import join, say
from .points import Gathered
from .query import read_query
from .report_words import FACETS, READING
from .request import Request, read_request, usual_sides
from .research import open_leads
from .schema import Schema, spaced
from .scope import standing_alone
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
_OF = re.compile(r"\bof\b|\bwhose\b|\bthat [a-z]+(?:s|ed|t)\b|['’]s?\b(?= )|的", re.IGNORECASE)
_HEADING = re.compile(r"^#+ +(.+?)[ \t]*$", re.MULTILINE)
_FEWEST = 2
"""Statements that are enough to tell of a side."""
_LEADS = 2
"""What findings lead to that is missing next."""
_NUMBERED = re.compile(r"^\s*(\d{1,2})[.)]\s+(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`good`: easy, or answered. `missing` are the parts that have no answer, each as a short text."""

    good: bool
    missing: tuple[str, ...]
    reason: str


def _lacks(missing: Iterable[str], lang: str) -> Verdict:
    """The verdict on what lacks these parts."""
    parts = tuple(missing)
    key = "judged_missing" if parts else "judged_enough"
    return Verdict(not parts, parts, say(key, lang, it=join(parts, lang)))


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
        options = [str(option) for option in field.get("enum", ())]
        for good, bad, on_text in ((_EASY, _HARD, False), (_GOOD, _BAD, True)):
            no = [o for o in options if stems(spaced(o)) & bad]
            yes = [o for o in options if stems(spaced(o)) & good and o not in no]
            if len(options) == 2 and yes and no:
                return Asked(name, yes[0], no[0], on_text)
            if field.get("type") == "boolean" and stems(spaced(name)) & (good | bad) and on_text:
                positive = not stems(spaced(name)) & bad
                return Asked(name, positive, not positive, True)
    return None


def is_missing(name: str) -> bool:
    """Whether a field of this name holds what is missing."""
    return bool(stems(spaced(name)) & _MISSING)


def judge(asked: Asked, talk: Conversation, name: str = "") -> Verdict:
    """The verdict on the question of a conversation; a number in `name` picks a question of a numbered plan,
    with the blocks of that number."""
    if not asked.on_text:
        return hardness(read_request(standing_alone(talk)[0]))
    question, held, number = asked_question(talk), talk.blocks, re.search(r"\d+", name)
    if number:
        question = dict(_NUMBERED.findall(outside_fences(talk.evidence_text))).get(number[0], question)
        held = [block for block in talk.blocks if number[0] in block.attributes.values()]
        if talk.blocks and not held:
            return _lacks([question], language(question))
    request = read_request(question)
    if held and request.broad:
        return covers(request.question, held, talk, int(number[0]) if number else 0)
    return answers(request, held, talk, leads=bool(number))


def hardness(request: Request) -> Verdict:
    """Hard is what compares, ranks, asks several things, goes over several steps, is in dispute, or asks for
    reasons or a report."""
    query, items = read_query(request.question), request.items
    several = max(len(items), len(request.parts), len(query.years)) > 1 or query.change
    steps = max(sum(bool(c.groups) for c in query.concepts if not c.weak), len(_OF.findall(query.text)))
    open_ended = query.disputed or query.kind == "reason" or request.broad
    hard = several or steps > 1 or open_ended or bool(query.order)
    key = "think_plan_many" if items else "judged_hard" if hard else "judged_easy"
    return Verdict(not hard, (), say(key, query.lang, it=join(items, query.lang) or request.question))


def answers(request: Request, held: Sequence[Block], talk: Conversation, *, leads: bool = False) -> Verdict:
    """Whether blocks of cited text answer a question, with all that it sets side by side; with `leads`, what
    they lead to is what is missing next."""
    lang = language(request.question)
    text = "\n".join(b.text for b in held) if held else outside_fences(talk.said[-1] if talk.said else "")
    pages = finding_pages(text, talk.listed) or talk.sources
    # quoted sources say of other things that there is no answer
    told = [line for line in text.splitlines() if _ADMITS.search(line) and not cited(line)]
    admitted = tuple(tidy(line.strip("-* ")) for line in told)
    parts = [*admitted] or open_parts(request, pages)
    if leads and (admitted or parts == [request.question]):
        asking = {*tokens(read_query(request.question).spoken)}
        led = open_leads(request, pages, [page.title for page in pages])
        parts = [*islice((lead for lead in led if not asking <= {*tokens(lead)}), _LEADS)] or parts
    if admitted and parts == [*admitted]:
        return Verdict(False, admitted, join(admitted, lang))
    return _lacks(parts, lang)


def open_parts(request: Request, pages: Sequence[Page]) -> list[str]:
    """What pages do not surely answer of a question: the thing set side by side, or what is asked."""
    answer = solve(request.question, pages, request.focus)
    if not pages or answer.ranked:
        return [] if pages else [request.question]
    ordered = bool(read_query(request.question).order)  # findings have computed an order
    unsure = [f for f in answer.founds if not (f.sure or (ordered and f.cover >= COVERED))]
    return [found.item or found.asked for found in unsure]


def covers(question: str, held: Sequence[Block], talk: Conversation, number: int) -> Verdict:
    """Whether findings tell of the side that is asked for, or of all that a report of this kind has.

    Each question of a plan is handed, besides, a side that a report of its kind has, and that no finding
    tells of and no question asks for: so a plan is revised as a whole.
    """
    lang, missing = language(question), list[str]()
    told, side = ranked_sides(_gathered(question, talk.blocks, talk)), side_named(question, lang)
    told += _headed("\n".join(block.text for block in talk.blocks), lang)
    pages = finding_pages("\n".join(block.text for block in talk.blocks), talk.listed)
    names = {word for found in shown_by(tuple(pages)).find(question) for word in tokens(found.text)}
    name = number and names.issuperset(tokens(question))  # a heading that only names a thing
    if not (side or name):
        missing = [side for side in READING[kind_of(question) or "overview"] if side not in told]
    elif name and not side:
        return _lacks([] if any(cited(block.text) for block in held) else [question], lang)
    elif side and len(_gathered(question, held, talk).points) < _FEWEST:
        own = _headed("\n".join(block.text for block in held), lang)
        if side.id not in own:
            return _lacks([question], lang)
    if number and not missing:
        plan = (said for _, said in _NUMBERED.findall(outside_fences(talk.evidence_text)))
        asked = [side.id for side in (side_named(one, lang) for one in plan) if side]
        new = [side for side in usual_sides(asked) if side not in {*told, *asked}]
        missing = new[number - 1 :][:1]
    return _lacks([side_title(side, lang) for side in missing], lang)


def _headed(text: str, lang: str) -> list[str]:
    """The sides that headings of a text name, with something cited below."""
    sides = {facet.title[lang]: facet.id for facet in FACETS}
    _, *parts = _HEADING.split(text)
    return [sides[h] for h, below in zip(parts[::2], parts[1::2], strict=True) if h in sides and cited(below)]


def _gathered(question: str, blocks: Sequence[Block], talk: Conversation) -> Gathered:
    """What blocks of findings tell on a subject."""
    return gather(question, finding_pages("\n".join(block.text for block in blocks), talk.listed))
