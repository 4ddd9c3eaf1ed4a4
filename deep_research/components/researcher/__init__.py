"""The researcher: one topic, a loop of searching and reading, and limits that the code counts.

`research_step` lets the model decide, `run_tools` carries the decision out. What the loop may do is a
`LoopLimits`, so that other designs use `run_tools` with limits of their own. `reading.py` reads the hits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from deep_research.core.errors import BudgetExceeded, SearchError, ToolError
from deep_research.core.forms import topic_title
from deep_research.core.records import Ended, Gap, Source
from deep_research.engine.chat import chat
from deep_research.engine.context import Context
from deep_research.engine.evidence import AnswerLine, answer_with_sources, evidence_text, with_source_texts
from deep_research.engine.prompting import (
    spelled_number,
    system_prompt,
    text_of_messages,
    tool_variables,
    user_message,
)
from deep_research.engine.tools import (
    RESEARCH_COMPLETE,
    SEARCH,
    THINK,
    SearchArguments,
    Tool,
    ToolCall,
    read_calls,
    tools_of_role,
)
from deep_research.sources.ledger import Ledger
from deep_research.sources.search import failure_gaps
from deep_research.text.fence import fence, fence_page
from deep_research.text.inventions import names_in_text
from deep_research.text.language import shorten
from deep_research.text.source_ids import cited_ids

from .reading import (
    MAX_QUERIES,
    Query,
    Reading,
    carry_out_query,
    queries_in_call,
    read_hits,
    result_lines,
    sources_are_full,
)

RESEARCHER_TOOLS = (SEARCH, THINK, RESEARCH_COMPLETE)
FORCED = "search-first"
"""The id of the call that code makes where a model searches nothing."""
_DOUBTFUL = ("social", "unverified")
_ALIKE = 2
"""So many searches in a row without a new source mean that there is nothing new to find."""


@dataclass(frozen=True, slots=True)
class LoopLimits:
    """What a loop of tool calls may do: its tools, and what ends it.

    Besides the numbers of turns, calls and searches, it ends after `enough` good sources, or after `alike`
    searches in a row without a new one (0: never). With `every_call`, thoughts and faulty calls count too.
    With `more` another phase follows (`source_order`): what ends it leads there, and not to the end.
    `role` is whose loop it is.
    """

    tools: Sequence[Tool]
    turns: int
    calls: int
    searches: int
    enough: int = 0
    alike: int = 0
    every_call: bool = False
    more: bool = False
    role: str = "researcher"


def loop_in_phase(loop: LoopLimits, phase: int, ctx: Context) -> LoopLimits:
    """A loop as it is in one phase: the tools of that phase and, while another follows, half the limits."""
    tools = ctx.offer.tools_in_phase(loop.tools, phase)
    if not ctx.offer.has_phase_after(phase):
        return replace(loop, tools=tools)
    half = {name: max(getattr(loop, name) // 2, 1) for name in ("turns", "calls", "searches")}
    return replace(loop, tools=tools, more=True, **half)


def researcher_loop(ctx: Context, phase: int = 0) -> LoopLimits:
    """The loop of Open Deep Research's researcher."""
    limits = ctx.settings.limits
    whole = LoopLimits(
        tools_of_role("researcher", RESEARCHER_TOOLS, ctx.settings),
        turns=limits.max_react_tool_calls,
        calls=limits.max_react_tool_calls,
        searches=limits.max_searches,
        enough=limits.enough_sources,
        alike=_ALIKE,
    )
    return loop_in_phase(whole, phase, ctx)


@dataclass
class LoopProgress:
    """Where a researcher stands: what counts against its limits."""

    turns: int = 0
    tool_calls: int = 0
    searches: int = 0
    barren: int = 0
    queries: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    ended: Ended | None = None
    phase: int = 0
    opening: bool = False  # nothing was asked in this phase yet, though there was one before


