"""The shallow researcher's parts: what its agent does next, and the answer at which it must arrive.

An answer has three chances, each for when the one before cites no source: what the agent has written by
itself; the *synthesis anchor*, a last message after which it is called without tools, with each source once;
and the check of the report, which looks for what it states in all sources. Should no model be able to answer
at all, the sources are quoted, so that what was found is not lost.

Before its first turn the agent rewrites the user's request as a question that stands on its own, implied time
and scope added. A rewriting without a name, number or quoted word of the user is not used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic import Field

from deep_research.components.brief_writer import missing_details, stated_details
from deep_research.components.compressor import quote_sources
from deep_research.components.researcher import (
    LoopLimits,
    LoopProgress,
    force_search_if_idle,
    loop_in_phase,
)
from deep_research.components.researcher.graph import nothing_found
from deep_research.components.writer import TITLES, no_evidence
from deep_research.core.errors import BudgetExceeded, ModelError, NothingWritten
from deep_research.core.gaps import EMPTY_ANSWER
from deep_research.core.records import Ended, Gap, Source
from deep_research.core.words import phrases
from deep_research.engine.chat import chat
from deep_research.engine.context import Context
from deep_research.engine.evidence import as_attribute, evidence_text, source_label, with_source_texts
from deep_research.engine.output_requests import scope_notes
from deep_research.engine.prompting import (
    LANGUAGES_IN,
    conversation,
    system_prompt,
    text_of_messages,
    user_message,
    user_words,
)
from deep_research.engine.structured import GivenOnly, structured
from deep_research.sources.ledger import sources_cited_in
from deep_research.text.fence import fence, without_ids
from deep_research.text.source_ids import cited_ids
from deep_research.text.titles import as_title

_WHY = phrases("prompts.ended")


@dataclass(frozen=True, slots=True)
class ShallowRun:
    """Where a shallow run stands: the question, how it was rewritten, and what came of it so far.

    `instructions` are the agent's; they are the same for its last call.
    """

    question: str
    query: str
    instructions: Any
    messages: Sequence[Any] = ()
    sources: Sequence[Source] = ()
    gaps: Sequence[Gap] = ()


def shallow_loop(ctx: Context, phase: int = 0) -> LoopLimits:
    """The loop of the shallow researcher: every call counts, and the last turn is kept for the answer."""
    limits = ctx.settings.limits
    whole = LoopLimits(
        ctx.offer.tools,
        turns=limits.max_llm_turns - 1,
        calls=limits.max_tool_iterations,
        searches=limits.max_tool_iterations,
        every_call=True,
    )
    return loop_in_phase(whole, phase, ctx)


class Decision(NamedTuple):
    """What the agent does next: a message with calls, or why the loop has ended and what it has written."""

    message: Any = None
    ended: Ended | None = None
    written: str = ""
    gaps: Sequence[Gap] = ()


async def decide(run: ShallowRun, progress: LoopProgress, ctx: Context) -> Decision:
    """Let the agent search on, as long as caps and budget last."""
    loop = shallow_loop(ctx, progress.phase)
    if progress.ended or progress.turns >= loop.turns:
        return Decision(ended=progress.ended or "limit")
    try:
        message = await chat("researcher", _agent_prompt(run, ctx), ctx, tools=loop.tools)
    except (BudgetExceeded, ModelError) as error:
        is_limit = isinstance(error, BudgetExceeded)
        if not is_limit and not run.sources:
            raise
        gap = ctx.failure("no_new_searches" if is_limit else "agent_failed", error)
        return Decision(ended="limit", gaps=[gap])
    message = force_search_if_idle(message, run.query, bool(run.messages), progress, loop)
    if message.tool_calls or message.invalid_tool_calls:
        return Decision(message)
    return Decision(ended="no_tool_call", written=message.text)


def _agent_prompt(run: ShallowRun, ctx: Context) -> list[Any]:
    return [
        run.instructions,
        *([user_message(ctx.offer.documents)] if ctx.offer.documents else []),
        user_message(fence(run.query)),
        *with_source_texts(run.messages, run.sources, ctx),
    ]


def shallow_instructions(question: str, ctx: Context) -> Any:
    """The agent's instructions, with what the settings say of scope and report."""
    limits = ctx.settings.limits
    return system_prompt(
        "shallow_researcher",
        ctx,
        language=LANGUAGES_IN[ctx.settings.prompt_language][ctx.language],
        max_tool_calls=limits.max_tool_iterations,
        max_turns=limits.max_llm_turns,
        scope_notes=scope_notes(ctx.settings, question, output=True),
    )


