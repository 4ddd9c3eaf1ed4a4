"""What a live run can come to at most: calls, searches, tokens and money, from its limits and its budget.

The arithmetic is that of a run in which every loop goes to its limit and every prompt fills the model's
window (pages as long as allowed, in Latin script), before retries and repair turns. Real runs stay far below;
a budget makes the bound as tight as one likes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..settings import Settings

_TOKENS_PER_CHARACTER = 1.1 / 4


@dataclass(frozen=True, slots=True)
class Forecast:
    """Upper bounds of one run. `cost_usd` is None when a model's price is not known."""

    topics: int
    model_calls: int
    searches: int
    tokens: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class _Calls:
    """So many calls of one role, each with at most these tokens."""

    role: str
    count: int
    input_tokens: int
    output_tokens: int


def forecast(settings: Settings, topics: int | None = None) -> Forecast:
    """The bounds for `topics` researched topics; by default as many as the limits allow."""
    budget, shares = settings.budget, _SHARES.get(settings.system, _SHARES["open_deep_research"])
    most = max(_MOST[share](settings) for share in shares)
    topics = most if topics is None else min(topics, most)
    parts = [share(settings, topics) for share in shares]
    searches = sum(part.searches for part in parts)
    calls = [call for part in parts for call in part.calls]
    tokens = sum(part.count * (part.input_tokens + part.output_tokens) for part in calls)
    cost = _cost(settings, calls)
    return Forecast(
        topics,
        _capped(sum(part.count for part in calls), budget.model_calls),
        _capped(searches, budget.searches),
        _capped(tokens, budget.tokens),
        budget.cost_usd if cost is None else min(cost, budget.cost_usd or cost),
    )


@dataclass(frozen=True, slots=True)
class _Share:
    """What one part of a design can come to."""

    searches: int
    calls: list[_Calls]


def _deep(settings: Settings, topics: int) -> _Share:
    """Open Deep Research: how often each role is called at most, and how large a call can be."""
    limits = settings.limits
    page, window = _page(settings), settings.context_window
    asks = limits.max_clarifications + 1 if settings.scope.clarify != "off" else 0
    searches, researchers = _researchers(settings, topics)
    counts = [
        ("clarifier", asks, page),
        ("brief_writer", 1, page),
        ("supervisor", min(topics, limits.max_researcher_iterations) + 1, window),
        *researchers,
        ("writer", _report(settings), window),
    ]
    return _Share(searches, [_largest(settings, *row) for row in counts])


def _graph(settings: Settings, topics: int) -> _Share:
    """The graph agent: each pass over the questions is vetted and reviewed, each draft may bring remarks."""
    page, window = _page(settings), settings.context_window
    drafts = 1 + settings.graph.max_feedback_passes
    passes = drafts + settings.graph.max_revisions
    searches, researchers = _researchers(settings, topics)
    counts = [
        ("brief_writer", 1, page),
        ("planner", 1, window),
        *researchers,
        ("vetter", passes, window),
        ("critic", passes, window),
        ("writer", drafts * _report(settings), window),
    ]
    return _Share(1 + searches, [_largest(settings, *row) for row in counts])  # the one: the first look


def _queue(settings: Settings, topics: int) -> _Share:
    """The topic queue: a round decides twice and takes notes; the report has a part for each topic."""
    from ..looking import MAX_QUERIES
    from ..topic_research import CALLS_PER_ROUND

    queue, page, window = settings.queue, _page(settings), settings.context_window
    rounds = topics * queue.max_iterations * (1 + queue.max_block_retries)
    searches = rounds * CALLS_PER_ROUND * MAX_QUERIES
    counts = [
        ("planner", 2 * 2 + 1 + 2 * queue.max_rephrase_rounds * int(queue.rephrase), window),
        ("researcher", 2 * rounds, window),
        ("summarizer", searches * settings.search.results, page),
        ("compressor", 2 * rounds * CALLS_PER_ROUND, window),
        ("writer", 1 + topics + 2, window),
    ]
    planning = queue.initial_topics if queue.decompose == "manual" else 1
    return _Share(planning + searches, [_largest(settings, *row) for row in counts])


