"""The trace says what waited for what."""

from __future__ import annotations

import asyncio

import pytest

from deep_research.engine.calls import Call, Reply, perform
from deep_research.engine.trace import Event, Recorder
from tests.running import context_of


def _call(recorder: Recorder, branch: str) -> tuple[str, ...]:
    """Make a call in a branch; the ids that it comes after."""
    strand = recorder.strand(branch)
    after = strand.after
    strand.after = (strand.next_id(),)
    return after


def test_a_branch_of_a_later_round_starts_when_that_round_does() -> None:
    recorder = Recorder()
    assert _call(recorder, "0") == ()
    recorder.fork("0", ["0.1", "0.2"])
    assert _call(recorder, "0.1") == _call(recorder, "0.2") == ("0#1",)
    recorder.join("0", ["0.1", "0.2"])
    _call(recorder, "0")
    recorder.fork("0", ["0.1"])
    assert "0#2" in _call(recorder, "0.1")


def test_a_branch_that_is_taken_up_again_goes_on_after_its_own_calls_too() -> None:
    recorder = Recorder()
    for call in ("0#1", "1#1"):
        recorder.restore(call)
    recorder.fork("0", ["1"])
    assert set(_call(recorder, "1")) == {"0#1", "1#1"}


@pytest.mark.parametrize("first", ["1", "2"])
async def test_every_branch_says_what_it_searches_whichever_of_them_sends_it(first: str) -> None:
    events: list[Event] = []
    ctx = context_of(sink=events.append)

    async def search(branch: str) -> None:
        if branch != first:
            await asyncio.sleep(0)
        await perform(
            Call("search", "researcher", {"query": "Gull"}, found, shared=True), ctx.on(branch, branch)
        )

    async def found() -> Reply:
        await asyncio.sleep(0)
        return Reply("found")

    await asyncio.gather(search("1"), search("2"))
    said = [(event.topic, event.text) for event in events if event.type == "started"]
    assert sorted(said) == [("1", "Gull"), ("2", "Gull")]