async def synthesize_answer(run: ShallowRun, spent: bool, ctx: Context, remark: str = "") -> str:
    """The answer of a model without tools: the anchor is its last message, the evidence stands before it.

    It sees each source once and nothing of the search's errors. Sources to which the agent has pointed come
    in a message of their own: what does not fit is shortened in the oldest message first. `spent` says that
    the budget is what ended it; a `remark` of the critic stands before the anchor.
    """
    named = cited_ids(text_of_messages(run.messages))
    pointed_to = evidence_text([source for source in run.sources if source.id in named], ctx)
    others = evidence_text([source for source in run.sources if source.id not in named], ctx)
    texts = [f"Question: {fence(run.query)}\n\n{others}", pointed_to, remark, _anchor(run, spent, ctx)]
    prompt = [run.instructions, *(user_message(text) for text in texts if text)]
    return str((await chat("writer", prompt, ctx, stream=True)).text).strip()


def _anchor(run: ShallowRun, spent: bool, ctx: Context) -> str:
    """The last message: why it is the last one, what to do now, and the sources by id."""
    language = ctx.settings.prompt_language
    instruction = system_prompt(
        "synthesis_anchor",
        ctx,
        why=_WHY[language]["limit" if spent else "done"],
        language=LANGUAGES_IN[language][ctx.language],
    )
    listed = [
        f"- {source.id} — {as_attribute(source.title)} {source_label(source, undated='?')}"
        for source in run.sources
    ]
    return "\n".join([str(instruction.content), "", *listed])


class ShallowAnswer(NamedTuple):
    """The end of a shallow run: the report's text, what of it may be carried on, and new gaps."""

    draft: str
    finding: str
    gaps: Sequence[Gap] = ()
    is_cited: bool = False
    """Whether a model wrote it and cites a source, so that a critic can judge it."""


async def conclude_answer(run: ShallowRun, written: str, spent: bool, ctx: Context) -> ShallowAnswer:
    """The answer, from the agent's own last text (`written`) if that cites a source, else from the anchor."""
    ctx = ctx.about(run.question)
    if not run.sources:
        missing = nothing_found(run.query, run.gaps, ctx, run.question)
        return ShallowAnswer(no_evidence(run.question, ctx), "", missing)
    text, failure = written.strip(), None
    if sources_cited_in(text, run.sources):
        ctx.emit("token", role="writer", text=text)  # in one piece: only now it is known to be the answer
        return cited_answer(run, text)
    try:
        text = await synthesize_answer(run, spent, ctx) or text
    except (ModelError, BudgetExceeded) as error:
        failure = error
    if sources_cited_in(text, run.sources):
        return cited_answer(run, text)
    quotes = quote_sources(run.sources, ctx)
    if text and not failure:  # the check of the report looks for what it states in the sources
        return ShallowAnswer(_titled(run.question, text), quotes)
    gap = ctx.failure("sources_quoted", failure or NothingWritten("", EMPTY_ANSWER), run.question)
    body = f"## {TITLES[ctx.language]['findings']}\n\n{quotes}"
    return ShallowAnswer(_titled(run.question, body), quotes, [gap])


def cited_answer(run: ShallowRun, text: str, gaps: Sequence[Gap] = ()) -> ShallowAnswer:
    """A text that cites sources, as the answer; what it says may be carried on as it is."""
    return ShallowAnswer(_titled(run.question, text), text, gaps, is_cited=True)


def _titled(question: str, text: str) -> str:
    return text + "\n" if text.startswith("# ") else f"# {without_ids(as_title(question, text))}\n\n{text}\n"


CALLS_AFTER_REWRITE = 1
"""Model calls that an answer needs after the rewriting, besides the writer's: one turn with a search."""


class RewrittenQuery(GivenOnly):
    """A question that stands on its own."""

    query: str = Field(min_length=1, description="The question, with implied time and scope made explicit.")
    added: list[str] = Field(description="What was made explicit, in a few words each; empty if nothing.")


async def rewrite_query(history: Sequence[Mapping[str, str]], ctx: Context) -> str:
    """The question of a conversation, rewritten; the user's own words where that is off or fails.

    What the settings say of the user is not shown to the model, because it must never reach a search.
    """
    scope, said = ctx.settings.scope, user_words(history)
    if not scope.rewrite_query:
        return said
    impersonal = ctx.settings.model_copy(update={"scope": scope.model_copy(update={"user_info": {}})})
    prompt = system_prompt("query_rewriter", ctx, scope_notes=scope_notes(impersonal, said))
    messages = [prompt, *conversation(history)]
    try:
        with ctx.budget.keeping(ctx.branch, {"model_calls": CALLS_AFTER_REWRITE}):
            answer = await structured("query_rewriter", messages, RewrittenQuery, ctx)
    except (ModelError, BudgetExceeded):
        return said
    query = said if missing_details(stated_details(said), answer.query) else " ".join(answer.query.split())
    ctx.emit("call", role="query_rewriter", tool="rewrite_query", text=query, added=answer.added)
    return query
