"""The researcher: one topic, a loop of searching and reading, and limits that the code counts.

`research_step` lets the model decide, `run_tools` carries the decision out. Pages longer than
`limits.summarize_above` are summarized for the query that found them; shorter ones are read whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .context import Context
from .errors import BudgetExceeded, SearchError
from .guard import fence
from .ledger import Ledger, cited_ids
from .models import chat
from .prompting import evidence, reference, show_sources, spelled, system_prompt, words_of
from .state import Ended, Gap, Source
from .summarizer import read_page
from .supervisor import offered
from .text import shorten
from .tools import RESEARCH_COMPLETE, SEARCH, THINK, ToolCall, answer, read_calls
from .tools.search import SearchHit, search

TOOLS_OFFERED = (SEARCH, THINK, RESEARCH_COMPLETE)
MAX_QUERIES = 3
_DOUBTFUL = ("social", "unverified")
_ALIKE = 2
"""So many searches in a row without a new source mean that there is nothing new to find."""


@dataclass
class Progress:
    """Where a researcher stands: what counts against its limits."""

    turns: int = 0
    tool_calls: int = 0
    searches: int = 0
    barren: int = 0
    queries: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    ended: Ended | None = None


async def research_step(
    topic: str,
    messages: Sequence[Any],
    sources: Sequence[Source],
    ctx: Context,
    given: Sequence[Source] = (),
) -> Any:
    """The model's next decision about its topic: an assistant message.

    `given` are sources that it has before its first search.
    """
    from langchain_core.messages import HumanMessage

    limits = ctx.settings.limits
    prompt = system_prompt(
        "researcher",
        ctx,
        max_searches=limits.max_searches,
        max_tool_calls=limits.max_react_tool_calls,
        enough_sources=spelled(limits.enough_sources, ctx.settings.prompt_language),
    )
    known = [HumanMessage(evidence(given, ctx))] if given else []
    shown = [prompt, *known, HumanMessage(fence(topic)), *show_sources(messages, sources, ctx)]
    return await chat("researcher", shown, ctx, tools=offered("researcher", TOOLS_OFFERED, ctx))


def or_search(message: Any, topic: str) -> Any:
    """The message, or a search for the topic itself: for a model that answers before it has looked."""
    if message.tool_calls or message.invalid_tool_calls:
        return message
    call = {"name": SEARCH.name, "args": {"queries": [shorten(topic, 300)]}, "id": "search-first"}
    return message.model_copy(update={"tool_calls": [call]})


async def run_tools(
    message: Any, progress: Progress, ledger: Ledger, ctx: Context
) -> tuple[list[Any], list[Gap]]:
    """Carry out every call of a message; returns one tool message per call, in order, and gaps.

    Updates `progress` and `ledger`. Searches of one message run side by side.
    """
    calls = read_calls(message, offered("researcher", TOOLS_OFFERED, ctx))
    progress.turns += 1
    if not calls:
        progress.ended = progress.ended or "no_tool_call"
    admitted = [_admit(call, progress, ctx) for call in calls]
    queries = [query for call, refusal in admitted if refusal is None for query in _queries(call)]
    results = dict(
        zip(queries, await ctx.gather([search(q, "researcher", ctx) for q in queries]), strict=True)
    )
    read = await _read(results, ledger, ctx)
    gaps: list[Gap] = []
    answers = [
        answer(
            call,
            refusal if refusal is not None else _result(_queries(call), results, read, progress, gaps, ctx),
        )
        for call, refusal in admitted
    ]
    if any(reading.left_out for reading in read.values()):  # what else is found could not be kept either
        progress.ended = progress.ended or "limit"
        gaps.append(ctx.gap("budget", sources_are_full(ctx)))
    if progress.barren >= _ALIKE:
        progress.ended = progress.ended or "nothing_new"
    progress.named += cited_ids(words_of([message]))
    if _good_sources(progress.named, ledger) >= ctx.settings.limits.enough_sources:
        progress.ended = progress.ended or "enough"
    if max(progress.tool_calls, progress.turns) >= ctx.settings.limits.max_react_tool_calls:
        progress.ended = progress.ended or "limit"
    return answers, gaps


def _good_sources(named: Sequence[str], ledger: Ledger) -> int:
    """How many good sources a researcher holds for its topic.

    Only it can tell which ones bear on the topic, so those count that it cited (`[S1.3]`) in its own words;
    code sees to it that they are different ones, were read, and come from somebody who can be judged.
    """
    good = (s.id for s in ledger.sources if s.use == "read" and s.tier not in _DOUBTFUL)
    return len(set(good) & set(named))


def _queries(call: ToolCall) -> list[str]:
    """The queries of a search call that are sent: distinct ones, at most `MAX_QUERIES`."""
    return list(dict.fromkeys(q.strip() for q in call.arguments.queries if q.strip()))[:MAX_QUERIES]


def _admit(call: ToolCall, progress: Progress, ctx: Context) -> tuple[ToolCall, str | None]:
    """A call with its answer if it needs none of the outside world; None means that it is to be searched."""
    limits = ctx.settings.limits
    if call.problem:
        return call, f"Error: {fence(call.problem)}"
    if call.name == THINK.name:
        ctx.emit("call", role="researcher", tool="think", text=call.arguments.reflection)
        return call, "Noted."
    if call.name == RESEARCH_COMPLETE.name:
        progress.ended = "done"
        return call, "Noted."
    if progress.tool_calls >= limits.max_react_tool_calls or progress.searches >= limits.max_searches:
        progress.ended = "limit"
        return call, "Not done: the limit on searches is reached. Finish with what is there."
    if not _queries(call):
        return call, "Error: all queries are empty."
    progress.tool_calls += 1
    progress.searches += 1
    progress.queries += _queries(call)
    return call, None


@dataclass
class Reading:
    """The sources of one query, each with what was read of it.

    `new` counts those not seen before, `left_out` the hits over the cap on sources.
    """

    references: list[str] = field(default_factory=list)
    new: int = 0
    left_out: int = 0


async def _read(results: dict[str, Any], ledger: Ledger, ctx: Context) -> dict[str, Reading]:
    """Register the hits of all queries in order, then read their pages side by side."""
    jobs: list[tuple[str, Source, SearchHit]] = []
    readings = {query: Reading() for query, hits in results.items() if not isinstance(hits, BaseException)}
    for query, reading in readings.items():
        registered = ledger.register(results[query], query, "researcher", ctx)
        reading.new = sum(new for _, _, new in registered)
        reading.left_out = len(results[query]) - len(registered)
        jobs += [(query, source, hit) for hit, source, _ in registered]
    texts = await ctx.gather([read_page(hit, query, ctx) for query, _, hit in jobs])
    for (query, source, _), text in zip(jobs, texts, strict=True):
        key = ctx.store.pages.put(text) if isinstance(text, str) and text else ""
        if key:
            ledger.add_reading(source, key)
        readings[query].references.append(reference(source, key))
    return readings


def sources_are_full(ctx: Context) -> str:
    """What a gap says when hits are left out because of the cap on sources."""
    return f"{BudgetExceeded('sources', ctx.settings.budget.sources or 0)} Further hits were left out."


def _result(
    queries: list[str],
    results: dict[str, Any],
    read: dict[str, Reading],
    progress: Progress,
    gaps: list[Gap],
    ctx: Context,
) -> str:
    """The answer to one search call: per query its sources, or why there are none."""
    lines = []
    answered = [reading for query in queries if (reading := read.get(query))]
    for query in queries:
        outcome = results[query]
        if isinstance(outcome, BudgetExceeded):
            progress.ended = "limit"
            lines.append(f"Not done: {outcome}")
            gaps.append(ctx.gap("budget", str(outcome)))
        elif isinstance(outcome, SearchError):
            lines.append(f"Error: {fence(str(outcome))}")
            gaps.append(ctx.gap("branch_failed", f"The search for “{query}” failed: {outcome}"))
        elif isinstance(outcome, BaseException):
            raise outcome
        else:
            lines += _listed(query, read[query])
    if answered:  # an outage says nothing about what there is to find
        progress.barren = 0 if any(reading.new for reading in answered) else progress.barren + 1
    return "\n".join(lines)


def _listed(query: str, reading: Reading) -> list[str]:
    """The lines of one query that was answered."""
    if not reading.references and not reading.left_out:
        return [f"No results for “{fence(query)}”."]
    full = f"Left out: {reading.left_out} more, because the limit on sources is reached."
    return [f"Results for “{fence(query)}”:", *reading.references, *([full] if reading.left_out else [])]
