"""A model that reads: its verdict on each sentence, by passages of the sources that the sentence cites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, Field

from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.core.records import Claim
from deep_research.engine.context import Context
from deep_research.engine.evidence import as_attribute
from deep_research.engine.prompting import system_prompt, user_message
from deep_research.engine.structured import structured
from deep_research.text.fence import fence, fence_page

from .claims import SourceText, check_claim
from .claims.conflicts import SourceName

PASSAGES_CHARACTERS = 4_000
"""How much of a source a judge reads around the best passage, at most."""


class ClaimJudgement(BaseModel):
    """The verdict on one sentence, judged by the passages that it cites."""

    verdict: Literal["supported", "partial", "contradicted", "unsupported"] = Field(
        description="supported: the passages say all of it; partial: they say a part; contradicted: they say "
        "otherwise; unsupported: they do not say it."
    )
    reason: str = Field(description="The deciding point in the passages, in one sentence.")


def judgeable(claims: Sequence[Claim], texts: Mapping[SourceName, SourceText]) -> list[Claim]:
    """The claims of which a source has a text, in whatever language: only those can be read."""
    return [claim for claim in claims if any(_is_readable(n, texts) for n in claim.sources)]


def _is_readable(number: int, texts: Mapping[SourceName, SourceText]) -> bool:
    return number in texts and bool(texts[number].text.strip())


async def judge_all(
    claims: Sequence[Claim], texts: Mapping[SourceName, SourceText], ctx: Context
) -> list[str]:
    """Let a model read each claim with its passages, side by side; where it cannot, the rules' word stays.

    Returns why it could not, for each such claim.
    """
    failed = []
    asked = judgeable(claims, texts)
    ctx.budget.reserve(ctx.branch, "writer", {})  # the report is written
    answers = await ctx.gather([judge_claim(claim, texts, ctx) for claim in asked])
    for claim, answer in zip(asked, answers, strict=True):
        if isinstance(answer, ClaimJudgement):
            claim.verdict, claim.checked_by = answer.verdict, "judge"
            claim.reasons = [*claim.reasons, answer.reason]
        elif isinstance(answer, ModelError | BudgetExceeded):
            failed.append(str(answer))
        else:
            raise answer
    return failed


async def judge_claim(claim: Claim, texts: Mapping[SourceName, SourceText], ctx: Context) -> ClaimJudgement:
    """What a model says of one claim, given the passages around the best quote in what it cites."""
    passages = [
        f'<source number="{n}" title="{as_attribute(texts[n].title)}">\n'
        f"{fence_page(_around(claim.text, claim.quote, texts[n]))}\n</source>"
        for n in claim.sources
        if _is_readable(n, texts)
    ]
    said = user_message(f"Sentence: {fence(claim.text)}\n\n" + "\n\n".join(passages))
    return await structured("verifier", [system_prompt("verifier", ctx), said], ClaimJudgement, ctx)


def _around(sentence: str, quote: str | None, source: SourceText) -> str:
    """The part of a source that a judge reads: what surrounds the quote, or the source's own best passage."""
    place = source.text.find(quote) if quote else -1
    if place < 0:
        place = check_claim(sentence, [source]).start or 0
    start = max(0, place - PASSAGES_CHARACTERS // 2)
    return source.text[start : start + PASSAGES_CHARACTERS]
