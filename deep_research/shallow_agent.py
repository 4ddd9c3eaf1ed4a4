"""The shallow researcher's parts: one turn of its agent, and the end, at which it must answer.

The end has three steps, each for when the one before gave nothing that cites a source: what the agent has
written by itself; the *synthesis anchor*, a last message after which it is called without tools, with each
source once; and a plain word that the answer rests on nothing that could be checked. Should no model be able
to answer at all, the sources are quoted, so that what was found is not lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .compressor import quote_sources
from .context import Context
from .data_sources import documents_text, search_tools
from .draft_review import reviewed
from .errors import BudgetExceeded, ModelError
from .gaps import told
from .glossary import shown
from .guard import fence, without_ids
from .ledger import by_any_id, cited_ids, report_language
from .models import chat
from .output_notes import output_lines
from .prompting import (
    LANGUAGES_IN,
    attribute,
    evidence,
    scope_notes,
    show_sources,
    system_prompt,
    words_of,
)
from .researcher import Loop, in_phase
from .researcher_graph import nothing_found
from .state import Gap, Source
from .writer import TITLES, no_evidence

_WHY = {
    "en": {"limit": "The budget is spent.", "done": "The research is finished."},
    "zh": {"limit": "预算已经用完。", "done": "研究已经结束。"},
    "ja": {"limit": "予算を使い切りました。", "done": "調査は終わりました。"},
}


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a shallow run stands: the question, how it was rewritten, and what came of it so far."""

    question: str
    query: str
    messages: Sequence[Any] = ()
    sources: Sequence[Source] = ()
    gaps: Sequence[Gap] = ()


def shallow_loop(ctx: Context, phase: int = 0) -> Loop:
    """The loop of the shallow researcher: every call counts, and the last turn is kept for the answer."""
    limits = ctx.settings.limits
    whole = Loop(
        search_tools(ctx),
        turns=limits.max_llm_turns - 1,
        calls=limits.max_tool_iterations,
        searches=limits.max_tool_iterations,
        every_call=True,
    )
    return in_phase(whole, phase, ctx)


async def agent_turn(run: Standing, ctx: Context, loop: Loop | None = None) -> Any:
    """The agent's next message: calls of its tools, or its answer."""
    from langchain_core.messages import HumanMessage

    documents = documents_text(ctx)
    shown_to_it = [
        _instructions(run.question, ctx),
        *([HumanMessage(documents)] if documents else []),
        HumanMessage(fence(run.query)),
        *show_sources(run.messages, run.sources, ctx),
    ]
    return await chat("researcher", shown_to_it, ctx, tools=(loop or shallow_loop(ctx)).tools)


def _instructions(question: str, ctx: Context) -> Any:
    scope, limits, language = ctx.settings.scope, ctx.settings.limits, ctx.settings.prompt_language
    return system_prompt(
        "shallow_researcher",
        ctx,
        language=LANGUAGES_IN[language][report_language(question, ctx.settings.language)],
        max_tool_calls=limits.max_tool_iterations,
        max_turns=limits.max_llm_turns,
        scope_notes=scope_notes(
            scope, shown(scope.glossary, question), language, wanted=output_lines(ctx.settings, language)
        ),
    )


async def synthesize(run: Standing, spent: bool, ctx: Context, remark: str = "") -> str:
    """The answer of a model without tools: the anchor is its last message, the evidence stands before it.

    It sees each source once and nothing of the search's errors. Sources to which the agent has pointed come
    in a message of their own: what does not fit is shortened in the oldest message first. `spent` says that
    the budget is what ended it; a `remark` of the critic stands before the anchor.
    """
    from langchain_core.messages import HumanMessage

    named = cited_ids(words_of(run.messages))
    pointed_to = evidence([source for source in run.sources if source.id in named], ctx)
    others = evidence([source for source in run.sources if source.id not in named], ctx)
    material = [f"Question: {fence(run.query)}\n\n{others}", *([pointed_to] if pointed_to else [])]
    asked = [HumanMessage(text) for text in (*material, remark, _anchor(run, spent, ctx)) if text]
    message = await chat("writer", [_instructions(run.question, ctx), *asked], ctx, stream=True)
    return str(message.text).strip()


def _anchor(run: Standing, spent: bool, ctx: Context) -> str:
    """The last message: why it is the last one, what to do now, and the sources by id."""
    language = ctx.settings.prompt_language
    instruction = system_prompt(
        "synthesis_anchor",
        ctx,
        why=_WHY[language]["limit" if spent else "done"],
        language=LANGUAGES_IN[language][report_language(run.question, ctx.settings.language)],
    )
    listed = [
        f"- {source.id} — {attribute(source.title)} ({attribute(source.published or '?')}; {source.tier})"
        for source in run.sources
    ]
    return "\n".join([str(instruction.content), "", *listed])


class Answer(NamedTuple):
    """The end of a shallow run: the report's text, what of it may be carried on, and new gaps."""

    draft: str
    finding: str
    gaps: list[Gap]


async def conclude(run: Standing, written: str, spent: bool, ctx: Context) -> Answer:
    """The answer, from the agent's own last text (`written`) if that cites a source, else from the anchor."""
    language = report_language(run.question, ctx.settings.language)
    if not run.sources:
        missing = nothing_found(run.query, run.gaps, ctx, run.question)
        return Answer(no_evidence(run.question, [*run.gaps, *missing], language), "", missing)
    text = written.strip()
    if cites(text, run.sources):
        ctx.emit("token", role="writer", text=text)  # in one piece: only now it is known to be the answer
        return await _checked(run, text, ctx)
    try:
        text = await synthesize(run, spent, ctx) or text
    except (ModelError, BudgetExceeded) as error:
        return _quoted(run, error, language, ctx)
    if cites(text, run.sources):
        return await _checked(run, text, ctx)
    uncited = ctx.gap("uncited", "uncited", run.question, n=len(run.sources))
    draft = _titled(run.question, f"{told(uncited, language)}\n\n{text}")
    return Answer(draft, quote_sources(run.sources, ctx), [uncited])


async def _checked(run: Standing, text: str, ctx: Context) -> Answer:
    """The answer after the critic, where the settings want one."""

    async def rewrite(remark: str) -> str:
        return await synthesize(run, False, ctx, remark)

    text, open_points = await reviewed(run.question, text, run.sources, rewrite, ctx)
    return Answer(_titled(run.question, text), text, open_points)


def _quoted(run: Standing, error: Exception, language: str, ctx: Context) -> Answer:
    """The sources' own words, where no model can answer."""
    quotes = quote_sources(run.sources, ctx)
    failed = ctx.failure("sources_quoted", error, run.question)
    return Answer(_titled(run.question, f"## {TITLES[language]['findings']}\n\n{quotes}"), quotes, [failed])


def cites(text: str, sources: Sequence[Source]) -> bool:
    """Whether a text cites any of these sources."""
    return not by_any_id(sources).keys().isdisjoint(cited_ids(text))


def _titled(question: str, text: str) -> str:
    return text + "\n" if text.startswith("# ") else f"# {without_ids(question)}\n\n{text}\n"
