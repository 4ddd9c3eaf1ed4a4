"""The critic on a draft: judged against the question, it goes back to its writer if it does not answer.

The same review as that of findings (`critic.review`), with the question as the whole plan and the draft as
what was found for it; so every design can have a critic. What a rewriting may use is its writer's business.
A draft that was worse than the one before is not taken, and no limit or failure here costs the draft.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from .context import Context
from .critic import review
from .errors import BudgetExceeded, ModelError
from .guard import fence
from .ledger import cited_ids
from .state import Finding, Gap, Source
from .vetter import by_rules, cited_by

Rewrite = Callable[[str], Awaitable[str]]
"""Writes the draft again, given the critic's remark."""


async def reviewed(
    question: str, draft: str, sources: Sequence[Source], rewrite: Rewrite, ctx: Context
) -> tuple[str, list[Gap]]:
    """The draft after at most `writer.reviews` reviews, and a gap where a remark could not be answered."""
    for _ in range(ctx.settings.writer.reviews):
        finding = Finding(branch="0", topic=question, text=draft)
        critique = await review([question], {1: finding}, by_rules(cited_by([finding], sources)), ctx)
        if critique["unreviewed"]:
            return draft, [ctx.gap("unreviewed", "draft_unreviewed", question, **critique["unreviewed"])]
        if not critique["weak"]:
            break
        remark = critique["weak"][0]["missing"]
        ctx.emit("call", role="critic", tool="review", text=remark)
        again = await _again(rewrite, remark, ctx)
        if len(cited_ids(again)) < len(cited_ids(draft)) or again == draft:
            return draft, [ctx.gap("unanswered", "draft_misses", question, missing=remark)]
        draft = again
    return draft, []


async def _again(rewrite: Rewrite, remark: str, ctx: Context) -> str:
    """The draft as written again; empty where no model could."""
    try:
        return await rewrite(f"A reviewer of your draft says: {fence(remark)}")
    except (ModelError, BudgetExceeded) as error:
        ctx.emit("budget", role="writer", text=f"the draft was not written again: {error}")
        return ""
