"""What a run waits for is told while it waits."""

from __future__ import annotations

from deep_research.cli.progress import Tally
from deep_research.engine.chat import chat
from deep_research.engine.prompting import user_message
from deep_research.engine.trace import Event
from deep_research.notebook.bench import progress
from deep_research_offline.wire.faults import Fault
from tests.running import context_of, wire
from tests.scripted import Script

WORDLESS = [Fault("refused"), Fault("html")]


async def test_each_call_that_is_tried_again_says_why_and_when() -> None:
    events = list[Event]()
    provider = wire(Script(writer="Fine."), faults=[Fault("status", 503), Fault("status", 429), *WORDLESS])
    await chat("writer", [user_message("Write.")], context_of(provider=provider, sink=events.append))
    assert [event.text for event in events if event.type == "retry"] == [
        "writer's model call failed (503): try 2 of 6, waiting 1 s",
        "writer's model call failed (429): try 3 of 6, waiting 2 s",
        "writer's model call failed (not reached): try 4 of 6, waiting 4 s",
        "writer's model call failed (no usable answer): try 5 of 6, waiting 8 s",
    ]


async def test_waiting_is_shown_in_a_terminal_and_in_notebooks_until_there_is_an_answer() -> None:
    lines, tally, seen = list[str](), Tally(), list[str]()
    notebook = progress(lines.append)

    def watch(event: Event) -> None:
        notebook(event)
        tally.count(event)
        seen.extend(worker.doing for worker in tally.workers.values())

    provider = wire(Script(writer="Fine."), faults=[Fault("status", 429, retry_after=8)])
    await chat("writer", [user_message("Write.")], context_of(provider=provider, sink=watch))
    waiting = "writer's model call failed (429): try 2 of 6, waiting 8 s"
    assert f"waits: {waiting}" in lines
    assert waiting in seen and seen[-1] == "writer has answered"
