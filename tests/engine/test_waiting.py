"""What a run waits for is told while it waits."""

from __future__ import annotations

from deep_research.engine.chat import chat
from deep_research.engine.prompting import user_message
from deep_research.engine.trace import Event
from deep_research_offline.wire.faults import Fault
from tests.running import context_of, wire
from tests.scripted import Script


async def test_each_call_that_is_tried_again_says_why_and_when() -> None:
    events = list[Event]()
    provider = wire(Script(writer="Fine."), faults=[Fault("status", 503), Fault("status", 429)])
    await chat("writer", [user_message("Write.")], context_of(provider=provider, sink=events.append))
    assert [event.text for event in events if event.type == "retry"] == [
        "writer's model call failed (503); again in 1 s",
        "writer's model call failed (429); again in 2 s",
    ]
