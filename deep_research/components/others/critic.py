"""The critic: is each question of the plan answered, and what is missing?

The schema is built from the plan, one verdict per question, so none can be passed over. Code adds what needs
no judgement (a question without a finding is not answered, whatever the model says). An answer that cannot be
read is asked for again by `structured`; if none comes, the review is marked as not made, never as passed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from pydantic import BaseModel, Field, create_model

from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.core.gaps import Cause, cause_of, sentence_of_cause
from deep_research.core.records import Finding
from deep_research.engine.context import Context
from deep_research.engine.evidence import as_attribute
from deep_research.engine.prompting import system_prompt, user_message
from deep_research.engine.structured import structured
from deep_research.text.fence import fence
from deep_research.text.language import shorten

from .vetter import Vetted, vetted_lines

_MISSING = 400
_NO_FINDING = "Nothing was found yet; look elsewhere and in other words."


class QuestionJudgement(BaseModel):
    """The verdict on one question."""

    verdict: Literal["sufficient", "insufficient"] = Field(
        description="Whether the findings answer the question from reliable sources."
    )
    missing: str = Field(description="What is missing or doubtful; empty if the findings are sufficient.")


class Weak(TypedDict):
    """A question that is to be researched again, by its number in the plan (from 1), and why."""

    number: int
    missing: str


class Critique(TypedDict):
    """A review of all findings. `unreviewed` holds why there is none; plain data, for checkpoints."""

    weak: list[Weak]
    unreviewed: Cause


def schema_of(count: int) -> type[BaseModel]:
    """The schema for so many questions: `question_1` … each with its own verdict."""
    fields: dict[str, Any] = {
        f"question_{n}": (QuestionJudgement, Field(description=f"Question {n} of the plan."))
        for n in range(1, count + 1)
    }
    return create_model("Review", __doc__="A verdict for every question of the plan.", **fields)


async def review_findings(
    plan: Sequence[str], findings: Mapping[int, Finding], vetted: Sequence[Vetted], ctx: Context
) -> Critique:
    """Judge the findings (by number of their question) against the plan.

    Questions without a finding are weak in any case. Never raises for a model that fails or a budget that is
    used up: what comes back then says that it is no review.
    """
    bare = [Weak(number=n, missing=_NO_FINDING) for n in range(1, len(plan) + 1) if n not in findings]
    if not findings:
        return Critique(weak=bare, unreviewed={})
    material = user_message(_material(plan, findings, vetted))
    try:
        answer = await structured(
            "critic", [system_prompt("critic", ctx), material], schema_of(len(plan)), ctx
        )
    except (ModelError, BudgetExceeded) as error:
        return Critique(weak=bare, unreviewed=cause_of(error))
    judged = [
        Weak(number=n, missing=shorten(judgement.missing, _MISSING))
        for n in findings
        if (judgement := getattr(answer, f"question_{n}")).verdict == "insufficient"
    ]
    return Critique(weak=sorted([*bare, *judged], key=lambda weak: weak["number"]), unreviewed={})


def _material(plan: Sequence[str], findings: Mapping[int, Finding], vetted: Sequence[Vetted]) -> str:
    """What the critic sees: the plan, the findings question by question, and the tiers of their sources."""
    questions = "\n".join(f"{n}. {fence(question)}" for n, question in enumerate(plan, start=1))
    found = [
        f'<findings question="{n}" topic="{as_attribute(finding.topic)}">\n{fence(finding.text)}\n</findings>'
        for n, finding in sorted(findings.items())
    ]
    return "\n\n".join(
        [f"The plan:\n{questions}", *found, f"Assessment of the cited sources:\n{vetted_lines(vetted)}"]
    )


def critique_text(critique: Critique, plan: Sequence[str]) -> str:
    """A critique in words, for the reviewer."""
    if critique["unreviewed"]:
        return f"not reviewed ({sentence_of_cause(critique['unreviewed'])})"
    lines = [f"- {plan[weak['number'] - 1]}: {weak['missing']}" for weak in critique["weak"]]
    return "\n".join(lines) or "every question is answered"