def _researchers(settings: Settings, topics: int) -> tuple[int, list[tuple[str, int, int]]]:
    """The searches of so many researchers, and how often each of their roles is called."""
    from ..looking import MAX_QUERIES

    limits = settings.limits
    searches = topics * min(limits.max_searches, limits.max_react_tool_calls) * MAX_QUERIES
    return searches, [
        ("researcher", topics * (limits.max_react_tool_calls + 1), settings.context_window),
        ("summarizer", searches * settings.search.results, _page(settings)),
        ("compressor", topics, settings.context_window),
    ]


def _report(settings: Settings) -> int:
    """Calls for one report."""
    from ..sections import MAX_SECTIONS

    return 1 if settings.writer.mode == "one_shot" else 1 + MAX_SECTIONS


def _shallow(settings: Settings, topics: int) -> _Share:
    """The shallow researcher: its turns, the last of which may be asked for twice."""
    from ..looking import MAX_QUERIES

    limits = settings.limits
    page, window = _page(settings), settings.context_window
    searches = limits.max_tool_iterations * MAX_QUERIES
    counts = [
        ("query_rewriter", int(settings.scope.rewrite_query), page),
        ("researcher", limits.max_llm_turns - 1, window),
        ("summarizer", searches * settings.search.results, page),
        ("writer", 1, window),
    ]
    return _Share(searches, [_largest(settings, *row) for row in counts])


def _router(settings: Settings, topics: int) -> _Share:
    """The router: the way, and whether the first answer is enough."""
    return _Share(0, [_largest(settings, "router", 1 + settings.limits.max_escalations, _page(settings))])


_SHARES: dict[str, tuple[Callable[[Settings, int], _Share], ...]] = {
    "open_deep_research": (_deep,),
    "shallow_researcher": (_shallow,),
    "auto": (_router, _shallow, _deep),
    "graph_agent": (_graph,),
    "topic_queue": (_queue,),
}
"""System → the parts that its calls come from."""


def _rounds_of_topics(settings: Settings) -> int:
    return settings.limits.max_researcher_iterations * settings.limits.max_concurrent_research_units


def _passes_of_questions(settings: Settings) -> int:
    graph = settings.graph
    passes = 1 + graph.max_revisions + graph.max_feedback_passes
    return min(graph.max_questions * passes, graph.max_node_visits)


def _length_of_the_queue(settings: Settings) -> int:
    from ..topic_blocks import room_for

    queue = settings.queue
    first = queue.initial_topics if queue.decompose == "manual" else queue.auto_max_topics
    return room_for(first, queue)


def _one_topic(settings: Settings) -> int:
    return 1


_MOST: dict[Callable[[Settings, int], _Share], Callable[[Settings], int]] = {
    _deep: _rounds_of_topics,
    _graph: _passes_of_questions,
    _queue: _length_of_the_queue,
    _shallow: _one_topic,
    _router: _one_topic,
}
"""Part → how many topics it researches at most."""


def _page(settings: Settings) -> int:
    """Tokens of the longest page."""
    return min(int(settings.limits.max_content_length * _TOKENS_PER_CHARACTER), settings.context_window)


def _largest(settings: Settings, role: str, count: int, most: int) -> _Calls:
    output = settings.output_tokens.of(role)
    return _Calls(role, count, min(most, max(settings.context_window - output, 0)), output)


def _cost(settings: Settings, calls: list[_Calls]) -> float | None:
    """US dollars of the calls; None if a real model is not in the price list."""
    from ..models import price

    total = 0.0
    for part in calls:
        spec = settings.model_for(part.role)
        each = price(spec, part.input_tokens, part.output_tokens)
        if part.count and not each and not spec.startswith("offline"):
            return None
        total += part.count * each
    return total


def _capped(value: int, cap: int | None) -> int:
    return value if cap is None else min(value, cap)
