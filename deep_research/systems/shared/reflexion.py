"""Reflexion: what passes over the same questions leave behind, and whether another one is worth it.

Pure functions over a graph's state: which branch took which question, what each has to mend, all findings by
question, and the decision between revising and writing. Nothing here calls a model. A further pass asks for
what the critic misses, or else for the words of the question that nothing found mentions, and for nothing
that was asked before in the same words; else there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, Literal, TypedDict

from deep_research.components.others.critic import Critique
from deep_research.core.errors import BudgetExceeded, SearchError
from deep_research.core.records import Finding, Gap, Source
from deep_research.engine.context import Context
from deep_research.sources.ledger import Ledger, told_in
from deep_research.sources.search import failure_gaps, search
from deep_research.text.data import read_data
from deep_research.text.fence import fence
from deep_research.text.inventions import without_inventions
from deep_research.text.terms import STOP_WORDS, query_terms

CALLS_OF_A_PASS = 3
"""Model calls below which no question can be researched: two to search, one to compress."""

_REVIEW = read_data(__file__, "reflexion.toml")
_SAYS_NOTHING = frozenset(_REVIEW["words"].split())
_SAYS_NOTHING_CJK = re.compile("|".join(_REVIEW["cjk"].split()))
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_COLON = re.compile(r":\s+|：\s*")
_MENDABLE = ("branch_failed", "timeout", "no_results")
_RENEWED = ("unanswered", "unreviewed", "dead_link")
StopReason = Literal["", "done", "limit", "nothing_new", "unreviewed"]


class Pass(TypedDict):
    """One branch that researched a question, known by its number in the plan."""

    branch: str
    number: int


async def first_pass(queries: Sequence[str], ctx: Context, known: Sequence[Source] = ()) -> dict[str, Any]:
    """A first search for each query: sources for the planner, and the gaps of searches that failed.

    `known` are the branch's sources so far.
    """
    ledger, gaps = Ledger(ctx.branch, known), list[Gap]()
    found = await ctx.gather([search(query, "planner", ctx) for query in queries])
    for query, hits in zip(queries, found, strict=True):
        if isinstance(hits, SearchError):
            gaps.append(ctx.failure("first_look_failed", hits, query))
        elif isinstance(hits, BudgetExceeded):
            gaps.append(ctx.failure("limit_reached", hits, query))
        elif isinstance(hits, BaseException):
            raise hits
        else:
            ledger.register(hits, query, "planner", ctx)
            gaps += failure_gaps(hits, query, ctx)
    return {"sources": ledger.sources, "first_look": ledger.sources, "gaps": gaps}


def combine_passes(
    plan: Sequence[str], findings: Sequence[Finding], passes: Sequence[Pass]
) -> dict[int, Finding]:
    """One finding per question that has any, in the order of the plan: what each pass found, oldest first.

    A line that an earlier pass has brought already stands there once; no source is lost.
    """
    numbers = {one["branch"]: one["number"] for one in passes}
    by_question: dict[int, list[Finding]] = {}
    for finding in sorted(findings, key=lambda finding: int(finding.branch)):
        by_question.setdefault(numbers[finding.branch], []).append(finding)
    return {n: join_findings(plan[n - 1], found, found[-1]) for n, found in sorted(by_question.items())}


def join_findings(topic: str, findings: Sequence[Finding], model: Finding) -> Finding:
    """Several findings on one topic as one, each line and each source once; the rest is as in `model`."""
    lines = dict.fromkeys(line for finding in findings for line in finding.text.splitlines())
    ids = list(dict.fromkeys(i for finding in findings for i in finding.source_ids))
    queries = list(dict.fromkeys(q for finding in findings for q in finding.queries))
    update = {"topic": topic, "text": "\n".join(lines), "source_ids": ids, "queries": queries}
    return model.model_copy(update=update)


def new_questions(state: Mapping[str, Any]) -> dict[int, str]:
    """What to ask next for each weak question, by its number; without those that can only be asked again."""
    numbers = {one["branch"]: one["number"] for one in state.get("passes", [])}
    asked = [finding.topic for finding in state.get("findings", []) if finding.branch in numbers]
    found = {
        weak["number"]: next_question(
            state["plan"][weak["number"] - 1], weak["missing"], state["combined"].get(weak["number"]), asked
        )
        for weak in state["critique"]["weak"]
    }
    return {number: question for number, question in found.items() if question}


def next_question(question: str, missing: str, found: Finding | None, asked: Sequence[str]) -> str:
    """A question that gets what is missing, other than those that were `asked`; "" if there is none.

    One without a finding is asked again as it is: something failed, or other words may help.
    """
    if found is None:
        return question
    held = set(query_terms(found.text))
    matter, side = _matter_and_side(question, held)
    words = [word for word in _WORD.findall(side) if _content(word)]
    unnamed = [word for word in words if set(query_terms(word)).isdisjoint(held)]
    known = [word for word in words if word not in unnamed]
    named = matter or " ".join([word for word in known if word[0].isupper()] or known)
    for lead in (missing, ", ".join(unnamed)):
        if _content(lead) and not asked_before(lead, [question, *asked]):
            met = [w for w in _WORD.findall(lead) if w[0].isupper() and w in found.text and w not in question]
            alone = not _content(named).isdisjoint(_content(lead)) or not named or met
            new = lead if alone else f"{named}: {lead}"
            new += question[-1] if question.endswith(("?", "？")) and new[-1] not in "?？" else ""
            if not asked_before(new, asked):
                return new
    return ""


def _matter_and_side(question: str, held: Set[str]) -> tuple[str, str]:
    """What a question is about, if that stands before a colon and something was found on it; the rest."""
    matter, *side = _COLON.split(question, maxsplit=1)
    return (matter, side[0]) if side and not held.isdisjoint(query_terms(matter)) else ("", question)


def asked_before(question: str, asked: Iterable[str]) -> bool:
    """Whether one of these questions says the same words."""
    return any(_content(question) == _content(other) for other in asked)


def repeats(text: str, other: str) -> bool:
    """Whether a text says no word that the other does not say."""
    return _content(text) <= _content(other)


def _content(text: str) -> frozenset[str]:
    terms = query_terms(_SAYS_NOTHING_CJK.sub(" ", text))
    return frozenset(term for term in terms if term not in _SAYS_NOTHING and term not in STOP_WORDS)


def notes_for(number: int, state: Mapping[str, Any]) -> str:
    """What the branch of a question is told besides it: the whole request, and what is to be mended."""
    weak = (state.get("critique") or {"weak": []})["weak"]
    notes = [f"This is one question of a larger piece of research: {fence(state['brief'])}"]
    if number in state.get("asks", {}):
        notes.append(f"It goes back to this question: {fence(state['plan'][number - 1])}")
    notes += [
        f"A reviewer of what was found before says: {fence(one['missing'])}"
        for one in weak
        if one["number"] == number and one["missing"]
    ]
    return "\n\n".join([*notes, *reader_notes(state)])


def reader_notes(state: Mapping[str, Any]) -> list[str]:
    """What a person who was shown a draft wants changed, for those who research and write again."""
    return [f"The reader of a draft asks for this: {fence(text)}" for text in state.get("feedback", [])]


def question_input(one: Pass, state: Mapping[str, Any], share: Mapping[str, float]) -> dict[str, Any]:
    """What the branch of a question starts with: the question, its notes, local knowledge, its budget."""
    known = state.get("knowledge", [])
    return {
        "branch": one["branch"],
        "topic": state.get("asks", {}).get(one["number"], state["plan"][one["number"] - 1]),
        "context": notes_for(one["number"], state),
        "given": [source for source in state.get("sources", []) if source.id in known],
        "share": dict(share),
    }


def decide_revision(state: Mapping[str, Any], ctx: Context) -> tuple[StopReason, list[int], dict[int, str]]:
    """Why the loop ends ('' if it goes on), the figures that measure the next pass, and what it asks."""
    critique: Critique = state["critique"]
    figures = [len(critique["weak"]), len(state["vetted"])]
    more = state["revisions"] < ctx.settings.graph.max_revisions
    ended, asks = reason_to_end(critique, figures, state.get("before"), more, ctx), new_questions(state)
    return ended if ended or asks else "nothing_new", figures, asks


def reason_to_end(
    critique: Critique, figures: Sequence[int], before: Sequence[int] | None, more: bool, ctx: Context
) -> StopReason:
    """Why there is no further pass; empty if there is one.

    `figures` are the number of weak questions and of cited sources now, `before` those after the last pass:
    a pass has improved nothing if as many questions are weak and no new source is cited. `more` says whether
    the design allows another pass.
    """
    if critique["unreviewed"]:
        return "unreviewed"
    if not critique["weak"]:
        return "done"
    if not more or not affordable_questions(ctx):
        return "limit"
    return "nothing_new" if before and figures[0] >= before[0] and figures[1] <= before[1] else ""


def affordable_questions(ctx: Context) -> bool:
    """Whether the budget allows to research one more question."""
    left = ctx.budget.left(ctx.branch)
    return left.get("model_calls", CALLS_OF_A_PASS) >= CALLS_OF_A_PASS and left.get("searches", 1) >= 1


def settled_gaps(state: Mapping[str, Any]) -> list[Gap]:
    """The gaps that still hold: not those of a question that a later pass has answered.

    Gaps that are found anew for each draft (by `unfinished_gaps` and by the link check) are left out.
    """
    numbers = {one["branch"]: one["number"] for one in state.get("passes", [])}
    last = {numbers[f.branch]: int(f.branch) for f in state.get("findings", [])}

    def mended(gap: Gap) -> bool:
        number = numbers.get(gap.branch)
        return gap.kind in _MENDABLE and number is not None and last.get(number, 0) > int(gap.branch)

    return [gap for gap in state.get("gaps", []) if gap.kind not in _RENEWED and not mended(gap)]


def offers_a_topic(missing: str, question: str) -> bool:
    """Whether what a reviewer misses stands beside the question: an offer for another round, no gap."""
    return is_name(missing) and bool(_content(missing)) and _content(missing).isdisjoint(_content(question))


def is_name(text: str) -> bool:
    """Whether a text can be a heading: short, and no sentence."""
    return len(text) <= 60 and text[-1:] not in ".?!。？！"


def unfinished_gaps(state: Mapping[str, Any], ctx: Context) -> list[Gap]:
    """What the last review leaves open: questions still weak, or that there was no review."""
    critique: Critique = state["critique"]
    if critique["unreviewed"]:
        return [ctx.gap("unreviewed", "findings_unreviewed", "review", **critique["unreviewed"])]
    plan = state["plan"]
    weak = [one for one in critique["weak"] if one["number"] in state["combined"]]
    weak = [one for one in weak if not offers_a_topic(one["missing"], plan[one["number"] - 1])]
    given = "\n".join([ctx.question, *plan, told_in(state.get("sources", []), ctx)])
    return [_open_gap(plan[one["number"] - 1], one["missing"], given, ctx) for one in weak]


def _open_gap(question: str, missing: str, given: str, ctx: Context) -> Gap:
    """That a question is open, and what it lacks, where that is other than the question itself.

    What the reviewer adds that nobody has given stays out: a report tells its gaps unchecked.
    """
    missing = without_inventions(missing, given)
    if not missing or repeats(missing, question):
        return ctx.gap("unanswered", "question_open", "review", question=question)
    return ctx.gap("unanswered", "open_question", "review", question=question, missing=missing)