async def research_step(
    topic: str,
    messages: Sequence[Any],
    sources: Sequence[Source],
    ctx: Context,
    given: Sequence[Source] = (),
    loop: LoopLimits | None = None,
) -> Any:
    """The model's next decision about its topic: an assistant message.

    `given` are sources that it has before its first search. Without a `loop` it is the researcher's own.
    """
    tools = (loop or researcher_loop(ctx)).tools
    prompt = system_prompt("researcher", ctx, **researcher_variables(tools, ctx))
    known = [user_message(evidence_text(given, ctx))] if given else []
    shown = [prompt, *known, user_message(fence(topic)), *with_source_texts(messages, sources, ctx)]
    return await chat("researcher", shown, ctx, tools=tools)


def researcher_variables(tools: Sequence[Tool], ctx: Context) -> dict[str, Any]:
    """What a researcher's prompt is filled with: its tools, and what the limits ask of it."""
    limits = ctx.settings.limits
    return {
        **tool_variables(tools, ctx.settings),
        "max_searches": limits.max_searches,
        "max_tool_calls": limits.max_react_tool_calls,
        "enough_sources": spelled_number(limits.enough_sources, ctx.settings),
    }


def force_search_if_idle(
    message: Any, topic: str, begun: bool, progress: LoopProgress, loop: LoopLimits
) -> Any:
    """The message; or a call in its place where a model stops before it has looked where it is to look.

    That is a search for the topic and the names in it at the beginning (of each phase, where sources have an
    order), also where the model only ends, fails, or thinks twice; else the end of a phase.
    """
    calls = read_calls(message, loop.tools)
    only_thinks = bool(calls) and all(call.name == THINK.name and not call.problem for call in calls)
    idle = all(call.problem or call.name in (THINK.name, RESEARCH_COMPLETE.name) for call in calls)
    if calls and (not idle or progress.queries or (only_thinks and not begun)):
        return message
    if not begun or progress.opening or (calls and not progress.queries):
        able = (tool.name for tool in loop.tools if issubclass(tool.arguments, SearchArguments))
        queries = list(dict.fromkeys([shorten(topic, 300), *names_in_text(topic)]))[:MAX_QUERIES]
        call = {"name": next(able, SEARCH.name), "args": {"queries": queries}, "id": FORCED}
    elif loop.more:
        call = {"name": RESEARCH_COMPLETE.name, "args": {}, "id": f"phase-{progress.phase}-done"}
    else:
        return message
    changed = {"tool_calls": [{**call, "type": "tool_call"}], "invalid_tool_calls": [], "content": ""}
    return message.model_copy(update=changed)


async def run_tools(
    message: Any,
    progress: LoopProgress,
    ledger: Ledger,
    ctx: Context,
    loop: LoopLimits | None = None,
    given: Sequence[Source] = (),
) -> tuple[list[Any], list[Gap]]:
    """Carry out every call of a message; returns one tool message per call, in order, and gaps.

    Updates `progress` and `ledger`. Searches of one message run side by side. Without a `loop` it is the
    researcher's own. `given` are sources from before the loop, which calculations may start from too.
    """
    loop = loop or researcher_loop(ctx)
    calls = read_calls(message, loop.tools)
    progress.turns += 1
    progress.opening = False
    if not calls:
        progress.ended = progress.ended or "no_tool_call"
    admitted = [(call, *_admit(call, progress, loop, ctx)) for call in calls]
    queries = [query for _, _, wanted in admitted for query in wanted]
    known = [*given, *ledger.sources]
    found = await ctx.gather([carry_out_query(query, known, loop.role, ctx) for query in queries])
    results = dict(zip(queries, found, strict=True))
    read = await read_hits(results, ledger, loop.role, ctx)
    gaps = [
        ctx.gap("own_search", "searched_itself", about=topic_title(query.text, ctx.question))
        for call, _, wanted in admitted
        for query in wanted[:1]
        if call.id == FORCED
    ]
    answers = [
        [told] if told is not None else _result(wanted, results, read, progress, gaps, ctx)
        for _, told, wanted in admitted
    ]
    if any(reading.left_out for reading in read.values()):  # what else is found could not be kept either
        progress.ended = progress.ended or "limit"
        gaps.append(sources_are_full(ctx))
    progress.named += cited_ids(text_of_messages([message]))
    progress.ended = progress.ended or _end(progress, ledger, loop)
    if progress.ended and loop.more and answers:
        answers[-1].append(_begin_next_phase(progress, ctx))
    return [answer_with_sources(call, lines) for call, lines in zip(calls, answers, strict=True)], gaps


