"""The query rewriter: the user's request as a question that stands on its own, implied time and scope added.

Code checks that nothing gets lost on the way: a rewriting without a name, number or quoted word of the user
is not used. It has no node of its own, since the design that uses it has two nodes only: its agent rewrites
before its first turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, Field

from .brief_writer import details, lost
from .context import Context
from .errors import BudgetExceeded, ModelError
from .glossary import shown
from .models import structured
from .prompting import conversation, own_words, scope_notes, system_prompt

CALLS_AFTER = 1
"""Model calls that an answer needs after the rewriting, besides the writer's: one turn with a search."""


class RewrittenQuery(BaseModel):
    """A question that stands on its own."""

    query: str = Field(min_length=1, description="The question, with implied time and scope made explicit.")
    added: list[str] = Field(description="What was made explicit, a few words each; empty if nothing.")


async def rewrite_query(history: Sequence[Mapping[str, str]], ctx: Context) -> str:
    """The question of a conversation, rewritten; the user's own words where that is off or fails.

    What the settings say of the user is not shown to the model, because it must never reach a search.
    """
    scope, said = ctx.settings.scope, own_words(history)
    if not scope.rewrite_query:
        return said
    impersonal = scope.model_copy(update={"user_info": {}})
    notes = scope_notes(impersonal, shown(scope.glossary, said), ctx.settings.prompt_language)
    prompt = system_prompt("query_rewriter", ctx, scope_notes=notes)
    try:
        with ctx.budget.keeping(ctx.branch, {"model_calls": CALLS_AFTER}):
            answer = await structured("query_rewriter", [prompt, *conversation(history)], RewrittenQuery, ctx)
    except (ModelError, BudgetExceeded):
        return said
    query = said if lost(details(said), answer.query) else " ".join(answer.query.split())
    ctx.emit("call", role="query_rewriter", tool="rewrite_query", text=query, added=answer.added)
    return query
