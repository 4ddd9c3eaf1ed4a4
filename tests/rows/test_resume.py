"""Runs that are stopped at any moment go on: same report, no logged call sent again, caps still count."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import multiprocessing
import os
import random
import signal
import subprocess
import sys
from collections import Counter as Tally
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from benchmarks.kills import Counter, Trial
from deep_research.components.researcher.graph import researcher_tools
from deep_research.core.errors import ModelError, RunError
from deep_research.engine.chat import chat
from deep_research.engine.store import CALLS_FILE, CallLog, CallRow, RunStore
from deep_research.evaluation.fingerprint import fingerprint
from deep_research.report import Report, usage_of
from deep_research.runs import aresearch, aresume, astream
from deep_research_offline.web import build_web
from deep_research_offline.wire.faults import Fault
from deep_research_offline.wire.server import running_server
from tests.running import TOPICS, context_of, delegate, environment_of, run, settings_of, stops, wire
from tests.scripted import Script

COMPARISON = next(q.text for q in build_web().questions if (q.kind, q.lang) == ("comparison", "en"))
CAPS = {"budget.model_calls": 12, "budget.searches": 2, "budget.sources": 6, "budget.tokens": 90_000}


@pytest.mark.timeout(300)
def test_a_killed_run_goes_on_in_a_new_process_and_sends_no_logged_call_again(tmp_path: Path) -> None:
    provider = Counter()
    with running_server(provider) as base_url:
        trial = Trial(provider, base_url, tmp_path, COMPARISON, ("--preset", "quick"))
        calm = trial.run()
        killed = trial.run(random.Random(5), calm.sent)
    assert calm.kills == 0 and killed.kills >= 2
    assert killed.promised == calm.promised
    assert killed.sent - killed.in_flight == calm.sent
    assert killed.model_calls == calm.model_calls > 5


# The same without a wire, at many more moments ------------------------------------------------------

PROCESSES = multiprocessing.get_context("forkserver")  # children start as copies that have all imported
NEEDED = (
    "deep_research.systems.open_deep_research.graph", "deep_research.engine.chat_openai", "aiosqlite",
    "deep_research.components.supervisor", "deep_research.runs.checkpoints", "deep_research.cli.ask",
    "deep_research.cli.consent", "deep_research_offline.model", "deep_research_offline.wire.transports",
    "anyio._backends._asyncio", "json_repair", "langchain_openai", "langgraph.checkpoint.sqlite.aio",
    "markdown_it", "openai.resources.chat.completions", "tavily", "tomli_w", "w3lib.url",
)  # fmt: skip
PROCESSES.set_forkserver_preload([__name__, *NEEDED])


def run_and_die(place: int, settings: Any, out: Path) -> None:
    """In a process of its own: run, and kill the process at the n-th event."""
    seen = itertools.count(1)

    def watch(event: Any) -> None:
        if next(seen) == place:
            os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(aresearch(COMPARISON, settings=settings, out=out, on_event=watch))


def kill_at(place: int, settings: Any, out: Path) -> str:
    """Let a run die at its n-th event, and give its id."""
    process = PROCESSES.Process(target=run_and_die, args=(place, settings, out))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    (folder,) = out.iterdir()
    return folder.name


def rows_of(folder: Path) -> list[CallRow]:
    log = CallLog(folder / CALLS_FILE)
    rows = list(log)
    log.close()
    return rows


async def undisturbed(settings: Any, out: Path) -> tuple[list[int], Report]:
    """The run, and where others like it are to be stopped: at calls, and while the report is checked."""
    events: list[Any] = []
    report = await aresearch(COMPARISON, settings=settings, out=out, on_event=events.append)
    return [*stops(events, 3), len(events) - 5], report


def fates(rows: list[CallRow]) -> tuple[Tally[tuple[str, str, str]], Tally[tuple[str, str, str]]]:
    """Which calls were made where, and how often each was sent or taken over.

    Their order, and which branch sends a call that another one takes over, depend on scheduling.
    """
    made = Tally((row.kind, row.branch, row.request_hash) for row in rows)
    return made, Tally((row.kind, row.request_hash, row.status) for row in rows)


def spent(report: Report) -> Any:
    return report.usage.model_dump(exclude={"seconds", "by_role"})


@pytest.mark.timeout(300)
@pytest.mark.parametrize("settings", [{}, CAPS], ids=["free", "capped"])
async def test_a_run_killed_anywhere_ends_like_one_that_was_not(settings: Any, tmp_path: Path) -> None:
    places, calm = await undisturbed(settings, tmp_path / "calm")
    calls = fates(rows_of(tmp_path / "calm" / calm.run_id))
    for place in places[1::2] if settings else places:
        out = tmp_path / str(place)
        run_id = kill_at(place, settings, out)
        before = rows_of(out / run_id)
        resumed = await aresume(run_id, out=out)
        after = rows_of(out / run_id)
        assert fingerprint(resumed) == fingerprint(calm), place
        assert after[: len(before)] == before and fates(after) == calls, place
        assert spent(resumed) == spent(calm), place
        assert len({line.id for line in resumed.trace}) == len(resumed.trace), place


async def test_caps_count_what_earlier_sittings_spent(tmp_path: Path) -> None:
    run_id = kill_at(24, CAPS, tmp_path)
    spent_before = len(rows_of(tmp_path / run_id))
    report = await aresume(run_id, out=tmp_path)
    assert 3 < spent_before < report.usage.model_calls + report.usage.searches
    assert report.usage.model_calls <= CAPS["budget.model_calls"]
    assert report.usage.searches <= CAPS["budget.searches"]
    assert len(report.sources) <= CAPS["budget.sources"]


async def test_s18_a_call_that_failed_and_was_made_again_when_resumed_counts_twice(tmp_path: Path) -> None:
    chosen, usages = settings_of(budget__model_calls=5), []
    for fault in (Fault("status", 400), None):
        store = RunStore(tmp_path)
        provider = wire(Script(writer="Fine."), faults=[fault])
        ctx = environment_of(provider, chosen).context(chosen, run_id="one", store=store)
        with contextlib.suppress(ModelError):
            await chat("writer", [HumanMessage("Write.")], ctx)
        usages.append(usage_of(store.calls, simulated=True))
        assert ctx.budget.left("0", "writer")["model_calls"] == 5 - usages[-1].model_calls
        store.close()
    assert [usage.model_calls for usage in usages] == [1, 2] and usages[1].output_tokens == 20


async def test_a_finished_run_is_returned_without_a_single_call(tmp_path: Path) -> None:
    report = await aresearch(COMPARISON, out=tmp_path)
    events: list[Any] = []
    again = await aresume(report.run_id, out=tmp_path, on_event=events.append)
    assert again.to_json() == report.to_json() and events == []


async def test_s18_a_run_that_another_process_works_on_is_not_resumed(tmp_path: Path) -> None:
    run_id = await cancelled_at(2, {}, tmp_path)
    held = "import sys; from pathlib import Path; from deep_research.engine.store import RunStore\n"
    held += "store = RunStore(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
    other = subprocess.Popen(
        [sys.executable, "-c", held, str(tmp_path / run_id)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdout and other.stdout.readline() == "held\n"
    with pytest.raises(RunError, match="another process"):
        await aresume(run_id, out=tmp_path)
    other.kill()
    other.communicate()
    assert (await aresume(run_id, out=tmp_path)).status == "complete"


async def test_an_unknown_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="There is no run 'nothing'"):
        await aresume("nothing", out=tmp_path)
    (tmp_path / "emptied").mkdir()
    with pytest.raises(RunError, match=r"no run 'emptied' in '.*'\. `deep-research runs` lists"):
        await aresume("emptied", out=tmp_path)


# Stopped and resumed in one process -------------------------------------------------------------------


async def cancelled_at(place: int, settings: Any, out: Path) -> str:
    """Cancel a run at its n-th event, and give its id."""
    seen = itertools.count(1)

    def watch(event: Any) -> None:
        if next(seen) == place:
            job.cancel()

    job = asyncio.create_task(aresearch(COMPARISON, settings=settings, out=out, on_event=watch))
    with contextlib.suppress(asyncio.CancelledError):
        await job
    assert job.cancelled(), place
    (folder,) = out.iterdir()
    return folder.name


@pytest.mark.parametrize("settings", [{}, CAPS], ids=["free", "capped"])
async def test_a_run_cancelled_anywhere_is_resumed_in_the_same_loop(settings: Any, tmp_path: Path) -> None:
    places, calm = await undisturbed(settings, tmp_path / "calm")
    for place in places:
        out = tmp_path / str(place)
        resumed = await aresume(await cancelled_at(place, settings, out), out=out)
        assert fingerprint(resumed) == fingerprint(calm), place
        assert spent(resumed) == spent(calm), place


async def test_a_stream_that_nobody_reads_on_is_a_run_that_can_be_resumed(tmp_path: Path) -> None:
    calm = await aresearch(COMPARISON, out=tmp_path / "calm")
    stream = astream(COMPARISON, out=tmp_path / "left")
    async for event in stream:
        if event.type == "source":
            break
    await stream.aclose()
    (folder,) = (tmp_path / "left").iterdir()
    assert fingerprint(await aresume(folder.name, out=tmp_path / "left")) == fingerprint(calm)


async def test_s18_a_step_of_the_researcher_leaves_the_state_that_it_was_given_as_it_was() -> None:
    """The state may still be on its way to the disk when the next step begins."""
    ctx = context_of().on("1", topic="Gull")
    call = {"name": "search", "args": {"queries": ["Gull lighthouse"]}, "id": "1"}
    given: dict[str, Any] = {"topic": "Gull", "messages": [AIMessage("", tool_calls=[call])]}
    known = {**given, **(await researcher_tools(given, ctx)).update, "messages": given["messages"]}
    known["sources"] = [source.model_copy(update={"use": "snippet"}) for source in known["sources"]]
    before = deepcopy(known)
    after = (await researcher_tools(known, ctx)).update
    assert known == before
    assert after["progress"] != known["progress"] and after["sources"] != known["sources"]


# Several runs at once ---------------------------------------------------------------------------------


async def test_five_runs_at_once_do_not_mix_sources_budgets_or_files(tmp_path: Path) -> None:
    topics = (*TOPICS, "terns island", "lighthouse tall")

    async def one(topic: str, cap: int, place: str) -> Report:
        chosen = settings_of(budget__sources=cap)
        provider = wire(Script(supervisor=delegate(topic)), latency_ms=2)
        return await aresearch(
            f"What of {topic}?",
            settings=chosen,
            environment=environment_of(provider, chosen),
            out=tmp_path / place,
        )

    alone = [await one(topic, cap, "alone") for cap, topic in enumerate(topics, start=1)]
    together = await asyncio.gather(
        *(one(topic, cap, "together") for cap, topic in enumerate(topics, start=1))
    )
    assert [fingerprint(report) for report in together] == [fingerprint(report) for report in alone]
    assert [report.usage for report in together] == [report.usage for report in alone]
    for cap, (topic, report) in enumerate(zip(topics, together, strict=True), start=1):
        folder = tmp_path / "together" / report.run_id
        assert len(report.sources) <= cap
        assert (folder / "report.md").read_text(encoding="utf-8") == report.markdown
        assert {row.topic for row in rows_of(folder)} == {"", topic}
        assert len(rows_of(folder)) == len(report.trace)


async def test_runs_in_memory_share_nothing_either() -> None:
    reports = await asyncio.gather(*(run(Script(supervisor=delegate(topic))) for topic in TOPICS))
    for topic, report in zip(TOPICS, reports, strict=True):
        assert {source.title for source in report.cited if topic[:4] in source.title}
        assert len({report.run_id for report in reports}) == 3