def _begin_next_phase(progress: LoopProgress, ctx: Context) -> str:
    """Go on at the other side; returns the line that says so to the model."""
    ctx.emit("call", role="researcher", tool="next_phase", text=f"{progress.ended}", phase=progress.phase + 1)
    progress.phase, progress.opening, progress.ended = progress.phase + 1, True, None
    progress.barren, progress.named = 0, []
    outside = ctx.offer.order[progress.phase] == "outside"
    side = "outside, on the web" if outside else "in the user's own documents"
    return f"This part of the search is over. Now look {side}."


def _end(progress: LoopProgress, ledger: Ledger, loop: LoopLimits) -> Ended | None:
    """Why the loop ends now, if it does."""
    if loop.alike and progress.barren >= loop.alike:
        return "nothing_new"
    if loop.enough and _good_sources(progress.named, ledger) >= loop.enough:
        return "enough"
    return "limit" if progress.tool_calls >= loop.calls or progress.turns >= loop.turns else None


def _good_sources(named: Sequence[str], ledger: Ledger) -> int:
    """How many good sources a researcher holds for its topic.

    Only it can tell which ones bear on the topic, so those count that it cited (`[S1.3]`) in its own words;
    code sees to it that they are different ones, were read, and come from somebody who can be judged.
    """
    good = (s.id for s in ledger.sources if s.use == "read" and s.tier not in _DOUBTFUL)
    return len(set(good) & set(named))


def _admit(
    call: ToolCall, progress: LoopProgress, loop: LoopLimits, ctx: Context
) -> tuple[str | None, Sequence[Query]]:
    """The answer to a call that needs none of the outside world, or else the queries to be sent."""
    told = _at_once(call, progress, loop.role, ctx)
    queries = [] if told is not None else queries_in_call(call, loop.tools, ctx)
    searches = any(query.is_search for query in queries)
    if told is None and not queries:
        told = "Error: no query has words to search for."
    if queries or loop.every_call:
        spent = (searches or told is not None) and progress.searches >= loop.searches
        if progress.tool_calls >= loop.calls or spent:
            progress.ended = "limit"
            return "Not done: the limit on searches is reached. Finish with what is there.", []
        progress.tool_calls += 1
        progress.searches += searches
        progress.queries += [query.text for query in queries]
    return told, queries


def _at_once(call: ToolCall, progress: LoopProgress, role: str, ctx: Context) -> str | None:
    """The answer to a call that is no search."""
    if call.problem:
        return f"Error: {call.problem}"
    if call.name == THINK.name:
        ctx.emit("call", role=role, tool="think", text=call.arguments.reflection)
        return "Noted."
    if call.name == RESEARCH_COMPLETE.name:
        progress.ended = "done"
        return "Noted."
    return None


def _result(
    queries: Sequence[Query],
    results: Mapping[Query, Any],
    read: Mapping[Query, Reading],
    progress: LoopProgress,
    gaps: list[Gap],
    ctx: Context,
) -> list[AnswerLine]:
    """The answer to one search call: per query its sources, or why there are none."""
    lines: list[AnswerLine] = []
    answered = [reading for query in queries if query.is_search and (reading := read.get(query))]
    for query in queries:
        outcome = results[query]
        if isinstance(outcome, BudgetExceeded):
            progress.ended = "limit"
            lines.append(f"Not done: {outcome}")
            gaps.append(ctx.failure("limit_reached", outcome))
        elif isinstance(outcome, ToolError):
            lines.append(f"Not done: {fence_page(str(outcome))}")
        elif isinstance(outcome, SearchError):
            lines.append(f"Error: {fence(str(outcome))}")
            gaps.append(ctx.failure("search_failed", outcome, query=query.text))
        elif isinstance(outcome, BaseException):
            raise outcome
        else:
            lines += result_lines(query.text, read[query])
            gaps += failure_gaps(outcome, query.text, ctx)
    if answered:  # an outage says nothing about what there is to find
        progress.barren = 0 if any(reading.new for reading in answered) else progress.barren + 1
    return lines
