"""Row s7: every limit holds at the stated number, wherever in the run it is reached."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from deep_research.core.clock import FrozenClock
from deep_research.core.errors import BudgetExceeded
from deep_research.engine.budget import Budget
from deep_research.engine.calls import Call, Reply, perform
from deep_research.engine.chat import chat
from deep_research.engine.clients import Models
from deep_research.engine.store import RunStore
from deep_research.runs.environment import Environment
from deep_research.runs.offline import offline_search
from deep_research.settings.parts import BudgetSettings as Caps
from deep_research.settings.roles import SLOTS
from tests.running import (
    DAY,
    TOPICS,
    SteppingClock,
    Wire,
    aresearch,
    context_of,
    delegate,
    environment_of,
    run,
    settings_of,
    wire,
)
from tests.scripted import Script, last_tool_results


def endless_searches(*, queries: int = 1) -> Callable[[dict[str, Any]], Any]:
    """A researcher that never stops and never repeats a query."""

    def search(request: dict[str, Any]) -> Any:
        turn = len(last_tool_results(request))
        topic = request["messages"][1]["content"]
        return [("search", {"queries": [f"{topic} tall height {turn} {n}" for n in range(queries)]})]

    return search


def in_letters(number: int) -> str:
    """A number as a word, since a topic keeps no number that nobody gave."""
    return "".join(chr(ord("k") + int(digit)) for digit in str(number))


def endless_topics(request: dict[str, Any]) -> Any:
    """A supervisor that hands out two new topics for ever."""
    turn = len(last_tool_results(request))
    return [
        ("ConductResearch", {"research_topic": f"lighthouse {in_letters(turn)} {'ab'[n]}"}) for n in range(2)
    ]


def endless() -> Script:
    """Models that only the code can stop."""
    return Script(supervisor=endless_topics, researcher=endless_searches())


# Caps of the run --------------------------------------------------------------------------------------


@pytest.mark.parametrize("cap", [8, 11, 20])
async def test_s7_model_calls_end_at_the_stated_number(cap: int) -> None:
    provider = wire(endless())
    report = await run(provider=provider, budget__model_calls=cap)
    assert provider.chats == report.usage.model_calls == cap
    assert report.status == "partial" and report.errors == []
    assert f"limit on model_calls ({cap}) is reached" in report.markdown


@pytest.mark.parametrize("cap", [1, 2])
async def test_s7_too_few_model_calls_end_in_no_evidence_never_in_an_error(cap: int) -> None:
    provider = wire(endless())
    report = await run(provider=provider, budget__model_calls=cap)
    assert provider.chats <= cap
    assert report.status == "no_evidence" and report.errors == []
    assert f"limit on model_calls ({cap}) is reached" in report.markdown


@pytest.mark.parametrize("cap", [4, 5, 6, 7])
async def test_s7_few_model_calls_go_into_research_before_questions_and_a_brief(cap: int) -> None:
    for script in (Script(), Script(supervisor=delegate(*TOPICS[:2])), endless()):
        provider = wire(script)
        report = await run(provider=provider, budget__model_calls=cap)
        assert provider.chats <= cap and report.errors == []
        assert report.status in ("partial", "complete") and report.cited != []
        assert len(script.requests["writer"]) == 1
        asked = [role for role in ("brief_writer", "clarifier") if script.requests[role]]
        assert asked == ["brief_writer", "clarifier"][: cap - 4]


@pytest.mark.parametrize("cap", [1, 2, 5])
async def test_s7_searches_end_at_the_stated_number(cap: int) -> None:
    provider = wire(Script(supervisor=delegate("Gull lighthouse"), researcher=endless_searches(queries=2)))
    report = await run(provider=provider, budget__searches=cap)
    assert provider.searches == report.usage.searches == cap
    assert report.status == "partial" and f"limit on searches ({cap}) is reached" in report.markdown


@pytest.mark.parametrize("cap", [1, 3])
async def test_s7_sources_end_at_the_stated_number(cap: int) -> None:
    report = await run(Script(supervisor=delegate("lighthouse tall")), budget__sources=cap)
    assert len(report.sources) == cap
    assert report.status == "complete" or "sources" in report.markdown


@pytest.mark.parametrize("cap", [1, 2])
async def test_s7_fewer_searches_than_topics_are_all_used(cap: int) -> None:
    provider = wire(Script(supervisor=delegate(*TOPICS), researcher=endless_searches()))
    report = await run(provider=provider, budget__searches=cap)
    assert provider.searches == cap and report.status == "partial"
    assert report.cited != []


async def test_s7_sources_of_parallel_topics_stay_within_the_cap() -> None:
    report = await run(Script(supervisor=delegate(*TOPICS), researcher=endless_searches()), budget__sources=3)
    assert len(report.sources) <= 3


async def test_s7_no_call_starts_that_could_cost_more_tokens_than_are_left() -> None:
    script = endless()

    def fill(request: dict[str, Any]) -> dict[str, Any]:
        answer = script(request)
        asked = request["max_completion_tokens"]
        prompt = sum(len(str(m.get("content") or "")) for m in request["messages"]) // 4
        usage = {"prompt_tokens": prompt, "completion_tokens": asked, "total_tokens": prompt + asked}
        return answer | {"usage": usage}

    report = await run(fill, budget__tokens=60_000, output_tokens__decide=1_000, output_tokens__write=2_000)
    spent = report.usage.input_tokens + report.usage.output_tokens
    assert 30_000 < spent <= 60_000
    assert report.status == "partial" and "limit on tokens (60,000) is reached" in report.markdown


async def test_s7_a_small_cap_on_tokens_is_spent_on_research_and_leaves_the_writer_its_part() -> None:
    script = endless()
    report = await run(script, budget__tokens=20_000)
    assert report.usage.input_tokens + report.usage.output_tokens <= 20_000
    assert len(script.requests["researcher"]) > 1 and len(script.requests["writer"]) == 1
    assert report.cited != []


class Priced(Models):
    """Real price lists in front of the offline wire: every spec is answered from this machine."""

    def client(self, spec: str) -> Any:
        return super().client("offline:" + spec)


async def _priced_run(script: Any, **settings: Any) -> Any:
    short = {f"output_tokens__{slot}": 100 for slot in SLOTS}
    chosen = settings_of(**short, **settings)
    chosen.models = {"model": "openai:gpt-5-mini"}
    provider = wire(script)
    environment = environment_of(provider, chosen)
    environment.models = Priced(chosen, provider)
    return await aresearch("How tall is Gull?", settings=chosen, environment=environment, keep=False)


async def test_s7_money_ends_at_the_stated_number() -> None:
    free = await _priced_run(endless())
    assert free.usage.cost_usd > 0.003
    script = endless()
    report = await _priced_run(script, budget__cost_usd=0.003)
    assert len(script.requests["writer"]) == 1
    assert 0.001 < report.usage.cost_usd <= 0.003
    assert "limit on cost_usd (0.003)" in report.markdown and report.status == "partial"


@pytest.mark.parametrize(("cap", "kept"), [(0.003, 0.001), (1.0, 0.0225)])
def test_s7_money_is_kept_for_the_writer_at_most_a_third(cap: float, kept: float) -> None:
    settings = settings_of(budget__cost_usd=cap, output_tokens__write=10_000)
    settings.models = {"model": "openai:gpt-5-mini"}  # 0.25 and 2 dollars for a million tokens
    budget = (
        Environment(Priced(settings), offline_search(wire(Script())), FrozenClock(DAY))
        .context(settings)
        .budget
    )
    assert budget.left("0", "writer")["cost_usd"] == cap
    assert cap - budget.left("0", "researcher")["cost_usd"] == pytest.approx(kept)


async def test_s7_seconds_end_the_run_by_the_clock() -> None:
    clock = SteppingClock()
    script = endless()

    def slow(request: dict[str, Any]) -> dict[str, Any]:
        clock.elapsed += 10
        return script(request)

    report = await run(provider=wire(slow, clock=clock), clock=clock, budget__seconds=65)
    assert clock.elapsed == 70  # the call that started at 60 s was allowed, none after 65 s
    assert "limit on seconds (65) is reached" in report.markdown and report.status == "partial"


async def test_s7_seconds_of_earlier_sittings_count() -> None:
    provider, settings, store = wire(Script(writer="Fine.")), settings_of(budget__seconds=65), RunStore()

    async def sit(seconds: float, question: str) -> None:
        clock = SteppingClock()
        ctx = environment_of(provider, settings, clock).context(settings, store=store)
        clock.elapsed += seconds
        await chat("writer", [HumanMessage(question)], ctx)

    await sit(40, "first")
    await sit(20, "second")
    with pytest.raises(BudgetExceeded, match=r"seconds \(65\)"):
        await sit(10, "third")
    assert [row.end for row in store.calls] == [40, 60]


# Limits of the design ---------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [1, 3])
async def test_s7_searches_per_researcher_end_at_the_stated_number(limit: int) -> None:
    provider = wire(Script(supervisor=delegate(*TOPICS), researcher=endless_searches()))
    await run(provider=provider, limits__max_searches=limit)
    assert provider.searches == limit * len(TOPICS)


@pytest.mark.parametrize("limit", [1, 3])
async def test_s7_tool_calls_per_researcher_end_at_the_stated_number(limit: int) -> None:
    provider = wire(Script(supervisor=delegate(*TOPICS), researcher=endless_searches()))
    await run(provider=provider, limits__max_react_tool_calls=limit)
    assert provider.searches == limit * len(TOPICS)


@pytest.mark.parametrize("limit", [1, 2, 4])
async def test_s7_rounds_end_at_the_stated_number(limit: int) -> None:
    script = Script(supervisor=endless_topics)
    report = await run(script, limits__max_researcher_iterations=limit)
    assert len(script.requests["supervisor"]) == limit
    assert len({line.branch for line in report.trace}) == 1 + 2 * limit


@pytest.mark.parametrize("limit", [1, 3])
async def test_s7_branches_started_at_once_are_the_stated_number(limit: int) -> None:
    topics = [f"lighthouse {in_letters(n)}" for n in range(6)]
    script = Script(supervisor=delegate(*topics))
    report = await run(script, limits__max_concurrent_research_units=limit)
    assert {line.branch for line in report.trace} == {str(n) for n in range(limit + 1)}
    told = last_tool_results(script.requests["supervisor"][1])
    assert sum(text.startswith(f"Not done: at most {limit} topics") for text in told) == 6 - limit


@pytest.mark.parametrize("limit", [1, 2, 4])
async def test_s7_calls_in_flight_peak_at_the_stated_number_over_nested_graphs(limit: int) -> None:
    provider = wire(
        Script(supervisor=delegate(*TOPICS, "terns"), researcher=endless_searches(queries=3)), latency_ms=3
    )
    provider.crowd = limit
    await run(provider=provider, concurrency=limit, limits__max_searches=2)
    assert provider.peak == limit


async def test_s7_a_capped_run_spends_alike_at_any_concurrency() -> None:
    def spent(report: Any) -> Any:
        return report.markdown, [gap.message for gap in report.gaps], report.usage.model_calls

    def script() -> Script:
        return Script(supervisor=delegate(*TOPICS), researcher=endless_searches(queries=2))

    caps = {"budget__searches": 7, "budget__model_calls": 14, "budget__sources": 5}
    one = await run(provider=wire(script(), latency_ms=2), concurrency=1, **caps)
    five = await run(provider=wire(script(), latency_ms=2), concurrency=5, **caps)
    assert spent(one) == spent(five)


# The budget alone -------------------------------------------------------------------------------------


@given(
    cap=st.integers(1, 40),
    parts=st.integers(1, 6),
    wants=st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), max_size=60),
)
def test_shares_never_add_up_to_more_than_the_cap(cap: int, parts: int, wants: list[tuple[int, int]]) -> None:
    budget = Budget(Caps(model_calls=cap), FrozenClock(DAY))
    names = [str(n + 1) for n in range(parts)]
    for name, share in budget.share("0", names).items():
        budget.open(name, share)
    taken = 0
    for branch, amount in wants:
        try:
            budget.take(str(branch), "researcher", {"model_calls": amount})
            taken += amount
        except BudgetExceeded:
            pass
    budget.close(names)
    assert taken <= cap and budget.left("0")["model_calls"] == cap - taken


def test_what_is_reserved_for_a_role_is_kept_for_it() -> None:
    budget = Budget(Caps(model_calls=2), FrozenClock(DAY))
    budget.reserve("0", "writer", {"model_calls": 1})
    budget.take("0", "researcher", {"model_calls": 1})
    with pytest.raises(BudgetExceeded, match=r"model_calls \(2\)"):
        budget.take("0", "researcher", {"model_calls": 1})
    budget.take("0", "writer", {"model_calls": 1})


async def test_a_call_that_fails_gives_back_what_it_did_not_spend() -> None:
    ctx = context_of(budget__tokens=5_000, retries=0)

    async def fail() -> Reply:
        raise OSError("broken")

    call = Call("model", "writer", {"messages": []}, fail, {"tokens": 4_000.0}, "offline")
    for _ in range(3):  # the third would not fit if the first two had kept theirs
        with pytest.raises(Exception, match="broken"):
            await perform(call, ctx)
    assert ctx.budget.left("0", "writer")["tokens"] == 5_000


async def test_calls_that_wait_for_another_branch_count_at_once_against_their_own_share() -> None:
    """Else two calls side by side pass a check that has room for one, as long as both still wait."""
    ctx = context_of(budget__searches=4)
    for branch, share in (("1", 3), ("2", 1)):
        ctx.budget.open(branch, {"searches": share})

    async def answer() -> Reply:
        await asyncio.sleep(0)
        return Reply("found")

    def searches(branch: str) -> list[Any]:
        calls = [Call("search", "researcher", {"query": query}, answer, shared=True) for query in "ab"]
        return [perform(call, ctx.on(branch, "topic")) for call in calls]

    done = await asyncio.gather(*searches("1"), *searches("2"), return_exceptions=True)
    assert done[:3] == ["found"] * 3
    assert isinstance(done[3], BudgetExceeded)


async def test_what_the_run_had_before_its_branches_began_costs_them_nothing() -> None:
    """Else each of five topics pays again, out of one or two searches, for what the plan was made from."""
    ctx = context_of(budget__searches=4)

    async def answer() -> Reply:
        return Reply("found")

    def search(query: str, branch: str) -> Any:
        call = Call("search", "researcher", {"query": query}, answer, shared=True)
        return perform(call, ctx.on(branch, "topic"))

    await search("plan", "0")
    ctx.budget.open("1", {"searches": 1})
    ctx.budget.open("2", {"searches": 1})
    assert [await search(query, "1") for query in ("own", "plan")] == ["found"] * 2
    assert [await search(query, "2") for query in ("plan", "own")] == ["found"] * 2
    with pytest.raises(BudgetExceeded):
        await search("more", "2")
    again = Environment(models=ctx.models, search=ctx.search, clock=ctx.clock).context(
        ctx.settings, store=ctx.store
    )
    assert again.budget.left("0") == {"searches": 2}


def test_wire_counts_what_is_open_at_once() -> None:
    provider: Wire = wire(Script())
    assert (provider.latency, provider.latency, provider.peak) == (0, 0, 2)
