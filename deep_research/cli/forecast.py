"""What a live run comes to, usually and at most: calls, searches, tokens and money.

The arithmetic is that of a run in which every loop goes to its limit and every prompt fills the model's
window (pages as long as allowed, in Latin script), before retries and repair turns. Real runs stay far below;
a budget makes the bound as tight as one likes. What is usual was measured: a question that wants a report,
asked offline of each design with the preset medium.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from deep_research.components.researcher.reading import MAX_QUERIES
from deep_research.components.writer.sections import MAX_SECTIONS
from deep_research.engine.clients import LOCAL, price
from deep_research.settings import Settings
from deep_research.systems.deep_researcher.orchestrator import TURNS
from deep_research.systems.topic_queue.blocks import room_for
from deep_research.systems.topic_queue.research import CALLS_PER_ROUND

_TOKENS_PER_CHARACTER = 1.1 / 4
_PAGE_ROLES = {"clarifier", "brief_writer", "query_rewriter", "router", "summarizer"}
"""Roles whose prompt is about as long as a page; the prompts of the others may fill the window."""


_USUAL = {
    "open_deep_research": (60, 29), "shallow_researcher": (14, 6), "auto": (61, 29), "graph_agent": (60, 30),
    "deep_researcher": (61, 22), "topic_queue": (93, 41),
}  # fmt: skip
"""System → model calls and searches of a usual report."""
_USUAL_TOKENS = 3_400, 600
"""Tokens that a usual call reads and writes."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What one run comes to. `cost_usd` is None when a model's price is not known."""

    topics: int
    model_calls: int
    searches: int
    tokens: int
    cost_usd: float | None


def total(each: Iterable[Forecast]) -> Forecast:
    """What several runs come to together."""
    runs = list(each)
    costs = [run.cost_usd for run in runs if run.cost_usd is not None]
    return Forecast(
        sum(run.topics for run in runs),
        sum(run.model_calls for run in runs),
        sum(run.searches for run in runs),
        sum(run.tokens for run in runs),
        sum(costs) if len(costs) == len(runs) else None,
    )


CallCounts = list[tuple[str, int]]
"""Roles, with how often each is called at most."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a design: how many topics it researches at most, and what so many topics come to."""

    most_topics: Callable[[Settings], int]
    count: Callable[[Settings, int], tuple[int, CallCounts]]
    """Settings and a number of topics → searches, and calls by role."""


def forecast(settings: Settings, topics: int | None = None) -> Forecast:
    """The bounds for `topics` researched topics; by default as many as the limits allow."""
    budget, parts = settings.budget, _PARTS.get(settings.system, (_OPEN,))
    most = max(part.most_topics(settings) for part in parts)
    topics = most if topics is None else min(topics, most)
    counted = [part.count(settings, topics) for part in parts]
    calls = [(role, n, *_tokens(settings, role)) for _, counts in counted for role, n in counts]
    cost = _cost(settings, calls)
    return Forecast(
        topics,
        _capped(sum(n for _, n, _, _ in calls), budget.model_calls),
        _capped(sum(searches for searches, _ in counted), budget.searches),
        _capped(sum(n * (read + written) for _, n, read, written in calls), budget.tokens),
        None if cost is None else min(cost, budget.cost_usd or cost),  # an unknown price binds nothing
    )


def usual(settings: Settings) -> Forecast:
    """What a usual report comes to, which is no more than the bound for one topic."""
    bound, (calls, searches) = forecast(settings, 1), _USUAL.get(settings.system, _USUAL["auto"])
    calls, searches = min(calls, bound.model_calls), min(searches, bound.searches)
    cost = _cost(settings, [("researcher", calls, *_USUAL_TOKENS)])
    cost = None if bound.cost_usd is None or cost is None else min(cost, bound.cost_usd)
    return Forecast(1, calls, searches, min(calls * sum(_USUAL_TOKENS), bound.tokens), cost)


def _count_open(settings: Settings, topics: int) -> tuple[int, CallCounts]:
    searches, researchers = _count_researchers(settings, topics)
    return searches, [
        *_count_scoping(settings),
        ("supervisor", min(topics, settings.limits.max_researcher_iterations) + 1),
        *researchers,
        ("writer", _calls_per_report(settings)),
    ]


def _count_graph(settings: Settings, topics: int) -> tuple[int, CallCounts]:
    """The graph agent: each pass over the questions is vetted and reviewed, each draft may bring remarks."""
    drafts = 1 + settings.graph.max_feedback_passes
    passes = drafts + settings.graph.max_revisions
    searches, researchers = _count_researchers(settings, topics)
    counts = [("brief_writer", 1), ("planner", 1), *researchers, ("vetter", passes), ("critic", passes)]
    return 1 + searches, [*counts, ("writer", drafts * _calls_per_report(settings))]  # 1: the first look


