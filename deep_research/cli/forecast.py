"""What a live run can come to at most: calls, searches, tokens and money, from its limits and its budget.

The arithmetic is that of a run in which every loop goes to its limit and every prompt fills the model's
window (pages as long as allowed, in Latin script), before retries and repair turns. Real runs stay far below;
a budget makes the bound as tight as one likes.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    limits, budget = settings.limits, settings.budget
    most = limits.max_researcher_iterations * limits.max_concurrent_research_units
    topics = most if topics is None else min(topics, most)
    searches = topics * _searches_per_topic(settings)
    calls = list(_calls(settings, topics, searches))
    tokens = sum(part.count * (part.input_tokens + part.output_tokens) for part in calls)
    cost = _cost(settings, calls)
    return Forecast(
        topics,
        _capped(sum(part.count for part in calls), budget.model_calls),
        _capped(searches, budget.searches),
        _capped(tokens, budget.tokens),
        budget.cost_usd if cost is None else min(cost, budget.cost_usd or cost),
    )


def _searches_per_topic(settings: Settings) -> int:
    from ..researcher import MAX_QUERIES

    return min(settings.limits.max_searches, settings.limits.max_react_tool_calls) * MAX_QUERIES


def _calls(settings: Settings, topics: int, searches: int) -> Iterator[_Calls]:
    """How often each role is called at most, and how large a call can be."""
    from ..sections import MAX_SECTIONS

    limits = settings.limits
    window = settings.context_window
    page = min(int(limits.max_content_length * _TOKENS_PER_CHARACTER), window)
    rounds = min(topics, limits.max_researcher_iterations)
    reports = 1 if settings.writer.mode == "one_shot" else 1 + MAX_SECTIONS
    asks = limits.max_clarifications + 1 if settings.scope.clarify != "off" else 0
    for role, count, most in (
        ("clarifier", asks, page),
        ("brief_writer", 1, page),
        ("supervisor", rounds + 1, window),
        ("researcher", topics * (limits.max_react_tool_calls + 1), window),
        ("summarizer", searches * settings.search.results, page),
        ("compressor", topics, window),
        ("writer", reports, window),
    ):
        output = settings.output_tokens.of(role)
        yield _Calls(role, count, min(most, max(window - output, 0)), output)


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