def _count_rounds(settings: Settings, topics: int) -> tuple[int, CallCounts]:
    """The deep researcher: a plan in two versions and its changes, then rounds, each drafted and reviewed."""
    deep = settings.deep
    rounds, looked_up = deep.max_loops * (1 + deep.max_run_retries), deep.planner_searches * MAX_QUERIES
    searches, researchers = _count_researchers(settings, topics)
    outlines = 2 * (2 + deep.max_plan_changes)  # each may be sent back once
    return looked_up + searches, [
        *_count_scoping(settings),
        ("planner", outlines + deep.planner_searches + 1),
        *researchers,
        ("summarizer", looked_up * settings.search.results),
        ("orchestrator", rounds * TURNS),
        ("critic", rounds),
        ("writer", rounds * deep.max_queries),  # as many sections as queries, at most
    ]


def _count_queue(settings: Settings, topics: int) -> tuple[int, CallCounts]:
    """The topic queue: a round decides twice and takes notes; the report has a part for each topic."""
    queue = settings.queue
    rounds = topics * queue.max_iterations * (1 + queue.max_block_retries)
    searches = rounds * CALLS_PER_ROUND * MAX_QUERIES
    planning = queue.initial_topics if queue.decompose == "manual" else 1
    return planning + searches, [
        ("planner", 2 * 2 + 1 + 2 * queue.max_rephrase_rounds * int(queue.rephrase)),
        ("researcher", 2 * rounds),
        ("summarizer", searches * settings.search.results),
        ("compressor", 2 * rounds * CALLS_PER_ROUND),
        ("writer", 1 + topics + 2),
    ]


def _count_shallow(settings: Settings, topics: int) -> tuple[int, CallCounts]:
    """The shallow researcher: its turns, the last of which may be asked for twice."""
    searches = settings.limits.max_tool_iterations * MAX_QUERIES
    return searches, [
        ("query_rewriter", int(settings.scope.rewrite_query)),
        ("researcher", settings.limits.max_llm_turns - 1),
        ("summarizer", searches * settings.search.results),
        ("writer", 1),
    ]


def _count_router(settings: Settings, topics: int) -> tuple[int, CallCounts]:
    """The router: the way, and whether the first answer is enough."""
    return 0, [("router", 1 + settings.limits.max_escalations)]


def _count_scoping(settings: Settings) -> CallCounts:
    asks = settings.limits.max_clarifications + 1 if settings.scope.clarify != "off" else 0
    return [("clarifier", asks), ("brief_writer", 1)]


def _count_researchers(settings: Settings, topics: int) -> tuple[int, CallCounts]:
    """The searches of so many researchers, and how often each of their roles is called."""
    limits = settings.limits
    searches = topics * min(limits.max_searches, limits.max_react_tool_calls) * MAX_QUERIES
    return searches, [
        ("researcher", topics * (limits.max_react_tool_calls + 1)),
        ("summarizer", searches * settings.search.results),
        ("compressor", topics),
    ]


def _calls_per_report(settings: Settings) -> int:
    return 1 if settings.writer.mode == "one_shot" else 1 + MAX_SECTIONS


def _most_questions(settings: Settings) -> int:
    graph = settings.graph
    passes = 1 + graph.max_revisions + graph.max_feedback_passes
    return min(graph.max_questions * passes, graph.max_node_visits)


def _most_rounds(settings: Settings) -> int:
    deep, more = settings.deep, settings.limits.max_concurrent_research_units
    return (deep.max_queries + (deep.max_loops - 1) * more) * (1 + deep.max_run_retries)


def _most_queued(settings: Settings) -> int:
    queue = settings.queue
    return room_for(queue.initial_topics if queue.decompose == "manual" else queue.auto_max_topics, queue)


_OPEN = _Part(
    lambda s: s.limits.max_researcher_iterations * s.limits.max_concurrent_research_units, _count_open
)
_SHALLOW = _Part(lambda _: 1, _count_shallow)
_PARTS = {
    "open_deep_research": (_OPEN,),
    "shallow_researcher": (_SHALLOW,),
    "auto": (_Part(lambda _: 1, _count_router), _SHALLOW, _OPEN),
    "graph_agent": (_Part(_most_questions, _count_graph),),
    "deep_researcher": (_Part(_most_rounds, _count_rounds),),
    "topic_queue": (_Part(_most_queued, _count_queue),),
}
"""System → the parts that its calls come from."""


def _tokens(settings: Settings, role: str) -> tuple[int, int]:
    """The most tokens that one call of a role reads and writes."""
    output, window = settings.most_output(role), settings.context_window
    page = min(int(settings.limits.max_content_length * _TOKENS_PER_CHARACTER), window)
    return min(page if role in _PAGE_ROLES else window, max(window - output, 0)), output


def _cost(settings: Settings, calls: list[tuple[str, int, int, int]]) -> float | None:
    """US dollars of the calls; None if a real model is not in the price list."""
    total = 0.0
    for role, count, read, written in calls:
        spec = settings.model_for(role)
        each = price(spec, read, written)
        if count and not each and spec.partition(":")[0] not in ("offline", LOCAL):
            return None
        total += count * each
    return total


def _capped(value: int, cap: int | None) -> int:
    return value if cap is None else min(value, cap)
